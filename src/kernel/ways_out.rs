//! The search outward from a thing: every way out of it, over all legs, their alternatives and
//! relays, and where each of them stops; or space by space, as it goes.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

use super::board::{Turns, space_of};
use super::costs::Costs;
use super::field::onward;
use super::gates::Gates;
use super::id_map::IdMap;
use super::lines::{Leave, Lines};
use super::{EvalFault, Gate, Position};
use crate::arrange::Arrange as _;
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
    /// The space from which the barred step would be made; none for what is no step.
    pub from: Option<u32>,
}

/// A space as the search outward settles it: nothing shorter leads there on that leg. One in which
/// links cross and do not meet is settled once for each line by which it is come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The leg.
    pub leg: usize,
    /// The space.
    pub space: u32,
    /// How far it is on that leg.
    pub length: u32,
    /// The space before it; none where the leg begins.
    pub from: Option<u32>,
    /// The gates that are shut here: `from` where the leg may not begin, `into` where it may not
    /// end, `through` where it goes no farther.
    pub shut: Vec<Gate>,
    /// The steps that were tried from here, in the order of the map.
    pub steps: Vec<Tried>,
}

/// A step that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tried {
    /// The space that it leads to.
    pub to: u32,
    /// What came of it.
    pub came: Came,
}

/// What came of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Came {
    /// no shorter way was known: the leg is so long there
    Shorter(u32),
    /// a way that is as short was known
    Known,
    /// the space cannot be entered
    Barred,
    /// the leg would be longer than its budget
    TooFar(u32),
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
    /// By leg where another leg of the same text would end; empty for nowhere.
    others: Vec<Vec<bool>>,
    /// What the steps of each leg cost.
    enter: Arc<[Costs]>,
    stops: Vec<WayOut>,
    /// Spaces that a leg cannot enter, each listed once, from nearest by.
    unentered: BTreeSet<(usize, u32, Gate)>,
    /// Gates that are shut where a line comes to them, and of no use if they alone were open.
    idle: Vec<WayOut>,
    /// The spaces in the order in which they were settled, if somebody wants them.
    settled: Option<Vec<Settled>>,
}

/// One leg on its way outward.
#[derive(Default)]
struct Outward {
    budget: Option<u32>,
    /// Where its links cross and do not meet.
    turns: Option<Arc<Turns>>,
    /// The shortest so far by node, and the node before.
    best: IdMap<u32, (u32, Option<u32>)>,
    /// What waits, the cheapest first; what has become shorter since is passed over.
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// Steps beyond the budget: how long the leg was before them, from where, and to which node.
    too_long: Vec<(u32, u32, u32)>,
    /// Steps that are barred: how long the leg was before them, from where, to which node, and by what.
    barred: Vec<(u32, u32, u32, Gate)>,
}

impl<'p> Position<'p> {
    /// Where every way out of a thing stops, leg by leg, the nearest first; what the answer names
    /// is always among them. Where a leg may not end, or the next not begin, that counts if a line
    /// would go on from there or others shut it; or if nothing else is shut at all.
    pub fn ways_out(&self, trace: TraceId, thing: ThingRef) -> Result<Vec<WayOut>, EvalFault> {
        let mut along = Vec::new();
        let answer = self.answer_along(trace, thing, &mut along)?;
        let Some(start) = answer.space.filter(|_| answer.gate != Gate::Never) else {
            return Ok(Vec::new());
        };
        let mut search = self.searched_outward(trace, thing, start, None)?;
        search.leave_to_first();
        if let (Some(leg), Some(space)) = (answer.leg, answer.stop) {
            let known = |w: &WayOut| (w.leg, w.space, w.gate) == (leg, space, answer.gate);
            if !search.stops.iter().any(known) {
                let of_leg = along.iter().filter(|s| s.leg == leg).flat_map(|s| &s.spaces);
                let length =
                    of_leg.filter(|(s, _)| *s == space).map(|(_, cost)| *cost).min().unwrap_or(0);
                let gate = answer.gate;
                search.stops.push(WayOut { leg, length, space, gate, from: None });
            }
        }
        let mut stops = if search.stops.is_empty() { search.idle } else { search.stops };
        stops.arrange();
        stops.dedup();
        if self.board().has_turns(search.rule) {
            leave_nearest(&mut stops);
        }
        Ok(stops)
    }

    /// The spaces in the order in which the search outward from a thing settles them, leg by leg;
    /// none where a condition on the thing itself decides.
    pub fn settled(&self, trace: TraceId, thing: ThingRef) -> Result<Vec<Settled>, EvalFault> {
        let answer = self.answer(trace, thing)?;
        let searched = answer.gate != Gate::Never && (!answer.yes || answer.length.is_some());
        let Some(start) = answer.space.filter(|_| searched) else { return Ok(Vec::new()) };
        let search = self.searched_outward(trace, thing, start, Some(Vec::new()))?;
        Ok(search.settled.unwrap_or_default())
    }

