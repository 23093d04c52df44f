//! A position that changes move by move, with the answers of one trace kept right.
//!
//! What a gate asks of units is counted by cell ([`conditions`]), so that a unit that moves changes a few cells; the lengths
//! that rested on those are repaired ([`repair`]), leg by leg ([`chain`]); only units that stand where something changed are
//! answered again. Where a rule looks farther than that, [`NotLocal`] says why, and every change runs the whole trace. The
//! twin is a fresh [`Position::answer`] after each change.

mod chain;
mod conditions;
mod reach;
mod repair;

use std::rc::Rc;

use super::board::Board;
use super::{Answer, EvalFault, Position, Series};
use crate::ir::*;
use crate::world::{ThingRef, World, built_in};
use chain::Chain;
use conditions::{Conditions, ball};
use reach::Reach;

/// Why a trace cannot be kept by local repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotLocal {
    /// the trace is asked of spaces
    #[error("the trace is asked of spaces, and a session keeps answers for units")]
    OfSpaces,
    /// there are relays
    #[error("the trace has relays, so that a change can count wherever a line begins again")]
    Relays,
    /// a gate or a source reads the unit behind it, so that no lengths can be shared
    #[error("a gate or a source of the trace reads the unit behind it, so that no lengths can be shared")]
    PerSubject,
    /// a cost reads more than facts of the unit and of the space it enters
    #[error("a cost reads more than facts of the unit and of the space that it enters")]
    Cost,
    /// a condition counts things wherever they are
    #[error("a condition counts things wherever they are")]
    Anywhere,
    /// a condition reads what no distance bounds
    #[error("a condition reads what no distance bounds: another trace, a test, a hook, or a thing that another fact names")]
    Beyond,
    /// something could not be worked out in this position
    #[error("something cannot be worked out in this position")]
    Fault,
}

/// What a change came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// so many lengths were settled anew
    Local(usize),
    /// the whole trace was asked again
    Full,
}

/// A position and the answers of a trace, change by change.
pub struct Session<'r> {
    rules: &'r Ruleset,
    trace: TraceId,
    board: Rc<Board<'r>>,
    world: World,
    /// The units in each space, ascending.
    standing: Vec<Vec<u32>>,
    kept: Result<Kept, NotLocal>,
    /// By unit: whether it is answered yes; none for what is not on the map or not of the trace.
    answers: Vec<Option<bool>>,
    /// The units whose answer the last change has changed.
    changed: Vec<u32>,
    /// The answers that a change has touched so far, each as it was.
    touched: Vec<(u32, Option<bool>)>,
    series: Series<'r>,
}

/// What local repair works with.
struct Kept {
    conditions: Conditions,
    chain: Chain,
    units: Vec<Kin>,
    reads: Reads,
    /// Room for cells.
    cells: Vec<u32>,
    flips: Vec<u32>,
}

/// What is known of one unit.
#[derive(Debug, Clone, Default)]
struct Kin {
    /// The node of the first legs.
    node: Option<usize>,
    /// What the first verdict that holds says.
    verdict: Option<bool>,
    budgets: Vec<Option<u32>>,
}

/// What must be asked again, and when.
#[derive(Debug, Clone, Copy, Default)]
struct Reads {
    /// Verdicts and budgets read where a unit stands, or more than that.
    place: bool,
    /// How far away units count for them.
    units: Option<u32>,
    /// How far away spaces count for them.
    spaces: u32,
    /// Costs read facts of the space that is entered.
    costs_here: bool,
    /// Things named in the rules count wherever they are.
    named: bool,
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("trace", &self.trace).field("not_local", &self.not_local()).finish_non_exhaustive()
    }
}

