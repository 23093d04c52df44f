//! One search of a trace: from its sources backward, leg by leg, once for all things that share
//! side, budgets and costs.
//!
//! A leg from space `s` passes `s = s0, s1 .. sn`. The first is asked `from`, the last must be
//! where the next leg may begin (or a source, or a relay that is live) and is asked `into`, those
//! between are asked `through`; in a leg of one space that space is first and last. A relay is live
//! when a line runs from it, so relays are found in rounds: a round may end at sources and at the
//! relays of earlier rounds.

use std::sync::Arc;

use super::Position;
use super::board::{Layout, Net, Nodes, Turns};
use super::costs::Costs;
use super::gates::Plane;
use crate::ir::*;

pub use super::gates::{Gates, LegGates};
pub use super::profile::Profile;

/// No line of any length.
pub const NONE: u32 = u32::MAX;

/// The costs of all spaces for one trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// One a round; the last finds no new relay.
    pub rounds: Vec<Round>,
    /// For each space the round after which it is a live relay, or [`NONE`].
    pub live: Vec<u32>,
    /// What entering each space costs on each leg, where that does not depend on the space left.
    enter: Arc<[Costs]>,
    budgets: Vec<Option<u32>>,
}

/// One round of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// For each leg, for each space, the cost of the cheapest way from there to an end of the leg,
    /// before `from` and the budget are asked; or [`NONE`]. Behind the spaces stand those come to
    /// along one line of a crossing.
    pub cost: Vec<Vec<u32>>,
    /// For each place of the chain, and the end behind the last, whether the rest of a line may
    /// begin in a space.
    pub starts: Vec<Plane>,
}

impl Field {
    /// Searches a trace among gates, costs and budgets that somebody has worked out.
    pub(super) fn among(
        position: &Position<'_>,
        rule: &Trace,
        gates: &Gates,
        enter: Arc<[Costs]>,
        budgets: Vec<Option<u32>>,
    ) -> Field {
        let spaces = position.map.spaces.len();
        let mut field = Field { rounds: Vec::new(), live: vec![NONE; spaces], enter, budgets };
        let mut goal: Plane = gates.source.iter().map(Option::is_some).collect();
        loop {
            let round = field.round(position, rule, gates, &goal);
            let number = u32::try_from(field.rounds.len()).unwrap_or(NONE);
            let mut more = false;
            for (space, reached) in goal.iter_mut().enumerate() {
                if gates.relay[space] && !*reached && round.starts[0][space] {
                    *reached = true;
                    field.live[space] = number;
                    more = true;
                }
            }
            field.rounds.push(round);
            if !more {
                return field;
            }
        }
    }

    /// Whether it was searched with these budgets.
    pub(super) fn has_budgets(&self, budgets: &[Option<u32>]) -> bool {
        self.budgets == budgets
    }

    /// Whether a leg's cost is within its budget; without budgets every cost is.
    pub(super) fn fits_budget(&self, leg: usize, cost: u32) -> bool {
        cost != NONE && self.budgets.get(leg).copied().flatten().is_none_or(|b| cost <= b)
    }

    fn round(&self, position: &Position<'_>, rule: &Trace, gates: &Gates, goal: &Plane) -> Round {
        let places = usize::from(rule.places);
        let mut starts: Vec<Plane> = vec![Vec::new(); places + 1];
        let mut cost = vec![Vec::new(); rule.legs.len()];
        starts[places].clone_from(goal);
        for place in (0..places).rev() {
            let mut here = vec![false; goal.len()];
            for (at, leg) in
                rule.legs.iter().enumerate().filter(|(_, l)| usize::from(l.place) == place)
            {
                cost[at] = self.flood(position, at, leg, &gates.legs[at], &starts[place + 1]);
                for (space, cell) in here.iter_mut().enumerate() {
                    *cell |= gates.legs[at].from[space] && self.fits_budget(at, cost[at][space]);
                    *cell |= leg.optional && starts[place + 1][space];
                }
            }
            starts[place] = here;
        }
        Round { cost, starts }
    }

