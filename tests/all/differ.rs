//! The smallest position to which two rulesets give different answers: what is found differs, no part
//! of it can be left out, and where nothing can differ nothing is found.

use std::collections::BTreeSet;

use serde_json::Value;
use sutler::fuzz::{parts, without};

use crate::place::{Place, Said};
use crate::support::root;

const LITTLE: &str = include_str!("support/little.sut");

fn differ(place: &Place, args: &[&str]) -> (Said, Value) {
    let said = place.run(&[&["differ"], args, &["--format", "json"]].concat());
    let report = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
    (said, report)
}

/// The little game with variants of it: the name of each, and what it says.
fn with_variants(variants: &[(&str, &str)]) -> Place {
    let place = Place::with(LITTLE);
    for (name, body) in variants {
        let text =
            format!("edition 1\nruleset {name} \"Other\" prefix OT extends little\n{body}\n");
        place.write(&format!("game/{name}.sut"), text);
    }
    place
}

/// What `impact` says of one position is another hand: it asks everything that differs there.
fn flips(place: &Place, pair: &[&str], position: &Value) -> usize {
    place.write("one.jsonl", position.to_string());
    let said =
        place.run(&[&["impact"], pair, &["--positions", "one.jsonl", "--format", "json"]].concat());
    let Ok(report) = serde_json::from_str::<Value>(&said.out) else { return 0 };
    report["flips"].as_array().map_or(0, Vec::len)
}

#[test]
fn what_is_found_differs_and_nothing_can_be_left_out_of_it() {
    let variants = [
        ("winter", "override row led of reach was 2 now 1"),
        ("towns", "override from of march of supply was anywhere now town"),
        ("open", "override through of march of supply was no enemy army here now anywhere"),
    ];
    let place = with_variants(&variants);
    for (name, _) in variants {
        let file = format!("game/{name}.sut");
        let pair = ["game", file.as_str()];
        let (said, report) = differ(&place, &pair);
        assert_eq!(said.code, 1, "{}", said.err);
        let position = &report["found"]["position"];
        assert!(flips(&place, &pair, position) > 0, "{name}: {position}");
        let all = parts(position);
        for part in &all {
            let fewer = without(position, &BTreeSet::from([part]));
            assert_eq!(flips(&place, &pair, &fewer), 0, "{name} without {part:?}: {fewer}");
        }
        assert!(report["found"]["case"].is_string(), "{report}");
    }
}

