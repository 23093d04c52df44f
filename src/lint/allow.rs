//! `# allow W1203: why`: a comment that stands directly above an item, or above a line of one, and
//! keeps one code quiet there.

use std::collections::BTreeSet;

use super::own_files;
use crate::diag::{Diagnostic, code};
use crate::mutate::Given;
use crate::source::{SourceId, SourceMap, Span};

/// What is left of findings where comments allow the others; and what is wrong with the comments.
pub(super) fn allowed(of: &Given<'_>, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // A variant may hold nothing but changes.
    let places = found.iter().filter_map(|f| Some(f.primary()?.source));
    let files: BTreeSet<SourceId> = own_files(of).into_iter().chain(places).collect();
    let mut comments: Vec<Allow> = files.into_iter().flat_map(|file| comments(of, file)).collect();
    let mut left = Vec::new();
    for finding in found {
        let hit = finding
            .primary()
            .and_then(|place| comments.iter_mut().find(|c| c.covers(&finding, place)));
        match hit {
            Some(comment) => comment.used = true,
            None => left.push(finding),
        }
    }
    for comment in comments {
        left.extend(comment.fault(of.sources));
    }
    left
}

struct Allow {
    /// From its `#` to the end of its line.
    span: Span,
    code: String,
    reason: String,
    /// The line below it, or the whole item that begins there.
    over: Span,
    used: bool,
}

impl Allow {
    fn covers(&self, finding: &Diagnostic, place: Span) -> bool {
        self.sound()
            && finding.code.as_str() == self.code
            && place.source == self.over.source
            && self.over.range().contains(&(place.start as usize))
    }

    fn sound(&self) -> bool {
        !self.reason.is_empty()
            && crate::diag::code::all()
                .iter()
                .any(|c| c.code.as_str() == self.code && self.code.starts_with('W'))
    }

    /// What is wrong with the comment itself.
    fn fault(self, sources: &SourceMap) -> Option<Diagnostic> {
        if self.reason.is_empty() {
            let fault = Diagnostic::error(
                code::E1060,
                self.span,
                format!("nothing says why `{}` is allowed here", self.code),
            );
            return Some(fault.help(format!(
                "write the reason behind it: `# allow {}: the printed table is so`",
                self.code
            )));
        }
        if !self.sound() {
            let fault = Diagnostic::error(
                code::E1061,
                self.span,
                format!("`{}` is no warning that could be allowed", self.code),
            );
            return Some(fault.help("name a code that begins with W, as `sutler lint` prints it"));
        }
        if self.used {
            return None;
        }
        let end = sources.text(self.span.source).len().min(self.span.end as usize + 1);
        let start = sources
            .text(self.span.source)
            .get(..self.span.start as usize)
            .and_then(|t| t.rfind('\n'))
            .map_or(0, |at| at + 1);
        let whole = Span::of(self.span.source, start..end);
        let fault = Diagnostic::warning(
            code::W1210,
            self.span,
            format!("nothing raises `{}` here, so there is nothing to allow", self.code),
        );
        Some(fault.help("take the comment out").suggest_always(whole, ""))
    }
}

/// The comments of a file that allow something, each with what stands below it.
fn comments(of: &Given<'_>, file: SourceId) -> Vec<Allow> {
    let sources = of.sources;
    let mut found = Vec::new();
    for line in 1..=sources.line_count(file) {
        let whole = sources.line_span(file, line);
        let text = sources.slice(whole);
        let Some(rest) = text.trim_start().strip_prefix("# allow ") else { continue };
        let (code, reason) = rest.split_once(':').unwrap_or((rest, ""));
        let code = code.trim();
        // A sentence that begins with the word is a comment like any other.
        if !code.starts_with(['W', 'E'])
            || !code
                .get(1..)
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        {
            continue;
        }
        let blanks = text.len() - text.trim_start().len();
        let span = Span::of(file, whole.start as usize + blanks..whole.end as usize);
        let (code, reason) = (code.to_owned(), reason.trim().to_owned());
        found.push(Allow { span, code, reason, over: below(of, file, line), used: false });
    }
    found
}

/// The item that begins on the next line that is no comment, or else that line.
fn below(of: &Given<'_>, file: SourceId, line: u32) -> Span {
    let comment = |l: &u32| of.sources.line_text(file, *l).trim_start().starts_with('#');
    let next = (line + 1..=of.sources.line_count(file)).find(|l| !comment(l)).unwrap_or(line);
    let next = of.sources.line_span(file, next);
    let items = of.resolved.items.iter().map(|i| i.item.span);
    items
        .filter(|i| i.source == file && !i.is_empty())
        .find(|i| i.start == next.start)
        .unwrap_or(next)
}
