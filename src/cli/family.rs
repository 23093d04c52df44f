//! Rulesets and what builds on them: who belongs together, and whose faults are reported with whom.

use std::path::Path;

use super::{End, message};
use crate::diag::{Diagnostic, Severity};
use crate::project::{Loaded, Project};

/// What a ruleset builds on, if it was opened too.
fn base(project: &Project, at: usize) -> Option<usize> {
    let path = project.rulesets.get(at)?.extends.as_ref()?;
    let is_it = |r: &Loaded| match &r.file {
        Some(file) => file == path,
        None => &r.folder == path,
    };
    project.rulesets.iter().position(is_it).filter(|base| *base != at)
}

/// What a ruleset builds on, the nearest first.
fn bases(project: &Project, at: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut next = base(project, at);
    while let Some(one) = next.filter(|one| !found.contains(one)) {
        found.push(one);
        next = base(project, one);
    }
    found
}

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

/// A ruleset, and after it the variants that build on it.
pub(super) fn family(project: &Project, at: usize) -> Vec<usize> {
    let variants = (0..project.rulesets.len()).filter(|v| bases(project, *v).contains(&at));
    std::iter::once(at).chain(variants).collect()
}

/// The faults of each ruleset, without those that are reported with what it builds on.
pub(super) fn own_faults(project: &Project) -> Vec<Vec<&Diagnostic>> {
    let faults = |at: usize| project.rulesets.get(at).map_or(&[][..], |r| &r.faults);
    let same = |a: &Diagnostic, b: &Diagnostic| a.code == b.code && a.primary() == b.primary();
    let of = |at: usize| {
        let bases = bases(project, at);
        let known = |f: &&Diagnostic| bases.iter().any(|b| faults(*b).iter().any(|g| same(f, g)));
        faults(at).iter().filter(|f| !known(f)).collect()
    };
    (0..project.rulesets.len()).map(of).collect()
}

/// The same without warnings.
pub(super) fn own_errors(project: &Project) -> Vec<Vec<&Diagnostic>> {
    let mut all = own_faults(project);
    all.iter_mut().for_each(|faults| faults.retain(|f| f.severity == Severity::Error));
    all
}
