//! What a change of the rules does: whose answers flip, in which position, by which change.

use crate::arrange::gathered;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexMap;
use serde::Serialize;

use super::answers::{Answer, Decided, Question, answers, decided};
use super::diff::{Change, Compared, Kind};
use super::rested::{self, Alone, Rests};
use crate::check::written::{Sort, tokens};
use crate::check::{Resolved, handle};
use crate::ir::{KindId, Ruleset};
use crate::kernel::Position;
use crate::source::SourceMap;
use crate::syntax::ast::{self, ItemKind, TraceLineKind};
use crate::world::World;

/// What a change of the rules does.
#[derive(Debug, Clone, Serialize)]
pub struct Impact {
    /// The schema of this report.
    pub schema: u32,
    /// The rules before.
    pub a: Compared,
    /// The rules after.
    pub b: Compared,
    /// The positions that were asked, each with how many answers were compared.
    pub positions: Vec<Asked>,
    /// The answers that are not the same.
    pub flips: Vec<Flip>,
    /// The cases that come out otherwise, if they were run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<CaseFlips>,
}

/// One position that was asked.
#[derive(Debug, Clone, Serialize)]
pub struct Asked {
    /// `setup opening`, `positions.jsonl:3`.
    pub position: String,
    /// How many answers were compared.
    pub answers: usize,
    /// How many of them are not the same.
    pub flips: usize,
}

/// An answer that is not the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Flip {
    /// The position.
    pub position: String,
    /// The unit, or the world.
    pub of: String,
    /// What was asked: `trace supply`.
    pub question: String,
    /// The answer before; none where it was not asked, for the unit or the rule was not there.
    pub was: Option<String>,
    /// The answer after.
    pub now: Option<String>,
    /// What decided before: a gate and where, a source, a row.
    pub decided_before: String,
    /// What decides now.
    pub decided_now: String,
    /// The changes that stand in the evidence; where none does, all changes that the question
    /// reads, but for rows on which neither answer rests.
    pub by: Vec<String>,
}

/// The cases of the first ruleset that come out otherwise under the second.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CaseFlips {
    /// How many cases were run under both.
    pub run: usize,
    /// Those that come out otherwise.
    pub flips: Vec<CaseFlip>,
    /// Those that the second ruleset does not understand, with the first fault in them.
    pub refused: Vec<(String, String)>,
}

/// A case that comes out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseFlip {
    /// Its title.
    pub case: String,
    /// Where it is written.
    pub place: String,
    /// Whether it passed before.
    pub passed: bool,
    /// Whether it passes now.
    pub passes: bool,
    /// What is not as expected, before or now.
    pub because: String,
}

/// The changes between two rulesets, and which question reads which item.
pub struct Suspects<'c> {
    changes: &'c [Change],
    /// The parts of each change that may stand in evidence.
    parts: Vec<Vec<Named<'c>>>,
    /// For each item the words it is written in, from both rulesets.
    reads: IndexMap<String, BTreeSet<String>>,
    /// For each kind that declares nothing but names and words, all of these.
    new_kinds: IndexMap<String, BTreeSet<String>>,
    /// The names of traces that nothing else is called by.
    traces: BTreeSet<String>,
    /// What items that were asked for read, by whatever way.
    reached: RefCell<IndexMap<String, Rc<BTreeSet<String>>>>,
}

