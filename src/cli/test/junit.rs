//! Outcomes as the XML of JUnit.

use std::time::Duration;

use super::Ran;
use super::notes::Note;
use crate::draw::escape;

/// A suite of tests for each ruleset, in the order in which the rulesets were opened.
pub(super) fn junit(all: &[Ran<'_>], notes: &[Note<'_>], rulesets: &[&str]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in notes
        .iter()
        .map(|n| n.ruleset.as_str())
        .filter(|n| !rulesets.contains(n))
        .chain(rulesets.iter().copied())
    {
        let has = all.iter().any(|r| r.ruleset == name) || notes.iter().any(|n| n.ruleset == name);
        if has && !names.contains(&name) {
            names.push(name);
        }
    }
    let everything: Vec<&Ran<'_>> = all.iter().collect();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&format!(
        "<testsuites {}>\n",
        totals(&everything, &notes.iter().collect::<Vec<_>>())
    ));
    for name in names {
        let of: Vec<&Ran<'_>> = all.iter().filter(|r| r.ruleset == name).collect();
        let noted: Vec<&Note<'_>> = notes.iter().filter(|n| n.ruleset == name).collect();
        out.push_str(&format!("  <testsuite name=\"{}\" {}>\n", escape(name), totals(&of, &noted)));
        noted.iter().for_each(|note| out.push_str(&error(note)));
        of.iter().for_each(|ran| out.push_str(&case(ran)));
        out.push_str("  </testsuite>\n");
    }
    out + "</testsuites>\n"
}

fn totals(of: &[&Ran<'_>], notes: &[&Note<'_>]) -> String {
    let failed = of.iter().filter(|r| r.failed()).count();
    let errors = notes.iter().filter(|n| n.is_error()).count();
    let time = seconds(of.iter().map(|r| r.time).sum());
    format!(
        "tests=\"{}\" failures=\"{failed}\" errors=\"{errors}\" time=\"{time}\"",
        of.len() + notes.len()
    )
}

/// Seconds, to the millionth.
fn seconds(time: Duration) -> String {
    format!("{}.{:06}", time.as_secs(), time.subsec_micros())
}

/// What is said of a ruleset, as a test of its own: one that is in error, or one that was skipped.
fn error(note: &Note<'_>) -> String {
    let (file, line, column) = note.place();
    let head = format!(
        "    <testcase name=\"{} at {}:{line}:{column}\" classname=\"{}\" file=\"{}\" line=\"{line}\" time=\"0.000000\">\n",
        note.code(),
        escape(&file),
        escape(&note.ruleset),
        escape(&file)
    );
    let message = note.message();
    let first = escape(message.lines().next().unwrap_or_default());
    if !note.is_error() {
        return format!("{head}      <skipped message=\"{first}\"/>\n    </testcase>\n");
    }
    let all: Vec<String> = message.lines().map(escape).collect();
    format!(
        "{head}      <error type=\"{}\" message=\"{first}\">{}</error>\n    </testcase>\n",
        note.code(),
        all.join("\n")
    )
}

fn case(ran: &Ran<'_>) -> String {
    let (file, line) = ran.place();
    let (name, class, file) = (escape(&ran.outcome.title), escape(ran.ruleset), escape(file));
    let time = seconds(ran.time);
    let head = format!(
        "    <testcase name=\"{name}\" classname=\"{class}\" file=\"{file}\" line=\"{line}\" time=\"{time}\""
    );
    if !ran.failed() {
        return head + "/>\n";
    }
    let mut out = head + ">\n";
    for failure in &ran.outcome.failures {
        let at = ran.sources.line_col(failure.span.source, failure.span.start);
        let place = format!("{}:{}", ran.sources.name(failure.span.source), at.line);
        // Lines are kept: escaped one by one, for an attribute or a line alone turns its ends into
        // blanks.
        let why: Vec<String> = failure.why.iter().flat_map(|w| w.lines()).map(escape).collect();
        let text = [vec![escape(&place)], why].concat().join("\n");
        out.push_str(&format!(
            "      <failure message=\"{}\">{text}</failure>\n",
            escape(&failure.message)
        ));
    }
    out + "    </testcase>\n"
}
