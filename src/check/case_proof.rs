//! Expectations that can never fail: those that hold whatever is so, and those that only say again
//! what was given.

use super::Checker;
use super::witness::{holds_always, same_question};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;

/// Values built on values, so deep at most, before it is no longer known whether they are there.
const DEEPEST: usize = 64;

impl Checker<'_> {
    /// Warns of every expectation that says nothing about the rules.
    pub(super) fn idle_expectations(&mut self) {
        let mut found: Vec<Diagnostic> = Vec::new();
        for case in &self.out.cases {
            let mut given: Vec<&State> = Vec::new();
            for step in &case.steps {
                match &step.kind {
                    CaseStepKind::State(state) => given.push(state),
                    CaseStepKind::Expect(holds) | CaseStepKind::ExpectValue { holds, .. } => {
                        found.extend(self.idle(*holds, &given, step.span));
                    }
                    CaseStepKind::ExpectChoice { negated: true, must, effect, .. } => {
                        found.extend(self.never_offered(effect, *must, step.span));
                    }
                    CaseStepKind::ExpectChoice { .. } => {}
                    CaseStepKind::Run(..)
                    | CaseStepKind::Turn
                    | CaseStepKind::Part(..)
                    | CaseStepKind::Pass(_) => given.clear(),
                    CaseStepKind::Put(_)
                    | CaseStepKind::Dice(_)
                    | CaseStepKind::Order { .. }
                    | CaseStepKind::ExpectPlace { .. } => {}
                }
            }
        }
        // The lines above a grid are in every row of it, and are told of once.
        let mut told: Vec<Span> = Vec::new();
        for fault in found {
            if let Some(span) = fault.primary().filter(|s| !told.contains(s)) {
                told.push(span);
                self.fault(fault);
            }
        }
    }

    /// A denied choice that no phase offers or demands: it holds in every position.
    fn never_offered(&self, effect: &ChosenEffect, must: bool, span: Span) -> Option<Diagnostic> {
        let mut steps = self.out.phases.iter().flat_map(|phase| &phase.steps);
        let offers = |step: &Step| effect.is_of(step) && (!must || step.mode != Mode::May);
        let what = if must {
            "no phase demands this of anybody, so it can never fail"
        } else {
            "no phase offers this to anybody, so it can never fail"
        };
        (!steps.any(offers)).then(|| {
            Diagnostic::warning(code::W0720, span, what)
                .help("expect what a phase does, or leave it out")
        })
    }

    fn idle(&self, holds: ExprId, given: &[&State], span: Span) -> Option<Diagnostic> {
        if given.iter().rev().any(|state| self.repeats(holds, state)) {
            return Some(
                Diagnostic::warning(
                    code::W0721,
                    span,
                    "this says again what was given, and no rule comes between",
                )
                .help("run a phase before it, or expect what a rule makes of it"),
            );
        }
        let sure = self.all_there(holds, DEEPEST) && holds_always(&self.out, self.sources, holds);
        sure.then(|| {
            Diagnostic::warning(code::W0720, span, "this holds whatever is so, and can never fail")
                .help("expect the value itself, or a narrower range")
        })
    }

    /// Whether an expectation is the same fact, of the same thing, with the same value as what was
    /// stated.
    fn repeats(&self, holds: ExprId, state: &State) -> bool {
        let same = |a: ExprId, b: ExprId| same_question(&self.out, self.sources, a, b);
        let (asked, yes) = if let Node::Not(inner) = self.out.node(holds) {
            (*inner, false)
        } else {
            (holds, true)
        };
        match (self.out.node(asked), state) {
            (
                Node::Same(left, right) | Node::Compare(left, Comparison::Equal, right),
                State::Fact(fact, of, value),
            ) if yes => self.is_fact(*left, *fact, *of) && same(*right, *value),
            (Node::Same(left, right), State::Verdict(trace, of, stated)) if yes => {
                let kept = matches!(self.out.node(*left), Node::Verdict(t, o, Asked::Kept) if t == trace && same(*o, *of));
                kept && matches!(self.out.node(*right), Node::Word(_, word) if (*word == 0) == *stated)
            }
            (_, State::Fact(fact, of, value)) => {
                self.is_fact(asked, *fact, *of)
                    && matches!(self.out.node(*value), Node::Truth(truth) if *truth == yes)
            }
            _ => false,
        }
    }

    fn is_fact(&self, id: ExprId, fact: FactId, of: Option<ExprId>) -> bool {
        match (self.out.node(id), of) {
            (Node::Fact(f, o), Some(of)) => {
                *f == fact && same_question(&self.out, self.sources, *o, of)
            }
            (Node::WorldFact(f), _) => *f == fact,
            _ => false,
        }
    }

    /// Whether all that a condition compares is certainly there: what is barred or missing compares
    /// with nothing.
    fn all_there(&self, id: ExprId, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let there = |id: &ExprId| self.all_there(*id, depth);
        match self.out.node(id) {
            Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World
            | Node::Side(_)
            | Node::WorldFact(_)
            | Node::Ruling(_)
            | Node::Count(_)
            | Node::Verdict(..) => true,
            Node::Fact(fact, of) => self.is_named(*of) || self.may_be_of_none(*fact),
            Node::And(parts) | Node::Or(parts) => parts.iter().all(there),
            Node::Not(inner) | Node::Rank(inner) => there(inner),
            Node::Same(left, right) | Node::Compare(left, _, right) => there(left) && there(right),
            Node::Define(_, Some(of)) | Node::Table(_, _, Some(of)) if !self.is_named(*of) => false,
            Node::Define(define, _) => {
                self.out.defines.get(define.index()).is_some_and(|d| there(&d.value))
            }
            Node::Table(table, result, _) => self.out.tables.get(table.index()).is_some_and(|t| {
                t.rows.iter().all(|row| {
                    row.values
                        .get(usize::from(*result))
                        .copied()
                        .flatten()
                        .is_some_and(|v| there(&v))
                })
            }),
            // What is not stored may be barred, or of nothing.
            Node::Nothing
            | Node::SpaceCalled(_)
            | Node::Viewer
            | Node::Subject(_)
            | Node::Chosen(..) => false,
            Node::Pair(..)
            | Node::Hook(..)
            | Node::Evidence(..)
            | Node::WouldBe { .. }
            | Node::Outcome(..)
            | Node::Stopped(..)
            | Node::Chance(..)
            | Node::Total
            | Node::Natural => false,
            Node::IsKind(..)
            | Node::Stands(..)
            | Node::Sides { .. }
            | Node::Listed(..)
            | Node::Removed(_)
            | Node::OverStep(_)
            | Node::StepEnd(_)
            | Node::LinkEnd(..)
            | Node::Any(_)
            | Node::Only(_) => false,
            Node::Aggregate(..)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Extreme { .. } => false,
        }
    }

    /// Whether a thing is there for certain: one that the case names, or that a value is asked of.
    fn is_named(&self, id: ExprId) -> bool {
        matches!(
            self.out.node(id),
            Node::Unit(_) | Node::Space(_) | Node::Link(_) | Node::Side(_) | Node::Subject(_)
        )
    }

    /// Whether a fact is within its range where there is nothing that has it: it is 0, no or the
    /// first word then.
    fn may_be_of_none(&self, fact: FactId) -> bool {
        match self.out.facts.get(fact.index()).map(|f| f.ty) {
            Some(Type::Number { low, high, .. }) => low <= 0 && high >= 0,
            Some(Type::Truth | Type::Word(_)) => true,
            Some(Type::Thing { .. }) | None => false,
        }
    }
}
