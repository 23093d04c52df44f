//! `unless` and `except`, which conditions do not know: what is meant depends on what stands before.

use super::build::Origin;
use super::fault::token;
use super::split::logical_line;
use crate::diag::{Diagnostic, code};

/// What begins a condition.
const BEGINS: [&str; 8] = ["when", "where", "through", "from", "into", "always", "never", "expect"];

/// An `unless` at or before the place at which a line cannot be read.
pub(super) fn unless(o: Origin, text: &str, at: usize) -> Option<Diagnostic> {
    let line = logical_line(text, at);
    let word = token(text.get(at..)?);
    let before = text.get(line.start..at)?.trim_end();
    let (start, word) = match [word, last_word(before)].map(|w| is_one(w).then_some(w)) {
        [Some(word), _] => (at, word),
        [None, Some(word)] => (line.start + before.len() - word.len(), word),
        _ => return None,
    };
    // What begins a line is a line of another name.
    if text.get(line.start..start)?.trim().is_empty() {
        return None;
    }
    let claim = claim(text, line.start, start);
    let mut end = start + word.len();
    // `except when` and `except if` are one word of it.
    let behind = text.get(end..)?.trim_start();
    let next = token(behind);
    if matches!(next, "when" | "if" | "where") {
        end = text.len() - behind.len() + next.len();
    }
    let rest = text.get(end..line.end)?.split(['[', '#', '\n']).next()?;
    let but = rest.split(" then ").next()?.trim();
    let what = format!("a condition has no `{word}`");
    let fault = Diagnostic::error(code::E0103, o.place(start, start + word.len()), what).settled();
    let Some((from, by_where)) = claim.filter(|_| !but.is_empty()) else {
        return Some(fault.help("say what holds then by a row or a line of its own"));
    };
    let said = text.get(from..start)?.trim();
    // What is denied holds also where the exception does; what is claimed does not.
    let denied = matches!(token(said), "no" | "not");
    let join = if denied { "or" } else { "and not" };
    let but_whole = if joins(but) { format!("({but})") } else { but.to_owned() };
    let whole = match said {
        "anywhere" => format!("not {but_whole}"),
        said => format!("{said} {join} {but_whole}"),
    };
    if joins(said) {
        let help = format!("say in brackets what it is about, as in `(... {join} {but_whole})`");
        return Some(fault.help(help));
    }
    let to = end + (rest.len() - rest.trim_start().len()) + but.len();
    let with = if by_where { format!("({whole})") } else { whole };
    let fault = fault.help(format!("write `{with}`")).suggest(o.place(from, to), with);
    Some(fault.or_else("`A unless B` is `A and not B`, and `no A unless B` is `no A or B`"))
}

fn is_one(word: &str) -> bool {
    matches!(word, "unless" | "except")
}

fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

/// Whether a condition is made of several.
fn joins(condition: &str) -> bool {
    condition.split_whitespace().any(|word| matches!(word, "and" | "or"))
}

/// Where the condition begins that ends here, and whether a `where` rules it.
fn claim(text: &str, line: usize, end: usize) -> Option<(usize, bool)> {
    let before = text.get(line..end)?;
    let mut found = None;
    let mut at = 0;
    for word in before.split_inclusive([' ', '\t', '\n', '(']) {
        at += word.len();
        let bare = word.trim_end_matches([' ', '\t', '\n']);
        let opens = BEGINS.contains(&bare) || bare.ends_with(['=', '(']);
        if opens {
            found = Some((line + at, bare == "where"));
        }
    }
    let (from, by_where) = found?;
    let said = text.get(from..end)?;
    Some((from + (said.len() - said.trim_start().len()), by_where))
}
