//! How deep values build on each other: a limit, so that nothing that walks them can run out of
//! stack.
//!
//! Takes a ruleset without errors; gives a fault for each place where the limit is passed. Walks
//! without recursion.

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast::Name;

/// Values within values, through all that they are named by. No rule of a game needs a tenth of it.
/// The checker goes this deep on a stack of 2 MiB: what it calls on the way and does not go deeper
/// is `inline(never)`, so that its room is not in each frame.
pub(super) const MOST: usize = 512;

/// More places than this are not reported.
const MOST_TOLD: usize = 20;

impl Checker<'_> {
    /// A name that stands at the end of too long a chain of values, each read by the one before it.
    pub(super) fn builds_too_deep(&mut self, name: &Name) {
        self.symbols.lost.push(name.text.clone());
        self.fault(
            Diagnostic::error(code::E0414, name.span, message())
                .at("the one that is too many")
                .help(HELP),
        );
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
            faults.push(
                Diagnostic::error(code::E0414, *span, message())
                    .at("it is this deep here")
                    .help(HELP),
            );
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

/// All that is walked, in one numbering: nodes, then what [`Part`] names, one sort after the other.
struct Parts<'r> {
    rules: &'r Ruleset,
    /// Where the nodes, defines, tables, pairs, hooks, traces, tests and choices end.
    ends: [usize; 8],
    end: usize,
}

impl<'r> Parts<'r> {
    fn of(rules: &'r Ruleset) -> Parts<'r> {
        let mut end = 0;
        let ends = [
            rules.nodes.len(),
            rules.defines.len(),
            rules.tables.len(),
            rules.pairs.len(),
            rules.hooks.len(),
            rules.traces.len(),
            rules.tests.len(),
            rules.choices.len(),
        ]
        .map(|many| {
            end += many;
            end
        });
        Parts { rules, ends, end }
    }

    /// How deep each part is: a node one deeper than all below it, a named thing as deep as what it
    /// is made of.
    fn depths(&self) -> Vec<usize> {
        let mut depth = vec![0usize; self.end];
        let mut entered = vec![false; self.end];
        for start in 0..self.end {
            let mut open = vec![(start, false)];
            while let Some((at, left)) = open.pop() {
                if left {
                    let below = self
                        .below(at)
                        .into_iter()
                        .filter_map(|b| depth.get(b))
                        .max()
                        .copied()
                        .unwrap_or(0);
                    if let Some(cell) = depth.get_mut(at) {
                        *cell = below + usize::from(at < self.rules.nodes.len());
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
        match self.rules.nodes.get(at) {
            Some(node) => self.rules.for_each_part(node, &mut |part| found.push(self.number(part))),
            None => found.extend(
                self.part(at)
                    .into_iter()
                    .flat_map(|part| self.rules.expressions_of(part))
                    .map(ExprId::index),
            ),
        }
        found
    }

    /// The number of a part.
    fn number(&self, part: Part) -> usize {
        let [nodes, defines, tables, pairs, hooks, traces, tests, _] = self.ends;
        match part {
            Part::Expr(id) => id.index(),
            Part::Define(id) => nodes + id.index(),
            Part::Table(id) => defines + id.index(),
            Part::Pair(id) => tables + id.index(),
            Part::Hook(id) => pairs + id.index(),
            Part::Trace(id) => hooks + id.index(),
            Part::Test(id) => traces + id.index(),
            Part::Choice(id) => tests + id.index(),
        }
    }

    /// The part that has a number.
    fn part(&self, at: usize) -> Option<Part> {
        let sort = self.ends.iter().position(|end| at < *end)?;
        let start =
            sort.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let at = at - start;
        Some(match sort {
            0 => Part::Expr(ExprId::at(at)),
            1 => Part::Define(DefineId::at(at)),
            2 => Part::Table(TableId::at(at)),
            3 => Part::Pair(PairId::at(at)),
            4 => Part::Hook(HookId::at(at)),
            5 => Part::Trace(TraceId::at(at)),
            6 => Part::Test(TestId::at(at)),
            _ => Part::Choice(ChoiceId::at(at)),
        })
    }
}
