//! What was made for one question and waits for the next.

use std::rc::Rc;

use super::Thing;
use super::evidence::{Evidence, EvidenceRows};
use super::following::Following;
use super::reached::{Reached, ReachedRows};
use crate::ir::{KindId, MapId, Ruleset, SideId, TraceId};
use crate::kernel::board::{Board, BoardState};
use crate::kernel::{
    Answers, EvalFault, Live, LiveEvidence, LiveReach, Position, PositionState, Repair, Series,
    SeriesState, Session, SessionState,
};
use crate::world::{ThingRef, World};

/// At most so many boards wait; a board more than threads that ask at once is of no use.
const MOST: usize = 64;

/// Maps of no more spaces than these are followed as a whole.
const SMALL: usize = 512;

/// Boards of a game's maps that nobody uses now.
#[derive(Default)]
pub(super) struct Pool {
    boards: Vec<(MapId, BoardState)>,
}

impl Pool {
    /// A board of a map that was used last, or an empty one.
    pub(super) fn take(&mut self, map: MapId) -> BoardState {
        match self.boards.iter().rposition(|(of, _)| *of == map) {
            Some(at) => self.boards.remove(at).1,
            None => BoardState::default(),
        }
    }

    /// Keeps a board for the next question.
    pub(super) fn keep(&mut self, map: MapId, board: BoardState) {
        if self.boards.len() < MOST {
            self.boards.push((map, board));
        }
    }
}

/// What the questions of one position have worked out.
#[derive(Default)]
pub(super) struct Kept {
    /// Gates, fields and lines of the position as it is now.
    state: PositionState,
    /// The answers of traces that changes have not touched since.
    flags: Vec<(TraceId, Answers)>,
    /// The answers of traces that follow the changes.
    sessions: Vec<SessionState>,
    /// Traces that sessions cannot follow.
    unfollowed: Vec<TraceId>,
    /// The answers of all traces that are followed together.
    live: Option<Live>,
    /// Traces that cannot be followed together.
    not_live: Vec<TraceId>,
    /// The evidence of traces that follow the changes.
    evidence: Following<EvidenceRows>,
    /// Where units can get to, by traces that follow the changes.
    reached: Following<ReachedRows>,
    /// Whether the position was changed since it was made.
    changed: bool,
}

impl Kept {
    /// The position has been changed on its map; what was worked out of it is void, or has to be
    /// found to be the same.
    pub(super) fn moved(&mut self) {
        self.state = std::mem::take(&mut self.state).of_another();
        self.flags.clear();
        self.changed = true;
    }

    /// Lets what is followed together follow a move.
    pub(super) fn move_unit(&mut self, unit: u32, space: Option<u32>) {
        self.live.iter_mut().for_each(|live| live.move_unit(unit, space));
        self.evidence.move_unit(unit, space);
        self.reached.move_unit(unit, space);
    }

    /// Lets what is followed together follow a space that changes hands.
    pub(super) fn set_control(&mut self, space: u32, side: Option<SideId>) {
        self.live.iter_mut().for_each(|live| live.set_control(space, side));
        self.evidence.set_control(space, side);
        self.reached.set_control(space, side);
    }

    /// What is followed together begins afresh.
    pub(super) fn forget_live(&mut self) {
        self.live = None;
        self.evidence.forget();
        self.reached.forget();
    }

    /// All answers of a trace with what they rest on.
    pub(super) fn evidence(
        &mut self,
        board: &Rc<Board<'_>>,
        world: &World,
        trace: TraceId,
    ) -> Result<Vec<Evidence>, EvalFault> {
        // Before the first change nothing has to be followed.
        let following = self.changed.then(|| {
            let make = || LiveEvidence::new(board.rules(), world, trace);
            let rows = |live| EvidenceRows::new(live, world.units.len());
            self.evidence.take(trace, || make().map(rows))
        });
        let Some(mut following) = following.flatten() else {
            return self.ask(board, world, |position| Evidence::all(position, trace));
        };
        let found = self.ask(board, world, |position| following.all(position));
        // What has met a fault begins afresh.
        if found.is_ok() {
            self.evidence.keep(following);
        }
        found
    }

    /// Where all units of a trace can get to.
    pub(super) fn reached(
        &mut self,
        board: &Rc<Board<'_>>,
        world: &World,
        trace: TraceId,
    ) -> Result<Vec<Reached>, EvalFault> {
        let make = || LiveReach::new(board.rules(), world, trace);
        let rows = |live| ReachedRows::new(live, world.units.len());
        let Some(mut following) = self.reached.take(trace, || make().map(rows)) else {
            return self.ask(board, world, |position| Reached::all(position, trace));
        };
        let found = following.all();
        self.reached.keep(following);
        Ok(found)
    }

