//! What a page that was given says otherwise, as edits of the text.

use super::align::{Pair, align};
use super::edit::Edit;
use super::spot::{At, Make, Row, Sheet, Spot};
use super::withs::said;
use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, code};
use crate::sheet::{Cell, Page};
use crate::source::{self, SourceId, SourceMap, Span};

/// A page that was given, as a text with the places of its cells.
pub struct Given {
    id: SourceId,
    rows: Vec<Line>,
}

/// A row that was given.
struct Line {
    span: Span,
    /// Each cell by its column: what it says, and where.
    cells: Vec<(u32, String, Span)>,
}

impl Given {
    /// Adds a page to the texts, under the name that readers know it by.
    pub fn of(
        page: &Page,
        name: &str,
        asked: Span,
        sources: &mut SourceMap,
    ) -> (Given, Vec<Diagnostic>) {
        let id = sources.next_id();
        let (mut text, mut cells, mut rows, mut faults) =
            (String::new(), Vec::new(), Vec::new(), Vec::new());
        let mut line = 1;
        for row in page.cells.chunk_by(|a, b| a.row == b.row) {
            let number = row.first().map_or(line, |cell| cell.row);
            text.extend(std::iter::repeat_n('\n', number.saturating_sub(line) as usize));
            line = number;
            let start = text.len();
            let mut found = Vec::new();
            for cell in row {
                let words: Vec<&str> = cell.value.shown().split_whitespace().collect();
                let from = text.len();
                text.push_str(&cell.value.said().unwrap_or_else(|_| words.join(" ")));
                let span = Span::of(id, from..text.len());
                cells.push(source::Cell { start: span.start, end: span.end, column: cell.column });
                text.push_str(" | ");
                match said_of(cell) {
                    Ok(words) => found.push((cell.column, words, span)),
                    Err(what) => faults.push(
                        Diagnostic::error(code::E0016, span, format!("the cell {what}"))
                            .help("format the cell as text and write it anew"),
                    ),
                }
            }
            rows.push(Line { span: Span::of(id, start..text.len()), cells: found });
        }
        let (text, unclean) = source::screen(text.as_bytes(), id);
        faults.extend(unclean);
        sources.add_sheet(name, text, source::Sheet { asked, cells });
        (Given { id, rows }, faults)
    }
}

/// What a cell says; digits stay as they are shown, for they may be a label.
fn said_of(cell: &Cell) -> Result<String, &'static str> {
    cell.value.said()
}

impl Line {
    fn cell(&self, at: usize) -> (&str, Span) {
        let column = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let found = self.cells.iter().find(|(c, ..)| *c == column);
        found.map_or(("", self.span), |(_, text, span)| (text.as_str(), *span))
    }
}

/// The edits that make the text say what a page says.
#[must_use]
pub fn carry(sheet: &Sheet, given: &Given, sources: &SourceMap) -> (Vec<Edit>, Vec<Diagnostic>) {
    if matches!(sheet.make, Make::Put | Make::Space)
        && let Some((wider, ordered)) = by_headings(sheet, given)
    {
        return carried(&wider, &ordered, sources);
    }
    carried(sheet, given, sources)
}

/// A page of units or of spaces with its columns in the order of the text, whatever their order in
/// the sheet, and with a column for each fact that is new; nothing where a column is gone.
fn by_headings(sheet: &Sheet, given: &Given) -> Option<(Sheet, Given)> {
    let head = given.rows.first()?;
    let mut wider = sheet.clone();
    for (_, text, _) in &head.cells {
        if !text.starts_with('#') && !wider.heads.iter().any(|spot| spot.shown == *text) {
            wider.heads.push(Spot::fixed(text.as_str()));
            for row in &mut wider.rows {
                let at = At::With(text.clone());
                row.spots.push(Spot { shown: String::new(), at, colour: None });
            }
        }
    }
    let mut columns: Vec<(u32, u32)> = Vec::new();
    for (new, spot) in (1_u32..).zip(&wider.heads) {
        let mut found = head.cells.iter().filter(|(_, text, _)| *text == spot.shown);
        // Two columns of one heading, or none, are left to be refused.
        let (old, ..) = found.next().filter(|_| found.next().is_none())?;
        columns.push((*old, new));
    }
    let rows = given.rows.iter().map(|line| {
        let known =
            |column: u32| columns.iter().find(|(old, _)| *old == column).map(|(_, new)| *new);
        let notes = |column: u32| {
            let heading = head.cells.iter().find(|(c, ..)| *c == column);
            heading.is_some_and(|(_, text, _)| text.starts_with('#'))
        };
        let cells = line.cells.iter().filter(|(column, ..)| !notes(*column));
        let moved = cells
            .map(|(column, text, span)| (known(*column).unwrap_or(u32::MAX), text.clone(), *span));
        Line { span: line.span, cells: moved.collect() }
    });
    Some((wider.clone(), Given { id: given.id, rows: rows.collect() }))
}

