//! Turns played from the command line: what the log says, that a log is run again to the same
//! bytes, and that a run which cannot go on says why and leaves every file as it was.

use std::fs;

use crate::place::{Place, command, said};
use sutler::engine::moments;
use sutler::ir::{Edge, Whose};
use sutler::project::check_text;

/// A siege in small: a garrison that may come out, a besieger that is thrown back, a die for the
/// walls.
const GAME: &str = r#"edition 1
ruleset walls "Walls" prefix WL
sides Red against Blue
clock turn has impulse 2 times, (move, fight) of each side, admin
dimension points (point)
kind area, areas is space
kind road, roads is link
kind fort, forts is unit {
  has walls in points from 0 to 9
  has stage on siege
}
kind block, blocks is unit {
  has men in points from 0 to 9
}
track siege {
  free
  blockaded
  invested
}
section 1 "Sieges"
clause a "Too few men lose a stage for each man missing."
clause b "Whoever stands before a free fort goes away."
clause c "A garrison may come out and fight, and somebody pays."
clause d "Walls are tested in the end."
mark out of fort until end of impulse
define short of fort = greater of (walls - sum of men of enemy blocks here, 0)
choice way_out of block {
  from   areas adjacent where no enemy block here
  left to owner
}
choice victim of fort {
  from   enemy blocks here
  left to enemy
}
test breach of fort {
  roll 1d6
  when total at least 5 then falls
  otherwise stands
}
phase sally in impulse {
  may  mark out for forts where stage is blockaded                             [1c]
  do   lower men of victim by 1 for forts where out                            [1c]
}
phase check at end of impulse {
  do   lower stage by short for forts where stage at least blockaded           [1a]
  must move to way_out for blocks where any enemy fort here where stage is free   [1b]
}
phase assault in admin {
  roll breach for forts where stage is invested                                [1d]
  do   lower walls by 1 for forts where breach is falls                        [1d]
}
map field {
  space area Town
  space area East
  space area West
  link road East to Town to West
}
setup siege on field {
  put fort Rock of Red in Town with walls 4, stage blockaded
  put block A of Blue in Town with men 2
  put block B of Blue in Town with men 2
}
setup last_days on field {
  put fort Rock of Red in Town with walls 4, stage invested
  put block A of Blue in Town with men 5
}
"#;

const ORDERS: &str = r#"# The garrison comes out, A pays, both are thrown back.
{"turn": 1, "thing": "Rock", "mark": "out"}
{"turn": 1, "thing": "Rock", "choose": "victim", "is": "A"}
{"turn": 1, "phase": "check", "thing": "A", "move": "West"}

{"thing": "B", "move": "East"}
"#;

/// Worked out by hand from the rules above: 1 + 2 men against walls of 4 are one short.
const LOG: &str = "turn 1
  impulse
    sally: Rock: out, by order  [WL-1c]
    sally: men of A: 2 -> 1, by order  [WL-1c]
  end of impulse
    check: stage of Rock: blockaded -> free  [WL-1a]
    check: space of A: Town -> West, by order  [WL-1b]
    check: space of B: Town -> East, by order  [WL-1b]
turn 2
  nothing happens
";

fn scripted() -> Place {
    let place = Place::with(GAME);
    place.write("orders.jsonl", ORDERS);
    place
}

#[test]
fn a_scripted_run_says_what_happens_and_by_which_clause() {
    let place = scripted();
    let said =
        place.run(&["run", "game", "--setup", "siege", "--turns", "2", "--orders", "orders.jsonl"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, LOG, ""));
}

#[test]
fn a_log_is_run_again_to_the_same_bytes() {
    let place = scripted();
    let first = [
        "run",
        "game",
        "--setup",
        "siege",
        "--turns",
        "2",
        "--orders",
        "orders.jsonl",
        "--format",
        "jsonl",
        "--save",
        "end.json",
    ];
    let log = place.run(&first);
    assert_eq!(log.code, 0, "{}", log.err);
    assert_eq!(log.out.lines().count(), 7, "its beginning, five events, its end");
    place.write("log.jsonl", &log.out);
    let again = place.run(&[
        "run",
        "game",
        "--replay",
        "log.jsonl",
        "--format",
        "jsonl",
        "--save",
        "again.json",
    ]);
    assert_eq!((again.code, again.out.as_str()), (0, log.out.as_str()), "{}", again.err);
    assert_eq!(
        fs::read(place.path("end.json")).unwrap(),
        fs::read(place.path("again.json")).unwrap()
    );
    let read = place.run(&["run", "game", "--replay", "log.jsonl"]);
    assert_eq!((read.code, read.out.as_str()), (0, LOG));
}

