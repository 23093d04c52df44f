//! Tables of positions and of answers as Parquet files.
//!
//! What a file says of itself is walked before it is read, so that its limits hold before memory is
//! taken; the library that reads it asserts some of it, and an assertion is a fault like any other.

use std::cell::Cell;
use std::fs::File;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{ChunkReader, Length};

use super::cells::Cells;
use super::schema::words;
use super::thrift::Walk;
use super::trouble::refused;
use crate::diag::code;
use crate::facade::Faults;

/// Rows of a table that is read at once.
const ROWS: usize = 8192;
/// Rows of a group in the file; answers are held until their group is full.
const WRITTEN: usize = 1 << 16;
/// Bytes of the description at the end of a file, at most.
const MOST_FOOTER: u64 = 16 << 20;
/// Bytes of a page when it is unpacked, and values in it, at most.
const MOST_PAGE: i64 = 64 << 20;
/// Bytes of the head of a page, at most.
const MOST_HEAD: usize = 1 << 16;

/// The positions of a Parquet file, some thousand rows after the other.
pub struct Positions {
    reader: ParquetRecordBatchReader,
    schema: SchemaRef,
    rows: u64,
}

impl Positions {
    /// Opens a file. Columns of words are read as dictionaries, but for those that `keep` names.
    ///
    /// # Errors
    ///
    /// E1078 for what is no Parquet, is packed in a way that is not read here, or is past a limit:
    /// 16 MiB for the description at its end, 64 MiB for a page.
    pub fn open(file: File, keep: &[String]) -> Result<Positions, Faults> {
        guarded(|| {
            footer(&file)?;
            let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            let found = ArrowReaderMetadata::load(&file, plain.clone()).map_err(unread)?;
            pages(&file, found.metadata())?;
            let fields = found.schema().fields().iter().map(|field| match field.data_type() {
                of if Cells::is_words(of) && !keep.contains(field.name()) => {
                    Arc::new(Field::new(field.name(), words(), field.is_nullable()))
                }
                _ => Arc::clone(field),
            });
            let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
            let options = plain.with_schema(Arc::clone(&schema));
            let parts = Arc::clone(found.metadata());
            let found = ArrowReaderMetadata::try_new(parts, options).map_err(unread)?;
            let rows = u64::try_from(found.metadata().file_metadata().num_rows()).unwrap_or(0);
            let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, found)
                .with_batch_size(ROWS)
                .with_projection(ProjectionMask::all());
            Ok(Positions { reader: reader.build().map_err(unread)?, schema, rows })
        })
    }

    /// The columns.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// How many rows it says that it has.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

impl Iterator for Positions {
    type Item = Result<RecordBatch, Faults>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = guarded(|| self.reader.next().transpose().map_err(unread));
        next.transpose()
    }
}

/// Looks at the description at the end of a file.
fn footer(file: &File) -> Result<(), Faults> {
    let length = Length::len(file);
    let tail = length.checked_sub(8).map(|at| file.get_bytes(at, 8)).transpose().map_err(unread)?;
    let tail = tail.as_deref().unwrap_or_default();
    let (Some(size), Some(b"PAR1")) = (tail.first_chunk::<4>(), tail.get(4..)) else {
        let help = "give a file of Parquet; positions as lines of JSON have the ending `.jsonl`";
        return Err(refused(code::E1078, "the file is no Parquet", help));
    };
    let size = u64::from(u32::from_le_bytes(*size));
    let start = length.checked_sub(8 + size).filter(|_| size <= MOST_FOOTER);
    let Some(start) = start else { return Err(broken("its description is longer than it may be")) };
    let bytes = file.get_bytes(start, usize::try_from(size).unwrap_or(0)).map_err(unread)?;
    match Walk::new(&bytes).structure(&mut |_, _| {}) {
        Some(_) => Ok(()),
        None => Err(broken("its description is cut off, or declares more than it may")),
    }
}

