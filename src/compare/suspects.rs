//! The changes between two rulesets, and which questions can come to know of them.
//!
//! Takes the text of both rulesets, by whose words items read each other.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexMap;

use super::diff::{Change, Kind};
use super::rested;
use crate::arrange::gathered;
use crate::check::written::{Sort, tokens};
use crate::check::{Resolved, handle};
use crate::ir::{KindId, Ruleset};
use crate::source::SourceMap;
use crate::syntax::ast::{self, ItemKind, TraceLineKind};

/// The changes between two rulesets, and which question reads which item.
pub struct Suspects<'c> {
    pub(super) changes: &'c [Change],
    /// The parts of each change that may stand in evidence.
    pub(super) parts: Vec<Vec<Named<'c>>>,
    /// For each item the words it is written in, from both rulesets.
    reads: IndexMap<String, BTreeSet<String>>,
    /// For each kind that declares nothing but names and words, all of these.
    new_kinds: IndexMap<String, BTreeSet<String>>,
    /// The names of traces that nothing else is called by.
    traces: BTreeSet<String>,
    /// What items that were asked for read, by whatever way.
    reached: RefCell<Reached>,
    /// The same without what traces read.
    reached_apart: RefCell<Reached>,
}

/// For items that were asked for the names that they read.
type Reached = IndexMap<String, Rc<BTreeSet<String>>>;

/// A part of a change, as evidence names it.
pub(super) struct Named<'c> {
    pub part: &'c str,
    /// The gate of a leg.
    pub gate: Option<&'c str>,
    /// The part without what it holds.
    pub head: &'c str,
}

impl<'c> Named<'c> {
    fn of(part: &'c str) -> Named<'c> {
        let gate = part.split_once(" of ").map(|(gate, _)| gate);
        Named { part, gate, head: part.split(", holds").next().unwrap_or(part) }
    }
}

/// What is of account only where its name is read.
const BY_NAME: [&str; 11] = [
    "define", "pair", "table", "trace", "test", "phase", "hook", "ruling", "option", "choice",
    "mark",
];

impl<'c> Suspects<'c> {
    /// The changes, with the text of both rulesets.
    #[must_use]
    pub fn new(changes: &'c [Change], texts: &[(&Resolved, &SourceMap)]) -> Suspects<'c> {
        let mut reads: IndexMap<String, BTreeSet<String>> = IndexMap::new();
        let mut new_kinds = IndexMap::new();
        let (mut traces, mut others) = (BTreeSet::new(), BTreeSet::new());
        let none = BTreeSet::new();
        for (resolved, sources) in texts {
            for item in &resolved.items {
                if let ItemKind::Kind(kind) = &item.item.kind {
                    new_kinds.extend(declared(kind).map(|words| (kind.name.text.clone(), words)));
                }
                // What is excepted from is read together with its exception.
                if let ItemKind::Exception(exception) = &item.item.kind {
                    let to = reads.entry(exception.to.owner.text.clone()).or_default();
                    to.insert(exception.name.text.clone());
                }
                let Some((noun, name)) = handle(&item.item.kind) else { continue };
                let nouns = if noun == "trace" { &mut traces } else { &mut others };
                nouns.insert(name.text.clone());
                // No other item reads the name of a leg or of a source.
                let own: Vec<_> = match &item.item.kind {
                    ItemKind::Trace(trace) => {
                        trace.lines.iter().filter_map(|line| own_name(&line.kind)).collect()
                    }
                    _ => Vec::new(),
                };
                let words = tokens(item, resolved, sources, &none)
                    .into_iter()
                    .filter(|t| t.sort == Sort::Word && !own.iter().any(|n| t.at == Some(n.span)));
                // Who says `supplied` reads the trace that is called so.
                if let ItemKind::Trace(trace) = &item.item.kind {
                    for line in &trace.lines {
                        if let TraceLineKind::Called { yes, no } = &line.kind {
                            reads.entry(yes.text.clone()).or_default().insert(name.text.clone());
                            reads.entry(no.text.clone()).or_default().insert(name.text.clone());
                        }
                    }
                }
                reads
                    .entry(name.text.clone())
                    .or_default()
                    .extend(words.map(|t| t.text.into_owned()));
            }
        }
        traces.retain(|name| !others.contains(name));
        let named = |change: &'c Change| {
            let parts = change.parts.iter().map(|part| part.part.as_str());
            parts.filter(|part| *part != "clauses").map(Named::of).collect()
        };
        let parts = changes.iter().map(named).collect();
        let (reached, reached_apart) = (RefCell::default(), RefCell::default());
        Suspects { changes, parts, reads, new_kinds, traces, reached, reached_apart }
    }

    /// The names that an item reads, by whatever way, itself among them.
    pub(super) fn reached(&self, name: &str) -> Rc<BTreeSet<String>> {
        once(&self.reached, name, || self.search(name, |_| true))
    }

