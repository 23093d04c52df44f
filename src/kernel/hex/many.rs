//! One trace asked about many things of one position together, with what is kept on the board for
//! the next position.

use std::sync::Arc;

use super::{HexKernel, HexRow, HexScratch, Prepared, Wanted};
use crate::ir::TraceId;
use crate::kernel::{EvalFault, Position};
use crate::world::ThingRef;

/// Fewer things are asked one by one.
const MANY: usize = 4;

/// What a board keeps of a trace from one position to the next.
#[derive(Debug, Default)]
pub(in crate::kernel) struct Warm {
    /// None where the trace is refused.
    made: Option<Arc<Prepared>>,
    scratch: HexScratch,
}

/// Yes or no for each thing, in their order. The answers are those of [`Position::answer`].
pub fn yes_of(
    position: &Position<'_>,
    trace: TraceId,
    things: &[ThingRef],
) -> Result<Vec<bool>, EvalFault> {
    let alone = |thing: &ThingRef| position.is_yes(trace, *thing);
    // Rows stand in the order of the position.
    let among = |rows: &[HexRow]| -> Result<Vec<bool>, EvalFault> {
        let of = |thing: &ThingRef| match rows.binary_search_by_key(thing, |row| row.thing) {
            Ok(at) => Ok(rows[at].yes),
            Err(_) => alone(thing),
        };
        things.iter().map(of).collect()
    };
    let together = if things.len() >= MANY { answers_of(position, trace, among) } else { None };
    together.unwrap_or_else(|| things.iter().map(alone).collect())
}

/// What is made of the answers of all things of a trace; nothing where it is refused, or where a
/// value cannot be worked out, for then the fault is that of the thing that was asked about first.
pub(in crate::kernel) fn answers_of<T>(
    position: &Position<'_>,
    trace: TraceId,
    make: impl FnOnce(&[HexRow]) -> T,
) -> Option<T> {
    // A module for pages, whose size counts, is without the loops over the bits of a map.
    if cfg!(target_arch = "wasm32") {
        return None;
    }
    // Spaces that are closed here are open to this search.
    if !position.closed.is_empty() {
        return None;
    }
    let board = position.board();
    // What this costs in vain is no part of the questions that are asked one by one after it.
    let on = Position::on(&board, position.world)?;
    on.asking.set(position.asking.get());
    let mut warm = board
        .take_warm(trace)
        .filter(|warm| warm.made.as_ref().is_none_or(|made| made.fits(position.world)));
    let Warm { made, scratch } = warm.get_or_insert_with(|| Warm {
        made: Prepared::of(&board, position.world, trace).ok().map(Arc::new),
        scratch: HexScratch::default(),
    });
    let asked = made.as_ref().and_then(|made| {
        HexKernel::on(&board, Arc::clone(made)).ask_position(&on, Wanted::Flags, scratch).ok()
    });
    let found = asked.map(|()| make(scratch.rows()));
    board.keep_warm(trace, warm);
    found
}
