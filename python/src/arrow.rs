//! Positions and answers as Arrow tables: a row a position in, a row of answers out.
//!
//! Tables come and go by the Arrow C data interface, so that any library of Python that speaks it
//! may stand on the other side, and nothing is copied on the way. The library answers them.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, Field, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::PyRecordBatch;
use pyo3_arrow::ffi::{
    ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule,
};
use pyo3_arrow::input::AnyRecordBatch;

use crate::position::{Position, trace_of};
use crate::refused::{Refusal, refused};
use crate::rules::{Rules, started};
use crate::values::{list, names};
pub use sutler::arrow::{Asked, schema};

/// What a question about many positions is prepared for.
#[derive(Clone, PartialEq)]
pub struct Key {
    what: What,
    like: Like,
    side: Option<String>,
    lengths: bool,
}

/// What is asked.
#[derive(Clone, PartialEq)]
pub enum What {
    /// A trace; the main one, if none is named.
    Trace(Option<String>),
    /// A question, and the kind of thing that it is about.
    Question(String, Option<String>),
    /// A test, or a list of tests.
    Test(String),
}

impl What {
    /// One of a trace, a question and a test.
    pub fn of(
        trace: Option<String>,
        question: Option<String>,
        of: Option<String>,
        test: Option<String>,
    ) -> PyResult<What> {
        match (trace, question, test) {
            (None, Some(text), None) => Ok(What::Question(text, of)),
            (None, None, Some(_)) | (_, None, None) if of.is_some() => {
                let help = "a trace and a test say themselves what they are about".to_owned();
                Err(Refusal::Call("`of` is for a question".to_owned(), help).into())
            }
            (None, None, Some(test)) => Ok(What::Test(test)),
            (trace, None, None) => Ok(What::Trace(trace)),
            _ => {
                let help = "name one of `trace`, `question` and `test`".to_owned();
                Err(Refusal::Call("one thing is asked at a time".to_owned(), help).into())
            }
        }
    }
}

#[derive(Clone, PartialEq)]
enum Like {
    Setup(Option<String>),
    Position(Box<sutler::Position>),
}

impl Key {
    pub fn of(
        what: What,
        like: Option<&Bound<'_, PyAny>>,
        side: Option<&str>,
        lengths: bool,
    ) -> PyResult<Key> {
        let like = match like {
            None => Like::Setup(None),
            Some(like) => match like.cast::<Position>() {
                Ok(position) => Like::Position(Box::new(position.get().now(like.py()))),
                Err(_) => Like::Setup(Some(like.extract()?)),
            },
        };
        if lengths && !matches!(what, What::Trace(_)) {
            let help = "ask a trace for them".to_owned();
            return Err(Refusal::Call("only a trace has lengths".to_owned(), help).into());
        }
        Ok(Key { what, like, side: side.map(str::to_owned), lengths })
    }
}

/// The position that says what a table does not say.
pub fn like(rules: &Bound<'_, Rules>, key: &Key) -> PyResult<sutler::Position> {
    let game = &rules.get().game;
    let mut position = match &key.like {
        Like::Setup(name) => started(game, name.as_deref()).map_err(refused)?,
        Like::Position(position) if position.game().hash() == game.hash() => {
            sutler::Position::clone(position)
        }
        Like::Position(_) => {
            let help = "make it with the rules that are asked".to_owned();
            return Err(
                Refusal::Call("`like` is a position of other rules".to_owned(), help).into()
            );
        }
    };
    if let Some(side) = &key.side {
        let side = game.side(side).map_err(refused)?;
        position.set_viewer(Some(side)).map_err(refused)?;
    }
    Ok(position)
}

/// A trace, a question or a test asked of many positions; what was prepared for some serves the next. Threads may share
/// it: each that asks has its own room.
#[pyclass(frozen, module = "sutler")]
pub struct Many {
    rules: Py<Rules>,
    asked: Arc<Asked>,
}

impl Many {
    pub fn new(rules: &Bound<'_, Rules>, key: &Key) -> PyResult<Many> {
        Ok(Many { rules: rules.clone().unbind(), asked: prepared(rules, key)? })
    }
}