    /// The names that an item reads by another way than the answers of traces, itself among them.
    pub(super) fn reached_apart(&self, name: &str) -> Rc<BTreeSet<String>> {
        let is_apart = |name: &str| !self.traces.contains(name);
        once(&self.reached_apart, name, || {
            self.search(name, is_apart).into_iter().filter(|name| is_apart(name)).collect()
        })
    }

    /// Whether an answer to a question can depend on an item: it reads it, by whatever way, or the
    /// item is not read by its name.
    #[must_use]
    pub fn reads(&self, question: &str, (noun, name): (&str, &str)) -> bool {
        !BY_NAME.contains(&noun) || self.reached(question).contains(name)
    }

    /// The tables of spaces that are not the same: no answer that is compared is one of theirs, so
    /// that they show only where something else reads them.
    #[must_use]
    pub fn unasked(&self, rules: &Ruleset) -> Vec<&'c str> {
        let of_spaces = |name: &str| {
            let table = rules.tables.iter().find(|table| table.name == name);
            table.and_then(|t| t.of).is_some_and(|of| rules.top(of) == KindId::SPACE)
        };
        let tables = self.changes.iter().filter(|change| change.noun == "table");
        tables.map(|change| change.name.as_str()).filter(|name| of_spaces(name)).collect()
    }

    /// Whether rows are not the same of something that an item reads, by whatever way.
    pub(super) fn rows_bear_on(&self, name: &str) -> bool {
        let reached = self.reached(name);
        let of_rows = |c: &&Change| c.parts.iter().any(|p| rested::is_row(&p.part));
        self.changes.iter().filter(of_rows).any(|change| reached.contains(&change.name))
    }

    /// Whether some item reads another by its name.
    #[must_use]
    pub fn is_read(&self, name: &str) -> bool {
        self.reads.iter().any(|(reader, words)| reader != name && words.contains(name))
    }

    /// The names that an item reads, itself among them, by those which are entered.
    fn search(&self, name: &str, enters: impl Fn(&str) -> bool) -> BTreeSet<&str> {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut next: Vec<&str> =
            self.reads.get_key_value(name).map(|(name, _)| name.as_str()).into_iter().collect();
        while let Some(name) = next.pop() {
            if found.insert(name) && enters(name) {
                next.extend(self.reads.get(name).into_iter().flatten().map(String::as_str));
            }
        }
        found
    }

    /// Whether the changes can make a difference to an item: one of them is of something that the
    /// item reads, by whatever way, or of something that is not read by its name.
    pub(super) fn can_touch(&self, name: &str) -> bool {
        self.touch(|word| self.reached(name).contains(word))
    }

    /// Whether the changes can make a difference to an item by traces alone that it reads.
    pub(super) fn only_by_traces(&self, name: &str) -> bool {
        let found = self.search(name, |name| !self.traces.contains(name));
        !self.touch(|word| found.contains(word) && !self.traces.contains(word))
    }

    /// Whether a change is of one of the names that are read, or of something that is not read by
    /// its name.
    fn touch(&self, reads: impl Fn(&str) -> bool) -> bool {
        self.changes.iter().any(|change| {
            let new_kind = change.noun == "kind" && change.what == Kind::Added;
            match self.new_kinds.get(&change.name).filter(|_| new_kind) {
                Some(words) => words.iter().any(|word| reads(word)),
                None if BY_NAME.contains(&change.noun.as_str()) => reads(&change.name),
                // Clauses and mistakes rule nothing.
                None => !["clause", "mistake"].contains(&change.noun.as_str()),
            }
        })
    }
}

/// The names of an item, looked for when they are first asked for.
fn once<'n>(
    known: &RefCell<Reached>,
    name: &str,
    search: impl FnOnce() -> BTreeSet<&'n str>,
) -> Rc<BTreeSet<String>> {
    if let Some(known) = known.borrow().get(name) {
        return Rc::clone(known);
    }
    let found: Rc<BTreeSet<String>> = Rc::new(gathered(search().into_iter().map(str::to_owned)));
    known.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
    found
}

/// The name of a leg or a source, by which no other item is read.
fn own_name(line: &TraceLineKind) -> Option<&ast::Name> {
    match line {
        TraceLineKind::Leg { name, .. }
        | TraceLineKind::Source { name, .. }
        | TraceLineKind::Relay { name, .. } => Some(name),
        _ => None,
    }
}

/// All names and words that a kind declares; none where it says more than these.
fn declared(kind: &ast::Kind) -> Option<BTreeSet<String>> {
    if kind.joins.is_some() || kind.every_two.is_some() || !kind.bases.is_empty() {
        return None;
    }
    let mut found: BTreeSet<String> =
        [&kind.name].into_iter().chain(&kind.plural).map(text).collect();
    for attribute in &kind.attributes {
        found.insert(text(&attribute.name));
        if let ast::AttributeType::Word(words) = &attribute.ty {
            found.extend(words.iter().map(text));
        }
    }
    Some(found)
}

fn text(name: &ast::Name) -> String {
    name.text.clone()
}
