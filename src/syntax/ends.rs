//! Where a line that stopped too early ends, and whether it is whole.

use std::ops::Range;

use pest::Parser;

use super::split::logical_line;
use super::{Grammar, Rule, place};

/// Items longer than this are not read again.
const LONGEST: usize = 1 << 13;
/// Nor are items with brackets nested deeper than this, which the parser may have to read many
/// times.
const DEEPEST: usize = 6;

/// Whether an item is small enough to be read over and over.
pub(super) fn is_small(text: &str) -> bool {
    let mut depth = 0usize;
    let shallow = text.bytes().all(|b| {
        depth = match b {
            b'(' => depth + 1,
            b')' => depth.saturating_sub(1),
            _ => depth,
        };
        depth <= DEEPEST
    });
    text.len() <= LONGEST && shallow
}

/// Whether the parser comes past a line with more at its end.
pub(super) fn reads_on(text: &str, end: usize, more: &str) -> bool {
    let (Some(front), Some(back)) = (text.get(..end), text.get(end..)) else { return false };
    if !is_small(text) {
        return false;
    }
    let new = format!("{front}{more}{back}");
    match Grammar::parse(Rule::one_item, &new) {
        Ok(_) => true,
        Err(error) => place(&error, &new) > logical_line(&new, end).end,
    }
}

/// Whether the text may stop here, or its block may.
pub(super) fn is_whole(text: &str, end: usize) -> bool {
    let cut = text.get(..end).unwrap_or_default();
    !is_small(text)
        || [cut.to_owned(), format!("{cut}\n}}\n")]
            .iter()
            .any(|t| Grammar::parse(Rule::one_item, t).is_ok())
}

/// The end of what is written before a place, comments and blank lines left out.
pub(super) fn end_before(text: &str, at: usize) -> usize {
    let mut lines = text.get(..at).unwrap_or_default();
    loop {
        let start = lines.rfind('\n').map_or(0, |p| p + 1);
        let line = lines.get(start..).unwrap_or_default();
        let code = line.get(..comment(line)).unwrap_or_default().trim_end();
        if !code.trim().is_empty() || start == 0 {
            return start + code.len();
        }
        lines = lines.get(..start - 1).unwrap_or_default();
    }
}

/// Where the comment of a line begins.
fn comment(line: &str) -> usize {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return at,
            _ => {}
        }
    }
    line.len()
}

/// The last word or sign before a place.
pub(super) fn last_token(text: &str, end: usize) -> Range<usize> {
    let before = text.get(..end).unwrap_or_default();
    let word = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    if word < end {
        return word..end;
    }
    let sign = before.char_indices().next_back().map_or(0, |(p, _)| p);
    sign..end
}
