//! What to write where the grammar does not read a line: the cheapest changes with which it does.
//!
//! Takes a text and the place of a fault; gives edits with their costs, each of which the parser
//! reads. Whether they are true is asked where they are offered. Knows no meaning.

mod calls;
mod changes;
mod grammar;
mod lattice;
mod lists;
mod scan;
mod search;
mod synonyms;
mod write;

use std::ops::Range;

use pest::Parser;

use super::split::{self, logical_line};
use super::{Grammar, Rule};
use lattice::Lattice;
use scan::{Looks, Token, scan};
use write::{Written, written};

/// An item that is longer is read by its head and the lines of the fault.
const LONG: usize = 1500;
/// Lines of more tokens than this are not mended.
const MOST_TOKENS: usize = 120;
/// Nor are lines with brackets nested deeper than this, which the parser reads many times.
const DEEPEST: usize = 6;
/// What a look costs of the budget, whatever it finds.
const LEAST: usize = 2000;
/// So many edits are given.
const MOST_MENDS: usize = 24;

/// An edit after which the grammar reads the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mend {
    /// What is replaced.
    pub(crate) range: Range<usize>,
    /// What is written there.
    pub(crate) with: String,
    /// The same in words.
    pub(crate) help: String,
    /// How far it is from what is written.
    pub(crate) cost: u8,
    /// Whether it may be written; else it is only said.
    pub(crate) edit: bool,
}

/// An item, or its head and the lines of a fault.
struct Extract {
    text: String,
    /// The lines that may be changed.
    window: Range<usize>,
    /// How far the window stands before its place in the text.
    apart: usize,
    /// What each change must touch, if not all may be changed.
    touching: Option<Range<usize>>,
}

/// The edits that may mend the item at a place, the cheapest first; where a stretch is given, those
/// alone that touch it. The budget is what may be spent on looking for them.
pub(crate) fn mends(
    text: &str,
    at: usize,
    touching: Option<Range<usize>>,
    budget: &mut usize,
) -> Vec<Mend> {
    if *budget == 0 {
        return Vec::new();
    }
    *budget = budget.saturating_sub(LEAST);
    let pieces = split::pieces(text);
    let holds = |piece: &&split::Piece| u32::try_from(at).is_ok_and(|at| piece.holds(at));
    let Some(piece) = pieces.iter().rev().find(holds) else { return Vec::new() };
    let (slice, base) = (piece.of(text), piece.start as usize);
    let at = at - base;
    for mut extract in extracts(slice, at) {
        let apart = base + extract.apart;
        extract.touching =
            touching.clone().map(|t| t.start.saturating_sub(apart)..t.end.saturating_sub(apart));
        let found = in_extract(text, &extract, budget);
        if !found.is_empty() {
            let moved = |mend: Mend| Mend {
                range: mend.range.start + apart..mend.range.end + apart,
                ..mend
            };
            return found.into_iter().map(moved).collect();
        }
    }
    Vec::new()
}

/// The whole of a short item, then what is around the fault.
fn extracts(slice: &str, at: usize) -> Vec<Extract> {
    let line = logical_line(slice, at);
    let begins = slice.get(line.start..at).is_some_and(|t| t.trim().is_empty());
    // A line that stops too early is seen in the next one.
    let first = match line.start.checked_sub(1) {
        Some(before) if begins => logical_line(slice, before).start,
        _ => line.start,
    };
    let window = first..line.end;
    let mut found = Vec::new();
    if slice.len() <= LONG {
        found.push(Extract {
            text: slice.to_owned(),
            window: window.clone(),
            apart: 0,
            touching: None,
        });
    }
    let head = logical_line(slice, 0).end;
    let second = logical_line(slice, head).end;
    let third = logical_line(slice, second).end;
    let lines = |range: Range<usize>| slice.get(range).unwrap_or_default();
    let inside = lines(window.clone());
    if slice.len() > window.end && window.start == 0 {
        let text = format!("{inside}{}}}\n", lines(window.end..third.max(window.end)));
        found.push(Extract { text, window: window.clone(), apart: 0, touching: None });
    }
    for before in [third, head] {
        if before <= window.start && window.start > 0 {
            let lines = format!("{}{}", lines(0..before), inside.trim_end());
            let text = format!("{}\n}}\n", lines.trim_end_matches('}'));
            let apart = window.start - before;
            let window = before..before + inside.len().min(text.len() - before);
            found.push(Extract { text, window, apart, touching: None });
        }
    }
    found
}

