//! Supply of `rulesets/soldier_kings`, many positions at a time, against what a good engineer would
//! write by hand.

mod hand;

use std::hint::black_box;
use std::path::Path;

use criterion::Criterion;
use serde_json::Value;
use sutler::ir::{FactId, Ruleset, TraceId};
use sutler::kernel::columns::NOWHERE;
use sutler::kernel::{Batch, Flags, Kernel, Position, Scratch};
use sutler::project::Project;
use sutler::world::{ThingRef, World};

use super::common::{Dice, set_up};
use super::{fact, interleaved};

/// How many positions one run asks.
const POSITIONS: usize = 4096;
/// Room for the units of a position.
const UNITS: usize = 80;
/// Room for the spaces of the map.
const SPACES: usize = 128;
/// Off the map.
const OFF: u8 = u8::MAX;

/// A position as a program would keep it.
#[derive(Clone)]
struct Plain {
    space: [u8; UNITS],
    leader: [u8; UNITS],
    control: [u8; SPACES],
}

/// What is measured, and its slow twin.
struct Game<'r> {
    rules: &'r Ruleset,
    template: World,
    trace: TraceId,
    leader: FactId,
    led: Vec<u32>,
}

fn game(rules: &Ruleset) -> Game<'_> {
    let setup = rules.setups.iter().find(|s| s.name == "opening").unwrap();
    let template = set_up(rules, setup);
    let trace = TraceId::at(rules.traces.iter().position(|t| t.name == "supply").unwrap());
    let leader = fact(rules, "leader");
    let force = rules.facts[leader.index()].kind;
    let led = (0..template.units.len() as u32)
        .filter(|u| rules.is_kind(template.units[*u as usize].kind, force))
        .collect();
    Game { rules, template, trace, leader, led }
}

/// Every force a few random borders away, leaders dealt anew, some control changed.
fn positions(game: &Game<'_>, seed: u64) -> Vec<Plain> {
    let mut dice = Dice::new(seed);
    let map = &game.rules.maps[game.template.map.index()];
    let border = game
        .rules
        .kinds
        .iter()
        .position(|k| k.name == "border")
        .map(sutler::ir::KindId::at)
        .unwrap();
    let slot = usize::from(game.rules.facts[game.leader.index()].slot);
    (0..POSITIONS)
        .map(|_| {
            let mut plain = Plain { space: [OFF; UNITS], leader: [0; UNITS], control: [0; SPACES] };
            for unit in 0..game.template.units.len() {
                let mut at = game.template.space_of(unit as u32);
                for _ in 0..dice.below(4) {
                    let near = at.map_or(&[][..], |s| map.neighbours(border, s));
                    if !near.is_empty() {
                        at = Some(*dice.pick(near));
                    }
                }
                plain.space[unit] = at.map_or(OFF, |s| s as u8);
                plain.leader[unit] = game.template.row(unit as u32)[slot] as u8;
                if game.led.contains(&(unit as u32)) && dice.percent(20) {
                    plain.leader[unit] = dice.below(game.rules.named.len() + 1) as u8;
                }
            }
            for space in 0..map.spaces.len() {
                plain.control[space] = game.template.control(space as u32).map_or(0, |s| s.0 + 1);
                if dice.percent(10) {
                    plain.control[space] = dice.below(game.rules.sides.len() + 1) as u8;
                }
            }
            plain
        })
        .collect()
}

/// Positions into columns; part of what is measured.
fn ingest(game: &Game<'_>, plain: &[Plain], batch: &mut Batch) {
    spaces(plain, batch);
    leaders(game, plain, batch);
    control(plain, batch);
}

fn spaces(plain: &[Plain], batch: &mut Batch) {
    batch.fill_spaces(|position, unit| match plain[position].space[unit] {
        OFF => NOWHERE,
        space => u16::from(space),
    });
}

fn leaders(game: &Game<'_>, plain: &[Plain], batch: &mut Batch) {
    batch.fill_fact(game.leader, &game.led, |position, nth| {
        u16::from(plain[position].leader[game.led[nth] as usize])
    });
}

fn control(plain: &[Plain], batch: &mut Batch) {
    batch.fill_control(|position| &plain[position].control);
}

/// What the parts of ingestion take.
fn ingestion(game: &Game<'_>, plain: &[Plain], rounds: usize, batch: &mut Batch) {
    let each = |t: f64| t / POSITIONS as f64;
    let mut one =
        |run: &mut dyn FnMut(&mut Batch)| each(interleaved(rounds, &mut [&mut || run(batch)])[0]);
    let (spaces, leaders, control) = (
        one(&mut |b| spaces(plain, b)),
        one(&mut |b| leaders(game, plain, b)),
        one(&mut |b| control(plain, b)),
    );
    println!(
        "nanoseconds a position of ingestion: spaces {spaces:.0}, leaders {leaders:.0}, control {control:.0}"
    );
}

