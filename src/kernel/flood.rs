//! The ways of one leg from all spaces to its ends, searched backward.
//!
//! A budget bounds what the leg costs, and the whole line is to be the shortest; so each space keeps
//! every amount spent that pays off later, with the least that the line comes to then. A gate that
//! is shut closes a space, or, where the cause of a no is looked for, makes the line worse.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::Position;
use super::board::{Net, Nodes, Turns, space_of};
use super::costs::Costs;
use super::gates::Gates;
use crate::ir::*;

/// What a line comes to: what is shut on it in the upper half, its length in the lower.
pub(super) type Worth = u64;
/// No line.
pub(super) const NO_LINE: Worth = Worth::MAX;
/// A shut gate that other units or another owner would open.
pub(super) const SHUT: Worth = 1 << 32;
/// A gate that is shut whoever stands there and whoever controls the space.
const SHUT_FOR_GOOD: Worth = 1 << 44;

/// One way on from a space: what this leg costs until its end, and what the whole line comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    pub spent: u32,
    pub worth: Worth,
}

/// No way of a space.
const NO_WAY: u32 = u32::MAX;

/// The ways on from each space: a chain of places in one row, the last found first.
#[derive(Debug)]
pub(super) struct Ways {
    last: Vec<u32>,
    all: Vec<(Way, u32)>,
}

impl Ways {
    fn new(spaces: usize) -> Ways {
        Ways { last: vec![NO_WAY; spaces], all: Vec::new() }
    }

    /// Those of a space.
    #[inline(always)]
    pub fn of(&self, space: u32) -> impl Iterator<Item = Way> + '_ {
        let mut at = self.last[space as usize];
        std::iter::from_fn(move || {
            let (way, before) = self.all.get(at as usize)?;
            at = *before;
            Some(*way)
        })
    }

    #[inline(always)]
    fn push(&mut self, space: u32, way: Way) {
        let last = &mut self.last[space as usize];
        self.all.push((way, *last));
        // There are far fewer ways than numbers: each space has one for each amount at most.
        *last = u32::try_from(self.all.len() - 1).unwrap_or(NO_WAY);
    }
}

/// The gate of a leg that is asked of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    From,
    Through,
    Into,
}

/// The gates and costs that lines are searched among.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub gates: Arc<Gates>,
    /// The gates without what others do, where shut gates are weighed and close nothing.
    pub freed: Option<Arc<Gates>>,
    pub enter: Arc<[Costs]>,
    /// Where shut gates are weighed: by leg the spaces whose amount gives the budget of another leg,
    /// where it never ends; empty for none.
    pub others: Vec<Vec<bool>>,
}

impl Terms {
    /// What a shut gate adds to a line.
    #[inline(always)]
    pub fn toll(&self, leg: usize, part: Part, space: u32) -> Worth {
        self.tolls(leg, part).of(space)
    }

    /// What one gate adds to lines, wherever it is shut.
    #[inline(always)]
    fn tolls(&self, leg: usize, part: Part) -> Tolls<'_> {
        Tolls {
            open: plane_of(&self.gates, leg, part),
            freed: self.freed.as_ref().map(|freed| plane_of(freed, leg, part)),
            never: match part {
                Part::Into => self.others.get(leg).map_or(&[], Vec::as_slice),
                Part::From | Part::Through => &[],
            },
        }
    }
}

/// What one gate of a leg adds to lines.
#[derive(Clone, Copy)]
struct Tolls<'t> {
    open: &'t [bool],
    freed: Option<&'t [bool]>,
    /// Where no line ends, whatever is open.
    never: &'t [bool],
}

impl Tolls<'_> {
    #[inline(always)]
    fn of(self, space: u32) -> Worth {
        match self.freed {
            _ if self.open[space as usize] => 0,
            None => NO_LINE,
            Some(_) if self.never.get(space as usize).copied().unwrap_or(false) => NO_LINE,
            Some(freed) if freed[space as usize] => SHUT,
            Some(_) => SHUT_FOR_GOOD,
        }
    }
}

