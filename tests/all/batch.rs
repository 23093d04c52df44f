//! Positions as lines: every answer is that of the slow evaluator, and the bytes are the same
//! however they are worked out.

use std::io::{Read, Write};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};

use crate::common::random_rules::{self, Taste, random_links};
use crate::common::{Dice, set_up};
use crate::place::{Place, said};
use sutler::diag::code::PRELUDE;
use sutler::ir::{Ruleset, SideId, TraceId};
use sutler::kernel::{Position, Series};
use sutler::project::{Project, check_text};
use sutler::source::SourceMap;
use sutler::stream::{Asked, Done, Lines, Pumped, pump};
use sutler::world::{ThingRef, World, built_in};

/// A position as one line.
fn line(rules: &Ruleset, world: &World) -> String {
    let text = sutler::world::json::write(rules, world);
    serde_json::from_str::<serde_json::Value>(&text).unwrap().to_string() + "\n"
}

/// The line of answers that the slow evaluator gives.
fn by_hand(rules: &Ruleset, world: &World, number: usize) -> String {
    let position = Position::new(rules, world).unwrap();
    let trace = &rules.traces[0];
    let words = &rules.word_sets[trace.answers.index()].words;
    let standing =
        (0..world.units.len() as u32).filter(|u| world.space_of(*u).is_some()).map(ThingRef::Unit);
    let states: Vec<String> = standing
        .filter(|u| position.is_kind(*u, trace.of))
        .map(|thing| {
            let ThingRef::Unit(unit) = thing else { panic!("no unit") };
            let state = &words[usize::from(!position.answer(TraceId(0), thing).unwrap().yes)];
            format!(
                "{}:{}",
                serde_json::json!(world.units[unit as usize].id),
                serde_json::json!(state)
            )
        })
        .collect();
    format!("{{\"line\":{number},\"states\":{{{}}}}}\n", states.join(","))
}

fn streamed(rules: &Ruleset, text: &str, jobs: usize) -> (String, String) {
    let sources = SourceMap::new();
    let asked = Asked { rules, sources: &sources, trace: TraceId(0), side: None, name: "p.jsonl" };
    let (mut answers, mut faults) = (String::new(), String::new());
    let pumped = pump(asked, Lines::new(text.as_bytes()), jobs, |done: Done| {
        answers.push_str(&done.answers);
        faults.push_str(&done.faults);
        Ok::<(), ()>(())
    });
    assert!(matches!(pumped, Pumped::Whole));
    (answers, faults)
}

/// Units anywhere, control anyhow; now and then what a batch cannot vary.
fn scatter(dice: &mut Dice, rules: &Ruleset, template: &World) -> World {
    let mut world = template.clone();
    let spaces = rules.maps[0].spaces.len();
    let fact = |name: &str| rules.facts.iter().find(|f| f.name == name).unwrap();
    let named = rules.named.len();
    for unit in named as u32..world.units.len() as u32 {
        let at = if dice.percent(10) { 0 } else { 1 + dice.below(spaces) as i64 };
        world.set_fact(&rules.facts[built_in::SPACE.index()], ThingRef::Unit(unit), at);
        world.set_fact(fact("leader"), ThingRef::Unit(unit), dice.below(named + 1) as i64);
        if dice.percent(5) {
            world.set_fact(fact("mood"), ThingRef::Unit(unit), dice.below(3) as i64);
        }
    }
    for space in 0..spaces as u32 {
        world.set_fact(
            &rules.facts[built_in::CONTROL.index()],
            ThingRef::Space(space),
            dice.below(rules.sides.len() + 1) as i64,
        );
    }
    match dice.below(40) {
        0 => world.viewer = Some(SideId(1)),
        1 => world.readings.iter_mut().for_each(|r| *r = 0),
        2 => {
            let last = world.units.len() - 1;
            world.units[last].removed = true;
        }
        _ => {}
    }
    world
}

