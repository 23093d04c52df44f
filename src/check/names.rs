//! Names: where each thing of a ruleset is declared, and which words refer to it.
//!
//! Takes the resolved items of one ruleset and what the check made of them; gives declarations and
//! uses with their places, whether or not the ruleset has faults. What only the grammar tells apart,
//! such as the units of a setup, is declared here and looked up by its text where it is used.

use std::collections::BTreeMap;

use super::scope::Used;
use super::{Meant, Resolved};
use crate::arrange::Arrange as _;
use crate::ir::*;
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{self, AttributeType, ItemKind, MapLine, SetupLine, TraceLineKind};

/// What a name is looked up among.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Kinds.
    Kind,
    /// Sides, rulings, options, pairs, named units.
    Name,
    /// What is said of a kind of thing: facts, defines, tables, hooks, traces, tests, choices.
    Member,
    /// Words of a set.
    Word,
    /// Dimensions of amounts.
    Dimension,
    /// Clauses by their full id.
    Clause,
    /// Phases.
    Phase,
    /// The clock and its parts.
    Clock,
    /// Maps.
    Map,
    /// Setups.
    Setup,
    /// Tracks.
    Track,
    /// Dice with faces of their own.
    Die,
    /// Spaces of a map.
    Place,
    /// Units of a setup or a case.
    Unit,
    /// Rows, legs, sources and relays, parties of a pair.
    Part,
    /// Cases.
    Case,
    /// Rulesets.
    Ruleset,
}

/// One declaration.
#[derive(Debug, Clone)]
pub struct Declared {
    /// What the name is looked up among.
    pub space: Space,
    /// The word that declares it, such as `define` or `has`.
    pub noun: &'static str,
    /// The name; the full id of a clause.
    pub name: String,
    /// What it belongs to: a kind, a set of words, a table, a setup; else nothing.
    pub owner: String,
    /// Where the name stands.
    pub span: Span,
    /// The item that declares it, by its place in the resolved items.
    pub item: usize,
    /// What it is, in a few words: its type, or its title.
    pub about: String,
}

/// All names of a ruleset.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The declarations, in the order of the items.
    pub declared: Vec<Declared>,
    /// The uses that the checker has looked up: where, and which declaration.
    pub uses: Vec<(Span, usize)>,
}

/// All names of a ruleset that was checked: its items, what was made of them, and what the words
/// were found to mean on the way.
#[must_use]
pub fn names(resolved: &Resolved, sources: &SourceMap, meant: (&Meant, &Ruleset)) -> Names {
    let mut names = Gather {
        meant: meant.0,
        rules: meant.1,
        sources,
        out: Names::default(),
        known: Known::new(),
        traces: BTreeMap::new(),
        facts: Vec::new(),
        at: usize::MAX,
    };
    names.declarations(resolved);
    names.uses(resolved);
    names.out.uses.arrange();
    names.out.uses.dedup();
    names.out
}

/// The same of one that is checked for nothing else.
#[must_use]
pub fn names_of(resolved: &Resolved, sources: &SourceMap) -> Names {
    let mut found = super::checked(resolved, sources);
    found.set_aside();
    let nothing = Ruleset::default();
    let rules = found.meant.broken.as_deref().unwrap_or(&nothing);
    names(resolved, sources, (&found.meant, rules))
}

/// Declarations by what they are looked up among, by owner, by name: looked up without a copy of
/// either.
type Known = BTreeMap<Space, BTreeMap<String, BTreeMap<String, usize>>>;

struct Gather<'c> {
    meant: &'c Meant,
    /// What was made of the items.
    rules: &'c Ruleset,
    sources: &'c SourceMap,
    out: Names,
    known: Known,
    /// The declarations of traces.
    traces: BTreeMap<String, usize>,
    /// The declaration of each fact, by its number.
    facts: Vec<Option<usize>>,
    /// The item that is being read.
    at: usize,
}

