//! A position that changes move by move, with the answers of one trace kept right.
//!
//! What a gate asks of units is counted by cell ([`counted`]), so that a unit that moves turns it
//! in few cells, and only there the conditions made of it are worked out again ([`conditions`]);
//! the lengths that rested on those are repaired ([`repair`]), leg by leg ([`chain`]); only units
//! that stand where something changed are answered again ([`local`]). The evaluator is asked where
//! a rule counts in another way. Where a rule looks farther than that, [`NotLocal`] says why, and
//! every change runs the whole trace. The twin is a fresh [`Position::answer`] after each change.

mod answers;
mod asked;
mod chain;
mod conditions;
mod counted;
mod counters;
mod formula;
mod local;
mod near;
mod node;
mod occupants;
mod plan;
mod queue;
mod reach;
mod repair;
mod scene;
mod spread;
mod tolls;
mod tree;
mod ways;

use std::rc::Rc;
use std::sync::Arc;

use super::board::Board;
use super::candidates::standing;
use super::series::SeriesState;
use super::{Answer, EvalFault, Position, Series};
use crate::ir::*;
use crate::world::{ThingRef, World, built_in};
use answers::Answers;
use local::IncrementalTrace;
use scene::{Scene, Standing};

/// Why a trace cannot be kept by local repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotLocal {
    /// the trace is asked of spaces
    #[error("the trace is asked of spaces, and a session keeps answers for units")]
    OfSpaces,
    /// there are relays
    #[error("the trace has relays, so that a change can count wherever a line begins again")]
    Relays,
    /// a gate or a source reads where the unit stands, or more of it than a few facts
    #[error(
        "a gate or a source of the trace reads where the unit stands, or more of it than a few \
         facts, so that no lengths can be shared"
    )]
    PerSubject,
    /// a cost reads more than facts of the unit and of the space it enters
    #[error("a cost reads more than facts of the unit and of the space that it enters")]
    Cost,
    /// links cross and do not meet
    #[error("links cross and do not meet, so that where a line goes on depends on whence it came")]
    Crossings,
    /// a condition counts things wherever they are
    #[error("a condition counts things wherever they are")]
    Anywhere,
    /// a condition reads what no distance bounds
    #[error(
        "a condition reads what no distance bounds: another trace, a test, a hook, or a thing that another fact names"
    )]
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
    /// The units in each space, where the evaluator is asked about them again and again.
    standing: Option<Standing>,
    kept: Result<IncrementalTrace, NotLocal>,
    answers: Answers,
    /// The units whose answer the last change has changed.
    changed: Vec<u32>,
    series: Series<'r>,
}

/// A position and what is kept of the answers of a trace, without the rules; it may wait for the
/// next change, and go to another thread.
pub struct SessionState {
    trace: TraceId,
    world: World,
    standing: Option<Standing>,
    kept: Result<IncrementalTrace, NotLocal>,
    answers: Answers,
    changed: Vec<u32>,
    series: SeriesState,
}

impl SessionState {
    /// The trace whose answers are kept.
    #[must_use]
    pub fn trace(&self) -> TraceId {
        self.trace
    }
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("trace", &self.trace)
            .field("not_local", &self.not_local())
            .finish_non_exhaustive()
    }
}

