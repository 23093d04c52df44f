//! What would cut a unit off: the placements, moves and losses of control that do, and the spaces
//! no line can do without.
//!
//! A line that is there is its own proof: whatever leaves its gates open leaves the unit supplied.
//! So a change is only looked at where the lines of units are near enough to feel it, its gates are
//! asked afresh there alone, and a search is made only when every line known so far is shut.
//! [`by_trial`] is the slow and obvious twin: it makes each change and asks every unit again.

mod closed;
mod closed_trial;
mod sorts;
mod trial;
mod watch;

pub use trial::{by_trial, cut_by_trial};

use super::{Change, EvalFault, Gate, Position, Sort};
use crate::ir::{LineId, TraceId};
use crate::world::ThingRef;

/// What would cut the units that were asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Threat {
    /// The units that were asked for and are supplied now.
    pub units: Vec<Watched>,
    /// The sorts of enemy units that were placed.
    pub sorts: Vec<Sort>,
    /// Every change that cuts a unit, in the order in which they are tried.
    pub cuts: Vec<Cut>,
    /// How many changes were looked at.
    pub tried: usize,
    /// For each side with units asked for, the fewest spaces that cut all of them that can be cut.
    pub sides: Vec<(crate::ir::SideId, Option<Least>)>,
    /// How many searches all this took.
    pub searches: usize,
    /// Whether spaces were closed until all was known; on very large maps with very many units that
    /// is given up.
    pub whole: bool,
}

/// A unit that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Which.
    pub thing: ThingRef,
    /// The spaces of its line, its own first; empty if it needs none of its own.
    pub line: Vec<u32>,
    /// The spaces that every line within its reach passes or ends in, its own left out, as they
    /// come on its line.
    pub cut_spaces: Vec<u32>,
    /// The fewest spaces that cut it; none if no space does.
    pub least: Option<Least>,
}

/// The fewest spaces that cut something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Least {
    /// How many.
    pub number: usize,
    /// Whether it is known that so many are enough; else it is only known that fewer are not.
    pub exact: bool,
    /// The spaces, if so many are enough.
    pub spaces: Vec<u32>,
}

/// A change that cuts units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The change.
    pub change: Change,
    /// The units it cuts, in the order of the record.
    pub units: Vec<CutUnit>,
}

/// How a change cuts a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutUnit {
    /// Which.
    pub thing: ThingRef,
    /// What is shut on the line that it has now, the first on its way.
    pub gate: Gate,
    /// Where.
    pub stop: Option<u32>,
    /// The line of the ruleset that says so.
    pub line: LineId,
}

impl Position<'_> {
    /// What would cut these units or spaces, of those that are supplied now.
    pub fn threat(&self, trace: TraceId, things: &[ThingRef]) -> Result<Threat, EvalFault> {
        let mut watch = watch::Watch::new(self, trace, things)?;
        let sorts = self.sorts_against(trace, &watch.things());
        let changes = self.changes_against(&sorts, &watch.things());
        let mut threat = Threat { tried: changes.len(), ..Threat::default() };
        // The cut spaces first: a change that closes one needs no search.
        (threat.units, threat.sides) = watch.closings()?;
        let mut world = self.world.clone();
        for change in changes {
            let cut = watch.cut_by(&change, &sorts, &mut world)?;
            if !cut.is_empty() {
                threat.cuts.push(Cut { change, units: cut });
            }
        }
        threat.sorts = sorts;
        threat.searches = watch.searches;
        threat.whole = !watch.is_exhausted();
        Ok(threat)
    }

    /// All changes that [`Position::threat`] looks at, in its order.
    pub fn threat_changes(
        &self,
        trace: TraceId,
        things: &[ThingRef],
    ) -> Result<Vec<Change>, EvalFault> {
        let watched = watch::Watch::new(self, trace, things)?.things();
        Ok(self.changes_against(&self.sorts_against(trace, &watched), &watched))
    }
}
