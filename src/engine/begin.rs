//! Whether a phase happens at all, by its `when` and its `once`; and the clock, which goes on to the
//! next turn.

use super::Ground;
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::{ThingRef, World};

/// Begins a phase: what it needs is asked now, and no step of it asks again. Where it happens once,
/// that it has is noted.
pub(super) fn begin(
    ground: &Ground<'_>,
    world: &mut World,
    phase: PhaseId,
    side: Option<SideId>,
) -> Result<(), EvalFault> {
    let rules = ground.rules();
    let rule = &rules.phases[phase.index()];
    if rule.when.is_none() && rule.once.is_none() {
        return Ok(());
    }
    let happens = ground.ask(world, |position| happens(position, rule, side));
    let happens = happens.unwrap_or(Ok(true))?;
    world.skips = (!happens && !rule.steps.is_empty()).then_some(phase);
    if let (true, Some((fact, of))) = (happens, rule.once.zip(noted_of(rules, rule, side))) {
        world.set_fact(&rules.facts[fact.index()], of, 1);
    }
    Ok(())
}

/// Whether a phase would happen now.
pub(super) fn happens(
    position: &Position<'_>,
    phase: &Phase,
    side: Option<SideId>,
) -> Result<bool, EvalFault> {
    let (rules, world) = (position.rules, position.world);
    if let Some((fact, of)) = phase.once.zip(noted_of(rules, phase, side))
        && world.fact(&rules.facts[fact.index()], of) != 0
    {
        return Ok(false);
    }
    let asks = Cx::world(side.or(world.viewer));
    phase.when.map_or(Ok(true), |when| position.holds(when, &asks))
}

/// Of whom it is noted that a phase has happened.
fn noted_of(rules: &Ruleset, phase: &Phase, side: Option<SideId>) -> Option<ThingRef> {
    match rules.facts[phase.once?.index()].kind {
        KindId::SIDE => side.map(ThingRef::Side),
        _ => Some(ThingRef::World),
    }
}

/// Whether a step is of a phase that does not happen; the last of them ends that.
pub(super) fn skipped(rules: &Ruleset, world: &mut World, phase: PhaseId, step: usize) -> bool {
    let skips = world.skips == Some(phase);
    if skips && step + 1 >= rules.phases[phase.index()].steps.len() {
        world.skips = None;
    }
    skips
}

/// The clock goes on to the next turn; behind the last one the game is over.
pub(super) fn next_turn(rules: &Ruleset, world: &mut World) {
    let Some(Counted { turn, over }) = rules.clock.as_ref().and_then(|clock| clock.counted) else {
        return;
    };
    let fact = &rules.facts[turn.index()];
    let now = world.fact(fact, ThingRef::World);
    let next = rules.within(turn, now.saturating_add(1));
    if now < next {
        world.set_fact(fact, ThingRef::World, next);
    } else {
        world.set_fact(&rules.facts[over.index()], ThingRef::World, 1);
    }
}

/// Whether the last turn has ended, so that no other can begin.
#[must_use]
pub fn is_over(rules: &Ruleset, world: &World) -> bool {
    let counted = rules.clock.as_ref().and_then(|clock| clock.counted);
    counted.is_some_and(|c| world.fact(&rules.facts[c.over.index()], ThingRef::World) != 0)
}
