//! The rules of the hex games, repaired by hand after a move: counts by hex, lengths in lists, for
//! these rules alone.

use std::collections::VecDeque;

use super::hex::hand::{Board, NONE, Plain};

/// Lengths are below this.
const LENGTHS: usize = 256;

/// All that one side knows.
struct Side {
    /// Units of this side by hex.
    own: Vec<u8>,
    /// Hexes beside each in which the other side stands.
    near: Vec<u8>,
    free: Vec<bool>,
    /// Where a way overland may end.
    end: Vec<bool>,
    /// What is as far from such an end, for foot and for horse.
    length: [Vec<u32>; 2],
    longest: [u32; 2],
}

/// A position that is repaired.
pub struct Repaired<'b> {
    board: &'b Board,
    plain: Plain,
    sides: [Side; 2],
    lists: Vec<Vec<u32>>,
    lost: Vec<u32>,
    reached: Vec<bool>,
    queue: VecDeque<u32>,
}

impl<'b> Repaired<'b> {
    pub fn new(board: &'b Board, plain: &Plain) -> Repaired<'b> {
        let side = |side: usize| Side {
            own: vec![0; board.hexes],
            near: vec![0; board.hexes],
            free: vec![true; board.hexes],
            end: vec![false; board.hexes],
            length: [vec![NONE; board.hexes], vec![NONE; board.hexes]],
            longest: [false, true].map(|horse| plain.longest(side, horse)),
        };
        let mut made = Repaired {
            board,
            plain: plain.clone(),
            sides: [side(0), side(1)],
            lists: vec![Vec::new(); LENGTHS],
            lost: Vec::new(),
            reached: vec![false; board.hexes],
            queue: VecDeque::new(),
        };
        for unit in &plain.units {
            made.count(usize::from(unit.side), unit.hex, true, &mut Vec::new());
        }
        for side in 0..2 {
            let all: Vec<u32> = (0..board.hexes as u32).collect();
            let Side { own, near, free, .. } = &mut made.sides[side];
            let other = near;
            free.iter_mut()
                .zip(own)
                .zip(other)
                .for_each(|((free, own), near)| *free = *own > 0 || *near == 0);
            made.turn(side, &all);
            made.roads(side);
        }
        made
    }

    /// Whether a unit is supplied.
    pub fn yes(&self, unit: usize) -> bool {
        let unit = self.plain.units[unit];
        self.sides[usize::from(unit.side)].length[usize::from(unit.horse)][unit.hex as usize]
            <= unit.reach
    }

    pub fn move_unit(&mut self, unit: usize, to: u32) {
        let (side, from) = (usize::from(self.plain.units[unit].side), self.plain.units[unit].hex);
        self.plain.units[unit].hex = to;
        let mut looked = Vec::with_capacity(16);
        self.count(side, to, true, &mut looked);
        self.count(side, from, false, &mut looked);
        for side in 0..2 {
            let turned: Vec<u32> = looked
                .iter()
                .copied()
                .filter(|hex| self.is_free(side, *hex) != self.sides[side].free[*hex as usize])
                .collect();
            if !turned.is_empty() {
                self.turn(side, &turned);
                if turned.iter().any(|hex| !self.board.roads[*hex as usize].is_empty()) {
                    self.roads(side);
                }
            }
        }
    }

    /// A unit of a side comes to a hex or leaves it; adds the hexes where that counts.
    fn count(&mut self, side: usize, hex: u32, comes: bool, looked: &mut Vec<u32>) {
        let own = &mut self.sides[side].own[hex as usize];
        let turns = if comes { *own == 0 } else { *own == 1 };
        *own = if comes { *own + 1 } else { *own - 1 };
        if !turns {
            return;
        }
        looked.push(hex);
        // A hex in which the enemy stands is under its eyes as one beside it.
        for near in self.board.near[hex as usize].into_iter().filter(|n| *n != NONE).chain([hex]) {
            let near_of = &mut self.sides[1 - side].near[near as usize];
            *near_of = if comes { *near_of + 1 } else { *near_of - 1 };
            looked.push(near);
        }
    }

    fn is_free(&self, side: usize, hex: u32) -> bool {
        let side = &self.sides[side];
        side.own[hex as usize] > 0 || side.near[hex as usize] == 0
    }

    /// Says where a side passes now; a hex that no line passes any more takes the length of all
    /// that rested on it.
    fn turn(&mut self, side: usize, hexes: &[u32]) {
        let now: Vec<bool> = hexes.iter().map(|hex| self.is_free(side, *hex)).collect();
        for horse in 0..2 {
            for (hex, now) in hexes.iter().zip(&now) {
                self.sides[side].free[*hex as usize] = *now;
            }
            for (hex, now) in hexes.iter().zip(&now) {
                if !now {
                    self.resting(side, horse, *hex, self.sides[side].length[horse][*hex as usize]);
                }
            }
            self.lose(side, horse);
            for (hex, now) in hexes.iter().zip(&now) {
                if *now {
                    self.relax(side, horse, *hex);
                }
            }
            self.spread(side, horse);
        }
    }

    /// The roads of a side anew; where a way may end that did not, or no longer, the country is
    /// repaired.
    fn roads(&mut self, side: usize) {
        self.reached.fill(false);
        for depot in self
            .board
            .depots
            .iter()
            .filter(|d| usize::from(self.plain.control[**d as usize]) == side + 1)
        {
            self.reached[*depot as usize] = true;
            self.queue.push_back(*depot);
        }
        let of = &self.sides[side];
        let mut ends = Vec::new();
        while let Some(hex) = self.queue.pop_front() {
            if of.free[hex as usize] && !self.board.roads[hex as usize].is_empty() {
                ends.push(hex);
            }
            for next in &self.board.roads[hex as usize] {
                if !std::mem::replace(&mut self.reached[*next as usize], true)
                    && of.free[*next as usize]
                {
                    self.queue.push_back(*next);
                }
            }
        }
        let mut end = vec![false; self.board.hexes];
        ends.iter().for_each(|hex| end[*hex as usize] = true);
        let before = std::mem::replace(&mut self.sides[side].end, end);
        let gone: Vec<u32> = (0..self.board.hexes as u32)
            .filter(|h| before[*h as usize] && !self.sides[side].end[*h as usize])
            .collect();
        for horse in 0..2 {
            for hex in &gone {
                self.lists[0].push(*hex);
                self.resting(side, horse, *hex, 0);
            }
            self.lose(side, horse);
            for hex in ends.iter().filter(|h| !before[**h as usize]) {
                self.sides[side].length[horse][*hex as usize] = 0;
                self.lists[0].push(*hex);
            }
            self.spread(side, horse);
        }
    }

    fn resting(&mut self, side: usize, horse: usize, hex: u32, length: u32) {
        if length == NONE {
            return;
        }
        let whole = length + self.board.cost[horse][hex as usize];
        for near in self.board.near[hex as usize].into_iter().filter(|n| *n != NONE) {
            if self.sides[side].length[horse][near as usize] == whole {
                self.lists[whole as usize].push(near);
            }
        }
    }

    /// The shortest that a hex can have from those beside it.
    fn best(&self, side: usize, horse: usize, hex: u32) -> u32 {
        let of = &self.sides[side];
        if of.end[hex as usize] {
            return 0;
        }
        let near = self.board.near[hex as usize]
            .into_iter()
            .filter(|n| *n != NONE && (of.free[*n as usize] || of.end[*n as usize]));
        near.map(|n| {
            of.length[horse][n as usize].saturating_add(self.board.cost[horse][n as usize])
        })
        .min()
        .unwrap_or(NONE)
    }

    fn lose(&mut self, side: usize, horse: usize) {
        for length in 0..LENGTHS {
            while let Some(hex) = self.lists[length].pop() {
                if self.sides[side].length[horse][hex as usize] == length as u32
                    && self.best(side, horse, hex) > length as u32
                {
                    self.sides[side].length[horse][hex as usize] = NONE;
                    self.lost.push(hex);
                    self.resting(side, horse, hex, length as u32);
                }
            }
        }
        for hex in std::mem::take(&mut self.lost) {
            let best = self.best(side, horse, hex);
            if best <= self.sides[side].longest[horse] {
                self.sides[side].length[horse][hex as usize] = best;
                self.lists[best as usize].push(hex);
            }
        }
    }

    fn relax(&mut self, side: usize, horse: usize, hex: u32) {
        let of = &mut self.sides[side];
        let length = of.length[horse][hex as usize];
        let whole = length.saturating_add(self.board.cost[horse][hex as usize]);
        if whole > of.longest[horse] {
            return;
        }
        for near in self.board.near[hex as usize].into_iter().filter(|n| *n != NONE) {
            if whole < of.length[horse][near as usize] {
                of.length[horse][near as usize] = whole;
                self.lists[whole as usize].push(near);
            }
        }
    }

    fn spread(&mut self, side: usize, horse: usize) {
        for length in 0..LENGTHS {
            while let Some(hex) = self.lists[length].pop() {
                let of = &self.sides[side];
                let leads = of.free[hex as usize] || of.end[hex as usize];
                if leads && of.length[horse][hex as usize] == length as u32 {
                    self.relax(side, horse, hex);
                }
            }
        }
    }
}
