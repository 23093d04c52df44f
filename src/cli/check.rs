//! `sutler check`: every fault of one or more rulesets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::baseline::Baseline;
use super::family::own_faults;
use super::fix::changes;
use super::open::{hashes, with_near};
use super::placed::{self, Placed};
use super::rewrite::rewrite;
use super::{End, PlacedFormat, json, message, print_and, stdout_style};
use crate::diag::{self, Applicability, Diagnostic, Severity, counted};
use crate::output::{Rewrite, put_back};
use crate::project::Project;
use crate::source::{MAX_BYTES, read_from};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Ruleset folders, files of a ruleset, or folders of rulesets; `-` is one file, on standard
    /// input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Ends with exit code 1 if there is any of these
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Writes the fixes that are sure into the files; shows each change first
    #[arg(long, conflicts_with_all = ["format", "deny", "baseline", "write_baseline"])]
    fix: bool,
    /// With `--fix`: shows the changes and writes nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// Holds back the warnings that this file knows
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Writes the warnings of today into a file for `--baseline`
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: PlacedFormat,
}

/// What `check` may be told not to let pass.
#[derive(Clone, Copy, ValueEnum)]
enum Deny {
    /// warnings
    Warnings,
}

/// What a file on standard input is called.
const PIPED: &str = "stdin.sut";

/// What was opened by one path, with its faults.
struct Checked {
    path: String,
    project: Project,
    faults: Vec<Diagnostic>,
}

pub(super) fn run(args: &Args) -> End {
    let mut all: Vec<Checked> = Vec::new();
    for path in &args.paths {
        match if path.as_os_str() == "-" { piped() } else { Ok(checked(path)) } {
            Ok(checked) => all.push(checked),
            Err(end) => return end,
        }
    }
    if let Err(end) = held_back(args, &mut all) {
        return end;
    }
    if args.fix {
        return fix(args, &all);
    }
    if matches!(args.format, PlacedFormat::Full | PlacedFormat::Github) {
        all.iter().for_each(clean);
    }
    let count = |severity: Severity| {
        all.iter().flat_map(|c| &c.faults).filter(|f| f.severity == severity).count()
    };
    let warnings = count(Severity::Warning);
    let mut end = End::Clean;
    if all.iter().any(|c| !c.project.faults.is_empty()) {
        end = End::Trouble;
    } else if count(Severity::Error) > 0 {
        end = End::Findings;
    } else if args.deny.is_some() && warnings > 0 {
        let warnings = counted(warnings, "warning");
        message(&format!("{warnings}, and warnings are denied\n"));
        end = End::Findings;
    }
    print_and(&text(&all, args.format), end)
}

/// One file on standard input, as if it were a ruleset of its own.
fn piped() -> Result<Checked, End> {
    let bytes = read_from(std::io::stdin().lock(), MAX_BYTES).map_err(|error| {
        message(&format!("error: standard input cannot be read: {error}\n"));
        End::Trouble
    })?;
    let path = PathBuf::from(PIPED);
    Ok(of_project(&path, Project::of_texts(BTreeMap::from([(path.clone(), bytes)]), &path)))
}

/// Takes out what the baseline knows, or writes it.
fn held_back(args: &Args, all: &mut [Checked]) -> Result<(), End> {
    if let Some(file) = &args.write_baseline {
        let mut known = Baseline::default();
        for checked in &*all {
            known.add(&checked.faults, &checked.project.sources, Path::new(&checked.path));
        }
        return known.write(file);
    }
    let Some(file) = &args.baseline else { return Ok(()) };
    let mut known = Baseline::read(file)?;
    let mut held = 0;
    for checked in all {
        let faults = std::mem::take(&mut checked.faults);
        let before = faults.len();
        let (path, sources) = (Path::new(&checked.path), &checked.project.sources);
        checked.faults = known.without(faults, sources, path);
        held += before - checked.faults.len();
    }
    known.tell(held, file);
    Ok(())
}

