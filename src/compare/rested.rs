//! Which rows of tables an answer rests on, counted as coverage counts them.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::answers::{Answer, Asked};
use super::prepared::Prepared;
use crate::ir::{Ruleset, Seen, TableId, TraceId};
use crate::kernel::{EvalFault, Ground, Position};

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
    /// Of each trace whether a changed row of a table can bear on its answers.
    traces: Vec<bool>,
}

impl<'r> Counting<'r> {
    /// The rules, and whether a changed row of a table can bear on a trace, which is given by its
    /// name.
    pub(super) fn new(rules: &'r Ruleset, bears: impl Fn(&str) -> bool) -> Counting<'r> {
        let traces = rules.traces.iter().map(|trace| bears(&trace.name)).collect();
        Counting { rules, copy: OnceCell::new(), traces }
    }

    /// Whether a changed row of a table can bear on the answers of a trace.
    fn bears_on(&self, trace: TraceId) -> bool {
        self.traces.get(trace.index()).copied().unwrap_or(true)
    }
}

/// The boards of a ruleset that counts, and the position that was asked last.
pub(super) struct Counted<'c> {
    of: &'c Counting<'c>,
    side: Option<Prepared<'c>>,
    position: Option<Position<'c>>,
    /// What answers of traces rest on in this position; none where that cannot be worked out.
    grounds: IndexMap<Ground, Option<Grounds>>,
}

/// What an answer rests on: rows, and answers of traces, which rest on more.
#[derive(Clone)]
struct Grounds {
    rows: Vec<(TableId, usize)>,
    traces: Vec<Ground>,
}

impl<'c> Counted<'c> {
    pub(super) fn new(of: &'c Counting<'c>) -> Counted<'c> {
        Counted { of, side: None, position: None, grounds: IndexMap::new() }
    }

    /// The rows of an answer to a position, whose gates and lines are kept for the next answer; the
    /// answers of traces on which it rests are counted once for all that rest on them, and not where
    /// no changed row can be among their rows.
    pub(super) fn rows(&mut self, of: &Position<'c>, answer: &Answer) -> Option<Rows> {
        let copy = || self.of.copy.get_or_init(|| counting(self.of.rules));
        if self.position.as_ref().is_none_or(|position| !std::ptr::eq(position.world, of.world)) {
            let side = self.side.get_or_insert_with(|| Prepared::new(copy()));
            self.position = side.board(of.world.map).and_then(|board| of.beside(board));
            self.grounds.clear();
        }
        let again = self.position.as_ref()?;
        let Grounds { rows, traces: mut open } = own_grounds(again, || ask(again, answer))?;
        let mut found: BTreeSet<(TableId, usize)> = rows.into_iter().collect();
        let mut done: BTreeSet<Ground> = BTreeSet::new();
        while let Some(ground) = open.pop() {
            let (trace, thing, side) = ground;
            if !self.of.bears_on(trace) || !done.insert(ground) {
                continue;
            }
            let count = || again.seen_by(side, || again.note_grounds(trace, thing));
            let grounds = self.grounds.entry(ground).or_insert_with(|| own_grounds(again, count));
            let grounds = grounds.as_ref()?;
            found.extend(&grounds.rows);
            open.extend(&grounds.traces);
        }
        Some(named(again.rules, found))
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
    again.count_afresh();
    ask(again, answer).ok()?;
    Some(named(again.rules, counted(again.rules)))
}

/// What something that is asked rests on, but for what the answers of traces among it rest on.
fn own_grounds(
    again: &Position<'_>,
    ask: impl FnOnce() -> Result<(), EvalFault>,
) -> Option<Grounds> {
    let traces = again.count_apart(ask).ok()?;
    Some(Grounds { rows: counted(again.rules).collect(), traces })
}

fn ask(again: &Position<'_>, answer: &Answer) -> Result<(), EvalFault> {
    again.seen_by(answer.viewer, || match answer.asked {
        Asked::Trace(trace) => again.note(trace, answer.thing),
        Asked::Table(table) => again.table_values(table, answer.thing).map(drop),
        Asked::Test(test) => again.odds(test, answer.thing).map(drop),
    })
}

/// The rows that a ruleset has counted.
fn counted(rules: &Ruleset) -> impl Iterator<Item = (TableId, usize)> {
    (0..).map(TableId::at).zip(&rules.tables).flat_map(move |(id, table)| {
        (0..table.rows.len())
            .filter(move |at| rules.seen.of_row(id, *at) > 0)
            .map(move |at| (id, at))
    })
}

/// Rows by their tables, as changes name them.
fn named(rules: &Ruleset, rows: impl IntoIterator<Item = (TableId, usize)>) -> Rows {
    let mut found = Rows::new();
    for (id, at) in rows {
        let Some(table) = rules.tables.get(id.index()) else { continue };
        let Some(row) = table.rows.get(at) else { continue };
        found.extend(parts_of(&row.name).map(|part| (table.name.clone(), part)));
    }
    found
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
