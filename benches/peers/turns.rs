//! How many turns of a shipped game are played in a second: judged, rolled and counted, with nobody
//! to ask.

use std::hint::black_box;
use std::path::Path;

use sutler::engine::{Dice, Orders, play};
use sutler::ir::{Ruleset, SetupId};
use sutler::project::Project;
use sutler::world::{World, start};

/// Turns in one run of the clock.
const TURNS: u64 = 20;

/// Prints how many turns are played in a second, each from the same setup with dice of its own;
/// they have no peer and so no row.
pub fn report(quick: bool) -> Vec<serde_json::Value> {
    let project = Project::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/malaya"));
    let rules = project.rulesets[0].rules.as_ref().unwrap();
    let setup = rules.setups.iter().position(|s| s.name == "december").map(SetupId::at).unwrap();
    let from = start(rules, setup);
    same_turns(rules, &from);
    let (turns, rounds) = if quick { (1, 1) } else { (TURNS, 15) };
    let mut world = from.clone();
    let time = super::interleaved(
        rounds,
        &mut [&mut || {
            for seed in 0..turns {
                world.clone_from(&from);
                black_box(turn(rules, &mut world, seed));
            }
        }],
    )[0];
    let in_a_second = (turns as f64 / time * 1e9).round();
    println!(
        "a turn of rulesets/malaya: {in_a_second} turns a second, {:.3} ms each",
        time / turns as f64 / 1e6
    );
    Vec::new()
}

/// Plays one turn to its end; how much happened.
fn turn(rules: &Ruleset, world: &mut World, seed: u64) -> usize {
    let mut events = Vec::new();
    let whole =
        play(rules, world, &mut Dice::seeded(seed), &mut Orders::first_way(), &mut events).unwrap();
    assert!(whole, "a turn that plays by itself comes to its end");
    events.len()
}

/// A seed plays the same turn twice.
fn same_turns(rules: &Ruleset, from: &World) {
    let (mut first, mut second) = (from.clone(), from.clone());
    assert_eq!(turn(rules, &mut first, 7), turn(rules, &mut second, 7));
    assert!(first == second && first != *from, "a turn changes something, and the same each time");
}
