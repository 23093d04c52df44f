//! A position with as little in it as still shows a difference.

use std::collections::BTreeSet;

use super::search::{Difference, Search};
use crate::fuzz::{Path, least, parts, without};

/// Positions that are asked to make one smaller, at most.
const MOST_TRIALS: usize = 1000;

/// A difference, of whichever question, in a position from which nothing can be taken out alone.
pub(super) fn smallest(search: &mut Search<'_>, found: Difference) -> Difference {
    let mut best = found;
    let mut left = MOST_TRIALS;
    loop {
        let given = best.position.clone();
        let all = parts(&given);
        least(all.len(), &mut left, |gone| {
            let gone: BTreeSet<&Path> = gone.iter().filter_map(|at| all.get(*at)).collect();
            search.differs(without(&given, &gone)).map(|smaller| best = smaller).is_some()
        });
        if best.position == given || left == 0 {
            return best;
        }
    }
}
