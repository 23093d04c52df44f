//! What would restore a line: every change that is listed does, none that is as cheap is left out,
//! and who is said to shut a gate shuts it.

use crate::common::counts::{seeds, seeds_every, share};
use crate::common::random_legs::{Dice, ruleset};
use sutler::ir::{ExprId, Node, Ruleset, SetupId, TraceId};
use sutler::kernel::{Change, Gate, Position, Remedy, reference};
use sutler::project::check_text;
use sutler::world::{ThingRef, World, built_in};

fn checked(text: &str, seed: u64) -> Ruleset {
    let (_, rules, faults) = check_text("random.sut", text.as_bytes());
    rules.unwrap_or_else(|| panic!("seed {seed}: {faults:#?}\n{text}"))
}

/// Whether the forward twin finds a line after a change.
fn works(position: &Position<'_>, thing: ThingRef, change: &Change) -> bool {
    let world = position.changed(change, &[]);
    reference::ask(&Position::new(position.rules, &world).unwrap(), TraceId(0), thing).unwrap().0
}

fn change_of(remedy: &Remedy) -> Option<Change> {
    Some(match remedy {
        Remedy::Gone(units) | Remedy::Freed(_, units) => Change::Gone(units.clone()),
        Remedy::Turned(space, to) => Change::Turned { space: *space, to: *to },
        Remedy::Stated(of, fact, value) => Change::Stated { of: *of, fact: *fact, value: *value },
        Remedy::Reach { .. } => return None,
    })
}

/// The ruleset with the budget of one leg replaced by a number.
fn longer(text: &str, leg: usize, to: u32) -> Option<String> {
    let mut nth = 0;
    let mut found = false;
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            if line.trim_start().starts_with("within ") {
                nth += 1;
                if nth == leg + 1 {
                    found = true;
                    let points = text
                        .lines()
                        .take_while(|l| !std::ptr::eq(*l, line))
                        .last()
                        .is_some_and(|l| l.contains("cost toll"));
                    return format!("    within {to} {}", if points { "points" } else { "steps" });
                }
            }
            line.to_owned()
        })
        .collect();
    found.then(|| lines.join("\n") + "\n")
}

#[test]
fn what_is_listed_works_and_nothing_is_left_out() {
    let (mut listed, mut pairs, mut reaches) = (0, 0, 0);
    for seed in seeds_every(220, 1) {
        let mut dice = Dice::new(seed);
        let text = ruleset(&mut dice);
        let rules = checked(&text, seed);
        let world = sutler::world::start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        for unit in 0..world.units.len() as u32 {
            let thing = ThingRef::Unit(unit);
            let what = || format!("seed {seed}, unit {unit}\n{text}");
            let found = position.why_not_restored(TraceId(0), thing).unwrap();
            if found.answer.yes {
                assert!(found.remedies.is_empty() && found.removal.is_none());
                continue;
            }
            let costs: Vec<u32> = found.remedies.iter().map(|r| r.cost).collect();
            assert!(costs.is_sorted(), "{costs:?} {}", what());
            for restored in &found.remedies {
                listed += 1;
                match change_of(&restored.remedy) {
                    Some(change) => assert!(
                        works(&position, thing, &change),
                        "{:?} {}",
                        restored.remedy,
                        what()
                    ),
                    None => {
                        reaches += usize::from(reach_is_least(&text, &restored.remedy, thing, seed))
                    }
                }
            }
            // By trying: each unit alone, and each space turned.
            let single = |change: Change| {
                found.remedies.iter().any(|r| change_of(&r.remedy) == Some(change.clone()))
            };
            for other in (0..world.units.len() as u32).filter(|o| *o != unit) {
                let change = Change::Gone(vec![other]);
                assert_eq!(works(&position, thing, &change), single(change), "{other} {}", what());
            }
            let own = world.owner(unit).unwrap();
            for space in
                (0..position.map.spaces.len() as u32).filter(|s| world.control(*s) != Some(own))
            {
                let change = Change::Turned { space, to: own };
                assert_eq!(
                    works(&position, thing, &change),
                    single(change),
                    "space {space} {}",
                    what()
                );
            }
            if let Some(removal) = &found.removal {
                let Remedy::Gone(units) = &removal.remedy else { panic!("{removal:?}") };
                assert!(works(&position, thing, &Change::Gone(units.clone())), "{}", what());
                for left in units {
                    let fewer = units.iter().copied().filter(|u| u != left).collect();
                    assert!(!works(&position, thing, &Change::Gone(fewer)), "{}", what());
                }
                pairs += usize::from(units.len() == 2);
                assert!(found.fewest || units.len() > 3, "{}", what());
            }
        }
    }
    println!("{listed} changes listed, {reaches} of them a longer reach, {pairs} pairs");
    assert!(
        listed > share(100) && reaches > share(15) && pairs >= share(3),
        "{listed} changes listed, {reaches} of them a longer reach, {pairs} pairs"
    );
}

