//! `sutler mutate`: which changes are made, which a case notices, and which are proven to change
//! nothing.

use crate::place::Place;
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
    (
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err)),
        said.code,
    )
}

/// The fates of the changes of one owner, in order: `what: fate`.
fn fates(report: &Value, owner: &str) -> Vec<String> {
    let all = report["changes"].as_array().unwrap().iter().filter(|c| c["owner"] == owner);
    all.map(|c| format!("{}: {}", c["what"].as_str().unwrap(), c["fate"].as_str().unwrap()))
        .collect()
}

#[test]
fn a_change_is_caught_missed_refused_or_equal() {
    let (found, code) = report(CASE, &[]);
    // By hand: the case asks at strength 1 and 2. `at least 2 -> more than 2` shows at 2, and so
    // does 3 in place of 2; `at least 1` shows at 1. Without the row, 2 falls to `otherwise`.
    assert_eq!(
        fates(&found, "table reach, row strong"),
        [
            "left out: caught",
            "at least -> more than: caught",
            "2 -> 3: caught",
            "2 -> 1: caught",
            "3 -> 4: caught",
            "3 -> 2: caught"
        ]
    );
    // 1 falls to `otherwise`, which gives 2; 2 is taken by the row above, so that `at most 2` is
    // the same.
    assert_eq!(
        fates(&found, "table reach, row weak"),
        [
            "left out: caught",
            "at most -> less than: caught",
            "1 -> 2: equivalent",
            "1 -> 0: caught",
            "1 -> 2: caught",
            "1 -> 0: caught"
        ]
    );
    // Nothing is left for `otherwise`: every strength is at least 2 or at most 1.
    assert_eq!(
        fates(&found, "table reach, otherwise"),
        ["2 -> 3: equivalent", "2 -> 1: equivalent"]
    );
    assert_eq!(fates(&found, "table reach"), ["rows 1 and 2 swapped: equivalent"]);
    // The rows come to 0, 1 or 2: the bounds never matter but for a lower end of 1.
    assert_eq!(
        fates(&found, "table bonus, kept"),
        ["left out: equivalent", "0 -> 1: missed", "5 -> 6: equivalent", "5 -> 4: equivalent"]
    );
    assert_eq!(fates(&found, "phase rest"), ["start -> end: missed"]);
    assert_eq!(code, 1);
    let count = |fate: &str| {
        found["changes"].as_array().unwrap().iter().filter(|c| c["fate"] == fate).count() as u64
    };
    for fate in ["caught", "missed", "refused", "equivalent"] {
        assert_eq!(found[fate].as_u64().unwrap(), count(fate), "{fate}");
    }
}

#[test]
fn a_missed_change_names_what_would_show_it() {
    let (found, _) = report(CASE, &["--only", "bonus, row many"]);
    let change = &found["changes"][1];
    assert_eq!(
        (change["what"].as_str(), change["fate"].as_str()),
        (Some("at least -> more than"), Some("missed"))
    );
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

/// The slow twin of the proofs: a change of a table that is called equal gives the same at every
/// strength, for veterans and others; the cases of the twin state them all, so that nothing can be
/// missed.
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

/// The changes of `game/house.sut`, a variant of the game with this text.
fn variant(text: &str, more: &[&str]) -> (Value, i32) {
    let place = Place::with(&format!("{GAME}define big of army = strength at least 2\n{CASE}"));
    place.write(
        "game/house.sut",
        format!("edition 1\nruleset house \"House\" prefix HO extends small\n{text}"),
    );
    let said = place.run(&[&["mutate", "game/house.sut", "--format", "json"][..], more].concat());
    (
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err)),
        said.code,
    )
}

