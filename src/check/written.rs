//! What a ruleset says, as text: the words of its items with the changes of variants in them.
//!
//! Takes resolved items and the files; gives tokens, each with its place. Two views are made of
//! them: the text that prints a variant whole, and the text that is hashed.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::fold::{Piece, Resolved, ResolvedItem};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::ItemKind;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Blanks.
    Blank,
    /// The end of a line.
    Newline,
    /// From `#` to the end of the line.
    Comment,
    /// A text in quotes.
    Quoted,
    /// Letters and digits.
    Word,
    /// A clause in brackets, as every file of the ruleset may write it.
    Cite,
    /// Any other sign.
    Sign,
}

/// A token with its place; none for a sign that no author wrote.
#[derive(Debug, Clone)]
pub struct Token<'t> {
    /// What it is.
    pub sort: Sort,
    /// Its text.
    pub text: Cow<'t, str>,
    /// Where it stands.
    pub at: Option<Span>,
}

impl Resolved {
    /// The full id of a clause, with the prefix of the file that declares it; none if the item is
    /// no clause.
    #[must_use]
    pub fn clause_ids(&self) -> Vec<Option<String>> {
        let mut section = None;
        self.items
            .iter()
            .map(|item| match &item.item.kind {
                ItemKind::Section(s) => {
                    section = Some((item.item.span.source, s.number.as_ref()));
                    None
                }
                ItemKind::Clause(clause) => {
                    let label = &clause.label;
                    let number =
                        section.filter(|(file, _)| *file == label.span.source).and_then(|(_, n)| n);
                    let number = number.map_or("", |n| n.text.as_str());
                    Some(match &clause.of {
                        Some(prefix) => format!("{}-{}", prefix.text, label.text),
                        None => {
                            // `14` and `11` are not `141` and `1`.
                            let digits = number.ends_with(|c: char| c.is_ascii_digit())
                                && label.text.starts_with(|c: char| c.is_ascii_digit());
                            let dot = if digits { "." } else { "" };
                            format!("{}-{number}{dot}{}", self.prefix_of(label.span), label.text)
                        }
                    })
                }
                _ => None,
            })
            .collect()
    }

    /// The prefix of the clauses of a file.
    #[must_use]
    pub fn prefix_of(&self, place: Span) -> &str {
        self.prefixes.get(place.source.0 as usize).map_or("", String::as_str)
    }
}

/// The tokens of an item, clauses in brackets in full where their file has another prefix than the
/// ruleset.
#[must_use]
pub fn tokens<'t>(
    item: &ResolvedItem,
    resolved: &Resolved,
    sources: &'t SourceMap,
    clauses: &BTreeSet<String>,
) -> Vec<Token<'t>> {
    let own = resolved.head.as_ref().map_or("", |h| h.prefix.text.as_str());
    let mut found = Vec::new();
    let mut cited = false;
    for piece in item.rope.pieces() {
        let (text, start) = match piece {
            Piece::Text(span) => (sources.slice(*span), Some(*span)),
            Piece::Joint(sign) => (*sign, None),
        };
        for (sort, range) in split(text, &mut cited) {
            let at = start.map(|s| {
                Span::of(s.source, s.start as usize + range.start..s.start as usize + range.end)
            });
            let text = text.get(range).unwrap_or("");
            let text = match (sort, at) {
                (Sort::Cite, Some(at)) if resolved.prefix_of(at) != own => {
                    let full = format!("{}-{text}", resolved.prefix_of(at));
                    if clauses.contains(&full) { Cow::Owned(full) } else { Cow::Borrowed(text) }
                }
                _ => Cow::Borrowed(text),
            };
            found.push(Token { sort, text, at });
        }
    }
    found
}

/// The words of a place, without comments and with one blank between them.
#[must_use]
pub fn folded(sources: &SourceMap, place: Span) -> String {
    folded_text(sources.slice(place))
}

/// The same of a text.
pub(super) fn folded_text(text: &str) -> String {
    let mut out = String::new();
    let mut gap = false;
    for (sort, range) in split(text, &mut false) {
        match sort {
            Sort::Blank | Sort::Newline | Sort::Comment => gap = !out.is_empty(),
            _ => {
                if std::mem::take(&mut gap) {
                    out.push(' ');
                }
                out.push_str(text.get(range).unwrap_or(""));
            }
        }
    }
    out
}

/// A place without the blanks and comments at its end; what is put behind it must not fall into a
/// comment.
#[must_use]
pub fn bare(sources: &SourceMap, place: Span) -> Span {
    let tokens = split(sources.slice(place), &mut false);
    let last = tokens
        .iter()
        .rev()
        .find(|(sort, _)| !matches!(sort, Sort::Blank | Sort::Newline | Sort::Comment));
    let length = last.map_or(0, |(_, range)| range.end);
    Span::of(place.source, place.start as usize..place.start as usize + length)
}

/// Cuts a text into tokens; what stands in brackets is told across the pieces of an item.
pub(super) fn split(text: &str, cited: &mut bool) -> Vec<(Sort, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let until = |stop: &dyn Fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
        let (sort, length) = match first {
            '\n' => (Sort::Newline, 1),
            ' ' | '\t' => (Sort::Blank, until(&|c| c != ' ' && c != '\t')),
            '#' => (Sort::Comment, until(&|c| c == '\n')),
            '"' => (
                Sort::Quoted,
                rest.get(1..).and_then(|r| r.find('"')).map_or(rest.len(), |end| end + 2),
            ),
            c if *cited && c.is_ascii_alphanumeric() => {
                (Sort::Cite, until(&|c| !c.is_ascii_alphanumeric() && c != '.' && c != '-'))
            }
            c if c.is_ascii_alphanumeric() || c == '_' => {
                (Sort::Word, until(&|c| !c.is_ascii_alphanumeric() && c != '_'))
            }
            c => {
                *cited = (*cited || c == '[') && c != ']';
                (Sort::Sign, c.len_utf8())
            }
        };
        found.push((sort, start..start + length));
        rest = rest.get(length..).unwrap_or("");
    }
    found
}
