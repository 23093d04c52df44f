//! What lint says of marks, counts and outcomes along the clock, against turns that are played:
//! whatever is asked where it is never there stays without effect, and nothing else does.

use std::fmt::Write as _;

use crate::common::counts::seeds;
use crate::common::{Dice, fact};
use crate::place::Place;
use sutler::engine::{Orders, moments, pass};
use sutler::ir::{FactId, Ruleset, SetupId};
use sutler::lint::lint;
use sutler::mutate::Given;
use sutler::project::Project;
use sutler::world::{ThingRef, World, start};

const CLOCK: &str = r#"edition 1
ruleset lives "Lives" prefix LI
sides Red, Blue, Green
dimension points (point)
clock turn has dawn, (march, fight) of each side, night 2 times
kind area is space
kind troop, troops is unit {
  has seen_0 in points from 0 to 999
  has seen_1 in points from 0 to 999
  has seen_2 in points from 0 to 999
}
map m {
  space area A
}
setup s on m {
  put troop X of Red in A
  put troop Y of Blue in A
  put troop Z of Green in A
}
test luck of troop {
  roll 1d6
  when total at least 1 then good
  otherwise bad
}
"#;

const PARTS: [(&str, bool); 5] =
    [("turn", false), ("dawn", false), ("march", true), ("fight", true), ("night", false)];

/// A moment, and whether it is an owner's.
fn moment(dice: &mut Dice, edges: &[&str]) -> (String, bool) {
    let (part, each) = *dice.pick(&PARTS);
    let owner = each && dice.percent(70);
    (format!("{}{part}{}", dice.pick(edges), if owner { " of owner" } else { "" }), owner)
}

/// A game whose phases set a mark, a count or an outcome, and ask it three times, each where its
/// side's troops or all are meant.
fn game(dice: &mut Dice) -> String {
    let mut text = CLOCK.to_owned();
    let until = moment(dice, &["start of ", "end of "]);
    let part = dice.pick(&PARTS).0;
    let noted = dice.below(3);
    let (declared, set, asked) = match noted {
        0 => (format!("mark noted of troop until {}\n", until.0), "do mark noted", "noted"),
        1 => (
            format!("count noted of troop per {part} from 0 to 9\n"),
            "do raise noted by 1",
            "noted at least 1",
        ),
        _ => (String::new(), "roll luck", "luck is good"),
    };
    text.push_str(&declared);
    let (mut steps, mut seen) = (vec![set.to_owned()], 0);
    if noted < 2 && dice.percent(40) {
        steps.push(set.to_owned());
    }
    while seen < 3 {
        steps.insert(dice.below(steps.len() + 1), format!("do raise seen_{seen} by 1"));
        seen += 1;
    }
    let mut phase = 0;
    let mut owned = false;
    for (at, step) in steps.iter().enumerate() {
        if at == 0 || dice.percent(70) {
            let close = if at == 0 { "" } else { "}\n" };
            let (when, owner) = match noted == 0 && dice.percent(25) {
                true => (format!("at {}", until.0), until.1),
                false => moment(dice, &["at start of ", "in ", "at end of "]),
            };
            (owned, phase) = (owner, phase + 1);
            writeln!(text, "{close}phase p{phase} {when} {{").unwrap();
        }
        let things = if owned && dice.percent(60) { "own troops" } else { "troops" };
        let when = if step.contains("seen") { format!(" where {asked}") } else { String::new() };
        writeln!(text, "  {step} for {things}{when}").unwrap();
    }
    text + "}\n"
}

/// The lines at which lint says that something has ended, from 1.
fn told(text: &str) -> (Ruleset, Vec<(usize, bool)>) {
    let place = Place::with(text);
    let mut project = Project::open(&place.path("game"));
    let loaded = project.rulesets.remove(0);
    assert!(loaded.rules.is_some(), "{text}\n{:?}", loaded.faults);
    let rules = loaded.rules.clone().unwrap();
    let given = Given { resolved: loaded.resolved(), rules: &rules, sources: &project.sources };
    let found = lint(&[given], None, &[]);
    let ended = found.iter().filter(|finding| finding.code.as_str() == "W1214");
    let line = |finding: &sutler::diag::Diagnostic| {
        let start = finding.primary().unwrap().start as usize;
        (text[..start].matches('\n').count(), finding.message.contains("before anything"))
    };
    let lines = ended.map(line).collect();
    (rules, lines)
}

/// What some turns show: the most of each `seen`, and whether a moment ever left the note behind.
fn played(rules: &Ruleset, turns: usize) -> ([i64; 3], bool) {
    let mut world = start(rules, SetupId(0));
    let mut dice = sutler::engine::Dice::seeded(7);
    let noted = rules.facts.iter().position(|fact| fact.name == "noted").map(FactId::at);
    let mut left = false;
    for moment in (0..turns).flat_map(|_| moments(rules)) {
        pass(rules, &mut world, moment, &mut dice, &mut Orders::none()).unwrap();
        left |= noted.is_some_and(|noted| most(rules, &world, noted) > 0);
    }
    let most = |name: &str| most(rules, &world, fact(rules, name));
    ([most("seen_0"), most("seen_1"), most("seen_2")], left)
}

fn most(rules: &Ruleset, world: &World, fact: FactId) -> i64 {
    let fact = &rules.facts[fact.index()];
    (0..3).map(|unit| world.fact(fact, ThingRef::Unit(unit))).max().unwrap()
}

#[test]
fn what_is_asked_where_it_has_ended_is_what_turns_never_show() {
    let (mut dead, mut alive, mut vain) = (0, 0, 0);
    for seed in seeds(3300) {
        let text = game(&mut Dice::new(seed));
        let (rules, told) = told(&text);
        let (seen, left) = played(&rules, 4);
        for (at, times) in seen.into_iter().enumerate() {
            let line = text.lines().position(|l| l.contains(&format!("raise seen_{at} ")));
            let says = told.iter().any(|(found, _)| Some(*found) == line);
            assert_eq!(says, times == 0, "seed {seed}: seen_{at} {seen:?} {told:?}\n{text}");
            *(if says { &mut dead } else { &mut alive }) += 1;
        }
        let all_in_vain = told.iter().filter(|(_, in_vain)| *in_vain).count();
        let sets = text.matches("do mark").count() + text.matches("raise noted").count();
        if sets > 0 {
            let ended = (seen, left) == ([0; 3], false);
            assert_eq!(all_in_vain == sets, ended, "seed {seed}: {told:?}\n{text}");
            vain += usize::from(ended);
        }
    }
    assert!(dead > 60 && alive > 60 && vain > 5, "{dead} {alive} {vain}");
}
