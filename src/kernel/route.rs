//! Routes of a trace: all shortest ones, and where a forced march along them may end.

use super::field::{NONE, neighbours};
use super::{Cx, EvalFault, Position};
use crate::arrange::Arrange as _;
use crate::ir::{ExprId, TraceId};
use crate::world::ThingRef;

/// One layer of all shortest routes together: a space, and the spaces that may come before it.
type Steps = Vec<Vec<u32>>;

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

    /// Every way a unit may follow a trace: along a shortest line, at most `within` links, no
    /// farther than a space where `stopping` holds (its own does not count).
    pub fn march(
        &self,
        trace: TraceId,
        unit: u32,
        within: Option<u32>,
        stopping: Option<ExprId>,
    ) -> Result<March, EvalFault> {
        let thing = ThingRef::Unit(unit);
        let Some(start) = self.world.space_of(unit) else { return Ok(March::default()) };
        let viewer = self.viewer_of(thing);
        let field = self.field(trace, thing)?;
        let gates = self.gates(trace, thing)?;
        let (length, through) = (field.lengths(), &gates.legs[0].through);
        if length[start as usize] == NONE || !gates.legs[0].from[start as usize] {
            return Ok(March::default());
        }
        let links = &self.rules.traces[trace.index()].legs[0].links;
        let stops = |space: u32| -> Result<bool, EvalFault> {
            match stopping {
                Some(stopping) => {
                    self.holds(stopping, &Cx::of(viewer, thing).with(1, ThingRef::Space(space)))
                }
                None => Ok(false),
            }
        };
        // Layer by layer, so that every end is found however many routes lead to it.
        let mut march = March::default();
        let mut edge = vec![start];
        let mut before: Vec<Steps> = Vec::new();
        let mut gone = 0;
        while !edge.is_empty() {
            let mut next: Vec<u32> = Vec::new();
            let mut from: Steps = Vec::new();
            for space in edge {
                let left = length[space as usize];
                let stopped = gone > 0 && stops(space)?;
                if left == 0 || stopped || within.is_some_and(|w| gone >= w) {
                    if !march.ends.contains(&space) {
                        march.ends.push(space);
                    }
                    continue;
                }
                let on = |n: &u32| {
                    length[*n as usize] == left - 1 && (left == 1 || through[*n as usize])
                };
                for neighbour in neighbours(self, links, space).filter(on) {
                    match next.iter().position(|n| *n == neighbour) {
                        Some(at) => from[at].push(space),
                        None => {
                            next.push(neighbour);
                            from.push(vec![space]);
                        }
                    }
                }
            }
            before.push(
                next.iter().zip(&from).map(|(n, f)| [vec![*n], f.clone()].concat()).collect(),
            );
            edge = next;
            gone += 1;
        }
        march.ends.arrange();
        march.collect(&before);
        Ok(march)
    }
}

impl March {
    /// The routes themselves, walked back from each end.
    fn collect(&mut self, before: &[Steps]) {
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
        self.routes.arrange();
        if self.routes.len() > MOST_ROUTES {
            self.routes.truncate(MOST_ROUTES);
            self.cut = true;
        }
    }
}
