//! A position of a game: asked, explained, changed move by move.

use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use super::warm::Kept;
use super::{Evidence, Faults, Game, Reached, Side, Space, Thing, Trace, Unit, names};
use crate::diag::{Diagnostic, code};
use crate::ir::{KindId, SideId};
use crate::kernel::board::Board;
use crate::kernel::{EvalFault, Position as Asked, needs_viewer};
use crate::report::{self, Explanation, ReachReport, TraceReport, TraceRow, WhyNotReport};
use crate::world::{ThingRef, World, built_in};

/// A position of a game. It keeps what its questions have worked out, so that the next question of
/// the same position costs little, and one after a move costs what the move has changed.
pub struct Position {
    game: Game,
    world: World,
    kept: Mutex<Kept>,
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let units = self.world.units.len();
        f.debug_struct("Position").field("game", &self.game).field("units", &units).finish()
    }
}

/// The copy is a position of its own; what was worked out for this one is not copied.
impl Clone for Position {
    fn clone(&self) -> Position {
        Position::new(self.game.clone(), self.world.clone())
    }
}

/// Positions are equal that say the same of the same rules.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.game.hash() == other.game.hash() && self.world == other.world
    }
}

impl Position {
    pub(crate) fn new(game: Game, world: World) -> Position {
        Position { game, world, kept: Mutex::default() }
    }

    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// The game it is a position of.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The ids of its units; the number of a [`Unit`] is its place here.
    pub fn units(&self) -> impl Iterator<Item = &str> + Clone {
        self.world.units.iter().map(|u| u.id.as_str())
    }

    /// The ids of the spaces of its map; the number of a [`Space`] is its place here.
    pub fn spaces(&self) -> impl Iterator<Item = &str> + Clone {
        let map = self.game.rules().maps.get(self.world.map.index());
        map.map_or(&[][..], |m| &m.spaces).iter().map(|s| s.id.as_str())
    }

    /// A unit by its id.
    ///
    /// # Errors
    ///
    /// E1052 where there is none.
    pub fn unit(&self, id: &str) -> Result<Unit, Faults> {
        names::place("unit", id, self.units()).map(|at| Unit(u32::try_from(at).unwrap_or(u32::MAX)))
    }

    /// A space by its id.
    ///
    /// # Errors
    ///
    /// E1052 where there is none.
    pub fn space(&self, id: &str) -> Result<Space, Faults> {
        let map = self.game.rules().maps.get(self.world.map.index());
        match map.and_then(|m| m.find(id)) {
            Some(at) => Ok(Space(at)),
            None => {
                let known: Vec<&str> = self.spaces().collect();
                Err(Faults::bare(names::unknown("space", id, &known)))
            }
        }
    }

    /// The unit or space of an id, whichever the trace is about.
    ///
    /// # Errors
    ///
    /// E1052 where there is none.
    pub fn thing(&self, trace: Trace, id: &str) -> Result<Thing, Faults> {
        if self.is_about_spaces(trace)? {
            self.space(id).map(Thing::from)
        } else {
            self.unit(id).map(Thing::from)
        }
    }

    /// The id of a unit or a space.
    #[must_use]
    pub fn name(&self, thing: Thing) -> String {
        report::thing_name(self.game.rules(), &self.world, thing.inner())
    }

    /// Where a unit stands; nothing off the map.
    #[must_use]
    pub fn space_of(&self, unit: Unit) -> Option<Space> {
        self.world.space_of(unit.0).map(Space)
    }

    /// The side that controls a space.
    #[must_use]
    pub fn control(&self, space: Space) -> Option<Side> {
        self.world.control(space.0).map(|side| Side(side.0))
    }

    /// The position as JSON; reading it gives the same position.
    #[must_use]
    pub fn json(&self) -> String {
        crate::world::json::write(self.game.rules(), &self.world)
    }

