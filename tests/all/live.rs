//! Traces that are followed together, move by move, against the evaluator asked afresh.

use crate::common::counts::{seeds, share};
use crate::common::random_legs::ruleset_with_nets;
use crate::common::random_rules::{self, Taste, random_links};
use crate::common::{Dice, random_hexes, random_legs};
use std::collections::BTreeMap;
use std::rc::Rc;
use sutler::ir::{KindId, Ruleset, SetupId, SideId, TraceId};

use sutler::kernel::board::Board;
use sutler::kernel::{Answer, Live, LiveEvidence, Position, PositionState};
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

/// A change of a position.
pub enum Change {
    Moved(u32, Option<u32>),
    Held(u32, Option<SideId>),
}

/// Changes a position at random, and gives the change for what follows it.
pub fn change(dice: &mut Dice, rules: &Ruleset, world: &mut World) -> Change {
    let (spaces, sides) = (rules.maps[0].spaces.len(), rules.sides.len());
    let facts = [built_in::SPACE, built_in::CONTROL].map(|f| &rules.facts[f.index()]);
    if dice.percent(75) && !world.units.is_empty() {
        let unit = dice.below(world.units.len()) as u32;
        let space = (!dice.percent(15)).then(|| dice.below(spaces) as u32);
        if !world.units[unit as usize].removed {
            let cell = space.map_or(0, |space| i64::from(space) + 1);
            world.set_fact(facts[0], ThingRef::Unit(unit), cell);
        }
        Change::Moved(unit, space)
    } else {
        let space = dice.below(spaces) as u32;
        let side = (!dice.percent(25)).then(|| SideId(dice.below(sides) as u8));
        let cell = side.map_or(0, |side| i64::from(side.0) + 1);
        world.set_fact(facts[1], ThingRef::Space(space), cell);
        Change::Held(space, side)
    }
}

/// Plays a game, and compares all answers after every few changes.
fn play(dice: &mut Dice, rules: &Ruleset, mut world: World, what: &str, tally: &mut Tally) {
    let all = (0..rules.traces.len()).map(TraceId::at);
    let traces: Vec<TraceId> =
        all.filter(|trace| Live::new(rules, &world, [*trace]).is_ok()).collect();
    let mut live = Live::new(rules, &world, traces.iter().copied()).unwrap();
    assert_eq!(live.traces().collect::<Vec<_>>(), traces);
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
            match change(dice, rules, &mut world) {
                Change::Moved(unit, space) => live.move_unit(unit, space),
                Change::Held(space, side) => live.set_control(space, side),
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
    let made = |seed| ruleset_with_nets(&mut random_legs::Dice::new(seed));
    let plain = |text: &String| {
        !["cost ", "paths when", "where worn", "where not worn"].iter().any(|w| text.contains(w))
    };
    let text = (1..).map(made).find(plain).unwrap();
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

#[derive(Default)]
struct Kept {
    traces: usize,
    chains: usize,
    naming: usize,
    costs: usize,
    barring: usize,
    rows: usize,
    asked: usize,
    yes: usize,
    stopped: usize,
}

/// Plays a game, and compares what all answers of a trace rest on after every few changes.
fn play_evidence(dice: &mut Dice, rules: &Ruleset, world: &World, what: &str, kept: &mut Kept) {
    let board = Rc::new(Board::new(rules, &rules.maps[0]));
    for trace in (0..rules.traces.len()).map(TraceId::at) {
        let Ok(mut live) = LiveEvidence::new(rules, world, trace) else { continue };
        assert_eq!(live.trace(), trace);
        let rule = &rules.traces[trace.index()];
        kept.traces += 1;
        kept.chains += usize::from(rule.is_chain());
        kept.naming += usize::from(rule.per_subject);
        kept.costs += usize::from(rule.legs.iter().any(|leg| leg.cost.is_some()));
        kept.barring += usize::from(rule.legs.iter().any(|leg| leg.over.is_some()));
        let (mut world, mut state) = (world.clone(), PositionState::default());
        let mut rows: BTreeMap<u32, (Answer, Vec<u32>)> = BTreeMap::new();
        for nth in 0..20 {
            let position = Position::over_state(&board, &world, state.of_another());
            let update = live.update(&position, |unit, found| {
                kept.asked += 1;
                match found {
                    Some(found) => rows.insert(unit, found),
                    None => rows.remove(&unit),
                };
            });
            update.unwrap();
            state = position.into_state();
            let fresh = Position::new(rules, &world).unwrap();
            for unit in 0..world.units.len() as u32 {
                let thing = ThingRef::Unit(unit);
                let asked = world.space_of(unit).is_some() && fresh.is_kind(thing, rule.of);
                let wanted = asked.then(|| fresh.answer_and_route(trace, thing).unwrap());
                assert_eq!(
                    rows.get(&unit),
                    wanted.as_ref(),
                    "{trace:?} of unit {unit} after {nth} rounds of changes\n{what}"
                );
                kept.rows += 1;
                if let Some((answer, _)) = wanted {
                    kept.yes += usize::from(answer.yes && answer.length.is_some());
                    kept.stopped += usize::from(answer.stop.is_some());
                }
            }
            for _ in 0..1 + dice.below(2) {
                match change(dice, rules, &mut world) {
                    Change::Moved(unit, space) => live.move_unit(unit, space),
                    Change::Held(space, side) => live.set_control(space, side),
                }
            }
        }
    }
}

#[test]
fn evidence_follows_every_change() {
    let mut kept = Kept::default();
    for seed in seeds(300) {
        let text = ruleset_with_nets(&mut random_legs::Dice::new(seed));
        let rules = check_text("random.sut", text.as_bytes()).1.unwrap();
        let world = sutler::world::start(&rules, SetupId(0));
        let what = format!("seed {seed}\n{text}");
        play_evidence(&mut Dice::new(seed), &rules, &world, &what, &mut kept);
    }
    for seed in seeds(150) {
        let mut dice = Dice::new(seed);
        let taste = Taste { slow: false, spaces: if seed % 4 == 0 { 90 } else { 12 } };
        let text = random_rules::text(&mut dice, taste, random_links);
        let rules = random_hexes::checked(&text);
        let world = random_rules::template(&mut dice, &rules, 10);
        play_evidence(&mut dice, &rules, &world, &format!("seed {seed}\n{text}"), &mut kept);
    }
    for seed in seeds(60) {
        let mut dice = Dice::new(seed);
        let (rules, text) = random_hexes::ruleset(&mut dice);
        let world = random_hexes::position(&mut dice, &rules);
        play_evidence(&mut dice, &rules, &world, &format!("seed {seed}\n{text}"), &mut kept);
    }
    let Kept { traces, chains, naming, costs, barring, rows, asked, yes, stopped } = kept;
    println!(
        "{traces} traces: {chains} of several legs, {naming} that name the unit, {costs} with \
         costs, {barring} whose map bars steps; {asked} of {rows} answers were asked anew, {yes} lines, {stopped} stopped"
    );
    assert!(traces > share(150) && naming > share(5) && costs > share(5), "too few sorts of trace");
    assert!(barring > share(5), "too few traces with conditions of `over`");
    assert!(asked < rows * 3 / 4, "too few answers were kept");
    assert!(yes > rows / 20 && stopped > rows / 20, "both answers should be common");
}
