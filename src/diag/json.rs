//! Diagnostics for programs.
//!
//! Takes diagnostics, gives one JSON document on one line: `{"schema":1,"diagnostics":[...]}`.
//! Its shape is a promise; a change of meaning raises `schema`.

use serde::Serialize;

use super::{Applicability, Diagnostic, Label, Suggestion, clean};
use crate::source::SourceMap;

/// The version of the shape below.
pub const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    /// The rulesets that were read without an error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rulesets: Vec<Hashed<'a>>,
    diagnostics: Vec<Entry<'a>>,
}

/// A ruleset with the hash of its resolved rules.
#[derive(Serialize)]
struct Hashed<'a> {
    ruleset: &'a str,
    hash: &'a str,
}

#[derive(Serialize)]
struct Entry<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    labels: Vec<Place<'a>>,
    help: Option<&'a str>,
    notes: &'a [String],
    suggestion: Option<Change<'a>>,
}

/// Offsets are bytes, the end excluded; lines and columns count from 1, columns in characters.
#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    start: u32,
    end: u32,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: &'a str,
    primary: bool,
}

#[derive(Serialize)]
struct Change<'a> {
    file: &'a str,
    start: u32,
    end: u32,
    replacement: &'a str,
    applies: &'static str,
}

/// Writes all diagnostics as one document with a final newline.
#[must_use]
pub fn json(diagnostics: &[Diagnostic], map: &SourceMap) -> String {
    json_of_all(&[(diagnostics, map)], &[])
}

/// Writes the diagnostics of several sets of sources as one document, with the names and hashes of
/// the rulesets.
#[must_use]
pub fn json_of_all(all: &[(&[Diagnostic], &SourceMap)], rulesets: &[(String, String)]) -> String {
    let rulesets = rulesets.iter().map(|(ruleset, hash)| Hashed { ruleset, hash }).collect();
    let entries =
        all.iter().flat_map(|(faults, map)| faults.iter().map(|d| entry(d, map))).collect();
    let document = Document { schema: SCHEMA, rulesets, diagnostics: entries };
    // Plain records of strings and numbers always serialise; the fallback keeps this total.
    let text = serde_json::to_string(&document).unwrap_or_else(|error| {
        format!("{{\"schema\":{SCHEMA},\"failure\":\"{}\"}}", error.to_string().escape_default())
    });
    clean::json(&text) + "\n"
}

fn entry<'a>(d: &'a Diagnostic, map: &'a SourceMap) -> Entry<'a> {
    Entry {
        code: d.code.as_str(),
        severity: d.severity.as_str(),
        message: &d.message,
        labels: d.labels.iter().map(|label| place(label, map)).collect(),
        help: d.help.as_deref(),
        notes: &d.notes,
        suggestion: d.suggestion.as_ref().map(|s| change(s, map)),
    }
}

fn place<'a>(label: &'a Label, map: &'a SourceMap) -> Place<'a> {
    let span = map.clamp(label.span);
    let from = map.line_col(span.source, span.start);
    let to = map.line_col(span.source, span.end);
    Place {
        file: map.name(span.source),
        start: span.start,
        end: span.end,
        line: from.line,
        column: from.column,
        end_line: to.line,
        end_column: to.column,
        text: &label.text,
        primary: label.primary,
    }
}

fn change<'a>(suggestion: &'a Suggestion, map: &'a SourceMap) -> Change<'a> {
    let span = map.clamp(suggestion.span);
    Change {
        file: map.name(span.source),
        start: span.start,
        end: span.end,
        replacement: &suggestion.replacement,
        applies: match suggestion.applies {
            Applicability::Always => "always",
            Applicability::Maybe => "maybe",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::code::{E0002, E0006};
    use crate::source::Span;

    #[test]
    fn the_shape_is_kept() {
        let mut map = SourceMap::new();
        let id = map.add("a.sut", "é x\ny".to_owned());
        let fault = Diagnostic::error(E0002, Span::new(id, 3, 99), "no `x`\u{1b}")
            .at("here")
            .note("n")
            .suggest(Span::new(id, 3, 4), "z");
        let expected = concat!(
            r#"{"schema":1,"diagnostics":[{"code":"E0002","severity":"error","message":"no `x`\u001b","#,
            r#""labels":[{"file":"a.sut","start":3,"end":6,"line":1,"column":3,"end_line":2,"#,
            r#""end_column":2,"text":"here","primary":true}],"help":null,"notes":["n"],"#,
            r#""suggestion":{"file":"a.sut","start":3,"end":4,"replacement":"z","applies":"maybe"}}]}"#,
            "\n"
        );
        assert_eq!(json(&[fault], &map), expected);
    }

    #[test]
    fn no_place_means_no_labels() {
        let text = json(&[Diagnostic::bare(E0006, "gone")], &SourceMap::new());
        assert!(text.contains(r#""labels":[],"help":null,"notes":[],"suggestion":null"#), "{text}");
        assert_eq!(json(&[], &SourceMap::new()), "{\"schema\":1,\"diagnostics\":[]}\n");
    }
}
