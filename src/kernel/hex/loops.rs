//! The loops of the sweep over the words of a band.
//!
//! Rows are taken in chunks of known length, each read whole before anything is written: so the
//! compiler makes vectors of them without asking first whether rows overlap. What is left of a row
//! behind its last chunk is done word by word.

#![allow(
    clippy::needless_range_loop,
    reason = "many rows are walked side by side, and none of them leads"
)]

use crate::kernel::board::{CHUNK, neighbours};
use crate::kernel::transpose::vectorization_barrier;

/// The words of a band that a cost is met in.
pub(super) struct BandWords<'a> {
    /// What spreads in the lines before, in these and behind, each with a word more before and
    /// behind.
    pub around: [&'a [u64]; 3],
    /// All of those that stand in lines that are shifted.
    pub shifted: &'a [u64],
    /// Where a line may pass.
    pub through: &'a [u64],
    /// What is reached.
    pub reached: &'a mut [u64],
    /// What is settled at this cost.
    pub settled: &'a mut [u64],
}

/// What spreads at a cost: what was settled when its steps began, and what of it costs as much.
pub(super) struct Waits<'a, const N: usize> {
    /// By cost, what was settled so much earlier.
    pub settled: [&'a [u64]; N],
    /// By cost, what it takes to enter.
    pub costing: [&'a [u64]; N],
}

type Chunk = [u64; CHUNK];

#[inline(always)]
fn chunks(row: &[u64], count: usize) -> &[Chunk] {
    &row.as_chunks().0[..count]
}

#[inline(always)]
fn chunks_mut(row: &mut [u64], count: usize) -> &mut [Chunk] {
    &mut row.as_chunks_mut().0[..count]
}

/// Rows one place back, in place and one place on.
#[inline(always)]
fn near_chunks(row: &[u64], count: usize) -> [&[Chunk]; 3] {
    // One row to begin with, so that the three have one address.
    let row = &row[..count * CHUNK + 2];
    [chunks(row, count), chunks(&row[1..], count), chunks(&row[2..], count)]
}

#[inline(always)]
fn all_chunks<'a, const N: usize>(rows: &[&'a [u64]; N], count: usize) -> [&'a [Chunk]; N] {
    let mut all: [&[Chunk]; N] = [&[]; N];
    for nth in 0..N {
        all[nth] = chunks(rows[nth], count);
    }
    all
}

/// One chunk of each row.
#[inline(always)]
fn take<const N: usize>(rows: &[&[Chunk]; N], at: usize) -> [Chunk; N] {
    let mut taken = [[0; CHUNK]; N];
    for nth in 0..N {
        taken[nth] = rows[nth][at];
    }
    taken
}

/// The neighbours in one word of chunks.
#[inline(always)]
fn near(
    before: &[Chunk; 3],
    own: &[Chunk; 3],
    behind: &[Chunk; 3],
    shifted: u64,
    lane: usize,
) -> u64 {
    let before = [before[0][lane], before[1][lane], before[2][lane]];
    let own = [own[0][lane], own[1][lane], own[2][lane]];
    let behind = [behind[0][lane], behind[1][lane], behind[2][lane]];
    neighbours([before, own, behind], shifted)
}

/// The word at a place of a row, and those beside it.
#[inline(always)]
fn words(row: &[u64], at: usize) -> [u64; 3] {
    [row[at], row[at + 1], row[at + 2]]
}

#[inline(always)]
fn is_any(words: &Chunk) -> bool {
    let mut any = 0;
    for word in words {
        any |= word;
    }
    any != 0
}

/// What was settled and costs as much, over all costs; tells whether there is any.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn join<const N: usize>(waits: &Waits<'_, N>, to: &mut [u64]) -> bool {
    let (count, whole) = (to.len(), to.len() / CHUNK);
    let (settled, costing) = (all_chunks(&waits.settled, whole), all_chunks(&waits.costing, whole));
    let next = chunks_mut(to, whole);
    let mut any = [0; CHUNK];
    for at in 0..whole {
        vectorization_barrier();
        let (settled, costing) = (take(&settled, at), take(&costing, at));
        let mut words = [0; CHUNK];
        for lane in 0..CHUNK {
            for nth in 0..N {
                words[lane] |= settled[nth][lane] & costing[nth][lane];
            }
            any[lane] |= words[lane];
        }
        next[at] = words;
    }
    for at in whole * CHUNK..count {
        to[at] = 0;
        for nth in 0..N {
            to[at] |= waits.settled[nth][at] & waits.costing[nth][at];
        }
        any[0] |= to[at];
    }
    is_any(&any)
}

