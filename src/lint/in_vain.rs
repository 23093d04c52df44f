//! Steps that change nothing: what they would make so is so already where they happen.

use super::itself::is_subject;
use super::rules::line;
use crate::check::{Made, question, says_already};
use crate::diag::{Diagnostic, code};
use crate::ir::{Effect, ExprId, FactId, Node, Step, Things, Type};
use crate::mutate::Given;
use crate::world::built_in;

/// Findings about steps that could change nothing.
pub(super) fn steps(main: &Given<'_>) -> Vec<Diagnostic> {
    let steps = main.rules.phases.iter().flat_map(|phase| &phase.steps);
    let told = |step: &Step| {
        let span = line(main, step.line)?;
        let things = main.rules.things.get(step.things?.index())?;
        changes_nothing(main, &step.effect, things).then(|| {
            Diagnostic::warning(
                code::W1215,
                span,
                "this changes nothing: what it makes so is so already where it happens",
            )
            .help("say where it is not so yet, or take the step out")
        })
    };
    steps.filter_map(told).collect()
}

/// Whether an effect makes so what holds anyway, or what the condition of its things says.
fn changes_nothing(main: &Given<'_>, effect: &Effect, things: &Things) -> bool {
    let rules = main.rules;
    let same =
        |a: ExprId, b: ExprId| question(rules, main.sources, a) == question(rules, main.sources, b);
    match effect {
        Effect::Set(fact, of, value) if is_fact(main, *value, *fact, |a| same(a, *of)) => {
            return true;
        }
        Effect::Move(to)
            if is_fact(main, *to, built_in::SPACE, |of| is_subject(rules, of, things.level)) =>
        {
            return true;
        }
        _ => {}
    }
    let Some(condition) = things.condition else { return false };
    let mut asked = Vec::new();
    rules.walk([condition], |_| false, |_, id| asked.extend(made(main, effect, things, id)));
    asked.iter().any(|made| says_already(rules, main.sources, condition, *made))
}

/// Whether an expression is a fact of a thing.
fn is_fact(main: &Given<'_>, id: ExprId, fact: FactId, is_of: impl Fn(ExprId) -> bool) -> bool {
    matches!(main.rules.node(id), Node::Fact(of_fact, of) if *of_fact == fact && is_of(*of))
}

/// What an effect makes of what a part of the condition asks.
fn made(main: &Given<'_>, effect: &Effect, things: &Things, part: ExprId) -> Option<Made> {
    let rules = main.rules;
    let same =
        |a: ExprId, b: ExprId| question(rules, main.sources, a) == question(rules, main.sources, b);
    let is = |id: ExprId, fact: FactId, of: ExprId| is_fact(main, id, fact, |a| same(a, of));
    let of_it = |id: ExprId, fact: FactId| {
        is_fact(main, id, fact, |of| is_subject(rules, of, things.level))
    };
    let asked_is = |wanted: &dyn Fn(ExprId) -> bool, value: &dyn Fn(ExprId) -> bool| match rules
        .node(part)
    {
        Node::Same(asked, other) if wanted(*asked) && value(*other) => Some(Made::So(part, true)),
        _ => None,
    };
    match effect {
        Effect::Mark(fact) => of_it(part, *fact).then_some(Made::So(part, true)),
        Effect::Clear(fact, of) if is(part, *fact, *of) => {
            let is_mark = rules.facts.get(fact.index()).is_some_and(|f| f.ty == Type::Truth);
            is_mark.then_some(Made::So(part, false))
        }
        Effect::Clear(fact, of) => {
            let none = |id: ExprId| matches!(rules.node(id), Node::NoThing);
            asked_is(&|id| is(id, *fact, *of), &none)
        }
        Effect::Set(fact, of, value) if is(part, *fact, *of) => match rules.node(*value) {
            Node::Truth(yes) => Some(Made::So(part, *yes)),
            Node::Number { over, under: 1 } => Some(Made::At(part, *over)),
            _ => None,
        },
        Effect::Set(fact, of, value) => {
            asked_is(&|id| is(id, *fact, *of), &|other| same(other, *value))
        }
        Effect::Change { raise, fact, of, .. } => {
            let ty = rules.facts.get(fact.index()).filter(|_| is(part, *fact, *of))?.ty;
            let Type::Number { low, high, .. } = ty else { return None };
            Some(Made::At(part, if *raise { high } else { low }))
        }
        Effect::Move(to) => asked_is(&|id| of_it(id, built_in::SPACE), &|other| same(other, *to)),
        Effect::Judge(_)
        | Effect::Roll { .. }
        | Effect::RollList { .. }
        | Effect::Relate(..)
        | Effect::Remove
        | Effect::Follow { .. }
        | Effect::Place(_) => None,
    }
}
