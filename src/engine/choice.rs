//! What a unit may or must do, as sets; nothing is chosen.

use crate::ir::*;
use crate::kernel::route::March;
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::ThingRef;

/// One thing that a step offers to a unit, or demands of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// In which phase.
    pub phase: PhaseId,
    /// By which line.
    pub line: LineId,
    /// Whether it must be done.
    pub must: bool,
    /// What.
    pub choice: Choice,
}

/// What may or must be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// set a mark
    Mark(FactId),
    /// clear a fact
    Clear(FactId),
    /// leave the map
    Remove,
    /// set or change a fact
    Change(FactId),
    /// follow a trace in one of these ways
    Follow(TraceId, March),
}

/// Everything that the phases offer to a thing or demand of it as the position stands, in written order.
pub fn offers(position: &Position<'_>, thing: ThingRef) -> Result<Vec<Offer>, EvalFault> {
    let rules = position.rules;
    let viewer = position.viewer_of(thing);
    let mut found = Vec::new();
    for (at, phase) in rules.phases.iter().enumerate() {
        for step in phase.steps.iter().filter(|s| s.mode != Mode::Do) {
            let Some(things) = step.things else { continue };
            if !position.all(things, &Cx::world(viewer))?.contains(&thing) {
                continue;
            }
            let choice = match &step.effect {
                Effect::Mark(fact) => Choice::Mark(*fact),
                Effect::Clear(fact, _) => Choice::Clear(*fact),
                Effect::Remove => Choice::Remove,
                Effect::Set(fact, ..) | Effect::Change { fact, .. } => Choice::Change(*fact),
                Effect::Judge(_) | Effect::Roll { .. } => continue,
                Effect::Follow { trace, within, stopping } => {
                    let ThingRef::Unit(unit) = thing else { continue };
                    let within = match within {
                        Some(within) => {
                            let amount = position.value(*within, &Cx::of(viewer, thing))?.amount().unwrap_or_default();
                            Some(u32::try_from(amount.floor().to_integer().max(0)).unwrap_or(u32::MAX))
                        }
                        None => None,
                    };
                    Choice::Follow(*trace, position.march(*trace, unit, within, *stopping)?)
                }
            };
            found.push(Offer { phase: PhaseId::at(at), line: step.line, must: step.mode == Mode::Must, choice });
        }
    }
    Ok(found)
}
