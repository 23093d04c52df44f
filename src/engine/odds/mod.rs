//! Exact odds: what can become of a position when phases run, each end with its chance as a fraction.
//!
//! Takes rules, a position and what runs; gives every end state. Branches by outcome, not by dice, and joins equal
//! positions after each step, so that a phase of some units stays small. The chances of all ends add up to exactly 1.
//!
//! Where the ends are too many, units whose fate provably depends on their own roll alone are solved one by one, as
//! exactly; if that cannot be proven, the question is refused.

mod alone;
mod cells;
mod explore;
mod plan;

pub use cells::{Cell, Change, changed};
pub use plan::Passing;

use crate::ir::Ruleset;
use crate::kernel::{EvalFault, Fraction};
use crate::world::World;

/// States of which one question may come to, at most.
pub const MOST_STATES: usize = 65_536;

/// One end: what differs from the position at the start, and how likely that is.
pub type End = (Vec<Change>, Fraction);

/// The odds of some phases that run one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Odds {
    /// all that can happen, together
    Joint(Vec<End>),
    /// each unit by itself: its place in the position, and what can become of it
    Alone(Vec<(u32, Vec<End>)>),
}

/// Why odds cannot be worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OddsFault {
    /// a value could not be worked out
    #[error("{0}")]
    Eval(#[from] EvalFault),
    /// too many ends, and no proof that each unit can be solved alone
    #[error("there are more than {MOST_STATES} ways in which this can end")]
    TooMany,
}

/// What can become of a position; the ends are in the order in which they were found.
pub fn odds(rules: &Ruleset, world: &World, passing: &[Passing]) -> Result<Odds, OddsFault> {
    odds_within(rules, world, passing, MOST_STATES)
}

/// The same with fewer states together, so that units are solved alone where that is possible.
pub fn odds_within(rules: &Ruleset, world: &World, passing: &[Passing], most: usize) -> Result<Odds, OddsFault> {
    let plan = plan::plan(rules, passing);
    match explore::explore(rules, world, &plan, None, most) {
        Err(OddsFault::TooMany) => {}
        found => return found.map(Odds::Joint),
    }
    let rolling = alone::rolling(rules, world, &plan)?.ok_or(OddsFault::TooMany)?;
    let mut all = Vec::new();
    for unit in rolling {
        all.push((unit, explore::explore(rules, world, &plan, Some(&[unit]), MOST_STATES)?));
    }
    Ok(Odds::Alone(all))
}

/// What can become of some units together, where all units roll; refused where the others could matter and the ends of
/// all are too many.
pub fn odds_of(rules: &Ruleset, world: &World, passing: &[Passing], units: &[u32]) -> Result<Vec<End>, OddsFault> {
    let plan = plan::plan(rules, passing);
    match explore::explore(rules, world, &plan, None, MOST_STATES) {
        Err(OddsFault::TooMany) => {}
        found => return found,
    }
    alone::rolling(rules, world, &plan)?.ok_or(OddsFault::TooMany)?;
    explore::explore(rules, world, &plan, Some(units), MOST_STATES)
}
