//! Files that were copied beside themselves: `suite (1).sut` beside `suite.sut`.
//!
//! Takes the files of one folder; gives which is a copy of which. All that a copy declares would be
//! declared twice, so that it is reported once and left out.

use std::collections::BTreeSet;
use std::path::Path;

use crate::diag::{Diagnostic, code};
use crate::source::{SourceId, SourceMap};

/// A file of a folder: its path, and its text.
pub(super) struct Named<'a> {
    pub path: &'a Path,
    pub source: SourceId,
}

/// For each file the one that it is a copy of.
pub(super) fn copies(files: &[Named<'_>], sources: &SourceMap) -> Vec<Option<usize>> {
    let texts: Vec<Vec<&str>> = files.iter().map(|f| lines(sources.text(f.source))).collect();
    let names: Vec<String> = files.iter().map(|f| stem(f.path)).collect();
    let by_name = |at: usize| -> Option<usize> {
        let original = original(names.get(at)?)?;
        let other = names.iter().position(|n| *n == original).filter(|other| *other != at)?;
        let text = |at: usize| files.get(at).map_or("", |f| sources.text(f.source));
        alike(text(at), text(other)).then_some(other)
    };
    let named: Vec<Option<usize>> = (0..files.len()).map(by_name).collect();
    let free = |at: usize| named.get(at).is_some_and(Option::is_none);
    // Of equal files with other names the first is taken for the original.
    let by_text = |at: usize| {
        let text = texts.get(at).filter(|text| text.len() > 1)?;
        (0..at).find(|other| free(at) && free(*other) && texts.get(*other) == Some(text))
    };
    let found: Vec<Option<usize>> = (0..files.len())
        .map(|at| named.get(at).copied().flatten().or_else(|| by_text(at)))
        .collect();
    // What is itself left out is no original: a copy of a copy is one of the first.
    let first = |at: usize| found.get(at).copied().flatten().unwrap_or(at);
    found.iter().map(|of| of.map(first)).collect()
}

/// What is said of a copy.
pub(super) fn fault(copy: &Named<'_>, original: &Named<'_>, sources: &SourceMap) -> Diagnostic {
    let (new, old) = (name(copy.path), name(original.path));
    let same = lines(sources.text(copy.source)) == lines(sources.text(original.source));
    let message = if same {
        format!("`{new}` says the same as `{old}`")
    } else {
        format!("`{new}` is a copy of `{old}` with changes")
    };
    let line = |source: SourceId| sources.line_span(source, 1);
    Diagnostic::error(code::E0013, line(copy.source), message)
        .at("this file was not read")
        .label(line(original.source), "the file that it copies")
        .help(format!("keep one of the two: delete `{new}`, or move it out of the folder"))
}

/// The lines of a text that say something.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).collect()
}

/// Whether at least half of what a text declares is declared in another, by the first lines of its
/// items.
fn alike(text: &str, other: &str) -> bool {
    let known: BTreeSet<&str> = crate::arrange::gathered(heads(other));
    let all = heads(text).count();
    let shared = heads(text).filter(|l| known.contains(l)).count();
    shared > 0 && shared * 2 >= all
}

/// The lines that begin an item.
fn heads(text: &str) -> impl Iterator<Item = &str> {
    let begins =
        |l: &&str| l.starts_with(|c: char| c.is_ascii_alphabetic()) && !l.starts_with("edition ");
    text.lines().map(str::trim_end).filter(begins)
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

/// What a file was called before a file manager copied it: `suite` of `suite (1)`, `suite copy 2`
/// and `suite - Copy`.
fn original(stem: &str) -> Option<String> {
    let lower = stem.to_ascii_lowercase();
    let cut =
        |end: usize| stem.get(..end).map(|s| s.trim_end().to_owned()).filter(|s| !s.is_empty());
    let number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if let Some((before, inside)) = stem.strip_suffix(')').and_then(|s| s.rsplit_once('('))
        && number(inside)
    {
        let before = before.trim_end();
        return original(before).or_else(|| cut(before.len()));
    }
    if let Some(rest) = lower.strip_prefix("copy of ") {
        return stem.get(stem.len() - rest.len()..).map(str::to_owned);
    }
    let unnumbered = lower
        .rsplit_once(' ')
        .filter(|(_, n)| number(n))
        .map_or(lower.as_str(), |(before, _)| before);
    [" - copy", " copy", "_copy", "-copy"]
        .iter()
        .find_map(|end| cut(unnumbered.strip_suffix(end)?.len()))
}

#[cfg(test)]
mod tests {
    use super::original;

    #[test]
    fn names_of_copies_lead_to_their_originals() {
        let all = [
            "suite (1)",
            "suite(12)",
            "suite copy",
            "suite copy 2",
            "suite - Copy",
            "suite - Copy (3)",
            "Copy of suite",
            "suite_copy",
        ];
        for name in all {
            assert_eq!(original(name).as_deref(), Some("suite"), "{name}");
        }
        for name in ["suite", "suite_2", "suite (a)", "copy", "(1)", "photocopy", "suite 2"] {
            assert_eq!(original(name), None, "{name}");
        }
    }
}
