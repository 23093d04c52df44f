//! The conditions of a trace, asked of every space.

use super::board::{Asker, Bits, Room};
use super::{EvalFault, Position};
use crate::ir::*;
use crate::world::ThingRef;

/// A condition asked of every space.
pub(super) type Plane = Vec<bool>;

/// The conditions of a trace, asked of every space for one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gates {
    /// For each space the first source, in written order, that it is.
    pub source: Vec<Option<u16>>,
    /// For each space whether it is a relay, live or not.
    pub relay: Plane,
    /// The gates of each leg.
    pub legs: Vec<LegGates>,
}

/// The three gates of a leg, asked of every space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegGates {
    /// Whether a leg may begin there.
    pub from: Plane,
    /// Whether a leg may pass there.
    pub through: Plane,
    /// Whether a leg may end there.
    pub into: Plane,
}

impl Gates {
    /// Asks the conditions of a trace for the side of a thing; the thing itself is read only where
    /// they name it.
    pub fn ask(
        position: &Position<'_>,
        trace: TraceId,
        subject: ThingRef,
    ) -> Result<Gates, EvalFault> {
        let rule = &position.rules.traces[trace.index()];
        let at_once =
            position.board().in_room(|room| Gates::at_once(position, rule, subject, room));
        if let Ok(gates) = at_once {
            return Ok(gates);
        }
        // What cannot be worked out everywhere is asked in the order of the spaces, so that the
        // first fault is told.
        Gates::one_by_one(position, rule, subject)
    }

    /// All spaces at once.
    fn at_once(
        position: &Position<'_>,
        rule: &Trace,
        subject: ThingRef,
        room: &mut Room,
    ) -> Result<Gates, EvalFault> {
        let (board, viewer) = (position.board(), position.viewer_of(subject));
        let mut asker = Asker::new(&board, position, None, room);
        asker.bind(rule.per_subject.then_some(subject));
        let all = asker.all();
        let spaces = u32::try_from(position.map.spaces.len()).unwrap_or(u32::MAX);
        let plane = |bits: &Bits| -> Plane {
            (0..spaces).map(|s| bits.get(board.layout().cell(s))).collect()
        };
        let mut source = vec![None; position.map.spaces.len()];
        let mut left = asker.copy(&all);
        for (at, rule) in rule.sources.iter().enumerate() {
            let found = asker.truth(rule.when, 1, viewer, &left)?;
            for cell in found.cells() {
                source[board.layout().space(cell) as usize] = u16::try_from(at).ok();
            }
            left.without(&found);
        }
        let mut relay = asker.empty();
        for rule in &rule.relays {
            relay.or(&asker.truth(rule.when, 1, viewer, &all)?);
        }
        let mut legs = Vec::new();
        for leg in &rule.legs {
            let mut gate = |gate: &Gate| match gate.when {
                Some(when) => Ok(plane(&asker.truth(when, 1, viewer, &all)?)),
                None => Ok(vec![true; position.map.spaces.len()]),
            };
            legs.push(LegGates {
                from: gate(&leg.from)?,
                through: gate(&leg.through)?,
                into: gate(&leg.into)?,
            });
        }
        Ok(Gates { source, relay: plane(&relay), legs })
    }

    /// One space after another.
    pub(super) fn one_by_one(
        position: &Position<'_>,
        rule: &Trace,
        subject: ThingRef,
    ) -> Result<Gates, EvalFault> {
        let spaces = position.map.spaces.len();
        let cx = position.asked_of(subject);
        let ask = |when: ExprId, space: usize| position.holds(when, &cx.with(1, space_ref(space)));
        let plane = |when: Option<ExprId>| -> Result<Plane, EvalFault> {
            (0..spaces).map(|s| when.map_or(Ok(true), |w| ask(w, s))).collect()
        };
        let mut gates =
            Gates { source: vec![None; spaces], relay: vec![false; spaces], legs: Vec::new() };
        for space in 0..spaces {
            for (at, source) in rule.sources.iter().enumerate() {
                if ask(source.when, space)? {
                    gates.source[space] = u16::try_from(at).ok();
                    break;
                }
            }
            for relay in &rule.relays {
                gates.relay[space] = gates.relay[space] || ask(relay.when, space)?;
            }
        }
        for leg in &rule.legs {
            gates.legs.push(LegGates {
                from: plane(leg.from.when)?,
                through: plane(leg.through.when)?,
                into: plane(leg.into.when)?,
            });
        }
        Ok(gates)
    }
}

impl Gates {
    /// Asks all conditions of some spaces once more, of another position: together where they can
    /// be.
    pub(super) fn ask_some(
        &mut self,
        position: &Position<'_>,
        rule: &Trace,
        subject: ThingRef,
        spaces: &[u32],
        room: &mut Room,
    ) -> Result<(), EvalFault> {
        if self.some_at_once(position, rule, subject, spaces, room).is_ok() {
            return Ok(());
        }
        spaces.iter().try_for_each(|space| self.ask_again(position, rule, subject, *space))
    }

