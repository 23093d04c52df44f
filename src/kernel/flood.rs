//! The ways of one leg from all spaces to its ends, searched backward.
//!
//! A budget bounds what the leg costs, and the whole line is to be the shortest; so each space keeps
//! every amount spent that pays off later, with the least that the line comes to then. A gate that
//! is shut closes a space, or, where the cause of a no is looked for, makes the line worse.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::Position;
use super::costs::Costs;
use super::gates::Gates;
use super::id_map::IdMap;
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

/// The ways on from each space: mostly one at most, which takes little room.
#[derive(Debug)]
pub(super) struct Ways {
    /// Of each space the first; worth [`NO_LINE`] where there is none.
    first: Vec<Way>,
    /// Further ones of a space.
    more: IdMap<u32, Vec<Way>>,
}

impl Ways {
    fn new(spaces: usize) -> Ways {
        Ways { first: vec![Way { spent: 0, worth: NO_LINE }; spaces], more: IdMap::default() }
    }

    /// Those of a space.
    pub fn of(&self, space: u32) -> impl Iterator<Item = &Way> {
        let first = Some(&self.first[space as usize]).filter(|way| way.worth != NO_LINE);
        let more = first.and_then(|_| self.more.get(&space));
        first.into_iter().chain(more.into_iter().flatten())
    }

    /// What the last one of a space comes to.
    #[inline(always)]
    fn last(&self, space: u32) -> Worth {
        let first = self.first[space as usize].worth;
        let more = || self.more.get(&space).and_then(|more| more.last());
        if first == NO_LINE { first } else { more().map_or(first, |way| way.worth) }
    }

    #[inline(always)]
    fn push(&mut self, space: u32, way: Way) {
        let first = &mut self.first[space as usize];
        if first.worth == NO_LINE {
            *first = way;
        } else {
            self.more.entry(space).or_default().push(way);
        }
    }

    /// Keeps a way unless another one spends no more and is no worse.
    #[inline(always)]
    fn keep(&mut self, space: u32, way: Way) {
        let first = self.first[space as usize];
        if first.worth == NO_LINE {
            self.first[space as usize] = way;
        } else if first.spent > way.spent || first.worth > way.worth {
            self.keep_also(space, way);
        }
    }

    fn keep_also(&mut self, space: u32, way: Way) {
        let stays = |w: &Way| w.spent < way.spent || w.worth < way.worth;
        let more = self.more.entry(space).or_default();
        if more.iter().any(|w| w.spent <= way.spent && w.worth <= way.worth) {
            return;
        }
        more.retain(stays);
        more.push(way);
        let first = &mut self.first[space as usize];
        if !stays(first) {
            *first = more.remove(0);
        }
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
}

impl Terms {
    /// What a shut gate adds to a line.
    #[inline(always)]
    pub fn toll(&self, leg: usize, part: Part, space: u32) -> Worth {
        match &self.freed {
            _ if is_open(&self.gates, leg, part, space) => 0,
            None => NO_LINE,
            Some(freed) if is_open(freed, leg, part, space) => SHUT,
            Some(_) => SHUT_FOR_GOOD,
        }
    }
}

/// Whether a gate of a leg is open in a space.
#[inline(always)]
fn is_open(gates: &Gates, leg: usize, part: Part, space: u32) -> bool {
    let of = &gates.legs[leg];
    let plane: &[bool] = match part {
        Part::From => &of.from,
        Part::Through => &of.through,
        Part::Into => &of.into,
    };
    plane[space as usize]
}

/// The ways of one leg from all spaces to its ends.
#[derive(Debug)]
pub(super) struct Flood {
    /// What a line from each space on comes to, where the leg may end there.
    pub ends: Arc<[Worth]>,
    /// The most that a way spends; none where nothing is counted.
    pub within: Option<u32>,
    /// The ways of a leg that begins in a space, before `from` is asked.
    pub begins: Ways,
    /// The ways of a leg that comes by a space.
    pub passes: Ways,
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
        let (net, layout) = (board.net(Some(&rule.legs[at].links)), board.layout());
        let (mut begins, mut passes) = (Ways::new(ends.len()), Ways::new(ends.len()));
        let enter = &terms.enter[at];
        let mut queue = Queue::new(within.map(|_| enter.most()));
        for (space, end) in (0u32..).zip(ends.iter()) {
            let worth = end.saturating_add(terms.toll(at, Part::Into, space));
            if worth != NO_LINE {
                begins.push(space, Way { spent: 0, worth });
                queue.push(Way { spent: 0, worth }, space);
            }
        }
        while let Some((Way { spent, worth }, into)) = queue.pop() {
            if passes.last(into) <= worth {
                continue;
            }
            passes.push(into, Way { spent, worth });
            net.each(layout, layout.cell(into), |cell| {
                let from = layout.space(cell);
                let Some(step) = enter.step(from, into) else { return };
                let spent = within.map_or(0, |_| spent.saturating_add(step));
                if within.is_some_and(|most| spent > most) {
                    return;
                }
                let worth = worth.saturating_add(measure(rule, step));
                begins.keep(from, Way { spent, worth });
                let worth = worth.saturating_add(terms.toll(at, Part::Through, from));
                if worth != NO_LINE && worth < passes.last(from) {
                    queue.push(Way { spent, worth }, from);
                }
            });
        }
        Flood { ends: Arc::clone(ends), within, begins, passes }
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

/// What waits in a search, the least spent first, then the best, then by the order of the map.
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

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn pop(&mut self) -> Option<(Way, u32)> {
        match self {
            Queue::Ring { buckets, now, spent, waiting } => loop {
                if let Some((worth, space)) = now.pop() {
                    *waiting -= 1;
                    // What is under way counts from the bucket that is emptied.
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
                now.sort_unstable_by(|a, b| b.cmp(a));
            },
            Queue::Heap(heap) => heap.pop().map(|Reverse(all)| {
                (Way { spent: (all >> 96) as u32, worth: (all >> 32) as u64 }, all as u32)
            }),
        }
    }
}
