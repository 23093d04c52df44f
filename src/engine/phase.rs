//! Phases run: step by step; within a step all is read before anything changes.

use super::agenda::{Happening, agenda};
use super::begin::{begin, next_turn, skipped};
use super::choice::ways;
use super::expire::expire;
use super::place::{lain, lay};
use super::state::{encoded, word_for};
use super::{Deed, Dice, Event, Ground, Orders, RunFault, What};
use crate::ir::*;
use crate::kernel::hex::yes_of;
use crate::kernel::{Cx, EvalFault, Laying, Position, exact};
use crate::map::Stand;
use crate::world::{ThingRef, World, built_in};

/// What a step will do to one thing, read before anything changes.
pub(super) enum Change {
    Keep(TraceId, bool),
    Set(FactId, ThingRef, i64),
    /// Several things may change one amount in one step; what they add is added up.
    Add(FactId, ThingRef, i64),
    Relate(SideId, SideId, Relation),
    Remove,
    /// Units are laid anew one after the other when all has been read, for each is in the way of
    /// others.
    Lay(Laying, Option<Stand>),
    Open(super::Ways),
}

/// Runs one phase, for a side if it is of a side. What ends at the start of something ends before
/// the phases of that moment; what ends at its end ends behind them, for they still belong to it.
pub fn run(
    rules: &Ruleset,
    world: &mut World,
    phase: PhaseId,
    side: Option<SideId>,
    dice: &mut Dice,
    orders: &mut Orders,
) -> Result<Vec<Event>, RunFault> {
    let moments = &rules.phases[phase.index()].moments;
    let of_edge = |edge: Edge| moments.iter().filter(move |m| m.edge == edge);
    of_edge(Edge::Start).for_each(|m| expire(rules, world, *m, side));
    let (ground, mut events) = (Ground::new(rules), Vec::new());
    for stride in of_phase(rules, phase, side) {
        events.extend(go(&ground, world, stride, dice, orders)?);
    }
    of_edge(Edge::End).for_each(|m| expire(rules, world, *m, side));
    Ok(events)
}

/// The phases of a moment in written order, each with its side. A phase of an owner at a moment of
/// everybody is run for each side in turn; one of nobody's comes at the moment of every side, and
/// has none.
pub(super) fn phases_of(rules: &Ruleset, moment: Moment) -> Vec<(PhaseId, Option<SideId>)> {
    let side = side_of(moment);
    let mut found = Vec::new();
    for (at, phase) in rules.phases.iter().enumerate() {
        let Some(declared) = phase.moments.iter().find(|m| same_moment(**m, moment)) else {
            continue;
        };
        let sides: Vec<Option<SideId>> = match (side, declared.whose) {
            (None, Whose::Owner) => (0..rules.sides.len()).map(|s| Some(SideId::at(s))).collect(),
            (None, Whose::Side(of)) => vec![Some(of)],
            (_, Whose::All) => vec![None],
            (side, _) => vec![side],
        };
        found.extend(sides.into_iter().map(|side| (PhaseId::at(at), side)));
    }
    found
}

/// Whose moment it is, if it is one side's.
pub(super) fn side_of(moment: Moment) -> Option<SideId> {
    match moment.whose {
        Whose::Side(side) => Some(side),
        Whose::All | Whose::Owner => None,
    }
}

/// Lets a moment pass with all its phases, and with all that ends then.
pub fn pass(
    rules: &Ruleset,
    world: &mut World,
    moment: Moment,
    dice: &mut Dice,
    orders: &mut Orders,
) -> Result<Vec<Event>, RunFault> {
    let (ground, mut events) = (Ground::new(rules), Vec::new());
    for stride in strides(rules, moment) {
        events.extend(go(&ground, world, stride, dice, orders)?);
    }
    Ok(events)
}

/// The least that a turn does at once: all of it is read before any of it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stride {
    /// what ends by itself at a moment, of one side's things where the moment is a side's
    Ends(Moment, Option<SideId>),
    /// a phase begins, of a side if it is of one: what it rolled before is forgotten, and whether it
    /// happens is asked
    Begins(PhaseId, Option<SideId>),
    /// a step of a phase by its place, of a side if the phase is of one
    Step(PhaseId, usize, Option<SideId>),
    /// the clock goes on to the next turn
    NextTurn,
}

