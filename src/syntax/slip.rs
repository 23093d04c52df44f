//! Slips of one token on the line of a fault, by what slips there are and not by what the parser
//! wanted: a word misspelled, written twice or in the place of its neighbour, or another of its sort.
//!
//! Takes an item and the place where the parser stopped; gives changes to try. Never knows whether
//! they are right.

use std::ops::Range;

use super::fault::{EFFECTS, LINE_WORDS, RESERVED, is_line_word};
use super::mend::{end_before, last_token};
use super::split::{ITEM_WORDS, first_word, logical_line};
use super::tokens::{tokens, words};

/// A change to try: how far it is from what is written, where it stands, and what is written there.
pub(super) type Change = (u8, Range<usize>, String);

/// Words that join others, one easily written for another.
const JOINING: [&str; 14] =
    ["of", "for", "in", "at", "on", "to", "from", "by", "with", "when", "where", "then", "is", "="];

/// A word this long has few neighbours by chance.
const LONG: usize = 3;

/// The changes at a fault, in the order in which they are tried.
pub(super) fn changes(text: &str, at: usize, token: &str) -> Vec<Change> {
    let here = at..at + token.len();
    let before = last_token(text, end_before(text, at));
    let mut found = written_twice(text, at);
    for range in [&here, &before] {
        found.extend(misspelled(text, range));
    }
    found.extend(other_beginning(text, at));
    let earlier = last_token(text, end_before(text, before.start));
    found.extend(synonym(text, &here));
    if before.start > 0 {
        // `enemy army here`: what is asked of any stands after its word.
        found.push((1, before.start..before.start, "any ".to_owned()));
        found.push((1, before.start..before.start, "where ".to_owned()));
    }
    for range in [here, before, earlier] {
        found.extend(other_joint(text, &range));
    }
    found
}

/// Words and signs of common English that the language says otherwise.
const SYNONYMS: [(&str, &str); 12] = [
    ("but", "and"),
    ("plus", "+"),
    ("minus", "-"),
    ("times", "*"),
    ("equals", "is"),
    ("minimum", "least"),
    ("maximum", "most"),
    ("below", "less than"),
    ("above", "more than"),
    ("inside", "in"),
    ("until", "to"),
    (",", "and"),
];

/// The word for what stands there in common English.
fn synonym(text: &str, range: &Range<usize>) -> Vec<Change> {
    let word = text.get(range.clone()).unwrap_or_default();
    let all = SYNONYMS.iter().filter(|(other, _)| *other == word);
    // `big, veteran`: a comma has no blank before it, a word has.
    let blank = if word == "," { " " } else { "" };
    all.map(|(_, ours)| (1, range.clone(), format!("{blank}{ours}"))).collect()
}

/// A word or sign of the line that stands twice side by side; brackets only where one is too many.
pub(super) fn written_twice(text: &str, at: usize) -> Vec<Change> {
    let line = logical_line(text, at);
    let all = tokens_in(text, line.clone());
    let of = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let count = |sign: &str| all.iter().filter(|range| of(range) == sign).count();
    let spare = |sign: &str| match sign {
        "(" => count("(") > count(")"),
        ")" => count(")") > count("("),
        "[" => count("[") > count("]"),
        "]" => count("]") > count("["),
        "|" | "-" | "{" | "}" => false,
        _ => true,
    };
    let twice = |pair: &[Range<usize>]| match pair {
        [one, two] if of(one) == of(two) && spare(of(one)) => {
            Some((0, one.end..two.end, String::new()))
        }
        _ => None,
    };
    all.windows(2).filter_map(twice).collect()
}

/// A word that is one letter from a word of the language, or from one that the item says elsewhere.
fn misspelled(text: &str, range: &Range<usize>) -> Vec<Change> {
    let word = text.get(range.clone()).unwrap_or_default();
    if word.len() < LONG || !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Vec::new();
    }
    let known = RESERVED.contains(&word) || is_line_word(word) || ITEM_WORDS.contains(&word);
    let lines = LINE_WORDS.iter().flat_map(|(_, words)| words.iter().copied());
    let others = words(text).map(|(_, word)| word);
    let said =
        others.filter(|w| w.len() >= LONG && w.starts_with(|c: char| c.is_ascii_lowercase()));
    let mut near: Vec<&str> = RESERVED
        .into_iter()
        .chain(EFFECTS)
        .chain(lines)
        .chain(ITEM_WORDS)
        .chain(said)
        .filter(|w| *w != word && strsim::osa_distance(w, word) == 1)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|w| (u8::from(known), range.clone(), w.to_owned())).collect()
}

/// Another word at the beginning of the line, or of the item: the rest is read by it.
fn other_beginning(text: &str, at: usize) -> Vec<Change> {
    let noun = first_word(text);
    let line = logical_line(text, at);
    let rest = text.get(line.clone()).unwrap_or_default();
    let start = line.start + rest.len() - rest.trim_start().len();
    let word = first_word(text.get(start..).unwrap_or_default());
    let all: &[&str] = match LINE_WORDS.iter().find(|(n, _)| *n == noun) {
        _ if start == 0 => &ITEM_WORDS,
        Some((_, words)) => words,
        None => &[],
    };
    // The cells of a grid go with its head, whatever that is.
    let known = at >= start && !rest.contains('|') && all.contains(&word);
    let others = all.iter().filter(|w| known && **w != word);
    others.map(|w| (2, start..start + word.len(), (*w).to_owned())).collect()
}

/// Another of the words that only join others.
fn other_joint(text: &str, range: &Range<usize>) -> Vec<Change> {
    let word = text.get(range.clone()).unwrap_or_default();
    let others = JOINING.iter().filter(|w| JOINING.contains(&word) && **w != word);
    others.map(|w| (2, range.clone(), (*w).to_owned())).collect()
}

/// Where the words and signs of a stretch stand.
fn tokens_in(text: &str, stretch: Range<usize>) -> Vec<Range<usize>> {
    let all = tokens(text.get(stretch.clone()).unwrap_or_default(), true).into_iter();
    all.map(|(at, token)| stretch.start + at..stretch.start + at + token.len()).collect()
}
