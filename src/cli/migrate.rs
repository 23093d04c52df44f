//! `sutler migrate`: files of an older edition rewritten, if their cases come out as before.

use std::path::PathBuf;

use super::{End, print_and, stderr_style, told};
use crate::diag::{self, counted};
use crate::migrate::{Change, Plan, STEPS, plan};
use crate::output::Rewrite;
use crate::syntax::EDITION;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Ruleset folders, or folders of rulesets
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Writes nothing, and says what would be written
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args) -> End {
    let mut plans = Vec::new();
    for path in &args.paths {
        match plan(path, STEPS) {
            Ok(plan) => plans.push((path, plan)),
            Err(refusal) => {
                told(&diag::render(
                    &refusal.faults,
                    &refusal.sources,
                    diag::Format::Full,
                    stderr_style(),
                ));
                // What cannot be read is a wrong call, and no finding.
                let unread = refusal.faults.iter().any(|f| f.code == diag::code::E0006);
                return if unread { End::Trouble } else { End::Findings };
            }
        }
    }
    let mut out = String::new();
    for (path, plan) in &plans {
        let name = diag::clean::line(&path.display().to_string());
        out.push_str(&match plan.changes.len() {
            0 => format!(
                "{name}: {} in edition {EDITION}, nothing is to be done\n",
                files(plan.files)
            ),
            some => format!(
                "{name}: {} of {} rewritten to edition {EDITION}, {} as before\n",
                some,
                files(plan.files),
                counted(plan.cases, "case")
            ),
        });
        for change in &plan.changes {
            out.push_str(&format!(
                "  {}: {}\n",
                diag::clean::line(&change.path.display().to_string()),
                change.steps.join(", ")
            ));
        }
        if !args.dry_run
            && let Err(end) = write(plan)
        {
            return end;
        }
    }
    print_and(&out, End::Clean)
}

/// Writes all files of a plan, or none.
fn write(plan: &Plan) -> Result<(), End> {
    let change = |c: &Change| Rewrite {
        path: c.path.clone(),
        old: c.old.clone(),
        new: c.new.clone().into_bytes(),
    };
    let files: Vec<Rewrite> = plan.changes.iter().map(change).collect();
    super::rewrite::rewrite(&files)
}

fn files(count: usize) -> String {
    counted(count, "file")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::cli::rewrite::testing;
    use crate::migrate::{Edit, Step};

    const SHORTER: Step = Step {
        from: 1,
        to: 1,
        title: "two spaces are one",
        edits: |text| {
            let at = text.find("expect   men").map(|at| at + "expect".len());
            at.map(|at| Edit { range: at..at + 2, new: String::new() }).into_iter().collect()
        },
    };

    #[test]
    fn a_file_that_has_changed_since_it_was_read_is_not_migrated() {
        let read = |path: &PathBuf| plan(path, &[SHORTER]).ok().unwrap();
        testing::refuses_what_has_changed(read, |plan| write(&plan));
    }
}
