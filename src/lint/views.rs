//! Named values of units that ask how things stand to a side, read of units of any side: they are
//! asked as whoever asks, and not as the owner of each.

use std::collections::BTreeMap;

use super::own_files;
use crate::diag::{Diagnostic, code};
use crate::ir::{ExprId, KindId, Node, Part, Ruleset, Stance, Things, Whose};
use crate::mutate::Given;
use crate::syntax::ast::ItemKind;

/// Where a noun phrase of units says of no side that it means its units, and asks of each what
/// depends on who asks.
pub(super) fn of_any_side(main: &Given<'_>) -> Vec<Diagnostic> {
    let rules = main.rules;
    let files = own_files(main);
    let cases = main
        .resolved
        .items
        .iter()
        .filter(|i| matches!(i.item.kind, ItemKind::Case(_)))
        .map(|i| i.item.span);
    let cases: Vec<_> = cases.collect();
    // In a phase of no side each unit is asked by its own.
    let of_none = rules.phases.iter().filter(|p| p.moments.iter().all(|m| m.whose == Whose::All));
    let own: Vec<usize> = of_none
        .flat_map(|phase| phase.steps.iter().filter_map(|step| step.things))
        .map(crate::ir::ThingsId::index)
        .collect();
    let mut amounts: BTreeMap<usize, Vec<ExprId>> = BTreeMap::new();
    for node in &rules.nodes {
        if let Node::Aggregate(_, value, of) = node {
            amounts.entry(of.index()).or_default().push(*value);
        }
    }
    let mut found = Vec::new();
    for (place, things) in rules.things.iter().enumerate().filter(|(at, _)| !own.contains(at)) {
        for (at, name) in viewed(rules, things, amounts.get(&place).map_or(&[], Vec::as_slice)) {
            let Some(span) = rules.node_spans.get(at.index()).copied() else { continue };
            let in_case = cases.iter().any(|case| {
                case.source == span.source && case.start <= span.start && span.end <= case.end
            });
            if in_case || !files.contains(&span.source) {
                continue;
            }
            let message =
                format!("`{name}` is asked here as seen by the side that asks, whoever owns each");
            found.push(Diagnostic::warning(code::W1209, span, message).help(
                "say that they are on the side that asks, as in `any own army`, or allow it if its view is meant",
            ));
        }
    }
    found.dedup();
    found
}

/// The named values that a phrase, or an amount over its candidates, asks of these and that depend
/// on who asks; none where the phrase says that its candidates are on the side that asks.
fn viewed<'r>(rules: &'r Ruleset, things: &Things, values: &[ExprId]) -> Vec<(ExprId, &'r str)> {
    let level = things.level;
    if rules.top(things.kind) != KindId::UNIT
        || things.condition.is_some_and(|when| says_own(rules, when, level))
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    rules.walk(
        things.condition.into_iter().chain(values.iter().copied()),
        |part| matches!(part, Part::Expr(_)),
        |_, id| {
            if let Some((part, name)) = named(rules, id, level)
                && is_viewed(rules, part)
                && sees_others(rules, part, &mut Vec::new())
            {
                found.push((id, name));
            }
        },
    );
    found
}

/// A define, a table or a hook that is asked of the subject of a level, and its name.
fn named(rules: &Ruleset, id: ExprId, level: u8) -> Option<(Part, &str)> {
    let (part, name, of) = match rules.node(id) {
        Node::Define(define, of) => {
            (Part::Define(*define), rules.defines.get(define.index())?.name.as_str(), of)
        }
        Node::Table(table, _, of) => {
            (Part::Table(*table), rules.tables.get(table.index())?.name.as_str(), of)
        }
        Node::Hook(hook, of) => {
            (Part::Hook(*hook), rules.hooks.get(hook.index())?.name.as_str(), of)
        }
        _ => return None,
    };
    of.filter(|of| is_subject(rules, *of, level)).map(|_| (part, name))
}

fn is_subject(rules: &Ruleset, id: ExprId, level: u8) -> bool {
    matches!(rules.node(id), Node::Subject(of) if *of == level)
}

/// Whether a condition lets only things through that are on the side that asks, as its own or an
/// ally's.
fn says_own(rules: &Ruleset, when: ExprId, level: u8) -> bool {
    match rules.node(when) {
        Node::Stands(of, Stance::Own | Stance::Allied | Stance::Friendly) => {
            is_subject(rules, *of, level)
        }
        Node::And(parts) => parts.iter().any(|part| says_own(rules, *part, level)),
        Node::Or(parts) => parts.iter().all(|part| says_own(rules, *part, level)),
        Node::Define(define, Some(of)) if is_subject(rules, *of, level) => {
            rules.defines.get(define.index()).is_some_and(|d| says_own(rules, d.value, 0))
        }
        _ => false,
    }
}

/// Whether a named value asks how anything but its own thing stands to the side that asks: whose
/// its own thing is, is what a condition on it is there to say.
fn sees_others(rules: &Ruleset, part: Part, seen: &mut Vec<Part>) -> bool {
    if seen.contains(&part) {
        return false;
    }
    seen.push(part);
    rules.expressions_of(part).into_iter().any(|id| reads_others(rules, id, seen))
}

fn reads_others(rules: &Ruleset, id: ExprId, seen: &mut Vec<Part>) -> bool {
    let node = rules.node(id);
    match node {
        Node::Stands(of, _) if is_subject(rules, *of, 0) => return false,
        Node::Stands(..) | Node::Viewer => return true,
        _ => {}
    }
    if let Some((part, _)) = named(rules, id, 0) {
        return sees_others(rules, part, seen);
    }
    let mut found = false;
    rules.for_each_part(node, &mut |part| {
        found = found
            || match part {
                Part::Expr(id) => reads_others(rules, id, seen),
                _ => is_viewed(rules, part),
            };
    });
    found
}

/// Whether what something named says depends on who asks.
fn is_viewed(rules: &Ruleset, part: Part) -> bool {
    match part {
        Part::Define(id) => rules.defines.get(id.index()).is_some_and(|d| d.viewed),
        Part::Table(id) => rules.tables.get(id.index()).is_some_and(|t| t.viewed),
        Part::Hook(id) => rules.hooks.get(id.index()).is_some_and(|h| h.viewed),
        Part::Pair(id) => rules.pairs.get(id.index()).is_some_and(|p| p.viewed),
        // A line of spaces is asked by who asks; all else by the owner of the unit.
        Part::Trace(id) => rules.traces.get(id.index()).is_some_and(|t| t.viewed),
        Part::Expr(_) | Part::Test(_) | Part::Choice(_) => false,
    }
}
