//! Which clause is carried out by which line and shown by which case.

use serde::Serialize;

use crate::ir::Ruleset;
use crate::source::Span;

/// A hook and what fills it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HookUse {
    /// The ruleset.
    pub ruleset: String,
    /// The hook.
    pub hook: String,
    /// The file of its script; none where `otherwise` alone holds.
    pub script: Option<String>,
    /// The clauses that it carries out.
    pub clauses: Vec<String>,
}

/// The coverage of one clause.
#[derive(Debug, Clone, Serialize)]
pub struct ClauseCoverage {
    /// Its full id.
    pub id: String,
    /// What it says.
    pub text: String,
    /// The lines that cite it.
    pub rules: Vec<String>,
    /// The cases that show it.
    pub cases: Vec<String>,
    /// Where it is written.
    #[serde(skip)]
    pub span: Span,
}

impl ClauseCoverage {
    /// What is missing of it; none if a line carries it out and a case shows it.
    #[must_use]
    pub fn lack(&self) -> Option<&'static str> {
        match (self.rules.is_empty(), self.cases.is_empty()) {
            (false, false) => None,
            (true, false) => Some("no rule cites it"),
            (false, true) => Some("no case shows it"),
            (true, true) => Some("no rule cites it, no case shows it"),
        }
    }
}

/// The clauses of the first ruleset and those that its variants add, with the lines and cases of
/// all of them.
#[must_use]
pub fn clauses(all: &[&Ruleset]) -> Vec<ClauseCoverage> {
    let mut clauses: Vec<ClauseCoverage> = Vec::new();
    for (at, rules) in all.iter().enumerate() {
        for c in rules.clauses.iter().filter(|c| at == 0 || !c.inherited) {
            if !clauses.iter().any(|known| known.id == c.id) {
                let (rules, cases) = (Vec::new(), Vec::new());
                clauses.push(ClauseCoverage {
                    id: c.id.clone(),
                    text: c.text.clone(),
                    rules,
                    cases,
                    span: c.span,
                });
            }
        }
    }
    for (at, rules) in all.iter().enumerate() {
        let label =
            |name: &str| if at == 0 { name.to_owned() } else { format!("{}: {name}", rules.name) };
        for line in &rules.lines {
            for id in line.clauses.iter().filter_map(|c| rules.clauses.get(c.index())) {
                push(&mut clauses, &id.id, |c| &mut c.rules, label(&line.name), at > 0, &line.name);
            }
        }
        for case in &rules.cases {
            for id in case.covers.iter().filter_map(|c| rules.clauses.get(c.index())) {
                push(&mut clauses, &id.id, |c| &mut c.cases, label(&case.title), false, "");
            }
        }
    }
    clauses
}

/// All hooks; a variant's is left out where it only repeats one that another ruleset has.
pub(super) fn hooks(all: &[&Ruleset]) -> Vec<HookUse> {
    let mut found: Vec<HookUse> = Vec::new();
    for rules in all {
        for hook in &rules.hooks {
            let clauses = rules.lines.get(hook.line.index()).map_or(&[][..], |l| &l.clauses);
            let one = HookUse {
                ruleset: rules.name.clone(),
                hook: hook.name.clone(),
                script: hook.script.as_ref().map(|s| format!("hooks/{}", s.file)),
                clauses: clauses
                    .iter()
                    .filter_map(|c| rules.clauses.get(c.index()))
                    .map(|c| c.id.clone())
                    .collect(),
            };
            let same = |f: &HookUse| {
                f.hook == one.hook && f.script == one.script && f.clauses == one.clauses
            };
            if !found.iter().any(same) {
                found.push(one);
            }
        }
    }
    found
}

/// Adds a name once; a variant's line is left out where it only repeats its parent's.
fn push(
    clauses: &mut [ClauseCoverage],
    id: &str,
    list: impl Fn(&mut ClauseCoverage) -> &mut Vec<String>,
    name: String,
    variant: bool,
    plain: &str,
) {
    let Some(clause) = clauses.iter_mut().find(|c| c.id == id) else { return };
    let list = list(clause);
    if !(list.contains(&name) || variant && list.iter().any(|l| l == plain)) {
        list.push(name);
    }
}
