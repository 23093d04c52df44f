//! Positions one after another whose links differ, on boards that are kept, against each asked afresh.

use crate::common::counts::{seeds, share};
use crate::common::random_legs::{self, ruleset_with_nets};
use crate::common::{Dice, random_hexes};
use std::rc::Rc;
use sutler::ir::{KindId, Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::board::Board;
use sutler::kernel::{Position, Series};
use sutler::project::check_text;
use sutler::world::{ThingRef, World, built_in};

/// Answers that were compared, and those that another state of the links makes otherwise.
#[derive(Default)]
struct Tally {
    asked: usize,
    turned: usize,
}

fn answers(position: &Position<'_>, trace: TraceId) -> Vec<(ThingRef, bool, Option<u64>)> {
    let of = position.rules.traces[trace.index()].of;
    let units = (0..position.world.units.len() as u32).map(ThingRef::Unit);
    let spaces = (0..position.map.spaces.len() as u32).map(ThingRef::Space);
    let things = units.chain(spaces).filter(|thing| position.is_kind(*thing, of));
    things
        .map(|thing| {
            let answer = position.answer(trace, thing).unwrap();
            (thing, answer.yes, answer.length.map(u64::from))
        })
        .collect()
}

/// The next position: some links change, and now and then a unit moves.
fn next(dice: &mut Dice, rules: &Ruleset, world: &mut World) {
    let map = &rules.maps[0];
    let worn = rules.facts.iter().find(|fact| fact.name == "worn").unwrap();
    for link in 0..map.changing.len() as u32 {
        if dice.percent(15) {
            let now = world.fact(worn, ThingRef::Link(link));
            world.set_fact(worn, ThingRef::Link(link), 1 - now);
        }
    }
    if dice.percent(40) && !world.units.is_empty() {
        let unit = dice.below(world.units.len()) as u32;
        let cell = dice.below(map.spaces.len()) as i64 + 1;
        world.set_fact(&rules.facts[built_in::SPACE.index()], ThingRef::Unit(unit), cell);
    }
}

fn play(dice: &mut Dice, rules: &Ruleset, mut world: World, what: &str, tally: &mut Tally) {
    let board = Rc::new(Board::new(rules, &rules.maps[0]));
    let mut worlds = Vec::new();
    for _ in 0..12 {
        next(dice, rules, &mut world);
        worlds.push(world.clone());
    }
    for trace in (0..rules.traces.len()).map(TraceId::at) {
        let of_units = rules.top(rules.traces[trace.index()].of) == KindId::UNIT;
        let mut series = Series::new(rules, trace);
        let together = of_units.then(|| series.ask(&worlds));
        let mut before: Option<Vec<(ThingRef, bool, Option<u64>)>> = None;
        for (at, world) in worlds.iter().enumerate() {
            let wanted = answers(&Position::new(rules, world).unwrap(), trace);
            let kept = answers(&Position::on(&board, world).unwrap(), trace);
            assert_eq!(kept, wanted, "{trace:?} of position {at} on a kept board\n{what}");
            if let Some(together) = &together {
                let found = together[at].as_ref().unwrap();
                let told: Vec<(ThingRef, bool)> = wanted.iter().map(|row| (row.0, row.1)).collect();
                for row in found {
                    assert!(told.contains(row), "{trace:?} of position {at}: {row:?}\n{what}");
                }
            }
            tally.asked += wanted.len();
            if let Some(before) = before.replace(wanted.clone()) {
                tally.turned += before.iter().zip(&wanted).filter(|(a, b)| a.1 != b.1).count();
            }
        }
    }
}

#[test]
fn links_that_change_from_position_to_position() {
    let mut tally = Tally::default();
    for seed in seeds(200) {
        let text = ruleset_with_nets(&mut random_legs::Dice::new(seed));
        let rules = check_text("random.sut", text.as_bytes()).1.unwrap();
        let mut world = sutler::world::start(&rules, SetupId(0));
        world.viewer = Some(SideId(seed as u8 % 3));
        play(&mut Dice::new(seed), &rules, world, &format!("seed {seed}\n{text}"), &mut tally);
    }
    for seed in seeds(120) {
        let mut dice = Dice::new(seed);
        let (rules, text) = random_hexes::ruleset(&mut dice);
        let world = random_hexes::position(&mut dice, &rules);
        play(&mut dice, &rules, world, &format!("seed {seed}\n{text}"), &mut tally);
    }
    println!("{} answers, of which {} turned", tally.asked, tally.turned);
    assert!(tally.turned > share(400), "few answers turned: {} of {}", tally.turned, tally.asked);
}
