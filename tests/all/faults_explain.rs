//! Explanations, routes and lengths that were once not true, each on a small ruleset of its own.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::place::Place;
use crate::support::{blocks, prelude};

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/faults").join(name)
}

/// What a command prints on both streams, with its exit code.
fn run(command: &str, name: &str, rest: &[&str]) -> (String, String, i32) {
    let path = folder(name);
    let out = Command::new(env!("CARGO_BIN_EXE_sutler"))
        .env("COLUMNS", "10000")
        .arg(command)
        .arg(path)
        .args(rest)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(out.stdout), text(out.stderr), out.status.code().unwrap())
}

fn json(command: &str, name: &str, rest: &[&str]) -> Value {
    let (out, err, code) = run(command, name, &[rest, &["--format", "json"]].concat());
    assert!(code < 2, "{err}");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{out}\n{err}"))
}

fn has(text: &str, wanted: &str) {
    assert!(text.contains(wanted), "`{wanted}` is not in\n{text}");
}

#[test]
fn a_line_over_optional_and_alternative_legs_is_the_shortest() {
    let (out, err, code) = run("test", "route_optional_detour", &[]);
    assert_eq!(
        (out.as_str(), code),
        ("route_optional_detour: 2 passed, 0 failed\n2 passed, 0 failed\n", 0),
        "{err}"
    );
    let row = &json("trace", "route_optional_detour", &["--setup", "s"])["units"][0];
    assert_eq!(
        (row["distance"].as_u64(), row["route"].as_array().map(Vec::len)),
        (Some(1), Some(2)),
        "{row}"
    );
}

#[test]
fn the_length_of_several_legs_is_whole_everywhere() {
    let (name, rest) = ("several_legs", ["--setup", "s"]);
    let (out, _, _) = run("trace", name, &rest);
    has(&out, "+ fed          4 to depot: B > C > D > Depot");
    assert!(!out.contains("in its source"), "{out}");
    let row = &json("trace", name, &rest)["units"][0];
    assert_eq!(
        (row["distance"].as_u64(), row["route"].as_array().map(Vec::len)),
        (Some(4), Some(5)),
        "{row}"
    );
    let told = &json("explain", name, &["First", "--setup", "s"])["explanations"][0];
    assert_eq!(told["length"].as_u64(), Some(4), "{told}");
    let (out, _, _) = run("map", name, &rest);
    has(&out, "4 to depot: B > C > D > Depot");
    let (out, _, code) = run("test", name, &[]);
    assert_eq!(code, 0, "{out}");
}

#[test]
fn the_cause_that_is_named_bars() {
    let rest = ["Rider", "--setup", "s"];
    let told = &json("explain", "explain_alternative_leg", &rest)["explanations"][0];
    assert_eq!((told["leg"].as_str(), told["stop"].as_str()), (Some("ride"), Some("B")), "{told}");
    let ways = told["frontiers"].as_array().unwrap();
    let of = |leg: &str| ways.iter().find(|w| w["leg"] == leg).unwrap();
    assert_eq!(of("ride")["by"][0].as_str(), Some("Foe"), "{told}");
    assert_eq!(of("walk")["besides"].as_str(), Some("space"), "{told}");
    let (out, _, _) = run("explain", "explain_alternative_leg", &rest);
    has(&out, "stopped  by `from` on ride at B\n  because  corps here where enemy: Foe\n");
    has(&out, "arm of Rider is horse, not foot");
}

#[test]
fn an_optional_leg_is_not_blamed_and_every_leg_is_listed() {
    let (out, _, _) =
        run("explain", "several_legs", &["First", "--setup", "s", "--given", "space of Foe is D"]);
    has(&out, "stopped  by `through` on rail at D\n");
    has(&out, "D: through on rail by Foe");
    let (out, _, _) =
        run("explain", "several_legs", &["First", "--setup", "s", "--given", "space of Foe is B"]);
    has(&out, "B: through on walk by Foe");
}

