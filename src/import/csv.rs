//! Tables of spaces and links.
//!
//! A table of spaces has a head with a column `id` and, if wanted, `title` and `kind`; every other
//! column is an attribute. An empty cell says nothing, `yes` says a truth, `no` denies it. A table
//! of links has columns `kind`, `from` and `to`.

use super::{Draft, DraftLink, DraftSpace, Options, is_label, name_of, quotable, refuse, whole};
use crate::diag::Diagnostic;
use crate::source::{SourceId, Span};

/// A table with the places of its cells.
struct Table {
    /// The head, in small letters.
    head: Vec<String>,
    rows: Vec<Vec<(String, Span)>>,
    start: Span,
}

impl Table {
    fn column(&self, names: &[&str]) -> Option<usize> {
        self.head.iter().position(|h| names.contains(&h.as_str()))
    }
}

/// Reads a table of spaces and, if there is one, a table of links.
#[must_use]
pub fn read(
    spaces: (&str, SourceId),
    links: Option<(&str, SourceId)>,
    options: &Options,
) -> (Draft, Vec<Diagnostic>) {
    let mut draft = Draft { name: options.name.clone(), ..Draft::default() };
    let mut faults = Vec::new();
    let source = spaces.1;
    if let Some(spaces) = table(spaces.0, source, &mut faults) {
        read_spaces(&mut draft, &spaces, options, &mut faults);
        whole(&draft, source, &mut faults);
    }
    if let Some(links) = links.and_then(|(text, source)| table(text, source, &mut faults)) {
        read_links(&mut draft, &links, &mut faults);
    }
    (draft, faults)
}

fn table(text: &str, source: SourceId, faults: &mut Vec<Diagnostic>) -> Option<Table> {
    let before = faults.len();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut rows: Vec<Vec<(String, Span)>> = Vec::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let at =
                    error.position().map_or(0, |p| usize::try_from(p.byte()).unwrap_or(usize::MAX));
                faults.push(refuse(
                    Span::of(source, at..at),
                    format!("the table cannot be read: {error}"),
                ));
                break;
            }
        };
        if record.iter().all(str::is_empty) {
            continue;
        }
        let start =
            record.position().map_or(0, |p| usize::try_from(p.byte()).unwrap_or(usize::MAX));
        let places = cells(text, start, source);
        let point = Span::of(source, start..start);
        rows.push(
            record
                .iter()
                .enumerate()
                .map(|(at, cell)| (cell.to_owned(), places.get(at).copied().unwrap_or(point)))
                .collect(),
        );
    }
    if rows.is_empty() {
        if faults.len() == before {
            faults.push(
                refuse(Span::of(source, 0..0), "the table is empty")
                    .help("its first line names the columns"),
            );
        }
        return None;
    }
    let head = rows.remove(0);
    let start = head.first().map_or_else(Span::default, |(_, span)| *span);
    for row in &rows {
        if let Some((_, span)) = row.get(head.len()) {
            faults.push(
                refuse(*span, format!("this row has {} cells, the head {}", row.len(), head.len()))
                    .help("a cell with a comma stands in quotes"),
            );
        }
    }
    Some(Table {
        head: head.into_iter().map(|(cell, _)| cell.to_ascii_lowercase()).collect(),
        rows,
        start,
    })
}

/// The places of the cells of the record that begins at a byte, quotes and blanks around them left
/// out.
fn cells(text: &str, start: usize, source: SourceId) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut at = start;
    while bytes.get(at).is_some_and(|b| *b == b'\n') {
        at += 1;
    }
    let (mut places, mut begin, mut quoted) = (Vec::new(), at, false);
    loop {
        let byte = bytes.get(at).copied();
        match byte {
            // A quote opens at the beginning of a cell alone, and two of them within one are a
            // quote.
            Some(b'"') if quoted && bytes.get(at + 1) == Some(&b'"') => at += 1,
            Some(b'"') if quoted || at == begin => quoted = !quoted,
            None | Some(b',' | b'\n') if !quoted || byte.is_none() => {
                let cell = text.get(begin..at).unwrap_or_default();
                let bare = cell.trim_matches([' ', '\t', '"']);
                let from = begin + if bare.is_empty() { 0 } else { cell.find(bare).unwrap_or(0) };
                places.push(Span::of(source, from..from + bare.len()));
                begin = at + 1;
                if byte != Some(b',') {
                    return places;
                }
            }
            _ => {}
        }
        at += 1;
    }
}

