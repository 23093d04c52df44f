//! Which rows of tables an answer rests on, counted as coverage counts them.

use std::collections::BTreeSet;

use super::answers::{Answer, Asked};
use crate::ir::{Seen, TableId};
use crate::kernel::Position;

/// The rows that an answer rests on, each by its table and as changes name it.
pub(super) type Rows = BTreeSet<(String, String)>;

/// Asks once more, aloud, and gives the rows that counted; none where it cannot be asked.
pub(super) fn rows(position: &Position<'_>, answer: &Answer) -> Option<Rows> {
    let mut rules = position.rules.clone();
    rules.seen = Seen::counting(&rules);
    let again = Position::new(&rules, position.world)?;
    again
        .seen_by(answer.viewer, || match answer.asked {
            Asked::Trace(trace) => again.note(trace, answer.thing),
            Asked::Table(table) => again.table_values(table, answer.thing).map(drop),
            Asked::Test(test) => again.odds(test, answer.thing).map(drop),
        })
        .ok()?;
    let mut found = Rows::new();
    for (id, table) in (0..).map(TableId::at).zip(&rules.tables) {
        for (at, row) in table.rows.iter().enumerate() {
            if rules.seen.of_row(id, at) > 0 {
                found.extend(parts_of(&row.name).map(|part| (table.name.clone(), part)));
            }
        }
    }
    Some(found)
}

/// What a row, or the cell of a grid, is called where its change is told.
fn parts_of(row: &str) -> impl Iterator<Item = String> {
    let otherwise = Some(row.to_owned()).filter(|row| row == "otherwise");
    otherwise.into_iter().chain([format!("row {row}"), format!("cell ({row})")])
}

/// Whether a part of a table is a row or a cell, which an answer may rest on or not.
pub(super) fn is_row(part: &str) -> bool {
    part == "otherwise" || part.starts_with("row ") || part.starts_with("cell (")
}
