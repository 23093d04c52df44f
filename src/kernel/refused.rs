//! Which rules of a trace do not let a line through that other rules have found.
//!
//! The slow and obvious way: the line is walked, and every rule that it meets is asked.

use super::answer::Stretch;
use super::{EvalFault, Position};
use crate::ir::*;
use crate::world::ThingRef;

/// A line that a trace has found, for other rules to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its stretches, each with the name of its leg.
    pub stretches: Vec<(String, Stretch)>,
    /// Where it ends.
    pub end: u32,
    /// The name of the source there.
    pub source: String,
}

/// A rule that does not let a line through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is no leg of that name.
    Leg(String),
    /// The first space of a leg, or who traces it.
    From(String),
    /// A space between.
    Through(String),
    /// The last space of a leg.
    Into(String),
    /// A space at which a leg ends is passed.
    Stopping(String),
    /// A step of a leg is barred, or goes over no link of it.
    Step(String),
    /// A leg is longer than it may be.
    Within(String),
    /// No relay stands where a stretch ends.
    Relay,
    /// No source is where the line ends.
    Source,
}

impl Position<'_> {
    /// The line of a thing; none where it has none, or needs none, or where the source at its end
    /// says how long it may be.
    pub fn found_line(&self, trace: TraceId, thing: ThingRef) -> Result<Option<Line>, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let mut along = Vec::new();
        let seen = &self.rules.seen;
        let answer = seen.quietly(|| self.answer_along(trace, thing, &mut along))?;
        let source = answer.source.and_then(|at| rule.sources.get(usize::from(at)));
        let (true, Some(end), Some(source)) = (answer.yes, answer.end, source) else {
            return Ok(None);
        };
        if rule.legs.iter().any(|leg| leg.by_source.is_some()) {
            return Ok(None);
        }
        let named = |stretch: Stretch| Some((rule.legs.get(stretch.leg)?.name.clone(), stretch));
        let stretches = along.into_iter().filter_map(named).collect();
        Ok(Some(Line { stretches, end, source: source.name.clone() }))
    }

    /// The rules of a trace that do not let a line of a thing through, each as often as it does not;
    /// none where all do, or where no line is asked for.
    pub fn refused(
        &self,
        trace: TraceId,
        thing: ThingRef,
        line: &Line,
    ) -> Result<Vec<Refusal>, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let cx = self.asked_of(thing);
        let holds =
            |when: ExprId, space: u32| self.holds(when, &cx.with(1, ThingRef::Space(space)));
        let any = |all: &[Source], space: u32| -> Result<bool, EvalFault> {
            for one in all {
                if holds(one.when, space)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let mut found = Vec::new();
        for verdict in &rule.verdicts {
            if self.holds(verdict.when, &cx)? {
                return Ok(found);
            }
        }
        for (name, stretch) in &line.stretches {
            match rule.legs.iter().find(|leg| leg.name == *name) {
                Some(leg) => self.refused_stretch(leg, stretch, thing, &mut found)?,
                None => found.push(Refusal::Leg(name.clone())),
            }
            if let Some((end, _)) = stretch.spaces.last().filter(|_| stretch.relay)
                && !any(&rule.relays, *end)?
            {
                found.push(Refusal::Relay);
            }
        }
        if !any(&rule.sources, line.end)? {
            found.push(Refusal::Source);
        }
        Ok(found)
    }

    fn refused_stretch(
        &self,
        leg: &Leg,
        stretch: &Stretch,
        thing: ThingRef,
        found: &mut Vec<Refusal>,
    ) -> Result<(), EvalFault> {
        let cx = self.asked_of(thing);
        let shut = |when: Option<ExprId>, space: u32| match when {
            Some(when) => Ok(!self.holds(when, &cx.with(1, ThingRef::Space(space)))?),
            None => Ok(false),
        };
        let last = stretch.spaces.len().saturating_sub(1);
        let (from, through, into) = (leg.own_from(), leg.through_alone(), leg.own_into());
        let (mut gone, mut before) = (0_u32, None);
        let name = || leg.name.clone();
        for (at, (space, _)) in stretch.spaces.iter().enumerate() {
            if let Some(step) = before.replace(*space) {
                let over = leg.links.iter().any(|kind| self.joined(step, *space, *kind));
                match self.step_cost(leg, thing, step, *space)?.filter(|_| over) {
                    Some(cost) => gone = gone.saturating_add(cost),
                    None => found.push(Refusal::Step(name())),
                }
            }
            if at == 0 {
                let only = leg.only.as_ref().and_then(|only| only.gate.when);
                if shut(from.when, *space)? || shut(only, *space)? {
                    found.push(Refusal::From(name()));
                }
            }
            if at > 0 && at < last {
                if shut(through.when, *space)? {
                    found.push(Refusal::Through(name()));
                }
                if shut(leg.stopping.as_ref().and_then(|stopping| stopping.gate.when), *space)? {
                    found.push(Refusal::Stopping(name()));
                }
            }
            if at == last && shut(into.when, *space)? {
                found.push(Refusal::Into(name()));
            }
        }
        if self.budget_of(leg, thing)?.is_some_and(|most| gone > most) {
            found.push(Refusal::Within(name()));
        }
        Ok(())
    }
}