#[test]
fn what_a_variant_changes_is_changed_too() {
    let (found, _) = variant(
        "override row strong of reach was 3 now 4\n\
         override define big of army = strength at least 3\n\
         remove row many of bonus\n\
         add row to reach before strong as row none when strength at most 0 then 0\n\
         case \"longer, and bigger\" {\n  on strip\n  put army A of Red in Here with strength 2\n  \
         expect reach of A is 4 areas\n  expect A is not big\n}\n",
        &[],
    );
    // By hand: at strength 2 the row gives 4 and gave 3, and who is big was so at 2 and is so at 3.
    // Nobody is asked about at strength 3 or 0, and no bonus is asked for.
    assert_eq!(
        fates(&found, "override row strong of reach"),
        ["left out: caught", "4 -> 5: caught", "4 -> 3: caught"]
    );
    assert_eq!(fates(&found, "override define big"), ["left out: caught"]);
    assert_eq!(
        fates(&found, "define big"),
        ["at least -> more than: missed", "3 -> 4: missed", "3 -> 2: caught"]
    );
    assert_eq!(fates(&found, "remove row many of bonus"), ["left out: missed"]);
    let added = fates(&found, "add row to reach");
    assert!(
        added.contains(&"left out: missed".to_owned())
            && added.contains(&"0 -> 1: missed".to_owned()),
        "{added:?}"
    );
    let missed = found["changes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["what"] == "at least -> more than")
        .unwrap();
    assert_eq!(missed["advice"], "it would show when `strength` is 3");
    assert_eq!(
        (missed["file"].as_str(), missed["line"].as_u64()),
        (Some("game/house.sut"), Some(4))
    );
}

#[test]
fn nothing_to_change_is_no_score() {
    let (found, code) = variant("", &[]);
    assert_eq!(
        (found["percent"].is_null(), found["caught"].as_u64(), code),
        (true, Some(0), 0),
        "{found}"
    );
    assert_eq!(variant("", &["--fail-under", "1"]).1, 1);
    let place = Place::with(GAME);
    place.write("game/house.sut", "edition 1\nruleset house \"House\" prefix HO extends small\n");
    let said = place.run(&["mutate", "game/house.sut"]);
    assert_eq!((said.code, said.out.as_str()), (0, "house: nothing to change\n"));
    let (found, _) = report(CASE, &[]);
    let (caught, missed) = (found["caught"].as_u64().unwrap(), found["missed"].as_u64().unwrap());
    assert_eq!(found["percent"].as_u64(), Some(caught * 100 / (caught + missed)));
}

#[test]
fn steps_change_places_with_their_neighbours_and_with_what_moves() {
    let phase = "phase march in camp of owner {\n  do mark tired for own armies where not veteran\n  \
                 do clear tired for own armies where strength at least 2\n  \
                 do mark tired for own armies where strength at least 3\n  \
                 do remove for own armies where strength at most 0\n}\n";
    let case = "case \"strong\" {\n  on strip\n  put army A of Red in Here with strength 2\n  \
                run march of Red\n  expect A is not tired\n}\n";
    let (found, _) = report(&format!("{phase}{case}"), &["--only", "phase march"]);
    // By hand: cleared before it is marked, A stays tired, and so it does where the first step
    // comes last. Nothing else concerns an army of strength 2; the last step takes units away, so
    // that it changes places with all.
    assert_eq!(
        fates(&found, "phase march"),
        [
            "steps 1 and 2 swapped: caught",
            "steps 1 and 4 swapped: caught",
            "steps 2 and 3 swapped: missed",
            "steps 2 and 4 swapped: missed",
            "steps 3 and 4 swapped: missed"
        ]
    );
}

#[test]
fn maps_and_setups_are_changed_where_that_is_asked_for() {
    let setup = "setup start on strip {\n  put army A of Red in Here with strength 1, veteran\n  \
                 put army B of Blue in There with strength 0\n  given control is Red in Here\n}\n\
                 case \"as it begins\" {\n  setup start\n  expect strength of A is 1 point\n  expect A is not veteran or bonus of A is 1 point\n  \
                 expect control of Here is Red\n}\n";
    let (found, _) = report(setup, &["--only", "setup start", "--positions"]);
    assert_eq!(
        fates(&found, "setup start, A"),
        ["left out: refused", "1 -> 0: caught", "veteran -> veteran no: missed"]
    );
    assert_eq!(fates(&found, "setup start, B"), ["left out: missed", "0 -> 1: missed"]);
    assert_eq!(
        fates(&found, "setup start, given control is Red in Here"),
        ["left out: caught", "Red -> Blue: caught"]
    );
    let (without, _) = report(setup, &[]);
    assert!(
        !without["changes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|c| c["owner"].as_str().unwrap().starts_with("setup"))
    );
}
