//! The text of a leg that is as another: what is put into it, and what it takes out.

use std::ops::Range;

use super::body::{Body, Line};
use super::rope::{Piece, cited};
use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{Cites, Like};

/// A stretch of the text and what comes in its stead.
pub(super) type Edit = (Range<usize>, Vec<Piece>);

/// The changes that give a leg the lines of another, in the order of the text, and the places of
/// these lines.
///
/// Lines of a word that it says itself are not taken over; the others come where they stand in the
/// other leg.
pub(super) fn with_lines_of(
    (body, at): (&Body, usize),
    (other, original): (&Body, usize),
    part: &mut dyn FnMut(Range<usize>) -> Vec<Piece>,
) -> (Vec<Edit>, Vec<Span>) {
    let (own, mut lines) = (body.lines_of_leg(at), Vec::new());
    let Some(head) = body.lines.get(at) else { return (Vec::new(), lines) };
    let mut edits: Vec<Edit> =
        as_another(head).into_iter().map(|range| (range, Vec::new())).collect();
    let mut gone = Cites::default();
    for line in own.iter().filter(|l| takes_out(l)) {
        edits.push((line.range.clone(), Vec::new()));
        gone.0.extend(body.cites(line).0);
    }
    // What a line carries out that takes another one out is said by the head.
    if !gone.0.is_empty() {
        let end = head.cites.last().map_or_else(|| head.end(), |last| last.end);
        edits.push((end..end, cited(&gone, !head.cites.is_empty())));
    }
    let mut behind = head.range.end;
    for line in other.lines_of_leg(original) {
        let word = line.word(0);
        if own.iter().any(|l| takes_out(l) && l.word(1) == word) {
            continue;
        }
        match own.iter().rfind(|l| l.word(0) == word) {
            Some(last) => behind = behind.max(last.range.end),
            None => {
                lines.push(other.place(line));
                edits.push((behind..behind, part(line.range.clone())));
            }
        }
    }
    edits.arrange_by_key(|(range, _)| (range.start, range.end));
    (edits, lines)
}

fn takes_out(line: &Line) -> bool {
    line.word(0) == "without"
}

/// `as march of supply` in the head of a leg, with the blank before it.
fn as_another(head: &Line) -> Option<Range<usize>> {
    let last = if head.word(4) == "of" { 5 } else { 3 };
    Some(head.words.get(1)?.1.end..head.words.get(last)?.1.end)
}

/// Whether a leg takes out lines that the other one has, and that it does not say itself.
pub(super) fn taken_out(
    (body, at): (&Body, usize),
    (other, original): (&Body, usize),
    like: &Like,
) -> Result<(), Box<Diagnostic>> {
    let own = body.lines_of_leg(at);
    for line in own.iter().filter(|l| takes_out(l)) {
        let word = line.word(1);
        let place = body.place(line);
        if let Some(said) = own.iter().find(|l| l.word(0) == word) {
            let message = format!("`{word}` is left out and said");
            return Err(Box::new(
                Diagnostic::error(code::E0403, place, message)
                    .label(body.place(said), "it is said here")
                    .help("take this line out: what a leg says comes in the place of what the other says"),
            ));
        }
        if !other.lines_of_leg(original).iter().any(|l| l.word(0) == word) {
            let message = format!("leg `{}` has no line `{word}` to leave out", like.leg.text);
            let head = other.lines.get(original).map(|l| other.place(l)).unwrap_or_default();
            return Err(Box::new(
                Diagnostic::error(code::E0602, place, message)
                    .label(head, "this leg")
                    .help("take this line out"),
            ));
        }
    }
    Ok(())
}
