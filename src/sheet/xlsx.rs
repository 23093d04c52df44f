//! Workbooks of Excel: one page of them, its cells as values.
//!
//! A formula counts by the value that the program saved with it. Dates are numbers that a style
//! shows as dates, so that styles are read too.

use super::pack::{Pack, no_page, no_workbook};
use super::xml::{Attributes, Tag, Tags};
use super::{Gather, Page, Trouble, Value};

/// The names of its pages.
pub(super) fn pages(bytes: &[u8]) -> Result<Vec<String>, Trouble> {
    Ok(Book::open(bytes)?.pages.into_iter().map(|(name, _)| name).collect())
}

pub(super) fn page(bytes: &[u8], name: &str) -> Result<Page, Trouble> {
    let mut book = Book::open(bytes)?;
    let Some((_, part)) = book.pages.iter().find(|(page, _)| page == name).cloned() else {
        let known: Vec<String> = book.pages.into_iter().map(|(name, _)| name).collect();
        return Err(no_page(name, &known));
    };
    let text = book.pack.needed(&part)?;
    let texts = match book.texts.take() {
        Some(part) => texts(&book.pack.part(&part)?.unwrap_or_default())?,
        None => Vec::new(),
    };
    let dates = match book.styles.take() {
        Some(part) => dates(&book.pack.part(&part)?.unwrap_or_default())?,
        None => Vec::new(),
    };
    Ok(cells(&text, &texts, &dates)?.page(name))
}

/// Where the parts of a workbook are.
struct Book<'b> {
    pack: Pack<'b>,
    /// The pages by name, each with its part.
    pages: Vec<(String, String)>,
    texts: Option<String>,
    styles: Option<String>,
}

