//! A session against a fresh trace after every change, over long random games: areas and hexes,
//! random rules and shipped ones.

use crate::common::counts::{seed_base, seeds, seeds_every, share};
use crate::common::random_rules::{Taste, random_links};
use crate::common::{Dice, random_hexes, random_legs, random_rules, set_up};
use sutler::ir::{FactId, FactOrigin, KindId, MapId, Ruleset, SideId, TraceId, Type};
use sutler::kernel::hex::yes_of;
use sutler::kernel::{NotLocal, Position, Repair, Session};
use sutler::project::Project;
use sutler::world::{ThingRef, World, built_in};

/// What games came to.
#[derive(Default)]
struct Tally {
    compared: usize,
    yes: usize,
    turned: usize,
    local: usize,
    full: usize,
    evidence: usize,
}

impl Tally {
    fn told(&self, what: &str) {
        println!(
            "{what}: {} answers compared, {} yes, {} turned; {} changes repaired, {} run as a whole; {} with evidence",
            self.compared, self.yes, self.turned, self.local, self.full, self.evidence
        );
    }
}

/// The answers of a fresh trace: of each unit of the trace on the map.
fn fresh(rules: &Ruleset, world: &World, trace: TraceId) -> Vec<Option<bool>> {
    let position = Position::new(rules, world).unwrap();
    let of = rules.traces[trace.index()].of;
    let things: Vec<ThingRef> = (0..world.units.len() as u32)
        .filter(|u| world.space_of(*u).is_some())
        .map(ThingRef::Unit)
        .filter(|u| position.is_kind(*u, of))
        .collect();
    let mut all = vec![None; world.units.len()];
    for (thing, yes) in things.iter().zip(yes_of(&position, trace, &things).unwrap()) {
        let ThingRef::Unit(unit) = thing else { continue };
        all[*unit as usize] = Some(yes);
    }
    all
}

/// A value that a fact can have, encoded.
fn value(dice: &mut Dice, rules: &Ruleset, world: &World, fact: FactId) -> i64 {
    match rules.facts[fact.index()].ty {
        Type::Truth => dice.below(2) as i64,
        Type::Word(set) => dice.below(rules.word_sets[set.index()].words.len()) as i64,
        Type::Number { low, high, .. } => {
            low + dice.below((high - low).clamp(0, 20) as usize + 1) as i64
        }
        Type::Thing { kind, .. } => match rules.kinds[kind.index()].top {
            // A fact that names a unit names a unit of its kind.
            KindId::UNIT => {
                let may: Vec<usize> = (0..world.units.len())
                    .filter(|u| rules.is_kind(world.units[*u].kind, kind))
                    .collect();
                if may.is_empty() { 0 } else { 1 + *dice.pick(&may) as i64 }
            }
            KindId::SIDE => dice.below(rules.sides.len() + 1) as i64,
            _ => 0,
        },
    }
}

/// One change of a game, mostly a unit that moves to a space beside its own; nothing where the dice
/// find none.
fn change(dice: &mut Dice, rules: &Ruleset, session: &mut Session<'_>) -> Option<Repair> {
    let map = &rules.maps[session.world().map.index()];
    let units = session.world().units.len();
    let spaces = map.spaces.len();
    let unit = dice.below(units.max(1)) as u32;
    let space = dice.below(spaces) as u32;
    let result = match dice.below(20) {
        0..=10 if units > 0 => {
            let near: Vec<u32> = match session.world().space_of(unit) {
                Some(at) => map.links.iter().flat_map(|l| l.of(at).iter().copied()).collect(),
                None => Vec::new(),
            };
            let to = if near.is_empty() { space } else { *dice.pick(&near) };
            session.move_unit(unit, Some(to))
        }
        11..=13 if units > 0 => session.move_unit(unit, (!dice.percent(20)).then_some(space)),
        14..=16 => session.set_control(
            space,
            (!dice.percent(20)).then(|| SideId(dice.below(rules.sides.len()) as u8)),
        ),
        17 if dice.percent(5) && units > 0 => session.remove(unit),
        _ => {
            // A fact that is given or marked; what is printed on the map stays.
            let of_unit = |f: &usize| rules.kinds[rules.facts[*f].kind.index()].top == KindId::UNIT;
            let changing = |f: &usize| {
                *f > built_in::CONTROL.index()
                    && (of_unit(f) || rules.facts[*f].origin != FactOrigin::Attribute)
            };
            let facts: Vec<usize> = (0..rules.facts.len()).filter(changing).collect();
            if facts.is_empty() {
                return None;
            }
            let fact = FactId::at(*dice.pick(&facts));
            let value = value(dice, rules, session.world(), fact);
            let of = match rules.kinds[rules.facts[fact.index()].kind.index()].top {
                KindId::UNIT if units > 0 => ThingRef::Unit(unit),
                KindId::SPACE => ThingRef::Space(space),
                KindId::LINK if !map.changing.is_empty() => {
                    ThingRef::Link(dice.below(map.changing.len()) as u32)
                }
                KindId::LINK => return None,
                _ if dice.percent(10) => ThingRef::World,
                _ => return None,
            };
            let kind = rules.facts[fact.index()].kind;
            let has = match of {
                ThingRef::Unit(u) => rules.is_kind(session.world().units[u as usize].kind, kind),
                ThingRef::Space(s) => rules.is_kind(map.spaces[s as usize].kind, kind),
                ThingRef::Link(l) => rules.is_kind(map.changing[l as usize].kind, kind),
                _ => true,
            };
            if !has {
                return None;
            }
            session.set_fact(fact, of, value)
        }
    };
    Some(result.unwrap())
}

