//! Why a value came out as it did: the trace, or the row of a table, that gave it; and what lies
//! around.

use crate::draw::{self, Wanted};
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position};
use crate::report::{explain, explanation_text, lacking_text};
use crate::world::ThingRef;

/// So wide is a sketch of areas: reasons have room beside it.
const WIDE: usize = 44;

/// What bears on a failed expectation.
#[derive(Default)]
pub(super) struct Evidence {
    pub why: Option<String>,
    pub sketch: Option<String>,
}

/// The evidence of a value, or of the condition that was expected of it.
pub(super) fn evidence(
    position: &Position<'_>,
    shown: Option<ExprId>,
    holds: ExprId,
    cx: &Cx,
) -> Result<Evidence, EvalFault> {
    let rules = position.rules;
    let asked = shown.unwrap_or(holds);
    if let Some((trace, of)) = asked_trace(rules, asked).or_else(|| asked_trace(rules, holds)) {
        let Some(thing) = position.value(of, cx)?.thing() else { return Ok(Evidence::default()) };
        let why = explanation_text(&explain(position, trace, thing)?);
        let stop = position.answer(trace, thing)?.stop;
        return Ok(Evidence {
            why: Some(why),
            sketch: sketch(position, Some(trace), thing, stop)?,
        });
    }
    let Some((why, of)) = lines_behind(position, asked, cx)? else {
        return Ok(Evidence::default());
    };
    let sketch = match of {
        Some(thing) => sketch(position, None, thing, None)?,
        None => None,
    };
    Ok(Evidence { why: Some(why).filter(|w| !w.is_empty()), sketch })
}

/// The trace that an expression asks, and of what.
fn asked_trace(rules: &Ruleset, id: ExprId) -> Option<(TraceId, ExprId)> {
    match rules.node(id) {
        Node::Verdict(trace, of, _) | Node::Evidence(trace, _, of, _) => Some((*trace, *of)),
        Node::Same(left, _) | Node::Compare(left, _, _) | Node::Not(left) => {
            asked_trace(rules, *left)
        }
        _ => None,
    }
}

/// The define, or the rows of a table, behind a value, with their clauses; and the thing that it is
/// said of.
fn lines_behind(
    position: &Position<'_>,
    id: ExprId,
    cx: &Cx,
) -> Result<Option<(String, Option<ThingRef>)>, EvalFault> {
    let rules = position.rules;
    if let Some(why) = lacking_text(position, id, cx)? {
        return Ok(Some((format!("because  {why}\n"), None)));
    }
    let thing = |of: &ExprId| -> Result<Option<ThingRef>, EvalFault> {
        Ok(position.value(*of, cx)?.thing())
    };
    Ok(Some(match rules.node(id) {
        Node::Not(inner)
        | Node::Same(inner, _)
        | Node::Compare(inner, _, _)
        | Node::Rank(inner) => {
            return lines_behind(position, *inner, cx);
        }
        Node::Fact(_, of) => (String::new(), thing(of)?),
        Node::Define(define, of) => {
            let of = of.as_ref().map(thing).transpose()?.flatten();
            (
                rules
                    .defines
                    .get(define.index())
                    .map_or_else(String::new, |d| cited(rules, d.line)),
                of,
            )
        }
        Node::Table(table, _, of) => {
            let Some(table) = rules.tables.get(table.index()) else { return Ok(None) };
            let Some(asked) = position.inner(*of, table.of, cx)? else { return Ok(None) };
            let of = of.as_ref().map(thing).transpose()?.flatten();
            let mut why = cited(rules, table.line);
            for row in &table.rows {
                let holds = match row.when {
                    Some(when) => position.holds(when, &asked)?,
                    None => true,
                };
                if holds {
                    why.push_str(&cited(rules, row.line));
                    if table.policy != Policy::Sum {
                        break;
                    }
                }
            }
            (why, of)
        }
        _ => return Ok(None),
    }))
}

/// `rule     table reach, led`, then its clauses.
fn cited(rules: &Ruleset, line: LineId) -> String {
    let Some(line) = rules.lines.get(line.index()) else { return String::new() };
    let mut out = format!("rule     {}\n", line.name);
    for clause in line.clauses.iter().filter_map(|c| rules.clauses.get(c.index())) {
        out.push_str(&format!("{}  {}\n", clause.id, clause.text));
    }
    out
}

/// The surroundings of a thing, and of the space that stopped it.
fn sketch(
    position: &Position<'_>,
    trace: Option<TraceId>,
    thing: ThingRef,
    stop: Option<u32>,
) -> Result<Option<String>, EvalFault> {
    let (space, units) = match thing {
        ThingRef::Unit(unit) => (position.world.space_of(unit), vec![unit]),
        ThingRef::Space(space) => (Some(space), Vec::new()),
        ThingRef::Link(_) | ThingRef::Side(_) | ThingRef::World => (None, Vec::new()),
    };
    let Some(space) = space else { return Ok(None) };
    let picture = draw::gather(position, &Wanted { trace, units, ..Wanted::default() })?;
    let centres: Vec<usize> =
        [Some(space), stop].into_iter().flatten().map(|s| s as usize).collect();
    Ok(Some(draw::around(&picture, &centres, WIDE)).filter(|s| !s.is_empty()))
}