/// The rows of the report.
pub fn report(quick: bool) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/soldier_kings");
    let project = Project::open(&folder);
    let rules = project.rulesets[0].rules.as_ref().unwrap();
    let game = game(rules);
    let plain = positions(&game, 22);
    let kernel = Kernel::compile(rules, &game.template, game.trace, &[game.leader]).unwrap();
    assert!(kernel.is_whole(), "every condition should be a plane");
    let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
    let mut batch = kernel.batch(POSITIONS);
    ingest(&game, &plain, &mut batch);
    kernel.flags(&batch, &mut scratch, &mut flags).unwrap();

    let hand = hand::Rules::new(rules, &game.template);
    let (mut by_hand, mut by_camp, mut by_graph) = (
        hand::Search::new(&hand, false),
        hand::Search::new(&hand, true),
        hand::GraphSearch::new(&hand),
    );
    same_answers(
        &game,
        &plain,
        &batch,
        &flags,
        &mut [&mut |p| by_hand.ask(p).to_vec(), &mut |p| by_camp.ask(p).to_vec(), &mut |p| {
            by_graph.ask(p).to_vec()
        }],
        quick,
    );

    let rounds = if quick { 1 } else { 31 };
    let mut fresh = kernel.batch(POSITIONS);
    let (mut scratch_2, mut flags_2) = (Scratch::default(), Flags::default());
    let times = interleaved(
        rounds,
        &mut [
            &mut || {
                ingest(&game, black_box(&plain), &mut fresh);
                kernel.flags(&fresh, &mut scratch_2, &mut flags_2).unwrap();
                black_box(&flags_2);
            },
            &mut || {
                kernel.flags(black_box(&batch), &mut scratch, &mut flags).unwrap();
                black_box(&flags);
            },
            &mut || {
                plain.iter().for_each(|p| {
                    black_box(by_hand.ask(black_box(p)));
                })
            },
            &mut || {
                plain.iter().for_each(|p| {
                    black_box(by_camp.ask(black_box(p)));
                })
            },
            &mut || {
                plain.iter().for_each(|p| {
                    black_box(by_graph.ask(black_box(p)));
                })
            },
        ],
    );
    ingestion(&game, &plain, rounds, &mut fresh);
    let one = one_at_a_time(&game, &kernel, &plain, rounds);
    let rows = rows(&times, one);
    if !quick {
        criterion(&game, &kernel, &plain);
    }
    rows
}

/// Another way to the answers, by unit.
type Peer<'a> = &'a mut dyn FnMut(&Plain) -> Vec<bool>;

/// Every way must give the same before anything is timed; the slow evaluator is asked of some
/// positions.
fn same_answers(
    game: &Game<'_>,
    plain: &[Plain],
    batch: &Batch,
    flags: &Flags,
    peers: &mut [Peer<'_>],
    quick: bool,
) {
    let mut yes = 0;
    for (at, position) in plain.iter().enumerate() {
        let ours: Vec<bool> = flags.units().iter().map(|u| flags.get(at, *u).unwrap()).collect();
        yes += ours.iter().filter(|y| **y).count();
        for peer in &mut *peers {
            let theirs = peer(position);
            let theirs: Vec<bool> = flags.units().iter().map(|u| theirs[*u as usize]).collect();
            assert_eq!(ours, theirs, "position {at}");
        }
        if at % if quick { 256 } else { 32 } == 0 {
            let world = batch.world(at);
            let slow = Position::new(game.rules, &world).unwrap();
            for (unit, ours) in flags.units().iter().zip(&ours) {
                assert_eq!(
                    *ours,
                    slow.answer(game.trace, ThingRef::Unit(*unit)).unwrap().yes,
                    "position {at}, unit {unit}"
                );
            }
        }
    }
    println!("{} answers agree, {yes} of them yes", plain.len() * flags.units().len());
}

/// Single positions: a batch of one lane each, ingestion included.
fn one_at_a_time(game: &Game<'_>, kernel: &Kernel<'_>, plain: &[Plain], rounds: usize) -> f64 {
    let mut batch = kernel.batch(1);
    let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
    let times = interleaved(
        rounds,
        &mut [&mut || {
            for one in plain {
                ingest(game, std::slice::from_ref(one), &mut batch);
                kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
                black_box(&flags);
            }
        }],
    );
    times[0]
}

fn rows(times: &[f64], one: f64) -> Vec<Value> {
    let [whole, kept, hand, camp, graph] = times else { return Vec::new() };
    let each = |t: f64| t / POSITIONS as f64;
    println!(
        "nanoseconds a position: ours end to end {:.0}, ours in the batch {:.0}, ours one at a time {:.0}",
        each(*whole),
        each(*kept),
        each(one)
    );
    println!(
        "  Vec, a search a side {:.0}; Vec, a search a camp {:.0}; petgraph {:.0}",
        each(*hand),
        each(*camp),
        each(*graph)
    );
    let mut rows = Vec::new();
    for (what, ours) in [("end to end", *whole), ("in the batch", *kept), ("one at a time", one)] {
        for (peer, theirs) in
            [("Vec, a search a side", *hand), ("Vec, a search a camp", *camp), ("petgraph", *graph)]
        {
            let ratio = (theirs / ours * 100.0).round() / 100.0;
            println!("{what:>14}: {peer} takes {ratio:.2} times as long");
            rows.push(
                serde_json::json!({ "workload": "soldier_kings supply, 4096 positions", "what": what, "peer": peer, "ratio": ratio }),
            );
        }
    }
    rows
}

fn criterion(game: &Game<'_>, kernel: &Kernel<'_>, plain: &[Plain]) {
    let mut criterion = Criterion::default().sample_size(10);
    let mut batch = kernel.batch(POSITIONS);
    let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
    criterion.bench_function("supply of 4096 positions, end to end", |b| {
        b.iter(|| {
            ingest(game, black_box(plain), &mut batch);
            kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
        });
    });
    criterion.final_summary();
}
