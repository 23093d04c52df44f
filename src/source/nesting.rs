//! The limit of depth, checked before anything recurses over a text.
//!
//! Takes screened text, gives at most one fault. Knows only brackets, strings, comments
//! and the two prefix signs of the language. Linear in the text.

use super::span::{SourceId, Span};
use crate::diag::{Diagnostic, code};

/// How deep brackets may nest, and how many prefix signs may follow each other.
pub const MAX_DEPTH: usize = 128;

/// The first place of a stretch that is nested too deep, if there is one; the stretch begins at
/// `base` of its file.
#[must_use]
pub fn nesting(text: &str, source: SourceId, base: usize) -> Option<Diagnostic> {
    let mut open: Vec<u8> = Vec::with_capacity(MAX_DEPTH);
    let mut signs = 0usize;
    let mut tokens = Tokens { bytes: text.as_bytes(), at: 0 };
    while let Some((token, start)) = tokens.next_token() {
        match token {
            Token::Open(byte) if open.len() == MAX_DEPTH => {
                return Some(deep(Span::of(source, base + start..base + start + 1), byte));
            }
            Token::Open(byte) => open.push(byte),
            Token::Close(byte) => close(&mut open, byte),
            Token::Sign(len) if signs == MAX_DEPTH => {
                return Some(long(Span::of(source, base + start..base + start + len)));
            }
            Token::Sign(_) | Token::Other => {}
        }
        signs = if matches!(token, Token::Sign(_)) { signs + 1 } else { 0 };
    }
    None
}

/// Closes back to the partner, also over brackets left open, so that the slips of one
/// block are not counted in the next. Round and square ones never reach out of a block.
fn close(open: &mut Vec<u8>, byte: u8) {
    let partner = open.iter().rposition(|&b| b == byte || (byte != b'{' && b == b'{'));
    if let Some(at) = partner
        && open.get(at) == Some(&byte)
    {
        open.truncate(at);
    }
}

enum Token {
    /// An opening bracket.
    Open(u8),
    /// A closing bracket, as its opening partner.
    Close(u8),
    /// `not` or `-`, with its length.
    Sign(usize),
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
                b' ' | b'\t' | b'\n' => continue,
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
    let message = format!("brackets are nested more than {MAX_DEPTH} deep");
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
    fn the_129th_bracket_is_the_place() {
        for bracket in ["(", "[", "{"] {
            assert_eq!(place(&bracket.repeat(128)), None);
            assert_eq!(place(&bracket.repeat(129)), Some(128));
        }
        assert_eq!(place(&"([{".repeat(43)), Some(128));
        assert_eq!(place(&"()".repeat(5000)), None);
    }

    #[test]
    fn strings_and_comments_do_not_count() {
        let many = "(".repeat(300);
        assert_eq!(place(&format!("\"{many}\" # {many}\n#{many}")), None);
        assert_eq!(place(&format!("\"lost\n{many}")), Some(134));
    }

    #[test]
    fn a_block_forgets_what_was_left_open() {
        assert_eq!(place(&"define a {\n ( [\n}\n".repeat(300)), None);
        assert_eq!(place(&"(}".repeat(129)), Some(256));
        assert_eq!(place(&"{)".repeat(129)), Some(256));
    }

    #[test]
    fn the_129th_sign_in_a_row_is_the_place() {
        assert_eq!(place(&"not ".repeat(128)), None);
        assert_eq!(place(&"not ".repeat(129)), Some(512));
        assert_eq!(place(&"-".repeat(129)), Some(128));
        assert_eq!(place(&"- not\n".repeat(65)), Some(384));
        assert_eq!(place(&"not a - ".repeat(500)), None);
        assert_eq!(place(&"knot not_a ".repeat(500)), None);
    }

    #[test]
    fn hostile_length_ends_at_once() {
        assert_eq!(place(&"(".repeat(1_000_000)), Some(128));
        assert_eq!(place(&"a ".repeat(1_000_000)), None);
    }
}
