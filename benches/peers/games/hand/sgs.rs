//! The SGS engine: three regions from a source or a relay, by land or from port to port over the
//! sea, and every relay in the line begins three more.

use std::collections::VecDeque;

use super::super::board::{Board, Camp};
use super::super::peer::{NO, Peer, UNASKED, YES};
use super::super::plain::{OFF, Plain};
use super::stand;

const DISTANCE: u8 = 3;

pub struct Sgs {
    roads: Vec<Vec<u16>>,
    seas: Vec<Vec<u16>>,
    allows: Vec<bool>,
    is_sea: Vec<bool>,
    town: Vec<bool>,
    port: Vec<bool>,
    open_port: Vec<bool>,
    walls: Vec<bool>,
    common: Vec<bool>,
    /// The side plus 1 whose depot works in a region.
    depot_of: Vec<i64>,
    wagon: Vec<bool>,
    owner: Vec<Option<usize>>,
    camps: Vec<Camp>,
    // What a position fills.
    afield: Vec<u8>,
    walled: Vec<u8>,
    wagons: Vec<u8>,
    view: View,
    supplied: Vec<Vec<bool>>,
}

/// What one side sees, and its search.
#[derive(Default)]
struct View {
    valid: Vec<bool>,
    open_sea: Vec<bool>,
    harbour: Vec<bool>,
    source: Vec<bool>,
    relay: Vec<bool>,
    /// How many regions a line may still go back from here, plus 1; 0 where none comes.
    land: Vec<u8>,
    sea: Vec<u8>,
    live: Vec<bool>,
    queue: VecDeque<(u16, bool)>,
}

impl Sgs {
    pub fn new(board: &Board<'_>) -> Sgs {
        let of = |name: &str| board.where_spaces("region", name);
        let (structure, terrain) =
            (board.of_spaces("region", "structure"), board.of_spaces("region", "terrain"));
        let fort = board.of_spaces("region", "fortification");
        let (none, fortress) =
            (board.word("structure", "none_here"), board.word("structure", "fortress"));
        let (port, blockaded, closed) = (of("port"), of("blockaded"), of("closed"));
        let operative = of("operative");
        let source_of = board.of_spaces("region", "source_of");
        let regions = || 0..board.spaces;
        let camps = board.camps();
        Sgs {
            roads: board.links(&["path_link"]),
            seas: board.links(&["sea_link"]),
            allows: of("allows_supply"),
            is_sea: terrain.iter().map(|t| *t == board.word("terrain", "sea")).collect(),
            town: structure.iter().map(|s| *s != none).collect(),
            open_port: regions().map(|r| port[r] && !blockaded[r] && !closed[r]).collect(),
            port,
            walls: regions()
                .map(|r| structure[r] != none && (fort[r] >= 1 || structure[r] == fortress))
                .collect(),
            common: of("source_of_both").iter().zip(&operative).map(|(b, o)| *b && *o).collect(),
            depot_of: regions().map(|r| if operative[r] { source_of[r] } else { 0 }).collect(),
            wagon: board
                .of_units("piece", "arm")
                .iter()
                .map(|a| *a == board.word("arm", "logistics"))
                .collect(),
            owner: board.owner.clone(),
            afield: vec![0; board.spaces],
            walled: vec![0; board.spaces],
            wagons: vec![0; board.spaces],
            view: View::default(),
            supplied: vec![vec![false; board.spaces]; camps.len()],
            camps,
        }
    }

    fn look(&mut self, side: usize) {
        let camp = self.camps[side];
        let view = &mut self.view;
        for list in [&mut view.valid, &mut view.open_sea, &mut view.harbour] {
            list.clear();
        }
        view.source.clear();
        view.relay.clear();
        for region in 0..self.allows.len() {
            let enemy_walled = self.walled[region] & camp.enemies != 0;
            let held_by_us = self.afield[region] & camp.friends != 0;
            let occupied = self.afield[region] & camp.enemies != 0 || enemy_walled && !held_by_us;
            let valid = self.allows[region] && !occupied;
            let harbour = self.open_port[region] && !enemy_walled && valid;
            let port = harbour || self.port[region] && !enemy_walled;
            let town = self.town[region] && !enemy_walled;
            let depot = self.depot_of[region] == side as i64 + 1 || self.common[region];
            view.valid.push(valid);
            view.open_sea.push(self.is_sea[region] && !occupied);
            view.harbour.push(harbour);
            view.source.push(depot && !enemy_walled);
            view.relay.push(town || port || self.wagons[region] & camp.friends != 0);
        }
    }

    /// Lines from the sources back; a relay that one comes to begins another.
    fn search(&mut self, side: usize) {
        let view = &mut self.view;
        let regions = self.allows.len();
        for list in [&mut view.land, &mut view.sea] {
            list.clear();
            list.resize(regions, 0);
        }
        view.live.clear();
        view.live.resize(regions, false);
        for region in 0..regions {
            if view.source[region] {
                view.begin(region);
            }
        }
        while let Some((region, by_sea)) = view.queue.pop_front() {
            let at = usize::from(region);
            let left = if by_sea { view.sea[at] } else { view.land[at] };
            if !view.live[at]
                && view.relay[at]
                && (if by_sea { view.harbour[at] } else { view.valid[at] })
            {
                view.begin(at);
                continue;
            }
            if left == 1 {
                continue;
            }
            for to in if by_sea { &self.seas[at] } else { &self.roads[at] } {
                let next = usize::from(*to);
                let passes = if by_sea {
                    view.open_sea[next] || view.harbour[next]
                } else {
                    view.valid[next]
                };
                let best = if by_sea { &mut view.sea[next] } else { &mut view.land[next] };
                if passes && *best < left - 1 {
                    *best = left - 1;
                    // A line of ships ends in the harbour where it begins.
                    if !by_sea || view.open_sea[next] || view.relay[next] && !view.live[next] {
                        view.queue.push_back((*to, by_sea));
                    }
                }
            }
        }
        for (region, supplied) in self.supplied[side].iter_mut().enumerate() {
            *supplied = view.land[region] > 0 && view.valid[region]
                || view.sea[region] > 0 && view.harbour[region];
        }
    }
}

impl View {
    /// A source or a relay from which lines go back.
    fn begin(&mut self, region: usize) {
        self.live[region] = true;
        if self.valid[region] {
            self.land[region] = DISTANCE + 1;
            self.queue.push_back((region as u16, false));
        }
        if self.harbour[region] {
            self.sea[region] = DISTANCE + 1;
            self.queue.push_back((region as u16, true));
        }
    }
}

impl Peer for Sgs {
    fn answers(&mut self, position: &Plain, out: &mut Vec<u8>) {
        let Plain { space, fact: inside, .. } = position;
        let walls = |u: usize| inside[u] != 0 && self.walls[usize::from(space[u])];
        stand(&mut self.afield, space, &self.owner, |u| !walls(u));
        stand(&mut self.walled, space, &self.owner, walls);
        stand(&mut self.wagons, space, &self.owner, |u| self.wagon[u]);
        for side in 0..self.camps.len() {
            self.look(side);
            self.search(side);
        }
        out.clear();
        for (unit, space) in space.iter().enumerate() {
            let (Some(side), false) = (self.owner[unit], *space == OFF) else {
                out.push(UNASKED);
                continue;
            };
            let at = usize::from(*space);
            let fed_inside = inside[unit] != 0 && self.walls[at];
            out.push(if fed_inside || self.supplied[side][at] { YES } else { NO });
        }
    }
}
