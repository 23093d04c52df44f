//! What the cases of a ruleset reach, and what they do not: clauses, rules, rows, cells, gates,
//! readings, bands and steps.

use indexmap::IndexMap;
use serde::Serialize;

use super::clauses::{ClauseCoverage, HookUse, clauses, hooks};
use super::points::{Point, PointKind, points};
use super::run::run_case;
use crate::ir::{Ruleset, Seen};
use crate::source::SourceMap;

/// The coverage of one ruleset with its variants.
#[derive(Debug, Clone, Serialize)]
pub struct Coverage {
    /// The schema of this report.
    pub schema: u32,
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// How many cases were run.
    pub cases_run: usize,
    /// How much of each kind is reached, in the order in which they are reported.
    pub measures: Vec<Measure>,
    /// Its clauses in printed order, then those that its variants add.
    pub clauses: Vec<ClauseCoverage>,
    /// What a case can reach, in the order of the rules.
    pub points: Vec<Point>,
    /// Its hooks and those of its variants: what a script does is not said in the language.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<HookUse>,
}

/// How much of one kind is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Measure {
    /// What is counted.
    pub kind: PointKind,
    /// How many of them are reached.
    pub reached: usize,
    /// How many there are.
    pub all: usize,
}

impl Measure {
    /// How much that is in hundredths, rounded down, so that 100 means all; all of nothing is all.
    #[must_use]
    pub fn percent(&self) -> usize {
        (self.reached * 100).checked_div(self.all).unwrap_or(100)
    }
}

/// A ruleset with the cases that are run to cover it.
#[derive(Debug, Clone, Copy)]
pub struct Suite<'a> {
    /// The ruleset.
    pub rules: &'a Ruleset,
    /// The texts of its files.
    pub sources: &'a SourceMap,
}

/// The coverage of the first ruleset and of the variants behind it: their cases run, and counted
/// what they touch.
///
/// A line that a variant inherits is covered by the variant's cases too.
#[must_use]
pub fn coverage(all: &[Suite<'_>]) -> Coverage {
    coverage_while(all, &|| true)
}

/// The same as long as this says to go on: from then on no more cases are run.
#[must_use]
pub fn coverage_while(all: &[Suite<'_>], go_on: &dyn Fn() -> bool) -> Coverage {
    let rulesets: Vec<&Ruleset> = all.iter().map(|s| s.rules).collect();
    let mut found: IndexMap<(PointKind, crate::source::Span, String), Point> = IndexMap::new();
    for (at, suite) in all.iter().enumerate() {
        for (span, mut point) in points(&counted(suite, go_on), suite.sources) {
            if at > 0 {
                point.ruleset = Some(suite.rules.name.clone());
            }
            let hits = point.hits;
            let known = found.entry((point.kind, span, point.name.clone()));
            let known = known.or_insert_with(|| Point { hits: 0, ..point });
            known.hits = known.hits.saturating_add(hits);
            if known.hits > 0 {
                known.why = None;
            }
        }
    }
    let (clauses, points) = (clauses(&rulesets), found.into_values().collect::<Vec<Point>>());
    let shown = clauses.iter().filter(|c| c.lack().is_none()).count();
    let mut measures =
        vec![Measure { kind: PointKind::Clause, reached: shown, all: clauses.len() }];
    for kind in PointKind::RULES {
        let of: Vec<&Point> = points.iter().filter(|p| p.kind == kind).collect();
        measures.push(Measure {
            kind,
            reached: of.iter().filter(|p| p.hits > 0).count(),
            all: of.len(),
        });
    }
    Coverage {
        schema: 1,
        ruleset: rulesets.first().map_or_else(String::new, |r| r.name.clone()),
        hash: rulesets.first().map_or_else(String::new, |r| r.hash.clone()),
        cases_run: rulesets.iter().map(|r| r.cases.len()).sum(),
        measures,
        clauses,
        points,
        hooks: hooks(&rulesets),
    }
}

/// A copy of the rules that has counted what all of their cases touch.
fn counted(suite: &Suite<'_>, go_on: &dyn Fn() -> bool) -> Ruleset {
    let mut rules = suite.rules.clone();
    rules.seen = Seen::counting(&rules);
    for case in suite.rules.cases.iter().take_while(|_| go_on()) {
        let _ = run_case(&rules, case, |span| suite.sources.slice(span));
    }
    rules
}