impl<'r> Session<'r> {
    /// A session that begins with a position; nothing where the ruleset has no such trace or map.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in this position.
    pub fn new(rules: &'r Ruleset, world: World, trace: TraceId) -> Result<Option<Session<'r>>, EvalFault> {
        let (Some(map), true) = (rules.maps.get(world.map.index()), trace.index() < rules.traces.len()) else { return Ok(None) };
        let board = Rc::new(Board::new(rules, map));
        let mut standing = vec![Vec::new(); map.spaces.len()];
        for unit in 0..u32::try_from(world.units.len()).unwrap_or(u32::MAX) {
            if let Some(row) = world.space_of(unit).and_then(|s| standing.get_mut(s as usize)) {
                row.push(unit);
            }
        }
        let answers = vec![None; world.units.len()];
        let series = Series::new(rules, trace);
        let mut session = Session {
            rules,
            trace,
            board,
            world,
            standing,
            kept: Err(NotLocal::Fault),
            answers,
            changed: Vec::new(),
            touched: Vec::new(),
            series,
        };
        session.renew()?;
        Ok(Some(session))
    }

    /// The position as it is now.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Why every change runs the whole trace; nothing where it is repaired.
    #[must_use]
    pub fn not_local(&self) -> Option<NotLocal> {
        self.kept.as_ref().err().copied()
    }

    /// Whether a unit of the trace that stands on the map is answered yes.
    #[must_use]
    pub fn yes(&self, unit: u32) -> Option<bool> {
        self.answers.get(unit as usize).copied().flatten()
    }

    /// The units whose answer the last change has changed, ascending; those that came onto the map or left it too.
    #[must_use]
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// The answer for a unit with all that it rests on.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in this position.
    pub fn answer(&self, unit: u32) -> Result<Option<Answer>, EvalFault> {
        match Position::on(&self.board, &self.world) {
            Some(position) if self.yes(unit).is_some() => position.answer(self.trace, ThingRef::Unit(unit)).map(Some),
            _ => Ok(None),
        }
    }

    /// Puts a unit into a space or off the map; nothing changes if there is no such unit or space.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in the new position, which is kept; the next change begins afresh.
    pub fn move_unit(&mut self, unit: u32, space: Option<u32>) -> Result<Repair, EvalFault> {
        let before = self.world.space_of(unit);
        let known = self.world.units.get(unit as usize).is_some_and(|u| !u.removed);
        if !known || before == space || space.is_some_and(|s| s as usize >= self.standing.len()) {
            self.changed.clear();
            return Ok(Repair::Local(0));
        }
        self.place(unit, before, space);
        let named = self.is_named(unit);
        self.repaired(named, |kept, position, answers| kept.moved(position, answers, unit, (before, space)))
    }

    /// Gives a space to a side, or to nobody.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in the new position, which is kept; the next change begins afresh.
    pub fn set_control(&mut self, space: u32, side: Option<SideId>) -> Result<Repair, EvalFault> {
        self.set_fact(built_in::CONTROL, ThingRef::Space(space), side.map_or(0, |s| i64::from(s.0) + 1))
    }

    /// Sets a fact of a unit, a space, a side or the world, encoded as in a position.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in the new position, which is kept; the next change begins afresh.
    pub fn set_fact(&mut self, fact: FactId, of: ThingRef, value: i64) -> Result<Repair, EvalFault> {
        let row = self.rules.facts.get(fact.index()).filter(|row| self.world.fact(row, of) != value);
        let Some(row) = row else {
            self.changed.clear();
            return Ok(Repair::Local(0));
        };
        if let (ThingRef::Unit(unit), built_in::SPACE) = (of, fact) {
            return self.move_unit(unit, u32::try_from(value - 1).ok());
        }
        self.world.set_fact(row, of, value);
        match of {
            ThingRef::Space(space) if (space as usize) < self.standing.len() => {
                let far = self.kept.as_ref().is_ok_and(|k| k.reads.named || k.reads.costs_here);
                self.repaired(far, |kept, position, answers| kept.space_changed(position, answers, space))
            }
            ThingRef::Unit(unit) if (unit as usize) < self.world.units.len() => {
                let named = self.is_named(unit);
                self.repaired(named, |kept, position, answers| kept.unit_changed(position, answers, unit))
            }
            _ => {
                self.renew()?;
                Ok(Repair::Full)
            }
        }
    }

    /// Takes a unit out of the game.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in the new position, which is kept; the next change begins afresh.
    pub fn remove(&mut self, unit: u32) -> Result<Repair, EvalFault> {
        let before = self.world.space_of(unit);
        self.place(unit, before, None);
        if let Some(row) = self.world.units.get_mut(unit as usize) {
            row.removed = true;
        }
        self.renew()?;
        Ok(Repair::Full)
    }

    /// A unit that rules may name, where that counts.
    fn is_named(&self, unit: u32) -> bool {
        (unit as usize) < self.rules.named.len() && self.kept.as_ref().is_ok_and(|k| k.reads.named)
    }

    fn place(&mut self, unit: u32, before: Option<u32>, space: Option<u32>) {
        if let Some(row) = before.and_then(|s| self.standing.get_mut(s as usize)) {
            row.retain(|u| *u != unit);
        }
        if let Some(row) = space.and_then(|s| self.standing.get_mut(s as usize)) {
            let at = row.partition_point(|u| *u < unit);
            row.insert(at, unit);
        }
        if let Some(cell) = self.world.row_mut(unit).get_mut(built_in::SPACE.index()) {
            *cell = space.map_or(0, |s| i64::from(s) + 1);
        }
    }

    /// Repairs what a change has touched, or begins afresh where that cannot be told.
    fn repaired(
        &mut self,
        far: bool,
        repair: impl FnOnce(&mut Kept, &Position<'_>, &mut Answers<'_>) -> Result<Option<usize>, EvalFault>,
    ) -> Result<Repair, EvalFault> {
        self.changed.clear();
        self.touched.clear();
        let (false, Ok(kept), Some(position)) = (far, &mut self.kept, Position::on(&self.board, &self.world)) else {
            self.renew()?;
            return Ok(Repair::Full);
        };
        let _ = position.standing.set(std::mem::take(&mut self.standing));
        let mut answers = Answers { all: &mut self.answers, touched: &mut self.touched, trace: self.trace };
        let done = repair(kept, &position, &mut answers);
        self.standing = position.standing.into_inner().unwrap_or_default();
        match done {
            Ok(Some(steps)) => {
                // What was touched twice may be as it was.
                self.touched.sort_by_key(|(unit, _)| *unit);
                self.touched.dedup_by_key(|(unit, _)| *unit);
                let turned = self.touched.iter().filter(|(unit, before)| self.answers[*unit as usize] != *before);
                self.changed.extend(turned.map(|(unit, _)| *unit));
                Ok(Repair::Local(steps))
            }
            // What was changed halfway is not to be built upon.
            _ => {
                for (unit, before) in self.touched.drain(..).rev() {
                    self.answers[unit as usize] = before;
                }
                self.renew()?;
                Ok(Repair::Full)
            }
        }
    }

    /// Works everything out afresh.
    fn renew(&mut self) -> Result<(), EvalFault> {
        let before = std::mem::take(&mut self.answers);
        self.answers = vec![None; self.world.units.len()];
        self.kept = self.keep();
        if self.kept.is_err() {
            let mut found = self.series.ask(std::slice::from_ref(&self.world));
            for (thing, yes) in found.pop().unwrap_or(Ok(Vec::new()))? {
                if let ThingRef::Unit(unit) = thing
                    && let Some(cell) = self.answers.get_mut(unit as usize)
                {
                    *cell = Some(yes);
                }
            }
        }
        let pairs = before.iter().zip(&self.answers).zip(0u32..);
        self.changed = pairs.filter(|((a, b), _)| a != b).map(|(_, unit)| unit).collect();
        Ok(())
    }

    /// Prepares local repair and answers all units by it.
    fn keep(&mut self) -> Result<Kept, NotLocal> {
        let mut kept = Kept::new(self.rules, &self.board, self.trace)?;
        let position = Position::on(&self.board, &self.world).ok_or(NotLocal::Fault)?;
        let _ = position.standing.set(std::mem::take(&mut self.standing));
        let mut answers = Answers { all: &mut self.answers, touched: &mut self.touched, trace: self.trace };
        let done = kept.begin(&position, &mut answers);
        self.standing = position.standing.into_inner().unwrap_or_default();
        done.map(|()| kept)
    }
}

/// The answers while a change is worked in.
struct Answers<'a> {
    all: &'a mut Vec<Option<bool>>,
    /// Those that were touched, each as it was.
    touched: &'a mut Vec<(u32, Option<bool>)>,
    trace: TraceId,
}

