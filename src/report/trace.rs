//! All units of a trace with their answers, as rows.

use serde::Serialize;

use super::crossed::{CrossedAt, gone_over};
use super::reason::{Because, because, because_text};
use super::thing_name;
use crate::ir::*;
use crate::kernel::{EvalFault, Position};
use crate::world::ThingRef;

/// The answers of a trace for all its units.
#[derive(Debug, Clone, Serialize)]
pub struct TraceReport {
    /// The schema of this report.
    pub schema: u32,
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// The trace.
    pub trace: String,
    /// Its two answers, yes first.
    pub answers: Vec<String>,
    /// One row a unit in the order of the position, or one a space in that of the map.
    pub units: Vec<TraceRow>,
}

/// The answer for one unit.
#[derive(Debug, Clone, Serialize)]
pub struct TraceRow {
    /// Its id.
    pub id: String,
    /// Its side.
    pub side: Option<String>,
    /// Where it stands.
    pub space: Option<String>,
    /// The answer.
    pub state: String,
    /// Whether the answer is the yes of the trace.
    pub yes: bool,
    /// How long its line is; none where no line is needed, or none is found.
    pub distance: Option<u32>,
    /// The name of its source.
    pub source: Option<String>,
    /// The spaces of its line, its own first.
    pub route: Vec<String>,
    /// The crossings that its line goes straight on over, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crossings: Vec<CrossedAt>,
    /// The clause that decided, the first if the line cites several.
    pub clause: Option<String>,
    /// The gate that stopped it.
    pub gate: Option<&'static str>,
    /// The space that stopped it.
    pub stop: Option<String>,
    /// The parts of the condition that decided, where one did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Because>,
}

/// Asks a trace about every unit of its kind that stands on the map, or every space of its kind.
pub fn trace_report(position: &Position<'_>, trace: TraceId) -> Result<TraceReport, EvalFault> {
    let rules = position.rules;
    let rule = &rules.traces[trace.index()];
    let answers =
        rules.word_sets.get(rule.answers.index()).map(|s| s.words.clone()).unwrap_or_default();
    let mut units = Vec::new();
    for thing in position.asked_about(trace) {
        units.push(row(position, trace, thing, &answers)?);
    }
    Ok(TraceReport {
        schema: 1,
        ruleset: rules.name.clone(),
        hash: rules.hash.clone(),
        trace: rule.name.clone(),
        answers,
        units,
    })
}

