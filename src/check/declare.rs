//! The first walk: every name, every clause, every stored fact; bodies are left for when they are
//! needed.

use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

/// Sides fit into a byte with room for none.
const MOST_SIDES: usize = 64;

impl<'a> Checker<'a> {
    pub(super) fn declare(&mut self, resolved: &'a Resolved) {
        self.symbols.lost.extend(resolved.lost.iter().cloned());
        self.symbols.removed.clone_from(&resolved.removed);
        self.head(resolved);
        self.built_in_kinds();
        self.clauses_of(resolved);
        let each =
            |want: fn(&ItemKind) -> bool| resolved.items.iter().filter(move |i| want(&i.item.kind));
        for item in
            each(|k| matches!(k, ItemKind::Sides(_) | ItemKind::Dimension(_) | ItemKind::Clock(_)))
        {
            match &item.item.kind {
                ItemKind::Sides(sides) => self.sides(sides),
                ItemKind::Dimension(names) => self.dimensions(names),
                ItemKind::Clock(clock) => self.clock(clock),
                _ => {}
            }
        }
        self.tabletop(resolved);
        self.kinds(resolved);
        self.kind_of_hexes(resolved);
        self.built_in_facts();
        for item in &resolved.items {
            if let ItemKind::Track(track) = &item.item.kind {
                self.track(track);
            }
        }
        for item in &resolved.items {
            if let ItemKind::Clock(clock) = &item.item.kind {
                self.turns(clock);
            }
        }
        for item in &resolved.items {
            match &item.item.kind {
                ItemKind::Kind(kind) => self.attributes(kind),
                ItemKind::Named(named) => self.named(named),
                ItemKind::Mark(mark) => self.mark(mark),
                ItemKind::Given(given) => self.given(given),
                ItemKind::Count(count) => self.count_decl(count),
                ItemKind::Ruling(ruling) => self.ruling(ruling),
                ItemKind::Option(option) => self.option(option),
                ItemKind::Die(die) => self.die(die),
                _ => {}
            }
        }
        for item in &resolved.items {
            let broken = item.item.broken;
            match &item.item.kind {
                ItemKind::Define(define) => self.define_head(define, broken),
                ItemKind::Table(table) => self.table_head(table, broken),
                ItemKind::Trace(trace) => self.trace_head(trace, broken),
                ItemKind::Test(test) => self.test_head(test),
                ItemKind::Choice(choice) => self.choice_head(choice),
                ItemKind::Phase(phase) => self.phase_head(phase),
                ItemKind::Hook(hook) => self.hook_head(hook, broken),
                _ => {}
            }
        }
        // Behind all that is said of one thing, so that a name that is both is told wherever the
        // two stand.
        for item in &resolved.items {
            if let ItemKind::Pair(pair) = &item.item.kind {
                self.pair_head(pair, item.item.broken);
            }
        }
    }

    fn head(&mut self, resolved: &Resolved) {
        match &resolved.head {
            Some(head) => {
                self.out.name.clone_from(&head.name.text);
                self.out.title.clone_from(&head.title.text);
                self.out.prefix.clone_from(&head.prefix.text);
                self.out.with_scripts = head.scripts;
            }
            None if self.is_lost("ruleset") => {}
            None => {
                let span =
                    resolved.items.first().map_or_else(Span::default, |i| i.item.span.point());
                self.fault(
                    Diagnostic::error(code::E0208, span, "no file of this ruleset has its head")
                        .help("write `ruleset my_game \"My game\" prefix MG` behind the edition of `rules.sut`"),
                );
            }
        }
    }

