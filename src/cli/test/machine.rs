//! Outcomes for programs: JSON, one line a case, JUnit's XML, annotations of GitHub Actions.

use serde::Serialize;

use super::Ran;
use crate::cli::github::annotation;
use crate::cli::open::Hashed;
use crate::diag::clean;
use crate::draw::escape;

/// The outcomes as JSON.
#[derive(Serialize)]
struct Report<'r> {
    schema: u32,
    passed: usize,
    failed: usize,
    rulesets: &'r [Hashed],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cases: Vec<Row<'r>>,
}

#[derive(Serialize)]
struct Row<'r> {
    ruleset: &'r str,
    name: &'r str,
    file: &'r str,
    line: u32,
    status: &'static str,
    covers: &'r [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Place<'r>>,
}

#[derive(Serialize)]
struct Place<'r> {
    file: &'r str,
    line: u32,
    message: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sketch: Option<&'r str>,
}

fn row<'r>(ran: &'r Ran<'_>) -> Row<'r> {
    let (file, line) = ran.place();
    let failures = ran.outcome.failures.iter().map(|f| Place {
        file: ran.sources.name(f.span.source),
        line: ran.sources.line_col(f.span.source, f.span.start).line,
        message: &f.message,
        code: f.fault.as_ref().map(|d| d.code.as_str()),
        why: f.why.as_deref(),
        sketch: f.sketch.as_deref(),
    });
    let status = if ran.failed() { "failed" } else { "passed" };
    Row { ruleset: ran.ruleset, name: &ran.outcome.title, file, line, status, covers: &ran.outcome.covers, failures: failures.collect() }
}

fn report<'r>(all: &[Ran<'_>], rulesets: &'r [Hashed], cases: Vec<Row<'r>>) -> Report<'r> {
    let failed = all.iter().filter(|r| r.failed()).count();
    Report { schema: 1, passed: all.len() - failed, failed, rulesets, cases }
}

pub(super) fn json(all: &[Ran<'_>], rulesets: &[Hashed]) -> String {
    crate::cli::json(&report(all, rulesets, all.iter().map(row).collect()))
}

/// One line a case, and the counts as the last line.
pub(super) fn jsonl(all: &[Ran<'_>], rulesets: &[Hashed]) -> String {
    let line = |text: Result<String, serde_json::Error>| clean::json(&text.unwrap_or_default()) + "\n";
    let cases: String = all.iter().map(|r| line(serde_json::to_string(&row(r)))).collect();
    cases + line(serde_json::to_string(&report(all, rulesets, Vec::new()))).as_str()
}

/// A suite of tests for each ruleset.
pub(super) fn junit(all: &[Ran<'_>]) -> String {
    let failed = |of: &[&Ran<'_>]| of.iter().filter(|r| r.failed()).count();
    let everything: Vec<&Ran<'_>> = all.iter().collect();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&format!("<testsuites tests=\"{}\" failures=\"{}\" errors=\"0\">\n", all.len(), failed(&everything)));
    let mut names: Vec<&str> = Vec::new();
    for ran in all {
        if !names.contains(&ran.ruleset) {
            names.push(ran.ruleset);
        }
    }
    for name in names {
        let of: Vec<&Ran<'_>> = all.iter().filter(|r| r.ruleset == name).collect();
        let bad = failed(&of);
        out.push_str(&format!("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{bad}\" errors=\"0\">\n", escape(name), of.len()));
        of.iter().for_each(|ran| out.push_str(&junit_case(ran)));
        out.push_str("  </testsuite>\n");
    }
    out + "</testsuites>\n"
}

fn junit_case(ran: &Ran<'_>) -> String {
    let (file, line) = ran.place();
    let (name, class, file) = (escape(&ran.outcome.title), escape(ran.ruleset), escape(file));
    let head = format!("    <testcase name=\"{name}\" classname=\"{class}\" file=\"{file}\" line=\"{line}\"");
    if !ran.failed() {
        return head + "/>\n";
    }
    let mut out = head + ">\n";
    for failure in &ran.outcome.failures {
        let at = ran.sources.line_col(failure.span.source, failure.span.start);
        let place = format!("{}:{}", ran.sources.name(failure.span.source), at.line);
        // Lines are kept: escaped one by one, for an attribute or a line alone turns its ends into blanks.
        let why: Vec<String> = failure.why.iter().flat_map(|w| w.lines()).map(escape).collect();
        let text = [vec![escape(&place)], why].concat().join("\n");
        out.push_str(&format!("      <failure message=\"{}\">{text}</failure>\n", escape(&failure.message)));
    }
    out + "    </testcase>\n"
}

/// An error for each failure.
pub(super) fn github(all: &[Ran<'_>]) -> String {
    let mut out = String::new();
    for ran in all {
        for failure in &ran.outcome.failures {
            let at = ran.sources.line_col(failure.span.source, failure.span.start);
            let why = failure.why.as_deref().map_or_else(String::new, |w| format!("\n{}", w.trim_end()));
            let message = format!("{}{why}", failure.message);
            let title = format!("{}: {}", ran.ruleset, ran.outcome.title);
            out.push_str(&annotation("error", ran.sources.name(failure.span.source), (at.line, at.column), &title, &message));
        }
    }
    out
}
