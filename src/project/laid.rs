//! A page of a workbook as the rows of a table: a line of text for each row, with the places of the
//! cells in it.
//!
//! The first row has the headings. For a grid these are the keys as `down` names them, then the
//! heads of the columns; for a list they are `row`, `per`, `beyond`, `when` and the results.

use std::ops::Range;

use crate::check::written::folded;
use crate::diag::{Diagnostic, code, suggest};
use crate::sheet::{Cell, Page};
use crate::source::{self, SourceId, SourceMap, Span};
use crate::syntax::ast::{Grid, Table, TableBody};
use crate::syntax::sheet::{Laid, LaidSheet, Sort};

/// The heading of the column with the clauses of each row.
pub(crate) const CLAUSES: &str = "clauses";

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Key,
    Value,
    Name,
    Per,
    Beyond,
    When,
    Clauses,
    /// Words for readers alone.
    Notes,
}

/// A page laid out as text.
pub(super) struct Lay {
    pub sheet: LaidSheet,
    pub cells: Vec<source::Cell>,
    pub faults: Vec<Diagnostic>,
    id: SourceId,
}

/// Lays a page out as the rows of a table.
pub(super) fn lay(page: &Page, table: &Table, sources: &SourceMap, id: SourceId) -> Lay {
    let mut lay = Lay { sheet: LaidSheet::default(), cells: Vec::new(), faults: Vec::new(), id };
    let mut rows = page.cells.chunk_by(|a, b| a.row == b.row).filter(|row| !is_comment(row));
    let Some(head) = rows.next() else {
        let fault = lay.fault(0..0, "the sheet is empty");
        lay.faults.push(fault.help("its first row has the headings of the columns"));
        return lay;
    };
    let roles = match &table.body {
        TableBody::Grid(grid) => lay.grid_head(head, grid, sources),
        TableBody::List { .. } => lay.list_head(head, table),
    };
    if lay.faults.is_empty() {
        for row in rows {
            lay.row(row, &roles, matches!(table.body, TableBody::Grid(_)));
        }
    }
    lay.sheet.text.push('\n');
    lay
}

/// A row that begins with `#` is for readers alone.
fn is_comment(row: &[Cell]) -> bool {
    row.first().is_some_and(|cell| cell.value.shown().trim_start().starts_with('#'))
}

/// What is shown of a cell on a line.
fn shown(cell: &Cell) -> String {
    let words: Vec<&str> = cell.value.shown().split_whitespace().collect();
    words.join(" ")
}

