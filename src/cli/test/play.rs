//! Cases run side by side, and told in the order in which they are written, whoever was done first.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Ran;
use super::select::{Task, What};
use crate::cli::progress;
use crate::project::workers;
use crate::suite::{Outcome, run_case, run_mistake};

/// More threads than this do no good.
const MOST_JOBS: usize = 64;

/// Runs cases; with `fail_fast` none after the first that fails.
pub(super) fn play<'p>(
    tasks: &[Task<'p>],
    jobs: Option<NonZeroUsize>,
    fail_fast: bool,
) -> Vec<Ran<'p>> {
    let jobs = jobs
        .or_else(|| thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
        .min(MOST_JOBS)
        .min(tasks.len().max(1));
    progress::count("cases", Some(tasks.len()));
    let (next, last) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let work = || {
        let mut done: Vec<(usize, Outcome, Duration)> = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            // Whoever is taken before the first failure is run, so that the same one is the first
            // at every speed.
            let Some(task) = tasks.get(at).filter(|_| at <= last.load(Ordering::Relaxed)) else {
                return done;
            };
            let begun = Instant::now();
            let outcome = one(task);
            if fail_fast && !outcome.failures.is_empty() {
                last.fetch_min(at, Ordering::Relaxed);
            }
            done.push((at, outcome, begun.elapsed()));
            progress::more(1);
        }
    };
    let mut all: Vec<(usize, Outcome, Duration)> = if jobs == 1 {
        work()
    } else {
        thread::scope(|scope| {
            // Without room for another thread this one does it all.
            let Ok(threads) = workers(scope, jobs, work) else { return work() };
            let joined = threads
                .into_iter()
                .map(|t| t.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            joined.flatten().collect()
        })
    };
    all.sort_by_key(|(at, ..)| *at);
    let last = last.into_inner();
    let told = all.into_iter().filter(|(at, ..)| *at <= last);
    let ran = |(at, outcome, time): (usize, Outcome, Duration)| {
        tasks.get(at).map(|task| Ran {
            ruleset: task.ruleset,
            sources: task.sources,
            outcome,
            time,
        })
    };
    told.filter_map(ran).collect()
}

fn one(task: &Task<'_>) -> Outcome {
    match task.what {
        What::Case(case) => run_case(task.rules, case, |span| task.sources.slice(span)),
        What::Mistake(mistake) => run_mistake(task.loaded.resolved(), mistake, task.sources),
    }
}
