//! Answers of traces as values of expressions, and the gates and fields behind them, worked out
//! once.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::costs::Costs;
use super::cx::Cx;
use super::evaluate::GatesKey;
use super::field::{Field, Gates, Profile};
use super::state::Shared;
use super::{Amount, Answer, EvalFault, Position, Value};
use crate::ir::*;
use crate::world::{ThingRef, built_in};

impl Position<'_> {
    /// A trace asked about a space is asked by the side whose rule asks.
    pub(super) fn answer_for(
        &self,
        trace: TraceId,
        thing: ThingRef,
        viewer: Option<SideId>,
    ) -> Result<Answer, EvalFault> {
        let before = self.asking.replace(viewer.or(self.asking.get()));
        let answer = self.rules.seen.quietly(|| self.answer(trace, thing)).and_then(|answer| {
            self.note(trace, thing)?;
            Ok(answer)
        });
        self.asking.set(before);
        answer
    }

    /// Asks something as a side would ask it of spaces.
    pub fn seen_by<T>(&self, side: Option<SideId>, ask: impl FnOnce() -> T) -> T {
        let before = self.asking.replace(side.or(self.asking.get()));
        let answer = ask();
        self.asking.set(before);
        answer
    }

    pub(super) fn verdict(
        &self,
        trace: TraceId,
        thing: ThingRef,
        asked: Asked,
        cx: &Cx,
    ) -> Result<bool, EvalFault> {
        if asked == Asked::Kept
            && let Some(kept) = self.world.kept(trace, thing)
        {
            return Ok(kept);
        }
        let before = self.asking.replace(cx.viewer.or(self.asking.get()));
        let yes = self.known(trace, thing).and_then(|yes| {
            self.note(trace, thing)?;
            Ok(yes)
        });
        self.asking.set(before);
        yes
    }

    /// The answer of a trace as the side that asks now gets it, worked out once.
    pub fn known(&self, trace: TraceId, thing: ThingRef) -> Result<bool, EvalFault> {
        let key = (trace, thing, self.viewer_of(thing).or(self.asking.get()));
        if let Some(yes) = self.worked.verdicts.borrow().get(&key) {
            return Ok(*yes);
        }
        let yes = self.rules.seen.quietly(|| self.is_yes(trace, thing))?;
        self.worked.verdicts.borrow_mut().insert(key, yes);
        Ok(yes)
    }

    /// Takes the answers of a trace that were worked out elsewhere for this position.
    pub fn learn(&self, trace: TraceId, answers: &[(ThingRef, bool)]) {
        let mut verdicts = self.worked.verdicts.borrow_mut();
        let key = |thing| (trace, thing, self.viewer_of(thing).or(self.asking.get()));
        verdicts.extend(answers.iter().map(|(thing, yes)| (key(*thing), *yes)));
    }

    pub(super) fn evidence(
        &self,
        trace: TraceId,
        field: EvidenceField,
        thing: ThingRef,
        cx: &Cx,
    ) -> Result<Value, EvalFault> {
        let answer = self.answer_for(trace, thing, cx.viewer)?;
        let space = |s: Option<u32>| Value::Thing(s.map(ThingRef::Space));
        Ok(match field {
            // A length that is not there compares with nothing.
            EvidenceField::Length => answer
                .length
                .map_or(Value::Barred, |l| Value::Number(Amount::from_integer(i64::from(l)))),
            EvidenceField::Source => answer.source.map_or(Value::Barred, Value::Word),
            EvidenceField::End => space(answer.end),
            EvidenceField::Stop => space(answer.stop),
            EvidenceField::Gate => Value::Word(answer.gate as u16),
        })
    }

    /// The answer as if the unit stood in a space: asked of a position in which it does.
    pub(super) fn would_be(
        &self,
        trace: TraceId,
        subject: Option<ThingRef>,
        space: Option<ThingRef>,
    ) -> Result<bool, EvalFault> {
        let (Some(ThingRef::Unit(unit)), Some(ThingRef::Space(space))) = (subject, space) else {
            return Ok(false);
        };
        if self.world.space_of(unit) == Some(space) {
            return Ok(self.answer_for(trace, ThingRef::Unit(unit), None)?.yes);
        }
        let mut moved = self.world.clone();
        moved.set_fact(
            &self.rules.facts[built_in::SPACE.index()],
            ThingRef::Unit(unit),
            i64::from(space) + 1,
        );
        let there = Position {
            rules: self.rules,
            map: self.map,
            world: &moved,
            number: self.board.number_position(),
            asking: Cell::new(None),
            standing: OnceCell::new(),
            // The map is the same.
            board: self.board(),
            worked: Shared::default(),
            earlier: Vec::new(),
            closed: self.closed.clone(),
            measured: OnceCell::new(),
            hooks: RefCell::default(),
            noted: RefCell::default(),
            apart: Cell::new(false),
            // What is asked there is a part of this question.
            meter: OnceCell::from(Rc::clone(self.meter())),
        };
        // What was worked out here does not hold there.
        Ok(self.meter().apart(|| there.answer_for(trace, ThingRef::Unit(unit), None))?.yes)
    }

    /// The gates of a trace for a side, asked once; where they read the thing, once for all that
    /// look the same to them.
    pub fn gates(&self, trace: TraceId, subject: ThingRef) -> Result<Arc<Gates>, EvalFault> {
        let key = (trace, self.viewer_of(subject), self.mover(trace, subject));
        if let Some(gates) = self.worked.gates.borrow().get(&key) {
            return Ok(Arc::clone(gates));
        }
        let ask = || self.rules.seen.quietly(|| Gates::ask(self, trace, subject));
        let mut gates = self.meter().apart(ask)?;
        let rule = &self.rules.traces[trace.index()];
        self.closed.iter().for_each(|space| gates.close(rule, *space));
        let mut known = self.worked.gates.borrow_mut();
        let same = |((trace, side, _), other): (&GatesKey, &Arc<Gates>)| {
            ((*trace, *side) == (key.0, key.1) && **other == gates).then(|| Arc::clone(other))
        };
        let gates = known.iter().find_map(same).unwrap_or_else(|| Arc::new(gates));
        known.insert(key, Arc::clone(&gates));
        Ok(gates)
    }

    /// What the steps of each leg cost a thing, worked out once for all things that share all but
    /// their budgets.
    pub(super) fn costs(
        &self,
        trace: TraceId,
        subject: ThingRef,
        profile: &Profile,
        barred: bool,
    ) -> Result<Arc<[Costs]>, EvalFault> {
        let key = (trace, profile.without_budgets(), barred);
        if let Some(costs) = self.worked.costs.borrow().get(&key) {
            return Ok(Arc::clone(costs));
        }
        // What reads more of the thing than its facts is its own.
        let kept = profile.subject.is_none();
        let here = (self.number, self.world);
        if let Some(costs) = kept.then(|| self.board.known_costs(here, &key)).flatten() {
            self.worked.costs.borrow_mut().insert(key, Arc::clone(&costs));
            return Ok(costs);
        }
        let legs = &self.rules.traces[trace.index()].legs;
        let of_leg = |leg: &Leg| self.rules.seen.quietly(|| Costs::of(self, leg, subject, barred));
        let costs: Result<Arc<[Costs]>, EvalFault> =
            self.meter().apart(|| legs.iter().map(of_leg).collect());
        let costs = costs?;
        if kept {
            self.board.keep_costs(here, &key, &costs);
        }
        self.worked.costs.borrow_mut().insert(key, Arc::clone(&costs));
        Ok(costs)
    }

    /// The field of a trace for a thing, searched once for all things that share its side, budgets
    /// and costs.
    pub fn field(&self, trace: TraceId, subject: ThingRef) -> Result<Arc<Field>, EvalFault> {
        let profile = self.profile(trace, subject)?;
        let key = (trace, profile.clone());
        if let Some(field) = self.worked.fields.borrow().get(&key) {
            return Ok(Arc::clone(field));
        }
        let rule = &self.rules.traces[trace.index()];
        let search = || -> Result<Arc<Field>, EvalFault> {
            let group = self.line_group(&(trace, profile.of_group(), false, false), subject)?;
            Ok(group.field(self, rule, &profile.budgets))
        };
        let field = self.meter().apart(|| self.rules.seen.quietly(search))?;
        self.worked.fields.borrow_mut().insert(key, Arc::clone(&field));
        Ok(field)
    }
}
