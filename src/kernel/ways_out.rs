//! Every way out of a thing that has no line, and where each of them stops: over all legs, their
//! alternatives and relays.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::field::neighbours;
use super::gates::Gates;
use super::lines::{Leave, Lines};
use super::{EvalFault, Gate, Position};
use crate::ir::*;
use crate::world::ThingRef;

/// Where a way out stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WayOut {
    /// The leg that stops there.
    pub leg: usize,
    /// How far it is on that leg.
    pub length: u32,
    /// The space.
    pub space: u32,
    /// The gate that is shut, or [`Gate::Within`] where the budget ends.
    pub gate: Gate,
}

/// What the ways out of a thing are searched among.
struct Search<'s, 'p> {
    position: &'s Position<'p>,
    rule: &'s Trace,
    thing: ThingRef,
    start: u32,
    gates: Arc<Gates>,
    /// The gates without what others do.
    freed: Arc<Gates>,
    lines: Arc<Lines>,
    stops: BTreeSet<WayOut>,
    /// Gates that are shut where a line comes to them, and of no use if they alone were open.
    idle: BTreeSet<WayOut>,
}

impl Position<'_> {
    /// Where every way out of a thing stops, leg by leg, the nearest first; what the answer names
    /// is always among them. Where a leg may not end, or the next not begin, that counts if a line
    /// would go on from there or others shut it; or if nothing else is shut at all.
    pub fn ways_out(&self, trace: TraceId, thing: ThingRef) -> Result<Vec<WayOut>, EvalFault> {
        let mut along = Vec::new();
        let answer = self.answer_along(trace, thing, &mut along)?;
        let Some(start) = answer.space.filter(|_| answer.gate != Gate::Never) else {
            return Ok(Vec::new());
        };
        let mut search = Search {
            position: self,
            rule: &self.rules.traces[trace.index()],
            thing,
            start,
            gates: self.gates(trace, thing)?,
            freed: self.freed_gates(trace, thing)?,
            lines: self.lines(trace, thing, &Leave::default())?,
            stops: BTreeSet::new(),
            idle: BTreeSet::new(),
        };
        let mut begins = BTreeSet::from([start]);
        loop {
            search.stops.clear();
            search.idle.clear();
            let ends = search.chain(&begins)?;
            let before = begins.len();
            begins.extend(ends.into_iter().filter(|end| search.gates.relay[*end as usize]));
            if begins.len() == before {
                break;
            }
        }
        if let (Some(leg), Some(space)) = (answer.leg, answer.stop) {
            let known = |w: &WayOut| (w.leg, w.space, w.gate) == (leg, space, answer.gate);
            if !search.stops.iter().any(known) {
                let of_leg = along.iter().filter(|s| s.leg == leg).flat_map(|s| &s.spaces);
                let length =
                    of_leg.filter(|(s, _)| *s == space).map(|(_, cost)| *cost).min().unwrap_or(0);
                search.stops.insert(WayOut { leg, length, space, gate: answer.gate });
            }
        }
        let stops = if search.stops.is_empty() { search.idle } else { search.stops };
        Ok(stops.into_iter().collect())
    }
}

impl Search<'_, '_> {
    /// One chain of legs from these spaces; gives where it can end.
    fn chain(&mut self, begins: &BTreeSet<u32>) -> Result<BTreeSet<u32>, EvalFault> {
        let mut begins = begins.clone();
        for place in 0..self.rule.places {
            let legs = || self.rule.legs.iter().enumerate().filter(move |(_, l)| l.place == place);
            let mut next =
                if legs().any(|(_, l)| l.optional) { begins.clone() } else { BTreeSet::new() };
            let legs: Vec<usize> = legs().map(|(at, _)| at).collect();
            for leg in legs {
                next.extend(self.leg(leg, &begins)?);
            }
            begins = next;
        }
        Ok(begins)
    }

    /// One leg from all these spaces, cheapest first; gives where it can end.
    fn leg(&mut self, at: usize, begins: &BTreeSet<u32>) -> Result<Vec<u32>, EvalFault> {
        let (position, rule) = (self.position, self.rule);
        let leg = &rule.legs[at];
        let gates = Arc::clone(&self.gates);
        let of_leg = &gates.legs[at];
        let budget = position.budget_of(leg, self.thing)?;
        let mut best: BTreeMap<u32, u32> = BTreeMap::new();
        for space in begins {
            if of_leg.from[*space as usize] {
                best.insert(*space, 0);
            } else if *space == self.start
                || self.freed.legs[at].from[*space as usize]
                || self.lines.serves(at, *space)
            {
                self.stop(at, 0, *space, Gate::From);
            } else {
                self.idle.insert(WayOut { leg: at, length: 0, space: *space, gate: Gate::From });
            }
        }
        let mut queue: BTreeSet<(u32, u32)> = best.keys().map(|s| (0, *s)).collect();
        let mut ends = Vec::new();
        let mut too_long = Vec::new();
        while let Some((gone, space)) = queue.pop_first() {
            let cell = space as usize;
            let shut_end = !of_leg.into[cell] && self.would_end(at, space);
            if of_leg.into[cell] {
                ends.push(space);
            } else if shut_end {
                self.stop(at, gone, space, Gate::Into);
            } else {
                self.idle.insert(WayOut { leg: at, length: gone, space, gate: Gate::Into });
            }
            if gone > 0 && !of_leg.through[cell] {
                if !shut_end {
                    self.stop(at, gone, space, Gate::Through);
                }
                continue;
            }
            for to in neighbours(position, &leg.links, space) {
                let Some(step) = position.step_cost(leg, self.thing, space, to)? else {
                    self.stop(at, gone, to, Gate::Cost);
                    continue;
                };
                let whole = gone.saturating_add(step);
                if best.get(&to).is_some_and(|b| *b <= whole) {
                    continue;
                }
                if budget.is_some_and(|b| whole > b) {
                    too_long.push((gone, space, to));
                    continue;
                }
                if let Some(before) = best.insert(to, whole) {
                    queue.remove(&(before, to));
                }
                queue.insert((whole, to));
            }
        }
        // A space that is reached another way is out of reach from nowhere.
        for (gone, space, _) in too_long.into_iter().filter(|(_, _, to)| !best.contains_key(to)) {
            self.stop(at, gone, space, Gate::Within);
        }
        Ok(ends)
    }

    fn stop(&mut self, leg: usize, length: u32, space: u32, gate: Gate) {
        // A space that cannot be entered is listed once, from nearest by.
        let known = |w: &WayOut| (w.leg, w.space, w.gate) == (leg, space, Gate::Cost);
        if gate != Gate::Cost || !self.stops.iter().any(known) {
            self.stops.insert(WayOut { leg, length, space, gate });
        }
    }

    /// Whether a leg that may not end in a space would be of use there if it might.
    fn would_end(&self, at: usize, space: u32) -> bool {
        let (rule, cell) = (self.rule, space as usize);
        let place = usize::from(rule.legs[at].place) + 1;
        let skipped = |place: u8| rule.legs.iter().any(|l| l.place == place && l.optional);
        let last = (rule.legs[at].place + 1..rule.places).all(skipped);
        let goal = self.gates.source[cell].is_some() || self.gates.relay[cell];
        let joint = place < usize::from(rule.places) && self.freed.legs[at].into[cell];
        last && goal || self.lines.goes_on(rule, place, space) || joint
    }
}
