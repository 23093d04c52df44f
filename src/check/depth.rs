//! How deep values build on each other: a limit, so that nothing that walks them can run out of stack.
//!
//! Takes a ruleset without errors; gives a fault for each place where the limit is passed. Walks without recursion.

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast::Name;

/// Values within values, through all that they are named by. No rule of a game needs a tenth of it.
pub(super) const MOST: usize = 512;

/// More places than this are not told.
const MOST_TOLD: usize = 20;

impl Checker<'_> {
    /// A name that stands at the end of too long a chain of values, each read by the one before it.
    pub(super) fn builds_too_deep(&mut self, name: &Name) {
        self.symbols.lost.push(name.text.clone());
        self.fault(Diagnostic::error(code::E0414, name.span, message()).at("the one that is too many").help(HELP));
    }
}

const HELP: &str = "say one of them with what is printed or stored, without the others";

fn message() -> String {
    format!("more than {MOST} values build on each other, each on the next")
}

/// The places where values begin to build on more than [`MOST`] others.
pub(super) fn too_deep(rules: &Ruleset) -> Vec<Diagnostic> {
    let parts = Parts::of(rules);
    let depth = parts.depths();
    let is_over = |at: usize| depth.get(at).is_some_and(|d| *d > MOST);
    let mut faults = Vec::new();
    for (at, span) in rules.node_spans.iter().enumerate() {
        if is_over(at) && !parts.below(at).into_iter().any(is_over) && faults.len() < MOST_TOLD {
            faults.push(Diagnostic::error(code::E0414, *span, message()).at("it is this deep here").help(HELP));
        }
    }
    faults
}

/// Whether values read, through all that they are named by, what is measured on a table.
pub(super) fn reads_measure(rules: &Ruleset, values: impl Iterator<Item = ExprId>) -> bool {
    let parts = Parts::of(rules);
    let mut entered = vec![false; parts.end];
    let mut open: Vec<usize> = values.map(ExprId::index).collect();
    while let Some(at) = open.pop() {
        if matches!(rules.nodes.get(at), Some(Node::Pair(PairRef::Measured(_), ..))) {
            return true;
        }
        if let Some(cell) = entered.get_mut(at).filter(|e| !**e) {
            *cell = true;
            open.extend(parts.below(at));
        }
    }
    false
}

/// All that is walked, in one numbering: nodes, then defines, tables, traces, tests, hooks and pairs.
struct Parts<'r> {
    rules: &'r Ruleset,
    defines: usize,
    tables: usize,
    traces: usize,
    tests: usize,
    hooks: usize,
    pairs: usize,
    end: usize,
}

