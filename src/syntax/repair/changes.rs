//! Small changes of what is written: slips of the hand, and what other languages say.
//!
//! A name, a number or a text is never left out but where it stands twice.

use std::ops::Range;

use super::calls;
use super::grammar;
use super::lattice::{INSERTED, Lattice, Taken, VALUES, is_literal, taken};
use super::lists;
use super::scan::{self, Looks, Token};
use super::synonyms::{self, Synonym};
use super::turned::turned;
use crate::syntax::fault::{LINE_WORDS, RESERVED, STANCES};
use crate::syntax::split::ITEM_WORDS;

// What a change costs. One letter, or a word that stands twice, is nearest; what another language
// calls the same costs what the table of synonyms says.
const LETTER: u8 = 1;
/// What is added for a word that is one elsewhere.
const KNOWN: u8 = 3;
const SWAPPED: u8 = 3;
const SWAPPED_NAMES: u8 = 4;
const JOINT: u8 = 5;
const LISTED: u8 = 2;
const TURNED: u8 = 3;
const POSSESSIVE: u8 = 4;
const SINGULAR: u8 = 3;
const CALLED: u8 = 2;
const SPARE: u8 = 4;
const COMMA: u8 = 2;
const ONE_NAME: u8 = 4;
/// A blank too few or too many.
const BLANK: u8 = 2;
/// Of longer words no two are made.
const MOST_LETTERS: usize = 40;
const UNQUOTED: u8 = 2;
const QUOTED: u8 = 7;
const MOVED: u8 = 6;
const BEGINNING: u8 = 6;
/// A word of the language left out; that is said, and not written.
const LEFT_OUT: u8 = 7;

/// So many tokens are moved at once, over so many.
const MOST_MOVED: usize = 3;
const MOST_OVER: usize = 6;
/// So many are written; of more it is said.
const MOST_NEAR: usize = 4;

/// Words that join others, one easily written for another.
const JOINING: [&str; 14] =
    ["of", "for", "in", "at", "on", "to", "from", "by", "with", "when", "where", "then", "is", "="];

/// Of these each is easily meant as it stands: `lower hull to 1` is not by 1.
const CONTRARY: [[&str; 2]; 2] = [["to", "by"], ["to", "from"]];

/// Words of one letter more or less than others that say another thing: `an` is as often another
/// article as `any`.
const NO_SLIPS: [&str; 8] = ["an", "no", "not", "nor", "neither", "cannot", "except", "only"];

/// Items whose text in quotes is no title that may be missing, but must be there.
const TEXTED: [&str; 4] = ["ruleset", "section", "clause", "case"];

/// Words and signs that join what stands before and after them: what stands twice may have lost what
/// it joins.
const JOINS_TWO: [&str; 10] = ["and", "or", ",", "to", "of", "is", "+", "-", "*", "/"];

impl Lattice {
    /// Adds all changes of the tokens in the window; `known` says whether a word stands elsewhere in
    /// the text.
    pub(super) fn change(&mut self, text: &str, tokens: &[Token], known: &dyn Fn(&str) -> bool) {
        let all = self.tokens.clone();
        let literal: Vec<bool> = all.iter().map(is_literal).collect();
        let changes = Changes { all: &all, literal: &literal, known, text, tokens };
        let first = self.window.start.saturating_sub(self.reach);
        for at in first..self.window.end {
            let before = self.edits.len();
            if self.window.contains(&at) {
                self.words(&changes, at);
                self.neighbours(&changes, at);
                self.moved(&changes, at);
            }
            self.edits.iter_mut().skip(before).for_each(|edit| edit.slip = true);
            for synonym in synonyms::all() {
                self.synonym(&changes, at, synonym);
            }
            for (length, with) in calls::calls(all.get(at..).unwrap_or_default()) {
                let cost = if all.get(at).is_some_and(|t| t.text == "(") { SPARE } else { CALLED };
                self.edit(at..at + length, with, cost, true);
            }
            for list in lists::lists(all.get(at..).unwrap_or_default()) {
                self.edit(at..at + list.length, list.with, LISTED, true);
            }
            for (length, with) in turned(all.get(at..).unwrap_or_default()) {
                self.edit(at..at + length, with, TURNED, true);
            }
        }
        self.beginnings(&changes);
        self.quoted(&changes);
    }

