//! What an item says, part by part: the rows of a table, the lines of a trace, the steps of a
//! phase.
//!
//! Takes one item with its text; gives named parts whose texts can be compared. A part keeps its
//! name while its text changes.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::check::written::{Sort, Token, tokens};
use crate::check::{Resolved, ResolvedItem, handle, scripts};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{
    Expr, ItemKind, KeyCell, ListRow, Table, TableBody, Trace, TraceLine, TraceLineKind,
};

/// The text of a place, with the changes of variants in it.
type Says<'a> = &'a dyn Fn(Span) -> String;

/// The same for a span that may occur several times: the occurrence with so many before it.
type SaysNth<'a> = &'a dyn Fn(Span, usize) -> String;

/// One part of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// What comes and goes as one: a row with its condition and its values, a leg with its gates.
    pub group: String,
    /// Its own name.
    pub label: String,
    /// What it says, blanks folded.
    pub text: String,
}

/// What an item says.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    /// The word it begins with.
    pub noun: String,
    /// Its name; empty where there is only one of its kind.
    pub name: String,
    /// Its parts in order.
    pub parts: Vec<Part>,
    /// Whether the order of its parts means something.
    pub ordered: bool,
    /// The file and line where it begins.
    pub place: Option<Span>,
}

impl Part {
    pub fn new(
        group: impl Into<String>,
        label: impl Into<String>,
        text: impl Into<String>,
    ) -> Part {
        Part { group: group.into(), label: label.into(), text: text.into() }
    }

    fn alone(label: impl Into<String>, text: impl Into<String>) -> Part {
        let label = label.into();
        Part { group: label.clone(), label, text: text.into() }
    }
}

/// What all items of a ruleset say, but for maps, setups and cases.
pub(super) fn all(resolved: &Resolved, sources: &SourceMap) -> Vec<Said> {
    let ids = resolved.clause_ids();
    let clauses: BTreeSet<String> = crate::arrange::gathered(ids.iter().flatten().cloned());
    let mut all: IndexMap<(String, String), Said> = IndexMap::new();
    for (item, id) in resolved.items.iter().zip(&ids) {
        let Some(said) = said(item, id.as_deref(), resolved, sources, &clauses) else { continue };
        // What may be said in several items, such as names, is one thing all the same.
        match all.get_mut(&(said.noun.clone(), said.name.clone())) {
            Some(same) => same.parts.extend(said.parts),
            None => drop(all.insert((said.noun.clone(), said.name.clone()), said)),
        }
    }
    all.into_values().collect()
}

fn said(
    item: &ResolvedItem,
    id: Option<&str>,
    resolved: &Resolved,
    sources: &SourceMap,
    clauses: &BTreeSet<String>,
) -> Option<Said> {
    use ItemKind::{Case, Clause, Edition, Map, Ruleset, Section, Setup};
    if matches!(item.item.kind, Edition(_) | Ruleset(_) | Section(_) | Map(_) | Setup(_) | Case(_))
    {
        return None;
    }
    let place = Some(item.item.span);
    if let (Clause(clause), Some(id)) = (&item.item.kind, id) {
        let parts = vec![Part::alone("text", sources.slice(clause.text.span))];
        return Some(Said {
            noun: "clause".to_owned(),
            name: id.to_owned(),
            parts,
            ordered: false,
            place,
        });
    }
    let (lines, cites) = lines(&tokens(item, resolved, sources, clauses), resolved, clauses);
    let first = lines.first()?.clone();
    let mut words = first.split(' ').map(str::to_owned);
    let noun = handle(&item.item.kind).map(|(noun, _)| noun.to_owned()).or_else(|| words.next())?;
    let name = match (&item.item.kind, handle(&item.item.kind)) {
        (ItemKind::Sides(_) | ItemKind::Dimension(_) | ItemKind::Clock(_), _) => String::new(),
        (ItemKind::Mistake(mistake), _) => sources.slice(mistake.title.span).to_owned(),
        (_, Some((_, name))) => name.text.clone(),
        _ => words.next().unwrap_or_default().trim_end_matches(',').to_owned(),
    };
    let begins = format!("{noun} {name}");
    let rest = first
        .strip_prefix(begins.trim_end())
        .unwrap_or(&first)
        .trim_start_matches([' ', ','])
        .to_owned();
    let says: Says<'_> = &|place| item.rope.folded(place, sources);
    let mut parts = match &item.item.kind {
        ItemKind::Table(table) => table_parts(table, rest.trim_end_matches(['{', ' ']), says),
        ItemKind::Trace(trace) => {
            let says: SaysNth<'_> = &|place, nth| item.rope.nth_folded(place, nth, sources);
            trace_parts(trace, rest.trim_end_matches(['{', ' ']), says)
        }
        ItemKind::Named(named) => {
            named.names.iter().map(|n| Part::alone(n.text.as_str(), "")).collect()
        }
        _ => plain_parts(&rest, lines.get(1..).unwrap_or_default()),
    };
    if let ItemKind::Hook(hook) = &item.item.kind {
        parts.extend(scripts(hook).map(|source| Part::alone("script text", sources.text(source))));
    }
    if !cites.is_empty() {
        parts.push(Part::alone("clauses", cites.join(", ")));
    }
    let ordered = matches!(
        item.item.kind,
        ItemKind::Table(_) | ItemKind::Trace(_) | ItemKind::Phase(_) | ItemKind::Choice(_)
    );
    Some(Said { noun, name, parts, ordered, place })
}

