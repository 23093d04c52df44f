//! What to write where the grammar does not read a line: the cheapest changes with which it does.
//!
//! Takes a text and the place of a fault; gives edits with their costs, each of which the parser
//! reads. Whether they are true is asked where they are offered. Knows no meaning.

mod breaks;
mod calls;
mod changes;
mod doubts;
mod extract;
mod grammar;
mod lattice;
mod lists;
mod scan;
mod search;
mod synonyms;
mod turned;
mod unfold;
mod write;

use std::ops::Range;

use pest::Parser;

use super::split;
use super::tokens::times;
use super::{Grammar, Rule};
pub(crate) use breaks::breaks;
use extract::{Extract, extracts};
use lattice::Lattice;
use scan::{Looks, Token, scan};
use search::Change;
use write::{Written, written};

/// Of lines of more tokens than this only those around the fault are mended.
const MOST_TOKENS: usize = 120;
/// So many tokens stand around a fault on each side.
const AROUND: usize = 24;
/// Nor are lines with brackets nested deeper than this, which the parser reads many times.
const DEEPEST: usize = 6;
/// What a look costs of the budget, whatever it finds.
const LEAST: usize = 2000;
/// By so much more than the cheapest a change may cost where the grammar reads all.
const FAR_APART: u8 = 5;
/// Where all can be read, a phrase around the fault reaches so many tokens beyond it.
const REACH: usize = 5;
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
        extract.at = at.saturating_sub(extract.apart);
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

/// The words that may be missing where a line begins one blank further in than an item does: with
/// each of them it is one.
pub(crate) fn heads(text: &str, at: usize) -> Vec<Mend> {
    let start = text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |p| p + 1);
    let rest = text.get(start..).unwrap_or_default();
    if !rest.starts_with(' ') || rest.starts_with("  ") {
        return Vec::new();
    }
    let reads = |word: &str| {
        let new = format!("{word}{rest}");
        let pieces = split::pieces(&new);
        let item = pieces.first().map_or("", |piece| piece.of(&new));
        Grammar::parse(Rule::one_item, item).is_ok()
    };
    let glued = |word: &str| rest.trim_start().starts_with(word);
    let words = split::ITEM_WORDS.into_iter().filter(|word| !glued(word) && reads(word));
    let mend = |word: &str| Mend {
        range: start..start,
        with: word.to_owned(),
        help: format!("begin the line with `{word}`"),
        cost: lattice::INSERTED,
        edit: true,
    };
    words.map(mend).collect()
}

fn in_extract(whole: &str, extract: &Extract, budget: &mut usize) -> Vec<Mend> {
    let Extract { text, window, .. } = extract;
    let mut tokens = scan(text, 0..text.len());
    tokens.push(Token { looks: Looks::End, range: text.len()..text.len() });
    let inside = |token: &Token| window.contains(&token.range.start) && token.looks != Looks::End;
    let first = tokens.iter().position(inside).unwrap_or_default();
    let count = tokens.iter().filter(|token| inside(token)).count();
    if count == 0 || is_deep(text) {
        return Vec::new();
    }
    let range = changed(extract, &tokens, first, count);
    let cut = extract.cut || count > MOST_TOKENS;
    let lines = text.get(window.clone()).unwrap_or_default();
    let known = |word: &str| times(whole, word) > times(lines, word);
    let reach = if extract.touching.is_some() { REACH } else { 0 };
    let lattice = Lattice::new(text, &tokens, (range, reach), &known);
    // Where all can be read, the nearest changes are as often untrue as those that are far.
    let apart = if extract.touching.is_some() { FAR_APART } else { search::APART };
    let outcome = search::search(&lattice, *budget, apart);
    *budget = budget.saturating_sub(outcome.states);
    let mut seen: Vec<Written> = Vec::new();
    let mut found: Vec<Mend> = Vec::new();
    let mut kept: Vec<&[Change]> = Vec::new();
    let fewest = outcome.found.first().map_or(0, |first| first.changes.len());
    for list in &outcome.found {
        let rival = found.first().is_none_or(|first| list.cost <= first.cost + apart);
        if found.len() == MOST_MENDS || !rival {
            break;
        }
        // What says more otherwise than another list needs to is no rival of it.
        let holds = |few: &&[Change]| few.iter().all(|change| list.changes.contains(change));
        let spells = lattice.spells(&list.changes) && list.changes.len() > fewest;
        if kept.iter().any(holds) || spells && !found.is_empty() {
            continue;
        }
        let Some(one) = written(text, &tokens, &lattice, &list.changes) else { continue };
        if seen.contains(&one) || doubts::turns_a_denial(text, &one) || !reads(text, &one) {
            continue;
        }
        let help = said(text, &one);
        let sure = one.sure || doubts::is_spare_comma(text, &one);
        // A bracket that is missing may have stood in the rest of the line.
        let brackets = |text: &str| text.matches(['(', ')']).count();
        let more = brackets(&one.with) > brackets(text.get(one.range.clone()).unwrap_or_default());
        let doubtful = doubts::is_doubtful(text, &one, &known);
        let edit = sure && list.cost <= outcome.complete && !(cut && more) && !doubtful;
        found.push(Mend {
            range: one.range.clone(),
            with: one.with.clone(),
            help,
            cost: list.cost,
            edit,
        });
        seen.push(one);
        kept.push(&list.changes);
    }
    found
}

/// Which tokens may be changed of so many in the window.
fn changed(extract: &Extract, tokens: &[Token], first: usize, count: usize) -> Range<usize> {
    // The end of the last line is no part of what may be changed.
    let last_is_line = tokens.get(first + count - 1).is_some_and(|t| t.looks == Looks::Line);
    let mut range = first..first + count - usize::from(last_is_line);
    if count > MOST_TOKENS {
        let here = tokens.iter().position(|token| token.range.end > extract.at);
        let here = here.unwrap_or(range.end);
        range = range.start.max(here.saturating_sub(AROUND))..range.end.min(here + AROUND);
    }
    if let Some(touching) = &extract.touching {
        let touched =
            |token: &Token| token.range.end >= touching.start && token.range.start <= touching.end;
        let from = tokens.iter().position(touched).unwrap_or(range.end);
        let many = tokens.iter().skip(from).take_while(|token| touched(token)).count();
        // One more on each side.
        range = range.start.max(from.saturating_sub(1))..range.end.min(from + many + 1);
    }
    range
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
