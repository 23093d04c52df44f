//! The sheets in which rows of tables live: read from the folder of their ruleset, and from nowhere
//! else.
//!
//! Takes a file as it was read; fills in it the tables that name a sheet. A name is refused by its
//! letters before any disk is asked, so that no rule can name a file elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::laid::lay;
use super::scripts::is_device;
use super::texts::Texts;
use crate::diag::{Diagnostic, code, has_errors, sort};
use crate::sheet::{Form, page};
use crate::source::{MAX_BYTES, Sheet, SourceMap, Span, read, screen};
use crate::syntax::ast::{self, Item, ItemKind, OverrideKind, RowsFrom, Table, TableBody};
use crate::syntax::sheet::{LaidSheet, fill};

/// Where the sheets of a file come from; nowhere, for a text that stands alone.
pub(super) type Folder<'a> = Option<(&'a Texts, &'a Path)>;

/// Fills the tables of a file whose rows live in sheets.
pub(super) fn attach(
    file: &mut ast::File,
    sources: &mut SourceMap,
    from: Folder<'_>,
) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    // The others stay shared with whoever has read the file before.
    let may = |i: &&mut Arc<Item>| match &i.kind {
        ItemKind::Table(table) => table.from.is_some(),
        kind => matches!(kind, ItemKind::Override(_)),
    };
    for item in file.items.iter_mut().filter(may) {
        let item = Arc::make_mut(item);
        let item = match &mut item.kind {
            ItemKind::Table(_) => item,
            ItemKind::Override(change) => match &mut change.kind {
                OverrideKind::Whole(new) => new.as_mut(),
                _ => continue,
            },
            _ => continue,
        };
        let ItemKind::Table(table) = &mut item.kind else { continue };
        let Some(line) = table.from.clone() else { continue };
        let found = match Asked::of(&line, &table.name.text, from) {
            Ok(asked) => asked.fill(table, sources, &mut file.sheets),
            Err(fault) => vec![*fault],
        };
        // What is missing in it now is no fault of its own.
        item.broken |= has_errors(&found);
        faults.extend(found);
    }
    faults
}

/// Fills the tables of a file from sheets in memory, by their names.
pub fn attach_sheets(
    file: &mut ast::File,
    sources: &mut SourceMap,
    sheets: BTreeMap<PathBuf, Vec<u8>>,
) -> Vec<Diagnostic> {
    attach(file, sources, Some((&Texts::in_memory(sheets), Path::new(""))))
}

/// A sheet that a table asks for.
struct Asked<'a> {
    span: Span,
    /// The file and its page, as readers are told.
    name: String,
    bytes: Vec<u8>,
    form: Form,
    page: String,
    /// The rows as text, where they are tried with a change.
    instead: Option<&'a [u8]>,
}

