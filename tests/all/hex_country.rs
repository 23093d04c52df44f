//! The search over whole words against the search by spaces, on open country: maps about as wide as
//! words, sides, sorts of mover, gates and costs at random; every width of the machine, and
//! lengths. At least a million answers are compared.

use std::fmt::Write;

use crate::common::Dice;
use sutler::ir::{Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::hex::{Wanted, Width, yes_of};
use sutler::kernel::{HexKernel, HexScratch, Position};
use sutler::project::check_text;
use sutler::world::{ThingRef, World, built_in};

const LINE: TraceId = TraceId(0);

const SCHEMA: &str = "edition 1
ruleset country \"Country\" prefix CO
sides Red against Blue
clock turn has action of each side
dimension points (point)
kind hex, hexes is space {
  has terrain one of clear, wood, hill, sea
  has depot yes or no
}
kind road, roads is link
kind counter, counters is unit {
  has arm one of foot, horse
  has reach in points from 0 to 90
}
define held of hex = any enemy counter here and no friendly counter here
define zoned of hex = any enemy counter here or any enemy counter adjacent
define free of hex = any friendly counter here or not zoned
";

const GATES: [&str; 5] =
    ["anywhere", "free", "not held", "terrain is not wood", "(friendly or not zoned)"];

/// Costs of clear, wood and hill for foot and horse: with a common part, without the cheapest, with
/// one or with many.
const COSTS: [[u32; 6]; 6] = [
    [1, 2, 3, 1, 2, 4],
    [2, 4, 6, 2, 6, 6],
    [3, 3, 3, 2, 2, 2],
    [1, 1, 1, 5, 7, 9],
    [2, 3, 7, 1, 4, 6],
    [1, 2, 3, 4, 5, 6],
];

fn ruleset(dice: &mut Dice) -> Ruleset {
    let sides = [1, 2, 7, 30, 62, 63, 64, 65, 66, 127, 128, 129, 191];
    let (long, most) = (*dice.pick(&sides), 1900);
    let short = (1 + dice.below(12)).max(dice.below(most / long).min(40));
    let layout = *dice.pick(&[
        "flat even columns lower",
        "flat odd columns lower",
        "pointy even rows right",
        "pointy odd rows right",
    ]);
    let (columns, rows) = if dice.percent(50) { (long, short) } else { (short, long) };
    let gate = |dice: &mut Dice| *dice.pick(&GATES);
    let [a, b, c, d, e, f] = *dice.pick(&COSTS);
    let barred = if dice.percent(50) { "barred".to_owned() } else { "11".to_owned() };
    let mut text = format!(
        "{SCHEMA}table entry of counter gives points by first match {{\n  when terrain here is sea then {barred}\n  \
         when terrain here is clear and arm is foot then {a}\n  when terrain here is wood and arm is foot then {b}\n  \
         when arm is foot then {c}\n  when terrain here is clear then {d}\n  when terrain here is wood then {e}\n  otherwise {f}\n}}\n\
         trace line of counter {{\n  called joined else cut\n  source depot where (depot and not held)\n"
    );
    let cost = if dice.percent(85) { "    cost entry\n" } else { "" };
    let within = if cost.is_empty() {
        "unlimited"
    } else {
        *dice.pick(&["reach", "reach", "reach", "25 points", "unlimited"])
    };
    let road = dice.percent(50);
    let ends = if road { "(free and any road here)" } else { gate(dice) };
    let (from, through) = (gate(dice), gate(dice));
    let _ = write!(
        text,
        "  leg overland\n    over hexsides\n    from {from}\n    through {through}\n    into {ends}\n{cost}    within {within}\n"
    );
    if road {
        let (from, through) = (gate(dice), gate(dice));
        let _ = write!(
            text,
            "  leg road\n    over roads\n    from {from}\n    through {through}\n    into anywhere\n    within unlimited\n"
        );
    }
    let _ = write!(
        text,
        "}}\nmap field {{\n  grid hexes {layout} from 00000000\n  legend \"-\" outside\n"
    );
    for (sign, what) in
        [("c", "clear"), ("w", "wood"), ("h", "hill"), ("s", "sea"), ("D", "clear, depot")]
    {
        let _ = writeln!(text, "  legend \"{sign}\" with terrain {what}");
    }
    let holes = dice.percent(30);
    for row in 0..rows {
        let cells: Vec<&str> = (0..columns)
            .map(|column| match dice.below(40) {
                _ if row == 0 && column == 0 => "D",
                0 if holes => "-",
                1 => "D",
                2 | 3 => "s",
                4..=12 => "w",
                13..=18 => "h",
                _ => "c",
            })
            .collect();
        let _ = writeln!(text, "  row \"{}\"", cells.join(" "));
    }
    let bare = checked(&format!("{text}}}\nsetup start on field {{\n}}\n"));
    links(dice, &bare, &mut text);
    checked(&format!("{text}}}\nsetup start on field {{\n}}\n"))
}

/// Roads that wander over the map and cross.
fn links(dice: &mut Dice, rules: &Ruleset, text: &mut String) {
    let map = &rules.maps[0];
    let grid = map.grid.as_ref().unwrap();
    let label = |space: u32| grid.place(space).map(|(c, r)| grid.label(c, r)).unwrap();
    for _ in 0..1 + map.spaces.len() / 60 {
        let mut at = dice.below(map.spaces.len()) as u32;
        let mut road = vec![label(at)];
        for _ in 0..dice.below(30) {
            let near: Vec<u32> = grid.place(at).map(|(c, r)| grid.around(c, r).collect()).unwrap();
            if near.is_empty() {
                break;
            }
            at = *dice.pick(&near);
            road.push(label(at));
        }
        if road.len() > 1 {
            let _ = writeln!(text, "  link road {}", road.join(" to "));
        }
    }
}

fn checked(text: &str) -> Ruleset {
    let (sources, rules, faults) = check_text("country.sut", text.as_bytes());
    rules.unwrap_or_else(|| {
        panic!(
            "{text}\n{}",
            sutler::diag::render(
                &faults,
                &sources,
                sutler::diag::Format::Concise,
                sutler::diag::Style::PLAIN
            )
        )
    })
}

/// Many units, their sides mostly apart, and control anywhere.
fn position(dice: &mut Dice, rules: &Ruleset) -> World {
    let mut world = sutler::world::start(rules, SetupId(0));
    let fact = |name: &str| {
        rules.facts.iter().position(|f| f.name == name).map(sutler::ir::FactId::at).unwrap()
    };
    let kind =
        rules.kinds.iter().position(|k| k.name == "counter").map(sutler::ir::KindId::at).unwrap();
    let spaces = rules.maps[0].spaces.len();
    for unit in 0..40 + spaces / 4 {
        let owner = dice.below(2);
        let half = spaces.div_ceil(2);
        let at = if dice.percent(85) {
            dice.below(half) + owner * (spaces - half)
        } else {
            dice.below(spaces)
        };
        let put = sutler::ir::PutUnit {
            id: format!("U{unit}"),
            title: String::new(),
            kind,
            owner: Some(SideId(owner as u8)),
            space: Some(at as u32),
            facts: vec![
                (fact("arm"), dice.below(2) as i64),
                (fact("reach"), dice.below(60) as i64),
            ],
        };
        world.put(rules, &put);
    }
    for space in 0..spaces as u32 {
        world.set_fact(
            &rules.facts[built_in::CONTROL.index()],
            ThingRef::Space(space),
            dice.below(3) as i64,
        );
    }
    world
}

#[test]
fn every_width_and_the_search_by_spaces_agree() {
    let widths = Width::all();
    let (mut compared, mut yes, mut asked, mut lengths) = (0, 0, 0, 0);
    let mut seed = 0u64;
    while compared < 1_000_000 {
        seed += 1;
        let mut dice = Dice::new(seed);
        let rules = ruleset(&mut dice);
        let kernel =
            HexKernel::compile(&rules, &sutler::world::start(&rules, SetupId(0)), LINE).unwrap();
        let mut scratches: Vec<HexScratch> = widths.iter().map(|_| HexScratch::default()).collect();
        scratches.iter_mut().zip(&widths).for_each(|(scratch, width)| scratch.set_width(*width));
        let mut long = HexScratch::default();
        // Every other map is cut into as many bands as it can be, so that each goes ahead of the
        // next.
        if seed.is_multiple_of(2) {
            scratches.iter_mut().chain([&mut long]).for_each(|scratch| scratch.set_band(1));
        }
        for nth in 0..8 {
            let world = position(&mut dice, &rules);
            let slow = Position::new(&rules, &world).unwrap();
            let things: Vec<ThingRef> = (0..world.units.len() as u32).map(ThingRef::Unit).collect();
            let answers = yes_of(&slow, LINE, &things).unwrap();
            kernel.ask(&world, Wanted::Lengths, &mut long).unwrap();
            for (scratch, width) in scratches.iter_mut().zip(&widths) {
                kernel.flags(&world, scratch).unwrap();
                let ours: Vec<bool> = scratch.rows().iter().map(|r| r.yes).collect();
                assert_eq!(ours, answers, "seed {seed}, position {nth}, {}", width.name());
                compared += ours.len();
            }
            assert_eq!(
                long.rows().iter().map(|r| r.yes).collect::<Vec<_>>(),
                answers,
                "seed {seed}, position {nth}, lengths"
            );
            compared += answers.len();
            // Of several legs the kernel gives no lengths.
            let alone = !slow.rules.traces[0].is_chain();
            for row in long.rows().iter().step_by(97).filter(|_| alone) {
                let length = slow.answer(LINE, row.thing).unwrap().length;
                assert_eq!(row.length, length, "seed {seed}, position {nth}, {:?}", row.thing);
                lengths += usize::from(length.is_some_and(|l| l > 1));
            }
            asked += answers.len();
            yes += answers.iter().filter(|y| **y).count();
        }
    }
    println!("{compared} answers compared over {seed} maps, {yes} of {asked} yes");
    assert!(
        yes * 5 > asked && yes * 5 < asked * 4 && lengths > 500,
        "{yes} of {asked}, {lengths}: too one-sided"
    );
}
