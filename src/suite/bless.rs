//! Expected values rewritten in the text of a suite, the columns of grids kept in line, and the
//! difference shown.
//!
//! Takes the text of one file and what to write where; gives the new text. A cell of a grid is put
//! into the room it has; where it has none, the column is made wider in every row.

use crate::arrange::Arrange as _;

/// What to write in place of a stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Where the old text begins and ends, in bytes.
    pub range: std::ops::Range<usize>,
    /// The new text, of one line.
    pub new: String,
}

/// The text with all edits made. Edits that reach over a line, or over each other, are left out.
#[must_use]
pub fn bless(text: &str, edits: &[Edit]) -> String {
    let mut lines: Vec<String> = lines(text).map(str::to_owned).collect();
    let mut starts = vec![0usize];
    starts.extend(lines.iter().scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    }));
    let mut places: Vec<(usize, usize, &Edit)> = Vec::new();
    for edit in edits {
        let line = starts.partition_point(|s| *s <= edit.range.start).saturating_sub(1);
        let Some((start, end)) = starts.get(line).zip(starts.get(line + 1)) else { continue };
        if edit.range.end <= *end
            && !places
                .iter()
                .any(|(_, _, e)| e.range.start < edit.range.end && edit.range.start < e.range.end)
        {
            places.push((line, edit.range.start - start, edit));
        }
    }
    // Later edits first, so that the places of earlier ones stay where they are. Cells are found by
    // their column, which nothing moves.
    places.arrange_by_key(|(line, at, _)| std::cmp::Reverse((*line, *at)));
    let fields: Vec<Option<usize>> = places
        .iter()
        .map(|(line, at, _)| lines.get(*line).and_then(|l| field_of(l, *at)))
        .collect();
    for ((line, at, edit), field) in places.into_iter().zip(fields) {
        match field {
            Some(field) => write_cell(&mut lines, line, field, &edit.new),
            None => {
                if let Some(line) = lines.get_mut(line) {
                    line.replace_range(at..at + edit.range.len(), &edit.new);
                }
            }
        }
    }
    lines.concat()
}

/// The lines of a text, each with its end: `\n`, `\r\n`, or `\r` alone.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.find(['\r', '\n']).map_or(rest.len(), |at| match rest.get(at..at + 2) {
            Some("\r\n") => at + 2,
            _ => at + 1,
        });
        let (line, more) = rest.split_at(end);
        rest = more;
        (!line.is_empty()).then_some(line)
    })
}

/// The bars of a line of a grid, outside texts and comments, by their bytes.
fn bars(line: &str) -> Vec<usize> {
    let (mut found, mut quoted) = (Vec::new(), false);
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => break,
            '|' if !quoted => found.push(at),
            _ => {}
        }
    }
    found
}

/// Which cell of a row stands at a place; none where the line is no row of a grid.
fn field_of(line: &str, at: usize) -> Option<usize> {
    let bars = bars(line);
    (!bars.is_empty()).then(|| bars.iter().filter(|b| **b < at).count())
}

fn write_cell(lines: &mut [String], line: usize, field: usize, new: &str) {
    let Some(row) = lines.get(line) else { return };
    let bars_here = bars(row);
    let start = match field.checked_sub(1).and_then(|f| bars_here.get(f)) {
        Some(bar) => bar + 1,
        None => row.len() - row.trim_start().len() + "row".len(),
    };
    let end = bars_here.get(field).copied();
    let whole = row.get(start..end.unwrap_or(row.len())).unwrap_or_default();
    let blanks = whole.len() - whole.trim_start().len();
    let from = start + blanks;
    let Some(bar) = end else {
        let rest = row.get(from..).unwrap_or_default();
        let (old, behind) = rest.split_at(last_cell_tail(rest));
        let kept = behind.trim_start_matches(' ');
        // What stands behind it stays in its column, if there is room.
        let room = old.chars().count() + behind.len() - kept.len();
        let before = row.get(..from).unwrap_or_default();
        let made = match kept.trim().is_empty() {
            true => format!("{before}{new}{behind}"),
            false => {
                format!("{before}{new:<width$}{kept}", width = room.max(new.chars().count() + 1))
            }
        };
        if let Some(slot) = lines.get_mut(line) {
            *slot = made;
        }
        return;
    };
    let column = row.get(..bar).unwrap_or_default().chars().count();
    let room = row.get(from..bar).unwrap_or_default().chars().count();
    let need = new.chars().count() + 1;
    let made = format!(
        "{}{new:<width$}{}",
        row.get(..from).unwrap_or_default(),
        row.get(bar..).unwrap_or_default(),
        width = room.max(need)
    );
    if let Some(slot) = lines.get_mut(line) {
        *slot = made;
    }
    if need > room {
        widen(lines, line, field, column, need - room);
    }
}

/// Where the last cell of a row ends: before the brackets, the comment or the end of the line.
fn last_cell_tail(rest: &str) -> usize {
    let end = rest.find(['[', '#', '\r', '\n']).unwrap_or(rest.len());
    rest.get(..end).map_or(0, |cell| cell.trim_end().len())
}

