//! Why a unit has no line, and the cheapest changes that would give it one.

use serde::Serialize;

use super::explain::{Stage, explanation_text, stages};
use super::{Explanation, explain, fact_text, thing_name};
use crate::ir::*;
use crate::kernel::{EvalFault, Position, Remedy, Restored, Restoring};
use crate::world::ThingRef;

/// Why a thing has no line, and what would restore it.
#[derive(Debug, Clone, Serialize)]
pub struct WhyNotReport {
    /// The answer with all that it rests on.
    pub why: Explanation,
    /// The single changes that restore it, the cheapest first, each tried.
    pub remedies: Vec<RemedyRow>,
    /// If no single one does: units whose going together does.
    pub removal: Option<RemedyRow>,
    /// Whether no fewer units than those would do.
    pub fewest: bool,
    /// Whether every change of the closed set was tried.
    pub whole: bool,
}

/// A change that restores a line, and that line.
#[derive(Debug, Clone, Serialize)]
pub struct RemedyRow {
    /// `unit_gone`, `space_freed`, `reach`, `control`, `fact`, `world_fact`, `given`, `units_gone`.
    pub change: &'static str,
    /// The same in words.
    pub words: String,
    /// How long the part of these words is that other values of the same fact share; 0 of none.
    #[serde(skip)]
    shared: usize,
    /// Units that go, points of reach, or 1.
    pub cost: u32,
    /// The units that go.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
    /// The space that is freed, turned or said something of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// How long the line is then; none if no line is needed then.
    pub length: Option<u32>,
    /// The source of that line.
    pub source: Option<String>,
    /// That line.
    pub route: Vec<Stage>,
}

