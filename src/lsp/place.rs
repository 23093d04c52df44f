//! Places in a text as an editor counts them: lines from 0, and units of UTF-16 or bytes in a line.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::source::Span;

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    /// Units of UTF-16, which every editor knows.
    #[default]
    Utf16,
    /// Bytes.
    Utf8,
}

impl Encoding {
    pub(super) fn name(self) -> &'static str {
        match self {
            Encoding::Utf16 => "utf-16",
            Encoding::Utf8 => "utf-8",
        }
    }

    fn width(self, c: char) -> usize {
        match self {
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf8 => c.len_utf8(),
        }
    }
}

/// A text with the starts of its lines.
pub(super) struct Lines<'t> {
    text: Cow<'t, str>,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: impl Into<Cow<'t, str>>, encoding: Encoding) -> Lines<'t> {
        let text = text.into();
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
            b'\n' => true,
            // A lone carriage return ends a line too.
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts: Vec<usize> = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Lines { text, starts, encoding }
    }

    /// The byte of a position; what lies outside is the nearest place inside.
    pub(super) fn byte(&self, line: u64, character: u64) -> usize {
        let Some(start) = usize::try_from(line).ok().and_then(|l| self.starts.get(l)).copied()
        else {
            return self.text.len();
        };
        let wanted = usize::try_from(character).unwrap_or(usize::MAX);
        let (mut at, mut units) = (start, 0usize);
        for c in self.text.get(start..).unwrap_or_default().chars() {
            if units >= wanted || c == '\n' || c == '\r' {
                break;
            }
            units += self.encoding.width(c);
            at += c.len_utf8();
        }
        at
    }

    /// The byte of a position of the protocol.
    pub(super) fn at(&self, position: &Value) -> Option<usize> {
        let line = position.get("line")?.as_u64()?;
        Some(self.byte(line, position.get("character")?.as_u64()?))
    }

    /// The line of a byte, from 0, and where it starts.
    pub(super) fn line(&self, byte: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        (line, self.starts.get(line).copied().unwrap_or(0))
    }

    /// Where a line starts; the end of the text for a line that is not there.
    pub(super) fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    pub(super) fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let (line, start) = self.line(byte);
        let before = self.text.get(start..byte).unwrap_or_default();
        (line, before.chars().map(|c| self.encoding.width(c)).sum())
    }

    pub(super) fn position(&self, byte: usize) -> Value {
        let (line, character) = self.line_and_column(byte);
        json!({ "line": line, "character": character })
    }

    pub(super) fn range(&self, start: usize, end: usize) -> Value {
        json!({ "start": self.position(start), "end": self.position(end) })
    }

    pub(super) fn span(&self, span: Span) -> Value {
        self.range(span.start as usize, span.end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_of_utf16_or_bytes() {
        let text = "a\u{1F0A1}é|\r\nx\ry\n";
        let wide = Lines::of(text, Encoding::Utf16);
        let bytes = Lines::of(text, Encoding::Utf8);
        let bar = text.find('|').unwrap_or(0);
        assert_eq!(wide.line_and_column(bar), (0, 4));
        assert_eq!(bytes.line_and_column(bar), (0, 7));
        assert_eq!((wide.byte(0, 4), bytes.byte(0, 7)), (bar, bar));
        assert_eq!(wide.line_and_column(text.len()), (3, 0));
        // Beyond the end of a line is its end, before the line break.
        assert_eq!(wide.byte(0, 99), bar + 1);
        assert_eq!(wide.byte(99, 0), text.len());
        // The second half of a pair is no place; the next one is taken.
        assert_eq!(wide.byte(0, 2), 5);
    }

    #[test]
    fn every_place_comes_back() {
        let text = "kind é\u{1F0A1}\r\n\r\n\r字\nend";
        for encoding in [Encoding::Utf16, Encoding::Utf8] {
            let lines = Lines::of(text, encoding);
            for (at, c) in text.char_indices().filter(|(_, c)| *c != '\n' && *c != '\r') {
                let (line, column) = lines.line_and_column(at);
                assert_eq!(lines.byte(line as u64, column as u64), at, "{c:?}");
            }
        }
    }
}
