//! Diagnostics in words alone, without the lines of the text; what a library without a terminal
//! prints.

use super::concise::place;
use super::{Diagnostic, clean};
use crate::source::SourceMap;

/// Writes all diagnostics, with an empty line between them.
#[must_use]
pub fn plain(diagnostics: &[Diagnostic], map: &SourceMap) -> String {
    let all: Vec<String> = diagnostics.iter().map(|d| one(d, map)).collect();
    all.join("\n")
}

fn one(d: &Diagnostic, map: &SourceMap) -> String {
    let mut out = String::new();
    let mut line = |head: &str, text: &str| {
        let end = if text.is_empty() { "" } else { ": " };
        out.push_str(&format!("{head}{end}{}\n", clean::line(text)));
    };
    line(&format!("{}[{}]", d.severity.as_str(), d.code), &d.message);
    for label in &d.labels {
        let at = if label.primary { "at" } else { "and" };
        line(&format!("  {at} {}", place(map, label.span)), &label.text);
    }
    if let Some(advice) = d.advice(map) {
        line("  help", &advice);
    }
    for note in &d.notes {
        line("  note", note);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::code::E0001;
    use crate::source::Span;

    #[test]
    fn every_part_of_a_fault_is_a_line() {
        let mut map = SourceMap::new();
        let id = map.add("a.sut", "one\ntwo\n".to_owned());
        let fault = Diagnostic::error(E0001, Span::new(id, 4, 7), "no `two`\u{1b}")
            .at("unknown here")
            .label(Span::new(id, 0, 3), "")
            .note("n")
            .suggest(Span::new(id, 4, 7), "three");
        let first =
            "error[E0001]: no `two`\\u{1b}\n  at a.sut:2:1: unknown here\n  and a.sut:1:1\n";
        let rest = "  help: write `three` instead of `two`\n  note: n\n";
        assert_eq!(plain(&[fault.clone()], &map), format!("{first}{rest}"));
        assert_eq!(plain(&[fault.clone(), fault], &map).matches("\n\n").count(), 1);
        assert_eq!(plain(&[], &map), "");
    }
}