/// A part of a change, as evidence names it.
struct Named<'c> {
    part: &'c str,
    /// The gate of a leg.
    gate: Option<&'c str>,
    /// The part without what it holds.
    head: &'c str,
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
                // A leg and a source have names that nobody else knows.
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
        Suspects { changes, parts, reads, new_kinds, traces, reached: RefCell::default() }
    }

    /// The names that an item reads, by whatever way, itself among them.
    fn reached(&self, name: &str) -> Rc<BTreeSet<String>> {
        if let Some(known) = self.reached.borrow().get(name) {
            return Rc::clone(known);
        }
        let found: BTreeSet<String> =
            gathered(self.search(name, |_| true).into_iter().map(str::to_owned));
        let found = Rc::new(found);
        self.reached.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
        found
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

    /// Whether rows of a table are not the same.
    pub(super) fn has_changed_rows(&self, table: &str) -> bool {
        let of = |c: &&Change| c.name == table && c.parts.iter().any(|p| rested::is_row(&p.part));
        self.changes.iter().any(|change| of(&change))
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

    /// An answer that is not the same, with what decided it before and now.
    pub(super) fn flip(
        &self,
        (place, question): (&str, &Question),
        (before, old): (&Position<'_>, Option<&Answer>),
        (after, new): (&Position<'_>, Option<&Answer>),
        rests: &dyn Rests,
    ) -> Flip {
        let why = |position: &Position<'_>, answer: Option<&Answer>| {
            answer.map(|a| decided(position, a)).unwrap_or_default()
        };
        let (decided_before, decided_now) = (why(before, old), why(after, new));
        Flip {
            position: place.to_owned(),
            of: question.of.clone(),
            question: format!("{} {}", question.noun, question.name),
            was: old.map(|a| a.said.clone()),
            now: new.map(|a| a.said.clone()),
            by: self.by(
                (place, question),
                &[&decided_before, &decided_now],
                [(before, old), (after, new)],
                rests,
            ),
            decided_before: decided_before.words,
            decided_now: decided_now.words,
        }
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

    fn by(
        &self,
        (place, question): (&str, &Question),
        evidence: &[&Decided],
        asked: [(&Position<'_>, Option<&Answer>); 2],
        rests: &dyn Rests,
    ) -> Vec<String> {
        let parts = || evidence.iter().flat_map(|d| &d.parts);
        let mut direct: Vec<String> = Vec::new();
        for (change, named) in self.changes.iter().zip(&self.parts) {
            let is_row = |decided: &str| decided.strip_prefix("row ") == Some(change.name.as_str());
            if change.noun == "exception" && parts().any(|(_, _, decided)| is_row(decided)) {
                direct.push(told(change, None));
            }
            for Named { part, gate, head } in named {
                let hit = parts().any(|(noun, name, decided)| {
                    let decided = decided.as_str();
                    *noun == change.noun
                        && *name == change.name
                        && (*gate == Some(decided) || *head == decided)
                });
                if hit {
                    direct.push(told(change, Some(part)));
                }
            }
        }
        if !direct.is_empty() {
            return direct;
        }
        let reached = self.reached(&question.name);
        let read = |c: &&Change| {
            let is_place = ["clause", "map", "setup"].contains(&c.noun.as_str());
            !is_place && reached.contains(c.name.as_str())
        };
        let read: Vec<&Change> = self.changes.iter().filter(read).collect();
        let all = |bears: &dyn Fn(&Change, &str) -> bool| -> Vec<String> {
            read.iter().flat_map(|change| parts_told(change, bears)).collect()
        };
        // A row on which neither answer rests has not made the difference.
        if read.iter().any(|c| c.parts.iter().any(|p| rested::is_row(&p.part))) {
            let answers = asked.iter().enumerate();
            let rows: Vec<rested::Rows> =
                answers.filter_map(|(which, (_, answer))| rests.rows(which, (*answer)?)).collect();
            let bears = |change: &Change, part: &str| {
                let part = part.split(", holds").next().unwrap_or_default();
                let of = (change.name.clone(), part.to_owned());
                !rested::is_row(part) || rows.iter().any(|rows| rows.contains(&of))
            };
            let found = all(&bears);
            if !found.is_empty() {
                return found;
            }
        }
        let mut found = all(&|_, _| true);
        found.extend(self.of_places(place, &question.of, asked.map(|(position, _)| position)));
        found
    }

    /// What stands otherwise on the map and in the setup that were asked; of the setup what it
    /// says of the thing itself, if it says that otherwise.
    fn of_places(&self, place: &str, of: &str, asked: [&Position<'_>; 2]) -> Vec<String> {
        let here = |c: &&Change| match c.noun.as_str() {
            "map" => asked.iter().any(|position| position.map.name == c.name),
            "setup" => place.strip_prefix("setup ") == Some(c.name.as_str()),
            _ => false,
        };
        let itself = [format!("unit {of}"), format!("space {of}")];
        let all: Vec<&Change> = self.changes.iter().filter(here).collect();
        let own = |part: &str| itself.iter().any(|name| name == part);
        let told_own = all.iter().any(|c| c.parts.iter().any(|p| own(&p.part)));
        let bears = |_: &Change, part: &str| !told_own || own(part);
        all.iter().flat_map(|change| parts_told(change, &bears)).collect()
    }
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

/// A change in words, part by part, of those parts that bear on the answer.
fn parts_told(change: &Change, bears: &dyn Fn(&Change, &str) -> bool) -> Vec<String> {
    let parts: Vec<&str> =
        change.parts.iter().map(|p| p.part.as_str()).filter(|p| *p != "clauses").collect();
    match (change.what, parts.as_slice()) {
        (Kind::Changed, parts) => {
            parts.iter().filter(|p| bears(change, p)).map(|p| told(change, Some(p))).collect()
        }
        _ => vec![told(change, None)],
    }
}

fn told(change: &Change, part: Option<&str>) -> String {
    match (change.what, part) {
        (Kind::Removed, _) => format!("{} {} removed", change.noun, change.name),
        (Kind::Added, _) => format!("{} {} added", change.noun, change.name),
        (Kind::Changed, Some("value" | "said" | "reading") | None) => {
            format!("{} {}", change.noun, change.name)
        }
        (Kind::Changed, Some(part)) if ["map", "setup"].contains(&change.noun.as_str()) => {
            format!("{part} of {} {}", change.noun, change.name)
        }
        (Kind::Changed, Some(part)) => format!("{part} of {}", change.name),
    }
}

/// Compares all answers that two rulesets give to one position, each asked by itself; none where
/// either has no map for it. [`super::Comparing`] asks less, and must find the same.
#[must_use]
pub fn flips(
    a: (&Ruleset, &World),
    b: (&Ruleset, &World),
    place: &str,
    suspects: &Suspects<'_>,
) -> Option<(Asked, Vec<Flip>)> {
    let (before, after) = (Position::new(a.0, a.1)?, Position::new(b.0, b.1)?);
    Some(all_flips(&before, &after, place, suspects))
}

pub(super) fn all_flips(
    before: &Position<'_>,
    after: &Position<'_>,
    place: &str,
    suspects: &Suspects<'_>,
) -> (Asked, Vec<Flip>) {
    let (was, now) = (answers(before), answers(after));
    let mut questions: Vec<&Question> = was.keys().collect();
    questions.extend(now.keys().filter(|q| !was.contains_key(*q)));
    let mut found = Vec::new();
    let alone = Alone([before, after]);
    for question in &questions {
        let (old, new) = (was.get(*question), now.get(*question));
        if old.map(|a| &a.said) != new.map(|a| &a.said) {
            found.push(suspects.flip((place, question), (before, old), (after, new), &alone));
        }
    }
    (Asked { position: place.to_owned(), answers: questions.len(), flips: found.len() }, found)
}
