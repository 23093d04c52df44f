//! Soldier Kings, section 22: a line of up to three borders to a home area or a beachhead, into but
//! not through an enemy army.

use std::collections::VecDeque;

use super::super::board::{Board, Camp};
use super::super::peer::{Found, NO, Peer, UNASKED, YES};
use super::super::plain::{OFF, Plain};
use super::causes::{Searches, Terms};
use super::{FAR, stand};

pub struct SoldierKings {
    land: Vec<bool>,
    coastal: Vec<bool>,
    borders: Vec<Vec<u16>>,
    army: Vec<bool>,
    fleet: Vec<bool>,
    aboard: Vec<bool>,
    owner: Vec<Option<usize>>,
    camps: Vec<Camp>,
    frederick: u16,
    // What a position fills.
    armies: Vec<u8>,
    ashore: Vec<u8>,
    fleets: Vec<u8>,
    others: Vec<u8>,
    length: Vec<Vec<u32>>,
    queue: VecDeque<u16>,
    terms: Terms,
}

impl SoldierKings {
    pub fn new(board: &Board<'_>) -> SoldierKings {
        let land = board.word("terrain", "land");
        let camps = board.camps();
        SoldierKings {
            land: board.of_spaces("area", "terrain").into_iter().map(|t| t == land).collect(),
            coastal: board.where_spaces("area", "coastal"),
            borders: board.links(&["border"]),
            army: board.are("army"),
            fleet: board.are("fleet"),
            aboard: board.where_units("army", "aboard"),
            owner: board.owner.clone(),
            frederick: board.named("Frederick"),
            armies: vec![0; board.spaces],
            ashore: vec![0; board.spaces],
            fleets: vec![0; board.spaces],
            others: vec![0; board.spaces],
            length: vec![vec![FAR; board.spaces]; camps.len()],
            queue: VecDeque::new(),
            terms: Terms::of_ones(board.links(&["border"])),
            camps,
        }
    }

    fn is_source(&self, camp: Camp, area: usize, control: u8) -> bool {
        let forces = self.armies[area] | self.fleets[area];
        let friendly = control > 0 && camp.friends & 1 << (control - 1) != 0;
        let lost = forces & camp.enemies != 0 && forces & (camp.friends | camp.neutrals) == 0;
        let enemies = (forces | self.others[area]) & camp.enemies != 0;
        let beachhead = self.coastal[area] && self.fleets[area] & camp.friends != 0 && !enemies;
        self.land[area] && friendly && !lost || beachhead
    }

    fn place(&mut self, position: &Plain) {
        stand(&mut self.armies, &position.space, &self.owner, |u| self.army[u]);
        let ashore = |u: usize| self.army[u] && !self.aboard[u];
        stand(&mut self.ashore, &position.space, &self.owner, ashore);
        stand(&mut self.fleets, &position.space, &self.owner, |u| self.fleet[u]);
        let other = |u: usize| !self.army[u] && !self.fleet[u];
        stand(&mut self.others, &position.space, &self.owner, other);
    }

    fn search(&mut self, side: usize, control: &[u8]) {
        let camp = self.camps[side];
        let mut length = std::mem::take(&mut self.length[side]);
        length.fill(FAR);
        for area in 0..length.len() {
            if self.is_source(camp, area, control[area]) {
                length[area] = 0;
                self.queue.push_back(area as u16);
            }
        }
        while let Some(area) = self.queue.pop_front() {
            let next = length[usize::from(area)] + 1;
            for to in &self.borders[usize::from(area)] {
                let at = usize::from(*to);
                if length[at] == FAR {
                    length[at] = next;
                    // A line runs into an area with enemy armies, but not through it.
                    if next < 3 && self.ashore[at] & camp.enemies == 0 {
                        self.queue.push_back(*to);
                    }
                }
            }
        }
        self.length[side] = length;
    }

    fn is_always(&self, unit: usize, side: usize, at: usize) -> bool {
        let friends = self.camps[side].friends;
        let landing =
            self.coastal[at] && self.armies[at] & friends != 0 && self.fleets[at] & friends != 0;
        self.fleet[unit] || self.aboard[unit] || landing
    }

    fn reach(&self, leader: u16) -> u32 {
        match leader {
            0 => 1,
            l if l == self.frederick => 3,
            _ => 2,
        }
    }
}

impl Peer for SoldierKings {
    fn answers(&mut self, position: &Plain, out: &mut Vec<u8>) {
        self.place(position);
        for side in 0..self.camps.len() {
            self.search(side, &position.control);
        }
        out.clear();
        for (unit, space) in position.space.iter().enumerate() {
            let (Some(side), false) = (self.owner[unit], *space == OFF) else {
                out.push(UNASKED);
                continue;
            };
            let at = usize::from(*space);
            let fits = || self.length[side][at] <= self.reach(position.fact[unit]);
            out.push(match () {
                () if !self.army[unit] && !self.fleet[unit] => UNASKED,
                () if self.is_always(unit, side, at) || fits() => YES,
                () => NO,
            });
        }
    }

    fn found(&mut self, position: &Plain, out: &mut Vec<Found>) -> bool {
        self.place(position);
        out.clear();
        out.resize_with(position.space.len(), Found::unasked);
        for side in 0..self.camps.len() {
            let (camp, mut searches) = (self.camps[side], Searches::default());
            for area in 0..self.land.len() {
                self.terms.source[area] = self.is_source(camp, area, position.control[area]);
                self.terms.through[area] = self.ashore[area] & camp.enemies == 0;
            }
            for reach in 1..=3 {
                for (unit, space) in position.space.iter().enumerate() {
                    let of_these = self.owner[unit] == Some(side)
                        && (self.army[unit] || self.fleet[unit])
                        && self.reach(position.fact[unit]) == reach;
                    if !of_these || *space == OFF {
                        continue;
                    }
                    out[unit] = match self.is_always(unit, side, usize::from(*space)) {
                        true => Found::always(),
                        false => self.terms.found(&mut searches, *space, reach),
                    };
                }
            }
        }
        true
    }
}
