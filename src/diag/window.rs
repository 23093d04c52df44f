//! The part of a text that a diagnostic shows.
//!
//! Takes the labels of one text, anywhere. Gives the lines around them, cleaned and cut to
//! the width, with every label moved onto them. After this every place is inside its line
//! and no line is long, so that the drawing library meets nothing it cannot draw.

use super::row::Row;
use super::{Label, Style, clean};
use crate::arrange::Arrange as _;
use crate::source::{LineCol, SourceId, SourceMap, Span};

/// A label over more lines than this is drawn at its first line only.
const MAX_LINES: u32 = 4;

/// Neighbouring lines, ready to print.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The number of the first line, from 1.
    pub(super) line: u32,
    /// How many lines.
    pub(super) count: u32,
    /// Where the text begins in the window.
    pub(super) offset: usize,
    /// The lines, each with its newline.
    pub(super) text: String,
}

/// A label moved into the window.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: String,
    pub(super) primary: bool,
    /// The place in the real text.
    pub(super) at: LineCol,
    /// The first and last line it lies on.
    lines: (u32, u32),
}

/// What is shown of one text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) chunks: Vec<Chunk>,
    /// In order of their start.
    pub(super) marks: Vec<Mark>,
}

/// Cuts the window of one text for the labels that lie in it.
pub(super) fn window(map: &SourceMap, source: SourceId, labels: &[Label], style: Style) -> Window {
    let mut shown: Vec<Label> = Vec::new();
    for label in labels.iter().filter(|label| label.span.source == source) {
        let label = tidy(map, label);
        match shown.iter_mut().find(|other| other.span == label.span) {
            Some(same) => join(same, &label),
            None => shown.push(label),
        }
    }
    shown.arrange_by_key(|label| (label.span.start, label.span.end));
    let columns = style.width.clamp(40, 400) - 10;
    let mut window = Window::default();
    let mut rows = Vec::new();
    let mut offset = 0;
    for (first, last) in ranges(map, source, &shown) {
        let mut text = String::new();
        for line in first..=last {
            let span = map.line_span(source, line);
            let row = Row::new(map.slice(span), span, focus(&shown, span), columns, style.unicode);
            text.push_str(&row.text);
            text.push('\n');
            rows.push((offset, row));
            offset += rows.last().map_or(0, |(_, row)| row.text.len() + 1);
        }
        let begin = offset - text.len();
        window.chunks.push(Chunk { line: first, count: last - first + 1, offset: begin, text });
    }
    window.marks = shown.into_iter().map(|label| mark(map, &rows, label)).collect();
    part(&mut window.marks);
    window
}

/// Inside the text, without line ends behind it, and not over many lines.
fn tidy(map: &SourceMap, label: &Label) -> Label {
    let mut span = map.clamp(label.span);
    let slice = map.slice(span);
    if slice.contains('\n') {
        let kept = if slice.trim().is_empty() {
            slice.find('\n').unwrap_or(0)
        } else {
            slice.trim_end().len()
        };
        span = Span::of(span.source, span.start as usize..span.start as usize + kept);
    }
    let (first, last) = lines(map, span);
    let mut text = clean::line(&label.text);
    if last - first >= MAX_LINES {
        span.end = map.line_span(span.source, first).end;
        let so_far = if text.is_empty() { "from here" } else { &text };
        text = format!("{so_far} (to line {last})");
    }
    Label { span, text, primary: label.primary }
}

fn lines(map: &SourceMap, span: Span) -> (u32, u32) {
    let line = |byte| map.line_col(span.source, byte).line;
    (line(span.start), line(span.end))
}

/// Two labels of one place become one.
fn join(same: &mut Label, other: &Label) {
    if !same.text.is_empty() && !other.text.is_empty() {
        same.text.push_str("; ");
    }
    same.text.push_str(&other.text);
    same.primary |= other.primary;
}

/// The lines to show: those of the labels and one around them, joined over small gaps.
fn ranges(map: &SourceMap, source: SourceId, labels: &[Label]) -> Vec<(u32, u32)> {
    let count = map.line_count(source);
    // The empty line behind a final newline is shown only if a label lies on it.
    let end = if count > 1 && map.line_text(source, count).is_empty() { count - 1 } else { count };
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for label in labels {
        let (first, last) = lines(map, label.span);
        let (first, last) = (first.saturating_sub(1).max(1), (last + 1).min(end).max(last));
        match ranges.last_mut() {
            Some(range) if first <= range.1.saturating_add(2) => range.1 = range.1.max(last),
            _ => ranges.push((first, last)),
        }
    }
    ranges
}

/// The place in a line that must stay visible.
fn focus(labels: &[Label], line: Span) -> u32 {
    let here = |l: &&Label| line.start <= l.span.start && l.span.start <= line.end;
    let first = labels.iter().filter(here).find(|label| label.primary);
    let label = first.or_else(|| labels.iter().find(here));
    label.map_or(line.start, |label| label.span.start)
}

fn mark(map: &SourceMap, rows: &[(usize, Row)], label: Label) -> Mark {
    let place = |byte: u32| {
        let after = rows.partition_point(|(_, row)| row.line.start <= byte);
        let row = rows.get(after.saturating_sub(1));
        row.map_or(0, |(offset, row)| offset + row.place(byte))
    };
    let Label { span, text, primary } = label;
    let at = map.line_col(span.source, span.start);
    let start = place(span.start);
    Mark { start, end: place(span.end).max(start), text, primary, at, lines: lines(map, span) }
}

/// Keeps marks of one line apart, so that each is drawn under its own text.
fn part(marks: &mut [Mark]) {
    for i in 1..marks.len() {
        let (left, right) = marks.split_at_mut(i);
        let (Some(a), Some(b)) = (left.last_mut(), right.first_mut()) else {
            return;
        };
        let one_line = a.lines.0 == a.lines.1 && a.lines == b.lines;
        if !one_line || b.start >= a.end {
            continue;
        }
        if b.start > a.start {
            a.end = b.start;
        } else {
            b.start = a.end;
            b.end = b.end.max(b.start);
        }
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
