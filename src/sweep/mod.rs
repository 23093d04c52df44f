//! The numbers of a ruleset varied, and which answers turn: which number matters most, and where.
//!
//! Takes a checked ruleset with its text, positions or games, and what is to be varied; gives a row
//! a variant in a fixed order, what each number comes to, and where the answer turns. Each variant
//! is the text with other numbers in it, read and checked again; a value that the checker refuses
//! is a row with its code. Opens no file but those of the rules, and prints nothing.

mod bars;
mod corpus;
mod design;
mod effect;
mod games;
mod parameter;
mod report;
mod rows;
mod text;
mod value;
mod vary;

pub use bars::chart;
pub use corpus::{Corpus, Flip, Flips, MOST_ANSWERS, of_cases, read_tables};
pub use design::{Design, MOST_VALUES, MOST_VARIANTS, Shape};
pub use effect::{Effect, Turn};
pub use games::{GameFlips, Games, Shift};
pub use parameter::{Parameter, find, parameters};
pub use report::{Asked, Outcome, Report, Row, Swept, bearing};
pub use rows::{Cells, Column, columns, csv_rows};
pub use text::report_text;
pub use value::Value;
pub use vary::Vary;

/// The number of the form; it grows when old readers would misread a new one.
pub const SWEEP_SCHEMA: u32 = 1;