    /// Where every way out of a thing stops, whatever its answer names; in no order.
    pub(super) fn stops_outward(
        &self,
        trace: TraceId,
        thing: ThingRef,
        start: u32,
    ) -> Result<Vec<WayOut>, EvalFault> {
        Ok(self.searched_outward(trace, thing, start, None)?.stops)
    }

    fn searched_outward<'s>(
        &'s self,
        trace: TraceId,
        thing: ThingRef,
        start: u32,
        settled: Option<Vec<Settled>>,
    ) -> Result<Search<'s, 'p>, EvalFault> {
        let mut search = Search {
            position: self,
            rule: &self.rules.traces[trace.index()],
            thing,
            start,
            gates: self.gates(trace, thing)?,
            freed: self.freed_gates(trace, thing)?,
            lines: self.lines(trace, thing, &Leave::default())?,
            others: self.ends_of_others(trace, thing)?,
            enter: self.costs(trace, thing, &self.profile(trace, thing)?, false)?,
            stops: Vec::new(),
            unentered: BTreeSet::new(),
            idle: Vec::new(),
            settled,
        };
        let mut begins = BTreeSet::from([start]);
        loop {
            search.stops.clear();
            search.unentered.clear();
            search.idle.clear();
            search.settled.iter_mut().for_each(Vec::clear);
            let ends = search.chain(&begins)?;
            let before = begins.len();
            begins.extend(ends.into_iter().filter(|end| search.gates.relay[*end as usize]));
            if begins.len() == before {
                break;
            }
        }
        Ok(search)
    }
}

impl Outward {
    /// A step that makes the leg so long.
    fn step(&mut self, (gone, from): (u32, u32), to: u32, whole: u32) -> Came {
        let is_known = |node| self.best.get(&node).is_some_and(|(best, _)| *best <= whole);
        if is_known(to) || is_known(self.space(to)) {
            return Came::Known;
        }
        if self.budget.is_some_and(|budget| whole > budget) {
            self.too_long.push((gone, self.space(from), to));
            return Came::TooFar(whole);
        }
        self.best.insert(to, (whole, Some(from)));
        self.queue.push(Reverse((whole, to)));
        Came::Shorter(whole)
    }

    /// Whether all steps from a node are open already: from a space in which the leg begins all lead
    /// that one line of a crossing leaves open.
    fn is_reached(&self, node: u32) -> bool {
        self.best.contains_key(&node) || self.best.contains_key(&self.space(node))
    }

    /// The space of a node.
    fn space(&self, node: u32) -> u32 {
        space_of(self.turns.as_deref(), node)
    }

    /// The next node with how far it is and the node before it.
    fn next(&mut self) -> Option<(u32, u32, Option<u32>)> {
        while let Some(Reverse((gone, space))) = self.queue.pop() {
            match self.best.get(&space) {
                Some((best, before)) if *best == gone => return Some((gone, space, *before)),
                _ => {}
            }
        }
        None
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
        let mut flood = self.begun(at, begins)?;
        let mut ends = Vec::new();
        while let Some((gone, node, before)) = flood.next() {
            let (space, before) = (flood.space(node), before.map(|node| flood.space(node)));
            let shut = self.shut(at, gone, space)?;
            if self.gates.legs[at].into[space as usize] {
                ends.push(space);
            }
            let stops = shut.iter().any(|gate| matches!(gate, Gate::Through | Gate::Stopping));
            let steps = match stops {
                true => Vec::new(),
                false => self.steps(at, (gone, node), &mut flood)?,
            };
            self.settle((at, gone, space), before, shut, steps);
        }
        // A space that is reached another way is out of reach from nowhere.
        for (length, from, node, gate) in &flood.barred {
            let space = flood.space(*node);
            if !flood.is_reached(*node) && self.unentered.insert((at, space, *gate)) {
                let (length, gate) = (*length, *gate);
                self.stops.push(WayOut { leg: at, length, space, gate, from: Some(*from) });
            }
        }
        for (gone, space, _) in flood.too_long.iter().filter(|(.., to)| !flood.is_reached(*to)) {
            self.stop(at, *gone, *space, Gate::Within);
        }
        Ok(ends)
    }

    /// Of the legs that one leg has become the first goes farthest, and meets what the others do but
    /// for their ends.
    fn leave_to_first(&mut self) {
        let legs = &self.rule.legs;
        self.stops.retain(|way| way.gate == Gate::Into || legs[way.leg].is_written());
    }

