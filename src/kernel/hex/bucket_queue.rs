//! One search on planes: a space settled at a cost waits what it takes to enter it, then spreads to
//! its neighbours.
//!
//! The spaces settled at each cost are a plane, kept in a ring as long as the dearest step. Lines
//! without a bit are skipped. Spaces with links of their own sort are few; their steps are told one
//! by one.

use super::tolls::Toll;
use crate::kernel::board::{Bits, Layout, PathsScratch};

/// What a search runs over.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub layout: &'a Layout,
    pub toll: &'a Toll,
    pub through: &'a Bits,
}

/// The room of a search.
#[derive(Debug, Default)]
pub(super) struct BucketQueue {
    /// Every space reached so far.
    pub reached: Bits,
    ring: Vec<Slot>,
    /// As many of the ring as the dearest step of this leg asks for, and one.
    size: usize,
    /// What spreads at this step.
    ready: Slot,
    fresh: Bits,
    fresh_on: Vec<bool>,
    /// Spaces reached by steps told one by one, by the cost at which they are.
    arrive: Vec<Vec<u32>>,
    waiting: usize,
    whole: Vec<bool>,
    none: Vec<u64>,
    /// Where somebody waits to be reached, how many such spaces are left, and the costs at which
    /// the others were.
    watched: Bits,
    left: usize,
    costs: Vec<u32>,
    stack: Vec<u32>,
    /// Which groups of cells are expanded already.
    expanded: Vec<bool>,
    threads: PathsScratch,
}

/// A plane, and which of its lines have a bit.
#[derive(Debug, Default)]
struct Slot {
    bits: Bits,
    on: Vec<bool>,
    busy: usize,
}

impl Slot {
    fn reset(&mut self, size: usize, lines: usize) {
        self.bits.reset(size);
        self.on.clear();
        self.on.resize(lines, false);
        self.busy = 0;
    }

    fn clear(&mut self, words: usize) {
        if self.busy > 0 {
            for (line, on) in self.on.iter_mut().enumerate().filter(|(_, on)| **on) {
                self.bits.0[line * words..][..words].fill(0);
                *on = false;
            }
            self.busy = 0;
        }
    }
}

impl BucketQueue {
    /// Begins at the ends of a leg; of the spaces that are watched the costs are kept.
    pub(super) fn begin(&mut self, ground: Ground<'_>, ends: &Bits, watched: Option<&Bits>) {
        let layout = ground.layout;
        match watched {
            Some(watched) => self.watched.copy(watched),
            None => self.watched.reset(layout.size),
        }
        self.left = self.watched.0.iter().map(|w| w.count_ones() as usize).sum();
        self.costs.resize(layout.size * 64, 0);
        let lines = layout.size / layout.words;
        let ring = ground.toll.most as usize + 1;
        self.size = ring;
        self.ring.resize_with(ring.max(self.ring.len()), Slot::default);
        self.ring.iter_mut().take(ring).for_each(|slot| slot.reset(layout.size, lines));
        self.arrive.resize_with(ring.max(self.arrive.len()), Vec::new);
        self.arrive.iter_mut().for_each(Vec::clear);
        self.waiting = 0;
        self.ready.reset(layout.size, lines);
        self.reached.reset(layout.size);
        self.expanded.clear();
        self.expanded.resize(ground.toll.net.groups(), false);
        self.fresh.copy(ends);
        self.fresh_on.clear();
        self.fresh_on.extend(ends.0.chunks(layout.words).map(|line| line.iter().any(|w| *w != 0)));
        self.whole.clear();
        self.whole.resize(lines, false);
        self.none.clear();
        self.none.resize(layout.words, 0);
        self.settle(ground, 0);
    }

    /// Whether any space that is watched has not been reached.
    pub(super) fn is_awaited(&self) -> bool {
        self.left > 0
    }

    /// The cost at which a space was reached that was watched.
    pub(super) fn cost(&self, cell: u32) -> u32 {
        self.costs.get(cell as usize).copied().unwrap_or(0)
    }

    /// Whether anything is still under way.
    pub(super) fn runs(&self) -> bool {
        self.waiting > 0 || self.ring.iter().take(self.size).any(|slot| slot.busy > 0)
    }

    /// Goes on to the next cost.
    pub(super) fn step(&mut self, ground: Ground<'_>, cost: usize) {
        let Ground { layout, toll, .. } = ground;
        let words = layout.words;
        let ring = self.size;
        self.ring[cost % ring].clear(words);
        self.gather(ground, cost);
        if self.ready.busy > 0 {
            for line in 0..layout.lines {
                if toll.net.full {
                    let near = |l: usize| {
                        self.ready.on.get(l).copied().unwrap_or(false) && l < layout.lines
                    };
                    if !self.whole[line]
                        && (near(line) || line > 0 && near(line - 1) || near(line + 1))
                    {
                        self.dilate(layout, line);
                    }
                } else if self.ready.on[line] {
                    self.spread_along(ground, line);
                }
            }
        }
        for cell in self.arrive[cost % ring].drain(..) {
            self.waiting -= 1;
            self.fresh.set(cell);
            self.fresh_on[cell as usize / (words * 64)] = true;
        }
        self.settle(ground, cost);
    }

