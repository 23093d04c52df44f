//! What may stand at a place of a text: asked of the grammar itself, word by word.
//!
//! Takes the text before the place; gives words of the language, and whether a name, a text, a
//! number or a clause may stand there. Knows no meaning.

use std::ops::Range;

use pest::Parser;

use super::split::{self, ITEM_WORDS, Piece};
use super::{FAULTS_PER_ITEM, Grammar, Rule, fault, limit_work, place};
use crate::arrange::Arrange as _;
use crate::source::{SourceId, nesting};

/// What may stand at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Next {
    /// The words of the language.
    pub words: Vec<String>,
    /// Whether a name may.
    pub name: bool,
    /// Whether a number may.
    pub number: bool,
    /// Whether a text in quotes may.
    pub text: bool,
    /// Whether the place is between the brackets of clauses.
    pub clause: bool,
}

/// An item that is longer than this is asked by its head and its last lines.
const LONG: usize = 4 << 10;

/// What may stand behind the first bytes of a text. The word that is being typed is no part of
/// them.
#[must_use]
pub fn next(text: &str, at: usize) -> Next {
    limit_work();
    let before = text.get(..at).unwrap_or(text);
    let Some((mut work, within)) = item_before(before) else { return items(before) };
    let line = work.rfind('\n').map_or(0, |p| p + 1);
    let column_one = work.get(line..).is_some_and(str::is_empty);
    work = shortened(&work);
    if nesting(&work, SourceId::default(), 0).is_some() {
        return Next::default();
    }
    blank_broken(&mut work);
    let mut found = Next { clause: in_brackets(&work), ..Next::default() };
    if found.clause {
        return found;
    }
    let name = ahead(&work, "zqx");
    found.name = name.is_some();
    found.number = ahead(&work, "7").is_some();
    found.text = ahead(&work, "\"t\"").is_some();
    // `end of turn` and `one of (a, b)` begin like a name and go on otherwise.
    const FURTHER: [&str; 2] = [" of zqx", " of (zqx"];
    let further = |word: &str| FURTHER.map(|more| ahead(&work, &format!("{word}{more}")));
    let name_further = further("zqx");
    for word in keywords() {
        let taken = ahead(&work, &word);
        // A word that may be a name is one where the grammar goes on behind it as behind a name.
        let as_name = found.name
            && !fault::RESERVED.contains(&word.as_str())
            && taken == name
            && further(&word) == name_further;
        if taken.is_some() && !as_name {
            found.words.push(word);
        }
    }
    if column_one && !within {
        found.words.extend(items(before).words);
    }
    found.words.arrange();
    found.words.dedup();
    found
}

/// The words that begin an item.
fn items(_before: &str) -> Next {
    let words = ITEM_WORDS.iter().copied().chain(["remove"]).map(str::to_owned).collect();
    Next { words, ..Next::default() }
}

/// The text of the item that a text ends in; whether it stands in a mistake.
fn item_before(before: &str) -> Option<(String, bool)> {
    let last = |pieces: Vec<Piece>| pieces.into_iter().next_back();
    let piece = last(split::pieces(before))?;
    if piece.begins_mistake(before) {
        let head = piece.of(before);
        let open = head.find("{\n").map(|p| piece.start as usize + p + 2)?;
        let inner = last(split::pieces_within(before, open..before.len()))?;
        return inner.is_item.then(|| (inner.of(before).trim_start().to_owned(), true));
    }
    piece.is_item.then(|| (piece.of(before).to_owned(), false))
}

/// The head of a long item and its last lines.
fn shortened(work: &str) -> String {
    if work.len() <= LONG {
        return work.to_owned();
    }
    let mut head = split::logical_line(work, 0).end;
    // The columns of a grid are part of what its rows may be.
    while let Some(line) = work.get(head..).and_then(|rest| rest.lines().next()) {
        if !matches!(split::first_word(line.trim_start()), "down" | "across") {
            break;
        }
        head += line.len() + 1;
    }
    let mut from = work.len().saturating_sub(LONG / 2).max(head);
    while !work.is_char_boundary(from) {
        from += 1;
    }
    let tail = work.get(from..).unwrap_or_default();
    let tail = tail.find('\n').and_then(|p| tail.get(p + 1..)).unwrap_or(tail);
    format!("{}{tail}", work.get(..head).unwrap_or_default())
}

