//! `sutler play --policy FILE`: a policy decides what it says, the bytes are the same however games
//! are worked out, and what is wrong with a policy is said with its place.

use std::fs;

use crate::place::{Place, Said};
use serde_json::Value;

const GAME: &str = r#"edition 1
ruleset raid "A raid" prefix R
sides Red against Blue
clock turn has march of each side, check of each side

dimension points (point)
kind field, fields is space {
  has crop in points from 0 to 9
}
kind road, roads is link
kind army, armies is unit {
  has strength in points from 0 to 9
}
mark counted of army until start of turn

choice goal of army "where it marches" {
  from fields adjacent over roads
  left to owner
}
phase marches in march of owner {
  may move to goal for own armies
}
phase flights in march of owner {
  must move to goal for own armies where strength at most 1
}
phase checks in check of owner {
  do mark counted for own armies
}
map plain {
  space field Mill with crop 3
  space field Farm with crop 8
  space field Moor
  space field Camp
  link road Camp to Mill
  link road Camp to Farm
  link road Camp to Moor
}
setup summer on plain {
  put army A of Red in Camp with strength 6
  put army B of Blue in Moor with strength 2
}
"#;

fn place(policy: &str) -> Place {
    let place = Place::with(GAME);
    place.write("policy.txt", policy);
    place
}

fn played(place: &Place, more: &[&str]) -> Said {
    place.run(&[&["play", "game", "--policy", "policy.txt"], more].concat())
}

/// Where A ends in so many games of one turn: at home, in the mill, on the farm, on the moor.
fn ends(policy: &str, games: &str) -> [u64; 4] {
    let asked = ["Camp", "Mill", "Farm", "Moor"].map(|place| format!("space of A is {place}"));
    let asked: Vec<&str> = asked.iter().flat_map(|a| ["--ask", a.as_str()]).collect();
    let call = ["--games", games, "--turns", "1", "--format", "json"];
    let said = played(&place(policy), &[&call[..], &asked].concat());
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{policy}");
    let summary: Value = serde_json::from_str(&said.out).unwrap();
    let shares = summary["summary"]["shares"].as_array().unwrap();
    asked
        .chunks(2)
        .map(|ask| {
            let of = shares.iter().find(|share| share["name"] == ask[1]);
            of.map_or(0, |share| share["yes"].as_u64().unwrap())
        })
        .collect::<Vec<_>>()
        .try_into()
        .unwrap()
}

#[test]
fn always_and_never_are_what_they_say() {
    assert_eq!(ends("policy stay\ntake army then 0\n", "60"), [60, 0, 0, 0]);
    let farm = "policy farm\ntake army then 100\ngo field of army when crop at least 8 then 1\ngo field of army then 0\n";
    assert_eq!(ends(farm, "60"), [0, 0, 60, 0]);
    // Who goes can be asked of, and so can the places of the position.
    let strong = "policy s\ntake army then 100 # always\n\ngo field of army in marches when strength of the army at least 6 and crop is 3 points then 5\ngo fields of armies then 0\n";
    assert_eq!(ends(strong, "60"), [0, 60, 0, 0]);
    // The first row that holds decides.
    let first = "policy f\ntake army when strength at least 6 then 0\ntake army then 100\n";
    assert_eq!(ends(first, "60"), [60, 0, 0, 0]);
    // Where all ways weigh nothing, what may be left is left.
    let nowhere = "policy n\ntake army then 100\ngo field of army then (0 - 3)\n";
    assert_eq!(ends(nowhere, "60"), [60, 0, 0, 0]);
}

#[test]
fn weights_are_shares() {
    // 95 of 100 go; of these 9 of 13 to the farm and 4 to the mill, none to the enemy on the moor.
    let policy = "policy w\ntake army then 95\ngo field of army when any enemy army here then 0\ngo field of army then crop + 1\n";
    let found = ends(policy, "2000");
    // 2000 games: 100, 585, 1315; four deviations are at most 85.
    for (found, wanted) in found.iter().zip([100u64, 585, 1315, 0]) {
        assert!(found.abs_diff(wanted) < 85, "{found} for {wanted}");
    }
    assert_eq!((found.iter().sum::<u64>(), found[3]), (2000, 0));
    // Without a row, as by chance: half of the times, each way alike.
    let found = ends("policy empty\n", "2000");
    for (found, wanted) in found.iter().zip([1000u64, 333, 333, 333]) {
        assert!(found.abs_diff(wanted) < 90, "{found} for {wanted}");
    }
}