/// Settles the new neighbours of what spreads. Gives whether anything passes on from there: what a
/// leg may not pass still begins legs.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn settle(band: BandWords<'_>) -> bool {
    let BandWords { around, shifted, through, reached, settled } = band;
    let (count, whole) = (settled.len(), settled.len() / CHUNK);
    let (before, own, behind) = (
        near_chunks(around[0], whole),
        near_chunks(around[1], whole),
        near_chunks(around[2], whole),
    );
    let (shifts, passes) = (chunks(shifted, whole), chunks(through, whole));
    let (reach, settle) = (chunks_mut(reached, whole), chunks_mut(settled, whole));
    let mut any = [0; CHUNK];
    for at in 0..whole {
        let (before, own, behind) = (take(&before, at), take(&own, at), take(&behind, at));
        let (shifts, passes, mut reached, mut settled) =
            (shifts[at], passes[at], reach[at], [0; CHUNK]);
        for lane in 0..CHUNK {
            let new = near(&before, &own, &behind, shifts[lane], lane) & !reached[lane];
            reached[lane] |= new;
            settled[lane] = new & passes[lane];
            any[lane] |= settled[lane];
        }
        reach[at] = reached;
        settle[at] = settled;
    }
    for at in whole * CHUNK..count {
        let new = neighbours(
            [words(around[0], at), words(around[1], at), words(around[2], at)],
            shifted[at],
        ) & !reached[at];
        reached[at] |= new;
        settled[at] = new & through[at];
        any[0] |= settled[at];
    }
    is_any(&any)
}

/// Settles, and joins what spreads next: of what is settled now all that costs 1 (`at_once`), and
/// what has waited. Gives whether anything passes on, and whether anything spreads.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn settle_and_join<const N: usize>(
    band: BandWords<'_>,
    at_once: &[u64],
    waits: &Waits<'_, N>,
    to: &mut [u64],
) -> (bool, bool) {
    let BandWords { around, shifted, through, reached, settled } = band;
    let (count, whole) = (settled.len(), settled.len() / CHUNK);
    let (before, own, behind) = (
        near_chunks(around[0], whole),
        near_chunks(around[1], whole),
        near_chunks(around[2], whole),
    );
    let (shifts, passes, firsts) =
        (chunks(shifted, whole), chunks(through, whole), chunks(at_once, whole));
    let (waited, costing) = (all_chunks(&waits.settled, whole), all_chunks(&waits.costing, whole));
    let (reach, settle, next) =
        (chunks_mut(reached, whole), chunks_mut(settled, whole), chunks_mut(to, whole));
    let (mut any, mut spreads) = ([0; CHUNK], [0; CHUNK]);
    for at in 0..whole {
        let (before, own, behind) = (take(&before, at), take(&own, at), take(&behind, at));
        let (waited, costing) = (take(&waited, at), take(&costing, at));
        let (shifts, passes, firsts, mut reached) = (shifts[at], passes[at], firsts[at], reach[at]);
        let (mut settled, mut spread) = ([0; CHUNK], [0; CHUNK]);
        for lane in 0..CHUNK {
            let new = near(&before, &own, &behind, shifts[lane], lane) & !reached[lane];
            reached[lane] |= new;
            settled[lane] = new & passes[lane];
            spread[lane] = settled[lane] & firsts[lane];
            for nth in 0..N {
                spread[lane] |= waited[nth][lane] & costing[nth][lane];
            }
            any[lane] |= settled[lane];
            spreads[lane] |= spread[lane];
        }
        reach[at] = reached;
        settle[at] = settled;
        next[at] = spread;
    }
    for at in whole * CHUNK..count {
        let new = neighbours(
            [words(around[0], at), words(around[1], at), words(around[2], at)],
            shifted[at],
        ) & !reached[at];
        reached[at] |= new;
        settled[at] = new & through[at];
        to[at] = settled[at] & at_once[at];
        for nth in 0..N {
            to[at] |= waits.settled[nth][at] & waits.costing[nth][at];
        }
        any[0] |= settled[at];
        spreads[0] |= to[at];
    }
    (is_any(&any), is_any(&spreads))
}
