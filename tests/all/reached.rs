//! Where units can get to, following the changes of a position, against the slow walk asked
//! afresh.

use std::collections::BTreeMap;

use crate::common::counts::{seeds, share};
use crate::common::random_legs::ruleset_with_nets;
use crate::common::{Dice, random_hexes, random_legs};
use crate::live::{Change, change};
use sutler::ir::{Ruleset, SetupId, TraceId};
use sutler::kernel::{LiveReach, Position, reference};
use sutler::project::check_text;
use sutler::world::{ThingRef, World};
use sutler::{OFF_MAP, Rules, Space, Table, Thing};

#[derive(Default)]
struct Tally {
    traces: usize,
    legs: usize,
    naming: usize,
    costs: usize,
    stopping: usize,
    rows: usize,
    searched: usize,
    spaces: usize,
}

/// Where a unit can get to, by a walk that knows no gates beforehand.
fn walked(rules: &Ruleset, world: &World, trace: TraceId, thing: ThingRef) -> BTreeMap<u32, u32> {
    let position = Position::new(rules, world).unwrap();
    let ThingRef::Unit(unit) = thing else { return BTreeMap::new() };
    let Some(start) = world.space_of(unit) else { return BTreeMap::new() };
    // Whether a `never` leaves it no line is asked by the other way alone.
    match position.reach(trace, thing).unwrap().never {
        Some(_) => BTreeMap::new(),
        None => reference::reach(&position, trace, start, thing).unwrap(),
    }
}

