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
        match self.out.items.get_mut(at).map(|i| &mut i.item.kind) {
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
        match self.out.items.get_mut(at).map(|i| &mut i.item.kind) {
            Some(ItemKind::Table(table)) => find_row(sources, table, &row.text),
            _ => None,
        }
    }

    pub(super) fn cite_row(&mut self, row: &Name, table: &Name, cites: &Cites) {
        let sources = self.sources;
        let Some(table) = self.table(table) else { return };
        match &mut table.body {
            TableBody::List { rows, .. } => {
                if let Some(r) = rows.iter_mut().find(|r| r.name.as_ref().is_some_and(|n| n.text == row.text)) {
                    r.cites.0.extend(cites.0.iter().cloned());
                }
            }
            TableBody::Grid(grid) => {
                if let Some(r) = grid.rows.iter_mut().find(|r| keys_text(sources, &r.keys) == row.text) {
                    r.cites.0.extend(cites.0.iter().cloned());
                }
            }
        }
    }

    pub(super) fn cell(&mut self, keys: &[KeyCell], table: &Name, was: &Expr, now: &Expr) {
        let sources = self.sources;
        let wanted: Vec<String> = keys.iter().map(|k| text(sources, k.span)).collect();
        let what = format!("cell ({}) of `{}`", wanted.join(", "), table.text);
        if !self.touch(what.clone(), was.span) {
            return;
        }
        let Some(target) = self.table(table) else { return };
        let TableBody::Grid(grid) = &mut target.body else {
            self.faults.push(
                Diagnostic::error(code::E0602, table.span, format!("table `{}` is a list and has no cells", table.text))
                    .help("change a row: `override row NAME of TABLE was V now V`"),
            );
            return;
        };
        let found = wanted.split_last().and_then(|(column, row)| {
            let at = grid.columns.iter().position(|c| text(sources, c.span) == *column)?;
            grid.rows.iter_mut().find(|r| keys_text(sources, &r.keys) == row.join(", "))?.values.get_mut(at)
        });
        match found {
            Some(value) => {
                let (said, place) = (text(sources, value.span), value.span);
                if said == text(sources, was.span) {
                    *value = now.clone();
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

    pub(super) fn add_row(&mut self, table: &Name, before: Option<bool>, anchor: Option<&Name>, row: &AddedRow) {
        let sources = self.sources;
        let Some(target) = self.table(table) else { return };
        let at = |place: Option<usize>, len: usize| match (place, before) {
            (Some(p), Some(true)) => Some(p),
            (Some(p), _) => Some(p + 1),
            (None, _) if anchor.is_some() => None,
            (None, _) => Some(len),
        };
        let placed = match (&mut target.body, row) {
            (TableBody::List { rows, .. }, AddedRow::List(new)) => {
                let place = anchor.and_then(|a| rows.iter().position(|r| r.name.as_ref().is_some_and(|n| n.text == a.text)));
                at(place, rows.len()).map(|p| rows.insert(p, new.as_ref().clone()))
            }
            (TableBody::Grid(grid), AddedRow::Grid(new)) => {
                let place = anchor.and_then(|a| grid.rows.iter().position(|r| keys_text(sources, &r.keys) == a.text));
                at(place, grid.rows.len()).map(|p| grid.rows.insert(p, new.clone()))
            }
            (TableBody::List { .. }, AddedRow::Grid(new)) => return self.wrong_shape(new.span, "list"),
            (TableBody::Grid(_), AddedRow::List(new)) => return self.wrong_shape(new.span, "grid"),
        };
        if placed.is_none()
            && let Some(anchor) = anchor
        {
            self.no_such(anchor, &format!("table `{}`", table.text));
        }
    }

    fn wrong_shape(&mut self, span: Span, shape: &str) {
        self.faults.push(
            Diagnostic::error(code::E0109, span, format!("the table is a {shape}, and this is no row of a {shape}"))
                .help("write the row as the table prints its rows"),
        );
    }
}

/// The values of a row by its handle: its name, `otherwise` for the last row, or the keys of a grid row.
fn find_row<'t>(sources: &SourceMap, table: &'t mut Table, handle: &str) -> Option<&'t mut Vec<Expr>> {
    match &mut table.body {
        TableBody::List { rows, otherwise, .. } => rows
            .iter_mut()
            .find(|r| r.name.as_ref().is_some_and(|n| n.text == handle))
            .map(|r| &mut r.values)
            .or_else(|| otherwise.as_mut().filter(|_| handle == "otherwise").map(|o| &mut o.values)),
        TableBody::Grid(grid) => grid.rows.iter_mut().find(|r| keys_text(sources, &r.keys) == handle).map(|r| &mut r.values),
    }
}

pub(super) fn rows(body: &TableBody) -> usize {
    match body {
        TableBody::List { rows, .. } => rows.len(),
        TableBody::Grid(grid) => grid.rows.len(),
    }
}
