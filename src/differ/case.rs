//! A difference as a case of a suite.

use super::search::Difference;
use crate::compare::Flip;
use crate::fuzz::{place, position_lines};
use crate::ir::Ruleset;

/// A case with this title that expects what the first ruleset answers, under readings given as
/// `NAME=READING`; nothing where no sentence of a case says the position or the answer.
#[must_use]
pub fn case_text(
    rules: &Ruleset,
    found: &Difference,
    title: &str,
    readings: &[String],
) -> Option<String> {
    let mut lines = position_lines(rules, &found.position)?;
    let stated = readings.iter().filter_map(|reading| reading.split_once('='));
    lines.extend(stated.map(|(name, reading)| {
        let option = rules.rulings.iter().any(|ruling| ruling.name == name && ruling.option);
        format!("{} {name} is {reading}", if option { "option" } else { "ruling" })
    }));
    lines.extend(expectation(rules, &found.flip)?);
    Some(format!("case \"{title}\" {{\n  {}\n}}\n", lines.join("\n  ")))
}

/// Who asks, where it matters, and what is expected.
fn expectation(rules: &Ruleset, flip: &Flip) -> Option<Vec<String>> {
    let (was, now) = (flip.was.as_deref()?, flip.now.as_deref().unwrap_or_default());
    let (noun, name) = flip.question.split_once(' ')?;
    let (of, viewer) = match flip.of.rsplit_once(" as ") {
        Some((of, side)) => (of, Some(side)),
        None => (flip.of.as_str(), None),
    };
    let whose = |name: &str| match of {
        "the world" => name.to_owned(),
        of => format!("{name} of {}", place(of)),
    };
    let sentence = match noun {
        "trace" => format!("{} is {was}", place(of)),
        "table" => {
            let results = &rules.tables.iter().find(|table| table.name == name)?.results;
            let after: Vec<&str> = now.split(", ").collect();
            let (at, value) =
                was.split(", ").enumerate().find(|(at, value)| after.get(*at) != Some(value))?;
            match results.as_slice() {
                [_] => format!("{} is {was}", whose(name)),
                many => format!("{} is {value}", whose(&format!("{} of {name}", many.get(at)?.0))),
            }
        }
        _ => {
            let after: Vec<&str> = now.split(", ").collect();
            let differs =
                |outcome: &&str| !after.contains(outcome) && !outcome.starts_with("nothing ");
            let (outcome, chance) = was.split(", ").find(differs)?.rsplit_once(' ')?;
            format!("{} is {chance}", whose(&format!("chance of {outcome} in {name}")))
        }
    };
    let viewer = viewer.map(|side| format!("given viewer is {side}"));
    Some(viewer.into_iter().chain([format!("expect {sentence}")]).collect())
}
