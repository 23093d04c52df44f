//! Full traces over large hex maps: two sides by two sorts of mover, a part overland and a part by road, zones included.

mod game;
mod hand;
mod libraries;

use std::hint::black_box;

use sutler::ir::{Ruleset, SetupId, TraceId};
use sutler::kernel::hex::Wanted;
use sutler::kernel::{HexKernel, HexScratch, Position};
use sutler::world::{ThingRef, World};

use game::Size;

const SUPPLY: TraceId = TraceId(0);

const SIZES: [Size; 3] = [
    Size { name: "hexes 100 x 100, 200 units, reach 16", columns: 100, rows: 100, units: 200, budget: 16, rounds: 101 },
    Size { name: "hexes 400 x 360, 4000 units, reach 50", columns: 400, rows: 360, units: 4_000, budget: 50, rounds: 15 },
    Size { name: "hexes 1000 x 1000, 40000 units, reach 50", columns: 1000, rows: 1000, units: 40_000, budget: 50, rounds: 5 },
];

const SMALL: [Size; 2] = [
    Size { name: "hexes 48 x 40", columns: 48, rows: 40, units: 60, budget: 16, rounds: 1 },
    Size { name: "hexes 70 x 64", columns: 70, rows: 64, units: 100, budget: 16, rounds: 1 },
];

/// All workloads; the rows of the report.
pub fn report(quick: bool) -> Vec<serde_json::Value> {
    let sizes: &[Size] = if quick { &SMALL } else { &SIZES };
    sizes.iter().enumerate().flat_map(|(at, size)| workload(*size, at as u64 + 1, quick)).collect()
}

fn workload(size: Size, seed: u64, quick: bool) -> Vec<serde_json::Value> {
    let text = game::text(size, seed);
    let (_, rules, faults) = sutler::project::check_text("plains.sut", text.as_bytes());
    let Some(rules) = rules else { panic!("{:#?}", faults.iter().take(3).collect::<Vec<_>>()) };
    let world = sutler::world::start(&rules, SetupId(0));
    let kernel = HexKernel::compile(&rules, &world, SUPPLY).unwrap();
    let board = hand::board(&rules, &world);
    let plain = hand::plain(&rules, &world);
    let (mut tidy, mut petgraph, mut pathfinding) =
        (hand::Tidy::new(&board), libraries::Petgraph::new(&board), libraries::Pathfinding::new(&board));
    let (mut flags, mut lengths) = (HexScratch::default(), HexScratch::default());
    kernel.flags(&world, &mut flags).unwrap();
    kernel.ask(&world, Wanted::Lengths, &mut lengths).unwrap();
    let ours: Vec<bool> = flags.rows().iter().map(|r| r.yes).collect();
    assert_eq!(ours, lengths.rows().iter().map(|r| r.yes).collect::<Vec<_>>());
    assert_eq!(ours, tidy.ask(&plain), "{}", size.name);
    assert_eq!(ours, petgraph.ask(&plain), "{}", size.name);
    assert_eq!(ours, pathfinding.ask(&plain), "{}", size.name);
    slow_agrees(&rules, &world, &ours, quick);
    let yes = ours.iter().filter(|y| **y).count();
    println!("{}: {} answers agree, {yes} of them yes", size.name, ours.len());
    // Where nearly all are supplied, nearly nothing is asked of gates and budgets.
    assert!((35..=80).contains(&(yes * 100 / ours.len())), "{}: {yes} of {} are supplied", size.name, ours.len());
    let times = super::interleaved(
        size.rounds,
        &mut [
            &mut || kernel.flags(black_box(&world), &mut flags).unwrap(),
            &mut || kernel.ask(black_box(&world), Wanted::Lengths, &mut lengths).unwrap(),
            &mut || {
                black_box(tidy.ask(black_box(&plain)));
            },
            &mut || {
                black_box(petgraph.ask(black_box(&plain)));
            },
            &mut || {
                black_box(pathfinding.ask(black_box(&plain)));
            },
        ],
    );
    rows(size.name, &times)
}

/// The slow evaluator is asked about every unit of a small map, and about some of a large one.
fn slow_agrees(rules: &Ruleset, world: &World, ours: &[bool], quick: bool) {
    let slow = Position::new(rules, world).unwrap();
    // On the largest maps a search by spaces for each sort of budget would take longer than all the rest.
    let some = if quick { ours.len() } else { 4 };
    for unit in (0..ours.len()).step_by((ours.len() / some).max(1)) {
        assert_eq!(ours[unit], slow.answer(SUPPLY, ThingRef::Unit(unit as u32)).unwrap().yes, "unit {unit}");
    }
}

fn rows(workload: &str, times: &[f64]) -> Vec<serde_json::Value> {
    let [flags, lengths, peers @ ..] = times else { return Vec::new() };
    println!("  milliseconds: flags {:.3}, lengths {:.3}", flags / 1e6, lengths / 1e6);
    let mut rows = Vec::new();
    for (peer, theirs) in ["Vec and BinaryHeap", "petgraph", "pathfinding"].iter().zip(peers) {
        for (what, ours) in [("flags", flags), ("lengths", lengths)] {
            let ratio = (theirs / ours * 100.0).round() / 100.0;
            println!("  {what:>8}: {peer} takes {:.3} ms, {ratio:.2} times as long", theirs / 1e6);
            rows.push(serde_json::json!({ "workload": workload, "what": what, "peer": peer, "ratio": ratio }));
        }
    }
    rows
}