/// Plays a game, and compares where all units can get to after every few changes.
fn play(dice: &mut Dice, rules: &Ruleset, world: &World, what: &str, tally: &mut Tally) {
    for trace in (0..rules.traces.len()).map(TraceId::at) {
        let Ok(mut live) = LiveReach::new(rules, world, trace) else { continue };
        assert_eq!(live.trace(), trace);
        let rule = &rules.traces[trace.index()];
        tally.traces += 1;
        tally.legs += usize::from(rule.legs.len() > 1);
        tally.naming += usize::from(rule.per_subject);
        tally.costs += usize::from(rule.legs.iter().any(|leg| leg.cost.is_some()));
        tally.stopping += usize::from(rule.legs.iter().any(|leg| leg.stopping.is_some()));
        let mut world = world.clone();
        let mut rows: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        for nth in 0..12 {
            live.update(|unit, found| {
                tally.searched += 1;
                match found {
                    Some(found) => rows.insert(unit, found.to_vec()),
                    None => rows.remove(&unit),
                };
            });
            let fresh = Position::new(rules, &world).unwrap();
            for unit in 0..world.units.len() as u32 {
                let thing = ThingRef::Unit(unit);
                let asked = world.space_of(unit).is_some() && fresh.is_kind(thing, rule.of);
                let wanted = asked.then(|| {
                    walked(rules, &world, trace, thing).into_iter().collect::<Vec<(u32, u32)>>()
                });
                assert_eq!(
                    rows.get(&unit),
                    wanted.as_ref(),
                    "{trace:?} of unit {unit} after {nth} rounds of changes\n{what}"
                );
                tally.rows += 1;
                tally.spaces += wanted.map_or(0, |found| found.len());
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

/// A game of armies that march: what a leg may have is there by chance.
fn marches(dice: &mut Dice) -> String {
    let pick = |dice: &mut Dice, of: &[&str]| (*dice.pick(of)).to_owned();
    let gates = [
        "anywhere",
        "not held",
        "not held and not watched",
        "ground is not bog",
        "friendly",
        "light of the army or ground is plain",
    ];
    let legs = ["", " instead of by_road"].iter().take(1 + dice.below(2)).enumerate();
    let mut trace = String::new();
    let optional = pick(dice, &["", "", " optional"]);
    for (nth, instead) in legs {
        let gate = |dice: &mut Dice| pick(dice, &gates);
        let over = pick(
            dice,
            &["roads", "links", "tracks", "roads where not worn", "links but not roads"],
        );
        let within = pick(dice, &["pace", "range", "3", "unlimited"]);
        trace += &format!(
            "  leg {}{instead}{}\n    over {over}\n    from {}\n    through {}\n",
            ["by_road", "by_track"][nth],
            if nth == 0 { optional.as_str() } else { "" },
            gate(dice),
            gate(dice),
        );
        if dice.percent(50) {
            trace += &format!(
                "    stopping in {}\n",
                pick(dice, &["watched", "held", "ground is wood"])
            );
        }
        trace += &format!("    into {}\n    within {within}\n", gate(dice));
        if dice.percent(50) {
            trace += &format!("    cost {}\n", pick(dice, &["toll", "fare"]));
        }
    }
    let mut map = String::new();
    let spaces = 6 + dice.below(20);
    for space in 0..spaces {
        map += &format!(
            "  space area A{space} with ground {}\n",
            dice.pick(&["plain", "wood", "bog"])
        );
    }
    let mut joined = std::collections::BTreeSet::new();
    for _ in 0..spaces * 2 {
        let (kind, from, to) = (dice.below(2), dice.below(spaces), dice.below(spaces));
        if from != to && joined.insert((kind, from.min(to), from.max(to))) {
            let worn = if kind == 0 && dice.percent(30) { " with worn" } else { "" };
            map += &format!("  link {} A{from} to A{to}{worn}\n", ["road", "track"][kind]);
        }
    }
    let mut setup = String::new();
    for unit in 0..3 + dice.below(5) {
        let (side, at) = (dice.pick(&["Red", "Blue"]), dice.below(spaces));
        let (pace, light) = (dice.below(7), if dice.percent(40) { ", light" } else { "" });
        setup += &format!("  put army R{unit} of {side} in A{at} with pace {pace}{light}\n");
    }
    format!(
        r#"edition 1
ruleset marches "Marches" prefix MR
sides Red against Blue
dimension areas (area)
kind area, areas is space {{
  has ground one of plain, wood, bog
}}
kind road, roads is link {{
  has worn yes or no
}}
kind track, tracks is link
kind army, armies is unit {{
  has pace in areas from 0 to 9
  has light yes or no
}}
define held of area = any enemy army here
define watched of area = any enemy army adjacent over roads
table toll of army gives areas by first match {{
  row mire  when ground here is bog and not light then barred
  row wood  when ground here is wood then 3
  row paved when over road then 1
  otherwise 2
}}
table fare of army gives areas by first match {{
  when over track then 2
  otherwise 1
}}
table range of army gives areas by first match {{
  when light and ground here is plain then pace + 2
  otherwise pace
}}
trace march of army {{
  called arrived else under_way
  source camp where ground is plain
  {}
{trace}}}
map country {{
{map}}}
setup start on country {{
{setup}}}
"#,
        pick(dice, &["", "", "never pace is 0 and watched here"]),
    )
}

#[test]
fn reach_follows_every_change() {
    let mut tally = Tally::default();
    for seed in seeds(400) {
        let mut dice = Dice::new(seed);
        let text = marches(&mut dice);
        let (_, rules, faults) = check_text("random.sut", text.as_bytes());
        let rules = rules.unwrap_or_else(|| panic!("seed {seed}\n{text}\n{faults:#?}"));
        let world = sutler::world::start(&rules, SetupId(0));
        play(&mut dice, &rules, &world, &format!("seed {seed}\n{text}"), &mut tally);
    }
    for seed in seeds(60) {
        let text = ruleset_with_nets(&mut random_legs::Dice::new(seed));
        let rules = check_text("random.sut", text.as_bytes()).1.unwrap();
        let world = sutler::world::start(&rules, SetupId(0));
        play(&mut Dice::new(seed), &rules, &world, &format!("seed {seed}\n{text}"), &mut tally);
    }
    for seed in seeds(40) {
        let mut dice = Dice::new(seed);
        let (rules, text) = random_hexes::ruleset(&mut dice);
        let world = random_hexes::position(&mut dice, &rules);
        play(&mut dice, &rules, &world, &format!("seed {seed}\n{text}"), &mut tally);
    }
    let Tally { traces, legs, naming, costs, stopping, rows, searched, spaces } = tally;
    println!(
        "{traces} traces: {legs} of several legs, {naming} that name the unit, {costs} with costs, \
         {stopping} that stop; {searched} of {rows} searched anew, {spaces} spaces"
    );
    assert!(traces > share(200) && legs > share(60) && naming > share(60), "too few sorts");
    assert!(costs > share(60) && stopping > share(60), "too few sorts");
    assert!(searched < rows * 3 / 4, "too few were kept");
    assert!(spaces > rows, "most units should get somewhere");
}

const GAMES: [(&str, &str, &str); 4] = [
    ("soldier_kings", "opening", "supply"),
    ("malaya", "december", "supply"),
    ("sgs", "campaign", "supply"),
    ("blockade_siege", "autumn", "supply"),
];

/// On shipped games `reach_all` after each move and `Rows::reach` agree with `reach` of each unit.
#[test]
fn all_units_are_told_what_each_is_told() {
    for (name, setup, trace) in GAMES {
        let game = Rules::open(format!("rulesets/{name}")).game().unwrap();
        let trace = game.trace(trace).unwrap();
        let start = game.setup(setup).unwrap();
        let mut position = start.clone();
        let (units, spaces) = (start.units().count(), start.spaces().count());
        let mut dice = Dice::new(units as u64);
        let (mut stands, mut wanted) = (Vec::new(), Vec::new());
        for _ in 0..6 {
            let all = position.reach_all(trace).unwrap();
            for reached in all.iter().filter(|_| dice.percent(20)) {
                let told = position.reach(trace, reached.thing).unwrap().spaces;
                let told: Vec<(Space, u32)> = told
                    .iter()
                    .map(|row| (position.space(&row.space).unwrap(), row.length))
                    .collect();
                assert_eq!(told, *reached.spaces, "{name}, {}", position.name(reached.thing));
                assert!(told.iter().all(|(space, far)| reached.length(*space) == Some(*far)));
            }
            for unit in (0..units as u32).map(sutler::Unit) {
                stands.push(position.space_of(unit).map_or(OFF_MAP, |space| space.0 as u16));
            }
            wanted.push(all);
            for _ in 0..3 {
                let unit = sutler::Unit(dice.below(units) as u32);
                let space = Space(dice.below(spaces) as u32);
                position.move_unit(unit, (!dice.percent(10)).then_some(space)).unwrap();
            }
        }
        let reaches =
            start.rows(trace).unwrap().reach(&Table { stands: &stands, control: &[] }).unwrap();
        assert_eq!(reaches.positions(), wanted.len());
        for (at, wanted) in wanted.iter().enumerate() {
            for (nth, thing) in reaches.things().iter().enumerate() {
                let told = wanted.iter().find(|reached| reached.thing == *thing);
                let told = told.map_or(&[][..], |reached| &reached.spaces);
                assert_eq!(reaches.of(at, nth), told, "{name}, row {at}, {thing:?}");
            }
        }
        assert!(reaches.of(wanted.len(), 0).is_empty() && reaches.of(0, units).is_empty());
    }
}

#[test]
fn a_trace_of_spaces_and_a_chain_are_told_too() {
    let text = include_str!("../../conformance/trace_relays/rules.sut");
    let game = Rules::of_text(text).game().unwrap();
    let start = game.first_setup().unwrap();
    let mut told = 0;
    for trace in game.traces() {
        let trace = game.trace(trace).unwrap();
        let rows = start.rows(trace).unwrap();
        let stands: Vec<u16> = (0..start.units().count() as u32)
            .map(|unit| start.space_of(sutler::Unit(unit)).map_or(OFF_MAP, |s| s.0 as u16))
            .collect();
        let reaches = rows.reach(&Table { stands: &stands, control: &[] }).unwrap();
        for reached in start.reach_all(trace).unwrap() {
            let nth = reaches.things().iter().position(|thing| *thing == reached.thing).unwrap();
            assert_eq!(reaches.of(0, nth), &*reached.spaces);
            let Thing::Unit(_) = reached.thing else { continue };
            let one = start.reach(trace, reached.thing).unwrap();
            assert_eq!(one.spaces.len(), reached.spaces.len());
            told += one.spaces.len();
        }
    }
    assert!(told > 0);
}
