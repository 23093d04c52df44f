//! What would cut which units, and the spaces that no line can do without.

use crate::diag::counted;
use indexmap::IndexMap;
use serde::Serialize;

use super::trace::columns;
use super::{fact_text, gate_word, thing_name};
use crate::ir::*;
use crate::kernel::threat::{Cut, Least, Threat};
use crate::kernel::{Change, EvalFault, Position};
use crate::world::ThingRef;

/// What would cut which units.
#[derive(Debug, Clone, Serialize)]
pub struct ThreatReport {
    /// The schema of this report.
    pub schema: u32,
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// The trace.
    pub trace: String,
    /// The units that were asked for and have their yes now.
    pub units: Vec<UnitRow>,
    /// For each side the fewest spaces that cut all its units that can be cut.
    pub sides: Vec<SideRow>,
    /// Every change that cuts a unit.
    pub cuts: Vec<CutRow>,
    /// The sorts of enemy units that were placed.
    pub sorts: Vec<String>,
    /// How many changes were looked at.
    pub tried: usize,
    /// How many searches that took.
    pub searches: usize,
    /// Whether all spaces were asked that could be cut spaces.
    pub whole: bool,
}

/// A unit and what its line rests on.
#[derive(Debug, Clone, Serialize)]
pub struct UnitRow {
    /// Its id.
    pub id: String,
    /// Its side.
    pub side: Option<String>,
    /// Where it stands.
    pub space: Option<String>,
    /// The spaces of its line.
    pub line: Vec<String>,
    /// The spaces that every line within its reach passes or ends in.
    pub cut_spaces: Vec<String>,
    /// The fewest spaces that cut it; none if none do.
    pub least: Option<LeastRow>,
}

/// The fewest spaces that cut something.
#[derive(Debug, Clone, Serialize)]
pub struct LeastRow {
    /// How many.
    pub number: usize,
    /// Whether so many are enough; else it is only known that fewer are not.
    pub exact: bool,
    /// Such spaces.
    pub spaces: Vec<String>,
}

/// A side.
#[derive(Debug, Clone, Serialize)]
pub struct SideRow {
    /// Its name.
    pub side: String,
    /// The fewest spaces that cut all its units that can be cut; none if none can.
    pub least: Option<LeastRow>,
}

/// A change that cuts units.
#[derive(Debug, Clone, Serialize)]
pub struct CutRow {
    /// `placed`, `moved` or `turned`.
    pub change: &'static str,
    /// What is placed or moved, or the side that takes the space.
    pub what: String,
    /// The space it is placed in, goes to, or that is taken.
    pub space: String,
    /// The units it cuts.
    pub units: Vec<CutUnitRow>,
}

/// How a change cuts a unit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct CutUnitRow {
    /// The unit.
    pub id: String,
    /// What is shut on the line that it has now.
    pub gate: &'static str,
    /// Where.
    pub stop: Option<String>,
    /// The first clause of that.
    pub clause: Option<String>,
}

/// What would cut these units, of those that are supplied now.
pub fn threat_report(
    position: &Position<'_>,
    trace: TraceId,
    things: &[ThingRef],
) -> Result<(Threat, ThreatReport), EvalFault> {
    let found = position.threat(trace, things)?;
    let rules = position.rules;
    let name = |of: ThingRef| thing_name(rules, position.world, of);
    let space = |s: &u32| name(ThingRef::Space(*s));
    let least = |l: &Least| LeastRow {
        number: l.number,
        exact: l.exact,
        spaces: l.spaces.iter().map(space).collect(),
    };
    let sorts: Vec<String> =
        (0..found.sorts.len()).map(|at| sort_name(position, &found, at)).collect();
    let report = ThreatReport {
        schema: 1,
        ruleset: rules.name.clone(),
        hash: rules.hash.clone(),
        trace: rules.traces[trace.index()].name.clone(),
        units: found
            .units
            .iter()
            .map(|u| UnitRow {
                id: name(u.thing),
                side: position.viewer_of(u.thing).map(|s| name(ThingRef::Side(s))),
                space: position.begins(u.thing).map(|s| space(&s)),
                line: u.line.iter().map(space).collect(),
                cut_spaces: u.cut_spaces.iter().map(space).collect(),
                least: u.least.as_ref().map(least),
            })
            .collect(),
        sides: found
            .sides
            .iter()
            .map(|(s, l)| SideRow { side: name(ThingRef::Side(*s)), least: l.as_ref().map(least) })
            .collect(),
        cuts: found.cuts.iter().map(|cut| cut_row(position, cut, &sorts)).collect(),
        sorts,
        tried: found.tried,
        searches: found.searches,
        whole: found.whole,
    };
    Ok((found, report))
}

