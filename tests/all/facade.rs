//! The library as a program calls it: rules from a folder and from texts, positions asked, changed
//! and asked again, faults as data.

use std::path::Path;

use sutler::{
    Drawing, Evidence, Game, OFF_MAP, Position, Rules, Side, Space, Table, Thing, Trace,
    TraceReport, Unit,
};

const SHIPPED: [&str; 5] = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"];

fn shipped(name: &str) -> Game {
    let rules = Rules::open(Path::new("rulesets").join(name));
    rules.game().unwrap_or_else(|faults| panic!("{faults}"))
}

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound.max(1)
    }
}

/// A random change; false where the position refuses it.
fn change(position: &mut Position, dice: &mut Dice) -> bool {
    let (units, spaces) = (position.units().count(), position.spaces().count());
    let unit = Unit(u32::try_from(dice.below(units)).unwrap());
    let space = Space(u32::try_from(dice.below(spaces)).unwrap());
    let sides = position.game().sides().count();
    match dice.below(12) {
        0 => position.remove(unit).is_ok(),
        1 => position.move_unit(unit, None).is_ok(),
        2..4 => {
            let side = dice.below(sides + 1).checked_sub(1);
            let side = side.map(|s| Side(u8::try_from(s).unwrap()));
            position.set_control(space, side).is_ok()
        }
        _ => position.move_unit(unit, Some(space)).is_ok(),
    }
}

/// What a position says of a trace: yes or no alone, each thing asked by itself, and all rows.
fn all_ways(position: &Position, trace: Trace) -> Vec<(Thing, bool)> {
    let flags = position.all_yes(trace).unwrap();
    let rows = position.ask_all(trace).unwrap().units;
    assert_eq!(flags.len(), rows.len());
    for ((thing, yes), row) in flags.iter().zip(&rows) {
        assert_eq!((position.name(*thing), *yes), (row.id.clone(), row.yes));
        assert_eq!(position.is_yes(trace, *thing).unwrap(), *yes);
    }
    flags
}

#[test]
fn answers_follow_the_moves() {
    for name in SHIPPED {
        let game = shipped(name);
        let viewer = game.sides().next().and_then(|side| game.side(side).ok());
        for trace in game.traces().map(|t| game.trace(t).unwrap()) {
            let mut dice = Dice(7);
            let mut position = game.first_setup().unwrap();
            position.set_viewer(viewer).unwrap();
            all_ways(&position, trace);
            for _ in 0..6 {
                let before = position.clone();
                if !change(&mut position, &mut dice) {
                    assert_eq!(position, before, "a change that is refused changes nothing");
                    continue;
                }
                // A copy has kept nothing, so that it works everything out afresh.
                let fresh = Position::clone(&position);
                assert_eq!(position.all_yes(trace).unwrap(), all_ways(&fresh, trace), "{name}");
                let row = |p: &Position| serde_json::to_string(&p.ask_all(trace).unwrap()).unwrap();
                assert_eq!(row(&position), row(&fresh), "{name}");
                let evidence = position.evidence(trace).unwrap();
                assert_eq!(evidence, fresh.evidence(trace).unwrap(), "{name}");
                says_the_same(&position, &evidence, &fresh.ask_all(trace).unwrap());
            }
        }
    }
}

/// Evidence in numbers is what the report has in words.
fn says_the_same(position: &Position, evidence: &[Evidence], report: &TraceReport) {
    assert_eq!(evidence.len(), report.units.len());
    for (found, row) in evidence.iter().zip(&report.units) {
        let name = |space: Space| position.name(space.into());
        assert_eq!(position.name(found.thing), row.id);
        assert_eq!(found.space.map(name), row.space);
        assert_eq!((found.yes, found.distance, found.gate), (row.yes, row.distance, row.gate));
        assert_eq!(found.stop.map(name), row.stop);
        assert_eq!(found.source.is_some(), row.source.is_some());
        assert!(found.route.iter().map(|space| name(*space)).eq(row.route.iter().cloned()));
    }
}

