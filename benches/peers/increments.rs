//! Single moves on a large hex map: local repair against the full trace, which is itself ahead of its peers.

#[allow(clippy::duplicate_mod, dead_code, reason = "the maps are those of the full traces, which measure more of them")]
#[path = "hex/game.rs"]
mod game;

use std::hint::black_box;
use std::time::Instant;

use super::common::Dice;
use game::Size;
use sutler::ir::{Ruleset, SetupId, TraceId};
use sutler::kernel::{HexKernel, HexScratch, Repair, Session};
use sutler::world::{ThingRef, World};

const SUPPLY: TraceId = TraceId(0);
const LARGE: Size = Size { name: "hexes 400 x 360, 4000 units, reach 50", columns: 400, rows: 360, units: 4_000, budget: 50, rounds: 15 };
const SMALL: Size = Size { name: "hexes 48 x 40", columns: 48, rows: 40, units: 60, budget: 16, rounds: 1 };
/// Moves of one game.
const MOVES: usize = 4_000;
/// How often a game is played.
const GAMES: usize = 5;

/// The rows of the report.
pub fn report(quick: bool) -> Vec<serde_json::Value> {
    let (size, moves) = if quick { (SMALL, 200) } else { (LARGE, MOVES) };
    let text = game::text(size, 2);
    let (_, rules, faults) = sutler::project::check_text("plains.sut", text.as_bytes());
    let Some(rules) = rules else { panic!("{:#?}", faults.iter().take(3).collect::<Vec<_>>()) };
    let world = sutler::world::start(&rules, SetupId(0));
    let kernel = HexKernel::compile(&rules, &world, SUPPLY).unwrap();
    let mut scratch = HexScratch::default();
    // The same game several times: of each move the quickest counts, for another program's moment is not part of it.
    let (mut single, mut full) = (vec![f64::INFINITY; moves], f64::INFINITY);
    for game in 0..if quick { 1 } else { GAMES } {
        let mut dice = Dice::new(9);
        let mut session = Session::new(&rules, world.clone(), SUPPLY).unwrap().unwrap();
        assert_eq!(session.not_local(), None, "a move should be repaired");
        for (nth, quickest) in single.iter_mut().enumerate() {
            let (unit, to) = step(&mut dice, &rules, session.world());
            let start = Instant::now();
            let repair = black_box(session.move_unit(unit, Some(to)).unwrap());
            *quickest = quickest.min(start.elapsed().as_nanos() as f64);
            assert!(matches!(repair, Repair::Local(_)));
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
        }
    }
    single.sort_by(f64::total_cmp);
    let (median, most, whole) = (single[moves / 2], single[moves - 1], full);
    let high = single[moves * 99 / 100];
    println!(
        "{}: a single move takes {:.2} us in the middle, {:.1} us in one of a hundred, {:.1} us at most; the full trace {:.1} us",
        size.name,
        median / 1e3,
        high / 1e3,
        most / 1e3,
        whole / 1e3
    );
    let row = |what: &str, time: f64| {
        let ratio = (whole / time * 100.0).round() / 100.0;
        println!("  {what}: the full trace takes {ratio:.2} times as long");
        serde_json::json!({ "workload": size.name, "what": what, "peer": "our full trace", "ratio": ratio })
    };
    vec![row("a single move, median", median), row("a single move, worst", most)]
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
