//! How much of the random cases a test tries: a part of them, and all of them where `SUTLER_FULL` is
//! set. `SUTLER_SEED` gives the seed base, so that another run tries other cases.

use std::iter::StepBy;
use std::ops::Range;

/// Of how many cases a run tries one, where it is no full run. Prime, so that the cases that a test
/// picks by `seed % 2`, `% 3` or `% 5` stay in their proportions.
const EVERY: usize = 11;

/// Whether this run tries all cases.
pub fn full() -> bool {
    std::env::var_os("SUTLER_FULL").is_some()
}

/// The seed base of this run. Printed, for a failed test shows what was printed.
pub fn seed_base() -> u64 {
    let seed = match std::env::var("SUTLER_SEED") {
        Ok(text) => text.parse().expect("SUTLER_SEED is a number"),
        Err(_) => 0,
    };
    println!("SUTLER_SEED={seed}{}", if full() { " SUTLER_FULL=1" } else { "" });
    seed
}

/// A part of a count, and the whole count in a full run.
pub fn share(count: usize) -> usize {
    if full() { count } else { count / EVERY + 1 }
}

/// The seeds of a test that tries `count` of them in a full run; else some of these.
pub fn seeds(count: usize) -> StepBy<Range<u64>> {
    seeds_every(count, EVERY)
}

/// As [`seeds`], for a test of which one case in `every` is needed to see all that it is about.
pub fn seeds_every(count: usize, every: usize) -> StepBy<Range<u64>> {
    let first = seed_base();
    (first..first + count as u64).step_by(if full() { 1 } else { every })
}

/// A part of a list, another one for another seed base, and the whole list in a full run.
pub fn part<T>(all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let (every, first) = if full() { (1, 0) } else { (EVERY, seed_base() as usize % EVERY) };
    all.into_iter().skip(first).step_by(every)
}
