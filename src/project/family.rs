//! Rulesets and what builds on them: who belongs together, and whose faults are reported with whom.

use super::{Loaded, Project};
use crate::diag::Diagnostic;

/// What a ruleset builds on, if it was opened too.
pub(crate) fn base(project: &Project, at: usize) -> Option<usize> {
    let path = project.rulesets.get(at)?.extends.as_ref()?;
    let is_it = |r: &Loaded| match &r.file {
        Some(file) => file == path,
        None => &r.folder == path,
    };
    project.rulesets.iter().position(is_it).filter(|base| *base != at)
}

/// What a ruleset builds on, the nearest first.
pub(super) fn bases(project: &Project, at: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut next = base(project, at);
    while let Some(one) = next.filter(|one| !found.contains(one)) {
        found.push(one);
        next = base(project, one);
    }
    found
}

/// A ruleset, and after it the variants that build on it.
pub(crate) fn family(project: &Project, at: usize) -> Vec<usize> {
    let variants = (0..project.rulesets.len()).filter(|v| bases(project, *v).contains(&at));
    std::iter::once(at).chain(variants).collect()
}

/// The faults of each ruleset, without those that are reported with what it builds on.
pub(crate) fn own_faults(project: &Project) -> Vec<Vec<&Diagnostic>> {
    let faults = |at: usize| project.rulesets.get(at).map_or(&[][..], |r| &r.faults);
    let same = |a: &Diagnostic, b: &Diagnostic| a.code == b.code && a.primary() == b.primary();
    let of = |at: usize| {
        let bases = bases(project, at);
        let known = |f: &&Diagnostic| bases.iter().any(|b| faults(*b).iter().any(|g| same(f, g)));
        faults(at).iter().filter(|f| !known(f)).collect()
    };
    (0..project.rulesets.len()).map(of).collect()
}