    /// Other words for one: its spelling, and what joins as it does.
    fn words(&mut self, changes: &Changes<'_>, at: usize) {
        let Some(token) = changes.all.get(at) else { return };
        let word = token.text.as_str();
        let one = |text: &str| vec![taken(text)];
        let lower = word.to_ascii_lowercase();
        if lower != word && (scan::is_dice(&lower) || grammar::words().any(|w| w == lower)) {
            self.edit(at..at + 1, one(&lower), LETTER, true);
        }
        if token.looks == Looks::Word && word.len() >= 2 && !NO_SLIPS.contains(&word) {
            let mut near: Vec<(u8, &str)> =
                grammar::words().filter_map(|near| spelt(near, word)).collect();
            let before_name = changes.all.get(at + 1).is_some_and(|t| scan::is_name(&t.text));
            near.retain(|(_, near)| before_name || !VALUES.contains(near));
            let known = !near.is_empty() && (RESERVED.contains(&word) || (changes.known)(word));
            for (cost, near) in near {
                let before = self.edits.len();
                self.edit(at..at + 1, one(near), cost + if known { KNOWN } else { 0 }, true);
                self.edits.iter_mut().skip(before).for_each(|edit| edit.spells = true);
            }
        }
        // `expect's`: what stands so is no fact of anything.
        let sign = |at: usize, text: &str| {
            changes.all.get(at).is_some_and(|token| token.glued && token.text == text)
        };
        if token.looks == Looks::Word && sign(at + 1, "'") && sign(at + 2, "s") {
            self.edit(at..at + 3, one(word), POSSESSIVE, true);
        }
        for (first, second) in changes.run_together(word) {
            self.edit(at..at + 1, vec![taken(first), taken(second)], BLANK, true);
        }
        for (first, second) in changes.begins_glued(at, word) {
            self.edit(at..at + 1, vec![taken(first), taken(second)], BLANK, true);
        }
        if RESERVED.contains(&word) {
            self.edit(at..at + 1, Vec::new(), LEFT_OUT, false);
        }
        if JOINING.contains(&word) {
            let contrary =
                |other| CONTRARY.iter().any(|pair| pair.contains(&word) && pair.contains(&other));
            for other in JOINING.into_iter().filter(|other| *other != word && !contrary(*other)) {
                self.edit(at..at + 1, one(other), JOINT, true);
            }
        }
        // `the strengths of own armies`: a fact has one name.
        let singular =
            word.strip_suffix('s').filter(|one| scan::is_name(one) && scan::is_name(word));
        if let Some(one_of) = singular.filter(|one| (changes.known)(one) && !(changes.known)(word))
        {
            self.edit(at..at + 1, one(one_of), SINGULAR, true);
        }
        let inner = word.strip_prefix('"').and_then(|w| w.strip_suffix('"'));
        let name = inner.map(|inner| inner.trim().replace(' ', "_"));
        if let Some(name) = name.filter(|name| scan::is_name(name) || scan::is_numeral(name)) {
            // Behind a kind it is the title of what stands there, whose name may be missing.
            let before = at.checked_sub(1).and_then(|at| changes.all.get(at));
            let after_head = before.is_some_and(|t| matches!(t.text.as_str(), "space" | "put"));
            let head = changes.line_word(at);
            let kind = name.contains('_') || !after_head;
            let title = kind && matches!(head, "space" | "put");
            self.edit(at..at + 1, one(&name), UNQUOTED, !title);
        }
    }

