//! One case, step by step: given, when, expect.

use crate::diag::Diagnostic;
use crate::engine::{self, Choice, Dice, RunFault, offers};
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position};
use crate::report::{explain, explanation_text, fault_diagnostic, thing_name, value_text};
use crate::source::Span;
use crate::world::{ThingRef, World};

/// What became of one case.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Its title.
    pub title: String,
    /// The ids of the clauses it shows.
    pub covers: Vec<String>,
    /// Where it is written.
    pub span: Span,
    /// What did not come out as expected; none for a case that passed.
    pub failures: Vec<Failure>,
}

/// One expectation that was not met.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Where it is written.
    pub span: Span,
    /// What is so, and what was expected.
    pub message: String,
    /// Why it is so, where a trace was asked.
    pub why: Option<String>,
    /// What could not be worked out, with its code and its place in the rules.
    pub fault: Option<Box<Diagnostic>>,
}

/// Runs one case; `text` gives the words of a place, for messages.
pub fn run_case<'t>(rules: &Ruleset, case: &Case, text: impl Fn(Span) -> &'t str) -> Outcome {
    let covers = case.covers.iter().filter_map(|c| rules.clauses.get(c.index())).map(|c| c.id.clone()).collect();
    let mut outcome = Outcome { title: case.title.clone(), covers, span: case.span, failures: Vec::new() };
    if let Err(failure) = steps(rules, case, &text, &mut outcome.failures) {
        outcome.failures.push(failure);
    }
    outcome
}

fn steps<'t>(rules: &Ruleset, case: &Case, text: &impl Fn(Span) -> &'t str, failures: &mut Vec<Failure>) -> Result<(), Failure> {
    let broken = |span: Span| {
        move |fault: EvalFault| {
            let fault = fault_diagnostic(rules, fault);
            Failure { span, message: format!("{}: {}", fault.code, fault.message), why: None, fault: Some(Box::new(fault)) }
        }
    };
    let stopped = |span: Span| {
        move |fault: RunFault| match fault {
            RunFault::Eval(fault) => broken(span)(fault),
            fault => Failure { span, message: fault.to_string(), why: None, fault: None },
        }
    };
    let mut world = match case.setup {
        Some(setup) => crate::world::start(rules, setup),
        None => World::new(rules, case.map.unwrap_or(MapId(0))),
    };
    let first = world.units.len();
    let (mut dice, mut dice_at) = (Dice::default(), case.span);
    // Every unit of the case has its place from the start, so that facts may name it; it comes onto the map when put.
    for unit in &case.units {
        let at = world.put(rules, unit);
        if let Some(unit) = world.units.get_mut(at as usize) {
            unit.removed = true;
        }
    }
    for step in &case.steps {
        match &step.kind {
            CaseStepKind::Put(at) => {
                if let Some(unit) = world.units.get_mut(first + *at as usize) {
                    unit.removed = false;
                }
            }
            CaseStepKind::State(state) => engine::state(rules, &mut world, state).map_err(broken(step.span))?,
            CaseStepKind::Dice(shown) => {
                failures.extend(left_over(&dice, dice_at));
                (dice, dice_at) = (Dice::list(shown.clone()), step.span);
            }
            CaseStepKind::Run(phase, side) => {
                engine::run(rules, &mut world, *phase, *side, &mut dice).map_err(stopped(step.span))?;
            }
            CaseStepKind::Pass(moment) => {
                engine::pass(rules, &mut world, *moment, &mut dice).map_err(stopped(step.span))?;
            }
            CaseStepKind::Expect(condition) => {
                let failed = expect(rules, &world, *condition, None, step.span, text).map_err(broken(step.span))?;
                failures.extend(failed);
            }
            CaseStepKind::ExpectValue { value, holds } => {
                let failed = expect(rules, &world, *holds, Some(*value), step.span, text).map_err(broken(step.span))?;
                failures.extend(failed);
            }
            CaseStepKind::ExpectChoice { subject, negated, must, effect } => {
                let failed = choice(rules, &world, *subject, *negated, *must, effect, step.span).map_err(broken(step.span))?;
                failures.extend(failed);
            }
        }
    }
    failures.extend(left_over(&dice, dice_at));
    Ok(())
}

/// Dice that a case gives and nobody throws: it tells of another roll than the one that was made.
fn left_over(dice: &Dice, span: Span) -> Option<Failure> {
    let left = dice.left();
    let numbers = left.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let message = match (left.len(), dice.shown().len()) {
        (0, _) => return None,
        (_, 0) => format!("nothing is rolled, and the dice {numbers} are left"),
        (1, _) => format!("the die {numbers} is left when all is rolled"),
        _ => format!("the dice {numbers} are left when all is rolled"),
    };
    Some(Failure { span, message, why: None, fault: None })
}

