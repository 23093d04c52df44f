//! A board of 120 areas with 60 units that reach one to three areas: many positions, end to end and
//! kept as planes, against a tidy search, petgraph and pathfinding.

use std::collections::VecDeque;
use std::fmt::Write;
use std::hint::black_box;

use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::{VisitMap, Visitable};
use sutler::ir::{Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::{
    Flags, Kernel, PlaneFlags, PlaneScratch, Planes, Position, RowScratch, Rows, Scratch,
};
use sutler::world::{ThingRef, World};

use super::common::Dice;
use super::rows::{middle, row};

const AREAS: usize = 120;
const UNITS: usize = 60;
const SUPPLY: TraceId = TraceId(0);
const NAME: &str = "areas 120, 60 units, reach 1 to 3, 4096 positions";
/// Positions of one timed run of a peer.
const SOME: usize = 64;
/// No line of any length.
const FAR: u8 = u8::MAX;

const RULES: &str = "edition 1
ruleset areas \"Areas\" prefix AR
sides Red against Blue
dimension areas (area)
kind area, areas is space {
  has depot yes or no
}
kind border, borders is link
kind corps, corps_ is unit {
  has reach in areas from 1 to 3
}
define held of area = any enemy corps here and no friendly corps here
trace supply of corps \"supply\" {
  called supplied else cut
  source depot where (depot and friendly and not held)
  leg march
    over    borders
    from    anywhere
    through not held
    into    anywhere
    within  reach
}
";

/// The text of the game: ten rows of twelve areas, joined to those beside them and to some aslant.
fn text(dice: &mut Dice) -> String {
    let mut out = RULES.to_owned();
    out.push_str("map board {\n");
    let depots: Vec<bool> = (0..AREAS).map(|_| dice.percent(12)).collect();
    for (area, depot) in depots.iter().enumerate() {
        let _ = writeln!(out, "  space area a{area}{}", if *depot { " with depot" } else { "" });
    }
    for area in 0..AREAS {
        let (column, row) = (area % 12, area / 12);
        for (right, down) in [(1, 0), (0, 1), (1, 1)] {
            let drawn = right + down < 2 || dice.percent(50);
            if drawn && column + right < 12 && row + down < 10 {
                let _ = writeln!(out, "  link border a{area} to a{}", area + right + 12 * down);
            }
        }
    }
    out.push_str("}\nsetup start on board {\n");
    for area in 0..AREAS {
        let _ = writeln!(
            out,
            "  given control of a{area} is {}",
            if area % 12 < 6 { "Red" } else { "Blue" }
        );
    }
    for unit in 0..UNITS {
        let side = if unit % 2 == 0 { "Red" } else { "Blue" };
        let _ = writeln!(
            out,
            "  put corps U{unit} of {side} in a{} with reach {}",
            dice.below(AREAS),
            1 + unit % 3
        );
    }
    out.push_str("}\n");
    out
}

/// A position as a program would keep it: where each unit stands, and who controls what (1 Red, 2
/// Blue).
#[derive(Clone)]
struct Plain {
    space: [u8; UNITS],
    control: [u8; AREAS],
}

fn positions(dice: &mut Dice, many: usize) -> Vec<Plain> {
    let control = |dice: &mut Dice, area: usize| if dice.percent(10) { dice.below(3) } else { 1 + usize::from(area % 12 >= 6) } as u8;
    let one = |dice: &mut Dice| Plain {
        space: std::array::from_fn(|_| dice.below(AREAS) as u8),
        control: std::array::from_fn(|area| control(dice, area)),
    };
    (0..many).map(|_| one(dice)).collect()
}

/// What a good engineer writes: bytes and rows of neighbours.
struct Tidy {
    depot: Vec<bool>,
    borders: Vec<Vec<u8>>,
    reach: Vec<u8>,
    stands: [[bool; AREAS]; 2],
    lengths: [[u8; AREAS]; 2],
    queue: VecDeque<u8>,
    answers: [bool; UNITS],
    graph: UnGraph<(), ()>,
}