#[test]
fn a_log_that_was_changed_is_found_out_at_its_line() {
    let place = scripted();
    let log = place
        .run(&[
            "run",
            "game",
            "--setup",
            "siege",
            "--turns",
            "2",
            "--orders",
            "orders.jsonl",
            "--format",
            "jsonl",
        ])
        .out;
    for (at, line) in log.lines().enumerate() {
        let changed = match at {
            0 => continue,
            _ if line.contains("\"men\"") => line.replace("\"to\":\"1\"", "\"to\":\"0\""),
            _ if line.contains("\"ended\"") => line.replace("\"position\":\"", "\"position\":\"x"),
            _ => line.replace("WL-1", "WL-9"),
        };
        assert_ne!(line, changed);
        place.write("log.jsonl", log.replace(line, &changed));
        let said = place.run(&["run", "game", "--replay", "log.jsonl"]);
        assert_eq!(said.code, 1);
        assert!(
            said.err.contains("E1024") && said.err.contains(&format!("line {} ", at + 1)),
            "{}",
            said.err
        );
    }
    place.write("log.jsonl", format!("{log}{}\n", log.lines().nth(1).unwrap()));
    assert_eq!(place.run(&["run", "game", "--replay", "log.jsonl"]).code, 1, "a line too many");
    place.write("log.jsonl", "{\"schema\": 1}\n");
    assert_eq!(place.run(&["run", "game", "--replay", "log.jsonl"]).code, 2, "no log at all");
    place.write("log.jsonl", &log);
    place.write("game/rules.sut", GAME.replace("sum of men", "2 * sum of men"));
    let said = place.run(&["run", "game", "--replay", "log.jsonl"]);
    assert!(said.code == 1 && said.err.contains("with other rules"), "{}", said.err);
}

#[test]
fn what_nobody_decides_stops_the_run_and_saves_nothing() {
    let place = Place::with(
        &GAME.replace("has walls in points from 0 to 9", "has walls in points from 0 to 99"),
    );
    let setup = place.run(&[
        "run",
        "game",
        "--setup",
        "last_days",
        "--turns",
        "1",
        "--dice",
        "dice",
        "--save",
        "position.json",
    ]);
    assert_eq!(setup.code, 2, "there is no file of dice");
    place.write("dice", "6 # the wall falls\n");
    let setup = place.run(&[
        "run",
        "game",
        "--setup",
        "last_days",
        "--turns",
        "1",
        "--dice",
        "dice",
        "--save",
        "position.json",
    ]);
    assert_eq!((setup.code, setup.err.as_str()), (0, ""));
    let before = fs::read_to_string(place.path("position.json")).unwrap();
    assert!(before.contains("\"walls\": 3"), "{before}");
    // With walls of 8 the five men are three short, the fort is free, and they must go.
    let higher = before.replace("\"walls\": 3", "\"walls\": 8");
    place.write("position.json", &higher);
    let said = place.run(&[
        "run",
        "game",
        "--position",
        "position.json",
        "--turns",
        "3",
        "--save",
        "position.json",
    ]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("E1020") && said.err.contains("`A`"), "{}", said.err);
    assert!(said.out.ends_with("check: A must move to East or West  [WL-1b]\n"), "{}", said.out);
    assert_eq!(fs::read_to_string(place.path("position.json")).unwrap(), higher);
    let said = place.run(&["run", "game", "--position", "position.json", "--first-way"]);
    assert!(
        said.code == 0 && said.out.contains("space of A: Town -> East"),
        "{}{}",
        said.out,
        said.err
    );
}

#[test]
fn dice_that_run_out_stop_the_run() {
    let place = Place::with(GAME);
    let said = place.run(&["run", "game", "--setup", "last_days"]);
    assert!(said.code == 1 && said.err.contains("E1023"), "{}", said.err);
    place.write("dice", "7");
    let said = place.run(&["run", "game", "--setup", "last_days", "--dice", "dice"]);
    assert!(
        said.code == 1 && said.err.contains("E1023") && said.err.contains("cannot show 7"),
        "{}",
        said.err
    );
    place.write("dice", "six");
    assert_eq!(place.run(&["run", "game", "--setup", "last_days", "--dice", "dice"]).code, 2);
}

