//! The slow and obvious twin: from each thing forward, one space after another, asking every gate
//! as it is met.
//!
//! Shares nothing with the fields but the evaluator of single conditions.

use std::collections::BTreeMap;

use super::cx::Step;
use super::{EvalFault, Position, exact};
use crate::ir::{ExprId, Leg, Rounding, Trace, TraceId};
use crate::world::ThingRef;

/// What the twin says of one thing: the answer, and for a plain trace the length of its line if one
/// was traced.
pub fn ask(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<(bool, Option<u32>), EvalFault> {
    ask_without(position, trace, thing, &[])
}

/// The same with some spaces closed: no line passes them, ends or changes its leg there, but one
/// may begin in one.
pub fn ask_without(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
    closed: &[u32],
) -> Result<(bool, Option<u32>), EvalFault> {
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
    // Spaces where a line begins: the thing's own, then every relay that a line comes to.
    let mut begun = vec![start];
    let mut at = 0;
    while let Some(begin) = begun.get(at).copied() {
        at += 1;
        for (end, length) in ends(position, rule, thing, begin, closed)? {
            if closed.contains(&end) {
                continue;
            }
            if any(position, thing, end, rule.sources.iter().map(|s| s.when))? {
                return Ok((true, rule.is_plain().then_some(length)));
            }
            if !begun.contains(&end)
                && any(position, thing, end, rule.relays.iter().map(|r| r.when))?
            {
                begun.push(end);
            }
        }
    }
    Ok((false, None))
}

fn any(
    position: &Position<'_>,
    thing: ThingRef,
    space: u32,
    mut conditions: impl Iterator<Item = ExprId>,
) -> Result<bool, EvalFault> {
    let cx = position.asked_of(thing).with(1, ThingRef::Space(space));
    conditions.try_fold(false, |found, when| Ok(found || position.holds(when, &cx)?))
}

/// Where all legs together can end, from one space, nearest first.
fn ends(
    position: &Position<'_>,
    rule: &Trace,
    thing: ThingRef,
    begin: u32,
    closed: &[u32],
) -> Result<Vec<(u32, u32)>, EvalFault> {
    let mut reached: BTreeMap<u32, u32> = BTreeMap::from([(begin, 0)]);
    for place in 0..rule.places {
        let mut next: BTreeMap<u32, u32> = BTreeMap::new();
        for leg in rule.legs.iter().filter(|l| l.place == place) {
            for space in reached.keys() {
                for (end, cost) in leg_ends(position, leg, thing, *space, closed)? {
                    let cell = next.entry(end).or_insert(cost);
                    *cell = cost.min(*cell);
                }
            }
            if leg.optional {
                for (space, cost) in &reached {
                    next.entry(*space).or_insert(*cost);
                }
            }
        }
        reached = next;
    }
    let mut ends: Vec<(u32, u32)> = reached.into_iter().collect();
    ends.sort_by_key(|(space, cost)| (*cost, *space));
    Ok(ends)
}

/// Where one leg can end, from one space: every space it comes to within its budget and may end in.
fn leg_ends(
    position: &Position<'_>,
    leg: &Leg,
    thing: ThingRef,
    begin: u32,
    closed: &[u32],
) -> Result<Vec<(u32, u32)>, EvalFault> {
    if leg.place > 0 && closed.contains(&begin) {
        return Ok(Vec::new());
    }
    let cx = position.asked_of(thing);
    let gate = |when: Option<ExprId>, space: u32| {
        when.map_or(Ok(true), |w| position.holds(w, &cx.with(1, ThingRef::Space(space))))
    };
    if !gate(leg.from.when, begin)? {
        return Ok(Vec::new());
    }
    let budget = match leg.within.amount {
        Some(amount) => Some(
            position
                .value(amount, &cx)?
                .amount()
                .map_or(0, |a| exact::rounded(a, Rounding::Down).max(0)),
        ),
        None => None,
    };
    // Every space with its cheapest cost so far; the cheapest that is not yet settled is settled
    // next.
    let mut best: BTreeMap<u32, (i64, bool)> = BTreeMap::from([(begin, (0, false))]);
    while let Some((space, cost)) = best
        .iter()
        .filter(|(_, (_, settled))| !settled)
        .min_by_key(|(_, (cost, _))| *cost)
        .map(|(s, (c, _))| (*s, *c))
    {
        best.insert(space, (cost, true));
        if space != begin && (closed.contains(&space) || !gate(leg.through.when, space)?) {
            continue;
        }
        for links in position
            .map
            .links
            .iter()
            .filter(|l| leg.links.iter().any(|k| position.rules.is_kind(l.kind, *k)))
        {
            for to in links.of(space) {
                let step = match leg.cost {
                    None => Some(1),
                    Some(amount) => {
                        let cx = cx.stepping(Step { mover: thing, from: space, into: *to });
                        position
                            .value(amount, &cx)?
                            .amount()
                            .map(|a| exact::rounded(a, Rounding::Up).max(1))
                    }
                };
                let Some(whole) = step.map(|s| cost.saturating_add(s)) else { continue };
                let better = best.get(to).is_none_or(|(c, settled)| !settled && whole < *c);
                if budget.is_none_or(|b| whole <= b) && better {
                    best.insert(*to, (whole, false));
                }
            }
        }
    }
    let mut ends = Vec::new();
    for (space, (cost, _)) in best {
        if !closed.contains(&space) && gate(leg.into.when, space)? {
            ends.push((space, u32::try_from(cost).unwrap_or(u32::MAX)));
        }
    }
    Ok(ends)
}

/// How long the shortest of all lines of a thing is, of those that its verdicts leave to be traced.
///
/// Forward from the thing, one chain of legs after another; each chain begins in the nearest space
/// where one has not begun yet.
pub fn shortest(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<Option<u32>, EvalFault> {
    let rule = &position.rules.traces[trace.index()];
    let start = match thing {
        ThingRef::Unit(unit) => position.world.space_of(unit),
        ThingRef::Space(space) => Some(space),
        _ => None,
    };
    let Some(start) = start else { return Ok(None) };
    let mut waiting: BTreeMap<u32, u32> = BTreeMap::from([(start, 0)]);
    let mut begun: Vec<u32> = Vec::new();
    let mut best: Option<u32> = None;
    while let Some((begin, gone)) =
        waiting.iter().min_by_key(|(s, gone)| (**gone, **s)).map(|(s, g)| (*s, *g))
    {
        waiting.remove(&begin);
        begun.push(begin);
        for (end, length) in whole_ends(position, rule, thing, begin)? {
            let whole = gone.saturating_add(length);
            if any(position, thing, end, rule.sources.iter().map(|s| s.when))? {
                best = Some(best.map_or(whole, |b| b.min(whole)));
            }
            if !begun.contains(&end)
                && any(position, thing, end, rule.relays.iter().map(|r| r.when))?
            {
                let cell = waiting.entry(end).or_insert(whole);
                *cell = whole.min(*cell);
            }
        }
    }
    Ok(best)
}

/// Where lines of a thing can end, whether or not a source is there, with the length of the
/// shortest.
pub fn reach(
    position: &Position<'_>,
    trace: TraceId,
    start: u32,
    thing: ThingRef,
) -> Result<BTreeMap<u32, u32>, EvalFault> {
    let rule = &position.rules.traces[trace.index()];
    let mut begun: BTreeMap<u32, u32> = BTreeMap::from([(start, 0)]);
    let mut found: BTreeMap<u32, u32> = BTreeMap::new();
    loop {
        let before = begun.clone();
        for (begin, gone) in before.clone() {
            for (end, length) in whole_ends(position, rule, thing, begin)? {
                let whole = gone.saturating_add(length);
                let cell = found.entry(end).or_insert(whole);
                *cell = whole.min(*cell);
                if any(position, thing, end, rule.relays.iter().map(|r| r.when))? {
                    let cell = begun.entry(end).or_insert(whole);
                    *cell = whole.min(*cell);
                }
            }
        }
        if begun == before {
            return Ok(found);
        }
    }
}

/// Where all legs together can end, from one space, with the length of the shortest way.
fn whole_ends(
    position: &Position<'_>,
    rule: &Trace,
    thing: ThingRef,
    begin: u32,
) -> Result<BTreeMap<u32, u32>, EvalFault> {
    let mut reached: BTreeMap<u32, u32> = BTreeMap::from([(begin, 0)]);
    for place in 0..rule.places {
        let mut next: BTreeMap<u32, u32> = BTreeMap::new();
        for leg in rule.legs.iter().filter(|l| l.place == place) {
            for (space, gone) in &reached {
                let ends = match rule.in_links {
                    true => leg_links(position, leg, thing, *space)?,
                    false => leg_ends(position, leg, thing, *space, &[])?,
                };
                for (end, length) in ends {
                    let whole = gone.saturating_add(length);
                    let cell = next.entry(end).or_insert(whole);
                    *cell = whole.min(*cell);
                }
            }
            if leg.optional {
                for (space, gone) in &reached {
                    let cell = next.entry(*space).or_insert(*gone);
                    *cell = (*gone).min(*cell);
                }
            }
        }
        reached = next;
    }
    Ok(reached)
}

/// Where one leg can end, with the fewest links of a way within its budget: all ways of one link,
/// then of two, and so on, of each space the cheapest.
fn leg_links(
    position: &Position<'_>,
    leg: &Leg,
    thing: ThingRef,
    begin: u32,
) -> Result<Vec<(u32, u32)>, EvalFault> {
    let cx = position.asked_of(thing);
    let gate = |when: Option<ExprId>, space: u32| {
        when.map_or(Ok(true), |w| position.holds(w, &cx.with(1, ThingRef::Space(space))))
    };
    if !gate(leg.from.when, begin)? {
        return Ok(Vec::new());
    }
    let budget = position.budget_of(leg, thing)?;
    let mut fewest: BTreeMap<u32, u32> = BTreeMap::new();
    let mut layer: BTreeMap<u32, u32> = BTreeMap::from([(begin, 0)]);
    for links in 0..=u32::try_from(position.map.spaces.len()).unwrap_or(u32::MAX) {
        for space in layer.keys() {
            fewest.entry(*space).or_insert(links);
        }
        let mut next: BTreeMap<u32, u32> = BTreeMap::new();
        for (space, cost) in layer {
            if links > 0 && !gate(leg.through.when, space)? {
                continue;
            }
            for of in position
                .map
                .links
                .iter()
                .filter(|l| leg.links.iter().any(|k| position.rules.is_kind(l.kind, *k)))
            {
                for to in of.of(space) {
                    let Some(step) = position.step_cost(leg, thing, space, *to)? else { continue };
                    let whole = cost.saturating_add(step);
                    if budget.is_none_or(|b| whole <= b) {
                        let cell = next.entry(*to).or_insert(whole);
                        *cell = whole.min(*cell);
                    }
                }
            }
        }
        layer = next;
    }
    let mut ends = Vec::new();
    for (space, links) in fewest {
        if gate(leg.into.when, space)? {
            ends.push((space, links));
        }
    }
    Ok(ends)
}