fn expect<'t>(
    rules: &Ruleset,
    world: &World,
    holds: ExprId,
    value: Option<ExprId>,
    span: Span,
    text: &impl Fn(Span) -> &'t str,
) -> Result<Option<Failure>, EvalFault> {
    let Some(position) = Position::new(rules, world) else { return Ok(None) };
    let cx = Cx::world(world.viewer);
    if position.holds(holds, &cx)? {
        return Ok(None);
    }
    // The value to show: the column of a grid, or the left side of what was expected.
    let shown = value.or_else(|| left_side(rules, holds));
    let mut message = format!("expected `{}`", text(span).trim());
    if let Some(shown) = shown {
        let found = value_text(&position, shown, position.value(shown, &cx)?);
        let asked = rules.node_spans.get(shown.index()).map_or("", |s| text(*s)).trim();
        message = format!("`{asked}` is {found}, {message}");
    }
    let why = match shown.and_then(|s| asked_trace(rules, s)).or_else(|| asked_trace(rules, holds)) {
        Some((trace, of)) => match position.value(of, &cx)?.thing() {
            Some(thing) => Some(explanation_text(&explain(&position, trace, thing)?)),
            None => None,
        },
        None => None,
    };
    Ok(Some(Failure { span, message, why, fault: None }))
}

fn left_side(rules: &Ruleset, holds: ExprId) -> Option<ExprId> {
    match rules.node(holds) {
        Node::Same(left, _) | Node::Compare(left, _, _) => Some(*left),
        Node::Not(inner) => left_side(rules, *inner),
        _ => None,
    }
}

/// The trace that an expression asks, and of what.
fn asked_trace(rules: &Ruleset, id: ExprId) -> Option<(TraceId, ExprId)> {
    match rules.node(id) {
        Node::Verdict(trace, of, _) | Node::Evidence(trace, _, of, _) => Some((*trace, *of)),
        Node::Same(left, _) | Node::Compare(left, _, _) | Node::Not(left) => asked_trace(rules, *left),
        _ => None,
    }
}

#[allow(clippy::too_many_arguments, reason = "the parts of one expectation")]
fn choice(
    rules: &Ruleset,
    world: &World,
    subject: ExprId,
    negated: bool,
    must: bool,
    effect: &ChosenEffect,
    span: Span,
) -> Result<Option<Failure>, EvalFault> {
    let Some(position) = Position::new(rules, world) else { return Ok(None) };
    let cx = Cx::world(world.viewer);
    let Some(thing) = position.value(subject, &cx)?.thing() else { return Ok(None) };
    let mut ends = Vec::new();
    if let ChosenEffect::Follow(_, to) = effect {
        for end in to {
            if let Some(ThingRef::Space(space)) = position.value(*end, &cx)?.thing() {
                ends.push(space);
            }
        }
        ends.sort_unstable();
    }
    let mut seen = Vec::new();
    let mut found = false;
    for offer in offers(&position, thing)?.iter().filter(|o| o.must == must) {
        match (&offer.choice, effect) {
            (Choice::Mark(a), ChosenEffect::Mark(b)) | (Choice::Clear(a), ChosenEffect::Clear(b)) => found |= a == b,
            (Choice::Remove, ChosenEffect::Remove) => found = true,
            (Choice::Follow(a, march), ChosenEffect::Follow(b, _)) if a == b => {
                seen = march.ends.clone();
                found |= !march.ends.is_empty() && (ends.is_empty() || march.ends == ends);
            }
            _ => {}
        }
    }
    if found != negated {
        return Ok(None);
    }
    let name = thing_name(rules, world, thing);
    let names = |spaces: &[u32]| {
        let names: Vec<String> = spaces.iter().map(|s| thing_name(rules, world, ThingRef::Space(*s))).collect();
        if names.is_empty() { "nowhere".to_owned() } else { names.join(", ") }
    };
    let verb = if must { "must" } else { "may" };
    let message = match effect {
        ChosenEffect::Follow(..) if !negated => format!("`{name}` {verb} go to {}, expected {}", names(&seen), names(&ends)),
        _ if negated => format!("`{name}` {verb} do it, expected that it {verb} not"),
        _ => format!("nothing says that `{name}` {verb} do it"),
    };
    Ok(Some(Failure { span, message, why: None, fault: None }))
}