fn in_extract(whole: &str, extract: &Extract, budget: &mut usize) -> Vec<Mend> {
    let Extract { text, window, .. } = extract;
    let mut tokens = scan(text, 0..text.len());
    tokens.push(Token { looks: Looks::End, range: text.len()..text.len() });
    let inside = |token: &Token| window.contains(&token.range.start) && token.looks != Looks::End;
    let first = tokens.iter().position(inside).unwrap_or_default();
    let count = tokens.iter().filter(|token| inside(token)).count();
    if count == 0 || count > MOST_TOKENS || is_deep(text) {
        return Vec::new();
    }
    // The end of the last line is no part of what may be changed.
    let last_is_line = tokens.get(first + count - 1).is_some_and(|t| t.looks == Looks::Line);
    let mut range = first..first + count - usize::from(last_is_line);
    if let Some(touching) = &extract.touching {
        let touched =
            |token: &Token| token.range.end >= touching.start && token.range.start <= touching.end;
        let from = tokens.iter().position(touched).unwrap_or(range.end);
        let many = tokens.iter().skip(from).take_while(|token| touched(token)).count();
        // One more on each side.
        range = range.start.max(from.saturating_sub(1))..range.end.min(from + many + 1);
    }
    let lines = text.get(window.clone()).unwrap_or_default();
    let known = |word: &str| times(whole, word) > times(lines, word);
    let lattice = Lattice::new(text, &tokens, range, &known);
    let outcome = search::search(&lattice, *budget);
    *budget = budget.saturating_sub(outcome.states);
    let mut seen: Vec<Written> = Vec::new();
    let mut found: Vec<Mend> = Vec::new();
    for list in &outcome.found {
        let rival = found.first().is_none_or(|first| list.cost <= first.cost + search::APART);
        if found.len() == MOST_MENDS || !rival {
            break;
        }
        let Some(one) = written(text, &tokens, &lattice, &list.changes) else { continue };
        if seen.contains(&one) || !reads(text, &one) {
            continue;
        }
        let help = said(text, &one);
        let edit = one.sure && list.cost <= outcome.complete;
        found.push(Mend {
            range: one.range.clone(),
            with: one.with.clone(),
            help,
            cost: list.cost,
            edit,
        });
        seen.push(one);
    }
    found
}

fn is_deep(text: &str) -> bool {
    let mut depth = 0usize;
    text.bytes().any(|b| {
        depth = match b {
            b'(' => depth + 1,
            b')' => depth.saturating_sub(1),
            _ => depth,
        };
        depth > DEEPEST
    })
}

/// How often a word stands in a text.
fn times(text: &str, word: &str) -> usize {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: &usize| {
        !text.get(..*at).is_some_and(|t| t.ends_with(joins))
            && !text.get(at + word.len()..).is_some_and(|t| t.starts_with(joins))
    };
    text.match_indices(word).filter(|(at, _)| alone(at)).count()
}

/// Whether the grammar reads a text with an edit, and reads it otherwise than without.
fn reads(text: &str, edit: &Written) -> bool {
    let mut new = text.to_owned();
    new.replace_range(edit.range.clone(), &edit.with);
    new != text && Grammar::parse(Rule::one_item, &new).is_ok()
}

/// An edit in words.
fn said(text: &str, edit: &Written) -> String {
    let old = text.get(edit.range.clone()).unwrap_or_default().trim();
    let new = edit.with.trim();
    let rest = text.get(edit.range.end..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    let next = super::fault::token(line.trim_start());
    match (old, new) {
        (_, "") => format!("take `{old}` out"),
        ("", _) if line.trim().is_empty() => format!("write `{new}` at the end of the line"),
        ("", _) => format!("write `{new} {next}`"),
        _ if is_slip(old, new) => format!("write `{new}`"),
        _ => format!("write `{new}` instead of `{old}`"),
    }
}

/// Whether one text is a slip of another, or a sign that stands for it.
fn is_slip(old: &str, new: &str) -> bool {
    !old.contains(|c: char| c.is_alphanumeric()) || strsim::osa_distance(old, new) == 1
}

#[cfg(test)]
mod tests;