/// The lines of an item without comments and clauses, blanks folded; and the clauses, each once.
fn lines(
    tokens: &[Token<'_>],
    resolved: &Resolved,
    clauses: &BTreeSet<String>,
) -> (Vec<String>, Vec<String>) {
    let prefix = resolved.head.as_ref().map_or("", |h| h.prefix.text.as_str());
    let (mut lines, mut cites) = (vec![String::new()], Vec::new());
    let (mut cited, mut gap) = (false, false);
    for token in tokens {
        match (token.sort, &*token.text) {
            (Sort::Blank, _) => gap = true,
            (Sort::Newline, _) => {
                lines.push(String::new());
                gap = false;
            }
            (Sort::Cite, text) => {
                // In full, so that a clause is the same clause whichever ruleset cites it.
                let full = format!("{prefix}-{text}");
                let full = if clauses.contains(&full) { full } else { text.to_owned() };
                if !cites.contains(&full) {
                    cites.push(full);
                }
            }
            (Sort::Comment, _) => {}
            (Sort::Sign, "[") => cited = true,
            (Sort::Sign, "]") => cited = false,
            (Sort::Sign, _) if cited => {}
            (_, text) => {
                let Some(line) = lines.last_mut() else { continue };
                if std::mem::take(&mut gap) && !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(text);
            }
        }
    }
    lines.retain(|l| !l.is_empty());
    (lines, cites)
}

/// An item of one line says its value behind `=`; one with a block says a head and lines.
fn plain_parts(rest: &str, lines: &[String]) -> Vec<Part> {
    if lines.last().is_none_or(|last| last != "}") {
        let whole = [rest]
            .into_iter()
            .chain(lines.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ");
        return match whole.split_once("= ") {
            Some((head, value)) => {
                vec![Part::alone("head", head.trim_end()), Part::alone("value", value)]
            }
            None => vec![Part::alone("said", whole)],
        };
    }
    let mut parts = vec![Part::alone("head", rest.trim_end_matches(['{', ' ']))];
    let mut seen: Vec<String> = Vec::new();
    for line in lines.iter().filter(|l| *l != "}") {
        let mut words = line.splitn(3, ' ');
        let label =
            [words.next(), words.next()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let times = seen.iter().filter(|s| **s == label).count();
        seen.push(label.clone());
        // Lines that begin alike are told apart by their order.
        let group = if times == 0 { label.clone() } else { format!("{label} ({})", times + 1) };
        parts.push(Part::new(group.clone(), group, words.next().unwrap_or_default()));
    }
    parts
}

fn table_parts(table: &Table, head: &str, says: Says<'_>) -> Vec<Part> {
    let all = |values: &[Expr]| values.iter().map(|v| says(v.span)).collect::<Vec<_>>().join(", ");
    let keys = |keys: &[KeyCell]| keys.iter().map(|k| says(k.span)).collect::<Vec<_>>().join(", ");
    let mut parts = vec![Part::alone("head", head)];
    let bounds = match &table.body {
        TableBody::List { rows, otherwise, kept } => {
            for row in rows {
                parts.extend(list_row(row, says));
            }
            if let Some(otherwise) = otherwise {
                parts.push(Part::alone("otherwise", all(&otherwise.values)));
            }
            kept
        }
        TableBody::Grid(grid) => {
            let down = grid.down.iter().map(|p| says(p.span)).collect::<Vec<_>>().join(", ");
            parts.push(Part::alone("down", down));
            parts.push(Part::alone(
                "across",
                grid.across.as_ref().map_or_else(String::new, |p| says(p.span)),
            ));
            for row in &grid.rows {
                let key = keys(&row.keys);
                for (column, value) in grid.columns.iter().zip(&row.values) {
                    let label = format!("cell ({key}, {})", says(column.span));
                    parts.push(Part::new(format!("row {key}"), label, says(value.span)));
                }
            }
            &grid.kept
        }
    };
    if let Some(kept) = bounds {
        let text = format!("between {} and {}", says(kept.low.span), says(kept.high.span));
        parts.push(Part::alone("kept", text));
    }
    parts
}

fn list_row(row: &ListRow, says: Says<'_>) -> Vec<Part> {
    let words =
        |e: &Option<Expr>, word: &str| e.as_ref().map(|e| format!("{word} {}", says(e.span)));
    let asked = [words(&row.per, "per"), words(&row.beyond, "beyond"), words(&row.when, "when")];
    let asked = asked.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let name = row.name.as_ref().map_or_else(|| asked.clone(), |n| n.text.clone());
    let values = row.values.iter().map(|v| says(v.span)).collect::<Vec<_>>().join(", ");
    let group = format!("row {name}");
    vec![
        Part::new(group.clone(), format!("{group}, holds"), asked),
        Part::new(group.clone(), group, values),
    ]
}

fn trace_parts(trace: &Trace, head: &str, says: SaysNth<'_>) -> Vec<Part> {
    let mut parts = vec![Part::alone("head", head)];
    let mut leg: Option<String> = None;
    for (line, nth) in trace.lines.iter().zip(trace.repeats()) {
        let text = line_text(line, &|place| says(place, nth));
        let (word, rest) = text.split_once(' ').unwrap_or((&text, ""));
        match (&line.kind, &leg) {
            (TraceLineKind::Leg { name, .. }, _) => {
                let group = format!("leg {}", name.text);
                let rest = rest.strip_prefix(&name.text).unwrap_or(rest).trim_start();
                parts.push(Part::new(group.clone(), group.clone(), rest));
                leg = Some(name.text.clone());
            }
            (TraceLineKind::Source { name, .. } | TraceLineKind::Relay { name, .. }, _) => {
                let rest = rest.strip_prefix(&name.text).unwrap_or(rest).trim_start();
                parts.push(Part::alone(format!("{word} {}", name.text), rest));
            }
            (TraceLineKind::Always(_) | TraceLineKind::Never(_), _) => {
                parts.push(Part::alone(text.clone(), ""))
            }
            (TraceLineKind::Over { links, .. }, Some(leg)) => {
                // The first is known by its leg, others by their links too.
                let known = |part: &Part| part.label == format!("over of {leg}");
                let what = match links.first().filter(|_| parts.iter().any(known)) {
                    Some(link) => format!("over {} of {leg}", link.name.text),
                    None => format!("over of {leg}"),
                };
                parts.push(Part::new(format!("leg {leg}"), what, rest))
            }
            (_, Some(leg)) => {
                parts.push(Part::new(format!("leg {leg}"), format!("{word} of {leg}"), rest))
            }
            (_, None) => parts.push(Part::alone(word, rest)),
        }
    }
    parts
}

/// A line as it stands now: what it asks may have come from another file than its word.
fn line_text(line: &TraceLine, says: Says<'_>) -> String {
    let (word, asked) = match &line.kind {
        TraceLineKind::From(e) => ("from".to_owned(), e),
        TraceLineKind::Through(e) => ("through".to_owned(), e),
        TraceLineKind::Stopping(e) => ("stopping in".to_owned(), e),
        TraceLineKind::Into(e) => ("into".to_owned(), e),
        TraceLineKind::Within(e) => ("within".to_owned(), e),
        TraceLineKind::Cost(e) => ("cost".to_owned(), e),
        TraceLineKind::Source { name, filter } => (format!("source {} where", name.text), filter),
        TraceLineKind::Relay { name, filter } => (format!("relay {} where", name.text), filter),
        _ => return says(line.span),
    };
    format!("{word} {}", says(asked.span))
}
