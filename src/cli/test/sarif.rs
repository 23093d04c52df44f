//! What failed as SARIF.

use super::Ran;
use super::notes::{Kind, Note};
use crate::cli::placed::{Placed, rules};
use crate::cli::sarif::{Found, Log, log};

/// What is found beside diagnostics, each by its id.
const RULES: [(&str, &str); 4] = [
    ("test/failed", "A case that came out otherwise than it expects"),
    ("test/not-run", "A ruleset that was not run, because what it builds on has faults"),
    ("test/too-few-cases", "A ruleset with fewer cases than were asked for"),
    ("test/no-cases", "A ruleset without cases"),
];

/// One result for each failure and each note.
pub(super) fn sarif(all: &[Ran<'_>], notes: &[Note<'_>]) -> Log {
    let faults: Vec<Placed<'_>> = notes
        .iter()
        .filter_map(|n| match n.kind {
            Kind::Fault(fault) => Some(fault),
            _ => None,
        })
        .collect();
    let own = RULES.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned()));
    let results = notes.iter().map(noted).chain(all.iter().flat_map(failed));
    log(own.chain(rules(&faults)).collect(), results.collect())
}

fn noted(note: &Note<'_>) -> Found {
    if let Kind::Fault(fault) = &note.kind {
        return fault.sarif();
    }
    let (file, line, column) = note.place();
    let text = format!("{}: {}", note.ruleset, note.message());
    Found { rule: format!("test/{}", note.code()), level: note.level(), text, file, line, column }
}

fn failed(ran: &Ran<'_>) -> Vec<Found> {
    let found = ran.outcome.failures.iter().map(|failure| {
        let at = ran.sources.line_col(failure.span.source, failure.span.start);
        Found {
            rule: "test/failed".to_owned(),
            level: "error",
            text: format!("{}: {}: {}", ran.ruleset, ran.outcome.title, failure.message),
            file: ran.sources.name(failure.span.source).to_owned(),
            line: at.line,
            column: at.column,
        }
    });
    found.collect()
}
