//! Cases of the grammar, in a sound ruleset: `cargo fuzz run --sanitizer none cases`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "each target uses a part of it")]
#[path = "../entry.rs"]
mod entry;

fuzz_target!(|bytes: &[u8]| {
    entry::run(entry::cases, bytes);
});