    fn built_in_kinds(&mut self) {
        for (at, (name, plural)) in [
            ("unit", "units"),
            ("space", "spaces"),
            ("link", "links"),
            ("world", "worlds"),
            ("side", "sides"),
        ]
        .into_iter()
        .enumerate()
        {
            let id = KindId::at(at);
            self.out.kinds.push(Kind {
                name: name.to_owned(),
                plural: plural.to_owned(),
                parent: None,
                top: id,
                one_way: false,
                every_two: None,
                some_of: None,
                told_by: None,
            });
            self.symbols.kinds.insert(name.to_owned(), id);
            self.symbols.kinds.insert(plural.to_owned(), id);
        }
        let (name, plural) = ("hexside".to_owned(), "hexsides".to_owned());
        self.symbols.kinds.insert(name.clone(), KindId::HEXSIDE);
        self.symbols.kinds.insert(plural.clone(), KindId::HEXSIDE);
        self.out.kinds.push(Kind {
            name,
            plural,
            parent: Some(KindId::LINK),
            top: KindId::LINK,
            one_way: false,
            every_two: None,
            some_of: None,
            told_by: None,
        });
    }

    fn clauses_of(&mut self, resolved: &Resolved) {
        for (item, id) in resolved.items.iter().zip(resolved.clause_ids()) {
            let (ItemKind::Clause(clause), Some(id)) = (&item.item.kind, id) else { continue };
            let label = ast::Name { text: id.clone(), span: clause.label.span };
            if self.declare_name("clause", &label) {
                self.symbols.clauses.insert(id.clone(), ClauseId::at(self.out.clauses.len()));
                let inherited = item.inherited || clause.of.is_some();
                self.out.clauses.push(Clause {
                    id,
                    text: clause.text.text.clone(),
                    span: clause.label.span,
                    inherited,
                });
            }
        }
    }

    fn sides(&mut self, sides: &ast::Sides) {
        let before = self.out.sides.len();
        for name in sides.names.iter().chain(&sides.against) {
            if self.out.sides.len() >= MOST_SIDES {
                self.fault(Diagnostic::error(
                    code::E0215,
                    name.span,
                    format!("a ruleset has at most {MOST_SIDES} sides"),
                ));
                break;
            }
            if self.declare_name("name", name) {
                let id = SideId::at(self.out.sides.len());
                self.symbols.sides.insert(name.text.clone(), id);
                self.out.sides.push(Side { name: name.text.clone() });
            }
        }
        self.relations(sides, before);
    }

    /// How the sides stand that were just named; those named before stand as they stood.
    fn relations(&mut self, sides: &ast::Sides, before: usize) {
        let camp = |side: &Side| match side {
            s if sides.names.iter().any(|n| n.text == s.name) => Some(true),
            s if sides.against.iter().any(|n| n.text == s.name) => Some(false),
            _ => None,
        };
        let count = self.out.sides.len();
        let old = std::mem::take(&mut self.out.relations);
        let stands =
            |(a, one): (usize, &Side), (b, other): (usize, &Side)| match (camp(one), camp(other)) {
                _ if a == b => Relation::Own,
                _ if a < before && b < before => {
                    old.get(a * before + b).copied().unwrap_or(Relation::Neutral)
                }
                _ if sides.against.is_empty() => Relation::Neutral,
                (Some(x), Some(y)) if x == y => Relation::Allied,
                (Some(_), Some(_)) => Relation::Enemy,
                _ => Relation::Neutral,
            };
        let all = &self.out.sides;
        let mut relations = Vec::with_capacity(count * count);
        for one in all.iter().enumerate() {
            relations.extend(all.iter().enumerate().map(|other| stands(one, other)));
        }
        self.out.relations = relations;
    }

    fn dimensions(&mut self, names: &[ast::DimensionName]) {
        for name in names {
            if !self.declare_name("dimension", &name.name) {
                continue;
            }
            let id = DimensionId::at(self.out.dimensions.len());
            let singular = name.singular.as_ref().unwrap_or(&name.name).text.clone();
            self.symbols.dimensions.insert(name.name.text.clone(), id);
            self.symbols.dimensions.insert(singular.clone(), id);
            self.out.dimensions.push(Dimension { name: name.name.text.clone(), singular });
        }
    }
}

/// The largest amount a ruleset may write.
pub(super) const MOST: i64 = 1_000_000_000;