#[test]
fn answers_are_those_of_the_slow_evaluator_for_any_number_of_threads() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..12 {
        let mut dice = Dice::new(seed + 1);
        let taste = Taste { slow: seed % 4 == 3, spaces: 12 };
        let text = random_rules::text(&mut dice, taste, random_links);
        let rules = check_text("random.sut", text.as_bytes()).1.unwrap();
        let template = random_rules::template(&mut dice, &rules, 8);
        let worlds: Vec<World> = (0..1200).map(|_| scatter(&mut dice, &rules, &template)).collect();
        let lines: String = worlds.iter().map(|w| line(&rules, w)).collect();
        let (answers, faults) = streamed(&rules, &lines, 1);
        assert_eq!(faults, "");
        let wanted: String = worlds.iter().zip(1..).map(|(w, n)| by_hand(&rules, w, n)).collect();
        assert!(
            answers == wanted,
            "seed {seed}: {:?}\n{text}",
            answers.lines().zip(wanted.lines()).find(|(a, b)| a != b)
        );
        assert!(
            streamed(&rules, &lines, 5) == (answers, faults),
            "seed {seed}: other bytes from five threads"
        );
        yes += wanted.matches("\"linked\"").count();
        no += wanted.matches("\"cut\"").count();
    }
    assert!(yes > 1000 && no > 1000, "both answers should be common: {yes} and {no}");
}

