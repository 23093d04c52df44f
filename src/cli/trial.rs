//! A case that is run as if it stood in a ruleset, and written nowhere.

use std::collections::BTreeMap;
use std::path::Path;

use crate::project::Project;
use crate::suite::{Outcome, run_case};
use crate::syntax::EDITION;

/// What a file of rules begins with.
pub(super) fn head() -> String {
    format!("edition {EDITION}\n")
}

/// What comes of a case of this title; nothing where the text does not check.
pub(super) fn tried(ruleset: &Path, text: &str, title: &str) -> Option<Outcome> {
    let own = std::fs::read_to_string(ruleset).map(|own| format!("{own}\n{text}"));
    let (file, text) = match own {
        // A case of a variant stands in the file of the variant.
        Ok(text) => (ruleset.to_path_buf(), text),
        Err(_) => (ruleset.join("suite_found.sut"), format!("{}{text}", head())),
    };
    let mut project = Project::open_with(ruleset, BTreeMap::from([(file, text.into_bytes())]));
    let has_it = |rules: &crate::ir::Ruleset| rules.cases.iter().any(|case| case.title == title);
    let mut all = std::mem::take(&mut project.rulesets).into_iter();
    let rules = all.find_map(|loaded| loaded.rules.filter(has_it))?;
    let case = rules.cases.iter().find(|case| case.title == title)?;
    Some(run_case(&rules, case, |span| project.sources.slice(span)))
}

/// Whether a case failed by one expectation, and by nothing that could not be worked out.
pub(super) fn failed_alone(outcome: &Outcome) -> bool {
    matches!(outcome.failures.as_slice(), [one] if one.fault.is_none())
}
