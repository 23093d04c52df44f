//! A question made ready for tables of positions.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::{Field, Schema, SchemaRef};

use super::chunk::{Chunk, columns};
use super::names::Plan;
use super::of_odds::OfOdds;
use super::of_trace::OfTrace;
use super::of_values::OfValues;
use super::start::Start;
use super::trouble::{Trouble, refused};
use super::written::{Sheet, error_field};
use crate::diag::code;
use crate::facade::{Faults, Position, Question, Trace};

/// Rows that are read at once, at most.
const CHUNK: usize = 4096;
/// Numbers that are held at once; rows with more are read in chunks of the 64 of a word of answers.
const MOST_NUMBERS: usize = 1 << 22;

/// What can be asked of rows.
pub(super) trait Ask: Send + Sync {
    /// What the answers say of themselves: a key, and what was asked.
    fn about(&self) -> (&'static str, &str);
    /// The ids of what is asked about.
    fn ids(&self) -> &[String];
    /// The columns of the answers.
    fn fields(&self) -> Vec<Field>;
    /// Writes the answers of those rows of a chunk that have no trouble.
    fn ask(&self, start: &Start, sheet: &mut Sheet, chunk: &mut Chunk);
}

/// A question made ready for tables of positions; what was prepared for some rows serves the next.
///
/// Threads may share it. A table has a row a position; its columns are as [`super::schema`] lists
/// them, and what has no column is as in the position that it was made with.
pub struct Asked {
    pub(super) start: Start,
    of: Box<dyn Ask>,
    /// The columns of the answers, without those that are kept and the last.
    fields: Vec<Arc<Field>>,
    /// What was read of the columns of the last table: the next one mostly has the same.
    last: Mutex<Option<Arc<Planned>>>,
}

/// What the columns of a table say, and those of its answers.
struct Planned {
    of: SchemaRef,
    keep: Vec<String>,
    plan: Plan,
    answers: SchemaRef,
}

impl Planned {
    fn is_of(&self, schema: &SchemaRef, keep: &[String]) -> bool {
        (Arc::ptr_eq(&self.of, schema) || self.of == *schema) && self.keep == keep
    }
}

impl Asked {
    fn new(start: Start, of: impl Ask + 'static) -> Asked {
        let fields = of.fields().into_iter().map(Arc::new).collect();
        Asked { start, of: Box::new(of), fields, last: Mutex::default() }
    }

    /// A trace: `F1.yes` for each thing that it is about, null for a unit off the map; with
    /// `lengths` also `F1.length`, in units of the trace.
    ///
    /// # Errors
    ///
    /// A map of more than 65,535 spaces; E1051 for a trace of spaces without a side that asks.
    pub fn of_trace(like: Position, trace: Trace, lengths: bool) -> Result<Asked, Faults> {
        let start = Start::new(like);
        let of = OfTrace::new(&start, trace, lengths)?;
        Ok(Asked::new(start, of))
    }

    /// A question: `F1.value` for each thing of its kind, or `world.value`. Truths are Boolean, whole
    /// amounts Int64, amounts that can be a fraction Float64, words and names of things Utf8; null for
    /// no thing, for what is barred and for a unit that has left the game.
    ///
    /// # Errors
    ///
    /// What is wrong with the question; E1051 where it depends on the side that asks, and none does.
    pub fn of_question(like: Position, question: Question) -> Result<Asked, Faults> {
        let start = Start::new(like);
        let of = OfValues::new(&start, question)?;
        Ok(Asked::new(start, of))
    }

    /// A test, or a list of tests: `F1.taken` for each thing and each result, its chance from 0 to 1
    /// as the Float64 nearest to the exact one; null for a unit off the map.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such test.
    pub fn of_test(like: Position, test: &str) -> Result<Asked, Faults> {
        let start = Start::new(like);
        let of = OfOdds::new(&start, test)?;
        Ok(Asked::new(start, of))
    }

    /// The position that says what a table does not say.
    #[must_use]
    pub fn like(&self) -> &Position {
        &self.start.like
    }

    /// The ids of what is asked about, in the order of the columns.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.of.ids().iter().map(String::as_str)
    }

    /// What is asked: the name of the trace or of the test, or the question.
    #[must_use]
    pub fn about(&self) -> &str {
        self.of.about().1
    }

