//! Edits of an open folder: `cargo fuzz run --sanitizer none edits`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "each target uses a part of it")]
#[path = "../entry.rs"]
mod entry;

fuzz_target!(|bytes: &[u8]| {
    entry::run(entry::edits::edits, bytes);
});
