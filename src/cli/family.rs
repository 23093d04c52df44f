//! Rulesets and what builds on them: who belongs together, and whose faults are reported with whom.

use std::path::Path;

use super::{End, message};
use crate::diag::{Diagnostic, Severity};
use crate::project::{Loaded, Project};

pub(super) use crate::project::{base, family, own_faults};

/// The one ruleset of a path with its variants; a path with several that do not build on each other
/// is a wrong call.
pub(super) fn one_family(path: &Path, project: &Project) -> Result<Vec<usize>, End> {
    let all = 0..project.rulesets.len();
    let heads: Vec<usize> = all.filter(|at| base(project, *at).is_none()).collect();
    match heads.as_slice() {
        [] => Err(End::Findings),
        [one] => Ok(family(project, *one)),
        several => {
            let name = |at: &usize| project.rulesets.get(*at).map_or_else(String::new, place);
            let names: Vec<String> = several.iter().map(name).collect();
            message(&format!(
                "error: `{}` holds {} rulesets, and one is asked for\n  help: name one of them: {}\n",
                path.display(),
                names.len(),
                names.join(", ")
            ));
            Err(End::Trouble)
        }
    }
}

/// How a call names a ruleset.
fn place(loaded: &Loaded) -> String {
    format!("`{}`", loaded.file.as_ref().unwrap_or(&loaded.folder).display())
}

/// The same without warnings.
pub(super) fn own_errors(project: &Project) -> Vec<Vec<&Diagnostic>> {
    let mut all = own_faults(project);
    all.iter_mut().for_each(|faults| faults.retain(|f| f.severity == Severity::Error));
    all
}
