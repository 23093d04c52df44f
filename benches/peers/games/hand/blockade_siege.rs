//! Blockade and siege: a block in its walls is supplied; any other needs a way of five hexes to a
//! hub, over no river without a bridge and through no enemy formation.

use std::collections::VecDeque;

use super::super::board::{Board, Camp};
use super::super::peer::{Found, NO, Peer, UNASKED, YES};
use super::super::plain::{OFF, Plain};
use super::causes::{BARRED, Searches, Terms};
use super::{FAR, bit, stand};

const LONGEST: u32 = 5;

pub struct BlockadeSiege {
    /// Steps that no river bars.
    ways: Vec<Vec<u16>>,
    block: Vec<bool>,
    hub: Vec<bool>,
    formation: Vec<bool>,
    /// Fortresses that have not surrendered.
    holding: Vec<bool>,
    owner: Vec<Option<usize>>,
    camps: Vec<Camp>,
    hubs: Vec<u8>,
    walls: Vec<u8>,
    formations: Vec<u8>,
    length: Vec<Vec<u32>>,
    queue: VecDeque<u16>,
    terms: Terms,
}

impl BlockadeSiege {
    pub fn new(board: &Board<'_>) -> BlockadeSiege {
        let (rivers, bridges) = (board.links(&["river"]), board.links(&["bridge"]));
        let mut ways = board.links(&["hexside", "bridge"]);
        let mut terms = Terms::of_ones(ways.clone());
        for (hex, enter) in terms.enter.iter_mut().enumerate() {
            for (from, cost) in terms.near[hex].iter().zip(enter) {
                if rivers[hex].contains(from) && !bridges[hex].contains(from) {
                    *cost = BARRED;
                }
            }
        }
        for (hex, ways) in ways.iter_mut().enumerate() {
            ways.retain(|to| !rivers[hex].contains(to) || bridges[hex].contains(to));
        }
        let surrendered = board.word("stage", "surrendered");
        let stage = board.of_units("fortress", "stage");
        let fortress = board.are("fortress");
        let camps = board.camps();
        BlockadeSiege {
            ways,
            block: board.are("block"),
            hub: board.are("hub"),
            formation: board.are("formation"),
            holding: (0..board.units).map(|u| fortress[u] && stage[u] != surrendered).collect(),
            owner: board.owner.clone(),
            hubs: vec![0; board.spaces],
            walls: vec![0; board.spaces],
            formations: vec![0; board.spaces],
            length: vec![vec![FAR; board.spaces]; camps.len()],
            queue: VecDeque::new(),
            terms,
            camps,
        }
    }

    fn place(&mut self, position: &Plain) {
        stand(&mut self.hubs, &position.space, &self.owner, |u| self.hub[u]);
        stand(&mut self.walls, &position.space, &self.owner, |u| self.holding[u]);
        stand(&mut self.formations, &position.space, &self.owner, |u| self.formation[u]);
    }

    fn search(&mut self, side: usize) {
        let camp = self.camps[side];
        let length = &mut self.length[side];
        length.fill(FAR);
        for (hex, hubs) in self.hubs.iter().enumerate() {
            if hubs & camp.own != 0 {
                length[hex] = 0;
                self.queue.push_back(hex as u16);
            }
        }
        while let Some(hex) = self.queue.pop_front() {
            let next = length[usize::from(hex)] + 1;
            for to in &self.ways[usize::from(hex)] {
                let at = usize::from(*to);
                if length[at] == FAR {
                    length[at] = next;
                    if next < LONGEST && self.formations[at] & camp.enemies == 0 {
                        self.queue.push_back(*to);
                    }
                }
            }
        }
    }
}

impl Peer for BlockadeSiege {
    fn answers(&mut self, position: &Plain, out: &mut Vec<u8>) {
        self.place(position);
        for side in 0..self.camps.len() {
            self.search(side);
        }
        out.clear();
        for (unit, space) in position.space.iter().enumerate() {
            let (true, Some(side), false) = (self.block[unit], self.owner[unit], *space == OFF)
            else {
                out.push(UNASKED);
                continue;
            };
            let at = usize::from(*space);
            let in_walls = position.fact[unit] != 0 && self.walls[at] & bit(Some(side)) != 0;
            out.push(if in_walls || self.length[side][at] <= LONGEST { YES } else { NO });
        }
    }
    fn found(&mut self, position: &Plain, out: &mut Vec<Found>) -> bool {
        self.place(position);
        out.clear();
        out.resize_with(position.space.len(), Found::unasked);
        for side in 0..self.camps.len() {
            let (camp, mut searches) = (self.camps[side], Searches::default());
            for hex in 0..self.hubs.len() {
                self.terms.source[hex] = self.hubs[hex] & camp.own != 0;
                self.terms.through[hex] = self.formations[hex] & camp.enemies == 0;
            }
            for (unit, space) in position.space.iter().enumerate() {
                if !self.block[unit] || self.owner[unit] != Some(side) || *space == OFF {
                    continue;
                }
                let at = usize::from(*space);
                let in_walls = position.fact[unit] != 0 && self.walls[at] & bit(Some(side)) != 0;
                out[unit] = match in_walls {
                    true => Found::always(),
                    false => self.terms.found(&mut searches, *space, LONGEST),
                };
            }
        }
        true
    }
}