/// All strides of a moment, in order.
#[must_use]
pub fn strides(rules: &Ruleset, moment: Moment) -> Vec<Stride> {
    let of = |happening| match happening {
        Happening::Ends(moment, side) => vec![Stride::Ends(moment, side)],
        Happening::Phase(phase, side) => of_phase(rules, phase, side),
        Happening::NextTurn => vec![Stride::NextTurn],
    };
    agenda(rules, moment).into_iter().flat_map(of).collect()
}

fn of_phase(rules: &Ruleset, phase: PhaseId, side: Option<SideId>) -> Vec<Stride> {
    let steps = 0..rules.phases[phase.index()].steps.len();
    let steps = steps.map(|at| Stride::Step(phase, at, side));
    std::iter::once(Stride::Begins(phase, side)).chain(steps).collect()
}

/// Takes one stride.
pub(super) fn go(
    ground: &Ground<'_>,
    world: &mut World,
    stride: Stride,
    dice: &mut Dice,
    orders: &mut Orders,
) -> Result<Vec<Event>, RunFault> {
    let rules = ground.rules();
    match stride {
        Stride::Ends(moment, side) => expire(rules, world, moment, side),
        Stride::NextTurn => next_turn(rules, world),
        Stride::Begins(phase, side) => {
            forget(rules, world, phase);
            begin(ground, world, phase, side)?;
            if world.skips.is_none() {
                rules.seen.line(rules.phases[phase.index()].line);
            }
        }
        Stride::Step(phase, at, _) if skipped(rules, world, phase, at) => {}
        Stride::Step(phase, at, side) => {
            return these_steps(ground, world, (phase, at..at + 1), side, dice, orders);
        }
    }
    Ok(Vec::new())
}

pub(super) fn same_moment(declared: Moment, passing: Moment) -> bool {
    let whose = match (declared.whose, passing.whose) {
        (Whose::Side(a), Whose::Side(b)) => a == b,
        // What is nobody's own comes in the part of every side.
        _ => true,
    };
    declared.edge == passing.edge && declared.part == passing.part && whose
}

/// The outcomes of an earlier run of the phase are forgotten before anything is rolled again.
pub(super) fn forget(rules: &Ruleset, world: &mut World, phase: PhaseId) {
    for step in &rules.phases[phase.index()].steps {
        for test in step.effect.tests(rules) {
            world.rolled.get_mut(test.index()).into_iter().for_each(Vec::clear);
        }
        if let Effect::RollList { table, .. } = &step.effect {
            world.stopped.get_mut(table.index()).into_iter().for_each(Vec::clear);
        }
    }
}

/// Some steps of a phase that follow each other.
pub(super) fn these_steps(
    ground: &Ground<'_>,
    world: &mut World,
    (phase, which): (PhaseId, std::ops::Range<usize>),
    side: Option<SideId>,
    dice: &mut Dice,
    orders: &mut Orders,
) -> Result<Vec<Event>, RunFault> {
    let rules = ground.rules();
    let mut events = Vec::new();
    for step in &rules.phases[phase.index()].steps[which] {
        match &step.effect {
            Effect::Roll { test, once } => {
                super::roll::test(
                    ground,
                    world,
                    (phase, step),
                    (*test, *once),
                    side,
                    dice,
                    &mut events,
                )?;
                continue;
            }
            Effect::RollList { table, stops } => {
                super::roll::list(
                    ground,
                    world,
                    (phase, step),
                    (*table, stops),
                    side,
                    dice,
                    &mut events,
                )?;
                continue;
            }
            _ => {}
        }
        let read = ground.ask(world, |position| read(position, (phase, step), side, orders));
        let read = read.unwrap_or_else(|| Ok(Vec::new()))?;
        if !read.is_empty() {
            rules.seen.line(step.line);
        }
        let (laid, changes): (Vec<_>, Vec<_>) =
            read.into_iter().partition(|r| matches!(r.1, Change::Lay(..)));
        for (thing, what, order) in lay(rules, world, laid)? {
            events.push(Event { phase, line: step.line, thing, what, order });
        }
        for (thing, change, order) in changes {
            if let Some(what) = apply(rules, world, thing, change) {
                events.push(Event { phase, line: step.line, thing, what, order });
            }
        }
    }
    Ok(events)
}

