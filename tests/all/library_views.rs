//! What the library draws, plays and runs of cases is what the commands print, byte for byte.

use std::path::Path;

use crate::place;
use serde_json::Value;
use sutler::{Drawing, Game, Laid, Play, Position, Rules, Thing, explain_code};

const SHIPPED: [&str; 5] = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"];

fn shipped(name: &str) -> Game {
    let rules = Rules::open(Path::new("rulesets").join(name));
    rules.game().unwrap_or_else(|faults| panic!("{faults}"))
}

fn sutler(args: &[&str]) -> String {
    let said = {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        place::said(&place::command(root, args).output().unwrap())
    };
    assert_eq!(said.err, "", "{args:?}");
    said.out
}

fn folder(name: &str) -> String {
    format!("rulesets/{name}")
}

/// What `map` draws where nothing is said: the main trace, if there is one.
fn usual(game: &Game) -> Drawing {
    Drawing { trace: game.main_trace().ok(), ..Drawing::default() }
}

#[test]
fn drawings_are_those_of_map() {
    for name in SHIPPED {
        let (game, folder) = (shipped(name), folder(name));
        let setups: Vec<String> = game.setups().map(str::to_owned).collect();
        for setup in setups.iter().take(2) {
            let position = game.setup(setup).unwrap();
            let map = |more: &[&str]| sutler(&[&["map", &folder, "--setup", setup], more].concat());
            let drawing = usual(&game);
            assert!(position.svg(&drawing).unwrap() == map(&["--format", "svg"]), "{name} {setup}");
            assert_eq!(position.sketch(&drawing).unwrap(), map(&[]), "{name} {setup}");
            let side = game.sides().next().unwrap();
            let sided = Drawing { side: Some(game.side(side).unwrap()), ..drawing };
            let printed = map(&["--side", side, "--format", "json"]);
            let printed: Value = serde_json::from_str(&printed).unwrap();
            assert_eq!(position.picture(&sided).unwrap(), printed, "{name} {setup}");
        }
    }
}

/// The first unit whose answer is no.
fn cut_off(position: &Position) -> Option<Thing> {
    let trace = position.game().main_trace().ok()?;
    let all = position.all_yes(trace).unwrap();
    all.into_iter().find(|(_, yes)| !yes).map(|(thing, _)| thing)
}

#[test]
fn what_is_laid_over_a_map_is_what_the_commands_lay_over_it() {
    let game = shipped("soldier_kings");
    let trace = game.main_trace().unwrap();
    let position = game.setup("opening").unwrap();
    let thing = cut_off(&position).unwrap();
    let Thing::Unit(unit) = thing else { panic!("a unit") };
    let place = place::Place::with("");
    let file = |name: &str| place.path(name).display().to_string();
    let drawn = |laid: Laid, units: Vec<sutler::Unit>| {
        let drawing = Drawing { trace: Some(trace), units, laid, ..Drawing::default() };
        position.svg(&drawing).unwrap()
    };
    let id = position.name(thing);
    let (why, cut) = (file("why.svg"), file("cut.svg"));
    let game = "rulesets/soldier_kings";
    sutler(&["why-not", game, &id, "--setup", "opening", "--svg", &why]);
    assert!(drawn(Laid::WhyNot(thing), vec![unit]) == std::fs::read_to_string(&why).unwrap());
    let words = sutler(&["threat", game, "--unit", "F1", "--setup", "opening", "--svg", &cut]);
    let first = position.unit("F1").unwrap();
    let threat = drawn(Laid::Threat(vec![first.into()]), vec![first]);
    assert!(threat == std::fs::read_to_string(&cut).unwrap());
    assert_eq!(position.threat(trace, &[first.into()]).unwrap().to_string(), words);
}

#[test]
fn all_that_would_be_cut_is_what_threat_prints() {
    for (name, setup) in [("sgs", "opening"), ("blockade_siege", "autumn")] {
        let position = shipped(name).setup(setup).unwrap();
        let trace = position.game().main_trace().unwrap();
        let words = sutler(&["threat", &folder(name), "--setup", setup]);
        assert_eq!(position.threat(trace, &[]).unwrap().to_string(), words, "{name}");
    }
}

