//! Traces that are followed together, move by move, against the evaluator asked afresh.

use crate::common::counts::{seeds, share};
use crate::common::random_legs::ruleset_with_nets;
use crate::common::random_rules::{self, Taste, random_links};
use crate::common::{Dice, random_hexes, random_legs};
use sutler::ir::{KindId, Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::{Live, Position};
use sutler::project::check_text;
use sutler::world::{ThingRef, World, built_in};

#[derive(Default)]
struct Tally {
    traces: usize,
    of_spaces: usize,
    relays: usize,
    naming: usize,
    asked: usize,
    yes: usize,
}

/// All answers of a trace, asked afresh.
fn fresh(rules: &Ruleset, world: &World, trace: TraceId) -> Vec<(ThingRef, bool)> {
    let position = Position::new(rules, world).unwrap();
    let of = rules.traces[trace.index()].of;
    let units = (0..world.units.len() as u32).filter(|u| world.space_of(*u).is_some());
    let spaces = 0..rules.maps[0].spaces.len() as u32;
    let things = units.map(ThingRef::Unit).chain(spaces.map(ThingRef::Space));
    let things = things.filter(|thing| position.is_kind(*thing, of));
    things.map(|thing| (thing, position.answer(trace, thing).unwrap().yes)).collect()
}

/// Plays a game, and compares all answers after every few changes.
fn play(dice: &mut Dice, rules: &Ruleset, mut world: World, what: &str, tally: &mut Tally) {
    let all = (0..rules.traces.len()).map(TraceId::at);
    let traces: Vec<TraceId> =
        all.filter(|trace| Live::new(rules, &world, [*trace]).is_ok()).collect();
    let mut live = Live::new(rules, &world, traces.iter().copied()).unwrap();
    assert_eq!(live.traces().collect::<Vec<_>>(), traces);
    let (spaces, sides) = (rules.maps[0].spaces.len(), rules.sides.len());
    let facts = [built_in::SPACE, built_in::CONTROL].map(|f| &rules.facts[f.index()]);
    for trace in &traces {
        let rule = &rules.traces[trace.index()];
        tally.traces += 1;
        tally.of_spaces += usize::from(rules.top(rule.of) == KindId::SPACE);
        tally.relays += usize::from(!rule.relays.is_empty());
        tally.naming += usize::from(rule.per_subject);
    }
    for nth in 0..25 {
        for trace in &traces {
            let wanted = fresh(rules, &world, *trace);
            let mut found = Vec::new();
            assert!(live.answers(*trace, |thing, yes| found.push((thing, yes))));
            assert_eq!(found, wanted, "{trace:?} after {nth} rounds of changes\n{what}");
            for (thing, yes) in wanted.iter().take(3) {
                assert_eq!(live.yes(*trace, *thing), Some(*yes));
            }
            tally.asked += wanted.len();
            tally.yes += wanted.iter().filter(|(_, yes)| *yes).count();
        }
        for _ in 0..1 + dice.below(3) {
            if dice.percent(75) && !world.units.is_empty() {
                let unit = dice.below(world.units.len()) as u32;
                let space = (!dice.percent(15)).then(|| dice.below(spaces) as u32);
                live.move_unit(unit, space);
                if !world.units[unit as usize].removed {
                    let cell = space.map_or(0, |space| i64::from(space) + 1);
                    world.set_fact(facts[0], ThingRef::Unit(unit), cell);
                }
            } else {
                let space = dice.below(spaces) as u32;
                let side = (!dice.percent(25)).then(|| SideId(dice.below(sides) as u8));
                live.set_control(space, side);
                let cell = side.map_or(0, |side| i64::from(side.0) + 1);
                world.set_fact(facts[1], ThingRef::Space(space), cell);
            }
        }
    }
}

#[test]
fn answers_follow_every_change() {
    let mut tally = Tally::default();
    for seed in seeds(300) {
        let text = ruleset_with_nets(&mut random_legs::Dice::new(seed));
        let rules = check_text("random.sut", text.as_bytes()).1.unwrap();
        let mut world = sutler::world::start(&rules, SetupId(0));
        world.viewer = Some(SideId(seed as u8 % 3));
        play(&mut Dice::new(seed), &rules, world, &format!("seed {seed}\n{text}"), &mut tally);
    }
    for seed in seeds(120) {
        let mut dice = Dice::new(seed);
        let taste = Taste { slow: false, spaces: if seed % 4 == 0 { 90 } else { 12 } };
        let text = random_rules::text(&mut dice, taste, random_links);
        let rules = random_hexes::checked(&text);
        let world = random_rules::template(&mut dice, &rules, 10);
        play(&mut dice, &rules, world, &format!("seed {seed}\n{text}"), &mut tally);
    }
    for seed in seeds(40) {
        let mut dice = Dice::new(seed);
        let (rules, text) = random_hexes::ruleset(&mut dice);
        let world = random_hexes::position(&mut dice, &rules);
        play(&mut dice, &rules, world, &format!("seed {seed}\n{text}"), &mut tally);
    }
    let Tally { traces, of_spaces, relays, naming, asked, yes } = tally;
    println!(
        "{traces} traces: {of_spaces} of spaces, {relays} with relays, {naming} that name the \
         unit; {yes} of {asked} answers were yes"
    );
    assert!(of_spaces > share(300) && relays > share(150) && naming > share(10));
    assert!(yes > asked / 5 && yes < asked * 4 / 5, "both answers should be common");
}

#[test]
fn what_is_not_there_changes_nothing() {
    let text = ruleset_with_nets(&mut random_legs::Dice::new(1));
    let rules = check_text("random.sut", text.as_bytes()).1.unwrap();
    let world = sutler::world::start(&rules, SetupId(0));
    let mut live = Live::new(&rules, &world, [TraceId(1)]).unwrap();
    let before = fresh(&rules, &world, TraceId(1));
    live.move_unit(99, Some(0));
    live.move_unit(0, Some(99));
    live.set_control(99, None);
    let mut after = Vec::new();
    assert!(live.answers(TraceId(1), |thing, yes| after.push((thing, yes))));
    assert_eq!(after, before);
    assert!(!live.answers(TraceId(2), |_, _| ()) && live.yes(TraceId(2), after[0].0).is_none());
    assert_eq!(live.yes(TraceId(1), ThingRef::Unit(0)), None);
}
