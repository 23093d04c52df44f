//! The columns of answers while they are worked out.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray, UInt32Array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_schema::DataType;

/// A bit for each row.
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn new(rows: usize) -> Bits {
        Bits(vec![0; rows.div_ceil(64)])
    }

    pub(super) fn set(&mut self, row: usize) {
        if let Some(word) = self.0.get_mut(row / 64) {
            *word |= 1 << (row % 64);
        }
    }

    pub(super) fn clear(&mut self, row: usize) {
        if let Some(word) = self.0.get_mut(row / 64) {
            *word &= !(1 << (row % 64));
        }
    }

    /// The words of rows from `row` on, which is the first of a word.
    pub(super) fn words(&mut self, row: usize, words: usize) -> Option<&mut [u64]> {
        self.0.get_mut(row / 64..row / 64 + words)
    }

    pub(super) fn buffer(self, rows: usize) -> BooleanBuffer {
        // Arrow counts bits from the lowest of the first byte.
        let words: Vec<u64> = self.0.into_iter().map(u64::to_le).collect();
        BooleanBuffer::new(Buffer::from_vec(words), 0, rows)
    }
}

/// What a column of answers holds, a cell a row; none where there is no answer.
pub(super) enum Column {
    Truth { yes: Bits, known: Bits },
    Length(Vec<Option<u32>>),
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Word(Vec<Option<String>>),
}

impl Column {
    /// A column of no answers yet.
    pub(super) fn of(data_type: &DataType, rows: usize) -> Column {
        match data_type {
            DataType::Boolean => Column::Truth { yes: Bits::new(rows), known: Bits::new(rows) },
            DataType::UInt32 => Column::Length(vec![None; rows]),
            DataType::Int64 => Column::Whole(vec![None; rows]),
            DataType::Float64 => Column::Real(vec![None; rows]),
            _ => Column::Word(vec![None; rows]),
        }
    }

    /// Takes the answer of a row away.
    pub(super) fn clear(&mut self, row: usize) {
        match self {
            Column::Truth { known, .. } => known.clear(row),
            Column::Length(all) => put(all, row, None),
            Column::Whole(all) => put(all, row, None),
            Column::Real(all) => put(all, row, None),
            Column::Word(all) => put(all, row, None),
        }
    }

    pub(super) fn array(self, rows: usize) -> ArrayRef {
        match self {
            Column::Truth { yes, known } => {
                let known = NullBuffer::new(known.buffer(rows));
                Arc::new(BooleanArray::new(yes.buffer(rows), Some(known)))
            }
            Column::Length(all) => Arc::new(UInt32Array::from(all)),
            Column::Whole(all) => Arc::new(Int64Array::from(all)),
            Column::Real(all) => Arc::new(Float64Array::from(all)),
            Column::Word(all) => Arc::new(StringArray::from(all)),
        }
    }
}

/// Writes the cell of a row.
pub(super) fn put<T>(all: &mut [Option<T>], row: usize, cell: Option<T>) {
    if let Some(place) = all.get_mut(row) {
        *place = cell;
    }
}
