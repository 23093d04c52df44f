//! Whether a change that no case notices can be proven to change nothing.

use super::change::{Change, Sort};
use super::run::Made;
use crate::check::{Alike, Resolved, conditions_alike, tables_alike, tests_alike};
use crate::ir::{ExprId, Node, Ruleset, Type};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::ItemKind;

/// What is proven of a change.
pub(super) enum Proven {
    /// It changes nothing, and why.
    Equal(&'static str),
    /// It would show when this is so.
    Apart(String),
    /// Nothing.
    Nothing,
}

pub(super) fn proven(
    change: &Change,
    before: (&Resolved, &Ruleset, &SourceMap),
    after: &Made,
) -> Proven {
    let (resolved, rules, sources) = before;
    // What maps and setups say is in no rule that could be compared.
    if matches!(
        resolved.items.get(change.item).map(|i| &i.item.kind),
        Some(ItemKind::Map(_) | ItemKind::Setup(_))
    ) {
        return Proven::Nothing;
    }
    if bare(rules) == bare(&after.rules) {
        return Proven::Equal("it compiles to the same");
    }
    let alike = match resolved.items.get(change.item).map(|i| &i.item.kind) {
        Some(ItemKind::Table(table)) => {
            if change.sort == Sort::KeptDropped
                && stays_within(rules, &after.rules, &table.name.text)
            {
                return Proven::Equal("the rows never come to more, or to less, than the bounds");
            }
            let find = |r: &Ruleset| r.tables.iter().position(|t| t.name == table.name.text);
            match (
                find(rules).and_then(|at| rules.tables.get(at)),
                find(&after.rules).and_then(|at| after.rules.tables.get(at)),
            ) {
                (Some(a), Some(b)) => {
                    tables_alike((rules, sources, a), (&after.rules, &after.sources, b))
                }
                _ => Alike::Unknown,
            }
        }
        Some(ItemKind::Test(test)) => {
            let find = |r: &Ruleset| r.tests.iter().position(|t| t.name == test.name.text);
            match (
                find(rules).and_then(|at| rules.tests.get(at)),
                find(&after.rules).and_then(|at| after.rules.tests.get(at)),
            ) {
                (Some(a), Some(b)) => {
                    tests_alike((rules, sources, a), (&after.rules, &after.sources, b))
                }
                _ => Alike::Unknown,
            }
        }
        // What is read anew may stand in other legs too.
        Some(ItemKind::Trace(trace))
            if !change.folded && has_no_between(change, &trace.name.text, rules) =>
        {
            return Proven::Equal("the leg is one link long, and no space lies between its ends");
        }
        _ => Alike::Unknown,
    };
    let alike = if alike == Alike::Unknown { of_condition(change, before, after) } else { alike };
    match alike {
        Alike::Same => Proven::Equal("the same for all that its conditions can tell apart"),
        Alike::Apart(when) => Proven::Apart(when),
        Alike::Unknown => Proven::Nothing,
    }
}

/// The outermost condition in which the change stands, before and after it.
fn of_condition(
    change: &Change,
    (resolved, rules, sources): (&Resolved, &Ruleset, &SourceMap),
    after: &Made,
) -> Alike {
    let Some(condition) = change.condition else { return Alike::Unknown };
    // Legs of several traces may ask it, of several kinds.
    let holds = |line: &Span| line.to(condition) == *line;
    if resolved.legs_as.iter().flat_map(|leg| &leg.lines).any(holds) {
        return Alike::Unknown;
    }
    let grown = i64::try_from(change.new.len()).unwrap_or(0) - i64::from(change.span.len());
    let end = u32::try_from(i64::from(condition.end) + grown).unwrap_or(condition.end);
    let moved = Span::new(after.source, condition.start, end);
    match (node_at(rules, condition), node_at(&after.rules, moved)) {
        (Some(a), Some(b)) => {
            conditions_alike((rules, sources, a), (&after.rules, &after.sources, b))
        }
        _ => Alike::Unknown,
    }
}

/// The outermost node that was written at a place: parts are made before what they are parts of. An
/// amount is no condition.
fn node_at(rules: &Ruleset, place: Span) -> Option<ExprId> {
    let at = rules.node_spans.iter().rposition(|s| *s == place)?;
    let id = ExprId::at(at);
    let is_condition = matches!(
        rules.node(id),
        Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Same(..) | Node::Compare(..)
    );
    is_condition.then_some(id)
}

/// Whether a change stands in a `through` or `stopping in` that is never asked: each step of its
/// leg costs as much as the leg may be long.
fn has_no_between(change: &Change, trace: &str, rules: &Ruleset) -> bool {
    let mut parts = change.owner.rsplit(", ");
    let (Some("through" | "stopping"), Some(leg)) = (parts.next(), parts.next()) else {
        return false;
    };
    let Some(trace) = rules.traces.iter().find(|t| t.name == trace) else { return false };
    let Some(leg) = trace.legs.iter().find(|l| l.name == leg) else { return false };
    let step = leg.cost.map_or(Some(1), |cost| match rules.node(cost) {
        Node::Table(table, result, _) => {
            match rules
                .tables
                .get(table.index())
                .and_then(|t| t.results.get(usize::from(*result)))
                .map(|r| r.1)
            {
                Some(Type::Number { low, .. }) => Some(low),
                _ => None,
            }
        }
        _ => None,
    });
    step.is_some_and(|step| step > 0 && i64::from(leg.within.high) < step.saturating_mul(2))
}

/// Whether a sum without its bounds stays within them by the ranges of what it adds.
fn stays_within(before: &Ruleset, after: &Ruleset, name: &str) -> bool {
    let table = |r: &Ruleset| r.tables.iter().position(|t| t.name == name);
    let number = |id: ExprId| match before.node(id) {
        Node::Number { over, under: 1 } => Some(*over),
        _ => None,
    };
    let kept = table(before).and_then(|at| before.tables.get(at)).and_then(|t| t.kept);
    let free = table(after)
        .and_then(|at| after.tables.get(at))
        .and_then(|t| t.results.first())
        .map(|r| r.1);
    let (Some((low, high)), Some(Type::Number { low: least, high: most, .. })) = (kept, free)
    else {
        return false;
    };
    number(low).is_some_and(|low| low <= least) && number(high).is_some_and(|high| high >= most)
}

/// A ruleset without its places and without what only asks; what is left is all that can change an
/// answer.
fn bare(rules: &Ruleset) -> String {
    let mut rules = rules.clone();
    rules.cases.clear();
    rules.maps.clear();
    rules.setups.clear();
    rules.hash.clear();
    rules.node_spans.clear();
    rules.lines.iter_mut().for_each(|l| l.span = Span::default());
    rules.clauses.iter_mut().for_each(|c| c.span = Span::default());
    serde_json::to_string(&rules).unwrap_or_default()
}
