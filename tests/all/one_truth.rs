//! All commands say the same: a slice of what `cargo bench --bench truth` holds a million times.

use crate::common::counts::seeds_every;
use crate::truth;
use crate::truth::hold::Held;

#[test]
fn every_command_agrees_with_the_brute_force() {
    let seeds: Vec<u64> = seeds_every(40, 7).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut held = Held::default();
    for seed in &seeds {
        let place = folder.path().join(seed.to_string());
        match truth::one_game(env!("CARGO_BIN_EXE_sutler"), *seed, &place) {
            Ok(more) => held.add(&more),
            Err(what) => panic!("{what}"),
        }
    }
    println!("seeds {seeds:?}: {held:?}");
    let each = [
        held.batch,
        held.trace,
        held.reach,
        held.explain,
        held.why_not,
        held.threat,
        held.impact,
        held.test,
        held.run,
    ];
    assert!(
        each.iter().all(|n| *n > seeds.len() as u64),
        "something was compared hardly ever: {held:?}"
    );
    assert!(held.yes > held.batch / 10 && held.yes < held.batch * 9 / 10, "one-sided: {held:?}");
}