/// Where a gate of a leg is open.
#[inline(always)]
fn plane_of(gates: &Gates, leg: usize, part: Part) -> &[bool] {
    let of = &gates.legs[leg];
    match part {
        Part::From => &of.from,
        Part::Through => &of.through,
        Part::Into => &of.into,
    }
}

/// The ways of one leg from all spaces to its ends.
#[derive(Debug)]
pub(super) struct Flood {
    /// What a line from each space on comes to, where the leg may end there.
    pub ends: Arc<[Worth]>,
    /// The most that a way spends; none where nothing is counted.
    pub within: Option<u32>,
    /// The ways of a leg that comes by a space.
    pub passes: Ways,
    /// What it was searched on.
    net: Arc<Net>,
    /// The same where links cross and do not meet.
    turns: Option<Arc<Turns>>,
}

impl Flood {
    /// The least spent first, then the best; without a budget what is spent makes no difference.
    pub fn search(
        position: &Position<'_>,
        (rule, at): (&Trace, usize),
        terms: &Terms,
        ends: &Arc<[Worth]>,
        within: Option<u32>,
    ) -> Flood {
        let board = position.board();
        let net = board.net(Some(&rule.legs[at].links));
        let near = net.near(board.layout(), ends.len());
        let kept = board.turns(&rule.legs[at].links);
        let turns = kept.as_deref();
        let nodes = turns.map_or(ends.len(), Turns::count);
        let (enter, through) = (&terms.enter[at], terms.tolls(at, Part::Through));
        let mut passes = Ways::new(nodes);
        // What the best way that passes a node comes to so far.
        let mut best = vec![NO_LINE; nodes];
        let mut queue = Queue::new(within.map(|_| enter.most()));
        for node in 0..u32::try_from(nodes).unwrap_or(u32::MAX) {
            let space = space_of(turns, node);
            let toll = terms.toll(at, Part::Into, space);
            let worth = ends[space as usize].saturating_add(toll);
            if worth != NO_LINE {
                queue.push(Way { spent: 0, worth }, node);
            }
        }
        while let Some((Way { spent, worth }, into)) = queue.pop(&mut best) {
            passes.push(into, Way { spent, worth });
            let entered = space_of(turns, into);
            for from in turns.map_or_else(|| near.of(into), |turns| turns.back(into)) {
                let left = space_of(turns, *from);
                let Some(step) = enter.step(left, entered) else { continue };
                let spent = within.map_or(0, |_| spent.saturating_add(step));
                if within.is_some_and(|most| spent > most) {
                    continue;
                }
                let worth = worth.saturating_add(measure(rule, step));
                let worth = worth.saturating_add(through.of(left));
                if worth < best[*from as usize] {
                    queue.push(Way { spent, worth }, *from);
                }
            }
        }
        Flood { ends: Arc::clone(ends), within, passes, net, turns: kept }
    }

    /// Calls with each way of a leg that begins in a space, before `from` is asked: it ends there,
    /// or goes on to a neighbour that is an end or may be passed.
    #[inline]
    pub fn begins(
        &self,
        position: &Position<'_>,
        (rule, at): (&Trace, usize),
        terms: &Terms,
        space: u32,
        mut call: impl FnMut(Way),
    ) {
        let worth = self.ends[space as usize].saturating_add(terms.toll(at, Part::Into, space));
        if worth != NO_LINE {
            call(Way { spent: 0, worth });
        }
        let near = self.net.near(position.board().layout(), self.ends.len());
        let turns = self.turns();
        for into in turns.map_or_else(|| near.of(space), |turns| turns.next(space)) {
            let entered = space_of(turns, *into);
            let Some(step) = terms.enter[at].step(space, entered) else { continue };
            for way in self.passes.of(*into) {
                let spent = self.within.map_or(0, |_| way.spent.saturating_add(step));
                if self.within.is_none_or(|most| spent <= most) {
                    let worth = way.worth.saturating_add(measure(rule, step));
                    call(Way { spent, worth });
                }
            }
        }
    }

