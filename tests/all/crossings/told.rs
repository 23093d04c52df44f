//! That an explanation names the crossings which keep a unit from its source, or from a shorter line.

use super::{Game, TRACES, VIADUCT, asked, things, trace};
use crate::common::counts::{full, seeds, share};
use crate::common::{Dice, checked};
use crate::place::Place;
use sutler::ir::Ruleset;
use sutler::kernel::Position;

/// The game with junctions at some of its crossings.
fn met(game: &Game, at: &[(&'static str, usize)]) -> Game {
    let crossings = game.crossings.iter().copied().filter(|c| !at.contains(c)).collect();
    Game { crossings, ..game.clone() }
}

fn better(now: Option<u32>, then: Option<u32>) -> bool {
    then.is_some_and(|then| now.is_none_or(|now| then < now))
}

/// The crossing at a place of the map as the game has it.
fn of_game(rules: &Ruleset, game: &Game, at: usize) -> (&'static str, usize) {
    let crossing = &rules.maps[0].crossings[at];
    let kind = rules.kinds[crossing.kind.index()].name.as_str();
    let same = |(k, s): &&(&str, usize)| (*k, *s) == (kind, crossing.space as usize);
    *game.crossings.iter().find(same).unwrap()
}

/// Each crossing is made a junction by the brute force: those named are those that change the answer.
#[test]
fn an_explanation_names_the_crossings_that_bar() {
    let (mut cut, mut longer, mut together, mut silent) = (0, 0, 0, 0);
    for seed in seeds(300) {
        let mut dice = Dice::new(seed);
        let (game, traces, text) = asked(seed, &mut dice);
        let rules = checked(&text);
        let world = game.world(&rules);
        let position = Position::new(&rules, &world).unwrap();
        for at in traces {
            let id = trace(&rules, &format!("t{at}"));
            for (thing, space) in things(&game, at) {
                let what = format!("seed {seed}, t{at} ({}) of {thing:?}\n{text}", TRACES[at].of);
                let now = game.nearest(at, space);
                let answer = position.answer(id, thing).unwrap();
                let found = position.crossed(id, thing, &answer).unwrap();
                let named: Vec<Vec<_>> = found
                    .iter()
                    .map(|row| row.crossings.iter().map(|at| of_game(&rules, &game, *at)).collect())
                    .collect();
                let then = |crossings: &[_]| met(&game, crossings).nearest(at, space);
                for (row, crossings) in found.iter().zip(&named) {
                    assert!(row.answer.yes && row.answer.length == then(crossings), "{what}");
                }
                let mut alone = game.crossings.clone();
                alone.retain(|crossing| better(now, then(&[*crossing])));
                if alone.is_empty() && better(now, then(&game.crossings)) {
                    let [all] = named.as_slice() else { panic!("{named:?}, {what}") };
                    assert!(all.len() > 1 && better(now, then(all)), "{all:?}, {what}");
                    for left in all {
                        let rest: Vec<_> = all.iter().copied().filter(|c| c != left).collect();
                        assert!(!better(now, then(&rest)), "{all:?} without {left:?}, {what}");
                    }
                    together += 1;
                    continue;
                }
                let mut named: Vec<_> = named.into_iter().flatten().collect();
                named.sort_unstable();
                alone.sort_unstable();
                assert_eq!(named, alone, "{what}");
                match (alone.is_empty(), now) {
                    (true, _) => silent += 1,
                    (false, None) => cut += 1,
                    (false, Some(_)) => longer += 1,
                }
            }
        }
    }
    println!("{cut} cut, {longer} longer, {together} together, {silent} without");
    assert!(cut > share(100) && longer > share(25), "{cut} cut, {longer} longer");
    assert!(silent > share(1000), "{silent} without");
    // What is rare is not among a few.
    assert!(!full() || together >= 10, "{together} together");
}

/// What is printed of a setup of a game with further lines in its map.
fn said(args: &[&str], lines: &str) -> String {
    let place = Place::with(&VIADUCT.replace("  no junction of roads at X\n", lines));
    let said = place.run(args);
    format!("{}{}", said.out, said.err)
}

#[test]
fn the_crossing_is_said_in_words() {
    let crossing = "  no junction of roads at X\n";
    let explain = ["explain", "game", "First", "--setup", "start"];
    assert_eq!(
        said(&explain, crossing),
        "First of Red, in A: unfed
  reach    4 steps (4)
  stopped  by `source`
  crossed  the roads at X cross and do not meet; with a junction there it would be fed
  rule     trace way, over
"
    );
    // Without the crossing, and where another road leads to the source as well.
    assert!(!said(&explain, "").contains("crossed"));
    let round = "  no junction of roads at X\n  space area Y at (3, 3)\n  link road B to Y to D\n";
    assert_eq!(
        said(&explain, round),
        "First of Red, in A: fed
  reach    4 steps (4)
  source   depot
       0   A
       1   X
       2   B
       3   Y
       4   D
  crossed  the roads at X cross and do not meet; with a junction there its line would be 2 steps long
  rule     trace way, source depot
"
    );
    let why = said(&["why-not", "game", "First", "--setup", "start"], crossing);
    let line =
        "  crossed  the roads at X cross and do not meet; with a junction there it would be fed\n";
    assert!(why.contains(line), "{why}");
    let json =
        said(&["explain", "game", "First", "--setup", "start", "--format", "json"], crossing);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let wanted = serde_json::json!([{
        "at": [{ "kind": "road", "space": "X" }],
        "says": "the roads at X cross and do not meet; with a junction there it would be fed",
        "state": "fed",
        "length": 2,
    }]);
    assert_eq!(json["explanations"][0]["crossings"], wanted, "{json}");
}

/// The roads at two places, one behind the other.
const TWO: &str = "  link road C to X to Q
  link road R to Q to D
  space area Q at (3, 4)
  space area R at (4, 4)
  no junction of roads at X, Q
";

/// A trace that begins only where the answer of another one is yes.
const NET: &str = "trace net of area {
  called  joined else apart
  source  depot where depot
  leg wire
    over    roads
    from    anywhere
    through anywhere
    into    anywhere
    within  4
}
kind path, paths is link
";

#[test]
fn crossings_bar_together_and_by_other_answers() {
    let explain = |text: &str| {
        let place = Place::with(text);
        let said = place.run(&["explain", "game", "First", "--trace", "way", "--setup", "start"]);
        format!("{}{}", said.out, said.err)
    };
    let roads = "  link road C to X to D\n  no junction of roads at X\n";
    let told = explain(&VIADUCT.replace(roads, TWO));
    let line = "the roads at X and the roads at Q cross and do not meet; with junctions there it would be fed";
    assert!(told.contains(line), "{told}");
    let other = VIADUCT
        .replace("trace way", &format!("{NET}trace way"))
        .replace("  no junction", "  link path A to D\n  no junction");
    let (head, way) = other.split_once("trace way").unwrap();
    let way =
        way.replacen("over    roads\n    from    anywhere", "over    paths\n    from    joined", 1);
    let told = explain(&format!("{head}trace way{way}"));
    assert!(told.contains("stopped  by `from` at A"), "{told}");
    let line = "the roads at X cross and do not meet; with a junction there it would be fed";
    assert!(told.contains(line), "{told}");
}

/// Who comes to the crossing along one road could go round to come there along the other: the step
/// that bars this is named, and is among the ways out, though the space is reached.
#[test]
fn a_step_to_the_crossing_along_another_line_is_a_way_out() {
    let text = VIADUCT
        .replace("  has depot yes or no\n", "  has depot yes or no\n  has swamp yes or no\n")
        .replace("kind road, roads is link", "kind road, roads is link\nkind path, paths is link")
        .replace("over    roads", "over    roads, paths when (not swamp of the last)")
        .replace(
            "  no junction",
            "  space area E at (3, 1) with swamp\n  link path X to E\n  no junction",
        );
    let said = Place::with(&text).run(&["explain", "game", "First", "--setup", "start"]);
    let told = format!("{}{}", said.out, said.err);
    assert!(told.contains("stopped  by `over` at X"), "{told}");
    assert!(told.contains("X: over"), "{told}");
}
