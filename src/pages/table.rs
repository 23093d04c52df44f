//! A table as a page: as it would stand in a sheet that the table names.

use super::spot::{Make, Row, Sheet, Spot};
use crate::arrange::Arrange as _;
use crate::project::CLAUSES;
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{Expr, Grid, ListRow, Otherwise, Table, TableBody};

pub(super) fn sheet(table: &Table, item: Span, sources: &SourceMap) -> Sheet {
    let (mut heads, rows, make, keys) = match &table.body {
        TableBody::Grid(grid) => {
            let keys = grid.down.len();
            (heads(grid, sources), grid_rows(grid, sources), Make::Grid(keys), keys)
        }
        TableBody::List { rows, otherwise, .. } => {
            let words = ["row", "per", "beyond", "when"].into_iter();
            let results = table.results.iter().map(|r| r.name.text.as_str());
            let heads = words.chain(results).map(Spot::fixed).collect();
            (heads, list_rows(rows, otherwise.as_ref(), sources), Make::List, 4)
        }
    };
    heads.push(Spot::fixed(CLAUSES));
    Sheet { name: table.name.text.clone(), heads, rows, make, keys, item }
}

fn heads(grid: &Grid, sources: &SourceMap) -> Vec<Spot> {
    let keys = grid.down.iter().map(|path| Spot::fixed(Spot::words(sources, path.span).shown));
    let columns = grid.columns.iter().map(|column| Spot::words(sources, column.span));
    keys.chain(columns).collect()
}

fn grid_rows(grid: &Grid, sources: &SourceMap) -> Vec<Row> {
    let row = |row: &crate::syntax::ast::GridRow| {
        let keys = row.keys.iter().map(|key| Spot::words(sources, key.span));
        let values = row.values.iter().map(|value| Spot::words(sources, value.span));
        let mut spots: Vec<Spot> = keys.chain(values).collect();
        let last = row.values.last().map_or(row.span, |value| value.span);
        spots.push(Spot::cites(&row.cites, last, sources));
        Row { span: row.span, spots, withs: None }
    };
    grid.rows.iter().map(row).collect()
}

fn list_rows(rows: &[ListRow], rest: Option<&Otherwise>, sources: &SourceMap) -> Vec<Row> {
    let mut all: Vec<Row> = rows.iter().map(|row| list_row(row, sources)).collect();
    if let Some(rest) = rest {
        let words = ["", "", "", "otherwise"].map(Spot::fixed).into_iter();
        let mut spots: Vec<Spot> = words.chain(values(&rest.values, sources)).collect();
        let last = rest.values.last().map_or(rest.span, |value| value.span);
        spots.push(Spot::cites(&rest.cites, last, sources));
        all.push(Row { span: rest.span, spots, withs: None });
    }
    all.arrange_by_key(|row| row.span);
    all
}

fn values(values: &[Expr], sources: &SourceMap) -> impl Iterator<Item = Spot> {
    values.iter().map(|value| Spot::words(sources, value.span))
}

fn list_row(row: &ListRow, sources: &SourceMap) -> Row {
    let start = row.span.point();
    let name = match &row.name {
        Some(name) => {
            // The word `row` goes with it, and the blank behind it.
            let text = sources.text(name.span.source);
            let rest = text.get(name.span.end as usize..).unwrap_or_default();
            let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let end = name.span.end.saturating_add(u32::try_from(blank).unwrap_or(0));
            let whole = Span::new(start.source, start.start, end);
            let at = super::At::Optional { words: name.span, whole, quoted: false };
            Spot { shown: name.text.clone(), at, colour: None }
        }
        None => Spot::absent(start, "row ", " "),
    };
    let words = |expr: &Option<Expr>| {
        expr.as_ref().map_or_else(|| Spot::fixed(""), |e| Spot::words(sources, e.span))
    };
    let mut spots = vec![name, words(&row.per), words(&row.beyond), words(&row.when)];
    spots.extend(values(&row.values, sources));
    let last = row.values.last().map_or(row.span, |value| value.span);
    spots.push(Spot::cites(&row.cites, last, sources));
    Row { span: row.span, spots, withs: None }
}
