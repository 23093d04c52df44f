//! Why a condition is what it is: the parts that it rests on, through named values and the answers
//! of other traces.

use super::cx::{Cx, Step};
use super::{Answer, EvalFault, Gate, Position, WayOut};
use crate::ir::*;
use crate::world::ThingRef;

/// One part of a condition that makes it what it is.
#[derive(Debug, Clone)]
pub struct Reason {
    /// The part.
    pub id: ExprId,
    /// The question it was asked in.
    pub cx: Cx,
    /// Whether it holds.
    pub holds: bool,
    /// The named values it was reached through, the outermost first.
    pub through: Vec<DefineId>,
    /// The answer of another trace that it is.
    pub rests_on: Option<RestsOn>,
}

/// The answer of another trace, with what that rests on.
#[derive(Debug, Clone)]
pub struct RestsOn {
    /// The trace.
    pub trace: TraceId,
    /// What it was asked of.
    pub thing: ThingRef,
    /// The side that asked.
    pub viewer: Option<SideId>,
    /// Its answer; none where a phase has kept one.
    pub answer: Option<Answer>,
    /// The spaces of its line.
    pub route: Vec<u32>,
    /// Why, where a condition decided.
    pub because: Vec<Reason>,
}

/// More parts than these are not taken apart.
const MOST_PARTS: usize = 200;
/// Answers within answers, at most.
const DEEPEST: usize = 4;

/// How much may still be taken apart.
struct Room {
    parts: usize,
    deep: usize,
}

