//! A report as columns, a row a variant.

use super::{Effect, Outcome, Report, Row, Shape, Value};

/// A column of a report: its head, and a cell a variant.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its head.
    pub head: String,
    /// Its cells.
    pub cells: Cells,
}

/// The cells of a column; none where there is nothing to say.
#[derive(Debug, Clone)]
pub enum Cells {
    /// words
    Words(Vec<Option<String>>),
    /// numbers of a ruleset
    Numbers(Vec<Option<Value>>),
    /// how many
    Counts(Vec<Option<u64>>),
}

impl Cells {
    /// A cell in words; empty where there is nothing to say.
    fn text(&self, row: usize) -> String {
        fn of<T: ToString>(cells: &[Option<T>], row: usize) -> String {
            cells.get(row).and_then(Option::as_ref).map_or_else(String::new, ToString::to_string)
        }
        match self {
            Cells::Words(cells) => of(cells, row),
            Cells::Numbers(cells) => of(cells, row),
            Cells::Counts(cells) => of(cells, row),
        }
    }
}

/// A row a variant, behind a row of heads.
#[must_use]
pub fn csv_rows(report: &Report) -> Vec<Vec<String>> {
    let columns = columns(report);
    let heads = columns.iter().map(|column| column.head.clone()).collect();
    let row = |row| columns.iter().map(|column| column.cells.text(row)).collect();
    std::iter::once(heads).chain((0..report.variants.len()).map(row)).collect()
}

/// The columns of a report.
#[must_use]
pub fn columns(report: &Report) -> Vec<Column> {
    let mut found = match report.shape {
        Shape::OneByOne => one_by_one(report),
        _ => report.numbers.iter().map(|effect| together(report, effect)).collect(),
    };
    let first = |row: &Row| match &row.outcome {
        Outcome::Positions(found) => found.first.clone(),
        _ => None,
    };
    let flips = |row: &Row| match &row.outcome {
        Outcome::Refused { .. } => None,
        Outcome::Positions(found) => Some(found.flips),
        Outcome::Games(found) => Some(found.flips),
    };
    found.push(words(report, "refused", |row| match &row.outcome {
        Outcome::Refused { refused } => Some(refused.clone()),
        _ => None,
    }));
    found.push(counts(report, "flips", flips));
    found.push(counts(report, "of", |_| Some(report.answers)));
    found.push(counts(report, "things", |row| match &row.outcome {
        Outcome::Positions(found) => u64::try_from(found.things.len()).ok(),
        _ => None,
    }));
    found.push(words(report, "position", |row| Some(first(row)?.position)));
    found.push(words(report, "question", |row| Some(first(row)?.question)));
    found.push(words(report, "thing", |row| Some(first(row)?.of)));
    found.push(words(report, "was", |row| Some(first(row)?.was)));
    found.push(words(report, "now", |row| Some(first(row)?.now)));
    found
}

/// The number that a variant changes, what it is and what it becomes.
fn one_by_one(report: &Report) -> Vec<Column> {
    let is = |name: &str| report.numbers.iter().find(|n| n.number.name == name);
    let numbers = |head: &str, cell: &dyn Fn(&Row) -> Option<Value>| Column {
        head: head.to_owned(),
        cells: Cells::Numbers(report.variants.iter().map(cell).collect()),
    };
    vec![
        words(report, "number", |row| row.values.keys().next().cloned()),
        numbers("is", &|row| Some(is(row.values.keys().next()?)?.number.is)),
        numbers("value", &|row| row.values.values().next().copied()),
    ]
}

/// What a number is in each variant.
fn together(report: &Report, effect: &Effect) -> Column {
    let name = &effect.number.name;
    let value = |row: &Row| Some(row.values.get(name).copied().unwrap_or(effect.number.is));
    Column {
        head: name.clone(),
        cells: Cells::Numbers(report.variants.iter().map(value).collect()),
    }
}

fn words(report: &Report, head: &str, cell: impl Fn(&Row) -> Option<String>) -> Column {
    let cells = Cells::Words(report.variants.iter().map(cell).collect());
    Column { head: head.to_owned(), cells }
}

fn counts(report: &Report, head: &str, cell: impl Fn(&Row) -> Option<u64>) -> Column {
    let cells = Cells::Counts(report.variants.iter().map(cell).collect());
    Column { head: head.to_owned(), cells }
}
