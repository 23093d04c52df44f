//! The same rules by hand, as one would write them for this one game: arrays, masks of sides, a
//! queue.

use std::collections::VecDeque;

use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::{VisitMap, Visitable};
use sutler::ir::{Relation, Ruleset, SideId};
use sutler::world::{ThingRef, World};

use super::super::fact;
use super::{OFF, Plain};

/// No line.
const FAR: u8 = u8::MAX;
/// No line is longer.
const LONGEST: u8 = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Army,
    Fleet,
    Other,
}

struct Unit {
    kind: Kind,
    side: usize,
    aboard: bool,
}

struct Area {
    land: bool,
    coastal: bool,
    borders: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Camp {
    friends: u8,
    enemies: u8,
    neutrals: u8,
}

/// What never changes in a game.
pub struct Rules {
    areas: Vec<Area>,
    units: Vec<Unit>,
    camps: Vec<Camp>,
    /// The code of the leader who reaches farthest.
    frederick: u8,
    graph: UnGraph<(), ()>,
}

impl Rules {
    pub fn new(rules: &Ruleset, world: &World) -> Rules {
        let map = &rules.maps[world.map.index()];
        let kind = |name: &str| {
            rules.kinds.iter().position(|k| k.name == name).map(sutler::ir::KindId::at).unwrap()
        };
        let of = |name: &str, thing: ThingRef| {
            world.fact(&rules.facts[fact(rules, name).index()], thing)
        };
        let mut graph = UnGraph::new_undirected();
        let nodes: Vec<NodeIndex> = map.spaces.iter().map(|_| graph.add_node(())).collect();
        let areas: Vec<Area> = (0..map.spaces.len() as u32)
            .map(|s| {
                let borders = map.neighbours(kind("border"), s);
                for to in borders.iter().filter(|to| **to > s) {
                    graph.add_edge(nodes[s as usize], nodes[*to as usize], ());
                }
                Area {
                    land: of("terrain", ThingRef::Space(s)) == 0,
                    coastal: of("coastal", ThingRef::Space(s)) != 0,
                    borders: borders.iter().map(|b| *b as u8).collect(),
                }
            })
            .collect();
        let units = (0..world.units.len())
            .map(|u| Unit {
                kind: match world.units[u].kind {
                    k if k == kind("army") => Kind::Army,
                    k if k == kind("fleet") => Kind::Fleet,
                    _ => Kind::Other,
                },
                side: world.owner(u as u32).map_or(0, SideId::index),
                aboard: of("aboard", ThingRef::Unit(u as u32)) != 0,
            })
            .collect();
        let camps = (0..rules.sides.len())
            .map(|a| {
                let mask = |how: &[Relation]| {
                    (0..rules.sides.len())
                        .filter(|b| how.contains(&world.relation(SideId::at(a), SideId::at(*b))))
                        .fold(0, |m, b| m | 1 << b)
                };
                Camp {
                    friends: mask(&[Relation::Own, Relation::Allied]),
                    enemies: mask(&[Relation::Enemy]),
                    neutrals: mask(&[Relation::Neutral]),
                }
            })
            .collect();
        let frederick = rules.named.iter().position(|n| n.name == "Frederick").unwrap() as u8 + 1;
        Rules { areas, units, camps, frederick, graph }
    }

    fn place(&self, position: &Plain, armies: &mut [u8], fleets: &mut [u8]) {
        armies.fill(0);
        fleets.fill(0);
        for (unit, space) in self.units.iter().zip(&position.space) {
            match unit.kind {
                _ if *space == OFF => {}
                Kind::Army => armies[usize::from(*space)] |= 1 << unit.side,
                Kind::Fleet => fleets[usize::from(*space)] |= 1 << unit.side,
                Kind::Other => {}
            }
        }
    }

    fn is_source(&self, camp: Camp, area: usize, control: u8, armies: u8, fleets: u8) -> bool {
        let friendly = control > 0 && camp.friends >> (control - 1) & 1 == 1;
        let enemies = (armies | fleets) & camp.enemies != 0;
        let loyal = (armies | fleets) & (camp.friends | camp.neutrals) != 0;
        let home = self.areas[area].land && friendly && (!enemies || loyal);
        home || self.areas[area].coastal && fleets & camp.friends != 0 && !enemies
    }

    fn budget(&self, leader: u8) -> u8 {
        match leader {
            0 => 1,
            l if l == self.frederick => 3,
            _ => 2,
        }
    }