/// Looks at the heads of all pages.
fn pages(file: &File, found: &ParquetMetaData) -> Result<(), Faults> {
    let columns = found.row_groups().iter().flat_map(|group| group.columns());
    for column in columns {
        let first = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let place = |number: i64| u64::try_from(number).ok();
        let Some((mut at, size)) = place(first).zip(place(column.compressed_size())) else {
            return Err(broken("a column begins before the file"));
        };
        let end = at.saturating_add(size);
        if end > Length::len(file) {
            return Err(broken("a column ends behind the file"));
        }
        while at < end {
            at = page(file, at, end)?;
        }
    }
    Ok(())
}

/// Looks at the head of a page, and gives the place behind the page.
fn page(file: &File, at: u64, end: u64) -> Result<u64, Faults> {
    // Most heads are short; a longer one holds long words as its least and its greatest.
    for window in [512, MOST_HEAD] {
        let most = usize::try_from(end - at).unwrap_or(window).min(window);
        let bytes = file.get_bytes(at, most).map_err(unread)?;
        let (mut packed, mut fits) = (None, true);
        let head = Walk::new(&bytes).structure(&mut |path, number| match path {
            [3] => packed = u64::try_from(number).ok(),
            // Unpacked bytes, and values of a page of data, of a dictionary, of a page of data 2.
            [2] | [5 | 7 | 8, 0, 1] => fits &= (0..=MOST_PAGE).contains(&number),
            _ => {}
        });
        if !fits {
            return Err(broken("a page is larger than it may be"));
        }
        if let Some((head, packed)) = head.zip(packed) {
            let head = u64::try_from(head).unwrap_or(u64::MAX);
            return Ok(at.saturating_add(head).saturating_add(packed));
        }
    }
    Err(broken("the head of a page is broken"))
}

/// Answers that are written as a Parquet file.
pub struct Answers<W: Write + Send>(ArrowWriter<W>);

impl<W: Write + Send> Answers<W> {
    /// Begins a file with these columns; what the schema says of itself, such as the hash of the
    /// rules, stands in the file as key and value.
    ///
    /// # Errors
    ///
    /// E1078 where it cannot be written.
    pub fn new(to: W, schema: &SchemaRef) -> Result<Answers<W>, Faults> {
        let mut about: Vec<(&String, &String)> = schema.metadata().iter().collect();
        about.sort_unstable();
        let about = about.into_iter().map(|(key, of)| KeyValue::new(key.clone(), of.clone()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(WRITTEN))
            .set_key_value_metadata(Some(about.collect()));
        let writer = ArrowWriter::try_new(to, Arc::clone(schema), Some(properties.build()));
        Ok(Answers(writer.map_err(written)?))
    }

    /// Writes some rows.
    ///
    /// # Errors
    ///
    /// E1078 where they cannot be written.
    pub fn write(&mut self, answers: &RecordBatch) -> Result<(), Faults> {
        self.0.write(answers).map_err(written)
    }

    /// Ends the file, and gives back what it was written to.
    ///
    /// # Errors
    ///
    /// E1078 where it cannot be written.
    pub fn finish(self) -> Result<W, Faults> {
        self.0.into_inner().map_err(written)
    }
}

/// How many rows of answers have an error instead.
#[must_use]
pub fn refused_rows(answers: &RecordBatch) -> usize {
    answers.column_by_name("error").map_or(0, |errors| errors.len() - errors.null_count())
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread becomes a fault, so that a program need not print it.
#[must_use]
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// What an assertion of the library ends in.
fn guarded<T>(work: impl FnOnce() -> Result<T, Faults>) -> Result<T, Faults> {
    GUARDED.set(true);
    let found = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(false);
    found.unwrap_or_else(|_| Err(broken("it contradicts itself")))
}

fn broken(why: &str) -> Faults {
    let help = "write it anew, without compression or with Snappy";
    refused(code::E1078, format!("the Parquet file cannot be read: {why}"), help)
}

fn unread(error: impl std::error::Error) -> Faults {
    broken(&error.to_string())
}

fn written(error: ParquetError) -> Faults {
    refused(code::E1078, format!("the answers cannot be written: {error}"), "")
}
