//! Routes of a trace: all shortest ones, and where a forced march along them may end.

use super::board::{Turns, space_of};
use super::costs::Costs;
use super::field::{NONE, onward};
use super::{Cx, EvalFault, Position};
use crate::arrange::Arrange as _;
use crate::ir::{ExprId, KindId, TraceId};
use crate::world::ThingRef;

/// One layer of all shortest routes together: a stop, and the stops that may come before it.
type Steps = Vec<Vec<u32>>;

/// A space on routes, with the nodes of the search that it is come to in: one, but where links cross
/// and do not meet.
type Stop = (u32, Vec<u32>);

/// A forced march: all shortest routes, cut where it must stop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct March {
    /// The spaces where it may end, ascending.
    pub ends: Vec<u32>,
    /// The routes, each from the unit's space to its end, in ascending order; at most
    /// [`MOST_ROUTES`].
    pub routes: Vec<Vec<u32>>,
    /// Whether there were more routes than are listed; the ends are complete all the same.
    pub cut: bool,
}

/// So many routes of one march are listed.
pub const MOST_ROUTES: usize = 64;

impl Position<'_> {
    /// The spaces of the line of a thing from its own to its source, each once; empty if it has or
    /// needs none.
    pub fn route(&self, trace: TraceId, thing: ThingRef) -> Result<Vec<u32>, EvalFault> {
        Ok(self.answer_and_route(trace, thing)?.1)
    }

    /// Every way a unit may follow a trace of one leg without relays: along a shortest line, at most
    /// `within` links, no farther than a space where `stopping` holds (its own does not count).
    pub fn march(
        &self,
        trace: TraceId,
        unit: u32,
        within: Option<u32>,
        stopping: Option<ExprId>,
    ) -> Result<March, EvalFault> {
        let thing = ThingRef::Unit(unit);
        let Some(start) = self.world.space_of(unit) else { return Ok(March::default()) };
        // What has no line follows none, and why it has none is not asked; nor does what needs none.
        if !self.is_yes(trace, thing)? || self.answer(trace, thing)?.length.is_none() {
            return Ok(March::default());
        }
        let (field, gates) = (self.field(trace, thing)?, self.gates(trace, thing)?);
        let links = &self.rules.traces[trace.index()].legs[0].links;
        let kept = self.board().turns(links);
        let leg = Followed {
            length: field.lengths(),
            through: &gates.legs[0].through,
            costs: &self.costs(trace, thing, &self.profile(trace, thing)?, false)?[0],
            links,
            turns: kept.as_deref(),
        };
        // Layer by layer, so that every end is found however many routes lead to it.
        let mut march = March::default();
        let mut all: Vec<Stop> = vec![(start, vec![start])];
        let mut edge = vec![0u32];
        let mut before: Vec<Steps> = Vec::new();
        let mut gone = 0;
        while !edge.is_empty() {
            let mut next: Vec<Vec<u32>> = Vec::new();
            let first = all.len();
            for at in edge {
                let (space, nodes) = &all[at as usize];
                let there = nodes.iter().any(|node| leg.length[*node as usize] == 0);
                let stopped = gone > 0 && self.stops_in(stopping, thing, *space)?;
                if there || stopped || within.is_some_and(|w| gone >= w) {
                    march.ends.push(at);
                    continue;
                }
                for stop in leg.next(self, nodes) {
                    match all.iter().skip(first).position(|known| *known == stop) {
                        Some(known) => next[known].push(at),
                        None => {
                            next.push(vec![u32::try_from(all.len()).unwrap_or(NONE), at]);
                            all.push(stop);
                        }
                    }
                }
            }
            edge = next.iter().map(|step| step[0]).collect();
            before.push(next);
            gone += 1;
        }
        march.collect(&before, &all);
        Ok(march)
    }

    /// Whether a march of a thing stops where it enters a space.
    fn stops_in(
        &self,
        stopping: Option<ExprId>,
        thing: ThingRef,
        space: u32,
    ) -> Result<bool, EvalFault> {
        let Some(stopping) = stopping else { return Ok(false) };
        let cx = Cx::of(self.viewer_of(thing), thing).with(1, ThingRef::Space(space));
        self.holds(stopping, &cx)
    }
}

/// The leg that a march follows.
struct Followed<'l> {
    /// What is left of the shortest line from each node.
    length: &'l [u32],
    through: &'l [bool],
    costs: &'l Costs,
    links: &'l [KindId],
    turns: Option<&'l Turns>,
}

impl Followed<'_> {
    /// The stops that come next on shortest lines.
    fn next(&self, position: &Position<'_>, nodes: &[u32]) -> Vec<Stop> {
        let left = |node: u32| self.length[node as usize];
        let space = |node: u32| space_of(self.turns, node);
        let is_next = |from: u32, to: u32| {
            let step = self.costs.step(space(from), space(to));
            let goes_on = left(to) == 0 || self.through[space(to) as usize];
            goes_on
                && left(to) != NONE
                && step.is_some_and(|step| left(to).checked_add(step) == Some(left(from)))
        };
        let of_node = |from: &u32| {
            let from = *from;
            onward(position, self.links, self.turns, from).filter(move |to| is_next(from, *to))
        };
        stops_of(nodes.iter().flat_map(of_node), self.turns)
    }
}

/// The nodes of each space, the spaces in the order in which they are come to.
fn stops_of(nodes: impl Iterator<Item = u32>, turns: Option<&Turns>) -> Vec<Stop> {
    let mut stops: Vec<Stop> = Vec::new();
    for node in nodes {
        let into = space_of(turns, node);
        match stops.iter_mut().find(|(space, _)| *space == into) {
            Some((_, nodes)) if nodes.contains(&node) => {}
            Some((_, nodes)) => nodes.push(node),
            None => stops.push((into, vec![node])),
        }
    }
    stops.iter_mut().for_each(|(_, nodes)| nodes.arrange());
    stops
}

impl March {
    /// The routes themselves, walked back from each end; so far the ends are places among all stops.
    fn collect(&mut self, before: &[Steps], all: &[Stop]) {
        let space = |at: u32| all[at as usize].0;
        self.ends.arrange_by_key(|at| space(*at));
        for end in self.ends.clone() {
            let Some(layer) = before.iter().position(|l| l.iter().any(|n| n[0] == end)) else {
                self.routes.push(vec![end]);
                continue;
            };
            let mut open = vec![vec![end]];
            for layer in before[..=layer].iter().rev() {
                let mut longer = Vec::new();
                for route in &open {
                    let Some(step) = layer.iter().find(|n| Some(&n[0]) == route.last()) else {
                        continue;
                    };
                    for from in &step[1..] {
                        if longer.len() > MOST_ROUTES {
                            self.cut = true;
                            break;
                        }
                        longer.push([route.as_slice(), &[*from]].concat());
                    }
                }
                open = longer;
            }
            self.routes.extend(open.into_iter().map(|mut r| {
                r.reverse();
                r
            }));
        }
        self.routes.iter_mut().flatten().for_each(|at| *at = space(*at));
        self.ends.iter_mut().for_each(|at| *at = space(*at));
        self.ends.dedup();
        self.routes.arrange();
        if self.routes.len() > MOST_ROUTES {
            self.routes.truncate(MOST_ROUTES);
            self.cut = true;
        }
    }
}
