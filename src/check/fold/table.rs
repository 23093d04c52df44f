//! Changes of tables: rows by their handles, cells by their keys, rows added.

use super::{Fold, keys_text, text};
use crate::diag::{Diagnostic, code};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::*;

impl Fold<'_> {
    pub(super) fn table(&mut self, name: &Name) -> Option<&mut Table> {
        let Some(at) = self.position("table", name) else {
            self.missing("table", name);
            return None;
        };
        match self.out.items.get_mut(at).map(|i| &mut i.item_mut().kind) {
            Some(ItemKind::Table(table)) => Some(table),
            _ => None,
        }
    }

    pub(super) fn row_values(&mut self, row: &Name, table: &Name) -> Option<&mut Vec<Expr>> {
        let sources = self.sources;
        if self.table(table).is_some_and(|t| find_row(sources, t, &row.text).is_none()) {
            self.no_such(row, &format!("table `{}`", table.text));
            return None;
        }
        let at = self.position("table", table)?;
        match self.out.items.get_mut(at).map(|i| &mut i.item_mut().kind) {
            Some(ItemKind::Table(table)) => find_row(sources, table, &row.text),
            _ => None,
        }
    }

    pub(super) fn cite_row(&mut self, row: &Name, table: &Name, cites: &Cites) {
        let sources = self.sources;
        let Some((span, old)) = self.cites_of_row(row, table) else { return };
        let before = old.clone();
        let cites = &self.out.uncited(&before, cites);
        if let Some((_, old)) = self.cites_of_row(row, table) {
            old.0.extend(cites.0.iter().cloned());
        }
        if let Some(rope) = self.rope("table", table) {
            super::trace::cite(rope, span, &before, cites, sources);
        }
    }

    /// Where a row stands, and its clauses.
    fn cites_of_row(&mut self, row: &Name, table: &Name) -> Option<(Span, &mut Cites)> {
        let sources = self.sources;
        match &mut self.table(table)?.body {
            TableBody::List { rows, otherwise, .. } => rows
                .iter_mut()
                .find(|r| r.name.as_ref().is_some_and(|n| n.text == row.text))
                .map(|r| (r.span, &mut r.cites))
                .or_else(|| {
                    otherwise
                        .as_mut()
                        .filter(|_| row.text == "otherwise")
                        .map(|o| (o.span, &mut o.cites))
                }),
            TableBody::Grid(grid) => grid
                .rows
                .iter_mut()
                .find(|r| keys_text(sources, &r.keys) == row.text)
                .map(|r| (r.span, &mut r.cites)),
        }
    }

    pub(super) fn remove_row(&mut self, row: &Name, table: &Name, item: Span) {
        let sources = self.sources;
        if !self.touch_part(
            format!("row `{}` of `{}`", row.text, table.text),
            ("table", table),
            item,
        ) {
            return;
        }
        let Some(target) = self.table(table) else { return };
        let gone = match &mut target.body {
            TableBody::List { rows, .. } => rows
                .iter()
                .position(|r| r.name.as_ref().is_some_and(|n| n.text == row.text))
                .map(|at| rows.remove(at).span),
            TableBody::Grid(grid) => grid
                .rows
                .iter()
                .position(|r| keys_text(sources, &r.keys) == row.text)
                .map(|at| grid.rows.remove(at).span),
        };
        match (gone, self.rope("table", table)) {
            (Some(gone), Some(rope)) => rope.remove_lines(gone, sources),
            _ => self.no_such(row, &format!("table `{}`", table.text)),
        }
    }

    pub(super) fn cell(
        &mut self,
        keys: &[KeyCell],
        table: &Name,
        was: &Expr,
        now: &Expr,
        cites: &Cites,
    ) {
        let sources = self.sources;
        let wanted: Vec<String> = keys.iter().map(|k| text(sources, k.span)).collect();
        let what = format!("cell ({}) of `{}`", wanted.join(", "), table.text);
        if !self.touch_part(what.clone(), ("table", table), was.span) {
            return;
        }
        let Some(target) = self.table(table) else { return };
        let TableBody::Grid(grid) = &mut target.body else {
            self.faults.push(
                Diagnostic::error(
                    code::E0602,
                    table.span,
                    format!("table `{}` is a list and has no cells", table.text),
                )
                .help("change a row: `override row NAME of TABLE was V now V`"),
            );
            return;
        };
        let found = wanted.split_last().and_then(|(column, row)| {
            let at = grid.columns.iter().position(|c| text(sources, c.span) == *column)?;
            grid.rows
                .iter_mut()
                .find(|r| keys_text(sources, &r.keys) == row.join(", "))?
                .values
                .get_mut(at)
        });
        match found {
            Some(value) => {
                let (said, place) = (text(sources, value.span), value.span);
                if said == text(sources, was.span) {
                    *value = now.clone();
                    if let Some(rope) = self.rope("table", table) {
                        rope.replace(place, now.span, sources);
                    }
                    if let Some((_, row)) = wanted.split_last() {
                        self.cite_row(&Name { text: row.join(", "), span: was.span }, table, cites);
                    }
                } else {
                    self.mismatch(was.span, place, &said, &what);
                }
            }
            None => {
                let span = keys.first().map_or(table.span, |k| k.span);
                self.faults.push(
                    Diagnostic::error(code::E0602, span, format!("table `{}` has no cell ({})", table.text, wanted.join(", ")))
                        .help("name the keys of the row, then the head of the column, as the table prints them"),
                );
            }
        }
    }

    pub(super) fn add_row(
        &mut self,
        table: &Name,
        before: Option<bool>,
        anchor: Option<&Name>,
        row: &AddedRow,
        item: Span,
    ) {
        let sources = self.sources;
        if self.touched.iter().any(|t| t.what == format!("table `{}`", table.text)) {
            self.touch_part(String::new(), ("table", table), item);
            return;
        }
        let Some(target) = self.table(table) else { return };
        let (lines, place) = match (&target.body, row) {
            (TableBody::List { rows, .. }, AddedRow::List(_)) => {
                let place = anchor.map(|a| {
                    rows.iter().position(|r| r.name.as_ref().is_some_and(|n| n.text == a.text))
                });
                (rows.iter().map(|r| r.span).collect::<Vec<_>>(), place)
            }
            (TableBody::Grid(grid), AddedRow::Grid(_)) => {
                let place = anchor
                    .map(|a| grid.rows.iter().position(|r| keys_text(sources, &r.keys) == a.text));
                (grid.rows.iter().map(|r| r.span).collect(), place)
            }
            (TableBody::List { .. }, AddedRow::Grid(new)) => {
                return self.wrong_shape(new.span, "list");
            }
            (TableBody::Grid(_), AddedRow::List(new)) => return self.wrong_shape(new.span, "grid"),
        };
        let at = match (place, before) {
            (None, _) => lines.len(),
            (Some(Some(at)), Some(true)) => at,
            (Some(Some(at)), _) => at + 1,
            (Some(None), _) => {
                if let Some(anchor) = anchor {
                    self.no_such(anchor, &format!("table `{}`", table.text));
                }
                return;
            }
        };
        // A table without rows has a last line all the same, above which the first one comes.
        let end = match &target.body {
            TableBody::List { otherwise, kept, .. } => {
                [otherwise.as_ref().map(|o| o.span), kept.as_ref().map(|k| k.span)]
                    .into_iter()
                    .flatten()
                    .min()
            }
            TableBody::Grid(grid) => grid.columns.last().map(|c| c.span),
        };
        let start = match (&mut target.body, row) {
            (TableBody::List { rows, .. }, AddedRow::List(new)) => {
                rows.insert(at, new.as_ref().clone());
                new.span.start
            }
            (TableBody::Grid(grid), AddedRow::Grid(new)) => {
                grid.rows.insert(at, new.clone());
                new.span.start
            }
            _ => return,
        };
        let grid = matches!(row, AddedRow::Grid(_));
        let written = Span::new(item.source, start, item.end);
        let Some(rope) = self.rope("table", table) else { return };
        match (lines.get(at), lines.last(), end) {
            (Some(next), ..) => rope.line_above(*next, written, sources),
            (None, Some(last), _) => rope.line_below(*last, written, sources),
            (None, None, Some(end)) if grid => rope.line_below(end, written, sources),
            (None, None, Some(end)) => rope.line_above(end, written, sources),
            (None, None, None) => {}
        }
    }

    fn wrong_shape(&mut self, span: Span, shape: &str) {
        self.faults.push(
            Diagnostic::error(
                code::E0109,
                span,
                format!("the table is a {shape}, and this is no row of a {shape}"),
            )
            .help("write the row as the table prints its rows"),
        );
    }
}

/// The values of a row by its handle: its name, `otherwise` for the last row, or the keys of a grid
/// row.
fn find_row<'t>(
    sources: &SourceMap,
    table: &'t mut Table,
    handle: &str,
) -> Option<&'t mut Vec<Expr>> {
    match &mut table.body {
        TableBody::List { rows, otherwise, .. } => rows
            .iter_mut()
            .find(|r| r.name.as_ref().is_some_and(|n| n.text == handle))
            .map(|r| &mut r.values)
            .or_else(|| {
                otherwise.as_mut().filter(|_| handle == "otherwise").map(|o| &mut o.values)
            }),
        TableBody::Grid(grid) => grid
            .rows
            .iter_mut()
            .find(|r| keys_text(sources, &r.keys) == handle)
            .map(|r| &mut r.values),
    }
}