#[test]
fn a_large_map_of_hexes_is_answered_line_by_line() {
    let project =
        Project::open(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/malaya"));
    let rules = project.rulesets[0].rules.as_ref().unwrap();
    let setup = rules.setups.iter().find(|s| s.name == "december").unwrap();
    let mut world = set_up(rules, setup);
    let mut dice = Dice::new(7);
    let worlds: Vec<World> = (0..6)
        .map(|_| {
            for _ in 0..4 {
                let unit = ThingRef::Unit(dice.below(world.units.len()) as u32);
                let at = 1 + dice.below(rules.maps[0].spaces.len()) as i64;
                world.set_fact(&rules.facts[built_in::SPACE.index()], unit, at);
            }
            world.clone()
        })
        .collect();
    for trace in 0..rules.traces.len() {
        let trace = TraceId::at(trace);
        let answers = Series::new(rules, trace).ask(&worlds);
        for (world, answers) in worlds.iter().zip(answers) {
            let position = Position::new(rules, world).unwrap();
            for (thing, yes) in answers.unwrap() {
                assert_eq!(yes, position.answer(trace, thing).unwrap().yes, "{thing:?}");
            }
        }
    }
}

/// The little game with two positions as lines, and some that are none.
fn place() -> Place {
    Place::with(PRELUDE)
}

#[test]
fn a_bad_line_is_told_and_the_rest_goes_on() {
    let place = place();
    let good = "{\"schema\":1,\"setup\":\"opening\"}";
    place.write(
        "p.jsonl",
        format!("{good}\r\n\n{{\"schema\":1,\"setup\":\"openig\"}}\n[1,\n{good}"),
    );
    let told = place.run(&["batch", "game", "--positions", "p.jsonl"]);
    assert_eq!(told.code, 1);
    let lines: Vec<&str> = told.out.lines().collect();
    assert_eq!(lines.len(), 5, "{}", told.out);
    assert!(
        lines[0].starts_with("{\"schema\":1,\"ruleset\":\"example\",\"hash\":\""),
        "{}",
        lines[0]
    );
    assert!(lines[0].ends_with("\"from\":1}"), "{}", lines[0]);
    assert!(lines[1].starts_with("{\"line\":1,\"states\":{\"Guard\":\""), "{}", lines[1]);
    assert_eq!(
        lines[2],
        "{\"line\":3,\"error\":{\"code\":\"E0806\",\"column\":21,\"message\":\"no setup is called `openig`\"}}"
    );
    assert!(
        lines[3].starts_with("{\"line\":4,\"error\":{\"code\":\"E0801\",\"column\":1,"),
        "{}",
        lines[3]
    );
    assert_eq!(lines[4], lines[1].replace("\"line\":1", "\"line\":5"));
    assert_eq!(
        told.err.lines().next().unwrap(),
        "p.jsonl:3:21: error[E0806]: no setup is called `openig` (help: write `opening`)"
    );
    assert!(
        told.err.contains("p.jsonl:4:1: error[E0801]")
            && told.err.ends_with("2 lines answered, 2 without an answer\n"),
        "{}",
        told.err
    );
    // The output begun elsewhere is the tail of the whole, behind a head of its own.
    let tail =
        place.run(&["batch", "game", "--positions", "p.jsonl", "--from", "4", "--jobs", "2"]);
    assert_eq!((tail.code, tail.out.lines().skip(1).collect::<Vec<_>>()), (1, lines[3..].to_vec()));
    assert!(
        tail.err.starts_with("begins at line 4 of p.jsonl\n")
            && tail.out.lines().next().unwrap().ends_with("\"from\":4}")
    );
    let behind = place.run(&["batch", "game", "--positions", "p.jsonl", "--from", "9"]);
    assert_eq!(
        (behind.code, behind.out.lines().count(), behind.err.as_str()),
        (0, 1, "p.jsonl ends at line 5, before line 9\n")
    );
}

#[test]
fn standard_input_is_a_file_too_and_a_wrong_call_is_two() {
    let place = place();
    let mut command = place.command(&["batch", "game", "--positions", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"{\"schema\":1,\"setup\":\"opening\"}\n").unwrap();
    let told = said(&child.wait_with_output().unwrap());
    assert_eq!((told.code, told.err.as_str(), told.out.lines().count()), (0, "", 2));
    for call in [
        &["batch", "game"][..],
        &["batch", "game", "--positions", "none.jsonl"],
        &["batch", "game", "--positions", "game"],
        &["batch", "game", "--positions", "-", "--trace", "suply"],
        &["batch", "game", "--positions", "-", "--jobs", "0"],
        &["batch", "game", "--positions", "-", "--from", "0"],
    ] {
        let told = place.run(call);
        assert_eq!((told.code, told.out.as_str()), (2, ""), "{call:?}: {}", told.err);
        assert!(!told.err.is_empty());
    }
}

/// An input that hands out a line only when the answer before it has been given.
struct Patient(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Patient {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let many = self.1.len().min(into.len());
        into[..many].copy_from_slice(&self.1[..many]);
        self.1.drain(..many);
        Ok(many)
    }
}

#[test]
fn an_answer_comes_before_the_next_position_is_asked_for() {
    let (_, rules, _) = check_text("example.sut", PRELUDE.as_bytes());
    let rules = rules.unwrap();
    let (next, input) = channel();
    let position = b"{\"schema\":1,\"setup\":\"opening\"}\n".to_vec();
    next.send(position.clone()).unwrap();
    let mut next = Some(next);
    let sources = SourceMap::new();
    let asked =
        Asked { rules: &rules, sources: &sources, trace: TraceId(0), side: None, name: "p" };
    let mut given = 0;
    let pumped = pump(asked, Lines::new(Patient(input, Vec::new())), 2, |done| {
        assert_eq!(done.positions, 1);
        given += 1;
        match &next {
            Some(channel) if given < 5 => channel.send(position.clone()).unwrap(),
            _ => next = None,
        }
        Ok::<(), ()>(())
    });
    assert!(matches!(pumped, Pumped::Whole));
    assert_eq!(given, 5);
    // Whoever wants no more is not given more.
    let many = b"{\"schema\":1,\"setup\":\"opening\"}\n".repeat(5000);
    assert!(matches!(
        pump(asked, Lines::new(many.as_slice()), 3, |_| Err("enough")),
        Pumped::Output("enough")
    ));
}
