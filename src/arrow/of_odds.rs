//! The exact odds of a test, or of a list of tests, asked of rows: a chance for each thing and each
//! result.

use arrow_schema::{DataType, Field};
use rustc_hash::FxHashMap;

use super::asked::Ask;
use super::chunk::Chunk;
use super::column::{Column, put};
use super::start::Start;
use super::trouble::Trouble;
use super::written::Sheet;
use crate::facade::Faults;
use crate::report::ThingOdds;

/// A test prepared for rows.
pub(super) struct OfOdds {
    test: String,
    results: Vec<String>,
    ids: Vec<String>,
    at: FxHashMap<String, usize>,
}

impl OfOdds {
    pub(super) fn new(start: &Start, test: &str) -> Result<OfOdds, Faults> {
        let results = start.like.game().results(test)?;
        let ids = start.like.tested(test)?;
        let at = ids.iter().cloned().zip(0..).collect();
        Ok(OfOdds { test: test.to_owned(), results, ids, at })
    }

    /// Writes what can come of a thing; a result that cannot come has the chance 0.
    fn put(&self, sheet: &mut Sheet, row: usize, odds: &ThingOdds) {
        let Some(nth) = self.at.get(&odds.id) else { return };
        for (at, result) in self.results.iter().enumerate() {
            let chance = odds.roll.odds.iter().find(|chance| chance.what == *result);
            let column = sheet.columns.get_mut(nth * self.results.len() + at);
            if let Some(Column::Real(all)) = column {
                put(all, row, Some(chance.map_or(0.0, |chance| chance.nearest())));
            }
        }
    }
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
        for row in chunk.good() {
            let found = start.placed(chunk, row).and_then(|position| {
                position.odds(&self.test, &[]).map_err(|faults| Trouble::of(&faults))
            });
            match found {
                Ok(odds) => {
                    odds.odds.iter().for_each(|odds| self.put(sheet, chunk.start + row, odds));
                }
                Err(trouble) => {
                    chunk.troubles.insert(row, trouble);
                }
            }
        }
    }
}
