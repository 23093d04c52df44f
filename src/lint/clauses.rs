//! Clauses that no line carries out or no case shows, and readings that no case tries.

use super::{has_cases, own_files, suites};
use crate::diag::{Diagnostic, code};
use crate::ir::Ruleset;
use crate::mutate::Given;
use crate::suite::{PointKind, clause_coverage, coverage};

/// Clauses of the ruleset itself that nothing cites: by the same count as `sutler coverage` has.
pub(super) fn uncited(all: &[Given<'_>]) -> Vec<Diagnostic> {
    let Some(main) = all.first() else { return Vec::new() };
    let rulesets: Vec<&Ruleset> = all.iter().map(|g| g.rules).collect();
    // A variant's clause is one of a family that is tested, even where the variant has no case.
    let tested =
        rulesets.iter().any(|r| has_cases(r)) || main.resolved.items.iter().any(|i| i.inherited);
    let own = |id: &str| main.rules.clauses.iter().any(|c| !c.inherited && c.id == id);
    let mut found = Vec::new();
    for clause in clause_coverage(&rulesets).iter().filter(|c| own(&c.id)) {
        if clause.rules.is_empty() {
            let fault = Diagnostic::warning(
                code::W1201,
                clause.span,
                format!("no rule carries out the clause `{}`", clause.id),
            );
            found.push(
                fault.help("cite it in brackets behind the line that does, or take the clause out"),
            );
        }
        if clause.cases.is_empty() && tested {
            let fault = Diagnostic::warning(
                code::W1202,
                clause.span,
                format!("no case shows the clause `{}`", clause.id),
            );
            found.push(
                fault.help(
                    "cite it in brackets behind the title of a case that would fail without it",
                ),
            );
        }
    }
    found
}

/// Readings of rulings, and options on and off, that no case tries.
pub(super) fn untried(all: &[Given<'_>]) -> Vec<Diagnostic> {
    let Some(main) = all.first().filter(|_| all.iter().any(|g| has_cases(g.rules))) else {
        return Vec::new();
    };
    let points = coverage(&suites(all)).points;
    // The rulings of a parent are for the parent's cases to try.
    let files = own_files(main);
    let tried = points.iter().filter(|p| {
        p.ruleset.is_none()
            && p.hits == 0
            && matches!(p.kind, PointKind::Reading | PointKind::Option)
    });
    let fault = |name: &str| {
        let ruling =
            main.rules.rulings.iter().filter(|r| files.contains(&r.span.source)).find(|r| {
                name.split_once(' ').is_some_and(|(_, n)| n.starts_with(&format!("{}:", r.name)))
            })?;
        let fault = Diagnostic::warning(
            code::W1207,
            ruling.span,
            format!("no case asks a rule while `{}` holds", spoken(name)),
        );
        Some(fault.help("write a case that states this reading, and expects what it changes"))
    };
    tried.filter_map(|p| fault(&p.name)).collect()
}

/// `ruling halves: up` as it stands in a case.
fn spoken(name: &str) -> String {
    name.replacen(':', " is", 1)
}