impl Kept {
    /// What a trace needs to be repaired; whether it can be is seen from its rules alone.
    fn new(rules: &Ruleset, board: &Board<'_>, trace: TraceId) -> Result<Kept, NotLocal> {
        let rule = &rules.traces[trace.index()];
        if rules.top(rule.of) != KindId::UNIT {
            return Err(NotLocal::OfSpaces);
        }
        if rule.per_subject {
            return Err(NotLocal::PerSubject);
        }
        if !rule.relays.is_empty() || rule.legs.is_empty() {
            return Err(NotLocal::Relays);
        }
        let mut reads = Reads::default();
        for cost in rule.legs.iter().filter_map(|l| l.cost) {
            let depends = board.depends(cost, 0);
            if !depends.by_facts() {
                return Err(NotLocal::Cost);
            }
            reads.named |= depends.named;
            reads.costs_here |= depends.stands || !depends.here.is_empty();
        }
        for id in rule.verdicts.iter().map(|v| v.when).chain(rule.legs.iter().filter_map(|l| l.within.amount)) {
            let reach = Reach::of(board, id, 0)?;
            let depends = board.depends(id, 0);
            reads.named |= reach.named;
            reads.units = reads.units.max(reach.units);
            reads.spaces = reads.spaces.max(reach.most());
            reads.place |= depends.beyond || depends.stands || !depends.here.is_empty() || reach.units.is_some();
        }
        let (conditions, chain) = (Conditions::new(), Chain::new());
        Ok(Kept { conditions, chain, units: Vec::new(), reads, cells: Vec::new(), flips: Vec::new() })
    }

