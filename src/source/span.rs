//! A place: a text and a range of its bytes.
//!
//! Takes offsets, gives spans. Never looks at the text, so a span may lie outside it.

use serde::{Deserialize, Serialize};

/// Which text of a [`SourceMap`](super::SourceMap).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct SourceId(pub u32);

/// A range of bytes in one text, ordered by text, then start, then end.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`; an `end` before `start` gives an empty span.
    #[must_use]
    pub const fn new(source: SourceId, start: u32, end: u32) -> Self {
        let end = if end < start { start } else { end };
        Self { source, start, end }
    }

    /// A span from byte counts of the host; what does not fit is moved to the largest offset.
    #[must_use]
    pub fn of(source: SourceId, range: std::ops::Range<usize>) -> Self {
        let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self::new(source, offset(range.start), offset(range.end))
    }

    /// The smallest span that holds both. A span of another text cannot be joined and is left out.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.source != other.source {
            return self;
        }
        Self {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// How many bytes it holds.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it holds no byte and only marks a place.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The empty span at its start.
    #[must_use]
    pub const fn point(self) -> Self {
        Self::new(self.source, self.start, self.start)
    }

    /// The byte range, for slicing.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: SourceId = SourceId(0);

    #[test]
    fn join_covers_both_and_keeps_the_order() {
        let left = Span::new(A, 2, 4);
        let right = Span::new(A, 7, 9);
        assert_eq!(left.to(right), Span::new(A, 2, 9));
        assert_eq!(right.to(left), Span::new(A, 2, 9));
        assert!(left < right);
    }

    #[test]
    fn join_across_texts_keeps_the_first() {
        let here = Span::new(A, 2, 4);
        assert_eq!(here.to(Span::new(SourceId(1), 0, 9)), here);
    }

    #[test]
    fn a_backward_span_is_empty() {
        let span = Span::new(A, 5, 3);
        assert_eq!((span.start, span.end, span.len()), (5, 5, 0));
        assert!(span.is_empty());
        assert_eq!(Span::new(A, 5, 8).point(), span);
    }

    #[test]
    fn huge_offsets_stay_at_the_largest() {
        assert_eq!(Span::of(A, 1..usize::MAX).end, u32::MAX);
    }
}
