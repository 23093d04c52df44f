//! The answer of a trace for one thing, with what it rests on: the one record of which every report
//! is a view.

use super::board::space_of;
use super::field::{Field, Gates, NONE, onward};
use super::lines::{Leave, length_of};
use super::ways_out::WayOut;
use super::{EvalFault, Position};
use crate::ir::{Leg, LineId, Trace, TraceId};
use crate::world::ThingRef;

/// What settled an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
pub enum Gate {
    /// a `never`, or the unit stands nowhere
    Never = 0,
    /// the condition on the first space of a leg
    From = 1,
    /// the condition on a space between
    Through = 2,
    /// the condition on the last space of a leg
    Into = 3,
    /// the budget
    Within = 4,
    /// no source can be reached at all
    Source = 5,
    /// none: there is a line, or none is needed
    Open = 6,
    /// the unit may not enter the space
    Cost = 7,
    /// no line of `over` allows the step
    Over = 8,
    /// a space that ends the leg which comes to it
    Stopping = 9,
}

impl Gate {
    /// The line of the ruleset that states it.
    #[must_use]
    pub fn line_of(self, leg: &Leg) -> LineId {
        match self {
            Gate::From => match &leg.only {
                Some(only) if only.from.is_none() => only.gate.line,
                _ => leg.from.line,
            },
            Gate::Through => leg.through.line,
            Gate::Into => leg.into.line,
            Gate::Within => leg.within.line,
            Gate::Over => leg.over_line,
            Gate::Stopping => leg.stopping.as_ref().map_or(leg.line, |s| s.gate.line),
            Gate::Never | Gate::Source | Gate::Open | Gate::Cost => leg.line,
        }
    }
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
    /// How long the first leg may be; none for unlimited.
    pub budget: Option<u32>,
    /// How long the whole line is; none where no line was traced or found.
    pub length: Option<u32>,
    /// The name of the source in which the whole line ends, as a place in the trace's sources.
    pub source: Option<u16>,
    /// The space where the whole line ends.
    pub end: Option<u32>,
    /// The first space that stopped it; none for a yes.
    pub stop: Option<u32>,
    /// The leg that was stopped there.
    pub leg: Option<usize>,
    /// What stopped it.
    pub gate: Gate,
}

/// One stretch of a line: a leg, and its spaces with the cost so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// Which leg.
    pub leg: usize,
    /// Its spaces, the first and the last included, each with the cost of this leg so far.
    pub spaces: Vec<(u32, u32)>,
    /// Whether it ends at a relay, where the line begins again.
    pub relay: bool,
}

