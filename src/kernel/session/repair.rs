//! The lengths of one leg, kept right where its ends or its gates change.
//!
//! First all that has lost what it rested on is found, nearest first: every step costs something, so that a length rests only on
//! lesser ones, which are settled before. Then those cells, and all that is now nearer, are reached anew. The lengths are those
//! of a fresh search, for a shortest length is one number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use super::conditions::put;
use crate::kernel::board::{Bits, Board, Net};
use crate::kernel::costs::Costs;
use crate::kernel::field::NONE;

/// Where more than this part of all spaces has lost its length, the leg is searched anew.
const PART: usize = 4;

/// The lengths of one leg for all units that share its costs.
pub(super) struct LegField {
    pub leg: usize,
    net: Rc<Net>,
    costs: Costs,
    /// Longer lines than this are nobody's.
    pub cap: u32,
    /// By cell, the length of the shortest way to an end.
    pub dist: Vec<u32>,
    /// Where the leg may end.
    end: Bits,
    /// Where it may pass.
    pass: Bits,
}

/// Room for a repair, kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Work {
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    lost: Vec<u32>,
    opened: Vec<u32>,
    /// Cells whose length was touched.
    pub changed: Vec<u32>,
    /// Cells looked at since the change began.
    pub steps: usize,
    /// Whether a leg was searched from the beginning.
    pub whole: bool,
}

impl LegField {
    /// The lengths of a leg from nothing: `end` and `pass` say where it may end and pass.
    pub(super) fn new(board: &Board<'_>, leg: usize, net: Rc<Net>, costs: Costs, cap: u32) -> LegField {
        let size = board.layout().size;
        let (end, pass) = (Bits::new(size), Bits::new(size));
        LegField { leg, net, costs, cap, dist: vec![NONE; size * 64], end, pass }
    }

    /// Searches everything.
    pub(super) fn search(&mut self, board: &Board<'_>, end: Bits, pass: Bits, work: &mut Work) {
        self.dist.fill(NONE);
        (self.end, self.pass) = (end, pass);
        work.heap.clear();
        work.heap.extend(self.end.cells().map(|c| Reverse((0, c))));
        self.spread(board, work);
    }

    /// Repairs the lengths after the cells may have changed what they are.
    pub(super) fn repair(&mut self, board: &Board<'_>, cells: &[u32], is: impl Fn(u32) -> (bool, bool), work: &mut Work) {
        work.heap.clear();
        work.lost.clear();
        work.opened.clear();
        let mut ended = Vec::new();
        for cell in cells {
            let (was_end, was_pass) = (self.end.get(*cell), self.pass.get(*cell));
            let (end, pass) = is(*cell);
            if (end, pass) == (was_end, was_pass) {
                continue;
            }
            put(&mut self.end, *cell, end);
            put(&mut self.pass, *cell, pass);
            let length = self.dist[*cell as usize];
            if was_end && !end {
                work.heap.push(Reverse((length, *cell)));
            }
            if end && !was_end {
                ended.push(*cell);
            }
            match (was_end || was_pass, end || pass) {
                (true, false) => self.resting_on(board, *cell, length, &mut work.heap),
                (false, true) => work.opened.push(*cell),
                _ => {}
            }
        }
        if !self.lose(board, board.map.spaces.len() / PART, work) {
            self.search_again(board, work);
            return;
        }
        for cell in &work.lost {
            let best = self.best(board, *cell);
            if best <= self.cap {
                work.heap.push(Reverse((best, *cell)));
            }
        }
        work.heap.extend(ended.into_iter().map(|c| Reverse((0, c))));
        for at in 0..work.opened.len() {
            let cell = work.opened[at];
            self.relax(board, cell, self.dist[cell as usize], &mut work.heap);
        }
        work.changed.extend_from_slice(&work.lost);
        self.spread(board, work);
    }

    /// Searches everything with the ends and gates of now.
    fn search_again(&mut self, board: &Board<'_>, work: &mut Work) {
        let (end, pass) = (std::mem::take(&mut self.end), std::mem::take(&mut self.pass));
        self.search(board, end, pass, work);
        work.changed.clear();
        work.changed.extend(board.layout().spaces.cells());
        work.whole = true;
    }

    /// Takes the length from all that rests on nothing any more, nearest first; false if that is more than it should be.
    fn lose(&mut self, board: &Board<'_>, most: usize, work: &mut Work) -> bool {
        while let Some(Reverse((length, cell))) = work.heap.pop() {
            if self.dist[cell as usize] != length || length == NONE {
                continue;
            }
            work.steps += 1;
            if self.best(board, cell) == length {
                continue;
            }
            self.dist[cell as usize] = NONE;
            work.lost.push(cell);
            if work.lost.len() > most {
                return false;
            }
            self.resting_on(board, cell, length, &mut work.heap);
        }
        true
    }

    /// The cells whose length may rest on that of a cell.
    fn resting_on(&self, board: &Board<'_>, cell: u32, length: u32, heap: &mut BinaryHeap<Reverse<(u32, u32)>>) {
        if length == NONE {
            return;
        }
        let layout = board.layout();
        self.net.each(layout, cell, |from| {
            let known = self.dist[from as usize];
            if known != NONE
                && known > length
                && self.costs.step(layout.space(from), layout.space(cell)).is_some_and(|step| length.saturating_add(step) == known)
            {
                heap.push(Reverse((known, from)));
            }
        });
    }

    /// The shortest length that a cell can have from what its neighbours have.
    fn best(&self, board: &Board<'_>, cell: u32) -> u32 {
        if self.end.get(cell) {
            return 0;
        }
        let layout = board.layout();
        let mut best = NONE;
        self.net.each(layout, cell, |into| {
            let length = self.dist[into as usize];
            if length < best
                && self.leads_on(into)
                && let Some(step) = self.costs.step(layout.space(cell), layout.space(into))
            {
                best = best.min(length.saturating_add(step));
            }
        });
        best
    }

    /// Whether a way leads on from a cell.
    #[inline]
    fn leads_on(&self, cell: u32) -> bool {
        self.end.get(cell) || self.pass.get(cell)
    }

    fn relax(&self, board: &Board<'_>, cell: u32, length: u32, heap: &mut BinaryHeap<Reverse<(u32, u32)>>) {
        if length == NONE {
            return;
        }
        let layout = board.layout();
        self.net.each(layout, cell, |from| {
            if self.dist[from as usize] > length
                && let Some(step) = self.costs.step(layout.space(from), layout.space(cell))
            {
                let whole = length.saturating_add(step);
                if whole <= self.cap && whole < self.dist[from as usize] {
                    heap.push(Reverse((whole, from)));
                }
            }
        });
    }

    /// Cheapest first from all that waits.
    fn spread(&mut self, board: &Board<'_>, work: &mut Work) {
        while let Some(Reverse((length, cell))) = work.heap.pop() {
            if length >= self.dist[cell as usize] {
                continue;
            }
            work.steps += 1;
            self.dist[cell as usize] = length;
            work.changed.push(cell);
            if self.leads_on(cell) {
                self.relax(board, cell, length, &mut work.heap);
            }
        }
    }
}
