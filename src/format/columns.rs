//! Columns: what stands below what in the rows that belong together.
//!
//! Takes rows; widens their parts, and moves the clauses and comments at their ends. A row that is
//! much longer than the others would push them all far to the right, so it stands by itself.

use super::layout::{Between, Place, Row};
use super::space::width;
use crate::arrange::Arrange as _;

/// A part that ends beyond this column moves no other row.
const FAR: usize = 96;

/// A few rows that are longer than all the others by more than this are far, wherever they end.
const LEAP: usize = 24;

/// How wide a line is at most, if clauses or comments can be placed so.
const WIDTH: usize = 120;

/// How many spaces stand before clauses and comments at least.
const GAP: usize = 3;

pub(super) fn align(rows: &mut [Row]) {
    let mut start = 0;
    while start < rows.len() {
        let end = start + together(rows.get(start..).unwrap_or_default()).max(1);
        if let Some(group) = rows.get_mut(start..end) {
            align_parts(group);
            align_ends(group);
        }
        start = end;
    }
}

/// How many rows from the first on share their columns.
fn together(rows: &[Row]) -> usize {
    let Some(first) = rows.first() else { return 0 };
    match first.place {
        // The lines of a leg stand deeper than those of its trace, and have columns of their own.
        Place::Inside => {
            let same = |r: &Row| {
                r.indent == first.indent && matches!(r.place, Place::Inside | Place::Loose)
            };
            rows.iter().take_while(|r| same(r)).count()
        }
        Place::Single => {
            let goes_on = |r: &Row| matches!(r.place, Place::Single | Place::Loose) && !r.blank;
            1 + rows.iter().skip(1).take_while(|r| goes_on(r)).count()
        }
        Place::Edge | Place::Loose | Place::Raw => 1,
    }
}

fn align_parts(group: &mut [Row]) {
    // A cell is missing in an unnamed row of a list; a row with one part stands in no columns.
    let most = group.iter().map(|r| r.parts.len()).max().unwrap_or(0);
    for at in 0..most {
        right(group, at);
        let ends: Vec<usize> =
            group.iter().filter(|r| r.parts.len() > at + 1).map(|r| r.end_of(at)).collect();
        let Some(column) =
            (if is_grid(group) { ends.iter().max().copied() } else { nearest(&ends, FAR) })
        else {
            continue;
        };
        for row in group.iter_mut().filter(|r| r.parts.len() > at + 1) {
            let missing = column.saturating_sub(row.end_of(at));
            let alone = row.parts.iter().take(at + 1).all(Option::is_none);
            if let Some(part) = row.parts.get_mut(at).filter(|_| !alone) {
                part.get_or_insert_default().extend(std::iter::repeat_n(' ', missing));
            }
        }
    }
}

fn is_grid(group: &[Row]) -> bool {
    group.iter().any(|r| r.parts.len() > 1 && r.between != Between::Space)
}

/// Moves the numbers of a table's column to the right, if it holds nothing else.
fn right(group: &mut [Row], at: usize) {
    let is_cell = |r: &Row| at > 0 && r.between == Between::BarOfTable && r.parts.len() > at;
    let text = |r: &Row| r.parts.get(at).cloned().flatten().unwrap_or_default();
    let numbers = |r: &Row| {
        !text(r).is_empty()
            && text(r).bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'/'))
    };
    // The first row names the columns.
    if !group.iter().filter(|r| is_cell(r)).skip(1).all(numbers) {
        return;
    }
    let wide = group.iter().filter(|r| is_cell(r)).map(|r| width(&text(r))).max().unwrap_or(0);
    for row in group.iter_mut().filter(|r| is_cell(r)).skip(1) {
        let cell = text(row);
        if let Some(part) = row.parts.get_mut(at) {
            *part = Some(format!("{cell:>wide$}"));
        }
    }
}

