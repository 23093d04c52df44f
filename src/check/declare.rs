//! The first walk: every name, every clause, every stored fact; bodies are left for when they are
//! needed.

use super::scope::Used;
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

/// Sides fit into a byte with room for none.
const MOST_SIDES: usize = 64;
/// Parts of a clock fit into a byte.
const MOST_PARTS: usize = 255;
/// How often a part may come in one turn.
const MOST_TIMES: u32 = 100;

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
            });
            self.symbols.kinds.insert(name.to_owned(), id);
            self.symbols.kinds.insert(plural.to_owned(), id);
        }
        let (name, plural) = ("hexside".to_owned(), "hexsides".to_owned());
        self.symbols.kinds.insert(name.clone(), KindId::HEXSIDE);
        self.symbols.kinds.insert(plural.clone(), KindId::HEXSIDE);
        self.out.kinds.push(Kind { name, plural, parent: Some(KindId::LINK), top: KindId::LINK });
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

    fn clock(&mut self, clock: &ast::Clock) {
        let key = ("the clock", String::new());
        if let Some(first) = self.symbols.places.get(&key).copied() {
            self.fault(
                Diagnostic::error(code::E0202, clock.name.span, "a ruleset has one clock")
                    .label(first, "the first is here")
                    .help("name all parts of the turn in one `clock` line"),
            );
            return;
        }
        self.symbols.places.insert(key, clock.name.span);
        let (mut parts, mut rounds) = (Vec::new(), Vec::new());
        for round in &clock.parts {
            let first = parts.len();
            for name in &round.names {
                if name.text == clock.name.text {
                    let message = format!("`{}` names the turn and a part of it", name.text);
                    self.fault(
                        Diagnostic::error(code::E0202, name.span, message)
                            .label(clock.name.span, "the turn is named here")
                            .help("give the part another name"),
                    );
                } else if self.declare_name("clock", name) {
                    parts.push(ClockPart { name: name.text.clone(), each_side: round.each_side });
                }
            }
            let times = round.times.as_ref().map_or(1, |t| self.times(t));
            let byte = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
            rounds.push(Round {
                first: byte(first),
                parts: byte(parts.len() - first),
                each_side: round.each_side,
                times,
            });
        }
        if parts.len() >= MOST_PARTS {
            self.fault(
                Diagnostic::error(
                    code::E0210,
                    clock.name.span,
                    format!("a clock has fewer than {MOST_PARTS} parts"),
                )
                .help("leave out those in which nothing happens"),
            );
        }
        self.out.clock = Some(Clock { name: clock.name.text.clone(), parts, rounds });
    }

    /// `run movement` runs a phase or a part of the clock, so no phase is called as one of these.
    pub(super) fn is_no_part_of_the_clock(&mut self, phase: &ast::Name) {
        let of_turn = self.out.clock.as_ref().is_some_and(|c| c.name == phase.text);
        let key =
            if of_turn { ("the clock", String::new()) } else { ("clock", phase.text.clone()) };
        let Some(first) = self.symbols.places.get(&key).copied() else { return };
        let message = format!("`{}` is a part of the clock, and here a phase", phase.text);
        self.fault(
            Diagnostic::error(code::E0202, phase.span, message)
                .label(first, "the clock names it here")
                .help("give the phase another name: `run` would mean either"),
        );
    }

    /// How often a part comes in a turn.
    fn times(&mut self, times: &ast::Name) -> u32 {
        match times.text.parse::<u32>() {
            Ok(n) if (1..=MOST_TIMES).contains(&n) => n,
            _ => {
                self.fault(
                    Diagnostic::error(
                        code::E0210,
                        times.span,
                        format!("a part cannot come `{}` times", times.text),
                    )
                    .help(format!("write a number from 1 to {MOST_TIMES}")),
                );
                1
            }
        }
    }

    /// A point of the clock, its part looked up.
    pub(super) fn moment(
        &mut self,
        edge: Edge,
        part: &ast::Name,
        of: Option<&ast::Name>,
    ) -> Option<Moment> {
        let whose = match of {
            None => Whose::All,
            Some(name) if name.text == "owner" => Whose::Owner,
            Some(name) => Whose::Side(self.side(name)?),
        };
        let Some(clock) = self.out.clock.clone() else {
            self.fault(
                Diagnostic::error(code::E0213, part.span, "there is no clock to name a moment of")
                    .help("declare one, as in `clock turn has movement of each side, end_of_turn`"),
            );
            return None;
        };
        self.symbols.note(part.span, Used::Clock);
        if clock.name == part.text {
            return Some(Moment { edge, part: None, whose });
        }
        if let Some(at) = clock.parts.iter().position(|p| p.name == part.text) {
            if !clock.parts.get(at).is_some_and(|p| p.each_side)
                && let Some(of) = of
            {
                self.fault(
                    Diagnostic::error(
                        code::E0213,
                        of.span,
                        format!("`{}` is one part for all sides", part.text),
                    )
                    .help(format!(
                        "leave `of {}` out, or declare `{} of each side`",
                        of.text, part.text
                    )),
                );
                return None;
            }
            return Some(Moment { edge, part: u8::try_from(at).ok(), whose });
        }
        let names: Vec<&str> =
            clock.parts.iter().map(|p| p.name.as_str()).chain([clock.name.as_str()]).collect();
        self.unknown(code::E0213, part, "part of the clock", names);
        None
    }

    pub(super) fn moment_point(&mut self, point: &ast::MomentPoint) -> Option<Moment> {
        self.moment(
            if point.start { Edge::Start } else { Edge::End },
            &point.part,
            point.of.as_ref(),
        )
    }
}

/// The largest amount a ruleset may write.
pub(super) const MOST: i64 = 1_000_000_000;
