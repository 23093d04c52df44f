//! Cases run, and what they cover.
//!
//! Takes compiled rulesets; gives outcomes and coverage as data. Prints nothing.

mod choice;
mod coverage;
mod run;

pub use coverage::{ClauseCoverage, Coverage, HookUse, coverage};
pub use run::{Failure, Outcome, run_case};