    /// The columns of the answers to a table; those that `keep` names go into them as they are.
    ///
    /// # Errors
    ///
    /// E1076 for columns that are nothing of a position, or of a type that cannot be one.
    pub fn answers(&self, schema: &Schema, keep: &[String]) -> Result<SchemaRef, Faults> {
        let plan = self.start.names.plan(&self.start.like, schema, keep)?;
        self.schema(schema, &plan)
    }

    /// What the columns of a table say, as of the last table where they are the same.
    fn planned(&self, schema: &SchemaRef, keep: &[String]) -> Result<Arc<Planned>, Faults> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last().clone();
        if let Some(known) = known.filter(|known| known.is_of(schema, keep)) {
            return Ok(known);
        }
        let plan = self.start.names.plan(&self.start.like, schema, keep)?;
        let answers = self.schema(schema, &plan)?;
        let (of, keep) = (Arc::clone(schema), keep.to_vec());
        let planned = Arc::new(Planned { of, keep, plan, answers });
        *last() = Some(Arc::clone(&planned));
        Ok(planned)
    }

    fn schema(&self, schema: &Schema, plan: &Plan) -> Result<SchemaRef, Faults> {
        let kept = plan.kept.iter().filter_map(|at| schema.fields().get(*at));
        let mut fields: Vec<Arc<Field>> = kept.cloned().collect();
        fields.extend(self.fields.iter().cloned());
        fields.push(Arc::new(error_field()));
        let mut seen = BTreeSet::new();
        if let Some(twice) = fields.iter().find(|field| !seen.insert(field.name().as_str())) {
            let message = format!("the answers have a column `{}` of their own", twice.name());
            let help = "give the column that is kept another name";
            return Err(refused(code::E1076, message, help));
        }
        let game = self.start.like.game();
        let about =
            [("sutler.ruleset", game.name()), ("sutler.hash", game.hash()), self.of.about()];
        let about = about.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Ok(Arc::new(Schema::new(fields).with_metadata(about.into())))
    }

    /// The answers to a table, a row each in the same order; `number` is its place among those of a
    /// stream. The last column, `error`, is null, or says code, batch, row, column and message.
    ///
    /// # Errors
    ///
    /// E1076, as [`Asked::answers`]; what is wrong with a row is in `error`.
    pub fn answer(
        &self,
        table: &RecordBatch,
        number: u64,
        keep: &[String],
    ) -> Result<RecordBatch, Faults> {
        let planned = self.planned(table.schema_ref(), keep)?;
        let plan = &planned.plan;
        let rows = table.num_rows();
        let mut sheet = Sheet::new(&self.fields, rows);
        let mut columns = columns(table, plan);
        let width = self.start.stands.len() + self.start.control.len() + plan.positions.len();
        let most = MOST_NUMBERS / width.max(1);
        let most = (most / 64 * 64).clamp(64, CHUNK);
        for first in (0..rows).step_by(most) {
            let mut chunk = self.start.chunk(&mut columns, first, most.min(rows - first));
            self.of.ask(&self.start, &mut sheet, &mut chunk);
            let troubles = std::mem::take(&mut chunk.troubles).into_iter();
            sheet.troubles.extend(troubles.map(|(row, trouble)| (first + row, trouble)));
            self.start.give_back(chunk);
        }
        let kept = plan.kept.iter().map(|at| Arc::clone(table.column(*at))).collect();
        sheet.written(Arc::clone(&planned.answers), kept, number)
    }

    /// The position of a row, from 0.
    ///
    /// # Errors
    ///
    /// E1077 with what is wrong with the row; E1076, as [`Asked::answers`].
    pub fn position(
        &self,
        table: &RecordBatch,
        row: usize,
        keep: &[String],
    ) -> Result<Position, Faults> {
        let plan = self.start.names.plan(&self.start.like, table.schema_ref(), keep)?;
        if row >= table.num_rows() {
            let message = format!("there is no row {row} among {}", table.num_rows());
            return Err(refused(code::E1077, message, "rows count from 0"));
        }
        let mut chunk = self.start.chunk(&mut columns(table, &plan), row, 1);
        let place = |trouble: Trouble| {
            let column = trouble.column.map(|c| format!(", column `{c}`")).unwrap_or_default();
            refused(code::E1077, format!("row {row}{column}: {}", trouble.message), "")
        };
        match chunk.troubles.remove(&0) {
            Some(trouble) => Err(place(trouble)),
            None => Ok(self.start.placed(&chunk, 0)),
        }
    }
}
