//! Tables on a narrow page: cells that stand below each other are found in the lines, and columns
//! are narrowed where that makes the fewest lines. So whoever makes a table need not know how wide a
//! page is.

use textwrap::WordSeparator;
use textwrap::core::{Word, display_width};
use textwrap::wrap_algorithms::wrap_first_fit;

/// Between one column and the next.
const GAP: usize = 2;

/// Whether a line may be a row of a table: blanks part its cells.
pub(super) fn is_row(line: &str) -> bool {
    line.trim().contains("  ")
}

/// Whether a line that stands alone is a row of a table for sure, by its many cells.
pub(super) fn has_columns(line: &str) -> bool {
    line.trim().split("  ").filter(|cell| !cell.is_empty()).count() > 3
}

/// How far in a line begins.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Rows that begin equally far in, laid out within a width; nothing where they have no columns in
/// common, or where a word has no room.
pub(super) fn narrowed(rows: &[&str], width: usize) -> Option<String> {
    let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let starts = starts(&rows);
    // With two columns the second is the last, and a line goes on below it by itself.
    let first = *starts.first().filter(|_| starts.len() > 2)?;
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(row, &starts)).collect();
    let room = width.checked_sub(first + GAP * (starts.len() - 1))?;
    let widths = widths(&cells, room)?;
    Some(cells.iter().map(|row| row_text(row, &widths, first)).collect())
}

/// Where columns begin: before that all rows have blanks, and some row has a word there.
fn starts(rows: &[Vec<char>]) -> Vec<usize> {
    let first = rows.iter().filter_map(|row| row.iter().position(|c| *c != ' ')).min().unwrap_or(0);
    let blank = |row: &Vec<char>, at: usize| row.get(at).is_none_or(|c| *c == ' ');
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let begins = |at: &usize| {
        rows.iter().all(|row| (at - GAP..*at).all(|before| blank(row, before)))
            && rows.iter().any(|row| !blank(row, *at))
    };
    std::iter::once(first).chain((first + GAP + 1..longest).filter(begins)).collect()
}

fn cells(row: &[char], starts: &[usize]) -> Vec<String> {
    let end = |at: usize| starts.get(at + 1).copied().unwrap_or(row.len()).min(row.len());
    let cell = |(at, start): (usize, &usize)| {
        let text: String = row.get(*start..end(at)).unwrap_or_default().iter().collect();
        text.trim_end().to_owned()
    };
    starts.iter().enumerate().map(cell).collect()
}

/// A cell that is measured at many widths, its words found once.
struct Measured<'c> {
    wide: usize,
    words: Vec<Word<'c>>,
}