impl Gather<'_> {
    fn declarations(&mut self, resolved: &Resolved) {
        let ids = resolved.clause_ids();
        if let Some(head) = &resolved.head {
            self.add(Space::Ruleset, "ruleset", &head.name, "", &head.title.text);
        }
        for (at, (item, id)) in resolved.items.iter().zip(ids).enumerate() {
            self.at = at;
            match (&item.item.kind, id) {
                (ItemKind::Clause(clause), Some(id)) => {
                    let name = ast::Name { text: id, span: clause.label.span };
                    self.add(Space::Clause, "clause", &name, "", &clause.text.text);
                }
                (kind, _) => self.item(kind),
            }
        }
    }

    fn add(
        &mut self,
        space: Space,
        noun: &'static str,
        name: &ast::Name,
        owner: &str,
        about: &str,
    ) {
        if self.find(space, &name.text, owner).is_some() {
            return;
        }
        let of = self.known.entry(space).or_default().entry(owner.to_owned()).or_default();
        of.insert(name.text.clone(), self.out.declared.len());
        self.out.declared.push(Declared {
            space,
            noun,
            name: name.text.clone(),
            owner: owner.to_owned(),
            span: name.span,
            item: self.at,
            about: about.to_owned(),
        });
    }

    /// The singular of the kind that a word names.
    fn kind(&self, of: Option<&ast::Name>) -> String {
        let Some(of) = of else { return "world".to_owned() };
        match self.meant.kinds.get(&of.text) {
            Some(kind) => {
                self.rules.kinds.get(kind.index()).map_or_else(String::new, |k| k.name.clone())
            }
            None => of.text.clone(),
        }
    }

    fn member(
        &mut self,
        noun: &'static str,
        name: &ast::Name,
        of: Option<&ast::Name>,
        title: &Option<ast::Text>,
    ) {
        let owner = self.kind(of);
        let title = title.as_ref().map_or("", |t| t.text.as_str());
        self.add(Space::Member, noun, name, &owner, title);
    }

    fn item(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Ruling(r) => {
                let asks = r.asks.as_ref().map_or("", |t| t.text.as_str());
                self.add(Space::Name, "ruling", &r.name, "", asks);
                self.words("reading", &r.readings, &r.name.text);
            }
            ItemKind::Option(o) => {
                self.add(Space::Name, "option", &o.name, "", &o.title.text);
            }
            ItemKind::Sides(s) => {
                for name in s.names.iter().chain(&s.against) {
                    self.add(Space::Name, "side", name, "", "");
                }
            }
            ItemKind::Clock(c) => {
                self.add(Space::Clock, "clock", &c.name, "", "");
                for name in c.parts.iter().flat_map(|p| &p.names) {
                    self.add(Space::Clock, "part of the clock", name, "", "");
                }
            }
            ItemKind::Dimension(all) => {
                for name in all {
                    self.add(Space::Dimension, "dimension", &name.name, "", "");
                    if let Some(one) = &name.singular {
                        self.add(Space::Dimension, "dimension", one, "", "");
                    }
                }
            }
            ItemKind::Kind(k) => self.kind_item(k),
            ItemKind::Named(n) => {
                for name in &n.names {
                    self.add(Space::Name, "named", name, "", &n.kind.text);
                }
            }
            ItemKind::Track(t) => {
                let title = t.title.as_ref().map_or("", |t| t.text.as_str());
                self.add(Space::Track, "track", &t.name, "", title);
                self.words("stage", &t.stages, &t.name.text);
            }
            ItemKind::Mark(m) => self.member("mark", &m.name, Some(&m.of), &m.title),
            ItemKind::Given(g) => {
                self.member("given", &g.name, Some(&g.of), &g.title);
                if let Some(AttributeType::Word(words)) = &g.ty {
                    self.words("word", words, &g.name.text);
                }
            }
            ItemKind::Count(c) => self.member("count", &c.name, Some(&c.of), &c.title),
            _ => self.rule(kind),
        }
    }

    fn words(&mut self, noun: &'static str, words: &[ast::Name], set: &str) {
        for word in words {
            self.add(Space::Word, noun, word, set, set);
        }
    }

    fn kind_item(&mut self, kind: &ast::Kind) {
        let one_way = if kind.one_way.is_some() { " one way" } else { "" };
        let every_two = kind.every_two.as_ref().map_or("", |_| " between each two");
        let parent = format!("{}{one_way}{every_two}", kind.parent.text);
        self.add(Space::Kind, "kind", &kind.name, "", &parent);
        if let Some(plural) = &kind.plural {
            self.add(Space::Kind, "kind", plural, "", &parent);
        }
        for attribute in &kind.attributes {
            self.member("has", &attribute.name, Some(&kind.name), &None);
            if let AttributeType::Word(words) = &attribute.ty {
                self.words("word", words, &attribute.name.text);
            }
        }
    }

    fn rule(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Define(d) => self.member("define", &d.name, d.of.as_ref(), &d.title),
            ItemKind::Pair(p) => {
                let title = p.title.as_ref().map_or("", |t| t.text.as_str());
                self.add(Space::Name, "pair", &p.name, "", title);
                for party in &p.parties {
                    let kind = &party.kind.text;
                    self.add(Space::Part, "party", &party.name, &p.name.text, kind);
                }
            }
            ItemKind::Table(t) => {
                self.member("table", &t.name, t.of.as_ref(), &t.title);
                self.results(t);
                if let ast::TableBody::List { rows, .. } = &t.body {
                    for row in rows.iter().filter_map(|r| r.name.as_ref()) {
                        self.add(Space::Part, "row", row, &t.name.text, &t.name.text);
                    }
                }
            }
            ItemKind::Trace(t) => self.trace(t),
            ItemKind::Die(d) => self.add(Space::Die, "die", &d.name, "", ""),
            ItemKind::Test(t) => {
                self.member("test", &t.name, Some(&t.of), &t.title);
                for row in &t.rows {
                    for value in &row.values {
                        self.outcome("outcome", value, &t.name.text);
                    }
                }
            }
            ItemKind::Choice(c) => self.member("choice", &c.name, Some(&c.of), &c.title),
            ItemKind::Phase(p) => self.add(Space::Phase, "phase", &p.name, "", ""),
            ItemKind::Hook(h) => self.member("hook", &h.name, Some(&h.of), &h.title),
            _ => self.play(kind),
        }
    }

    /// The words that the rows of a table give, where it gives words.
    fn results(&mut self, table: &ast::Table) {
        let of = table.of.as_ref().and_then(|of| self.meant.kinds.get(&of.text).copied());
        let out = self.rules;
        let found = out.tables.iter().find(|t| t.name == table.name.text && t.of == of);
        // What a list of matches gives are tests, which are declared elsewhere.
        let found = found.filter(|t| t.policy != Policy::All);
        let set = |ty: &Type| match ty {
            Type::Word(set) => out.word_sets.get(set.index()).map(|s| s.name.clone()),
            _ => None,
        };
        let sets: Vec<Option<String>> =
            found.map_or_else(Vec::new, |t| t.results.iter().map(|(_, ty)| set(ty)).collect());
        let rows: Vec<&Vec<ast::Expr>> = match &table.body {
            ast::TableBody::List { rows, otherwise, .. } => {
                let last = otherwise.iter().map(|o| &o.values);
                rows.iter().map(|r| &r.values).chain(last).collect()
            }
            ast::TableBody::Grid(grid) => grid.rows.iter().map(|r| &r.values).collect(),
        };
        // Of a chart with a key across all columns give the one result.
        let across = matches!(&table.body, ast::TableBody::Grid(grid) if grid.across.is_some());
        for (at, value) in rows.into_iter().flat_map(|values| values.iter().enumerate()) {
            if let Some(Some(set)) = sets.get(if across { 0 } else { at }) {
                self.outcome("word", value, set);
            }
        }
    }

    /// The word that a row of a test or a table comes to; each row declares it, the first for all.
    fn outcome(&mut self, noun: &'static str, value: &ast::Expr, set: &str) {
        if let Some(name) = super::table::bare_name(value) {
            self.add(Space::Word, noun, name, set, set);
        }
    }

    fn trace(&mut self, trace: &ast::Trace) {
        let at = self.out.declared.len();
        self.member("trace", &trace.name, Some(&trace.of), &trace.title);
        if self.out.declared.len() > at {
            self.traces.entry(trace.name.text.clone()).or_insert(at);
        }
        for line in &trace.lines {
            match &line.kind {
                TraceLineKind::Called { yes, no } => {
                    self.member("answer", yes, Some(&trace.of), &None);
                    self.member("answer", no, Some(&trace.of), &None);
                }
                TraceLineKind::Counts { name, .. } => {
                    self.member("counts", name, Some(&trace.of), &None);
                }
                TraceLineKind::Source { name, .. } => {
                    self.add(Space::Part, "source", name, &trace.name.text, &trace.name.text);
                }
                TraceLineKind::Relay { name, .. } => {
                    self.add(Space::Part, "relay", name, &trace.name.text, &trace.name.text);
                }
                TraceLineKind::Leg { name, .. } => {
                    self.add(Space::Part, "leg", name, &trace.name.text, &trace.name.text);
                }
                _ => {}
            }
        }
    }

    fn play(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Map(m) => {
                let title = m.title.as_ref().map_or("", |t| t.text.as_str());
                self.add(Space::Map, "map", &m.name, "", title);
                for line in &m.lines {
                    if let MapLine::Space(space) = line {
                        let title = space.title.as_ref().map_or("", |t| t.text.as_str());
                        self.add(Space::Place, "space", &space.name, &m.name.text, title);
                    }
                }
            }
            ItemKind::Setup(s) => {
                let title = s.title.as_ref().map_or("", |t| t.text.as_str());
                self.add(Space::Setup, "setup", &s.name, "", title);
                let owner = s.name.text.clone();
                s.lines.iter().for_each(|line| self.put(line, &owner));
            }
            ItemKind::Case(c) => {
                let title = ast::Name { text: c.title.text.clone(), span: c.title.span };
                self.add(Space::Case, "case", &title, "", "");
                for line in &c.lines {
                    if let ast::CaseLine::Setup(line) = line {
                        self.put(line, &c.title.text);
                    }
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, line: &SetupLine, owner: &str) {
        if let SetupLine::Put(put) = line {
            self.add(Space::Unit, "put", &put.name, owner, &put.kind.text);
        }
    }

    fn uses(&mut self, resolved: &Resolved) {
        let facts = 0..self.rules.facts.len();
        self.facts = facts.map(|at| self.fact(FactId::at(at))).collect();
        for (span, used) in &self.meant.uses {
            let found = match used {
                Used::Kind => self.find(Space::Kind, self.text(*span), ""),
                Used::Clock => self.find(Space::Clock, self.text(*span), ""),
                Used::Phase => self.find(Space::Phase, self.text(*span), ""),
                Used::Dimension => self.find(Space::Dimension, self.text(*span), ""),
                Used::Fact(fact) => self.facts.get(fact.index()).copied().flatten(),
                Used::Word(set) => self.word(*set, self.text(*span)),
                Used::Clause(id) => {
                    let clause = self.rules.clauses.get(id.index());
                    clause.and_then(|c| self.find(Space::Clause, &c.id, ""))
                }
            };
            self.out.uses.extend(found.map(|found| (*span, found)));
        }
        for one in &resolved.legs_as {
            let leg = self.find(Space::Part, &one.leg.text, &one.trace);
            self.out.uses.extend(leg.map(|found| (one.leg.span, found)));
            let trace = self.traces.get(&one.trace).copied();
            self.out.uses.extend(one.of.zip(trace));
        }
        let out = self.rules;
        for (node, span) in out.nodes.iter().zip(&out.node_spans) {
            let found = self.node(node, *span);
            self.out.uses.extend(found.map(|found| (*span, found)));
        }
    }

    fn text(&self, span: Span) -> &str {
        self.sources.slice(span)
    }

    fn find(&self, space: Space, name: &str, owner: &str) -> Option<usize> {
        self.known.get(&space)?.get(owner)?.get(name).copied()
    }

    /// A word of a set; where lines end is said by the names of sources.
    fn word(&self, set: WordSetId, text: &str) -> Option<usize> {
        let name = &self.rules.word_sets.get(set.index())?.name;
        let found = self.find(Space::Word, text, name);
        found.or_else(|| self.find(Space::Part, text, name.strip_prefix("source of ")?))
    }

    fn of_kind(&self, name: &str, kind: Option<KindId>) -> Option<usize> {
        let kinds = &self.rules.kinds;
        let of = |kind: KindId| kinds.get(kind.index()).map_or("", |k| k.name.as_str());
        self.find(Space::Member, name, kind.map_or("world", of))
    }

    fn fact(&self, fact: FactId) -> Option<usize> {
        let out = self.rules;
        let row = out.facts.get(fact.index())?;
        // A phase that happens once and a clock that counts its turns are facts under their names.
        if out.phases.iter().any(|phase| phase.once == Some(fact)) {
            return self.find(Space::Phase, &row.name, "");
        }
        if out.clock.as_ref().and_then(|c| c.counted).is_some_and(|c| c.turn == fact) {
            return self.find(Space::Clock, &row.name, "");
        }
        self.of_kind(&row.name, Some(row.kind))
    }

    /// What a node was made of; a node whose place is more than one word was made of several.
    fn node(&self, node: &Node, span: Span) -> Option<usize> {
        let text = self.text(span);
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return None;
        }
        let out = self.rules;
        let found = match node {
            Node::Fact(fact, _) | Node::WorldFact(fact) => {
                self.facts.get(fact.index()).copied().flatten()
            }
            Node::Define(id, _) => {
                out.defines.get(id.index()).and_then(|d| self.of_kind(text, d.of))
            }
            Node::Table(id, ..) | Node::Listed(id, ..) => {
                out.tables.get(id.index()).and_then(|t| self.of_kind(text, t.of))
            }
            Node::Hook(id, _) => {
                out.hooks.get(id.index()).and_then(|h| self.of_kind(text, Some(h.of)))
            }
            Node::Verdict(id, ..) => {
                out.traces.get(id.index()).and_then(|t| self.of_kind(text, Some(t.of)))
            }
            Node::Outcome(id, _) => {
                out.tests.get(id.index()).and_then(|t| self.of_kind(text, Some(t.of)))
            }
            Node::Chosen(id, _) => {
                out.choices.get(id.index()).and_then(|c| self.of_kind(text, Some(c.of)))
            }
            Node::Pair(..) | Node::Side(_) | Node::Ruling(_) => self.find(Space::Name, text, ""),
            Node::Unit(at) if (*at as usize) < out.named.len() => self.find(Space::Name, text, ""),
            Node::SpaceCalled(_) => self.find(Space::Name, text, ""),
            Node::Word(set, _) => self.word(*set, text),
            Node::IsKind(..) | Node::OverStep(_) | Node::StepEnd(_) => {
                self.find(Space::Kind, text, "")
            }
            // These are written with more words than a name, or with no name at all.
            Node::Evidence(..)
            | Node::WouldBe { .. }
            | Node::Stopped(..)
            | Node::Chance(..)
            | Node::Removed(_)
            | Node::Total
            | Node::Natural => None,
            Node::Nothing
            | Node::Truth(_)
            | Node::Number { .. }
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::LinkEnd(..)
            | Node::Link(_)
            | Node::World
            | Node::Viewer
            | Node::Subject(_) => None,
            Node::Stands(..) | Node::Sides { .. } => None,
            Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Same(..) | Node::Compare(..) => None,
            Node::Any(_) | Node::Only(_) | Node::Count(_) | Node::Aggregate(..) => None,
            Node::Rank(_) | Node::Arithmetic(..) | Node::Rounded(..) | Node::Extreme { .. } => None,
        };
        // A node stands for a word only if the word is its name.
        found.filter(|at| self.out.declared.get(*at).is_some_and(|d| d.name == text))
    }
}
