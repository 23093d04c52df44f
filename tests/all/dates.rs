//! Turns that are counted, phases that happen once or when something holds, and the end of a game.

use std::fmt::Write;

use serde_json::Value;

use crate::place::Place;

const WAR: &str = r#"edition 1
ruleset war "War" prefix WA
sides Red against Blue
clock turn on year has movement of each side
track year "The year" {
  spring
  summer
  autumn
}
dimension areas (area), steps (step)
kind area, areas is space
kind army, armies is unit {
  has strength in steps from 0 to 9
}
mark tired of army
mark lost of army
phase march in movement of owner {
  do    mark tired for own armies
}
"#;

const VALLEY: &str = r#"map valley {
  space area Here
}
setup opening on valley {
  put army First of Red in Here with strength 5
  put army Foe of Blue in Here with strength 4
}
"#;

fn war(more: &str) -> Place {
    Place::with(&format!("{WAR}{more}{VALLEY}"))
}

#[test]
fn a_run_ends_with_the_last_turn_and_none_begins_behind_it() {
    let place = war("");
    let said = place.run(&["run", "game", "--turns", "9", "--save", "end.json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let turns: Vec<&str> = said.out.lines().filter(|l| l.starts_with("turn")).collect();
    assert_eq!(turns, ["turn 1, spring", "turn 2, summer", "turn 3, autumn"]);
    assert_eq!(said.err, "the game is over after 3 of 9 turns\n");
    let again = place.run(&["run", "game", "--position", "end.json"]);
    assert_eq!((again.code, again.out.as_str()), (1, ""), "{}", again.err);
    assert!(again.err.contains("E1027"), "{}", again.err);
    let late = place.run(&["run", "game", "--given", "turn is autumn", "--turns", "9"]);
    assert_eq!(late.err, "the game is over after 1 of 9 turns\n");
}

#[test]
fn a_log_says_each_date_and_is_played_again() {
    let place = war("");
    let log = place.run(&["run", "game", "--turns", "9", "--format", "jsonl"]).out;
    let lines: Vec<Value> = log.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let dates: Vec<&str> = lines.iter().filter_map(|l| l["date"].as_str()).collect();
    assert_eq!(dates, ["spring", "spring"], "{log}");
    assert_eq!(lines.last().unwrap()["ended"], 3);
    place.write("log.jsonl", &log);
    let again = place.run(&["run", "game", "--replay", "log.jsonl"]);
    assert_eq!(again.code, 0, "{}", again.err);
}

#[test]
fn an_order_behind_the_end_of_the_game_is_told() {
    let place = war("phase camp in movement of owner {\n  may   clear tired for own armies\n}\n");
    place.write("orders.jsonl", "{\"turn\": 5, \"thing\": \"First\", \"clear\": \"tired\"}\n");
    let said = place.run(&["run", "game", "--turns", "9", "--orders", "orders.jsonl"]);
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.err.contains("E1022") && said.err.contains("the game is over"), "{}", said.err);
}

#[test]
fn a_rule_may_end_the_game_before_its_time() {
    let place =
        war("phase peace at end of turn when turn is spring {\n  do    mark game_over\n}\n");
    let said = place.run(&["run", "game", "--turns", "9"]);
    assert_eq!(said.err, "the game is over after 1 of 9 turns\n");
}

#[test]
fn turns_are_counted_by_numbers_too() {
    let rules = WAR.replace("turn on year has", "turn in steps from 3 to 5 has");
    let place = Place::with(&format!("{rules}{VALLEY}"));
    let said = place.run(&["run", "game", "--turns", "9"]);
    let turns: Vec<&str> = said.out.lines().filter(|l| l.starts_with("turn")).collect();
    assert_eq!(turns, ["turn 1, 3 of the game", "turn 2, 4 of the game", "turn 3, 5 of the game"]);
}

#[test]
fn games_that_are_played_side_by_side_end_with_the_last_turn() {
    let place = war("");
    let said = place.run(&["play", "game", "--games", "3", "--turns", "9", "--format", "jsonl"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let lines: Vec<Value> = said.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    for game in &lines[1..4] {
        assert_eq!((game["turns"].as_u64(), &game["ended"]), (Some(3), &Value::from("over")));
    }
}

/// What a phase offers is offered where it would happen, and nowhere else.
#[test]
fn offers_are_those_of_phases_that_would_happen() {
    let place = war(
        "phase rest once in movement of owner when turn at least summer {\n  may   clear tired for own armies\n}\n\
         case \"rest\" {\n  setup opening\n  given First is tired\n  expect First may not clear tired\n  \
         given turn is summer\n  expect First may clear tired\n  given rest of Red\n  expect First may not clear tired\n}\n",
    );
    let said = place.run(&["test", "game"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

const LUCK: &str =
    "test luck of army {\n  roll 1d6\n  when total at most 2 then bad\n  otherwise good\n}\n";

/// A phase that waits for what an earlier one has rolled, held against the same rules with its
/// condition in each step, where no step changes what it reads.
#[test]
fn what_is_rolled_decides_whether_a_later_phase_happens() {
    let first = "phase storm at start of turn {\n  roll luck for armies where owner is Red\n  do    mark lost for armies where luck is bad\n}\n";
    let event = |head: &str, step: &str| {
        let mut text = format!("{LUCK}{first}phase rout at start of turn{head} {{\n");
        let _ = writeln!(text, "  do    lower strength by 1 for armies{step}");
        let _ = writeln!(text, "  do    raise strength by 2 for armies{step}\n}}");
        war(&text)
    };
    let asked = ["odds", "game", "--chain", "storm,rout", "--format", "json"];
    let odds = |place: &Place| {
        let said = place.run(&asked);
        assert_eq!(said.code, 0, "{}", said.err);
        let mut json: Value = serde_json::from_str(&said.out).unwrap();
        json.as_object_mut().unwrap().remove("hash");
        json
    };
    let by_phase = odds(&event(" when any army where lost", ""));
    let by_step = odds(&event("", " where (any army where lost)"));
    assert_eq!(by_phase, by_step);
    assert!(by_phase.to_string().contains("\"1/3\""), "{by_phase:#}");
    let never = odds(&event(" when turn is autumn", ""));
    assert_ne!(never, by_phase);
}

#[test]
fn what_happens_once_for_each_side_comes_when_it_first_can() {
    let storm =
        "  roll luck for armies\n  do    lower strength by 1 for armies where luck is bad\n";
    let once = format!(
        "{LUCK}phase storm once at end of movement of owner when any own army where strength less than 5 {{\n{storm}}}\n"
    );
    let place = war(&once);
    let mut lost = 0;
    for seed in 0..24 {
        let seed = seed.to_string();
        let said =
            place.run(&["run", "game", "--turns", "3", "--seed", &seed, "--format", "jsonl"]);
        assert_eq!(said.code, 0, "{}", said.err);
        let lines: Vec<Value> =
            said.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        let rolls = |side: &str| {
            lines.iter().filter(|l| l["what"] == "rolled" && l["side"] == side).count()
        };
        // Blue is weak from the start; Red once a storm has made it so.
        assert_eq!(rolls("Blue"), 2, "{}", said.out);
        assert!(matches!(rolls("Red"), 0 | 2), "{}", said.out);
        lost += rolls("Red");
    }
    assert!(lost > 0 && lost < 48, "{lost}");
}

/// What a side may do to things of its enemy is offered to them while it has its phase.
#[test]
fn what_is_done_to_the_enemy_is_offered_too() {
    let place = war(
        "phase shots in movement of owner {\n  may   mark lost for enemy armies where strength at least 4\n}\n\
         case \"shots\" {\n  setup opening\n  expect Foe may mark lost\n  given strength of Foe is 3\n  \
         expect Foe may not mark lost\n  expect First may mark lost\n}\n",
    );
    let said = place.run(&["test", "game"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}