#[test]
fn orders_that_cannot_be_read_or_are_not_offered_are_said_with_their_line() {
    let place = Place::with(GAME);
    for (order, code, help) in [
        ("{\"thing\": \"Rok\", \"mark\": \"out\"}", "E1021", "write `Rock`"),
        ("{\"thing\": \"Rock\", \"mark\": \"outt\"}", "E1021", "write `out`"),
        ("{\"thing\": \"A\", \"mark\": \"out\"}", "E1021", "no fact is called `out`"),
        ("{\"thing\": \"A\", \"move\": \"Wets\"}", "E1021", "write `West`"),
        ("{\"thing\": \"A\", \"mov\": \"West\"}", "E1021", "write `move`"),
        ("{\"thing\": \"A\"}", "E1021", "nothing to do"),
        ("{\"thing\": \"A\", \"move\": \"West\", \"remove\": true}", "E1021", "two things"),
        ("{\"thing\": \"A\", \"move\": ", "E1021", "it does not end"),
        ("{\"thing\": \"A\", \"move\": \"West\"},", "E1021", "`,` stands behind its end"),
        ("{thing: \"A\", \"move\": \"West\"}", "E1021", "`thing: \"A\", ` stands where a word"),
        ("{\"thing\": \"A\", \"move\": \"West\",}", "E1021", "no comma before `}`"),
        ("{\"turn\": \"1\", \"thing\": \"A\"}", "E1021", "write `\"turn\": 1`"),
        ("{\"thing\": \"A\", \"move\": 3}", "E1021", "write `\"move\": \"3\"`"),
        ("{\"thing\": \"A\", \"remove\": 1}", "E1021", "write `\"remove\": true`"),
        ("{\"thing\": \"A\", \"at\": [1, 2]}", "E1021", "two coordinates in quotes"),
        ("{\"thing\": \"A\", \"speed\": 3}", "E1021", "an order has no word `speed`"),
        ("[1]", "E1021", "it stands in no braces"),
        ("move A to West", "E1021", "it begins with no brace"),
        (
            "{\"thing\": \"A\", \"remove\": true, \"to\": \"West\"}",
            "E1021",
            "`to` stands without `follow`",
        ),
        (
            "{\"thing\": \"A\", \"move\": \"West\", \"is\": \"B\"}",
            "E1021",
            "`is` stands without `choose`",
        ),
        (
            "{\"thing\": \"A\", \"remove\": true, \"at\": [\"1\", \"1\"]}",
            "E1021",
            "`at` stands without `place`",
        ),
        (
            "{\"thing\": \"A\", \"remove\": true, \"facing\": \"west\"}",
            "E1021",
            "`facing` stands without `place`",
        ),
        ("{\"phase\": \"chek\", \"thing\": \"A\", \"move\": \"West\"}", "E1021", "write `check`"),
        (
            "{\"thing\": \"A\", \"move\": \"West\"}",
            "E1022",
            "nothing in turn 1 offered this to `A`",
        ),
        ("{\"phase\": \"check\", \"thing\": \"Rock\", \"mark\": \"out\"}", "E1022", "`Rock`"),
        (
            "{\"phase\": \"check\", \"thing\": \"Rock\", \"mark\": \"out\"}",
            "E1022",
            "phase `check` offers no such thing",
        ),
        ("{\"thing\": \"A\", \"move\": \"West\"}", "E1022", "only `must move to way_out for"),
    ] {
        place.write("orders.jsonl", format!("# one order\n{order}\n"));
        let said = place.run(&["run", "game", "--setup", "siege", "--orders", "orders.jsonl"]);
        assert_eq!(said.code, 1, "{order}: {}", said.err);
        assert!(said.err.contains(code) && said.err.contains(help), "{order}: {}", said.err);
        assert!(said.err.contains("orders.jsonl:2"), "{order}: {}", said.err);
    }
}

