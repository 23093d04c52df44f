//! `test`, `run` and `odds`: what is kept, rolled and expected rests on the same answers.

use std::fmt::Write;

use serde_json::Value;

use super::{Bench, Held, list, same, text};
use crate::truth::brute::{Brute, Subject};
use crate::truth::game::{Position, SIDES};
use crate::truth::make::Dice;

/// Cases whose expectations the brute force wrote: every one passes.
pub fn test(bench: &Bench<'_>, dice: &mut Dice, held: &mut Held) -> Result<(), String> {
    let game = bench.game;
    let mut suite = String::from("edition 1\n");
    let mut cases = 0;
    for trace in game.traces() {
        for subject in bench.subjects(trace, &game.start) {
            let name = match subject {
                Subject::Unit(_) => bench.name(subject),
                Subject::Space(space) => game.place(space),
            };
            let side = game.start.viewer;
            let want = bench.brute(&game.start).answer(trace, subject, Some(side));
            let word = if want.yes { trace.yes } else { trace.no };
            let _ = writeln!(suite, "case \"{cases}: {} of {name}\" {{\n  setup start", trace.name);
            if !trace.of_units {
                let _ = writeln!(suite, "  given viewer is {}", SIDES[side]);
            }
            let _ = writeln!(suite, "  expect {} of {name} is {word}", trace.name);
            if let (Some(length), true) = (want.length, trace.one_measure()) {
                let _ = writeln!(suite, "  expect length of {} of {name} is {length}", trace.name);
                held.test += 1;
            }
            suite.push_str("}\n");
            cases += 1;
        }
    }
    if game.line.judged {
        cases += kept(bench, dice, &mut suite);
    }
    std::fs::write(bench.folder.join("game/suite.sut"), &suite).unwrap();
    let found = bench.json(&["test", "game", "--format", "json"]);
    std::fs::remove_file(bench.folder.join("game/suite.sut")).unwrap();
    let found = found?;
    held.test += cases;
    same(&found["failed"].as_u64(), &Some(0), || format!("failed cases {found:#}\n{suite}"))?;
    same(&found["passed"].as_u64(), &Some(cases), || format!("passed cases {found:#}\n{suite}"))
}

/// An answer that is kept stays while its unit moves; `now` asks afresh.
fn kept(bench: &Bench<'_>, dice: &mut Dice, suite: &mut String) -> u64 {
    let (game, start) = (bench.game, &bench.game.start);
    let trace = &game.line;
    let mut cases = 0;
    for subject in bench.subjects(trace, start) {
        let Subject::Unit(unit) = subject else { continue };
        let to = dice.below(game.spaces());
        let mut moved: Position = start.clone();
        moved.units[unit].space = Some(to);
        let word = |at: &Position| {
            if Brute::new(game, at).answer(trace, subject, None).yes { trace.yes } else { trace.no }
        };
        let side = SIDES[start.units[unit].side];
        let _ = write!(
            suite,
            "case \"kept {cases}\" {{\n  setup start\n  run check of {side}\n  given space of U{unit} is {}\n  \
             expect line of U{unit} is {}\n  expect now line of U{unit} is {}\n}}\n",
            game.place(to),
            word(start),
            word(&moved)
        );
        cases += 1;
    }
    cases
}

/// One turn: what is judged is what the brute force says, and who is cut rolls if the phase happens.
pub fn run(bench: &Bench<'_>, held: &mut Held) -> Result<(), String> {
    let game = bench.game;
    let (code, out, err) = bench.run(&[
        "run", "game", "--setup", "start", "--turns", "1", "--seed", "7", "--format", "jsonl",
    ])?;
    same(&code, &0, || format!("run: {err}"))?;
    let events: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let brute = bench.brute(&game.start);
    let off = (0..game.start.units.len()).filter(|u| game.start.units[*u].space.is_none());
    let off: Vec<String> = off.map(|u| format!("U{u}")).collect();
    let (mut judged, mut rolled) = (Vec::new(), Vec::new());
    for event in events.iter().filter(|e| !off.iter().any(|o| o == text(e, "thing"))) {
        match text(event, "what") {
            "judged" => {
                judged.push((text(event, "thing").to_owned(), text(event, "answer").to_owned()))
            }
            "rolled" => rolled.push(text(event, "thing").to_owned()),
            _ => {}
        }
    }
    let (mut answers, mut cut) = (Vec::new(), Vec::new());
    for subject in bench.subjects(&game.line, &game.start) {
        let yes = brute.answer(&game.line, subject, None).yes;
        let word = if yes { game.line.yes } else { game.line.no };
        answers.push((bench.name(subject), word.to_owned()));
        if !yes && game.fate.happens(&game.start) {
            cut.push(bench.name(subject));
        }
        held.run += 1;
    }
    judged.sort();
    rolled.sort();
    if game.line.judged {
        same(&judged, &answers, || "what run judges".to_owned())?;
    }
    same(&rolled, &cut, || "who rolls".to_owned())
}

/// Who is cut is marked with one chance in three if the phase happens, nobody else ever.
pub fn odds(bench: &Bench<'_>, held: &mut Held) -> Result<(), String> {
    let game = bench.game;
    let found =
        bench.json(&["odds", "game", "--setup", "start", "--phase", "fate", "--format", "json"])?;
    let brute = bench.brute(&game.start);
    for subject in bench.subjects(&game.line, &game.start) {
        let cut = !brute.answer(&game.line, subject, None).yes && game.fate.happens(&game.start);
        let name = bench.name(subject);
        let unit = list(&found, "units").iter().find(|u| text(u, "id") == name);
        let marked = unit
            .into_iter()
            .flat_map(|u| list(u, "odds"))
            .find(|o| text(o, "what").contains("doomed"));
        let chance = marked.map(|o| text(o, "chance"));
        same(&chance, &cut.then_some("1/3"), || format!("odds of {name}\n{found:#}"))?;
        held.odds += 1;
    }
    Ok(())
}
