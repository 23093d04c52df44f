//! Single moves on a large hex map: local repair against the full trace, ours and those of
//! libraries, who have nothing else; and against a repair by hand for these rules alone.

use std::hint::black_box;
use std::time::Instant;

use super::common::Dice;
use super::hex::game::{self, Size};
use super::hex::hand::{self, Plain, Tidy};
use super::hex::libraries::{Pathfinding, Petgraph};
use super::repaired::Repaired;
use super::rows::row;
use sutler::ir::{Ruleset, SetupId, TraceId};
use sutler::kernel::{HexKernel, HexScratch, Repair, Session};
use sutler::world::{ThingRef, World};

const SUPPLY: TraceId = TraceId(0);
const LARGE: Size = Size {
    name: "hexes 400 x 360, 4000 units, reach 50",
    columns: 400,
    rows: 360,
    units: 4_000,
    budget: 50,
    rounds: 15,
};
const SMALL: Size =
    Size { name: "hexes 48 x 40", columns: 48, rows: 40, units: 60, budget: 16, rounds: 1 };
/// Moves of one game.
const MOVES: usize = 4_000;
/// How often a game is played.
const GAMES: usize = 5;

/// Between two whole traces by others lie so many moves.
const APART: usize = 800;

/// The rows of the report.
pub fn report(quick: bool) -> Vec<serde_json::Value> {
    let (size, moves) = if quick { (SMALL, 200) } else { (LARGE, MOVES) };
    let text = game::text(size, 2);
    let (_, rules, faults) = sutler::project::check_text("plains.sut", text.as_bytes());
    let Some(rules) = rules else { panic!("{:#?}", faults.iter().take(3).collect::<Vec<_>>()) };
    let world = sutler::world::start(&rules, SetupId(0));
    let kernel = HexKernel::compile(&rules, &world, SUPPLY).unwrap();
    let mut scratch = HexScratch::default();
    let board = hand::board(&rules, &world);
    let mut others = Others {
        tidy: Tidy::new(&board),
        petgraph: Petgraph::new(&board),
        pathfinding: Pathfinding::new(&board),
        quickest: [f64::INFINITY; 3],
    };
    // The same game several times: of each move the quickest counts, for another program's moment
    // is not part of it.
    let (mut single, mut by_hand, mut full) =
        (vec![f64::INFINITY; moves], vec![f64::INFINITY; moves], f64::INFINITY);
    let mut played: Vec<(usize, u32)> = Vec::new();
    let mut answers: Vec<(usize, Vec<bool>)> = Vec::new();
    for game in 0..if quick { 1 } else { GAMES } {
        let mut dice = Dice::new(9);
        let mut session = Session::new(&rules, world.clone(), SUPPLY).unwrap().unwrap();
        let mut plain = hand::plain(&rules, &world);
        assert_eq!(session.not_local(), None, "a move should be repaired");
        for (nth, quickest) in single.iter_mut().enumerate() {
            let (unit, to) = step(&mut dice, &rules, session.world());
            let start = Instant::now();
            let repair = black_box(session.move_unit(unit, Some(to)).unwrap());
            *quickest = quickest.min(start.elapsed().as_nanos() as f64);
            assert!(matches!(repair, Repair::Local(_)));
            plain.units[unit as usize].hex = to;
            if game == 0 {
                played.push((unit as usize, to));
            }
            // The whole trace from time to time, the quickest too; and the answers.
            if nth % 40 == 0 {
                let start = Instant::now();
                kernel.flags(black_box(session.world()), &mut scratch).unwrap();
                full = full.min(start.elapsed().as_nanos() as f64);
                for row in scratch.rows().iter().filter(|_| game == 0) {
                    let ThingRef::Unit(unit) = row.thing else { continue };
                    assert_eq!(session.yes(unit), Some(row.yes), "unit {unit} after {nth} moves");
                }
            }
            if nth % APART == APART / 2 || quick && nth % 20 == 0 {
                let ours: Vec<bool> =
                    (0..plain.units.len() as u32).map(|u| session.yes(u).unwrap()).collect();
                others.ask(&plain, &ours, nth);
                answers.extend((game == 0).then_some((nth, ours)));
            }
        }
        // By itself, so that neither pays for the caches that the other fills.
        let mut repaired = Repaired::new(&board, &hand::plain(&rules, &world));
        let mut answers = answers.iter().peekable();
        for (nth, ((unit, to), quickest)) in played.iter().zip(&mut by_hand).enumerate() {
            let start = Instant::now();
            repaired.move_unit(*unit, *to);
            *quickest = quickest.min(start.elapsed().as_nanos() as f64);
            if let Some((_, ours)) = answers.next_if(|(at, _)| *at == nth) {
                let theirs: Vec<bool> = (0..ours.len()).map(|unit| repaired.yes(unit)).collect();
                assert_eq!(*ours, theirs, "by hand after {nth} moves");
            }
        }
        assert!(answers.next().is_none(), "all answers are compared");
    }
    let (ours, theirs) = (parts(single), parts(by_hand));
    println!("{}:", size.name);
    for ((what, ours), theirs) in PARTS.iter().zip(&ours).zip(&theirs) {
        println!("  a single move, {what}: {:.2} us, by hand {:.2} us", ours / 1e3, theirs / 1e3);
    }
    let row = |part: usize, peer: &str, time: f64| {
        row(size.name, &format!("a single move, {}", PARTS[part]), peer, time / ours[part])
    };
    let whole =
        [("our full trace", full)].into_iter().chain(NAMES.into_iter().zip(others.quickest));
    let mut rows: Vec<_> = (0..3).map(|part| row(part, "tidy, repaired", theirs[part])).collect();
    for (peer, whole) in whole {
        println!("  {peer}: {:.1} us", whole / 1e3);
        rows.extend((0..3).map(|part| row(part, peer, whole)));
    }
    rows
}

