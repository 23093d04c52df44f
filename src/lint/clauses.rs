//! Clauses that no line carries out or no case shows, and readings that no case tries.

use super::{has_cases, suites};
use crate::diag::{Diagnostic, code};
use crate::mutate::Given;
use crate::suite::{PointKind, coverage};

/// Clauses of the ruleset itself that nothing cites.
pub(super) fn uncited(all: &[Given<'_>]) -> Vec<Diagnostic> {
    let Some(main) = all.first() else { return Vec::new() };
    let mut found = Vec::new();
    for clause in main.rules.clauses.iter().filter(|c| !c.inherited) {
        let of = |g: &Given<'_>| g.rules.clauses.iter().position(|c| c.id == clause.id);
        let lines = all.iter().any(|g| of(g).is_some_and(|at| g.rules.lines.iter().any(|l| l.clauses.iter().any(|c| c.index() == at))));
        let cases = all.iter().any(|g| of(g).is_some_and(|at| g.rules.cases.iter().any(|l| l.covers.iter().any(|c| c.index() == at))));
        if !lines {
            let fault = Diagnostic::warning(code::W1201, clause.span, format!("no rule carries out the clause `{}`", clause.id));
            found.push(fault.help("cite it in brackets behind the line that does, or take the clause out"));
        }
        if !cases && has_cases(main.rules) {
            let fault = Diagnostic::warning(code::W1202, clause.span, format!("no case shows the clause `{}`", clause.id));
            found.push(fault.help("cite it in brackets behind the title of a case that would fail without it"));
        }
    }
    found
}

/// Readings of rulings, and options on and off, that no case tries.
pub(super) fn untried(all: &[Given<'_>]) -> Vec<Diagnostic> {
    let Some(main) = all.first().filter(|g| has_cases(g.rules)) else { return Vec::new() };
    let points = coverage(&suites(all)).points;
    let tried = points.iter().filter(|p| p.ruleset.is_none() && p.hits == 0 && matches!(p.kind, PointKind::Reading | PointKind::Option));
    let fault = |name: &str| {
        let ruling =
            main.rules.rulings.iter().find(|r| name.split_once(' ').is_some_and(|(_, n)| n.starts_with(&format!("{}:", r.name))))?;
        let fault = Diagnostic::warning(code::W1207, ruling.span, format!("no case asks a rule while `{}` holds", spoken(name)));
        Some(fault.help("write a case that states this reading, and expects what it changes"))
    };
    tried.filter_map(|p| fault(&p.name)).collect()
}

/// `ruling halves: up` as it stands in a case.
fn spoken(name: &str) -> String {
    name.replacen(':', " is", 1)
}
