//! Workbooks of Excel, written with the same bytes for the same pages.

use rust_xlsxwriter::{Color, DocProperties, ExcelDateTime, Format, Workbook, XlsxError};

use super::{Page, Trouble, Value};

pub(super) fn write(pages: &[Page]) -> Result<Vec<u8>, Trouble> {
    workbook(pages).map_err(|error| {
        Trouble::new(format!("cannot be written: {error}"), "write it as ODS or CSV")
    })
}

fn workbook(pages: &[Page]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // The day on which it is made would be in its bytes.
    let day = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&day));
    for page in pages {
        let sheet = book.add_worksheet();
        sheet.set_name(&page.name)?;
        // Each column as wide as its longest text, within reason.
        let mut widths: Vec<u32> = Vec::new();
        for cell in &page.cells {
            let (row, column) = (cell.row.saturating_sub(1), cell.column.saturating_sub(1));
            let at = usize::try_from(column).unwrap_or(0);
            if widths.len() <= at {
                widths.resize(at + 1, 0);
            }
            let width = u32::try_from(cell.value.shown().chars().count()).unwrap_or(u32::MAX);
            if let Some(known) = widths.get_mut(at) {
                *known = (*known).max(width);
            }
            let column = u16::try_from(column).unwrap_or(u16::MAX);
            let mut format = Format::new();
            if row == 0 {
                format = format.set_bold();
            }
            if let Some(colour) = cell.colour {
                format = format.set_background_color(Color::RGB(colour));
            }
            match &cell.value {
                Value::Number(digits) => {
                    let number: f64 = digits.parse().unwrap_or_default();
                    sheet.write_number_with_format(row, column, number, &format)?;
                }
                // A text stays a text when it is edited, so that `1/2` becomes no date.
                other => {
                    let format = format.set_num_format("@");
                    sheet.write_string_with_format(row, column, other.shown(), &format)?;
                }
            }
        }
        for (column, width) in widths.iter().enumerate() {
            let column = u16::try_from(column).unwrap_or(u16::MAX);
            sheet.set_column_width(column, f64::from((*width).clamp(4, 60) + 2))?;
        }
    }
    book.save_to_buffer()
}