    /// Cheapest first from the ends of a leg; a space that a leg may not pass still begins legs.
    fn flood(
        &self,
        position: &Position<'_>,
        at: usize,
        leg: &Leg,
        gates: &LegGates,
        ends: &Plane,
    ) -> Vec<u32> {
        let board = position.board();
        if let Some(turns) = board.turns(&leg.links) {
            return self.flood_on(&*turns, at, gates, ends);
        }
        let (net, layout) = (board.net(Some(&leg.links)), board.layout());
        self.flood_on(&Plain { net: &net, layout, spaces: ends.len() }, at, gates, ends)
    }

    /// The same by nodes, of which each stands for a space.
    fn flood_on(&self, nodes: &impl Nodes, at: usize, gates: &LegGates, ends: &Plane) -> Vec<u32> {
        let mut cost = vec![NONE; nodes.count()];
        // A ring of buckets, one for each cost that is under way.
        let mut ring: Vec<Vec<u32>> = vec![Vec::new(); self.enter[at].most() as usize + 1];
        for (node, cell) in (0u32..).zip(&mut cost) {
            let space = nodes.space(node) as usize;
            if ends[space] && gates.into[space] {
                *cell = 0;
                ring[0].push(node);
            }
        }
        let mut waiting = ring[0].len();
        let mut gone = 0u32;
        let mut now = Vec::new();
        while waiting > 0 {
            let here = gone as usize % ring.len();
            std::mem::swap(&mut now, &mut ring[here]);
            waiting -= now.len();
            for into in now.drain(..) {
                if gone > cost[into as usize] {
                    continue;
                }
                let entered = nodes.space(into);
                nodes.each_back(into, |from| {
                    let left = nodes.space(from);
                    let Some(step) = self.step(at, left, entered) else { return };
                    let whole = gone.saturating_add(step);
                    if whole < cost[from as usize] {
                        cost[from as usize] = whole;
                        if gates.through[left as usize] {
                            let bucket = whole as usize % ring.len();
                            ring[bucket].push(from);
                            waiting += 1;
                        }
                    }
                });
            }
            gone = gone.saturating_add(1);
        }
        cost
    }

    /// What a step costs on a leg; none where it is barred.
    #[must_use]
    pub fn step(&self, leg: usize, from: u32, into: u32) -> Option<u32> {
        self.enter[leg].step(from, into)
    }

    /// The first round in which a line may begin in a space.
    #[must_use]
    pub fn round_of(&self, space: u32) -> Option<usize> {
        self.rounds.iter().position(|r| r.starts[0][space as usize])
    }
}

/// The spaces themselves, where no links cross.
struct Plain<'n> {
    net: &'n Net,
    layout: &'n Layout,
    spaces: usize,
}

impl Nodes for Plain<'_> {
    fn count(&self) -> usize {
        self.spaces
    }

    #[inline(always)]
    fn space(&self, node: u32) -> u32 {
        node
    }

    #[inline(always)]
    fn each_back(&self, node: u32, mut call: impl FnMut(u32)) {
        self.net.each(self.layout, self.layout.cell(node), |cell| call(self.layout.space(cell)));
    }
}

/// The nodes to which a step of a leg leads from one: the neighbours of a space where no links
/// cross.
pub(super) fn onward<'p>(
    position: &'p Position<'_>,
    links: &'p [KindId],
    turns: Option<&'p Turns>,
    node: u32,
) -> impl Iterator<Item = u32> + 'p {
    let plain = turns.is_none().then(|| neighbours(position, links, node));
    let crossed = turns.map_or(&[][..], |turns| turns.next(node));
    plain.into_iter().flatten().chain(crossed.iter().copied())
}

/// The neighbours of a space over any of these kinds of link; a space joined by two kinds comes
/// twice.
fn neighbours<'p>(
    position: &'p Position<'_>,
    links: &'p [KindId],
    space: u32,
) -> impl Iterator<Item = u32> + 'p {
    position
        .map
        .links
        .iter()
        .filter(move |l| links.iter().any(|k| position.rules.is_kind(l.kind, *k)))
        .flat_map(move |l| l.of(space).iter().copied())
}

impl Field {
    /// The lengths of a plain trace: for each space that of the shortest line that begins there,
    /// before `from` is asked.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.rounds[0].cost[0]
    }
}