#[test]
fn a_frame_holds_the_answers_of_the_trace() {
    for name in SHIPPED {
        let game = shipped(name);
        let Ok(trace) = game.main_trace() else { continue };
        let position = game.first_setup().unwrap();
        let rows = position.ask_all(trace).unwrap().units;
        let (scene, frame) = (position.scene().unwrap(), position.frame(&usual(&game)).unwrap());
        let id = |space: &Value| {
            let at = usize::try_from(space.as_u64().unwrap()).unwrap();
            scene["spaces"][at]["id"].as_str().unwrap().to_owned()
        };
        let units = frame["units"].as_array().unwrap();
        for row in rows {
            let unit = units.iter().find(|unit| unit["id"] == row.id.as_str()).unwrap();
            let route: Vec<String> = unit["route"].as_array().unwrap().iter().map(id).collect();
            assert_eq!((unit["yes"].as_bool(), &route), (Some(row.yes), &row.route), "{}", row.id);
            assert_eq!(Some(id(&unit["space"])), row.space);
        }
        for side in game.sides() {
            let drawing = Drawing { side: Some(game.side(side).unwrap()), ..usual(&game) };
            let (picture, frame) =
                (position.picture(&drawing).unwrap(), position.frame(&drawing).unwrap());
            for (at, space) in picture["spaces"].as_array().unwrap().iter().enumerate() {
                let status = &space["status"][0];
                let sign = match (status["state"].as_str().unwrap(), &status["length"]) {
                    ("source", _) => "S".to_owned(),
                    (_, Value::Null) => "-".to_owned(),
                    (_, length) => length.to_string(),
                };
                let shut = if status["shut"] == true { "#" } else { "" };
                assert_eq!(frame["reach"][at][0], format!("{sign}{shut}"), "{name} {side}");
            }
        }
    }
}

#[test]
fn cases_come_out_as_test_prints_them() {
    for name in ["blockade_siege"] {
        let printed = sutler(&["test", &folder(name), "--format", "json"]);
        let printed: Value = serde_json::from_str(&printed).unwrap();
        let rules = Rules::open(folder(name));
        let mut ran = Vec::new();
        for ruleset in rules.names() {
            let game = rules.named(ruleset).unwrap();
            for (at, head) in game.cases().iter().enumerate() {
                let row = game.run_case(at).unwrap();
                assert_eq!((&row.name, row.line), (&head.name, head.line));
                let mut row = serde_json::to_value(row).unwrap();
                row["ruleset"] = ruleset.into();
                ran.push(row);
            }
            assert_eq!(game.run_case(game.cases().len()), None);
        }
        assert_eq!(printed["cases"].as_array().unwrap(), &ran, "{name}");
    }
}

#[test]
fn a_turn_is_played_as_run_plays_it() {
    let played = [("soldier_kings", "opening"), ("sgs", "campaign"), ("malaya", "december")];
    let place = place::Place::with("");
    for (name, setup) in played {
        let run = ["run", &folder(name), "--setup", setup, "--seed", "7", "--first-way"];
        let text = sutler(&run);
        let log = sutler(&[&run[..], &["--format", "jsonl"]].concat());
        let mut position = shipped(name).setup(setup).unwrap();
        let play = Play { turn: 1, seed: Some(7), first_way: true, ..Play::default() };
        let found = position.play(&play).unwrap();
        assert!(found.whole && found.faults.is_empty(), "{name}: {:?}", found.faults);
        let lines: Vec<Value> =
            log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let ours: Vec<&Value> = found.steps.iter().flat_map(|step| &step.log).collect();
        assert_eq!(ours, lines[1..lines.len() - 1].iter().collect::<Vec<_>>(), "{name}");
        let heads = found.steps.iter().map(|step| step.text.replace("turn 1\n", ""));
        let ours: String = std::iter::once("turn 1\n".to_owned()).chain(heads).collect();
        assert_eq!(ours, text, "{name}");
        let saved = place.path("end.json");
        sutler(&[&run[..], &["--save", saved.to_str().unwrap()]].concat());
        assert!(found.position == std::fs::read_to_string(saved).unwrap(), "{name}");
        assert!(found.position == position.json(), "{name}");
    }
}

#[test]
fn what_must_be_decided_is_offered_as_orders() {
    let game = shipped("soldier_kings");
    let mut orders = String::new();
    let (start, mut asked) = (game.setup("opening").unwrap(), 0);
    let done = loop {
        let mut position = start.clone();
        let play = Play { turn: 1, seed: Some(7), orders: orders.clone(), ..Play::default() };
        let played = position.play(&play).unwrap();
        if played.whole {
            break position;
        }
        assert!(played.faults.is_empty() && asked < 100, "{:?}", played.faults);
        asked += 1;
        // The first way of each thing that must do something.
        let mut named: Vec<&Value> = Vec::new();
        for way in &played.open {
            if !named.contains(&&way["thing"]) {
                named.push(&way["thing"]);
                orders.push_str(&format!("{way}\n"));
            }
        }
    };
    assert!(asked > 0, "nothing had to be decided");
    let place = place::Place::with("");
    place.write("orders.jsonl", &orders);
    let (orders, saved) = (place.path("orders.jsonl"), place.path("end.json"));
    let args = ["run", "rulesets/soldier_kings", "--setup", "opening", "--seed", "7", "--orders"];
    sutler(&[&args[..], &[orders.to_str().unwrap(), "--save", saved.to_str().unwrap()]].concat());
    assert_eq!(done.json(), std::fs::read_to_string(saved).unwrap());
    let wrong = Play { turn: 1, orders: "{\"thing\": \"Nobody\"}".to_owned(), ..Play::default() };
    assert_eq!(start.clone().play(&wrong).unwrap_err()[0].code, "E1021");
}

#[test]
fn a_code_is_explained() {
    assert!(explain_code("E0201").unwrap().contains("wrong:"));
    assert_eq!(explain_code("E9999"), None);
}
