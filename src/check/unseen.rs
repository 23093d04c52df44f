//! Expectations that ask how things stand to a side while no side asks: without one a trace of
//! spaces has no answer, and nothing is friendly or an enemy.

use std::collections::HashSet;

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;

impl Checker<'_> {
    /// Refuses what a case asks of a trace of spaces, or of who is whose, before it says who asks.
    pub(super) fn unseen_expectations(&mut self) {
        if self.out.sides.is_empty() {
            return;
        }
        let stated = |state: &State| matches!(state, State::Viewer(_));
        let mut found: Vec<(Span, Unseen)> = Vec::new();
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
                        let what = unseen(&self.out, *asked, &mut vain);
                        found.extend(what.map(|what| (step.span, what)));
                    }
                    _ => {}
                }
            }
        }
        // The lines above a grid are those of each of its rows.
        found.dedup();
        let mut said = HashSet::new();
        for (span, what) in found {
            if said.insert(span) {
                self.asked_by_nobody(span, what);
            }
        }
    }

    fn asked_by_nobody(&mut self, span: Span, what: Unseen) {
        let side = self.out.sides.first().map_or("Red", |side| side.name.as_str());
        let message = match what {
            Unseen::Trace(trace) => {
                let name = self.out.traces.get(trace.index()).map_or("", |t| t.name.as_str());
                format!("`{name}` is a trace of spaces, and no side asks here")
            }
            Unseen::Viewer => {
                "this is how things stand to a side, and no side asks here".to_owned()
            }
        };
        let help = format!("say who asks, as in `given viewer is {side}`, before it");
        self.fault(Diagnostic::error(code::E0307, span, message).help(help));
    }
}

/// What an expression asks for a side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unseen {
    /// The answer of a trace of spaces.
    Trace(TraceId),
    /// Which side asks, as `friendly` and `enemy` do.
    Viewer,
}

/// What an expression asks for a side, where no side asks. What is said of a unit
/// or of a side is asked by that side, so its parts are not looked at. `vain` holds the expressions
/// in which none was found, so that no later search looks through them again.
fn unseen(rules: &Ruleset, asked: ExprId, vain: &mut [bool]) -> Option<Unseen> {
    let mut seen = Vec::new();
    let mut open = vec![asked];
    while let Some(id) = open.pop() {
        match vain.get_mut(id.index()) {
            Some(cell) if !*cell => *cell = true,
            _ => continue,
        }
        seen.push(id);
        let node = rules.node(id);
        let viewer = matches!(node, Node::Viewer | Node::Stands(..));
        let mut found = viewer.then_some(Unseen::Viewer);
        rules.for_each_part(node, &mut |part| {
            let viewed = |id: TraceId| rules.traces.get(id.index()).is_some_and(|t| t.viewed);
            if let Part::Trace(id) = part
                && viewed(id)
            {
                found = Some(Unseen::Trace(id));
            }
        });
        if found.is_some() {
            for id in seen {
                if let Some(cell) = vain.get_mut(id.index()) {
                    *cell = false;
                }
            }
            return found;
        }
        // What is looked for has a side of its own, but not to say who is its enemy.
        if let Node::Any(things) | Node::Only(things) | Node::Count(things) = node
            && let Some(things) = rules.things.get(things.index())
            && has_a_side(rules, Some(things.kind))
        {
            if things.condition.is_some_and(|condition| stands(rules, condition)) {
                return Some(Unseen::Viewer);
            }
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

/// Whether a condition itself asks how things stand to a side, and not what it reads by name.
fn stands(rules: &Ruleset, condition: ExprId) -> bool {
    let mut open = vec![condition];
    while let Some(id) = open.pop() {
        let node = rules.node(id);
        if matches!(node, Node::Viewer | Node::Stands(..)) {
            return true;
        }
        rules.for_each_part(node, &mut |part| {
            if let Part::Expr(part) = part {
                open.push(part);
            }
        });
    }
    false
}

/// Whether things of a kind are asked by a side of their own.
fn has_a_side(rules: &Ruleset, kind: Option<KindId>) -> bool {
    kind.is_some_and(|kind| matches!(rules.top(kind), KindId::UNIT | KindId::SIDE))
}
