//! What a check does not forbid and an author may not mean: names that nothing reads, clauses that
//! nothing carries out, tables that turn back.
//!
//! Takes a checked ruleset with its text and the variants beside it; gives findings, those that the
//! text allows with a reason left out. Runs the cases to see which readings they try, and asks the
//! positions of setups and cases what the author says must never hold. Prints nothing and writes no
//! file.

mod allow;
mod clauses;
mod course;
mod excepted;
mod figures;
mod idle;
mod in_vain;
mod itself;
mod lives;
mod names;
mod never;
mod rules;
mod stances;
mod views;

use crate::diag::{Diagnostic, sort};
use crate::ir::Ruleset;
use crate::mutate::Given;
use crate::source::{SourceId, SourceMap};

/// Everything that is odd about the first ruleset, in the order of its files; `noted` is what its
/// check has warned of. The rulesets behind it are its variants, which may use what it does not use
/// itself; the parent is what it is a variant of.
#[must_use]
pub fn lint(
    all: &[Given<'_>],
    parent: Option<&Given<'_>>,
    noted: &[Diagnostic],
) -> Vec<Diagnostic> {
    let Some(main) = all.first() else { return Vec::new() };
    let mut found = noted.to_vec();
    found.extend(clauses::uncited(all));
    found.extend(names::unused(all));
    found.extend(names::untitled(main));
    found.extend(rules::settled_conditions(main));
    found.extend(rules::twice_said(main));
    found.extend(rules::turning_tables(main));
    found.extend(views::of_any_side(main));
    found.extend(stances::of_nobody(main));
    found.extend(parent.map(|p| figures::left_behind(main, p)).unwrap_or_default());
    found.extend(itself::asked_of_itself(main));
    found.extend(lives::ended(main));
    found.extend(in_vain::steps(main));
    found.extend(idle::lines(main));
    found.extend(idle::parts(main));
    found.extend(excepted::excepted(main));
    found.extend(clauses::untried(all));
    found.extend(never::broken(main, parent.map(|p| p.rules)));
    let mut found = allow::allowed(main, found);
    sort(&mut found);
    found
}

/// The files that belong to a ruleset itself: those that hold items of its own.
fn own_files(of: &Given<'_>) -> Vec<SourceId> {
    let mut files: Vec<SourceId> =
        of.resolved.items.iter().filter(|i| !i.inherited).map(|i| i.item.span.source).collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// Whether any case of a ruleset is there, so that what no case does is worth a word.
fn has_cases(rules: &Ruleset) -> bool {
    !rules.cases.is_empty()
}

/// The rulesets as coverage takes them.
fn suites<'a>(all: &[Given<'a>]) -> Vec<crate::suite::Suite<'a>> {
    let of = |g: &Given<'a>| -> (&'a Ruleset, &'a SourceMap) { (g.rules, g.sources) };
    all.iter().map(|g| crate::suite::Suite { rules: of(g).0, sources: of(g).1 }).collect()
}
