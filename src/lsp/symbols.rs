//! Symbols: the outline of a file, and the names of all rulesets of the workspace.

use serde_json::{Value, json};

use super::place::Lines;
use super::unit::{Asked, Ranges};
use super::{Answer, Server};
use crate::check::names::Space;
use crate::source::{SourceId, Span};
use crate::syntax::ast::*;
use crate::syntax::parse;

/// Kinds of symbols of the protocol.
const NAMESPACE: u8 = 3;
const CLASS: u8 = 5;
const PROPERTY: u8 = 7;
const ENUM: u8 = 10;
const FUNCTION: u8 = 12;
const VARIABLE: u8 = 13;
const CONSTANT: u8 = 14;
const STRING: u8 = 15;
const OBJECT: u8 = 19;
const MEMBER: u8 = 22;
const STRUCT: u8 = 23;
const EVENT: u8 = 24;

/// A line of the outline.
struct Line {
    name: String,
    detail: &'static str,
    kind: u8,
    whole: Span,
    word: Span,
    inner: Vec<Line>,
}

impl Line {
    fn of(name: &Name, detail: &'static str, kind: u8, whole: Span) -> Line {
        Line { name: name.text.clone(), detail, kind, whole, word: name.span, inner: Vec::new() }
    }

    fn with(mut self, inner: impl IntoIterator<Item = Line>) -> Line {
        self.inner.extend(inner);
        self
    }

    fn json(&self, lines: &Lines<'_>) -> Value {
        let inner: Vec<Value> = self.inner.iter().map(|l| l.json(lines)).collect();
        let name = if self.name.is_empty() { self.detail } else { &self.name };
        json!({
            "name": name,
            "detail": self.detail,
            "kind": self.kind,
            "range": lines.span(self.whole.to(self.word)),
            "selectionRange": lines.span(self.word),
            "children": inner,
        })
    }
}

/// The outline of a file: sections with their clauses, items with their parts.
pub(super) fn outline(asked: &Asked<'_>) -> Value {
    let text = asked.screened();
    let (file, _) = parse(SourceId::default(), &text);
    let lines = asked.lines();
    let mut found: Vec<Line> = Vec::new();
    for item in &file.items {
        let Some(line) = line(&item.kind, item.span) else { continue };
        match (&item.kind, found.last_mut()) {
            // Clauses stand below their section.
            (ItemKind::Clause(_), Some(last)) if last.detail == "section" => {
                last.whole = last.whole.to(line.whole);
                last.inner.push(line);
            }
            _ => found.push(line),
        }
    }
    found.iter().map(|l| l.json(&lines)).collect()
}

fn line(kind: &ItemKind, whole: Span) -> Option<Line> {
    let named = |name: &Name, detail, kind| Some(Line::of(name, detail, kind, whole));
    let parts = |names: &[Name], detail, kind| -> Vec<Line> {
        names.iter().map(|n| Line::of(n, detail, kind, n.span)).collect()
    };
    match kind {
        ItemKind::Edition(_) | ItemKind::Tabletop(_) => None,
        ItemKind::Ruleset(h) => named(&h.name, "ruleset", NAMESPACE),
        ItemKind::Section(s) => {
            let number = s.number.as_ref().map_or("", |n| n.text.as_str());
            let name = format!("{number} {}", s.title.text).trim().to_owned();
            let word = s.title.span;
            Some(Line { name, detail: "section", kind: NAMESPACE, whole, word, inner: Vec::new() })
        }
        ItemKind::Clause(c) => {
            let name = format!("{} {}", c.label.text, c.text.text);
            let word = c.label.span;
            Some(Line { name, detail: "clause", kind: STRING, whole, word, inner: Vec::new() })
        }
        ItemKind::Ruling(r) => Some(Line::of(&r.name, "ruling", ENUM, whole).with(parts(
            &r.readings,
            "reading",
            MEMBER,
        ))),
        ItemKind::Option(o) => named(&o.name, "option", CONSTANT),
        ItemKind::Sides(s) => {
            let first = s.names.first()?;
            let word = Name { text: "sides".to_owned(), span: first.span };
            let all = parts(&s.names, "side", MEMBER).into_iter();
            Some(
                Line::of(&word, "sides", ENUM, whole)
                    .with(all.chain(parts(&s.against, "side", MEMBER))),
            )
        }
        ItemKind::Clock(c) => named(&c.name, "clock", EVENT),
        ItemKind::Dimension(all) => named(&all.first()?.name, "dimension", CONSTANT),
        ItemKind::Kind(k) => {
            let facts =
                k.attributes.iter().map(|a| Line::of(&a.name, "has", PROPERTY, a.name.span));
            Some(Line::of(&k.name, "kind", CLASS, whole).with(facts))
        }
        ItemKind::Named(n) => named(&n.kind, "named", OBJECT),
        ItemKind::Mark(m) => named(&m.name, "mark", PROPERTY),
        ItemKind::Given(g) => named(&g.name, "given", PROPERTY),
        ItemKind::Count(c) => named(&c.name, "count", PROPERTY),
        ItemKind::Track(t) => {
            Some(Line::of(&t.name, "track", ENUM, whole).with(parts(&t.stages, "stage", MEMBER)))
        }
        ItemKind::Choice(c) => named(&c.name, "choice", VARIABLE),
        ItemKind::Define(d) => named(&d.name, "define", VARIABLE),
        ItemKind::Pair(p) => named(&p.name, "pair", FUNCTION),
        ItemKind::Die(d) => named(&d.name, "die", CONSTANT),
        ItemKind::Test(t) => named(&t.name, "test", FUNCTION),
        ItemKind::Phase(p) => named(&p.name, "phase", EVENT),
        ItemKind::Hook(h) => named(&h.name, "hook", FUNCTION),
        ItemKind::Map(m) => named(&m.name, "map", STRUCT),
        ItemKind::Setup(s) => named(&s.name, "setup", STRUCT),
        ItemKind::Table(t) => Some(Line::of(&t.name, "table", FUNCTION, whole).with(rows(t))),
        ItemKind::Trace(t) => Some(Line::of(&t.name, "trace", CLASS, whole).with(legs(t))),
        ItemKind::Exception(e) => named(&e.name, "exception", FUNCTION),
        ItemKind::Copy(c) => named(&c.name, "as another", STRUCT),
        _ => change(kind, whole),
    }
}