    /// All answers of a trace that is followed together; nothing where it is not.
    pub(super) fn live_answers(
        &mut self,
        rules: &Ruleset,
        world: &World,
        trace: TraceId,
    ) -> Option<Vec<(Thing, bool)>> {
        // Before the first change nothing has to be followed.
        if !self.changed || !self.becomes_live(rules, world, trace) {
            return None;
        }
        let live = self.live.as_mut()?;
        let mut found = Vec::with_capacity(live.most(trace));
        live.answers(trace, |thing, yes| found.extend(Thing::of(thing).map(|t| (t, yes))));
        Some(found)
    }

    /// Whether a trace is followed together with others, from now on if not before.
    fn becomes_live(&mut self, rules: &Ruleset, world: &World, trace: TraceId) -> bool {
        let traces: Vec<TraceId> = self.live.iter().flat_map(Live::traces).collect();
        if traces.contains(&trace) {
            return true;
        }
        let (Some(rule), Some(map)) =
            (rules.traces.get(trace.index()), rules.maps.get(world.map.index()))
        else {
            return false;
        };
        // On a large map a session repairs what a change has touched, and no more.
        let repaired = map.spaces.len() > SMALL
            && rules.top(rule.of) == KindId::UNIT
            && rule.relays.is_empty()
            && !self.unfollowed.contains(&trace);
        if repaired || self.not_live.contains(&trace) {
            return false;
        }
        match Live::new(rules, world, traces.into_iter().chain([trace])) {
            Ok(live) => self.live = Some(live),
            Err(_) => self.not_live.push(trace),
        }
        !self.not_live.contains(&trace)
    }

    /// Whether a session has to be told of a change.
    pub(super) fn is_followed(&self) -> bool {
        !self.sessions.is_empty()
    }

    /// An answer that is there already.
    pub(super) fn known(&mut self, trace: TraceId, thing: ThingRef) -> Option<bool> {
        if let Some(yes) = self.live.as_mut().and_then(|live| live.yes(trace, thing)) {
            return Some(yes);
        }
        let flags = self.flags.iter().find(|(of, _)| *of == trace)?;
        flags.1.iter().find(|(of, _)| *of == thing).map(|(_, yes)| *yes)
    }

    /// Asks the evaluator, which goes on from its earlier questions.
    pub(super) fn ask<T>(
        &mut self,
        board: &Rc<Board<'_>>,
        world: &World,
        ask: impl FnOnce(&Position<'_>) -> Result<T, EvalFault>,
    ) -> Result<T, EvalFault> {
        let state = std::mem::take(&mut self.state);
        let position = Position::over_state(board, world, state);
        let found = ask(&position);
        self.state = position.into_state();
        found
    }

    /// All answers of a trace, yes or no.
    pub(super) fn flags(
        &mut self,
        board: &Rc<Board<'_>>,
        world: &World,
        trace: TraceId,
    ) -> Result<Answers, EvalFault> {
        if let Some((_, flags)) = self.flags.iter().find(|(of, _)| *of == trace) {
            return Ok(flags.clone());
        }
        let found = match self.followed(board, world, trace)? {
            Some(found) => found,
            None => {
                let mut series = Series::on(board, SeriesState::new(trace));
                series.ask(&[world]).pop().unwrap_or(Ok(Vec::new()))?
            }
        };
        self.flags.push((trace, found.clone()));
        Ok(found)
    }

    /// The answers of a session that follows the changes; nothing where none can.
    fn followed(
        &mut self,
        board: &Rc<Board<'_>>,
        world: &World,
        trace: TraceId,
    ) -> Result<Option<Answers>, EvalFault> {
        let at = self.sessions.iter().position(|s| s.trace() == trace);
        let session = match at {
            Some(at) => Session::resumed(board, self.sessions.swap_remove(at)),
            // Before the first change nothing has to be followed.
            None if !self.changed || self.unfollowed.contains(&trace) => return Ok(None),
            None => match Session::on(board, world.clone(), trace)? {
                Some(session) if session.not_local().is_none() => session,
                _ => {
                    self.unfollowed.push(trace);
                    return Ok(None);
                }
            },
        };
        let units = 0..u32::try_from(world.units.len()).unwrap_or(u32::MAX);
        let found = units.filter_map(|u| Some((ThingRef::Unit(u), session.yes(u)?))).collect();
        self.sessions.push(session.into_state());
        Ok(Some(found))
    }

    /// Lets all sessions follow a change; one that cannot is given up, and begins afresh with the
    /// next question.
    pub(super) fn follow(
        &mut self,
        board: &Rc<Board<'_>>,
        change: impl Fn(&mut Session<'_>) -> Result<Repair, EvalFault>,
    ) {
        for state in std::mem::take(&mut self.sessions) {
            let mut session = Session::resumed(board, state);
            if change(&mut session).is_ok() && session.not_local().is_none() {
                self.sessions.push(session.into_state());
            }
        }
    }
}