impl Position<'_> {
    /// The parts of a condition that make it what it is.
    pub fn reasons(&self, id: ExprId, cx: &Cx) -> Result<Vec<Reason>, EvalFault> {
        let mut found = Vec::new();
        let mut room = Room { parts: MOST_PARTS, deep: DEEPEST };
        self.rules
            .seen
            .quietly(|| self.take_apart(id, cx, &mut Vec::new(), &mut room, &mut found))?;
        Ok(found)
    }

    /// Why an answer is what it is, where one condition decided: a verdict, or a gate that is shut.
    pub fn answer_reasons(
        &self,
        trace: TraceId,
        thing: ThingRef,
        answer: &Answer,
    ) -> Result<Vec<Reason>, EvalFault> {
        if answer.gate == Gate::Over {
            let out = self.ways_out(trace, thing)?;
            let named = (answer.leg, answer.stop);
            let own =
                |out: &&WayOut| out.gate == Gate::Over && named == (Some(out.leg), Some(out.space));
            return match out.iter().find(own) {
                Some(out) => self.stop_reasons(trace, thing, out),
                None => Ok(Vec::new()),
            };
        }
        match self.decided_by(trace, thing, answer) {
            Some((id, cx)) => self.reasons(id, &cx),
            None => Ok(Vec::new()),
        }
    }

    /// Why a way out stops where it does: a gate that is shut, or each line of `over` that does not
    /// allow the step.
    pub fn stop_reasons(
        &self,
        trace: TraceId,
        thing: ThingRef,
        out: &WayOut,
    ) -> Result<Vec<Reason>, EvalFault> {
        let (Gate::Over, Some(from)) = (out.gate, out.from) else {
            return self.gate_reasons(trace, thing, out.leg, out.gate, out.space);
        };
        let leg = self.rules.traces[trace.index()].legs.get(out.leg);
        let over = leg.and_then(|leg| self.rules.tables.get(leg.over?.index()));
        let cx = self.asked_of(thing).stepping(Step { mover: thing, from, into: out.space });
        let mut found: Vec<Reason> = Vec::new();
        let rows = over.iter().flat_map(|over| &over.rows);
        let lines = rows.filter(|row| row.values.iter().any(Option::is_some));
        for when in lines.filter_map(|row| row.when) {
            for reason in self.reasons(when, &cx)? {
                if found.iter().all(|known| known.id != reason.id) {
                    found.push(reason);
                }
            }
        }
        Ok(found)
    }

    /// Why a gate of a leg is what it is at a space.
    pub fn gate_reasons(
        &self,
        trace: TraceId,
        thing: ThingRef,
        leg: usize,
        gate: Gate,
        space: u32,
    ) -> Result<Vec<Reason>, EvalFault> {
        let when =
            self.rules.traces[trace.index()].legs.get(leg).and_then(|leg| gate_of(leg, gate));
        match when {
            Some(when) => self.reasons(when, &self.asked_of(thing).with(1, ThingRef::Space(space))),
            None => Ok(Vec::new()),
        }
    }

    /// The condition that decided an answer, and the question it was asked in.
    fn decided_by(&self, trace: TraceId, thing: ThingRef, answer: &Answer) -> Option<(ExprId, Cx)> {
        let rule = &self.rules.traces[trace.index()];
        let cx = self.asked_of(thing);
        match answer.gate {
            Gate::Never | Gate::Open => {
                let verdict = rule
                    .verdicts
                    .iter()
                    .find(|v| v.line == answer.line && answer.length.is_none())?;
                Some((verdict.when, cx))
            }
            gate => {
                let when = gate_of(rule.legs.get(answer.leg?)?, gate)?;
                Some((when, cx.with(1, ThingRef::Space(answer.stop?))))
            }
        }
    }

    fn take_apart(
        &self,
        id: ExprId,
        cx: &Cx,
        through: &mut Vec<DefineId>,
        room: &mut Room,
        out: &mut Vec<Reason>,
    ) -> Result<(), EvalFault> {
        let holds = self.holds(id, cx)?;
        if room.parts == 0 {
            return Ok(());
        }
        room.parts -= 1;
        match self.rules.node(id) {
            Node::Not(inner) => return self.take_apart(*inner, cx, through, room, out),
            Node::And(parts) | Node::Or(parts) => {
                let all = matches!(self.rules.node(id), Node::And(_)) == holds;
                for part in parts {
                    // A part that cannot be worked out was not asked, and decides nothing.
                    if self.holds(*part, cx).is_ok_and(|h| all || h == holds) {
                        self.take_apart(*part, cx, through, room, out)?;
                    }
                }
                return Ok(());
            }
            Node::Define(define, of) => {
                let body = &self.rules.defines[define.index()];
                // Where its thing is not there, its parts were not asked.
                if body.ty == Type::Truth
                    && let Some(inner) = self.inner(*of, body.of, cx)?
                {
                    through.push(*define);
                    let done = self.take_apart(body.value, &inner, through, room, out);
                    through.pop();
                    return done;
                }
            }
            _ => {}
        }
        let rests_on = match self.answer_in(id) {
            Some((trace, of, asked)) if room.deep > 0 => {
                self.rests_on(trace, of, asked, cx, room)?
            }
            _ => None,
        };
        // What was said once is not said again.
        if !out.iter().any(|r| {
            r.id == id && r.cx.subject(0) == cx.subject(0) && r.cx.subject(1) == cx.subject(1)
        }) {
            out.push(Reason { id, cx: *cx, holds, through: through.clone(), rests_on });
        }
        Ok(())
    }

    /// The answer that a condition compares with a word.
    fn answer_in(&self, id: ExprId) -> Option<(TraceId, ExprId, Asked)> {
        match self.rules.node(id) {
            Node::Verdict(trace, of, asked) => Some((*trace, *of, *asked)),
            Node::Same(left, _) => match self.rules.node(*left) {
                Node::Verdict(trace, of, asked) => Some((*trace, *of, *asked)),
                _ => None,
            },
            _ => None,
        }
    }

    fn rests_on(
        &self,
        trace: TraceId,
        of: ExprId,
        asked: Asked,
        cx: &Cx,
        room: &mut Room,
    ) -> Result<Option<RestsOn>, EvalFault> {
        let Some(thing) = self.value(of, cx)?.thing() else { return Ok(None) };
        let mut found = RestsOn {
            trace,
            thing,
            viewer: cx.viewer,
            answer: None,
            route: Vec::new(),
            because: Vec::new(),
        };
        if asked == Asked::Kept && self.world.kept(trace, thing).is_some() {
            return Ok(Some(found));
        }
        let before = self.asking.replace(cx.viewer.or(self.asking.get()));
        room.deep -= 1;
        let done = self.rest(trace, thing, room, &mut found);
        room.deep += 1;
        self.asking.set(before);
        done?;
        Ok(Some(found))
    }

    fn rest(
        &self,
        trace: TraceId,
        thing: ThingRef,
        room: &mut Room,
        found: &mut RestsOn,
    ) -> Result<(), EvalFault> {
        let answer = self.answer(trace, thing)?;
        found.route = self.route(trace, thing)?;
        if let Some((id, cx)) = self.decided_by(trace, thing, &answer) {
            self.take_apart(id, &cx, &mut Vec::new(), room, &mut found.because)?;
        }
        found.answer = Some(answer);
        Ok(())
    }
}

/// The condition of a gate.
pub(super) fn gate_of(leg: &Leg, gate: Gate) -> Option<ExprId> {
    match gate {
        Gate::From => leg.from.when,
        Gate::Through => leg.through_alone().when,
        Gate::Stopping => leg.stopping.as_ref()?.gate.when,
        Gate::Into => leg.own_into().when,
        _ => None,
    }
}
