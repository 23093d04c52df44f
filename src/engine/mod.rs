//! What happens: setups begun, facts stated, phases run, choices offered.
//!
//! Takes an IR and a position; gives the next position and what happened on the way. Knows no game. Chooses nothing for
//! a player: what may or must be done is given back as a set.

#![allow(clippy::indexing_slicing, reason = "ids were proved by the checker, and arrays are built to their length")]

mod choice;
mod dice;
pub mod odds;
mod phase;
mod spent;
mod state;

pub use choice::{Choice, Offer, offers};
pub use dice::{Dice, RunFault};
pub use phase::{Event, pass, run};
pub use state::state;
