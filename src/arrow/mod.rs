//! Tables of positions in the columns of Arrow: a row a position in, a row of answers out.
//!
//! Takes record batches whose columns are named as [`schema`] lists them, and a question of the
//! facade; gives record batches of answers. Decides nothing about rules. Never knows where a table
//! comes from: a program hands it over, Python by the Arrow C data interface; only `files` reads and
//! writes files, which it is given open. What comes in is read as it is, and not as it claims to be:
//! every key, offset and length is looked at before it is followed.
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::{ArrayRef, RecordBatch, StringArray, cast::AsArray};
//! use sutler::arrow::Asked;
//!
//! let game = sutler::Rules::open("rulesets/soldier_kings").game()?;
//! let asked = Asked::of_trace(game.setup("opening")?, game.trace("supply")?, false)?;
//!
//! let spaces: ArrayRef = Arc::new(StringArray::from(vec!["Hesse", "Ile_de_France"]));
//! let table = RecordBatch::try_from_iter([("F3.space", spaces)])?;
//! let answers = asked.answer(&table, 0, &[])?;
//! let in_supply = answers.column_by_name("F3.yes").unwrap().as_boolean();
//! assert!(in_supply.value(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asked;
mod cells;
mod chunk;
mod column;
#[cfg(feature = "parquet")]
mod files;
mod lines;
mod names;
mod numbers;
mod of_odds;
mod of_trace;
mod of_values;
#[cfg(feature = "parquet")]
mod plain;
mod schema;
mod start;
mod table;
#[cfg(feature = "parquet")]
mod thrift;
mod trouble;
mod written;

pub use asked::Asked;
#[cfg(feature = "parquet")]
pub use files::{Answers, Positions, is_guarded, refused_rows};
#[cfg(feature = "parquet")]
pub(crate) use lines::Spoken;
#[cfg(feature = "parquet")]
pub(crate) use plain::{Plain, save_plain};
pub use schema::schema;
