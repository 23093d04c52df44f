//! Tokens of an item that the grammar may not read: words, numbers, texts, signs and line ends, each
//! with its place.

use std::ops::Range;

use crate::syntax::fault::RESERVED;

/// What a token looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looks {
    /// A letter, then letters, digits and underscores.
    Word,
    /// Anything else that begins with a digit: `7`, `5/2`, `2d6`, `22.3a`.
    Number,
    /// A text in quotes.
    Text,
    /// A sign, of several characters if other languages write it so.
    Sign,
    /// The end of a line, with all blank lines and comments behind it.
    Line,
    /// The end of the item.
    End,
}

/// A token of what is written.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// What it looks like.
    pub(super) looks: Looks,
    /// Where it stands.
    pub(super) range: Range<usize>,
}

/// Signs of other languages that are one token; longer ones first.
const SIGNS: [&str; 19] = [
    "===", "!==", "...", "->", "=>", ">=", "<=", "=<", "==", "!=", "<>", "/=", ":=", "&&", "||",
    "**", "+=", "-=", "..",
];

/// The tokens of a stretch of a text.
pub(super) fn scan(text: &str, stretch: Range<usize>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let (mut at, mut cited) = (stretch.start, false);
    while let Some(rest) = text.get(at..stretch.end).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let behind_clause = found.last().is_some_and(|t| {
            matches!(text.get(t.range.clone()), Some("clause" | "section" | "sutler"))
        });
        let (looks, length) = match first {
            '\n' => (Some(Looks::Line), 1),
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            ' ' | '\t' => (None, 1),
            '"' => (Some(Looks::Text), quoted(rest)),
            c if c.is_ascii_alphanumeric() || c == '_' => {
                let reference = cited || behind_clause;
                let looks = if c.is_ascii_digit() { Looks::Number } else { Looks::Word };
                (Some(looks), word(rest, reference))
            }
            c => (Some(Looks::Sign), sign(rest).unwrap_or(c.len_utf8())),
        };
        cited = (cited || first == '[') && first != ']' && first != '\n';
        let line_again = looks == Some(Looks::Line)
            && found.last().is_none_or(|last: &Token| last.looks == Looks::Line);
        if let Some(looks) = looks.filter(|_| !line_again) {
            found.push(Token { looks, range: at..at + length });
        }
        at += length;
    }
    found
}

fn quoted(rest: &str) -> usize {
    let line = rest.find('\n').unwrap_or(rest.len());
    let inner = rest.get(1..line).unwrap_or_default();
    inner.find('"').map_or(line, |end| end + 2)
}

fn sign(rest: &str) -> Option<usize> {
    SIGNS.iter().find(|sign| rest.starts_with(**sign)).map(|sign| sign.len())
}

/// The length of a word or number; with `reference`, points and dashes within it are part of it.
fn word(rest: &str, reference: bool) -> usize {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = |text: &str| text.find(|c| !joins(c)).unwrap_or(text.len());
    let mut length = end(rest);
    // `5/2` is one number; `22.3a` one clause.
    let number = rest.get(..length).is_some_and(is_digits);
    while let Some(more) = rest.get(length + 1..).filter(|more| more.starts_with(joins)) {
        let goes_on = match rest.as_bytes().get(length) {
            Some(b'.' | b'-') => reference,
            Some(b'/') => number && is_digits(more.get(..end(more)).unwrap_or_default()),
            _ => false,
        };
        if !goes_on {
            break;
        }
        length += 1 + end(more);
    }
    length
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a text is a name.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !RESERVED.contains(&text)
}

/// Whether a text is a number as the language writes it.
pub(super) fn is_numeral(text: &str) -> bool {
    match text.split_once('/') {
        Some((over, under)) => is_digits(over) && is_digits(under),
        None => is_digits(text),
    }
}

/// Whether a text is a throw of dice.
pub(super) fn is_dice(text: &str) -> bool {
    text.split_once('d').is_some_and(|(count, faces)| is_digits(count) && is_digits(faces))
}

/// Whether a text is a number of a version.
pub(super) fn is_version(text: &str) -> bool {
    text.contains('.') && text.split('.').all(is_digits)
}

/// Whether a text is the number of a clause.
pub(super) fn is_clause(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'))
}
