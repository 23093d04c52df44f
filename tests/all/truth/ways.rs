//! Every way out of what a line reaches: gates that are shut where a line comes to them.

use std::collections::{BTreeMap, BTreeSet};

use super::brute::{Brute, Gate, Subject};
use super::game::{Leg, Trace, Within};

/// A gate of a leg, or its budget or cost, by the words of the commands, and the space it bars.
pub type Ways = BTreeSet<(&'static str, usize)>;

pub fn out(brute: &Brute<'_>, trace: &Trace, subject: Subject, viewer: Option<usize>) -> Ways {
    within(brute, trace, (subject, viewer), |leg| vec![brute.budget_of(leg, subject)])
}

/// The same of legs whose end says how far they run, for each end by itself.
pub fn to_ends(brute: &Brute<'_>, trace: &Trace, subject: Subject, viewer: Option<usize>) -> Ways {
    within(brute, trace, (subject, viewer), |leg| match leg.within {
        Within::Haul => brute.game.haul.iter().map(|far| Some(*far)).collect(),
        _ => Vec::new(),
    })
}

fn within(
    brute: &Brute<'_>,
    trace: &Trace,
    (subject, viewer): (Subject, Option<usize>),
    budgets: impl Fn(&Leg) -> Vec<Option<i64>>,
) -> Ways {
    let viewer = brute.viewer(subject, viewer);
    let reached = brute.reached(trace, subject, viewer);
    let mut ways = Ways::new();
    for leg in &trace.legs {
        let begins: Vec<usize> =
            (0..brute.game.spaces()).filter(|s| reached[leg.place][*s].is_some()).collect();
        for budget in budgets(leg) {
            of_leg(brute, (leg, budget), (begins.clone(), subject, viewer), &mut ways);
        }
    }
    ways
}

fn of_leg(
    brute: &Brute<'_>,
    (leg, budget): (&Leg, Option<i64>),
    (begins, subject, viewer): (Vec<usize>, Subject, Option<usize>),
    ways: &mut Ways,
) {
    let open = |gate: Gate, space: usize| brute.gate(leg, gate, space, (subject, viewer));
    let (begins, shut): (Vec<usize>, Vec<usize>) =
        begins.iter().partition(|s| open(Gate::From, **s));
    ways.extend(shut.into_iter().map(|s| ("from", s)));
    // By space, and along which link the leg came there where links cross.
    let mut best: BTreeMap<(usize, Option<usize>), i64> = BTreeMap::new();
    best.extend(begins.iter().map(|s| ((*s, None), 0)));
    let mut waiting: Vec<(usize, Option<usize>)> = best.keys().copied().collect();
    let (mut too_far, mut barred) = (Vec::new(), Vec::new());
    while let Some(node) = waiting.pop() {
        let (from, so_far) = (node.0, best[&node]);
        // Where the leg can begin as well, it goes on all the same.
        if !begins.contains(&from) && !open(Gate::Through, from) {
            let stops = !open(Gate::Stopping, from)
                && brute.holds(&leg.through, from, viewer, subject)
                && !brute.is_closed(from);
            ways.insert((if stops { "stopping" } else { "through" }, from));
            continue;
        }
        for into in brute.game.onward(node, leg) {
            let Some(step) = brute.step(leg, from, into.0, subject) else {
                let may = brute.may_step(leg, from, into.0, subject);
                barred.push((if may { "cost" } else { "over" }, into));
                continue;
            };
            let whole = so_far + step;
            if budget.is_some_and(|b| whole > b) {
                too_far.push((from, into));
            } else if best.get(&into).is_none_or(|now| whole < *now) {
                best.insert(into, whole);
                waiting.push(into);
            }
        }
    }
    let is_new = |into: &(usize, Option<usize>)| {
        !best.contains_key(into) && !best.contains_key(&(into.0, None))
    };
    let barred = barred.into_iter().filter(|(_, into)| is_new(into));
    ways.extend(barred.map(|(gate, into)| (gate, into.0)));
    // Back to where the line has been is no way out.
    for (from, into) in too_far.into_iter().filter(|(_, into)| is_new(into)) {
        ways.insert(("within", from));
        ways.insert(("within", into.0));
    }
    let reached: BTreeSet<usize> = best.keys().map(|(space, _)| *space).collect();
    ways.extend(reached.into_iter().filter(|s| !open(Gate::Into, *s)).map(|s| ("into", s)));
}
