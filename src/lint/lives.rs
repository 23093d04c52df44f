//! Marks, counts and outcomes along the clock: what is asked only where it has always ended, and
//! what is set only where it ends at once.

use std::collections::BTreeMap;

use super::course::{Asking, Course, Life, Noted, StepAt, is_own};
use super::itself::is_subject;
use super::own_files;
use super::rules::line;
use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, code};
use crate::ir::{ExprId, FactId, FactOrigin, Node, Part, PhaseId, Ruleset, Step, Whose};
use crate::mutate::Given;
use crate::report::moment_text;

/// The most places that a finding labels.
const MOST_PLACES: usize = 3;
/// More expressions than this are not looked through for each step.
const MOST_LOOKED_AT: usize = 1 << 24;

/// Findings about what ends by itself, in the order of its declaration.
pub(super) fn ended(main: &Given<'_>) -> Vec<Diagnostic> {
    let rules = main.rules;
    let Some(course) = Course::of(rules) else { return Vec::new() };
    let asked = asked(rules);
    let mut found = Vec::new();
    for noted in course.noted() {
        let life = course.life(noted);
        for (id, by) in asked.iter().filter(|(id, _)| noted.is_asked_by(rules.node(**id))) {
            let is_own = |asking: &Asking| is_of_its_own(rules, *id, *asking);
            // What sets it may ask whether it is there already, as offers do that are asked again.
            let guards = |(phase, step): &Asking| {
                step.is_some_and(|step| life.set_at.contains(&(*phase, step)))
            };
            let ever = |asking: &Asking| guards(asking) || life.ever_there(*asking, is_own(asking));
            if !by.iter().any(ever) {
                found.extend(asked_too_late(main, &life, *id));
            }
        }
        for (phase, step) in course.set_in_vain(noted) {
            found.extend(set_in_vain(main, noted, (phase, step)));
        }
    }
    found.arrange_by_key(Diagnostic::primary);
    found
}

/// The facts and outcomes that phases ask, and where each is asked; none that anything else may ask
/// too.
fn asked(rules: &Ruleset) -> BTreeMap<ExprId, Vec<Asking>> {
    let steps: usize = rules.phases.iter().map(|phase| phase.steps.len() + 1).sum();
    let looks = rules.nodes.len().saturating_mul(steps) < MOST_LOOKED_AT;
    let enters = |part: Part| {
        looks && matches!(part, Part::Define(_) | Part::Table(_) | Part::Pair(_) | Part::Choice(_))
    };
    let notes =
        |id| matches!(rules.node(id), Node::Fact(..) | Node::WorldFact(_) | Node::Outcome(..));
    let mut reached = vec![false; rules.nodes.len()];
    let mut found: BTreeMap<ExprId, Vec<Asking>> = BTreeMap::new();
    for (at, phase) in rules.phases.iter().enumerate() {
        let begins = (None, phase.when.into_iter().collect());
        let steps = phase.steps.iter().enumerate().map(|(k, s)| (Some(k), s.parts(rules)));
        for (step, starts) in std::iter::once(begins).chain(steps) {
            rules.walk(starts, enters, |_, id| {
                reached.iter_mut().skip(id.index()).take(1).for_each(|here| *here = true);
                if notes(id) {
                    found.entry(id).or_default().push((PhaseId::at(at), step));
                }
            });
        }
    }
    let others = (0..).map(ExprId::at).zip(&reached).filter(|(_, here)| !**here);
    rules.walk(others.map(|(id, _)| id), enters, |_, id| drop(found.remove(&id)));
    found
}

/// Whether an expression asks it of the things of a step, and these are the side's whose phase it is.
fn is_of_its_own(rules: &Ruleset, id: ExprId, (phase, step): Asking) -> bool {
    let step = step.and_then(|step| step_at(rules, (phase, step)));
    let things = step.and_then(|step| rules.things.get(step.things?.index()));
    let of = match rules.node(id) {
        Node::Fact(_, of) | Node::Outcome(_, of) | Node::Stopped(_, of) => *of,
        _ => return false,
    };
    things.is_some_and(|things| is_own(rules, things) && is_subject(rules, of, things.level))
}

fn asked_too_late(main: &Given<'_>, life: &Life, id: ExprId) -> Option<Diagnostic> {
    let span = main.rules.node_spans.get(id.index()).copied()?;
    if !own_files(main).contains(&span.source) {
        return None;
    }
    let name = name_of(main.rules, life.noted);
    let (what, help) = match life.noted {
        Noted::Fact(fact) => (
            format!("has always ended when this is asked: it lasts until {}", until(main.rules, fact)),
            "ask it before, or let it last longer",
        ),
        Noted::Outcome(_) => (
            "has never been rolled when this is asked: what a turn rolls is forgotten as the next begins".to_owned(),
            "ask it behind the roll",
        ),
    };
    let fault = Diagnostic::warning(code::W1214, span, format!("`{name}` {what}")).help(help);
    let word = if matches!(life.noted, Noted::Fact(_)) { "set here" } else { "rolled here" };
    let lines = &main.rules.lines;
    let steps = life.set_at.iter().filter_map(|set| step_at(main.rules, *set));
    let places = steps.filter_map(|step| lines.get(step.line.index()).map(|line| line.span));
    Some(places.take(MOST_PLACES).fold(fault, |fault, place| fault.label(place, word)))
}

fn set_in_vain(main: &Given<'_>, noted: Noted, set: StepAt) -> Option<Diagnostic> {
    let Noted::Fact(fact) = noted else { return None };
    let span = line(main, step_at(main.rules, set)?.line)?;
    let (name, until) = (name_of(main.rules, noted), until(main.rules, fact));
    let what = format!("`{name}` lasts until {until}, and so ends before anything can ask it");
    let fault = Diagnostic::warning(code::W1214, span, what);
    Some(fault.help("set it before, or let it last longer"))
}

fn name_of(rules: &Ruleset, noted: Noted) -> &str {
    match noted {
        Noted::Fact(fact) => rules.facts.get(fact.index()).map_or("", |fact| &fact.name),
        Noted::Outcome(test) => rules.tests.get(test.index()).map_or("", |test| &test.name),
    }
}

/// The moment at which a mark ends, or a count goes back.
fn until(rules: &Ruleset, fact: FactId) -> String {
    let moment = rules.facts.get(fact.index()).and_then(|fact| match fact.origin {
        FactOrigin::Mark(until) => until,
        FactOrigin::Count(until) => Some(until),
        _ => None,
    });
    let Some(moment) = moment else { return String::new() };
    match (moment_text(rules, moment), moment.whose) {
        ((point, Some(side)), _) => format!("the {point} of {side}"),
        ((point, None), Whose::Owner) => format!("the {point} of its owner"),
        ((point, None), _) => format!("the {point}"),
    }
}

fn step_at(rules: &Ruleset, (phase, step): StepAt) -> Option<&Step> {
    rules.phases.get(phase.index())?.steps.get(step)
}
