//! Holds all commands against an independent brute force on random games, until enough has been
//! compared.
//!
//! `cargo bench --bench truth -- --comparisons 1000000 --seed 1` prints the seeds it used and what
//! each command stood; `--test` is a small run. It ends with 1 and the whole game at the first seed
//! that differs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a run that cannot go on has found a fault"
)]

#[path = "../tests/all/truth/mod.rs"]
mod truth;

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use truth::hold::Held;

/// What `--test` compares.
const SMALL: u64 = 10_000;

fn argument(name: &str) -> Option<u64> {
    let args: Vec<String> = std::env::args().collect();
    let at = args.iter().position(|a| a == name)?;
    args.get(at + 1)?.parse().ok()
}

fn main() -> ExitCode {
    let small = std::env::args().any(|a| a == "--test").then_some(SMALL);
    let wanted = argument("--comparisons").or(small).unwrap_or(1_000_000);
    let first = argument("--seed").unwrap_or(1);
    println!("seeds from {first}, until {wanted} comparisons");
    let folder = tempfile::tempdir().unwrap();
    let next = AtomicU64::new(first);
    let held = Mutex::new(Held::default());
    let faults = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while held.lock().unwrap().all() < wanted && faults.lock().unwrap().is_empty() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let place = folder.path().join(seed.to_string());
                    match truth::one_game(env!("CARGO_BIN_EXE_sutler"), seed, &place) {
                        Ok(more) => held.lock().unwrap().add(&more),
                        Err(what) => faults.lock().unwrap().push(what),
                    }
                    // A folder that stays behind costs room and nothing else.
                    let _ = std::fs::remove_dir_all(&place);
                }
            });
        }
    });
    let held = held.into_inner().unwrap();
    println!("seeds {first} to {}: {} comparisons, {held:?}", next.into_inner() - 1, held.all());
    let faults = faults.into_inner().unwrap();
    for what in &faults {
        println!("{what}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
