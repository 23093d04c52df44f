//! Named values of units that ask how things stand to a side, read of units of any side: they are
//! asked as whoever asks, and not as the owner of each.

use super::own_files;
use crate::diag::{Diagnostic, code};
use crate::ir::{ExprId, KindId, Node, Part, Ruleset, Things, Whose};
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
    let mut found = Vec::new();
    for (_, things) in rules.things.iter().enumerate().filter(|(at, _)| !own.contains(at)) {
        for (at, name) in viewed(rules, things) {
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
                "say of which side they are, as in `any own army`, or allow it if the side that asks is meant",
            ));
        }
    }
    found.dedup();
    found
}

/// The named values that a phrase asks of its candidates and that depend on who asks; none where
/// the phrase says how its candidates stand to the side that asks.
fn viewed<'r>(rules: &'r Ruleset, things: &Things) -> Vec<(ExprId, &'r str)> {
    if rules.top(things.kind) != KindId::UNIT {
        return Vec::new();
    }
    let of_candidate =
        |id: ExprId| matches!(rules.node(id), Node::Subject(level) if *level == things.level);
    let (mut found, mut says) = (Vec::new(), false);
    rules.walk(
        things.condition,
        |part| matches!(part, Part::Expr(_)),
        |_, id| {
            let named = match rules.node(id) {
                Node::Stands(of, _) => {
                    says |= of_candidate(*of);
                    return;
                }
                Node::Define(define, Some(of)) => {
                    rules.defines.get(define.index()).map(|d| (d.viewed, d.name.as_str(), *of))
                }
                Node::Table(table, _, Some(of)) => {
                    rules.tables.get(table.index()).map(|t| (t.viewed, t.name.as_str(), *of))
                }
                Node::Hook(hook, Some(of)) => {
                    rules.hooks.get(hook.index()).map(|h| (h.viewed, h.name.as_str(), *of))
                }
                _ => None,
            };
            if let Some((true, name, of)) = named
                && of_candidate(of)
            {
                found.push((id, name));
            }
        },
    );
    if says { Vec::new() } else { found }
}
