//! The answer of a trace for one thing, with what it rests on: the one record of which every report is a view.

use super::field::{NONE, neighbours};
use super::{EvalFault, Position};
use crate::ir::{LineId, TraceId};
use crate::world::ThingRef;

/// What settled an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
pub enum Gate {
    /// a `never`, or the unit stands nowhere
    Never = 0,
    /// the condition on the first space
    From = 1,
    /// the condition on a space between
    Through = 2,
    /// the condition on the last space
    Into = 3,
    /// the budget
    Within = 4,
    /// no source can be reached at all
    Source = 5,
    /// none: there is a line, or none is needed
    Open = 6,
}

/// The answer of a trace for one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Yes or no.
    pub yes: bool,
    /// The line of the ruleset that decided.
    pub line: LineId,
    /// The space it was asked in.
    pub space: Option<u32>,
    /// How long the line may be; none for unlimited.
    pub budget: Option<u32>,
    /// How long the line is; none where no line was traced or found.
    pub length: Option<u32>,
    /// The name of its source, as a place in the trace's sources.
    pub source: Option<u16>,
    /// The space where it ends.
    pub end: Option<u32>,
    /// The first space that stopped it; none for a yes.
    pub stop: Option<u32>,
    /// What stopped it.
    pub gate: Gate,
}

impl Position<'_> {
    /// Asks a trace about a unit or a space, afresh.
    pub fn answer(&self, trace: TraceId, thing: ThingRef) -> Result<Answer, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let viewer = self.viewer_of(thing);
        let space = match thing {
            ThingRef::Unit(u) => self.world.space_of(u),
            ThingRef::Space(s) => Some(s),
            _ => None,
        };
        let mut answer = Answer {
            yes: false,
            line: rule.line,
            space,
            budget: None,
            length: None,
            source: None,
            end: None,
            stop: None,
            gate: Gate::Never,
        };
        let cx = super::Cx::of(viewer, thing);
        for verdict in &rule.verdicts {
            if self.holds(verdict.when, &cx)? {
                answer.yes = verdict.always;
                answer.line = verdict.line;
                answer.gate = if verdict.always { Gate::Open } else { Gate::Never };
                return Ok(answer);
            }
        }
        let Some(start) = space else { return Ok(answer) };
        answer.budget = self.budget(trace, thing)?;
        let field = self.field(trace, viewer, thing)?;
        let length = field.length[start as usize];
        if field.from[start as usize] && length != NONE && answer.budget.is_none_or(|b| length <= b) {
            let end = self.end_of_line(trace, &field, start);
            let source = field.source[end as usize];
            answer.yes = true;
            answer.gate = Gate::Open;
            answer.length = Some(length);
            answer.end = Some(end);
            answer.source = source;
            answer.line = source.and_then(|s| rule.sources.get(usize::from(s))).map_or(rule.line, |s| s.line);
            return Ok(answer);
        }
        self.why_not(trace, &field, start, &mut answer);
        Ok(answer)
    }

    /// The longest a line of this thing may be; what is barred allows no step at all.
    pub fn budget(&self, trace: TraceId, thing: ThingRef) -> Result<Option<u32>, EvalFault> {
        let Some(amount) = self.rules.traces[trace.index()].leg.within.amount else { return Ok(None) };
        let value = self.value(amount, &self.asked_of(thing))?;
        Ok(Some(value.amount().map_or(0, |a| u32::try_from(a.floor().to_integer().max(0)).unwrap_or(u32::MAX))))
    }

    /// Where the first of the shortest lines ends, in the order of the map.
    fn end_of_line(&self, trace: TraceId, field: &super::field::Field, start: u32) -> u32 {
        let links = &self.rules.traces[trace.index()].leg.links;
        let mut at = start;
        while field.length[at as usize] > 0 {
            let left = field.length[at as usize] - 1;
            let next = neighbours(self, links, at)
                .filter(|n| field.length[*n as usize] == left && (left == 0 || field.through[*n as usize]))
                .min();
            match next {
                Some(next) => at = next,
                None => return at,
            }
        }
        at
    }

    /// What stands first in the way: `from` of the own space, else the first shut gate of the shortest way there would
    /// be without any, else the budget.
    fn why_not(&self, trace: TraceId, field: &super::field::Field, start: u32, answer: &mut Answer) {
        let leg = &self.rules.traces[trace.index()].leg;
        let open = vec![true; field.source.len()];
        let bare = field.flood(self, &leg.links, &open, &open);
        let nearest = bare[start as usize];
        if nearest == NONE {
            answer.gate = Gate::Source;
            answer.line = leg.line;
            return;
        }
        if !field.from[start as usize] {
            answer.gate = Gate::From;
            answer.stop = Some(start);
            answer.line = leg.from.line;
            return;
        }
        let within = |length: u32| answer.budget.is_none_or(|b| length <= b);
        let mut at = start;
        let mut gone = 0;
        if within(nearest) {
            // Some way is short enough, so a gate must be shut on each; the first such way in the order of the map.
            while bare[at as usize] > 0 {
                let left = bare[at as usize] - 1;
                at = neighbours(self, &leg.links, at).filter(|n| bare[*n as usize] == left).min().unwrap_or(at);
                if left > 0 && !field.through[at as usize] {
                    (answer.gate, answer.stop, answer.line) = (Gate::Through, Some(at), leg.through.line);
                    return;
                }
            }
            (answer.gate, answer.stop, answer.line) = (Gate::Into, Some(at), leg.into.line);
            return;
        }
        // Every way is too long: the line runs out on the shortest open one, or on the shortest there is.
        let lengths = if field.length[start as usize] == NONE { &bare } else { &field.length };
        while gone < answer.budget.unwrap_or(0) {
            let left = lengths[at as usize].saturating_sub(1);
            at = neighbours(self, &leg.links, at).filter(|n| lengths[*n as usize] == left).min().unwrap_or(at);
            gone += 1;
        }
        (answer.gate, answer.stop, answer.line) = (Gate::Within, Some(at), leg.within.line);
    }
}
