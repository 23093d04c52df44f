//! Which rows of tables an answer rests on, counted as coverage counts them.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::answers::{Answer, Asked};
use super::caused::Turned;
use super::comparing::same_things;
use super::prepared::Prepared;
use super::through;
use crate::ir::{Part, Policy, Row, Ruleset, Seen, TableId, TraceId};
use crate::kernel::{EvalFault, Ground, Position};

/// The rows that an answer rests on, each by its table and as changes name it.
pub(super) type Rows = BTreeSet<(String, String)>;

/// What an answer rests on itself.
pub(super) struct Own {
    /// Its rows.
    pub rows: Rows,
    /// The row that would decide if the one that does were not there.
    pub next: Rows,
    /// The named values that it reads where these rows hold.
    pub names: BTreeSet<String>,
    /// The answers of traces, which rest on more.
    pub traces: Vec<Ground>,
}

/// What knows on what the answers of the positions before and after rest: before is 0, after is 1.
pub(super) trait Rests {
    /// The rows of one answer, those of the traces among its grounds with them; none where it
    /// cannot be asked.
    fn rows(&self, which: usize, answer: &Answer) -> Option<Rows>;

    /// What one answer rests on itself; none where it cannot be asked.
    fn own(&self, which: usize, answer: &Answer) -> Option<Own>;

    /// Whether the same things stand in both positions.
    fn same_things(&self) -> bool;

    /// Whether they do, and a question reads of traces their answers alone.
    fn by_answers(&self, asked: [Asked; 2]) -> bool;

    /// The changes by which the answer of a trace is another, kept where they were worked out before.
    fn by_trace(&self, _turned: &Turned, work: &dyn Fn() -> Vec<String>) -> Vec<String> {
        work()
    }
}

/// Two positions, each asked by rules and a board of its own for each answer.
pub(super) struct Alone<'p>(pub [&'p Position<'p>; 2]);

impl Rests for Alone<'_> {
    fn rows(&self, which: usize, answer: &Answer) -> Option<Rows> {
        let position = self.0.get(which)?;
        let rules = counting(position.rules);
        rows(&Position::new(&rules, position.world)?, answer)
    }

    fn own(&self, which: usize, answer: &Answer) -> Option<Own> {
        let position = self.0.get(which)?;
        let rules = counting(position.rules);
        own(&Position::new(&rules, position.world)?, answer)
    }

    fn same_things(&self) -> bool {
        let [before, after] = self.0;
        same_things(before, after)
    }

    fn by_answers(&self, asked: [Asked; 2]) -> bool {
        let [before, after] = self.0.map(|position| position.rules);
        self.same_things() && reads_answers((before, after), asked)
    }
}

/// Whether a question reads of traces their answers alone, under both rulesets.
pub(super) fn reads_answers((a, b): (&Ruleset, &Ruleset), [was, now]: [Asked; 2]) -> bool {
    through::read(a, was).is_some() && through::read(b, now).is_some()
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
        self.turn_to(of);
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

    /// What an answer to a position rests on itself.
    pub(super) fn own(&mut self, of: &Position<'c>, answer: &Answer) -> Option<Own> {
        self.turn_to(of);
        own(self.position.as_ref()?, answer)
    }

    /// Makes a position the one that is asked, if it is not.
    fn turn_to(&mut self, of: &Position<'c>) {
        if self.position.as_ref().is_some_and(|position| std::ptr::eq(position.world, of.world)) {
            return;
        }
        let copy = || self.of.copy.get_or_init(|| counting(self.of.rules));
        let side = self.side.get_or_insert_with(|| Prepared::new(copy()));
        self.position = side.board(of.world.map).and_then(|board| of.beside(board));
        self.grounds.clear();
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

/// What an answer rests on itself, asked once more.
fn own(again: &Position<'_>, answer: &Answer) -> Option<Own> {
    let Grounds { rows, traces } = own_grounds(again, || ask(again, answer))?;
    let names = names(again.rules, answer.asked, &rows);
    let next = named(again.rules, next(again, answer, &rows));
    Some(Own { rows: named(again.rules, rows), next, names, traces })
}

/// The row of a table by first match behind the one that decided which holds too.
fn next(
    again: &Position<'_>,
    answer: &Answer,
    rows: &[(TableId, usize)],
) -> Option<(TableId, usize)> {
    let Asked::Table(id) = answer.asked else { return None };
    let table = again.rules.tables.get(id.index()).filter(|t| t.policy == Policy::First)?;
    let (_, decided) = rows.iter().find(|(table, _)| *table == id)?;
    let cx = again.asked_of(answer.thing);
    let holds = |row: &Row| row.when.is_none_or(|when| again.holds(when, &cx).unwrap_or_default());
    let mut behind = table.rows.iter().enumerate().skip(decided + 1);
    behind.find(|(_, row)| holds(row)).map(|(at, _)| (id, at))
}

/// The named values that a table or a test reads, by whatever way but through traces, where these
/// rows of tables alone hold.
fn names(rules: &Ruleset, asked: Asked, rows: &[(TableId, usize)]) -> BTreeSet<String> {
    let bodies = |part: Part| match part {
        Part::Trace(_) => Vec::new(),
        Part::Table(id) => {
            let held = rows.iter().filter(|(table, _)| *table == id);
            rules.tables.get(id.index()).map_or_else(Vec::new, |table| {
                let kept = table.kept.into_iter().flat_map(|(low, high)| [low, high]);
                held.filter_map(|(_, at)| table.rows.get(*at))
                    .flat_map(Row::parts)
                    .chain(kept)
                    .collect()
            })
        }
        part => rules.expressions_of(part),
    };
    let start = match asked {
        Asked::Trace(id) => Part::Trace(id),
        Asked::Table(id) => Part::Table(id),
        Asked::Test(id) => Part::Test(id),
    };
    let (mut open, mut seen) = (bodies(start), BTreeSet::new());
    let mut found: BTreeSet<String> = rules.name_of(start).map(str::to_owned).into_iter().collect();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            rules.for_each_part(rules.node(id), &mut |part| {
                found.extend(rules.name_of(part).map(str::to_owned));
                open.extend(bodies(part));
            });
        }
    }
    found
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
