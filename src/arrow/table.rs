//! Positions written as a table.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, PrimitiveArray, RecordBatch, RecordBatchOptions, StringArray,
};
use arrow_schema::ArrowError;

use super::asked::Asked;
use super::schema::{schema, words};
use super::trouble::refused;
use super::written::broken;
use crate::diag::code;
use crate::facade::{Faults, Position, Space, Unit};

impl Asked {
    /// Positions as a table of where units stand and who controls what, a row each.
    ///
    /// # Errors
    ///
    /// E1076 for positions of other rules, other units or another map.
    pub fn table(&self, positions: &[Position]) -> Result<RecordBatch, Faults> {
        let mut stands = vec![Vec::with_capacity(positions.len()); self.start.names.units.len()];
        let mut control = vec![Vec::with_capacity(positions.len()); self.start.names.spaces.len()];
        for position in positions {
            let same = position.game().hash() == self.start.like.game().hash()
                && position.units().eq(self.start.like.units())
                && position.spaces().eq(self.start.like.spaces());
            if !same {
                let help = "give positions of the same rules, with the same units on the same map";
                return Err(refused(
                    code::E1076,
                    "a table has the same columns for all of its positions",
                    help,
                ));
            }
            for (unit, column) in (0u32..).zip(&mut stands) {
                let space = position.space_of(Unit(unit));
                column.push(space.and_then(|space| i32::try_from(space.0).ok()));
            }
            for (space, column) in (0u32..).zip(&mut control) {
                column.push(position.control(Space(space)).map(|side| i32::from(side.0)));
            }
        }
        let texts =
            |names: &[String]| -> ArrayRef { Arc::new(StringArray::from_iter_values(names)) };
        let (spaces, sides) = (texts(&self.start.names.spaces), texts(&self.start.names.sides));
        let columns = stands.into_iter().map(|keys| (keys, &spaces));
        let columns = columns.chain(control.into_iter().map(|keys| (keys, &sides)));
        let arrays = columns.map(|(keys, words)| -> Result<ArrayRef, ArrowError> {
            let keys = PrimitiveArray::<Int32Type>::from(keys);
            Ok(Arc::new(DictionaryArray::try_new(keys, Arc::clone(words))?))
        });
        let arrays = arrays.collect::<Result<Vec<_>, _>>().map_err(|error| broken(&error))?;
        let schema = schema(self.start.like.game(), &self.start.like, false);
        debug_assert!(schema.fields().iter().all(|field| *field.data_type() == words()));
        let options = RecordBatchOptions::new().with_row_count(Some(positions.len()));
        RecordBatch::try_new_with_options(schema, arrays, &options).map_err(|error| broken(&error))
    }
}
