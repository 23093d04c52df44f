//! A value before its condition: `: 3 when led`, `-1 if shaken`.

use super::lattice::{Taken, taken};
use super::scan::{self, Looks};

/// What may stand before the value.
const BEFORE: [&str; 6] = [":", "=", "then", "gives", "->", "=>"];
/// A condition has at most so many tokens.
const LONGEST: usize = 40;

/// What is written for a value and its condition at the first of some tokens, up to the end of their
/// line or its clauses, and how many tokens they take.
pub(super) fn turned(rest: &[Taken]) -> Option<(usize, Vec<Taken>)> {
    let text = |at: usize| rest.get(at).map_or("", |token| token.text.as_str());
    let start = usize::from(BEFORE.contains(&text(0)));
    let minus = usize::from(text(start) == "-");
    let value = rest.get(start + minus)?;
    if !scan::is_numeral(&value.text) || !matches!(text(start + minus + 1), "when" | "if" | "where")
    {
        return None;
    }
    let from = start + minus + 2;
    let ends = |t: &Taken| matches!(t.looks, Looks::Line | Looks::End) || t.text == "[";
    let length = rest.iter().skip(from).take(LONGEST).position(ends)?;
    let condition = rest.get(from..from + length).filter(|all| !all.is_empty())?;
    let value = rest.get(start..from - 1)?;
    Some((from + length, [&[taken("when")][..], condition, &[taken("then")][..], value].concat()))
}
