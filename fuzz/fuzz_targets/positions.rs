//! Positions with parts changed, and all that is asked of one: `cargo fuzz run --sanitizer none
//! positions`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "each target uses a part of it")]
#[path = "../entry.rs"]
mod entry;

fuzz_target!(|bytes: &[u8]| {
    entry::run(entry::beside::positions, bytes);
});