fn rows(table: &Table) -> Vec<Line> {
    let TableBody::List { rows, .. } = &table.body else { return Vec::new() };
    let named = rows.iter().filter_map(|r| Some((r.name.as_ref()?, r.span)));
    named.map(|(name, span)| Line::of(name, "row", MEMBER, span)).collect()
}

fn legs(trace: &Trace) -> Vec<Line> {
    let part = |line: &TraceLine| {
        let (name, detail) = match &line.kind {
            TraceLineKind::Source { name, .. } => (name, "source"),
            TraceLineKind::Relay { name, .. } => (name, "relay"),
            TraceLineKind::Leg { name, .. } => (name, "leg"),
            _ => return None,
        };
        Some(Line::of(name, detail, MEMBER, line.span))
    };
    trace.lines.iter().filter_map(part).collect()
}

/// Cases, and the changes of a variant.
fn change(kind: &ItemKind, whole: Span) -> Option<Line> {
    let quoted = |title: &Text, detail| {
        let name = title.text.clone();
        let word = title.span;
        Some(Line { name, detail, kind: EVENT, whole, word, inner: Vec::new() })
    };
    let part = |part: &Name, of: &Name, detail| {
        let name = format!("{} of {}", part.text, of.text);
        let word = part.span;
        Some(Line { name, detail, kind: MEMBER, whole, word, inner: Vec::new() })
    };
    match kind {
        ItemKind::Case(c) => quoted(&c.title, "case"),
        ItemKind::Mistake(m) => quoted(&m.title, "mistake"),
        ItemKind::Override(o) => match &o.kind {
            OverrideKind::Whole(item) => line(&item.kind, whole).map(|line| Line {
                detail: "override",
                inner: Vec::new(),
                ..line
            }),
            OverrideKind::Lines { name, .. } | OverrideKind::Said { label: name, .. } => {
                Some(Line::of(name, "override", MEMBER, whole))
            }
            OverrideKind::Row { row, table, .. } => part(row, table, "override"),
            OverrideKind::Cell { table, .. } => Some(Line::of(table, "override", MEMBER, whole)),
            OverrideKind::Gate { gate, trace, .. } => part(gate, trace, "override"),
            OverrideKind::Source { name, trace, .. } => part(name, trace, "override"),
        },
        ItemKind::Add(Add::Row { table, .. }) => Some(Line::of(table, "add", MEMBER, whole)),
        ItemKind::Add(Add::Line { trace, .. }) => Some(Line::of(trace, "add", MEMBER, whole)),
        ItemKind::Remove(r) => match &r.kind {
            RemoveKind::Row { row, table } => part(row, table, "remove"),
            RemoveKind::Source { name, trace, .. } => part(name, trace, "remove"),
            RemoveKind::Case(title) => quoted(title, "remove"),
            RemoveKind::Item { name, .. } | RemoveKind::Clause { label: name, .. } => {
                Some(Line::of(name, "remove", MEMBER, whole))
            }
        },
        _ => None,
    }
}

/// The kind of symbol of a name.
pub(super) fn symbol_kind(space: Space, noun: &str) -> u8 {
    match (space, noun) {
        (Space::Kind, _) => CLASS,
        (Space::Name, "pair") | (Space::Member, "table" | "test" | "hook") => FUNCTION,
        (Space::Member, "define" | "choice") => VARIABLE,
        (Space::Member, "trace") => CLASS,
        (Space::Member, _) => PROPERTY,
        (Space::Word | Space::Part, _) => MEMBER,
        (Space::Name, "ruling") | (Space::Track, _) => ENUM,
        (Space::Clause, _) => STRING,
        (Space::Phase | Space::Clock | Space::Case, _) => EVENT,
        (Space::Map | Space::Setup, _) => STRUCT,
        (Space::Ruleset, _) => NAMESPACE,
        (Space::Dimension | Space::Die, _) => CONSTANT,
        _ => OBJECT,
    }
}

/// More symbols than this are not sent at once.
const MOST: usize = 500;

impl Server {
    pub(super) fn workspace_symbols(&mut self, params: &Value) -> Answer {
        self.all_units();
        let query = params.get("query").and_then(Value::as_str).unwrap_or_default().to_lowercase();
        let mut found = Vec::new();
        for unit in self.units.values() {
            let index = unit.index(&mut self.words);
            let ranges = Ranges::of(unit, &self.store, self.encoding);
            for entity in &index.entities {
                let name = &entity.what.name;
                if found.len() >= MOST || !holds_in_order(&name.to_lowercase(), &query) {
                    continue;
                }
                let Some(span) = entity.places.first() else { continue };
                found.push(json!({
                    "name": name,
                    "kind": symbol_kind(entity.what.space, entity.what.noun),
                    "containerName": entity.what.owner,
                    "location": ranges.location(*span),
                }));
            }
        }
        Ok(found.into())
    }
}

/// Whether a name has the letters of a query in their order.
fn holds_in_order(name: &str, query: &str) -> bool {
    let mut chars = name.chars();
    query.chars().all(|wanted| chars.any(|c| c == wanted))
}
