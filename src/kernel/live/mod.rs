//! One position that changes move by move: the operations of compiled traces as bits over spaces,
//! and after a change only those whose inputs have changed.
//!
//! The same operations are run over many positions by [`super::run`]. Nothing here asks the
//! evaluator, so that a trace is refused of which something must be asked slowly; the twin is
//! [`super::Position::answer`], asked afresh after each change.

mod operations;
mod search;

use super::batch::{Budget, Ending, Plan, compile_all};
use super::board::Bits;
use super::fault::BatchFault;
use super::plane::{PlaneId, Program};
use super::shape::Shape;
use super::unit_condition::UnitCondition;
use crate::ir::{Ruleset, SideId, TraceId};
use crate::world::{ThingRef, World};
use operations::Operations;

/// A position whose answers follow its changes.
pub struct Live {
    shape: Shape,
    operations: Operations,
    traces: Vec<Asked>,
    /// By unit the row where it stands, the last off the map.
    rows: Vec<u32>,
    /// By unit the queries that it meets, wherever it stands.
    queries: Vec<Vec<u32>>,
    /// By unit the queries that it meets in some rows.
    depends: Vec<Vec<(u32, Bits)>>,
    /// By query and row how many units that meet it stand there.
    counts: Vec<Vec<u32>>,
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
        let (units, off) = (shape.template.units.len(), shape.spaces);
        let mut live = Live {
            traces: asked.collect(),
            rows: vec![u32::try_from(off).unwrap_or(u32::MAX); units],
            queries: vec![Vec::new(); units],
            depends: vec![Vec::new(); units],
            counts: vec![vec![0; off + 1]; program.queries.len()],
            operations: Operations::of(program),
            shape,
        };
        live.sort_units();
        for unit in 0..u32::try_from(units).unwrap_or(u32::MAX) {
            live.move_unit(unit, live.shape.template.space_of(unit));
        }
        for space in 0..u32::try_from(off).unwrap_or(u32::MAX) {
            let side = live.shape.template.control(space);
            live.operations.set_control(space, side);
        }
        live.operations.begin();
        Ok(live)
    }

    /// Which queries each unit meets.
    fn sort_units(&mut self) {
        let program: &Program = self.operations.program();
        for (query, (atoms, depends)) in (0u32..).zip(&program.queries) {
            for unit in atoms.iter().flat_map(|atom| &program.atoms[*atom]) {
                self.queries[*unit as usize].push(query);
            }
            for (unit, look) in depends {
                let mut meets = Bits::new(program.rows.div_ceil(64));
                for row in 0..program.rows {
                    meets.put(u32::try_from(row).unwrap_or(0), look.at(row, &|_| 0) != 0);
                }
                self.depends[*unit as usize].push((query, meets));
            }
        }
    }

    /// The traces that are followed.
    pub fn traces(&self) -> impl Iterator<Item = TraceId> + '_ {
        self.traces.iter().map(|asked| asked.trace)
    }

    /// Puts a unit into a space or off the map; nothing changes if there is no such unit or space,
    /// or if the unit has left the game.
    pub fn move_unit(&mut self, unit: u32, space: Option<u32>) {
        let off = u32::try_from(self.shape.spaces).unwrap_or(u32::MAX);
        let known = (unit as usize) < self.rows.len() && !self.shape.removed(unit as usize);
        if !known || space.is_some_and(|space| space >= off) {
            return;
        }
        let to = space.unwrap_or(off);
        let from = std::mem::replace(&mut self.rows[unit as usize], to);
        if from == to {
            return;
        }
        for query in &self.queries[unit as usize] {
            let count = &mut self.counts[*query as usize];
            leave(count, &mut self.operations, *query, (from, off));
            enter(count, &mut self.operations, *query, (to, off));
        }
        for (query, meets) in &self.depends[unit as usize] {
            let count = &mut self.counts[*query as usize];
            if meets.get(from) {
                leave(count, &mut self.operations, *query, (from, off));
            }
            if meets.get(to) {
                enter(count, &mut self.operations, *query, (to, off));
            }
        }
    }

    /// Gives a space to a side, or to nobody; nothing changes if there is no such space.
    pub fn set_control(&mut self, space: u32, side: Option<SideId>) {
        if (space as usize) < self.shape.spaces {
            self.operations.set_control(space, side);
        }
    }

    /// Calls with the answers of a trace: each unit of it that stands on the map, or each space, in
    /// the order of the position. False where the trace is not one of these.
    pub fn answers(&mut self, trace: TraceId, mut call: impl FnMut(ThingRef, bool)) -> bool {
        self.operations.update();
        let Some(asked) = self.traces.iter().find(|asked| asked.trace == trace) else {
            return false;
        };
        let off = u32::try_from(self.shape.spaces).unwrap_or(u32::MAX);
        match &asked.of {
            Things::Spaces(plane, spaces) => {
                let yes = self.operations.plane(*plane);
                spaces.iter().for_each(|space| call(ThingRef::Space(*space), yes.get(*space)));
            }
            Things::Units(plans) => {
                for plan in plans {
                    match self.rows[plan.unit as usize] {
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
        self.operations.update();
        let asked = self.traces.iter().find(|asked| asked.trace == trace)?;
        match (thing, &asked.of) {
            (ThingRef::Space(space), Things::Spaces(plane, spaces)) => {
                spaces.binary_search(&space).ok()?;
                Some(self.operations.bit(*plane, space))
            }
            (ThingRef::Unit(unit), Things::Units(plans)) => {
                let at = plans.binary_search_by_key(&unit, |plan| plan.unit).ok()?;
                let row = *self.rows.get(unit as usize)?;
                ((row as usize) < self.shape.spaces).then(|| self.is_yes(&plans[at], row))
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
            if self.holds(condition, row) {
                return *always;
            }
        }
        match &plan.ending {
            Ending::Settled(yes) => *yes,
            Ending::Space(plane, row) => self.operations.bit(*plane, *row),
            Ending::Line(plane, budget) => {
                let budget = match budget {
                    Budget::Fixed(budget) => *budget,
                    Budget::LookupTable(look) => look.at(row as usize, &|_| 0),
                    // What must be asked slowly is refused.
                    Budget::Slow(_) => return false,
                };
                self.operations.leads(*plane, row, budget)
            }
        }
    }

    fn holds(&self, condition: &UnitCondition, row: u32) -> bool {
        match condition {
            UnitCondition::Always(value) => *value,
            UnitCondition::LookupTable(look) => look.at(row as usize, &|_| 0) != 0,
            UnitCondition::Plane(plane) => self.operations.bit(*plane, row),
            UnitCondition::All(parts) => parts.iter().all(|part| self.holds(part, row)),
            UnitCondition::One(parts) => parts.iter().any(|part| self.holds(part, row)),
            UnitCondition::Not(inner) => !self.holds(inner, row),
            UnitCondition::Slow(_) => false,
        }
    }
}

/// A unit that meets a query leaves a row; off the map nothing stands.
#[inline]
fn leave(count: &mut [u32], operations: &mut Operations, query: u32, (row, off): (u32, u32)) {
    if row == off {
        return;
    }
    let many = &mut count[row as usize];
    *many = many.saturating_sub(1);
    if *many == 0 {
        operations.set_presence(query, row, false);
    }
}

#[inline]
fn enter(count: &mut [u32], operations: &mut Operations, query: u32, (row, off): (u32, u32)) {
    if row == off {
        return;
    }
    let many = &mut count[row as usize];
    *many += 1;
    if *many == 1 {
        operations.set_presence(query, row, true);
    }
}