    /// A token and the next: twice the same, in the other order, or one name.
    fn neighbours(&mut self, changes: &Changes<'_>, at: usize) {
        let (Some(one), Some(two)) = (changes.all.get(at), changes.all.get(at + 1)) else { return };
        if one.looks == Looks::Line || two.looks == Looks::Line {
            return;
        }
        let gap = changes.gap(at);
        if one.text == two.text {
            if changes.spare(&self.window, &one.text) {
                // Two words that join stand behind one blank where one is too many; what was taken
                // out between them leaves two.
                let sign = matches!(one.text.as_str(), "," | "+" | "-" | "*" | "/");
                let sure = !JOINS_TWO.contains(&one.text.as_str()) || !sign && gap == " ";
                // One bracket too many may as well be its other one too few; what is written on
                // purpose has no blank between the two.
                let bracket = matches!(one.text.as_str(), "(" | ")" | "[" | "]");
                let cost = if bracket && gap.is_empty() { INSERTED } else { LETTER };
                self.edit(at..at + 1, Vec::new(), cost, sure);
            }
            return;
        }
        // `5/2 2`: a part of a number twice.
        if one.looks == Looks::Number && two.looks == Looks::Number {
            let (of_one, of_two) = (one.text.split_once('/'), two.text.split_once('/'));
            if of_one.is_some_and(|(_, under)| under == two.text) {
                self.edit(at + 1..at + 2, Vec::new(), LETTER, gap == " ");
            } else if of_two.is_some_and(|(over, _)| over == one.text) {
                self.edit(at..at + 1, Vec::new(), LETTER, gap == " ");
            }
        }
        // `supply, first match`: a comma before a word of the language joins nothing.
        let of = |at: usize| changes.literal.get(at) == Some(&true);
        if one.text == "," && two.looks == Looks::Word && of(at + 1) {
            self.edit(at..at + 1, Vec::new(), COMMA, true);
        }
        if one.text != "not" && two.text != "not" {
            let cost = if of(at) || of(at + 1) { SWAPPED } else { SWAPPED_NAMES };
            // Behind a sign that nothing follows a value is missing, as likely as not.
            let sign = matches!(two.text.as_str(), "+" | "-" | "*" | "/");
            let value = |t: &Taken| t.looks == Looks::Number || scan::is_name(&t.text);
            let sure = !sign || changes.all.get(at + 2).is_some_and(value) && !of(at + 2);
            self.edit(at..at + 2, vec![two.clone(), one.clone()], cost, sure);
        }
        // The same over a text.
        if let Some(three) = changes.all.get(at + 2).filter(|_| two.looks == Looks::Text)
            && three.looks != Looks::Line
            && three.text != one.text
        {
            let with = vec![three.clone(), two.clone(), one.clone()];
            self.edit(at..at + 3, with, SWAPPED_NAMES, true);
        }
        if one.looks == Looks::Word && two.looks == Looks::Word {
            let with = taken(&format!("{}{}", one.text, two.text));
            let whole = |word: &str| changes.means(word);
            if whole(&with.text) && !(whole(&one.text) && whole(&two.text)) {
                self.edit(at..at + 2, vec![with], BLANK, true);
            }
        }
        if scan::is_name(&one.text) && scan::is_name(&two.text) {
            let with = taken(&format!("{}_{}", one.text, two.text));
            if (changes.known)(&with.text) {
                self.edit(at..at + 2, vec![with], ONE_NAME, true);
            }
        }
    }

    /// Some tokens behind others of their line.
    fn moved(&mut self, changes: &Changes<'_>, at: usize) {
        for length in 1..=MOST_MOVED {
            let Some(group) = changes.all.get(at..at + length) else { return };
            for over in 1..=MOST_OVER {
                let (from, to) = (at + length, at + length + over);
                let Some(others) = changes.all.get(from..to).filter(|_| length + over > 2) else {
                    continue;
                };
                let both = others.iter().chain(group);
                let stays = |t: &Taken| {
                    t.looks == Looks::Line
                        || STANCES.contains(&t.text.as_str())
                        || matches!(
                            t.text.as_str(),
                            "not" | "and" | "or" | "|" | "(" | ")" | "[" | "]" | "{" | "}"
                        )
                };
                let denies = both.clone().any(stays);
                let bound = changes.literal.get(at..to).is_some_and(|all| all.contains(&true));
                if !denies && bound {
                    // What is far from where it may stand was hardly meant there.
                    let near = length + over <= MOST_NEAR;
                    self.edit(at..to, both.cloned().collect(), MOVED, near);
                }
            }
        }
    }

