//! Nets: for each nation one by land, one by rail and one by sea, and armies that march to an area
//! that one of them serves.

use std::collections::VecDeque;

use super::super::board::{Board, Camp};
use super::super::peer::{Found, NO, Peer, UNASKED, YES};
use super::super::plain::{OFF, Plain};
use super::causes::{Searches, Terms};
use super::{FAR, stand};

pub struct Nets {
    tracks: Vec<Vec<u16>>,
    lines: Vec<Vec<Vec<u16>>>,
    port: Vec<bool>,
    fort: Vec<bool>,
    marsh: Vec<bool>,
    depot_of: Vec<i64>,
    bars: Vec<bool>,
    train: Vec<bool>,
    reach: Vec<u32>,
    owner: Vec<Option<usize>>,
    camps: Vec<Camp>,
    // What a position fills.
    armies: Vec<u8>,
    strong: Vec<u8>,
    view: View,
    railed: Vec<Vec<bool>>,
    march: Vec<Vec<u32>>,
    terms: Terms,
}

/// What one nation sees.
#[derive(Default)]
struct View {
    enemy: Vec<bool>,
    own: Vec<bool>,
    held: Vec<bool>,
    barred: Vec<bool>,
    clear: Vec<bool>,
    length: Vec<u32>,
    served: Vec<bool>,
    queue: VecDeque<u16>,
}

impl View {
    /// Breadth first from what is in the queue, so far; who is passed through, and who begins.
    fn flood(&mut self, near: &[Vec<u16>], most: u32, passes: impl Fn(&View, usize) -> bool) {
        while let Some(area) = self.queue.pop_front() {
            let next = self.length[usize::from(area)] + 1;
            for to in &near[usize::from(area)] {
                let at = usize::from(*to);
                if self.length[at] == FAR {
                    self.length[at] = next;
                    if next < most && passes(self, at) {
                        self.queue.push_back(*to);
                    }
                }
            }
        }
    }

    fn start(&mut self, ends: impl Fn(&View, usize) -> bool) {
        self.length.fill(FAR);
        for area in 0..self.length.len() {
            if ends(self, area) {
                self.length[area] = 0;
                self.queue.push_back(area as u16);
            }
        }
    }
}

impl Nets {
    pub fn new(board: &Board<'_>) -> Nets {
        let of = |name: &str| board.where_spaces("area", name);
        let strength = board.of_units("army", "strength");
        let mounted = board.where_units("army", "mounted");
        let reach = |unit: usize| match strength[unit] {
            ..=4 if mounted[unit] => 3,
            7.. => 1,
            _ => 2,
        };
        let camps = board.camps();
        let spaces = board.spaces;
        Nets {
            tracks: board.links(&["track"]),
            lines: ["line_a", "line_b", "line_c", "line_d"].map(|l| board.links(&[l])).into(),
            port: of("port"),
            fort: of("fort"),
            marsh: board
                .of_spaces("area", "terrain")
                .iter()
                .map(|t| *t == board.word("terrain", "marsh"))
                .collect(),
            depot_of: board.of_spaces("area", "depot_of"),
            bars: strength.iter().map(|s| *s >= 2).collect(),
            train: board.where_units("army", "train"),
            reach: (0..board.units).map(reach).collect(),
            owner: board.owner.clone(),
            armies: vec![0; spaces],
            strong: vec![0; spaces],
            view: View { length: vec![FAR; spaces], ..View::default() },
            railed: vec![vec![false; spaces]; camps.len()],
            march: vec![vec![FAR; spaces]; camps.len()],
            terms: Terms::of_ones(board.links(&["track"])),
            camps,
        }
    }

