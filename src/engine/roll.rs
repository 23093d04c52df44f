//! Rolls: a test for each thing of a step, or the tests that a list has for each.
//!
//! All is read before anything changes but the amounts that retries are paid from: who comes first
//! spends first.

use super::phase::things;
use super::spent::Spent;
use super::{Dice, DiceFault, Event, Ground, RunFault, What};
use crate::ir::*;
use crate::kernel::Position;
use crate::world::{ThingRef, World};

/// Rolls a test for each thing of a step, in the order of the position; with `once`, one throw
/// counts for all.
pub(super) fn test(
    ground: &Ground<'_>,
    world: &mut World,
    (phase, step): (PhaseId, &Step),
    (test, once): (TestId, bool),
    side: Option<SideId>,
    dice: &mut Dice,
    events: &mut Vec<Event>,
) -> Result<(), RunFault> {
    let rules = ground.rules();
    let mut outcomes = Vec::new();
    let mut spent = Spent::default();
    let read = ground.ask(world, |position| -> Result<(), RunFault> {
        let mut shared = None;
        for thing in things(position, step, side)? {
            // About spaces the side asks whose phase it is.
            let roll = || one(position, (test, thing), shared, dice, &mut spent);
            let rolled = position.seen_by(side, roll)?;
            shared = once.then_some(rolled.natural);
            outcomes.push((thing, rolled));
        }
        Ok(())
    });
    read.transpose()?;
    if !outcomes.is_empty() {
        rules.seen.line(step.line);
    }
    spent.pay(rules, world);
    for (thing, rolled) in outcomes {
        world.roll(test, thing, rolled.outcome);
        events.push(told(phase, step, thing, test, rolled));
    }
    Ok(())
}

/// Rolls for each thing of a step the tests of the rows that hold for it, in order, until one comes
/// to the outcome that stops it.
pub(super) fn list(
    ground: &Ground<'_>,
    world: &mut World,
    (phase, step): (PhaseId, &Step),
    (table, stops): (TableId, &[Option<u16>]),
    side: Option<SideId>,
    dice: &mut Dice,
    events: &mut Vec<Event>,
) -> Result<(), RunFault> {
    let rules = ground.rules();
    let tests = &rules.tables[table.index()].tests;
    let mut all = Vec::new();
    let mut spent = Spent::default();
    let read = ground.ask(world, |position| -> Result<(), RunFault> {
        for thing in things(position, step, side)? {
            let (mut rolls, mut stop) = (Vec::new(), None);
            for row in position.seen_by(side, || position.listed(table, thing))? {
                rules.seen.row(table, row);
                rules.seen.line(rules.tables[table.index()].rows[row].line);
                rules.seen.line(rules.tables[table.index()].line);
                let roll = || one(position, (tests[row], thing), None, dice, &mut spent);
                let rolled = position.seen_by(side, roll)?;
                let stopped = rolled.outcome.is_some() && rolled.outcome == stops[row];
                rolls.push((tests[row], rolled));
                if stopped {
                    stop = u16::try_from(row).ok();
                    break;
                }
            }
            all.push((thing, rolls, stop));
        }
        Ok(())
    });
    read.transpose()?;
    spent.pay(rules, world);
    for (thing, rolls, stop) in all {
        let rolled = !rolls.is_empty();
        if rolled {
            rules.seen.line(step.line);
        }
        for (test, rolled) in rolls {
            world.roll(test, thing, rolled.outcome);
            events.push(told(phase, step, thing, test, rolled));
        }
        world.stop(table, thing, Some(stop.map_or(0, |row| row + 1)));
        // Where nothing was due nothing has happened.
        if rolled {
            events.push(Event {
                phase,
                line: step.line,
                thing,
                what: What::Listed { table, stop },
                order: None,
            });
        }
    }
    Ok(())
}

/// What one roll came to, with all that was rolled again.
struct Rolled {
    natural: i64,
    shown: Vec<u32>,
    outcome: Option<u16>,
}

/// One roll of a test for a thing; the dice are thrown already where a sum is `shared`.
fn one(
    position: &Position<'_>,
    (test, thing): (TestId, ThingRef),
    shared: Option<i64>,
    dice: &mut Dice,
    spent: &mut Spent,
) -> Result<Rolled, RunFault> {
    let rule = &position.rules.tests[test.index()];
    let faulty = |fault| RunFault::Dice(test, fault);
    let before = dice.shown().len();
    let mut natural = match shared {
        Some(natural) => natural,
        None => throw(rule, dice).map_err(faulty)?,
    };
    let retries = position.retries(test, thing)?;
    let most = retries.most(spent.of(&retries));
    let mut outcome = position.outcome(test, thing, natural)?;
    let mut made = 0;
    while made < most && position.again(test, thing, natural, outcome)? {
        made += 1;
        natural = throw(rule, dice).map_err(faulty)?;
        outcome = position.outcome(test, thing, natural)?;
    }
    spent.add(&retries, made);
    let shown = dice.shown().get(before..).unwrap_or_default().to_vec();
    Ok(Rolled { natural, shown, outcome })
}

fn told(phase: PhaseId, step: &Step, thing: ThingRef, test: TestId, rolled: Rolled) -> Event {
    let what = What::Rolled { test, dice: rolled.shown, outcome: rolled.outcome };
    Event { phase, line: step.line, thing, what, order: None }
}

fn throw(rule: &Test, dice: &mut Dice) -> Result<i64, DiceFault> {
    let mut natural = 0;
    for throw in &rule.dice {
        for _ in 0..throw.count {
            natural += i64::from(dice.throw(&throw.die)?);
        }
    }
    Ok(natural)
}
