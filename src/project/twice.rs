//! What stands twice: a word that a fix writes beside the same word, a word that it takes out beside
//! itself, and lines of which either may be the slip.

use crate::diag::{Diagnostic, Suggestion, Way};
use crate::source::{SourceMap, Span};

/// Of what is said twice either may be the slip: what may be written for the second one, in the place
/// of the first.
pub(super) fn of_the_first(fault: &Diagnostic, ways: &[Way], sources: &SourceMap) -> Vec<Way> {
    let Some(second) = fault.primary() else { return Vec::new() };
    let Some(first) = fault.labels.iter().map(|l| l.span).find(|at| *at != second) else {
        return Vec::new();
    };
    let moved = |way: &Way| {
        let Span { start, end, .. } = way.fix.span;
        let place = Span::new(first.source, first.start, first.start + (end - start));
        let same = start == second.start && sources.slice(place) == sources.slice(way.fix.span);
        let fix = Suggestion { span: place, ..way.fix.clone() };
        let help = format!("in the first of the two {}", way.help);
        (same && start < end).then(|| Way { fix, help, ..way.clone() })
    };
    ways.iter().filter_map(moved).collect()
}

/// Whether a way writes a word beside the same word.
pub(super) fn doubles(way: &Way, sources: &SourceMap) -> bool {
    let (text, range) = (sources.text(way.fix.span.source), way.fix.span.range());
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let new = way.fix.replacement.as_str();
    let before = text.get(..range.start).unwrap_or_default();
    let behind = text.get(range.end..).unwrap_or_default();
    let first = new.split(|c| !joins(c)).next().unwrap_or_default();
    let last = new.rsplit(|c| !joins(c)).next().unwrap_or_default();
    let ends = before.trim_end_matches(' ').rsplit(|c| !joins(c)).next().unwrap_or_default();
    let begins = behind.trim_start_matches(' ').split(|c| !joins(c)).next().unwrap_or_default();
    !first.is_empty() && first == ends || !last.is_empty() && last == begins
}

/// Whether what a way takes out stands beside itself.
pub(super) fn stands_twice(way: &Way, sources: &SourceMap) -> bool {
    let (text, range) = (sources.text(way.fix.span.source), way.fix.span.range());
    let word = text.get(range.clone()).unwrap_or_default().trim();
    text.get(..range.start).is_some_and(|t| t.trim_end().ends_with(word))
        || text.get(range.end..).is_some_and(|t| t.trim_start().starts_with(word))
}
