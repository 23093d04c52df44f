//! Expectations that ask a trace of spaces while no side asks: without one there is no answer.

use std::collections::HashSet;

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;

impl Checker<'_> {
    /// Refuses what a case asks of a trace of spaces before it says who asks.
    pub(super) fn unseen_expectations(&mut self) {
        if self.out.sides.is_empty() {
            return;
        }
        let stated = |state: &State| matches!(state, State::Viewer(_));
        let mut found: Vec<(Span, TraceId)> = Vec::new();
        let mut vain = vec![false; self.out.nodes.len()];
        for case in &self.out.cases {
            let setup = case.setup.and_then(|setup| self.out.setups.get(setup.index()));
            let mut viewer = setup.is_some_and(|setup| setup.facts.iter().any(stated));
            for step in &case.steps {
                match &step.kind {
                    CaseStepKind::State(state) => viewer |= stated(state),
                    CaseStepKind::Expect(asked)
                    | CaseStepKind::ExpectValue { holds: asked, .. }
                        if !viewer =>
                    {
                        let trace = unseen(&self.out, *asked, &mut vain);
                        found.extend(trace.map(|trace| (step.span, trace)));
                    }
                    _ => {}
                }
            }
        }
        // The lines above a grid are those of each of its rows.
        found.dedup();
        let mut said = HashSet::new();
        for (span, trace) in found {
            if said.insert(span) {
                self.asked_by_nobody(span, trace);
            }
        }
    }

    fn asked_by_nobody(&mut self, span: Span, trace: TraceId) {
        let name = self.out.traces.get(trace.index()).map_or("", |t| t.name.as_str());
        let side = self.out.sides.first().map_or("Red", |side| side.name.as_str());
        let message = format!("`{name}` is a trace of spaces, and no side asks here");
        let help = format!("say who asks, as in `given viewer is {side}`, before it");
        self.fault(Diagnostic::error(code::E0307, span, message).help(help));
    }
}

/// A trace of spaces that an expression asks for a side, where no side asks. What is said of a unit
/// or of a side is asked by that side, so its parts are not looked at. `vain` holds the expressions
/// in which none was found, so that no later search looks through them again.
fn unseen(rules: &Ruleset, asked: ExprId, vain: &mut [bool]) -> Option<TraceId> {
    let mut seen = Vec::new();
    let mut open = vec![asked];
    while let Some(id) = open.pop() {
        match vain.get_mut(id.index()) {
            Some(cell) if !*cell => *cell = true,
            _ => continue,
        }
        seen.push(id);
        let node = rules.node(id);
        if let Node::Verdict(trace, ..) | Node::Evidence(trace, ..) = node
            && rules.traces.get(trace.index()).is_some_and(|t| t.viewed)
        {
            for id in seen {
                if let Some(cell) = vain.get_mut(id.index()) {
                    *cell = false;
                }
            }
            return Some(*trace);
        }
        if let Node::Any(things) | Node::Only(things) | Node::Count(things) = node
            && has_a_side(rules, rules.things.get(things.index()).map(|t| t.kind))
        {
            continue;
        }
        rules.for_each_part(node, &mut |part| {
            let entered = match part {
                Part::Expr(_) => true,
                Part::Define(id) => {
                    !has_a_side(rules, rules.defines.get(id.index()).and_then(|d| d.of))
                }
                Part::Table(id) => {
                    !has_a_side(rules, rules.tables.get(id.index()).and_then(|t| t.of))
                }
                Part::Hook(id) => !has_a_side(rules, rules.hooks.get(id.index()).map(|h| h.of)),
                Part::Pair(_) | Part::Trace(_) | Part::Test(_) | Part::Choice(_) => false,
            };
            if entered {
                open.extend(rules.expressions_of(part));
            }
        });
    }
    None
}

/// Whether things of a kind are asked by a side of their own.
fn has_a_side(rules: &Ruleset, kind: Option<KindId>) -> bool {
    kind.is_some_and(|kind| matches!(rules.top(kind), KindId::UNIT | KindId::SIDE))
}
