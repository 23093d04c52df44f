//! `sutler lint`: what a check does not forbid, and an author may not mean.

use std::path::PathBuf;

use super::baseline::Baseline;
use super::family::{base, family};
use super::fix::{Changes, changes};
use super::open::{hashes, open};
use super::placed::{self, Placed};
use super::rewrite::rewrite;
use super::{End, PlacedFormat, json, message, print_and, stdout_style};
use crate::diag::{self, Diagnostic, Severity, counted};
use crate::lint::lint;
use crate::mutate::Given;
use crate::output::{Rewrite, put_back};
use crate::project::Project;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, variants included, or the file of a variant
    ruleset: PathBuf,
    /// Writes what the findings are sure of into the files; shows each change first
    #[arg(long)]
    fix: bool,
    /// With `--fix`: shows the changes and writes nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// Holds back the findings that this file knows
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Writes the findings of today into a file for `--baseline`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "fix"])]
    write_baseline: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: PlacedFormat,
}

pub(super) fn run(args: &Args) -> End {
    let project = match open(&args.ruleset) {
        Ok(project) => project,
        Err(end) => return end,
    };
    let mut found = findings(&project);
    if let Some(file) = &args.write_baseline {
        let mut known = Baseline::default();
        known.add(&found, &project.sources, &args.ruleset);
        return known.write(file).err().unwrap_or(End::Clean);
    }
    if let Some(file) = &args.baseline {
        let mut known = match Baseline::read(file) {
            Ok(known) => known,
            Err(end) => return end,
        };
        let before = found.len();
        found = known.without(found, &project.sources, &args.ruleset);
        known.tell(before - found.len(), file);
    }
    if args.fix {
        return fix(args, &project, &found);
    }
    let sources = &project.sources;
    let placed: Vec<Placed<'_>> =
        found.iter().map(|found| Placed { found, sources, path: "" }).collect();
    let text = match args.format {
        PlacedFormat::Full => diag::render(&found, sources, diag::Format::Full, stdout_style()),
        PlacedFormat::Concise => {
            diag::render(&found, sources, diag::Format::Concise, stdout_style())
        }
        PlacedFormat::Json => {
            let rulesets: Vec<(String, String)> =
                hashes(&project).into_iter().map(|r| (r.ruleset, r.hash)).collect();
            diag::json::json_of_all(&[(&found, sources)], &rulesets)
        }
        PlacedFormat::Sarif => json(&placed::log(&placed)),
        PlacedFormat::Github => placed.iter().map(Placed::github).collect(),
    };
    if found.is_empty() && args.format == PlacedFormat::Full {
        message(&format!(
            "{}: nothing to report\n",
            project.rulesets.first().map_or("", |r| r.name.as_str())
        ));
    }
    print_and(&text, if found.is_empty() { End::Clean } else { End::Findings })
}

/// Each ruleset of the project with what its variants use of it.
fn findings(project: &Project) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, loaded) in project.rulesets.iter().enumerate() {
        let all: Vec<Given<'_>> =
            family(project, at).into_iter().filter_map(|at| given(project, at)).collect();
        // A call that names the file of a variant has not opened its parent.
        let apart = match (base(project, at), &loaded.extends) {
            (None, Some(path)) => Some(Project::open(path)),
            _ => None,
        };
        let parent = match &apart {
            Some(apart) => given(apart, 0),
            None => base(project, at).and_then(|base| given(project, base)),
        };
        let noted: Vec<Diagnostic> =
            loaded.faults.iter().filter(|f| f.severity == Severity::Warning).cloned().collect();
        found.extend(lint(&all, parent.as_ref(), &noted));
    }
    found
}

fn given(project: &Project, at: usize) -> Option<Given<'_>> {
    let loaded = project.rulesets.get(at)?;
    Some(Given {
        resolved: loaded.resolved(),
        rules: loaded.rules.as_ref()?,
        sources: &project.sources,
    })
}

/// Writes what the findings are sure of. Where the rules would say something else afterwards, all
/// is put back.
fn fix(args: &Args, project: &Project, found: &[Diagnostic]) -> End {
    let Changes { mut shown, rewrites, count } = match changes(&project.sources, found) {
        Ok(changes) => changes,
        Err(end) => return end,
    };
    shown.push_str(&format!(
        "{count} of {} {}\n",
        counted(found.len(), "finding"),
        if args.dry_run { "would be mended" } else { "mended" }
    ));
    if !args.dry_run
        && let Err(end) = write(args, project, &rewrites)
    {
        return end;
    }
    print_and(&shown, if count < found.len() { End::Findings } else { End::Clean })
}

fn write(args: &Args, project: &Project, rewrites: &[Rewrite]) -> Result<(), End> {
    let hash = |p: &Project| {
        p.rulesets.iter().map(|r| r.rules.as_ref().map(|r| r.hash.clone())).collect::<Vec<_>>()
    };
    rewrite(rewrites)?;
    if hash(&Project::open(&args.ruleset)) == hash(project) {
        return Ok(());
    }
    put_back(rewrites);
    message(
        "error: the rules would say something else, so nothing was changed\n  help: mend the findings by hand\n",
    );
    Err(End::Trouble)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::cli::rewrite::testing;

    #[test]
    fn a_file_that_has_changed_since_it_was_read_is_not_fixed() {
        let read = |path: &PathBuf| {
            let project = Project::open(path);
            let found = findings(&project);
            (path.clone(), project, found)
        };
        testing::refuses_what_has_changed(read, |(ruleset, project, found)| {
            let format = PlacedFormat::Full;
            let (baseline, write_baseline) = (None, None);
            let args =
                Args { ruleset, fix: true, dry_run: false, baseline, write_baseline, format };
            match fix(&args, &project, &found) {
                End::Trouble => Err(End::Trouble),
                End::Clean | End::Findings => Ok(()),
            }
        });
    }
}
