//! The answers to a table, written as a table.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::builder::{StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields, SchemaRef};

use super::column::{Bits, Column};
use super::trouble::{Trouble, refused};
use crate::diag::code;
use crate::facade::Faults;

/// The answers to a table while they are worked out.
pub(super) struct Sheet {
    pub(super) rows: usize,
    pub(super) columns: Vec<Column>,
    pub(super) troubles: BTreeMap<usize, Trouble>,
}

impl Sheet {
    pub(super) fn new(fields: &[Arc<Field>], rows: usize) -> Sheet {
        let columns = fields.iter().map(|field| Column::of(field.data_type(), rows)).collect();
        Sheet { rows, columns, troubles: BTreeMap::new() }
    }

    /// The table; `number` is its place among those of a stream.
    pub(super) fn written(
        mut self,
        schema: SchemaRef,
        kept: Vec<ArrayRef>,
        number: u64,
    ) -> Result<RecordBatch, Faults> {
        for row in self.troubles.keys() {
            self.columns.iter_mut().for_each(|column| column.clear(*row));
        }
        let rows = self.rows;
        let mut arrays = kept;
        arrays.extend(self.columns.into_iter().map(|column| column.array(rows)));
        arrays.push(errors(rows, &self.troubles, number).map_err(|error| broken(&error))?);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(schema, arrays, &options).map_err(|error| broken(&error))
    }
}

/// The column of what is wrong with a row.
pub(super) fn error_field() -> Field {
    Field::new("error", DataType::Struct(error_fields()), true)
}

fn error_fields() -> Fields {
    Fields::from(vec![
        Field::new("code", DataType::Utf8, true),
        Field::new("batch", DataType::UInt64, false),
        Field::new("row", DataType::UInt64, false),
        Field::new("column", DataType::Utf8, true),
        Field::new("message", DataType::Utf8, false),
    ])
}

/// For each row its error, if it has one.
fn errors(
    rows: usize,
    troubles: &BTreeMap<usize, Trouble>,
    number: u64,
) -> Result<ArrayRef, ArrowError> {
    let (mut codes, mut columns, mut messages) =
        (StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
    let (mut batches, mut places) = (UInt64Builder::new(), UInt64Builder::new());
    let mut wrong = Bits::new(rows);
    for row in 0..rows {
        let trouble = troubles.get(&row);
        codes.append_option(trouble.map(|t| t.code));
        columns.append_option(trouble.and_then(|t| t.column.as_deref()));
        messages.append_value(trouble.map_or("", |t| t.message.as_str()));
        batches.append_value(number);
        places.append_value(u64::try_from(row).unwrap_or(u64::MAX));
        if trouble.is_some() {
            wrong.set(row);
        }
    }
    let nulls = NullBuffer::new(wrong.buffer(rows));
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(codes.finish()),
        Arc::new(batches.finish()),
        Arc::new(places.finish()),
        Arc::new(columns.finish()),
        Arc::new(messages.finish()),
    ];
    Ok(Arc::new(StructArray::try_new(error_fields(), arrays, Some(nulls))?))
}

pub(super) fn broken(error: &ArrowError) -> Faults {
    refused(code::E1076, format!("Arrow refuses this: {error}"), "")
}
