//! What happens: setups begun, facts stated, phases run, choices offered, orders taken, turns
//! played.
//!
//! Takes an IR and a position; gives the next position and what happened on the way. Knows no game.
//! Chooses nothing for a player: what may or must be done is given back as a set.

#![allow(
    clippy::indexing_slicing,
    reason = "ids were proved by the checker, and arrays are built to their length"
)]

mod agenda;
mod begin;
mod choice;
mod dice;
#[cfg(feature = "play")]
mod drawing;
mod event;
mod expire;
mod ground;
#[cfg(feature = "play")]
mod leaning;
pub mod odds;
mod order;
mod phase;
mod place;
mod roll;
mod spent;
mod state;
mod turn;

pub use agenda::{Ending, Happening, agenda, ending};
pub use begin::is_over;
pub use choice::{Offer, Ways, offers};
pub use dice::{Dice, DiceFault, RunFault, spread};
#[cfg(feature = "play")]
pub use drawing::Asks;
pub use event::{Event, What};
pub use ground::Ground;
#[cfg(feature = "play")]
pub use leaning::{Lean, Leaning};
pub use order::{Deed, Order, Orders, ordered};
pub use phase::{Stride, asking, pass, run, strides};
pub use state::state;
pub use turn::{Watch, moments, part, play, play_on, turn};
