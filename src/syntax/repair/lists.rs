//! Lists of names as other languages write them: `is a, b or c`, `in [a, b]`, `: a | b`, `("a", "b")`.

use super::lattice::{Taken, taken};
use super::scan::{self, Looks};

/// What stands before a list elsewhere.
const BEFORE: [&str; 15] = [
    "is", "=", "==", "in", "one", "of", "any", "either", ":", "enum", "which", "among", "are",
    "from", "as",
];
/// A list has at most so many tokens.
const LONGEST: usize = 40;

/// A list in what is written: how many tokens it takes, and what it is here.
pub(super) struct List {
    pub(super) length: usize,
    pub(super) with: Vec<Taken>,
}

/// The lists that begin with the first of some tokens.
pub(super) fn lists(rest: &[Taken]) -> Vec<List> {
    let rest = rest.get(..rest.len().min(LONGEST)).unwrap_or_default();
    let before = rest.iter().take_while(|t| BEFORE.contains(&t.text.as_str())).count();
    let at = |at: usize| rest.get(at).map_or("", |token| token.text.as_str());
    let denied = before > 0 && at(before) == "not";
    let mut place = before + usize::from(denied);
    while BEFORE.contains(&at(place)) && denied {
        place += 1;
    }
    let close = match at(place) {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        _ => "",
    };
    place += usize::from(!close.is_empty());
    let (mut names, mut both) = (Vec::new(), false);
    loop {
        let Some((name, length)) = name(rest.get(place..).unwrap_or_default()) else { break };
        names.push(name);
        place += length;
        let signs = rest.iter().skip(place);
        let joins =
            signs.take_while(|t| matches!(t.text.as_str(), "," | "or" | "|" | "/" | "and" | ";"));
        let joins: Vec<&Taken> = joins.take(2).collect();
        // `a, b {` and `a or big at least 3` end before what joins them to something else.
        if joins.is_empty()
            || self::name(rest.get(place + joins.len()..).unwrap_or_default()).is_none()
        {
            break;
        }
        both |= joins.iter().any(|token| token.text == "and");
        place += joins.len();
    }
    let closed = !close.is_empty() && at(place) == close;
    if names.len() < 2 || !close.is_empty() && !closed || before == 0 && close.is_empty() {
        return Vec::new();
    }
    let length = place + usize::from(closed);
    let plain = joined(&names);
    let words = |words: &[&str]| words.iter().map(|word| taken(word)).collect::<Vec<_>>();
    let one_of = [words(&["one", "of"]), plain.clone()].concat();
    let bracketed =
        |front: &[&str]| [words(front), words(&["("]), plain.clone(), words(&[")"])].concat();
    let mut all = Vec::new();
    if !denied {
        all.extend([plain.clone(), one_of]);
    }
    if !both && before > 0 {
        all.push(if denied {
            bracketed(&["is", "not", "one", "of"])
        } else {
            bracketed(&["is", "one", "of"])
        });
    }
    all.into_iter().map(|with| List { length, with }).collect()
}

fn joined(names: &[Taken]) -> Vec<Taken> {
    let mut all: Vec<Taken> = Vec::new();
    for name in names {
        if !all.is_empty() {
            all.push(taken(","));
        }
        all.push(name.clone());
    }
    all
}

/// A name, in quotes or not, and how many tokens it takes.
fn name(rest: &[Taken]) -> Option<(Taken, usize)> {
    let (first, second, third) = (rest.first()?, rest.get(1), rest.get(2));
    let quote = |token: &Taken| token.text == "'";
    if quote(first) && third.is_some_and(quote) {
        return second.filter(|t| scan::is_name(&t.text)).map(|t| (taken(&t.text), 3));
    }
    let inner = first.text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    let text = match (first.looks, inner) {
        (Looks::Text, Some(inner)) => inner.replace(' ', "_"),
        _ => first.text.clone(),
    };
    scan::is_name(&text).then(|| (taken(&text), 1))
}
