#![allow(clippy::unwrap_used, reason = "a failed test may abort")]

use serde_json::{Value, json};

use super::{general_schema, read, schema, write};
use crate::ir::SetupId;
use crate::source::SourceId;
use crate::world::start;
use crate::world::testing::{many_sided, small};

#[test]
fn both_schemas_are_schemas() {
    for schema in [general_schema(), schema(&small()), schema(&many_sided())] {
        jsonschema::meta::validate(&schema).unwrap();
        assert_eq!(
            schema.get("$schema"),
            Some(&json!("https://json-schema.org/draft/2020-12/schema"))
        );
    }
}

#[test]
fn written_positions_conform() {
    let general = jsonschema::validator_for(&general_schema()).unwrap();
    for rules in [small(), many_sided()] {
        let special = jsonschema::validator_for(&schema(&rules)).unwrap();
        for setup in 0..rules.setups.len() {
            let json: Value =
                serde_json::from_str(&write(&rules, &start(&rules, SetupId::at(setup)))).unwrap();
            assert!(special.is_valid(&json), "{json}");
            assert!(general.is_valid(&json), "{json}");
        }
    }
}

/// What the schema of the small ruleset refuses, the reader refuses as well.
#[test]
fn wrong_positions_do_not_conform() {
    let rules = small();
    let special = jsonschema::validator_for(&schema(&rules)).unwrap();
    let army = |facts: Value| json!({"schema": 1, "map": "first", "units": [{"id": "N", "kind": "army", "side": null, "facts": facts}]});
    let wrong = [
        json!([]),
        json!({"map": "first"}),
        json!({"schema": 2, "map": "first"}),
        json!({"schema": 1, "map": "frist"}),
        json!({"schema": 1, "map": "first", "extra": 1}),
        json!({"schema": 1, "map": "first", "viewer": "Grey"}),
        json!({"schema": 1, "map": "first", "rulings": {"edges": true}}),
        json!({"schema": 1, "map": "first", "rulings": {"fog": "on"}}),
        json!({"schema": 1, "map": "first", "relations": [["Red", "hates", "Blue"]]}),
        json!({"schema": 1, "map": "first", "relations": [["Red", "enemy_of"]]}),
        json!({"schema": 1, "map": "first", "units": [{"kind": "army"}]}),
        json!({"schema": 1, "map": "first", "units": [{"id": "N", "kind": "area", "side": null}]}),
        json!({"schema": 1, "map": "first", "spaces": {"Nowhere": {}}}),
        json!({"schema": 1, "map": "first", "spaces": {"Bay": {"facts": {"strength": 1}}}}),
        json!({"schema": 1, "map": "first", "world": {"season": "monsoon"}}),
        json!({"schema": 1, "map": "first", "world": {"year": 1801}}),
        json!({"schema": 1, "map": "first", "kept": {"supply": {"Old": "starved"}}}),
        army(json!({"strength": 13})),
        army(json!({"strength": "5"})),
        army(json!({"aboard": 1})),
        army(json!({"goal": "Nowhere"})),
        army(json!({"walls": true})),
    ];
    for json in wrong {
        assert!(!special.is_valid(&json), "{json}");
        assert!(!read(&json.to_string(), SourceId(0), &rules).1.is_empty(), "{json}");
    }
    let right = army(
        json!({"strength": -3, "aboard": true, "goal": null, "ally": "Green", "leader": "Old"}),
    );
    assert!(special.is_valid(&right));
    assert_eq!(read(&right.to_string(), SourceId(0), &rules).1, []);
}