impl Position<'_> {
    /// What a trace is asked of: every unit of its kind that stands on the map, or every space of
    /// its kind.
    pub fn asked_about(&self, trace: TraceId) -> impl Iterator<Item = ThingRef> + '_ {
        let of = self.rules.traces[trace.index()].of;
        let on_map = |unit: &u32| self.world.space_of(*unit).is_some();
        let units = (0u32..).take(self.world.units.len()).filter(on_map).map(ThingRef::Unit);
        let spaces = (0u32..).take(self.map.spaces.len()).map(ThingRef::Space);
        units.chain(spaces).filter(move |thing| self.is_kind(*thing, of))
    }

    /// Asks a trace about a unit or a space, afresh.
    pub fn answer(&self, trace: TraceId, thing: ThingRef) -> Result<Answer, EvalFault> {
        self.answer_along(trace, thing, &mut Vec::new())
    }

    /// The same with the spaces of the line from its own to its source, each once; none if it has
    /// or needs no line.
    pub fn answer_and_route(
        &self,
        trace: TraceId,
        thing: ThingRef,
    ) -> Result<(Answer, Vec<u32>), EvalFault> {
        let (answer, way) = self.answer_and_way(trace, thing)?;
        let route = if answer.yes { way } else { Vec::new() };
        Ok((answer, route))
    }

    /// The same; where the answer is no, with the spaces up to the one that stopped the line, if
    /// the line that it would have comes there.
    pub fn answer_and_way(
        &self,
        trace: TraceId,
        thing: ThingRef,
    ) -> Result<(Answer, Vec<u32>), EvalFault> {
        let mut along = Vec::new();
        let answer = self.answer_along(trace, thing, &mut along)?;
        let spaces = along.iter().flat_map(|stretch| stretch.spaces.iter().map(|(s, _)| *s));
        let mut way: Vec<u32> = spaces.collect();
        way.dedup();
        if !answer.yes {
            match way.iter().position(|space| Some(*space) == answer.stop) {
                Some(at) => way.truncate(at + 1),
                None => way.clear(),
            }
        }
        Ok((answer, way))
    }

    /// The same; `along` becomes the line that was found, or the one that would be there but for
    /// what stopped it.
    pub(super) fn answer_along(
        &self,
        trace: TraceId,
        thing: ThingRef,
        along: &mut Vec<Stretch>,
    ) -> Result<Answer, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let space = self.begins(thing);
        let mut answer = Answer {
            yes: false,
            line: rule.line,
            space,
            budget: None,
            length: None,
            source: None,
            end: None,
            stop: None,
            leg: None,
            gate: Gate::Never,
        };
        let cx = self.asked_of(thing);
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
        let (line, yes) = if rule.is_chain() {
            let lines = self.lines(trace, thing, &Leave::default())?;
            (lines.line(self, rule, start), lines.goes_on(self, rule, 0, start))
        } else {
            let line = self.single_line(trace, thing, start, answer.budget)?;
            let yes = !line.is_empty() || self.is_yes(trace, thing)?;
            (line, yes)
        };
        if !yes {
            *along = self.why_not(trace, thing, start, &mut answer)?;
            self.budget_by_source(trace, thing, &mut answer, along)?;
            return Ok(answer);
        }
        let gates = self.gates(trace, thing)?;
        let end = line.last().and_then(|s| s.spaces.last()).map_or(start, |(s, _)| *s);
        answer.yes = true;
        answer.gate = Gate::Open;
        answer.length = Some(length_of(rule, &line));
        answer.end = Some(end);
        answer.source = gates.source[end as usize];
        answer.line = answer
            .source
            .and_then(|s| rule.sources.get(usize::from(s)))
            .map_or(rule.line, |s| s.line);
        self.budget_by_source(trace, thing, &mut answer, &line)?;
        *along = line;
        Ok(answer)
    }

    /// Where the source gives the budget of the first leg, it is that of the line which was looked
    /// at; the most that any source gives where there is none.
    fn budget_by_source(
        &self,
        trace: TraceId,
        thing: ThingRef,
        answer: &mut Answer,
        along: &[Stretch],
    ) -> Result<(), EvalFault> {
        let legs = &self.rules.traces[trace.index()].legs;
        let Some(first) = legs.first().filter(|leg| leg.by_source.is_some()) else {
            return Ok(());
        };
        let taken = answer.leg.or_else(|| along.first().map(|stretch| stretch.leg));
        let taken = taken.and_then(|leg| legs.get(leg)).filter(|leg| leg.name == first.name);
        if let Some(leg) = taken {
            answer.budget = self.budget_of(leg, thing)?;
        }
        Ok(())
    }

    /// The source whose amount gives a budget: where the line ends, or the one would that was looked
    /// at.
    pub fn source_of_budget(
        &self,
        trace: TraceId,
        thing: ThingRef,
    ) -> Result<Option<u32>, EvalFault> {
        let mut along = Vec::new();
        self.answer_along(trace, thing, &mut along)?;
        Ok(along.last().and_then(|stretch| stretch.spaces.last()).map(|(space, _)| *space))
    }

    /// For each space how long the shortest line is that begins there, whatever the own limit of a
    /// thing where one leg alone decides.
    pub fn line_lengths(
        &self,
        trace: TraceId,
        thing: ThingRef,
    ) -> Result<Vec<Option<u32>>, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let spaces = 0..u32::try_from(self.map.spaces.len()).unwrap_or(NONE);
        if rule.is_chain() {
            let lines = self.lines(trace, thing, &Leave::default())?;
            return Ok(spaces.map(|s| lines.length(self, rule, s)).collect());
        }
        let field = self.field(trace, thing)?;
        let gates = self.gates(trace, thing)?;
        let of = |space: u32| {
            let begins = gates.legs[0].from[space as usize];
            let skipped = rule.legs[0].optional && gates.source[space as usize].is_some();
            let length = Some(field.lengths()[space as usize]).filter(|l| *l != NONE && begins);
            if skipped { Some(0) } else { length.filter(|l| field.fits_budget(0, *l)) }
        };
        Ok(spaces.map(of).collect())
    }

    /// The line of a trace of one leg without relays; empty if there is none, or none is needed.
    fn single_line(
        &self,
        trace: TraceId,
        thing: ThingRef,
        start: u32,
        budget: Option<u32>,
    ) -> Result<Vec<Stretch>, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let field = self.field(trace, thing)?;
        let fits = |_: &usize| {
            !rule.is_plain() || budget.is_none_or(|b| field.lengths()[start as usize] <= b)
        };
        let Some(round) = field.round_of(start).filter(fits) else { return Ok(Vec::new()) };
        let gates = self.gates(trace, thing)?;
        Ok(self.walk(rule, &field, &gates, start, round))
    }

    /// Whether the answer is yes, without what it rests on: why there is no line takes more
    /// searches than that there is none.
    pub fn is_yes(&self, trace: TraceId, thing: ThingRef) -> Result<bool, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let cx = self.asked_of(thing);
        for verdict in &rule.verdicts {
            if self.holds(verdict.when, &cx)? {
                return Ok(verdict.always);
            }
        }
        let space = self.begins(thing);
        let Some(start) = space else { return Ok(false) };
        let budget = self.budget(trace, thing)?;
        let field = self.field(trace, thing)?;
        let fits = !rule.is_plain() || budget.is_none_or(|b| field.lengths()[start as usize] <= b);
        Ok(fits && field.round_of(start).is_some())
    }

    /// The longest the first leg of this thing may be.
    pub fn budget(&self, trace: TraceId, thing: ThingRef) -> Result<Option<u32>, EvalFault> {
        match self.rules.traces[trace.index()].legs.first() {
            Some(leg) => self.budget_of(leg, thing),
            None => Ok(None),
        }
    }

    /// The longest a leg of this thing may be; none for unlimited, or for a leg that is not there.
    pub fn leg_budget(
        &self,
        trace: TraceId,
        leg: usize,
        thing: ThingRef,
    ) -> Result<Option<u32>, EvalFault> {
        self.rules.traces[trace.index()]
            .legs
            .get(leg)
            .map_or(Ok(None), |leg| self.budget_of(leg, thing))
    }

    /// The line of a thing, leg by leg and from relay to relay; empty if it has or needs none.
    pub fn line(&self, trace: TraceId, thing: ThingRef) -> Result<Vec<Stretch>, EvalFault> {
        let mut along = Vec::new();
        let answer = self.answer_along(trace, thing, &mut along)?;
        Ok(if answer.yes { along } else { Vec::new() })
    }

    /// Walks the cheapest line from a space, ties by the order of the map.
    pub(super) fn walk(
        &self,
        rule: &Trace,
        field: &Field,
        gates: &Gates,
        start: u32,
        round: usize,
    ) -> Vec<Stretch> {
        let mut line: Vec<Stretch> = Vec::new();
        let (mut at, mut round) = (start, round);
        loop {
            let here = &field.rounds[round];
            let mut place = 0;
            while place < usize::from(rule.places) {
                let fits = |leg: usize| {
                    usize::from(rule.legs[leg].place) == place
                        && gates.legs[leg].from[at as usize]
                        && field.fits_budget(leg, here.cost[leg][at as usize])
                };
                match (0..rule.legs.len()).find(|l| fits(*l)) {
                    // A leg that may be skipped is, where the rest of the line can begin at once.
                    Some(leg)
                        if !(rule.legs[leg].optional && here.starts[place + 1][at as usize]) =>
                    {
                        let spaces = self.walk_leg(
                            rule,
                            field,
                            gates,
                            &here.cost[leg],
                            &here.starts[place + 1],
                            leg,
                            at,
                        );
                        at = spaces.last().map_or(at, |(s, _)| *s);
                        line.push(Stretch { leg, spaces, relay: false });
                    }
                    _ => {}
                }
                place += 1;
            }
            // At a source the line ends; at a relay it begins again with what was known before that
            // relay was live.
            let live = field.live[at as usize];
            if gates.source[at as usize].is_some() || live == NONE || live as usize >= round {
                return line;
            }
            if let Some(last) = line.last_mut() {
                last.relay = true;
            }
            round = live as usize;
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one step of the walk above, kept apart to be read alone"
    )]
    fn walk_leg(
        &self,
        rule: &Trace,
        field: &Field,
        gates: &Gates,
        cost: &[u32],
        ends: &[bool],
        leg: usize,
        start: u32,
    ) -> Vec<(u32, u32)> {
        let links = &rule.legs[leg].links;
        let (turns, through) = (self.board().turns(links), &gates.legs[leg].through);
        let of = |node: u32| space_of(turns.as_deref(), node);
        let mut spaces = vec![(start, 0)];
        // All nodes of the last space that such a line may have come to; they are equally far.
        let (mut at, mut gone) = (vec![start], 0u32);
        while let Some(left) = at.first().map(|node| cost[*node as usize]).filter(|left| *left > 0)
        {
            let here = of(at[0]);
            let steps = || {
                let onward =
                    at.iter().flat_map(|node| onward(self, links, turns.as_deref(), *node));
                let steps = onward.filter_map(|n| Some((n, field.step(leg, here, of(n))?)));
                let shortest = steps.filter(|(n, step)| {
                    cost[*n as usize] != NONE && cost[*n as usize].saturating_add(*step) == left
                });
                shortest.filter(|(n, _)| {
                    cost[*n as usize] == 0 && ends[of(*n) as usize] || through[of(*n) as usize]
                })
            };
            let Some((next, step)) = steps().map(|(n, step)| (of(n), step)).min() else { break };
            let found: Vec<u32> = match &turns {
                Some(_) => steps().map(|(n, _)| n).filter(|n| of(*n) == next).collect(),
                None => vec![next],
            };
            gone = gone.saturating_add(step);
            spaces.push((next, gone));
            at = found;
        }
        spaces
    }

    /// What stands in the way, found by leaving things out of account. With shut gates weighed
    /// there is a line: the one with the fewest. With one endless budget, or all, there is one.
    /// With nothing barred there is one. What is named is the first that stops such a line,
    /// whatever it is. Else no source can be reached. Gives the line that was looked at.
    fn why_not(
        &self,
        trace: TraceId,
        thing: ThingRef,
        start: u32,
        answer: &mut Answer,
    ) -> Result<Vec<Stretch>, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let all: Vec<usize> = (0..rule.legs.len()).collect();
        let endless = |endless: Vec<usize>| Leave { endless, ..Leave::default() };
        let weighed = Leave { gates: true, ..Leave::default() };
        let mut tries: Vec<Leave> = vec![weighed.clone()];
        if self.lines(trace, thing, &weighed)?.length(self, rule, start).is_none() {
            // A single leg that reaches too short a way is a better cause than several.
            let mut alone: Vec<(u32, usize)> = Vec::new();
            for leg in &all {
                let found = self.lines(trace, thing, &endless(vec![*leg]))?;
                alone.extend(found.length(self, rule, start).map(|length| (length, *leg)));
            }
            tries.extend(alone.into_iter().min().map(|(_, leg)| endless(vec![leg])));
            tries.push(endless(all.clone()));
            tries.push(Leave { gates: true, endless: all.clone(), barred: false });
            tries.push(Leave { gates: true, endless: all, barred: true });
        }
        let mut outward = None;
        let mut first: Option<(Vec<Stretch>, Option<Stop>)> = None;
        for leave in tries {
            let line = self.lines(trace, thing, &leave)?.line(self, rule, start);
            if line.is_empty() {
                continue;
            }
            let stops = self.stops(trace, thing, &line)?;
            // A budget that ends before a space to which the leg comes otherwise stops nothing, nor does
            // a barred step to it: then it is what stops a way out too, on this line or the next.
            let otherwise = |stop: &Stop| match stop.gate {
                Gate::Within => rule.is_chain(),
                Gate::Cost | Gate::Over => true,
                _ => false,
            };
            let bars = match stops.first() {
                Some(stop) if otherwise(stop) => {
                    if outward.is_none() {
                        outward = Some(self.stops_outward(trace, thing, start)?);
                    }
                    let of = |s: &Stop| (s.leg, s.space, s.gate);
                    let met = |s: &&Stop| {
                        outward.iter().flatten().any(|w| (w.leg, w.space, w.gate) == of(s))
                    };
                    stops.iter().find(met).copied()
                }
                other => other.copied(),
            };
            if let Some(stop) = bars {
                stop.name(answer);
                return Ok(line);
            }
            first.get_or_insert((line, stops.first().copied()));
        }
        // No line of these is stopped by what stops the ways out: the nearest of them is named, alone.
        if let Some(way) = outward.iter().flatten().min() {
            stop_of(rule, way).name(answer);
            return Ok(Vec::new());
        }
        let (line, stop) = first.unwrap_or_default();
        match stop {
            Some(stop) => stop.name(answer),
            None => {
                answer.gate = Gate::Source;
                if line.is_empty() {
                    answer.line = self.line_of_no_source(trace, thing)?;
                }
            }
        }
        Ok(line)
    }

    /// Where the lines of a thing begin.
    pub(crate) fn begins(&self, thing: ThingRef) -> Option<u32> {
        match thing {
            ThingRef::Unit(unit) => self.world.space_of(unit),
            ThingRef::Space(space) => Some(space),
            ThingRef::Link(_) | ThingRef::Side(_) | ThingRef::World => None,
        }
    }

    /// What says that no source can be reached: where nothing is one, the line that says what is;
    /// else the links, which lead to none.
    fn line_of_no_source(&self, trace: TraceId, thing: ThingRef) -> Result<LineId, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        if self.gates(trace, thing)?.source.iter().any(Option::is_some) {
            return Ok(rule.legs.first().map_or(rule.line, |leg| leg.line));
        }
        Ok(match rule.sources.as_slice() {
            [one] => one.line,
            _ => rule.line,
        })
    }

    /// Whether there would be a line within the budgets if shut gates stopped none.
    pub(super) fn is_stopped_within(
        &self,
        trace: TraceId,
        thing: ThingRef,
        start: u32,
    ) -> Result<bool, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let weighed = Leave { gates: true, ..Leave::default() };
        Ok(self.lines(trace, thing, &weighed)?.length(self, rule, start).is_some())
    }

    /// All that stops a line, from its beginning: shut gates, steps that are barred, and the last
    /// spaces within the budgets of its legs.
    fn stops(
        &self,
        trace: TraceId,
        thing: ThingRef,
        line: &[Stretch],
    ) -> Result<Vec<Stop>, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let gates = self.gates(trace, thing)?;
        let enter = self.costs(trace, thing, &self.profile(trace, thing)?, false)?;
        let mut stops = Vec::new();
        for stretch in line {
            let (at, leg, of_leg) =
                (stretch.leg, &rule.legs[stretch.leg], &gates.legs[stretch.leg]);
            let budget = self.budget_of(leg, thing)?;
            let (mut before, mut too_long): (Option<u32>, bool) = (None, false);
            for (nth, (space, cost)) in stretch.spaces.iter().enumerate() {
                let s = *space as usize;
                let last = nth + 1 == stretch.spaces.len();
                let found = match before {
                    Some(from) if enter[at].step(from, *space).is_none() => {
                        Some((self.barred_step(leg, thing, from, *space)?, *space))
                    }
                    Some(from) if !too_long && budget.is_some_and(|b| *cost > b) => {
                        too_long = true;
                        Some((Gate::Within, from))
                    }
                    None if !of_leg.from[s] => Some((Gate::From, *space)),
                    Some(_) if !last && !of_leg.through[s] => {
                        Some((self.between_gate(leg, thing, *space)?, *space))
                    }
                    _ if last && !of_leg.into[s] => Some((Gate::Into, *space)),
                    _ => None,
                };
                stops.extend(found.map(|(gate, space)| Stop {
                    gate,
                    space,
                    leg: at,
                    line: gate.line_of(leg),
                }));
                before = Some(*space);
            }
        }
        Ok(stops)
    }
}

/// What stops a line in one of its spaces.
#[derive(Clone, Copy)]
struct Stop {
    gate: Gate,
    space: u32,
    leg: usize,
    line: LineId,
}

/// Where a way out stops, with the line of the ruleset that stops it.
fn stop_of(rule: &Trace, way: &WayOut) -> Stop {
    let line = way.gate.line_of(&rule.legs[way.leg]);
    Stop { gate: way.gate, space: way.space, leg: way.leg, line }
}

impl Stop {
    /// Names it in an answer.
    fn name(self, answer: &mut Answer) {
        (answer.gate, answer.line) = (self.gate, self.line);
        (answer.stop, answer.leg) = (Some(self.space), Some(self.leg));
    }
}