/// Plays a game and compares after every change.
fn play(
    dice: &mut Dice,
    rules: &Ruleset,
    world: World,
    trace: TraceId,
    changes: usize,
    tally: &mut Tally,
    what: &dyn Fn() -> String,
) -> Option<NotLocal> {
    let mut session = Session::new(rules, world, trace).unwrap().unwrap();
    let mut before: Vec<Option<bool>> =
        (0..session.world().units.len() as u32).map(|u| session.yes(u)).collect();
    assert_eq!(before, fresh(rules, session.world(), trace), "at the beginning\n{}", what());
    for nth in 0..changes {
        let old = session.world().clone();
        match change(dice, rules, &mut session) {
            Some(Repair::Local(_)) => tally.local += 1,
            Some(Repair::Full) => tally.full += 1,
            None => continue,
        }
        let ours: Vec<Option<bool>> =
            (0..session.world().units.len() as u32).map(|u| session.yes(u)).collect();
        let theirs = fresh(rules, session.world(), trace);
        if ours != theirs {
            let at = (0..ours.len()).find(|u| ours[*u] != theirs[*u]).unwrap();
            let moved: Vec<usize> = (0..old.units.len())
                .filter(|u| old.units[*u] != session.world().units[*u])
                .collect();
            let spaces: Vec<usize> = (0..old.space_facts.len())
                .filter(|s| old.space_facts[*s] != session.world().space_facts[*s])
                .collect();
            panic!(
                "change {nth}: unit {at} is {:?} and should be {:?}; units {moved:?} and space facts {spaces:?} have changed\n{}",
                ours[at],
                theirs[at],
                what()
            );
        }
        let turned: Vec<u32> = (0..ours.len() as u32)
            .filter(|u| ours[*u as usize] != before.get(*u as usize).copied().flatten())
            .collect();
        assert_eq!(session.changed(), turned, "what has changed, change {nth}\n{}", what());
        tally.compared += theirs.iter().flatten().count();
        tally.yes += theirs.iter().flatten().filter(|y| **y).count();
        tally.turned += turned.len();
        if nth % 16 == 0 {
            let position = Position::new(rules, session.world()).unwrap();
            for unit in (0..ours.len() as u32).filter(|u| ours[*u as usize].is_some()) {
                let answer = position.answer(trace, ThingRef::Unit(unit)).unwrap();
                assert_eq!(
                    session.answer(unit).unwrap(),
                    Some(answer),
                    "evidence of unit {unit}, change {nth}\n{}",
                    what()
                );
                tally.evidence += 1;
            }
        }
        before = ours;
    }
    session.not_local()
}