    fn look(&mut self, nation: usize, control: &[u8]) {
        let camp = self.camps[nation];
        let view = &mut self.view;
        let lists = [&mut view.enemy, &mut view.own, &mut view.held, &mut view.barred];
        lists.into_iter().for_each(Vec::clear);
        view.clear.clear();
        for (area, holder) in control.iter().enumerate() {
            let holder = if *holder == 0 { 0 } else { 1 << (holder - 1) };
            let enemy = holder & camp.enemies != 0;
            let held = self.strong[area] & camp.enemies != 0;
            let fort_bars = self.fort[area] && enemy;
            view.enemy.push(enemy);
            view.own.push(holder & camp.own != 0);
            view.held.push(held);
            view.barred.push(held || fort_bars);
            view.clear.push(!fort_bars && (!held || self.armies[area] & camp.own != 0));
        }
    }

    fn nets(&mut self, nation: usize) {
        let Nets { view, tracks, lines, port, depot_of, .. } = self;
        let depot = |v: &View, a: usize| depot_of[a] == nation as i64 + 1 && !v.enemy[a];
        view.start(|v, a| depot(v, a) && !v.held[a]);
        view.flood(tracks, 6, |v, a| v.clear[a]);
        view.served.clear();
        view.served.extend(view.length.iter().map(|l| *l != FAR));

        view.start(|v, a| depot(v, a) && v.clear[a]);
        view.flood(&lines[nation], FAR, |v, a| v.clear[a]);
        for (area, net) in self.railed[nation].iter_mut().enumerate() {
            let railed = view.length[area] != FAR && view.clear[area];
            *net = railed;
            view.served[area] |= railed;
        }

        view.start(|v, a| port[a] && v.own[a] && !v.held[a]);
        view.flood(&lines[nation], 2, |v, a| port[a] && !v.held[a]);
        for (area, port) in port.iter().enumerate() {
            view.served[area] |= view.length[area] != FAR && *port && !view.enemy[area];
        }
    }

    fn marches(&mut self, nation: usize) {
        let Nets { view, tracks, march, .. } = self;
        view.start(|v, a| v.served[a] && !v.held[a]);
        view.flood(tracks, 3, |v, a| !v.barred[a]);
        march[nation].copy_from_slice(&view.length);
    }

    fn place(&mut self, position: &Plain) {
        stand(&mut self.armies, &position.space, &self.owner, |_| true);
        stand(&mut self.strong, &position.space, &self.owner, |u| self.bars[u]);
    }
}

impl Peer for Nets {
    fn answers(&mut self, position: &Plain, out: &mut Vec<u8>) {
        self.place(position);
        for nation in 0..self.camps.len() {
            self.look(nation, &position.control);
            self.nets(nation);
            self.marches(nation);
        }
        out.clear();
        for (unit, space) in position.space.iter().enumerate() {
            let (Some(nation), false) = (self.owner[unit], *space == OFF) else {
                out.push(UNASKED);
                continue;
            };
            let at = usize::from(*space);
            let by_rail = self.train[unit] && !self.marsh[at] && self.railed[nation][at];
            let marches = self.march[nation][at] <= self.reach[unit];
            out.push(if by_rail || marches { YES } else { NO });
        }
    }
    fn found(&mut self, position: &Plain, out: &mut Vec<Found>) -> bool {
        self.place(position);
        out.clear();
        out.resize_with(position.space.len(), Found::unasked);
        for nation in 0..self.camps.len() {
            self.look(nation, &position.control);
            self.nets(nation);
            let mut searches = Searches::default();
            self.terms.source.copy_from_slice(&self.view.served);
            for area in 0..self.fort.len() {
                self.terms.through[area] = !self.view.barred[area];
                self.terms.into[area] = !self.view.held[area];
            }
            for reach in 1..=3 {
                for (unit, space) in position.space.iter().enumerate() {
                    let of_these = self.owner[unit] == Some(nation) && self.reach[unit] == reach;
                    if !of_these || *space == OFF {
                        continue;
                    }
                    let at = usize::from(*space);
                    let by_rail = self.train[unit] && !self.marsh[at] && self.railed[nation][at];
                    out[unit] = match by_rail {
                        true => Found::always(),
                        false => self.terms.found(&mut searches, *space, reach),
                    };
                }
            }
        }
        true
    }
}
