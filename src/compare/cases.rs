//! The cases of one ruleset, run under the rules of another.

use super::impact::{CaseFlip, CaseFlips};
use crate::check::Resolved;
use crate::diag::{Diagnostic, Severity};
use crate::ir::{Case, Ruleset};
use crate::source::{SourceMap, Span};
use crate::suite::{Outcome, run_case};
use crate::syntax::ast::ItemKind;

/// The second ruleset with the cases of the first in the place of its own.
#[must_use]
pub fn with_cases_of(a: &Resolved, b: &Resolved) -> Resolved {
    let is_case = |kind: &ItemKind| matches!(kind, ItemKind::Case(_));
    let mut both = b.clone();
    both.items.retain(|i| !is_case(&i.item.kind));
    both.items.extend(a.items.iter().filter(|i| is_case(&i.item.kind)).cloned());
    // The files of the first cite clauses with its own prefix.
    both.prefixes.resize(a.prefixes.len().max(b.prefixes.len()), String::new());
    for (cell, prefix) in
        both.prefixes.iter_mut().zip(&a.prefixes).filter(|(cell, _)| cell.is_empty())
    {
        cell.clone_from(prefix);
    }
    both
}

/// Takes the cases away in which a fault lies; the title of each and the first fault.
pub fn without_faulty(both: &mut Resolved, faults: &[Diagnostic]) -> Vec<(String, String)> {
    let mut refused = Vec::new();
    both.items.retain(|item| {
        let ItemKind::Case(case) = &item.item.kind else { return true };
        let within = |span: Span| {
            span.source == item.item.span.source
                && item.item.span.start <= span.start
                && span.end <= item.item.span.end
        };
        let fault = faults
            .iter()
            .find(|f| f.severity == Severity::Error && f.primary().is_some_and(within));
        match fault {
            Some(fault) => {
                refused
                    .push((case.title.text.clone(), format!("{}: {}", fault.code, fault.message)));
                false
            }
            None => true,
        }
    });
    refused
}

/// Runs the same cases under both rulesets; a case is known by its title and its place.
#[must_use]
pub fn case_flips(a: &Ruleset, b: &Ruleset, sources: &SourceMap) -> CaseFlips {
    let mut found = CaseFlips::default();
    for case in &b.cases {
        let Some(before) = a.cases.iter().find(|c| same(c, case)) else { continue };
        let text = |span: Span| sources.slice(span);
        let (was, now) = (run_case(a, before, text), run_case(b, case, text));
        found.run += 1;
        let (passed, passes) = (was.failures.is_empty(), now.failures.is_empty());
        if passed != passes {
            let at = sources.line_col(case.span.source, case.span.start).line;
            let because = |o: &Outcome| o.failures.first().map(|f| f.message.clone());
            let because = because(&now).or_else(|| because(&was)).unwrap_or_default();
            let place = format!("{}:{at}", sources.name(case.span.source));
            found.flips.push(CaseFlip { case: case.title.clone(), place, passed, passes, because });
        }
    }
    found
}

fn same(a: &Case, b: &Case) -> bool {
    a.span == b.span && a.title == b.title
}
