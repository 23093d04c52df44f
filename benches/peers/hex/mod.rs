//! Full traces over large hex maps: two sides by two sorts of mover, a part overland and a part by
//! road, zones included.
//!
//! What is timed is one call: from a position as the program keeps it to the answers of all its
//! units, with the ruleset compiled and the room of the last call kept. Every round asks another of
//! some positions, in which a part of the units stand elsewhere, so that nothing of the last answer
//! is of use.

pub(super) mod game;
pub(super) mod hand;
pub(super) mod libraries;
mod node;

use std::hint::black_box;
use std::time::Instant;

use serde_json::Value;
use sutler::ir::{Ruleset, SetupId, TraceId};
use sutler::kernel::hex::{Wanted, Width};
use sutler::kernel::{HexKernel, HexScratch, Position};
use sutler::world::{ThingRef, World, built_in};

use super::common::Dice;
use super::rows::{middle, row};
use game::Size;

const SUPPLY: TraceId = TraceId(0);

/// How many positions take turns.
const POSITIONS: usize = 4;

const SIZES: [Size; 3] = [
    Size {
        name: "W2: hexes 100 x 100, 200 units, reach 16",
        columns: 100,
        rows: 100,
        units: 200,
        budget: 16,
        rounds: 101,
    },
    Size {
        name: "W3: hexes 400 x 360, 4000 units, reach 50",
        columns: 400,
        rows: 360,
        units: 4_000,
        budget: 50,
        rounds: 21,
    },
    Size {
        name: "W4: hexes 1000 x 1000, 40000 units, reach 50",
        columns: 1000,
        rows: 1000,
        units: 40_000,
        budget: 50,
        rounds: 7,
    },
];

const SMALL: [Size; 2] = [
    Size { name: "hexes 48 x 40", columns: 48, rows: 40, units: 60, budget: 16, rounds: 1 },
    Size { name: "hexes 70 x 64", columns: 70, rows: 64, units: 100, budget: 16, rounds: 1 },
];

/// All workloads; the rows of the report.
pub fn report(quick: bool) -> Vec<Value> {
    let sizes: &[Size] = if quick { &SMALL } else { &SIZES };
    sizes.iter().enumerate().flat_map(|(at, size)| workload(*size, at as u64 + 1, quick)).collect()
}

/// The rules and the start of a game.
fn game(size: Size, seed: u64) -> (Ruleset, World) {
    let text = game::text(size, seed);
    let (_, rules, faults) = sutler::project::check_text("plains.sut", text.as_bytes());
    let Some(rules) = rules else { panic!("{:#?}", faults.iter().take(3).collect::<Vec<_>>()) };
    let world = sutler::world::start(&rules, SetupId(0));
    (rules, world)
}

/// The start, and positions in which a quarter of the units stand elsewhere and some depots have
/// changed hands.
fn positions(rules: &Ruleset, start: &World) -> Vec<World> {
    let mut dice = Dice::new(99);
    let grid = rules.maps[start.map.index()].grid.as_ref().unwrap();
    let depot = rules.facts.iter().find(|f| f.name == "depot").unwrap();
    let mut all = vec![start.clone()];
    for _ in 1..POSITIONS {
        let mut world = start.clone();
        for unit in 0..world.units.len() as u32 {
            let near: Vec<u32> = world
                .space_of(unit)
                .and_then(|s| grid.place(s))
                .map(|(c, r)| grid.around(c, r).collect())
                .unwrap();
            if dice.percent(25) {
                let to = i64::from(*dice.pick(&near)) + 1;
                world.set_fact(&rules.facts[built_in::SPACE.index()], ThingRef::Unit(unit), to);
            }
        }
        for space in 0..rules.maps[start.map.index()].spaces.len() as u32 {
            if world.fact(depot, ThingRef::Space(space)) != 0 && dice.percent(5) {
                world.set_fact(
                    &rules.facts[built_in::CONTROL.index()],
                    ThingRef::Space(space),
                    dice.below(3) as i64,
                );
            }
        }
        all.push(world);
    }
    all
}