    fn begin(&mut self, position: &Position<'_>, answers: &mut Answers<'_>) -> Result<(), NotLocal> {
        let rule = &position.rules.traces[answers.trace.index()];
        let count = u32::try_from(position.world.units.len()).unwrap_or(u32::MAX);
        for unit in (0..count).map(ThingRef::Unit).filter(|u| position.is_kind(*u, rule.of)) {
            self.chain.declare(position, rule, position.viewer_of(unit), &mut self.conditions)?;
        }
        self.reads.named |= self.conditions.named;
        self.conditions.renew(position).map_err(|_| NotLocal::Fault)?;
        self.units = vec![Kin::default(); count as usize];
        for unit in 0..count {
            self.know(position, answers.trace, unit).map_err(|_| NotLocal::Fault)?.ok_or(NotLocal::Fault)?;
            self.settle(position, unit, answers);
        }
        Ok(())
    }

    /// Finds out what a unit brings along; nothing if it is of a side that was not there before.
    fn know(&mut self, position: &Position<'_>, trace: TraceId, unit: u32) -> Result<Option<()>, EvalFault> {
        let rule = &position.rules.traces[trace.index()];
        let thing = ThingRef::Unit(unit);
        if !position.is_kind(thing, rule.of) {
            return Ok(Some(()));
        }
        let mut kin = Kin::default();
        for verdict in &rule.verdicts {
            if position.holds(verdict.when, &position.asked_of(thing))? {
                kin.verdict = Some(verdict.always);
                break;
            }
        }
        // Where a verdict settles it, or nobody stands, the evaluator does not ask for budgets.
        if kin.verdict.is_none() && position.world.space_of(unit).is_some() {
            let budgets: Result<Vec<Option<u32>>, EvalFault> = rule.legs.iter().map(|l| position.budget_of(l, thing)).collect();
            kin.budgets = budgets?;
            kin.node = self.chain.node_of(position, trace, unit, &kin.budgets, &self.conditions)?;
            if kin.node.is_none() {
                return Ok(None);
            }
        }
        self.units[unit as usize] = kin;
        Ok(Some(()))
    }

    /// Answers a unit from what is known.
    fn settle(&self, position: &Position<'_>, unit: u32, answers: &mut Answers<'_>) {
        let kin = &self.units[unit as usize];
        let rule = &position.rules.traces[answers.trace.index()];
        let space = position.world.space_of(unit).filter(|_| position.is_kind(ThingRef::Unit(unit), rule.of));
        let leads = |space: u32| {
            let cell = position.board.layout().cell(space);
            kin.node.is_some_and(|node| self.chain.leads(&self.conditions, node, &kin.budgets, cell))
        };
        let answer = space.map(|space| kin.verdict.unwrap_or_else(|| leads(space)));
        let before = &mut answers.all[unit as usize];
        if *before != answer {
            answers.touched.push((unit, std::mem::replace(before, answer)));
        }
    }

