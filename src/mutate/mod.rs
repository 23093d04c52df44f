//! Small changes to a ruleset, and whether its cases notice them.
//!
//! Takes a checked ruleset with its text; gives each change with its place, its difference and its
//! fate. A change is made in the text and read and checked again, so that what is tried is what an
//! author could have written. Prints nothing.

mod change;
mod expr;
mod item;
mod position;
mod proof;
mod run;
mod variant;

pub use change::{Change, Sort};
pub use item::{Extent, changes};
pub use run::{Fate, Given, Tried, Tries, mutate};