#[test]
fn the_case_passes_by_the_first_rules_and_fails_by_the_second() {
    let place = with_variants(&[("winter", "override row led of reach was 2 now 1")]);
    let (_, report) = differ(&place, &["game", "game/winter.sut"]);
    let case = report["found"]["case"].as_str().unwrap();
    place.write("game/suite_found.sut", format!("edition 1\n{case}"));
    let said = place.run(&["test", "game/rules.sut"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let own = std::fs::read_to_string(place.path("game/winter.sut")).unwrap();
    std::fs::remove_file(place.path("game/suite_found.sut")).unwrap();
    place.write("game/winter.sut", format!("{own}{case}"));
    let said = place.run(&["test", "game/winter.sut"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
}

#[test]
fn where_no_answer_can_differ_none_is_found_and_what_was_looked_at_is_said() {
    // The same rule in other words.
    let same = "override through of march of supply was no enemy army here \
                now not (any enemy army here)";
    let place = with_variants(&[("words", same)]);
    let (said, report) = differ(&place, &["game", "game/words.sut", "--tries", "300"]);
    assert_eq!((said.code, &report["found"]), (0, &Value::Null), "{}", said.out);
    assert_eq!(report["looked"]["given"], 1);
    assert!(report["looked"]["random"].as_u64().unwrap() > 200, "{report}");
    assert!(said.err.contains("none differs"), "{}", said.err);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_nothing_to_compare_is_a_wrong_call() {
    let place = with_variants(&[("winter", "override row led of reach was 2 now 1")]);
    let args = ["differ", "game", "game/winter.sut", "--tries", "200", "--seed", "9"];
    assert_eq!(place.run(&args).out, place.run(&args).out);
    let said = place.run(&["differ", "game"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
    place.write("bad.jsonl", "{\n");
    let said = place.run(&["differ", "game", "game/winter.sut", "--positions", "bad.jsonl"]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains(":1: this is no JSON"), "{}", said.err);
}

/// A difference that a shipped variant makes in its own setup is found there and made small.
#[test]
fn a_shipped_variant_differs_in_a_small_part_of_its_setup() {
    let place = Place(tempfile::tempdir().unwrap());
    crate::docs_workbench::copy(&root().join("rulesets/soldier_kings"), &place.path("game"));
    let pair = ["game", "game/house.sut"];
    let (said, report) = differ(&place, &["game", "game/house.sut", "--tries", "0"]);
    assert_eq!(said.code, 1, "{}", said.err);
    let position = &report["found"]["position"];
    assert!(flips(&place, &pair, position) > 0, "{position}");
    assert!(parts(position).len() <= 12, "{position}");
}

/// How sides stand and what is said of two things is written in the case too.
#[test]
fn relations_and_stated_pairs_are_sentences_of_the_case() {
    let place = Place::with(
        "edition 1\nruleset pairs \"Pairs\" prefix PA\nsides Red, Blue\ndimension steps (step)\n\
         kind field, fields is space\nkind host, hosts is unit {\n  has men in steps from 0 to 9\n}\n\
         pair margin from host a to host b = men of a - men of b\n\
         table threat of host gives steps by first match {\n\
         \x20 row watched when any enemy host where (men at least 1) then highest margin from it to the host of enemy hosts\n\
         \x20 otherwise 0\n}\n\
         map plain {\n  space field Here\n}\n\
         setup opening on plain {\n  given Red is enemy_of Blue\n  put host A of Red in Here with men 3\n\
         \x20 put host B of Blue in Here with men 5\n  given margin from B to A is 4 steps\n}\n",
    );
    let text = "edition 1\nruleset calm \"Calm\" prefix CA extends pairs\n\
                override row watched of threat was highest margin from it to the host of enemy hosts \
                now 1 + highest margin from it to the host of enemy hosts\n";
    place.write("game/calm.sut", text);
    let checked = place.run(&["check", "game"]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    let (_, report) = differ(&place, &["game", "game/calm.sut", "--tries", "0"]);
    let case = report["found"]["case"].as_str().unwrap_or_else(|| panic!("{report}"));
    assert!(case.contains("given Red is enemy_of Blue"), "{case}");
}

#[test]
fn an_exception_is_named_as_what_made_the_difference() {
    let place = with_variants(&[(
        "far",
        "override setup opening, but {\n  First was in B now in C\n}\nexception wanderers to reach when owner is Red then 5",
    )]);
    let said = place.run(&["impact", "game", "game/far.sut", "--format", "json"]);
    let report: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
    let flips = report["flips"].as_array().unwrap();
    let reach: Vec<_> = flips.iter().filter(|flip| flip["question"] == "table reach").collect();
    assert!(!reach.is_empty(), "{report}");
    for flip in reach {
        assert_eq!(flip["by"], serde_json::json!(["exception wanderers added"]), "{flip}");
    }
}

#[test]
fn a_table_of_spaces_that_is_not_compared_is_named() {
    let place = Place::with(&format!(
        "{LITTLE}table toll of area gives areas by first match {{\n  row town when town then 2\n  otherwise 1\n}}\n"
    ));
    place.write(
        "game/dear.sut",
        "edition 1\nruleset dear \"Other\" prefix OT extends little\noverride row town of toll was 2 now 3\n",
    );
    for command in ["impact", "differ"] {
        let said = place.run(&[command, "game", "game/dear.sut"]);
        assert!(said.err.contains("table toll is not the same"), "{command}: {}", said.err);
    }
}
