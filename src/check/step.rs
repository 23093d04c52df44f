//! `over river` asks the step of a line: it means something in the cost of a step, and nowhere
//! else.

use indexmap::IndexMap;

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;

impl Checker<'_> {
    /// Refuses what asks about a step where no step is priced, by itself or through what it names.
    pub(super) fn steps_outside_costs(&mut self) {
        if !self.out.nodes.iter().any(|node| matches!(node, Node::OverStep(_))) {
            return;
        }
        let outside = self.outside_costs();
        self.refuse_steps(outside);
    }

    /// Refuses what asks about a step in these expressions, and in what they name.
    pub(super) fn refuse_steps(&mut self, starts: Vec<ExprId>) {
        let asks = |node: &Node| match node {
            Node::OverStep(link) => Some(*link),
            _ => None,
        };
        // A test, a hook and another answer are asked anew, without the step; their own expressions
        // are among these.
        let enters = |part: Part| matches!(part, Part::Define(_) | Part::Table(_) | Part::Pair(_));
        let mut found: IndexMap<ExprId, (ExprId, KindId)> = IndexMap::new();
        self.out.walk(starts, enters, |start, id| {
            if let Some(link) = asks(self.out.node(id)) {
                found.entry(start).or_insert((id, link));
            }
        });
        for (start, (id, link)) in found {
            self.over_without_step(start, id, link);
        }
    }

    fn over_without_step(&mut self, start: ExprId, id: ExprId, link: KindId) {
        let place = |id: ExprId| self.out.node_spans.get(id.index()).copied().unwrap_or_default();
        let (outer, inner) = (place(start), place(id));
        let name = self.kind_name(link);
        let within =
            outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end;
        let message = format!("`over {name}` asks about a step, and no step is priced here");
        let help = format!(
            "in a `cost` it asks about the step; to keep a line off such links, name the others behind `over`, or ask `any {name} here`"
        );
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
        for step in rules.phases.iter().flat_map(|phase| &phase.steps) {
            found.extend(step.effect.parts());
            found.extend(step.choice.map(|(_, whose)| whose));
            if let Some(things) = step.things {
                rules.for_each_part_of_things(things, &mut |part| {
                    found.extend(rules.expressions_of(part))
                });
            }
        }
        for (things, _) in self.symbols.joins.values() {
            rules.for_each_part_of_things(*things, &mut |part| {
                found.extend(rules.expressions_of(part))
            });
        }
        found.extend(rules.setups.iter().flat_map(|setup| &setup.facts).flat_map(State::parts));
        let steps = rules.cases.iter().flat_map(|case| &case.steps);
        found.extend(steps.flat_map(|step| step.kind.parts()));
        found
    }
}
