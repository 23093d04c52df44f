//! What a ruleset says must never hold, asked of one position.

use super::things_of_kind;
use crate::ir::{Define, KindId, SideId};
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::ThingRef;

/// A thing that a define holds of, and the side that asks; none where no side does.
pub type Held = (ThingRef, Option<SideId>);

/// The things that a define holds of: those that stand somewhere, or the whole game. Where it is
/// asked of what no side owns, and its answer may be another for each side, every side asks.
///
/// # Errors
///
/// What cannot be worked out.
pub fn holds_of(position: &Position<'_>, define: &Define) -> Result<Vec<Held>, EvalFault> {
    let mut found = Vec::new();
    for thing in subjects(position, define.of) {
        for viewer in viewers(position, define, thing) {
            if position.holds(define.value, &Cx::of(viewer, thing))? {
                found.push((thing, viewer));
            }
        }
    }
    Ok(found)
}

/// The things of a kind that stand somewhere; of the whole game one question.
fn subjects(position: &Position<'_>, of: Option<KindId>) -> Vec<ThingRef> {
    let Some(of) = of else { return vec![ThingRef::World] };
    match position.rules.top(of) {
        KindId::SIDE => {
            (0..position.rules.sides.len()).map(|s| ThingRef::Side(SideId::at(s))).collect()
        }
        KindId::UNIT | KindId::SPACE => things_of_kind(position, of),
        _ => vec![ThingRef::World],
    }
}

/// Who asks: the side of the thing; of what has none each side in turn, if that can matter.
fn viewers(position: &Position<'_>, define: &Define, thing: ThingRef) -> Vec<Option<SideId>> {
    match position.viewer_of(thing) {
        None if define.viewed => {
            (0..position.rules.sides.len()).map(|s| Some(SideId::at(s))).collect()
        }
        viewer => vec![viewer],
    }
}
