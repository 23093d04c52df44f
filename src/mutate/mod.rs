//! Small changes to a ruleset, and whether its cases notice them.
//!
//! Takes a checked ruleset with its text; gives each change with its place, its difference and its
//! fate. A change is made in the text and read and checked again, so that what is tried is what an
//! author could have written. Gives the numbers of a ruleset by name, too, and the rules with
//! others in their place. Prints nothing.

mod change;
mod expr;
mod item;
mod number;
mod position;
mod proof;
mod run;
mod variant;

pub use change::{Change, Sort};
pub use item::{Extent, changes};
pub use number::{NumberAt, Varied, numbers, with_numbers};
pub use run::{Fate, Given, Tried, Tries, mutate};
