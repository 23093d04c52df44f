//! `impact`: exactly the answers that flip.

use super::{Bench, Held, list, same, text};
use crate::truth::brute::Brute;
use crate::truth::game::{Cond, Game, Within};
use crate::truth::make::Dice;
use crate::truth::write;

/// The same game with one line of the trace `line` changed.
fn changed(dice: &mut Dice, game: &Game) -> Game {
    let mut other = game.clone();
    let at = dice.below(other.line.legs.len());
    let leg = &mut other.line.legs[at];
    match dice.below(4) {
        0 => leg.through = Cond::Always,
        1 => leg.into = Cond::Not(Box::new(Cond::Flooded)),
        2 => leg.within = Within::Number(1),
        _ => other.line.sources[0].1 = Cond::Depot,
    }
    other
}

pub fn impact(bench: &Bench<'_>, dice: &mut Dice, held: &mut Held) -> Result<(), String> {
    let other = changed(dice, bench.game);
    bench.write("other", &other);
    let lines: Vec<String> =
        bench.positions.iter().map(|p| write::position(bench.game, p)).collect();
    let file = bench.file("positions.jsonl", &(lines.join("\n") + "\n"));
    let found =
        bench.json(&["impact", "game", "other", "--positions", &file, "--format", "json"])?;
    let mut got = Vec::new();
    for flip in list(&found, "flips") {
        let position = text(flip, "position").rsplit(':').next().unwrap_or_default().to_owned();
        if let Some(trace) = text(flip, "question").strip_prefix("trace ") {
            got.push((position, trace.to_owned(), text(flip, "of").to_owned()));
        }
    }
    let mut want = Vec::new();
    for (number, at) in bench.positions.iter().enumerate() {
        let (a, b) = (Brute::new(bench.game, at), Brute::new(&other, at));
        for (before, after) in bench.game.traces().zip(other.traces()) {
            for subject in bench.subjects(before, at) {
                held.impact += 1;
                let viewer = Some(at.viewer);
                if a.answer(before, subject, viewer).yes != b.answer(after, subject, viewer).yes {
                    want.push((
                        (number + 1).to_string(),
                        before.name.to_owned(),
                        bench.name(subject),
                    ));
                }
            }
        }
    }
    got.sort();
    want.sort();
    let text = |e: String| format!("{e}\n{}", write::rules(&other));
    same(&got, &want, || "the flips of impact".to_owned()).map_err(text)
}
