//! Any bytes as a file to import: `cargo fuzz run --sanitizer none import_text`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "each target uses a part of it")]
#[path = "../entry.rs"]
mod entry;

fuzz_target!(|bytes: &[u8]| {
    entry::run(entry::import_text, bytes);
});