impl<'c> Measured<'c> {
    fn of(cell: &'c str) -> Measured<'c> {
        let words = WordSeparator::AsciiSpace.find_words(cell.trim_start()).collect();
        Measured { wide: display_width(cell), words }
    }

    /// How wide its longest word is.
    fn word(&self) -> usize {
        self.words.iter().map(|word| display_width(word.word)).max().unwrap_or(0)
    }

    /// How many lines it has at a width, in a column.
    fn lines(&self, width: usize, column: usize) -> usize {
        if self.wide <= width {
            return 1;
        }
        let widths = [width, width.saturating_sub(further(column).len())];
        // Widths are of whole letters, far from where such numbers are rounded.
        let widths = widths.map(|width| u32::try_from(width).map_or(f64::MAX, f64::from));
        wrap_first_fit(&self.words, &widths).len()
    }
}

/// How wide each column becomes, together within this room: one column narrowed alone, or several
/// step by step, whichever makes the fewest lines of rows, then of cells.
fn widths(cells: &[Vec<String>], room: usize) -> Option<Vec<usize>> {
    let columns = cells.first()?.len();
    let rows = cells.iter();
    let cells: Vec<Vec<Measured<'_>>> =
        rows.map(|row| row.iter().map(|cell| Measured::of(cell)).collect()).collect();
    let cells = cells.as_slice();
    let most = |of: fn(&Measured<'_>) -> usize, at: usize| {
        cells.iter().filter_map(|row| row.get(at)).map(of).max().unwrap_or(0)
    };
    let word = |at: usize| most(|cell| cell.word(), at) + further(at).len();
    let least: Vec<usize> = (0..columns).map(word).collect();
    let whole: Vec<usize> = (0..columns).map(|at| most(|cell| cell.wide, at)).collect();
    let over = whole.iter().sum::<usize>().saturating_sub(room);
    let alone = (0..columns).filter_map(|at| {
        let mut widths = whole.clone();
        let width = widths.get_mut(at)?;
        *width =
            width.checked_sub(over).filter(|width| least.get(at).is_some_and(|l| width >= l))?;
        Some(widths)
    });
    let ways = alone.chain(step_by_step(cells, room, whole.clone(), &least));
    ways.min_by_key(|widths| {
        let heights: Vec<Vec<usize>> =
            widths.iter().enumerate().map(|(at, width)| tall(cells, at, *width)).collect();
        let of = |row: usize| heights.iter().filter_map(move |column| column.get(row).copied());
        let rows: usize = (0..cells.len()).map(|row| of(row).max().unwrap_or(0)).sum();
        (rows, heights.iter().flatten().sum::<usize>())
    })
}

/// Columns narrowed by one at a time: that one which costs the fewest lines, and of those the
/// widest.
fn step_by_step(
    cells: &[Vec<Measured<'_>>],
    room: usize,
    mut widths: Vec<usize>,
    least: &[usize],
) -> Option<Vec<usize>> {
    let mut heights: Vec<Vec<usize>> = cells.iter().map(|row| vec![1; row.len()]).collect();
    // Of each column the heights of its cells, were it narrower by one.
    let mut narrower: Vec<Option<Vec<usize>>> = vec![None; widths.len()];
    while widths.iter().sum::<usize>() > room {
        let mut best = None;
        for (at, ((width, least), column)) in
            widths.iter().zip(least).zip(&mut narrower).enumerate()
        {
            if width <= least {
                continue;
            }
            let column = column.get_or_insert_with(|| tall(cells, at, width - 1));
            let found = (cost(&heights, at, column), std::cmp::Reverse(*width), at);
            best = best.min(Some(found)).or(Some(found));
        }
        let (_, width, at) = best?;
        widths.iter_mut().skip(at).take(1).for_each(|w| *w = width.0 - 1);
        let column = narrower.get_mut(at).and_then(Option::take).unwrap_or_default();
        for (row, height) in heights.iter_mut().zip(column) {
            row.iter_mut().skip(at).take(1).for_each(|h| *h = height);
        }
    }
    Some(widths)
}

/// How many lines each cell of a column has at a width.
fn tall(cells: &[Vec<Measured<'_>>], at: usize, width: usize) -> Vec<usize> {
    cells.iter().map(|row| row.get(at).map_or(1, |cell| cell.lines(width, at))).collect()
}

/// How many lines all rows have, and how many all cells, when a column has so many.
fn cost(heights: &[Vec<usize>], at: usize, column: &[usize]) -> (usize, usize) {
    let mut whole = (0, 0);
    for (row, own) in heights.iter().zip(column) {
        let others = row.iter().enumerate().filter(|(of, _)| *of != at).map(|(_, height)| *height);
        let (highest, all) = others.fold((*own, *own), |(most, all), h| (most.max(h), all + h));
        whole = (whole.0 + highest, whole.1 + all);
    }
    whole
}

/// What the lines of a cell behind its first begin with: in the first column they might be taken
/// for rows.
fn further(column: usize) -> &'static str {
    if column == 0 { "  " } else { "" }
}

fn wrapped(cell: &str, width: usize, column: usize) -> Vec<String> {
    if display_width(cell) <= width {
        return vec![cell.to_owned()];
    }
    let options = super::page::options(width).subsequent_indent(further(column));
    textwrap::wrap(cell.trim_start(), options).into_iter().map(String::from).collect()
}

fn row_text(row: &[String], widths: &[usize], indent: usize) -> String {
    let each = row.iter().zip(widths).enumerate();
    let cells: Vec<Vec<String>> =
        each.map(|(at, (cell, width))| wrapped(cell, *width, at)).collect();
    let mut out = String::new();
    for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
        let mut text = " ".repeat(indent);
        for (cell, width) in cells.iter().zip(widths) {
            let part = cell.get(line).map_or("", String::as_str);
            let pad = width.saturating_sub(display_width(part)) + GAP;
            text.push_str(part);
            text.push_str(&" ".repeat(pad));
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;

    const TABLE: [&str; 3] = [
        "  F1                  table land_move  2 -> 3      led                               by row led",
        "  Fort_Boyne as Blue  trace reach      yes -> no   5 to depot [A2] -> from at Boyne  by a ruling",
        "  B8                  table burden     fit -> bad  unhurt [D2] -> otherwise [F1]     -",
    ];

    fn table(width: usize) -> Option<String> {
        narrowed(&TABLE, width)
    }

    #[test]
    fn long_columns_are_narrowed_and_go_on_below_themselves() {
        let said = [
            "  F1                  table land_move  2 -> 3      led               by row led",
            "  Fort_Boyne as Blue  trace reach      yes -> no   5 to depot [A2]   by a ruling",
            "                                                   -> from at Boyne",
            "  B8                  table burden     fit -> bad  unhurt [D2] ->    -",
            "                                                   otherwise [F1]",
        ];
        assert_eq!(table(80).unwrap().lines().collect::<Vec<_>>(), said);
        // What has no room beside the others is narrowed together with them.
        let narrow = table(60).unwrap();
        assert!(narrow.contains("  Fort_Boyne    trace "), "{narrow}");
        assert!(narrow.contains("\n    as Blue "), "{narrow}");
    }

    #[test]
    fn no_word_is_lost_and_none_stands_out() {
        let words = |t: &str| {
            let mut all: Vec<String> = t.split_whitespace().map(str::to_owned).collect();
            all.sort();
            all
        };
        let mut laid = 0;
        for width in 40..120 {
            let Some(found) = table(width) else { continue };
            laid += 1;
            assert_eq!(words(&found), words(&TABLE.join("\n")), "{width}");
            assert!(found.lines().all(|l| l.chars().count() <= width), "{width}: {found}");
        }
        assert!(laid > 40, "{laid}");
    }

    #[test]
    fn a_measured_cell_has_the_lines_that_are_written() {
        let cells = TABLE.iter().flat_map(|row| row.split("  ")).chain(["a  b   c d", ""]);
        for cell in cells.map(str::trim_end) {
            for (width, column) in (4..60).flat_map(|width| [(width, 0), (width, 1)]) {
                let written = wrapped(cell, width, column).len();
                assert_eq!(Measured::of(cell).lines(width, column), written, "{cell:?} {width}");
            }
        }
    }

    #[test]
    fn lines_without_columns_in_common_are_no_table() {
        let lines = ["  a: srv of Glatz  [BS-A3]", "  bc: 4 rolls for Glatz: progress  [G1]"];
        assert_eq!(narrowed(&lines, 30), None);
    }
}
