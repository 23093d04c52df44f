//! The lengths of one leg, kept right where its ends or its gates change.
//!
//! First all that has lost what it rested on is found, nearest first: every step costs something,
//! so that a length rests only on lesser ones, which are settled before. Then those cells, and all
//! that is now nearer, are reached anew. The lengths are those of a fresh search, for a shortest
//! length is one number.

use std::sync::Arc;

use super::queue::Queue;
use super::tolls::{Toll, Tolls};
use super::ways::Ways;
use crate::kernel::board::{Bits, Board, Layout};
use crate::kernel::field::NONE;

/// Where more than this part of all spaces has lost its length, the leg is searched anew.
const PART: usize = 4;

/// The lengths of one leg for all units that share its costs.
pub(super) struct LegField {
    pub leg: usize,
    ways: Arc<Ways>,
    tolls: Arc<Tolls>,
    /// Longer lines than this are nobody's.
    pub cap: u32,
    /// By cell, the length of the shortest way to an end.
    dist: Vec<u32>,
    /// Where the leg may end.
    end: Bits,
    /// From where a way leads on: where it may end, and where it may pass.
    leads: Bits,
}

/// Room for a repair, kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Work {
    queue: Queue,
    lost: Vec<u32>,
    opened: Vec<u32>,
    ended: Vec<u32>,
    /// Cells whose length was touched.
    pub changed: Vec<u32>,
    /// Cells looked at since the change began.
    pub steps: usize,
}

impl LegField {
    /// The lengths of a leg that ends nowhere.
    pub(super) fn new(
        board: &Board<'_>,
        leg: usize,
        ways: Arc<Ways>,
        tolls: Arc<Tolls>,
        cap: u32,
    ) -> LegField {
        let size = board.layout().size;
        LegField {
            leg,
            ways,
            tolls,
            cap,
            dist: vec![NONE; size * 64],
            end: Bits::new(size),
            leads: Bits::new(size),
        }
    }

    /// The length of the shortest way from a cell.
    #[inline]
    pub(super) fn length(&self, cell: u32) -> u32 {
        self.dist[cell as usize]
    }

    /// What a step costs in each cell.
    pub(super) fn tolls(&self) -> &Arc<Tolls> {
        &self.tolls
    }

    /// Searches everything: where the leg may end, and where it may pass.
    pub(super) fn search(&mut self, layout: &Layout, end: Bits, pass: &Bits, work: &mut Work) {
        (self.end, self.leads) = (end, pass.clone());
        self.leads.or(&self.end);
        self.search_again(layout, work);
    }

    /// Repairs the lengths after the cells may have changed what they are: `is` says whether the
    /// leg may end and pass there.
    pub(super) fn repair(
        &mut self,
        layout: &Layout,
        cells: [&[u32]; 3],
        is: impl Fn(u32) -> (bool, bool),
        spaces: usize,
        work: &mut Work,
    ) {
        for cells in cells {
            for cell in cells {
                let (end, pass) = is(*cell);
                self.becomes(layout, *cell, end, end || pass, work);
            }
        }
        if !self.lose(layout, spaces / PART, work) {
            work.queue.clear();
            work.lost.clear();
            work.opened.clear();
            work.ended.clear();
            self.search_again(layout, work);
            work.changed.clear();
            work.changed.extend(layout.spaces.cells());
            return;
        }
        work.changed.extend_from_slice(&work.lost);
        for cell in work.lost.drain(..) {
            let best = self.best(layout, cell);
            if best <= self.cap {
                self.dist[cell as usize] = best;
                work.queue.push(best, cell);
            }
        }
        for cell in work.ended.drain(..) {
            if self.end.get(cell) && self.dist[cell as usize] > 0 {
                self.dist[cell as usize] = 0;
                work.queue.push(0, cell);
            }
        }
        for cell in work.opened.drain(..) {
            if self.leads.get(cell) {
                self.relax(layout, cell, self.dist[cell as usize], &mut work.queue);
            }
        }
        self.spread(layout, work);
    }

    /// Says what a cell is now; what rested on it before waits to be looked at.
    fn becomes(&mut self, layout: &Layout, cell: u32, end: bool, leads: bool, work: &mut Work) {
        let (was_end, led) = (self.end.get(cell), self.leads.get(cell));
        if end != was_end {
            self.end.put(cell, end);
            if end {
                work.ended.push(cell);
            } else {
                work.queue.push(0, cell);
            }
        }
        if leads != led {
            self.leads.put(cell, leads);
            // Most gates ask of all cells, and most nets of roads join few of them.
            if !self.ways.any(cell) {
                return;
            }
            if leads {
                work.opened.push(cell);
            } else {
                self.resting_on(layout, cell, self.dist[cell as usize], &mut work.queue);
            }
        }
    }

