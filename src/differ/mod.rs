//! The smallest position to which two rulesets give different answers.
//!
//! Takes two compiled rulesets whose changes are known, positions to begin with, a seed and a number
//! of tries; gives a position in which an answer differs and from which nothing can be taken out, or
//! counts of what was looked at. Asks the questions of [`crate::compare`], and no others. Opens no
//! file, prints nothing, and knows no rule.

mod case;
mod draw;
mod random;
mod search;
mod smallest;

pub use case::case_text;
pub use search::{Difference, Looked, Search};
