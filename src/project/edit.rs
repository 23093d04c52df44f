//! An edit of a text: which faults of the text before it are which of the text after it, and other
//! orders of words to try.

use super::fixes::{Asked, Tried};
use crate::diag::{Diagnostic, Suggestion, Way};
use crate::source::{SourceId, SourceMap, Span};
use crate::syntax::tokens::words;

/// An edit, with the texts before and after it.
pub(super) struct Edit<'a> {
    pub fix: &'a Suggestion,
    pub asked: &'a Asked<'a>,
    pub tried: &'a Tried,
}

impl Edit<'_> {
    /// Where a place of the old text lies in the new one.
    fn moved(&self, span: Span) -> usize {
        let (start, place) = (span.start as usize, self.fix.span.range());
        if span.source != self.fix.span.source || start < place.end.max(place.start + 1) {
            return start;
        }
        start - place.len() + self.fix.replacement.len()
    }

    /// Whether a fault of the old text is this one of the new text.
    pub(super) fn same(&self, old: &Diagnostic, new: &Diagnostic) -> bool {
        match (old.primary(), new.primary()) {
            (Some(was), Some(is)) => {
                old.code == new.code
                    && self.asked.sources.name(was.source) == self.tried.sources.name(is.source)
                    && self.moved(was) == is.start as usize
            }
            (None, None) => old.code == new.code && old.message == new.message,
            _ => false,
        }
    }

    /// Whether a new fault was only covered by the old one: the item could not be read so far, and
    /// it stands on another line of it.
    pub(super) fn uncovered(&self, old: &Diagnostic, new: &Diagnostic) -> bool {
        let (Some(was), Some(is)) = (old.primary(), new.primary()) else { return false };
        let source = self.fix.span.source;
        let here = self.tried.sources.name(is.source) == self.asked.sources.name(source);
        if !old.code.as_str().starts_with("E01") || was.source != source || !here {
            return false;
        }
        let text = self.tried.sources.text(is.source);
        let edit = self.fix.span.start as usize;
        let line = |at: usize| text.get(..at).map_or(0, |t| t.matches('\n').count());
        let at = is.start as usize;
        let apart = line(at) != line(edit) && line(at) != line(self.moved(was));
        apart && item_around(text, edit).contains(&at)
    }
}

/// The item around a place: from a line that begins in column one with a word to the next one.
pub(super) fn item_around(text: &str, at: usize) -> std::ops::Range<usize> {
    let begins = |line: &str| line.starts_with(|c: char| c.is_ascii_alphabetic());
    let (mut start, mut place) = (0, 0);
    for line in text.split_inclusive('\n') {
        if begins(line) {
            if place > at {
                return start..place;
            }
            start = place;
        }
        place += line.len();
    }
    start..text.len()
}

/// Other orders of the words around an unknown name.
pub(super) fn reordered(fault: &Diagnostic, sources: &SourceMap) -> Vec<Way> {
    let Some(at) = fault.primary() else { return Vec::new() };
    let text = sources.text(at.source);
    let (start, end) = (at.start as usize, at.end as usize);
    let line = text.get(..start).map_or(0, |t| t.rfind('\n').map_or(0, |p| p + 1));
    let rest = text.get(line..).and_then(|t| t.split('\n').next()).unwrap_or_default();
    let words: Vec<(usize, &str)> = words(rest).map(|(p, w)| (line + p, w)).collect();
    let pairs = words.windows(2).filter_map(|pair| {
        let [(one, first), (two, second)] = pair else { return None };
        let between = text.get(one + first.len()..*two)?;
        let touches = *one == start || *two + second.len() == end;
        let plain = touches && between.trim().is_empty() && first != second;
        if !plain || *first == "not" || *second == "not" {
            return None;
        }
        let place = |p: usize| u32::try_from(p).unwrap_or(u32::MAX);
        let span = Span::new(at.source, place(*one), place(two + second.len()));
        let with = format!("{second}{between}{first}");
        Some(Way { rank: 1, ..Way::near(span, &with) })
    });
    let mut ways = twice(&words, text, at.source);
    ways.extend(pairs);
    // `the strength`: a fact that is the subject's own has no article.
    let article = words.iter().find(|(p, w)| *w == "the" && text.get(p + 3..start) == Some(" "));
    ways.extend(article.map(|(p, _)| {
        let place = |p: usize| u32::try_from(p).unwrap_or(u32::MAX);
        let span = Span::new(at.source, place(*p), place(start));
        Way { rank: 1, help: "take `the` out".to_owned(), ..Way::near(span, "") }
    }));
    // The condition of a noun phrase may have lost its word.
    let follows = words.iter().any(|(p, w)| {
        let between = text.get(p + w.len()..start);
        between.is_some_and(|b| !b.is_empty() && b.trim().is_empty())
    });
    if follows {
        let help = format!("write `where {}`", sources.slice(at));
        let span = Span::new(at.source, at.start, at.start);
        ways.push(Way { rank: 1, help, ..Way::near(span, "where ") });
    }
    ways
}

/// Words that stand twice side by side on a line, each once.
fn twice(words: &[(usize, &str)], text: &str, source: SourceId) -> Vec<Way> {
    let place = |p: usize| u32::try_from(p).unwrap_or(u32::MAX);
    let pairs = words.windows(2).filter_map(|pair| {
        let [(one, first), (two, second)] = pair else { return None };
        let (from, to) = (one + first.len(), two + second.len());
        let apart = text.get(from..*two).is_some_and(|b| !b.is_empty() && b.trim().is_empty());
        let help = format!("take `{second}` out");
        let span = Span::new(source, place(from), place(to));
        (apart && first == second).then(|| Way { help, ..Way::near(span, "") })
    });
    pairs.collect()
}