impl Lay {
    fn fault(&self, range: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code::E0017, Span::of(self.id, range), message)
    }

    fn line(&mut self, row: u32) {
        let text = &mut self.sheet.text;
        let line = u32::try_from(text.bytes().filter(|b| *b == b'\n').count()).unwrap_or(0) + 1;
        text.extend(std::iter::repeat_n('\n', row.saturating_sub(line) as usize));
        text.push_str("  ");
    }

    /// Writes a cell; its range.
    fn cell(&mut self, column: u32, text: &str) -> Range<usize> {
        let start = self.sheet.text.len();
        self.sheet.text.push_str(text);
        let range = start..self.sheet.text.len();
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.cells.push(source::Cell { start: place(range.start), end: place(range.end), column });
        range
    }

    /// Writes a cell that must say something of the language; nothing where it says none.
    fn said(&mut self, cell: &Cell) -> Option<Range<usize>> {
        match cell.value.said() {
            Ok(text) => Some(self.cell(cell.column, &text)),
            Err(what) => {
                let range = self.cell(cell.column, &shown(cell));
                let message = format!("the cell {what}");
                let fault = Diagnostic::error(code::E0016, Span::of(self.id, range), message);
                self.faults.push(fault.help(instead(what)));
                None
            }
        }
    }

    fn grid_head(&mut self, head: &[Cell], grid: &Grid, sources: &SourceMap) -> Vec<(u32, Role)> {
        let mut roles = Vec::new();
        let keys: Vec<String> = grid.down.iter().map(|path| folded(sources, path.span)).collect();
        let first = head.first().map_or(1, |cell| cell.row);
        self.line(first);
        let mut keyed = keys.iter();
        let mut heads: Option<Laid> = None;
        let last = head.last().map(|cell| cell.column);
        for cell in head {
            if cell.value.shown().trim_start().starts_with('#') {
                roles.push((cell.column, Role::Notes));
                continue;
            }
            if let Some(key) = keyed.next() {
                self.key_heading(cell, key);
                roles.push((cell.column, Role::Key));
                self.sheet.text.push(' ');
                continue;
            }
            let clauses = cell.value.shown().trim() == CLAUSES && Some(cell.column) == last;
            if clauses {
                roles.push((cell.column, Role::Clauses));
                continue;
            }
            let start = self.sheet.text.len();
            self.sheet.text.push_str("| ");
            let laid = heads.get_or_insert_with(|| Laid { range: start..start, cells: Vec::new() });
            let mut laid = std::mem::take(laid);
            if let Some(range) = self.said(cell) {
                laid.range.end = range.end;
                laid.cells.push((range, Sort::Key));
            }
            heads = Some(laid);
            self.sheet.text.push(' ');
            roles.push((cell.column, Role::Value));
        }
        let missing: Vec<&String> = keyed.collect();
        if let Some(key) = missing.first() {
            let end = self.sheet.text.len();
            let fault = self.fault(end..end, format!("no column is headed `{key}`"));
            self.faults.push(fault.help("the first columns are headed as `down` names the keys"));
        } else if heads.is_none() {
            let end = self.sheet.text.len();
            let fault = self.fault(end..end, "no column is headed by a value");
            self.faults.push(fault.help("behind the keys stand the heads of the columns"));
        }
        self.sheet.head = heads;
        roles
    }

    fn key_heading(&mut self, cell: &Cell, key: &str) {
        let text = shown(cell);
        let range = self.cell(cell.column, &text);
        if text != key {
            let message = format!("the heading `{text}` is not the key `{key}` that `down` names");
            let fault = self.fault(range.clone(), message);
            self.faults.push(fault.help(format!("write `{key}`")));
        }
    }

    fn list_head(&mut self, head: &[Cell], table: &Table) -> Vec<(u32, Role)> {
        let results: Vec<&str> = table.results.iter().map(|r| r.name.text.as_str()).collect();
        let known = [
            ("row", Role::Name),
            ("per", Role::Per),
            ("beyond", Role::Beyond),
            ("when", Role::When),
            (CLAUSES, Role::Clauses),
        ];
        let mut roles: Vec<(u32, Role)> = Vec::new();
        let mut found: Vec<String> = Vec::new();
        self.line(head.first().map_or(1, |cell| cell.row));
        self.sheet.text.push_str("# ");
        for cell in head {
            let text = shown(cell);
            if text.starts_with('#') {
                roles.push((cell.column, Role::Notes));
                continue;
            }
            let range = self.cell(cell.column, &text);
            self.sheet.text.push_str(" | ");
            let role = known.iter().find(|(name, _)| *name == text).map(|(_, role)| *role);
            let role = role.or_else(|| results.contains(&text.as_str()).then_some(Role::Value));
            if found.contains(&text) {
                let fault = self.fault(range.clone(), format!("two columns are headed `{text}`"));
                self.faults.push(fault.help("keep one of the two"));
            }
            found.push(text.clone());
            match role {
                Some(role) => roles.push((cell.column, role)),
                None => {
                    let names = known.iter().map(|(name, _)| *name).chain(results.iter().copied());
                    let fault =
                        self.fault(range, format!("the heading `{text}` is none of this table"));
                    let near = suggest::closest(&text, names.clone());
                    let all: Vec<String> = names.map(|n| format!("`{n}`")).collect();
                    self.faults.push(match near {
                        Some(near) => fault.help(format!("write `{near}`")),
                        None => fault.help(format!(
                            "headings are {}; one for readers begins with `#`",
                            all.join(", ")
                        )),
                    });
                }
            }
        }
        let order: Vec<&String> = found.iter().filter(|f| results.contains(&f.as_str())).collect();
        if order != results {
            let end = self.sheet.text.len();
            let names: Vec<String> = results.iter().map(|n| format!("`{n}`")).collect();
            let fault = self.fault(end..end, "the results have no columns in their order");
            self.faults.push(fault.help(format!("head them {}", names.join(", "))));
        }
        roles
    }

    fn row(&mut self, row: &[Cell], roles: &[(u32, Role)], grid: bool) {
        let Some(number) = row.first().map(|cell| cell.row) else { return };
        self.line(number);
        let stray: Vec<&Cell> =
            row.iter().filter(|c| !roles.iter().any(|(column, _)| *column == c.column)).collect();
        let start = self.sheet.text.len();
        let mut laid = Laid { range: start..start, cells: Vec::new() };
        let before = self.faults.len();
        if grid {
            self.grid_row(row, roles, &mut laid);
        } else {
            self.list_row(row, roles, &mut laid);
        }
        laid.range.end = self.sheet.text.len();
        for cell in stray {
            self.sheet.text.push_str("  ");
            let range = self.cell(cell.column, &shown(cell));
            let fault = self.fault(range, "the cell stands under no heading");
            self.faults
                .push(fault.help("head its column, or with `# notes` if it is for readers alone"));
        }
        if self.faults.len() == before {
            self.sheet.rows.push(laid);
        }
    }

    fn grid_row(&mut self, row: &[Cell], roles: &[(u32, Role)], laid: &mut Laid) {
        self.sheet.text.push_str("row ");
        let mut first = true;
        for (column, role) in roles {
            let (sign, sort) = match role {
                Role::Key if first => ("", Sort::Key),
                Role::Key => (", ", Sort::Key),
                Role::Value => (" | ", Sort::Amount),
                _ => continue,
            };
            first = false;
            self.sheet.text.push_str(sign);
            self.part(row, *column, sort, laid);
        }
        self.cites(row, roles, laid);
    }

    fn list_row(&mut self, row: &[Cell], roles: &[(u32, Role)], laid: &mut Laid) {
        let column = |wanted: Role| roles.iter().find(|(_, role)| *role == wanted).map(|(c, _)| *c);
        let full = |wanted: Role| column(wanted).filter(|c| find(row, *c).is_some());
        let (per, when) = (full(Role::Per), full(Role::When));
        let last =
            when.and_then(|c| find(row, c)).filter(|c| c.value.shown().trim() == "otherwise");
        let mut parts: Vec<(&str, u32, Sort)> = Vec::new();
        let parts_of = [
            ("row ", full(Role::Name), Sort::Name),
            ("per ", per, Sort::Amount),
            ("beyond ", full(Role::Beyond), Sort::Number),
            ("when ", when.filter(|_| last.is_none()), Sort::Truth),
        ];
        parts.extend(parts_of.into_iter().filter_map(|(word, c, sort)| Some((word, c?, sort))));
        for (word, column, sort) in &parts {
            self.sheet.text.push_str(word);
            self.part(row, *column, *sort, laid);
            self.sheet.text.push(' ');
        }
        if let Some(cell) = last {
            let range = self.cell(cell.column, "otherwise");
            self.sheet.text.push(' ');
            if !parts.is_empty() {
                let fault =
                    self.fault(range, "a row with `otherwise` has neither a name nor an amount");
                self.faults
                    .push(fault.help("leave the other cells of the row empty, but its results"));
            }
        } else {
            if per.is_none() && when.is_none() {
                let at = column(Role::When).or(column(Role::Per)).unwrap_or(1);
                let range = self.cell(at, "");
                let fault = self.fault(range, "the row does not say when it holds");
                self.faults
                    .push(fault.help("write a condition below `when`, `always`, or `otherwise`"));
            }
            self.sheet.text.push_str("then ");
        }
        let values = roles.iter().filter(|(_, role)| *role == Role::Value);
        for (at, (column, _)) in values.enumerate() {
            self.sheet.text.push_str(if at == 0 { "" } else { ", " });
            self.part(row, *column, Sort::Amount, laid);
        }
        self.cites(row, roles, laid);
    }

    /// A cell that a row needs.
    fn part(&mut self, row: &[Cell], column: u32, sort: Sort, laid: &mut Laid) {
        let Some(cell) = find(row, column) else {
            let range = self.cell(column, "");
            let fault =
                Diagnostic::error(code::E0016, Span::of(self.id, range), "the cell is empty");
            self.faults.push(fault.help(match sort {
                Sort::Key => "write `any` where every value is meant",
                _ => "write what the row gives; `barred` if that is nothing",
            }));
            return;
        };
        if let Some(range) = self.said(cell) {
            laid.cells.push((range, sort));
        }
    }

    fn cites(&mut self, row: &[Cell], roles: &[(u32, Role)], laid: &mut Laid) {
        let column = roles.iter().find(|(_, role)| *role == Role::Clauses).map(|(c, _)| *c);
        let Some(cell) = column.and_then(|column| find(row, column)) else { return };
        let text = shown(cell);
        let bare = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(&text);
        self.sheet.text.push(' ');
        let range = self.cell(cell.column, &format!("[{bare}]"));
        laid.cells.push((range, Sort::Cites));
    }
}

fn find(row: &[Cell], column: u32) -> Option<&Cell> {
    row.iter().find(|cell| cell.column == column)
}

/// What to write in place of what the language has no word for.
fn instead(what: &str) -> &'static str {
    match what {
        "is a date" => {
            "format the cell as text and write it anew; `1/2` becomes a date where the cell is no text"
        }
        "is a truth of the spreadsheet program" => {
            "format the cell as text and write `yes` or `no`"
        }
        "is a number with too many digits" => {
            "write a fraction such as `1/3`, in a cell that is text"
        }
        "is text of several lines" => "write it on one line",
        "is a formula whose value was not saved" => {
            "open the file in a spreadsheet program and save it there"
        }
        _ => "write a value or an expression of the language",
    }
}
