//! `sutler check`: every fault of one or more rulesets.

use std::path::PathBuf;

use clap::ValueEnum;

use super::family::own_faults;
use super::fix::changes;
use super::open::hashes;
use super::placed::{self, Placed};
use super::rewrite::rewrite;
use super::{End, PlacedFormat, json, message, print_and, stdout_style};
use crate::diag::{self, Diagnostic, Severity};
use crate::output::{Rewrite, put_back};
use crate::project::Project;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Ruleset folders, files of a ruleset, or folders of rulesets
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Ends with exit code 1 if there is any of these
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Writes the fixes that are sure into the files; shows each change first
    #[arg(long, conflicts_with_all = ["format", "deny"])]
    fix: bool,
    /// With `--fix`: shows the changes and writes nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
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

/// What was opened by one path, with its faults.
struct Checked {
    path: String,
    project: Project,
    faults: Vec<Diagnostic>,
}

pub(super) fn run(args: &Args) -> End {
    let all: Vec<Checked> = args.paths.iter().map(|path| checked(path)).collect();
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
        let noun = if warnings == 1 { "warning" } else { "warnings" };
        message(&format!("{warnings} {noun}, and warnings are denied\n"));
        end = End::Findings;
    }
    print_and(&text(&all, args.format), end)
}

fn checked(path: &std::path::Path) -> Checked {
    let project = Project::open(path);
    let mut faults = project.faults.clone();
    faults.extend(own_faults(&project).into_iter().flatten().cloned());
    Checked { path: path.display().to_string(), project, faults }
}

/// Writes what the faults are sure of, path by path. Where that brings a fault instead, what was
/// written is put back.
fn fix(args: &Args, all: &[Checked]) -> End {
    let (mut shown, mut fixed, mut found) = (String::new(), 0, 0);
    let mut end = End::Clean;
    for (path, checked) in args.paths.iter().zip(all) {
        let changes = match changes(&checked.project.sources, &checked.faults) {
            Ok(changes) => changes,
            Err(end) => return end,
        };
        found += checked.faults.len();
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
    shown.push_str(&format!("{fixed} of {found} findings {done}\n"));
    print_and(&shown, end)
}

fn write(path: &std::path::Path, before: &Checked, rewrites: &[Rewrite]) -> Result<(), End> {
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