#[test]
fn a_closed_gate_is_taken_apart() {
    let name = "closed_gate";
    let told = |given: &[&str], rest: &[&str]| {
        let given: Vec<&str> = given.iter().flat_map(|g| ["--given", g]).collect();
        run("explain", name, &[rest, &["--setup", "s", "--side", "Red"], &given].concat()).0
    };
    // Through defines, with the place and the values.
    let out = told(&["season is winter"], &["C", "--trace", "net"]);
    has(&out, "stopped  by `through` at B\n  because  freezes and season is winter\n");
    let out = told(&["space of Foe is B", "strength of Foe is 3"], &["C", "--trace", "net"]);
    has(&out, "because  corps here where");
    has(&out, ": Foe\n");
    // What the unit has, beside what the space has.
    let out =
        told(&["season is winter", "strength of First is 1"], &["First", "--trace", "direct"]);
    has(&out, "freezes and season is winter and strength of First is 1, not at least 2");
    // Through another trace.
    let out = told(&["season is winter"], &["First", "--trace", "supply"]);
    has(&out, "C is unwired (stopped by `through` at B: freezes and season is winter)");
    let rest = ["First", "--trace", "supply", "--setup", "s", "--given", "season is winter"];
    let told = &json("explain", name, &rest)["explanations"][0];
    let under = &told["because"][0]["rests_on"];
    assert_eq!(
        (under["gate"].as_str(), under["stop"].as_str()),
        (Some("through"), Some("B")),
        "{told}"
    );
    assert_eq!(under["because"][0]["says"].as_str(), Some("freezes"), "{told}");
    assert_eq!(under["because"][0]["through"][1].as_str(), Some("ice"), "{told}");
}

#[test]
fn an_answer_that_rests_on_another_trace_says_so() {
    let (out, _, _) =
        run("explain", "closed_gate", &["First", "--trace", "supply", "--setup", "s"]);
    has(&out, "because  C is wired (2 to depot: C > B > A)\n");
    let (out, _, _) = run("trace", "closed_gate", &["--trace", "supply", "--setup", "s"]);
    has(&out, "needs no line: C is wired (2 to depot: C > B > A)");
    let row = &json("trace", "closed_gate", &["--trace", "supply", "--setup", "s"])["units"][0];
    assert_eq!(row["because"][0]["rests_on"]["length"].as_u64(), Some(2), "{row}");
}

