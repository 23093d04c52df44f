//! All states, step by step: a roll branches by outcome, everything else changes each state in one
//! way.

use indexmap::IndexMap;
use num_traits::{One, Zero};

use super::cells::{Change, changed, difference};
use super::plan::{Op, Rolls};
use super::unread::{Unread, unread};
use super::{End, OddsFault};
use crate::engine::begin::{begin, next_turn, skipped};
use crate::engine::expire::expire;
use crate::engine::phase::{forget, these_steps, things};
use crate::engine::spent::Spent;
use crate::engine::{Dice, Ground, Orders, RunFault, What};
use crate::ir::*;
use crate::kernel::{Ending, Fraction, Position, sums};
use crate::world::{ThingRef, World};

type States = IndexMap<Vec<Change>, Fraction>;

/// What the things of one roll came to.
#[derive(Clone)]
struct Branch {
    outcomes: Vec<(TestId, ThingRef, Option<u16>)>,
    /// Where lists of tests stopped.
    stops: Vec<(TableId, ThingRef, u16)>,
    spent: Spent,
    chance: Fraction,
}

impl Default for Branch {
    /// The beginning: nothing is rolled, for certain.
    fn default() -> Branch {
        Branch {
            outcomes: Vec::new(),
            stops: Vec::new(),
            spent: Spent::default(),
            chance: Fraction::one(),
        }
    }
}

/// All ends of a plan that begins `from` a position, told by their difference from the `start`;
/// with `only`, no other unit rolls.
pub(super) fn explore(
    rules: &Ruleset,
    (start, from): (&World, &World),
    plan: &[Op],
    only: Option<&[u32]>,
    most: usize,
) -> Result<Vec<End>, OddsFault> {
    let mut states = States::new();
    put(&mut states, start, from.clone(), &unread(rules, plan), Fraction::one(), most)?;
    for (at, op) in plan.iter().enumerate() {
        // What nobody reads again makes no state another one.
        let forgotten = unread(rules, plan.get(at + 1..).unwrap_or_default());
        let mut next = States::new();
        for (changes, chance) in states {
            let mut world = changed(start, &changes);
            if let Op::Step(phase, step, _) = op
                && skipped(rules, &mut world, *phase, *step)
            {
                put(&mut next, start, world, &forgotten, chance, most)?;
                continue;
            }
            if let (Some(rolls), Op::Step(phase, step, side)) = (op.rolls(rules), op) {
                let step = &rules.phases[phase.index()].steps[*step];
                for branch in branches(rules, &world, step, rolls, *side, (only, most))? {
                    let mut after = world.clone();
                    branch.spent.pay(rules, &mut after);
                    branch
                        .outcomes
                        .iter()
                        .for_each(|(test, thing, outcome)| after.roll(*test, *thing, *outcome));
                    branch
                        .stops
                        .iter()
                        .for_each(|(list, thing, at)| after.stop(*list, *thing, Some(*at)));
                    put(&mut next, start, after, &forgotten, &chance * branch.chance, most)?;
                }
                continue;
            }
            apply(rules, &mut world, op)?;
            put(&mut next, start, world, &forgotten, chance, most)?;
        }
        states = next;
    }
    debug_assert!(states.values().sum::<Fraction>().is_one(), "chances add up to 1");
    Ok(states.into_iter().collect())
}

/// Adds a state, joined with an equal one.
fn put(
    states: &mut States,
    start: &World,
    mut world: World,
    unread: &Unread,
    chance: Fraction,
    most: usize,
) -> Result<(), OddsFault> {
    for test in &unread.tests {
        if let Some(row) = world.rolled.get_mut(test.index()) {
            row.clone_from(start.rolled.get(test.index()).unwrap_or(&Vec::new()));
        }
    }
    for list in &unread.lists {
        if let Some(row) = world.stopped.get_mut(list.index()) {
            row.clone_from(start.stopped.get(list.index()).unwrap_or(&Vec::new()));
        }
    }
    *states.entry(difference(start, &world)).or_insert_with(Fraction::zero) += chance;
    if states.len() > most { Err(OddsFault::TooMany) } else { Ok(()) }
}

