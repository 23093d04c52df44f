//! Diagnostics for programs.
//!
//! Takes diagnostics, gives one JSON document on one line: `{"schema":1,"diagnostics":[...]}`.
//! Its shape is a promise; a change of meaning raises `schema`.

use serde::Serialize;

use super::{Diagnostic, Fault, clean};
use crate::source::SourceMap;

/// The version of the shape below.
pub const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    /// The rulesets that were read without an error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rulesets: Vec<Hashed<'a>>,
    diagnostics: Vec<Fault>,
}

/// A ruleset with the hash of its resolved rules.
#[derive(Serialize)]
struct Hashed<'a> {
    ruleset: &'a str,
    hash: &'a str,
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
        all.iter().flat_map(|(faults, map)| faults.iter().map(|d| Fault::of(d, map))).collect();
    let document = Document { schema: SCHEMA, rulesets, diagnostics: entries };
    // Plain records of strings and numbers always serialise; the fallback keeps this total.
    let text = serde_json::to_string(&document).unwrap_or_else(|error| {
        format!("{{\"schema\":{SCHEMA},\"failure\":\"{}\"}}", error.to_string().escape_default())
    });
    clean::json(&text) + "\n"
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
