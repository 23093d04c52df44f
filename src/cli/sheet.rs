//! `sutler sheet`: tables, setups, maps and cases as sheets, and changed cells back in the text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::open::open;
use super::rewrite::{rewrite, unchanged};
use super::{End, message, print_and, stderr_style, told};
use crate::diag::{self, Diagnostic, Severity, code, counted};
use crate::format::unified;
use crate::output::{Rewrite, save};
use crate::pages::{Edit, Given, Make, Sheet, applied, carry, in_sheets, page, sheets};
use crate::project::{Loaded, Project};
use crate::sheet::{self, Form, Page};
use crate::source::{MAX_BYTES, SourceId, SourceMap, Span, read};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    way: Way,
}

#[derive(clap::Subcommand)]
enum Way {
    /// Writes tables, setups, maps and cases as a workbook, or as a folder of CSV files
    Out {
        /// A ruleset: its folder, or the file of a variant
        ruleset: PathBuf,
        /// The file, ending in `.xlsx` or `.ods`; else a folder, in which each sheet is a CSV file
        #[arg(long, value_name = "PATH")]
        out: PathBuf,
        /// Only sheets with this in their names; may be repeated
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
    },
    /// Carries changed cells of a workbook, or of a folder of CSV files, into the text of the rules
    In {
        /// A ruleset: its folder, or the file of a variant
        ruleset: PathBuf,
        /// What `sutler sheet out` wrote, and a spreadsheet program changed
        sheets: PathBuf,
        /// Writes nothing; prints the difference as a unified diff, and ends with 1 if there is any
        #[arg(long)]
        dry_run: bool,
    },
}

pub(super) fn run(args: &Args) -> End {
    let done = match &args.way {
        Way::Out { ruleset, out, only } => write(ruleset, out, only),
        Way::In { ruleset, sheets, dry_run } => take(ruleset, sheets, *dry_run),
    };
    done.unwrap_or_else(|end| end)
}

/// The ruleset of a path: a folder's own, or the variant whose file was named.
fn first(project: &Project) -> Result<&Loaded, End> {
    project.rulesets.first().ok_or(End::Findings)
}

fn write(ruleset: &Path, out: &Path, only: &[String]) -> Result<End, End> {
    let project = open(ruleset)?;
    let loaded = first(&project)?;
    let mut all = sheets(loaded, &project.sources);
    all.retain(|s| only.is_empty() || only.iter().any(|text| s.name.contains(text.as_str())));
    for (table, file) in in_sheets(loaded) {
        message(&format!("table `{table}` lives in `{file}`, and is changed there\n"));
    }
    if all.is_empty() {
        message(
            "error: there is nothing that a sheet could hold\n  help: tables, setups, maps and cases are written; `--only` names some of them\n",
        );
        return Err(End::Trouble);
    }
    let pages: Vec<Page> = all.iter().map(page).collect();
    let name = out.display().to_string();
    let form = Form::of(&name).filter(|form| *form != Form::Csv);
    let files = match form {
        Some(form) => vec![(out.to_path_buf(), made(&pages, form)?)],
        None => folder(out, &pages)?,
    };
    for (path, bytes) in &files {
        if crate::output::is_of_a_ruleset(path) {
            message(&format!("error: `{}` is a file of rules\n", path.display()));
            return Err(End::Trouble);
        }
        save(path, bytes).map_err(super::unwritten)?;
    }
    let names: String =
        all.iter().map(|s| format!("{}: {}\n", s.name, counted(s.rows.len(), "row"))).collect();
    Ok(print_and(&names, End::Clean))
}

fn made(pages: &[Page], form: Form) -> Result<Vec<u8>, End> {
    sheet::write(pages, form).map_err(|trouble| {
        message(&format!("error: the workbook {}\n  help: {}\n", trouble.what, trouble.help));
        End::Trouble
    })
}