fn cut_row(position: &Position<'_>, cut: &Cut, sorts: &[String]) -> CutRow {
    let rules = position.rules;
    let name = |of: ThingRef| thing_name(rules, position.world, of);
    let (change, what, space) = match &cut.change {
        Change::Placed { sort, space } => {
            ("placed", sorts.get(*sort).cloned().unwrap_or_default(), *space)
        }
        Change::Moved { unit, to } => ("moved", name(ThingRef::Unit(*unit)), *to),
        Change::Turned { space, to } => ("turned", name(ThingRef::Side(*to)), *space),
        Change::Gone(_) | Change::Stated { .. } => ("", String::new(), 0),
    };
    let units = cut.units.iter().map(|u| CutUnitRow {
        id: name(u.thing),
        gate: gate_word(u.gate),
        stop: u.stop.map(|s| name(ThingRef::Space(s))),
        clause: rules.first_clause(u.line).map(str::to_owned),
    });
    CutRow { change, what, space: name(ThingRef::Space(space)), units: units.collect() }
}

/// A sort by its kind and side, and by those facts in which it differs from others of that kind and
/// side.
fn sort_name(position: &Position<'_>, found: &Threat, at: usize) -> String {
    let rules = position.rules;
    let Some(sort) = found.sorts.get(at) else { return String::new() };
    let kind = rules.kinds.get(sort.kind.index()).map_or("", |k| k.name.as_str());
    let side = thing_name(rules, position.world, ThingRef::Side(sort.owner));
    let alike = || found.sorts.iter().filter(|s| (s.owner, s.kind) == (sort.owner, sort.kind));
    let told = sort.facts.iter().filter(|fact| alike().any(|s| !s.facts.contains(fact)));
    let facts: Vec<String> = told
        .map(|(fact, value)| {
            let title = rules.facts.get(fact.index()).map_or("", |f| f.name.as_str());
            format!("{title} {}", fact_text(rules, position.world, *fact, *value))
        })
        .collect();
    if facts.is_empty() {
        format!("{kind} of {side}")
    } else {
        format!("{kind} of {side} with {}", facts.join(", "))
    }
}

/// So many spaces are named in a row for reading.
const MOST_SPACES: usize = 10;

/// The same for reading.
#[must_use]
pub fn threat_text(report: &ThreatReport) -> String {
    let mut out = String::new();
    let mut rows =
        vec![["unit", "side", "space", "line", "fewest", "cut spaces"].map(str::to_owned).to_vec()];
    for unit in &report.units {
        rows.push(vec![
            unit.id.clone(),
            unit.side.clone().unwrap_or_default(),
            unit.space.clone().unwrap_or_default(),
            if unit.line.is_empty() {
                "none needed".to_owned()
            } else {
                unit.line.len().saturating_sub(1).to_string()
            },
            if unit.line.is_empty() && unit.least.is_none() {
                "-".to_owned()
            } else {
                least_text(unit.least.as_ref())
            },
            if unit.cut_spaces.is_empty() { "-".to_owned() } else { some(&unit.cut_spaces) },
        ]);
    }
    out.push_str(&columns(&rows));
    out.push('\n');
    for side in &report.sides {
        out.push_str(&format!(
            "all of {} that can be cut: {}\n",
            side.side,
            least_text(side.least.as_ref())
        ));
    }
    if let Some(unclosed) = unclosed(report) {
        out.push_str(&format!("closed by no change below: {unclosed}\n"));
    }
    let parts = [
        ("placed", "one more enemy unit"),
        ("moved", "an enemy unit one link farther"),
        ("turned", "a space lost"),
    ];
    for (change, title) in parts {
        let rows = grouped(report, change);
        if rows.len() > 1 {
            out.push_str(&format!("\n{title}\n{}", columns(&rows)));
        }
    }
    let tried = counted(report.tried, "change");
    if report.cuts.is_empty() {
        out.push_str(&format!("\nof {tried} none cuts a unit\n"));
    } else {
        out.push_str(&format!("\nof {tried} {} cut a unit\n", report.cuts.len()));
    }
    if !report.whole {
        out.push_str("the map is too large to ask of every space whether it is a cut space\n");
    }
    out
}

