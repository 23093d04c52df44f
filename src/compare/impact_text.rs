//! An impact for reading.

use super::impact::{CaseFlips, Flip, Impact};

/// Of one position no more flips than this are shown; JSON has them all.
const MOST: usize = 40;

/// The flips, position by position, then the cases.
#[must_use]
pub fn impact_text(impact: &Impact) -> String {
    let mut out = String::new();
    let name = |c: &super::Compared| {
        [std::slice::from_ref(&c.ruleset), c.readings.as_slice()].concat().join(" ")
    };
    let (a, b) = (name(&impact.a), name(&impact.b));
    out.push_str(&format!("{a} to {b}\n"));
    let mut rest = impact.flips.as_slice();
    for asked in &impact.positions {
        let (here, others) = rest.split_at(asked.flips.min(rest.len()));
        rest = others;
        out.push_str(&format!(
            "\n{}: {} of {} answers are others\n",
            asked.position, asked.flips, asked.answers
        ));
        out.push_str(&table(here.get(..MOST.min(here.len())).unwrap_or_default()));
        if here.len() > MOST {
            out.push_str(&format!("  and {} more\n", here.len() - MOST));
        }
    }
    if let Some(cases) = &impact.cases {
        out.push_str(&of_cases(cases));
    }
    out
}

fn table(flips: &[Flip]) -> String {
    let rows: Vec<[String; 5]> = flips
        .iter()
        .map(|f| {
            let said = |s: &Option<String>| s.clone().unwrap_or_else(|| "not asked".to_owned());
            let decided = match (f.decided_before.is_empty(), f.decided_now.is_empty()) {
                (true, true) => String::new(),
                _ if f.decided_before == f.decided_now => f.decided_now.clone(),
                (true, false) => format!("- -> {}", f.decided_now),
                (false, true) => format!("{} -> -", f.decided_before),
                _ => format!("{} -> {}", f.decided_before, f.decided_now),
            };
            let by =
                if f.by.is_empty() { String::new() } else { format!("by {}", f.by.join(", ")) };
            [
                f.of.clone(),
                f.question.clone(),
                format!("{} -> {}", said(&f.was), said(&f.now)),
                decided,
                by,
            ]
        })
        .collect();
    columns(&rows)
}

fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |c: usize| {
        rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells: String = row
            .iter()
            .zip(&widths)
            .map(|(cell, w)| format!("{cell}{}  ", " ".repeat(w - cell.chars().count())))
            .collect();
        format!("  {}\n", cells.trim_end())
    };
    rows.iter().map(line).collect()
}

fn of_cases(cases: &CaseFlips) -> String {
    let mut out = format!("\ncases: {} of {} come out otherwise\n", cases.flips.len(), cases.run);
    for flip in &cases.flips {
        let word = if flip.passes { "passes now" } else { "fails now" };
        out.push_str(&format!(
            "  {word}  {}\n    {}\n    {}\n",
            flip.case, flip.place, flip.because
        ));
    }
    for (case, fault) in &cases.refused {
        out.push_str(&format!("  not understood  {case}\n    {fault}\n"));
    }
    out
}

/// One row a reading: how much it changes.
#[derive(Debug, Clone, serde::Serialize)]
pub struct ReadingImpact {
    /// `ruling` or `option`.
    pub noun: &'static str,
    /// Its name.
    pub name: String,
    /// The reading in force.
    pub default: String,
    /// The reading that was tried.
    pub reading: String,
    /// How many answers about units flip, in all positions together.
    pub flips: usize,
    /// How many cases come out otherwise; none if they were not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<usize>,
    /// The units whose answers flip, each once.
    pub units: Vec<String>,
}

/// All readings as a table.
#[must_use]
pub fn readings_text(rows: &[ReadingImpact]) -> String {
    let head = ["reading", "answers", "cases", "units"].map(str::to_owned);
    let cells = rows.iter().map(|r| {
        let units = match r.units.len() {
            0 => "-".to_owned(),
            1..=6 => r.units.join(", "),
            many => {
                format!("{} and {} more", r.units.get(..5).unwrap_or_default().join(", "), many - 5)
            }
        };
        let cases = r.cases.map_or_else(|| "-".to_owned(), |n| n.to_string());
        [
            format!("{} {}: {} -> {}", r.noun, r.name, r.default, r.reading),
            r.flips.to_string(),
            cases,
            units,
        ]
    });
    let all: Vec<[String; 4]> = [head].into_iter().chain(cells).collect();
    columns(&all).lines().map(|l| format!("{}\n", l.strip_prefix("  ").unwrap_or(l))).collect()
}