/// A file of CSV for each page.
fn folder(out: &Path, pages: &[Page]) -> Result<Vec<(PathBuf, Vec<u8>)>, End> {
    if out.extension().is_some_and(|e| !e.is_empty()) && !out.is_dir() {
        message(&format!(
            "error: `{}` is neither a workbook nor a folder\n  help: end its name in `.xlsx` or `.ods`, or name a folder for CSV files\n",
            out.display()
        ));
        return Err(End::Trouble);
    }
    std::fs::create_dir_all(out).map_err(|error| {
        message(&format!("error: the folder `{}` cannot be made: {error}\n", out.display()));
        End::Trouble
    })?;
    let file = |page: &Page| {
        let bytes = made(std::slice::from_ref(page), Form::Csv)?;
        Ok((out.join(format!("{}.csv", page.name)), bytes))
    };
    pages.iter().map(file).collect()
}

/// The pages that were given, each with the name that readers know it by.
fn given(path: &Path) -> Result<Vec<(Page, String)>, End> {
    let shown = path.display().to_string();
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| unreadable(&shown, &error))?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        files.retain(|file| {
            file.is_file() && Form::of(&file.display().to_string()) == Some(Form::Csv)
        });
        files.sort();
        let one = |file: &PathBuf| {
            let name = file.display().to_string();
            let bytes = read(file, MAX_BYTES).map_err(|error| unreadable(&name, &error))?;
            let mut page = read_page(&bytes, Form::Csv, "", &name)?;
            page.name =
                file.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
            Ok((page, name))
        };
        return files.iter().map(one).collect();
    }
    let Some(form) = Form::of(&shown).filter(|form| *form != Form::Csv) else {
        message(&format!(
            "error: `{shown}` is neither a workbook nor a folder\n  help: name what `sutler sheet out` wrote: a file that ends in `.xlsx` or `.ods`, or a folder of CSV files\n"
        ));
        return Err(End::Trouble);
    };
    let bytes = read(path, MAX_BYTES).map_err(|error| unreadable(&shown, &error))?;
    if bytes.len() > MAX_BYTES {
        message(&format!("error: `{shown}` is larger than {} MiB\n", MAX_BYTES >> 20));
        return Err(End::Trouble);
    }
    let names = sheet::pages(&bytes, form).map_err(|trouble| troubled(&shown, &trouble))?;
    let one = |name: &String| {
        Ok((read_page(&bytes, form, name, &shown)?, format!("{shown}, sheet {name}")))
    };
    names.iter().map(one).collect()
}

fn read_page(bytes: &[u8], form: Form, name: &str, shown: &str) -> Result<Page, End> {
    sheet::page(bytes, form, name).map_err(|trouble| troubled(shown, &trouble))
}

fn troubled(name: &str, trouble: &sheet::Trouble) -> End {
    let fault = Diagnostic::bare(code::E0015, format!("`{name}` {}", trouble.what));
    told(&diag::render(
        &[fault.help(trouble.help.clone())],
        &SourceMap::new(),
        diag::Format::Full,
        stderr_style(),
    ));
    End::Trouble
}

fn unreadable(name: &str, error: &std::io::Error) -> End {
    message(&format!("error: `{name}` cannot be read: {error}\n"));
    End::Trouble
}

fn take(ruleset: &Path, path: &Path, dry: bool) -> Result<End, End> {
    let mut project = open(ruleset)?;
    let known = sheets(first(&project)?, &project.sources);
    let pages = given(path)?;
    let (mut edits, mut faults, mut wanted) = (Vec::new(), Vec::new(), Vec::new());
    for (page, name) in &pages {
        let Some(sheet) = known.iter().find(|s| s.name == page.name) else {
            message(&format!(
                "sheet `{}` is none of these rules, and was passed over\n",
                page.name
            ));
            continue;
        };
        let (given, unclean) = Given::of(page, name, sheet.item, &mut project.sources);
        faults.extend(unclean);
        let (more, refused) = carry(sheet, &given, &project.sources);
        edits.extend(more);
        faults.extend(refused);
        wanted.push((sheet, page));
    }
    if !faults.is_empty() {
        return Err(refuse(&mut faults, &project.sources));
    }
    let changed = changes(&project, &edits)?;
    sound(ruleset, &project, &changed, &wanted)?;
    finish(&changed, edits.len(), dry)
}