fn carried(sheet: &Sheet, given: &Given, sources: &SourceMap) -> (Vec<Edit>, Vec<Diagnostic>) {
    let mut back = Back { sheet, sources, edits: Vec::new(), faults: Vec::new() };
    let mut lines = given.rows.iter();
    let width = sheet.heads.len().max(sheet.rows.iter().map(|r| r.spots.len()).max().unwrap_or(0));
    let mut notes: Vec<u32> = Vec::new();
    if !sheet.heads.is_empty() {
        let Some(head) = lines.next() else {
            let place = Span::new(given.id, 0, 0);
            back.refuse(place, "the sheet has no headings", "keep its first row");
            return (back.edits, back.faults);
        };
        notes.extend(
            head.cells.iter().filter(|(_, text, _)| text.starts_with('#')).map(|(c, ..)| *c),
        );
        back.heads(head);
    }
    let lines: Vec<&Line> = lines.filter(|line| !line.cells.is_empty()).collect();
    for line in &lines {
        let wide = |c: &&(u32, String, Span)| c.0 as usize > width && !notes.contains(&c.0);
        if let Some((_, _, span)) = line.cells.iter().find(wide) {
            back.refuse(*span, "the cell stands under no heading", "columns are added in the text; a heading that begins with `#` is for readers alone");
        }
    }
    back.rows(&lines);
    (back.edits, back.faults)
}

struct Back<'a> {
    sheet: &'a Sheet,
    sources: &'a SourceMap,
    edits: Vec<Edit>,
    faults: Vec<Diagnostic>,
}

