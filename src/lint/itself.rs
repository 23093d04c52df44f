//! What a unit asks of itself where others are meant: company of which it is one, and how it stands
//! to the side that asks, which is its own.

use crate::arrange::Arrange as _;
use std::collections::{BTreeMap, BTreeSet};

use super::own_files;
use crate::diag::{Diagnostic, code};
use crate::ir::{
    DefineId, ExprId, KindId, Node, Part, Place, Ruleset, Stance, TableId, Things, TraceId,
};
use crate::mutate::Given;
use crate::source::Span;
use crate::syntax::ast::ItemKind;
use crate::world::built_in;

/// Expressions whose subject of a level is a unit.
struct Asking {
    /// The rule; none for the condition of a noun phrase.
    part: Option<Part>,
    kind: KindId,
    level: u8,
    all: Vec<ExprId>,
}

/// Findings about rules in which a unit asks of itself.
pub(super) fn asked_of_itself(main: &Given<'_>) -> Vec<Diagnostic> {
    let asking = asking(main.rules);
    let mut found = in_company(main, &asking);
    found.extend(of_its_side(main, &asking));
    found.arrange_by_key(Diagnostic::primary);
    found.dedup();
    found
}

fn asking(rules: &Ruleset) -> Vec<Asking> {
    let defines = rules.defines.iter().enumerate();
    let defines = defines.map(|(at, d)| (Some(Part::Define(DefineId::at(at))), d.of, 0));
    let tables = rules.tables.iter().enumerate();
    let tables = tables.map(|(at, t)| (Some(Part::Table(TableId::at(at))), t.of, 0));
    let traces = rules.traces.iter().enumerate();
    let traces = traces.map(|(at, t)| (Some(Part::Trace(TraceId::at(at))), Some(t.of), 0));
    let phrases = rules.things.iter().filter_map(|t| {
        Some(Asking { part: None, kind: t.kind, level: t.level, all: vec![t.condition?] })
    });
    let rules_of = defines.chain(tables).chain(traces).filter_map(|(part, of, level)| {
        let all = rules.expressions_of(part?);
        Some(Asking { part, kind: of?, level, all })
    });
    rules_of.chain(phrases).filter(|a| rules.top(a.kind) == KindId::UNIT).collect()
}