impl Tidy {
    fn new(rules: &Ruleset, world: &World) -> Tidy {
        let map = &rules.maps[0];
        let fact = |name: &str, of: ThingRef| {
            world.fact(rules.facts.iter().find(|f| f.name == name).unwrap(), of)
        };
        let borders: Vec<Vec<u8>> = (0..AREAS as u32)
            .map(|s| map.links.iter().flat_map(|l| l.of(s)).map(|n| *n as u8).collect())
            .collect();
        let mut graph = UnGraph::new_undirected();
        let nodes: Vec<NodeIndex> = (0..AREAS).map(|_| graph.add_node(())).collect();
        for (from, near) in borders.iter().enumerate() {
            for to in near.iter().filter(|to| usize::from(**to) > from) {
                graph.add_edge(nodes[from], nodes[usize::from(*to)], ());
            }
        }
        Tidy {
            depot: (0..AREAS as u32).map(|s| fact("depot", ThingRef::Space(s)) != 0).collect(),
            borders,
            reach: (0..UNITS as u32).map(|u| fact("reach", ThingRef::Unit(u)) as u8).collect(),
            stands: [[false; AREAS]; 2],
            lengths: [[FAR; AREAS]; 2],
            queue: VecDeque::with_capacity(AREAS),
            answers: [false; UNITS],
            graph,
        }
    }

    fn place(&mut self, plain: &Plain) {
        self.stands = [[false; AREAS]; 2];
        for (unit, space) in plain.space.iter().enumerate() {
            self.stands[unit % 2][usize::from(*space)] = true;
        }
    }

    fn held(&self, side: usize, area: usize) -> bool {
        self.stands[1 - side][area] && !self.stands[side][area]
    }

    fn is_source(&self, plain: &Plain, side: usize, area: usize) -> bool {
        self.depot[area] && usize::from(plain.control[area]) == side + 1 && !self.held(side, area)
    }

    fn answer(&mut self, plain: &Plain) -> &[bool] {
        for (unit, space) in plain.space.iter().enumerate() {
            self.answers[unit] = self.lengths[unit % 2][usize::from(*space)] <= self.reach[unit];
        }
        &self.answers
    }

    fn ask(&mut self, plain: &Plain) -> &[bool] {
        self.place(plain);
        for side in 0..2 {
            self.lengths[side] = [FAR; AREAS];
            for area in 0..AREAS {
                if self.is_source(plain, side, area) {
                    self.lengths[side][area] = 0;
                    self.queue.push_back(area as u8);
                }
            }
            while let Some(area) = self.queue.pop_front() {
                let length = self.lengths[side][usize::from(area)] + 1;
                for next in 0..self.borders[usize::from(area)].len() {
                    let to = usize::from(self.borders[usize::from(area)][next]);
                    if self.lengths[side][to] == FAR {
                        self.lengths[side][to] = length;
                        if length < 3 && !self.held(side, to) {
                            self.queue.push_back(to as u8);
                        }
                    }
                }
            }
        }
        self.answer(plain)
    }

    fn ask_petgraph(&mut self, plain: &Plain) -> &[bool] {
        self.place(plain);
        let mut visited = self.graph.visit_map();
        let mut queue = VecDeque::with_capacity(AREAS);
        for side in 0..2 {
            self.lengths[side] = [FAR; AREAS];
            self.graph.reset_map(&mut visited);
            for node in self.graph.node_indices() {
                if self.is_source(plain, side, node.index()) {
                    self.lengths[side][node.index()] = 0;
                    visited.visit(node);
                    queue.push_back(node);
                }
            }
            while let Some(area) = queue.pop_front() {
                let length = self.lengths[side][area.index()] + 1;
                for next in self.graph.neighbors(area) {
                    if visited.visit(next) {
                        self.lengths[side][next.index()] = length;
                        if length < 3 && !self.held(side, next.index()) {
                            queue.push_back(next);
                        }
                    }
                }
            }
        }
        self.answer(plain)
    }

