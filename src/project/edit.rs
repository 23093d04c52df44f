//! An edit of a text: which faults of the text before it are which of the text after it.

use super::fixes::{Asked, Tried};
use crate::diag::{Diagnostic, Severity, Suggestion};
use crate::source::Span;

/// Of more faults than this none is looked for that follows from another.
const MOST_COMPARED: usize = 64;

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

    /// Which of the faults of the old text are not there any more: they follow from the one that the
    /// edit is for. Cases of other files were not read again.
    pub(super) fn gone(&self, all: &[Diagnostic], fault: &Diagnostic) -> Vec<usize> {
        if all.len() > MOST_COMPARED {
            return Vec::new();
        }
        let read_again = |old: &Diagnostic| {
            old.primary().is_none_or(|at| {
                let text = self.asked.sources.text(at.source);
                let item = text.get(item_around(text, at.start as usize)).unwrap_or_default();
                let proof = ["case", "mistake"].iter().any(|word| item.starts_with(word));
                at.source == self.fix.span.source || !proof
            })
        };
        let is_gone = |old: &Diagnostic| {
            old.severity == Severity::Error
                && old != fault
                && !self.tried.faults.iter().any(|new| self.same(old, new))
                && read_again(old)
        };
        (0..).zip(all).filter(|(_, old)| is_gone(old)).map(|(at, _)| at).collect()
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
    let mut start = 0;
    for next in item_starts(text) {
        if next > at {
            return start..next;
        }
        start = next;
    }
    start..text.len()
}

/// Where the items of a text begin.
pub(super) fn item_starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut place = 0;
    let starts = text.split_inclusive('\n').map(move |line| {
        place += line.len();
        (place - line.len(), line)
    });
    starts.filter(|(_, line)| line.starts_with(|c: char| c.is_ascii_alphabetic())).map(|(at, _)| at)
}