#[test]
fn what_is_dragged_and_asked_again_says_what_a_fresh_position_says() {
    for name in SHIPPED {
        let game = shipped(name);
        let Ok(trace) = game.main_trace() else { continue };
        let mut dice = Dice(11);
        let mut position = game.first_setup().unwrap();
        position.set_viewer(game.sides().next().and_then(|side| game.side(side).ok())).unwrap();
        let (units, spaces) = (position.units().count(), position.spaces().count());
        let drawing = Drawing {
            trace: Some(trace),
            side: game.sides().last().and_then(|side| game.side(side).ok()),
            ..Drawing::default()
        };
        for _ in 0..3 {
            let unit = Unit(u32::try_from(dice.below(units)).unwrap());
            let Some(home) = position.space_of(unit) else { continue };
            let others = [0; 4].map(|_| Space(u32::try_from(dice.below(spaces)).unwrap()));
            // There and back again: what was searched before is found to be the same, or is not.
            for to in [others[0], others[1], others[0], others[2], home, others[3], home] {
                if position.move_unit(unit, Some(to)).is_err() {
                    continue;
                }
                let fresh = position.clone();
                let frame = |p: &Position| p.frame(&drawing).unwrap().to_string();
                assert_eq!(frame(&position), frame(&fresh), "{name}");
                let rows =
                    |p: &Position| serde_json::to_string(&p.ask_all(trace).unwrap()).unwrap();
                assert_eq!(rows(&position), rows(&fresh), "{name}");
            }
        }
    }
}

#[test]
fn explanations_are_those_of_a_position_that_was_never_asked() {
    for name in SHIPPED {
        let game = shipped(name);
        let Ok(trace) = game.main_trace() else { continue };
        let mut warm = game.first_setup().unwrap();
        warm.set_viewer(game.sides().next().and_then(|side| game.side(side).ok())).unwrap();
        for (thing, _) in warm.all_yes(trace).unwrap().into_iter().take(12) {
            let cold = warm.clone();
            let (a, b) = (warm.explain(trace, thing), cold.explain(trace, thing));
            assert_eq!(a.unwrap().to_string(), b.unwrap().to_string());
            let (a, b) = (warm.ask(trace, thing), cold.ask(trace, thing));
            let json = |row| serde_json::to_string(&row).unwrap();
            assert_eq!(json(a.unwrap()), json(b.unwrap()));
        }
    }
}

#[test]
fn odds_are_those_of_the_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut compared = 0;
    for name in SHIPPED {
        let game = shipped(name);
        let Some(setup) = game.setups().next().map(str::to_owned) else { continue };
        let position = game.setup(&setup).unwrap();
        for test in game.tests() {
            let folder = format!("rulesets/{name}");
            let args = ["odds", &folder, "--setup", &setup, "--test", test];
            let said = crate::place::said(&crate::place::command(root, &args).output().unwrap());
            match position.odds(test, &[]) {
                Ok(odds) => assert_eq!(odds.to_string(), said.out, "{name} {test}"),
                Err(_) => assert!(!said.err.is_empty(), "{name} {test}"),
            }
            compared += 1;
        }
        assert!(position.odds("no_such_test", &[]).is_err());
    }
    assert!(compared > 5, "{compared} tests");
}

#[test]
fn a_position_comes_back_from_its_json() {
    for name in SHIPPED {
        let position = shipped(name).first_setup().unwrap();
        let again = position.game().position(&position.json()).unwrap();
        assert_eq!(position, again);
        assert_eq!(position.json(), again.json());
    }
}

#[test]
fn a_batch_says_what_each_position_says() {
    for name in ["soldier_kings", "malaya"] {
        let game = shipped(name);
        let trace = game.main_trace().unwrap();
        let mut dice = Dice(11);
        let mut position = game.first_setup().unwrap();
        let mut positions = Vec::new();
        for _ in 0..20 {
            change(&mut position, &mut dice);
            positions.push(position.clone());
        }
        let batch = game.batch(trace);
        for _ in 0..2 {
            let answers = batch.ask(&positions);
            assert_eq!(answers.len(), positions.len());
            for (answers, position) in answers.iter().zip(&positions) {
                assert_eq!(answers.as_ref().unwrap(), &position.all_yes(trace).unwrap());
            }
        }
    }
}