    /// Whether the answer of a trace is yes.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn is_yes(&self, trace: Trace, thing: impl Into<Thing>) -> Result<bool, Faults> {
        let thing = self.checked(trace, thing.into())?;
        if let Some(yes) = self.kept().known(trace.inner(), thing) {
            return Ok(yes);
        }
        self.with(|position| Ok(position.answer(trace.inner(), thing)?.yes))
    }

    /// Whether the answer of a trace is yes, for each of its units that stands on the map, or for
    /// each of its spaces, in the order of the position.
    ///
    /// After a change this costs what the change makes a difference to, where the rules allow that.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or that nobody asks about spaces.
    pub fn all_yes(&self, trace: Trace) -> Result<Vec<(Thing, bool)>, Faults> {
        self.can_ask(trace)?;
        let id = trace.inner();
        if let Some(all) = self.kept().live_answers(self.game.rules(), &self.world, id) {
            return Ok(all);
        }
        let all = self.with_board(|board, kept| kept.flags(board, &self.world, id))?;
        let things = all.into_iter().filter_map(|(thing, yes)| Some((Thing::of(thing)?, yes)));
        Ok(things.collect())
    }

    /// The answer of a trace with its length, its route and what decided it.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn ask(&self, trace: Trace, thing: impl Into<Thing>) -> Result<TraceRow, Faults> {
        let thing = self.checked(trace, thing.into())?;
        self.with(|position| report::trace_row(position, trace.inner(), thing))
    }

    /// The same answers as [`Position::ask_all`] in numbers: lengths, routes and what stopped a
    /// line.
    ///
    /// After a change this costs what the change makes a difference to, where the rules allow that;
    /// ask for the words of the few that are shown.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or that nobody asks about spaces.
    pub fn evidence(&self, trace: Trace) -> Result<Vec<Evidence>, Faults> {
        self.can_ask(trace)?;
        self.with_board(|board, kept| kept.evidence(board, &self.world, trace.inner()))
    }

    /// The answers of a trace for each of its units that stands on the map, or for each of its
    /// spaces, with lengths, routes and what decided them.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or that nobody asks about spaces.
    pub fn ask_all(&self, trace: Trace) -> Result<TraceReport, Faults> {
        self.can_ask(trace)?;
        self.with(|position| report::trace_report(position, trace.inner()))
    }

    /// All that bears on one answer: the line with its costs, or where every way out stops.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn explain(&self, trace: Trace, thing: impl Into<Thing>) -> Result<Explanation, Faults> {
        let thing = self.checked(trace, thing.into())?;
        self.with(|position| report::explain(position, trace.inner(), thing))
    }

    /// Why a thing has no line, and the cheapest changes that would give it one.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn why_not(&self, trace: Trace, thing: impl Into<Thing>) -> Result<WhyNotReport, Faults> {
        let thing = self.checked(trace, thing.into())?;
        self.with(|position| report::why_not(position, trace.inner(), thing))
    }

    /// Where the lines of a thing can end by the legs of a trace, whether or not a source is there.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn reach(&self, trace: Trace, thing: impl Into<Thing>) -> Result<ReachReport, Faults> {
        let thing = self.checked(trace, thing.into())?;
        self.with(|position| report::reach_report(position, trace.inner(), thing))
    }

    /// Where the lines of each unit of a trace that stands on the map, or of each space, can end,
    /// in the order of the position and in numbers.
    ///
    /// After a change this costs what the change makes a difference to, where the rules allow that:
    /// where each line of the trace is one leg, and what a step costs does not change.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or a trace of spaces without a side that asks.
    pub fn reach_all(&self, trace: Trace) -> Result<Vec<Reached>, Faults> {
        self.can_ask(trace)?;
        self.with_board(|board, kept| kept.reached(board, &self.world, trace.inner()))
    }

    /// Puts a unit into a space, or off the map.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such unit or space, or the unit has left the game.
    pub fn move_unit(&mut self, unit: Unit, to: Option<Space>) -> Result<(), Faults> {
        self.present(unit)?;
        to.map_or(Ok(()), |space| self.real(space))?;
        let at = to.map_or(0, |space| i64::from(space.0) + 1);
        self.change(|world| {
            if let Some(cell) = world.row_mut(unit.0).get_mut(built_in::SPACE.index()) {
                *cell = at;
            }
        });
        let to = to.map(|space| space.0);
        self.kept_mut().move_unit(unit.0, to);
        self.repair(|session| session.move_unit(unit.0, to));
        Ok(())
    }

    /// Gives a space to a side, or to nobody.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such space or side.
    pub fn set_control(&mut self, space: Space, side: Option<Side>) -> Result<(), Faults> {
        self.real(space)?;
        side.map_or(Ok(()), |side| self.takes_part(side))?;
        let side = side.map(Side::inner);
        let value = side.map_or(0, |side| i64::from(side.0) + 1);
        let fact = self.game.rules().facts.get(built_in::CONTROL.index()).cloned();
        self.change(|world| {
            if let Some(fact) = &fact {
                world.set_fact(fact, ThingRef::Space(space.0), value);
            }
        });
        self.kept_mut().set_control(space.0, side);
        self.repair(|session| session.set_control(space.0, side));
        Ok(())
    }

    /// Takes a unit out of the game.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such unit, or it has left the game already.
    pub fn remove(&mut self, unit: Unit) -> Result<(), Faults> {
        self.present(unit)?;
        self.change(|world| world.leave(unit.0));
        self.kept_mut().forget_live();
        self.repair(|session| session.remove(unit.0));
        Ok(())
    }

    /// Says which side asks about spaces.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such side.
    pub fn set_viewer(&mut self, side: Option<Side>) -> Result<(), Faults> {
        side.map_or(Ok(()), |side| self.takes_part(side))?;
        self.afresh(|world| world.viewer = side.map(Side::inner));
        Ok(())
    }

    /// Puts a reading of a ruling in force, or `on` or `off` for an option.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such ruling or reading.
    pub fn set_ruling(&mut self, ruling: &str, reading: &str) -> Result<(), Faults> {
        let rules = self.game.rules();
        let rulings = rules.rulings.iter().map(|r| r.name.as_str());
        let at = names::place("ruling", ruling, rulings)?;
        let set = rules.rulings.get(at).and_then(|r| rules.word_sets.get(r.readings.index()));
        let words = set.map_or(&[][..], |s| &s.words).iter().map(String::as_str);
        let word = names::place("reading", reading, words)?;
        self.afresh(|world| {
            if let Some(cell) = world.readings.get_mut(at) {
                *cell = u16::try_from(word).unwrap_or(0);
            }
        });
        Ok(())
    }

    /// States facts in the words of the rules, as `given` does in a case: `A is tired`, `control of
    /// Hill is Red`, `Red is enemy_of Blue`. If one of them is wrong the position stays as it
    /// was.
    ///
    /// # Errors
    ///
    /// All that is wrong with the sentences; the file of their places is called `given`.
    pub fn given<S: AsRef<str>>(
        &mut self,
        sentences: impl IntoIterator<Item = S>,
    ) -> Result<(), Faults> {
        let sentences: Vec<String> = sentences.into_iter().map(|s| s.as_ref().to_owned()).collect();
        let mut world = self.world.clone();
        self.game.give(&mut world, &sentences)?;
        self.afresh(|old| *old = world);
        Ok(())
    }

    /// Whether the trace is there, and somebody asks where it needs that.
    pub(super) fn can_ask(&self, trace: Trace) -> Result<(), Faults> {
        self.is_about_spaces(trace)?;
        if self.world.viewer.is_none() && needs_viewer(self.game.rules(), trace.inner()) {
            let fault = Diagnostic::bare(code::E1051, "the trace is about spaces, and nobody asks");
            return Err(Faults::bare(fault.help("name the side that asks")));
        }
        match self.game.rules().maps.get(self.world.map.index()) {
            Some(_) => Ok(()),
            None => Err(names::absent("the ruleset has no map", "write one with a `space` in it")),
        }
    }

    fn is_about_spaces(&self, trace: Trace) -> Result<bool, Faults> {
        let rules = self.game.rules();
        let of = rules.traces.get(trace.inner().index()).map(|rule| rules.top(rule.of));
        of.map(|top| top == KindId::SPACE).ok_or_else(|| {
            let message = format!("there is no trace of the number {}", trace.0);
            names::absent(&message, "take the traces of the same game")
        })
    }

    /// A thing that the trace can be asked of.
    pub(super) fn checked(&self, trace: Trace, thing: Thing) -> Result<ThingRef, Faults> {
        self.can_ask(trace)?;
        let inner = thing.inner();
        let rules = self.game.rules();
        let of = rules.traces.get(trace.inner().index()).map(|rule| rule.of);
        let kind = match inner {
            ThingRef::Unit(unit) => self.world.units.get(unit as usize).map(|u| u.kind),
            ThingRef::Space(space) => {
                let map = rules.maps.get(self.world.map.index());
                map.and_then(|m| m.spaces.get(space as usize)).map(|s| s.kind)
            }
            ThingRef::Link(_) | ThingRef::Side(_) | ThingRef::World => None,
        };
        match (kind, of) {
            (Some(kind), Some(of)) if rules.is_kind(kind, of) => Ok(inner),
            (Some(_), _) => {
                let message = format!("the trace is not about `{}`", self.name(thing));
                Err(names::absent(&message, "ask it of a thing of its own kind"))
            }
            (None, _) => Err(names::absent(
                "there is no such unit or space in this position",
                "take the units and spaces of the same position",
            )),
        }
    }

    fn present(&self, unit: Unit) -> Result<(), Faults> {
        match self.world.units.get(unit.0 as usize) {
            Some(row) if !row.removed => Ok(()),
            Some(row) => Err(names::absent(
                &format!("`{}` has left the game", row.id),
                "read a position in which it is still there",
            )),
            None => Err(names::absent(
                &format!("there is no unit of the number {}", unit.0),
                "take the units of the same position",
            )),
        }
    }

    fn real(&self, space: Space) -> Result<(), Faults> {
        let map = self.game.rules().maps.get(self.world.map.index());
        match map.and_then(|m| m.spaces.get(space.0 as usize)) {
            Some(_) => Ok(()),
            None => Err(names::absent(
                &format!("there is no space of the number {}", space.0),
                "take the spaces of the same position",
            )),
        }
    }

    fn takes_part(&self, side: Side) -> Result<(), Faults> {
        match self.game.rules().sides.get(side.inner().index()) {
            Some(_) => Ok(()),
            None => Err(names::absent(
                &format!("there is no side of the number {}", side.0),
                "take the sides of the same game",
            )),
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A change that running sessions follow.
    fn change(&mut self, change: impl FnOnce(&mut World)) {
        change(&mut self.world);
        self.kept_mut().moved();
    }

    /// Another position of the same game in place of this one.
    pub(super) fn replace(&mut self, world: World) {
        self.afresh(|old| *old = world);
    }

    /// A change after which everything is asked afresh.
    fn afresh(&mut self, change: impl FnOnce(&mut World)) {
        change(&mut self.world);
        *self.kept_mut() = Kept::default();
    }

    fn kept_mut(&mut self) -> &mut Kept {
        self.kept.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the sessions follow a change.
    fn repair(
        &mut self,
        follow: impl Fn(&mut crate::kernel::Session<'_>) -> Result<crate::kernel::Repair, EvalFault>,
    ) {
        if self.kept_mut().is_followed() {
            // A fault shows when the answers are asked for.
            let _ = self.with_board(|board, kept| {
                kept.follow(board, follow);
                Ok(())
            });
        }
    }

    /// Asks the kernel on a board that is warm from earlier questions.
    pub(super) fn with_board<T>(
        &self,
        ask: impl FnOnce(&Rc<Board<'_>>, &mut Kept) -> Result<T, EvalFault>,
    ) -> Result<T, Faults> {
        let board = self.board()?;
        let found = ask(&board, &mut self.kept());
        self.put_back(board);
        found.map_err(|fault| self.game.broken(fault))
    }

    /// The board of the map, from the pool; apart from the questions, so that it is there once.
    #[inline(never)]
    fn board(&self) -> Result<Rc<Board<'_>>, Faults> {
        let (inner, map) = (self.game.inner(), self.world.map);
        let Some(of) = inner.rules.maps.get(map.index()) else {
            return Err(names::absent("the ruleset has no map", "write one with a `space` in it"));
        };
        Ok(Rc::new(Board::resumed(&inner.rules, of, inner.pool().take(map))))
    }

    #[inline(never)]
    fn put_back(&self, board: Rc<Board<'_>>) {
        if let Some(board) = Rc::into_inner(board) {
            self.game.inner().pool().keep(self.world.map, board.into_state());
        }
    }

    /// Asks the kernel of this position, which goes on from its earlier questions.
    pub(crate) fn with<T>(
        &self,
        ask: impl FnOnce(&Asked<'_>) -> Result<T, EvalFault>,
    ) -> Result<T, Faults> {
        self.with_board(|board, kept| kept.ask(board, &self.world, ask))
    }

    /// The side that asks about spaces.
    #[must_use]
    pub fn viewer(&self) -> Option<Side> {
        self.world.viewer.map(|SideId(side)| Side(side))
    }
}
