//! The space between two words of a line.
//!
//! Takes the words of a line; gives them as text. Knows which signs lean on what stands beside
//! them.

use crate::syntax::is_reserved;

/// Words that are followed by an amount though they are no words of the algebra: a `-` behind them
/// is a sign.
const BEFORE_AMOUNTS: [&str; 8] = ["was", "cost", "advance", "back", "off", "table", "base", "row"];

/// Words of the algebra that stand for a thing or an amount: a `-` behind them takes away.
const THINGS: [&str; 3] = ["it", "here", "no"];

/// The words of a line with the spaces between them.
pub(super) fn joined(words: &[&str]) -> String {
    let mut out = String::new();
    let mut leans = true;
    for (at, word) in words.iter().enumerate() {
        if !leans && !matches!(*word, "," | ")" | "]") {
            out.push(' ');
        }
        out.push_str(word);
        leans = matches!(*word, "(" | "[")
            || *word == "-" && is_sign(words.get(..at).unwrap_or_default());
    }
    out
}

/// Whether a `-` behind these words belongs to the number, and takes nothing away.
fn is_sign(before: &[&str]) -> bool {
    let Some(last) = before.last() else { return true };
    match last.bytes().next() {
        Some(b'(' | b',' | b'|' | b'=' | b'+' | b'-' | b'*' | b'/') => true,
        Some(b'a'..=b'z' | b'A'..=b'Z') if is_reserved(last) => !THINGS.contains(last),
        Some(b'a'..=b'z' | b'A'..=b'Z') => BEFORE_AMOUNTS.contains(last) || is_stated(before),
        _ => false,
    }
}

/// `with strength -1, hits -2`: whether the last word is a fact that an amount follows.
fn is_stated(before: &[&str]) -> bool {
    let outer = before.len().checked_sub(2).and_then(|at| before.get(at));
    outer.is_some_and(|w| *w == "with" || *w == "," && before.contains(&"with"))
}

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}
