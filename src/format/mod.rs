//! The layout of a text: every space where the language's own layout has it.
//!
//! Takes the bytes of a file; gives the bytes of the same file laid out. Moves nothing but spaces
//! and blank lines: words, texts, comments and line breaks stay as the author wrote them. An item
//! that the grammar does not read stays as it is, to the byte. The result is read again, and is
//! given only if it says the same. Never knows what a name means.

mod columns;
mod difference;
mod layout;
mod space;
mod words;

pub use difference::unified;

use crate::diag::{Diagnostic, Severity, code};
use crate::source::{SourceId, Span, screen};
use crate::syntax::shape::{Body, Shape, shapes};
use layout::Row;
use words::{Line, Lines};

/// A file laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formatted {
    /// The new bytes of the file.
    pub text: String,
    /// How many items were left as they are, for the grammar does not read them.
    pub left: usize,
}

/// Lays a file out.
///
/// Line ends become those of the first line, `\n` or `\r\n`. A byte order mark stays. A tab between
/// words becomes spaces.
///
/// # Errors
///
/// The faults of the bytes, if the file is no text: E0001 to E0008. E1065 if the result would say
/// something else, which is a fault of this program.
pub fn format(source: SourceId, bytes: &[u8]) -> Result<Formatted, Vec<Diagnostic>> {
    let (_, faults) = screen(bytes, source);
    if faults.iter().any(|f| f.severity == Severity::Error) {
        return Err(faults);
    }
    let crlf = bytes
        .iter()
        .position(|b| *b == b'\n')
        .is_some_and(|at| bytes.get(at.wrapping_sub(1)) == Some(&b'\r'));
    let (text, _) = screen(&plain(bytes), source);
    let before = shapes(&text);
    let new = rendered(&layout_file(&text, &before));
    if let Some(at) = changed(&text, &before, &new) {
        let line = text.get(..at).unwrap_or_default().lines().count() + 1;
        return Err(vec![
            Diagnostic::error(code::E1065, Span::default(), format!("laid out anew, what begins in line {line} would say something else"))
                .help("nothing was written; this is a fault of the program, please report it with the file"),
        ]);
    }
    let left = before.iter().filter(|s| !s.is_sound()).count();
    let text = if crlf { new.replace('\n', "\r\n") } else { new };
    let text = if bytes.starts_with(MARK) { format!("\u{feff}{text}") } else { text };
    Ok(Formatted { text, left })
}

/// The byte order mark that some editors write.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Without a byte order mark, and with plain line ends.
fn plain(bytes: &[u8]) -> Vec<u8> {
    let body = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let ends = body.iter().zip(body.iter().skip(1).chain([&0]));
    ends.filter(|(byte, next)| (**byte, **next) != (b'\r', b'\n')).map(|(byte, _)| *byte).collect()
}

/// The first item that says something else in the new text; a lost comment too.
fn changed(text: &str, before: &[Shape<'_>], new: &str) -> Option<usize> {
    let after = shapes(new);
    let other = before.iter().zip(&after).find(|(a, b)| a != b).map(|(a, _)| a.range.start);
    let all = before.len() == after.len() && words::comments(text) == words::comments(new);
    other.or(if all { None } else { Some(0) })
}

fn layout_file(text: &str, items: &[Shape<'_>]) -> Vec<Row> {
    let mut rows = Vec::new();
    let start = items.first().map_or(text.len(), |s| s.range.start);
    let mut blank = false;
    let prelude = Lines::of(text.get(..start).unwrap_or_default());
    rows.extend(layout::item(&prelude.lines, 0));
    blank |= prelude.blank_end;
    layout_items(text, items, 0, &mut blank, &mut rows);
    columns::align(&mut rows);
    rows
}

/// The rows of some items, which stand behind so many spaces.
fn layout_items(
    text: &str,
    items: &[Shape<'_>],
    indent: usize,
    blank: &mut bool,
    rows: &mut Vec<Row>,
) {
    for item in items {
        let slice = text.get(item.range.clone()).unwrap_or_default();
        if !item.is_sound() {
            if *blank {
                rows.push(Row::raw(""));
            }
            *blank = false;
            rows.extend(slice.lines().map(Row::raw));
            continue;
        }
        let lines = Lines::of(slice);
        let first = rows.len();
        match item.body() {
            Some(body) => layout_mistake(text, item, body, indent, rows),
            None => rows.extend(layout::item(&lines.lines, indent)),
        }
        if let Some(row) = rows.get_mut(first) {
            row.blank = *blank;
        }
        *blank = lines.blank_end;
    }
}

/// A mistake: its own lines, and its items one step deeper. What the grammar does not read of them
/// may be what the mistake is about, and then all of them stay as they are.
fn layout_mistake(
    text: &str,
    item: &Shape<'_>,
    body: &Body<'_>,
    indent: usize,
    rows: &mut Vec<Row>,
) {
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let line_start = |at: usize| part(0, at).rfind('\n').map_or(0, |p| p + 1);
    let begin = line_start(body.range.start).max(item.range.start);
    let end = line_start(body.range.end).max(begin);
    // A closing brace behind other words would be laid out with them.
    if !part(end, body.range.end).trim().is_empty() {
        rows.extend(part(item.range.start, item.range.end).lines().map(Row::raw));
        return;
    }
    rows.extend(layout::item(&Lines::of(part(item.range.start, begin)).lines, indent));
    if body.items.iter().all(Shape::is_sound) {
        let start = body.items.first().map_or(end, |s| s.range.start);
        let loose = Lines::of(part(begin, start));
        rows.extend(layout::item(&loose.lines, indent + 2));
        let mut blank = loose.blank_end;
        layout_items(text, &body.items, indent + 2, &mut blank, rows);
    } else {
        rows.extend(part(begin, end).lines().map(Row::raw));
    }
    rows.extend(layout::closing(&Lines::of(part(end, item.range.end)).lines, indent));
}

fn rendered(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        // No blank line begins a text, or stands before a closing brace.
        if row.blank && !out.is_empty() && !row.closes {
            out.push('\n');
        }
        row.write(&mut out);
        out.push('\n');
    }
    out
}

/// Whether a line holds nothing but a comment.
fn is_loose(line: &Line<'_>) -> bool {
    line.words.is_empty()
}