#[test]
fn rows_say_what_each_position_says() {
    for name in ["soldier_kings", "malaya", "sgs", "blockade_siege"] {
        let game = shipped(name);
        let mut like = game.first_setup().unwrap();
        like.set_viewer(game.sides().next().and_then(|side| game.side(side).ok())).unwrap();
        for trace in game.traces().map(|t| game.trace(t).unwrap()) {
            let (mut position, mut dice) = (like.clone(), Dice(5));
            let (mut all, mut stands, mut control) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..20 {
                for _ in 0..5 {
                    // What has left the game is a position of another kind.
                    let next = &mut position.clone();
                    change(next, &mut dice);
                    if next.units().count() == like.units().count() && !has_removed(next) {
                        position = next.clone();
                    }
                }
                let spaces = u32::try_from(position.spaces().count()).unwrap();
                let units = u32::try_from(position.units().count()).unwrap();
                let at =
                    |u| position.space_of(Unit(u)).map_or(OFF_MAP, |s| s.0.try_into().unwrap());
                stands.extend((0..units).map(at));
                let of = |s| position.control(Space(s)).map_or(0, |s| s.0 + 1);
                control.extend((0..spaces).map(of));
                all.push(position.clone());
            }
            let rows = like.rows(trace).unwrap();
            for _ in 0..2 {
                let bits = rows.ask(&Table { stands: &stands, control: &control }).unwrap();
                assert_eq!(bits.positions(), all.len());
                for (at, position) in all.iter().enumerate() {
                    for (thing, yes) in position.all_yes(trace).unwrap() {
                        let nth = bits.things().iter().position(|t| *t == thing).unwrap();
                        assert_eq!(
                            bits.is_yes(at, nth),
                            yes,
                            "{name} {at} {}",
                            position.name(thing)
                        );
                    }
                }
            }
        }
    }
}

fn has_removed(position: &Position) -> bool {
    position.json().contains("\"removed\": true")
}

#[test]
fn a_table_that_does_not_fit_is_refused() {
    let like = shipped("soldier_kings").first_setup().unwrap();
    let rows = like.rows(like.game().main_trace().unwrap()).unwrap();
    let (units, spaces) = (like.units().count(), like.spaces().count());
    let ask = |stands: &[u16], control: &[u8]| rows.ask(&Table { stands, control });
    assert_eq!(ask(&[], &[]).unwrap().positions(), 0);
    assert_eq!(ask(&vec![OFF_MAP; units], &[]).unwrap().positions(), 1);
    assert!(ask(&vec![OFF_MAP; units + 1], &[]).is_err());
    assert!(ask(&vec![OFF_MAP; units], &vec![0; spaces + 1]).is_err());
    assert!(ask(&vec![u16::try_from(spaces).unwrap(); units], &[]).is_err());
    assert!(ask(&vec![0; units], &vec![255; spaces]).is_err());
}

#[test]
fn threads_share_handles() {
    let game = shipped("soldier_kings");
    let trace = game.main_trace().unwrap();
    let position = game.first_setup().unwrap();
    let batch = game.batch(trace);
    let alone = position.all_yes(trace).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                assert_eq!(position.all_yes(trace).unwrap(), alone);
                assert_eq!(game.first_setup().unwrap().all_yes(trace).unwrap(), alone);
                assert_eq!(batch.ask(std::slice::from_ref(&position))[0].as_ref().unwrap(), &alone);
            });
        }
    });
}

#[test]
fn texts_in_memory_are_what_the_folder_is() {
    for name in SHIPPED {
        let folder = Path::new("rulesets").join(name);
        let mut texts = Vec::new();
        for part in ["", "hooks"] {
            let Ok(entries) = std::fs::read_dir(folder.join(part)) else { continue };
            for entry in entries.flatten().filter(|e| e.path().is_file()) {
                let path = Path::new(part).join(entry.file_name());
                let path = path.to_str().unwrap().to_owned();
                texts.push((path, std::fs::read(entry.path()).unwrap()));
            }
        }
        let memory = Rules::of_texts(texts.clone());
        let disk = Rules::open(&folder);
        assert_eq!(memory.names().collect::<Vec<_>>(), disk.names().collect::<Vec<_>>());
        for ruleset in disk.names() {
            let (a, b) = (memory.named(ruleset).unwrap(), disk.named(ruleset).unwrap());
            assert_eq!(a.hash(), b.hash());
        }
        // The same texts in a folder of several.
        let nested = texts.into_iter().map(|(path, text)| (format!("./{name}/{path}"), text));
        assert_eq!(Rules::of_texts(nested).game().unwrap().hash(), disk.game().unwrap().hash());
    }
}