impl<'a> Asked<'a> {
    fn of(line: &RowsFrom, table: &str, from: Folder<'a>) -> Result<Asked<'a>, Box<Diagnostic>> {
        let file = &line.file.text;
        let refuse = |span: Span, message: String, help: &str| {
            Box::new(Diagnostic::error(code::E0015, span, message).help(help))
        };
        let form = Form::of(file).filter(|_| is_safe(file)).ok_or_else(|| {
            refuse(line.file.span, format!("`{file}` is no name of a sheet"),
                "name a file beside the rules that ends in `.csv`, `.xlsx` or `.ods`, in letters, digits, `_`, `-` and blanks")
        })?;
        if let (Form::Csv, Some(page)) = (form, &line.sheet) {
            let help = "leave `sheet` and its name out";
            return Err(refuse(page.span, format!("`{file}` has one page without a name"), help));
        }
        let Some((texts, folder)) = from else {
            let message = format!("`{file}` cannot be read: a text alone has no folder");
            return Err(refuse(line.span, message, "write the rows as text"));
        };
        let page = match form {
            Form::Csv => String::new(),
            _ => line.sheet.as_ref().map_or_else(|| table.to_owned(), |page| page.text.clone()),
        };
        let path = folder.join(file);
        let mut name = path.display().to_string();
        if form != Form::Csv {
            name = format!("{name}, sheet {page}");
        }
        let instead = texts.instead_of(&rows_of(&name));
        let bytes = texts.sheet(folder, file).map_err(|message| {
            refuse(line.file.span, message, "a sheet lies beside the file that names it")
        })?;
        if bytes.len() > MAX_BYTES {
            let message = format!("`{file}` is larger than {} MiB", MAX_BYTES >> 20);
            return Err(refuse(line.file.span, message, "split it into several files"));
        }
        Ok(Asked { span: line.span, name, bytes, form, page, instead })
    }

    fn fill(
        self,
        table: &mut Table,
        sources: &mut SourceMap,
        sheets: &mut Vec<crate::source::SourceId>,
    ) -> Vec<Diagnostic> {
        let id = sources.next_id();
        if let Some(text) = self.instead {
            let (text, mut faults) = screen(text, id);
            let laid = LaidSheet::of_text(text, matches!(table.body, TableBody::Grid(_)));
            faults.extend(fill(table, id, &laid));
            sources.add_sheet(self.name, laid.text, Sheet { asked: self.span, cells: Vec::new() });
            sheets.push(id);
            return faults;
        }
        let page = match page(&self.bytes, self.form, &self.page) {
            Ok(page) => page,
            Err(trouble) => {
                let file = table.from.as_ref().map_or("", |from| from.file.text.as_str());
                let message = format!("`{file}` {}", trouble.what);
                return vec![Diagnostic::error(code::E0015, self.span, message).help(trouble.help)];
            }
        };
        let mut lay = lay(&page, table, sources, id);
        let (text, unclean) = screen(lay.sheet.text.as_bytes(), id);
        lay.sheet.text = text;
        let mut faults = lay.faults;
        faults.extend(unclean);
        faults.extend(fill(table, id, &lay.sheet));
        faults.iter_mut().for_each(|fault| fault.suggestion = None);
        sources.add_sheet(self.name, lay.sheet.text, Sheet { asked: self.span, cells: lay.cells });
        sheets.push(id);
        sort(&mut faults);
        faults
    }
}

/// The path by which the rows of a sheet, as text, are given in place of those that it has.
#[must_use]
pub fn rows_of(name: &str) -> PathBuf {
    PathBuf::from(format!("{name}, rows"))
}

/// Letters, digits, `_`, `-` and blanks, then the end of a format: no folder, no parent, no drive,
/// no device.
fn is_safe(name: &str) -> bool {
    let Some((stem, _)) = name.rsplit_once('.') else { return false };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b' ');
    stem.len() <= 100
        && stem.bytes().all(plain)
        && stem.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !stem.ends_with(' ')
        && !is_device(stem)
}

/// The bytes of a sheet in a ruleset's folder, no more of them than a file may have and one.
pub(super) fn from_folder(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    let path = folder.join(name);
    let found = fs::symlink_metadata(&path)
        .map_err(|_| format!("there is no file `{name}` in the ruleset's folder"))?;
    if found.is_symlink() {
        return Err(format!("`{name}` is a link, and links are not followed"));
    }
    if !found.is_file() {
        return Err(format!("`{name}` is no plain file"));
    }
    read(&path, MAX_BYTES).map_err(|error| format!("`{name}` cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::{Form, is_safe};

    #[test]
    fn a_name_leads_nowhere_else() {
        let is_taken = |name: &str| Form::of(name).is_some() && is_safe(name);
        for name in ["tables.xlsx", "my chart-2.ods", "A.CSV", "console.csv"] {
            assert!(is_taken(name), "{name}");
        }
        let bad = [
            "",
            ".csv",
            "a",
            "a.txt",
            "../a.csv",
            "x/a.csv",
            "/a.csv",
            "..csv",
            "a.b.csv",
            "C:a.csv",
            "a\\b.csv",
            "nul.csv",
            "COM1.xlsx",
            "é.csv",
            " a.csv",
            "a .csv",
            "a.csv ",
            "a\0.csv",
            "~a.csv",
        ];
        for name in bad {
            assert!(!is_taken(name), "{name:?}");
        }
    }
}
