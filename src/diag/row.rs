//! One source line as it is shown.
//!
//! Takes the text of a line and the place that must stay visible. Gives it without tabs and
//! control characters, cut to the width, and tells where each byte of it came to lie.

use super::clean;
use crate::source::Span;

/// Columns between two tab stops.
const TAB: usize = 4;

/// A line as it is shown.
pub(super) struct Row {
    pub(super) line: Span,
    pub(super) text: String,
    /// Where each shown character of the line begins, there and here; then where they end.
    map: Vec<(u32, usize)>,
}

impl Row {
    pub(super) fn new(text: &str, line: Span, focus: u32, columns: usize, unicode: bool) -> Self {
        let (from, to) = cut(text, (focus - line.start) as usize, columns);
        let more = if unicode { "…" } else { "..." };
        let mut row = Self { line, text: String::new(), map: Vec::new() };
        if from > 0 {
            row.text.push_str(more);
        }
        let mut column = row.text.chars().count();
        let at = |byte: usize| line.start.saturating_add(u32::try_from(byte).unwrap_or(u32::MAX));
        for (byte, c) in text.get(from..to).unwrap_or("").char_indices() {
            row.map.push((at(from + byte), row.text.len()));
            let before = row.text.len();
            if c == '\t' {
                row.text.extend(std::iter::repeat_n(' ', TAB - column % TAB));
            } else {
                clean::push(&mut row.text, c);
            }
            column += row.text.get(before..).map_or(0, |new| new.chars().count());
        }
        row.map.push((at(to), row.text.len()));
        if to < text.len() {
            row.text.push_str(more);
        }
        row
    }

    /// Where a byte of the text is shown; what was cut off lies in the dots.
    pub(super) fn place(&self, byte: u32) -> usize {
        if self.map.first().is_some_and(|&(first, _)| byte < first) {
            return 0;
        }
        let index = self.map.partition_point(|&(there, _)| there < byte);
        self.map.get(index).map_or(self.text.len(), |&(_, here)| here)
    }
}

/// The bytes of a line to show: all of it, or as many characters as fit around the focus.
fn cut(text: &str, focus: usize, columns: usize) -> (usize, usize) {
    if text.len() <= columns || text.chars().nth(columns).is_none() {
        return (0, text.len());
    }
    let before = text.get(..focus).unwrap_or("");
    let mut from = before.char_indices().rev().take(columns / 3).last().map_or(focus, |(at, _)| at);
    // Close to the start nothing is won by cutting.
    if from <= 3 {
        from = 0;
    }
    let rest = text.get(from..).unwrap_or("");
    let to = rest.char_indices().nth(columns).map_or(text.len(), |(at, _)| from + at);
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    fn row(text: &str, focus: u32, columns: usize) -> Row {
        // The line begins at byte 10 of its text.
        let line = Span::of(SourceId(0), 10..10 + text.len());
        Row::new(text, line, 10 + focus, columns, false)
    }

    #[test]
    fn a_short_line_is_whole() {
        let row = row("a\tb", 0, 40);
        assert_eq!(row.text, "a   b");
        let places: Vec<usize> = (9..16).map(|byte| row.place(byte)).collect();
        assert_eq!(places, [0, 0, 1, 4, 5, 5, 5]);
    }

    #[test]
    fn a_long_line_keeps_a_third_before_the_focus() {
        let row = row("0123456789abcdefghij", 12, 9);
        assert_eq!(row.text, "...9abcdefgh...");
        assert_eq!((row.place(22), row.place(10), row.place(30)), (6, 0, 15));
    }

    #[test]
    fn near_the_start_nothing_is_cut_before() {
        assert_eq!(row("0123456789abcdefghij", 5, 9).text, "012345678...");
    }

    #[test]
    fn near_the_end_nothing_is_cut_behind() {
        assert_eq!(row("0123456789abcdefghij", 20, 9).text, "...hij");
    }
}