#[test]
fn one_file_is_a_ruleset_whatever_it_is_called() {
    let text = "edition 1\nruleset tiny \"Tiny\" prefix T\n";
    let hash = |texts: &[(&str, &str)]| {
        let rules = Rules::of_texts(texts.iter().copied());
        rules.game().map(|game| game.hash().to_owned()).map_err(|faults| faults.to_string())
    };
    let named = hash(&[("rules.sut", text)]).unwrap();
    assert_eq!(hash(&[("tiny.sut", text)]).unwrap(), named);
    assert_eq!(hash(&[("tiny.sut", text), ("hooks/none.rhai", "")]).unwrap(), named);
    let refused = hash(&[("tiny.sut", text), ("map.sut", "edition 1\n")]).unwrap_err();
    assert!(refused.contains("there is no ruleset here"), "{refused}");
    let rules = Rules::of_texts([("a.sut", text), ("b.sut", text)]);
    let [fault] = rules.faults() else { panic!("{:?}", rules.faults()) };
    assert_eq!(fault.code, "E0006");
    assert!(fault.help.as_ref().is_some_and(|help| help.contains("`rules.sut`")), "{fault:?}");
}

#[test]
fn faults_are_data() {
    let rules = Rules::of_text(
        "edition 1\nruleset tiny \"Tiny\" prefix T\nsides Red, Blue\ndefine far = raech\n",
    );
    assert!(!rules.is_sound());
    let fault = rules.faults().iter().find(|f| f.is_error()).unwrap();
    let place = fault.place().unwrap();
    assert_eq!((place.file.as_str(), place.line, place.column), ("rules.sut", 4, 14));
    assert_eq!((place.start, place.end), (68, 73));
    let faults = rules.game().unwrap_err();
    assert_eq!(faults.first().map(|f| f.code), Some(fault.code));
    assert!(faults.to_string().contains("at rules.sut:4:14"), "{faults}");
    let json = serde_json::to_value(fault).unwrap();
    assert_eq!(json["labels"][0]["line"], 4);
}

#[test]
fn names_that_are_not_there_are_faults() {
    let game = shipped("soldier_kings");
    let code = |faults: sutler::Faults| faults[0].code;
    let trace = game.main_trace().unwrap();
    let mut position = game.first_setup().unwrap();
    let unit = position.unit(position.units().next().unwrap()).unwrap();
    assert_eq!(code(game.trace("suply").unwrap_err()), "E1052");
    assert!(game.trace("suply").unwrap_err().to_string().contains("write `supply`"));
    assert_eq!(code(game.side("nobody").unwrap_err()), "E1052");
    assert_eq!(code(game.setup("nothing").unwrap_err()), "E1052");
    assert_eq!(code(position.unit("nobody").unwrap_err()), "E1052");
    assert_eq!(code(position.space("nowhere").unwrap_err()), "E1052");
    assert_eq!(code(position.ask(trace, Unit(u32::MAX)).unwrap_err()), "E1052");
    assert_eq!(code(position.ask(trace, Space(0)).unwrap_err()), "E1052");
    assert_eq!(code(position.ask(Trace(999), unit).unwrap_err()), "E1052");
    assert_eq!(code(position.all_yes(Trace(999)).unwrap_err()), "E1052");
    assert_eq!(code(position.move_unit(unit, Some(Space(u32::MAX))).unwrap_err()), "E1052");
    assert_eq!(code(position.set_control(Space(0), Some(Side(255))).unwrap_err()), "E1052");
    assert_eq!(code(position.set_ruling("nothing", "on").unwrap_err()), "E1052");
    let before = position.clone();
    assert!(position.given(["nobody is tired"]).is_err());
    assert_eq!(position, before);
    assert_eq!(game.position("{").unwrap_err()[0].place().unwrap().file, "position");
}
