//! Edits with which the grammar reads a text, and that are said and not written, for another is as
//! likely: a word may be missing where one was put in its place. And the one edit that needs no
//! other reading to be sure: of two commas with nothing between them, one is spare.
//!
//! Takes a text and an edit of it. Knows the words with which lines begin.

use std::ops::Range;

use pest::Parser;

use super::is_slip;
use super::write::Written;
use crate::syntax::{Grammar, Rule, fault, is_reserved};

/// Whether an edit is only said; `known` says whether a word stands elsewhere in the text.
pub(super) fn is_doubtful(text: &str, edit: &Written, known: &dyn Fn(&str) -> bool) -> bool {
    names_a_word(text, edit)
        || is_hollow(text, edit)
        || takes_out_a_denial(text, edit)
        || parts_a_word(text, edit, known)
        || takes_the_place_of_a_head(text, edit)
}

/// Whether an edit makes a text say the contrary of what it denies.
pub(super) fn turns_a_denial(text: &str, edit: &Written) -> bool {
    loses_a_denial(text, edit) || denies_a_part(text, edit)
}

/// Whether an edit takes out a word that denies what stands behind it, or that says that nothing else
/// does, or puts another in its place: the text says the contrary then.
fn loses_a_denial(text: &str, edit: &Written) -> bool {
    let (gone, new) = (text.get(edit.range.clone()).unwrap_or_default().trim(), edit.with.trim());
    if new.is_empty() {
        let behind = text.get(edit.range.end..).unwrap_or_default();
        let last = behind.lines().next().unwrap_or_default().trim_start();
        return takes_out_a_denial(text, edit) && !last.is_empty() && !last.starts_with(['[', ')']);
    }
    let denies = |word: &str| fault::DENYING.contains(&word) || matches!(word, "none" | "barred");
    fault::DENYING.contains(&gone) && !new.split_whitespace().any(denies) && !is_slip(gone, new)
}

/// Whether an edit takes out a word that denies, and does not stand twice.
fn takes_out_a_denial(text: &str, edit: &Written) -> bool {
    let gone = text.get(edit.range.clone()).unwrap_or_default().trim();
    let before = text.get(..edit.range.start).unwrap_or_default().split_whitespace().next_back();
    let behind = text.get(edit.range.end..).unwrap_or_default().split_whitespace().next();
    let twice = [before, behind].contains(&Some(gone));
    edit.with.trim().is_empty() && !twice && (fault::DENYING.contains(&gone) || gone == "only")
}

/// Whether an edit behind `not` leaves a part of what was denied as it is: `not both a and b` is not
/// `not a and b`.
fn denies_a_part(text: &str, edit: &Written) -> bool {
    let before = text.get(..edit.range.start).unwrap_or_default().split_whitespace().next_back();
    if !matches!(before, Some("not" | "no" | "never")) {
        return false;
    }
    let mut gone = text.get(edit.range.clone()).unwrap_or_default().split_whitespace();
    let whole = ["both", "either", "neither", "all", "every", "only"];
    let mut depth = 0;
    let mut joins = |part: &str| {
        let joins = depth == 0 && matches!(part, "and" | "or");
        depth += part.matches('(').count();
        depth = depth.saturating_sub(part.matches(')').count());
        joins
    };
    gone.any(|word| whole.contains(&word)) || edit.with.split_whitespace().any(&mut joins)
}

/// Whether an edit takes out a comma beside another, and nothing can stand between the two.
pub(super) fn is_spare_comma(text: &str, edit: &Written) -> bool {
    let Range { start, end } = edit.range.clone();
    let (before, behind) = (text.get(..start).unwrap_or_default(), text.get(end..));
    let behind = behind.unwrap_or_default();
    let spare =
        edit.with.trim().is_empty() && text.get(start..end).unwrap_or_default().trim() == ",";
    let fills = |word: &str| {
        let whole = match before.trim_end().ends_with(',') {
            true => format!("{before} {word},{behind}"),
            false => format!("{before}, {word}{behind}"),
        };
        Grammar::parse(Rule::one_item, &whole).is_ok()
    };
    spare && !["zqx", "7", "zqx 7"].into_iter().any(fills)
}

/// Whether an edit puts words behind one that begins lines, and so makes a name of it: `relay through
/// where ...` calls the relay `through`.
fn names_a_word(text: &str, edit: &Written) -> bool {
    let before = text.get(..edit.range.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let mut words = line.split_whitespace().skip(1);
    let (Some(word), None) = (words.next(), words.next()) else { return false };
    edit.range.is_empty() && fault::is_of_the_language(word) && !is_reserved(word)
}

/// Whether an edit puts a comma between two words that stand nowhere else: they may be one word, taken
/// apart.
fn parts_a_word(text: &str, edit: &Written, known: &dyn Fn(&str) -> bool) -> bool {
    let gone = text.get(edit.range.clone()).unwrap_or_default();
    let before = text.get(..edit.range.start).unwrap_or_default().trim_end();
    let behind = text.get(edit.range.end..).unwrap_or_default().trim_start();
    let sign = |c: char| !c.is_alphanumeric() && c != '_';
    let words =
        [before.rsplit(sign).next(), behind.split(sign).next()].map(Option::unwrap_or_default);
    gone.trim().is_empty()
        && edit.with.trim() == ","
        && words.iter().all(|word| word.starts_with(char::is_alphabetic) && !known(word))
}

/// Whether an edit writes another first word for a line or a column, which the grammar also reads with
/// a word before the one that stands there: `ruling a is b` may lack `given` as well as be `expect`.
fn takes_the_place_of_a_head(text: &str, edit: &Written) -> bool {
    let (old, new) = (text.get(edit.range.clone()).unwrap_or_default().trim(), edit.with.trim());
    let before = text.get(..edit.range.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
    let is_first = line.is_empty() || line.ends_with('|');
    if !is_first || !fault::is_of_the_language(old) || is_slip(old, new) {
        return false;
    }
    let heads = fault::LINE_WORDS.iter().filter(|(_, words)| words.contains(&new));
    let reads = |head: &str| {
        let behind = text.get(edit.range.start..).unwrap_or_default();
        Grammar::parse(Rule::one_item, &format!("{before}{head} {behind}")).is_ok()
    };
    heads.flat_map(|(_, words)| words.iter().copied()).any(reads)
}

/// Whether an edit takes out brackets with nothing between them, where something is missing.
fn is_hollow(text: &str, edit: &Written) -> bool {
    let gone = text.get(edit.range.clone()).unwrap_or_default();
    edit.with.trim().is_empty() && gone.split_whitespace().collect::<String>() == "()"
}