/// A file with its edits.
struct Changed {
    rewrite: Rewrite,
    /// Where each cell came to stand.
    places: Vec<(std::ops::Range<usize>, Span)>,
}

fn changes(project: &Project, edits: &[Edit]) -> Result<Vec<Changed>, End> {
    let mut files: Vec<SourceId> = edits.iter().map(|edit| edit.span.source).collect();
    files.sort_unstable();
    files.dedup();
    let one = |file: SourceId| {
        let old = unchanged(&project.sources, file)?;
        let (new, places) = applied(&old, file, edits);
        let path = PathBuf::from(project.sources.name(file));
        Ok(Changed { rewrite: Rewrite { path, old, new }, places })
    };
    files.into_iter().map(one).collect()
}

/// Checks the rules with the edits, and that they then show the pages that were given: no cell may
/// say more than a cell.
fn sound(
    ruleset: &Path,
    before: &Project,
    changed: &[Changed],
    wanted: &[(&Sheet, &Page)],
) -> Result<(), End> {
    let texts = changed.iter().map(|c| (c.rewrite.path.clone(), c.rewrite.new.clone()));
    let texts: BTreeMap<PathBuf, Vec<u8>> = texts.collect();
    let after = Project::open_with(ruleset, texts);
    let mut faults: Vec<Diagnostic> = Vec::new();
    for fault in
        after.rulesets.iter().flat_map(|r| &r.faults).filter(|f| f.severity == Severity::Error)
    {
        if !faults
            .iter()
            .any(|known| known.labels == fault.labels && known.message == fault.message)
        {
            faults.push(fault.clone());
        }
    }
    let cell_of = |span: Span| -> Option<Span> {
        let name = after.sources.name(span.source);
        let file = changed.iter().find(|c| c.rewrite.path.display().to_string() == name)?;
        let text = after.sources.text(span.source);
        let meets = |range: &std::ops::Range<usize>| {
            range.start <= span.end as usize && span.start as usize <= range.end
        };
        // What a cell says may show as a fault of the words behind it.
        let near = |range: &std::ops::Range<usize>| {
            let between = text.get(range.end.min(span.start as usize)..span.start as usize);
            between.is_some_and(|text| !text.contains('\n'))
        };
        let cell = |holds: &dyn Fn(&std::ops::Range<usize>) -> bool| {
            file.places.iter().find(|(range, _)| holds(range)).map(|(_, cell)| *cell)
        };
        cell(&meets).or_else(|| cell(&near))
    };
    let mut in_cells: Vec<Diagnostic> = Vec::new();
    let mut others: Vec<Diagnostic> = Vec::new();
    for fault in faults {
        match fault.primary().and_then(cell_of) {
            Some(cell) => {
                let mut told = Diagnostic::error(fault.code, cell, fault.message.clone());
                told.help = fault.advice(&after.sources);
                in_cells.push(told);
            }
            None => others.push(fault),
        }
    }
    if !others.is_empty() {
        diag::sort(&mut others);
        told(&diag::render(&others, &after.sources, diag::Format::Full, stderr_style()));
    }
    if !in_cells.is_empty() {
        return Err(refuse(&mut in_cells, &before.sources));
    }
    if !others.is_empty() {
        message("nothing was changed\n");
        return Err(End::Findings);
    }
    let shown =
        after.rulesets.first().map(|loaded| sheets(loaded, &after.sources)).unwrap_or_default();
    for (sheet, given) in wanted {
        let now = shown.iter().find(|s| s.name == sheet.name).map(page).unwrap_or_default();
        if let Some((row, column)) = differs(&now, given, sheet) {
            let cell = format!("{}{row}", crate::source::letters(column));
            let fault = Diagnostic::bare(
                code::E0018,
                format!(
                    "sheet `{}`, cell {cell}: its text says more than a cell, or another thing in its row",
                    sheet.name
                ),
            );
            told(&diag::render(
                &[fault.help("nothing was changed; make this change in the text")],
                &before.sources,
                diag::Format::Full,
                stderr_style(),
            ));
            return Err(End::Findings);
        }
    }
    Ok(())
}