    /// The answer for one unit, once its side's lengths are known.
    fn answer(
        &self,
        position: &Plain,
        unit: usize,
        lengths: &[u8],
        armies: &[u8],
        fleets: &[u8],
    ) -> bool {
        let Unit { kind, side, aboard } = self.units[unit];
        if kind == Kind::Fleet || aboard {
            return true;
        }
        let space = usize::from(position.space[unit]);
        if kind == Kind::Other || space == usize::from(OFF) {
            return false;
        }
        let friends = self.camps[side].friends;
        let landing = self.areas[space].coastal
            && armies[space] & friends != 0
            && fleets[space] & friends != 0;
        landing || lengths[space] <= self.budget(position.leader[unit])
    }
}

/// One search a side, or one a camp of sides that are friends of the same.
pub struct Search<'r> {
    rules: &'r Rules,
    by_camp: bool,
    armies: Vec<u8>,
    fleets: Vec<u8>,
    lengths: Vec<Vec<u8>>,
    queue: VecDeque<u8>,
    answers: Vec<bool>,
}

impl<'r> Search<'r> {
    pub fn new(rules: &'r Rules, by_camp: bool) -> Search<'r> {
        let areas = rules.areas.len();
        Search {
            rules,
            by_camp,
            armies: vec![0; areas],
            fleets: vec![0; areas],
            lengths: vec![vec![FAR; areas]; rules.camps.len()],
            queue: VecDeque::with_capacity(areas),
            answers: vec![false; rules.units.len()],
        }
    }

    pub fn ask(&mut self, position: &Plain) -> &[bool] {
        let rules = self.rules;
        rules.place(position, &mut self.armies, &mut self.fleets);
        for (side, camp) in rules.camps.iter().enumerate() {
            if self.by_camp && rules.camps[..side].contains(camp) {
                continue;
            }
            let lengths = &mut self.lengths[side];
            lengths.fill(FAR);
            for (area, length) in lengths.iter_mut().enumerate() {
                if rules.is_source(
                    *camp,
                    area,
                    position.control[area],
                    self.armies[area],
                    self.fleets[area],
                ) {
                    *length = 0;
                    self.queue.push_back(area as u8);
                }
            }
            while let Some(area) = self.queue.pop_front() {
                let length = lengths[usize::from(area)] + 1;
                for next in &rules.areas[usize::from(area)].borders {
                    let next_area = usize::from(*next);
                    if lengths[next_area] == FAR {
                        lengths[next_area] = length;
                        // A line runs into an enemy army, but not through.
                        if length < LONGEST && self.armies[next_area] & camp.enemies == 0 {
                            self.queue.push_back(*next);
                        }
                    }
                }
            }
        }
        for unit in 0..rules.units.len() {
            let side = rules.units[unit].side;
            let searched = if self.by_camp {
                rules.camps.iter().position(|c| *c == rules.camps[side]).unwrap_or(side)
            } else {
                side
            };
            self.answers[unit] =
                rules.answer(position, unit, &self.lengths[searched], &self.armies, &self.fleets);
        }
        &self.answers
    }
}

/// The same over a graph of the library, with its own map of what was visited.
pub struct GraphSearch<'r> {
    rules: &'r Rules,
    armies: Vec<u8>,
    fleets: Vec<u8>,
    lengths: Vec<Vec<u8>>,
    queue: VecDeque<NodeIndex>,
    visited: <UnGraph<(), ()> as Visitable>::Map,
    answers: Vec<bool>,
}

impl<'r> GraphSearch<'r> {
    pub fn new(rules: &'r Rules) -> GraphSearch<'r> {
        let areas = rules.areas.len();
        GraphSearch {
            rules,
            armies: vec![0; areas],
            fleets: vec![0; areas],
            lengths: vec![vec![FAR; areas]; rules.camps.len()],
            queue: VecDeque::with_capacity(areas),
            visited: rules.graph.visit_map(),
            answers: vec![false; rules.units.len()],
        }
    }

    pub fn ask(&mut self, position: &Plain) -> &[bool] {
        let rules = self.rules;
        rules.place(position, &mut self.armies, &mut self.fleets);
        for (side, camp) in rules.camps.iter().enumerate() {
            let lengths = &mut self.lengths[side];
            lengths.fill(FAR);
            rules.graph.reset_map(&mut self.visited);
            for node in rules.graph.node_indices() {
                let area = node.index();
                if rules.is_source(
                    *camp,
                    area,
                    position.control[area],
                    self.armies[area],
                    self.fleets[area],
                ) {
                    lengths[area] = 0;
                    self.visited.visit(node);
                    self.queue.push_back(node);
                }
            }
            while let Some(node) = self.queue.pop_front() {
                let length = lengths[node.index()] + 1;
                for next in rules.graph.neighbors(node) {
                    if self.visited.visit(next) {
                        lengths[next.index()] = length;
                        if length < LONGEST && self.armies[next.index()] & camp.enemies == 0 {
                            self.queue.push_back(next);
                        }
                    }
                }
            }
        }
        for unit in 0..rules.units.len() {
            self.answers[unit] = rules.answer(
                position,
                unit,
                &self.lengths[rules.units[unit].side],
                &self.armies,
                &self.fleets,
            );
        }
        &self.answers
    }
}
