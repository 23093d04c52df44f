//! Where a thing can get to, for reading and as JSON.

use serde::Serialize;

use super::trace::columns;
use super::{gate_word, thing_name};
use crate::diag::counted;
use crate::ir::TraceId;
use crate::kernel::{EvalFault, Position};
use crate::world::ThingRef;

/// Where the lines of one thing can end.
#[derive(Debug, Clone, Serialize)]
pub struct ReachReport {
    /// The hash of the resolved rules.
    pub hash: String,
    /// The thing.
    pub id: String,
    /// The side that asks.
    pub side: Option<String>,
    /// Where its lines begin.
    pub space: Option<String>,
    /// The trace whose legs they are.
    pub trace: String,
    /// In what they are long.
    pub dimension: Option<String>,
    /// The clause of the `never` that leaves it no line.
    pub never: Option<String>,
    /// Whether a `never` leaves it no line.
    pub barred: bool,
    /// The spaces, in the order of the map.
    pub spaces: Vec<ReachRow>,
    /// Each source of the trace, whether or not a line ends there.
    pub sources: Vec<ReachedSource>,
}

/// A source, and the nearest space that is one.
#[derive(Debug, Clone, Serialize)]
pub struct ReachedSource {
    /// Its name.
    pub source: String,
    /// How long the shortest line to one is; nothing where none is reached.
    pub length: Option<u32>,
    /// Where that line ends.
    pub space: Option<String>,
}

/// A space in which a line can end.
#[derive(Debug, Clone, Serialize)]
pub struct ReachRow {
    /// The space.
    pub space: String,
    /// How long the shortest line to it is.
    pub length: u32,
    /// What the budget of its last leg leaves; nothing where that is unlimited.
    pub left: Option<u32>,
    /// The gate by which that leg goes no farther: `stopping` or `through`.
    pub stop: Option<&'static str>,
    /// The clause that says so.
    pub clause: Option<String>,
    /// The spaces of the line, the first and the last included.
    pub way: Vec<String>,
}

/// Where the lines of a thing can end, by the legs of a trace.
pub fn reach_report(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<ReachReport, EvalFault> {
    let (rules, world) = (position.rules, position.world);
    let found = position.reach(trace, thing)?;
    let name = |space: u32| thing_name(rules, world, ThingRef::Space(space));
    let rule = rules.traces.get(trace.index());
    let clause = |line| rules.first_clause(line).map(str::to_owned);
    let row = |reached: &crate::kernel::ReachedSpace| ReachRow {
        space: name(reached.space),
        length: reached.length,
        left: reached.left,
        stop: reached.stop.map(gate_word),
        clause: reached.line.and_then(clause),
        way: reached.way.iter().map(|space| name(*space)).collect(),
    };
    let nearest = |(at, source): (u16, &crate::ir::Source)| {
        let of = found.spaces.iter().filter(|reached| reached.sources.contains(&at));
        let nearest = of.min_by_key(|reached| reached.length);
        ReachedSource {
            source: source.name.clone(),
            length: nearest.map(|reached| reached.length),
            space: nearest.map(|reached| name(reached.space)),
        }
    };
    let sources = (0u16..).zip(rule.iter().flat_map(|rule| &rule.sources)).map(nearest).collect();
    let dimension = rule.and_then(|r| r.length).and_then(|d| rules.dimensions.get(d.index()));
    Ok(ReachReport {
        hash: rules.hash.clone(),
        id: thing_name(rules, world, thing),
        side: position.viewer_of(thing).map(|s| thing_name(rules, world, ThingRef::Side(s))),
        space: position.begins(thing).map(name),
        trace: rule.map_or_else(String::new, |r| r.name.clone()),
        dimension: dimension.map(|d| d.name.clone()),
        never: found.never.and_then(clause),
        barred: found.never.is_some(),
        spaces: found.spaces.iter().map(row).collect(),
        sources,
    })
}

/// The same for reading.
#[must_use]
pub fn reach_text(report: &ReachReport) -> String {
    let of = report.side.as_deref().map_or_else(String::new, |side| format!(" of {side}"));
    let from = report.space.as_deref().map_or_else(String::new, |space| format!(", from {space}"));
    let mut out = format!("{}{of}{from}: by `{}`\n", report.id, report.trace);
    if report.barred {
        let clause = report.never.as_deref().map_or_else(String::new, |c| format!(" [{c}]"));
        out.push_str(&format!("  nowhere: `never`{clause}\n"));
        return out;
    }
    if report.spaces.is_empty() {
        out.push_str("  nowhere: no line can end anywhere\n");
        return out;
    }
    let head = ["space", "length", "left", "stop", "clause", "way"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    for row in &report.spaces {
        rows.push(vec![
            row.space.clone(),
            row.length.to_string(),
            row.left.map_or_else(|| "-".to_owned(), |left| left.to_string()),
            row.stop.unwrap_or("").to_owned(),
            row.clause.clone().unwrap_or_default(),
            row.way.join(" > "),
        ]);
    }
    out.push_str(&columns(&rows));
    let stops = report.spaces.iter().filter(|row| row.stop.is_some()).count();
    let spaces = counted(report.spaces.len(), "space");
    out.push_str(&format!("{spaces}, {stops} of them where it stops\n"));
    for source in &report.sources {
        let how = match (source.length, &source.space) {
            (Some(length), Some(space)) => format!("{length}, in {space}"),
            _ => "not reached".to_owned(),
        };
        out.push_str(&format!("source {}: {how}\n", source.source));
    }
    out
}

impl std::fmt::Display for ReachReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&reach_text(self))
    }
}