#[test]
fn what_must_be_done_is_done_though_no_way_is_liked() {
    let place = place("policy flee\ntake army then 0\ngo field of army then 0\n");
    let weak = GAME.replace("with strength 6", "with strength 1");
    place.write("game/rules.sut", weak);
    let call = ["--games", "40", "--turns", "1", "--ask", "space of A is Camp", "--format", "json"];
    let summary: Value = serde_json::from_str(&played(&place, &call).out).unwrap();
    let shares = summary["summary"]["shares"].as_array().unwrap();
    let stayed = shares.iter().find(|s| s["name"] == "space of A is Camp").unwrap();
    assert_eq!((&stayed["yes"], &stayed["games"]), (&0.into(), &40.into()), "{summary}");
}

#[test]
fn the_same_bytes_on_any_number_of_threads_and_when_gone_on_with() {
    let policy = "policy w\ntake army then 70\ngo field of army then crop + 1\n";
    let place = place(policy);
    let call = |more: &[&str]| {
        let all = [&["--turns", "3", "--format", "jsonl"], more].concat();
        let said = played(&place, &all);
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    };
    let one = call(&["--games", "30", "--jobs", "1"]);
    assert_eq!(one, call(&["--games", "30", "--jobs", "2"]));
    assert_eq!(one, call(&["--games", "30", "--jobs", "7"]));
    call(&["--games", "11", "--out", "games.jsonl"]);
    assert_eq!(one, call(&["--games", "30", "--out", "games.jsonl", "--resume"]));
    let head: Value = serde_json::from_str(one.lines().next().unwrap()).unwrap();
    let name = head["policy"].as_str().unwrap().to_owned();
    assert!(name.starts_with("w ") && name.len() == 14, "{name}");
    // Another text is another policy.
    place.write("policy.txt", policy.replace("70", "71"));
    let call = ["--turns", "3", "--games", "40", "--out", "games.jsonl", "--resume"];
    let other = played(&place, &call);
    assert!(other.code == 2 && other.err.contains("the policy is `"), "{}", other.err);
}

#[test]
fn the_orders_of_a_game_give_the_same_game() {
    let place = place("policy w\ntake army then 70\ngo field of army then crop + 1\n");
    let said = played(&place, &["--turns", "4", "--games", "3", "--format", "jsonl"]);
    let game: Value = serde_json::from_str(said.out.lines().nth(3).unwrap()).unwrap();
    let orders = played(&place, &["--turns", "4", "--orders", "3"]).out;
    place.write("orders.jsonl", orders.lines().skip(1).collect::<Vec<_>>().join("\n"));
    let seed = game["seed"].to_string();
    let call = ["run", "game", "--turns", "4", "--seed", &seed, "--orders", "orders.jsonl"];
    let run = place.run(&[&call[..], &["--format", "jsonl"]].concat());
    let end: Value = serde_json::from_str(run.out.lines().last().unwrap()).unwrap();
    assert_eq!(end["position"], game["position"], "{}", run.err);
}

#[test]
fn what_is_wrong_with_a_policy_is_said_with_its_place() {
    for (policy, code, words) in [
        ("", "E1074", "the policy is empty"),
        ("take army then 1\n", "E1074", "the first line is `policy` and a name"),
        ("policy a b\n", "E1074", "the first line is `policy` and a name"),
        ("policy a\ntake army if yes then 1\n", "E1074", "policy.txt:2:11"),
        ("policy a\ntake army when strength at least 5\n", "E1074", "no `then`"),
        ("policy a\nhold army then 1\n", "E1074", "begins with `take` or `go`"),
        ("policy a\ngo field when crop at least 1 then 1\n", "E1074", "says of whom"),
        ("policy a\ntake armi then 1\n", "E1075", "write `army`"),
        ("policy a\ntake army in marhces then 1\n", "E1075", "write `marches`"),
        ("policy a\ntake army in checks then 1\n", "E1075", "nothing is offered that may be left"),
        ("policy a\ntake army in flights then 1\n", "E1075", "nothing is offered that may be left"),
        ("policy a\ngo field of army in checks then 1\n", "E1075", "several ways in this phase"),
        ("policy a\ntake army when strenght at least 5 then 1\n", "E0201", "policy.txt:2:16"),
        ("policy a\n\ntake army when strength then 1\n", "E0302", "policy.txt:3:16"),
        ("policy a\ntake army then strength at least 1\n", "E0302", "policy.txt:2:16"),
    ] {
        let said = played(&place(policy), &["--games", "1"]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{policy}");
        assert!(said.err.contains(code) && said.err.contains(words), "{policy}: {}", said.err);
    }
    let place = Place::with(GAME);
    let said = place.run(&["play", "game", "--policy", "frist"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.contains("write `random`, `first`, or the name of a file"), "{}", said.err);
    assert!(fs::read_dir(place.path("")).unwrap().count() == 1, "nothing is written");
}
