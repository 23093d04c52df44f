use super::read_tests::{fault, good, position};
use crate::world::testing::small;

#[test]
fn values_have_the_right_sort() {
    let rules = small();
    let strength = |value: &str| {
        position(&format!(
            r#", "units": [{{"id": "N", "kind": "army", "side": null, "facts": {{"strength": {value}}}}}]"#
        ))
    };
    good(&rules, &strength("12"));
    for (value, code, words) in [
        ("1.0", "E0804", "fraction or an exponent"),
        ("1e1", "E0804", "fraction or an exponent"),
        ("null", "E0804", "`null`"),
        ("true", "E0804", "a truth"),
        ("[5]", "E0804", "a list"),
        ("\"5\"", "E0804", "write `5` without quotes"),
        ("\"3/4\"", "E0804", "whole numbers only"),
        ("13", "E0809", "from -3 to 12"),
        ("-4", "E0809", "from -3 to 12"),
        ("-0", "E0809", "write `0`"),
        ("9223372036854775807", "E0809", "outside the range"),
        ("9223372036854775808", "E0809", "too large"),
        ("-9223372036854775808", "E0809", "outside the range"),
        ("12345678901234567890", "E0809", "too large"),
    ] {
        fault(&rules, &strength(value), code, value, words);
    }
    fault(
        &rules,
        &position(r#", "rulings": {"fog": "on"}"#),
        "E0804",
        "\"on\"",
        "`true` or `false`",
    );
    fault(
        &rules,
        &position(r#", "rulings": {"edges": false}"#),
        "E0804",
        "false",
        "a word of `edges`",
    );
    fault(&rules, &position(r#", "units": {}"#), "E0804", "{}", "a list of units");
    fault(
        &rules,
        &position(r#", "relations": [["Red", "Blue"]]"#),
        "E0804",
        r#"["Red", "Blue"]"#,
        "three texts",
    );
    fault(
        &rules,
        &position(r#", "relations": [["Red", "enemy_of", "Red"]]"#),
        "E0804",
        r#"["Red", "enemy_of", "Red"]"#,
        "itself",
    );
    fault(&rules, &position(r#", "viewer": 3"#), "E0804", "3", "name of a side");
}

#[test]
fn names_are_known() {
    let rules = small();
    fault(&rules, r#"{"schema": 1, "map": "frist"}"#, "E0806", "\"frist\"", "write `first`");
    fault(&rules, r#"{"schema": 1, "setup": "begni"}"#, "E0806", "\"begni\"", "write `begin`");
    fault(
        &rules,
        r#"{"schema": 1, "map": "other", "setup": "begin"}"#,
        "E0806",
        "\"other\"",
        "on the map `first`",
    );
    fault(&rules, &position(r#", "viewer": "Rad""#), "E0806", "\"Rad\"", "write `Red`");
    fault(
        &rules,
        &position(r#", "rulings": {"egdes": "hold"}"#),
        "E0806",
        "\"egdes\"",
        "write `edges`",
    );
    fault(
        &rules,
        &position(r#", "rulings": {"edges": "maybe"}"#),
        "E0806",
        "\"maybe\"",
        "`hold`, `do_not`",
    );
    fault(&rules, &position(r#", "spaces": {"Prot": {}}"#), "E0805", "\"Prot\"", "write `Port`");
    fault(
        &rules,
        &position(r#", "spaces": {"Bay": {"facts": {"strength": 1}}}"#),
        "E0806",
        "\"strength\"",
        "an area has no fact `strength`",
    );
    fault(
        &rules,
        &position(r#", "spaces": {"Bay": {"facts": {"control": null}}}"#),
        "E0806",
        "\"control\"",
        "field of its own",
    );
    fault(
        &rules,
        &position(r#", "world": {"seasn": "winter"}"#),
        "E0806",
        "\"seasn\"",
        "write `season`",
    );
    fault(
        &rules,
        &position(r#", "world": {"moon": 1}"#),
        "E0806",
        "\"moon\"",
        "the world has `season`, `year`",
    );
    fault(&rules, &position(r#", "sides": {"Grey": {}}"#), "E0806", "\"Grey\"", "no side");
    fault(&rules, &position(r#", "kept": {"suply": {}}"#), "E0806", "\"suply\"", "write `supply`");
    fault(
        &rules,
        &position(r#", "kept": {"supply": {"Old": "fed"}}"#),
        "E0806",
        "\"Old\"",
        "asked of an army",
    );
    fault(
        &rules,
        &position(r#", "kept": {"trade": {"Old": "open"}}"#),
        "E0805",
        "\"Old\"",
        "no space",
    );
    fault(
        &rules,
        &position(r#", "relations": [["Red", "enemyof", "Blue"]]"#),
        "E0806",
        "\"enemyof\"",
        "write `enemy_of`",
    );
    let unit = |rest: &str| {
        position(&format!(r#", "units": [{{"id": "N", "kind": "army", "side": "Red"{rest}}}]"#))
    };
    fault(&rules, &unit(r#", "space": "Port Royal""#), "E0805", "\"Port Royal\"", "no space");
    fault(
        &rules,
        &unit(r#", "facts": {"leader": "N"}"#),
        "E0806",
        "\"N\"",
        "`leader` wants a leader",
    );
    fault(&rules, &unit(r#", "facts": {"leader": "Odl"}"#), "E0806", "\"Odl\"", "write `Old`");
    fault(&rules, &unit(r#", "facts": {"gold": 1}"#), "E0806", "\"gold\"", "an army has");
    fault(&rules, &unit(r#", "facts": {"owner": "Red"}"#), "E0806", "\"owner\"", "\"side\"");
    fault(
        &rules,
        &position(r#", "units": [{"id": "N", "kind": "armies", "side": null}]"#),
        "E0806",
        "\"armies\"",
        "write `army`",
    );
}
