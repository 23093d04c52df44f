//! Cases run, and what they cover.
//!
//! Takes compiled rulesets; gives outcomes and coverage as data. Prints nothing, and writes no
//! file.

#[cfg(feature = "lsp")]
mod begun;
mod bless;
mod choice;
mod clauses;
mod coverage;
mod mend;
mod mistake;
mod points;
mod reason;
mod row;
mod run;
mod why;

#[cfg(feature = "lsp")]
pub use begun::begun;
pub use bless::{Edit, bless, difference};
pub use clauses::{ClauseCoverage, HookUse, clauses as clause_coverage};
pub use coverage::{Coverage, Measure, Suite, coverage, coverage_while};
pub use mistake::{mistakes, run_mistake};
pub use points::{Point, PointKind};
pub use row::{CaseRow, FailureRow, case_row};
pub use run::{Failure, Mend, Outcome, each_position, run_case};
