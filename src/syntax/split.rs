//! Cuts a text into items before it is parsed, so that a broken item never hides another, and finds
//! the lines of one.

use std::ops::Range;

use super::ast::Name;
use crate::source::{SourceId, Span};

/// The words that begin an item when they stand in column one.
pub(super) const ITEM_WORDS: [&str; 32] = [
    "edition",
    "ruleset",
    "section",
    "clause",
    "ruling",
    "option",
    "sides",
    "clock",
    "dimension",
    "kind",
    "named",
    "track",
    "mark",
    "given",
    "count",
    "tabletop",
    "pair",
    "define",
    "choice",
    "table",
    "trace",
    "die",
    "test",
    "phase",
    "hook",
    "map",
    "setup",
    "case",
    "mistake",
    "override",
    "add",
    "exception",
];

/// A line that begins with one of these goes on with the line before it.
const CONTINUES: [&str; 4] = ["and", "or", "now", "then"];

/// A stretch of text that holds one item, or what should have been one.
pub(super) struct Piece {
    pub start: u32,
    range: Range<usize>,
    pub is_item: bool,
}

impl Piece {
    pub(super) fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range.clone()).unwrap_or_default()
    }

    /// The bytes of it.
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Whether it is a mistake, which may not stand in another one.
    pub(super) fn begins_mistake(&self, text: &str) -> bool {
        first_word(self.of(text).trim_start()) == "mistake"
    }

    /// Whether it is a case or a mistake, which no answer depends on.
    pub(super) fn begins_proof(&self, text: &str) -> bool {
        matches!(first_word(self.of(text).trim_start()), "case" | "mistake")
    }

    pub(super) fn holds(&self, place: u32) -> bool {
        self.range.contains(&(place as usize))
    }
}

fn is_item_word(word: &str) -> bool {
    ITEM_WORDS.contains(&word) || word == "remove"
}

/// The word at the beginning of a text, letters and digits and underscores.
pub(super) fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// All pieces of a text; blank lines and comments between them belong to the piece before.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    // A byte order mark was screened into three blanks, and belongs to no line.
    let mark = text.strip_prefix("   ").filter(|t| !t.starts_with([' ', '\t']));
    cut(text, text.len() - mark.unwrap_or(text).len()..text.len(), 0)
}

/// The pieces of a block of a text, whose items stand as deep as the first of its lines.
pub(super) fn pieces_within(text: &str, range: Range<usize>) -> Vec<Piece> {
    let start = line_start(text, range.start);
    let first = text
        .get(start..range.end)
        .unwrap_or_default()
        .lines()
        .find(|l| !l.trim_start().is_empty() && !l.trim_start().starts_with('#'));
    let indent = first.map_or(0, |line| line.len() - line.trim_start_matches([' ', '\t']).len());
    cut(text, start..range.end, indent)
}

/// The pieces of a stretch, whose items stand behind so many blanks.
fn cut(text: &str, stretch: Range<usize>, indent: usize) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut depth = 0i64;
    let mut place = stretch.start;
    for whole in text.get(stretch).unwrap_or_default().split_inclusive('\n') {
        let start = place;
        place += whole.len();
        let line = whole
            .get(indent..)
            .filter(|_| whole.bytes().take(indent).all(|b| b == b' ' || b == b'\t'))
            .unwrap_or(whole);
        let word = first_word(line);
        let blank = line.trim_start().is_empty() || line.trim_start().starts_with('#');
        let begins_item = is_item_word(word);
        let stray = depth <= 0
            && !blank
            && !line.starts_with([' ', '\t', '}', '[', '+', '-'])
            && !CONTINUES.contains(&word);
        let orphan = pieces.is_empty() && !blank;
        if begins_item || stray || orphan {
            pieces.push(Piece {
                start: u32::try_from(start).unwrap_or(u32::MAX),
                range: start..place,
                is_item: begins_item,
            });
            depth = 0;
        } else if let Some(last) = pieces.last_mut() {
            last.range.end = place;
        }
        depth += braces(line);
    }
    pieces
}

/// Opening less closing braces of a line, outside texts and comments.
fn braces(line: &str) -> i64 {
    let mut quoted = false;
    let mut sum = 0;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => break,
            '{' if !quoted => sum += 1,
            '}' if !quoted => sum -= 1,
            _ => {}
        }
    }
    sum
}

/// More words than this of one lost stretch are not kept.
const MOST_LOST: usize = 4096;

/// The words of a lost stretch: each may be a name that it would have declared, so nobody is told
/// that it is unknown.
pub(super) fn words(source: SourceId, start: u32, slice: &str, range: Range<usize>) -> Vec<Name> {
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some(rest) =
        slice.get(at..range.end).filter(|r| !r.is_empty() && found.len() < MOST_LOST)
    {
        let word = first_word(rest);
        if word.is_empty() {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let place = |p: usize| start + u32::try_from(p).unwrap_or(0);
        found.push(Name {
            text: word.to_owned(),
            span: Span::new(source, place(at), place(at + word.len())),
        });
        at += word.len();
    }
    found
}

/// The whole of the line at a place, with the lines that it continues and that continue it.
pub(super) fn logical_line(text: &str, at: usize) -> Range<usize> {
    let mut start = line_start(text, at);
    while start > 0 && goes_on(text, start) {
        start = line_start(text, start - 1);
    }
    let mut end = line_end(text, at);
    while end < text.len() && goes_on(text, end) {
        end = line_end(text, end);
    }
    start..end
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |p| p + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |p| at + p + 1)
}

/// Whether the line that begins here continues the one before it.
fn goes_on(text: &str, start: usize) -> bool {
    let line = text.get(start..).unwrap_or_default().trim_start_matches([' ', '\t']);
    let before = text.get(..start).unwrap_or_default().trim_end();
    line.starts_with(['[', '+', '-'])
        || CONTINUES.contains(&first_word(line))
        || before.ends_with(',')
}

/// Turns a stretch into blanks, line ends kept, so that all other places stay what they are.
pub(super) fn blank(text: &mut String, range: Range<usize>) {
    let blanks: String = text
        .get(range.clone())
        .unwrap_or_default()
        .bytes()
        .map(|b| if b == b'\n' { '\n' } else { ' ' })
        .collect();
    text.replace_range(range, &blanks);
}
