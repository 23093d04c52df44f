//! Exact odds: what can become of a position when phases run, each end with its chance as a
//! fraction.
//!
//! Takes rules, a position and what runs; gives every end state. Branches by outcome, not by dice,
//! and joins equal positions after each step, so that a phase of some units stays small. The
//! chances of all ends add up to exactly 1.
//!
//! Where the ends are too many, units whose fate provably depends on their own roll alone are
//! solved one by one, as exactly; if that cannot be proven, the question is refused.

mod alone;
mod cells;
mod explore;
mod plan;
mod unread;

pub use cells::{Cell, Change, changed, lain_in, relation};
pub use plan::Passing;
pub use unread::readers;

use crate::ir::{Effect, LineId, Ruleset, TableId};
use crate::kernel::{EvalFault, Fraction, Position};
use crate::world::{ThingRef, World};

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
    /// a player must decide something on the way, by this line of the rules
    #[error("a player must decide something on the way, and nobody has said what")]
    Open(LineId),
}

/// What can become of a position; the ends are in the order in which they were found.
pub fn odds(rules: &Ruleset, world: &World, passing: &[Passing]) -> Result<Odds, OddsFault> {
    odds_within(rules, world, passing, MOST_STATES)
}

/// The same with fewer states together, so that units are solved alone where that is possible.
pub fn odds_within(
    rules: &Ruleset,
    world: &World,
    passing: &[Passing],
    most: usize,
) -> Result<Odds, OddsFault> {
    let question = Question::new(rules, world, passing)?;
    match question.explore(None, most) {
        Err(OddsFault::TooMany) => {}
        found => return found.map(Odds::Joint),
    }
    let mut all = Vec::new();
    for unit in question.rolling()?.ok_or(OddsFault::TooMany)? {
        all.push((unit, question.explore(Some(&[unit]), MOST_STATES)?));
    }
    Ok(Odds::Alone(all))
}

/// What can become of some units together; where the ends of all are too many, only these roll, if
/// it is proven that the others make no difference to them. What the ends say of anything else is
/// then no answer.
pub fn odds_of(
    rules: &Ruleset,
    world: &World,
    passing: &[Passing],
    units: &[u32],
) -> Result<Vec<End>, OddsFault> {
    let question = Question::new(rules, world, passing)?;
    match question.explore(None, MOST_STATES) {
        Err(OddsFault::TooMany) => {}
        found => return found,
    }
    question.rolling()?.ok_or(OddsFault::TooMany)?;
    question.explore(Some(units), MOST_STATES)
}

/// Where a roll of a list of tests can stop for a thing: each of its rows that hold now, and that
/// it goes through last.
pub fn list_odds(
    position: &Position<'_>,
    list: TableId,
    thing: ThingRef,
) -> Result<Vec<(Option<usize>, Fraction)>, OddsFault> {
    let rules = position.rules;
    // All rolls of a list stop alike; one that no step rolls stops nowhere.
    let stops = rules.phases.iter().flat_map(|p| &p.steps).find_map(|step| match &step.effect {
        Effect::RollList { table, stops } if *table == list => Some(stops.clone()),
        _ => None,
    });
    let stops = stops.unwrap_or_else(|| vec![None; rules.tables[list.index()].rows.len()]);
    explore::stops_of(position, (list, &stops), thing, MOST_STATES)
}

/// What is asked, as far as it happens in one way: everything before the first roll.
struct Question<'q> {
    rules: &'q Ruleset,
    start: &'q World,
    /// The position at the first roll.
    at_roll: World,
    /// The first roll, and all behind it.
    plan: Vec<plan::Op>,
}

impl<'q> Question<'q> {
    fn new(
        rules: &'q Ruleset,
        start: &'q World,
        passing: &[Passing],
    ) -> Result<Question<'q>, OddsFault> {
        let mut plan = plan::plan(rules, passing);
        let first = plan.iter().position(|op| op.rolls(rules).is_some()).unwrap_or(plan.len());
        let mut at_roll = start.clone();
        for op in plan.drain(..first) {
            explore::apply(rules, &mut at_roll, &op)?;
        }
        Ok(Question { rules, start, at_roll, plan })
    }

    fn explore(&self, only: Option<&[u32]>, most: usize) -> Result<Vec<End>, OddsFault> {
        explore::explore(self.rules, (self.start, &self.at_roll), &self.plan, only, most)
    }

    fn rolling(&self) -> Result<Option<Vec<u32>>, OddsFault> {
        alone::rolling(self.rules, &self.at_roll, &self.plan)
    }
}
