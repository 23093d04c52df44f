//! The text of an item with the changes of variants in it, as pieces of the files that wrote them.
//!
//! Takes the places of what is changed and of what stands in its stead; gives the pieces in order.
//! Beside the tree of an item its rope says the same in text, so that a variant can be printed
//! whole and every line has its origin.

use std::ops::Range;

use super::body::Body;
use crate::check::written::{bare, folded, folded_text};
use crate::source::{SourceId, SourceMap, Span};
use crate::syntax::Parts;
use crate::syntax::ast::Cites;

/// Clauses behind a line, as pieces: in brackets of their own, or behind those that stand there.
pub(super) fn cited(cites: &Cites, more: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (at, cite) in cites.0.iter().enumerate() {
        pieces.push(Piece::Joint(if at == 0 && !more { "  [" } else { ", " }));
        pieces.push(Piece::Text(cite.span));
    }
    if !cites.0.is_empty() && !more {
        pieces.push(Piece::Joint("]"));
    }
    pieces
}

/// A piece of an item's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// What stands in a file.
    Text(Span),
    /// A sign that no author wrote, between two pieces.
    Joint(&'static str),
}

/// The text of one item.
#[derive(Debug, Clone, Default)]
pub struct Rope {
    pieces: Vec<Piece>,
}

impl Rope {
    /// The text of one place.
    #[must_use]
    pub fn of(span: Span) -> Rope {
        Rope { pieces: vec![Piece::Text(span)] }
    }

    /// The text of several places.
    pub(super) fn of_pieces(pieces: Vec<Piece>) -> Rope {
        Rope { pieces }
    }

    /// Its pieces in order.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The whole text, and where its parts come from.
    pub(super) fn written(&self, sources: &SourceMap) -> (String, Parts) {
        let (mut text, mut parts) = (String::new(), Parts::default());
        for piece in &self.pieces {
            let (said, place) = match piece {
                Piece::Text(span) => (sources.slice(*span), Some(*span)),
                Piece::Joint(sign) => (*sign, None),
            };
            text.push_str(said);
            parts.push(said.len(), place);
        }
        (text, parts)
    }

    /// The words of a place of the item, with what was put into it.
    #[must_use]
    pub fn folded(&self, place: Span, sources: &SourceMap) -> String {
        self.nth_folded(place, 0, sources)
    }

    /// The same for a span that occurs several times: the occurrence with `nth` before it.
    #[must_use]
    pub fn nth_folded(&self, place: Span, nth: usize, sources: &SourceMap) -> String {
        if self.pieces.len() < 2 {
            return folded(sources, place);
        }
        let (text, parts) = self.written(sources);
        match parts.nth_range_of(place, nth) {
            Some(range) => folded_text(text.get(range).unwrap_or("")),
            None => folded(sources, place),
        }
    }

    /// Whether a place is of a file that wrote a part of it, and lies there.
    #[must_use]
    pub fn holds(&self, place: Span) -> bool {
        let is = |p: &Piece| matches!(p, Piece::Text(s) if s.source == place.source && s.start <= place.start && place.start <= s.end);
        self.pieces.iter().any(is)
    }

    /// Whether a place of one file holds what another one has put there.
    fn spans(&self, place: Span) -> bool {
        let within = |p: &&Piece| matches!(p, Piece::Text(s) if s.source == place.source && s.start < place.end && place.start < s.end);
        let whole =
            |p: &Piece| matches!(p, Piece::Text(s) if s.start <= place.start && place.end <= s.end);
        self.pieces.len() > 1 && self.pieces.iter().find(within).is_some_and(|p| !whole(p))
    }

    /// Puts pieces into the stead of a stretch of the whole text.
    pub(super) fn splice(
        &mut self,
        range: Range<usize>,
        new: impl IntoIterator<Item = Piece>,
        sources: &SourceMap,
    ) {
        let from = self.cut_at(range.start, sources);
        let to = self.cut_at(range.end, sources);
        self.pieces.splice(from..to.max(from), new);
    }