    fn some_at_once(
        &mut self,
        position: &Position<'_>,
        rule: &Trace,
        subject: ThingRef,
        spaces: &[u32],
        room: &mut Room,
    ) -> Result<(), EvalFault> {
        let (board, viewer) = (position.board(), position.viewer_of(subject));
        let mut asker = Asker::new(&board, position, None, room);
        asker.bind(rule.per_subject.then_some(subject));
        let mut need = asker.empty();
        spaces.iter().for_each(|s| need.set(board.layout().cell(*s)));
        spaces.iter().for_each(|s| self.source[*s as usize] = None);
        let mut left = asker.copy(&need);
        for (at, source) in rule.sources.iter().enumerate() {
            let found = asker.truth(source.when, 1, viewer, &left)?;
            for cell in found.cells() {
                self.source[board.layout().space(cell) as usize] = u16::try_from(at).ok();
            }
            left.without(&found);
            asker.give(found);
        }
        asker.give(left);
        spaces.iter().for_each(|s| self.relay[*s as usize] = false);
        for relay in &rule.relays {
            let found = asker.truth(relay.when, 1, viewer, &need)?;
            found.cells().for_each(|cell| self.relay[board.layout().space(cell) as usize] = true);
            asker.give(found);
        }
        for (leg, of_leg) in rule.legs.iter().zip(&mut self.legs) {
            for (gate, plane) in [
                (&leg.from, &mut of_leg.from),
                (&leg.through, &mut of_leg.through),
                (&leg.into, &mut of_leg.into),
            ] {
                let Some(when) = gate.when else { continue };
                let found = asker.truth(when, 1, viewer, &need)?;
                spaces.iter().for_each(|s| plane[*s as usize] = found.get(board.layout().cell(*s)));
                asker.give(found);
            }
        }
        asker.give(need);
        Ok(())
    }

    /// Asks all conditions of one space once more, of another position.
    pub(super) fn ask_again(
        &mut self,
        position: &Position<'_>,
        rule: &Trace,
        subject: ThingRef,
        space: u32,
    ) -> Result<(), EvalFault> {
        let cx = position.asked_of(subject).with(1, ThingRef::Space(space));
        let at = space as usize;
        self.source[at] = None;
        for (nth, source) in rule.sources.iter().enumerate() {
            if position.holds(source.when, &cx)? {
                self.source[at] = u16::try_from(nth).ok();
                break;
            }
        }
        self.relay[at] = false;
        for relay in &rule.relays {
            self.relay[at] = self.relay[at] || position.holds(relay.when, &cx)?;
        }
        for (leg, of_leg) in rule.legs.iter().zip(&mut self.legs) {
            for (gate, plane) in [
                (&leg.from, &mut of_leg.from),
                (&leg.through, &mut of_leg.through),
                (&leg.into, &mut of_leg.into),
            ] {
                if let Some(when) = gate.when {
                    plane[at] = position.holds(when, &cx)?;
                }
            }
        }
        Ok(())
    }

    /// Whether no line that begins elsewhere passes a space, ends or changes its leg there.
    pub(super) fn is_closed(&self, rule: &Trace, space: u32) -> bool {
        let at = space as usize;
        rule.legs
            .iter()
            .zip(&self.legs)
            .all(|(leg, of)| !of.through[at] && !of.into[at] && (leg.place == 0 || !of.from[at]))
    }

    /// Whether all that is open here is open in other gates too.
    pub(super) fn opens_nothing(&self, than: &Gates) -> bool {
        let within = |a: &Plane, b: &Plane| a.iter().zip(b).all(|(a, b)| *b || !a);
        let leg = |a: &LegGates, b: &LegGates| {
            within(&a.from, &b.from) && within(&a.through, &b.through) && within(&a.into, &b.into)
        };
        let sources = self.source.iter().zip(&than.source).all(|(a, b)| b.is_some() || a.is_none());
        sources
            && within(&self.relay, &than.relay)
            && self.legs.iter().zip(&than.legs).all(|(a, b)| leg(a, b))
    }

    /// Opens what is open in other gates too; sources and relays stay as they are.
    pub(super) fn open_also(&mut self, other: &Gates) {
        let join = |a: &mut Plane, b: &Plane| a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
        for (leg, of) in self.legs.iter_mut().zip(&other.legs) {
            join(&mut leg.from, &of.from);
            join(&mut leg.through, &of.through);
            join(&mut leg.into, &of.into);
        }
    }

    /// Closes a space to all lines that do not begin in it: none passes it, ends or changes its leg
    /// there.
    pub(super) fn close(&mut self, rule: &Trace, space: u32) {
        let at = space as usize;
        self.source[at] = None;
        self.relay[at] = false;
        for (leg, of_leg) in rule.legs.iter().zip(&mut self.legs) {
            of_leg.from[at] &= leg.place == 0;
            of_leg.through[at] = false;
            of_leg.into[at] = false;
        }
    }
}

impl Position<'_> {
    /// By leg the spaces in which it does not end because their amount gives the budget of another
    /// leg; empty for none.
    pub(super) fn ends_of_others(
        &self,
        trace: TraceId,
        subject: ThingRef,
    ) -> Result<Vec<Plane>, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let cx = self.asked_of(subject);
        let of_leg = |leg: &Leg| -> Result<Plane, EvalFault> {
            let Some(by) = &leg.by_source else { return Ok(Vec::new()) };
            let other = |space| Ok(!self.holds(by.is, &cx.with(1, space_ref(space)))?);
            (0..self.map.spaces.len()).map(other).collect()
        };
        self.rules.seen.quietly(|| rule.legs.iter().map(of_leg).collect())
    }
}

fn space_ref(space: usize) -> ThingRef {
    ThingRef::Space(u32::try_from(space).unwrap_or(u32::MAX))
}