    /// Where a leg begins, of these spaces.
    fn begun(&mut self, at: usize, begins: &BTreeSet<u32>) -> Result<Outward, EvalFault> {
        let gates = Arc::clone(&self.gates);
        let budget = self.position.budget_of(&self.rule.legs[at], self.thing)?;
        let turns = self.position.board().turns(&self.rule.legs[at].links);
        let mut flood = Outward { budget, turns, ..Outward::default() };
        for space in begins {
            if gates.legs[at].from[*space as usize] {
                flood.best.insert(*space, (0, None));
                flood.queue.push(Reverse((0, *space)));
                continue;
            }
            if *space == self.start
                || self.freed.legs[at].from[*space as usize]
                || self.lines.serves(self.position, self.rule, at, *space)
            {
                self.stop(at, 0, *space, Gate::From);
            } else {
                let way =
                    WayOut { leg: at, length: 0, space: *space, gate: Gate::From, from: None };
                self.idle.push(way);
            }
            self.settle((at, 0, *space), None, vec![Gate::From], Vec::new());
        }
        Ok(flood)
    }

    /// The gates that are shut where a leg comes to a space.
    fn shut(&mut self, at: usize, gone: u32, space: u32) -> Result<Vec<Gate>, EvalFault> {
        let gates = Arc::clone(&self.gates);
        let (of_leg, cell) = (&gates.legs[at], space as usize);
        let mut shut = Vec::new();
        let other = self.others[at].get(cell).copied().unwrap_or(false);
        let shut_end = !of_leg.into[cell] && !other && self.would_end(at, space);
        if !of_leg.into[cell] && !other {
            shut.push(Gate::Into);
            if shut_end {
                self.stop(at, gone, space, Gate::Into);
            } else {
                let way = WayOut { leg: at, length: gone, space, gate: Gate::Into, from: None };
                self.idle.push(way);
            }
        }
        if gone > 0 && !of_leg.through[cell] {
            let gate = self.position.between_gate(&self.rule.legs[at], self.thing, space)?;
            shut.push(gate);
            if !shut_end {
                self.stop(at, gone, space, gate);
            }
        }
        Ok(shut)
    }

    /// The steps on from a space.
    fn steps(
        &mut self,
        at: usize,
        (gone, node): (u32, u32),
        flood: &mut Outward,
    ) -> Result<Vec<Tried>, EvalFault> {
        let (position, rule) = (self.position, self.rule);
        let leg = &rule.legs[at];
        let (turns, space) = (flood.turns.clone(), flood.space(node));
        let mut tried = Vec::new();
        for into in onward(position, &leg.links, turns.as_deref(), node) {
            let to = flood.space(into);
            let came = match self.enter[at].step(space, to) {
                None => {
                    let gate = position.barred_step(leg, self.thing, space, to)?;
                    flood.barred.push((gone, space, into, gate));
                    Came::Barred
                }
                Some(step) => flood.step((gone, node), into, gone.saturating_add(step)),
            };
            if self.settled.is_some() {
                tried.push(Tried { to, came });
            }
        }
        Ok(tried)
    }

    fn settle(
        &mut self,
        (leg, length, space): (usize, u32, u32),
        from: Option<u32>,
        shut: Vec<Gate>,
        steps: Vec<Tried>,
    ) {
        if let Some(settled) = &mut self.settled {
            settled.push(Settled { leg, space, length, from, shut, steps });
        }
    }

    fn stop(&mut self, leg: usize, length: u32, space: u32, gate: Gate) {
        self.stops.push(WayOut { leg, length, space, gate, from: None });
    }

    /// Whether a leg that may not end in a space would be of use there if it might.
    fn would_end(&self, at: usize, space: u32) -> bool {
        let (rule, cell) = (self.rule, space as usize);
        let place = usize::from(rule.legs[at].place) + 1;
        let skipped = |place: u8| rule.legs.iter().any(|l| l.place == place && l.optional);
        let last = (rule.legs[at].place + 1..rule.places).all(skipped);
        let goal = self.gates.source[cell].is_some() || self.gates.relay[cell];
        let joint = place < usize::from(rule.places) && self.freed.legs[at].into[cell];
        last && goal || self.lines.goes_on(self.position, rule, place, space) || joint
    }
}

/// Leaves of each gate of a space the nearest place on a way out: a space that is come to along
/// several lines of a crossing is one.
fn leave_nearest(stops: &mut Vec<WayOut>) {
    let mut met = BTreeSet::new();
    stops.retain(|way| met.insert((way.leg, way.space, way.gate)));
}