    /// The pieces of a stretch of the whole text.
    pub(super) fn part(&mut self, range: Range<usize>, sources: &SourceMap) -> Vec<Piece> {
        let from = self.cut_at(range.start, sources);
        let to = self.cut_at(range.end, sources);
        self.pieces.get(from..to.max(from)).unwrap_or_default().to_vec()
    }

    /// The piece that begins at a byte of the whole text; one that holds it is cut.
    fn cut_at(&mut self, at: usize, sources: &SourceMap) -> usize {
        let mut start = 0;
        for index in 0..self.pieces.len() {
            let Some(piece) = self.pieces.get(index).copied() else { break };
            if start >= at {
                return index;
            }
            let length = match piece {
                Piece::Text(span) => sources.slice(span).len(),
                Piece::Joint(sign) => sign.len(),
            };
            if at < start + length {
                let halves = match piece {
                    Piece::Text(span) => {
                        let middle =
                            span.start.saturating_add(u32::try_from(at - start).unwrap_or(0));
                        [
                            Piece::Text(Span::new(span.source, span.start, middle)),
                            Piece::Text(Span::new(span.source, middle, span.end)),
                        ]
                    }
                    Piece::Joint(sign) => {
                        let (first, second) =
                            sign.split_at_checked(at - start).unwrap_or((sign, ""));
                        [Piece::Joint(first), Piece::Joint(second)]
                    }
                };
                self.pieces.splice(index..=index, halves);
                return index + 1;
            }
            start += length;
        }
        self.pieces.len()
    }

    /// Puts another text into the stead of a place.
    pub(super) fn replace(&mut self, old: Span, new: Span, sources: &SourceMap) {
        self.exchange(old, [Piece::Text(bare(sources, new))], sources);
    }

    fn exchange(&mut self, old: Span, new: impl IntoIterator<Item = Piece>, sources: &SourceMap) {
        let old = bare(sources, old);
        if let (Some(from), Some(to)) =
            (self.cut_before(old.source, old.start), self.cut_after(old.source, old.end))
        {
            self.pieces.splice(from..to.max(from), new);
        }
    }

    /// The same, where the new text must stand in brackets.
    pub(super) fn replace_bracketed(&mut self, old: Span, new: Span, sources: &SourceMap) {
        let (old, new) = (bare(sources, old), bare(sources, new));
        let Some(from) = self.cut_before(old.source, old.start) else { return };
        let bracketed = match from.checked_sub(1).and_then(|before| self.pieces.get(before)) {
            Some(Piece::Joint(sign)) => sign.trim_end().ends_with('('),
            Some(Piece::Text(span)) => sources.slice(*span).trim_end().ends_with('('),
            None => false,
        };
        if bracketed {
            self.replace(old, new, sources);
        } else {
            self.exchange(old, [Piece::Joint("("), Piece::Text(new), Piece::Joint(")")], sources);
        }
    }

    /// Takes a place away.
    pub(super) fn take_out(&mut self, old: Span, sources: &SourceMap) {
        self.exchange(old, [], sources);
    }

    /// Puts signs and texts behind a place.
    pub(super) fn insert(
        &mut self,
        behind: Span,
        new: impl IntoIterator<Item = Piece>,
        sources: &SourceMap,
    ) {
        let behind = bare(sources, behind);
        if let Some(at) = self.cut_after(behind.source, behind.end) {
            self.pieces.splice(at..at, new);
        }
    }

    /// Puts a line of its own above the line that a place begins.
    pub(super) fn line_above(&mut self, place: Span, line: Span, sources: &SourceMap) {
        if let Some(at) = self.line_start(place, sources) {
            self.pieces.splice(at..at, line_of(line));
        }
    }

    /// Puts a line of its own at the end of the block.
    pub(super) fn last_line(&mut self, line: Span, sources: &SourceMap) {
        if let Some(close) = Body::of(self, sources).close {
            self.splice(close..close, line_of(line), sources);
        }
    }

    /// Puts a line of its own below the line that a place ends.
    pub(super) fn line_below(&mut self, place: Span, line: Span, sources: &SourceMap) {
        if let Some(at) = self.line_end(place, sources) {
            self.pieces.splice(at..at, line_of(line));
        }
    }

