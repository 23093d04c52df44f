//! A trace space by space, in the order in which the search outward from a thing settles them: how
//! far, which gates are shut there and why, and what came of each step.

use serde::Serialize;

use super::bearing::own_text;
use super::reason::{Because, because, because_text};
use super::{gate_word, thing_name};
use crate::ir::*;
use crate::kernel::{Came, EvalFault, Gate, Position, Settled, Tried};
use crate::world::ThingRef;

/// One space as it is settled.
#[derive(Debug, Clone, Serialize)]
pub struct Settling {
    /// Whose line it is.
    pub id: String,
    /// The leg.
    pub leg: String,
    /// The space.
    pub space: String,
    /// The sources in which it ends, where these say how long the leg may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_where: Option<String>,
    /// How far it is on that leg.
    pub length: u32,
    /// The space before it; none where the leg begins.
    pub from: Option<String>,
    /// The source that it is, where the line may end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether a relay stands here, at which the line begins again.
    pub relay: bool,
    /// The gates that are shut here.
    pub shut: Vec<Shut>,
    /// The steps that were tried from here.
    pub steps: Vec<Stepping>,
}

/// A gate that is shut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shut {
    /// `from`, `through` or `into`.
    pub gate: &'static str,
    /// The parts of its condition that shut it.
    pub because: Vec<Because>,
    /// The first clause that it cites.
    pub clause: Option<String>,
}

/// A step that was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stepping {
    /// The space that it leads to.
    pub to: String,
    /// `shorter`, `known` where another way is as short, `barred` where the space cannot be entered,
    /// `too_far` beyond the budget.
    pub came: &'static str,
    /// How long the leg is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u32>,
}

/// The spaces that a trace settles for a thing, in order; where one leg alone decides, those up to
/// the end of the line that is found.
pub fn settling(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<Vec<Settling>, EvalFault> {
    let mut found = position.settled(trace, thing)?;
    let line = position.line(trace, thing)?;
    let end = line.last().and_then(|s| Some((s.leg, s.spaces.last()?.0)));
    if position.rules.traces[trace.index()].is_plain()
        && let Some(at) = found.iter().position(|s| Some((s.leg, s.space)) == end)
    {
        found.truncate(at + 1);
    }
    found.iter().map(|settled| one(position, trace, thing, settled)).collect()
}

fn one(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
    settled: &Settled,
) -> Result<Settling, EvalFault> {
    let rule = &position.rules.traces[trace.index()];
    let leg = &rule.legs[settled.leg];
    let name = |s: u32| thing_name(position.rules, position.world, ThingRef::Space(s));
    let gates = position.gates(trace, thing)?;
    let cell = settled.space as usize;
    let skipped = |place: u8| rule.legs.iter().any(|l| l.place == place && l.optional);
    let last = (leg.place + 1..rule.places).all(skipped);
    let begun = !settled.shut.contains(&Gate::From);
    let ends = last && begun && gates.legs[settled.leg].into[cell];
    let source = gates.source[cell].filter(|_| ends).and_then(|s| rule.sources.get(usize::from(s)));
    let mut shut = Vec::new();
    for gate in &settled.shut {
        let (space, of) = (settled.space, gate.line_of(leg));
        let reasons = position.gate_reasons(trace, thing, settled.leg, *gate, space)?;
        shut.push(Shut {
            gate: gate_word(*gate),
            because: because(position, &reasons, Some(ThingRef::Space(space)))?,
            clause: position.rules.first_clause(of).map(str::to_owned),
        });
    }
    Ok(Settling {
        id: thing_name(position.rules, position.world, thing),
        leg: leg.name.clone(),
        ends_where: leg.by_source.as_ref().map(|by| own_text(position.rules, by.is)),
        space: name(settled.space),
        length: settled.length,
        from: settled.from.map(name),
        source: source.map(|s| s.name.clone()),
        relay: source.is_none() && ends && gates.relay[cell],
        shut,
        steps: settled.steps.iter().map(|tried| stepping(tried, name)).collect(),
    })
}

/// The line of a gate.
fn stepping(tried: &Tried, name: impl Fn(u32) -> String) -> Stepping {
    let (came, length) = match tried.came {
        Came::Shorter(length) => ("shorter", Some(length)),
        Came::Known => ("known", None),
        Came::Barred => ("barred", None),
        Came::TooFar(length) => ("too_far", Some(length)),
    };
    Stepping { to: name(tried.to), came, length }
}

/// One space for reading.
#[must_use]
pub fn settling_text(s: &Settling) -> String {
    let from = s.from.as_deref().map_or_else(String::new, |from| format!(", from {from}"));
    let sources = s.ends_where.as_deref().map_or_else(String::new, |is| format!(" to where {is}"));
    let mut out = format!("{}: {}{sources}, {} {}{from}\n", s.id, s.leg, s.length, s.space);
    for shut in &s.shut {
        let because = match because_text(&shut.because) {
            because if because.is_empty() => because,
            because => format!(": {because}"),
        };
        let clause = shut.clause.as_deref().map_or_else(String::new, |c| format!(" [{c}]"));
        out.push_str(&format!("  {:<7}  shut{because}{clause}\n", shut.gate));
    }
    if let Some(source) = &s.source {
        out.push_str(&format!("  source   {source}: the line is found\n"));
    }
    if s.relay {
        out.push_str("  relay    the line begins again here\n");
    }
    let named = |came: &str, label: &str, out: &mut String| {
        let step = |step: &Stepping| match step.length {
            Some(length) => format!("{} {length}", step.to),
            None => step.to.clone(),
        };
        let all: Vec<String> = s.steps.iter().filter(|s| s.came == came).map(step).collect();
        if !all.is_empty() {
            out.push_str(&format!("  {label:<7}  {}\n", all.join(", ")));
        }
    };
    named("shorter", "on to", &mut out);
    named("known", "known", &mut out);
    named("barred", "barred", &mut out);
    named("too_far", "too far", &mut out);
    out
}
