//! Which rows of tables an answer rests on, counted as coverage counts them.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::answers::{Answer, Asked};
use super::comparing::Side;
use crate::ir::{Ruleset, Seen, TableId};
use crate::kernel::Position;
use crate::world::World;

/// The rows that an answer rests on, each by its table and as changes name it.
pub(super) type Rows = BTreeSet<(String, String)>;

/// What knows the rows on which the answers of the positions before and after rest.
pub(super) trait Rests {
    /// The rows of one answer: before is 0, after is 1; none where it cannot be asked.
    fn rows(&self, which: usize, answer: &Answer) -> Option<Rows>;
}

/// Two positions, each asked by rules and a board of its own for each answer.
pub(super) struct Alone<'p>(pub [&'p Position<'p>; 2]);

impl Rests for Alone<'_> {
    fn rows(&self, which: usize, answer: &Answer) -> Option<Rows> {
        let position = self.0.get(which)?;
        let rules = counting(position.rules);
        rows(&Position::new(&rules, position.world)?, answer)
    }
}

/// A ruleset that counts what answers to many positions rest on: copied when it is first asked.
pub(super) struct Counting<'r> {
    rules: &'r Ruleset,
    copy: OnceCell<Ruleset>,
}

impl<'r> Counting<'r> {
    pub(super) fn new(rules: &'r Ruleset) -> Counting<'r> {
        Counting { rules, copy: OnceCell::new() }
    }
}

/// The boards of a ruleset that counts, and the position that was asked last.
pub(super) struct Counted<'c> {
    of: &'c Counting<'c>,
    side: Option<Side<'c>>,
    position: Option<Position<'c>>,
}

impl<'c> Counted<'c> {
    pub(super) fn new(of: &'c Counting<'c>) -> Counted<'c> {
        Counted { of, side: None, position: None }
    }

    /// The rows of an answer to a position, whose gates and lines are kept for the next answer.
    pub(super) fn rows(&mut self, world: &'c World, answer: &Answer) -> Option<Rows> {
        let copy = || self.of.copy.get_or_init(|| counting(self.of.rules));
        if self.position.as_ref().is_none_or(|position| !std::ptr::eq(position.world, world)) {
            let side = self.side.get_or_insert_with(|| Side::new(copy()));
            self.position = side.position(world);
        }
        rows(self.position.as_ref()?, answer)
    }
}

/// The same rules, which count.
fn counting(rules: &Ruleset) -> Ruleset {
    let mut rules = rules.clone();
    rules.seen = Seen::counting(&rules);
    rules
}

/// Asks once more, aloud, and gives the rows that counted; none where it cannot be asked.
fn rows(again: &Position<'_>, answer: &Answer) -> Option<Rows> {
    let rules = again.rules;
    again.count_afresh();
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
