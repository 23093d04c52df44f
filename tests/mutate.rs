//! `sutler mutate`: which changes are made, which a case notices, and which are proven to change nothing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may abort")]

mod place;

use place::Place;
use serde_json::Value;

const GAME: &str = r#"edition 1
ruleset small "A small game" prefix SM
sides Red against Blue
clock turn has camp of each side
dimension areas (area), points (point)
kind field, fields is space
kind road, roads is link
kind army, armies is unit {
  has strength in points from 0 to 3
  has veteran yes or no
}
mark tired of army until end of turn

section 1 "All"
clause a "Reach."

table reach of army gives areas by first match [1a] {
  row strong when strength at least 2 then 3
  row weak   when strength at most 1  then 1
  otherwise 2
}
table bonus of army gives points by sum of matches {
  row old  when veteran             then 1
  row many when strength at least 3 then 1
  kept between 0 and 5
}
phase rest at start of camp of owner {
  do mark tired for own armies where not veteran
}
map strip {
  space field Here
  space field There
  link road Here to There
}
"#;

const CASE: &str = r#"case "by strength" [1a] {
  on    strip
  put   army A of Red in Here
  given strength of A | expect reach of A
  row   1             | 1 area
  row   2             | 3 areas
}
"#;

fn report(cases: &str, more: &[&str]) -> (Value, i32) {
    let place = Place::with(&format!("{GAME}{cases}"));
    let said = place.run(&[&["mutate", "game", "--format", "json"][..], more].concat());
    (serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err)), said.code)
}

/// The fates of the changes of one owner, in order: `what: fate`.
fn fates(report: &Value, owner: &str) -> Vec<String> {
    let all = report["changes"].as_array().unwrap().iter().filter(|c| c["owner"] == owner);
    all.map(|c| format!("{}: {}", c["what"].as_str().unwrap(), c["fate"].as_str().unwrap())).collect()
}

#[test]
fn a_change_is_caught_missed_refused_or_equal() {
    let (found, code) = report(CASE, &[]);
    // By hand: the case asks at strength 1 and 2. `at least 2 -> more than 2` shows at 2, and so does 3 in place of 2; `at
    // least 1` shows at 1. Without the row, 2 falls to `otherwise`.
    assert_eq!(
        fates(&found, "table reach, row strong"),
        ["left out: caught", "at least -> more than: caught", "2 -> 3: caught", "2 -> 1: caught", "3 -> 4: caught", "3 -> 2: caught"]
    );
    // 1 falls to `otherwise`, which gives 2; 2 is taken by the row above, so that `at most 2` is the same.
    assert_eq!(
        fates(&found, "table reach, row weak"),
        ["left out: caught", "at most -> less than: caught", "1 -> 2: equivalent", "1 -> 0: caught", "1 -> 2: caught", "1 -> 0: caught"]
    );
    // Nothing is left for `otherwise`: every strength is at least 2 or at most 1.
    assert_eq!(fates(&found, "table reach, otherwise"), ["2 -> 3: equivalent", "2 -> 1: equivalent"]);
    assert_eq!(fates(&found, "table reach"), ["rows 1 and 2 swapped: equivalent"]);
    // The rows come to 0, 1 or 2: the bounds never matter but for a lower end of 1.
    assert_eq!(fates(&found, "table bonus, kept"), ["left out: equivalent", "0 -> 1: missed", "5 -> 6: equivalent", "5 -> 4: equivalent"]);
    assert_eq!(fates(&found, "phase rest"), ["start -> end: missed"]);
    assert_eq!(code, 1);
    let count = |fate: &str| found["changes"].as_array().unwrap().iter().filter(|c| c["fate"] == fate).count() as u64;
    for fate in ["caught", "missed", "refused", "equivalent"] {
        assert_eq!(found[fate].as_u64().unwrap(), count(fate), "{fate}");
    }
}

#[test]
fn a_missed_change_names_what_would_show_it() {
    let (found, _) = report(CASE, &["--only", "bonus, row many"]);
    let change = &found["changes"][1];
    assert_eq!((change["what"].as_str(), change["fate"].as_str()), (Some("at least -> more than"), Some("missed")));
    assert_eq!(change["advice"], "it would show when `veteran` and `strength` is 3");
    assert_eq!(change["old"][0], "  row many when strength at least 3 then 1");
    assert_eq!(change["new"][0], "  row many when strength more than 3 then 1");
}

#[test]
fn the_answer_is_the_same_with_any_number_of_threads() {
    assert_eq!(report(CASE, &["--jobs", "1"]), report(CASE, &["--jobs", "3"]));
}

#[test]
fn the_threshold_decides_alone() {
    assert_eq!(report(CASE, &["--fail-under", "10"]).1, 0);
    assert_eq!(report(CASE, &["--fail-under", "100"]).1, 1);
}

#[test]
fn what_fails_anyway_notices_nothing() {
    let place = Place::with(&format!("{GAME}{}", CASE.replace("3 areas", "2 areas")));
    let said = place.run(&["mutate", "game"]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("fails as it is"), "{}", said.err);
    let said = place.run(&["mutate", "game", "--only", "nobody"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
}

/// The slow twin of the proofs: a change of a table that is called equal gives the same at every strength, for veterans and
/// others; the cases of the twin state them all, so that nothing can be missed.
#[test]
fn a_suite_of_all_values_misses_nothing_that_is_not_equal() {
    let mut rows = String::new();
    for strength in 0..=3 {
        for veteran in [false, true] {
            let reach = if strength >= 2 { 3 } else { 1 };
            let bonus = i32::from(veteran) + i32::from(strength >= 3);
            let word = if veteran { "yes" } else { "no" };
            rows.push_str(&format!("  row {strength} | {word} | {reach} | {bonus}\n"));
        }
    }
    let case = format!(
        "case \"all there is\" {{\n  on strip\n  put army A of Red in Here\n  \
         given strength of A | given veteran of A | expect reach of A | expect bonus of A\n{rows}}}\n"
    );
    let (all, _) = report(&case, &["--only", "table"]);
    let (few, _) = report(CASE, &["--only", "table"]);
    assert_eq!(all["missed"], 0, "{all:#}");
    let equal = |r: &Value| -> Vec<String> {
        let all = r["changes"].as_array().unwrap().iter().filter(|c| c["fate"] == "equivalent");
        all.map(|c| format!("{}: {}", c["owner"], c["what"])).collect()
    };
    assert_eq!(equal(&all), equal(&few));
}
