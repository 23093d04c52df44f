//! What a step of a phase read before it did something to a thing: why the thing is one of its
//! things, amounts part by part, the line that a judgment rests on.

use serde::Serialize;

use super::bearing::{Modifier, modifier, own_text, signed};
use super::odds_text::modifier_lines;
use super::reason::{Because, because, because_text};
use super::trace::{TraceRow, trace_row, why};
use super::value_text;
use crate::engine::{Deed, Event, What, asking};
use crate::ir::*;
use crate::kernel::{BearingFrom, Cx, EvalFault, Position};
use crate::world::ThingRef;

/// What a step read of one thing, in the position before it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Grounds {
    /// Why the step is about this thing, where a condition says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Because>,
    /// The value that was worked out, unless it is written as a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Worked>,
    /// What that value, or what bears on the roll, is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Modifier>,
    /// What is added to the dice in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<String>,
    /// The rows of a list of tests that hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub due: Vec<String>,
    /// The answer of a judged trace, with its line or what stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<TraceRow>,
}

/// A value as it is written, and what it came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Worked {
    /// Its expression.
    #[serde(skip)]
    pub id: ExprId,
    /// As the ruleset writes it.
    pub says: String,
    /// What it is.
    pub is: String,
}

/// What a step of a phase of a side read for an event that came of it.
pub fn grounds(
    position: &Position<'_>,
    step: &Step,
    side: Option<SideId>,
    event: &Event,
) -> Result<Grounds, EvalFault> {
    let thing = event.thing;
    let mut found =
        Grounds { because: why_this(position, step, side, thing)?, ..Grounds::default() };
    match &event.what {
        What::Judged(trace, _) => found.answer = Some(trace_row(position, *trace, thing)?),
        What::Rolled { test, .. } => {
            let parts =
                [position.bearings(*test, thing)?, position.measured_by(*test, thing)?].concat();
            found.parts = parts.iter().map(|part| modifier(position, part)).collect();
            found.added = position.added(*test, thing)?.map(signed);
        }
        What::Listed { table, .. } => {
            let rows = &position.rules.tables[table.index()].rows;
            let due = position.listed(*table, thing)?;
            found.due = due.into_iter().map(|at| rows[at].name.clone()).collect();
        }
        What::Changed { .. } => worked(position, step, side, event, &mut found)?,
        What::Related { .. }
        | What::Laid { .. }
        | What::NotLaid { .. }
        | What::Removed
        | What::Open(_) => {}
    }
    Ok(found)
}

/// Why a thing is one of those that a step is about; nothing where no condition says so, and of what
/// another thing has pushed aside.
fn why_this(
    position: &Position<'_>,
    step: &Step,
    side: Option<SideId>,
    thing: ThingRef,
) -> Result<Vec<Because>, EvalFault> {
    let things = step.things.and_then(|id| position.rules.things.get(id.index()));
    let Some((level, condition)) = things.and_then(|t| Some((t.level, t.condition?))) else {
        return Ok(Vec::new());
    };
    let cx = Cx::world(side.or(position.world.viewer)).with(level, thing);
    if !position.holds(condition, &cx)? {
        return Ok(Vec::new());
    }
    because(position, &position.reasons(condition, &cx)?, Some(thing))
}

/// The value that a step has set, or the amount by which it has changed another.
fn worked(
    position: &Position<'_>,
    step: &Step,
    side: Option<SideId>,
    event: &Event,
    found: &mut Grounds,
) -> Result<(), EvalFault> {
    let (rules, thing) = (position.rules, event.thing);
    let id = match &step.effect {
        Effect::Set(_, _, value) => *value,
        Effect::Change { by, .. } => *by,
        _ => return Ok(()),
    };
    let chosen = event.order.and_then(Deed::chosen);
    // What was taken without an order is not written down, so that nothing is said of it.
    let unknown = step.choice.is_some() && chosen.is_none();
    if unknown || matches!(rules.node(id), Node::Number { .. } | Node::Word(..) | Node::Truth(_)) {
        return Ok(());
    }
    let cx = Cx::of(asking(position, thing, side), thing).choosing(chosen);
    let value = position.value(id, &cx)?;
    let says = own_text(rules, id);
    found.value = Some(Worked { id, says, is: value_text(position, id, value) });
    if value.amount().is_some() {
        let parts = position.amount_parts(id, &cx)?;
        // An amount that is made of nothing else has been said.
        let more =
            parts.iter().filter(|p| p.from != BearingFrom::Written(id) || !p.parts.is_empty());
        found.parts = more.map(|part| modifier(position, part)).collect();
    }
    Ok(())
}

/// What a step read, a line each.
#[must_use]
pub fn grounds_text(grounds: &Grounds) -> String {
    let mut out = String::new();
    if !grounds.because.is_empty() {
        out.push_str(&format!("  because  {}\n", because_text(&grounds.because)));
    }
    if let Some(answer) = &grounds.answer {
        let why = match because_text(&answer.because) {
            because if because.is_empty() || answer.yes => why(answer),
            because => format!("{}: {because}", why(answer)),
        };
        out.push_str(&format!("  answer   {}: {why}\n", answer.state));
    }
    if !grounds.due.is_empty() {
        out.push_str(&format!("  due      {}\n", grounds.due.join(", ")));
    }
    if let Some(value) = &grounds.value {
        out.push_str(&format!("  value    {} is {}\n", value.says, value.is));
    }
    modifier_lines(&grounds.parts, "    ", &mut out);
    if let Some(added) = grounds.added.as_ref().filter(|_| !grounds.parts.is_empty()) {
        out.push_str(&format!("    {added:>4}  added to the dice in all\n"));
    }
    out
}
