//! A question asked of rows: a value for each thing.

use std::collections::BTreeSet;

use arrow_schema::{DataType, Field};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::asked::Ask;
use super::chunk::Chunk;
use super::column::{Column, put};
use super::start::Start;
use super::trouble::Trouble;
use super::written::Sheet;
use crate::facade::{Faults, Gives, Question, ValueColumns, open_rows};
use crate::kernel::column::Answers;
use crate::report::ValueRow;

/// A question prepared for rows.
pub(super) struct OfValues {
    question: Question,
    ids: Vec<String>,
    gives: Gives,
    columns: Option<ValueColumns>,
    at: FxHashMap<String, usize>,
}

impl OfValues {
    pub(super) fn new(start: &Start, question: Question) -> Result<OfValues, Faults> {
        let (ids, gives) = question.about(&start.like)?;
        let columns = question.columns(&start.like)?;
        let at = ids.iter().cloned().zip(0..).collect();
        Ok(OfValues { question, ids, gives, columns, at })
    }

    /// Writes what columns give, and gives the rows that are left over.
    fn by_columns(&self, sheet: &mut Sheet, chunk: &Chunk) -> BTreeSet<usize> {
        let Some(of) = &self.columns else { return chunk.good().into_iter().collect() };
        let mut rest = BTreeSet::new();
        for rows in chunk.alike(&of.columns.of_world()) {
            for nth in 0..self.ids.len() {
                let cells = |at| chunk.column(at);
                let answers = of.columns.run(nth, &rows, &cells).unwrap_or_default();
                let (Some(column), [answers]) = (sheet.columns.get_mut(nth), answers.as_slice())
                else {
                    rest.extend(rows.iter().copied());
                    continue;
                };
                let open = open_rows(std::slice::from_ref(answers));
                for (at, row) in rows.iter().enumerate() {
                    if open.contains(&at) {
                        rest.insert(*row);
                    } else {
                        give(column, chunk.start + row, (of, answers, at));
                    }
                }
            }
        }
        rest
    }
}

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
        for row in self.by_columns(sheet, chunk) {
            match self.question.of(&start.placed(chunk, row)) {
                Ok(report) => {
                    for value in &report.values {
                        let column = self.at.get(&value.id);
                        if let Some(column) = column.and_then(|at| sheet.columns.get_mut(*at)) {
                            write(column, chunk.start + row, value);
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

/// Writes a value that columns gave.
fn give(column: &mut Column, row: usize, (of, answers, at): (&ValueColumns, &Answers, usize)) {
    let amount = answers.amounts.get(at).copied();
    match column {
        Column::Truth { yes, known } => {
            known.set(row);
            if answers.truths.get(at) == Some(&true) {
                yes.set(row);
            }
        }
        Column::Whole(all) => put(all, row, amount.map(i64::from)),
        Column::Real(all) => put(all, row, amount.map(|amount| of.number(amount))),
        Column::Word(all) => {
            let word = answers.words.get(at).and_then(|word| of.words.get(usize::from(*word)));
            put(all, row, word.cloned());
        }
        Column::Length(_) => {}
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