    /// Takes the lines of a place away.
    pub(super) fn remove_lines(&mut self, place: Span, sources: &SourceMap) {
        if let (Some(from), Some(to)) =
            (self.line_start(place, sources), self.line_end(place, sources))
        {
            self.pieces.drain(from..to.max(from));
        }
    }

    /// The piece that begins at the start of the line in which a place begins.
    fn line_start(&mut self, place: Span, sources: &SourceMap) -> Option<usize> {
        let at = self.cut_before(place.source, place.start)?;
        let before = at.checked_sub(1)?;
        match *self.pieces.get(before)? {
            Piece::Joint(sign) if sign.trim().is_empty() && !sign.contains('\n') => Some(before),
            Piece::Joint(_) => Some(at),
            Piece::Text(span) => {
                let kept = sources.slice(span).rfind('\n').map_or(0, |newline| newline + 1);
                self.cut_before(span.source, span.start.saturating_add(u32::try_from(kept).ok()?))
            }
        }
    }

    /// The piece behind the newline that ends the line in which a place ends.
    fn line_end(&mut self, place: Span, sources: &SourceMap) -> Option<usize> {
        let at = self.cut_after(place.source, place.end)?;
        // Clauses and a comment may still follow, and signs that a change put there.
        for (offset, piece) in self.pieces.iter().skip(at).enumerate() {
            match *piece {
                Piece::Joint(sign) if sign.ends_with('\n') => return Some(at + offset + 1),
                Piece::Joint(_) => {}
                Piece::Text(span) => {
                    if let Some(newline) = sources.slice(span).find('\n') {
                        let end = span.start.saturating_add(u32::try_from(newline + 1).ok()?);
                        return self.cut_after(span.source, end);
                    }
                }
            }
        }
        Some(self.pieces.len())
    }

    /// Cuts where a place begins; the piece that begins there.
    fn cut_before(&mut self, source: SourceId, at: u32) -> Option<usize> {
        let inside = |s: &Span| s.source == source && s.start <= at && at < s.end;
        let found = self.pieces.iter().position(|p| matches!(p, Piece::Text(s) if inside(s)));
        match found {
            Some(found) => self.cut(found, at),
            None => self
                .pieces
                .iter()
                .position(|p| matches!(p, Piece::Text(s) if s.source == source && s.end == at))
                .map(|p| p + 1),
        }
    }

    /// Cuts where a place ends; the piece that follows.
    fn cut_after(&mut self, source: SourceId, at: u32) -> Option<usize> {
        let inside = |s: &Span| s.source == source && s.start < at && at <= s.end;
        let found = self.pieces.iter().position(|p| matches!(p, Piece::Text(s) if inside(s)));
        match found {
            Some(found) => self.cut(found, at),
            None => self
                .pieces
                .iter()
                .position(|p| matches!(p, Piece::Text(s) if s.source == source && s.start == at)),
        }
    }

    /// Cuts a piece in two; the place of what begins at the cut.
    fn cut(&mut self, piece: usize, at: u32) -> Option<usize> {
        let Piece::Text(span) = *self.pieces.get(piece)? else { return None };
        if at == span.start {
            return Some(piece);
        }
        if at == span.end {
            return Some(piece + 1);
        }
        let halves = [Span::new(span.source, span.start, at), Span::new(span.source, at, span.end)];
        self.pieces.splice(piece..=piece, halves.map(Piece::Text));
        Some(piece + 1)
    }
}

fn line_of(text: Span) -> [Piece; 3] {
    [Piece::Joint("  "), Piece::Text(text), Piece::Joint("\n")]
}

impl super::Resolved {
    /// The words of a place of one of its items, with what variants have put into it.
    #[must_use]
    pub fn folded(&self, place: Span, sources: &SourceMap) -> String {
        match self.items.iter().find(|i| i.rope.spans(place)) {
            Some(item) => item.rope.folded(place, sources),
            None => folded(sources, place),
        }
    }
}
