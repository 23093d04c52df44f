//! Changes as one edit of the text.

use std::ops::Range;

use super::grammar;
use super::lattice::{Lattice, Taken};
use super::scan::{Looks, Token};
use super::search::Change;
use super::synonyms::literal;

/// What is written in place of a stretch of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) range: Range<usize>,
    pub(super) with: String,
    /// Whether it may be written; else it is only said.
    pub(super) sure: bool,
}

/// A token of the new text, and which of the old it is.
struct Piece<'l> {
    text: &'l str,
    glued: bool,
    old: Option<usize>,
}

/// The edit that these changes make.
pub(super) fn written(
    text: &str,
    tokens: &[Token],
    lattice: &Lattice,
    changes: &[Change],
) -> Option<Written> {
    let inserted: Vec<(usize, Taken)> = changes
        .iter()
        .filter_map(|change| match change {
            Change::Insert(at, leaf) => {
                Some((*at as usize, literal(grammar::node(*leaf).literal()?)))
            }
            Change::Edit(_) => None,
        })
        .collect();
    let edits: Vec<_> = changes
        .iter()
        .filter_map(|change| match change {
            Change::Edit(at) => lattice.edits.get(*at as usize),
            Change::Insert(..) => None,
        })
        .collect();
    let starts = inserted.iter().map(|i| i.0).chain(edits.iter().map(|e| e.range.start));
    let ends = inserted.iter().map(|i| i.0).chain(edits.iter().map(|e| e.range.end));
    let (first, last) = (starts.min()?, ends.max()?);

    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut at = first;
    while at <= last {
        let here = inserted.iter().filter(|(place, _)| *place == at);
        pieces.extend(here.map(|(_, t)| Piece { text: &t.text, glued: t.glued, old: None }));
        let edit = edits.iter().find(|edit| edit.range.start == at && at < edit.range.end);
        if let Some(edit) = edit {
            let with = edit.with.iter();
            pieces.extend(with.map(|t| Piece { text: &t.text, glued: t.glued, old: None }));
            at = edit.range.end;
            continue;
        }
        if at < last {
            let old = text.get(tokens.get(at)?.range.clone())?;
            pieces.push(Piece { text: old, glued: false, old: Some(at) });
        }
        at += 1;
    }
    // What is put where a word was left out may be what that word said.
    let left_out = |at: usize| {
        edits.iter().any(|edit| {
            let old = tokens.get(edit.range.start);
            // The point of `4.5` is a part of its number as well.
            let word = old
                .is_some_and(|t| t.looks == Looks::Word || text.get(t.range.clone()) == Some("."));
            edit.with.is_empty() && word && (edit.range.start == at || edit.range.end == at)
        })
    };
    // One slip of the hand is one change.
    let two_slips = edits.iter().any(|edit| edit.slip) && !inserted.is_empty();
    let sure = edits.iter().all(|edit| edit.sure)
        && !two_slips
        && !inserted.iter().any(|(at, _)| left_out(*at));
    let (range, with) = laid(text, tokens, first..last, &pieces)?;
    let (range, with) = trimmed(text, range, &with);
    Some(Written { range, with, sure })
}

/// The pieces with what stands between them, from the token before them to the one behind.
fn laid(
    text: &str,
    tokens: &[Token],
    place: Range<usize>,
    pieces: &[Piece<'_>],
) -> Option<(Range<usize>, String)> {
    let before = place.start.checked_sub(1).and_then(|at| tokens.get(at));
    let before = before.filter(|token| token.looks != Looks::Line);
    let behind = tokens
        .get(place.end)
        .filter(|token| token.looks != Looks::Line && token.looks != Looks::End);
    let at_line = tokens.get(place.start).or(tokens.last())?;
    let start = before.map_or(at_line.range.start, |token| token.range.end);
    let last = place.end.checked_sub(1).and_then(|at| tokens.get(at));
    let end = match behind {
        Some(token) => token.range.start,
        None if place.is_empty() => start,
        None => last?.range.end,
    };
    let mut out = String::new();
    let starts_open = |text: &str| text.starts_with(['a', 'e', 'i', 'o', 'u']);
    let of = |at: usize| text.get(tokens.get(at)?.range.clone());
    let mut previous = before.map(|_| Piece {
        text: of(place.start - 1).unwrap_or_default(),
        glued: false,
        old: place.start.checked_sub(1),
    });
    let tail = behind.and_then(|_| of(place.end));
    let tail = tail.map(|text| Piece { text, glued: false, old: Some(place.end) });
    let all: Vec<&Piece<'_>> = pieces.iter().chain(tail.iter()).collect();
    for (at, piece) in all.iter().enumerate() {
        if let Some(previous) = &previous {
            out += between(text, tokens, previous, piece);
        }
        let is_tail = piece.old == Some(place.end);
        let next = all.get(at + 1).is_some_and(|next| starts_open(next.text));
        if !is_tail {
            out += if piece.old.is_none() && piece.text == "a" && next { "an" } else { piece.text };
        }
        previous = Some(Piece { ..**piece });
    }
    Some((start..end, out))
}

fn between<'t>(text: &'t str, tokens: &[Token], one: &Piece<'_>, two: &Piece<'_>) -> &'t str {
    if let (Some(first), Some(second)) = (one.old, two.old) {
        let (first, second) = (tokens.get(first), tokens.get(second));
        if let (Some(first), Some(second)) = (first, second)
            && first.range.end <= second.range.start
            && let Some(gap) = text.get(first.range.end..second.range.start)
            && gap.trim().is_empty()
        {
            return gap;
        }
    }
    let joins = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
    let words = one.text.ends_with(joins) && two.text.starts_with(joins);
    let digit = |c: char| c.is_ascii_digit();
    let divides = one.text.ends_with(digit) && two.text == "/";
    if divides || one.text == "/" && two.text.starts_with(digit) {
        return "";
    }
    let signs = matches!(one.text, "(" | "[") || matches!(two.text, "," | ")" | "]");
    if signs || two.glued && !words { "" } else { " " }
}

/// An edit without the words and blanks at its ends that it leaves as they are.
fn trimmed(text: &str, range: Range<usize>, with: &str) -> (Range<usize>, String) {
    let old = text.get(range.clone()).unwrap_or_default();
    let same = old.char_indices().zip(with.chars()).take_while(|((_, a), b)| a == b);
    let ends = same.map(|((at, c), _)| at + c.len_utf8());
    let front = ends.filter(|at| is_apart(old, *at) && is_apart(with, *at)).last().unwrap_or(0);
    let (old, new) = (old.get(front..).unwrap_or_default(), with.get(front..).unwrap_or_default());
    let same = old.char_indices().rev().zip(new.char_indices().rev());
    let same = same.take_while(|((_, a), (_, b))| a == b).map(|((one, _), (two, _))| (one, two));
    let last = same.filter(|(one, two)| is_apart(old, *one) && is_apart(new, *two)).last();
    let (one, two) = last.unwrap_or((old.len(), new.len()));
    let start = range.start + front;
    (start..start + one, new.get(..two).unwrap_or_default().to_owned())
}

/// Whether no word goes on over a place.
fn is_apart(text: &str, at: usize) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let (before, behind) = (text.get(..at), text.get(at..));
    !before.is_some_and(|t| t.ends_with(joins)) || !behind.is_some_and(|t| t.starts_with(joins))
}