#[test]
fn what_threatens_agrees_with_what_the_answer_rests_on() {
    let name = "threat_rests_on_trace";
    let report = json("threat", name, &["--trace", "supply", "--setup", "s"]);
    let unit = &report["units"][0];
    let cuts: Vec<&str> =
        unit["cut_spaces"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    assert_eq!(cuts, ["A", "B"], "{unit}");
    assert_eq!(
        (unit["least"]["number"].as_u64(), report["sides"][0]["least"]["number"].as_u64()),
        (Some(1), Some(1)),
        "{report}"
    );
    // Whatever space cuts it when an enemy comes there is its own, or is among these.
    for cut in report["cuts"].as_array().unwrap() {
        let space = cut["space"].as_str().unwrap();
        assert!(space == "C" || cuts.contains(&space), "{cut}");
    }
    let (out, _, _) = run("threat", name, &["--trace", "supply", "--setup", "s"]);
    assert!(!out.contains("no space does"), "{out}");
    let out = run(
        "explain",
        name,
        &["First", "--trace", "supply", "--setup", "s", "--given", "space of Foe is B"],
    )
    .0;
    has(
        &out,
        "always   not so: C is unwired (stopped by `through` at B: corps here where enemy: Foe)\n",
    );
    let told =
        &json("explain", name, &["First", "--trace", "supply", "--setup", "s"])["explanations"][0];
    assert_eq!(told["because"][0]["rests_on"]["route"].as_array().map(Vec::len), Some(3), "{told}");
}

#[test]
fn a_trace_of_spaces_is_asked_in_every_command() {
    let (name, rest) = ("space_trace_empty", ["--setup", "s", "--trace", "way"]);
    let (out, err, code) = run("trace", name, &rest);
    assert_eq!(code, 0, "{err}");
    has(&out, "0101   ");
    has(&out, "4 near, 2 far");
    let rows = json("trace", name, &rest)["units"].as_array().unwrap().len();
    assert_eq!(rows, 6);
    let (out, _, code) = run("explain", name, &[&["0302"], &rest[..]].concat());
    assert_eq!(code, 0);
    has(&out, "stopped  by `within`");
    let (out, _, code) = run("why-not", name, &[&["0302"], &rest[..]].concat());
    assert_eq!(code, 0);
    has(&out, "a reach of 2, 1 more");
    let (out, err, code) = run("threat", name, &rest);
    assert_eq!(code, 0, "{err}");
    has(&out, "of 0 changes none cuts");
    let lines = folder(name).join("p.jsonl");
    let (out, err, code) =
        run("batch", name, &["--trace", "way", "--positions", lines.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    has(&out, "\"0101\":\"near\"");
    has(&out, "\"0302\":\"far\"");
}

#[test]
fn a_trace_of_spaces_that_needs_a_side_never_answers_without_one() {
    let (name, rest) = ("space_viewed", ["--setup", "s", "--trace", "way"]);
    for command in ["trace", "explain", "why-not", "threat"] {
        let (out, err, code) = run(command, name, &rest);
        assert_eq!((out.as_str(), code), ("", 2), "{command}: {err}");
        has(&err, "--side");
        let (out, err, code) = run(command, name, &[&rest[..], &["--side", "Red"]].concat());
        assert_eq!(code, 0, "{command}: {err}");
        assert!(!out.is_empty(), "{command}");
    }
    let (out, _, _) = run("trace", name, &[&rest[..], &["--side", "Red"]].concat());
    has(&out, "A      Red   + near");
    has(&out, "C      Red   x far");
    let (out, _, _) = run("trace", name, &[&rest[..], &["--side", "Blue"]].concat());
    has(&out, "A      Blue  x far");
    let lines = folder(name).join("p.jsonl");
    let call = ["--trace", "way", "--positions", lines.to_str().unwrap()];
    let (out, err, code) = run("batch", name, &call);
    assert_eq!(code, 1);
    has(&err, "error[E1051]");
    has(&out, "{\"line\":1,\"error\":{\"code\":\"E1051\"");
    // The second position names its side.
    has(&out, "{\"line\":2,\"states\":{\"A\":\"far\"");
    let (out, err, code) = run("batch", name, &[&call[..], &["--side", "Red"]].concat());
    assert_eq!(code, 0, "{err}");
    has(&out, "{\"line\":1,\"states\":{\"A\":\"near\"");
    let (out, err, code) =
        run("map", name, &[&rest[..], &["--side", "Red", "--format", "json"]].concat());
    assert_eq!(code, 0, "{err}");
    let map: Value = serde_json::from_str(&out).unwrap();
    let states: Vec<&str> = map["spaces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["status"][0]["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["source", "reached", "unreached"], "{map}");
}

#[test]
fn a_change_of_the_rules_shows_in_a_trace_of_spaces() {
    let (out, err, code) =
        run("impact", "space_viewed", &["--against", "far_reach=long", "--setup", "s"]);
    assert_eq!(code, 1, "{err}");
    has(&out, "C as Red");
    assert!(!out.contains("B as Red"), "{out}");
}

#[test]
fn what_restores_is_looked_for_among_all_that_the_page_names() {
    let name = "restorable";
    let words = |unit: &str| -> Vec<(String, String)> {
        let report = json("why-not", name, &[unit, "--trace", "supply", "--setup", "s"]);
        let rows = report["why_not"][0]["remedies"].as_array().unwrap().clone();
        let of = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        rows.iter().map(|row| (of(row, "change"), of(row, "words"))).collect()
    };
    let row = |change: &str, words: &str| (change.to_owned(), words.to_owned());
    let found = words("First");
    for wanted in [
        row("world_fact", "season is summer"),
        row("world_fact", "calm is yes"),
        row("given", "First with escorted yes"),
        row("given", "B with frozen no"),
        row("given", "rolled is 5"),
        row("fact", "First with leader Hale"),
        row("fact", "First with arm horse"),
    ] {
        assert!(found.contains(&wanted), "{wanted:?} is not among {found:#?}");
    }
    // Each of them restores, stated as a `given`.
    for sentence in [
        "season is summer",
        "calm",
        "First is escorted",
        "B is not frozen",
        "rolled is 5",
        "leader of First is Hale",
    ] {
        let row = &json("trace", name, &["--trace", "supply", "--setup", "s", "--given", sentence])
            ["units"][0];
        assert_eq!(row["state"].as_str(), Some("fed"), "{sentence}: {row}");
    }
}

/// The gate and the space of the headline, and those of every way out.
fn stops(name: &str, thing: &str, trace: &str) -> (String, Vec<String>) {
    let told = &json("explain", name, &[thing, "--trace", trace, "--setup", "s", "--side", "Red"])
        ["explanations"][0];
    let said = |row: &Value, space: &str| {
        format!("{} {}", row["gate"].as_str().unwrap(), row[space].as_str().unwrap_or("-"))
    };
    let ways = told["frontiers"].as_array().unwrap().iter().map(|w| said(w, "space")).collect();
    (said(told, "stop"), ways)
}

#[test]
fn the_first_that_stops_a_line_is_named() {
    let one = |gate: &str| (gate.to_owned(), vec![gate.to_owned()]);
    // The line would be too long as well, but it does not begin.
    assert_eq!(stops("first_stop", "C", "held"), one("from C"));
    // The space after the unit may not be entered, but the line does not come to it.
    assert_eq!(stops("first_stop", "First", "march"), one("through B"));
}

#[test]
fn a_source_that_is_nowhere_hides_no_shut_gate() {
    let (headline, ways) = stops("first_stop", "C", "lost");
    assert_eq!(
        (headline.as_str(), ways),
        ("source -", ["into C", "into B", "into A"].map(str::to_owned).to_vec())
    );
}

#[test]
fn what_is_printed_of_a_space_is_not_stated_otherwise() {
    let report =
        json("why-not", "first_stop", &["C", "--trace", "short", "--setup", "s", "--side", "Red"]);
    let rows = report["why_not"][0]["remedies"].as_array().unwrap();
    let words: Vec<&str> = rows.iter().map(|row| row["words"].as_str().unwrap()).collect();
    assert_eq!(words, ["a reach of 2, 1 more"], "{report}");
}

/// The game of the reference without its cases, in which pieces have a rank; with these changes
/// and lines behind it.
fn ranked(changes: &[(&str, &str)], items: &str) -> Place {
    let all = blocks("docs/language.md");
    let game = prelude(&all);
    let rules = game.split("\ncase ").next().unwrap().to_owned();
    let ranks = [
        (
            "kind piece, pieces is unit",
            "kind piece, pieces is unit {\n  has rank in steps from 0 to 9\n}",
        ),
        ("captains is unit", "captains is piece"),
    ];
    let text = ranks.iter().chain(changes).fold(rules, |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    });
    Place::with(&format!("{text}\n{items}"))
}

#[test]
fn a_budget_asked_of_a_leader_names_the_row_of_the_leader() {
    let table = "table vigour of piece gives regions by first match [4b] {\n  row able when rank at least 2 then 3\n  otherwise 1\n}\n";
    let place = ranked(&[("within  reach ", "within  vigour of leader ")], table);
    let args = ["explain", "game", "First", "--setup", "opening"];
    for (given, row, amount) in [
        (["rank of First is 0", "rank of Hale is 3"], "able", 3),
        (["rank of First is 5", "rank of Hale is 1"], "otherwise", 1),
    ] {
        let given =
            ["--given", "leader of First is Hale", "--given", given[0], "--given", given[1]];
        let said = place.run(&[&args[..], &given, &["--format", "json"]].concat());
        let answer: Value =
            serde_json::from_str(&said.out).unwrap_or_else(|e| panic!("{e} {}", said.err));
        let text = answer.to_string();
        assert!(text.contains(&format!("\"by\":\"vigour, {row}\"")), "{text}");
        assert!(text.contains(&format!("\"amount\":{amount}")), "{text}");
    }
}

#[test]
fn a_failed_case_cites_the_rows_that_hold_for_whoever_asks() {
    let items = "table worth of army gives regions by first match [4b] {\n  row ours when own then 2\n  otherwise 1\n}\ncase \"worth\" {\n  setup opening\n  given viewer is League\n  expect worth of First is 7 regions\n}\n";
    let said = ranked(&[], items).run(&["test", "game"]);
    assert_eq!(said.code, 1, "{}", said.err);
    let all = format!("{}{}", said.out, said.err);
    assert!(all.contains("table worth, otherwise"), "{all}");
    assert!(!all.contains("table worth, ours"), "{all}");
}

#[test]
fn the_gate_over_says_why_no_line_of_it_allows_the_step() {
    let because = |unit: &str| {
        let found = json("explain", "over_says_why", &[unit]);
        let found = &found["explanations"][0];
        assert_eq!((&found["gate"], &found["stop"]), (&"over".into(), &"B".into()), "{found}");
        let all = found["because"].as_array().unwrap();
        all.iter().map(|part| part["says"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    // Each line by what is missing: the river is in the way, the chute leads back, and the road is
    // worn or not for those who are not light.
    let of_all = ["river from A to B", "no chute from A to B", "no road with no worn from A to B"];
    assert_eq!(because("X"), [&of_all[..], &["not light of X"]].concat());
    assert_eq!(because("Y"), of_all);
    let (out, _, _) = run("explain", "over_says_why", &["Y"]);
    has(&out, "because  river from A to B and no chute from A to B and no road");
}

#[test]
fn a_budget_that_is_a_sum_names_all_rows_that_count() {
    let by = |unit: &str| {
        let found = json("explain", "budget_by_sum", &[unit]);
        let budget = &found["explanations"][0]["budget"];
        (budget["amount"].clone(), budget["by"].clone(), budget["clause"].clone())
    };
    // 1 and nothing else; 1, and 2 for a leader; 1, 2 and 1 for each of three wagons.
    assert_eq!(by("A"), (1.into(), "reach, base".into(), Value::Null));
    assert_eq!(by("B"), (3.into(), "reach, base + led".into(), "BS-1a".into()));
    assert_eq!(by("C"), (6.into(), "reach, base + led + wagons".into(), "BS-1a".into()));
}
