//! Where the lines of a thing can end, whether or not a source stands there: forward from the
//! thing, cheapest first, leg by leg and from each relay anew.

mod leg;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::board::{Net, Nodes, Turns, space_of};
use super::costs::Costs;
use super::field::{Gates, NONE};
use super::{EvalFault, Gate, Position};
use crate::arrange::Arrange as _;
use crate::ir::{LineId, Trace, TraceId};
use crate::world::ThingRef;

use leg::{Come, Ground, Room};

/// Where the lines of a thing can end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reachable {
    /// The `never` that leaves no line to be traced.
    pub never: Option<LineId>,
    /// The spaces, in the order of the map.
    pub spaces: Vec<ReachedSpace>,
}

/// A space in which a line can end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedSpace {
    /// The space.
    pub space: u32,
    /// How long the shortest line to it is, all legs and relays together.
    pub length: u32,
    /// What the budget of its last leg leaves; none where that is unlimited.
    pub left: Option<u32>,
    /// By which gate the leg that came there goes no farther.
    pub stop: Option<Gate>,
    /// The line of the ruleset that says so.
    pub line: Option<LineId>,
    /// Every source that the space is, by its place in the trace.
    pub sources: Vec<u16>,
    /// The spaces of the line, the first and the last included.
    pub way: Vec<u32>,
}

/// A space and the place of the leg that is next; behind the last place a line ends.
type Joint = (u8, u32);

/// The shortest line that is known to a joint.
#[derive(Debug, Clone, Copy)]
struct Known {
    length: u32,
    from: Option<Joint>,
    /// The leg that came there, the last step of its way, and what it has cost.
    stretch: Option<(usize, u32, u32)>,
}

impl Position<'_> {
    /// Where the lines of a thing can end, by the legs of a trace.
    pub fn reach(&self, trace: TraceId, thing: ThingRef) -> Result<Reachable, EvalFault> {
        match self.outward(trace, thing)? {
            Ok(outward) => Ok(Reachable { never: None, spaces: outward.ends()? }),
            Err(never) => Ok(Reachable { never, spaces: Vec::new() }),
        }
    }

    /// The same spaces in the order of the map, each with how long the shortest line to it is.
    pub fn reach_lengths(
        &self,
        trace: TraceId,
        thing: ThingRef,
    ) -> Result<Vec<(u32, u32)>, EvalFault> {
        let Ok(outward) = self.outward(trace, thing)? else { return Ok(Vec::new()) };
        Ok(outward.lengths().map(|((_, space), known)| (space, known.length)).collect())
    }

    /// The search outward from where a thing stands; where it has no line at all, the `never` that
    /// says so, if one does.
    fn outward(
        &self,
        trace: TraceId,
        thing: ThingRef,
    ) -> Result<Result<Outward<'_, '_>, Option<LineId>>, EvalFault> {
        let (Some(rule), Some(start)) = (self.rules.traces.get(trace.index()), self.begins(thing))
        else {
            return Ok(Err(None));
        };
        let cx = self.asked_of(thing);
        for verdict in &rule.verdicts {
            if self.holds(verdict.when, &cx)? {
                if !verdict.always {
                    return Ok(Err(Some(verdict.line)));
                }
                break;
            }
        }
        let mut outward = Outward::new(self, (trace, rule), thing)?;
        outward.run(start);
        Ok(Ok(outward))
    }
}

struct Outward<'p, 'a> {
    position: &'p Position<'a>,
    rule: &'p Trace,
    thing: ThingRef,
    gates: Arc<Gates>,
    enter: Arc<[Costs]>,
    budgets: Vec<Option<u32>>,
    /// Of each leg the net of its links.
    nets: Vec<Arc<Net>>,
    /// The same where links cross and do not meet.
    turns: Vec<Option<Arc<Turns>>>,
    /// By place and space.
    known: Vec<Option<Known>>,
    /// Joints to go on from, the nearest first; what is not as near as known is passed over.
    open: BinaryHeap<Reverse<(u32, Joint)>>,
    /// By leg without a budget and node the least length of a line that it has come there with.
    nearest: Vec<Vec<u32>>,
    room: Room,
}

