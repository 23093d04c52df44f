//! Expressions and tables about one thing's stored facts, worked out for a whole column of things
//! at once.
//!
//! Takes a define, a table or an expression and gives a [`Program`]: a list of operations without
//! branches, each over a block of rows, in the narrowest numbers that the declared ranges prove
//! wide enough. What cannot be a column is [`Refused`] with a reason. The slow twin of a program is
//! [`super::Position::value`].

mod amount;
mod build;
mod facts;
mod graph;
mod lane;
mod program;
mod refused;
mod run;
mod step;
mod table;
mod truth;

pub use build::What;
pub use facts::{Constant, Facts, NoRoom, cell};
pub use program::{Gives, Program};
pub use refused::{Refused, Why};
pub use run::{Answers, OtherFacts, Workspace};
