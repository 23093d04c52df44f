//! The words of a text and what each is to the grammar, for an editor's colours and names.
//!
//! Takes screened text; gives its words in order, comments too. A line that the grammar does not
//! read has words by their looks. Knows no meaning.

use std::collections::BTreeMap;
use std::ops::Range;

use pest::{Parser, Token};

use super::split::{self, ITEM_WORDS, Piece};
use super::{FAULTS_PER_ITEM, Grammar, Rule, fault, limit_work, place};
use crate::arrange::Arrange as _;
use crate::source::{SourceId, nesting};

/// What a word is to the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A word of the language.
    Keyword,
    /// A name that an author gave.
    Name,
    /// A clause, in brackets or where it is declared.
    Clause,
    /// A number, or dice.
    Number,
    /// A text in quotes.
    Text,
    /// Punctuation.
    Sign,
    /// From `#` to the end of the line.
    Comment,
}

/// A word and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is.
    pub role: Role,
}

/// The words of items that were read, by their text, counted from its start: an item that only
/// moved is not read again.
#[derive(Default)]
pub struct Known(BTreeMap<String, Vec<Word>>);

/// All words of a text, in order.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    words_again(text, &mut Known::default())
}

/// The same with the items of a text that was read before; those of this one are known then.
#[must_use]
pub fn words_again(text: &str, known: &mut Known) -> Vec<Word> {
    limit_work();
    let mut reader = Reader { text, roles: BTreeMap::new(), found: Vec::new() };
    let mut before = std::mem::take(&mut known.0);
    let pieces = split::pieces(text);
    let first = pieces.first().map_or(text.len(), |p| p.start as usize);
    reader.by_looks(0..first);
    for piece in &pieces {
        let (slice, start) = (piece.of(text), piece.start as usize);
        let own = match before.remove(slice).or_else(|| known.0.get(slice).cloned()) {
            Some(own) => {
                reader.found.extend(own.iter().map(|word| word.moved(0, start)));
                own
            }
            None => {
                let at = reader.found.len();
                reader.piece(piece, true);
                let found = reader.found.get(at..).unwrap_or_default();
                found.iter().map(|word| word.moved(start, 0)).collect()
            }
        };
        known.0.insert(slice.to_owned(), own);
    }
    reader.found
}

impl Word {
    /// The word in another text, in which what stood at `from` stands at `to`.
    fn moved(&self, from: usize, to: usize) -> Word {
        let at = |place: usize| (place + to).saturating_sub(from);
        Word { range: at(self.range.start)..at(self.range.end), role: self.role }
    }
}

struct Reader<'t> {
    text: &'t str,
    roles: BTreeMap<Rule, Role>,
    found: Vec<Word>,
}

