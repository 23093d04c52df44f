//! The slow and obvious twin: from each unit forward, one space after another, asking every gate as it is met.
//!
//! Shares nothing with the fields but the evaluator of single conditions.

use std::collections::VecDeque;

use super::{EvalFault, Position};
use crate::ir::{ExprId, TraceId};
use crate::world::ThingRef;

/// What the twin says of one thing: the answer, and the length of its line if one was traced.
pub fn ask(position: &Position<'_>, trace: TraceId, thing: ThingRef) -> Result<(bool, Option<u32>), EvalFault> {
    let rule = &position.rules.traces[trace.index()];
    let cx = position.asked_of(thing);
    for verdict in &rule.verdicts {
        if position.holds(verdict.when, &cx)? {
            return Ok((verdict.always, None));
        }
    }
    let start = match thing {
        ThingRef::Unit(unit) => position.world.space_of(unit),
        ThingRef::Space(space) => Some(space),
        _ => None,
    };
    let Some(start) = start else { return Ok((false, None)) };
    let holds = |when: ExprId, space: u32| position.holds(when, &cx.with(1, ThingRef::Space(space)));
    let gate = |when: Option<ExprId>, space: u32| when.map_or(Ok(true), |w| holds(w, space));
    if !gate(rule.leg.from.when, start)? {
        return Ok((false, None));
    }
    let budget = position.budget(trace, thing)?;
    let mut seen = vec![false; position.map.spaces.len()];
    let mut queue = VecDeque::from([(start, 0u32)]);
    seen[start as usize] = true;
    while let Some((space, length)) = queue.pop_front() {
        let mut source = false;
        for s in &rule.sources {
            source |= holds(s.when, space)?;
        }
        if source && gate(rule.leg.into.when, space)? {
            return Ok((true, Some(length)));
        }
        let may_go_on = space == start && length == 0 || gate(rule.leg.through.when, space)?;
        if !may_go_on || budget.is_some_and(|b| length >= b) {
            continue;
        }
        for links in &position.map.links {
            if rule.leg.links.iter().any(|k| position.rules.is_kind(links.kind, *k)) {
                for to in links.of(space) {
                    if !seen[*to as usize] {
                        seen[*to as usize] = true;
                        queue.push_back((*to, length + 1));
                    }
                }
            }
        }
    }
    Ok((false, None))
}