impl<'r> Parts<'r> {
    fn of(rules: &'r Ruleset) -> Parts<'r> {
        let defines = rules.nodes.len();
        let tables = defines + rules.defines.len();
        let traces = tables + rules.tables.len();
        let tests = traces + rules.traces.len();
        let hooks = tests + rules.tests.len();
        let pairs = hooks + rules.hooks.len();
        Parts { rules, defines, tables, traces, tests, hooks, pairs, end: pairs + rules.pairs.len() }
    }

    /// How deep each part is: a node one deeper than all below it, a named thing as deep as what it is made of.
    fn depths(&self) -> Vec<usize> {
        let mut depth = vec![0usize; self.end];
        let mut entered = vec![false; self.end];
        for start in 0..self.end {
            let mut open = vec![(start, false)];
            while let Some((at, left)) = open.pop() {
                if left {
                    let below = self.below(at).into_iter().filter_map(|b| depth.get(b)).max().copied().unwrap_or(0);
                    if let Some(cell) = depth.get_mut(at) {
                        *cell = below + usize::from(at < self.defines);
                    }
                } else if let Some(cell) = entered.get_mut(at).filter(|e| !**e) {
                    *cell = true;
                    open.push((at, true));
                    open.extend(self.below(at).into_iter().map(|b| (b, false)));
                }
            }
        }
        depth
    }

    /// What a part is made of.
    fn below(&self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        if let Some(node) = self.rules.nodes.get(at) {
            self.of_node(node, &mut found);
        } else if at < self.tables {
            found.extend(self.rules.defines.get(at - self.defines).map(|d| d.value.index()));
        } else if at < self.traces {
            for row in self.rules.tables.get(at - self.tables).into_iter().flat_map(|t| &t.rows) {
                let per = row.per.into_iter().flat_map(|(per, beyond)| [Some(per), beyond]).flatten();
                found.extend(row.when.into_iter().chain(per).chain(row.values.iter().flatten().copied()).map(ExprId::index));
            }
        } else if at < self.tests {
            found.extend(self.rules.traces.get(at - self.traces).into_iter().flat_map(of_trace).map(ExprId::index));
        } else if at < self.hooks {
            let test = self.rules.tests.get(at - self.tests);
            found.extend(test.into_iter().flat_map(of_test).map(ExprId::index));
        } else if at >= self.pairs {
            found.extend(self.rules.pairs.get(at - self.pairs).map(|p| p.value.index()));
        } else if let Some(hook) = self.rules.hooks.get(at - self.hooks) {
            let ends = [hook.kept.0, hook.kept.1, hook.otherwise];
            found.extend(hook.reads.iter().map(|r| r.value).chain(ends).map(ExprId::index));
        }
        found
    }

    fn of_node(&self, node: &Node, found: &mut Vec<usize>) {
        let mut of = |ids: &[ExprId]| found.extend(ids.iter().map(|id| id.index()));
        match node {
            Node::Nothing | Node::Truth(_) | Node::Number { .. } | Node::Word(..) | Node::NoThing | Node::Unit(_) | Node::Space(_) => {}
            Node::SpaceCalled(_) | Node::Side(_) | Node::Viewer | Node::Subject(_) | Node::WorldFact(_) | Node::Ruling(_) => {}
            Node::Total | Node::Natural | Node::OverStep(_) => {}
            Node::Fact(_, a) | Node::IsKind(a, _) | Node::Stands(a, _) | Node::Not(a) | Node::Removed(a) | Node::Rounded(_, a) => of(&[*a]),
            Node::Rank(a) | Node::Chosen(_, a) => of(&[*a]),
            Node::Sides { left: a, right: b, .. } | Node::Same(a, b) | Node::Compare(a, _, b) | Node::Arithmetic(a, _, b) => of(&[*a, *b]),
            Node::Extreme { left, right, .. } => of(&[*left, *right]),
            Node::And(parts) | Node::Or(parts) => of(parts),
            Node::Define(define, a) => {
                of(a.as_slice());
                found.push(self.defines + define.index());
            }
            Node::Table(table, _, a) => {
                of(a.as_slice());
                found.push(self.tables + table.index());
            }
            Node::Hook(hook, a) => {
                of(a.as_slice());
                found.push(self.hooks + hook.index());
            }
            Node::Pair(pair, a, b) => {
                of(&[*a, *b]);
                if let PairRef::Own(id) = pair {
                    found.push(self.pairs + id.index());
                }
            }
            Node::Verdict(trace, a, _) | Node::Evidence(trace, _, a, _) => {
                of(&[*a]);
                found.push(self.traces + trace.index());
            }
            Node::WouldBe { trace, subject, space, .. } => {
                of(&[*subject, *space]);
                found.push(self.traces + trace.index());
            }
            Node::Listed(table, a, _) => {
                of(&[*a]);
                found.push(self.tables + table.index());
            }
            Node::Stopped(_, a) => of(&[*a]),
            Node::Outcome(test, a) | Node::Chance(test, _, a) => {
                of(&[*a]);
                found.push(self.tests + test.index());
            }
            Node::Any(things) | Node::Only(things) | Node::Count(things) => self.of_things(*things, found),
            Node::Aggregate(_, value, things) => {
                of(&[*value]);
                self.of_things(*things, found);
            }
        }
    }

    fn of_things(&self, id: ThingsId, found: &mut Vec<usize>) {
        let Some(things) = self.rules.things.get(id.index()) else { return };
        found.extend(things.condition.map(ExprId::index));
        match &things.place {
            Place::Anywhere => {}
            Place::In(at) | Place::Adjacent(at, _) | Place::AdjacentNotOver(at, _) | Place::Within(_, at, _) => found.push(at.index()),
        }
    }
}

fn of_trace(trace: &Trace) -> Vec<ExprId> {
    let mut found: Vec<ExprId> = trace.verdicts.iter().map(|v| v.when).collect();
    found.extend(trace.sources.iter().chain(&trace.relays).map(|s| s.when));
    for leg in &trace.legs {
        found.extend([leg.cost, leg.from.when, leg.through.when, leg.into.when, leg.within.amount].into_iter().flatten());
    }
    found
}

/// The conditions and amounts of a test.
fn of_test(test: &Test) -> Vec<ExprId> {
    let retry = test.retry.iter().flat_map(|r| [Some(r.when), r.at_most, r.spending.map(|(_, of)| of)]).flatten();
    test.plus.into_iter().chain(test.rows.iter().filter_map(|r| r.0)).chain(retry).collect()
}
