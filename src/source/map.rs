//! All the texts of one run, with their names and lines.
//!
//! Takes screened text. Gives lines, columns and slices for any span, also a wild one:
//! every place outside a text counts as the nearest place inside it.

use super::sheet::Sheet;
use super::span::{SourceId, Span};

/// A line and a column as a reader counts them: from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineCol {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

/// One text with the starts of its lines.
#[derive(Debug, Clone)]
struct Source {
    name: String,
    text: String,
    /// Byte offset of every line; the first is always 0.
    lines: Vec<u32>,
    /// Byte offset of every byte that continues a character: a column is counted without reading
    /// its line, which may be as long as the text.
    inner: Vec<u32>,
    /// Where its cells lie, if it is a sheet written as text.
    sheet: Option<Sheet>,
}

/// The texts of one run, by [`SourceId`].
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

impl SourceMap {
    /// A map without texts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name the user gave it.
    pub fn add(&mut self, name: impl Into<String>, text: String) -> SourceId {
        let id = self.next_id();
        let starts = text.bytes().zip(1u32..);
        let lines = std::iter::once(0)
            .chain(starts.filter_map(|(byte, next)| (byte == b'\n').then_some(next)))
            .collect();
        let inner = text.bytes().zip(0u32..);
        let inner = inner.filter_map(|(byte, at)| (byte & 0xC0 == 0x80).then_some(at)).collect();
        self.sources.push(Source { name: name.into(), text, lines, inner, sheet: None });
        id
    }

    /// Adds the text of a sheet: each of its lines is a row, and its columns are those of the cells.
    pub fn add_sheet(&mut self, name: impl Into<String>, text: String, sheet: Sheet) -> SourceId {
        let id = self.add(name, text);
        if let Some(source) = self.sources.last_mut() {
            source.sheet = Some(sheet);
        }
        id
    }

    /// The cells of a text that is a sheet.
    #[must_use]
    pub fn sheet(&self, id: SourceId) -> Option<&Sheet> {
        self.get(id)?.sheet.as_ref()
    }

    /// Where a place of a sheet is asked for in a file of the language; any other place stays.
    #[must_use]
    pub fn in_rules(&self, span: Span) -> Span {
        self.sheet(span.source).map_or(span, |sheet| sheet.asked)
    }

    /// A place as a reader finds it: `rules.sut:3:5`, or `tables.xlsx, sheet Reach, cell C4`.
    #[must_use]
    pub fn place(&self, span: Span) -> String {
        let name = self.name(span.source);
        let LineCol { line, column } = self.line_col(span.source, span.start);
        match self.sheet(span.source) {
            Some(sheet) => format!("{name}, {}", sheet.cell(self.clamp(span), line)),
            None => format!("{name}:{line}:{column}"),
        }
    }

    /// The id the next text will get, for those who must screen it before they add it.
    #[must_use]
    pub fn next_id(&self) -> SourceId {
        SourceId(u32::try_from(self.sources.len()).unwrap_or(u32::MAX))
    }

