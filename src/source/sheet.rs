//! Where the cells of a sheet lie in the text that is made of it.
//!
//! Takes ranges of that text, each with its column. Gives names of cells, such as `C4`. A row of
//! the sheet is a line of the text, so that only columns are kept here.

use super::span::Span;

/// A cell: its range in the text, and its column from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// The column, from 1.
    pub column: u32,
}

/// The cells of a sheet.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// The line of a file of the language that asks for the sheet.
    pub asked: Span,
    /// Its cells in the order of the text.
    pub cells: Vec<Cell>,
}

impl Sheet {
    /// The column at a byte: that of its cell, or of the nearest cell of its line.
    pub(super) fn column(&self, byte: u32, line_start: u32) -> u32 {
        let after = self.cells.partition_point(|cell| cell.start <= byte);
        let before = after.checked_sub(1).and_then(|at| self.cells.get(at));
        let here = before.filter(|cell| cell.start >= line_start).or(self.cells.get(after));
        here.map_or(1, |cell| cell.column)
    }

    /// The name of a place: `cell C4`, or `row 4` where it holds more than a cell.
    pub(super) fn cell(&self, span: Span, line: u32) -> String {
        let after = self.cells.partition_point(|cell| cell.start <= span.start);
        let here = after.checked_sub(1).and_then(|at| self.cells.get(at));
        match here.filter(|cell| span.end <= cell.end) {
            Some(cell) => format!("cell {}{line}", letters(cell.column)),
            None => format!("row {line}"),
        }
    }
}

/// A column as spreadsheets name it: `A`, `Z`, `AA`.
#[must_use]
pub fn letters(column: u32) -> String {
    let mut rest = column;
    let mut found = Vec::new();
    while rest > 0 {
        let digit = (rest - 1) % 26;
        found.push(char::from(b'A' + u8::try_from(digit).unwrap_or(0)));
        rest = (rest - 1) / 26;
    }
    found.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineCol, SourceMap};

    #[test]
    fn columns_are_letters() {
        let all = [1, 2, 26, 27, 52, 53, 702, 703, 16_384].map(letters);
        assert_eq!(all, ["A", "B", "Z", "AA", "AZ", "BA", "ZZ", "AAA", "XFD"]);
    }

    #[test]
    fn a_place_of_a_sheet_is_a_cell_or_a_row() {
        let mut map = SourceMap::new();
        let asked = Span::of(map.add("a.sut", "from here".to_owned()), 0..4);
        let text = "head\nrow aé | 12\n".to_owned();
        let cells = vec![
            Cell { start: 0, end: 4, column: 2 },
            Cell { start: 9, end: 12, column: 1 },
            Cell { start: 15, end: 17, column: 4 },
        ];
        let id = map.add_sheet("t.xlsx, sheet T", text, Sheet { asked, cells });
        let place = |from, to| map.place(Span::new(id, from, to));
        assert_eq!(place(16, 17), "t.xlsx, sheet T, cell D2");
        assert_eq!(place(9, 9), "t.xlsx, sheet T, cell A2");
        assert_eq!(place(5, 17), "t.xlsx, sheet T, row 2");
        assert_eq!(place(0, 2), "t.xlsx, sheet T, cell B1");
        assert_eq!(map.line_col(id, 16), LineCol { line: 2, column: 4 });
        assert_eq!(map.in_rules(Span::new(id, 1, 2)), asked);
        assert_eq!(map.place(asked), "a.sut:1:1");
    }
}
