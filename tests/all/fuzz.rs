//! Play at random until something holds that must never hold: what is found is so, is the first, is
//! small, and is the same however it is searched for.

use serde_json::Value;

use crate::place::{Place, Said};
use crate::support::{blocks, root};

/// The game of the page.
fn skirmish() -> String {
    let file = |block: &crate::support::Block| block.marks.iter().any(|mark| mark == "file");
    let all = blocks("docs/workbench/fuzz.md");
    all.iter().find(|block| file(block)).expect("the game").text.clone()
}

fn found(place: &Place, more: &[&str]) -> (Said, Value) {
    let said = place.run(&[&["fuzz", "game", "--format", "json"], more].concat());
    let report = serde_json::from_str(&said.out).expect("a report");
    (said, report)
}

fn cases(report: &Value) -> Vec<String> {
    let all = report["found"].as_array().expect("a list");
    all.iter().map(|found| found["case"].as_str().expect("a case").to_owned()).collect()
}

/// Runs a case with the game; whether it is accepted, and whether it fails by its expectation.
fn case(place: &Place, text: &str) -> (bool, bool) {
    place.write("game/found.sut", format!("edition 1\n{text}"));
    let checked = place.run(&["check", "game"]).code == 0;
    let tested = place.run(&["test", "game"]);
    std::fs::remove_file(place.path("game/found.sut")).expect("it was there");
    (checked, tested.code == 1 && tested.out.contains("expected `not "))
}

#[test]
fn each_case_fails_and_no_line_of_it_can_be_left_out() {
    let place = Place::with(&skirmish());
    let (said, report) = found(&place, &[]);
    assert_eq!(said.code, 1, "{}", said.err);
    let names: Vec<_> = report["found"].as_array().unwrap().iter().map(|f| &f["define"]).collect();
    assert_eq!(names, ["adrift", "crowded", "hollow"]);
    let mut left_out = 0;
    for text in cases(&report) {
        assert_eq!(case(&place, &text), (true, true), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        // The head, the map, what is run, the expectation and the end stay.
        for at in 2..lines.len() - 3 {
            // A roll without its die ends the case by itself.
            if lines[at].starts_with("  dice") {
                continue;
            }
            let mut fewer = lines.clone();
            fewer.remove(at);
            let (checked, fails) = case(&place, &(fewer.join("\n") + "\n"));
            assert!(!checked || !fails, "{text}\nfails without line {}", at + 1);
            left_out += 1;
        }
    }
    assert!(left_out >= 7, "{left_out}");
}

/// What `sutler play` says at the end of each game is another hand: a game in which it holds there
/// is no earlier one than the first that was found, and where none was found none has it.
#[test]
fn no_game_has_it_at_its_end_before_the_first_that_is_found() {
    let place = Place::with(&skirmish());
    for seed in ["1", "2", "3", "4"] {
        let args = ["--games", "40", "--turns", "3", "--seed", seed];
        let (_, report) = found(&place, &args);
        for (define, of) in [("adrift", "army"), ("crowded", "region"), ("hollow", "army")] {
            let asked = ["play", "game", "--format", "jsonl", "--ask", define, "--of", of];
            let said = place.run(&[&asked[..], &args].concat());
            assert_eq!(said.code, 0, "{}", said.err);
            let games: Vec<Value> =
                said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let ends = games.iter().filter(|game| game["asked"][0].as_u64() > Some(0));
            let first_end = ends.filter_map(|game| game["game"].as_u64()).min();
            let all = report["found"].as_array().unwrap();
            let first =
                all.iter().find(|f| f["define"] == define).map(|f| f["game"].as_u64().unwrap());
            if let Some(end) = first_end {
                assert!(first.is_some_and(|first| first <= end), "{define}: {first:?}, {end}");
            }
            assert!(define != "adrift" || first_end.is_some(), "nothing was held against it");
        }
    }
}

#[test]
fn the_same_is_found_on_any_number_of_threads() {
    let place = Place::with(&skirmish());
    let (_, one) = found(&place, &["--jobs", "1", "--seed", "5", "--games", "60"]);
    assert_eq!(one["found"].as_array().map(Vec::len), Some(3));
    for jobs in ["2", "7"] {
        let (_, more) = found(&place, &["--jobs", jobs, "--seed", "5", "--games", "60"]);
        assert_eq!(more, one, "{jobs}");
    }
}

#[test]
fn what_is_so_between_two_steps_alone_is_passed_over_behind_phases() {
    let text = skirmish().replace(
        "  do   mark shaken for armies where fight is loses\n",
        "  do   mark shaken for armies where fight is loses\n  do   remove for armies where men is 0\n",
    );
    let place = Place::with(&text);
    let (_, steps) = found(&place, &[]);
    let hollow = |report: &Value| {
        let all = report["found"].as_array().unwrap().iter();
        all.clone().find(|found| found["define"] == "hollow").cloned()
    };
    let between = hollow(&steps).expect("it holds between two steps");
    assert!(between["case"].is_null(), "{between}");
    let (_, phases) = found(&place, &["--after", "phase"]);
    assert_eq!(hollow(&phases), None);
    assert_eq!(phases["found"].as_array().map(Vec::len), Some(2), "{phases}");
}

#[test]
fn a_fault_of_the_rules_is_found_with_its_game() {
    let text = skirmish().replace(
        "phase fighting in fights {\n",
        "define worth of army = rounded down (men / (count of enemy armies here - 1))\nphase fighting in fights {\n  \
         do lower men by worth for armies where any enemy army here\n",
    );
    let place = Place::with(&text);
    let (said, report) = found(&place, &["--games", "20"]);
    assert_eq!(said.code, 1, "{}", said.err);
    let all = report["found"].as_array().unwrap();
    let fault = all.iter().find(|found| found["define"].is_null()).expect("a fault");
    assert_eq!((&fault["code"], &fault["case"]), (&"E1001".into(), &Value::Null), "{fault}");
    let orders = fault["orders"].as_str().unwrap();
    assert!(orders.ends_with(&format!("--orders {}", fault["game"])), "{orders}");
}

/// A side asks of what no side owns, and a hex is called a hex.
#[test]
fn a_case_of_a_map_of_hexes_names_the_side_that_asks() {
    let place = Place(tempfile::tempdir().expect("a folder"));
    crate::docs_workbench::copy(&root().join("rulesets/malaya"), &place.path("game"));
    place.write(
        "game/mixed.sut",
        "edition 1\ndefine mixed of hex never = any own counter here and any enemy counter here\n",
    );
    let (said, report) = found(&place, &["--setup", "december", "--games", "12", "--turns", "2"]);
    assert_eq!(said.code, 1, "{}", said.err);
    let text = cases(&report).remove(0);
    assert!(
        text.contains("given viewer is ") && text.contains("expect not mixed of hex "),
        "{text}"
    );
    assert!(text.lines().count() < 15, "{text}");
    assert_eq!(case(&place, &text), (true, true), "{text}");
}

#[test]
fn shipped_rulesets_are_played_without_a_fault() {
    let place = Place(tempfile::tempdir().expect("a folder"));
    for name in ["malaya", "soldier_kings", "sgs", "blockade_siege", "twilight"] {
        let ruleset = root().join("rulesets").join(name).display().to_string();
        let said = place.run(&["fuzz", &ruleset, "--games", "6", "--turns", "2"]);
        assert_eq!((said.code, said.out.as_str()), (0, ""), "{name}: {}", said.err);
        assert!(said.err.starts_with("6 games of at most 2 turns; "), "{}", said.err);
    }
}
