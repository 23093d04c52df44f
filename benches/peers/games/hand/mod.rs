//! The rules of each game by hand: `Vec`, a queue or a heap, and masks of sides, as a good
//! programmer writes one game. Each is written from the text of its ruleset.

pub mod blockade_siege;
mod causes;
pub mod command;
pub mod malaya;
pub mod nets;
pub mod range;
pub mod sgs;
pub mod soldier_kings;

use super::plain::OFF;

/// No line.
pub const FAR: u32 = u32::MAX;

/// The bit of a side.
pub fn bit(side: Option<usize>) -> u8 {
    side.map_or(0, |s| 1 << s)
}

/// For each space the sides that have a unit there which counts.
pub fn stand(
    masks: &mut [u8],
    space: &[u16],
    owner: &[Option<usize>],
    counts: impl Fn(usize) -> bool,
) {
    masks.fill(0);
    for (unit, at) in space.iter().enumerate() {
        if *at != OFF && counts(unit) {
            masks[usize::from(*at)] |= bit(owner[unit]);
        }
    }
}
