//! Play at random until something holds that must never hold, and then the least that shows it.
//!
//! Takes rules with positions to begin with, a seed, and the number of games and of turns; gives for
//! each `define ... never` the first game in which it held after a step, for each fault the first
//! game that it ended, and each time a small position with the few orders and dice that lead to it.
//! A game is the game of that number of `play`. Opens no file, prints nothing, and knows no rule.

mod case;
mod hunt;
mod look;
mod parts;
mod sample;
mod shrink;

pub use case::case_text;
pub(crate) use case::{place, position_lines};
pub use hunt::{Broken, Hunt, Start};
pub use look::{After, Wrong};
pub use parts::{Key, Path, parts, without};
pub use sample::{Piece, Sample};
pub(crate) use shrink::least;
pub use shrink::shrink;