/// The cut spaces of units that no change of the report closes to them, such as a source that an
/// enemy may stand in.
fn unclosed(report: &ThreatReport) -> Option<String> {
    let closes = |unit: &UnitRow, space: &str| {
        let cuts = |cut: &&CutRow| cut.units.iter().any(|of| of.id == unit.id);
        report.cuts.iter().filter(cuts).any(|cut| cut.space == space)
    };
    let of = |unit: &UnitRow| {
        let spaces = unit.cut_spaces.iter().filter(|space| !closes(unit, space));
        let spaces: Vec<String> = spaces.cloned().collect();
        (!spaces.is_empty()).then(|| format!("{} ({})", some(&spaces), unit.id))
    };
    let all: Vec<String> = report.units.iter().filter_map(of).collect();
    (!all.is_empty()).then(|| some(&all))
}

fn least_text(least: Option<&LeastRow>) -> String {
    match least {
        None => "no space does".to_owned(),
        Some(least) if least.exact => format!("{}: {}", least.number, least.spaces.join(", ")),
        Some(least) => format!("{} or more", least.number),
    }
}

fn some(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_SPACES);
    let shown: Vec<&str> = names.iter().take(MOST_SPACES).map(String::as_str).collect();
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

/// Those who do it; all sorts of a kind and side together are said by these alone.
fn whoever(sorts: &[String], who: &[&str]) -> String {
    let mut said: Vec<String> = Vec::new();
    for one in who {
        let short = one.split(" with ").next().unwrap_or(one);
        let mut alike = sorts.iter().filter(|s| s.split(" with ").next() == Some(short));
        let name = if alike.all(|s| who.contains(&s.as_str())) { short } else { one };
        if !said.iter().any(|s| s == name) {
            said.push(name.to_owned());
        }
    }
    said.join(" or ")
}

/// What a row for reading stands for: who does it, whom it cuts, by which gate.
type Effect<'r> = (String, Vec<&'r str>, Vec<String>);

/// The changes of one kind, those together that cut the same units in the same way.
fn grouped(report: &ThreatReport, change: &str) -> Vec<Vec<String>> {
    let of: Vec<&CutRow> = report.cuts.iter().filter(|c| c.change == change).collect();
    // What cuts the same units at the same spaces is one row, whoever does it.
    let mut by: IndexMap<(&str, &[CutUnitRow]), Vec<&str>> = IndexMap::new();
    for row in &of {
        by.entry((row.space.as_str(), row.units.as_slice())).or_default().push(row.what.as_str());
    }
    let mut effects: IndexMap<Effect<'_>, Vec<String>> = IndexMap::new();
    for ((space, units), who) in by {
        let mut why: Vec<String> = Vec::new();
        for unit in units {
            let said = format!(
                "{}{}",
                unit.gate,
                unit.clause.as_deref().map_or_else(String::new, |c| format!(" [{c}]"))
            );
            if !why.contains(&said) {
                why.push(said);
            }
        }
        let ids = units.iter().map(|u| u.id.as_str()).collect();
        effects.entry((whoever(&report.sorts, &who), ids, why)).or_default().push(space.to_owned());
    }
    let mut rows = vec![["what", "where", "cuts", "by"].map(str::to_owned).to_vec()];
    for ((who, units, why), spaces) in effects {
        let units: Vec<String> = units.into_iter().map(str::to_owned).collect();
        rows.push(vec![who, some(&spaces), some(&units), why.join(", ")]);
    }
    rows
}

impl std::fmt::Display for ThreatReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&threat_text(self))
    }
}