/// Changes the position, and tells what has changed; what is already so is no event.
fn apply(rules: &Ruleset, world: &mut World, thing: ThingRef, change: Change) -> Option<What> {
    let mut set =
        |fact: FactId, of: ThingRef, value: fn(&Ruleset, FactId, i64, i64) -> i64, by: i64| {
            let row = &rules.facts[fact.index()];
            let from = said(rules, world, row, of);
            let to = value(rules, fact, from, by);
            world.set_fact(row, of, to);
            (from != to).then_some(What::Changed { fact, of, from, to })
        };
    match change {
        Change::Set(fact, of, value) => set(fact, of, |_, _, _, value| value, value),
        Change::Add(fact, of, by) => {
            set(fact, of, |rules, fact, from, by| rules.within(fact, from.saturating_add(by)), by)
        }
        Change::Keep(trace, answer) => {
            world.keep(trace, thing, Some(answer));
            count(rules, world, trace, thing, answer);
            Some(What::Judged(trace, answer))
        }
        Change::Relate(a, b, to) => {
            let from = world.relation(a, b);
            world.relate(a, b, to);
            (from != to).then_some(What::Related { a, b, from, to })
        }
        Change::Remove => {
            let ThingRef::Unit(unit) = thing else { return None };
            world.units.get(unit as usize).filter(|u| !u.removed)?;
            world.leave(unit);
            Some(What::Removed)
        }
        Change::Lay(..) => None,
        Change::Open(ways) => Some(What::Open(ways)),
    }
}

/// What a fact says of a thing, encoded; a unit that has left the game counts as none.
fn said(rules: &Ruleset, world: &World, fact: &Fact, of: ThingRef) -> i64 {
    let cell = world.fact(fact, of);
    let Type::Thing { kind, .. } = fact.ty else { return cell };
    let is_unit = rules.kinds[kind.index()].top == KindId::UNIT;
    if is_unit && world.named_unit(cell).is_none() { 0 } else { cell }
}

/// The things of a step.
pub(super) fn things(
    position: &Position<'_>,
    step: &Step,
    side: Option<SideId>,
) -> Result<Vec<ThingRef>, EvalFault> {
    match step.things {
        Some(things) => position.gathered(things, &Cx::world(side.or(position.world.viewer))),
        None => Ok(vec![ThingRef::World]),
    }
}

/// A judged no raises the count of a trace, a judged yes sets it to nothing.
fn count(rules: &Ruleset, world: &mut World, trace: TraceId, thing: ThingRef, answer: bool) {
    if let Some(counter) = rules.traces[trace.index()].counter {
        let fact = &rules.facts[counter.index()];
        let value = if answer {
            0
        } else {
            rules.within(counter, world.fact(fact, thing).saturating_add(1))
        };
        world.set_fact(fact, thing, value);
    }
}

pub(super) type Read = (ThingRef, Change, Option<Deed>);

/// All that a step does, read before any of it is done: what happens, what orders take, what stays
/// open.
fn read(
    position: &Position<'_>,
    (phase, step): (PhaseId, &Step),
    side: Option<SideId>,
    orders: &mut Orders,
) -> Result<Vec<Read>, RunFault> {
    let rules = position.rules;
    let mut changes = Vec::new();
    let things = things(position, step, side)?;
    if let Effect::Judge(trace) = step.effect {
        // About spaces the side asks whose phase it is, whoever asks about the position.
        let yes = || rules.seen.quietly(|| yes_of(position, trace, &things));
        let answers = position.seen_by(side, yes)?;
        if rules.seen.is_on() {
            let note = || things.iter().try_for_each(|thing| position.note(trace, *thing));
            position.seen_by(side, note)?;
        }
        return Ok(things
            .into_iter()
            .zip(answers)
            .map(|(thing, yes)| (thing, Change::Keep(trace, yes), None))
            .collect());
    }
    for thing in things {
        let viewer = asking(position, thing, side);
        let cx = Cx::of(viewer, thing);
        let several =
            matches!(step.effect, Effect::Follow { .. } | Effect::Place(Placement::Conform(_)));
        let plain = step.mode == Mode::Do && step.choice.is_none() && !several;
        if plain {
            changes.extend(
                effect(rules, position, step, thing, &cx)?.map(|change| (thing, change, None)),
            );
            continue;
        }
        let Some(ways) = ways(position, step, thing, viewer)? else { continue };
        if ways.is_empty(position, thing) {
            // What should happen and cannot is told when its turn comes.
            if step.mode == Mode::Do {
                changes.extend(
                    lain(position, step, thing, &cx, None)?.map(|change| (thing, change, None)),
                );
            }
            continue;
        }
        // What simply happens asks a player only where there is more than one way.
        let order = match orders.take(thing, &ways, phase) {
            Some(order) => Some(order),
            None => orders.draw((position, &cx), (thing, phase), &ways, step.mode)?,
        };
        let deed = order
            .or_else(|| (step.mode == Mode::Do).then(|| ways.only()).flatten())
            .or_else(|| orders.by_itself(&ways, step.mode));
        match deed {
            Some(deed) => {
                let change = match deed {
                    Deed::Follow(_, space) | Deed::Move(space) => Some(moved(thing, space)),
                    Deed::Place(_, stand) => lain(position, step, thing, &cx, stand)?,
                    _ => effect(rules, position, step, thing, &cx.choosing(deed.chosen()))?,
                };
                changes.extend(change.map(|change| (thing, change, order)));
            }
            None if step.mode == Mode::May => {}
            None => changes.push((thing, Change::Open(ways), None)),
        }
    }
    Ok(changes)
}

