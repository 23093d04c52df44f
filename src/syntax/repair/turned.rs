//! What stands in another order elsewhere: a value before its condition, `3 when led`; a number before
//! what is counted, `more than 2 armies here`; a thing before what it becomes, `mark armies as tired`.

use super::lattice::{Taken, taken};
use super::scan::{self, Looks};
use crate::syntax::fault::{RESERVED, STANCES};

/// What may stand before the value.
const BEFORE: [&str; 6] = [":", "=", "then", "gives", "->", "=>"];
/// A condition has at most so many tokens.
const LONGEST: usize = 40;
/// What is counted has at most so many.
const MOST_COUNTED: usize = 12;

/// What is written for the first of some tokens and those behind it, and how many they are.
pub(super) fn turned(rest: &[Taken]) -> Vec<(usize, Vec<Taken>)> {
    [valued(rest), counted(rest), marked(rest)].into_iter().flatten().collect()
}

fn words(words: &[&str]) -> Vec<Taken> {
    words.iter().map(|word| taken(word)).collect()
}

fn text(rest: &[Taken], at: usize) -> &str {
    rest.get(at).map_or("", |token| token.text.as_str())
}

/// A value with its condition, up to the end of their line or its clauses.
fn valued(rest: &[Taken]) -> Option<(usize, Vec<Taken>)> {
    let start = usize::from(BEFORE.contains(&text(rest, 0)));
    let minus = usize::from(text(rest, start) == "-");
    let value = rest.get(start + minus)?;
    let asks = matches!(text(rest, start + minus + 1), "when" | "if" | "where");
    if !scan::is_numeral(&value.text) || !asks {
        return None;
    }
    let from = start + minus + 2;
    let length = rest.iter().skip(from).take(LONGEST).position(ends)?;
    let condition = rest.get(from..from + length).filter(|all| !all.is_empty())?;
    let value = rest.get(start..from - 1)?;
    let with = [words(&["when"]), condition.to_vec(), words(&["then"]), value.to_vec()].concat();
    Some((from + length, with))
}

/// Whether a line or what it says ends with a token.
fn ends(token: &Taken) -> bool {
    matches!(token.looks, Looks::Line | Looks::End) || token.text == "["
}

/// A number before what is counted, up to what joins it to something else.
fn counted(rest: &[Taken]) -> Option<(usize, Vec<Taken>)> {
    let [first, second, third] = [0, 1, 2].map(|at| text(rest, at));
    let (bound, number, length): (&[&str], _, _) = match (first, second, third) {
        ("more", "than", number) => (&["more", "than"], number, 3),
        ("less" | "fewer", "than", number) => (&["less", "than"], number, 3),
        ("at", "least", number) => (&["at", "least"], number, 3),
        ("at", "most", number) => (&["at", "most"], number, 3),
        ("exactly", number, _) => (&["is"], number, 2),
        (number, "or", "more") => (&["at", "least"], number, 3),
        (number, "or", "fewer" | "less") => (&["at", "most"], number, 3),
        _ => return None,
    };
    if !scan::is_numeral(number) {
        return None;
    }
    let stops = |token: &Taken| {
        ends(token) || matches!(token.text.as_str(), "and" | "or" | "then" | ")" | "," | "{" | "|")
    };
    let all = rest.get(length..)?;
    let many = all.iter().take(MOST_COUNTED).position(stops)?;
    let things = all.get(..many).filter(|things| !things.is_empty())?;
    // What is read already is a value with its dimension.
    let begins = things.first().map_or("", |token| token.text.as_str());
    let noun = STANCES.contains(&begins) || scan::is_name(begins);
    let plain = things.iter().all(|token| {
        let word = token.text.as_str();
        token.looks == Looks::Word
            && (!RESERVED.contains(&word) || matches!(word, "here" | "adjacent" | "in" | "it"))
    });
    let with = [words(&["count", "of"]), things.to_vec(), words(bound), words(&[number])].concat();
    (noun && plain).then_some((length + many, with))
}

/// `mark THINGS as NAME`, with what is asked of them.
fn marked(rest: &[Taken]) -> Option<(usize, Vec<Taken>)> {
    if !matches!(text(rest, 0), "mark" | "set") {
        return None;
    }
    let length = rest.iter().take(LONGEST).position(ends)?;
    let line = rest.get(..length)?;
    let [_, things @ .., joint, name] = line else { return None };
    let named = matches!(joint.text.as_str(), "as" | "to") && scan::is_name(&name.text);
    let begins = things.first().map_or("", |token| token.text.as_str());
    let with = [words(&["mark"]), vec![name.clone()], words(&["for"]), things.to_vec()].concat();
    let several = things.len() > 1 || STANCES.contains(&begins);
    (named && several).then_some((length, with))
}