/// Blanks earlier lines that the grammar does not read, for they say nothing of this one.
fn blank_broken(work: &mut String) {
    let last = work.rfind('\n').map_or(0, |p| p + 1);
    for _ in 0..FAULTS_PER_ITEM {
        let Err(error) = Grammar::parse(Rule::one_item, work) else { return };
        let line: Range<usize> = split::logical_line(work, place(&error, work));
        if line.start == 0 || line.end > last || line.is_empty() {
            return;
        }
        split::blank(work, line);
    }
}

/// Whether the line ends within the brackets of clauses.
fn in_brackets(work: &str) -> bool {
    let line = work.rsplit('\n').next().unwrap_or_default();
    let mut quoted = false;
    let mut open = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => open = true,
            ']' if !quoted => open = false,
            _ => {}
        }
    }
    open
}

/// How the grammar goes on behind a word; nothing if the word cannot stand there.
fn ahead(work: &str, word: &str) -> Option<(usize, Vec<Rule>)> {
    // Where a line may end, only what may stand in the next one is told.
    behind(work, word, " ").or_else(|| behind(work, word, "\n"))
}

fn behind(work: &str, word: &str, blank: &str) -> Option<(usize, Vec<Rule>)> {
    let with = format!("{work}{word}{blank}");
    let least = work.len() + word.len();
    match Grammar::parse(Rule::one_item, &with) {
        Ok(_) => Some((0, Vec::new())),
        Err(error) => {
            let at = place(&error, &with);
            let mut rules = fault::positives(&error).to_vec();
            rules.arrange();
            (at >= least).then(|| (at - least, rules))
        }
    }
}

/// All words of the language.
fn keywords() -> impl Iterator<Item = String> {
    let words = Rule::all_rules().iter().filter_map(|rule| {
        let name = format!("{rule:?}");
        name.strip_prefix("k_").map(str::to_owned)
    });
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;

    fn at(text: &str) -> Next {
        let place = text.find('|').unwrap();
        next(&text.replace('|', ""), place)
    }

    fn has(found: &Next, words: &[&str]) -> bool {
        words.iter().all(|w| found.words.iter().any(|f| f == w))
    }

    #[test]
    fn a_line_of_a_kind_begins_with_its_words() {
        let found = at("kind army is unit {\n  |\n}\n");
        assert_eq!(found.words, ["base", "has", "joins"]);
        assert!(!found.name);
        let found = at("kind army is unit {\n  has strength |");
        assert!(has(&found, &["in", "yes", "one", "on", "maybe", "a"]), "{found:?}");
        assert!(!has(&found, &["when"]));
    }

    #[test]
    fn a_condition_takes_names_and_words() {
        let found = at("define big of army = strength |");
        assert!(has(&found, &["at", "is", "of", "and", "or", "more", "between"]), "{found:?}");
        assert!(!has(&found, &["otherwise", "has"]), "{found:?}");
        let found = at("define big of army = |");
        assert!(found.name && found.number);
        assert!(has(&found, &["any", "no", "count", "not"]), "{found:?}");
    }

    #[test]
    fn items_begin_in_column_one_and_clauses_in_brackets() {
        let found = at("edition 1\n|");
        assert!(has(&found, &["kind", "trace", "remove"]), "{found:?}");
        assert!(at("define big of army = strength at least 3 [|").clause);
        assert_eq!(at("|").words.len(), ITEM_WORDS.len() + 1);
    }

    #[test]
    fn a_broken_line_above_hides_nothing() {
        let found = at("trace supply of army {\n  called\n  source |");
        assert!(found.name, "{found:?}");
    }
}