    /// The ids of all texts, in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = SourceId> + use<> {
        (0..self.sources.len()).map(|at| SourceId(u32::try_from(at).unwrap_or(u32::MAX)))
    }

    /// The name as the user gave it.
    #[must_use]
    pub fn name(&self, id: SourceId) -> &str {
        self.get(id).map_or("unknown file", |source| &source.name)
    }

    /// The whole text; an unknown id has an empty one.
    #[must_use]
    pub fn text(&self, id: SourceId) -> &str {
        self.get(id).map_or("", |source| &source.text)
    }

    /// The text under a span, cut to what exists and widened to whole characters.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        let span = self.clamp(span);
        self.text(span.source).get(span.range()).unwrap_or("")
    }

    /// The span moved inside its text and onto whole characters.
    #[must_use]
    pub fn clamp(&self, span: Span) -> Span {
        let text = self.text(span.source);
        let Span { start, end, .. } = span;
        let (mut start, mut end) =
            ((start as usize).min(text.len()), (end as usize).min(text.len()));
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        Span::of(span.source, start..end)
    }

    /// Where a byte lies; a byte beyond the end lies at the end.
    #[must_use]
    pub fn line_col(&self, id: SourceId, byte: u32) -> LineCol {
        let byte = self.clamp(Span::new(id, byte, byte)).start;
        let line = self.line_index(id, byte);
        if let Some(sheet) = self.sheet(id) {
            return LineCol { line, column: sheet.column(byte, self.line_start(id, line)) };
        }
        let start = self.line_start(id, line);
        let inner = self.get(id).map_or(&[][..], |source| &source.inner);
        let within =
            inner.partition_point(|&at| at < byte) - inner.partition_point(|&at| at < start);
        let within = u32::try_from(within).unwrap_or(u32::MAX);
        LineCol { line, column: (byte - start).saturating_sub(within).saturating_add(1) }
    }

    /// The text of a line without its newline; a line that does not exist is empty.
    #[must_use]
    pub fn line_text(&self, id: SourceId, line: u32) -> &str {
        self.slice(self.line_span(id, line))
    }

    /// The place of a line without its newline; a line that does not exist lies at the end.
    #[must_use]
    pub fn line_span(&self, id: SourceId, line: u32) -> Span {
        let start = self.line_start(id, line);
        let end = self.line_start(id, line.saturating_add(1));
        let text = self.slice(Span::new(id, start, end));
        let kept = text.strip_suffix('\n').unwrap_or(text).len();
        Span::of(id, start as usize..start as usize + kept)
    }

    /// How many lines a text has; a newline at the end begins an empty one.
    #[must_use]
    pub fn line_count(&self, id: SourceId) -> u32 {
        let lines = self.get(id).map_or(1, |source| source.lines.len());
        u32::try_from(lines).unwrap_or(u32::MAX)
    }

    fn get(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0 as usize)
    }

    /// The line, from 1, that holds a byte known to lie inside the text.
    fn line_index(&self, id: SourceId, byte: u32) -> u32 {
        let lines = self.get(id).map_or(&[0][..], |source| &source.lines);
        let count = lines.partition_point(|&start| start <= byte);
        u32::try_from(count).unwrap_or(u32::MAX).max(1)
    }

    fn line_start(&self, id: SourceId, line: u32) -> u32 {
        let index = line.saturating_sub(1) as usize;
        let end = u32::try_from(self.text(id).len()).unwrap_or(u32::MAX);
        self.get(id).and_then(|source| source.lines.get(index).copied()).unwrap_or(end)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn map(text: &str) -> (SourceMap, SourceId) {
        let mut map = SourceMap::new();
        let id = map.add("rules/a.sut", text.to_owned());
        (map, id)
    }

    #[test]
    fn columns_count_characters() {
        let (map, id) = map("aé\nЖx\n");
        assert_eq!(map.line_col(id, 0), LineCol { line: 1, column: 1 });
        assert_eq!(map.line_col(id, 3), LineCol { line: 1, column: 3 });
        assert_eq!(map.line_col(id, 6), LineCol { line: 2, column: 2 });
        assert_eq!(map.line_col(id, 8), LineCol { line: 3, column: 1 });
        assert_eq!(map.line_col(id, 9999), LineCol { line: 3, column: 1 });
    }

    #[test]
    fn columns_are_those_that_counting_the_line_gives() {
        let pieces = ["a", "é", "Ж", "\n", "字", "🂡", "\n\n", "word "];
        let mut state = 7_u32;
        for _ in 0..200 {
            let mut text = String::new();
            for _ in 0..30 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(pieces[(state >> 16) as usize % pieces.len()]);
            }
            let (map, id) = map(&text);
            for (byte, _) in text.char_indices() {
                let line = text[..byte].rsplit('\n').next().unwrap();
                let found = map.line_col(id, u32::try_from(byte).unwrap());
                assert_eq!(found.column as usize, line.chars().count() + 1, "{text:?} {byte}");
                assert_eq!(found.line as usize, text[..byte].matches('\n').count() + 1);
            }
        }
    }

    #[test]
    fn a_place_inside_a_character_widens_to_it() {
        let (map, id) = map("aéb");
        assert_eq!(map.slice(Span::new(id, 2, 2)), "é");
        assert_eq!(map.slice(Span::new(id, 2, 4)), "éb");
        assert_eq!(map.line_col(id, 2).column, 2);
    }

    #[test]
    fn wild_places_are_moved_inside() {
        let (map, id) = map("ab");
        assert_eq!(map.slice(Span::new(id, 1, 900)), "b");
        assert_eq!(map.slice(Span::new(id, 800, 900)), "");
        assert_eq!(map.slice(Span::new(SourceId(7), 0, 9)), "");
        assert_eq!(map.name(SourceId(7)), "unknown file");
        assert_eq!(map.line_col(SourceId(7), 3), LineCol { line: 1, column: 1 });
    }

    #[test]
    fn lines_lose_their_newline() {
        let (map, id) = map("one\n\nthree");
        assert_eq!(map.line_count(id), 3);
        assert_eq!(map.line_text(id, 1), "one");
        assert_eq!(map.line_text(id, 2), "");
        assert_eq!(map.line_text(id, 3), "three");
        assert_eq!(map.line_text(id, 4), "");
        assert_eq!(map.line_span(id, 3), Span::new(id, 5, 10));
        assert_eq!(map.name(id), "rules/a.sut");
    }

    #[test]
    fn an_empty_text_has_one_empty_line() {
        let (map, id) = map("");
        assert_eq!(map.line_count(id), 1);
        assert_eq!(map.line_text(id, 1), "");
        assert_eq!(map.line_col(id, 0), LineCol { line: 1, column: 1 });
    }
}