    fn ask_pathfinding(&mut self, plain: &Plain) -> &[bool] {
        self.place(plain);
        for side in 0..2 {
            let mut lengths = [FAR; AREAS];
            let sources: Vec<u8> =
                (0..AREAS as u8).filter(|a| self.is_source(plain, side, usize::from(*a))).collect();
            sources.iter().for_each(|a| lengths[usize::from(*a)] = 0);
            let near = |(area, length): &(u8, u8)| -> Vec<(u8, u8)> {
                let leads = *length == 0 || *length < 3 && !self.held(side, usize::from(*area));
                let near = self.borders[usize::from(*area)].iter().map(|to| (*to, length + 1));
                if leads { near.collect() } else { Vec::new() }
            };
            // A state is an area with its length; the first to reach an area is the nearest.
            for (area, length) in
                sources.iter().flat_map(|s| pathfinding::directed::bfs::bfs_reach((*s, 0), near))
            {
                lengths[usize::from(area)] = lengths[usize::from(area)].min(length);
            }
            self.lengths[side] = lengths;
        }
        self.answer(plain)
    }
}

/// Positions as the program keeps them.
struct Kept<'p>(&'p [Plain]);

impl Rows for Kept<'_> {
    type Cell = u8;

    fn positions(&self) -> usize {
        self.0.len()
    }

    fn spaces(&self, position: usize) -> &[u8] {
        &self.0[position].space
    }

    fn control(&self, position: usize) -> &[u8] {
        &self.0[position].control
    }
}

fn native(plain: &[Plain], planes: &mut Planes) {
    for (position, one) in plain.iter().enumerate() {
        for (unit, space) in one.space.iter().enumerate() {
            planes.set_space(position, unit as u32, Some(u32::from(*space)));
        }
        for (area, side) in one.control.iter().enumerate() {
            planes.set_control(position, area as u32, side.checked_sub(1).map(SideId));
        }
    }
}

fn next<'p>(turn: &mut impl Iterator<Item = &'p [Plain]>) -> &'p [Plain] {
    turn.next().unwrap_or_default()
}

