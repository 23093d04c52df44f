#![allow(clippy::unwrap_used, reason = "a failed test may abort")]

use arbtest::arbtest;

use super::{read, schema, write};
use crate::ir::{MapId, Ruleset, SetupId};
use crate::source::SourceId;
use crate::world::random::any_world;
use crate::world::testing::{many_sided, small};
use crate::world::{World, start};

fn there_and_back(rules: &Ruleset, world: &World) {
    let text = write(rules, world);
    let (found, faults) = read(&text, SourceId(0), rules);
    assert!(faults.is_empty(), "{faults:?}\n{text}");
    assert_eq!(found.as_ref(), Some(world), "{text}");
    assert_eq!(write(rules, &found.unwrap()), text);
}

#[test]
fn every_setup_and_map_comes_back() {
    for rules in [small(), many_sided()] {
        for setup in 0..rules.setups.len() {
            there_and_back(&rules, &start(&rules, SetupId::at(setup)));
        }
        for map in 0..rules.maps.len() {
            there_and_back(&rules, &World::new(&rules, MapId::at(map)));
        }
    }
}

#[test]
fn any_small_position_comes_back_and_conforms() {
    let rules = small();
    let schema = jsonschema::validator_for(&schema(&rules)).unwrap();
    arbtest(|u| {
        let world = any_world(&rules, u)?;
        there_and_back(&rules, &world);
        let json: serde_json::Value = serde_json::from_str(&write(&rules, &world)).unwrap();
        let wrong: Vec<String> = schema.iter_errors(&json).map(|e| e.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?}\n{json}");
        Ok(())
    });
}

#[test]
fn any_position_of_many_sides_comes_back() {
    let rules = many_sided();
    arbtest(|u| {
        there_and_back(&rules, &any_world(&rules, u)?);
        Ok(())
    });
}

#[test]
fn the_text_is_as_it_should_be() {
    let rules = small();
    let text = write(&rules, &start(&rules, SetupId(0)));
    let expected = r#"{
  "schema": 1,
  "map": "first",
  "viewer": "Blue",
  "relations": [["Red", "enemy_of", "Blue"]],
  "units": [
    {
      "id": "A1",
      "kind": "army",
      "side": "Red",
      "space": "Moor",
      "title": "First army",
      "facts": {"leader": "Old", "strength": 5}
    },
    {
      "id": "B1",
      "kind": "army",
      "side": "Blue",
      "space": "Port",
      "facts": {"aboard": true, "stance": "tired"}
    }
  ],
  "spaces": {"Moor": {"control": "Red"}},
  "world": {"season": "winter"},
  "kept": {"supply": {"B1": "hungry"}}
}
"#;
    assert_eq!(text, expected);
}

#[test]
fn a_forgotten_answer_leaves_no_trace() {
    let rules = small();
    let mut world = start(&rules, SetupId(1));
    let before = world.clone();
    let (trace, of) = (crate::ir::TraceId(1), crate::world::ThingRef::Space(1));
    world.keep(trace, of, Some(true));
    assert_ne!(world, before);
    world.keep(trace, of, None);
    assert_eq!(world, before);
    world.keep(trace, crate::world::ThingRef::Space(0), None);
    assert_eq!(world, before);
}
