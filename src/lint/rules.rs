//! Conditions that are settled by ranges, defines that say the same, and tables of a count that
//! turn back.

use crate::arrange::Arrange as _;
use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::itself::one_line;
use crate::check::{question, settled, unsteady};
use crate::diag::{Diagnostic, code};
use crate::ir::{ExprId, FactId, FactOrigin, LineId, Node, Type};
use crate::mutate::Given;
use crate::source::Span;
use crate::syntax::ast::{ItemKind, TableBody};

/// Conditions of the ruleset's own rules that hold whatever is so, or never; of each the largest
/// part.
pub(super) fn settled_conditions(main: &Given<'_>) -> Vec<Diagnostic> {
    let rules = main.rules;
    let own = own_conditions(main);
    let is_own =
        |span: Span| own.iter().any(|item| inside(span, *item)) && !is_asked_of_links(main, span);
    // `x is not y` is a denial and what it denies in one place; the whole is made last, and counts.
    let mut found: IndexMap<Span, bool> = IndexMap::new();
    for (at, node) in rules.nodes.iter().enumerate() {
        let Some(span) =
            rules.node_spans.get(at).copied().filter(|s| s.start < s.end && is_own(*s))
        else {
            continue;
        };
        if matches!(
            node,
            Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Compare(..) | Node::Same(..)
        ) && let Some(holds) = settled(rules, main.sources, ExprId::at(at))
        {
            found.insert(span, holds);
        }
    }
    let outer = |span: Span| !found.keys().any(|other| *other != span && inside(span, *other));
    let mut told: Vec<(Span, bool)> =
        found.iter().map(|(span, holds)| (*span, *holds)).filter(|(s, _)| outer(*s)).collect();
    told.arrange_by_key(|(span, _)| *span);
    told.into_iter()
        .map(|(span, holds)| {
            let text = one_line(main.sources.slice(span));
            let what = if holds { "always holds" } else { "never holds" };
            Diagnostic::warning(code::W1204, span, format!("`{text}` {what}, whatever is so"))
                .help("write what was meant, or leave this part out")
        })
        .collect()
}

/// The items of the ruleset itself in which conditions are written; not charts, whose cells become
/// conditions that nobody wrote, and not cases, which the check covers.
pub(super) fn own_conditions(main: &Given<'_>) -> Vec<Span> {
    let items = main.resolved.items.iter();
    let own = items.filter(|i| !i.inherited && is_written(&i.item.kind));
    own.map(|i| i.item.span).collect()
}

/// Whether a place lies in another.
pub(super) fn inside(a: Span, b: Span) -> bool {
    a.source == b.source && b.start <= a.start && a.end <= b.end
}

/// Whether a condition is asked of links: these the map settles, and something else stands for them
/// in the rules.
pub(super) fn is_asked_of_links(main: &Given<'_>, span: Span) -> bool {
    let text = main.sources.text(span.source);
    let before = text.get(..span.start as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.split_whitespace().any(|word| word == "over")
}

fn is_written(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Table(table) => matches!(table.body, TableBody::List { .. }),
        ItemKind::Define(_)
        | ItemKind::Pair(_)
        | ItemKind::Trace(_)
        | ItemKind::Test(_)
        | ItemKind::Exception(_)
        | ItemKind::Hook(_)
        | ItemKind::Phase(_)
        | ItemKind::Choice(_) => true,
        _ => false,
    }
}

/// Defines of one kind whose conditions are the same, told at the later one.
pub(super) fn twice_said(main: &Given<'_>) -> Vec<Diagnostic> {
    let rules = main.rules;
    let mut first: BTreeMap<String, (&str, Span)> = BTreeMap::new();
    let mut found = Vec::new();
    for define in &rules.defines {
        let simple = !matches!(
            rules.node(define.value),
            Node::And(_)
                | Node::Or(_)
                | Node::Any(_)
                | Node::Count(_)
                | Node::Aggregate(..)
                | Node::Compare(..)
        );
        let Some(span) = line(main, define.line).filter(|_| !simple) else { continue };
        let key = format!(
            "{:?} {:?} {}",
            define.of,
            define.ty,
            question(rules, main.sources, define.value)
        );
        if let Some((name, place)) = first.get(&key) {
            let fault = Diagnostic::warning(
                code::W1205,
                span,
                format!("`{}` says the same as `{name}`", define.name),
            );
            found.push(
                fault
                    .label(*place, "this one")
                    .help(format!("use `{name}` in its stead, or say how they differ")),
            );
        } else {
            first.insert(key, (&define.name, span));
        }
    }
    found
}

/// Where a line of the ruleset's own is written.
pub(super) fn line(main: &Given<'_>, id: LineId) -> Option<Span> {
    let span = main.rules.lines.get(id.index())?.span;
    let own = main.resolved.items.iter().any(|i| !i.inherited && i.item.span.source == span.source);
    own.then_some(span)
}

/// Tables that rise and fall again with a count, such as that of turns out of supply.
pub(super) fn turning_tables(main: &Given<'_>) -> Vec<Diagnostic> {
    let rules = main.rules;
    let counters = rules.traces.iter().filter_map(|t| t.counter);
    let counts = rules
        .facts
        .iter()
        .enumerate()
        .filter(|(_, f)| matches!(f.origin, FactOrigin::Count(_)))
        .map(|(at, _)| FactId::at(at));
    let counts: Vec<FactId> = counters.chain(counts).collect();
    let mut found = Vec::new();
    for table in &rules.tables {
        let Some(span) = line(main, table.line) else { continue };
        for (at, (name, _)) in table
            .results
            .iter()
            .enumerate()
            .filter(|(_, (_, ty))| matches!(ty, Type::Number { .. }))
        {
            let turns = counts
                .iter()
                .find_map(|c| Some((c, unsteady(rules, main.sources, table, *c, at)?)));
            let Some((count, [a, b, c])) = turns else { continue };
            let of = rules.facts.get(count.index()).map_or("", |f| f.name.as_str());
            let which = if table.results.len() > 1 {
                format!("`{name}` of `{}`", table.name)
            } else {
                format!("`{}`", table.name)
            };
            let message = format!(
                "{which} turns back: it gives {} when `{of}` is {}, {} when it is {}, and {} when it is {}",
                a.1, a.0, b.1, b.0, c.1, c.0
            );
            found.push(
                Diagnostic::warning(code::W1203, span, message)
                    .help("mend the number, or say that the rules mean it so"),
            );
        }
    }
    found
}
