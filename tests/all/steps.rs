//! Turns and traces step by step: the steps of a run are its log, and those of a trace its route,
//! its costs and the causes that `explain` names; over all shipped rulesets.

use std::path::Path;

use serde_json::Value;

use crate::common::counts::full;
use crate::place::Place;
use sutler::diag::code::PRELUDE;
use sutler::engine::{Dice, Event, Orders, play};
use sutler::ir::{Moment, Ruleset, SetupId, TraceId};
use sutler::kernel::Position;
use sutler::log::{self, Happened, Told};
use sutler::project::Project;
use sutler::report::{Explanation, Frontier, Settling, explain, settling};
use sutler::world::{ThingRef, start};

const GAMES: [&str; 5] = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"];

fn opened(game: &str) -> Project {
    Project::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").join(game))
}

#[test]
fn the_steps_of_a_run_are_its_log() {
    let (mut steps, mut reasons, mut values) = (0, 0, 0);
    for game in GAMES {
        let mut project = opened(game);
        let rules = project.rulesets.remove(0).rules.unwrap();
        for setup in (0..rules.setups.len()).map(SetupId::at) {
            let (mut plain, mut stepped) = (start(&rules, setup), start(&rules, setup));
            let (mut dice, mut again) = (Dice::seeded(7), Dice::seeded(7));
            for turn in 1..=3 {
                let mut events: Vec<(Moment, Event)> = Vec::new();
                let mut seen = log::Steps::default();
                let (mut one, mut two) = (Orders::first_way(), Orders::first_way());
                play(&rules, &mut plain, &mut dice, &mut one, &mut events).unwrap();
                play(&rules, &mut stepped, &mut again, &mut two, &mut seen).unwrap();
                assert_eq!(seen.events(), events, "{game}, turn {turn}");
                let told = seen.told(&rules, &project.sources, turn);
                let line = |(moment, event)| log::line(&rules, &plain, turn, moment, event);
                let lines: Vec<log::Line> = events.iter().map(|(m, e)| line((*m, e))).collect();
                let of_steps: Vec<&log::Line> = told.iter().map(|t| &t.line).collect();
                assert_eq!(of_steps, lines.iter().collect::<Vec<_>>(), "{game}, turn {turn}");
                for told in &told {
                    holds(told, &rules);
                    steps += 1;
                    reasons += usize::from(!told.read.because.is_empty());
                    values += usize::from(told.read.value.is_some());
                }
            }
            assert_eq!(plain, stepped, "{game}: looking on changes nothing");
        }
    }
    assert!(steps > 500 && reasons > 100 && values > 10, "{steps}, {reasons}, {values}");
}

/// What a step read goes with what it did.
fn holds(told: &Told, rules: &Ruleset) {
    let (line, read) = (&told.line, &told.read);
    let ids: Vec<&str> = told.rule.clauses.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, line.clauses, "{told:?}");
    assert!(!told.rule.text.is_empty() && told.rule.place.contains(".sut:"), "{told:?}");
    let number = |text: &str| text.parse::<f64>().ok();
    match (&line.what, &read.value) {
        (Happened::Judged { answer, .. }, _) => {
            assert_eq!(read.answer.as_ref().map(|a| &a.state), Some(answer), "{told:?}");
        }
        (Happened::Rolled { test, .. }, _) => {
            let test = rules.tests.iter().find(|t| t.name == *test).unwrap();
            assert_eq!(read.added.is_some(), test.plus.is_some(), "{told:?}");
        }
        (Happened::Changed { from, to, .. }, Some(value)) => {
            let is = number(&value.is);
            if let (Some(from), Some(to), Some(is)) = (number(from), number(to), is) {
                let by = (to - from).abs();
                let set = told.rule.text.split_whitespace().nth(1) == Some("set");
                assert!(if set { to == is.floor() } else { by <= is.abs() }, "{told:?}");
            }
            // Fractions are no numbers here.
            let parts: Option<Vec<f64>> = read.parts.iter().map(|m| number(&m.amount)).collect();
            if let (Some(parts @ [_, ..]), Some(is)) = (parts.as_deref(), is) {
                assert!((parts.iter().sum::<f64>() - is).abs() < 1e-9, "{told:?}");
            }
        }
        _ => {}
    }
}

#[test]
fn the_steps_of_a_trace_are_its_route_and_its_causes() {
    let (mut routes, mut fronts, mut asked) = (0, 0, 0);
    for game in GAMES {
        let mut project = opened(game);
        let rules = project.rulesets.remove(0).rules.unwrap();
        for setup in (0..rules.setups.len()).map(SetupId::at) {
            let world = start(&rules, setup);
            let Some(position) = Position::new(&rules, &world) else { continue };
            for trace in (0..rules.traces.len()).map(TraceId::at) {
                let units = (0u32..).zip(&world.units).map(|(at, _)| ThingRef::Unit(at));
                let of = rules.traces[trace.index()].of;
                for thing in units.filter(|t| position.is_kind(*t, of)) {
                    asked += 1;
                    // A full run asks everybody.
                    if !full() && asked % 4 != 0 {
                        continue;
                    }
                    let steps = settling(&position, trace, thing).unwrap();
                    let whole = explain(&position, trace, thing).unwrap();
                    routes += along(&steps, &whole, rules.traces[trace.index()].is_plain());
                    fronts += stops(&steps, &whole);
                }
            }
        }
    }
    assert!(routes > 30 && fronts > 100, "{routes} routes, {fronts} stops");
}