    fn synonym(&mut self, changes: &Changes<'_>, at: usize, synonym: &Synonym) {
        let rest = changes.all.get(at..).unwrap_or_default();
        let mut found = synonym.of(rest);
        // `no enemy` asks for units, and `not enemy` who holds the space.
        let word = |at: usize| rest.get(at).map_or("", |token| token.text.as_str());
        if word(0) == "no" && STANCES.contains(&word(1)) {
            found.retain(|with| !matches!(with.as_slice(), [one] if one.text == "not"));
        }
        // A word of the game's own may be meant as it stands.
        let own = !found.is_empty()
            && synonym.words().any(|word| {
                scan::is_name(word)
                    && !grammar::words().any(|known| known == word)
                    && (changes.known)(word)
            });
        for with in found {
            let cost = synonym.cost + if own { KNOWN } else { 0 };
            self.edit(at..at + synonym.length(), with, cost, synonym.sure);
        }
    }

    /// Other words at the beginnings of lines.
    fn beginnings(&mut self, changes: &Changes<'_>) {
        let noun = changes.all.first().map_or("", |token| token.text.as_str()).to_owned();
        for at in self.window.clone() {
            let before = at.checked_sub(1).and_then(|at| changes.all.get(at));
            let Some(token) = changes.all.get(at).filter(|t| t.looks == Looks::Word) else {
                continue;
            };
            let words: &[&str] = match (at, LINE_WORDS.iter().find(|(n, _)| *n == noun)) {
                (0, _) => &ITEM_WORDS,
                (_, Some((_, words))) if before.is_some_and(|b| b.looks == Looks::Line) => words,
                _ => continue,
            };
            for word in words.iter().filter(|word| **word != token.text) {
                self.edit(at..at + 1, vec![taken(word)], BEGINNING, true);
            }
        }
    }

    /// What stands between single quotes.
    fn single_quoted(&mut self, text: &str, at: usize, rest: &[Token]) {
        let of = |token: &Token| text.get(token.range.clone()).unwrap_or_default();
        let close = rest.iter().skip(1).position(|token| of(token) == "'" || of(token) == "\n");
        let (Some(open), Some(close)) = (rest.first(), close.map(|at| at + 1)) else { return };
        let inner = rest.get(close).filter(|last| of(open) == "'" && of(last) == "'");
        let inner = inner.and_then(|last| text.get(open.range.end..last.range.start));
        if let Some(inner) = inner.filter(|inner| !inner.contains('"')) {
            let with = Taken { looks: Looks::Text, text: format!("\"{inner}\""), glued: false };
            self.edit(at..at + close + 1, vec![with], UNQUOTED, true);
        }
    }

    /// What stands up to the end of its line, in quotes.
    fn quoted(&mut self, changes: &Changes<'_>) {
        let (text, tokens) = (changes.text, changes.tokens);
        let stops = |token: &Token| {
            let sign = text.get(token.range.clone()).unwrap_or_default();
            token.looks == Looks::Line || matches!(sign, "{" | "[" | "prefix")
        };
        for at in self.window.clone().skip(1) {
            let rest = tokens.get(at..self.window.end).unwrap_or_default();
            self.single_quoted(text, at, rest);
            let length = rest.iter().position(stops).unwrap_or(rest.len());
            let (Some(first), Some(last)) =
                (rest.first(), length.checked_sub(1).and_then(|last| rest.get(last)))
            else {
                continue;
            };
            let inner = text.get(first.range.start..last.range.end).unwrap_or_default();
            let begins = at.checked_sub(1).and_then(|at| tokens.get(at));
            let begins = begins.is_none_or(|before| before.looks == Looks::Line);
            if first.looks == Looks::Word && !begins && !inner.contains('"') {
                // What holds signs of the language is no title, nor are words that a newcomer
                // may well mean as rules: where no title has to stand, it begins with a capital.
                let texted = TEXTED.contains(&changes.line_word(at));
                let plain = !inner.contains(['(', ')', '|', '=', '*', '+']);
                if !texted && !inner.starts_with(char::is_uppercase) {
                    continue;
                }
                let with = Taken { looks: Looks::Text, text: format!("\"{inner}\""), glued: false };
                // `clause b: No line enters ...`
                let before = at.checked_sub(1).and_then(|at| tokens.get(at));
                let sign = before.and_then(|t| text.get(t.range.clone()));
                if matches!(sign, Some(":" | "." | ")")) && self.window.contains(&(at - 1)) {
                    self.edit(at - 1..at + length, vec![with.clone()], QUOTED, plain);
                }
                self.edit(at..at + length, vec![with], QUOTED, plain);
            }
        }
    }
}