fn read_spaces(draft: &mut Draft, table: &Table, options: &Options, faults: &mut Vec<Diagnostic>) {
    let Some(id_at) = table.column(&["id", "label", "hex", "space", "name"]) else {
        faults.push(
            refuse(table.start, "no column holds the ids of the spaces")
                .help("call one column `id`"),
        );
        return;
    };
    let (title_at, kind_at) = (table.column(&["title"]), table.column(&["kind"]));
    for row in &table.rows {
        let Some((id, span)) = row.get(id_at) else { continue };
        let Some(name) = id_of(id) else {
            let why = if id.is_empty() {
                "a space without an id".to_owned()
            } else {
                format!("`{id}` is neither a label nor a name")
            };
            faults.push(
                refuse(*span, why)
                    .help("a label has 4, 6 or 8 digits; a name begins with a letter"),
            );
            continue;
        };
        let cell =
            |at: Option<usize>| at.and_then(|at| row.get(at)).filter(|(text, _)| !text.is_empty());
        let title = cell(title_at)
            .map(|(text, _)| quotable(text))
            .or_else(|| (name != *id).then(|| quotable(id)));
        let mut with = Vec::new();
        for (at, column) in table.head.iter().enumerate() {
            if Some(at) == title_at || Some(at) == kind_at || at == id_at {
                continue;
            }
            if let Some((value, span)) = cell(Some(at)) {
                match fact(column, value) {
                    Ok(fact) => with.extend(fact),
                    Err(message) => faults.push(
                        refuse(*span, message)
                            .help("an attribute is a number, a word, `yes` or `no`"),
                    ),
                }
            }
        }
        let kind = cell(kind_at)
            .and_then(|(text, _)| name_of(text))
            .unwrap_or_else(|| options.kind.clone());
        draft.spaces.push(DraftSpace { id: name, title, kind, with, span: *span });
    }
}

fn id_of(text: &str) -> Option<String> {
    if is_label(text) { Some(text.to_owned()) } else { name_of(text) }
}

/// What a cell says of its space, as it stands behind `with`; nothing for a truth that is denied.
fn fact(column: &str, value: &str) -> Result<Option<String>, String> {
    let Some(name) = name_of(column) else {
        return Err(format!("the column `{column}` cannot be an attribute"));
    };
    Ok(match value.to_ascii_lowercase().as_str() {
        "yes" | "true" => Some(name),
        "no" | "false" => None,
        _ if is_whole(value) => Some(format!("{name} {value}")),
        _ => match name_of(value) {
            Some(word) => Some(format!("{name} {word}")),
            None => return Err(format!("`{value}` cannot be the value of an attribute")),
        },
    })
}

/// Whether a cell is a whole number: a sign alone is none.
fn is_whole(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn read_links(draft: &mut Draft, table: &Table, faults: &mut Vec<Diagnostic>) {
    let columns = [table.column(&["kind", "link"]), table.column(&["from"]), table.column(&["to"])];
    let [Some(kind), Some(from), Some(to)] = columns else {
        faults
            .push(refuse(table.start, "a table of links has the columns `kind`, `from` and `to`"));
        return;
    };
    let known: indexmap::IndexSet<String> = draft.spaces.iter().map(|s| s.id.clone()).collect();
    for row in &table.rows {
        let (Some(kind), Some(from), Some(to)) = (row.get(kind), row.get(from), row.get(to)) else {
            let span = row.first().map_or(table.start, |(_, span)| *span);
            faults.push(refuse(span, "a link without a kind or an end"));
            continue;
        };
        let mut ends = [from, to].map(|(text, span)| {
            let id = id_of(text).filter(|id| known.contains(id));
            if id.is_none() {
                let near = crate::diag::suggest::closest(text, known.iter().map(String::as_str));
                let fault = refuse(*span, format!("no space is called `{text}`"));
                faults.push(near.map_or_else(
                    || fault.clone(),
                    |near| fault.clone().help(format!("write `{near}`")),
                ));
            }
            id
        });
        match (name_of(&kind.0), ends.iter_mut().map(Option::take).collect::<Option<Vec<_>>>()) {
            (None, _) => {
                faults.push(refuse(kind.1, format!("`{}` cannot be a kind of link", kind.0)))
            }
            (Some(kind), Some(ends)) => {
                if let Ok(ends) = <[String; 2]>::try_from(ends) {
                    draft.links.push(DraftLink { kind, ends });
                }
            }
            _ => {}
        }
    }
}
