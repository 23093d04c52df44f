//! Rows that live in a sheet, read as the rows of a text are.
//!
//! Takes the text that was made of a sheet, and where its rows and cells lie in it. Fills the rows
//! of a table; a fault stands in its cell. There is no second reader of what a cell says.

use std::ops::Range;

use pest::Parser;

use super::ast::{Grid, Otherwise, SheetText, Table, TableBody};
use super::build::{self, Origin, SheetRow};
use super::{Grammar, Rule, fault, limit_work, place};
use crate::diag::{Diagnostic, code};
use crate::source::{SourceId, Span, nesting};

/// What stands in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Key,
    Amount,
    Number,
    Truth,
    Name,
    Cites,
}

/// A row in the text: its range, and those of its cells. Of a text that was not made of cells the
/// cells are not known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Laid {
    pub range: Range<usize>,
    pub cells: Vec<(Range<usize>, Sort)>,
}

/// The text of a sheet.
#[derive(Debug, Clone, Default)]
pub(crate) struct LaidSheet {
    pub text: String,
    /// The heads of the columns, where the table is a grid.
    pub head: Option<Laid>,
    pub rows: Vec<Laid>,
}

impl LaidSheet {
    /// A text whose lines are the rows; of a grid the first one has the heads of the columns.
    pub(crate) fn of_text(text: String, grid: bool) -> LaidSheet {
        let (mut start, mut lines) = (0, Vec::new());
        for line in text.split_inclusive('\n') {
            let range = start..start + line.trim_end().len();
            start += line.len();
            if !line.trim().is_empty() {
                lines.push(Laid { range, cells: Vec::new() });
            }
        }
        let mut lines = lines.into_iter();
        let head = lines.next().map(|first| {
            let line = text.get(first.range.clone()).unwrap_or_default();
            let from = first.range.start + line.find('|').unwrap_or(0);
            Laid { range: from..first.range.end, cells: Vec::new() }
        });
        let rows = lines.collect();
        LaidSheet { head: head.filter(|_| grid), rows, text }
    }
}

/// Fills the rows of a table.
pub(crate) fn fill(table: &mut Table, source: SourceId, laid: &LaidSheet) -> Vec<Diagnostic> {
    limit_work();
    let mut faults = Vec::new();
    match &mut table.body {
        TableBody::Grid(grid) => fill_grid(grid, source, laid, &mut faults),
        TableBody::List { rows, otherwise, .. } => {
            for row in &laid.rows {
                let Some(found) = read(row, source, laid, &mut faults, |o, pair| {
                    build::sheet_row(o, pair.into_inner().next()?)
                }) else {
                    continue;
                };
                match found {
                    SheetRow::Row(row) => rows.push(*row),
                    SheetRow::Otherwise(last) => rest(otherwise, last, &mut faults),
                }
            }
        }
    }
    let start = laid.rows.first().map_or(laid.text.len(), |row| line_start(laid, row.range.start));
    let end = laid.rows.last().map_or(start, |row| row.range.end);
    let head = laid.head.as_ref().map(|head| Span::of(source, head.range.clone()));
    if let Some(from) = &mut table.from {
        from.read = Some(SheetText { head, rows: Span::of(source, start..end) });
    }
    faults
}

fn rest(known: &mut Option<Otherwise>, last: Otherwise, faults: &mut Vec<Diagnostic>) {
    if known.is_some() {
        let fault = Diagnostic::error(code::E0202, last.span, "`otherwise` stands twice");
        return faults.push(fault.help("keep one of the two rows"));
    }
    *known = Some(last);
}

fn fill_grid(grid: &mut Grid, source: SourceId, laid: &LaidSheet, faults: &mut Vec<Diagnostic>) {
    if let Some(head) = &laid.head {
        // With the end of its line, as in a text.
        let end = (head.range.end + 1).min(laid.text.len());
        let line = Laid { range: head.range.start..end, cells: head.cells.clone() };
        let rule = Rule::one_head;
        if let Some(columns) = parse(&line, rule, source, laid, faults, build::head) {
            grid.columns = columns;
        }
    }
    for row in &laid.rows {
        let found = parse(row, Rule::one_grid_row, source, laid, faults, |o, pair| {
            build::grid_row(o, pair.into_inner().next()?)
        });
        let Some(found) = found else { continue };
        let keys = found.keys.iter().map(|key| key.span);
        let places: Vec<Span> = keys.chain(found.values.iter().map(|value| value.span)).collect();
        if agrees(row, &places) {
            grid.rows.push(found);
        } else {
            refuse(row, source, laid, faults);
        }
    }
}