    fn moved(
        &mut self,
        position: &Position<'_>,
        answers: &mut Answers<'_>,
        unit: u32,
        (before, after): (Option<u32>, Option<u32>),
    ) -> Result<Option<usize>, EvalFault> {
        let cell = |space: Option<u32>| space.map(|s| position.board.layout().cell(s));
        let places = (cell(before), cell(after));
        self.flips.clear();
        let facts = self.conditions.members_stand(&position.board);
        self.conditions.recount(position, unit, places, facts, &mut self.flips)?;
        if self.conditions.asks_units() {
            self.flips.extend(places.0.into_iter().chain(places.1));
        }
        let near: Vec<u32> = if self.reads.units.is_some() { places.0.into_iter().chain(places.1).collect() } else { Vec::new() };
        self.repair(position, answers, false)?;
        // One that comes onto the map is asked for its budgets there.
        let fresh = self.reads.place || before.is_none();
        self.answer_again(position, answers, &near, (unit, fresh))
    }

    fn unit_changed(&mut self, position: &Position<'_>, answers: &mut Answers<'_>, unit: u32) -> Result<Option<usize>, EvalFault> {
        let cell = position.world.space_of(unit).map(|s| position.board.layout().cell(s));
        self.flips.clear();
        self.conditions.recount(position, unit, (cell, cell), true, &mut self.flips)?;
        if self.conditions.asks_units() {
            self.flips.extend(cell);
        }
        let near: Vec<u32> = if self.reads.units.is_some() { cell.into_iter().collect() } else { Vec::new() };
        self.repair(position, answers, false)?;
        self.answer_again(position, answers, &near, (unit, true))
    }

    fn space_changed(&mut self, position: &Position<'_>, answers: &mut Answers<'_>, space: u32) -> Result<Option<usize>, EvalFault> {
        let cell = position.board.layout().cell(space);
        self.flips.clear();
        self.flips.push(cell);
        if self.conditions.members_stand(&position.board) {
            for unit in position.standing.get().and_then(|s| s.get(space as usize)).into_iter().flatten() {
                self.conditions.recount(position, *unit, (Some(cell), Some(cell)), true, &mut self.flips)?;
            }
        }
        self.repair(position, answers, true)?;
        let near: Vec<u32> = if self.reads.place { vec![cell] } else { Vec::new() };
        self.answer_again(position, answers, &near, (u32::MAX, false))
    }

    /// Asks the conditions near the flips again, and repairs what rested on them.
    fn repair(&mut self, position: &Position<'_>, answers: &mut Answers<'_>, spaces: bool) -> Result<(), EvalFault> {
        let board = &position.board;
        self.cells.clone_from(&self.flips);
        self.flips.clear();
        if !self.cells.is_empty() {
            ball(&board.net(None), board, self.conditions.reach, &mut self.cells);
            self.conditions.again(position, board, &self.cells, spaces, &mut self.flips)?;
        }
        self.flips.sort_unstable();
        self.flips.dedup();
        self.chain.update(board, &self.conditions, &self.flips);
        for cell in self.chain.touched() {
            let space = board.layout().space(cell);
            for unit in position.standing.get().and_then(|s| s.get(space as usize)).into_iter().flatten() {
                self.settle(position, *unit, answers);
            }
        }
        Ok(())
    }

    /// Answers a unit again, and those near a change that ask what is near them.
    fn answer_again(
        &mut self,
        position: &Position<'_>,
        answers: &mut Answers<'_>,
        near: &[u32],
        (unit, fresh): (u32, bool),
    ) -> Result<Option<usize>, EvalFault> {
        let (steps, _) = self.chain.done();
        let board = &position.board;
        let mut cells = near.to_vec();
        if !cells.is_empty() {
            ball(&board.net(None), board, self.reads.spaces, &mut cells);
        }
        for cell in cells {
            let space = board.layout().space(cell);
            for other in position.standing.get().and_then(|s| s.get(space as usize)).into_iter().flatten().filter(|u| **u != unit) {
                if self.know(position, answers.trace, *other)?.is_none() {
                    return Ok(None);
                }
                self.settle(position, *other, answers);
            }
        }
        if (unit as usize) < self.units.len() {
            if fresh && self.know(position, answers.trace, unit)?.is_none() {
                return Ok(None);
            }
            self.settle(position, unit, answers);
        }
        Ok(Some(steps))
    }
}
