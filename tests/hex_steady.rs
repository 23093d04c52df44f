//! What a trace over a large hex map takes beside time, counted by the allocator: nothing for a
//! position like the last ones, nothing for a move whose answers a session keeps, and not more than
//! 64 bytes a hex in all. One test, for the counter is that of the whole program.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

#[path = "all/common/mod.rs"]
mod common;

use std::alloc::System;
use std::fmt::Write;

use common::Dice;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use sutler::ir::{Ruleset, SetupId, TraceId};
use sutler::kernel::{HexKernel, HexScratch, Repair, Session};
use sutler::project::check_text;
use sutler::world::{ThingRef, World, built_in};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SIDE: usize = 200;

const RULES: &str = "edition 1
ruleset steady \"Steady\" prefix ST
sides Red against Blue
clock turn has action of each side
dimension points (point)
kind hex, hexes is space {
  has terrain one of clear, wood, hill
  has depot yes or no
}
kind road, roads is link
kind counter, counters is unit {
  has arm one of foot, horse, wheel, track
  has reach in points from 0 to 30
}
table entry of counter gives points by first match {
  when terrain here is hill and arm is horse then 4
  when terrain here is hill and arm is wheel then barred
  when terrain here is hill                  then 3
  when terrain here is wood and arm is track then 3
  when terrain here is wood                  then 2
  otherwise 1
}
define free of hex = any friendly counter here or not (any enemy counter here or any enemy counter adjacent)
trace supply of counter {
  called supplied else unsupplied
  source depot where (depot and friendly)
  leg overland
    over    hexsides
    from    anywhere
    through free
    into    (free and any road here)
    cost    entry
    within  reach
  leg road
    over    roads
    from    free
    through free
    into    anywhere
    within  unlimited
}
";

fn ruleset() -> Ruleset {
    let mut dice = Dice::new(3);
    let label = |column: usize, row: usize| format!("{column:03}{row:03}");
    let mut text =
        format!("{RULES}map field {{\n  grid hexes pointy odd rows right from {}\n", label(0, 0));
    text.push_str("  legend \".\" with terrain clear\n  legend \"w\" with terrain wood\n  legend \"h\" with terrain hill\n");
    text.push_str("  legend \"D\" with terrain clear, depot\n");
    for row in 0..SIDE {
        let sign = |column: usize, dice: &mut Dice| match dice.below(10) {
            _ if column % 40 == 20 && row % 40 == 20 => "D",
            0..=5 => ".",
            6..=8 => "w",
            _ => "h",
        };
        let signs: Vec<&str> = (0..SIDE).map(|column| sign(column, &mut dice)).collect();
        let _ = writeln!(text, "  row \"{}\"", signs.join(" "));
    }
    for row in (20..SIDE).step_by(40) {
        let hexes: Vec<String> = (0..SIDE).map(|column| label(column, row)).collect();
        let _ = writeln!(text, "  link road {}", hexes.join(" to "));
    }
    text.push_str("}\nsetup start on field {\n");
    for unit in 0..1500 {
        let side = dice.pick(&["Red", "Blue"]);
        let arm = dice.pick(&["foot", "horse", "wheel", "track"]);
        let at = label(dice.below(SIDE), dice.below(SIDE));
        let _ = writeln!(
            text,
            "  put counter U{unit} of {side} in hex {at} with arm {arm}, reach {}",
            dice.below(31)
        );
    }
    text.push_str("}\n");
    let (_, rules, faults) = check_text("steady.sut", text.as_bytes());
    rules.unwrap_or_else(|| panic!("{faults:#?}"))
}

/// Units and control anywhere.
fn position(rules: &Ruleset, start: &World, seed: u64) -> World {
    let mut dice = Dice::new(seed);
    let mut world = start.clone();
    for unit in 0..world.units.len() as u32 {
        world.set_fact(
            &rules.facts[built_in::SPACE.index()],
            ThingRef::Unit(unit),
            dice.below(SIDE * SIDE) as i64 + 1,
        );
    }
    for space in 0..SIDE * SIDE {
        world.set_fact(
            &rules.facts[built_in::CONTROL.index()],
            ThingRef::Space(space as u32),
            dice.below(3) as i64,
        );
    }
    world
}

#[test]
fn a_position_like_the_last_takes_no_room_and_a_map_not_much() {
    let rules = ruleset();
    let start = sutler::world::start(&rules, SetupId(0));
    let worlds: Vec<World> = (1..=4).map(|seed| position(&rules, &start, seed)).collect();
    let whole = Region::new(COUNTED);
    let kernel = HexKernel::compile(&rules, &start, TraceId(0)).unwrap();
    let mut scratch = HexScratch::default();
    // What depends on how many units share a side and sort grows to the most that any of them has.
    for world in worlds.iter().chain(&worlds) {
        kernel.flags(world, &mut scratch).unwrap();
    }
    let taken = whole.change();
    let (bytes, hexes) = (taken.bytes_allocated - taken.bytes_deallocated, SIDE * SIDE);
    println!("{}.{} bytes a hex", bytes / hexes, bytes * 10 / hexes % 10);
    assert!(bytes > hexes && bytes <= 64 * hexes, "{bytes} bytes for {hexes} hexes");
    let mut yes = 0;
    let steady = Region::new(COUNTED);
    for world in &worlds {
        kernel.flags(world, &mut scratch).unwrap();
        yes += scratch.rows().iter().filter(|row| row.yes).count();
    }
    let more = steady.change();
    assert!(yes > 500 && yes < 5_500, "{yes} of 6000: too one-sided");
    assert_eq!((more.allocations, more.reallocations), (0, 0), "{more:?}");
    moves_take_no_room(&rules, &worlds[0]);
}

/// Units go one hex and come back, and do so again: what the first time took is enough for the
/// second.
fn moves_take_no_room(rules: &Ruleset, start: &World) {
    let mut session = Session::new(rules, start.clone(), TraceId(0)).unwrap().unwrap();
    assert_eq!(session.not_local(), None);
    let grid = rules.maps[0].grid.as_ref().unwrap();
    let place = |unit: u32| start.space_of(unit).unwrap();
    let near = |space: u32| {
        grid.place(space).and_then(|(column, row)| grid.around(column, row).next()).unwrap()
    };
    let moves: Vec<(u32, u32)> = (0..1500)
        .map(|unit| (unit, near(place(unit))))
        .chain((0..1500).map(|unit| (unit, place(unit))))
        .collect();
    let mut tour = || {
        let turned = |(unit, to): &(u32, u32)| {
            assert!(matches!(session.move_unit(*unit, Some(*to)).unwrap(), Repair::Local(_)));
            session.changed().len()
        };
        moves.iter().map(turned).sum::<usize>()
    };
    let first = tour();
    let steady = Region::new(COUNTED);
    let second = tour();
    let more = steady.change();
    assert_eq!(first, second, "the same moves turn the same answers");
    assert!(first > 150, "{first} answers turned");
    assert_eq!((more.allocations, more.reallocations), (0, 0), "{more:?}");
}
