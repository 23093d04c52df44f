//! The least of a run that still shows what is wrong.
//!
//! Parts are taken out, many at once and then fewer (ddmin of Zeller and Hildebrandt), as long as
//! the same comes about; at the end none can be taken out alone.

use std::collections::BTreeSet;

use super::look::Wrong;
use super::parts::{Path, parts, without};
use super::sample::Sample;
use crate::engine::Ground;

/// So many positions are played for one sample.
const MOST_TRIALS: usize = 3000;

/// A sample with as little as shows the same; as it is where nothing can be taken out.
#[must_use]
pub fn shrink(ground: &Ground<'_>, sample: &Sample, wrong: &Wrong) -> Sample {
    let mut best = sample.clone();
    let mut left = MOST_TRIALS;
    loop {
        let before = best.clone();
        orders(ground, &mut best, wrong, &mut left);
        position(ground, &mut best, wrong, &mut left);
        if best == before || left == 0 {
            return best;
        }
    }
}

fn orders(ground: &Ground<'_>, best: &mut Sample, wrong: &Wrong, left: &mut usize) {
    let all = best.orders.clone();
    let given = best.clone();
    least(all.len(), left, |gone| {
        let kept = all.iter().enumerate().filter(|(at, _)| !gone.contains(at));
        let trial = Sample { orders: kept.map(|(_, o)| o.clone()).collect(), ..given.clone() };
        trial.played(ground, wrong).map(|found| *best = found).is_some()
    });
}

fn position(ground: &Ground<'_>, best: &mut Sample, wrong: &Wrong, left: &mut usize) {
    let given = best.clone();
    let all = parts(&given.position);
    least(all.len(), left, |gone| {
        let gone: BTreeSet<&Path> = gone.iter().filter_map(|at| all.get(*at)).collect();
        let trial = Sample {
            position: without(&given.position, &gone),
            orders: best.orders.clone(),
            dice: best.dice.clone(),
            ..given.clone()
        };
        trial.played(ground, wrong).map(|found| *best = found).is_some()
    });
}

/// Takes out of so many parts as many as can be; `shows` is asked whether it is still so without
/// these.
pub(crate) fn least(
    parts: usize,
    left: &mut usize,
    mut shows: impl FnMut(&BTreeSet<usize>) -> bool,
) {
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    let mut size = parts.div_ceil(2);
    while size > 0 {
        let here: Vec<usize> = (0..parts).filter(|at| !gone.contains(at)).collect();
        let mut taken = false;
        for some in here.chunks(size) {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let trial: BTreeSet<usize> = gone.iter().chain(some).copied().collect();
            if shows(&trial) {
                (gone, taken) = (trial, true);
            }
        }
        // What could not go before may go now.
        if size > 1 || !taken {
            size /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_needed() {
        for (needed, parts) in [(vec![3, 17], 40), (vec![], 9), (vec![0, 1, 2], 3), (vec![0], 0)] {
            let (mut left, mut kept) = (MOST_TRIALS, (0..parts).collect::<BTreeSet<usize>>());
            least(parts, &mut left, |gone| {
                let shows = needed.iter().all(|at| !gone.contains(at));
                if shows {
                    kept = (0..parts).filter(|at| !gone.contains(at)).collect();
                }
                shows
            });
            let wanted: Vec<usize> = needed.into_iter().filter(|at| *at < parts).collect();
            assert_eq!(kept.into_iter().collect::<Vec<_>>(), wanted, "of {parts}");
        }
    }

    #[test]
    fn parts_that_go_only_together_go_and_the_trials_end() {
        let (mut left, mut kept) = (MOST_TRIALS, 16);
        least(16, &mut left, |gone| {
            let shows = gone.contains(&4) == gone.contains(&5);
            if shows {
                kept = 16 - gone.len();
            }
            shows
        });
        assert!(kept <= 2, "{kept}");
        let mut left = 5;
        least(1000, &mut left, |_| false);
        assert_eq!(left, 0);
    }
}
