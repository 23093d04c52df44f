//! What the cases of rulesets come to, and whether it is the same twice.

use crate::diag::{Diagnostic, Severity, code, counted};
use crate::project::{Loaded, Project};
use crate::suite::{Outcome, mistakes, run_case, run_mistake};

/// What one case came to.
#[derive(PartialEq)]
struct Result {
    ruleset: String,
    title: String,
    /// What did not come out as expected, in words.
    failures: Vec<String>,
}

/// How many cases came out the same; E1069 if anything did not.
#[expect(
    clippy::result_large_err,
    reason = "a migration is refused once, and the fault is printed as it is"
)]
pub(super) fn compare(before: &Project, after: &Project) -> std::result::Result<usize, Diagnostic> {
    if let Some(fault) = first_error(before) {
        return Err(refused(format!("the rules have errors already, the first is {}: {}", fault.code, fault.message))
            .help("`sutler check` names them; mend them first, so that there is something to compare with"));
    }
    if let Some(fault) = first_error(after) {
        return Err(refused(format!(
            "the new text has an error, {}: {}",
            fault.code, fault.message
        )));
    }
    let (old, new) = (results(before), results(after));
    if let Some((old, new)) = old.iter().zip(&new).find(|(a, b)| a != b) {
        let came = |r: &Result| {
            r.failures.first().map_or_else(|| "passed".to_owned(), |f| format!("failed: {f}"))
        };
        return Err(refused(format!(
            "the case \"{}\" of {} came out otherwise: before it {}, now it {}",
            old.title,
            old.ruleset,
            came(old),
            came(new)
        )));
    }
    if old.len() != new.len() {
        return Err(refused(format!(
            "{} before, and {} now",
            counted(old.len(), "case"),
            new.len()
        )));
    }
    Ok(old.len())
}

fn refused(message: String) -> Diagnostic {
    Diagnostic::bare(code::E1069, message).help("nothing was written")
}

fn first_error(project: &Project) -> Option<&Diagnostic> {
    let all = project.faults.iter().chain(project.rulesets.iter().flat_map(|r| &r.faults));
    all.into_iter().find(|f| f.severity == Severity::Error)
}

fn results(project: &Project) -> Vec<Result> {
    project.rulesets.iter().flat_map(|loaded| of_ruleset(project, loaded)).collect()
}

fn of_ruleset(project: &Project, loaded: &Loaded) -> Vec<Result> {
    let sources = &project.sources;
    let cases = loaded.rules.iter().flat_map(|rules| {
        rules.cases.iter().map(|case| run_case(rules, case, |span| sources.slice(span)))
    });
    let mistakes =
        mistakes(loaded.resolved()).map(|mistake| run_mistake(loaded.resolved(), mistake, sources));
    let result = |outcome: Outcome| Result {
        ruleset: loaded.name.clone(),
        title: outcome.title,
        failures: outcome.failures.into_iter().map(|f| f.message).collect(),
    };
    cases.chain(mistakes).map(result).collect()
}