    /// What has waited long enough.
    fn gather(&mut self, ground: Ground<'_>, cost: usize) {
        let Ground { layout, toll, .. } = ground;
        let (words, ring) = (layout.words, self.size);
        self.ready.clear(words);
        for line in 0..layout.lines {
            let out = &mut self.ready.bits.0[line * words..][..words];
            let mut on = false;
            for (wait, plane) in toll.planes.iter().filter(|(wait, _)| *wait as usize <= cost) {
                let slot = &self.ring[(cost - *wait as usize) % ring];
                if slot.on[line] {
                    let rows =
                        slot.bits.0[line * words..].iter().zip(&plane.words()[line * words..]);
                    out.iter_mut().zip(rows).for_each(|(o, (s, p))| *o |= s & p);
                    on = true;
                }
            }
            self.ready.on[line] = on;
            self.ready.busy += usize::from(on);
        }
    }

    /// The neighbours in one line of all that spreads, where every two hexes that touch are joined.
    fn dilate(&mut self, layout: &Layout, line: usize) {
        let words = layout.words;
        let ready = &self.ready.bits.0;
        let row = |line: Option<usize>| {
            line.map_or(self.none.as_slice(), |l| &ready[l * words..][..words])
        };
        let (own, above, below) = (
            row(Some(line)),
            row(line.checked_sub(1)),
            row(Some(line + 1).filter(|l| *l < layout.lines)),
        );
        let out = &mut self.fresh.0[line * words..][..words];
        // The lines beside this one are shifted alike, and not as this one is.
        let (up, down) = if layout.shifted(line) { (0, u64::MAX) } else { (u64::MAX, 0) };
        let parts = |at: usize| {
            let beside = above[at] | below[at];
            (own[at] | beside & up, own[at] | beside & down, beside)
        };
        let (mut before, mut here) = ((0, 0, 0), parts(0));
        for (at, word) in out.iter_mut().enumerate() {
            let next = if at + 1 < words { parts(at + 1) } else { (0, 0, 0) };
            *word = here.0 << 1 | before.0 >> 63 | here.1 >> 1 | next.1 << 63 | here.2;
            (before, here) = (here, next);
        }
        let hexes = &layout.hexes.0[line * words..][..words];
        out.iter_mut().zip(hexes).for_each(|(o, h)| *o &= h);
        self.fresh_on[line] = true;
    }

    /// The same over links of which not all are there.
    fn spread_along(&mut self, ground: Ground<'_>, line: usize) {
        let Ground { layout, toll, .. } = ground;
        for way in 0..6 {
            if let Some(target) =
                toll.net.spread_from_line(layout, &self.ready.bits, way, line, &mut self.fresh)
            {
                self.fresh_on[target] = true;
            }
        }
    }

    /// Keeps what is new, and lets it wait in its turn.
    fn settle(&mut self, ground: Ground<'_>, cost: usize) {
        let Ground { layout, toll, through } = ground;
        let words = layout.words;
        let slot_at = cost % self.size;
        for line in 0..self.fresh_on.len() {
            if !std::mem::take(&mut self.fresh_on[line]) {
                continue;
            }
            let slot = &mut self.ring[slot_at];
            let mut on = 0;
            let mut left = 0;
            for at in line * words..line * words + words {
                let new = std::mem::take(&mut self.fresh.0[at]) & !self.reached.0[at];
                self.reached.0[at] |= new;
                let mut seen = new & self.watched.0[at];
                while seen != 0 {
                    self.costs[at * 64 + seen.trailing_zeros() as usize] =
                        u32::try_from(cost).unwrap_or(u32::MAX);
                    self.left -= 1;
                    seen &= seen - 1;
                }
                left |= layout.hexes.0[at] & !self.reached.0[at];
                // What a leg may not pass still begins legs, and the ends of a leg are not passed.
                let passing = if cost == 0 { new } else { new & through.0[at] };
                let special = passing & toll.special.0[at];
                slot.bits.0[at] = passing & !special;
                on |= slot.bits.0[at];
                let mut more = special;
                while more != 0 {
                    self.stack
                        .push(u32::try_from(at << 6).unwrap_or(u32::MAX) + more.trailing_zeros());
                    more &= more - 1;
                }
            }
            self.whole[line] = left == 0;
            if on != 0 {
                slot.on[line] = true;
                slot.busy += 1;
            }
        }
        let grouped = toll.net.groups() > 0 && toll.is_one_a_link();
        while let Some(into) = self.stack.pop() {
            let (ring, arrive, waiting) = (self.size, &mut self.arrive, &mut self.waiting);
            if grouped {
                toll.net.each_unexpanded(layout, into, &mut self.expanded, |from| {
                    arrive[(cost + 1) % ring].push(from);
                    *waiting += 1;
                });
                continue;
            }
            toll.net.each(layout, into, |from| {
                if let Some(step) = toll.step(layout.space(from), layout.space(into)) {
                    arrive[(cost + step as usize) % ring].push(from);
                    *waiting += 1;
                }
            });
        }
    }

    /// All that can be reached at any cost: along the roads where these are few, else one space
    /// after another.
    pub(super) fn reach(&mut self, ground: Ground<'_>, ends: &Bits) {
        let Ground { layout, toll, through } = ground;
        self.reached.copy(ends);
        if !toll.net.full && toll.evenly {
            toll.net.flood(layout, (through, &toll.open), &mut self.threads, &mut self.reached);
            return;
        }
        self.stack.clear();
        self.stack.extend(ends.cells());
        while let Some(into) = self.stack.pop() {
            let special = toll.special.get(into);
            if !special && !toll.open.get(into) {
                continue;
            }
            let (stack, reached) = (&mut self.stack, &mut self.reached);
            toll.net.each(layout, into, |from| {
                let barred = special && toll.step(layout.space(from), layout.space(into)).is_none();
                if !barred && !reached.get(from) {
                    reached.set(from);
                    if through.get(from) {
                        stack.push(from);
                    }
                }
            });
        }
    }
}
