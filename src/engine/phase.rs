//! Phases run: step by step, within a step all is read before anything changes; marks and kept answers end.

use super::state::encoded;
use super::{Dice, RunFault};
use crate::ir::*;
use crate::kernel::hex::yes_of;
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::{ThingRef, World};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// In which phase.
    pub phase: PhaseId,
    /// By which line.
    pub line: LineId,
    /// To what.
    pub thing: ThingRef,
}

/// What a step will do to one thing, read before anything changes.
enum Change {
    Keep(TraceId, bool),
    Set(FactId, ThingRef, i64),
    /// Several things may change one amount in one step; what they add is added up.
    Add(FactId, ThingRef, i64),
    Remove,
}

/// Runs one phase, for a side if it is of a side. What ends at the start of something ends before the phases of that
/// moment; what ends at its end ends behind them, for they still belong to it.
pub fn run(rules: &Ruleset, world: &mut World, phase: PhaseId, side: Option<SideId>, dice: &mut Dice) -> Result<Vec<Event>, RunFault> {
    let moments = &rules.phases[phase.index()].moments;
    let of_edge = |edge: Edge| moments.iter().filter(move |m| m.edge == edge);
    of_edge(Edge::Start).for_each(|m| expire(rules, world, *m, side));
    let events = steps(rules, world, phase, side, dice)?;
    of_edge(Edge::End).for_each(|m| expire(rules, world, *m, side));
    Ok(events)
}

/// Lets a moment pass with all its phases, in written order, and with all that ends then.
pub fn pass(rules: &Ruleset, world: &mut World, moment: Moment, dice: &mut Dice) -> Result<Vec<Event>, RunFault> {
    let side = match moment.whose {
        Whose::Side(side) => Some(side),
        Whose::All | Whose::Owner => None,
    };
    if moment.edge == Edge::Start {
        expire(rules, world, moment, side);
    }
    let mut events = Vec::new();
    for (at, phase) in rules.phases.iter().enumerate() {
        if phase.moments.iter().any(|m| same_moment(*m, moment)) {
            events.extend(steps(rules, world, PhaseId::at(at), side, dice)?);
        }
    }
    if moment.edge == Edge::End {
        expire(rules, world, moment, side);
    }
    Ok(events)
}

fn same_moment(declared: Moment, passing: Moment) -> bool {
    declared.edge == passing.edge && declared.part == passing.part && (declared.whose != Whose::All || passing.whose == Whose::All)
}

/// Takes away the marks and kept answers that end at a moment, of one side's things where the moment is a side's.
fn expire(rules: &Ruleset, world: &mut World, moment: Moment, side: Option<SideId>) {
    let ends = |until: &Moment| until.edge == moment.edge && until.part == moment.part;
    let whose = |until: &Moment, owner: Option<SideId>| match until.whose {
        Whose::All => true,
        Whose::Owner => side.is_none() || owner == side,
        Whose::Side(of) => side.is_none() || side == Some(of),
    };
    for fact in &rules.facts {
        let FactOrigin::Mark(Some(until)) = &fact.origin else { continue };
        if !ends(until) {
            continue;
        }
        for thing in things_of(rules, world, fact.kind) {
            if whose(until, owner(world, thing)) {
                world.set_fact(fact, thing, 0);
            }
        }
    }
    for (at, trace) in rules.traces.iter().enumerate() {
        let Some(until) = trace.lasts.as_ref().filter(|u| ends(u)) else { continue };
        for thing in things_of(rules, world, trace.of) {
            if whose(until, owner(world, thing)) {
                world.keep(TraceId::at(at), thing, None);
            }
        }
    }
}

fn owner(world: &World, thing: ThingRef) -> Option<SideId> {
    match thing {
        ThingRef::Unit(u) => world.owner(u),
        ThingRef::Space(s) => world.control(s),
        ThingRef::Side(s) => Some(s),
        ThingRef::World => None,
    }
}

fn things_of(rules: &Ruleset, world: &World, kind: KindId) -> Vec<ThingRef> {
    let count = |n: usize| 0..u32::try_from(n).unwrap_or(u32::MAX);
    match rules.kinds[kind.index()].top {
        KindId::UNIT => count(world.units.len()).map(ThingRef::Unit).collect(),
        KindId::SPACE => count(rules.maps.get(world.map.index()).map_or(0, |m| m.spaces.len())).map(ThingRef::Space).collect(),
        KindId::SIDE => (0..rules.sides.len()).map(|s| ThingRef::Side(SideId::at(s))).collect(),
        _ => vec![ThingRef::World],
    }
}