/// What is asked, made ready to be asked of many positions.
pub fn prepared(rules: &Bound<'_, Rules>, key: &Key) -> PyResult<Arc<Asked>> {
    let like = like(rules, key)?;
    let game = &rules.get().game;
    let asked = rules.py().detach(|| match &key.what {
        What::Trace(trace) => Asked::of_trace(like, trace_of(game, trace.as_deref())?, key.lengths),
        What::Question(text, of) => Asked::of_question(like, game.question(of.as_deref(), text)?),
        What::Test(test) => Asked::of_test(like, test),
    });
    Ok(Arc::new(asked.map_err(refused)?))
}

/// What was handed over by the Arrow C data interface.
fn taken<'py, T>(positions: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    // Arrow asserts what it is handed, such as an array that was handed to somebody else before.
    let found = std::panic::catch_unwind(AssertUnwindSafe(|| positions.extract::<T>()));
    found.unwrap_or_else(|_| {
        let help = "hand each array and each stream over once".to_owned();
        let message = "this is no Arrow table, or it was handed over already".to_owned();
        Err(Refusal::Call(message, help).into())
    })
}

/// The answers to a record batch, or to a stream of them.
pub fn asked<'py>(
    asked: &Arc<Asked>,
    positions: &Bound<'py, PyAny>,
    keep: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, keep) = (positions.py(), names(keep)?);
    match taken::<AnyRecordBatch>(positions)? {
        AnyRecordBatch::RecordBatch(batch) => {
            let batch = batch.into_inner();
            let found = py.detach(|| asked.answer(&batch, 0, &keep)).map_err(refused)?;
            Ok(Bound::new(py, ArrowBatch(found))?.into_any())
        }
        AnyRecordBatch::Stream(stream) => {
            let reader = stream.into_reader()?;
            // What is wrong with the columns is said before anything is asked.
            let schema = asked.answers(&reader.schema(), &keep).map_err(refused)?;
            let reading = Reading { reader, asked: Arc::clone(asked), keep, number: 0 };
            let stream = ArrowStream { schema, reading: Mutex::new(Some(reading)) };
            Ok(Bound::new(py, stream)?.into_any())
        }
    }
}

#[pymethods]
impl Many {
    /// Asks: see `Rules.ask_many`.
    #[pyo3(signature = (positions, keep=None))]
    fn ask<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        keep: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        asked(&self.asked, positions, keep)
    }

    /// The columns of positions as an Arrow schema; with `facts` those of all facts too.
    #[pyo3(signature = (*, facts=false))]
    fn schema(&self, py: Python<'_>, facts: bool) -> ArrowSchema {
        let like = self.asked.like();
        ArrowSchema(py.detach(|| schema(like.game(), like, facts)))
    }

    /// The columns of answers as an Arrow schema.
    fn answers(&self) -> PyResult<ArrowSchema> {
        let schema = self.asked.answers(&arrow_schema::Schema::empty(), &[]);
        Ok(ArrowSchema(schema.map_err(refused)?))
    }

    /// The ids of what is asked about, in the order of the columns of the answers.
    #[getter]
    fn things<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
        list(py, self.asked.ids())
    }

    /// Positions of the same units as a record batch: where units stand and who controls what.
    fn table(&self, py: Python<'_>, positions: Vec<Bound<'_, Position>>) -> PyResult<ArrowBatch> {
        let all: Vec<_> = positions.iter().map(|position| position.get().now(py)).collect();
        Ok(ArrowBatch(py.detach(|| self.asked.table(&all)).map_err(refused)?))
    }

    /// The position of a row of a record batch, to be explained, drawn or played.
    ///
    /// Raises:
    ///     Refused: what is wrong with the row.
    #[pyo3(signature = (positions, row, keep=None))]
    fn position(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        row: usize,
        keep: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Position> {
        let keep = names(keep)?;
        let batch = taken::<PyRecordBatch>(positions)?.into_inner();
        let found = py.detach(|| self.asked.position(&batch, row, &keep)).map_err(refused)?;
        Ok(Position::new(self.rules.clone_ref(py), found))
    }

    fn __repr__(&self) -> String {
        format!("<sutler.Many {} {}>", self.asked.like().game().name(), self.asked.about())
    }
}

/// An Arrow record batch, for any library that takes `__arrow_c_array__` or `__arrow_c_stream__`.
#[pyclass(frozen, module = "sutler")]
pub struct ArrowBatch(RecordBatch);