/// Why a thing has no line, and what would restore it.
pub fn why_not(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<WhyNotReport, EvalFault> {
    why_not_of(&Restoring::new(position, trace), position, trace, thing)
}

/// The same of several things, which share what they can.
pub fn why_not_each(
    position: &Position<'_>,
    trace: TraceId,
    things: &[ThingRef],
) -> Result<Vec<WhyNotReport>, EvalFault> {
    let restoring = Restoring::new(position, trace);
    things.iter().map(|thing| why_not_of(&restoring, position, trace, *thing)).collect()
}

fn why_not_of(
    restoring: &Restoring<'_, '_>,
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<WhyNotReport, EvalFault> {
    let found = restoring.why_not(thing)?;
    let row = |restored: &Restored| remedy_row(position, trace, restored);
    Ok(WhyNotReport {
        why: explain(position, trace, thing)?,
        remedies: found.remedies.iter().map(row).collect(),
        removal: found.removal.as_ref().map(row),
        fewest: found.fewest,
        whole: found.whole,
    })
}

fn remedy_row(position: &Position<'_>, trace: TraceId, restored: &Restored) -> RemedyRow {
    let (rules, world) = (position.rules, position.world);
    let rule = &rules.traces[trace.index()];
    let name = |of: ThingRef| thing_name(rules, world, of);
    let from = |unit: u32| {
        let place = world
            .space_of(unit)
            .map_or_else(String::new, |s| format!(" from {}", name(ThingRef::Space(s))));
        format!("{}{place}", name(ThingRef::Unit(unit)))
    };
    let mut shared = 0;
    let (change, words, units, space) = match &restored.remedy {
        Remedy::Gone(units) if units.len() == 1 => (
            "unit_gone",
            format!("{} gone", units.iter().map(|u| from(*u)).collect::<String>()),
            units.clone(),
            None,
        ),
        Remedy::Gone(units) => (
            "units_gone",
            format!("gone: {}", units.iter().map(|u| from(*u)).collect::<Vec<_>>().join(", ")),
            units.clone(),
            None,
        ),
        Remedy::Freed(space, units) => {
            let names: Vec<String> = units.iter().map(|u| name(ThingRef::Unit(*u))).collect();
            (
                "space_freed",
                format!("{} free of {}", name(ThingRef::Space(*space)), names.join(", ")),
                units.clone(),
                Some(*space),
            )
        }
        Remedy::Reach { leg, more, to } => {
            let leg = rule.legs.get(*leg);
            let on = leg
                .filter(|_| rule.has_several_legs())
                .map_or_else(String::new, |l| format!(" on {}", l.name));
            // Where the source says how far, it is the reach of that one.
            let end = restored.line.last().and_then(|stretch| stretch.spaces.last());
            let of = end
                .filter(|_| leg.is_some_and(|leg| leg.by_source.is_some()))
                .map_or_else(String::new, |(s, _)| format!(" from {}", name(ThingRef::Space(*s))));
            ("reach", format!("a reach of {to}{on}{of}, {more} more"), Vec::new(), None)
        }
        Remedy::Turned(space, to) => {
            let words = format!(
                "{} controlled by {}",
                name(ThingRef::Space(*space)),
                name(ThingRef::Side(*to))
            );
            ("control", words, Vec::new(), Some(*space))
        }
        Remedy::Stated(of, id, value) => {
            let is = fact_text(rules, world, *id, *value);
            let fact = rules.facts.get(id.index());
            let change = match fact.map(|f| &f.origin) {
                Some(FactOrigin::Given) => "given",
                _ if *of == ThingRef::World => "world_fact",
                _ => "fact",
            };
            let fact = fact.map_or("", |f| f.name.as_str());
            let words = match of {
                ThingRef::World => format!("{fact} is {is}"),
                of => format!("{} with {fact} {is}", name(*of)),
            };
            shared = words.len() - is.len();
            (
                change,
                words,
                Vec::new(),
                if let ThingRef::Space(space) = of { Some(*space) } else { None },
            )
        }
    };
    RemedyRow {
        change,
        words,
        shared,
        cost: restored.cost,
        units: units.iter().map(|u| name(ThingRef::Unit(*u))).collect(),
        space: space.map(|s| name(ThingRef::Space(s))),
        length: restored.length,
        source: restored
            .source
            .and_then(|s| rule.sources.get(usize::from(s)))
            .map(|s| s.name.clone()),
        route: stages(position, rule, &restored.line),
    }
}

/// So many changes are printed for reading; JSON has them all.
const MOST_SHOWN: usize = 12;

/// So many spaces of a line are printed for reading.
const MOST_STEPS: usize = 9;

/// The same for reading.
#[must_use]
pub fn why_not_text(report: &WhyNotReport) -> String {
    let mut out = explanation_text(&report.why);
    if report.why.yes {
        return out;
    }
    if report.why.space.is_none() {
        out.push_str("  it stands nowhere, so nothing here would restore it\n");
        return out;
    }
    match (report.remedies.is_empty(), &report.removal) {
        (false, _) => {
            out.push_str("  what alone would restore it\n");
            let rows = together(&report.remedies);
            for row in rows.iter().take(MOST_SHOWN) {
                out.push_str(&remedy_text(row));
            }
            let more = rows.len().saturating_sub(MOST_SHOWN);
            if more > 0 {
                out.push_str(&format!("           and {more} more\n"));
            }
        }
        (true, Some(row)) => {
            let fewest = if report.fewest {
                "and no fewer units"
            } else {
                "and none of these may be left out"
            };
            out.push_str(&format!(
                "  no single change of those tried would restore it; together these would, {fewest}\n"
            ));
            out.push_str(&remedy_text(row));
        }
        (true, None) => {
            out.push_str("  no single change of those tried would restore it (no unit was moved or added), nor would the going of all units that are no friends\n");
        }
    }
    if !report.whole {
        out.push_str("  control and what the table knows were tried of the nearest spaces only\n");
    }
    out
}

/// So many values of one fact are named in a row.
const MOST_NAMED: usize = 4;

/// Values of the same fact that give the same line are one row.
fn together(rows: &[RemedyRow]) -> Vec<RemedyRow> {
    let mut found: Vec<(RemedyRow, Vec<&str>)> = Vec::new();
    for row in rows {
        let (stem, value) = row.words.split_at_checked(row.shared).unwrap_or((&row.words, ""));
        let alike = |other: &RemedyRow| {
            let same_line =
                other.route.iter().map(|s| &s.space).eq(row.route.iter().map(|s| &s.space));
            row.shared > 0 && other.words.get(..other.shared) == Some(stem) && same_line
        };
        match found.iter_mut().find(|(other, _)| alike(other)) {
            Some((_, values)) => values.push(value),
            None => found.push((row.clone(), vec![value])),
        }
    }
    let said = |(mut row, values): (RemedyRow, Vec<&str>)| {
        if values.len() > 1 {
            let more = values.len().saturating_sub(MOST_NAMED);
            let named = values.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(" or ");
            let more = if more > 0 { format!(" or {more} others") } else { String::new() };
            row.words = format!("{}{named}{more}", row.words.get(..row.shared).unwrap_or(""));
        }
        row
    };
    found.into_iter().map(said).collect()
}

fn remedy_text(row: &RemedyRow) -> String {
    let way: Vec<&str> = row.route.iter().map(|s| s.space.as_str()).collect();
    let mut spaces: Vec<&str> = Vec::new();
    for space in way {
        if spaces.last() != Some(&space) {
            spaces.push(space);
        }
    }
    // A long line is cut short in its middle; JSON has all of it.
    let way = match spaces.as_slice() {
        [first @ .., last] if first.len() >= MOST_STEPS => {
            format!(
                "{} > ... > {last}",
                first.iter().take(MOST_STEPS - 2).copied().collect::<Vec<_>>().join(" > ")
            )
        }
        all => all.join(" > "),
    };
    let line = match (row.length, &row.source) {
        (None, _) => "it then needs no line".to_owned(),
        (Some(_), source) => format!("{way} to {}", source.as_deref().unwrap_or("its source")),
    };
    format!("  {:>6}   {}: {line}\n", row.cost, row.words)
}

/// The reasons and the remedies in words.
impl std::fmt::Display for WhyNotReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&why_not_text(self))
    }
}