/// What happens by itself.
pub(super) fn apply(rules: &Ruleset, world: &mut World, op: &Op) -> Result<(), OddsFault> {
    match op {
        Op::Expire(moment, side) => expire(rules, world, *moment, *side),
        Op::NextTurn => next_turn(rules, world),
        Op::Begin(phase, side) => {
            forget(rules, world, *phase);
            begin(&Ground::new(rules), world, *phase, *side)?;
        }
        Op::Step(phase, at, _) if skipped(rules, world, *phase, *at) => {}
        Op::Step(phase, at, side) => {
            match these_steps(
                &Ground::new(rules),
                world,
                (*phase, *at..*at + 1),
                *side,
                &mut Dice::default(),
                &mut Orders::none(),
            ) {
                // What nobody has decided has no odds.
                Ok(events) => {
                    if let Some(open) = events.iter().find(|e| matches!(e.what, What::Open(_))) {
                        return Err(OddsFault::Open(open.line));
                    }
                }
                Err(RunFault::Eval(fault)) => return Err(fault.into()),
                // No step but a roll throws dice.
                Err(_) => return Err(OddsFault::TooMany),
            }
        }
    }
    Ok(())
}

/// Every way in which one roll of a step can come out.
fn branches(
    rules: &Ruleset,
    world: &World,
    step: &Step,
    rolls: Rolls<'_>,
    side: Option<SideId>,
    (only, most_states): (Option<&[u32]>, usize),
) -> Result<Vec<Branch>, OddsFault> {
    let Some(position) = Position::new(rules, world) else {
        return Ok(vec![Branch::default()]);
    };
    let mut rolling = things(&position, step, side)?;
    rolling.retain(|thing| {
        only.is_none_or(|only| matches!(thing, ThingRef::Unit(u) if only.contains(u)))
    });
    // About spaces the side asks whose phase it is.
    position.seen_by(side, || rolled(rules, &position, rolls, &rolling, most_states))
}

/// Every way in which the rolls for these things can come out.
fn rolled(
    rules: &Ruleset,
    position: &Position<'_>,
    rolls: Rolls<'_>,
    rolling: &[ThingRef],
    most_states: usize,
) -> Result<Vec<Branch>, OddsFault> {
    let mut all = vec![Branch::default()];
    let test = match rolls {
        Rolls::Test { test, once: true } => return shared(rules, position, test, rolling),
        Rolls::Test { test, once: false } => test,
        Rolls::List { table, stops } => {
            return listed(position, (table, stops), rolling, most_states);
        }
    };
    // Where the rolls do not touch each other their ways multiply, and too many are seen before any
    // is followed.
    let mut ways = 1usize;
    for thing in rolling {
        let retries = position.retries(test, *thing)?;
        if retries.pool.is_none() {
            ways = ways
                .saturating_mul(by_outcome(position.endings(test, *thing, retries.most(0))?).len());
        }
        if ways > most_states {
            return Err(OddsFault::TooMany);
        }
    }
    for thing in rolling.iter().copied() {
        let retries = position.retries(test, thing)?;
        // By how many retries are left: the ways in which this roll can end.
        let mut endings: IndexMap<u32, Vec<Ending>> = IndexMap::new();
        let mut next = Vec::new();
        for branch in all {
            let most = retries.most(branch.spent.of(&retries));
            if !endings.contains_key(&most) {
                let mut found = position.endings(test, thing, most)?;
                if retries.pool.is_none() {
                    found = by_outcome(found);
                }
                endings.insert(most, found);
            }
            for ending in endings.get(&most).into_iter().flatten() {
                let mut branch = branch.clone();
                branch.outcomes.push((test, thing, ending.outcome));
                branch.spent.add(&retries, ending.retries);
                branch.chance *= &ending.chance;
                next.push(branch);
            }
            if next.len() > most_states {
                return Err(OddsFault::TooMany);
            }
        }
        all = next;
    }
    Ok(all)
}