/// The rows of the report.
pub fn report(quick: bool) -> Vec<serde_json::Value> {
    let mut dice = Dice::new(120);
    let text = text(&mut dice);
    let (_, rules, faults) = sutler::project::check_text("areas.sut", text.as_bytes());
    let Some(rules) = rules else { panic!("{faults:#?}") };
    let world = sutler::world::start(&rules, SetupId(0));
    let plain = positions(&mut dice, 4096);
    let kernel = Kernel::compile(&rules, &world, SUPPLY, &[]).unwrap();
    assert!(kernel.is_whole());
    let mut batch = kernel.batch(plain.len());
    let mut planes = kernel.planes(plain.len()).unwrap();
    native(&plain, &mut planes);
    let (mut scratch, mut flags, mut scratch_2, mut flags_2) =
        (Scratch::default(), Flags::default(), PlaneScratch::default(), PlaneFlags::default());
    let (mut scratch_3, mut flags_3) = (RowScratch::default(), Flags::default());
    batch.fill_rows(&Kept(&plain));
    kernel.row_flags(&Kept(&plain), &mut scratch_3, &mut flags_3).unwrap();
    kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
    kernel.plane_flags(&planes, &mut scratch_2, &mut flags_2).unwrap();
    let [mut tidy, mut again, mut petgraph, mut pathfinding] =
        [(); 4].map(|()| Tidy::new(&rules, &world));
    assert_eq!(flags, flags_3);
    let mut yes = 0;
    for (at, one) in plain.iter().enumerate() {
        let ours: Vec<bool> = (0..UNITS as u32).map(|u| flags.get(at, u).unwrap()).collect();
        let theirs: Vec<bool> =
            (0..UNITS as u32).map(|u| flags_2.get(&planes, at, u).unwrap()).collect();
        assert_eq!(ours, theirs, "position {at}");
        assert_eq!(ours, tidy.ask(one), "position {at}");
        assert_eq!(ours, petgraph.ask_petgraph(one), "position {at}");
        if at % 8 == 0 {
            assert_eq!(ours, pathfinding.ask_pathfinding(one), "position {at}");
        }
        if at % 64 == 0 {
            let world = planes.world(at);
            let slow = Position::new(&rules, &world).unwrap();
            let slow: Vec<bool> = (0..UNITS as u32)
                .map(|u| slow.answer(SUPPLY, ThingRef::Unit(u)).unwrap().yes)
                .collect();
            assert_eq!(ours, slow, "position {at}");
        }
        yes += ours.iter().filter(|y| **y).count();
    }
    let share = yes * 100 / (plain.len() * UNITS);
    println!(
        "{NAME}: {} answers agree, {share} of a hundred yes, {} sorts of units",
        plain.len() * UNITS,
        planes.sorts()
    );
    assert!((25..=75).contains(&share), "too one-sided");
    // A run that takes much longer than another one meets more of what else the machine does, so
    // all ways are given about equally long: the peers are asked of fewer positions, of others in
    // every run, and ours several times.
    let (mut turn, mut turn_2, mut turn_3) =
        (plain.chunks(SOME).cycle(), plain.chunks(SOME).cycle(), plain.chunks(SOME / 8).cycle());
    let ask = |kernel: &Kernel<'_>, scratch: &mut RowScratch, flags: &mut Flags| {
        kernel.row_flags(black_box(&Kept(&plain)), scratch, flags).unwrap();
    };
    let mut ways: [(&str, usize, &mut dyn FnMut()); 7] = [
        ("end to end", plain.len(), &mut || ask(&kernel, &mut scratch_3, &mut flags_3)),
        ("in the batch", plain.len(), &mut || {
            kernel.flags(black_box(&batch), &mut scratch, &mut flags).unwrap()
        }),
        ("kept as planes", 4 * plain.len(), &mut || {
            (0..4).for_each(|_| {
                kernel.plane_flags(black_box(&planes), &mut scratch_2, &mut flags_2).unwrap()
            });
        }),
        ("Vec, a search a side", SOME, &mut || {
            next(&mut turn).iter().for_each(|p| _ = black_box(tidy.ask(black_box(p))))
        }),
        // Its caches and the branches it foresees serve it best where nothing is new.
        ("Vec, the same positions each run", SOME, &mut || {
            plain[..SOME].iter().for_each(|p| _ = black_box(again.ask(black_box(p))))
        }),
        ("petgraph", SOME, &mut || {
            next(&mut turn_2)
                .iter()
                .for_each(|p| _ = black_box(petgraph.ask_petgraph(black_box(p))))
        }),
        ("pathfinding", SOME / 8, &mut || {
            next(&mut turn_3)
                .iter()
                .for_each(|p| _ = black_box(pathfinding.ask_pathfinding(black_box(p))))
        }),
    ];
    let rounds = if quick { 1 } else { 301 };
    let mut times: Vec<Vec<u128>> = vec![Vec::new(); ways.len()];
    for round in 0..rounds {
        let mut turns: Vec<_> = ways.iter_mut().zip(&mut times).collect();
        // There and back, so that no way always follows the same.
        if round % 2 == 1 {
            turns.reverse();
        }
        for ((_, _, way), times) in turns {
            way();
            times.push(super::timed(way));
        }
    }
    let names: Vec<(&str, usize)> =
        ways.iter().map(|(name, positions, _)| (*name, *positions)).collect();
    rows(&names, &times)
}

fn rows(ways: &[(&str, usize)], times: &[Vec<u128>]) -> Vec<serde_json::Value> {
    let each: Vec<f64> = ways
        .iter()
        .zip(times)
        .map(|((_, positions), t)| super::median(t.clone()) / *positions as f64)
        .collect();
    for ((name, _), each) in ways.iter().zip(&each) {
        println!("  {each:>10.1} ns a position  {name}");
    }
    let (ours, theirs) = ways.split_at(3);
    let mut rows = Vec::new();
    for ((what, here), ours) in ours.iter().zip(times) {
        for ((peer, there), theirs) in theirs.iter().zip(&times[3..]) {
            let ratio = middle(theirs, ours) * *here as f64 / *there as f64;
            rows.push(row(NAME, what, peer, ratio));
        }
    }
    rows
}
