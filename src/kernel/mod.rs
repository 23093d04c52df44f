//! The fixed kernel: evaluates what a ruleset compiled to, over numbers.
//!
//! Takes an IR, a map and a position; gives values, fields of distances and answers with their evidence. Knows no
//! game: no rule of any is written here. Knows no text, no place in a file, no script, and does no I/O.
//!
//! Every fast way has a slow and obvious twin that must always agree: [`reference`] searches forward from each unit,
//! where [`field`] searches backward from the sources, once for each side. [`batch`] answers for many positions at once,
//! and must agree with both.

#![allow(clippy::indexing_slicing, reason = "ids were proved by the checker, and arrays are built to their length")]

pub mod answer;
pub mod batch;
mod build;
mod chance;
pub mod column;
pub mod columns;
mod evaluate;
pub(crate) mod exact;
mod fault;
pub mod field;
pub mod flags;
mod hook;
mod ingest;
mod look;
mod plane;
mod reads;
pub mod reference;
pub mod route;
mod run;
mod shape;
mod space_condition;
mod unit_condition;
mod value;

pub use answer::{Answer, Gate};
pub use batch::Kernel;
pub use chance::ways;
pub use columns::Batch;
pub use evaluate::{Cx, MOST_LEVELS, Position, Step};
pub use fault::BatchFault;
pub use flags::{Flags, Scratch};
pub use hook::AskedHook;
pub use value::{Amount, EvalFault, Value};
