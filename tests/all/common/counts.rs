//! How much of the random cases a test tries: all of them, and a tenth where `SUTLER_QUICK` is set.
//! `SUTLER_SEED` gives the seed base, so that another run tries other cases.

use std::ops::Range;

/// Of how many cases a run tries one, where it is no full run.
const EVERY: usize = 10;

/// Whether this run tries all cases.
pub fn full() -> bool {
    std::env::var_os("SUTLER_QUICK").is_none()
}

/// The seed base of this run. Printed, for a failed test shows what was printed.
pub fn seed_base() -> u64 {
    let seed = match std::env::var("SUTLER_SEED") {
        Ok(text) => text.parse().expect("SUTLER_SEED is a number"),
        Err(_) => 0,
    };
    println!("SUTLER_SEED={seed}{}", if full() { "" } else { " SUTLER_QUICK=1" });
    seed
}

/// A tenth of a count, and the whole count in a full run.
pub fn share(count: usize) -> usize {
    if full() { count } else { count.div_ceil(EVERY) }
}

/// The seeds of a test that tries `count` of them in a full run.
pub fn seeds(count: usize) -> Range<u64> {
    let first = seed_base();
    first..first + share(count) as u64
}

/// A tenth of a list, another one for another seed base, and the whole list in a full run.
pub fn part<T>(all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let (every, first) = if full() { (1, 0) } else { (EVERY, seed_base() as usize % EVERY) };
    all.into_iter().skip(first).step_by(every)
}
