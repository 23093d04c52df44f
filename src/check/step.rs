//! `over river` asks the step of a line: it means something in the cost of a step, and nowhere
//! else.

use indexmap::IndexMap;

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;

/// All expressions that the steps of phases ask.
pub(super) fn asked_by_steps(rules: &Ruleset) -> Vec<ExprId> {
    let steps = rules.phases.iter().flat_map(|phase| &phase.steps);
    steps.flat_map(|step| step.parts(rules)).collect()
}

impl Checker<'_> {
    /// Refuses what asks about a step where no step is priced, by itself or through what it names.
    pub(super) fn steps_outside_costs(&mut self) {
        if !self.out.nodes.iter().any(|node| matches!(node, Node::OverStep(_) | Node::StepEnd(_))) {
            return;
        }
        let outside = self.outside_costs();
        self.refuse_steps(outside);
    }

    /// Refuses what asks about a step in these expressions, and in what they name.
    pub(super) fn refuse_steps(&mut self, starts: Vec<ExprId>) {
        // A test, a hook and another answer are asked anew, without the step; their own expressions
        // are among these.
        let enters = |part: Part| matches!(part, Part::Define(_) | Part::Table(_) | Part::Pair(_));
        let mut found: IndexMap<ExprId, ExprId> = IndexMap::new();
        self.out.walk(starts, enters, |start, id| {
            if matches!(self.out.node(id), Node::OverStep(_) | Node::StepEnd(_)) {
                found.entry(start).or_insert(id);
            }
        });
        for (start, id) in found {
            self.no_step(start, id);
        }
    }

    fn no_step(&mut self, start: ExprId, id: ExprId) {
        let place = |id: ExprId| self.out.node_spans.get(id.index()).copied().unwrap_or_default();
        let (outer, inner) = (place(start), place(id));
        let within =
            outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end;
        let (message, help) = match self.out.node(id) {
            Node::OverStep(link) => {
                let name = self.kind_name(*link);
                let message =
                    format!("`over {name}` asks about a step, and no step is priced here");
                let help = format!(
                    "in a `cost` it asks about the step; to keep a line off such links, name the others behind `over`, or ask `any {name} here`"
                );
                (message, help)
            }
            node => {
                let end = if matches!(node, Node::StepEnd(true)) { "next" } else { "last" };
                let message =
                    format!("`the {end}` is an end of a step, and no step is priced here");
                (message, "it stands behind `over ... when` and in a `cost`".to_owned())
            }
        };
        let place: Span = if within { inner } else { outer };
        let fault = Diagnostic::error(code::E0416, place, message).help(help);
        self.fault(if within { fault } else { fault.label(inner, "it is asked here") });
    }

    /// All expressions that something is asked by, but the costs of steps.
    fn outside_costs(&self) -> Vec<ExprId> {
        let rules = &self.out;
        let mut found: Vec<ExprId> = rules.traces.iter().flat_map(Trace::conditions).collect();
        found.extend(rules.tests.iter().flat_map(Test::parts));
        found.extend(rules.hooks.iter().flat_map(Hook::parts));
        found.extend(rules.bases.iter().flat_map(BaseRule::parts));
        found.extend(
            (0..rules.choices.len())
                .flat_map(|at| rules.expressions_of(Part::Choice(ChoiceId::at(at)))),
        );
        found.extend(asked_by_steps(rules));
        for (things, _) in self.symbols.joins.values() {
            rules.for_each_part_of_things(*things, &mut |part| {
                found.extend(rules.expressions_of(part))
            });
        }
        for every_two in rules.kinds.iter().filter_map(|kind| kind.every_two.as_deref()) {
            rules.for_each_part_of_things(every_two.things, &mut |part| {
                found.extend(rules.expressions_of(part))
            });
        }
        found.extend(rules.setups.iter().flat_map(|setup| &setup.facts).flat_map(State::parts));
        let steps = rules.cases.iter().flat_map(|case| &case.steps);
        found.extend(steps.flat_map(|step| step.kind.parts()));
        found
    }
}