impl<'b> Book<'b> {
    fn open(bytes: &'b [u8]) -> Result<Book<'b>, Trouble> {
        let mut pack = Pack::open(bytes)?;
        let root = links(&pack.needed("_rels/.rels")?, "")?;
        let book = root.iter().find(|l| l.sort == "officeDocument").ok_or_else(no_workbook)?;
        let (folder, file) = book.target.rsplit_once('/').unwrap_or(("", &book.target));
        let text = pack.needed(&book.target)?;
        let around = links(&pack.needed(&format!("{folder}/_rels/{file}.rels"))?, folder)?;
        let part = |sort: &str| around.iter().find(|l| l.sort == sort).map(|l| l.target.clone());
        let (texts, styles) = (part("sharedStrings"), part("styles"));
        let mut pages = Vec::new();
        let mut tags = Tags::of(&text);
        while let Some(tag) = tags.next()? {
            let Tag::Open(name, with) = tag else { continue };
            if name != "sheet" {
                continue;
            }
            let link = around.iter().find(|l| with.get("id") == Some(l.id.as_str()));
            if let (Some(name), Some(link)) = (with.get("name"), link) {
                pages.push((name.to_owned(), link.target.clone()));
            }
        }
        Ok(Book { pack, pages, texts, styles })
    }
}

/// A part that another one names.
struct Link {
    id: String,
    sort: String,
    target: String,
}

fn links(text: &str, folder: &str) -> Result<Vec<Link>, Trouble> {
    let mut found = Vec::new();
    let mut tags = Tags::of(text);
    while let Some(tag) = tags.next()? {
        let Tag::Open(_, with) = tag else { continue };
        if let (Some(id), Some(sort), Some(target)) =
            (with.get("Id"), with.get("Type"), with.get("Target"))
        {
            let target = match target.strip_prefix('/') {
                Some(whole) => whole.to_owned(),
                None if folder.is_empty() => target.to_owned(),
                None => format!("{folder}/{target}"),
            };
            let sort = sort.rsplit('/').next().unwrap_or_default().to_owned();
            found.push(Link { id: id.to_owned(), sort, target });
        }
    }
    Ok(found)
}

/// The texts that cells refer to by number.
fn texts(part: &str) -> Result<Vec<String>, Trouble> {
    let mut found = Vec::new();
    let mut tags = Tags::of(part);
    while let Some(tag) = tags.next()? {
        if matches!(&tag, Tag::Open(name, _) if name == "si") {
            found.push(text(&mut tags, "si")?);
        }
    }
    Ok(found)
}

/// The text inside a tag: its runs, without the signs that only say how to pronounce it.
fn text(tags: &mut Tags<'_>, until: &str) -> Result<String, Trouble> {
    let (mut out, mut inside, mut spoken) = (String::new(), false, 0_u32);
    while let Some(tag) = tags.next()? {
        match tag {
            Tag::Open(name, _) if name == "t" => inside = true,
            Tag::Open(name, _) if name == "rPh" => spoken += 1,
            Tag::Close(name) if name == "t" => inside = false,
            Tag::Close(name) if name == "rPh" => spoken = spoken.saturating_sub(1),
            Tag::Close(name) if name == until => return Ok(out),
            Tag::Text(text) if inside && spoken == 0 => out.push_str(&text),
            _ => {}
        }
    }
    Err(no_workbook())
}

/// Which styles show a number as a date or a time.
fn dates(part: &str) -> Result<Vec<bool>, Trouble> {
    let mut own: Vec<(String, bool)> = Vec::new();
    let (mut found, mut in_cells) = (Vec::new(), false);
    let mut tags = Tags::of(part);
    while let Some(tag) = tags.next()? {
        match tag {
            Tag::Open(name, with) if name == "numFmt" => {
                if let (Some(id), Some(code)) = (with.get("numFmtId"), with.get("formatCode")) {
                    own.push((id.to_owned(), is_date(code)));
                }
            }
            Tag::Open(name, _) if name == "cellXfs" => in_cells = true,
            Tag::Close(name) if name == "cellXfs" => in_cells = false,
            Tag::Open(name, with) if name == "xf" && in_cells => {
                let id = with.get("numFmtId").unwrap_or("0");
                let known = own.iter().find(|(own, _)| own == id).map(|(_, date)| *date);
                let number: u32 = id.parse().unwrap_or(0);
                found
                    .push(known.unwrap_or(matches!(number, 14..=22 | 27..=36 | 45..=47 | 50..=58)));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Whether a format shows days or hours: one of their letters, outside quotes and brackets.
fn is_date(code: &str) -> bool {
    let (mut quoted, mut bracket, mut signs) = (false, false, code.chars());
    while let Some(sign) = signs.next() {
        match sign {
            '\\' | '_' | '*' => {
                signs.next();
            }
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' => bracket = true,
            ']' => bracket = false,
            _ if bracket => {}
            'd' | 'D' | 'm' | 'M' | 'y' | 'Y' | 'h' | 'H' | 's' | 'S' => return true,
            _ => {}
        }
    }
    false
}

/// A cell while its parts are read.
struct Open {
    place: (u32, u32),
    sort: String,
    date: bool,
    formula: bool,
    value: Option<String>,
}

fn cells(part: &str, texts: &[String], dates: &[bool]) -> Result<Gather, Trouble> {
    let mut gather = Gather::default();
    let (mut row, mut column) = (0_u32, 0_u32);
    let mut open: Option<Open> = None;
    let mut tags = Tags::of(part);
    while let Some(tag) = tags.next()? {
        match tag {
            Tag::Open(name, with) if name == "row" => {
                row = match with.get("r") {
                    Some(number) => number.parse().map_err(|_| no_workbook())?,
                    None => row.saturating_add(1),
                };
                column = 0;
            }
            Tag::Open(name, with) if name == "c" => {
                let place = place(&with, (row, column.saturating_add(1)))?;
                column = place.1;
                open = Some(begin(&with, place, dates));
            }
            Tag::Open(name, _) if name == "f" => {
                if let Some(cell) = &mut open {
                    cell.formula = true;
                }
            }
            Tag::Open(name, _) if name == "v" => {
                if let Some(cell) = &mut open {
                    cell.value = Some(plain(&mut tags, "v")?);
                }
            }
            Tag::Open(name, _) if name == "is" => {
                if let Some(cell) = &mut open {
                    cell.value = Some(text(&mut tags, "is")?);
                }
            }
            Tag::Close(name) if name == "c" => {
                if let Some(cell) = open.take()
                    && let Some(value) = value(&cell, texts)?
                {
                    gather.add(cell.place.0, cell.place.1, value)?;
                }
            }
            _ => {}
        }
    }
    Ok(gather)
}

fn begin(with: &Attributes, place: (u32, u32), dates: &[bool]) -> Open {
    let style = with.get("s").and_then(|s| s.parse::<usize>().ok()).unwrap_or(0);
    Open {
        place,
        sort: with.get("t").unwrap_or("n").to_owned(),
        date: dates.get(style).copied().unwrap_or(false),
        formula: false,
        value: None,
    }
}

/// The place that a cell says, such as `C4`; else the next one.
fn place(with: &Attributes, next: (u32, u32)) -> Result<(u32, u32), Trouble> {
    let Some(name) = with.get("r") else { return Ok(next) };
    let split = name.find(|c: char| c.is_ascii_digit()).ok_or_else(no_workbook)?;
    let (letters, digits) = name.split_at_checked(split).ok_or_else(no_workbook)?;
    let mut column = 0_u32;
    for letter in letters.bytes() {
        if !letter.is_ascii_uppercase() {
            return Err(no_workbook());
        }
        column = column.saturating_mul(26).saturating_add(u32::from(letter - b'A') + 1);
    }
    Ok((digits.parse().map_err(|_| no_workbook())?, column))
}

/// The text up to the end of a tag.
fn plain(tags: &mut Tags<'_>, until: &str) -> Result<String, Trouble> {
    let mut out = String::new();
    while let Some(tag) = tags.next()? {
        match tag {
            Tag::Text(text) => out.push_str(&text),
            Tag::Close(name) if name == until => return Ok(out),
            _ => {}
        }
    }
    Err(no_workbook())
}

fn value(cell: &Open, texts: &[String]) -> Result<Option<Value>, Trouble> {
    let Some(text) = &cell.value else {
        let empty = Value::Other("=".to_owned(), "is a formula whose value was not saved");
        return Ok(cell.formula.then_some(empty));
    };
    let value = match cell.sort.as_str() {
        "s" => {
            let at: usize = text.trim().parse().map_err(|_| no_workbook())?;
            Value::Text(texts.get(at).ok_or_else(no_workbook)?.clone())
        }
        "str" | "inlineStr" => Value::Text(text.clone()),
        "b" => {
            let truth = if text.trim() == "1" { "TRUE" } else { "FALSE" };
            Value::Other(truth.to_owned(), "is a truth of the spreadsheet program")
        }
        "e" => Value::Other(text.clone(), "is an error of the spreadsheet program"),
        "d" => Value::Other(text.clone(), "is a date"),
        _ if cell.date => Value::Other(text.clone(), "is a date"),
        _ => Value::number(text.trim()),
    };
    Ok((!value.shown().trim().is_empty()).then_some(value))
}
