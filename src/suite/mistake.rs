//! Mistakes that a suite expects the checker to find.

use super::run::{Failure, Outcome};
use crate::check::{self, Resolved};
use crate::diag::Diagnostic;
use crate::hooks;
use crate::source::SourceMap;
use crate::syntax::ast::{File, ItemKind, Mistake};

/// The mistakes of a ruleset, in written order; those of a parent are the parent's.
pub fn mistakes(resolved: &Resolved) -> impl Iterator<Item = &Mistake> {
    resolved.items.iter().filter_map(|i| match &i.item.kind {
        ItemKind::Mistake(mistake) => Some(mistake),
        _ => None,
    })
}

/// Checks the items of a mistake on top of the ruleset; they must raise their code and nothing
/// else.
#[must_use]
pub fn run_mistake(resolved: &Resolved, mistake: &Mistake, sources: &SourceMap) -> Outcome {
    let mut outcome = Outcome {
        title: mistake.title.text.clone(),
        covers: Vec::new(),
        span: mistake.title.span,
        failures: Vec::new(),
    };
    outcome.covers = covers(resolved, mistake);
    let found = raised(resolved, mistake, sources);
    let wanted = mistake.code.text.as_str();
    let other = found.iter().find(|f| f.code.as_str() != wanted);
    if let Some(other) = other {
        let message = format!("expected {wanted}, and {} is raised: {}", other.code, other.message);
        let span = other.primary().unwrap_or(mistake.code.span);
        outcome.failures.push(Failure {
            fault: Some(Box::new(other.clone())),
            ..Failure::plain(span, message)
        });
    } else if found.is_empty() {
        let message = format!("expected {wanted}, and nothing is wrong with it");
        outcome.failures.push(Failure::plain(mistake.code.span, message));
    }
    outcome
}

/// The clauses it shows, by their full ids.
fn covers(resolved: &Resolved, mistake: &Mistake) -> Vec<String> {
    let prefix =
        resolved.prefixes.get(mistake.title.span.source.0 as usize).map_or("", String::as_str);
    let full =
        |cite: &str| if cite.contains('-') { cite.to_owned() } else { format!("{prefix}-{cite}") };
    mistake.cites.0.iter().map(|c| full(&c.text)).collect()
}

/// Everything that is wrong with the items, read as changes and additions to the ruleset.
fn raised(resolved: &Resolved, mistake: &Mistake, sources: &SourceMap) -> Vec<Diagnostic> {
    let file = File {
        source: mistake.text.source,
        items: mistake.items.clone(),
        lost: mistake.lost.clone(),
        sheets: Vec::new(),
    };
    let (mut changed, mut faults) = check::fold(Some(resolved), &[file], sources);
    // They are a part of the ruleset, not a variant with a name and a prefix of its own.
    changed.head.clone_from(&resolved.head);
    changed.prefixes.clone_from(&resolved.prefixes);
    let (rules, more) = check::check(&changed, sources);
    let bound = rules.map(|mut rules| hooks::bind(&mut rules)).unwrap_or_default();
    faults.extend(mistake.faults.iter().cloned());
    let before = |f: &Diagnostic| {
        f.primary().is_some_and(|p| {
            p.source != mistake.text.source
                || p.end <= mistake.text.start
                || p.start >= mistake.text.end
        })
    };
    // What the ruleset itself is warned of is no part of this.
    faults.extend(
        more.into_iter()
            .chain(bound)
            .filter(|f| f.severity == crate::diag::Severity::Error || !before(f)),
    );
    faults
}
