//! Range: from each of twenty raiders breadth first as far as it may go, and no further from a hex
//! in which it must stop.

use std::collections::VecDeque;

use super::super::board::Board;
use super::super::peer::{NO, Peer, YES};
use super::super::plain::{OFF, Plain};
use super::{FAR, stand};

pub struct Range {
    near: Vec<Vec<u16>>,
    lake: Vec<bool>,
    wood: Vec<bool>,
    /// Marshes without a road.
    mire: Vec<bool>,
    /// The raiders, and how far each may go.
    raiders: Vec<(usize, u32)>,
    owner: Vec<Option<usize>>,
    red: usize,
    troops: Vec<u8>,
    may_end: Vec<bool>,
    goes_on: Vec<bool>,
    length: Vec<u32>,
    queue: VecDeque<u16>,
}

impl Range {
    pub fn new(board: &Board<'_>) -> Range {
        let terrain = board.of_spaces("hex", "terrain");
        let road = board.where_spaces("hex", "road");
        let are = |word: &str| {
            let word = board.word("terrain", word);
            terrain.iter().map(|t| *t == word).collect::<Vec<bool>>()
        };
        let strides = board.of_units("raider", "strides");
        let red = board.side("Red");
        let raiders = strides.iter().enumerate().filter(|(at, _)| board.owner[*at] == Some(red));
        Range {
            near: board.links(&["hexside"]),
            lake: are("lake"),
            wood: are("wood"),
            mire: are("marsh").iter().zip(&road).map(|(m, r)| *m && !*r).collect(),
            raiders: raiders.map(|(at, far)| (at, *far as u32)).collect(),
            owner: board.owner.clone(),
            red,
            troops: vec![0; board.spaces],
            may_end: vec![false; board.spaces],
            goes_on: vec![false; board.spaces],
            length: vec![FAR; board.spaces],
            queue: VecDeque::new(),
        }
    }
}

impl Peer for Range {
    fn answers(&mut self, position: &Plain, out: &mut Vec<u8>) {
        stand(&mut self.troops, &position.space, &self.owner, |_| true);
        let enemy = 1u8 << (1 - self.red);
        for hex in 0..self.troops.len() {
            let theirs = self.troops[hex] & enemy != 0;
            self.may_end[hex] = !self.lake[hex] && !theirs;
            self.goes_on[hex] = self.may_end[hex] && !self.mire[hex];
        }
        for (hex, troops) in self.troops.iter().enumerate() {
            if troops & enemy != 0 {
                for near in &self.near[hex] {
                    let near = usize::from(*near);
                    self.goes_on[near] &= self.wood[near];
                }
            }
        }
        out.clear();
        for (unit, most) in &self.raiders {
            self.length.fill(FAR);
            let start = position.space[*unit];
            if start != OFF {
                self.length[usize::from(start)] = 0;
                self.queue.push_back(start);
            }
            while let Some(hex) = self.queue.pop_front() {
                let next = self.length[usize::from(hex)] + 1;
                for to in &self.near[usize::from(hex)] {
                    let to_at = usize::from(*to);
                    if self.length[to_at] == FAR {
                        self.length[to_at] = next;
                        if next < *most && self.goes_on[to_at] {
                            self.queue.push_back(*to);
                        }
                    }
                }
            }
            let ends = self.length.iter().zip(&self.may_end);
            let reached = |l: u32, may: bool| if l != FAR && may { YES + l as u8 } else { NO };
            out.extend(ends.map(|(l, may)| reached(*l, *may)));
        }
    }
}
