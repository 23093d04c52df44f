//! All commands say the same: a slice of what `cargo bench --bench truth` holds a million times.

use crate::truth;
use crate::truth::hold::Held;

#[test]
fn every_command_agrees_with_the_brute_force() {
    let first = std::env::var("SUTLER_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1u64);
    let games = std::env::var("SUTLER_GAMES").ok().and_then(|s| s.parse().ok()).unwrap_or(40u64);
    let folder = tempfile::tempdir().unwrap();
    let mut held = Held::default();
    for seed in first..first + games {
        let place = folder.path().join(seed.to_string());
        match truth::one_game(env!("CARGO_BIN_EXE_sutler"), seed, &place) {
            Ok(more) => held.add(&more),
            Err(what) => panic!("{what}"),
        }
    }
    println!("seeds {first} to {}: {held:?}", first + games - 1);
    let each = [
        held.batch,
        held.trace,
        held.explain,
        held.why_not,
        held.threat,
        held.impact,
        held.test,
        held.run,
    ];
    assert!(each.iter().all(|n| *n > games), "something was compared hardly ever: {held:?}");
    assert!(held.yes > held.batch / 10 && held.yes < held.batch * 9 / 10, "one-sided: {held:?}");
}
