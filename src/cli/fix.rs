//! What findings are sure of, as changes of files: shown, and ready to be written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::End;
use super::rewrite::unchanged;
use crate::diag::{Applicability, Diagnostic, Suggestion};
use crate::output::Rewrite;
use crate::source::{SourceId, SourceMap};

/// The changes of some findings.
pub(super) struct Changes {
    /// Each place, with its lines before and after.
    pub shown: String,
    /// The files as they are to be.
    pub rewrites: Vec<Rewrite>,
    /// How many findings they fix.
    pub count: usize,
}

/// The changes that are sure, in the order of the files; refused where a file has changed since it
/// was read.
pub(super) fn changes(sources: &SourceMap, found: &[Diagnostic]) -> Result<Changes, End> {
    let sure = found
        .iter()
        .filter_map(|f| f.suggestion.as_ref())
        .filter(|s| s.applies == Applicability::Always && sources.sheet(s.span.source).is_none());
    let mut files: BTreeMap<SourceId, Vec<&Suggestion>> = BTreeMap::new();
    sure.for_each(|s| files.entry(s.span.source).or_default().push(s));
    let mut all = Changes { shown: String::new(), rewrites: Vec::new(), count: 0 };
    for (file, mut edits) in files {
        edits.sort_by_key(|s| s.span);
        edits.dedup_by(|b, a| b.span.start < a.span.end);
        let old = unchanged(sources, file)?;
        let (mut new, ends) = (old.clone(), line_ends(&old));
        all.count += edits.len();
        for edit in &edits {
            show(&mut all.shown, sources, edit);
        }
        for edit in edits.iter().rev() {
            let (range, text) = (edit.span.range(), edit.replacement.replace('\n', ends));
            if range.end <= new.len() {
                new.splice(range, text.into_bytes());
            }
        }
        all.rewrites.push(Rewrite { path: PathBuf::from(sources.name(file)), old, new });
    }
    Ok(all)
}

/// The place of an edit, and its lines before and after.
fn show(shown: &mut String, sources: &SourceMap, edit: &Suggestion) {
    let (file, range) = (edit.span.source, edit.span.range());
    let text = sources.text(file);
    let start = text.get(..range.start).and_then(|t| t.rfind('\n')).map_or(0, |p| p + 1);
    let last = range.end.saturating_sub(1).max(range.start);
    let end = text.get(last..).and_then(|t| t.find('\n')).map_or(text.len(), |p| last + p);
    let before = text.get(start..end).unwrap_or_default();
    let front = text.get(start..range.start).unwrap_or_default();
    let back = text.get(range.end..end).unwrap_or_default();
    let line = sources.line_col(file, edit.span.start).line;
    shown.push_str(&format!("{}:{line}\n", sources.name(file)));
    before.lines().for_each(|l| shown.push_str(&format!("- {l}\n")));
    let after = format!("{front}{}{back}", edit.replacement);
    after.lines().for_each(|l| shown.push_str(&format!("+ {l}\n")));
}

/// How the lines of a file end: as its first does.
fn line_ends(bytes: &[u8]) -> &'static str {
    match bytes.iter().position(|b| matches!(b, b'\r' | b'\n')) {
        Some(at) if bytes.get(at..at + 2) == Some(b"\r\n") => "\r\n",
        Some(at) if bytes.get(at) == Some(&b'\r') => "\r",
        _ => "\n",
    }
}
