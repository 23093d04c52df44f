//! JSON text as a tree with byte ranges, and nothing that is almost JSON.
//!
//! Takes text, gives a tree at most [`MAX_DEPTH`] deep, or the first fault. Knows nothing of
//! positions.

use jsonc_parser::errors::{ParseError, ParseErrorKind as Kind};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::tree::Value;
use crate::diag::{Diagnostic, code};
use crate::source::{MAX_DEPTH, SourceId, Span};

/// Strict JSON: whatever the parser would let pass beyond it is off.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The value that a text holds.
pub(super) fn parse(text: &str, source: SourceId) -> Result<Value<'_>, Box<Diagnostic>> {
    if let Some(fault) = walk(text, source) {
        return Err(Box::new(fault));
    }
    match parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(parsed) => parsed.value.map(Value::from).ok_or_else(|| Box::new(empty(text, source))),
        Err(error) => Err(Box::new(syntax(&error, text, source))),
    }
}

/// What must be known before anything recurses over the text, and what the parser lets pass: other
/// spaces between tokens, and line ends and control characters inside strings.
fn walk(text: &str, source: SourceId) -> Option<Diagnostic> {
    let (mut depth, mut string, mut escaped) = (0usize, false, false);
    for (at, c) in text.char_indices() {
        let span = || Span::of(source, at..at + c.len_utf8());
        if string {
            match c {
                '\u{0}'..='\u{1f}' => {
                    let fault = not_json(
                        span(),
                        "a string does not reach over the end of a line, nor hold a tab",
                    );
                    return Some(
                        fault.help("close the string with `\"`, or write `\\n` or `\\t` in it"),
                    );
                }
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => string = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' => string = true,
            '{' | '[' if depth == MAX_DEPTH => {
                let message = format!("brackets are nested more than {MAX_DEPTH} deep");
                return Some(
                    not_json(span(), message)
                        .at(format!("this `{c}` is one too many"))
                        .help("a position is four deep"),
                );
            }
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            ' ' | '\t' | '\n' | '\r' => {}
            _ if c.is_whitespace() => {
                return Some(
                    not_json(span(), "this is no space that JSON knows")
                        .help("write a plain space"),
                );
            }
            _ => {}
        }
    }
    None
}

fn not_json(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code::E0801, span, message)
}

fn empty(text: &str, source: SourceId) -> Diagnostic {
    not_json(Span::of(source, text.len()..text.len()), "the file holds no JSON")
        .help("a position begins as `{ \"schema\": 1, \"map\": ...`")
}

fn syntax(error: &ParseError, text: &str, source: SourceId) -> Diagnostic {
    let range = error.range();
    let whole = Span::of(source, range.start.min(text.len())..range.end.min(text.len()));
    let (message, help) = words(error.kind());
    let span = match error.kind() {
        // What is never closed reaches to the end of the file; its beginning says more.
        Kind::UnterminatedArray | Kind::UnterminatedObject | Kind::String(_) => {
            Span::new(source, whole.start, whole.end.min(whole.start + 1))
        }
        kind if of_number(kind) => Span::of(source, number_around(text, whole.range())),
        _ => whole,
    };
    let fault = not_json(span, message);
    if help.is_empty() { fault } else { fault.help(help) }
}

/// The fault in the words of the project.
fn words(kind: &Kind) -> (String, &'static str) {
    let (message, help) = match kind {
        Kind::CommentsNotAllowed | Kind::UnterminatedCommentBlock => {
            ("JSON has no comments", "remove it; a `title` can say what a unit is")
        }
        Kind::TrailingCommasNotAllowed => ("nothing follows this comma", "remove the comma"),
        Kind::ExpectedComma => ("a comma is missing here", "write `,`"),
        Kind::ExpectedColonAfterObjectKey => {
            ("a colon should follow the key", "write `\"key\": value`")
        }
        Kind::ExpectedObjectValue => ("a value should follow the colon", ""),
        Kind::ExpectedStringObjectProperty | Kind::UnexpectedTokenInObject => {
            ("a key in double quotes should stand here", "write `\"key\": value`")
        }
        Kind::SingleQuotedStringsNotAllowed => {
            ("JSON knows no single quotes", "write the text in double quotes")
        }
        Kind::MultipleRootJsonValues => {
            ("the file should end here", "a position is one object `{ ... }`")
        }
        Kind::UnterminatedObject => ("this `{` is never closed", "write `}`"),
        Kind::UnterminatedArray => ("this `[` is never closed", "write `]`"),
        Kind::UnexpectedCloseBrace => ("this `}` closes nothing", ""),
        Kind::UnexpectedCloseBracket => ("this `]` closes nothing", ""),
        Kind::UnexpectedColon => ("a colon cannot stand here", ""),
        Kind::UnexpectedComma => ("a comma cannot stand here", "remove the comma"),
        Kind::UnexpectedWord => ("a word without quotes is no value", "write it in double quotes"),
        Kind::String(inner) => return (string_words(inner), ""),
        kind if of_number(kind) => {
            ("this is no number of JSON", "write a whole number, such as `5` or `-2`")
        }
        _ => ("this cannot stand here", ""),
    };
    (message.to_owned(), help)
}

fn of_number(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::HexadecimalNumbersNotAllowed
            | Kind::UnaryPlusNumbersNotAllowed
            | Kind::BareDecimalPointNumbersNotAllowed
            | Kind::NonFiniteNumbersNotAllowed
            | Kind::ExpectedDigit
            | Kind::ExpectedDigitFollowingNegativeSign
            | Kind::ExpectedPlusMinusOrDigitInNumberLiteral
    )
}

/// The whole of a number, of which the parser has seen a part.
fn number_around(text: &str, at: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-' | b'_');
    let bytes = text.as_bytes();
    let before =
        bytes.get(..at.start).map_or(0, |b| b.iter().rev().take_while(|b| part(b)).count());
    let start = at.start - before;
    let length = bytes.get(start..).map_or(0, |b| b.iter().take_while(|b| part(b)).count());
    // Where nothing of a number stands, the place of the parser is the best there is.
    if length == 0 { at } else { start..start + length }
}

fn string_words(kind: &jsonc_parser::ParseStringErrorKind) -> String {
    use jsonc_parser::ParseStringErrorKind as Kind;
    match kind {
        Kind::UnterminatedStringLiteral => "this string is never closed",
        Kind::ExpectedFourHexDigits => "four hexadecimal digits should follow `\\u`",
        Kind::InvalidUnicodeEscapeSequence(_) => "this `\\u` stands for no character",
        _ => "JSON does not know this escape",
    }
    .to_owned()
}