/// Every thing-typed slot of an order with a thing of every sort, and with none.
#[test]
fn an_order_with_a_thing_of_the_wrong_sort_is_refused() {
    let (_, rules, _) = check_text("rules.sut", GAME.as_bytes());
    let rules = rules.unwrap();
    let world = sutler::world::start(&rules, sutler::ir::SetupId(0));
    // What is right for each slot is Rock or A, West, and A or B.
    let things = ["", "Rock", "A", "Town", "Red", "Nothing", "none"];
    let (mut refused, mut untaken) = (0, 0);
    for subject in things {
        for object in things {
            for deed in [
                format!("\"move\": \"{object}\""),
                format!("\"choose\": \"victim\", \"is\": \"{object}\""),
                format!("\"choose\": \"way_out\", \"is\": \"{object}\""),
                format!("\"mark\": \"{object}\""),
                format!("\"clear\": \"{object}\""),
                format!("\"follow\": \"{object}\", \"to\": \"Town\""),
                "\"remove\": true".to_owned(),
                "\"mark\": \"out\"".to_owned(),
                "\"change\": \"walls\"".to_owned(),
                "\"place\": \"face\", \"at\": [\"1\", \"1\"], \"facing\": \"west\"".to_owned(),
            ] {
                let line = format!("{{\"phase\": \"sally\", \"thing\": \"{subject}\", {deed}}}\n");
                let (found, faults) =
                    sutler::log::orders(&line, sutler::source::SourceId(0), &rules, &world);
                if let Some(fault) = faults.first() {
                    assert_eq!((found.len(), fault.code.as_str()), (0, "E1021"), "{line}");
                    refused += 1;
                    continue;
                }
                let (order, mut world) = (found[0].1, world.clone());
                let mut orders = sutler::engine::Orders::none();
                orders.give(order);
                let mut dice = sutler::engine::Dice::seeded(1);
                let sally = sutler::ir::PhaseId(
                    u16::try_from(rules.phases.iter().position(|p| p.name == "sally").unwrap())
                        .unwrap(),
                );
                sutler::engine::run(&rules, &mut world, sally, None, &mut dice, &mut orders)
                    .unwrap();
                let right = subject == "Rock" && line.contains("\"mark\": \"out\"");
                assert_eq!(orders.waiting().is_empty(), right, "{line}");
                untaken += usize::from(!right);
            }
        }
    }
    assert!(refused > 100 && untaken > 50, "{refused} {untaken}");
}

#[test]
fn a_turn_goes_round_as_its_clock_says() {
    let (_, rules, _) = check_text("rules.sut", GAME.as_bytes());
    let rules = rules.unwrap();
    let clock = rules.clock.clone().unwrap();
    let spoken: Vec<String> = moments(&rules)
        .iter()
        .filter(|m| m.edge == Edge::Start)
        .map(|m| {
            let part =
                m.part.map_or(clock.name.as_str(), |p| clock.parts[usize::from(p)].name.as_str());
            match m.whose {
                Whose::Side(side) => format!("{part} of {}", rules.sides[side.index()].name),
                _ => part.to_owned(),
            }
        })
        .collect();
    let wanted = [
        "turn",
        "impulse",
        "impulse",
        "move of Red",
        "fight of Red",
        "move of Blue",
        "fight of Blue",
        "admin",
    ];
    assert_eq!(spoken, wanted);
}

#[test]
fn every_shipped_game_plays_from_a_seed_and_replays() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = Place::with(GAME);
    let log = place.path("log.jsonl");
    for game in fs::read_dir(root.join("rulesets")).unwrap() {
        let game = game.unwrap().path();
        let game = game.to_str().unwrap();
        let run = |seed: &str| {
            said(
                &command(
                    root,
                    &[
                        "run",
                        game,
                        "--turns",
                        "2",
                        "--first-way",
                        "--seed",
                        seed,
                        "--format",
                        "jsonl",
                    ],
                )
                .output()
                .unwrap(),
            )
        };
        let first = run("1");
        assert_eq!(first.code, 0, "{game}: {}", first.err);
        assert_eq!(first.out, run("1").out, "{game}");
        fs::write(&log, &first.out).unwrap();
        let again = said(
            &command(root, &["run", game, "--replay", log.to_str().unwrap()]).output().unwrap(),
        );
        assert_eq!(again.code, 0, "{game}: {}", again.err);
    }
}
