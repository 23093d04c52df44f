//! A report for reading.

use num_traits::Signed;

use super::{Effect, Flip, Outcome, Report, Row, Shape, Shift};
use crate::diag::counted;
use crate::play::figures::{digits, ends, named, short, table};
use crate::play::{Exact, decimal};

/// No more numbers, and no more variants of a grid, are printed for reading.
const MOST_SHOWN: usize = 15;
/// Names of things, and figures of games, that stand in one line.
const FEW: usize = 4;

/// The report for reading: the numbers, the variants, and where answers turn.
#[must_use]
pub fn report_text(report: &Report) -> String {
    let mut out = format!("{}: {}\n", report.ruleset, head(report));
    if !report.numbers.is_empty() {
        out.push_str(&numbers(report));
        out.push_str(&variants(report));
        out.push_str(&turns(report));
    }
    if !report.unread.is_empty() {
        let many = counted(report.unread.len(), "number");
        let why = "that no answer about a position reads, so that they were left out; games may";
        out.push_str(&format!("\n{many} {why}: {}\n", few(&report.unread, FEW)));
    }
    out
}

pub(super) fn head(report: &Report) -> String {
    let how = match report.shape {
        Shape::OneByOne => "one at a time",
        Shape::Grid => "in all combinations",
        Shape::Sample => "in some of their combinations",
    };
    let over = match (report.positions, report.games) {
        (Some(positions), _) => {
            let answers = counted(usize::try_from(report.answers).unwrap_or(usize::MAX), "answer");
            format!("{} with {answers}", counted(positions, "position"))
        }
        (_, games) => counted(games.unwrap_or_default(), "game"),
    };
    let (numbers, variants) = (report.numbers.len(), report.variants.len());
    format!("{} {how}, {}, {over}", counted(numbers, "number"), counted(variants, "variant"))
}

/// What flips: answers of positions, or games.
pub(super) fn noun(report: &Report) -> &'static str {
    if report.games.is_some() { "games that end otherwise" } else { "answers that flip" }
}

fn numbers(report: &Report) -> String {
    let effect = match report.shape {
        Shape::OneByOne => noun(report).to_owned(),
        Shape::Grid | Shape::Sample => format!("{}, by it alone", noun(report)),
    };
    let head = ["number", "is", &effect, "share", "turns at", "refused"];
    let row = |effect: &Effect| {
        let ends: Vec<String> =
            effect.down.iter().chain(&effect.up).map(|turn| turn.value.to_string()).collect();
        let refused = match effect.refused {
            0 => String::new(),
            refused => format!("{refused} of {}", effect.variants),
        };
        vec![
            effect.number.name.clone(),
            effect.number.is.to_string(),
            short(&effect.effect),
            percent(&effect.effect.0, report.answers),
            ends.join(", "),
            refused,
        ]
    };
    let shown = report.numbers.iter().take(MOST_SHOWN);
    let mut out = table(&head, shown.map(row).collect(), &[0]);
    let more = report.numbers.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        out.push_str(&more_told(more));
    }
    out
}

fn variants(report: &Report) -> String {
    let names: Vec<&str> = report.numbers.iter().map(|n| n.number.name.as_str()).collect();
    let one_by_one = report.shape == Shape::OneByOne;
    let shown = names.get(..MOST_SHOWN.min(names.len())).unwrap_or_default();
    let rows: Vec<&Row> = match one_by_one {
        true => {
            let is_shown = |row: &&Row| row.values.keys().all(|n| shown.contains(&n.as_str()));
            report.variants.iter().filter(is_shown).collect()
        }
        false => report.variants.iter().take(MOST_SHOWN * 2).collect(),
    };
    let mut head: Vec<&str> = if one_by_one { vec!["number", "now"] } else { names };
    head.extend([noun(report), "share", "which", "whose"]);
    if report.games.is_some() {
        head.truncate(head.len() - 2);
        head.push("a game has more, and 95 %");
    }
    let at_left: &[usize] = &if report.games.is_some() {
        vec![0, head.len() - 1]
    } else {
        vec![0, head.len() - 2, head.len() - 1]
    };
    let cells = rows.iter().map(|row| cells(report, row, one_by_one)).collect();
    let mut out = table(&head, cells, at_left);
    let more = report.variants.len().saturating_sub(rows.len());
    if more > 0 {
        out.push_str(&more_told(more));
    }
    out
}