impl Reader<'_> {
    fn piece(&mut self, piece: &Piece, outer: bool) {
        let start = piece.start as usize;
        let slice = piece.of(self.text);
        let range = start..start + slice.len();
        let deep = nesting(slice, SourceId::default(), 0).is_some();
        if !piece.is_item || deep || !outer && piece.begins_mistake(self.text) {
            return self.by_looks(range);
        }
        let mut work = slice.to_owned();
        let mut lost: Vec<Range<usize>> = Vec::new();
        for _ in 0..FAULTS_PER_ITEM {
            match Grammar::parse(Rule::one_item, &work) {
                Ok(pairs) => {
                    let leaves = self.leaves(&work, pairs.tokens());
                    return self.all(range, &leaves, &lost);
                }
                Err(error) => {
                    let line = split::logical_line(&work, place(&error, &work));
                    if line.start == 0 || line.is_empty() || lost.contains(&line) {
                        break;
                    }
                    split::blank(&mut work, line.clone());
                    lost.push(line);
                }
            }
        }
        self.by_looks(range);
    }

    /// The leaves of a tree with their roles; the text of a mistake is one leaf without a role.
    fn leaves<'i>(
        &mut self,
        text: &str,
        tokens: impl Iterator<Item = Token<'i, Rule>>,
    ) -> Vec<(Range<usize>, Option<Role>)> {
        let mut found = Vec::new();
        let mut open: Option<(Rule, usize)> = None;
        for token in tokens {
            match token {
                Token::Start { rule, pos } => open = Some((rule, pos.pos())),
                Token::End { pos, .. } => {
                    let Some((rule, from)) = open.take() else { continue };
                    if rule == Rule::mistake_text {
                        found.push((from..pos.pos(), None));
                    } else if rule == Rule::comma {
                        // A comma takes the line end after it along.
                        found.push((from..from + 1, Some(Role::Sign)));
                    } else if rule == Rule::word_or_number {
                        // Behind `but` stand words that only the whole item gives a meaning.
                        let word = text.get(from..pos.pos()).unwrap_or_default();
                        found.push((from..pos.pos(), Some(looks(word))));
                    } else if pos.pos() > from {
                        let role = *self.roles.entry(rule).or_insert_with(|| role(rule));
                        found.push((from..pos.pos(), Some(role)));
                    }
                }
            }
        }
        found
    }

    /// The words of an item that was read: its leaves, and what stands between them.
    fn all(
        &mut self,
        range: Range<usize>,
        leaves: &[(Range<usize>, Option<Role>)],
        lost: &[Range<usize>],
    ) {
        let base = range.start;
        let mut at = base;
        let mut lost: Vec<Range<usize>> =
            lost.iter().map(|l| base + l.start..base + l.end).collect();
        lost.arrange_by_key(|l| l.start);
        for (leaf, role) in leaves {
            let leaf = base + leaf.start..base + leaf.end;
            self.between(at..leaf.start, &lost);
            at = leaf.end;
            match role {
                Some(role) => self.push(leaf, *role),
                None => {
                    let pieces = split::pieces_within(self.text, leaf.clone());
                    let first = pieces.first().map_or(leaf.end, |p| p.start as usize);
                    self.by_looks(leaf.start..first.max(leaf.start));
                    pieces.iter().for_each(|piece| self.piece(piece, false));
                }
            }
        }
        self.between(at..range.end, &lost);
    }

    /// Comments, and lines that were lost.
    fn between(&mut self, range: Range<usize>, lost: &[Range<usize>]) {
        let within = |l: &&Range<usize>| l.start >= range.start && l.end <= range.end;
        let mut at = range.start;
        for line in lost.iter().filter(within) {
            self.comments(at..line.start);
            self.by_looks(line.clone());
            at = line.end;
        }
        self.comments(at..range.end);
    }

    fn comments(&mut self, range: Range<usize>) {
        let text = self.text;
        let mut at = range.start;
        for line in text.get(range).unwrap_or_default().split_inclusive('\n') {
            if let Some(hash) = line.find('#') {
                self.push(at + hash..at + line.trim_end().len(), Role::Comment);
            }
            at += line.len();
        }
    }

    fn push(&mut self, range: Range<usize>, role: Role) {
        if range.end > range.start {
            self.found.push(Word { range, role });
        }
    }

    /// The words of a stretch that the grammar does not read.
    fn by_looks(&mut self, range: Range<usize>) {
        let text = self.text;
        let slice = text.get(range.clone()).unwrap_or_default();
        let mut at = 0;
        let mut cited = false;
        while let Some(c) = slice.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = slice.get(at..).unwrap_or_default();
            let until = |stop: &dyn Fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
            let (length, role) = match c {
                '#' => (until(&|c| c == '\n'), Some(Role::Comment)),
                '"' => {
                    let line = until(&|c| c == '\n');
                    let inner = rest.get(1..line).unwrap_or_default();
                    (inner.find('"').map_or(line, |end| end + 2), Some(Role::Text))
                }
                c if c.is_ascii_alphanumeric() && cited => {
                    let end = |c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-';
                    (until(&end), Some(Role::Clause))
                }
                c if c.is_ascii_alphanumeric() || c == '_' => {
                    let length = until(&|c| !c.is_ascii_alphanumeric() && c != '_');
                    (length, Some(looks(rest.get(..length).unwrap_or_default())))
                }
                c if c.is_whitespace() => (c.len_utf8(), None),
                c => {
                    cited = (cited || c == '[') && c != ']';
                    (c.len_utf8(), Some(Role::Sign))
                }
            };
            let length = length.max(c.len_utf8());
            if let Some(role) = role {
                self.push(range.start + at..range.start + at + length, role);
            }
            at += length;
        }
    }
}

/// What a word looks like by itself.
fn looks(word: &str) -> Role {
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        Role::Number
    } else if fault::RESERVED.contains(&word) || ITEM_WORDS.contains(&word) {
        Role::Keyword
    } else {
        Role::Name
    }
}

fn role(rule: Rule) -> Role {
    match rule {
        Rule::name | Rule::hex_digits => Role::Name,
        Rule::clause_ref => Role::Clause,
        Rule::numeral | Rule::dice => Role::Number,
        Rule::string => Role::Text,
        Rule::diag_code => Role::Clause,
        _ if format!("{rule:?}").starts_with("k_") => Role::Keyword,
        _ => Role::Sign,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "a failed test may abort")]

    use super::*;

    fn spoken(text: &str) -> Vec<(&str, Role)> {
        words(text).into_iter().map(|w| (&text[w.range], w.role)).collect()
    }

    #[test]
    fn a_word_of_a_slot_may_be_a_name_elsewhere() {
        let found = spoken("kind army is unit {\n  has source in points from 0 to 9 # x\n}\n");
        assert_eq!(found[0], ("kind", Role::Keyword));
        assert_eq!(found[1], ("army", Role::Name));
        assert!(found.contains(&("source", Role::Name)));
        assert!(found.contains(&("has", Role::Keyword)));
        assert!(found.contains(&("# x", Role::Comment)));
    }

    #[test]
    fn a_broken_line_hides_no_other() {
        let found = spoken("kind army is unit {\n  has\n  has led yes or no\n}\n");
        // `unit` is the name of a kind; the first `has`, alone on its line, is read by its looks.
        let keywords = ["kind", "is", "has", "yes", "or", "no"];
        let read: Vec<&str> =
            found.iter().filter(|(_, r)| *r == Role::Keyword).map(|(word, _)| *word).collect();
        assert_eq!(read, keywords, "{found:?}");
        assert!(found.contains(&("has", Role::Name)) && found.contains(&("led", Role::Name)));
        let kind = spoken("kind army is unit {\n  has led yes or no\n}\nsides Red, 3 [1a]\n");
        assert!(kind.contains(&("led", Role::Name)));
        assert!(kind.contains(&("1a", Role::Clause)));
    }
}
