//! Any bytes as a ruleset: `cargo fuzz run --sanitizer none check_bytes`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "each target uses a part of it")]
#[path = "../entry.rs"]
mod entry;

fuzz_target!(|bytes: &[u8]| {
    entry::run(entry::check_bytes, bytes);
});