fn checked(path: &Path) -> Checked {
    of_project(path, Project::open(path))
}

fn of_project(path: &Path, project: Project) -> Checked {
    let mut faults: Vec<Diagnostic> = project.faults.iter().map(with_near).collect();
    faults.extend(own_faults(&project).into_iter().flatten().cloned());
    Checked { path: path.display().to_string(), project, faults }
}

/// Writes what the faults are sure of, path by path. Where that brings a fault instead, what was
/// written is put back.
fn fix(args: &Args, all: &[Checked]) -> End {
    let (mut shown, mut fixed, mut found, mut guesses) = (String::new(), 0, 0, 0);
    let is_guess =
        |f: &&Diagnostic| f.suggestion.as_ref().is_some_and(|s| s.applies != Applicability::Always);
    let mut end = End::Clean;
    for (path, checked) in args.paths.iter().zip(all) {
        let changes = match changes(&checked.project.sources, &checked.faults) {
            Ok(changes) => changes,
            Err(end) => return end,
        };
        found += checked.faults.len();
        guesses += checked.faults.iter().filter(is_guess).count();
        fixed += changes.count;
        shown.push_str(&changes.shown);
        if !args.dry_run
            && let Err(end) = write(path, checked, &changes.rewrites)
        {
            return end;
        }
        if changes.count < checked.faults.len() {
            end = End::Findings;
        }
    }
    let done = if args.dry_run { "would be fixed" } else { "fixed" };
    shown.push_str(&format!("{fixed} of {} {done}", counted(found, "finding")));
    if guesses > 0 {
        shown.push_str(&format!("; {} to look at in `sutler check`", counted(guesses, "guess")));
    }
    shown.push('\n');
    print_and(&shown, end)
}

fn write(path: &Path, before: &Checked, rewrites: &[Rewrite]) -> Result<(), End> {
    let errors = |c: &Checked| c.faults.iter().filter(|f| f.severity == Severity::Error).count();
    if rewrites.is_empty() {
        return Ok(());
    }
    rewrite(rewrites)?;
    if errors(&checked(path)) < errors(before).max(1) {
        return Ok(());
    }
    put_back(rewrites);
    message(
        "error: the fixes bring other errors, so nothing was changed\n  help: fix the findings by hand\n",
    );
    Err(End::Trouble)
}

/// Says which rulesets have nothing to report.
fn clean(checked: &Checked) {
    for loaded in &checked.project.rulesets {
        if loaded.faults.is_empty() && loaded.rules.is_some() {
            message(&format!("{}: nothing to report\n", loaded.name));
        }
    }
}

/// What was found in all the paths; for programs one document, however many there are.
fn text(all: &[Checked], format: PlacedFormat) -> String {
    let rendered = |how: diag::Format| {
        let found = all.iter().filter(|c| !c.faults.is_empty());
        found.map(|c| diag::render(&c.faults, &c.project.sources, how, stdout_style())).collect()
    };
    let placed: Vec<Placed<'_>> = all
        .iter()
        .flat_map(|c| {
            c.faults.iter().map(|found| Placed {
                found,
                sources: &c.project.sources,
                path: &c.path,
            })
        })
        .collect();
    match format {
        PlacedFormat::Full => rendered(diag::Format::Full),
        PlacedFormat::Concise => rendered(diag::Format::Concise),
        PlacedFormat::Github => placed.iter().map(Placed::github).collect(),
        PlacedFormat::Sarif => json(&placed::log(&placed)),
        PlacedFormat::Json => {
            let faults: Vec<_> =
                all.iter().map(|c| (c.faults.as_slice(), &c.project.sources)).collect();
            let hashed = all.iter().flat_map(|c| hashes(&c.project)).map(|r| (r.ruleset, r.hash));
            diag::json::json_of_all(&faults, &hashed.collect::<Vec<_>>())
        }
    }
}
