//! One position that changes move by move: the operations of compiled traces as bits over spaces,
//! and after a change only those whose inputs have changed.
//!
//! The same operations are run over many positions by [`super::run`]. None of them asks the
//! evaluator, so that a trace is refused of which something must be asked slowly. [`Live`] answers
//! yes or no; [`LiveEvidence`] asks the searches for what an answer rests on, where a change may
//! have made it another; [`LiveReach`] says where units can get to. The twins are the questions of
//! [`super::Position`], asked afresh.

mod evidence;
mod followed;
mod operations;
mod reach;
mod search;
mod sheet;
mod tracers;

use super::batch::{Budget, Ending, Plan, compile_all};
use super::fault::BatchFault;
use super::plane::PlaneId;
use super::shape::Shape;
use crate::ir::{Ruleset, SideId, TraceId};
use crate::world::{ThingRef, World};
use followed::Followed;

pub use evidence::LiveEvidence;
pub use reach::LiveReach;

/// A position whose answers follow its changes.
pub struct Live {
    shape: Shape,
    followed: Followed,
    traces: Vec<Asked>,
}

/// A trace with its answers.
struct Asked {
    trace: TraceId,
    of: Things,
}

/// What a trace is asked of, in the order of the position.
enum Things {
    Units(Vec<Plan>),
    /// spaces, and the plane that has their answers
    Spaces(PlaneId, Vec<u32>),
}

impl Things {
    fn of(of_spaces: bool, plans: Vec<Plan>) -> Things {
        match plans.first().map(|plan| &plan.ending) {
            Some(Ending::Space(plane, _)) if of_spaces => {
                Things::Spaces(*plane, plans.iter().map(|plan| plan.unit).collect())
            }
            _ => Things::Units(plans),
        }
    }

    fn count(&self) -> usize {
        match self {
            Things::Units(plans) => plans.len(),
            Things::Spaces(_, spaces) => spaces.len(),
        }
    }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").field("traces", &self.traces.len()).finish_non_exhaustive()
    }
}

impl Live {
    /// Some traces of a position.
    ///
    /// # Errors
    ///
    /// Why one of them cannot be followed so.
    pub fn new(
        rules: &Ruleset,
        world: &World,
        traces: impl IntoIterator<Item = TraceId>,
    ) -> Result<Live, BatchFault> {
        let traces: Vec<TraceId> = traces.into_iter().collect();
        let (program, plans, shape) = compile_all(rules, world, &traces)?;
        let asked = |(trace, (of_spaces, plans)): (&TraceId, (bool, Vec<Plan>))| Asked {
            trace: *trace,
            of: Things::of(of_spaces, plans),
        };
        let asked = traces.iter().zip(plans).map(asked);
        let traces = asked.collect();
        Ok(Live { traces, followed: Followed::begun(program, &shape), shape })
    }

    /// The traces that are followed.
    pub fn traces(&self) -> impl Iterator<Item = TraceId> + '_ {
        self.traces.iter().map(|asked| asked.trace)
    }

    /// Puts a unit into a space or off the map; nothing changes if there is no such unit or space,
    /// or if the unit has left the game.
    pub fn move_unit(&mut self, unit: u32, space: Option<u32>) {
        if !self.shape.removed(unit as usize) {
            self.followed.move_unit(unit, space);
        }
    }

    /// Gives a space to a side, or to nobody; nothing changes if there is no such space.
    pub fn set_control(&mut self, space: u32, side: Option<SideId>) {
        self.followed.set_control(space, side);
    }

    /// Calls with the answers of a trace: each unit of it that stands on the map, or each space, in
    /// the order of the position. False where the trace is not one of these.
    pub fn answers(&mut self, trace: TraceId, mut call: impl FnMut(ThingRef, bool)) -> bool {
        self.followed.operations.update();
        let Some(asked) = self.traces.iter().find(|asked| asked.trace == trace) else {
            return false;
        };
        let off = self.followed.off();
        match &asked.of {
            Things::Spaces(plane, spaces) => {
                let yes = self.followed.operations.plane(*plane);
                spaces.iter().for_each(|space| call(ThingRef::Space(*space), yes.get(*space)));
            }
            Things::Units(plans) => {
                for plan in plans {
                    match self.followed.row(plan.unit) {
                        row if row == off => {}
                        row => call(ThingRef::Unit(plan.unit), self.is_yes(plan, row)),
                    }
                }
            }
        }
        true
    }

    /// The answer for one thing; nothing where the trace is not one of these, or not of that thing.
    pub fn yes(&mut self, trace: TraceId, thing: ThingRef) -> Option<bool> {
        self.followed.operations.update();
        let asked = self.traces.iter().find(|asked| asked.trace == trace)?;
        match (thing, &asked.of) {
            (ThingRef::Space(space), Things::Spaces(plane, spaces)) => {
                spaces.binary_search(&space).ok()?;
                Some(self.followed.operations.bit(*plane, space))
            }
            (ThingRef::Unit(unit), Things::Units(plans)) => {
                let at = plans.binary_search_by_key(&unit, |plan| plan.unit).ok()?;
                let row = self.followed.row(unit);
                (row != self.followed.off()).then(|| self.is_yes(&plans[at], row))
            }
            _ => None,
        }
    }

    /// How many things a trace is asked of at most.
    #[must_use]
    pub fn most(&self, trace: TraceId) -> usize {
        let asked = self.traces.iter().find(|asked| asked.trace == trace);
        asked.map_or(0, |asked| asked.of.count())
    }

    #[inline]
    fn is_yes(&self, plan: &Plan, row: u32) -> bool {
        for (always, condition) in &plan.verdicts {
            if self.followed.holds(condition, row) {
                return *always;
            }
        }
        match &plan.ending {
            Ending::Settled(yes) => *yes,
            Ending::Space(plane, row) => self.followed.operations.bit(*plane, *row),
            Ending::Line(plane, budget) => {
                let budget = match budget {
                    Budget::Fixed(budget) => *budget,
                    Budget::LookupTable(look) => look.at(row as usize, &|_| 0),
                    // What must be asked slowly is refused.
                    Budget::Slow(_) => return false,
                };
                self.followed.operations.leads(*plane, row, budget)
            }
        }
    }
}
