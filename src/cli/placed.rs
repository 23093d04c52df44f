//! Diagnostics as other programs show them beside the lines: annotations of GitHub Actions, and
//! SARIF.

use super::{github, sarif};
use crate::diag::{self, Diagnostic, Severity, code};
use crate::source::SourceMap;

/// A diagnostic with its texts and the path that was opened, which stands where it has no place.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub found: &'a Diagnostic,
    pub sources: &'a SourceMap,
    pub path: &'a str,
}

impl Placed<'_> {
    /// Its file, line and column.
    pub(super) fn place(&self) -> (String, u32, u32) {
        let Some(span) = self.found.primary() else { return (self.path.to_owned(), 1, 1) };
        // Other programs know no cells: a fault of a sheet stands where it is asked for.
        let span = self.sources.in_rules(span);
        let at = self.sources.line_col(span.source, span.start);
        (self.sources.name(span.source).to_owned(), at.line, at.column)
    }

    /// What is wrong, the other places, and what to do; a line each.
    pub(super) fn message(&self) -> String {
        let mut lines = vec![self.found.message.clone()];
        if let Some(cell) = self.found.primary().filter(|p| self.sources.sheet(p.source).is_some())
        {
            lines.insert(0, self.sources.place(cell));
        }
        for label in self.found.labels.iter().filter(|l| !l.primary) {
            let at = self.sources.line_col(label.span.source, label.span.start);
            let name = self.sources.name(label.span.source);
            lines.push(match self.sources.sheet(label.span.source) {
                Some(_) => format!("{}: {}", self.sources.place(label.span), label.text),
                None => format!("{name}:{}: {}", at.line, label.text),
            });
        }
        lines.extend(self.found.advice(self.sources).map(|advice| format!("help: {advice}")));
        lines.join("\n")
    }

    pub(super) fn level(&self) -> &'static str {
        if self.found.severity == Severity::Error { "error" } else { "warning" }
    }

    /// An annotation.
    pub(super) fn github(&self) -> String {
        let (file, line, column) = self.place();
        github::annotation(
            self.level(),
            &file,
            (line, column),
            self.found.code.as_str(),
            &self.message(),
        )
    }

    /// A result of SARIF.
    pub(super) fn sarif(&self) -> sarif::Found {
        let (file, line, column) = self.place();
        let (rule, level) = (self.found.code.to_string(), self.level());
        sarif::Found { rule, level, text: self.message(), file, line, column }
    }
}

/// The codes of diagnostics as the rules of SARIF, each with its title.
pub(super) fn rules(all: &[Placed<'_>]) -> Vec<(String, String)> {
    let mut codes: Vec<diag::Code> = all.iter().map(|p| p.found.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let titled = |c: &diag::Code| code::all().iter().find(|i| i.code == *c);
    codes.iter().map(|c| (c.to_string(), titled(c).map_or("", |i| i.title).to_owned())).collect()
}

/// A log of diagnostics.
pub(super) fn log(all: &[Placed<'_>]) -> sarif::Log {
    sarif::log(rules(all), all.iter().map(Placed::sarif).collect())
}