/// The tests of a list, one after the other until one stops it, for each thing.
fn listed(
    position: &Position<'_>,
    (table, stops): (TableId, &[Option<u16>]),
    rolling: &[ThingRef],
    most_states: usize,
) -> Result<Vec<Branch>, OddsFault> {
    let tests = &position.rules.tables[table.index()].tests;
    let mut all = vec![Branch::default()];
    for thing in rolling {
        let mut stopped = Vec::new();
        for row in position.listed(table, *thing)? {
            let test = tests[row];
            let retries = position.retries(test, *thing)?;
            let mut open = Vec::new();
            for branch in all {
                let mut endings =
                    position.endings(test, *thing, retries.most(branch.spent.of(&retries)))?;
                if retries.pool.is_none() {
                    endings = by_outcome(endings);
                }
                for ending in endings {
                    let mut branch = branch.clone();
                    branch.outcomes.push((test, *thing, ending.outcome));
                    branch.spent.add(&retries, ending.retries);
                    branch.chance *= &ending.chance;
                    if ending.outcome.is_some() && ending.outcome == stops[row] {
                        branch.stops.push((
                            table,
                            *thing,
                            u16::try_from(row + 1).unwrap_or(u16::MAX),
                        ));
                        stopped.push(branch);
                    } else {
                        open.push(branch);
                    }
                }
                if open.len() + stopped.len() > most_states {
                    return Err(OddsFault::TooMany);
                }
            }
            all = open;
        }
        all.iter_mut().for_each(|branch| branch.stops.push((table, *thing, 0)));
        all.extend(stopped);
    }
    Ok(all)
}

/// Where a roll of a list can stop for one thing, each row with its exact chance, and that it goes
/// through last.
pub(super) fn stops_of(
    position: &Position<'_>,
    (table, stops): (TableId, &[Option<u16>]),
    thing: ThingRef,
    most_states: usize,
) -> Result<Vec<(Option<usize>, Fraction)>, OddsFault> {
    let rows = position.listed(table, thing)?;
    let mut odds: Vec<(Option<usize>, Fraction)> =
        rows.into_iter().map(Some).chain([None]).map(|at| (at, Fraction::zero())).collect();
    for branch in listed(position, (table, stops), &[thing], most_states)? {
        let at = branch.stops.first().and_then(|(.., at)| usize::from(*at).checked_sub(1));
        if let Some((_, chance)) = odds.iter_mut().find(|(row, _)| *row == at) {
            *chance += branch.chance;
        }
    }
    debug_assert!(
        odds.iter().map(|(_, chance)| chance).sum::<Fraction>().is_one(),
        "chances add up to 1"
    );
    Ok(odds)
}

/// One throw for all: every sum of the dice gives each thing its outcome.
fn shared(
    rules: &Ruleset,
    position: &Position<'_>,
    test: TestId,
    rolling: &[ThingRef],
) -> Result<Vec<Branch>, OddsFault> {
    let sums = sums(&rules.tests[test.index()].dice);
    let ways: i64 = sums.iter().map(|(_, ways)| ways).sum();
    let mut found: IndexMap<Vec<(TestId, ThingRef, Option<u16>)>, i64> = IndexMap::new();
    for (natural, ways) in sums {
        let mut outcomes = Vec::new();
        for thing in rolling {
            outcomes.push((test, *thing, position.outcome(test, *thing, natural)?));
        }
        *found.entry(outcomes).or_default() += ways;
    }
    let chance = |hits: i64| Fraction::new(hits.into(), ways.max(1).into());
    Ok(found
        .into_iter()
        .map(|(outcomes, hits)| Branch { outcomes, chance: chance(hits), ..Branch::default() })
        .collect())
}

/// How often it was rolled again makes no difference where nothing is spent.
fn by_outcome(endings: Vec<Ending>) -> Vec<Ending> {
    let mut joined: Vec<Ending> = Vec::new();
    for ending in endings {
        match joined.iter_mut().find(|e| e.outcome == ending.outcome) {
            Some(found) => found.chance += ending.chance,
            None => joined.push(Ending { retries: 0, ..ending }),
        }
    }
    joined
}
