#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may abort")]

use super::read;
use crate::diag::Diagnostic;
use crate::ir::{Relation, Ruleset, SideId};
use crate::source::SourceMap;
use crate::world::World;
use crate::world::testing::small;

pub(super) fn position(rest: &str) -> String {
    format!("{{\"schema\": 1, \"map\": \"first\"{rest}}}")
}

pub(super) fn good(rules: &Ruleset, text: &str) -> World {
    let (world, faults) = read(text, crate::source::SourceId(0), rules);
    assert_eq!(faults, [], "{text}");
    world.unwrap()
}

/// Each fault as its code and the text it points at, and all words of all faults.
fn faults(rules: &Ruleset, text: &str) -> (Vec<(String, String)>, String) {
    let mut map = SourceMap::new();
    let id = map.add("position.json", text.to_owned());
    let (world, faults) = read(text, id, rules);
    assert_eq!(world, None, "{text}");
    let place = |f: &Diagnostic| (f.code.to_string(), map.slice(f.primary().unwrap()).to_owned());
    let words = faults
        .iter()
        .map(|f| format!("{} | {}\n", f.message, f.help.as_deref().unwrap_or("")))
        .collect();
    (faults.iter().map(place).collect(), words)
}

/// The one fault of a position: its code, its place, and a part of what it says.
pub(super) fn fault(rules: &Ruleset, text: &str, code: &str, place: &str, words: &str) {
    let (found, said) = faults(rules, text);
    assert_eq!(found, [(code.to_owned(), place.to_owned())], "{text}\n{said}");
    assert!(said.contains(words), "{said}");
}

#[test]
fn a_whole_position_is_read() {
    let rules = small();
    let world = good(
        &rules,
        r#"{"$schema": "small.schema.json", "schema": 1, "map": "first", "setup": "begin", "viewer": null,
            "rulings": {"edges": "do_not", "fog": true},
            "relations": [["Blue", "ally_of", "Green"], ["Red", "neutral_to", "Blue"]],
            "units": [{"id": "A1", "space": "Bay", "facts": {"strength": -3, "leader": "Chief"}},
                      {"id": "Old", "kind": "leader", "side": "Red", "title": "The old one", "removed": true},
                      {"id": "Chief", "kind": "leader", "side": null}],
            "spaces": {"Port": {"control": "Blue", "facts": {"walls": false, "gate": "Moor"}}},
            "sides": {"Red": {"facts": {"gold": 7}}},
            "world": {"season": "autumn"},
            "kept": {"supply": {"A1": "fed"}, "trade": {"Bay": "shut"}}}"#,
    );
    let ids: Vec<&str> = world.units.iter().map(|u| u.id.as_str()).collect();
    assert_eq!(ids, ["Old", "Young", "A1", "B1", "Chief"]);
    assert_eq!(world.viewer, None);
    assert_eq!(world.readings, [1, 1]);
    assert_eq!(world.relation(SideId(2), SideId(1)), Relation::Allied);
    assert_eq!(world.relation(SideId(0), SideId(1)), Relation::Neutral);
    assert_eq!(world.space_of(2), Some(2));
    assert_eq!(world.units[2].title, "First army");
    assert_eq!(
        (world.units[0].title.as_str(), world.units[0].removed, world.owner(0)),
        ("The old one", true, Some(SideId(0)))
    );
    assert_eq!(world.control(1), Some(SideId(1)));
    let fact = |name: &str| rules.facts.iter().find(|f| f.name == name).unwrap();
    let unit = crate::world::ThingRef::Unit(2);
    assert_eq!((world.fact(fact("strength"), unit), world.fact(fact("leader"), unit)), (-3, 5));
    assert_eq!(
        world.kept,
        [vec![None, None, Some(true), Some(false)], vec![None, None, Some(false)]]
    );
}