/// `any own army here` of an army: it is one of them itself.
fn in_company(main: &Given<'_>, asking: &[Asking]) -> Vec<Diagnostic> {
    let (rules, files) = (main.rules, own_files(main));
    let mut found = Vec::new();
    for asked in asking {
        rules.walk(
            asked.all.iter().copied(),
            |_| false,
            |_, id| {
                let Node::Any(things) = rules.node(id) else { return };
                let Some(things) = rules.things.get(things.index()) else { return };
                let span = rules.node_spans.get(id.index()).copied().unwrap_or_default();
                if !is_one_of(rules, asked, things) || !files.contains(&span.source) {
                    return;
                }
                let text = one_line(main.sources.slice(span));
                let kind = rules.kinds.get(asked.kind.index()).map_or("", |k| k.name.as_str());
                let message =
                    format!("`{text}` counts the {kind} itself, and so says nothing of others");
                found.push(
                    Diagnostic::warning(code::W1204, span, message)
                        .help(format!("write `{text} where it is not the {kind}`")),
                );
            },
        );
    }
    found
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the subject is always one of the things that are looked for where it stands.
fn is_one_of(rules: &Ruleset, asked: &Asking, things: &Things) -> bool {
    let (Place::In(at) | Place::Within(_, at, _)) = &things.place else { return false };
    let here = match rules.node(*at) {
        Node::Fact(built_in::SPACE, of) => is_subject(rules, *of, asked.level),
        _ => false,
    };
    here && rules.is_kind(asked.kind, things.kind)
        && things.condition.is_none_or(|when| says_own(rules, when, things.level))
}

/// Whether a condition says nothing but that the candidate is on the side that asks.
fn says_own(rules: &Ruleset, when: ExprId, level: u8) -> bool {
    match rules.node(when) {
        Node::Stands(of, Stance::Own | Stance::Friendly) => is_subject(rules, *of, level),
        Node::And(parts) => parts.iter().all(|part| says_own(rules, *part, level)),
        _ => false,
    }
}

pub(super) fn is_subject(rules: &Ruleset, id: ExprId, level: u8) -> bool {
    matches!(rules.node(id), Node::Subject(of) if *of == level)
}

/// `friendly` of an army that asks itself: so is each, to its own side.
fn of_its_side(main: &Given<'_>, asking: &[Asking]) -> Vec<Diagnostic> {
    let (rules, files) = (main.rules, own_files(main));
    let mut owner: BTreeMap<ExprId, Part> = BTreeMap::new();
    for asked in asking {
        let Some(part) = asked.part else { continue };
        rules.walk(
            asked.all.iter().copied(),
            |_| false,
            |_, id| {
                owner.insert(id, part);
            },
        );
    }
    let by_others = asked_by_others(main, &owner);
    let mut found = Vec::new();
    for (id, part) in &owner {
        let Node::Stands(of, _) = rules.node(*id) else { continue };
        let span = rules.node_spans.get(id.index()).copied().unwrap_or_default();
        if !is_subject(rules, *of, 0)
            || by_others.contains(&key(*part))
            || !files.contains(&span.source)
        {
            continue;
        }
        let text = one_line(main.sources.slice(span));
        let kind = asking.iter().find(|a| a.part == Some(*part)).map(|a| a.kind);
        let kind = kind.and_then(|k| rules.kinds.get(k.index())).map_or("", |k| k.name.as_str());
        let message =
            format!("`{text}` is asked of the {kind} itself, and as seen by its own side");
        let help =
            format!("say of what it is meant, as in `any {text}` and a noun, or leave it out");
        found.push(Diagnostic::warning(code::W1204, span, message).help(help));
    }
    found
}

/// What orders rules, which have no order of their own.
fn key(part: Part) -> (u8, usize) {
    match part {
        Part::Define(id) => (0, id.index()),
        Part::Table(id) => (1, id.index()),
        _ => (2, 0),
    }
}

/// The rules that are also asked of another thing than the one that asks: who asks is another then.
fn asked_by_others(main: &Given<'_>, owner: &BTreeMap<ExprId, Part>) -> BTreeSet<(u8, usize)> {
    let rules = main.rules;
    let cases = main.resolved.items.iter().filter(|i| matches!(i.item.kind, ItemKind::Case(_)));
    let cases: Vec<Span> = cases.map(|i| i.item.span).collect();
    let in_case = |span: Span| {
        let inside =
            |c: &Span| c.source == span.source && c.start <= span.start && span.end <= c.end;
        cases.iter().any(inside)
    };
    let (mut found, mut reads) = (BTreeSet::new(), Vec::new());
    for (at, node) in rules.nodes.iter().enumerate() {
        let (part, of) = match node {
            Node::Define(id, of) => (Part::Define(*id), of),
            Node::Table(id, _, of) => (Part::Table(*id), of),
            _ => continue,
        };
        let itself = of.is_some_and(|of| is_subject(rules, of, 0));
        match owner.get(&ExprId::at(at)) {
            Some(reader) if itself => reads.push((key(*reader), key(part))),
            _ if rules.node_spans.get(at).is_some_and(|span| in_case(*span)) => {}
            _ => drop(found.insert(key(part))),
        }
    }
    // Who is asked by another asks what it reads as that one.
    let mut more = true;
    while more {
        let next: Vec<_> =
            reads.iter().filter(|(by, _)| found.contains(by)).map(|(_, p)| *p).collect();
        more = false;
        for part in next {
            more |= found.insert(part);
        }
    }
    found
}
