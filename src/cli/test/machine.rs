//! Outcomes for programs: JSON, one line a case, annotations of GitHub Actions.

use serde::Serialize;

use super::Ran;
use super::notes::{Note, not_run};
use crate::cli::github::annotation;
use crate::cli::open::Hashed;
use crate::diag::clean;
use crate::suite::{CaseRow, case_row};

/// The outcomes as JSON.
#[derive(Serialize)]
struct Report<'r> {
    schema: u32,
    passed: usize,
    failed: usize,
    /// How many rulesets were not run.
    not_run: usize,
    rulesets: &'r [Hashed],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Noted<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cases: Vec<Row<'r>>,
}

/// What is said of a ruleset as a whole.
#[derive(Serialize)]
struct Noted<'r> {
    ruleset: &'r str,
    status: &'static str,
    code: &'static str,
    message: String,
    file: String,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Row<'r> {
    ruleset: &'r str,
    #[serde(flatten)]
    case: CaseRow,
}

fn row<'r>(ran: &'r Ran<'_>) -> Row<'r> {
    Row { ruleset: ran.ruleset, case: case_row(ran.outcome.clone(), ran.sources) }
}

fn noted<'r>(note: &'r Note<'_>) -> Noted<'r> {
    let (file, line, column) = note.place();
    let (status, code, message) = (note.level(), note.code(), note.message());
    Noted { ruleset: &note.ruleset, status, code, message, file, line, column }
}

/// The counts, without a case and without a note.
fn counts<'r>(all: &[Ran<'_>], notes: &[Note<'_>], rulesets: &'r [Hashed]) -> Report<'r> {
    let failed = all.iter().filter(|r| r.failed()).count();
    let (passed, not_run) = (all.len() - failed, not_run(notes).len());
    Report { schema: 1, passed, failed, not_run, rulesets, notes: Vec::new(), cases: Vec::new() }
}

pub(super) fn json(all: &[Ran<'_>], notes: &[Note<'_>], rulesets: &[Hashed]) -> String {
    let report = Report {
        notes: notes.iter().map(noted).collect(),
        cases: all.iter().map(row).collect(),
        ..counts(all, notes, rulesets)
    };
    crate::cli::json(&report)
}

/// One line a note, then one line a case, and the counts as the last line.
pub(super) fn jsonl(all: &[Ran<'_>], notes: &[Note<'_>], rulesets: &[Hashed]) -> String {
    let line =
        |text: Result<String, serde_json::Error>| clean::json(&text.unwrap_or_default()) + "\n";
    let mut out: String = notes.iter().map(|n| line(serde_json::to_string(&noted(n)))).collect();
    out.extend(all.iter().map(|r| line(serde_json::to_string(&row(r)))));
    out + line(serde_json::to_string(&counts(all, notes, rulesets))).as_str()
}

/// An annotation for each note and each failure; the counts where there is none.
pub(super) fn github(all: &[Ran<'_>], notes: &[Note<'_>]) -> String {
    let mut out = String::new();
    for note in notes {
        let (file, line, column) = note.place();
        let title = format!("{}: {}", note.ruleset, note.code());
        out.push_str(&annotation(note.level(), &file, (line, column), &title, &note.message()));
    }
    for ran in all {
        for failure in &ran.outcome.failures {
            let at = ran.sources.line_col(failure.span.source, failure.span.start);
            let why =
                failure.why.as_deref().map_or_else(String::new, |w| format!("\n{}", w.trim_end()));
            let message = format!("{}{why}", failure.message);
            let title = format!("{}: {}", ran.ruleset, ran.outcome.title);
            out.push_str(&annotation(
                "error",
                ran.sources.name(failure.span.source),
                (at.line, at.column),
                &title,
                &message,
            ));
        }
    }
    if out.is_empty() {
        out.push_str(&format!("::notice title=sutler test::{} passed, 0 failed\n", all.len()));
    }
    out
}