/// One way to the answers of a position, by its number; the time that it took, in nanoseconds.
type Way<'a> = (&'static str, Box<dyn FnMut(usize) -> u128 + 'a>);

fn timed(run: impl FnOnce()) -> u128 {
    let start = Instant::now();
    run();
    start.elapsed().as_nanos()
}

fn workload(size: Size, seed: u64, quick: bool) -> Vec<Value> {
    let (rules, start) = game(size, seed);
    let worlds = positions(&rules, &start);
    let kernel = HexKernel::compile(&rules, &start, SUPPLY).unwrap();
    let board = hand::board(&rules, &start);
    let plains: Vec<hand::Plain> = worlds.iter().map(|world| hand::plain(&rules, world)).collect();
    let (mut tidy, mut petgraph) = (hand::Tidy::new(&board), libraries::Petgraph::new(&board));
    let (mut pathfinding, mut hexx) = (
        libraries::Pathfinding::new(&board),
        libraries::Hexx::new(&board, size.columns, size.rows),
    );
    let mut node = node::Node::start(&board, &plains);
    let (mut flags, mut lengths, mut narrow) =
        (HexScratch::default(), HexScratch::default(), HexScratch::default());
    narrow.set_width(Width::all()[0]);
    let (mut yes, mut all) = (0, 0);
    for (at, (world, plain)) in worlds.iter().zip(&plains).enumerate() {
        kernel.flags(world, &mut flags).unwrap();
        kernel.flags(world, &mut narrow).unwrap();
        kernel.ask(world, Wanted::Lengths, &mut lengths).unwrap();
        let ours: Vec<bool> = flags.rows().iter().map(|r| r.yes).collect();
        let same = |theirs: &[bool], who: &str| {
            assert_eq!(ours, theirs, "{}, position {at}: {who}", size.name)
        };
        same(&narrow.rows().iter().map(|r| r.yes).collect::<Vec<_>>(), "a word at a time");
        same(&lengths.rows().iter().map(|r| r.yes).collect::<Vec<_>>(), "lengths");
        same(tidy.ask(plain), "tidy");
        same(petgraph.ask(plain), "petgraph");
        same(pathfinding.ask(plain), "pathfinding");
        same(hexx.ask(plain), "hexx");
        if let Some(node) = &mut node {
            same(&node.ask(at), "node");
        }
        slow_agrees(&rules, world, &ours, quick);
        all += ours.len();
        yes += ours.iter().filter(|y| **y).count();
    }
    println!("{}: {all} answers agree, {yes} of them yes", size.name);
    // Where nearly all are supplied, nearly nothing is asked of gates and budgets.
    assert!((35..=80).contains(&(yes * 100 / all)), "{}: {yes} of {all} are supplied", size.name);
    let (kernel, worlds, plains) = (&kernel, &worlds, &plains);
    let mut ways: Vec<Way<'_>> = vec![
        (
            "flags",
            Box::new(|at| timed(|| kernel.flags(black_box(&worlds[at]), &mut flags).unwrap())),
        ),
        (
            "lengths",
            Box::new(|at| {
                timed(|| kernel.ask(black_box(&worlds[at]), Wanted::Lengths, &mut lengths).unwrap())
            }),
        ),
        (
            "flags, a word at a time",
            Box::new(|at| timed(|| kernel.flags(black_box(&worlds[at]), &mut narrow).unwrap())),
        ),
        (
            "tidy Vec and BinaryHeap",
            Box::new(|at| timed(|| _ = black_box(tidy.ask(black_box(&plains[at]))))),
        ),
        ("petgraph", Box::new(|at| timed(|| _ = black_box(petgraph.ask(black_box(&plains[at])))))),
        (
            "pathfinding",
            Box::new(|at| timed(|| _ = black_box(pathfinding.ask(black_box(&plains[at]))))),
        ),
        ("hexx", Box::new(|at| timed(|| _ = black_box(hexx.ask(black_box(&plains[at])))))),
    ];
    if let Some(node) = &mut node {
        ways.push(("node", Box::new(|at| node.time(at))));
    }
    let mut times: Vec<Vec<u128>> = vec![Vec::new(); ways.len()];
    for round in 0..size.rounds {
        let mut turns: Vec<_> = ways.iter_mut().zip(&mut times).collect();
        // There and back, so that no way always follows the same.
        if round % 2 == 1 {
            turns.reverse();
        }
        for ((_, way), times) in turns {
            // Another position first, so that none pays for the caches that another way has filled.
            way((round + 1) % POSITIONS);
            times.push(way(round % POSITIONS));
        }
    }
    let names: Vec<&str> = ways.iter().map(|(name, _)| *name).collect();
    rows(size.name, &names, &times)
}