#[pymethods]
impl ArrowBatch {
    /// How many rows there are.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    /// The names of its columns.
    #[getter]
    fn column_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
        let schema = self.0.schema();
        list(py, schema.fields().iter().map(|field| field.name().as_str()))
    }

    /// Its columns as an Arrow schema.
    #[getter]
    fn schema(&self) -> ArrowSchema {
        ArrowSchema(self.0.schema())
    }

    /// As a `pyarrow.RecordBatch`.
    fn to_pyarrow<'py>(slf: Bound<'py, ArrowBatch>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.getattr("record_batch")?.call1((slf,))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let field = of_schema(&self.0.schema());
        Ok(to_array_pycapsules(py, field.into(), &whole(self.0.clone()), requested_schema)?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let field = of_schema(&self.0.schema());
        let all = std::iter::once(Ok(whole(self.0.clone())));
        let reader = Box::new(ArrayIterator::new(all, field.into()));
        Ok(to_stream_pycapsule(py, reader, requested_schema)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.0.schema().as_ref())?)
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<sutler.ArrowBatch {} x {}>", self.0.num_rows(), self.0.num_columns())
    }
}

/// Answers that are worked out while they are read, once: for any library that takes
/// `__arrow_c_stream__`, or as an iterator of `ArrowBatch`.
#[pyclass(frozen, module = "sutler")]
pub struct ArrowStream {
    schema: SchemaRef,
    reading: Mutex<Option<Reading>>,
}

/// A stream of positions, answered batch by batch.
struct Reading {
    reader: Box<dyn RecordBatchReader + Send>,
    asked: Arc<Asked>,
    keep: Vec<String>,
    number: u64,
}

impl Iterator for Reading {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.reader.next()?.and_then(|batch| {
            let found = self.asked.answer(&batch, self.number, &self.keep);
            found.map_err(|faults| ArrowError::ComputeError(faults.to_string()))
        });
        self.number += 1;
        Some(found)
    }
}

#[pymethods]
impl ArrowStream {
    /// The columns of the answers as an Arrow schema.
    #[getter]
    fn schema(&self) -> ArrowSchema {
        ArrowSchema(Arc::clone(&self.schema))
    }

    /// As a `pyarrow.RecordBatchReader`.
    fn to_pyarrow<'py>(slf: Bound<'py, ArrowStream>) -> PyResult<Bound<'py, PyAny>> {
        let reader = slf.py().import("pyarrow")?.getattr("RecordBatchReader")?;
        reader.getattr("from_stream")?.call1((slf,))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let taken = py.detach(|| self.lock().take());
        let Some(reading) = taken else {
            let help = "ask again for a stream of its own".to_owned();
            return Err(
                Refusal::Call("these answers have been taken already".to_owned(), help).into()
            );
        };
        let arrays = reading.map(|batch| batch.map(whole));
        let reader = Box::new(ArrayIterator::new(arrays, of_schema(&self.schema).into()));
        Ok(to_stream_pycapsule(py, reader, requested_schema)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    fn __iter__(slf: Bound<'_, ArrowStream>) -> Bound<'_, ArrowStream> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<ArrowBatch>> {
        // Whoever writes the stream may need the interpreter's lock.
        let next = py.detach(|| self.lock().as_mut().and_then(Iterator::next)).transpose();
        let next = next.map_err(pyo3_arrow::error::PyArrowError::from)?;
        Ok(next.map(ArrowBatch))
    }
}

impl ArrowStream {
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Reading>> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An Arrow schema, for any library that takes `__arrow_c_schema__`.
#[pyclass(frozen, module = "sutler")]
pub struct ArrowSchema(pub SchemaRef);

#[pymethods]
impl ArrowSchema {
    /// The names of the columns.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
        list(py, self.0.fields().iter().map(|field| field.name().as_str()))
    }

    /// As a `pyarrow.Schema`.
    fn to_pyarrow<'py>(slf: Bound<'py, ArrowSchema>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.getattr("schema")?.call1((slf,))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.0.as_ref())?)
    }

    fn __len__(&self) -> usize {
        self.0.fields().len()
    }

    fn __repr__(&self) -> String {
        format!("<sutler.ArrowSchema {} columns>", self.0.fields().len())
    }
}

/// A record batch as the one array that it travels as.
fn whole(batch: RecordBatch) -> ArrayRef {
    Arc::new(StructArray::from(batch))
}

fn of_schema(schema: &arrow_schema::Schema) -> Field {
    Field::new_struct("", schema.fields().clone(), false).with_metadata(schema.metadata().clone())
}