impl<'r> Session<'r> {
    /// A session that begins with a position; nothing where the ruleset has no such trace or map.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in this position.
    pub fn new(
        rules: &'r Ruleset,
        world: World,
        trace: TraceId,
    ) -> Result<Option<Session<'r>>, EvalFault> {
        let Some(map) = rules.maps.get(world.map.index()) else { return Ok(None) };
        Session::on(&Rc::new(Board::new(rules, map)), world, trace)
    }

    /// The same on a board made before; nothing where the board is of another map.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in this position.
    pub fn on(
        board: &Rc<Board<'r>>,
        world: World,
        trace: TraceId,
    ) -> Result<Option<Session<'r>>, EvalFault> {
        let rules = board.rules;
        let map = rules.maps.get(world.map.index());
        if trace.index() >= rules.traces.len() || !map.is_some_and(|m| std::ptr::eq(m, board.map)) {
            return Ok(None);
        }
        let mut session = Session::resumed(
            board,
            SessionState {
                trace,
                answers: Answers::none(world.units.len()),
                world,
                standing: None,
                kept: Err(NotLocal::Fault),
                changed: Vec::new(),
                series: SeriesState::new(trace),
            },
        );
        session.renew()?;
        Ok(Some(session))
    }

    /// A session that goes on where an earlier one has stopped; the board must be of the same rules
    /// and map.
    #[must_use]
    pub fn resumed(board: &Rc<Board<'r>>, state: SessionState) -> Session<'r> {
        let SessionState { trace, world, standing, kept, answers, changed, series } = state;
        let series = Series::on(board, series);
        let (rules, board) = (board.rules, Rc::clone(board));
        Session { rules, trace, board, world, standing, kept, answers, changed, series }
    }

    /// Where this session stops.
    #[must_use]
    pub fn into_state(self) -> SessionState {
        let Session { trace, world, standing, kept, answers, changed, series, .. } = self;
        SessionState { trace, world, standing, kept, answers, changed, series: series.into_state() }
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
        self.answers.get(unit)
    }

    /// The units whose answer the last change has changed, ascending; those that came onto the map
    /// or left it too.
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
            Some(position) if self.yes(unit).is_some() => {
                position.answer(self.trace, ThingRef::Unit(unit)).map(Some)
            }
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
        if !known
            || before == space
            || space.is_some_and(|s| s as usize >= self.board.map.spaces.len())
        {
            self.changed.clear();
            return Ok(Repair::Local(0));
        }
        self.place(unit, before, space);
        let named = self.is_named(unit);
        self.repaired(named, |kept, scene, answers| kept.moved(scene, answers, unit, space))
    }

    /// Gives a space to a side, or to nobody.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in the new position, which is kept; the next change begins afresh.
    pub fn set_control(&mut self, space: u32, side: Option<SideId>) -> Result<Repair, EvalFault> {
        self.set_fact(
            built_in::CONTROL,
            ThingRef::Space(space),
            side.map_or(0, |s| i64::from(s.0) + 1),
        )
    }

    /// Sets a fact of a unit, a space, a side or the world, encoded as in a position.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in the new position, which is kept; the next change begins afresh.
    pub fn set_fact(
        &mut self,
        fact: FactId,
        of: ThingRef,
        value: i64,
    ) -> Result<Repair, EvalFault> {
        let row =
            self.rules.facts.get(fact.index()).filter(|row| self.world.fact(row, of) != value);
        let Some(row) = row else {
            self.changed.clear();
            return Ok(Repair::Local(0));
        };
        if let (ThingRef::Unit(unit), built_in::SPACE) = (of, fact) {
            return self.move_unit(unit, u32::try_from(value - 1).ok());
        }
        self.world.set_fact(row, of, value);
        match of {
            ThingRef::Space(space) if (space as usize) < self.board.map.spaces.len() => {
                let far = self.kept.as_ref().is_ok_and(|k| k.reads.named || k.reads.costs_here);
                self.repaired(far, |kept, scene, answers| kept.space_changed(scene, answers, space))
            }
            ThingRef::Unit(unit) if (unit as usize) < self.world.units.len() => {
                // One unit stands for all that look the same to gates, and may now look otherwise.
                let far = self.is_named(unit) || self.tells_apart(fact);
                self.repaired(far, |kept, scene, answers| kept.unit_changed(scene, answers, unit))
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
        self.world.set_removed(unit, true);
        self.renew()?;
        Ok(Repair::Full)
    }

    /// A unit that rules may name, where that counts.
    fn is_named(&self, unit: u32) -> bool {
        (unit as usize) < self.rules.named.len() && self.kept.as_ref().is_ok_and(|k| k.reads.named)
    }

    /// Whether gates that name the unit read a fact of it.
    fn tells_apart(&self, fact: FactId) -> bool {
        let movers = self.board.mover_facts(self.trace);
        self.rules.traces[self.trace.index()].per_subject
            && movers.gates.as_ref().is_none_or(|facts| facts.contains(&fact))
    }

    fn place(&mut self, unit: u32, before: Option<u32>, space: Option<u32>) {
        if let Some(standing) = self.standing.as_mut().map(Arc::make_mut) {
            if let Some(row) = before.and_then(|s| standing.get_mut(s as usize)) {
                row.retain(|u| *u != unit);
            }
            if let Some(row) = space.and_then(|s| standing.get_mut(s as usize)) {
                let at = row.partition_point(|u| *u < unit);
                row.insert(at, unit);
            }
        }
        if let Some(cell) = self.world.row_mut(unit).get_mut(built_in::SPACE.index()) {
            *cell = space.map_or(0, |s| i64::from(s) + 1);
        }
    }

    /// Repairs what a change has touched, or begins afresh where that cannot be told.
    fn repaired(
        &mut self,
        far: bool,
        repair: impl FnOnce(
            &mut IncrementalTrace,
            &Scene<'_>,
            &mut Answers,
        ) -> Result<Option<usize>, EvalFault>,
    ) -> Result<Repair, EvalFault> {
        self.changed.clear();
        let (false, Ok(kept)) = (far, &mut self.kept) else {
            self.renew()?;
            return Ok(Repair::Full);
        };
        let scene = Scene::new(&self.board, &self.world, self.standing.as_ref());
        if let Ok(Some(steps)) = repair(kept, &scene, &mut self.answers) {
            self.answers.settled(&mut self.changed);
            return Ok(Repair::Local(steps));
        }
        // What was changed halfway is not to be built upon.
        self.answers.take_back();
        self.renew()?;
        Ok(Repair::Full)
    }

    /// Works everything out afresh.
    fn renew(&mut self) -> Result<(), EvalFault> {
        let before = std::mem::replace(&mut self.answers, Answers::none(self.world.units.len()));
        let spaces = self.board.map.spaces.len();
        let stands = Arc::new(standing(&self.world, spaces));
        let scene = Scene::new(&self.board, &self.world, Some(&stands));
        self.kept = IncrementalTrace::begin(&scene, &self.world, self.trace, &mut self.answers);
        drop(scene);
        self.standing =
            self.kept.as_ref().is_ok_and(IncrementalTrace::asks_standing).then_some(stands);
        if self.kept.is_err() {
            self.answers = Answers::none(self.world.units.len());
            let mut found = self.series.ask(std::slice::from_ref(&self.world));
            for (thing, yes) in found.pop().unwrap_or(Ok(Vec::new()))? {
                if let ThingRef::Unit(unit) = thing {
                    self.answers.set(unit, Some(yes));
                }
            }
        }
        self.answers.settled(&mut self.changed);
        self.changed.clear();
        self.changed.extend(self.answers.unlike(&before));
        Ok(())
    }
}
