//! What of an item is looked at: the whole of a short one, else the lines around the fault with what the
//! grammar needs to read them.

use std::ops::Range;

use super::super::split::{self, logical_line};

/// An item that is longer is read by its head and the lines of the fault.
const LONG: usize = 1500;

/// An item, or its head and the lines of a fault.
pub(super) struct Extract {
    pub(super) text: String,
    /// The lines that may be changed.
    pub(super) window: Range<usize>,
    /// How far the window stands before its place in the text.
    pub(super) apart: usize,
    /// What each change must touch, if not all may be changed.
    pub(super) touching: Option<Range<usize>>,
    /// Where the fault stands in it.
    pub(super) at: usize,
    /// Whether the line of the fault goes on outside it.
    pub(super) cut: bool,
}

/// The whole of a short item, then what is around the fault.
pub(super) fn extracts(slice: &str, at: usize) -> Vec<Extract> {
    let window = window(slice, at);
    let of = |text: String, window: Range<usize>, apart: usize| Extract {
        text,
        window,
        apart,
        touching: None,
        at: 0,
        cut: false,
    };
    let mut found = Vec::new();
    if slice.len() <= LONG {
        found.push(of(slice.to_owned(), window.clone(), 0));
    } else {
        let part = narrow(slice, &window, at);
        found.extend(without_others(slice, &part).map(|(text, start)| Extract {
            cut: part != window,
            ..of(text, start..start + part.len(), part.start.saturating_sub(start))
        }));
    }
    let head = logical_line(slice, 0).end;
    let second = logical_line(slice, head).end;
    let third = logical_line(slice, second).end;
    let lines = |range: Range<usize>| slice.get(range).unwrap_or_default();
    let inside = lines(window.clone());
    if slice.len() > LONG && window.start == 0 {
        found.push(of(inside.to_owned(), window.clone(), 0));
    }
    if slice.len() > window.end && window.start == 0 {
        let text = format!("{inside}{}}}\n", lines(window.end..third.max(window.end)));
        found.push(of(text, window.clone(), 0));
    }
    for before in [third, head] {
        if before <= window.start && window.start > 0 {
            let lines = format!("{}{}", lines(0..before), inside.trim_end());
            let text = format!("{}\n}}\n", lines.trim_end_matches('}'));
            let apart = window.start - before;
            let window = before..before + inside.len().min(text.len() - before);
            found.push(of(text, window, apart));
        }
    }
    found
}

/// The lines that a fault at a place may be about.
fn window(slice: &str, at: usize) -> Range<usize> {
    let line = logical_line(slice, at);
    let begins = slice.get(line.start..at).is_some_and(|t| t.trim().is_empty());
    // A line that stops too early is seen in the next one.
    let first = match line.start.checked_sub(1) {
        Some(before) if begins => logical_line(slice, before).start,
        _ => line.start,
    };
    let rest = slice.get(at..line.end).unwrap_or_default();
    let last = rest.split('#').next().unwrap_or_default().split_whitespace().count() == 1;
    // What is said of the last word of a line may be a fault of the next one.
    let end = if last && !begins && line.start > 0 {
        logical_line(slice, line.end).end
    } else {
        line.end
    };
    first..end
}

/// Of a line that goes on over many others, the one of these that the fault may be about: the only
/// one whose brackets are open, or else the one where it stands.
fn narrow(slice: &str, window: &Range<usize>, at: usize) -> Range<usize> {
    if window.len() <= LONG / 2 {
        return window.clone();
    }
    let whole = slice.get(window.clone()).unwrap_or_default();
    let mut lines = Vec::new();
    let mut start = window.start;
    for line in whole.split_inclusive('\n') {
        lines.push((start..start + line.len(), is_closed(line)));
        start += line.len();
    }
    let mut open = lines.iter().filter(|(_, closed)| !closed);
    let here = lines.iter().find(|(line, _)| line.contains(&at));
    match (open.next(), open.next(), here) {
        (Some((line, _)), None, Some((_, true))) | (_, _, Some((line, _))) => line.clone(),
        _ => window.clone(),
    }
}

/// Whether a line closes the brackets that it opens.
fn is_closed(line: &str) -> bool {
    line.matches('(').count() == line.matches(')').count()
}

/// An item without the lines that may not be changed and that it can be read without: its rows, but
/// for one behind them, for a head of columns needs one, and whole conditions behind `and` or `or`;
/// and where the window begins in it.
fn without_others(slice: &str, window: &Range<usize>) -> Option<(String, usize)> {
    let (mut text, mut at, mut start, mut has_row) = (String::new(), 0, None, false);
    for line in slice.split_inclusive('\n') {
        let inside = window.contains(&at);
        let first = split::first_word(line.trim_start());
        let is_row = first == "row";
        let joins = matches!(first, "and" | "or") && is_closed(line);
        let needed = at >= window.end && !has_row;
        if inside {
            start.get_or_insert(text.len());
        }
        if inside || !joins && (!is_row || needed) {
            text += line;
        }
        has_row |= is_row && at >= window.end;
        at += line.len();
    }
    Some((text, start?)).filter(|(text, _)| text.len() <= LONG)
}
