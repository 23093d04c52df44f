//! The slow and obvious twin: from each thing forward, one space after another, asking every gate
//! as it is met.
//!
//! Shares nothing with the fields but the evaluator of single conditions.

use std::collections::BTreeMap;

use super::cx::Step;
use super::{EvalFault, Position, exact};
use crate::ir::{ExprId, KindId, Leg, Rounding, Trace, TraceId};
use crate::map::{OnLines, goes_on};
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
    // Every space with its cheapest cost so far, by the lines of crossings along which it is come
    // to; the cheapest that is not yet settled is settled next.
    let first: Came = (begin, OnLines::new());
    let mut best: BTreeMap<Came, (i64, bool)> = BTreeMap::from([(first.clone(), (0, false))]);
    while let Some((came, cost)) = best
        .iter()
        .filter(|(_, (_, settled))| !settled)
        .min_by_key(|(_, (cost, _))| *cost)
        .map(|(s, (c, _))| (s.clone(), *c))
    {
        best.insert(came.clone(), (cost, true));
        let space = came.0;
        if came != first && (closed.contains(&space) || !gate(leg.through.when, space)?) {
            continue;
        }
        for to in steps(position, leg, &came) {
            let step = match leg.cost {
                None => Some(1),
                Some(amount) => {
                    let cx = cx.stepping(Step { mover: thing, from: space, into: to.0 });
                    position
                        .value(amount, &cx)?
                        .amount()
                        .map(|a| exact::rounded(a, Rounding::Up).max(1))
                }
            };
            let Some(whole) = step.map(|s| cost.saturating_add(s)) else { continue };
            let better = best.get(&to).is_none_or(|(c, settled)| !settled && whole < *c);
            if budget.is_none_or(|b| whole <= b) && better {
                best.insert(to, (whole, false));
            }
        }
    }
    let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
    for ((space, _), (cost, _)) in best {
        if !closed.contains(&space) && gate(leg.into.when, space)? {
            let cost = u32::try_from(cost).unwrap_or(u32::MAX);
            let cell = ends.entry(space).or_insert(cost);
            *cell = cost.min(*cell);
        }
    }
    Ok(ends.into_iter().collect())
}

/// A space, and on which lines of its crossings lies the link by which it is come to; none where a
/// leg begins.
type Came = (u32, OnLines);

/// Where the steps of a leg lead from a space.
fn steps(position: &Position<'_>, leg: &Leg, (space, came): &Came) -> Vec<Came> {
    let (map, rules) = (position.map, position.rules);
    let of_leg = |kind: KindId| leg.links.iter().any(|k| rules.is_kind(kind, *k));
    let mut found = Vec::new();
    for links in map.links.iter().filter(|l| of_leg(l.kind)) {
        // Of links with a condition those are asked that the map lists.
        let base = rules.kinds[links.kind.index()].some_of;
        for to in links.of(*space) {
            let listed = map.links.iter().map(|l| l.kind).filter(|kind| match base {
                None => *kind == links.kind,
                Some(base) => rules.is_printed(*kind) && rules.is_kind(*kind, base),
            });
            for kind in listed.filter(|kind| map.neighbours(*kind, *space).contains(to)) {
                if goes_on(came, &map.on_lines(*space, kind, *to)) {
                    found.push((*to, map.on_lines(*to, kind, *space)));
                }
            }
        }
    }
    found
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
    let mut layer: BTreeMap<Came, u32> = BTreeMap::from([((begin, OnLines::new()), 0)]);
    // A way comes to a space once at most by each of its links.
    let listed = position.map.links.iter().map(|links| links.to.len()).sum::<usize>();
    let most = match position.map.crossings.is_empty() {
        true => position.map.spaces.len(),
        false => position.map.spaces.len() + listed,
    };
    for links in 0..=u32::try_from(most).unwrap_or(u32::MAX) {
        for (space, _) in layer.keys() {
            fewest.entry(*space).or_insert(links);
        }
        let mut next: BTreeMap<Came, u32> = BTreeMap::new();
        for (came, cost) in layer {
            let space = came.0;
            if links > 0 && !gate(leg.through.when, space)? {
                continue;
            }
            for to in steps(position, leg, &came) {
                let Some(step) = position.step_cost(leg, thing, space, to.0)? else { continue };
                let whole = cost.saturating_add(step);
                if budget.is_none_or(|b| whole <= b) {
                    let cell = next.entry(to).or_insert(whole);
                    *cell = whole.min(*cell);
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