/// Who asks what a step does to a thing: the owner of a unit, else the side whose phase it is.
#[must_use]
pub fn asking(position: &Position<'_>, thing: ThingRef, side: Option<SideId>) -> Option<SideId> {
    match thing {
        ThingRef::Unit(unit) => position.world.owner(unit).or(side),
        _ => side.or_else(|| position.viewer_of(thing)),
    }
}

fn moved(thing: ThingRef, space: u32) -> Change {
    Change::Set(built_in::SPACE, thing, i64::from(space) + 1)
}

fn effect(
    rules: &Ruleset,
    position: &Position<'_>,
    step: &Step,
    thing: ThingRef,
    cx: &Cx,
) -> Result<Option<Change>, EvalFault> {
    let has = |thing: ThingRef, fact: FactId| {
        position.is_kind(thing, position.rules.facts[fact.index()].kind)
    };
    // What is changed of a thing that is not there, or has no such fact, is changed of nothing.
    let target = |fact: FactId, of: ExprId| -> Result<Option<ThingRef>, EvalFault> {
        match position.rules.node(of) {
            Node::Nothing => Ok(Some(ThingRef::World)),
            _ => Ok(position.value(of, cx)?.thing().filter(|t| has(*t, fact))),
        }
    };
    Ok(match &step.effect {
        Effect::Mark(fact) => has(thing, *fact).then_some(Change::Set(*fact, thing, 1)),
        Effect::Clear(fact, of) => target(*fact, *of)?.map(|of| Change::Set(*fact, of, 0)),
        Effect::Set(fact, of, value) => {
            let Some(found) = word_for(rules, *fact, *value, position.value(*value, cx)?) else {
                return Ok(None);
            };
            let value = rules.within(*fact, encoded(found));
            target(*fact, *of)?.map(|of| Change::Set(*fact, of, value))
        }
        // A side is neither friend nor enemy of itself, and nobody of nobody.
        Effect::Relate(how, a, b) => match (position.side(*a, cx)?, position.side(*b, cx)?) {
            (Some(a), Some(b)) if a != b => Some(Change::Relate(a, b, *how)),
            _ => None,
        },
        Effect::Change { raise, fact, of, by } => {
            let of = target(*fact, *of)?;
            let by_value = exact::rounded(
                position.value(*by, cx)?.amount().unwrap_or_default(),
                Rounding::Down,
            );
            let by_value = if *raise {
                by_value
            } else {
                by_value.checked_neg().ok_or(EvalFault::TooLarge(*by))?
            };
            of.map(|of| Change::Add(*fact, of, by_value))
        }
        Effect::Remove => Some(Change::Remove),
        Effect::Move(to) => match position.value(*to, cx)?.thing() {
            Some(ThingRef::Space(space)) => Some(moved(thing, space)),
            _ => None,
        },
        Effect::Place(placement) => {
            position.laying(placement, cx)?.map(|laying| Change::Lay(laying, None))
        }
        Effect::Judge(_)
        | Effect::Follow { .. }
        | Effect::Roll { .. }
        | Effect::RollList { .. } => None,
    })
}
