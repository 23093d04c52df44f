#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may abort")]

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use super::code::{E0001, E0002};
use super::*;
use crate::source::chars::hazard;
use crate::source::{SourceId, Span};

const FORMATS: [Format; 3] = [Format::Full, Format::Concise, Format::Json];

/// A place anywhere: in the text, beyond it, in a character, in a text that does not exist.
fn any_span(u: &mut Unstructured<'_>) -> Result<Span> {
    let source = SourceId(u.int_in_range(0..=2)?);
    let mut offset =
        || -> Result<u32> { if u.ratio(1, 10)? { u.arbitrary() } else { u.int_in_range(0..=80) } };
    Ok(Span { source, start: offset()?, end: offset()? })
}

fn any_text(u: &mut Unstructured<'_>, most: usize) -> Result<String> {
    let pieces = [
        "a",
        "`b` ",
        "\n",
        "\t",
        "\r\n",
        "é",
        "漢",
        "\u{1b}[31m",
        "\0",
        "\u{202e}",
        "\u{9b}",
        "🙂",
        "\u{301}",
    ];
    let mut text = String::new();
    for _ in 0..u.int_in_range(0..=most)? {
        text.push_str(u.choose(&pieces)?);
    }
    Ok(text)
}

fn any_diagnostic(u: &mut Unstructured<'_>) -> Result<Diagnostic> {
    let mut fault = Diagnostic::bare(*u.choose(&[E0001, E0002])?, any_text(u, 30)?);
    if u.ratio(9, 10)? {
        fault = Diagnostic::error(fault.code, any_span(u)?, fault.message).at(any_text(u, 8)?);
    }
    for _ in 0..u.int_in_range(0..=4)? {
        fault = fault.label(any_span(u)?, any_text(u, 4)?);
    }
    if u.arbitrary()? {
        fault = fault.help(any_text(u, 8)?).note(any_text(u, 60)?);
    }
    if u.arbitrary()? {
        fault = fault.suggest(any_span(u)?, any_text(u, 4)?);
    }
    let severity = *u.choose(&[Severity::Error, Severity::Warning, Severity::Note])?;
    Ok(fault.with_severity(severity))
}

#[test]
fn nothing_upsets_a_renderer() {
    arbtest(|u| {
        let mut map = SourceMap::new();
        // Unscreened on purpose: what is printed must not depend on the screen.
        map.add(any_text(u, 3)?, any_text(u, 40)?);
        map.add("b.sut", any_text(u, 200)?);
        let faults = [any_diagnostic(u)?, any_diagnostic(u)?];
        let style = Style {
            colour: u.arbitrary()?,
            unicode: u.arbitrary()?,
            width: u.int_in_range(0..=200)?,
        };
        for format in FORMATS {
            let shown = render(&faults, &map, format, style);
            let colours = style.colour && format == Format::Full;
            let bad = |c: char| c == '\t' || (hazard(c).is_some() && !(c == '\u{1b}' && colours));
            assert!(!shown.chars().any(bad), "{format:?} {shown:?}");
            assert!(shown.ends_with('\n') && !shown.contains("Failed to read"), "{shown}");
            if colours {
                // The only sequences are those of colours: escape, bracket, digits, `m`.
                for tail in shown.split('\u{1b}').skip(1) {
                    let rest = tail.strip_prefix('[').unwrap();
                    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
                    assert!(rest.starts_with('m'), "{tail:?}");
                }
            }
        }
        assert_eq!(concise::concise(&faults, &map).lines().count(), 2);
        let document: serde_json::Value = serde_json::from_str(&json::json(&faults, &map)).unwrap();
        assert_eq!(document["diagnostics"].as_array().unwrap().len(), 2);
        Ok(())
    })
    .budget_ms(1000);
}