impl Back<'_> {
    fn refuse(&mut self, place: Span, message: impl Into<String>, help: &str) {
        self.faults.push(Diagnostic::error(code::E0018, place, message).help(help));
    }

    fn heads(&mut self, head: &Line) {
        for (at, spot) in self.sheet.heads.iter().enumerate() {
            let (text, span) = head.cell(at);
            if text == spot.shown {
                continue;
            }
            match &spot.at {
                At::Words(place) if !text.is_empty() => {
                    self.edits.push(Edit { span: *place, text: text.to_owned(), cell: span });
                }
                _ => {
                    let message = format!("the heading `{text}` was `{}`", spot.shown);
                    self.refuse(
                        span,
                        message,
                        "headings are changed in the text; write it as it was",
                    );
                }
            }
        }
    }

    fn rows(&mut self, lines: &[&Line]) {
        let (old, new) = self.known(lines);
        if self.sheet.make == Make::Nothing {
            if lines.len() != self.sheet.rows.len() {
                let place = lines.last().map_or(self.sheet.item, |line| line.span);
                let message = format!(
                    "the sheet has {} rows, the text {}",
                    lines.len(),
                    self.sheet.rows.len()
                );
                return self.refuse(place, message, "rows are added and taken out in the text");
            }
            for (row, line) in self.sheet.rows.iter().zip(lines) {
                let edits = self.row(row, line);
                self.edits.extend(edits);
            }
            return;
        }
        let mut after: Option<&Row> = None;
        for pair in align(&old, &new) {
            match pair {
                Pair::Both(o, n) => {
                    let (Some(row), Some(line)) = (self.sheet.rows.get(o), lines.get(n)) else {
                        continue;
                    };
                    let edits = self.row(row, line);
                    self.edits.extend(edits);
                    after = Some(row);
                }
                Pair::Old(o) => {
                    let Some(row) = self.sheet.rows.get(o) else { continue };
                    self.take_out(row, lines);
                    after = Some(row);
                }
                Pair::New(n, from) => {
                    let Some(line) = lines.get(n) else { continue };
                    self.put_in(line, from.and_then(|at| self.sheet.rows.get(at)), after);
                }
            }
        }
    }

    /// What each row is known by: its first cells, if they tell all rows apart; else all of them.
    fn known(&self, lines: &[&Line]) -> (Vec<String>, Vec<String>) {
        let rows = &self.sheet.rows;
        let old = |keys: usize| -> Vec<String> {
            let words = |row: &Row| {
                row.spots
                    .iter()
                    .take(keys)
                    .map(|s| s.shown.clone())
                    .collect::<Vec<_>>()
                    .join("\u{1f}")
            };
            rows.iter().map(words).collect()
        };
        let new = |keys: usize| -> Vec<String> {
            let words = |line: &&Line| {
                (0..keys).map(|at| line.cell(at).0).collect::<Vec<_>>().join("\u{1f}")
            };
            lines.iter().map(words).collect()
        };
        let apart = |all: &[String]| {
            let mut sorted: Vec<&String> = all.iter().collect();
            sorted.arrange();
            sorted.windows(2).all(|two| two.first() != two.last())
        };
        let (a, b) = (old(self.sheet.keys), new(self.sheet.keys));
        if self.sheet.keys > 0 && apart(&a) && apart(&b) {
            return (a, b);
        }
        let width =
            rows.iter().map(|r| r.spots.len()).max().unwrap_or(0).max(self.sheet.heads.len());
        let trimmed = |all: Vec<String>| {
            all.into_iter().map(|t| t.trim_end_matches('\u{1f}').to_owned()).collect()
        };
        (trimmed(old(width)), trimmed(new(width)))
    }

    /// The edits of a row whose cells say something else.
    fn row(&mut self, row: &Row, line: &Line) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut facts = false;
        for (at, spot) in row.spots.iter().enumerate() {
            let (text, cell) = line.cell(at);
            if text != spot.shown {
                facts |= matches!(spot.at, At::With(_))
                    || self.is_fact(at) && (text.is_empty() || text == "yes");
                edits.extend(self.one(spot, text, cell, self.is_fact(at)));
            }
        }
        for (column, _, span) in line.cells.iter().filter(|(c, text, _)| {
            *c as usize > row.spots.len()
                && *c as usize <= self.sheet.heads.len()
                && !text.is_empty()
        }) {
            let _ = column;
            self.refuse(*span, "this line has no such cell", "write the line anew in the text");
        }
        if facts {
            edits.retain(|edit| {
                row.withs.as_ref().is_none_or(|w| {
                    edit.span.start < w.place.start
                        || edit.span.is_empty() && edit.span.start == w.place.start
                })
            });
            edits.extend(self.facts(row, line));
        }
        edits
    }

    /// Whether a column is one of the facts behind `with`.
    fn is_fact(&self, at: usize) -> bool {
        let all = match self.sheet.make {
            Make::Put => {
                if self.sheet.heads.iter().any(|h| h.shown == "facing") {
                    7
                } else {
                    5
                }
            }
            Make::Space => 5,
            Make::Link | Make::Line => self.sheet.keys,
            _ => return false,
        };
        at >= all
    }

    fn one(&mut self, spot: &Spot, text: &str, cell: Span, fact: bool) -> Option<Edit> {
        let edit = |span: Span, text: String| Some(Edit { span, text, cell });
        match &spot.at {
            At::With(_) => None,
            At::Words(_) if fact && text.is_empty() => None,
            At::Optional { whole, .. } if text.is_empty() => edit(*whole, String::new()),
            At::Words(_) | At::Quoted(_) if text.is_empty() => {
                self.refuse(
                    cell,
                    format!("the cell is empty; it was `{}`", spot.shown),
                    "write what stands there, or take the whole row out",
                );
                None
            }
            At::Words(span) | At::Optional { words: span, quoted: false, .. } => {
                edit(*span, text.to_owned())
            }
            At::Quoted(_) | At::Optional { quoted: true, .. } | At::Absent { after: "\"", .. }
                if text.contains('"') =>
            {
                self.refuse(cell, "a title has no quotation marks", "write `'` in their place");
                None
            }
            At::Quoted(span) => edit(*span, format!("\"{text}\"")),
            At::Optional { words, .. } => edit(*words, text.to_owned()),
            At::Absent { at, before, after } => edit(*at, format!("{before}{text}{after}")),
            At::Fixed => {
                let message = format!("the cell says `{text}`, and it was `{}`", spot.shown);
                self.refuse(cell, message, "this is changed in the text; write it as it was");
                None
            }
        }
    }

    /// The facts behind `with` anew: those that stay in their order, then the new ones.
    fn facts(&mut self, row: &Row, line: &Line) -> Option<Edit> {
        let withs = row.withs.as_ref()?;
        let mut said_now: Vec<String> = Vec::new();
        let column = |name: &str| self.sheet.heads.iter().position(|h| h.shown == name);
        for (name, span) in &withs.facts {
            let Some(at) = column(name) else { continue };
            let (text, _) = line.cell(at);
            let same = row.spots.get(at).is_some_and(|spot| spot.shown == text);
            match same {
                true => said_now.push(self.sources.slice(*span).to_owned()),
                false => said_now.extend(said(name, text)),
            }
        }
        let mut cell = line.span;
        for (at, spot) in row.spots.iter().enumerate() {
            let (text, place) = line.cell(at);
            if let At::With(name) = &spot.at
                && text != spot.shown
            {
                cell = if text.is_empty() { cell } else { place };
                if !withs.facts.iter().any(|(known, _)| known == name) {
                    said_now.extend(said(name, text));
                }
            }
        }
        let text = if said_now.is_empty() {
            String::new()
        } else {
            format!(" with {}", said_now.join(", "))
        };
        Some(Edit { span: withs.place, text, cell })
    }

    /// The whole lines of a row.
    fn lines_of(&self, row: &Row) -> Span {
        let text = self.sources.text(row.span.source);
        let start =
            text.get(..row.span.start as usize).and_then(|t| t.rfind('\n')).map_or(0, |p| p + 1);
        let rest = text.get(row.span.end as usize..).unwrap_or_default();
        let end = rest.find('\n').map_or(text.len(), |p| row.span.end as usize + p + 1);
        Span::of(row.span.source, start..end)
    }

    fn take_out(&mut self, row: &Row, lines: &[&Line]) {
        let cell = lines.last().map_or(self.sheet.item, |line| line.span);
        if self.sheet.make == Make::Case && row.spots.first().is_some_and(|s| !s.shown.is_empty()) {
            let title = row.spots.first().map_or("", |s| s.shown.as_str());
            let message = format!("the case `{title}` is not in the sheet any more");
            return self.refuse(
                cell,
                message,
                "cases are taken out in the text; a case with fewer lines keeps its title",
            );
        }
        self.edits.push(Edit { span: self.lines_of(row), text: String::new(), cell });
    }

    fn put_in(&mut self, line: &Line, moved: Option<&Row>, after: Option<&Row>) {
        let neighbour = after.or(self.sheet.rows.first());
        let text = match moved {
            // A row that has moved keeps its line, with its comment.
            Some(row) => {
                let whole = self.lines_of(row);
                let mut text = self.sources.slice(whole).to_owned();
                let mut edits = self.row(row, line);
                edits.arrange_by_key(|e| (e.span.start, e.span.end));
                for edit in edits.iter().rev() {
                    let range = (edit.span.start - whole.start) as usize
                        ..(edit.span.end - whole.start) as usize;
                    if text.get(range.clone()).is_some() {
                        text.replace_range(range, &edit.text);
                    }
                }
                text
            }
            None => {
                let Some(made) = self.made(line) else { return };
                let indent = neighbour.map_or("  ".to_owned(), |row| {
                    let whole = self.sources.slice(self.lines_of(row));
                    let blanks = whole.len() - whole.trim_start_matches([' ', '\t']).len();
                    let blanks =
                        if self.sheet.make == Make::Case && blanks == 0 { 0 } else { blanks };
                    match blanks {
                        0 => "  ".to_owned(),
                        _ => whole.get(..blanks).unwrap_or("  ").to_owned(),
                    }
                });
                format!("{indent}{made}\n")
            }
        };
        let at = match (after, neighbour) {
            (Some(row), _) => self.lines_of(row).end,
            (None, Some(row)) => self.lines_of(row).start,
            (None, None) => self.closing(),
        };
        let span = Span::new(self.sheet.item.source, at, at);
        let span = neighbour.map_or(span, |row| Span { source: row.span.source, ..span });
        self.edits.push(Edit { span, text, cell: line.span });
    }

    /// The start of the last line of an item, which closes it.
    fn closing(&self) -> u32 {
        let item = self.sheet.item;
        let text = self.sources.text(item.source);
        let before = text.get(..item.end as usize).unwrap_or_default();
        u32::try_from(before.rfind('\n').map_or(0, |p| p + 1)).unwrap_or(item.end)
    }

    /// A new row as a line of the text.
    fn made(&mut self, line: &Line) -> Option<String> {
        let width = self.sheet.heads.len();
        let all: Vec<&str> = (0..width).map(|at| line.cell(at).0).collect();
        let text = |at: usize| all.get(at).copied().unwrap_or("");
        let with = |before: &str, text: &str, after: &str| {
            if text.is_empty() { String::new() } else { format!("{before}{text}{after}") }
        };
        let facts = |from: usize| {
            let names = self.sheet.heads.iter().map(|h| h.shown.as_str());
            let found: Vec<String> =
                names.zip(&all).skip(from).filter_map(|(name, cell)| said(name, cell)).collect();
            with(" with ", &found.join(", "), "")
        };
        let clauses = with(" [", all.last().copied().unwrap_or(""), "]");
        let needed = |columns: &[usize]| columns.iter().find(|at| text(**at).is_empty()).copied();
        let missing = match self.sheet.make {
            Make::Grid(_) => needed(&(0..width.saturating_sub(1)).collect::<Vec<_>>()),
            Make::List => needed(&(4..width.saturating_sub(1)).collect::<Vec<_>>()),
            Make::Put | Make::Space => needed(&[0, 1]),
            Make::Link | Make::Line => needed(&[0, 1, 2]),
            Make::Case | Make::Nothing => None,
        };
        if let Some(at) = missing {
            let name = self.sheet.heads.get(at).map_or("", |h| h.shown.as_str());
            self.refuse(
                line.span,
                format!("the new row says nothing below `{name}`"),
                "write every cell that its line needs",
            );
            return None;
        }
        Some(match self.sheet.make {
            Make::Grid(keys) => {
                let (keys, values) = all.get(..width.saturating_sub(1))?.split_at_checked(keys)?;
                format!("row {} | {}{clauses}", keys.join(", "), values.join(" | "))
            }
            Make::List => {
                let values = all.get(4..width.saturating_sub(1))?.join(", ");
                if text(3) == "otherwise" {
                    format!("otherwise {values}{clauses}")
                } else {
                    let (name, per) = (with("row ", text(0), " "), with("per ", text(1), " "));
                    let (beyond, when) =
                        (with("beyond ", text(2), " "), with("when ", text(3), " "));
                    format!("{name}{per}{beyond}{when}then {values}{clauses}")
                }
            }
            Make::Put => {
                let lies = self.sheet.heads.iter().any(|h| h.shown == "facing");
                let head = format!(
                    "put {} {}{}{}",
                    text(1),
                    text(0),
                    with(" \"", text(2), "\""),
                    with(" of ", text(3), "")
                );
                if lies {
                    let at = format!("{}{}", with(" at (", text(4), ""), with(", ", text(5), ")"));
                    format!("{head}{at}{}{}", with(" facing ", text(6), ""), facts(7))
                } else {
                    format!("{head}{}{}", with(" in ", text(4), ""), facts(5))
                }
            }
            Make::Space => {
                let at = format!("{}{}", with(" at (", text(3), ""), with(", ", text(4), ")"));
                format!(
                    "space {} {}{}{at}{}",
                    text(1),
                    text(0),
                    with(" \"", text(2), "\""),
                    facts(5)
                )
            }
            Make::Link | Make::Line => {
                let noun = if self.sheet.make == Make::Line { "line" } else { "link" };
                let ends = all.iter().take(self.sheet.keys).skip(1).copied();
                let ends: Vec<&str> = ends.filter(|t| !t.is_empty()).collect();
                format!("{noun} {} {}{}", text(0), ends.join(" to "), facts(self.sheet.keys))
            }
            Make::Case => {
                if !text(0).is_empty() {
                    self.refuse(
                        line.span,
                        "a new case is begun",
                        "cases are begun in the text; then their lines may stand in the sheet",
                    );
                    return None;
                }
                let parts: Vec<&str> = all.iter().skip(1).copied().collect();
                let last = parts.iter().rposition(|t| !t.is_empty())?;
                parts.get(..=last)?.join(" | ")
            }
            Make::Nothing => return None,
        })
    }
}
