//! Exceptions that change nothing: without them the same is so where they speak.

use super::idle::{gives, place, told};
use super::rules::line;
use crate::check::same_without;
use crate::diag::Diagnostic;
use crate::ir::{ExprId, LineId, Node, Policy, Ruleset};
use crate::mutate::Given;
use crate::source::Span;
use crate::syntax::ast::ItemKind;

/// Findings about exceptions to tables and traces that give what is given without them.
pub(super) fn excepted(main: &Given<'_>) -> Vec<Diagnostic> {
    let (rules, exceptions) = (main.rules, Exceptions::of(main));
    let mut lists: Vec<Vec<(Option<ExprId>, String, LineId)>> = Vec::new();
    for table in rules.tables.iter().filter(|table| table.policy == Policy::First) {
        let rows = table.rows.iter();
        lists.push(rows.map(|row| (row.when, gives(main, row), row.line)).collect());
    }
    for trace in &rules.traces {
        let verdicts = trace.verdicts.iter();
        lists.push(verdicts.map(|v| (Some(v.when), v.always.to_string(), v.line)).collect());
    }
    let mut found = Vec::new();
    for list in &lists {
        let rows: Vec<(Option<ExprId>, &str)> =
            list.iter().map(|(when, gives, _)| (*when, gives.as_str())).collect();
        for (at, (.., place)) in list.iter().enumerate() {
            let name = line(main, *place).and_then(|span| exceptions.at(span));
            if let Some(name) = name.filter(|_| same_without(rules, main.sources, &rows, at)) {
                found.push(told_of_exception(name));
            }
        }
    }
    found
}

/// The ruleset's own exceptions: the place of each, and that of its name.
pub(super) struct Exceptions(Vec<(Span, Span)>);

impl Exceptions {
    /// Those that no parent has written.
    pub(super) fn of(main: &Given<'_>) -> Exceptions {
        let own = main.resolved.items.iter().filter(|item| !item.inherited);
        let places = own.filter_map(|item| match &item.item.kind {
            ItemKind::Exception(exception) => Some((item.item.span, exception.name.span)),
            _ => None,
        });
        Exceptions(places.collect())
    }

    /// The name of the exception in which a place ends: what it adds to a rule begins there.
    fn at(&self, span: Span) -> Option<Span> {
        let ends = |item: Span| {
            span.source == item.source && item.start < span.end && span.end <= item.end
        };
        let found = self.0.iter().find(|(item, _)| span.start < span.end && ends(*item));
        found.map(|(_, name)| *name)
    }

    /// The name of the exception that said a condition, or that it begins with.
    pub(super) fn around(&self, rules: &Ruleset, condition: ExprId) -> Option<Span> {
        let mut found = None;
        let mut open = (!self.0.is_empty()).then_some(condition);
        while let Some(id) = open {
            found = self.at(place(rules, id)).or(found);
            open = match rules.node(id) {
                Node::Not(inner) => Some(*inner),
                Node::And(parts) | Node::Or(parts) => parts.first().copied(),
                _ => None,
            };
        }
        found
    }
}

/// What is said of one, at its name.
pub(super) fn told_of_exception(name: Span) -> Diagnostic {
    told(name, "this exception changes nothing: where it speaks, the same is so without it")
        .help("say what it changes, or take it out")
}
