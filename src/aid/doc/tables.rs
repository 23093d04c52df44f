//! Tables as a rulebook prints them.

use super::desk::Desk;
use super::page::{Block, Table, Words, joined, plain};
use crate::aid::words::{said, tidy};
use crate::syntax::ast::{self, Expr, Grid, KeyCell, ListRow, Otherwise, Policy, TableBody};

/// The blocks of a table: what it is, how its rows are read, and the rows.
pub(super) fn table(desk: &Desk<'_>, table: &ast::Table) -> Vec<Block> {
    let head = Block::Head {
        anchor: desk.anchor("table", &table.name),
        noun: "table",
        title: desk.title(table.title.as_ref(), &table.name),
        cites: desk.cites(&table.cites),
    };
    let mut about = String::new();
    if table.title.is_some() {
        about.push_str(&format!("Called {}. ", tidy(&table.name.text)));
    }
    if let Some(of) = &table.of {
        about.push_str(&format!("Asked of {}. ", crate::check::with_article(&tidy(&of.text))));
    }
    about.push_str(policy(table.policy));
    let (body, kept) = match &table.body {
        TableBody::List { rows, otherwise, kept } => {
            (list(desk, table, rows, otherwise.as_ref()), kept.as_ref())
        }
        TableBody::Grid(found) => {
            let down = found
                .down
                .iter()
                .map(|p| tidy(&said(desk.book.sources, p.span)))
                .collect::<Vec<_>>()
                .join(", ");
            about.push_str(&format!(" Rows: {down}"));
            about.push_str(&found.across.as_ref().map_or_else(String::new, |p| {
                format!("; columns: {}", tidy(&said(desk.book.sources, p.span)))
            }));
            about.push('.');
            (grid(desk, table, found), found.kept.as_ref())
        }
    };
    let mut words = vec![plain(about)];
    if let Some(kept) = kept {
        words.push(plain(" The result is at least "));
        words.extend(desk.expr(&kept.low));
        words.push(plain(" and at most "));
        words.extend(desk.expr(&kept.high));
        words.push(plain(". "));
        words.extend(desk.cites(&kept.cites));
    }
    vec![head, Block::Text(words), Block::Table(body)]
}

fn policy(policy: Policy) -> &'static str {
    match policy {
        Policy::First => "The first row that fits counts.",
        Policy::Only => "Exactly one row fits.",
        Policy::Sum => "Add up all rows that fit.",
        Policy::All => "Every row that fits is rolled, in this order.",
    }
}

/// The heads of the results, with what they are counted in.
fn results(table: &ast::Table) -> Vec<String> {
    let head = |r: &ast::TableResult| match &r.dimension {
        Some(dimension) => format!("{} ({})", tidy(&r.name.text), tidy(&dimension.text)),
        None => tidy(&r.name.text),
    };
    table.results.iter().map(head).collect()
}

fn list(
    desk: &Desk<'_>,
    table: &ast::Table,
    rows: &[ListRow],
    otherwise: Option<&Otherwise>,
) -> Table {
    let named = rows.iter().any(|r| r.name.is_some());
    let cited = rows.iter().any(|r| !r.cites.0.is_empty())
        || otherwise.is_some_and(|o| !o.cites.0.is_empty());
    let mut heads: Vec<String> =
        named.then(|| "row".to_owned()).into_iter().chain(["when".to_owned()]).collect();
    let keys = usize::from(named);
    heads.extend(results(table));
    heads.extend(cited.then(|| "clauses".to_owned()));
    let wide = heads.len();
    let row = |name: String, asked: Words, values: &[Expr], cites: &ast::Cites| {
        let mut cells: Vec<Words> =
            named.then(|| vec![plain(name)]).into_iter().chain([asked]).collect();
        cells.extend(values.iter().map(|v| desk.expr(v)));
        // One value may stand for all columns, as `barred` does.
        cells.resize(wide - usize::from(cited), Words::new());
        cells.extend(cited.then(|| desk.cites(cites)));
        cells
    };
    let mut all: Vec<Vec<Words>> = rows
        .iter()
        .map(|r| {
            row(
                r.name.as_ref().map_or_else(String::new, |n| tidy(&n.text)),
                asked(desk, r),
                &r.values,
                &r.cites,
            )
        })
        .collect();
    all.extend(
        otherwise.map(|o| row(String::new(), vec![plain("otherwise")], &o.values, &o.cites)),
    );
    Table { heads, keys, rows: all }
}

/// When a row counts, and how often.
fn asked(desk: &Desk<'_>, row: &ListRow) -> Words {
    let mut out = Vec::new();
    if let Some(per) = &row.per {
        let mut words = vec![plain("for each of ")];
        words.extend(desk.expr(per));
        if let Some(beyond) = &row.beyond {
            words.push(plain(" beyond "));
            words.extend(desk.expr(beyond));
        }
        out.push(words);
    }
    out.extend(row.when.as_ref().map(|when| desk.expr(when)));
    joined(out, ", when ")
}

fn grid(desk: &Desk<'_>, table: &ast::Table, grid: &Grid) -> Table {
    let text = |key: &KeyCell| tidy(&said(desk.book.sources, key.span));
    let cited = grid.rows.iter().any(|r| !r.cites.0.is_empty());
    let mut heads: Vec<String> =
        grid.down.iter().map(|p| tidy(&said(desk.book.sources, p.span))).collect();
    let keys = heads.len();
    match &grid.across {
        Some(_) => heads.extend(grid.columns.iter().map(text)),
        // The columns are the results, in the order in which the chart names them.
        None => heads.extend(grid.columns.iter().map(|c| {
            let name = text(c);
            results(table)
                .into_iter()
                .find(|r| *r == name || r.starts_with(&format!("{name} (")))
                .unwrap_or(name)
        })),
    }
    heads.extend(cited.then(|| "clauses".to_owned()));
    let wide = heads.len();
    let rows = grid.rows.iter().map(|row| {
        let mut cells: Vec<Words> = row.keys.iter().map(|k| vec![plain(text(k))]).collect();
        cells.extend(row.values.iter().map(|v| desk.expr(v)));
        cells.resize(wide - usize::from(cited), Words::new());
        cells.extend(cited.then(|| desk.cites(&row.cites)));
        cells
    });
    Table { keys, rows: rows.collect(), heads }
}
