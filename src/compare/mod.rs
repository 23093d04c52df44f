//! Rulesets side by side: a variant printed whole, what two rulesets say otherwise, and what that
//! changes.
//!
//! Takes resolved rulesets with their files, and what they compiled to; gives text and serialisable
//! records. Decides no rule and opens no file: the answers are the kernel's, the words are the
//! authors'.

mod answers;
mod asking;
mod case;
mod cases;
mod caused;
mod comparing;
mod diff;
mod diff_text;
mod impact;
mod impact_text;
mod inputs;
mod memo;
mod places;
mod prepared;
mod refused;
mod resolve;
mod rested;
mod said;
mod suspects;
mod through;

pub use asking::{Asking, Thing, called};
pub use cases::{case_flips, with_cases_of, without_faulty};
pub use comparing::{Both, Comparing};
pub use diff::{Change, Compared, Difference, Kind, PartChange, Side, diff};
pub use diff_text::diff_text;
pub use impact::{Asked, CaseFlip, CaseFlips, Flip, Impact, flips};
pub use impact_text::{ReadingImpact, impact_text, readings_text};
pub use resolve::resolve;
pub use suspects::Suspects;