const PARTS: [&str; 3] = ["median", "one of a hundred", "worst"];

/// Of the times of all moves the middle, that of one in a hundred, and the longest.
fn parts(mut times: Vec<f64>) -> [f64; 3] {
    times.sort_by(f64::total_cmp);
    [times[times.len() / 2], times[times.len() * 99 / 100], times[times.len() - 1]]
}

/// Who else answers a position after a move; none of them has anything but the whole trace.
struct Others<'b> {
    tidy: Tidy<'b>,
    petgraph: Petgraph<'b>,
    pathfinding: Pathfinding<'b>,
    quickest: [f64; 3],
}

const NAMES: [&str; 3] =
    ["tidy, the full trace", "petgraph, the full trace", "pathfinding, the full trace"];

impl Others<'_> {
    /// Asks all of a position; their answers must be ours.
    fn ask(&mut self, plain: &Plain, ours: &[bool], nth: usize) {
        let ways: [&mut dyn FnMut() -> Vec<bool>; 3] = [
            &mut || self.tidy.ask(plain).to_vec(),
            &mut || self.petgraph.ask(plain).to_vec(),
            &mut || self.pathfinding.ask(plain).to_vec(),
        ];
        for ((way, name), quickest) in ways.into_iter().zip(NAMES).zip(&mut self.quickest) {
            let start = Instant::now();
            let theirs = black_box(way());
            *quickest = quickest.min(start.elapsed().as_nanos() as f64);
            assert_eq!(ours, theirs, "{name} after {nth} moves");
        }
    }
}

/// A unit and a hex beside its own.
fn step(dice: &mut Dice, rules: &Ruleset, world: &World) -> (u32, u32) {
    let grid = rules.maps[0].grid.as_ref().unwrap();
    loop {
        let unit = dice.below(world.units.len()) as u32;
        let (column, row) = grid.place(world.space_of(unit).unwrap()).unwrap();
        let near: Vec<u32> = grid.around(column, row).collect();
        if !near.is_empty() {
            return (unit, *dice.pick(&near));
        }
    }
}