/// What is written, as changes are made of it.
struct Changes<'a> {
    all: &'a [Taken],
    /// Which of them are of the language and not of the author.
    literal: &'a [bool],
    known: &'a dyn Fn(&str) -> bool,
    text: &'a str,
    tokens: &'a [Token],
}

impl Changes<'_> {
    /// What stands between a token and the next.
    fn gap(&self, at: usize) -> &str {
        let end = self.tokens.get(at).map_or(0, |token| token.range.end);
        let start = self.tokens.get(at + 1).map_or(0, |token| token.range.start);
        self.text.get(end..start).unwrap_or_default()
    }

    /// Whether a word is one of the language, or stands elsewhere.
    fn means(&self, word: &str) -> bool {
        grammar::words().any(|known| known == word) || (self.known)(word)
    }

    /// The two words that a word may be without the blank between them.
    fn run_together<'w>(&self, word: &'w str) -> Vec<(&'w str, &'w str)> {
        let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !plain || word.len() > MOST_LETTERS || scan::is_dice(word) || self.means(word) {
            return Vec::new();
        }
        let cuts = (1..word.len()).filter_map(|at| word.split_at_checked(at));
        let reads = |part: &str| scan::is_numeral(part) || part.len() > 1 && self.means(part);
        cuts.filter(|(first, second)| reads(first) && reads(second)).collect()
    }

    /// The word that begins a line and the name behind it, without the blank between them:
    /// `rowburden`.
    fn begins_glued<'w>(&self, at: usize, word: &'w str) -> Vec<(&'w str, &'w str)> {
        let begins = at.checked_sub(1).and_then(|at| self.all.get(at));
        if begins.is_some_and(|token| token.looks != Looks::Line) || word.len() > MOST_LETTERS {
            return Vec::new();
        }
        let lines = LINE_WORDS.iter().flat_map(|(_, words)| words.iter());
        let mut found: Vec<(&str, &str)> = Vec::new();
        for first in lines.chain(&ITEM_WORDS) {
            let rest = word.strip_prefix(first).filter(|rest| scan::is_name(rest));
            if let Some((first, rest)) =
                rest.and_then(|rest| word.split_at_checked(word.len() - rest.len()))
                && !found.contains(&(first, rest))
            {
                found.push((first, rest));
            }
        }
        found
    }

    /// The first word of the line of a token.
    fn line_word(&self, at: usize) -> &str {
        let before = self.all.get(..at).unwrap_or_default();
        let start = before.iter().rposition(|t| t.looks == Looks::Line).map_or(0, |line| line + 1);
        self.all.get(start).map_or("", |token| token.text.as_str())
    }

    /// Whether a token that stands twice may be one too many: brackets only where they are.
    fn spare(&self, window: &Range<usize>, text: &str) -> bool {
        let line = self.all.get(window.clone()).unwrap_or_default();
        let count = |sign: &str| line.iter().filter(|token| token.text == sign).count();
        match text {
            "(" => count("(") > count(")"),
            ")" => count(")") > count("("),
            "[" => count("[") > count("]"),
            "]" => count("]") > count("["),
            "-" => false,
            _ => true,
        }
    }
}

/// What a slip of a word of the language costs, if a word is one.
fn spelt<'w>(near: &'w str, word: &str) -> Option<(u8, &'w str)> {
    if near.len() < 2 || word.len() == 2 && near.len() < 3 || near.len().abs_diff(word.len()) > 2 {
        return None;
    }
    match strsim::osa_distance(near, word) {
        // Short words have many neighbours.
        1 if word.len() == 2 => Some((LETTER + 1, near)),
        1 => Some((LETTER, near)),
        // Two letters of a short word are lost at its end alone.
        2 if near.len() >= 6 || near.len() == 5 && near.starts_with(word) => {
            Some((LETTER + 2, near))
        }
        _ => None,
    }
}
