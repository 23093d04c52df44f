//! One leg, from one space to all in which it can end: the cheapest way to each, or of the ways
//! with the fewest links the cheapest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::board::{Turns, space_of};
use super::super::field::NONE;

/// No space before this one.
const FIRST: u32 = u32::MAX;

/// Ways that share how they begin: each step is a space and the place of the step before it.
#[derive(Debug, Default)]
pub(super) struct Ways {
    steps: Vec<(u32, u32)>,
}

impl Ways {
    fn add(&mut self, space: u32, before: u32) -> u32 {
        self.steps.push((space, before));
        u32::try_from(self.steps.len() - 1).unwrap_or(FIRST)
    }

    fn turn(&mut self, step: u32, before: u32) {
        if let Some(step) = self.steps.get_mut(step as usize) {
            step.1 = before;
        }
    }

    /// The spaces of a way, the last first.
    pub(super) fn back(&self, end: u32) -> impl Iterator<Item = u32> + '_ {
        let of = |at: u32| self.steps.get(at as usize);
        std::iter::successors(of(end), move |(_, before)| of(*before)).map(|(space, _)| *space)
    }

    /// Whether a way is its first space alone.
    pub(super) fn stays(&self, end: u32) -> bool {
        self.steps.get(end as usize).is_none_or(|(_, before)| *before == FIRST)
    }
}

/// What one leg comes to from where it begins: a space, or one come to along a line of a crossing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Come {
    pub(super) node: u32,
    /// How far that is.
    pub(super) length: u32,
    /// What it costs.
    pub(super) spent: u32,
    /// The last step of its way.
    pub(super) way: u32,
}

/// What is known of each space: the least cost so far, and the last step of the way there.
#[derive(Debug)]
struct Sheet {
    cost: Vec<u32>,
    way: Vec<u32>,
    /// The spaces that have a cost, in the order in which they were come to.
    met: Vec<u32>,
}

impl Sheet {
    fn new(spaces: usize) -> Sheet {
        Sheet { cost: vec![NONE; spaces], way: vec![FIRST; spaces], met: Vec::new() }
    }

    fn cost(&self, space: u32) -> u32 {
        self.cost.get(space as usize).copied().unwrap_or(NONE)
    }

    fn way(&self, space: u32) -> u32 {
        self.way.get(space as usize).copied().unwrap_or(FIRST)
    }

    /// Writes a way that is cheaper than the one before.
    fn put(&mut self, ways: &mut Ways, (space, cost): (u32, u32), before: u32) {
        let at = space as usize;
        let (Some(known), Some(way)) = (self.cost.get_mut(at), self.way.get_mut(at)) else {
            return;
        };
        if *known == NONE {
            self.met.push(space);
            *way = ways.add(space, before);
        } else {
            ways.turn(*way, before);
        }
        *known = cost;
    }

    fn clear(&mut self) {
        for space in self.met.drain(..) {
            if let Some(cost) = self.cost.get_mut(space as usize) {
                *cost = NONE;
            }
        }
    }
}

/// Calls with the neighbours of a space, each with what the step there costs.
pub(super) type Steps<'g> = dyn Fn(u32, &mut dyn FnMut(u32, u32)) + 'g;

/// What a leg is searched on.
pub(super) struct Ground<'g> {
    /// Whether a leg goes on from a space that it has come to.
    pub(super) through: &'g [bool],
    /// Where links cross and do not meet, what the nodes are that are not spaces.
    pub(super) turns: Option<&'g Turns>,
    /// The neighbours of a space, each with what the step there costs.
    pub(super) steps: &'g Steps<'g>,
    /// The most that a way may cost.
    pub(super) budget: Option<u32>,
}

impl Ground<'_> {
    fn goes_on(&self, node: u32) -> bool {
        self.through.get(space_of(self.turns, node) as usize) == Some(&true)
    }

    fn fits(&self, cost: u32) -> bool {
        cost != NONE && self.budget.is_none_or(|budget| cost <= budget)
    }
}

/// The room of searches, kept from one to the next.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) ways: Ways,
    sheet: Sheet,
    /// The spaces to be come to by one link more.
    next: Sheet,
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Room {
    pub(super) fn new(spaces: usize) -> Room {
        Room {
            ways: Ways::default(),
            sheet: Sheet::new(spaces),
            next: Sheet::new(spaces),
            waiting: BinaryHeap::new(),
        }
    }

    /// Cheapest first. What is told to be no nearer than others have come goes no farther.
    pub(super) fn by_cost(
        &mut self,
        ground: &Ground<'_>,
        begin: u32,
        mut is_nearer: impl FnMut(u32, u32) -> bool,
        mut come: impl FnMut(Come),
    ) {
        let Room { ways, sheet, waiting, .. } = self;
        sheet.put(ways, (begin, 0), FIRST);
        waiting.push(Reverse((0, begin)));
        while let Some(Reverse((cost, space))) = waiting.pop() {
            let stale = cost > sheet.cost(space);
            let own = space == begin;
            if stale || !own && (!is_nearer(space, cost) || !ground.goes_on(space)) {
                continue;
            }
            let way = sheet.way(space);
            (ground.steps)(space, &mut |to, step| {
                let whole = cost.saturating_add(step);
                if ground.fits(whole) && whole < sheet.cost(to) {
                    sheet.put(ways, (to, whole), way);
                    waiting.push(Reverse((whole, to)));
                }
            });
        }
        for space in &sheet.met {
            let cost = sheet.cost(*space);
            come(Come { node: *space, length: cost, spent: cost, way: sheet.way(*space) });
        }
        sheet.clear();
    }

    /// The fewest links first: all ways of one link, then of two, and so on, of each space the
    /// cheapest. A way of more links goes on only from where it is cheaper than all of fewer.
    pub(super) fn by_links(&mut self, ground: &Ground<'_>, begin: u32, mut come: impl FnMut(Come)) {
        let Room { ways, sheet, next, .. } = self;
        sheet.put(ways, (begin, 0), FIRST);
        let mut layer = vec![(begin, 0u32, sheet.way(begin))];
        come(Come { node: begin, length: 0, spent: 0, way: sheet.way(begin) });
        let mut links = 0u32;
        while !layer.is_empty() {
            for (space, cost, way) in layer.drain(..) {
                if links > 0 && !ground.goes_on(space) {
                    continue;
                }
                (ground.steps)(space, &mut |to, step| {
                    let whole = cost.saturating_add(step);
                    let old = sheet.cost(to).min(next.cost(to));
                    if ground.fits(whole) && whole < old {
                        next.put(ways, (to, whole), way);
                    }
                });
            }
            links = links.saturating_add(1);
            next.met.sort_unstable();
            for space in &next.met {
                let (space, spent, way) = (*space, next.cost(*space), next.way(*space));
                if sheet.cost(space) == NONE {
                    sheet.met.push(space);
                    come(Come { node: space, length: links, spent, way });
                }
                if let Some(cost) = sheet.cost.get_mut(space as usize) {
                    *cost = spent;
                }
                layer.push((space, spent, way));
            }
            next.clear();
        }
        sheet.clear();
    }
}
