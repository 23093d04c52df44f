//! `sutler check`: every fault of one or more rulesets.

use super::open::diag_format;
use super::{End, Format, Paths, message, print_and, stdout_style};
use crate::diag::{self, has_errors};
use crate::project::Project;

pub(super) fn run(args: &Paths) -> End {
    let mut out = String::new();
    let mut end = End::Clean;
    for path in &args.paths {
        let project = Project::open(path);
        let mut faults = project.faults.clone();
        for loaded in &project.rulesets {
            faults.extend(loaded.faults.iter().cloned());
            if args.format == Format::Full && loaded.faults.is_empty() {
                message(&format!("{}: nothing to report\n", loaded.name));
            }
        }
        if args.format == Format::Json || !faults.is_empty() {
            out.push_str(&diag::render(&faults, &project.sources, diag_format(args.format), stdout_style()));
        }
        if !project.faults.is_empty() {
            end = End::Trouble;
        } else if has_errors(&faults) && !matches!(end, End::Trouble) {
            end = End::Findings;
        }
    }
    print_and(&out, end)
}
