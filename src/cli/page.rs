//! What is printed for reading keeps to the width of the page: that of COLUMNS, of the terminal, or
//! 80.

use super::table;

/// How wide a page is without COLUMNS and without a terminal.
const USUAL: usize = 80;
/// No page is narrower: words would stand one below the other.
const LEAST: usize = 40;

/// How wide COLUMNS says that a page is.
fn told() -> Option<usize> {
    std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok())
}

/// How wide a page is.
pub(super) fn width() -> usize {
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told().or_else(seen).unwrap_or(USUAL).max(LEAST)
}

/// A text for reading, its long lines broken at blanks.
pub(super) fn page(text: &str) -> String {
    within(text, width())
}

/// A text in lines of at most this width, as far as its words allow: tables by their columns, other
/// lines by themselves.
fn within(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let in_table = |l: &&&str| table::is_row(l) && table::indent(l) == table::indent(line);
        let many = lines.iter().skip(at).take_while(in_table).count();
        let rows = lines.get(at..at + many).unwrap_or_default();
        let whole: Vec<&str> = rows.iter().map(|row| row.trim_end_matches('\n')).collect();
        let is_table = many > 1 || whole.first().is_some_and(|row| table::has_columns(row));
        let wide = || whole.iter().any(|row| textwrap::core::display_width(row) > width);
        let is_wide = is_table && text.ends_with('\n') && wide();
        match is_wide.then(|| table::narrowed(&whole, width)).flatten() {
            Some(laid) => out.push_str(&laid),
            _ => lines.iter().skip(at).take(many.max(1)).for_each(|l| push(&mut out, l, width)),
        }
        at += many.max(1);
    }
    out
}

/// A line within a width. What it goes on with stands below its last column, or a little farther in
/// than the line.
fn push(out: &mut String, line: &str, width: usize) {
    let whole = line.trim_end_matches('\n');
    if textwrap::core::display_width(whole) <= width {
        return out.push_str(line);
    }
    let further = " ".repeat(hang(whole, width));
    let (start, words) = whole.split_at(table::indent(whole));
    let options = options(width).initial_indent(start).subsequent_indent(&further);
    for part in textwrap::wrap(words, options) {
        out.push_str(part.trim_end());
        out.push('\n');
    }
    if !line.ends_with('\n') {
        out.truncate(out.trim_end_matches('\n').len());
    }
}

/// Lines are broken at blanks alone.
pub(super) fn options<'o>(width: usize) -> textwrap::Options<'o> {
    textwrap::Options::new(width)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .break_words(false)
}

/// How far in a line goes on: where its last column begins, if that leaves room, else two blanks
/// farther than it began.
fn hang(line: &str, width: usize) -> usize {
    let blank = table::indent(line);
    let mut column = blank + 2;
    let mut blanks = 0;
    for (at, c) in line.char_indices().skip(blank) {
        if c != ' ' && blanks > 1 {
            let here = textwrap::core::display_width(line.get(..at).unwrap_or_default());
            if here <= width * 3 / 5 {
                column = here;
            }
        }
        blanks = if c == ' ' { blanks + 1 } else { 0 };
    }
    column.min(width / 2)
}

#[cfg(test)]
mod tests {
    use super::{hang, within};

    #[test]
    fn what_fits_stays_as_it_is() {
        let text = "unit  side   why\nA     Blue   2 to Arsenal: Ford > Port\n\nno end";
        assert_eq!(within(text, 40), text);
    }

    #[test]
    fn the_last_column_goes_on_below_itself() {
        let text = "A  Blue  2 to Arsenal: Ford > Port > Hill > Town > Arsenal\nB  Red   -\n";
        let said =
            "A  Blue  2 to Arsenal: Ford > Port >\n         Hill > Town > Arsenal\nB  Red   -\n";
        assert_eq!(within(text, 40), said);
    }

    #[test]
    fn no_word_is_lost_at_any_width() {
        let text =
            "  supply of the army, the long way round to Port  [SK-1, SK-2]  and on\nx\n\n    y z";
        let words = |t: &str| t.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for width in super::LEAST..90 {
            let said = within(text, width);
            assert_eq!(words(&said), words(text));
            assert!(hang(text, width) <= width);
            let longest = text.split_whitespace().map(str::len).max().unwrap_or(0);
            let room = width.max(longest + width / 2);
            assert!(said.lines().all(|l| l.len() <= room), "{width}: {said}");
        }
    }
}
