//! Workbooks of LibreOffice: one page of them, its cells as values.
//!
//! A cell or a row may say how often it stands there; empty ones are counted and full ones written
//! out, within the limits.

use super::pack::{Pack, no_page, no_workbook};
use super::xml::{Attributes, Tag, Tags};
use super::{Cell, Gather, Page, Trouble, Value};

/// The names of its pages.
pub(super) fn pages(bytes: &[u8]) -> Result<Vec<String>, Trouble> {
    let text = Pack::open(bytes)?.needed("content.xml")?;
    let mut found = Vec::new();
    let mut tags = Tags::of(&text);
    while let Some(tag) = tags.next()? {
        if let Tag::Open(tag, with) = tag
            && tag == "table"
        {
            found.push(with.get("name").unwrap_or_default().to_owned());
        }
    }
    Ok(found)
}

pub(super) fn page(bytes: &[u8], name: &str) -> Result<Page, Trouble> {
    let text = Pack::open(bytes)?.needed("content.xml")?;
    let mut tags = Tags::of(&text);
    while let Some(tag) = tags.next()? {
        if let Tag::Open(tag, with) = tag
            && tag == "table"
            && with.get("name").unwrap_or_default() == name
        {
            return Ok(table(&mut tags)?.page(name));
        }
    }
    Err(no_page(name, &pages(bytes)?))
}

fn table(tags: &mut Tags<'_>) -> Result<Gather, Trouble> {
    let mut gather = Gather::default();
    let mut next = 1_u32;
    while let Some(tag) = tags.next()? {
        match tag {
            Tag::Open(name, with) if name == "table-row" => {
                let times = with.count("number-rows-repeated").ok_or_else(no_workbook)?;
                let cells = row(tags, next)?;
                let copies = if cells.is_empty() { 0 } else { times };
                for copy in 0..copies {
                    for cell in &cells {
                        let at = cell.row.saturating_add(copy);
                        gather.add(at, cell.column, cell.value.clone())?;
                    }
                }
                next = next.saturating_add(times);
            }
            Tag::Close(name) if name == "table" => return Ok(gather),
            _ => {}
        }
    }
    Err(no_workbook())
}

/// The full cells of a row.
fn row(tags: &mut Tags<'_>, row: u32) -> Result<Vec<Cell>, Trouble> {
    let mut gather = Gather::default();
    let mut column = 1_u32;
    while let Some(tag) = tags.next()? {
        match tag {
            Tag::Open(name, with) if name == "table-cell" || name == "covered-table-cell" => {
                let times = with.count("number-columns-repeated").ok_or_else(no_workbook)?;
                let text = text(tags, &name)?;
                if let Some(value) = value(&with, text) {
                    for copy in 0..times {
                        gather.add(row, column.saturating_add(copy), value.clone())?;
                    }
                }
                column = column.saturating_add(times);
            }
            Tag::Close(name) if name == "table-row" => return Ok(gather.cells),
            _ => {}
        }
    }
    Err(no_workbook())
}

/// What is shown in a cell: its paragraphs, without notes that are pinned to it.
fn text(tags: &mut Tags<'_>, until: &str) -> Result<String, Trouble> {
    let (mut out, mut paragraphs, mut inside, mut notes) = (String::new(), 0_u32, 0_u32, 0_u32);
    while let Some(tag) = tags.next()? {
        match tag {
            Tag::Open(name, _) if name == "annotation" => notes += 1,
            Tag::Close(name) if name == "annotation" => notes = notes.saturating_sub(1),
            _ if notes > 0 => {}
            Tag::Open(name, _) if name == "p" => {
                if paragraphs > 0 {
                    out.push('\n');
                }
                (paragraphs, inside) = (paragraphs + 1, inside + 1);
            }
            Tag::Close(name) if name == "p" => inside = inside.saturating_sub(1),
            Tag::Open(name, with) if name == "s" && inside > 0 => {
                let times = with.count("c").ok_or_else(no_workbook)?;
                // More blanks than this in a row are a trap.
                out.push_str(&" ".repeat(usize::try_from(times.min(1000)).unwrap_or(0)));
            }
            Tag::Open(name, _) if name == "line-break" && inside > 0 => out.push('\n'),
            Tag::Open(name, _) if name == "tab" && inside > 0 => out.push('\t'),
            Tag::Close(name) if name == until => return Ok(out),
            Tag::Text(text) if inside > 0 => out.push_str(&text),
            _ => {}
        }
    }
    Err(no_workbook())
}

fn value(with: &Attributes, text: String) -> Option<Value> {
    // An error is saved as a text or as a number, with its sign in what is shown.
    let error =
        with.get("formula").is_some() && (text.starts_with('#') || text.starts_with("Err:"));
    let value = match with.get("value-type") {
        Some("error") => Value::Other(text, "is an error of the spreadsheet program"),
        _ if error => Value::Other(text, "is an error of the spreadsheet program"),
        Some("float" | "percentage" | "currency") => Value::number(with.get("value")?),
        Some("boolean") => Value::Other(text, "is a truth of the spreadsheet program"),
        Some("date" | "time") => Value::Other(text, "is a date"),
        None if with.get("formula").is_some() && text.is_empty() => {
            Value::Other("=".to_owned(), "is a formula whose value was not saved")
        }
        _ => Value::Text(text),
    };
    (!value.shown().trim().is_empty()).then_some(value)
}
