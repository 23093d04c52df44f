//! Formatting: the language's own layout of a file, of some lines, or after a key.

use serde_json::{Value, json};

use super::unit::Asked;
use super::{Answer, Refusal};
use crate::format::format;
use crate::source::SourceId;

/// The whole file.
pub(super) fn whole(asked: &Asked<'_>) -> Answer {
    Ok(edits(asked, 0, usize::MAX))
}

/// The items that a range touches.
pub(super) fn range(asked: &Asked<'_>, params: &Value) -> Answer {
    let line = |name: &str| params.pointer(&format!("/range/{name}/line")).and_then(Value::as_u64);
    let (Some(start), Some(end)) = (line("start"), line("end")) else {
        return Err(Refusal::params("the request has no `range`"));
    };
    let line = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    Ok(edits(asked, line(start), line(end)))
}

/// The item whose brace was closed; the line before a new one.
pub(super) fn typed(asked: &Asked<'_>, params: &Value) -> Answer {
    let Some(line) = params.pointer("/position/line").and_then(Value::as_u64) else {
        return Err(Refusal::params("the request has no `position`"));
    };
    let line = usize::try_from(line).unwrap_or(usize::MAX);
    let closed = params.get("ch").and_then(Value::as_str) == Some("}");
    if !closed {
        let before = line.saturating_sub(1);
        return Ok(edits(asked, before, before));
    }
    // The block begins in the last line above that stands in column one.
    let lines = asked.lines();
    let text = |at: usize| asked.text.get(lines.start(at)..lines.start(at + 1)).unwrap_or("");
    let head = (0..line).rev().find(|at| !text(*at).starts_with([' ', '\t', '\n', '\r', '}']));
    Ok(edits(asked, head.unwrap_or(0), line))
}

/// The edits that lay out the lines from one to another. Lines are compared one by one, so that
/// what stays is not touched; where their number changes, the middle is replaced as a whole.
fn edits(asked: &Asked<'_>, from: usize, to: usize) -> Value {
    let Ok(new) = format(SourceId::default(), asked.text.as_bytes()) else { return Value::Null };
    let old: Vec<&str> = asked.text.split_inclusive('\n').collect();
    let new: Vec<&str> = new.text.split_inclusive('\n').collect();
    let lines = asked.lines();
    let mut found = Vec::new();
    for (old_range, new_range) in changed(&old, &new) {
        if old_range.start > to || old_range.end.max(old_range.start + 1) <= from {
            continue;
        }
        let byte = |line: usize| old.iter().take(line).map(|l| l.len()).sum::<usize>();
        let text: String = new.get(new_range).unwrap_or_default().concat();
        let range = lines.range(byte(old_range.start), byte(old_range.end));
        found.push(json!({ "range": range, "newText": text }));
    }
    found.into()
}

type Lines = std::ops::Range<usize>;

/// Stretches of lines that differ. The layout keeps all words, so that lines are matched by their
/// words, in order.
fn changed(old: &[&str], new: &[&str]) -> Vec<(Lines, Lines)> {
    let words = |line: &str| -> String { line.split_whitespace().collect() };
    let (mut a, mut b) = (0, 0);
    let mut found: Vec<(Lines, Lines)> = Vec::new();
    let mut add = |old: Lines, new: Lines| found.push((old, new));
    loop {
        match (old.get(a), new.get(b)) {
            (Some(x), Some(y)) if x == y => (a, b) = (a + 1, b + 1),
            (Some(x), Some(y)) if words(x) == words(y) => {
                add(a..a + 1, b..b + 1);
                (a, b) = (a + 1, b + 1);
            }
            // Only blank lines come and go.
            (Some(x), _) if words(x).is_empty() => {
                add(a..a + 1, b..b);
                a += 1;
            }
            (_, Some(y)) if words(y).is_empty() => {
                add(a..a, b..b + 1);
                b += 1;
            }
            (None, None) => return found,
            _ => {
                add(a..old.len(), b..new.len());
                return found;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_change_are_touched() {
        let old = ["a\n", "  b  c\n", "\n", "\n", "d\n"];
        let new = ["a\n", "b c\n", "\n", "d\n"];
        assert_eq!(changed(&old, &new), [(1..2, 1..2), (3..4, 3..3)]);
        assert_eq!(changed(&new, &new), []);
    }
}