/// The cells of a row: what each is known by, its column, and what it says.
type Shown = Vec<(String, u32, String)>;

/// The first cell that two pages say otherwise, empty rows and columns for readers apart. Columns of
/// facts are known by their headings, for one that says nothing any more is not written.
fn differs(now: &Page, given: &Page, sheet: &Sheet) -> Option<(u32, u32)> {
    let facts = matches!(sheet.make, Make::Put | Make::Space);
    let rows = |page: &Page| -> Vec<(u32, Shown)> {
        let first = page.cells.first().map_or(1, |c| c.row);
        let heading = |column: u32| {
            let mut head = page.cells.iter().filter(|c| c.row == first && c.column == column);
            head.next().map_or("", |c| c.value.shown())
        };
        let is_note =
            |c: &&sheet::Cell| !sheet.heads.is_empty() && heading(c.column).starts_with('#');
        let words = |c: &sheet::Cell| {
            let key = if facts { heading(c.column).to_owned() } else { c.column.to_string() };
            (key, c.column, c.value.said().unwrap_or_default())
        };
        let mut all: Vec<(u32, Shown)> = Vec::new();
        for row in page.cells.chunk_by(|a, b| a.row == b.row) {
            let kept = row.iter().filter(|c| !is_note(c)).map(words);
            let mut cells: Vec<_> = kept.filter(|(_, _, text)| !text.is_empty()).collect();
            cells.sort();
            let number = row.first().map_or(0, |c| c.row);
            let headings = facts && number == first;
            if !cells.is_empty() && !headings {
                all.push((number, cells));
            }
        }
        all
    };
    let said = |row: &(u32, Shown)| -> Vec<(String, String)> {
        row.1.iter().map(|(key, _, text)| (key.clone(), text.clone())).collect()
    };
    let (now, given) = (rows(now), rows(given));
    // A page whose rows are all taken out is not written any more.
    if now.is_empty() && !sheet.heads.is_empty() && given.len() <= 1 {
        return None;
    }
    for at in 0..now.len().max(given.len()) {
        let (a, b) = (now.get(at).map(said), given.get(at).map(said));
        if a == b {
            continue;
        }
        let row = given.get(at).or(now.get(at)).map_or(1, |r| r.0);
        let a = a.unwrap_or_default();
        let cells = given.get(at).map(|r| r.1.as_slice()).unwrap_or_default();
        let other =
            cells.iter().find(|(k, _, t)| !a.iter().any(|(key, text)| key == k && text == t));
        return Some((row, other.map_or(1, |(_, column, _)| *column)));
    }
    None
}

fn refuse(faults: &mut [Diagnostic], sources: &SourceMap) -> End {
    diag::sort(faults);
    told(&diag::render(faults, sources, diag::Format::Full, stderr_style()));
    message("nothing was changed\n");
    End::Findings
}

fn finish(changed: &[Changed], edits: usize, dry: bool) -> Result<End, End> {
    let different: Vec<&Changed> =
        changed.iter().filter(|c| c.rewrite.old != c.rewrite.new).collect();
    if dry {
        let mut out = String::new();
        for one in &different {
            let Rewrite { path, old, new } = &one.rewrite;
            let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
            out.push_str(&unified(&path.display().to_string(), &old, &new));
        }
        let end = if different.is_empty() { End::Clean } else { End::Findings };
        return Ok(print_and(&out, end));
    }
    let files: Vec<Rewrite> = different.iter().map(|c| c.rewrite.clone()).collect();
    rewrite(&files)?;
    let files = counted(files.len(), "file");
    message(&format!("{} in {files}\n", counted(edits, "change")));
    Ok(End::Clean)
}