/// Moves a bar to the right in all rows of the grid in which it stood in the same column.
fn widen(lines: &mut [String], line: usize, field: usize, column: usize, by: usize) {
    let is_row = |l: &String| !bars(l).is_empty();
    let first = lines.iter().take(line).rposition(|l| !is_row(l)).map_or(0, |at| at + 1);
    let last = lines.iter().skip(line).position(|l| !is_row(l)).map_or(lines.len(), |n| line + n);
    for (at, row) in lines.iter_mut().enumerate().take(last).skip(first) {
        let Some(bar) = bars(row).get(field).copied().filter(|_| at != line) else { continue };
        if row.get(..bar).unwrap_or_default().chars().count() == column {
            row.insert_str(bar, &" ".repeat(by));
        }
    }
}

/// The difference of two texts of as many lines, as a unified diff with three lines around; empty
/// where there is none.
#[must_use]
pub fn difference(file: &str, old: &str, new: &str) -> String {
    const AROUND: usize = 3;
    let (old, new): (Vec<&str>, Vec<&str>) = (bare(old), bare(new));
    let changed: Vec<usize> =
        old.iter().zip(&new).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at).collect();
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    for at in changed {
        let (from, to) = (at.saturating_sub(AROUND), (at + AROUND + 1).min(old.len()));
        match hunks.last_mut() {
            Some((_, end)) if from <= *end => *end = to,
            _ => hunks.push((from, to)),
        }
    }
    let mut out = String::new();
    if !hunks.is_empty() {
        out.push_str(&format!("--- {file}\n+++ {file}\n"));
    }
    for (from, to) in hunks {
        out.push_str(&format!("@@ -{},{} +{},{} @@\n", from + 1, to - from, from + 1, to - from));
        let mut at = from;
        while at < to {
            let run = (at..to).take_while(|l| old.get(*l) != new.get(*l)).count();
            let stretch = |lines: &[&str], sign: char| -> String {
                lines.iter().skip(at).take(run.max(1)).map(|l| format!("{sign}{l}\n")).collect()
            };
            if run == 0 {
                out.push_str(&stretch(&old, ' '));
            } else {
                out.push_str(&stretch(&old, '-'));
                out.push_str(&stretch(&new, '+'));
            }
            at += run.max(1);
        }
    }
    out
}

/// The lines of a text without their ends.
fn bare(text: &str) -> Vec<&str> {
    lines(text).map(|line| line.trim_end_matches(['\r', '\n'])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = concat!(
        "  given strength of A | expect reach of A | expect A is led\n",
        "  row   1             | 2                 | no   [4b]\n",
        "  row   3             | any               | yes\n",
    );

    fn edit(old: &str, nth: usize, new: &str) -> Edit {
        let at = GRID.match_indices(old).nth(nth).map_or(0, |(at, _)| at);
        Edit { range: at..at + old.len(), new: new.to_owned() }
    }

    #[test]
    fn a_cell_keeps_its_column() {
        let made = bless(GRID, &[edit("2", 0, "31"), edit("no", 0, "yes")]);
        assert_eq!(
            made,
            GRID.replace("| 2                 | no   [4b]", "| 31                | yes  [4b]")
        );
    }

    #[test]
    fn a_column_without_room_is_made_wider_in_every_row() {
        let made = bless(GRID, &[edit("2", 0, "nineteen_and_a_half_x"), edit("yes", 0, "no")]);
        let wanted = concat!(
            "  given strength of A | expect reach of A     | expect A is led\n",
            "  row   1             | nineteen_and_a_half_x | no   [4b]\n",
            "  row   3             | any                   | no\n",
        );
        assert_eq!(made, wanted);
    }

    #[test]
    fn a_plain_value_is_put_in_its_place() {
        let text = "  expect strength of A is 3 # of 9\n  expect A is led\n";
        let at = text.find('3').unwrap_or(0);
        assert_eq!(
            bless(text, &[Edit { range: at..at + 1, new: "12".to_owned() }]),
            text.replace("is 3", "is 12")
        );
    }

    #[test]
    fn edits_over_each_other_or_over_a_line_are_left_out() {
        let text = "abc\ndef\n";
        let edit = |range, new: &str| Edit { range, new: new.to_owned() };
        assert_eq!(
            bless(text, &[edit(0..2, "X"), edit(1..3, "Y"), edit(2..6, "Z"), edit(90..91, "Q")]),
            "Xc\ndef\n"
        );
    }

    #[test]
    fn a_difference_is_unified() {
        let old: Vec<String> = (1..=20).map(|n| format!("line {n}")).collect();
        let mut new = old.clone();
        for at in [4, 5, 16] {
            if let Some(line) = new.get_mut(at) {
                line.push('!');
            }
        }
        let (old, new) = (old.join("\n"), new.join("\n"));
        let wanted = "--- f\n+++ f\n@@ -2,8 +2,8 @@\n line 2\n line 3\n line 4\n-line 5\n-line 6\n+line 5!\n+line 6!\n line 7\n line 8\n \
                      line 9\n@@ -14,7 +14,7 @@\n line 14\n line 15\n line 16\n-line 17\n+line 17!\n line 18\n line 19\n line 20\n";
        assert_eq!(difference("f", &old, &new), wanted);
        assert_eq!(difference("f", &old, &old), "");
    }
}
