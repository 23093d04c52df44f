//! `sutler migrate`: files of an older edition rewritten, if their cases come out as before.

use std::path::PathBuf;

use super::{End, message, print_and, stderr_style, told};
use crate::diag;
use crate::migrate::{Plan, STEPS, plan};
use crate::project::on_a_deep_stack;
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
        match on_a_deep_stack(|| plan(path, STEPS)) {
            Ok(plan) => plans.push((path, plan)),
            Err(refusal) => {
                told(&diag::render(&refusal.faults, &refusal.sources, diag::Format::Full, stderr_style()));
                return End::Findings;
            }
        }
    }
    let mut out = String::new();
    for (path, plan) in &plans {
        let name = diag::clean::line(&path.display().to_string());
        out.push_str(&match plan.changes.len() {
            0 => format!("{name}: {} in edition {EDITION}, nothing is to be done\n", files(plan.files)),
            some => format!("{name}: {} of {} rewritten to edition {EDITION}, {} cases as before\n", some, files(plan.files), plan.cases),
        });
        for change in &plan.changes {
            out.push_str(&format!("  {}: {}\n", diag::clean::line(&change.path.display().to_string()), change.steps.join(", ")));
        }
        if !args.dry_run
            && let Err(end) = write(plan)
        {
            return end;
        }
    }
    print_and(&out, End::Clean)
}

/// Writes all files of a plan; if one cannot be written, those before it get their old bytes back.
fn write(plan: &Plan) -> Result<(), End> {
    for (at, change) in plan.changes.iter().enumerate() {
        if let Err(end) = super::save(&change.path, &change.new) {
            for written in plan.changes.iter().take(at) {
                if crate::output::save(&written.path, &written.old).is_err() {
                    message(&format!("`{}` could not be written back\n", written.path.display()));
                }
            }
            return Err(end);
        }
    }
    Ok(())
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
