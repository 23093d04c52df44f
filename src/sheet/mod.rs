//! Workbooks: CSV, XLSX and ODS as rows of cells, and rows of cells as such files.
//!
//! Takes bytes; gives pages of cells, or says what keeps them from being read. What a file unpacks
//! to is limited before memory is taken. Never opens a file, and never knows the language: what a
//! cell means is asked where its text is read.

mod csv;
#[cfg(feature = "sheets")]
mod ods;
#[cfg(feature = "sheets")]
mod pack;
mod value;
#[cfg(feature = "sheets")]
mod write_ods;
#[cfg(feature = "sheets")]
mod write_xlsx;
#[cfg(feature = "sheets")]
mod xlsx;
#[cfg(feature = "sheets")]
mod xml;

use crate::arrange::Arrange as _;

pub use value::{Cell, Value};

/// More bytes than this of text are not one page, and not one file of CSV.
const MOST_TEXT: usize = 16 << 20;
/// More cells than this are not one page.
const MOST_CELLS: usize = 1_000_000;
/// The columns and rows that spreadsheet programs have.
const MOST_COLUMNS: u32 = 16_384;
const MOST_ROWS: u32 = 1_048_576;

/// The formats, by the ends of file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One page as text, with commas.
    Csv,
    /// A workbook of Excel.
    Xlsx,
    /// A workbook of LibreOffice and others.
    Ods,
}

impl Form {
    /// The format of a file, by the end of its name.
    #[must_use]
    pub fn of(name: &str) -> Option<Form> {
        let (stem, end) = name.rsplit_once('.')?;
        let form = match end.to_ascii_lowercase().as_str() {
            "csv" => Form::Csv,
            "xlsx" => Form::Xlsx,
            "ods" => Form::Ods,
            _ => return None,
        };
        (!stem.is_empty()).then_some(form)
    }
}

/// One page of a workbook: its cells in the order of rows, then of columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its name; empty for CSV.
    pub name: String,
    /// Its cells; empty ones are left out.
    pub cells: Vec<Cell>,
}

/// What keeps a workbook from being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What is wrong, as the end of a sentence that begins with the file: `is no workbook`.
    pub what: String,
    /// What to do.
    pub help: String,
}

impl Trouble {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Trouble {
        Trouble { what: what.into(), help: help.into() }
    }

    fn large(what: &str) -> Trouble {
        Trouble::new(what, "split it into several files")
    }
}

/// The pages of a workbook by their names; a file of CSV has one without a name.
///
/// # Errors
///
/// Bytes that are no such workbook, or one that is too large.
#[cfg(feature = "sheets")]
pub fn pages(bytes: &[u8], form: Form) -> Result<Vec<String>, Trouble> {
    match form {
        Form::Csv => Ok(vec![String::new()]),
        Form::Xlsx => xlsx::pages(bytes),
        Form::Ods => ods::pages(bytes),
    }
}

/// One page of a workbook.
///
/// # Errors
///
/// Bytes that are no such workbook, one that is too large, or one without that page.
#[cfg(feature = "sheets")]
pub fn page(bytes: &[u8], form: Form, name: &str) -> Result<Page, Trouble> {
    match form {
        Form::Csv => csv::page(bytes),
        Form::Xlsx => xlsx::page(bytes, name),
        Form::Ods => ods::page(bytes, name),
    }
}

/// A file of CSV; a workbook is read with libraries that are not here.
///
/// # Errors
///
/// Bytes that are no CSV, too many of them, and any workbook.
#[cfg(not(feature = "sheets"))]
pub fn page(bytes: &[u8], form: Form, _: &str) -> Result<Page, Trouble> {
    if form == Form::Csv { csv::page(bytes) } else { Err(none_here()) }
}

/// A file of CSV has one page without a name.
///
/// # Errors
///
/// Any workbook.
#[cfg(not(feature = "sheets"))]
pub fn pages(_: &[u8], form: Form) -> Result<Vec<String>, Trouble> {
    if form == Form::Csv { Ok(vec![String::new()]) } else { Err(none_here()) }
}

#[cfg(not(feature = "sheets"))]
fn none_here() -> Trouble {
    Trouble::new(
        "cannot be read here: of sheets this program reads CSV alone",
        "save the page as CSV and name that, or write the rows as text",
    )
}

/// A workbook as bytes, the same for the same pages. CSV has the first of them alone.
///
/// # Errors
///
/// A page that the format cannot hold.
#[cfg(feature = "sheets")]
pub fn write(pages: &[Page], form: Form) -> Result<Vec<u8>, Trouble> {
    match form {
        Form::Csv => pages.first().map_or_else(|| Ok(Vec::new()), csv::write),
        Form::Xlsx => write_xlsx::write(pages),
        Form::Ods => write_ods::write(pages),
    }
}

/// Cells put together while a page is read, held to the limits.
#[derive(Default)]
struct Gather {
    cells: Vec<Cell>,
    text: usize,
}

impl Gather {
    fn add(&mut self, row: u32, column: u32, value: Value) -> Result<(), Trouble> {
        if row == 0 || column == 0 || row > MOST_ROWS || column > MOST_COLUMNS {
            let most = format!("has a cell beyond column XFD or row {MOST_ROWS}");
            return Err(Trouble::large(&most));
        }
        self.text += value.shown().len();
        if self.cells.len() >= MOST_CELLS || self.text > MOST_TEXT {
            return Err(Trouble::large(
                "has a sheet of more than a million cells or 16 MiB of text",
            ));
        }
        self.cells.push(Cell { row, column, value, colour: None });
        Ok(())
    }

    fn page(mut self, name: &str) -> Page {
        // Files may hold their cells in any order; the first of two in one place stays.
        self.cells.arrange_by_key(|cell| (cell.row, cell.column));
        self.cells.dedup_by_key(|cell| (cell.row, cell.column));
        Page { name: name.to_owned(), cells: self.cells }
    }
}

#[cfg(all(test, feature = "sheets"))]
mod tests;
