//! The fixed kernel: evaluates what a ruleset compiled to, over numbers.
//!
//! Takes an IR, a map and a position; gives values, fields of distances and answers with their evidence. Knows no
//! game: no rule of any is written here. Knows no text, no place in a file, no script, and does no I/O.
//!
//! Every fast way has a slow and obvious twin that must always agree: [`reference`] searches forward from each unit,
//! where [`field`] searches backward from the sources, once for each side.

#![allow(clippy::indexing_slicing, reason = "ids were proved by the checker, and arrays are built to their length")]

pub mod answer;
mod chance;
mod evaluate;
pub mod field;
pub mod reference;
pub mod route;
mod value;

pub use answer::{Answer, Gate};
pub use chance::ways;
pub use evaluate::{Cx, MOST_LEVELS, Position, Step};
pub use value::{Amount, EvalFault, Value};