fn steps(rules: &Ruleset, world: &mut World, phase: PhaseId, side: Option<SideId>, dice: &mut Dice) -> Result<Vec<Event>, RunFault> {
    let mut events = Vec::new();
    // The outcomes of an earlier run of the phase are forgotten before anything is rolled again.
    for step in &rules.phases[phase.index()].steps {
        if let Effect::Roll(test) = step.effect
            && let Some(row) = world.rolled.get_mut(test.index())
        {
            row.clear();
        }
    }
    for step in rules.phases[phase.index()].steps.iter().filter(|s| s.mode == Mode::Do) {
        if let Effect::Roll(test) = step.effect {
            roll(rules, world, (phase, step), test, side, dice, &mut events)?;
            continue;
        }
        let changes = read(rules, world, step, side)?;
        for (thing, change) in changes {
            match change {
                Change::Keep(trace, answer) => {
                    world.keep(trace, thing, Some(answer));
                    count(rules, world, trace, thing, answer);
                }
                Change::Set(fact, of, value) => world.set_fact(&rules.facts[fact.index()], of, value),
                Change::Add(fact, of, by) => {
                    let fact_row = &rules.facts[fact.index()];
                    let value = world.fact(fact_row, of).saturating_add(by);
                    world.set_fact(fact_row, of, within(rules, fact, value));
                }
                Change::Remove => {
                    if let ThingRef::Unit(u) = thing
                        && let Some(unit) = world.units.get_mut(u as usize)
                    {
                        unit.removed = true;
                    }
                }
            }
            events.push(Event { phase, line: step.line, thing });
        }
    }
    Ok(events)
}

/// Rolls a test for each thing of a step, in the order of the position.
fn roll(
    rules: &Ruleset,
    world: &mut World,
    (phase, step): (PhaseId, &Step),
    test: TestId,
    side: Option<SideId>,
    dice: &mut Dice,
    events: &mut Vec<Event>,
) -> Result<(), RunFault> {
    let rule = &rules.tests[test.index()];
    let mut outcomes = Vec::new();
    if let Some(position) = Position::new(rules, world) {
        for thing in things(&position, step, side)? {
            let mut natural = 0;
            for _ in 0..rule.dice {
                natural += i64::from(dice.next(rule.sides)?);
            }
            outcomes.push((thing, position.outcome(test, thing, natural)?));
        }
    }
    for (thing, outcome) in outcomes {
        world.roll(test, thing, outcome);
        events.push(Event { phase, line: step.line, thing });
    }
    Ok(())
}

/// The things of a step.
fn things(position: &Position<'_>, step: &Step, side: Option<SideId>) -> Result<Vec<ThingRef>, EvalFault> {
    match step.things {
        Some(things) => position.all(things, &Cx::world(side.or(position.world.viewer))),
        None => Ok(vec![ThingRef::World]),
    }
}

/// A judged no raises the count of a trace, a judged yes sets it to nothing.
fn count(rules: &Ruleset, world: &mut World, trace: TraceId, thing: ThingRef, answer: bool) {
    if let Some(counter) = rules.traces[trace.index()].counter {
        let fact = &rules.facts[counter.index()];
        let value = if answer { 0 } else { within(rules, counter, world.fact(fact, thing).saturating_add(1)) };
        world.set_fact(fact, thing, value);
    }
}

fn read(rules: &Ruleset, world: &World, step: &Step, side: Option<SideId>) -> Result<Vec<(ThingRef, Change)>, EvalFault> {
    let Some(position) = Position::new(rules, world) else { return Ok(Vec::new()) };
    let mut changes = Vec::new();
    let things = things(&position, step, side)?;
    if let Effect::Judge(trace) = step.effect {
        let answers = yes_of(&position, trace, &things)?;
        return Ok(things.into_iter().zip(answers).map(|(thing, yes)| (thing, Change::Keep(trace, yes))).collect());
    }
    for thing in things {
        let cx = Cx::of(side.or_else(|| position.viewer_of(thing)), thing);
        if let Some(change) = effect(rules, &position, step, thing, &cx)? {
            changes.push((thing, change));
        }
    }
    Ok(changes)
}

fn effect(rules: &Ruleset, position: &Position<'_>, step: &Step, thing: ThingRef, cx: &Cx) -> Result<Option<Change>, EvalFault> {
    let target = |of: ExprId| -> Result<ThingRef, EvalFault> { Ok(position.value(of, cx)?.thing().unwrap_or(ThingRef::World)) };
    Ok(match &step.effect {
        Effect::Mark(fact) => Some(Change::Set(*fact, thing, 1)),
        Effect::Clear(fact, of) => Some(Change::Set(*fact, target(*of)?, 0)),
        Effect::Set(fact, of, value) => {
            let value = within(rules, *fact, encoded(position.value(*value, cx)?));
            Some(Change::Set(*fact, target(*of)?, value))
        }
        Effect::Change { raise, fact, of, by } => {
            let of = target(*of)?;
            let by_value = position.value(*by, cx)?.amount().unwrap_or_default().floor().to_integer();
            let by_value = if *raise { by_value } else { by_value.checked_neg().ok_or(EvalFault::TooLarge(*by))? };
            Some(Change::Add(*fact, of, by_value))
        }
        Effect::Remove => Some(Change::Remove),
        Effect::Judge(_) | Effect::Follow { .. } | Effect::Roll(_) => None,
    })
}

/// An amount stops at the ends of its range.
fn within(rules: &Ruleset, fact: FactId, value: i64) -> i64 {
    match rules.facts[fact.index()].ty {
        Type::Number { low, high, .. } => value.clamp(low, high),
        _ => value,
    }
}
