//! The slow and obvious twin: makes a change and asks every unit again, by the forward search that
//! shares nothing.

use super::super::{Change, EvalFault, Position, Sort, reference};
use crate::ir::TraceId;
use crate::world::ThingRef;

/// Every change against these units with the units that it cuts, by trial.
pub fn by_trial(
    position: &Position<'_>,
    trace: TraceId,
    units: &[u32],
) -> Result<Vec<(Change, Vec<u32>)>, EvalFault> {
    let mut watched = Vec::new();
    for unit in units {
        if reference::ask(position, trace, ThingRef::Unit(*unit))?.0 {
            watched.push(*unit);
        }
    }
    let things: Vec<ThingRef> = watched.iter().copied().map(ThingRef::Unit).collect();
    let sorts = position.sorts_against(trace, &things);
    let mut cuts = Vec::new();
    for change in position.changes_against(&sorts, &things) {
        let cut = cut_by_trial(position, trace, &watched, &change, &sorts)?;
        if !cut.is_empty() {
            cuts.push((change, cut));
        }
    }
    Ok(cuts)
}

/// The units, of these, that one change against their side cuts.
pub fn cut_by_trial(
    position: &Position<'_>,
    trace: TraceId,
    watched: &[u32],
    change: &Change,
    sorts: &[Sort],
) -> Result<Vec<u32>, EvalFault> {
    let world = position.changed(change, sorts);
    let Some(there) = Position::new(position.rules, &world) else { return Ok(Vec::new()) };
    let mut cut = Vec::new();
    for unit in watched {
        let against = position.is_against(change, sorts, position.world.owner(*unit));
        if against && !reference::ask(&there, trace, ThingRef::Unit(*unit))?.0 {
            cut.push(*unit);
        }
    }
    Ok(cut)
}
