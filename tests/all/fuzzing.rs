//! Every fuzz target over its kept inputs, and over some random ones.
//!
//! `FUZZ_TARGET=rulesets FUZZ_INPUTS=100000 FUZZ_SEED=7 cargo test --test all fuzzing::some_random --
//! --nocapture` runs one target for longer, without a fuzzer; one input alone shows the text that
//! is made of it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::entry::{TARGETS, run, text_of};

/// What a child of this seed shows is the same on every machine.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 56
    };
    let many = 20 + next() as usize;
    (0..many).map(|_| next() as u8).collect()
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
fn kept_inputs_come_to_an_end() {
    for (name, target) in TARGETS {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
        let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
            .expect("its kept inputs")
            .map(|e| e.unwrap().path())
            .collect();
        paths.sort();
        assert!(!paths.is_empty(), "{name} has no kept inputs");
        for path in paths {
            eprintln!("{}", path.display());
            run(target, &std::fs::read(&path).unwrap());
        }
    }
}

#[test]
fn some_random_inputs_come_to_an_end() {
    let (seed, many) = (number("FUZZ_SEED", 1), number("FUZZ_INPUTS", 12));
    let only = std::env::var("FUZZ_TARGET").ok();
    for (name, target) in
        TARGETS.into_iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name))
    {
        let (mut sound, mut slowest, start) = (0, (Duration::ZERO, 0), Instant::now());
        for at in seed..seed + many {
            // A failure names the seed with which it comes again.
            eprintln!("FUZZ_TARGET={name} FUZZ_INPUTS=1 FUZZ_SEED={at}");
            if many == 1 {
                println!("{}", text_of(name, &bytes(at)).unwrap_or_default());
            }
            let begin = Instant::now();
            sound += u64::from(run(target, &bytes(at)));
            slowest = slowest.max((begin.elapsed(), at));
        }
        println!(
            "{name}: {many} inputs from seed {seed} in {:?}, {sound} sound, slowest {slowest:?}",
            start.elapsed()
        );
        // Raw bytes are hardly ever sound; what is generated must be at times.
        assert!(
            many < 100 || sound > 0 || ["check_bytes", "position_json"].contains(&name),
            "{name}: nothing was sound"
        );
    }
}