/// The answer for one thing.
pub fn trace_row(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<TraceRow, EvalFault> {
    let answers = position.rules.traces[trace.index()].answers;
    let answers = position.rules.word_sets.get(answers.index()).map_or(&[][..], |s| &s.words);
    row(position, trace, thing, answers)
}

fn row(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
    answers: &[String],
) -> Result<TraceRow, EvalFault> {
    let rules = position.rules;
    let (answer, route) = position.answer_and_route(trace, thing)?;
    let reasons = position.answer_reasons(trace, thing, &answer)?;
    let home = answer.stop.map_or(thing, ThingRef::Space);
    let name = |s: u32| thing_name(rules, position.world, ThingRef::Space(s));
    let side =
        position.viewer_of(thing).map(|s| thing_name(rules, position.world, ThingRef::Side(s)));
    let source = answer
        .source
        .and_then(|s| rules.traces[trace.index()].sources.get(usize::from(s)))
        .map(|s| s.name.clone());
    Ok(TraceRow {
        id: thing_name(rules, position.world, thing),
        side,
        space: answer.space.map(name),
        state: answers.get(usize::from(!answer.yes)).cloned().unwrap_or_default(),
        yes: answer.yes,
        distance: answer.length,
        source,
        crossings: gone_over(position, trace, &route),
        route: route.into_iter().map(name).collect(),
        clause: rules.first_clause(answer.line).map(str::to_owned),
        gate: (!answer.yes).then(|| super::gate_word(answer.gate)),
        stop: answer.stop.map(name),
        because: because(position, &reasons, Some(home))?,
    })
}

/// The rows as a table for reading, grouped as they come.
#[must_use]
pub fn trace_text(report: &TraceReport, concise: bool) -> String {
    let mut out = String::new();
    if concise {
        for row in &report.units {
            out.push_str(&format!(
                "{} {} {} {}\n",
                row.id,
                row.side.as_deref().unwrap_or("-"),
                row.space.as_deref().unwrap_or("-"),
                row.state
            ));
        }
        return out;
    }
    // A space stands in itself, so its rows have no column for that.
    let about_spaces =
        report.units.iter().all(|u| u.space.as_ref() == Some(&u.id)) && !report.units.is_empty();
    let first = if about_spaces { "space" } else { "unit" };
    let head = [first, "side", "space", "state", "clause", "why"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    for row in &report.units {
        rows.push(vec![
            row.id.clone(),
            row.side.clone().unwrap_or_default(),
            row.space.clone().unwrap_or_default(),
            format!("{} {}", if row.yes { "+" } else { "x" }, row.state),
            row.clause.clone().unwrap_or_default(),
            why(row),
        ]);
    }
    if about_spaces {
        rows.iter_mut().for_each(|row| drop(row.remove(2)));
    }
    out.push_str(&columns(&rows));
    let yes = report.units.iter().filter(|u| u.yes).count();
    let no = report.units.len() - yes;
    let word = |at: usize| report.answers.get(at).map_or("", String::as_str);
    out.push_str(&format!(
        "\n{yes} {}, {no} {}   {} {}\n",
        word(0),
        word(1),
        report.ruleset,
        short(&report.hash)
    ));
    out
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// A space of a line, and whether the line goes straight on over a crossing there.
pub(crate) fn straight_on(space: &str, over: bool) -> String {
    if over { format!("{space} (straight on)") } else { space.to_owned() }
}

/// Why, in a few words: the way to the source, or what stands in it.
pub(super) fn why(row: &TraceRow) -> String {
    match (row.yes, row.distance, row.gate) {
        (true, Some(_), _) if row.route.len() <= 1 => {
            format!("in its source, {}", row.source.as_deref().unwrap_or(""))
        }
        (true, Some(n), _) => {
            let over = |space: &String| row.crossings.iter().any(|c| c.space == *space);
            let said = |space: &String| straight_on(space, over(space));
            let way: Vec<String> = row.route.iter().skip(1).map(said).collect();
            format!("{n} to {}: {}", row.source.as_deref().unwrap_or(""), way.join(" > "))
        }
        (true, None, _) if row.because.is_empty() => "needs no line".to_owned(),
        (true, None, _) => format!("needs no line: {}", because_text(&row.because)),
        (false, _, Some("through")) => format!("barred at {}", row.stop.as_deref().unwrap_or("")),
        (false, _, Some("stopping")) => {
            format!("must stop at {}", row.stop.as_deref().unwrap_or(""))
        }
        (false, _, Some("into")) => format!("may not end at {}", row.stop.as_deref().unwrap_or("")),
        (false, _, Some("from")) => "may not begin here".to_owned(),
        (false, _, Some("within")) => {
            format!("too far, runs out at {}", row.stop.as_deref().unwrap_or(""))
        }
        (false, _, Some("over")) => format!("no way over to {}", row.stop.as_deref().unwrap_or("")),
        (false, _, Some("cost")) => format!("cannot enter {}", row.stop.as_deref().unwrap_or("")),
        (false, _, Some("source")) => "no source can be reached".to_owned(),
        _ => String::new(),
    }
}

/// Columns two blanks apart, without blanks at the ends of lines.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len))
        .map(|c| {
            rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    rows.iter()
        .map(|row| {
            let line: String = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| {
                    format!("{cell}{}  ", " ".repeat(width - cell.chars().count()))
                })
                .collect();
            format!("{}\n", line.trim_end())
        })
        .collect()
}

/// The rows as a table for reading.
impl std::fmt::Display for TraceReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&trace_text(self, false))
    }
}
