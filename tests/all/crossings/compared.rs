//! Two rulesets side by side, and small changes of one, on maps whose links cross.

use super::{Game, VIADUCT, asked, trace};
use crate::common::counts::{seeds, share};
use crate::common::told::unit_moves;
use crate::common::{Dice, checked};
use crate::impact_twins::{agree, project};
use crate::place::Place;
use serde_json::Value;
use sutler::compare::Both;

/// What `impact` says of a map with other crossings is what the brute force says, position by position.
#[test]
fn impact_names_the_answers_that_turn_on_a_crossing() {
    let (mut flipped, mut same) = (0, 0);
    for seed in seeds(80) {
        let mut dice = Dice::new(seed);
        let (game, traces, text) = asked(seed, &mut dice);
        if game.crossings.is_empty() {
            continue;
        }
        let mut other = game.clone();
        other.crossings.retain(|_| dice.percent(40));
        let second = other.text(&traces).replace("ruleset roads", "ruleset other");
        let (a, b) = (checked(&text), checked(&second));
        let place = |at: usize| format!("position {at}");
        let mut stands: Vec<Game> = Vec::new();
        let positions: Vec<Both> = (0..40)
            .map(|at| {
                let mut now = game.clone();
                now.units.iter_mut().for_each(|space| *space = dice.below(game.spaces));
                let mut worlds = [now.world(&a), now.world(&b)];
                for (rules, world) in [&a, &b].into_iter().zip(&mut worlds) {
                    for (unit, space) in (0u32..).zip(&now.units) {
                        unit_moves(rules, (None, world), unit, *space as u32);
                    }
                }
                let [before, after] = worlds;
                stands.push(now);
                (place(at), before, after)
            })
            .collect();
        let what = format!("seed {seed}\n{text}\n{second}");
        let (_, flips) = agree(&project(&text, &second), &positions, &what);
        let mut wanted = Vec::new();
        for (at, now) in stands.iter().enumerate() {
            for of in traces.iter().filter(|of| super::TRACES[**of].of == "army") {
                for (unit, space) in now.units.iter().enumerate() {
                    let then = other.nearest(*of, *space).is_some();
                    if now.nearest(*of, *space).is_some() == then {
                        same += 1;
                    } else {
                        wanted.push((place(at), format!("trace t{of}"), format!("U{unit}")));
                    }
                }
            }
        }
        let mut found: Vec<_> = flips
            .into_iter()
            .filter(|flip| flip.question.starts_with("trace t") && flip.of.starts_with('U'))
            .map(|flip| (flip.position, flip.question, flip.of))
            .collect();
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{what}");
        flipped += found.len();
        trace(&a, "open");
    }
    println!("{flipped} answers flip, {same} stay");
    assert!(flipped > share(300) && same > share(20_000), "{flipped} flip, {same} stay");
}

/// Each crossing is left out in turn: a case notices that whose line would turn there.
#[test]
fn mutate_leaves_out_each_crossing() {
    let text = VIADUCT.replace(
        "  no junction of roads at X\n",
        "  space area Y at (5, 3)\n  space area Z at (5, 2)\n  link road Y to B to Z\n  no junction of roads at X, B\n",
    );
    let place = Place::with(&text);
    let said = place.run(&["mutate", "game", "--positions", "--format", "json"]);
    let found: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err));
    let of_map = found["changes"].as_array().unwrap().iter();
    let crossings: Vec<String> = of_map
        .filter(|change| change["sort"] == "crossing_dropped")
        .map(|c| format!("{}: {}", c["owner"].as_str().unwrap(), c["fate"].as_str().unwrap()))
        .collect();
    assert_eq!(
        crossings,
        [
            "map hills, no junction of roads at X: caught",
            "map hills, no junction of roads at B: missed",
        ]
    );
    let one = Place::with(VIADUCT).run(&["mutate", "game", "--positions", "--format", "json"]);
    assert!(one.out.contains("\"crossing_dropped\""), "{}{}", one.out, one.err);
}

/// The smallest position to which a map with a crossing and one without give different answers.
#[test]
fn differ_finds_the_unit_before_the_crossing() {
    let place = Place::with(VIADUCT);
    let met = "edition 1\nruleset met \"Met\" prefix ME extends viaduct\noverride map hills, but {\n  without no junction of roads at X\n}\n";
    place.write("game/met.sut", met);
    let said = place.run(&["differ", "game/rules.sut", "game/met.sut", "--format", "json"]);
    let report: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err));
    assert_eq!(said.code, 1, "{report}");
    let units = report["found"]["position"]["units"].as_array().unwrap();
    let [unit] = units.as_slice() else { panic!("{report}") };
    // Only from A, and from B, is the way to the depot by a turn at X.
    assert!(["A", "B"].contains(&unit["space"].as_str().unwrap()), "{report}");
}