/// Each space of a route is settled, at no more than what the route costs there, and the last of
/// them at its source; whether there is a route.
fn along(steps: &[Settling], whole: &Explanation, plain: bool) -> usize {
    for pair in steps.windows(2) {
        let same = pair[0].leg == pair[1].leg;
        assert!(!same || pair[0].length <= pair[1].length || pair[1].length == 0, "{pair:?}");
    }
    for stage in &whole.route {
        let here = |s: &&Settling| s.leg == stage.leg && s.space == stage.space;
        let found = steps.iter().filter(here).map(|s| s.length).min();
        let Some(found) = found else { panic!("{} is not settled: {whole:?}", stage.space) };
        assert!(found <= stage.length && (!plain || found == stage.length), "{stage:?}");
    }
    let Some(last) = whole.route.last() else { return 0 };
    let is_end = |s: &Settling| (&s.space, &s.source) == (&last.space, &whole.source);
    let ends = if plain { steps.last().is_some_and(is_end) } else { steps.iter().any(is_end) };
    assert!(ends, "{whole:?}");
    1
}

/// Each way out stops at a step that says so, for the same causes; how many there are.
fn stops(steps: &[Settling], whole: &Explanation) -> usize {
    let mut found = 0;
    for front in &whole.frontiers {
        let named = whole.stop.as_ref() == Some(&front.space) && whole.gate == front.gate;
        assert!(shows(steps, front) || named, "{front:?} of {}", whole.id);
        found += usize::from(shows(steps, front));
    }
    found
}

fn shows(steps: &[Settling], front: &Frontier) -> bool {
    let of_leg = steps.iter().filter(|s| s.leg == front.leg && s.length == front.length);
    let bars = ["cost", "over"].contains(&front.gate);
    let mut here = of_leg.filter(|s| bars || s.space == front.space);
    match front.gate {
        "cost" | "over" => {
            here.any(|s| s.steps.iter().any(|t| t.came == "barred" && t.to == front.space))
        }
        "within" => here.any(|s| s.steps.iter().any(|t| t.came == "too_far")),
        gate => here.any(|s| {
            s.shut.iter().any(|shut| {
                shut.gate == gate && shut.because == front.because && shut.clause == front.clause
            })
        }),
    }
}

#[test]
fn the_commands_write_all_steps_where_nobody_presses_keys() {
    let place = Place::with(PRELUDE);
    let objects = |text: &str| -> Vec<Value> {
        text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    };
    let run = ["run", "game", "--setup", "opening", "--format", "jsonl"];
    let plain = objects(&place.run(&run).out);
    let steps = objects(&place.run(&[&run[..], &["--step"]].concat()).out);
    // The log has a line of its own for its beginning and for its end.
    assert_eq!(steps.len() + 2, plain.len());
    for (step, line) in steps.iter().zip(&plain[1..]) {
        let mut step = step.as_object().unwrap().clone();
        assert!(step.remove("rule").unwrap()["text"].as_str().unwrap().starts_with("judge"));
        assert!(step.remove("read").unwrap()["answer"].is_object());
        assert_eq!(Value::Object(step), *line);
    }
    let text = place.run(&["run", "game", "--setup", "opening", "--step"]).out;
    assert!(
        text.contains("Guard") && text.contains("  answer   supplied: 1 to home_area: Port"),
        "{text}"
    );

    let explain = ["explain", "game", "--setup", "opening", "Guard", "--step"];
    let text = place.run(&explain).out;
    assert!(text.contains("Guard: march, 0 Hill\n") && text.contains("on to    Port 1"), "{text}");
    assert!(text.contains("home_area: the line is found"), "{text}");
    let steps = objects(&place.run(&[&explain[..], &["--format", "json"]].concat()).out);
    assert_eq!(steps.last().unwrap()["state"], "supplied");
    assert_eq!(steps[0]["space"], "Hill");
}

#[test]
fn a_log_is_walked_as_the_run_was_up_to_the_line_that_differs() {
    let place = Place::with(PRELUDE);
    let run = ["run", "game", "--setup", "opening", "--turns", "2"];
    let log = place.run(&[&run[..], &["--format", "jsonl"]].concat()).out;
    let steps = place.run(&[&run[..], &["--step"]].concat()).out;
    place.write("log.jsonl", &log);
    let replay = ["run", "game", "--replay", "log.jsonl", "--step"];
    let said = place.run(&replay);
    assert_eq!((said.code, said.out.as_str()), (0, steps.as_str()), "{}", said.err);
    assert_eq!(said.err, "the run is the same, line by line\n");

    // What is judged in the second turn is another thing in this log.
    let (first, second) = log.split_at(log.find("{\"turn\":2").unwrap());
    let other = second.replacen("\"answer\":\"supplied\"", "\"answer\":\"cut_off\"", 1);
    assert_ne!(other, second);
    place.write("log.jsonl", format!("{first}{other}"));
    let said = place.run(&replay);
    assert_eq!(said.code, 1);
    let turn_two = steps.find("turn 2").unwrap();
    assert!(said.out.len() > turn_two && steps.starts_with(&said.out), "{}", said.out);
    assert!(said.err.contains("E1024"), "{}", said.err);

    let said = place.run(&[&replay[..], &["--differences"]].concat());
    assert_eq!(said.code, 2, "{}", said.err);
}
