//! What an answer rests on, counted where somebody counts: the gates along the line, what a step
//! cost, what stopped it.
//!
//! A search asks the gates of every space of the map, and most of them bear on nothing. So searches
//! are quiet, and behind the answer its own line is walked once more, aloud.

use super::answer::Stretch;
use super::cx::Cx;
use super::evaluate::Ground;
use super::{Answer, EvalFault, Gate, Position};
use crate::ir::*;
use crate::world::ThingRef;

impl Position<'_> {
    /// Forgets what was counted, here and by the ruleset.
    pub fn count_afresh(&self) {
        self.noted.borrow_mut().clear();
        self.rules.seen.clear();
    }

    /// Counts what the answer of a trace for a thing rests on, once however often it is asked;
    /// nothing unless the ruleset counts.
    pub fn note(&self, trace: TraceId, thing: ThingRef) -> Result<(), EvalFault> {
        let seen = &self.rules.seen;
        if !seen.is_on() {
            return Ok(());
        }
        let key = ((trace, thing, self.asking.get()), seen.counts_lines());
        if !self.noted.borrow_mut().insert(key) || self.apart.get() {
            return Ok(());
        }
        self.note_grounds(trace, thing)
    }

    /// Counts what something rests on but for the answers of traces among it, and gives these; what
    /// was counted before is forgotten.
    pub fn count_apart<T>(
        &self,
        ask: impl FnOnce() -> Result<T, EvalFault>,
    ) -> Result<Vec<Ground>, EvalFault> {
        self.count_afresh();
        self.apart.set(true);
        let asked = ask();
        self.apart.set(false);
        asked?;
        let noted = self.noted.borrow();
        Ok(noted.iter().filter(|(_, lines)| *lines).map(|(ground, _)| *ground).collect())
    }

    /// Counts what the answer of a trace for a thing rests on.
    pub fn note_grounds(&self, trace: TraceId, thing: ThingRef) -> Result<(), EvalFault> {
        let seen = &self.rules.seen;
        let rule = &self.rules.traces[trace.index()];
        seen.line(rule.line);
        let cx = self.asked_of(thing);
        for verdict in &rule.verdicts {
            if self.holds(verdict.when, &cx)? {
                seen.line(verdict.line);
                return Ok(());
            }
        }
        let mut along = Vec::new();
        let answer = seen.quietly(|| self.answer_along(trace, thing, &mut along))?;
        if !answer.yes {
            seen.readings_of(|| self.note_ends(rule, thing))?;
        }
        for stretch in &along {
            if !self.note_stretch(rule, stretch, thing, &answer)? {
                return Ok(());
            }
        }
        if let (true, Some(source), Some(end)) = (answer.yes, answer.source, answer.end) {
            // The sources before it were asked too, and were none.
            for source in rule.sources.iter().take(usize::from(source) + 1) {
                if self.holds(source.when, &cx.with(1, ThingRef::Space(end)))? {
                    seen.line(source.line);
                }
            }
        }
        Ok(())
    }

    /// Asks every space whether it is a source or a relay, where that reads a ruling: a no rests on
    /// those that are none.
    fn note_ends(&self, rule: &Trace, thing: ThingRef) -> Result<(), EvalFault> {
        let cx = self.asked_of(thing);
        let board = self.board();
        let ends = rule.sources.iter().chain(&rule.relays);
        for end in ends.filter(|end| board.reads_ruling(end.when)) {
            for space in (0u32..).zip(&self.map.spaces).map(|(at, _)| ThingRef::Space(at)) {
                self.holds(end.when, &cx.with(1, space))?;
            }
        }
        Ok(())
    }

    /// Counts one stretch of a line; whether the line goes on behind it.
    fn note_stretch(
        &self,
        rule: &Trace,
        stretch: &Stretch,
        thing: ThingRef,
        answer: &Answer,
    ) -> Result<bool, EvalFault> {
        let seen = &self.rules.seen;
        let leg = &rule.legs[stretch.leg];
        let budget = self.budget_of(leg, thing)?;
        let last = stretch.spaces.len().saturating_sub(1);
        let (from, through, into) = (leg.own_from(), leg.through_alone(), leg.own_into());
        let only = leg.only.as_ref().map_or(&from, |only| &only.gate);
        let mut before: Option<u32> = None;
        for (at, (space, gone)) in stretch.spaces.iter().enumerate() {
            if let Some(from) = before.replace(*space)
                && self.step_cost(leg, thing, from, *space)?.is_none()
            {
                seen.barred(leg.line);
                return Ok(false);
            }
            if budget.is_some_and(|b| *gone > b) {
                seen.barred(leg.within.line);
                return Ok(false);
            }
            // What stands first in the way is told; gates that are shut farther on do not matter.
            let stopping = leg.stopping.as_ref().map_or(&through, |stopping| &stopping.gate);
            let between = at > 0 && at < last;
            let gates = [
                (at == 0 && leg.only.is_some(), only),
                (at == 0, &from),
                (between, &through),
                (between && leg.stopping.is_some(), stopping),
                (at == last, &into),
            ];
            for (_, gate) in gates.into_iter().filter(|(asked, _)| *asked) {
                if !self.note_gate(gate, *space, thing)? && answer.gate != Gate::Within {
                    return Ok(false);
                }
            }
        }
        seen.line(leg.line);
        seen.line(leg.within.line);
        if stretch.relay
            && let Some((end, _)) = stretch.spaces.last()
        {
            for relay in &rule.relays {
                if self.holds(relay.when, &self.asked_of(thing).with(1, ThingRef::Space(*end)))? {
                    seen.line(relay.line);
                    break;
                }
            }
        }
        Ok(true)
    }

    fn note_gate(
        &self,
        gate: &crate::ir::Gate,
        space: u32,
        thing: ThingRef,
    ) -> Result<bool, EvalFault> {
        let open = match gate.when {
            Some(when) => {
                self.holds(when, &self.asked_of(thing).with(1, ThingRef::Space(space)))?
            }
            None => true,
        };
        if open {
            self.rules.seen.line(gate.line);
        } else {
            self.rules.seen.barred(gate.line);
        }
        Ok(open)
    }

    /// Counts what the chance of an outcome rests on: what is added to the dice, and the rows of
    /// that outcome.
    pub(super) fn note_chance(
        &self,
        test: TestId,
        outcome: u16,
        thing: ThingRef,
    ) -> Result<(), EvalFault> {
        let seen = &self.rules.seen;
        if !seen.is_on() {
            return Ok(());
        }
        let rule = &self.rules.tests[test.index()];
        seen.line(rule.line);
        let cx: Cx = self.asked_of(thing);
        let cx = cx.rolling(0, self.total(test, &cx, 0)?);
        for (when, result, line) in &rule.rows {
            // What a row reads moves the chance of each outcome.
            if let Some(when) = when {
                self.holds(*when, &cx)?;
            }
            if *result == outcome {
                seen.line(*line);
            }
        }
        Ok(())
    }
}
