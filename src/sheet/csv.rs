//! One page as CSV: a comma between cells, quotes where they are needed, a row a line.

use super::{Gather, MOST_TEXT, Page, Trouble, Value};

/// Reads a page. Where the first line has no comma, a semicolon or a tab may stand in its place, as
/// spreadsheet programs of some countries write it.
pub(super) fn page(bytes: &[u8]) -> Result<Page, Trouble> {
    if bytes.len() > MOST_TEXT {
        return Err(Trouble::large("is larger than 16 MiB"));
    }
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(body)
        .map_err(|_| Trouble::new("is not UTF-8", "save it as CSV with the encoding UTF-8"))?;
    let between = between(text);
    let mut gather = Gather::default();
    let (mut row, mut column, mut cell) = (1_u32, 1_u32, String::new());
    let mut quoted = false;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if quoted && signs.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if quoted || cell.is_empty() => quoted = !quoted,
            _ if quoted => cell.push(sign),
            '\r' if signs.peek() == Some(&'\n') => {}
            '\n' | '\r' => {
                add(&mut gather, row, column, &mut cell)?;
                (row, column) = (row.saturating_add(1), 1);
            }
            _ if sign == between => {
                add(&mut gather, row, column, &mut cell)?;
                column = column.saturating_add(1);
            }
            _ => cell.push(sign),
        }
    }
    if quoted {
        let help = "close each quoted cell with a quotation mark; inside one it stands twice";
        return Err(Trouble::new("ends within a quoted cell", help));
    }
    add(&mut gather, row, column, &mut cell)?;
    Ok(gather.page(""))
}

fn add(gather: &mut Gather, row: u32, column: u32, cell: &mut String) -> Result<(), Trouble> {
    let text = std::mem::take(cell);
    // Only a decimal needs another form; digits alone may be a label.
    let value = match Value::number(text.trim()) {
        number @ Value::Number(_) if text.contains('.') => number,
        _ => Value::Text(text),
    };
    if value.shown().trim().is_empty() { Ok(()) } else { gather.add(row, column, value) }
}

fn between(text: &str) -> char {
    let first = text.lines().next().unwrap_or_default();
    [',', ';', '\t'].into_iter().find(|sign| first.contains(*sign)).unwrap_or(',')
}

/// Writes a page, each row with as many cells as it needs.
#[cfg(feature = "sheets")]
pub(super) fn write(page: &Page) -> Result<Vec<u8>, Trouble> {
    let mut out = String::new();
    let (mut row, mut column) = (1, 1);
    for cell in &page.cells {
        while row < cell.row {
            out.push('\n');
            (row, column) = (row + 1, 1);
        }
        while column < cell.column {
            out.push(',');
            column += 1;
        }
        quote(&mut out, cell.value.shown());
    }
    if !page.cells.is_empty() {
        out.push('\n');
    }
    Ok(out.into_bytes())
}

#[cfg(feature = "sheets")]
fn quote(out: &mut String, text: &str) {
    let plain = !text.contains([',', ';', '\t', '"', '\n', '\r']) && text.trim() == text;
    if plain {
        out.push_str(text);
    } else {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    }
}