impl<'p, 'a> Outward<'p, 'a> {
    fn new(
        position: &'p Position<'a>,
        (trace, rule): (TraceId, &'p Trace),
        thing: ThingRef,
    ) -> Result<Self, EvalFault> {
        let budgets: Result<Vec<Option<u32>>, EvalFault> =
            rule.legs.iter().map(|leg| position.budget_of(leg, thing)).collect();
        let budgets = budgets?;
        let spaces = position.map.spaces.len();
        let board = position.board();
        let turns: Vec<Option<Arc<Turns>>> =
            rule.legs.iter().map(|leg| board.turns(&leg.links)).collect();
        let most = turns.iter().flatten().map(|turns| turns.count()).fold(spaces, usize::max);
        let nearest = |budget: &Option<u32>| vec![NONE; if budget.is_none() { most } else { 0 }];
        Ok(Outward {
            gates: position.gates(trace, thing)?,
            enter: position.costs(trace, thing, &position.profile(trace, thing)?, false)?,
            nets: rule.legs.iter().map(|leg| board.net(Some(&leg.links))).collect(),
            known: vec![None; (usize::from(rule.places) + 1) * spaces],
            open: BinaryHeap::new(),
            nearest: budgets.iter().map(nearest).collect(),
            room: Room::new(most),
            turns,
            position,
            rule,
            thing,
            budgets,
        })
    }

    fn run(&mut self, start: u32) {
        self.better((0, start), Known { length: 0, from: None, stretch: None });
        while let Some(Reverse((length, joint))) = self.open.pop() {
            if self.known(joint).is_none_or(|known| known.length < length) {
                continue;
            }
            let (place, space) = joint;
            let known = Known { length, from: Some(joint), stretch: None };
            if place == self.rule.places {
                if self.gates.relay.get(space as usize) == Some(&true) {
                    self.better((0, space), known);
                }
                continue;
            }
            let rule = self.rule;
            for (at, leg) in rule.legs.iter().enumerate().filter(|(_, l)| l.place == place) {
                if leg.optional {
                    self.better((place + 1, space), known);
                }
                for (space, come) in self.leg(at, (length, space)) {
                    let length = length.saturating_add(come.length);
                    let stretch = Some((at, come.way, come.spent));
                    self.better((place + 1, space), Known { length, stretch, ..known });
                }
            }
        }
    }

    fn place(&self, (place, space): Joint) -> usize {
        usize::from(place) * self.position.map.spaces.len() + space as usize
    }

    fn known(&self, joint: Joint) -> Option<&Known> {
        self.known.get(self.place(joint))?.as_ref()
    }

    fn better(&mut self, joint: Joint, new: Known) {
        if self.known(joint).is_none_or(|known| new.length < known.length) {
            let at = self.place(joint);
            if let Some(known) = self.known.get_mut(at) {
                *known = Some(new);
                self.open.push(Reverse((new.length, joint)));
            }
        }
    }

    /// Where one leg can end, from a space to which a line of a length has come.
    fn leg(&mut self, at: usize, (gone, begin): (u32, u32)) -> Vec<(u32, Come)> {
        let (Some(gates), Some(costs), Some(net)) =
            (self.gates.legs.get(at), self.enter.get(at), self.nets.get(at))
        else {
            return Vec::new();
        };
        if gates.from.get(begin as usize) != Some(&true) {
            return Vec::new();
        }
        let board = self.position.board();
        let near = net.near(board.layout(), self.position.map.spaces.len());
        let turns = self.turns.get(at).and_then(|turns| turns.as_deref());
        let steps = |node: u32, call: &mut dyn FnMut(u32, u32)| {
            let left = space_of(turns, node);
            for to in turns.map_or_else(|| near.of(node), |turns| turns.next(node)) {
                if let Some(step) = costs.step(left, space_of(turns, *to)) {
                    call(*to, step);
                }
            }
        };
        let budget = self.budgets.get(at).copied().flatten();
        let ground = Ground { through: &gates.through, turns, steps: &steps, budget };
        let mut found = Vec::new();
        let come = |come: Come| {
            let space = space_of(turns, come.node);
            if gates.into.get(space as usize) == Some(&true) {
                found.push((space, come));
            }
        };
        if self.rule.in_links {
            self.room.by_links(&ground, begin, come);
            return nearest_each(found, turns.is_some());
        }
        // Without a budget a leg that has come somewhere by a shorter line has all beyond it.
        let mut nearest = self.nearest.get_mut(at).filter(|_| budget.is_none());
        let is_nearer = |space: u32, cost: u32| {
            let known = nearest.as_mut().and_then(|nearest| nearest.get_mut(space as usize));
            let whole = gone.saturating_add(cost);
            known.is_none_or(|known| {
                let nearer = whole < *known;
                *known = whole.min(*known);
                nearer
            })
        };
        self.room.by_cost(&ground, begin, is_nearer, come);
        nearest_each(found, turns.is_some())
    }

    /// Whether a leg goes on from a space that it has come to.
    fn goes_on(&self, at: usize, space: u32) -> bool {
        self.gates.legs.get(at).and_then(|g| g.through.get(space as usize)) == Some(&true)
    }

    fn ends(&self) -> Result<Vec<ReachedSpace>, EvalFault> {
        self.lengths().map(|(joint, known)| self.reached(joint, known)).collect()
    }

    /// The spaces in which a line can end, in the order of the map.
    fn lengths(&self) -> impl Iterator<Item = (Joint, &Known)> {
        let place = self.rule.places;
        let first = self.place((place, 0));
        let ends = self.known.get(first..).unwrap_or_default();
        (0u32..).zip(ends).filter_map(move |(space, known)| Some(((place, space), known.as_ref()?)))
    }

    fn reached(&self, joint: Joint, known: &Known) -> Result<ReachedSpace, EvalFault> {
        let space = joint.1;
        let (mut left, mut stop, mut line) = (None, None, None);
        if let Some((at, way, spent)) = known.stretch
            && let Some(leg) = self.rule.legs.get(at)
        {
            let budget = self.budgets.get(at).copied().flatten();
            left = budget.map(|budget| budget.saturating_sub(spent));
            if !self.room.ways.stays(way) && !self.goes_on(at, space) {
                let gate = self.position.between_gate(leg, self.thing, space)?;
                (stop, line) = (Some(gate), Some(gate.line_of(leg)));
            }
        }
        let sources = self.sources(space)?;
        Ok(ReachedSpace {
            space,
            length: known.length,
            left,
            stop,
            line,
            sources,
            way: self.way(joint),
        })
    }

    /// The spaces of the line to a joint.
    fn way(&self, joint: Joint) -> Vec<u32> {
        let mut way = Vec::new();
        let mut at = Some(joint);
        while let Some(known) = at.and_then(|joint| self.known(joint)) {
            if let Some((leg, last, _)) = known.stretch {
                let turns = self.turns.get(leg).and_then(|turns| turns.as_deref());
                way.extend(self.room.ways.back(last).map(|node| space_of(turns, node)));
            }
            at = known.from;
        }
        way.reverse();
        way.dedup();
        if way.is_empty() {
            way.push(joint.1);
        }
        way
    }

    fn sources(&self, space: u32) -> Result<Vec<u16>, EvalFault> {
        let cx = self.position.asked_of(self.thing).with(1, ThingRef::Space(space));
        let mut found = Vec::new();
        for (at, source) in (0u16..).zip(&self.rule.sources) {
            if self.position.holds(source.when, &cx)? {
                found.push(at);
            }
        }
        Ok(found)
    }
}

/// Of the ways to each space the nearest, of those the cheapest, where a space may be come to along
/// several lines of a crossing.
fn nearest_each(mut found: Vec<(u32, Come)>, crossed: bool) -> Vec<(u32, Come)> {
    if crossed {
        found.arrange_by_key(|(space, come)| (*space, come.length, come.spent, come.node));
        found.dedup_by_key(|(space, _)| *space);
    }
    found
}
