//! The same rules by hand: arrays, a queue for the roads, a heap for the country.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use sutler::ir::{KindId, Ruleset};
use sutler::world::{ThingRef, World};

pub const NONE: u32 = u32::MAX;

/// A unit as a program would keep it.
#[derive(Clone, Copy)]
pub struct Unit {
    pub side: u8,
    pub horse: bool,
    pub reach: u32,
    pub hex: u32,
}

/// The map as a program would keep it.
pub struct Board {
    pub near: Vec<[u32; 6]>,
    pub roads: Vec<Vec<u32>>,
    /// What it costs to enter, for foot and for horse.
    pub cost: [Vec<u32>; 2],
    pub depots: Vec<u32>,
    pub hexes: usize,
}

/// A position as a program would keep it.
#[derive(Clone)]
pub struct Plain {
    pub units: Vec<Unit>,
    pub control: Vec<u8>,
}

impl Plain {
    /// The farthest that a unit of a side reaches, of those on horse or of those on foot.
    pub fn longest(&self, side: usize, horse: bool) -> u32 {
        let of_class =
            self.units.iter().filter(|u| usize::from(u.side) == side && u.horse == horse);
        of_class.map(|u| u.reach).max().unwrap_or(0)
    }
}

pub fn board(rules: &Ruleset, world: &World) -> Board {
    let map = &rules.maps[world.map.index()];
    let grid = map.grid.as_ref().unwrap();
    let road = rules.kinds.iter().position(|k| k.name == "road").map(KindId::at).unwrap();
    let fact = |name: &str, s: u32| {
        world.fact(rules.facts.iter().find(|f| f.name == name).unwrap(), ThingRef::Space(s))
    };
    let hexes = map.spaces.len();
    let all = 0..hexes as u32;
    let near = |s: u32| {
        let mut row = [NONE; 6];
        let (column, line) = grid.place(s).unwrap();
        row.iter_mut().zip(grid.around(column, line)).for_each(|(cell, to)| *cell = to);
        row
    };
    let cost = |foot: [u32; 3]| all.clone().map(|s| foot[fact("terrain", s) as usize]).collect();
    Board {
        near: all.clone().map(near).collect(),
        roads: all.clone().map(|s| map.neighbours(road, s).to_vec()).collect(),
        cost: [cost([1, 2, 3]), cost([1, 2, 4])],
        depots: all.clone().filter(|s| fact("depot", *s) != 0).collect(),
        hexes,
    }
}

pub fn plain(rules: &Ruleset, world: &World) -> Plain {
    let fact = |name: &str, u: u32| {
        world.fact(rules.facts.iter().find(|f| f.name == name).unwrap(), ThingRef::Unit(u))
    };
    let unit = |u: u32| Unit {
        side: world.owner(u).unwrap().0,
        horse: fact("arm", u) == 1,
        reach: fact("reach", u) as u32,
        hex: world.space_of(u).unwrap(),
    };
    Plain {
        units: (0..world.units.len() as u32).map(unit).collect(),
        control: (0..rules.maps[world.map.index()].spaces.len() as u32)
            .map(|s| world.control(s).map_or(0, |s| s.0 + 1))
            .collect(),
    }
}

/// What all ways by hand share: where lines pass, where they end, and the answers.
pub struct Common {
    held: [Vec<bool>; 2],
    pub free: Vec<bool>,
    pub ends: Vec<u32>,
    reached: Vec<bool>,
    queue: VecDeque<u32>,
    pub answers: Vec<bool>,
}

impl Common {
    pub fn new(board: &Board) -> Common {
        let empty = || vec![false; board.hexes];
        Common {
            held: [empty(), empty()],
            free: empty(),
            ends: Vec::new(),
            reached: empty(),
            queue: VecDeque::new(),
            answers: Vec::new(),
        }
    }

    pub fn place(&mut self, plain: &Plain) {
        self.answers.clear();
        self.answers.resize(plain.units.len(), false);
        self.held.iter_mut().for_each(|h| h.fill(false));
        for unit in &plain.units {
            self.held[usize::from(unit.side)][unit.hex as usize] = true;
        }
    }

    /// Where lines of a side pass, and where they may come to a road that leads to a depot.
    pub fn roads(&mut self, board: &Board, plain: &Plain, side: usize) {
        let (own, enemy) = (&self.held[side], &self.held[1 - side]);
        self.free.fill(true);
        for (hex, held) in enemy.iter().enumerate() {
            if *held {
                self.free[hex] = false;
                board.near[hex]
                    .iter()
                    .filter(|n| **n != NONE)
                    .for_each(|n| self.free[*n as usize] = false);
            }
        }
        self.free.iter_mut().zip(own).for_each(|(free, own)| *free |= own);
        self.reached.fill(false);
        self.ends.clear();
        for depot in
            board.depots.iter().filter(|d| usize::from(plain.control[**d as usize]) == side + 1)
        {
            self.reached[*depot as usize] = true;
            self.queue.push_back(*depot);
        }
        while let Some(hex) = self.queue.pop_front() {
            if self.free[hex as usize] && !board.roads[hex as usize].is_empty() {
                self.ends.push(hex);
            }
            for next in &board.roads[hex as usize] {
                if !self.reached[*next as usize] {
                    self.reached[*next as usize] = true;
                    // What is not free begins no road part either.
                    if self.free[*next as usize] {
                        self.queue.push_back(*next);
                    }
                }
            }
        }
    }

    pub fn answer(&mut self, plain: &Plain, side: usize, horse: bool, length: impl Fn(u32) -> u32) {
        for (unit, answer) in plain.units.iter().zip(&mut self.answers) {
            if usize::from(unit.side) == side && unit.horse == horse {
                *answer = length(unit.hex) <= unit.reach;
            }
        }
    }
}

/// Vec and BinaryHeap.
pub struct Tidy<'b> {
    board: &'b Board,
    common: Common,
    cost: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'b> Tidy<'b> {
    pub fn new(board: &'b Board) -> Tidy<'b> {
        Tidy {
            board,
            common: Common::new(board),
            cost: vec![NONE; board.hexes],
            heap: BinaryHeap::new(),
        }
    }

    pub fn ask(&mut self, plain: &Plain) -> &[bool] {
        self.common.place(plain);
        for side in 0..2 {
            self.common.roads(self.board, plain, side);
            for horse in [false, true] {
                let longest = plain.longest(side, horse);
                self.search(horse, longest);
                let cost = &self.cost;
                self.common.answer(plain, side, horse, |hex| cost[hex as usize]);
            }
        }
        &self.common.answers
    }

    fn search(&mut self, horse: bool, longest: u32) {
        let (costs, free) = (&self.board.cost[usize::from(horse)], &self.common.free);
        self.cost.fill(NONE);
        self.heap.clear();
        for end in &self.common.ends {
            self.cost[*end as usize] = 0;
            self.heap.push(Reverse((0, *end)));
        }
        while let Some(Reverse((gone, hex))) = self.heap.pop() {
            if gone > self.cost[hex as usize] {
                continue;
            }
            let whole = gone + costs[hex as usize];
            if whole > longest {
                continue;
            }
            for next in self.board.near[hex as usize] {
                if next != NONE && whole < self.cost[next as usize] {
                    self.cost[next as usize] = whole;
                    if free[next as usize] {
                        self.heap.push(Reverse((whole, next)));
                    }
                }
            }
        }
    }
}