/// Sets the clauses, then the comments.
fn align_ends(group: &mut [Row]) {
    let lines: Vec<(usize, usize)> = group
        .iter()
        .map(|r| {
            (
                r.code_width(),
                r.cites.as_ref().filter(|_| r.code_width() > 0).map_or(0, |c| width(c)),
            )
        })
        .collect();
    for (row, room) in group.iter_mut().zip(rooms(&lines, FAR)) {
        if let (Some(cites), Some(room)) = (&mut row.cites, room) {
            *cites = format!("{}{cites}", " ".repeat(room));
        }
    }
    let comment = |r: &Row| {
        if r.place == Place::Loose { 0 } else { r.comment.as_ref().map_or(0, |c| width(c)) }
    };
    let lines: Vec<(usize, usize)> = group
        .iter()
        .map(|r| (r.code_width() + r.cites.as_ref().map_or(0, |c| width(c)), comment(r)))
        .collect();
    for (row, room) in group.iter_mut().zip(rooms(&lines, WIDTH)) {
        if let (Some(comment), Some(room)) = (&mut row.comment, room) {
            *comment = format!("{}{comment}", " ".repeat(room));
        }
    }
}

/// The longest of the rows that are not far.
fn nearest(lengths: &[usize], far: usize) -> Option<usize> {
    let mut sorted: Vec<usize> = lengths.iter().copied().filter(|l| *l <= far).collect();
    sorted.arrange();
    let is_leap = |pair: &[usize]| matches!(pair, [a, b] if b - a > LEAP);
    // The few give way to the many; where short rows are the few, as the last row of a table often
    // is, nobody does.
    let leap = sorted
        .windows(2)
        .enumerate()
        .find(|(at, pair)| is_leap(pair) && 2 * (sorted.len() - at - 1) < at + 1);
    let leap = leap.map(|(at, _)| at);
    leap.map_or(sorted.last(), |at| sorted.get(at)).copied()
}

/// The room before what stands at the end of some lines, of which the length and the length of that
/// end are known: one column for all that are not far; far ones that follow each other share one,
/// if they fit into the width.
fn rooms(lines: &[(usize, usize)], far: usize) -> Vec<Option<usize>> {
    let lengths: Vec<usize> = lines.iter().filter(|l| l.1 > 0).map(|l| l.0).collect();
    let column = nearest(&lengths, far).unwrap_or(0);
    let is_near = |line: &(usize, usize)| line.1 == 0 || line.0 <= column;
    let mut rooms = Vec::with_capacity(lines.len());
    for run in lines.chunk_by(|a, b| is_near(a) == is_near(b)) {
        let is_far = run.first().is_some_and(|l| !is_near(l));
        let widest = run.iter().map(|l| l.1).max().unwrap_or(0);
        let shared = run.iter().map(|l| l.0).filter(|l| l + GAP + widest <= WIDTH).max();
        let column = if is_far { shared.unwrap_or(0) } else { column };
        rooms.extend(run.iter().map(|l| (l.1 > 0).then(|| column.saturating_sub(l.0) + GAP)));
    }
    rooms
}

impl Row {
    /// Where a part ends.
    fn end_of(&self, at: usize) -> usize {
        self.indent + width(&self.joined(at + 1))
    }

    /// Where the words end, without clauses and comment.
    fn code_width(&self) -> usize {
        match self.parts.iter().flatten().next() {
            Some(_) => self.end_of(self.parts.len()),
            None => 0,
        }
    }

    /// The first parts with what stands between them.
    fn joined(&self, count: usize) -> String {
        let mut out = String::new();
        for (at, part) in self.parts.iter().take(count).enumerate() {
            match (self.between, at) {
                (_, 0) => {}
                (Between::Space, _) if out.is_empty() => {}
                (Between::Space, _) => out.push(' '),
                (Between::Bar | Between::BarOfTable, _) => out.push_str(" | "),
            }
            out.push_str(part.as_deref().unwrap_or_default());
        }
        out
    }

    /// Writes the row without its line end.
    pub(super) fn write(&self, out: &mut String) {
        if self.place == Place::Raw {
            out.extend(self.parts.iter().flatten().map(String::as_str));
            return;
        }
        let line = self.joined(self.parts.len())
            + self.cites.as_deref().unwrap_or_default()
            + self.comment.as_deref().unwrap_or_default();
        let line = line.trim_end();
        out.extend(std::iter::repeat_n(' ', self.indent));
        out.push_str(line);
    }
}
