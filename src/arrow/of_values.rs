//! A question asked of rows: a value for each thing.

use std::sync::Arc;

use arrow_schema::{DataType, Field};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::asked::Ask;
use super::chunk::Chunk;
use super::column::{Column, put};
use super::start::Start;
use super::trouble::Trouble;
use super::written::Sheet;
use crate::facade::{Faults, Gives, Question};
use crate::report::{ValueReport, ValueRow};

/// A question prepared for rows.
pub(super) struct OfValues {
    question: Question,
    ids: Vec<String>,
    gives: Gives,
    /// Whether rows with the same facts have the same values.
    of_facts: bool,
    at: FxHashMap<String, usize>,
}

impl OfValues {
    pub(super) fn new(start: &Start, question: Question) -> Result<OfValues, Faults> {
        let (ids, gives) = question.about(&start.like)?;
        let of_facts = question.is_of_facts(&start.like)?;
        let at = ids.iter().cloned().zip(0..).collect();
        Ok(OfValues { question, ids, gives, of_facts, at })
    }

    fn values(&self, start: &Start, chunk: &Chunk, row: usize) -> Found {
        let position = start.placed(chunk, row)?;
        self.question.of(&position).map(Arc::new).map_err(|faults| Trouble::of(&faults))
    }
}

type Found = Result<Arc<ValueReport>, Trouble>;

impl Ask for OfValues {
    fn about(&self) -> (&'static str, &str) {
        ("sutler.question", self.question.text())
    }

    fn ids(&self) -> &[String] {
        &self.ids
    }

    fn fields(&self) -> Vec<Field> {
        let data_type = match self.gives {
            Gives::Truth => DataType::Boolean,
            Gives::Whole => DataType::Int64,
            Gives::Fraction => DataType::Float64,
            Gives::Word => DataType::Utf8,
        };
        let field = |id: &String| Field::new(format!("{id}.value"), data_type.clone(), true);
        self.ids.iter().map(field).collect()
    }

    fn ask(&self, start: &Start, sheet: &mut Sheet, chunk: &mut Chunk) {
        let mut known: FxHashMap<Option<usize>, Found> = FxHashMap::default();
        let same = self.of_facts && chunk.control.is_empty();
        for row in chunk.good() {
            let found = if same {
                let facts = chunk.variants.get(row).and_then(Option::as_ref);
                let facts = facts.map(|variant| Arc::as_ptr(variant).addr());
                let found = known.entry(facts).or_insert_with(|| self.values(start, chunk, row));
                found.clone()
            } else {
                self.values(start, chunk, row)
            };
            match found {
                Ok(report) => {
                    for value in &report.values {
                        let column = self.at.get(&value.id);
                        if let Some(column) = column.and_then(|at| sheet.columns.get_mut(*at)) {
                            write(column, chunk.start + row, value);
                        }
                    }
                }
                Err(trouble) => {
                    chunk.troubles.insert(row, trouble);
                }
            }
        }
    }
}

/// Writes a value; what is barred, and no thing, stay null.
fn write(column: &mut Column, row: usize, value: &ValueRow) {
    match column {
        Column::Truth { yes, known } => {
            if let Value::Bool(truth) = value.value {
                known.set(row);
                if truth {
                    yes.set(row);
                }
            }
        }
        Column::Whole(all) => put(all, row, value.value.as_i64()),
        Column::Real(all) => put(all, row, value.nearest()),
        Column::Word(all) => put(all, row, value.value.as_str().map(str::to_owned)),
        Column::Length(_) => {}
    }
}
