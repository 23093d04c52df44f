//! Many games side by side: each is the one that `sutler run` plays by its seed, the bytes are the
//! same however they are worked out, and what they come to is what they are.

use std::fs;
use std::path::Path;

use crate::place::{Place, Said};
use crate::support::root;
use serde_json::Value;
use sutler::diag::code::PRELUDE;
use sutler::engine::{Dice, Orders, play};
use sutler::ir::{Ruleset, SetupId};
use sutler::log;
use sutler::play::game_seed;
use sutler::project::Project;
use sutler::world::start;

const ALL: [&str; 5] = ["malaya", "soldier_kings", "sgs", "blockade_siege", "twilight"];

fn shipped(name: &str) -> String {
    root().join("rulesets").join(name).display().to_string()
}

fn rules_of(name: &str) -> Ruleset {
    let mut project = Project::open(Path::new(&shipped(name)));
    project.rulesets.first_mut().unwrap().rules.take().unwrap()
}

fn rows(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The lines of games alone, without the first line and the summary.
fn games(said: &Said) -> Vec<Value> {
    rows(&said.out).into_iter().filter(|row| row["game"].is_number()).collect()
}

fn played(place: &Place, name: &str, more: &[&str]) -> Said {
    let said = place.run(&[&["play", &shipped(name), "--format", "jsonl"], more].concat());
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{name} {more:?}");
    said
}

fn sum(events: &Value) -> u64 {
    events.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum()
}

#[test]
fn a_game_by_the_first_way_is_the_run_of_its_seed() {
    let place = Place::with(PRELUDE);
    for name in ALL {
        let rules = rules_of(name);
        let setup = rules.setups.iter().position(|s| !s.units.is_empty()).unwrap();
        let said = played(&place, name, &["--policy", "first", "--games", "3", "--turns", "3"]);
        for game in games(&said) {
            let seed = game_seed(1, game["game"].as_u64().unwrap());
            assert_eq!(game["seed"], seed, "{name}");
            // A turn of `run` begins with nothing kept of the turn before.
            let (mut world, mut dice) = (start(&rules, SetupId::at(setup)), Dice::seeded(seed));
            let mut events = Vec::new();
            for _ in 0..3 {
                let mut orders = Orders::first_way();
                assert!(play(&rules, &mut world, &mut dice, &mut orders, &mut events).unwrap());
            }
            assert_eq!(sum(&game["events"]), events.len() as u64, "{name} {game}");
            assert_eq!(game["position"], log::end(&rules, &world, 3).position, "{name} {game}");
        }
    }
}

#[test]
fn what_is_counted_stands_in_the_log_of_the_run() {
    let place = Place::with(PRELUDE);
    let said = played(&place, "malaya", &["--policy", "first", "--games", "1", "--turns", "4"]);
    let game = games(&said).remove(0);
    let seed = game["seed"].to_string();
    let call = ["--turns", "4", "--seed", &seed, "--first-way", "--format", "jsonl"];
    let run = place.run(&[&["run", &shipped("malaya")], call.as_slice()].concat());
    let log = rows(&run.out);
    assert_eq!(log.last().unwrap()["position"], game["position"]);
    let count = |is: &dyn Fn(&Value) -> bool| log.iter().filter(|line| is(line)).count() as u64;
    let events = &game["events"];
    for (name, found) in [
        ("supply_losses: attrition loses", count(&|l| l["outcome"] == "loses")),
        ("supply_losses: leaves the game", count(&|l| l["what"] == "removed")),
        ("supply_phase: supply unsupplied", count(&|l| l["answer"] == "unsupplied")),
        ("supply_losses: steps lowered", count(&|l| l["fact"] == "steps")),
    ] {
        assert!(found > 0, "{name} never happens");
        assert_eq!(events[name], found, "{name}");
    }
}

#[test]
fn a_game_by_chance_is_played_again_by_its_orders() {
    let place = Place::with(PRELUDE);
    for name in ["malaya", "soldier_kings", "sgs"] {
        let args = ["--games", "2", "--turns", "4", "--seed", "5", "--from", "3"];
        for game in games(&played(&place, name, &args)) {
            let number = game["game"].to_string();
            let args = ["--turns", "4", "--seed", "5", "--orders", &number];
            let orders = place.run(&[&["play", &shipped(name)], args.as_slice()].concat());
            let seed = game["seed"].to_string();
            let call = format!("# sutler run --turns 4 --seed {seed} --orders\n");
            assert!(orders.out.starts_with(&call), "{name}: {}", orders.out);
            assert!(name == "soldier_kings" || orders.out.lines().count() > 3, "{}", orders.out);
            place.write("orders.jsonl", &orders.out);
            let args = ["--turns", "4", "--seed", &seed, "--orders", "orders.jsonl"];
            let end = ["--format", "jsonl"];
            let run = place.run(&[&["run", &shipped(name)], args.as_slice(), &end].concat());
            assert_eq!(run.code, 0, "{name}: {}", run.err);
            let log = rows(&run.out);
            assert_eq!(log.last().unwrap()["position"], game["position"], "{name} game {number}");
            // Beside the first and the last line a log has a line an event.
            assert_eq!(sum(&game["events"]), log.len() as u64 - 2, "{name} game {number}");
        }
    }
}

#[test]
fn chance_takes_an_offer_as_often_as_it_leaves_it() {
    let place = Place::with(PRELUDE);
    let said = played(&place, "sgs", &["--games", "400", "--turns", "6"]);
    let summary = rows(&said.out).pop().unwrap();
    let means = summary["summary"]["means"].as_array().unwrap();
    let set = means.iter().find(|row| row["name"] == "replacement_phase: replaced set").unwrap();
    // Four units are offered it in each of six turns; half of 24 lies near the mean of 400 games,
    // by four of its deviations, each a half of the root of 24 over 20.
    let mean = set["mean"].as_f64().unwrap();
    assert!((mean - 12.0).abs() < 0.5, "{set}");
    assert!(set["least"].as_u64() < Some(8) && set["most"].as_u64() > Some(16), "{set}");
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads_and_from_any_game() {
    let place = Place::with(PRELUDE);
    let args = ["--games", "30", "--turns", "2", "--seed", "9"];
    let one = played(&place, "blockade_siege", &[&args[..], &["--jobs", "1"]].concat());
    for jobs in ["2", "5"] {
        let many = played(&place, "blockade_siege", &[&args[..], &["--jobs", jobs]].concat());
        assert_eq!(one.out, many.out, "{jobs} threads");
    }
    let args = ["--games", "10", "--turns", "2", "--seed", "9", "--from", "21"];
    assert_eq!(games(&played(&place, "blockade_siege", &args)), games(&one)[20..]);
    let args = ["--games", "30", "--turns", "2", "--seed", "10"];
    assert_ne!(games(&played(&place, "blockade_siege", &args))[0], games(&one)[0]);
}

/// A call that writes its games into a file.
fn kept(place: &Place, games: &str, more: &[&str]) -> Said {
    let ruleset = shipped("sgs");
    let against = shipped("sgs/full_fortress.sut");
    let call = ["play", &ruleset, "--against", &against, "--turns", "2", "--games", games];
    place.run(&[&call[..], &["--out", "games.jsonl"], more].concat())
}

#[test]
fn a_stopped_run_goes_on_to_the_same_bytes() {
    let (whole, place) = (Place::with(PRELUDE), Place::with(PRELUDE));
    let wanted = kept(&whole, "6", &[]);
    assert_eq!((wanted.code, wanted.err.as_str()), (0, ""));
    let bytes = fs::read(whole.path("games.jsonl")).unwrap();
    let lines: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    assert_eq!(lines.len(), 13, "a first line, and two a game");
    // Cut in the first line, behind it, in a game, between its two records, and behind a game.
    for cut in [40, lines[0] + 1, lines[2] + 9, lines[3] + 1, lines[4] + 1, lines[4], bytes.len()] {
        place.write("games.jsonl.part", &bytes[..cut]);
        let said = kept(&place, "6", &["--resume"]);
        assert_eq!((said.code, said.err.as_str(), &said.out), (0, "", &wanted.out), "cut at {cut}");
        assert!(fs::read(place.path("games.jsonl")).unwrap() == bytes, "cut at {cut}");
        assert!(!place.path("games.jsonl.part").exists(), "cut at {cut}");
    }
    // A whole file is gone on with too, where more games are asked for.
    assert_eq!(kept(&place, "8", &["--resume"]).code, 0);
    assert!(fs::read(place.path("games.jsonl")).unwrap().starts_with(&bytes));
    assert_eq!(kept(&whole, "8", &[]).code, 0);
    assert!(
        fs::read(whole.path("games.jsonl")).unwrap()
            == fs::read(place.path("games.jsonl")).unwrap()
    );
}

#[test]
fn only_the_same_run_is_gone_on_with() {
    let place = Place::with(PRELUDE);
    assert_eq!(kept(&place, "3", &[]).code, 0);
    let bytes = fs::read(place.path("games.jsonl")).unwrap();
    for (more, differs) in [
        (&["--seed", "2"][..], "the seed is `1` there, and `2` in this call"),
        (&["--policy", "first"], "the policy is `random` there, and `first` in this call"),
        (&["--from", "2"], "the first game is `1` there, and `2` in this call"),
        (&["--ask", "1"], "what is asked is `` there, and `1` in this call"),
        (&["--given", "control of Icegate is Red"], "the position at the start is"),
    ] {
        let said = kept(&place, "3", &[&["--resume"], more].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{more:?}: {}", said.err);
        assert!(said.err.contains(differs), "{more:?}: {}", said.err);
        assert!(fs::read(place.path("games.jsonl")).unwrap() == bytes, "{more:?}");
    }
    let fewer = kept(&place, "2", &["--resume"]);
    assert!(fewer.code == 2 && fewer.err.contains("it holds game 3"), "{}", fewer.err);
    // What a stopped run has left is not written over.
    place.write("games.jsonl.part", &bytes[..60]);
    let said = kept(&place, "3", &[]);
    assert!(said.code == 2 && said.err.contains("go on with it by `--resume`"), "{}", said.err);
    // A line that is no game is told with its number.
    let text = String::from_utf8(bytes).unwrap();
    place.write("games.jsonl.part", text.replacen("\"game\":2", "\"game\":7", 1));
    let said = kept(&place, "3", &["--resume"]);
    assert!(said.code == 2 && said.err.contains("game 2 is expected here"), "{}", said.err);
    place.write("games.jsonl.part", text.replacen("\"units\"", "\"unit\"", 1));
    let said = kept(&place, "3", &["--resume"]);
    assert!(said.code == 2 && said.err.contains("line 2 of"), "{}", said.err);
}

#[test]
fn the_summary_is_that_of_its_games() {
    let place = Place::with(PRELUDE);
    let asked = ["--ask", "commonwealth_lost", "--ask", "unsupplied", "--ask", "terrain"];
    let of = ["--of", "game", "--of", "counter", "--of", "hex"];
    let said =
        played(&place, "malaya", &[&["--games", "7", "--turns", "2"], &asked[..], &of].concat());
    let games = games(&said);
    let summary = rows(&said.out).pop().unwrap();
    assert_eq!(summary["games"], 7);
    let means = summary["summary"]["means"].as_array().unwrap();
    let of = |get: &dyn Fn(&Value) -> i64, (of, name): (&str, &str)| {
        let row = means.iter().find(|row| row["of"] == of && row["name"] == name).unwrap();
        let values: Vec<i64> = games.iter().map(get).collect();
        let sum: i64 = values.iter().sum();
        assert_eq!(row["least"], *values.iter().min().unwrap(), "{name}");
        assert_eq!(row["most"], *values.iter().max().unwrap(), "{name}");
        let mean = row["mean"].as_f64().unwrap();
        assert!((mean - sum as f64 / 7.0).abs() < 0.00006, "{name}: {mean}, {values:?}");
        assert!(row["low"].as_f64() <= Some(mean) && row["high"].as_f64() >= Some(mean));
    };
    let event = "supply_losses: attrition loses";
    of(&|game| game["events"][event].as_i64().unwrap(), ("events", event));
    of(&|game| game["units"]["Japan"].as_i64().unwrap(), ("units", "Japan"));
    of(&|game| game["asked"][0].as_i64().unwrap(), ("asked", "commonwealth_lost of game"));
    of(&|game| game["asked"][1].as_i64().unwrap(), ("asked", "unsupplied of counter"));
    of(&|game| game["asked"][2]["swamp"].as_i64().unwrap(), ("asked", "terrain of hex is swamp"));
    let ended = &summary["summary"]["shares"][0];
    assert_eq!(
        (&ended["name"], &ended["yes"], &ended["share"]),
        (&"played".into(), &7.into(), &1.into())
    );
    // The interval of Wilson for 7 of 7: 7 over 7 and 1.96 squared.
    assert_eq!(ended["low"], 0.6457);
}

#[test]
fn marks_and_stages_last_as_long_as_the_log_says() {
    let place = Place::with(PRELUDE);
    let said = played(&place, "blockade_siege", &["--games", "12", "--turns", "8"]);
    let (mut spells, mut stages) = (0, 0);
    for game in games(&said) {
        let events = &game["events"];
        for (name, lasted) in game["lasted"].as_object().unwrap() {
            let number = |of: &str| lasted[of].as_u64().unwrap();
            let (ended, turns) = (number("ended"), number("turns"));
            assert!(
                number("least") * ended <= turns && turns <= number("most") * ended,
                "{lasted}"
            );
            assert!(turns * turns <= number("squares") * ended.max(1), "{lasted}");
            spells += ended + number("unended");
            // Every stage that was come to was left, or is the stage at the end.
            if let Some(stage) = name.strip_prefix("stage of fortress is ") {
                let come: u64 = events
                    .as_object()
                    .unwrap()
                    .iter()
                    .filter(|(event, _)| event.ends_with(&format!(" stage is {stage}")))
                    .map(|(_, n)| n.as_u64().unwrap())
                    .sum();
                assert_eq!(come, ended + number("unended"), "{name}: {events}");
                stages += 1;
            }
        }
    }
    assert!(spells > 100 && stages > 10, "{spells} {stages}");
    let summary = rows(&said.out).pop().unwrap();
    for row in summary["summary"]["lasted"].as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let of = |game: &Value| game["lasted"][name]["ended"].as_u64().unwrap_or_default();
        assert_eq!(row["ended"], games(&said).iter().map(of).sum::<u64>(), "{row}");
    }
}

#[test]
fn a_track_is_under_way_as_long_as_its_inner_stages_together() {
    let page = fs::read_to_string(root().join("docs/workbench/play.md")).unwrap();
    let game = page.split("```file siege/rules.sut\n").nth(1).unwrap().split("```").next().unwrap();
    let place = Place::with(game);
    let call = ["play", "game", "--games", "60", "--turns", "20", "--format", "jsonl"];
    let mut compared = 0;
    for game in games(&place.run(&call)) {
        let lasted = |name: &str, of: &str| {
            game["lasted"][format!("trenches of town {name}")][of].as_u64().unwrap_or_default()
        };
        assert_eq!(
            lasted("under way", "unended"),
            lasted("is begun", "unended") + lasted("is close", "unended"),
            "{game}"
        );
        if lasted("under way", "unended") == 0 {
            let inner = lasted("is begun", "turns") + lasted("is close", "turns");
            assert_eq!(lasted("under way", "turns"), inner, "{game}");
            compared += 1;
        }
        // The town starves to the start of the next turn, which is one turn later.
        let hungry = &game["lasted"]["starving of town"];
        assert_eq!(hungry["turns"], hungry["ended"], "{game}");
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn the_same_games_are_compared_by_other_rules() {
    let place = Place::with(PRELUDE);
    let (rules, variant) = (shipped("malaya"), shipped("malaya/jungle_tracks.sut"));
    let call = |other: &str| {
        let args = ["--games", "6", "--turns", "2", "--format", "json", "--ask", "japan_lost"];
        let said = place.run(&[&["play", &rules, "--against", other], &args[..]].concat());
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        serde_json::from_str::<Value>(&said.out).unwrap()
    };
    let same = call(&rules);
    let rows = same["differences"].as_array().unwrap();
    assert!(rows.len() > 10);
    assert!(rows.iter().all(|r| r["low"] == 0 && r["high"] == 0 && r["games"] == 6), "{rows:?}");
    assert_eq!(same["summary"], same["summary_against"]);
    let other = call(&variant);
    assert_eq!(
        (&other["ruleset"], &other["against"]["ruleset"]),
        (&"malaya".into(), &"jungle_tracks".into())
    );
    let mean = |part: &Value, name: &str| {
        let row = part.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        row["mean"].as_f64().unwrap()
    };
    for name in ["supply_losses: attrition loses", "trains: moves", "japan_lost", "Japan"] {
        let (a, b) = (&other["summary"]["means"], &other["summary_against"]["means"]);
        let difference = mean(&other["differences"], name);
        assert!((mean(b, name) - mean(a, name) - difference).abs() < 0.0002, "{name}");
    }
    assert!(mean(&other["differences"], "supply_losses: attrition loses") < 0.0, "{other}");
}

#[test]
fn what_is_wrong_with_a_call_is_said_before_anything_is_played() {
    let place = Place::with(PRELUDE);
    let malaya = shipped("malaya");
    for (more, wanted) in [
        (&["--ask", "unsuplied", "--of", "counter"][..], "unsuplied"),
        (&["--ask", "1", "--of", "contuer"], "contuer"),
        (
            &["--ask", "1", "--ask", "2", "--ask", "3", "--of", "game", "--of", "game"],
            "3 questions and 2 kinds",
        ),
        (&["--ask", "1", "--side", "Japn"], "no side is called `Japn`"),
        (&["--games", "0"], "0 is not in 1..=10000000"),
        (&["--turns", "10001"], "10001 is not in 1..=10000"),
        (&["--resume"], "--out"),
        (&["--out", "rules.sut"], "is a place for rules"),
        (&["--out", "nowhere/games.jsonl"], "cannot be written"),
    ] {
        let said = place.run(&[&["play", &malaya], more].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{more:?}: {}", said.err);
        assert!(said.err.contains(wanted), "{more:?}: {}", said.err);
    }
    let still = "edition 1\nruleset still \"Still\" prefix S\nsides Red, Blue\n";
    let map = "kind town, towns is space\nmap m {\n  space town A\n}\nsetup s on m {\n}\n";
    place.write("still/rules.sut", format!("{still}{map}"));
    let said = place.run(&["play", "still"]);
    assert!(said.code == 2 && said.err.contains("the ruleset has no clock"), "{}", said.err);
}

/// A game that cannot go on where a die shows 1 or 2.
const GREAT: &str = "edition 1
ruleset great \"Great\" prefix S
sides Red, Blue
clock turn has part of each side
dimension points (point)
kind town, towns is space
kind army, armies is unit {
  has strength in points from 0 to 1000000000
}
kind game, games is world {
  has lost in points from 0 to 99
}
test luck of army {
  roll 1d6
  when total at most 2 then bad
  otherwise good
}
phase parts in part of Red {
  roll luck for armies
  do   raise lost by 1 for armies where (luck is bad and strength * 1000000000 * 1000000000 at least 1)
}
map m {
  space town A
}
setup s on m {
  put army One of Red in A with strength 1000000000
}
";

#[test]
fn a_fault_ends_its_game_and_no_other() {
    let place = Place::with(GREAT);
    let call = ["play", "game", "--games", "300", "--turns", "3", "--format", "jsonl"];
    let said = place.run(&call);
    assert_eq!(said.code, 1, "{}", said.err);
    let games = games(&said);
    let stopped: Vec<&Value> = games.iter().filter(|game| game["ended"] == "fault").collect();
    let first = stopped[0];
    assert_eq!(first["fault"]["code"], "E1002");
    let told = format!(
        "{} games ended by a fault; the first is game {}: error[E1002]",
        stopped.len(),
        first["game"]
    );
    assert!(said.err.contains(&told), "{}", said.err);
    for game in &games {
        let whole = game["ended"] == "played";
        assert_eq!(whole, game["turns"] == 3 && game["fault"].is_null(), "{game}");
        assert_eq!(whole, game["events"]["parts: luck bad"].is_null(), "{game}");
    }
    // Two games in three go through a turn: 8 in 27 go through three, 89 of 300, and four
    // deviations are 32.
    let whole = games.len() - stopped.len();
    assert!((57..=121).contains(&whole), "{whole} games of 300");
    let summary = rows(&said.out).pop().unwrap();
    let share = &summary["summary"]["shares"][1];
    assert_eq!((&share["name"], &share["yes"]), (&"played".into(), &whole.into()));
    let (low, high) = (share["low"].as_f64().unwrap(), share["high"].as_f64().unwrap());
    assert!(low < 0.3 && 0.29 < high && high - low < 0.11, "{share}");
    // The call that it names comes to the same fault.
    let number = first["game"].to_string();
    let orders = place.run(&["play", "game", "--turns", "3", "--orders", &number]);
    place.write("orders.jsonl", &orders.out);
    let words: Vec<&str> = orders.out.lines().next().unwrap().split(' ').skip(3).collect();
    let run = place.run(&[&["run", "game"], words.as_slice(), &["orders.jsonl"]].concat());
    assert!(run.code == 1 && run.err.contains("E1002"), "{}", run.err);
}

/// The library plays the games of the command, on any number of threads, and asks a function.
#[test]
fn a_program_plays_the_games_of_the_command() {
    let place = Place::with(PRELUDE);
    let game = sutler::Rules::open(root().join("rulesets/malaya")).game().unwrap();
    let start = game.first_setup().unwrap();
    let all = || sutler::Games::new(&start, 3, 1).unwrap();
    let play = |games: &sutler::Games, jobs| {
        let mut found = Vec::new();
        let take = |record: &sutler::GameRecord| {
            found.push(serde_json::to_value(record).unwrap());
            true
        };
        let summary = games.play(1..4, jobs, take).unwrap();
        (found, serde_json::to_value(summary).unwrap())
    };
    for (policy, own) in [("random", all()), ("first", all().first())] {
        let said = played(&place, "malaya", &["--games", "3", "--turns", "3", "--policy", policy]);
        let expected = (games(&said), rows(&said.out).pop().unwrap());
        assert_eq!(play(&own, 1), expected, "{policy}");
        assert_eq!(play(&own, 2), expected, "{policy}");
    }
    let offers = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let seen = std::sync::Arc::clone(&offers);
    let asked = all().decided("first", move |offered, position| {
        assert!(!offered.ways.is_empty() && position.game().hash().len() == 32);
        seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        offered.must.then_some(0)
    });
    assert_eq!(play(&asked, 2), play(&all().first(), 1));
    assert!(offers.load(std::sync::atomic::Ordering::Relaxed) > 0);
    let mut count = 0;
    let stopped = |_: &sutler::GameRecord| {
        count += 1;
        count < 2
    };
    let summary = all().play(1..50, 2, stopped).unwrap();
    assert_eq!((count, summary.games), (2, 2));
    assert!(all().asking("no such word", None).play(1..2, 1, |_| true).is_err());
}
