//! What became of a case, as plain data.

use serde::Serialize;

use super::Outcome;
use crate::source::{SourceMap, Span};

/// What became of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CaseRow {
    /// Its title.
    pub name: String,
    /// The file it is written in.
    pub file: String,
    /// The line of its title.
    pub line: u32,
    /// `passed` or `failed`.
    pub status: &'static str,
    /// The clauses it shows.
    pub covers: Vec<String>,
    /// What did not come out as expected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureRow>,
}

/// One expectation that was not met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FailureRow {
    /// The file it is written in.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// What is so, and what was expected.
    pub message: String,
    /// The code of what could not be worked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Why it is so, where a trace was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What is around the thing that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sketch: Option<String>,
}

/// The row of an outcome; its texts stand in the sources.
#[must_use]
pub fn case_row(outcome: Outcome, sources: &SourceMap) -> CaseRow {
    let place = |span: Span| {
        (sources.name(span.source).to_owned(), sources.line_col(span.source, span.start).line)
    };
    let status = if outcome.failures.is_empty() { "passed" } else { "failed" };
    let failure = |f: super::Failure| {
        let (file, line) = place(f.span);
        let code = f.fault.as_ref().map(|d| d.code.as_str());
        FailureRow { file, line, message: f.message, code, why: f.why, sketch: f.sketch }
    };
    let (file, line) = place(outcome.span);
    let failures = outcome.failures.into_iter().map(failure).collect();
    CaseRow { name: outcome.title, file, line, status, covers: outcome.covers, failures }
}