/// The slow evaluator is asked about every unit of a small map, and about some of a large one.
fn slow_agrees(rules: &Ruleset, world: &World, ours: &[bool], quick: bool) {
    let slow = Position::new(rules, world).unwrap();
    // On the largest maps a search by spaces for each sort of budget would take longer than all the
    // rest.
    let some = if quick { ours.len() } else { 4 };
    for unit in (0..ours.len()).step_by((ours.len() / some).max(1)) {
        assert_eq!(
            ours[unit],
            slow.answer(SUPPLY, ThingRef::Unit(unit as u32)).unwrap().yes,
            "unit {unit}"
        );
    }
}

fn rows(workload: &str, names: &[&str], times: &[Vec<u128>]) -> Vec<Value> {
    for (name, times) in names.iter().zip(times) {
        println!("  {:>10.4} ms  {name}", super::median(times.clone()) / 1e6);
    }
    let (ours, peers) = (["flags", "lengths"], 3);
    let mut rows = Vec::new();
    for (name, theirs) in names.iter().zip(times).skip(peers) {
        for (what, ours) in ours.iter().zip(times) {
            let ratio = middle(theirs, ours);
            println!("  {what:>8}: {name} takes {ratio:.2} times as long");
            rows.push(row(workload, what, name, ratio));
        }
    }
    rows.push(row(workload, "flags", "the same, a word at a time", middle(&times[2], &times[0])));
    rows
}

/// What a full trace costs as the map grows, from a thousand hexes to a million; no peer, and so no
/// row. On a small map it is a matter of luck whether there is a depot at all, so several maps of
/// each size are asked, and more the smaller they are.
pub fn growth(quick: bool) -> Vec<Value> {
    let mut before: Option<f64> = None;
    println!("cost against size, twice as many hexes in each line, a unit for 25 hexes, reach 50");
    for doublings in 0..=if quick { 1 } else { 10 } {
        let hexes = 1000usize << doublings;
        let columns = hexes.isqrt();
        let rows = hexes / columns;
        let maps = if quick { 2 } else { (512 >> doublings).clamp(8, 256) };
        let size = Size {
            name: "growing",
            columns,
            rows,
            units: columns * rows / 25,
            budget: 50,
            rounds: 15,
        };
        let mut times = Vec::new();
        for seed in 0..maps {
            let (rules, start) = game(size, 7 + seed);
            let worlds = positions(&rules, &start);
            let kernel = HexKernel::compile(&rules, &start, SUPPLY).unwrap();
            let mut scratch = HexScratch::default();
            worlds.iter().for_each(|world| kernel.flags(world, &mut scratch).unwrap());
            let rounds = (0..size.rounds).map(|round| {
                timed(|| kernel.flags(&worlds[round % POSITIONS], &mut scratch).unwrap())
            });
            times.push(super::median(rounds.collect()));
        }
        let time = times.iter().sum::<f64>() / times.len() as f64;
        let more =
            before.map_or(String::new(), |b| format!(", {:.2} times the one before", time / b));
        println!("  {:>8} hexes: {:.4} ms over {maps} maps{more}", columns * rows, time / 1e6);
        before = Some(time);
    }
    Vec::new()
}