#[test]
fn random_games_on_areas() {
    let (mut tally, mut local) = (Tally::default(), 0);
    for seed in seeds(GAMES) {
        let mut dice = Dice::new(seed + 1);
        let taste = Taste { slow: seed % 5 == 4, spaces: if seed % 3 == 0 { 40 } else { 9 } };
        let text = random_rules::text(&mut dice, taste, random_links);
        let rules = random_hexes::checked(&text);
        let mut world = random_rules::template(&mut dice, &rules, 12);
        for unit in rules.named.len()..world.units.len() {
            let at = 1 + dice.below(rules.maps[0].spaces.len()) as i64;
            world.set_fact(&rules.facts[built_in::SPACE.index()], ThingRef::Unit(unit as u32), at);
        }
        local += usize::from(
            play(&mut dice, &rules, world, TraceId(0), 400, &mut tally, &|| {
                format!("seed {seed}\n{text}")
            })
            .is_none(),
        );
    }
    tally.told("areas");
    println!("{local} of {} rulesets are local", share(GAMES));
    assert!(local > share(GAMES) / 2 && tally.local > tally.full, "{local} of {}", share(GAMES));
    assert!(
        tally.yes > tally.compared / 5
            && tally.yes < tally.compared * 4 / 5
            && tally.turned > tally.compared / 200
    );
}

#[test]
fn random_games_on_hexes() {
    let (mut tally, mut local, mut naming) = (Tally::default(), 0, 0);
    for seed in seeds(GAMES) {
        let mut dice = Dice::new(seed + 1);
        // One in ten may have gates that name the unit, of which most read where it stands.
        let (rules, text) = loop {
            let (rules, text) = random_hexes::ruleset(&mut dice);
            if seed % 10 == 0 || !rules.traces[0].per_subject {
                break (rules, text);
            }
        };
        let world = random_hexes::position(&mut dice, &rules);
        let why = play(&mut dice, &rules, world, TraceId(0), 400, &mut tally, &|| {
            format!("seed {seed}\n{text}")
        });
        local += usize::from(why.is_none());
        naming += usize::from(why.is_none() && rules.traces[0].per_subject);
    }
    tally.told("hexes");
    println!("{local} of {} rulesets are local, {naming} name the unit", share(GAMES));
    assert!(local > share(GAMES) / 3 && tally.local > tally.full, "{local} of {}", share(GAMES));
    assert!(tally.yes > tally.compared / 10 && tally.turned > tally.compared / 200);
}

/// Gates that name the unit, and traces of spaces which gates read.
#[test]
fn random_chains() {
    let (mut tally, mut naming) = (Tally::default(), 0);
    for seed in seeds_every(GAMES, 2) {
        let text = random_legs::ruleset_with_nets(&mut random_legs::Dice::new(seed));
        let rules = random_hexes::checked(&text);
        let world = sutler::world::start(&rules, sutler::ir::SetupId(0));
        let mut dice = Dice::new(seed);
        let why = play(&mut dice, &rules, world, TraceId(0), 60, &mut tally, &|| {
            format!("seed {seed}\n{text}")
        });
        naming += usize::from(why.is_none() && rules.traces[0].per_subject);
    }
    tally.told("chains");
    println!("{naming} of {} rulesets are local and name the unit", share(GAMES));
    assert!(naming > 0 && tally.local > 0, "no session followed a gate that names the unit");
}

#[test]
fn shipped_games() {
    let mut tally = Tally::default();
    for (name, local) in
        [("soldier_kings", true), ("malaya", true), ("sgs", false), ("blockade_siege", false)]
    {
        let project = Project::open(
            &std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").join(name),
        );
        let rules = project.rulesets[0].rules.as_ref().unwrap();
        let mut some = false;
        for (setup, trace) in rules
            .setups
            .iter()
            .filter(|s| s.units.len() > 5)
            .flat_map(|s| (0..rules.traces.len()).map(move |t| (s, t)))
        {
            let mut dice = Dice::new(trace as u64 + seed_base());
            let world = set_up(rules, setup);
            let changes = if world.map == MapId(0) && rules.maps[0].spaces.len() > 500 {
                share(CHANGES) / 8
            } else {
                share(CHANGES)
            };
            let why =
                play(&mut dice, rules, world, TraceId::at(trace), changes, &mut tally, &|| {
                    format!("{name}, {}", setup.name)
                });
            println!("{name}, {}, {}: {why:?}", setup.name, rules.traces[trace].name);
            some |= why.is_none();
        }
        assert!(some || !local, "{name} should have a trace that is repaired");
    }
    tally.told("shipped");
}

/// Games of each sort in a full run; together with the shipped ones above a million answers.
const GAMES: usize = 150;
/// Changes of a shipped game.
const CHANGES: usize = 80;
