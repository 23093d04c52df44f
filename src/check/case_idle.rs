//! Lines of a case that do nothing: what is given and given again before anything is asked, and what
//! stands behind the last expectation.

use std::collections::BTreeMap;

use super::Checker;
use super::witness::same_question;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;

impl Checker<'_> {
    /// Warns of the lines of cases that do nothing. The lines above a grid stand in each of its
    /// rows, and must do nothing in any of them.
    pub(super) fn idle_lines(&mut self) {
        let mut given_again: BTreeMap<Span, Option<Span>> = BTreeMap::new();
        let mut unasked: BTreeMap<Span, bool> = BTreeMap::new();
        for case in &self.out.cases {
            for (at, step) in case.steps.iter().enumerate() {
                let CaseStepKind::State(state) = &step.kind else { continue };
                let again = self.given_again(state, case.steps.get(at + 1..).unwrap_or_default());
                let in_others = given_again.entry(step.span).or_insert(again);
                *in_others = in_others.and(again);
            }
            let last = case.steps.iter().rposition(|step| step.kind.expects());
            // Where one row of a grid expects, another may expect anything.
            let in_row = |step: &CaseStep| {
                case.span.start <= step.span.start && step.span.end <= case.span.end
            };
            for (at, step) in case.steps.iter().enumerate().filter(|(_, step)| !in_row(step)) {
                let behind = last.is_some_and(|last| at > last);
                unasked.entry(step.span).and_modify(|all| *all &= behind).or_insert(behind);
            }
        }
        for (span, again) in given_again {
            let Some(again) = again else { continue };
            let what = "this is given again before anything is asked, and so does nothing";
            let fault = Diagnostic::warning(code::W0734, span, what).label(again, "given again");
            self.fault(fault.help("take one of the two out, or expect something between them"));
        }
        if let Some((span, _)) = unasked.into_iter().find(|(_, behind)| *behind) {
            let what = "nothing is expected behind this line, so it shows nothing";
            let fault = Diagnostic::warning(code::W0734, span, what);
            self.fault(fault.help("expect what it comes to, or take it out"));
        }
    }

    /// Where a fact of the same thing is stated again before anything is asked or happens.
    fn given_again(&self, state: &State, behind: &[CaseStep]) -> Option<Span> {
        let State::Fact(fact, of, _) = state else { return None };
        let mut states = behind.iter().map_while(|step| match &step.kind {
            CaseStepKind::State(state) => Some((state, step.span)),
            _ => None,
        });
        let again = |other: &State| matches!(other, State::Fact(again, of_again, _) if again == fact && self.is_of_one(*of, *of_again));
        states.find(|(other, _)| again(other)).map(|(_, span)| span)
    }

    fn is_of_one(&self, a: Option<ExprId>, b: Option<ExprId>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => {
                self.out.node(a).is_object() && same_question(&self.out, self.sources, a, b)
            }
            (None, None) => true,
            _ => false,
        }
    }
}