    /// What it was searched on where links cross and do not meet.
    pub fn turns(&self) -> Option<&Turns> {
        self.turns.as_deref()
    }

    /// Whether it has all ways to these ends that spend no more than this.
    pub fn has(&self, ends: &Arc<[Worth]>, budget: Option<u32>) -> bool {
        let enough = match (self.within, budget) {
            (Some(within), Some(budget)) => budget <= within,
            (None, None) => true,
            _ => false,
        };
        enough && self.is_to(ends)
    }

    /// Whether it has the ways to these ends.
    pub fn is_to(&self, ends: &Arc<[Worth]>) -> bool {
        Arc::ptr_eq(&self.ends, ends) || self.ends == *ends
    }
}

/// What a step adds to the length of a line: its cost, or 1 where legs count in different things.
pub(super) fn measure(rule: &Trace, step: u32) -> Worth {
    if rule.in_links { 1 } else { Worth::from(step) }
}

/// What waits in a search, the least spent first. Of what has spent the same the best of each space
/// comes, and only if it is better than all that came before for less.
enum Queue {
    /// Where steps are small: a ring of buckets, one for each amount that is under way.
    Ring { buckets: Vec<Vec<(Worth, u32)>>, now: Vec<(Worth, u32)>, spent: u32, waiting: usize },
    /// Each as one number: the heap compares nothing else so often.
    Heap(BinaryHeap<Reverse<u128>>),
}

impl Queue {
    /// Steps dearer than this are not worth a bucket each.
    const MOST: u32 = 1024;

    /// A queue of a search whose dearest step this is; none where what is spent does not count.
    fn new(dearest: Option<u32>) -> Queue {
        match dearest {
            Some(dearest) if dearest < Queue::MOST => {
                let buckets = vec![Vec::new(); dearest as usize + 1];
                Queue::Ring { buckets, now: Vec::new(), spent: 0, waiting: 0 }
            }
            _ => Queue::Heap(BinaryHeap::new()),
        }
    }

    #[inline(always)]
    fn push(&mut self, way: Way, space: u32) {
        match self {
            Queue::Ring { buckets, waiting, .. } => {
                let bucket = way.spent as usize % buckets.len();
                buckets[bucket].push((way.worth, space));
                *waiting += 1;
            }
            Queue::Heap(heap) => {
                let (spent, worth) = (u128::from(way.spent), u128::from(way.worth));
                heap.push(Reverse(spent << 96 | worth << 32 | u128::from(space)));
            }
        }
    }

    /// The next way that is better than all before it, which it then is of `best`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn pop(&mut self, best: &mut [Worth]) -> Option<(Way, u32)> {
        match self {
            Queue::Ring { buckets, now, spent, waiting } => loop {
                if let Some((worth, space)) = now.pop() {
                    return Some((Way { spent: *spent, worth }, space));
                }
                if *waiting == 0 {
                    return None;
                }
                // Each step costs 1 at least, so that nothing comes into the bucket any more.
                while buckets[*spent as usize % buckets.len()].is_empty() {
                    *spent += 1;
                }
                let bucket = *spent as usize % buckets.len();
                std::mem::swap(now, &mut buckets[bucket]);
                *waiting -= now.len();
                keep_best(now, best);
            },
            Queue::Heap(heap) => loop {
                let Reverse(all) = heap.pop()?;
                let way = Way { spent: (all >> 96) as u32, worth: (all >> 32) as u64 };
                let best = &mut best[all as u32 as usize];
                if way.worth < *best {
                    *best = way.worth;
                    return Some((way, all as u32));
                }
            },
        }
    }
}

/// Keeps of each space the best, if it is better than what came before.
#[inline(always)]
fn keep_best(now: &mut Vec<(Worth, u32)>, best: &mut [Worth]) {
    now.retain(|(worth, space)| {
        let best = &mut best[*space as usize];
        let better = *worth < *best;
        if better {
            *best = *worth;
        }
        better
    });
    // What came first of a space may be worse than what came behind it.
    now.retain(|(worth, space)| best[*space as usize] == *worth);
}
