//! A table of plain columns, such as a report makes, as a Parquet file.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema};

use super::column::Column;
use super::files::Answers;
use super::written::broken;
use crate::facade::Faults;

/// The cells of a plain column, one a row; none where there is nothing to say.
#[derive(Debug, Clone)]
pub enum Plain {
    /// words, as Utf8
    Words(Vec<Option<String>>),
    /// whole numbers, as Int64
    Whole(Vec<Option<i64>>),
    /// other numbers, as Float64
    Real(Vec<Option<f64>>),
}

/// Writes columns as a table of `rows` rows, each under its name.
///
/// # Errors
///
/// E1076 where the columns are not as long as that or two have one name, E1078 where it cannot be
/// written.
pub fn save_plain<W: Write + Send>(
    to: W,
    columns: Vec<(String, Plain)>,
    rows: usize,
) -> Result<W, Faults> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (head, cells) in columns {
        let (data_type, column) = match cells {
            Plain::Words(cells) => (DataType::Utf8, Column::Word(cells)),
            Plain::Whole(cells) => (DataType::Int64, Column::Whole(cells)),
            Plain::Real(cells) => (DataType::Float64, Column::Real(cells)),
        };
        fields.push(Field::new(head, data_type, true));
        arrays.push(column.array(rows));
    }
    let schema = Arc::new(Schema::new(fields));
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let table = RecordBatch::try_new_with_options(Arc::clone(&schema), arrays, &options);
    let mut answers = Answers::new(to, &schema)?;
    answers.write(&table.map_err(|error| broken(&error))?)?;
    answers.finish()
}
