//! One trace asked about many things of one position, by whichever way is the faster.

use super::{HexKernel, HexScratch};
use crate::ir::TraceId;
use crate::kernel::{EvalFault, Position};
use crate::world::ThingRef;

/// On smaller maps, and for fewer things, a search by spaces is done before planes are made.
const LARGE: usize = 2048;
const MANY: usize = 16;

/// Yes or no for each thing, in their order. The answers are those of [`Position::answer`].
pub fn yes_of(
    position: &Position<'_>,
    trace: TraceId,
    things: &[ThingRef],
) -> Result<Vec<bool>, EvalFault> {
    let large = position.map.spaces.len() >= LARGE && things.len() >= MANY;
    let known = if large { at_once(position, trace) } else { None };
    let known = known.unwrap_or_default();
    let mut answers = Vec::with_capacity(things.len());
    for thing in things {
        // Rows stand in the order of the position.
        answers.push(match known.binary_search_by_key(thing, |(t, _)| *t) {
            Ok(at) => known[at].1,
            Err(_) => position.is_yes(trace, *thing)?,
        });
    }
    Ok(answers)
}

/// All things of the trace; nothing where it is refused, or where a value cannot be worked out, for
/// then it must be told of the thing that was asked about first.
fn at_once(position: &Position<'_>, trace: TraceId) -> Option<Vec<(ThingRef, bool)>> {
    let kernel = HexKernel::compile(position.rules, position.world, trace).ok()?;
    let mut scratch = HexScratch::default();
    kernel.flags(position.world, &mut scratch).ok()?;
    Some(scratch.rows().iter().map(|row| (row.thing, row.yes)).collect())
}