fn cells(report: &Report, row: &Row, one_by_one: bool) -> Vec<String> {
    let mut cells: Vec<String> = match (one_by_one, row.values.iter().next()) {
        (true, Some((name, value))) => vec![name.clone(), value.to_string()],
        _ => {
            let value = |n: &Effect| row.values.get(&n.number.name).copied().unwrap_or(n.number.is);
            report.numbers.iter().map(|n| value(n).to_string()).collect()
        }
    };
    match &row.outcome {
        Outcome::Refused { refused } => cells.push(format!("refused {refused}")),
        Outcome::Positions(found) => {
            cells.push(found.flips.to_string());
            cells.push(percent(&Exact::from_integer(found.flips.into()), report.answers));
            let name =
                |question: &str| question.split(' ').next_back().unwrap_or_default().to_owned();
            let by: Vec<String> =
                found.by.iter().map(|(question, n)| format!("{} {n}", name(question))).collect();
            let unread = match found.unread {
                0 => String::new(),
                unread => format!("{} cannot be read", counted(unread, "position")),
            };
            cells.push(if by.is_empty() { unread } else { few(&by, FEW) });
            let things: Vec<String> = found.things.iter().cloned().collect();
            cells.push(few(&things, FEW / 2));
        }
        Outcome::Games(found) => {
            cells.push(found.flips.to_string());
            cells.push(percent(&Exact::from_integer(found.flips.into()), report.answers));
            let mut told: Vec<String> = found.shifts.iter().take(FEW).map(shift).collect();
            if found.faults > 0 {
                told.insert(0, format!("{} ended by a fault", counted(found.faults, "game")));
            }
            cells.push(told.join("; "));
        }
    }
    cells
}

/// What a game has more, or less: `units of Red -1.20 (-1.90 to -0.50)`.
fn shift(shift: &Shift) -> String {
    let name = named(shift.of, &shift.name);
    let sign = if shift.mean.0.is_negative() { "" } else { "+" };
    let ends = match ends(shift.low.as_ref(), shift.high.as_ref()) {
        none if none.is_empty() => none,
        ends => format!(" ({ends})"),
    };
    format!("{name} {sign}{}{ends}", digits(&shift.mean))
}

/// The nearest values at which an answer turns, each with the first that does.
fn turns(report: &Report) -> String {
    let mut rows = Vec::new();
    for effect in report.numbers.iter().take(MOST_SHOWN) {
        for turn in effect.down.iter().chain(&effect.up) {
            let Some(Flip { position, question, of, was, now }) = &turn.first else { continue };
            rows.push(vec![
                effect.number.name.clone(),
                format!("{} -> {}", effect.number.is, turn.value),
                format!("{question} of {of}"),
                format!("{was} -> {now}"),
                position.clone(),
            ]);
        }
    }
    table(&["where it turns", "number", "first answer", "", "in"], rows, &[0, 1, 2, 3, 4])
}

fn more_told(more: usize) -> String {
    format!("and {more} more, in `--format json` and `--format csv`\n")
}

fn few(all: &[String], most: usize) -> String {
    let shown = all.get(..most.min(all.len())).unwrap_or_default().join(", ");
    match all.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

pub(super) fn percent(part: &Exact, whole: u64) -> String {
    if whole == 0 {
        return String::new();
    }
    let hundred = Exact::from_integer(100.into());
    let share = decimal(&(part * hundred / Exact::from_integer(whole.into())), 1);
    // What is there at all is more than nothing.
    if share == "0.0" && part.is_positive() { "<0.1 %".to_owned() } else { format!("{share} %") }
}