#[test]
fn the_schema_number_must_be_there_and_known() {
    let rules = small();
    fault(&rules, r#"{"map": "first"}"#, "E0808", "{", "which schema");
    fault(&rules, r#"{"schema": 2, "mapp": 5}"#, "E0808", "2", "schema 2");
    fault(&rules, r#"{"schema": "1", "map": "first"}"#, "E0804", "\"1\"", "number `1`");
    fault(&rules, "[]", "E0804", "[]", "a list");
    fault(&rules, r#"{"schema": 1}"#, "E0804", "{", "`first`, `other`");
}

#[test]
fn keys_stand_once_and_are_known() {
    let rules = small();
    let text = position(r#", "world": {"year": 1701, "y\u0065ar": 1702}"#);
    fault(&rules, &text, "E0802", r#""y\u0065ar""#, "`year` stands twice");
    let (_, found) = read(&text, crate::source::SourceId(0), &rules);
    let places: Vec<&str> = found[0].labels.iter().map(|l| &text[l.span.range()]).collect();
    assert_eq!(places, [r#""y\u0065ar""#, r#""year""#]);
    fault(&rules, r#"{"schema": 1, "map": "first", "schema": 1}"#, "E0802", "\"schema\"", "twice");
    fault(&rules, &position(r#", "unit": []"#), "E0803", "\"unit\"", "write `units`");
    fault(&rules, &position(r#", "x": 1"#), "E0803", "\"x\"", "the fields are");
    fault(
        &rules,
        &position(r#", "units": [{"id": "N", "kind": "army", "side": null, "owner": "Red"}]"#),
        "E0803",
        "\"owner\"",
        "no field of a unit",
    );
    fault(
        &rules,
        &position(r#", "spaces": {"Bay": {"controll": null}}"#),
        "E0803",
        "\"controll\"",
        "write `control`",
    );
    let twice =
        position(r#", "relations": [["Red", "enemy_of", "Blue"], ["Blue", "ally_of", "Red"]]"#);
    fault(&rules, &twice, "E0802", r#"["Blue", "ally_of", "Red"]"#, "said twice");
}

#[test]
fn ids_of_units_stand_once() {
    let rules = small();
    let units = |list: &str| position(&format!(r#", "units": [{list}]"#));
    let twice = units(
        r#"{"id": "N", "kind": "army", "side": null}, {"id": "N", "kind": "leader", "side": null}"#,
    );
    fault(&rules, &twice, "E0807", "\"N\"", "stands twice");
    assert_eq!(read(&twice, crate::source::SourceId(0), &rules).1[0].labels.len(), 2);
    fault(
        &rules,
        &units(r#"{"id": "Old", "kind": "army", "side": null}"#),
        "E0807",
        "\"Old\"",
        "it is a leader",
    );
    fault(
        &rules,
        &units(r#"{"id": "Port", "kind": "army", "side": null}"#),
        "E0807",
        "\"Port\"",
        "space or a side",
    );
    fault(
        &rules,
        &units(r#"{"id": "Red", "kind": "army", "side": null}"#),
        "E0807",
        "\"Red\"",
        "space or a side",
    );
    fault(&rules, &units(r#"{"kind": "army", "side": null}"#), "E0804", "{", "no `id`");
    fault(&rules, &units(r#"{"id": "N", "side": null}"#), "E0804", "\"N\"", "no `kind`");
    fault(&rules, &units(r#"{"id": "N", "kind": "army"}"#), "E0804", "\"N\"", "nobody owns");
    fault(
        &rules,
        &units(r#"{"id": " N", "kind": "army", "side": null}"#),
        "E0804",
        "\" N\"",
        "short text",
    );
    fault(
        &rules,
        &units(r#"{"id": "N\u001b[2J", "kind": "army", "side": null}"#),
        "E0002",
        r#""N\u001b[2J""#,
        "escape",
    );
    fault(
        &rules,
        &units(r#"{"id": "N", "kind": "army", "side": null, "title": "a\u202eb"}"#),
        "E0003",
        r#""a\u202eb""#,
        "direction",
    );
}

#[test]
fn many_faults_are_told_at_once_and_none_twice() {
    let rules = small();
    let text = r#"{"schema": 1, "map": "first", "viewer": "Rad",
        "units": [{"id": "N", "kind": "arny", "side": "Red", "space": "Nowhere"},
                  {"id": "M", "kind": "army", "side": "Rod", "facts": {"leader": "N", "strength": 99, "goal": "Baay"}}],
        "kept": {"supply": {"N": "fed", "M": "feed"}}}"#;
    let (found, _) = faults(&rules, text);
    let found: Vec<String> = found.iter().map(|(code, place)| format!("{code} {place}")).collect();
    let wanted = [
        "E0806 \"Rad\"",
        "E0806 \"arny\"",
        "E0806 \"Rod\"",
        "E0809 99",
        "E0805 \"Baay\"",
        "E0806 \"feed\"",
    ];
    assert_eq!(found, wanted);
    // An unknown map says nothing against the spaces.
    fault(
        &rules,
        r#"{"schema": 1, "map": "frist", "spaces": {"Bay": {}}, "units": [{"id": "Old", "space": "X"}]}"#,
        "E0806",
        "\"frist\"",
        "",
    );
}
