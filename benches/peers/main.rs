//! The kernels against what a good engineer would write by hand, in one run: same positions, same
//! answers.
//!
//! Ratios are printed and written to `target/peers.json`; nothing is asserted about time.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "a measurement that cannot go on should say where, and a ratio is no amount of a ruleset"
)]

mod areas;
#[path = "../../tests/all/common/mod.rs"]
mod common;
mod games;
mod hex;
mod increments;
mod lines;
mod modifiers;
mod repaired;
mod rows;
mod supply;
mod turns;

use std::time::Instant;

use serde_json::Value;
use sutler::ir::{FactId, Ruleset};

/// A part of the measurements: its name, and what gives its rows.
type Part = (&'static str, fn(bool) -> Vec<Value>);

const PARTS: [Part; 9] = [
    ("supply", supply::report),
    ("areas", areas::report),
    ("hexes", hex::report),
    ("growth", hex::growth),
    ("increments", increments::report),
    ("turns", turns::report),
    ("modifiers", modifiers::report),
    ("lines", lines::report),
    ("games", games::report),
];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let quick = asked.iter().any(|a| a == "--test");
    // `cargo bench --bench peers -- hexes areas` measures these parts alone.
    let named: Vec<&String> = asked.iter().filter(|a| !a.starts_with('-')).collect();
    if let Some(unknown) = named.iter().find(|n| PARTS.iter().all(|(part, _)| *part != n.as_str()))
    {
        eprintln!(
            "there is no part `{unknown}`; the parts are {}",
            PARTS.map(|(part, _)| part).join(", ")
        );
        std::process::exit(2);
    }
    let wanted = |part: &str| named.is_empty() || named.iter().any(|n| *n == part);
    let rows: Vec<Value> = PARTS
        .iter()
        .filter(|(part, _)| wanted(part))
        .flat_map(|(_, report)| report(quick))
        .collect();
    if rows.is_empty() {
        return;
    }
    // One round is a trial of the program, not a measurement.
    if !quick {
        rows::keep(&rows, !named.is_empty());
    }
    rows::table(&rows);
}

/// The fact of this name.
fn fact(rules: &Ruleset, name: &str) -> FactId {
    rules.facts.iter().position(|f| f.name == name).map(FactId::at).unwrap()
}

/// The middle of the times of one run each, in nanoseconds.
fn median(mut times: Vec<u128>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2] as f64
}

fn timed(run: &mut dyn FnMut()) -> u128 {
    let start = Instant::now();
    run();
    start.elapsed().as_nanos()
}

/// All ways in turn, so that a busy moment of the machine meets them all. Each runs once untimed
/// before it is timed, so that none pays for the caches that another has filled.
fn interleaved(rounds: usize, ways: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..rounds {
        for (way, times) in ways.iter_mut().zip(&mut times) {
            way();
            times.push(timed(way));
        }
    }
    times.into_iter().map(median).collect()
}
