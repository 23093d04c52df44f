//! Blocks that are written on one line, as other languages write them: each of their lines gets one of
//! its own.

use std::ops::Range;

use super::breaks::begins_line;
use super::scan::{Looks, Token, scan};

/// So much deeper stands a line than the head of its block.
const DEEPER: usize = 2;

/// What ends a line of a block beside brackets and `;`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Signs,
    /// a comma before a word that begins a line
    Commas,
    /// each word that begins a line
    Words,
}

/// What is to be written from the first bracket of a line on, in each way that there is; nothing
/// where no block begins in the line.
pub(super) fn unfolded(text: &str, line: &Range<usize>) -> Vec<(Range<usize>, String)> {
    let whole = text.get(line.clone()).unwrap_or_default();
    let indent = whole.len() - whole.trim_start_matches([' ', '\t']).len();
    let mut tokens = scan(text, line.clone());
    tokens.retain(|token| token.looks != Looks::Line);
    let is = |token: &Token, sign: &str| text.get(token.range.clone()) == Some(sign);
    let Some(open) = tokens.iter().position(|token| is(token, "{")) else { return Vec::new() };
    let close = tokens.iter().rposition(|token| is(token, "}")).filter(|close| *close > open);
    let last = close.unwrap_or(tokens.len() - 1);
    let (Some(first), Some(end), true) = (tokens.get(open), tokens.get(last), last > open) else {
        return Vec::new();
    };
    let range = first.range.end..end.range.end;
    let inner = tokens.get(open..=last).unwrap_or_default();
    let mut ways: Vec<(Range<usize>, String)> = Vec::new();
    for ends in [Ends::Signs, Ends::Commas, Ends::Words] {
        let way = (range.clone(), laid_out(text, inner, indent, ends));
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

/// Tokens behind a bracket, each line of their blocks on a line of its own.
fn laid_out(text: &str, tokens: &[Token], indent: usize, ends: Ends) -> String {
    let word = |token: &Token| text.get(token.range.clone()).unwrap_or_default();
    let begins = |token: Option<&Token>| token.is_some_and(|token| begins_line(word(token)));
    let mut out = String::new();
    let (mut depth, mut fresh) = (indent + DEEPER, true);
    for (at, pair) in tokens.windows(2).enumerate() {
        let [before, token] = pair else { continue };
        let next = tokens.get(at + 2);
        match word(token) {
            "}" => {
                depth = depth.saturating_sub(DEEPER);
                out.push_str(&format!("\n{}}}", " ".repeat(depth)));
                fresh = true;
            }
            ";" => fresh = true,
            "," if ends != Ends::Signs && begins(next) => fresh = true,
            sign => {
                let opens = sign == "{";
                let by_word = ends == Ends::Words && begins(Some(token));
                // `yes or no` goes on, and `no junction` begins a line.
                let goes_on = matches!(word(before), "or" | "and" | "is");
                if !opens && (fresh || by_word && !goes_on) {
                    out.push_str(&format!("\n{}", " ".repeat(depth)));
                } else {
                    let gap = before.range.end..token.range.start;
                    out.push_str(text.get(gap).unwrap_or_default());
                }
                out.push_str(sign);
                depth += if opens { DEEPER } else { 0 };
                fresh = opens;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::unfolded;

    fn ways(text: &str) -> Vec<String> {
        let with = |(range, with): (std::ops::Range<usize>, String)| {
            let mut new = text.to_owned();
            new.replace_range(range, &with);
            new
        };
        unfolded(text, &(0..text.len())).into_iter().map(with).collect()
    }

    #[test]
    fn each_line_of_a_block_gets_a_line() {
        // Ways that are not read are left out later.
        let all = ways("kind road is link { has blown yes or no }");
        assert!(all.contains(&"kind road is link {\n  has blown yes or no\n}".into()));
        let all = ways("kind a is unit { has b yes or no, has c from 1 to 3 }");
        assert!(
            all.contains(&"kind a is unit {\n  has b yes or no\n  has c from 1 to 3\n}".into())
        );
        let all = ways("kind a is unit { has b yes or no has c yes or no }");
        assert!(all.contains(&"kind a is unit {\n  has b yes or no\n  has c yes or no\n}".into()));
        assert_eq!(
            ways("  leg a { over roads; within 2; }  # far"),
            ["  leg a {\n    over roads\n    within 2\n  }  # far"]
        );
        assert_eq!(
            ways("kind a is unit { has b yes or no"),
            ["kind a is unit {\n  has b yes or no"]
        );
    }

    #[test]
    fn a_line_without_a_block_stays() {
        for text in ["define a of army = big", "kind a is unit {", "}", "", "section 4 \"{ a }\""] {
            assert!(ways(text).is_empty(), "{text}");
        }
    }
}
