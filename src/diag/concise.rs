//! One line for each diagnostic: `file:line:col: error[E0201]: message (help: ...)`.
//!
//! Takes diagnostics, gives lines that editors and `grep` understand. Never shows a source line.

use super::{Diagnostic, clean};
use crate::source::{SourceMap, Span};

/// Writes one line for each diagnostic.
#[must_use]
pub fn concise(diagnostics: &[Diagnostic], map: &SourceMap) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        if let Some(span) = diagnostic.primary() {
            out.push_str(&place(map, span));
            out.push_str(": ");
        }
        let Diagnostic { code, severity, message, .. } = diagnostic;
        out.push_str(&format!("{}[{code}]: {}", severity.as_str(), clean::line(message)));
        if let Some(advice) = diagnostic.advice(map) {
            out.push_str(&format!(" (help: {})", clean::line(&advice)));
        }
        out.push('\n');
    }
    out
}

/// A place as `file:line:col`, or as the cell of a sheet.
pub(super) fn place(map: &SourceMap, span: Span) -> String {
    clean::line(&map.place(span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::code::{E0002, E0006};

    #[test]
    fn one_line_each() {
        let mut map = SourceMap::new();
        let id = map.add("rules/a.sut", "one\ntwo\n".to_owned());
        let all = [
            Diagnostic::error(E0002, Span::new(id, 5, 6), "no `w`\nhere").help("drop it"),
            Diagnostic::bare(E0006, "`b.sut` cannot be read\u{1b}"),
            Diagnostic::warning(E0002, Span::new(id, 4, 7), "odd")
                .suggest(Span::new(id, 4, 7), "2"),
        ];
        assert_eq!(
            concise(&all, &map),
            "rules/a.sut:2:2: error[E0002]: no `w` here (help: drop it)\n\
             error[E0006]: `b.sut` cannot be read\\u{1b}\n\
             rules/a.sut:2:1: warning[E0002]: odd (help: write `2` instead of `two`)\n"
        );
    }
}
