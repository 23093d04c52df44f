//! The limit of depth, checked before anything recurses over a text.
//!
//! Takes screened text, gives at most one fault. Knows only brackets, strings, comments
//! and the two prefix signs of the language. Linear in the text.

use super::span::{SourceId, Span};
use crate::diag::{Diagnostic, code};

/// How deep brackets and the prefix signs before them may nest. What reads a text and what checks it
/// recurse this deep at most, which a stack of 1 MiB has room for.
pub const MAX_DEPTH: usize = 32;

/// What is open at a place.
#[derive(Default)]
struct Open {
    /// The brackets, each with how many signs stand before it within the one around it.
    brackets: Vec<(u8, usize)>,
    /// All those signs.
    before: usize,
    /// The signs `not` since the last bracket or whatever ends the reach of such a sign.
    nots: usize,
    /// The signs that follow each other just now.
    run: usize,
}

/// The first place of a stretch that is nested too deep, if there is one; the stretch begins at
/// `base` of its file.
#[must_use]
pub fn nesting(text: &str, source: SourceId, base: usize) -> Option<Diagnostic> {
    let mut open = Open::default();
    let mut tokens = Tokens { bytes: text.as_bytes(), at: 0 };
    while let Some((token, start)) = tokens.next_token() {
        let full = open.depth() >= MAX_DEPTH;
        match token {
            Token::Open(byte) if full => {
                return Some(deep(Span::of(source, base + start..base + start + 1), byte));
            }
            Token::Sign(len) if full => {
                return Some(long(Span::of(source, base + start..base + start + len)));
            }
            token => open.take(&token),
        }
    }
    None
}

impl Open {
    /// How many brackets and signs a value here stands in.
    fn depth(&self) -> usize {
        self.brackets.len() + self.before + self.nots + self.run
    }

    fn take(&mut self, token: &Token) {
        match token {
            Token::Open(byte) => {
                let signs = self.nots + self.run;
                self.brackets.push((*byte, signs));
                self.before += signs;
                (self.nots, self.run) = (0, 0);
            }
            Token::Close(byte) => self.close(*byte),
            Token::Sign(1) => self.run += 1,
            Token::Sign(_) => self.nots += 1,
            Token::End => (self.nots, self.run) = (0, 0),
            // A line goes on within round brackets alone.
            Token::Line if self.brackets.last().is_none_or(|(byte, _)| *byte == b'{') => {
                (self.nots, self.run) = (0, 0);
            }
            Token::Line => {}
            Token::Other => self.run = 0,
        }
    }

    /// Closes back to the partner, also over brackets left open, so that the slips of one
    /// block are not counted in the next. Round and square ones never reach out of a block.
    fn close(&mut self, byte: u8) {
        let ends = |(b, _): &(u8, usize)| *b == byte || (byte != b'{' && *b == b'{');
        if let Some(at) = self.brackets.iter().rposition(ends)
            && self.brackets.get(at).is_some_and(|(b, _)| *b == byte)
        {
            // The value goes on with the signs that stand before its bracket.
            self.nots = self.brackets.get(at).map_or(0, |(_, signs)| *signs);
            self.run = 0;
            self.before -= self.brackets.iter().skip(at).map(|(_, signs)| signs).sum::<usize>();
            self.brackets.truncate(at);
            if byte == b'{' {
                self.nots = 0;
            }
        }
    }
}

enum Token {
    /// An opening bracket.
    Open(u8),
    /// A closing bracket, as its opening partner.
    Close(u8),
    /// `not` or `-`, with its length.
    Sign(usize),
    /// What a sign before it does not reach over: `and`, `or`, a comma.
    End,
    /// The end of a line.
    Line,
    Other,
}

struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Tokens<'_> {
    fn next_token(&mut self) -> Option<(Token, usize)> {
        loop {
            let start = self.at;
            let byte = *self.bytes.get(start)?;
            self.at += 1;
            let token = match byte {
                b' ' | b'\t' => continue,
                b'\n' => Token::Line,
                b',' => Token::End,
                b'#' => {
                    self.skip(|b| b != b'\n');
                    continue;
                }
                b'"' => {
                    // A string ends with its line, so that a lost quote hides one line only.
                    self.skip(|b| b != b'"' && b != b'\n');
                    self.at += usize::from(self.bytes.get(self.at) == Some(&b'"'));
                    Token::Other
                }
                b'(' | b'[' | b'{' => Token::Open(byte),
                b')' => Token::Close(b'('),
                b']' => Token::Close(b'['),
                b'}' => Token::Close(b'{'),
                b'-' => Token::Sign(1),
                _ if is_word(byte) => {
                    self.skip(is_word);
                    match self.bytes.get(start..self.at) {
                        Some(b"not") => Token::Sign(3),
                        Some(b"and" | b"or") => Token::End,
                        _ => Token::Other,
                    }
                }
                _ => Token::Other,
            };
            return Some((token, start));
        }
    }

    fn skip(&mut self, inside: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|&b| inside(b)) {
            self.at += 1;
        }
    }
}

/// Bytes of a word; those outside ASCII belong to letters.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn deep(span: Span, byte: u8) -> Diagnostic {
    let message =
        format!("brackets and the signs before them are nested more than {MAX_DEPTH} deep");
    Diagnostic::error(code::E0004, span, message)
        .at(format!("this `{}` is one too many", char::from(byte)))
        .help("give the inner part a name with `define`")
}

fn long(span: Span) -> Diagnostic {
    let message = format!("more than {MAX_DEPTH} signs `not` or `-` follow each other");
    Diagnostic::error(code::E0004, span, message)
        .at("this one is one too many")
        .help("two of them undo each other: write one or none")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;

    fn place(text: &str) -> Option<u32> {
        let fault = nesting(text, SourceId(0), 0)?;
        assert_eq!(fault.code, code::E0004);
        Some(fault.primary().unwrap().start)
    }

    #[test]
    fn the_33rd_bracket_is_the_place() {
        for bracket in ["(", "[", "{"] {
            assert_eq!(place(&bracket.repeat(32)), None);
            assert_eq!(place(&bracket.repeat(33)), Some(32));
        }
        assert_eq!(place(&"([{".repeat(11)), Some(32));
        assert_eq!(place(&"()".repeat(5000)), None);
    }

    #[test]
    fn strings_and_comments_do_not_count() {
        let many = "(".repeat(300);
        assert_eq!(place(&format!("\"{many}\" # {many}\n#{many}")), None);
        assert_eq!(place(&format!("\"lost\n{many}")), Some(38));
    }

    #[test]
    fn a_block_forgets_what_was_left_open() {
        assert_eq!(place(&"define a {\n ( [\n}\n".repeat(300)), None);
        assert_eq!(place(&"(}".repeat(33)), Some(64));
        assert_eq!(place(&"{)".repeat(33)), Some(64));
    }

    #[test]
    fn the_33rd_sign_in_a_row_is_the_place() {
        assert_eq!(place(&"not ".repeat(32)), None);
        assert_eq!(place(&"not ".repeat(33)), Some(128));
        assert_eq!(place(&"-".repeat(33)), Some(32));
        assert_eq!(place(&"- not ".repeat(17)), Some(96));
        assert_eq!(place(&"not a - b\n".repeat(500)), None);
        assert_eq!(place(&"not a - b and ".repeat(500)), None);
        assert_eq!(place(&"knot not_a ".repeat(500)), None);
    }

    #[test]
    fn signs_before_brackets_count_with_them() {
        assert_eq!(place(&"not (".repeat(16)), None);
        assert_eq!(place(&"not (".repeat(17)), Some(80));
        assert_eq!(place(&"not a is (".repeat(17)), Some(160));
        assert_eq!(place(&"not a\n- (".repeat(17)), Some(99));
        assert_eq!(place(&"not (a) and ".repeat(500)), None);
        assert_eq!(place(&"(not a, b) ".repeat(500)), None);
        assert_eq!(place(&"when x {\n not (a)\n}\n".repeat(500)), None);
    }

    #[test]
    fn hostile_length_ends_at_once() {
        assert_eq!(place(&"(".repeat(1_000_000)), Some(32));
        assert_eq!(place(&"a ".repeat(1_000_000)), None);
    }
}