/// A row of a list, if it says what its cells say.
fn read<T>(
    row: &Laid,
    source: SourceId,
    laid: &LaidSheet,
    faults: &mut Vec<Diagnostic>,
    make: impl FnOnce(Origin, build::P<'_>) -> Option<T>,
) -> Option<T>
where
    T: Places,
{
    let found = parse(row, Rule::one_list_row, source, laid, faults, make)?;
    if agrees(row, &found.places()) {
        return Some(found);
    }
    refuse(row, source, laid, faults);
    None
}

/// Where the parts of a row lie, in order.
trait Places {
    fn places(&self) -> Vec<Span>;
}

impl Places for SheetRow {
    fn places(&self) -> Vec<Span> {
        let (name, amounts, values) = match self {
            SheetRow::Otherwise(last) => (None, Vec::new(), &last.values),
            SheetRow::Row(row) => {
                let amounts = [&row.per, &row.beyond, &row.when];
                let amounts = amounts.into_iter().flatten().map(|e| e.span).collect();
                (row.name.as_ref().map(|n| n.span), amounts, &row.values)
            }
        };
        name.into_iter().chain(amounts).chain(values.iter().map(|v| v.span)).collect()
    }
}

/// Whether each part of a row lies in a cell of its own, so that no cell says more than its part.
fn agrees(row: &Laid, places: &[Span]) -> bool {
    let cells = row.cells.iter().filter(|(_, sort)| *sort != Sort::Cites);
    let within = |((range, _), place): (&(Range<usize>, Sort), &Span)| {
        range.start <= place.start as usize && place.end as usize <= range.end
    };
    row.cells.is_empty() || cells.clone().count() == places.len() && cells.zip(places).all(within)
}

fn parse<T>(
    row: &Laid,
    rule: Rule,
    source: SourceId,
    laid: &LaidSheet,
    faults: &mut Vec<Diagnostic>,
    make: impl FnOnce(Origin, build::P<'_>) -> Option<T>,
) -> Option<T> {
    let text = laid.text.get(row.range.clone()).unwrap_or_default();
    if let Some(fault) = nesting(text, source, row.range.start) {
        faults.push(fault);
        return None;
    }
    let pair = Grammar::parse(rule, text).ok().and_then(|mut pairs| pairs.next());
    let found = pair.and_then(|pair| make(origin(source, row.range.start), pair));
    if found.is_none() {
        refuse(row, source, laid, faults);
    }
    found
}

/// The faults of a row that cannot be read: those of its cells, or else of the whole.
fn refuse(row: &Laid, source: SourceId, laid: &LaidSheet, faults: &mut Vec<Diagnostic>) {
    let before = faults.len();
    for (range, sort) in &row.cells {
        let text = laid.text.get(range.clone()).unwrap_or_default();
        let (rule, help) = asked(*sort);
        if let Err(error) = Grammar::parse(rule, text) {
            let at = place(&error, text);
            let o = origin(source, range.start);
            faults.push(fault::in_sentence(o, text, at, &error, ("cell", help)));
        }
    }
    if faults.len() == before {
        let place = Span::of(source, row.range.clone());
        let fault = Diagnostic::error(code::E0100, place, "these cells make no row of the table");
        faults.push(fault.help("a comment in a cell begins with `#`; write it into a column of its own, headed `# notes`"));
    }
}

fn asked(sort: Sort) -> (Rule, &'static str) {
    match sort {
        Sort::Key => (
            Rule::one_key,
            "a key is a value, `any`, `else`, `not A`, `one of (A, B)`, `at least 3` or `between 1 and 2`",
        ),
        Sort::Amount => {
            (Rule::one_amount, "write an amount such as `3` or `0.5`, a word, or `barred`")
        }
        Sort::Number => (Rule::one_number, "write a number such as `3`"),
        Sort::Truth => {
            (Rule::one_truth, "write a condition such as `season is winter`, or `otherwise`")
        }
        Sort::Name => {
            (Rule::one_name, "a name begins with a letter, with letters, digits and `_` behind it")
        }
        Sort::Cites => (Rule::one_cites, "write clauses with commas between them: `22.3a, 22.4b`"),
    }
}

fn origin<'a>(source: SourceId, start: usize) -> Origin<'a> {
    Origin::of(source, u32::try_from(start).unwrap_or(u32::MAX))
}

fn line_start(laid: &LaidSheet, at: usize) -> usize {
    laid.text.get(..at).and_then(|text| text.rfind('\n')).map_or(0, |newline| newline + 1)
}
