//! `sutler check`: every fault of one or more rulesets.

use super::open::{diag_format, hashes};
use super::{End, Format, Paths, message, print_and, stdout_style};
use crate::diag::{self, Diagnostic, has_errors};
use crate::project::Project;
use crate::source::SourceMap;

pub(super) fn run(args: &Paths) -> End {
    let mut all: Vec<(Vec<Diagnostic>, SourceMap)> = Vec::new();
    let mut rulesets = Vec::new();
    let mut end = End::Clean;
    for path in &args.paths {
        let project = Project::open(path);
        let mut faults = project.faults.clone();
        for loaded in &project.rulesets {
            faults.extend(loaded.faults.iter().cloned());
            if args.format == Format::Full && loaded.faults.is_empty() && loaded.rules.is_some() {
                message(&format!("{}: nothing to report\n", loaded.name));
            }
        }
        if !project.faults.is_empty() {
            end = End::Trouble;
        } else if has_errors(&faults) && !matches!(end, End::Trouble) {
            end = End::Findings;
        }
        rulesets.extend(hashes(&project).into_iter().map(|r| (r.ruleset, r.hash)));
        all.push((faults, project.sources));
    }
    print_and(&text(&all, &rulesets, args.format), end)
}

/// What was found in all the paths; for programs one document, however many there are.
fn text(all: &[(Vec<Diagnostic>, SourceMap)], rulesets: &[(String, String)], format: Format) -> String {
    if format == Format::Json {
        let all: Vec<(&[Diagnostic], &SourceMap)> = all.iter().map(|(faults, sources)| (faults.as_slice(), sources)).collect();
        return diag::json::json_of_all(&all, rulesets);
    }
    all.iter()
        .filter(|(faults, _)| !faults.is_empty())
        .map(|(faults, sources)| diag::render(faults, sources, diag_format(format), stdout_style()))
        .collect()
}
