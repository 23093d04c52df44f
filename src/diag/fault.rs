//! A diagnostic as plain data: what programs read, apart from the texts it was found in.

use std::fmt;

use serde::Serialize;

use super::{Applicability, Diagnostic, Severity, clean};
use crate::source::{SourceMap, Span};

/// One fault: what is wrong, where, and what to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fault {
    /// Its code, such as `E0201`; each has an explanation.
    pub code: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where; the primary place first. A fault without a text has none.
    pub labels: Vec<Place>,
    /// What to do.
    pub help: Option<String>,
    /// What else to know.
    pub notes: Vec<String>,
    /// What to write instead.
    pub suggestion: Option<Fix>,
    /// The help, or else the suggestion in words.
    #[serde(skip)]
    advice: Option<String>,
}

/// A place in a text. Offsets are bytes, the end excluded; lines and columns count from 1, columns
/// in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The file, as it was named when the rules were opened.
    pub file: String,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// The line of the first byte.
    pub line: u32,
    /// The column of the first byte.
    pub column: u32,
    /// The line of the end.
    pub end_line: u32,
    /// The column of the end.
    pub end_column: u32,
    /// The cell or the row, where the file is a sheet; its lines are rows and its columns those of
    /// cells, and its bytes are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// What is there; may be empty.
    pub text: String,
    /// Whether this is the place of the fault, not another place that explains it.
    pub primary: bool,
}

/// Text to write in place of other text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fix {
    /// The file.
    pub file: String,
    /// The first byte that is replaced.
    pub start: u32,
    /// The byte after the last; the same as `start` to insert.
    pub end: u32,
    /// What to write there.
    pub replacement: String,
    /// `always` if it cannot change what was meant, `maybe` for a guess.
    pub applies: &'static str,
}

impl Fault {
    /// A diagnostic with its places looked up.
    #[must_use]
    pub(crate) fn of(d: &Diagnostic, map: &SourceMap) -> Fault {
        let place = |(span, text, primary): (Span, &str, bool)| {
            let span = map.clamp(span);
            let from = map.line_col(span.source, span.start);
            let to = map.line_col(span.source, span.end);
            let name = map.name(span.source);
            let cell = map.sheet(span.source).and_then(|_| {
                map.place(span)
                    .strip_prefix(name)
                    .map(|cell| cell.trim_start_matches([',', ' ']).to_owned())
            });
            Place {
                file: name.to_owned(),
                start: if cell.is_some() { 0 } else { span.start },
                end: if cell.is_some() { 0 } else { span.end },
                cell,
                line: from.line,
                column: from.column,
                end_line: to.line,
                end_column: to.column,
                text: text.to_owned(),
                primary,
            }
        };
        let labels = d.labels.iter().map(|label| (label.span, label.text.as_str(), label.primary));
        // What a cell should say is in the help; it has no bytes to replace.
        let edits = d.suggestion.as_ref().filter(|s| map.sheet(s.span.source).is_none());
        let suggestion = edits.map(|s| {
            let span = map.clamp(s.span);
            let applies = match s.applies {
                Applicability::Always => "always",
                Applicability::Maybe => "maybe",
            };
            let file = map.name(span.source).to_owned();
            let replacement = s.replacement.clone();
            Fix { file, start: span.start, end: span.end, replacement, applies }
        });
        Fault {
            code: d.code.as_str(),
            severity: d.severity.as_str(),
            message: d.message.clone(),
            labels: labels.map(place).collect(),
            help: d.help.clone(),
            notes: d.notes.clone(),
            suggestion,
            advice: d.advice(map),
        }
    }

    /// Whether the text cannot be used as it is.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error.as_str()
    }

    /// The place of the fault, if it has one.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        self.labels.iter().find(|label| label.primary).or(self.labels.first())
    }
}

/// The fault in words, a line for each part, without the lines of the text.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, clean::line(&self.message))?;
        for label in &self.labels {
            let at = if label.primary { "at" } else { "and" };
            let file = clean::line(&label.file);
            match &label.cell {
                Some(cell) => write!(f, "\n  {at} {file}, {cell}")?,
                None => write!(f, "\n  {at} {file}:{}:{}", label.line, label.column)?,
            }
            if !label.text.is_empty() {
                write!(f, ": {}", clean::line(&label.text))?;
            }
        }
        if let Some(advice) = &self.advice {
            write!(f, "\n  help: {}", clean::line(advice))?;
        }
        self.notes.iter().try_for_each(|note| write!(f, "\n  note: {}", clean::line(note)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::code::E0001;

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
        let rest = "  help: write `three` instead of `two`\n  note: n";
        assert_eq!(Fault::of(&fault, &map).to_string(), format!("{first}{rest}"));
    }
}
