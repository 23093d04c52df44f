//! The exact odds of a test, or of a list of tests, asked of rows: a chance for each thing and each
//! result.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_schema::{DataType, Field};
use rustc_hash::FxHashMap;

use super::asked::Ask;
use super::chunk::Chunk;
use super::column::{Column, put};
use super::start::Start;
use super::trouble::Trouble;
use super::written::Sheet;
use crate::facade::{Columns, Faults, OFF_MAP, Thing, Unit, open_rows};
use crate::kernel::column::Answers;
use crate::report::ThingOdds;

/// A test prepared for rows.
pub(super) struct OfOdds {
    test: String,
    results: Vec<String>,
    ids: Vec<String>,
    at: FxHashMap<String, usize>,
    columns: Option<Columns>,
    things: Vec<Option<Thing>>,
    /// The chances of the results where the programs of the columns come to these values.
    known: Mutex<FxHashMap<Vec<i32>, Option<Chances>>>,
}

/// The chances of the results, in their order.
type Chances = Arc<[f64]>;

/// Sets of values whose chances are kept.
const MOST_KNOWN: usize = 1 << 16;

impl OfOdds {
    pub(super) fn new(start: &Start, test: &str) -> Result<OfOdds, Faults> {
        let results = start.like.game().results(test)?;
        let ids = start.like.tested(test)?;
        let at = ids.iter().cloned().zip(0..).collect();
        let columns = start.like.odds_columns(test);
        let things = ids.iter().map(|id| start.like.thing_called(id)).collect();
        let (test, known) = (test.to_owned(), Mutex::default());
        Ok(OfOdds { test, results, ids, at, columns, things, known })
    }

    /// The chances of the results for one thing; a result that cannot come has the chance 0.
    fn chances<'o>(&self, odds: &'o ThingOdds) -> impl Iterator<Item = f64> + use<'o, '_> {
        self.results.iter().map(|result| {
            let chance = odds.roll.odds.iter().find(|chance| chance.what == *result);
            chance.map_or(0.0, |chance| chance.nearest())
        })
    }

    /// Writes what columns give, and gives the rows that are left over.
    fn by_columns(&self, start: &Start, sheet: &mut Sheet, chunk: &Chunk) -> BTreeSet<usize> {
        let Some(columns) = &self.columns else { return chunk.good().into_iter().collect() };
        let mut rest = BTreeSet::new();
        for rows in chunk.alike(&columns.of_world()) {
            for nth in 0..self.ids.len() {
                let cells = |at| chunk.column(at);
                let Some(answers) = columns.run(nth, &rows, &cells) else {
                    rest.extend(rows.iter().copied());
                    continue;
                };
                let open = open_rows(&answers);
                for (at, row) in rows.iter().enumerate() {
                    let place = (nth, *row);
                    if !self.is_tested(start, chunk, place) {
                        continue;
                    }
                    let key = answers.iter().map(|answers| value(answers, at)).collect();
                    let known = if open.contains(&at) {
                        None
                    } else {
                        self.known(start, chunk, place, key)
                    };
                    match known {
                        Some(chances) => {
                            self.put(sheet, place.0, chunk.start + row, chances.iter().copied());
                        }
                        None => {
                            rest.insert(*row);
                        }
                    }
                }
            }
        }
        rest
    }

    /// Whether a test can be asked of a thing in a row: not of a unit off the map.
    fn is_tested(&self, start: &Start, chunk: &Chunk, (nth, row): (usize, usize)) -> bool {
        match self.things.get(nth) {
            Some(Some(thing @ Thing::Unit(Unit(unit)))) => {
                let unit = usize::try_from(*unit).unwrap_or(usize::MAX);
                chunk.stands_of(unit).get(row) != Some(&OFF_MAP)
                    || start.like.is_tested_off_map(*thing)
            }
            _ => true,
        }
    }

    /// The chances for a thing in a row, which are those of whatever has the same values.
    fn known(
        &self,
        start: &Start,
        chunk: &Chunk,
        (nth, row): (usize, usize),
        key: Vec<i32>,
    ) -> Option<Chances> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let thing = self.things.get(nth).copied().flatten();
        let odds = start.placed(chunk, row).odds(&self.test, thing.as_slice()).ok();
        let id = self.ids.get(nth);
        let odds = odds.as_ref().and_then(|all| all.odds.iter().find(|odds| Some(&odds.id) == id));
        let found = odds.map(|odds| self.chances(odds).collect());
        let mut known = lock();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(key, found.clone());
        found
    }

    /// Writes what can come of the nth thing.
    fn put(&self, sheet: &mut Sheet, nth: usize, row: usize, chances: impl Iterator<Item = f64>) {
        let columns = sheet.columns.iter_mut().skip(nth * self.results.len());
        for (column, chance) in columns.zip(chances) {
            if let Column::Real(all) = column {
                put(all, row, Some(chance));
            }
        }
    }
}

/// The value of a program in a row.
fn value(answers: &Answers, row: usize) -> i32 {
    let amount = answers.amounts.get(row).copied();
    let truth = || answers.truths.get(row).map(|truth| i32::from(*truth));
    let word = || answers.words.get(row).map(|word| i32::from(*word));
    amount.or_else(truth).or_else(word).unwrap_or(0)
}

impl Ask for OfOdds {
    fn about(&self) -> (&'static str, &str) {
        ("sutler.test", &self.test)
    }

    fn ids(&self) -> &[String] {
        &self.ids
    }

    fn fields(&self) -> Vec<Field> {
        let of = |id: &String, result: &String| {
            Field::new(format!("{id}.{result}"), DataType::Float64, true)
        };
        self.ids.iter().flat_map(|id| self.results.iter().map(move |what| of(id, what))).collect()
    }

    fn ask(&self, start: &Start, sheet: &mut Sheet, chunk: &mut Chunk) {
        for row in self.by_columns(start, sheet, chunk) {
            match start.placed(chunk, row).odds(&self.test, &[]) {
                Ok(all) => {
                    for odds in &all.odds {
                        if let Some(nth) = self.at.get(&odds.id) {
                            self.put(sheet, *nth, chunk.start + row, self.chances(odds));
                        }
                    }
                }
                Err(faults) => {
                    chunk.troubles.insert(row, Trouble::of(&faults));
                }
            }
        }
    }
}
