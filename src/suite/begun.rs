//! The position that a case begins with: what it puts and states, before anything happens.

use crate::engine;
use crate::ir::{Case, CaseStepKind, MapId, Ruleset};
use crate::kernel::EvalFault;
use crate::world::World;

/// What a case has set up when its first phase, order or roll comes; its expectations are passed
/// over.
///
/// # Errors
///
/// What a statement of it cannot be worked out for.
pub fn begun(rules: &Ruleset, case: &Case) -> Result<World, EvalFault> {
    let mut world = match case.setup {
        Some(setup) => crate::world::start(rules, setup),
        None => World::new(rules, case.map.unwrap_or(MapId(0))),
    };
    let first = u32::try_from(world.units.len()).unwrap_or(u32::MAX);
    for unit in &case.units {
        let at = world.put(rules, unit);
        world.set_removed(at, true);
    }
    for step in &case.steps {
        match &step.kind {
            CaseStepKind::Put(at) => world.set_removed(first.saturating_add(*at), false),
            CaseStepKind::State(state) => engine::state(rules, &mut world, state)?,
            CaseStepKind::Expect(_)
            | CaseStepKind::ExpectPlace { .. }
            | CaseStepKind::ExpectValue { .. }
            | CaseStepKind::ExpectChoice { .. } => {}
            CaseStepKind::Dice(_)
            | CaseStepKind::Order { .. }
            | CaseStepKind::Run(..)
            | CaseStepKind::Turn
            | CaseStepKind::Part(..)
            | CaseStepKind::Pass(_) => break,
        }
    }
    Ok(world)
}