/// Whether the reach in the text works, and one less does not.
fn reach_is_least(text: &str, remedy: &Remedy, thing: ThingRef, seed: u64) -> bool {
    let Remedy::Reach { leg, more, to } = remedy else { return false };
    let with = |budget: u32| {
        let mut rules = checked(text, seed);
        let by_source = |leg: &sutler::ir::Leg| leg.by_source.is_some();
        if rules.traces[0].legs.iter().any(by_source) {
            // The text has one budget for several legs.
            let number = Node::Number { over: i64::from(budget), under: 1 };
            let amount = ExprId::at(rules.nodes.len());
            rules.nodes.push(number);
            rules.node_spans.push(rules.node_spans[0]);
            let within = &mut rules.traces[0].legs[*leg].within;
            (within.amount, within.high) = (Some(amount), budget);
        } else {
            rules = checked(&longer(text, *leg, budget).unwrap(), seed);
        }
        let world = sutler::world::start(&rules, SetupId(0));
        reference::ask(&Position::new(&rules, &world).unwrap(), TraceId(0), thing).unwrap().0
    };
    assert!(with(*to), "seed {seed}: {remedy:?}\n{text}");
    assert!(*more > 0 && !with(to - 1), "seed {seed}: {remedy:?} is not the least\n{text}");
    true
}

#[test]
fn who_is_said_to_shut_a_gate_shuts_it() {
    let mut named = 0;
    for seed in seeds(150) {
        let mut dice = Dice::new(seed);
        let text = ruleset(&mut dice);
        let rules = checked(&text, seed);
        let world = sutler::world::start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        for unit in 0..world.units.len() as u32 {
            let thing = ThingRef::Unit(unit);
            for out in position.ways_out(TraceId(0), thing).unwrap() {
                let (space, gate) = (out.space, out.gate);
                let leg = &rules.traces[0].legs[out.leg];
                let when = match gate {
                    Gate::From => leg.from.when,
                    Gate::Through => leg.through_alone().when,
                    Gate::Stopping => leg.stopping.as_ref().and_then(|s| s.gate.when),
                    Gate::Into => leg.own_into().when,
                    _ => continue,
                };
                let open = |world: &World| {
                    let there = Position::new(&rules, world).unwrap();
                    there
                        .holds(
                            when.unwrap(),
                            &there.asked_of(thing).with(1, ThingRef::Space(space)),
                        )
                        .unwrap()
                };
                let barred = position.barred(TraceId(0), thing, &out).unwrap();
                // With no unit but friends the gate is shut only by control or by the space itself.
                let mut bare = world.clone();
                for other in 0..world.units.len() as u32 {
                    let (own, owner) = (world.owner(unit).unwrap(), world.owner(other).unwrap());
                    let friend = matches!(
                        world.relation(own, owner),
                        sutler::ir::Relation::Own | sutler::ir::Relation::Allied
                    );
                    if !friend {
                        bare.set_fact(
                            &rules.facts[built_in::SPACE.index()],
                            ThingRef::Unit(other),
                            0,
                        );
                    }
                }
                assert_eq!(
                    !open(&bare),
                    barred.control || barred.itself,
                    "seed {seed}, unit {unit}, space {space}\n{text}"
                );
                if open(&bare) {
                    named += 1;
                    assert!(
                        !barred.units.is_empty(),
                        "seed {seed}, unit {unit}, space {space}\n{text}"
                    );
                }
            }
        }
    }
    assert!(named > share(100), "{named} gates were shut by units");
}