    /// Searches everything with the ends and gates of now.
    fn search_again(&mut self, layout: &Layout, work: &mut Work) {
        self.dist.fill(NONE);
        for cell in self.end.cells() {
            self.dist[cell as usize] = 0;
            work.queue.push(0, cell);
        }
        self.spread(layout, work);
    }

    /// Takes the length from all that rests on nothing any more, nearest first; false if that is
    /// more than it should be.
    fn lose(&mut self, layout: &Layout, most: usize, work: &mut Work) -> bool {
        while let Some((length, cell)) = work.queue.pop() {
            if self.dist[cell as usize] != length {
                continue;
            }
            work.steps += 1;
            if self.rests(layout, cell, length) {
                continue;
            }
            self.dist[cell as usize] = NONE;
            work.lost.push(cell);
            if work.lost.len() > most {
                return false;
            }
            if self.leads.get(cell) {
                self.resting_on(layout, cell, length, &mut work.queue);
            }
        }
        true
    }

    /// Puts all cells into the queue whose length may rest on that of a cell.
    fn resting_on(&self, layout: &Layout, cell: u32, length: u32, queue: &mut Queue) {
        if length == NONE {
            return;
        }
        each_behind(&self.ways, &self.tolls, layout, cell, length, |from, whole| {
            if self.dist[from as usize] == whole {
                queue.push(whole, from);
            }
        });
    }

    /// Whether the length of a cell rests on an end or on what a neighbour has.
    fn rests(&self, layout: &Layout, cell: u32, length: u32) -> bool {
        if self.end.get(cell) {
            return true;
        }
        let mut rests = false;
        self.ways.each(cell, |into| {
            let rest = self.dist[into as usize];
            rests = rests
                || rest < length
                    && self.leads.get(into)
                    && self.step(layout, cell, into).is_some_and(|step| step <= length - rest);
        });
        rests
    }

    /// The shortest length that a cell can have from what its neighbours have.
    fn best(&self, layout: &Layout, cell: u32) -> u32 {
        if self.end.get(cell) {
            return 0;
        }
        let mut best = NONE;
        self.ways.each(cell, |into| {
            let length = self.dist[into as usize];
            if length < best
                && self.leads.get(into)
                && let Some(step) = self.step(layout, cell, into)
            {
                best = best.min(length.saturating_add(step));
            }
        });
        best
    }

    #[inline(always)]
    fn step(&self, layout: &Layout, from: u32, into: u32) -> Option<u32> {
        self.tolls.step(layout, from, into)
    }

    /// Makes the neighbours of a cell nearer that are farther than by way of it.
    #[inline(always)]
    fn relax(&mut self, layout: &Layout, cell: u32, length: u32, queue: &mut Queue) {
        let LegField { ways, tolls, dist, cap, .. } = self;
        each_behind(ways, tolls, layout, cell, length, |from, whole| {
            let known = &mut dist[from as usize];
            if whole < *known && whole <= *cap {
                *known = whole;
                queue.push(whole, from);
            }
        });
    }

    /// Cheapest first from all that waits.
    fn spread(&mut self, layout: &Layout, work: &mut Work) {
        while let Some((length, cell)) = work.queue.pop() {
            if length != self.dist[cell as usize] {
                continue;
            }
            work.steps += 1;
            work.changed.push(cell);
            if self.leads.get(cell) {
                self.relax(layout, cell, length, &mut work.queue);
            }
        }
    }
}

/// Calls with every cell from which a step leads into one, and with how long a way from there is by
/// this step.
#[inline(always)]
fn each_behind(
    ways: &Ways,
    tolls: &Tolls,
    layout: &Layout,
    cell: u32,
    length: u32,
    mut call: impl FnMut(u32, u32),
) {
    match tolls.into(cell) {
        Toll::Barred => {}
        Toll::Of(toll) => {
            let whole = length.saturating_add(toll);
            ways.each(cell, |from| call(from, whole));
        }
        Toll::ByStep => ways.each(cell, |from| {
            if let Some(step) = tolls.by_step(layout, from, cell) {
                call(from, length.saturating_add(step));
            }
        }),
    }
}
