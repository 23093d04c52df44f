//! Noun phrases: `any friendly army here where loaded`.

use super::Checker;
use super::name::with_article;
use super::scope::{Scope, Ty};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, Name, PlaceKind};

/// The words for how a thing stands to the side that asks.
pub(super) fn stance(word: &str) -> Option<Stance> {
    Some(match word {
        "own" => Stance::Own,
        "allied" => Stance::Allied,
        "friendly" => Stance::Friendly,
        "enemy" => Stance::Enemy,
        "neutral" => Stance::Neutral,
        _ => return None,
    })
}

/// How far a condition may look, so that one move touches few spaces.
const FARTHEST: u32 = 3;

impl Checker<'_> {
    /// The candidates of a noun phrase, their place and their condition.
    pub(super) fn things(
        &mut self,
        things: &ast::Things,
        scope: &Scope<'_>,
        only: bool,
    ) -> ThingsId {
        let Some(kind) = self.kind_of_things(things) else {
            // What is asked of things of an unknown kind cannot be looked up.
            let id = ThingsId::at(self.out.things.len());
            let condition = Some(self.node(Node::Nothing, things.span));
            self.out.things.push(Things {
                kind: KindId::UNIT,
                place: Place::Anywhere,
                condition,
                level: 0,
            });
            return id;
        };
        self.stands_somewhere(things, kind, only);
        let place = things.place.as_ref().map_or(Place::Anywhere, |p| self.place(p, scope));
        if only && things.place.is_none() {
            self.fault(
                Diagnostic::error(code::E0304, things.span, "`only` asks about a place")
                    .help("add `here`, or `in` a space"),
            );
        }
        let inner = scope.with(kind);
        let level = inner.innermost().map_or(0, |(l, _)| l);
        if usize::from(level) + 1 >= MOST_LEVELS {
            self.fault(
                Diagnostic::error(
                    code::E0215,
                    things.span,
                    format!("`where` stands within `where` more than {} deep", MOST_LEVELS - 1),
                )
                .help("say a part of it as a define of its own"),
            );
        }
        let read = |c: &mut Self| c.condition_of(things, kind, &inner);
        let (kind, condition) = match self.out.top(kind) == KindId::LINK && things.asks() {
            true => (self.some_links(things, kind, &inner, read).unwrap_or(kind), None),
            false => (kind, read(self)),
        };
        let id = ThingsId::at(self.out.things.len());
        self.out.things.push(Things { kind, place, condition, level });
        self.same_everywhere(things, id, KindId::SPACE, scope);
        id
    }

    /// What a noun phrase asks of each candidate, the innermost subject of a scope.
    pub(super) fn condition_of(
        &mut self,
        things: &ast::Things,
        kind: KindId,
        inner: &Scope<'_>,
    ) -> Option<ExprId> {
        let level = inner.innermost().map_or(0, |(l, _)| l);
        let mut conditions: Vec<ExprId> = Vec::new();
        for word in &things.adjectives {
            conditions.extend(self.adjective_of(word, kind, level));
        }
        if let Some(filter) = &things.filter {
            conditions.push(self.truth(filter, inner));
        }
        match conditions.len() {
            0 => None,
            1 => conditions.pop(),
            _ => Some(self.node(Node::And(conditions), things.span)),
        }
    }

    /// Units that are looked for on the whole map by a condition on a space or a unit, and that are
    /// not compared with it: the answer is the same for each, so `here` was forgotten.
    pub(super) fn same_everywhere(
        &mut self,
        things: &ast::Things,
        id: ThingsId,
        top: KindId,
        scope: &Scope<'_>,
    ) {
        let Some((level, subject)) = scope.innermost() else { return };
        let known = self.symbols.kinds.contains_key(&things.kind.text);
        let Some(found) = self.out.things.get(id.index()).filter(|_| known) else { return };
        // Units of the whole map of which more is said may be meant by a unit.
        let meant = top == KindId::UNIT && things.filter.is_some();
        let of_units = self.out.top(subject) == top && self.out.top(found.kind) == KindId::UNIT;
        let of_spaces = top == KindId::SPACE
            && self.out.top(subject) == top
            && self.out.top(found.kind) == KindId::SPACE;
        let compared = found.condition.is_some_and(|id| self.out.reads_level(id, level));
        if things.place.is_some() || meant || !(of_units || of_spaces) || compared {
            return;
        }
        let text = self.sources.slice(things.kind.span);
        let noun = Span { end: things.kind.span.end, ..things.span };
        let noun = self.sources.slice(noun);
        let mut what = self.kind_name(subject);
        if top == KindId::UNIT {
            what.push_str(" of a side");
        }
        let fault = Diagnostic::warning(
            code::W0313,
            things.span,
            format!("`{noun}` asks about the whole map, and is the same for each {what}"),
        );
        if of_spaces {
            let said = match noun.split_whitespace().find(|word| stance(word).is_some()) {
                Some(word) => format!("of the {what} itself write `{word}`"),
                None => format!("what is said of the {what} itself stands without its kind"),
            };
            return self.fault(
                fault.help(format!(
                    "{said}; what is meant of the whole map is a define without `of`"
                )),
            );
        }
        self.fault(
            fault
                .help(format!(
                    "write `{noun} here`; what is meant of the whole map is a define without `of`"
                ))
                .suggest(things.kind.span, format!("{text} here")),
        );
    }

    /// Links are looked for where they touch a space; sides and the world stand nowhere.
    fn stands_somewhere(&mut self, things: &ast::Things, kind: KindId, only: bool) {
        let top = self.out.top(kind);
        if let Some(place) =
            things.place.as_ref().filter(|_| matches!(top, KindId::SIDE | KindId::WORLD))
        {
            let what = self.a_kind(kind);
            self.fault(
                Diagnostic::error(
                    code::E0304,
                    place.span,
                    format!("{what} stands in no space, so it is not looked for in a place"),
                )
                .help("leave the place out, or ask about what stands there"),
            );
        }
        if top != KindId::LINK {
            return;
        }
        let link = self.kind_name(kind);
        if things.place.is_none() {
            self.fault(
                Diagnostic::error(
                    code::E0304,
                    things.span,
                    format!("{} is counted where it touches a space", with_article(&link)),
                )
                .help(format!("say where, as in `any {link} here` or `count of {link} within 1`")),
            );
        }
        if only {
            let message = format!(
                "`only` asks what else is there, and {} is asked alone",
                with_article(&link)
            );
            self.fault(
                Diagnostic::error(code::E0304, things.span, message)
                    .help(format!("ask `any {link} here`, and what must not be there with `no`")),
            );
        }
    }

    fn adjective_of(&mut self, word: &Name, kind: KindId, level: u8) -> Option<ExprId> {
        if let Some(stance) = stance(&word.text) {
            self.viewed = Some(word.clone());
            let subject = self.node(Node::Subject(level), word.span);
            return Some(self.node(Node::Stands(subject, stance), word.span));
        }
        if let Some(sub) = self.symbols.kinds.get(&word.text).copied() {
            if self.out.is_kind(sub, kind) {
                let subject = self.node(Node::Subject(level), word.span);
                return Some(self.node(Node::IsKind(subject, sub), word.span));
            }
            let (a, b) = (self.a_kind(sub), self.kind_name(kind));
            self.fault(
                Diagnostic::error(code::E0303, word.span, format!("{a} is no {b}"))
                    .help(format!("take out `{}` or the other noun", word.text)),
            );
            return None;
        }
        let Some(member) = self.member(&word.text, kind) else {
            let mut known = self.members_of(kind);
            known.extend(["own", "allied", "friendly", "enemy", "neutral"].map(str::to_owned));
            let what = format!("adjective of {}", self.a_kind(kind));
            self.unknown(code::E0201, word, &what, known.iter().map(String::as_str));
            return None;
        };
        let subject = self.typed(Node::Subject(level), Ty::thing(kind), word.span);
        let found = self.apply(member, subject, word, Asked::Kept)?;
        if found.ty != Ty::TRUTH {
            let what = self.type_name(found.ty);
            self.fault(
                Diagnostic::error(
                    code::E0302,
                    word.span,
                    format!("`{}` is {what} and no adjective", word.text),
                )
                .help(format!("ask for it behind the noun: `where {} ...`", word.text)),
            );
            return None;
        }
        Some(found.id)
    }

    /// Notes that a word asks how things stand to the side that asks, if what it names does.
    pub(super) fn sees(&mut self, viewed: bool, word: &Name) {
        if viewed {
            self.viewed = Some(word.clone());
        }
    }

    /// Reads a part of a step, which a side must ask if it says how things stand to one.
    pub(super) fn seen<T>(&mut self, unseen: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(&mut self.viewed);
        let found = read(self);
        if let Some(word) = std::mem::replace(&mut self.viewed, before).filter(|_| unseen) {
            self.no_viewer(&word);
        }
        found
    }

    pub(super) fn no_viewer(&mut self, word: &Name) {
        self.fault(
            Diagnostic::error(
                code::E0307,
                word.span,
                format!("`{}` is seen by a side, and no side asks here", word.text),
            )
            .help("say whose phase it is with `of owner`, or compare the owner itself")
            .settled(),
        );
    }

    fn place(&mut self, place: &ast::Place, scope: &Scope<'_>) -> Place {
        match &place.kind {
            PlaceKind::Here => {
                if let Some(end) =
                    self.read_end.and_then(|later| self.link_end(later, place.span, scope))
                {
                    return Place::In(end);
                }
                self.here(place.span, scope).map_or(Place::Anywhere, |s| Place::In(s.id))
            }
            PlaceKind::In(path) => {
                self.thing(path, scope, KindId::SPACE).map_or(Place::Anywhere, |s| Place::In(s.id))
            }
            PlaceKind::Adjacent { to, over, not_over } => {
                let link = over.as_ref().and_then(|l| self.link(l));
                match (self.space_of_place(place.span, to.as_ref(), scope), link) {
                    (Some(space), Some(link)) if *not_over => Place::AdjacentNotOver(space, link),
                    (Some(space), link) => Place::Adjacent(space, link),
                    (None, _) => Place::Anywhere,
                }
            }
            PlaceKind::Within { distance, of, over } => {
                let link = over.as_ref().and_then(|l| self.link(l));
                let steps = self.steps(distance, scope);
                match (self.space_of_place(place.span, of.as_ref(), scope), steps) {
                    (Some(space), Some(steps)) => Place::Within(steps, space, link),
                    _ => Place::Anywhere,
                }
            }
        }
    }

    /// The space at an end of the link that a step is about.
    fn link_end(&mut self, later: bool, span: Span, scope: &Scope<'_>) -> Option<ExprId> {
        let (level, kind) = scope.innermost()?;
        if self.out.top(kind) != KindId::LINK {
            return None;
        }
        let link = self.node(Node::Subject(level), span);
        Some(self.node(Node::LinkEnd(link, later), span))
    }

    /// What is asked `here` of a link is asked at both of its ends, one after the other.
    pub(super) fn at_both_ends<T>(
        &mut self,
        things: &ast::Things,
        scope: &Scope<'_>,
        read: impl Fn(&mut Self) -> T,
    ) -> Option<(T, T)> {
        let of_link = scope.innermost().is_some_and(|(_, kind)| self.out.top(kind) == KindId::LINK);
        let here = things.place.as_ref().is_some_and(|place| matches!(place.kind, PlaceKind::Here));
        if !of_link || !here {
            return None;
        }
        let outer = self.read_end.replace(false);
        let first = read(self);
        let told = self.faults.len();
        self.read_end = Some(true);
        let second = read(self);
        // The second reading has the faults of the first again.
        self.faults.truncate(told);
        self.read_end = outer;
        Some((first, second))
    }

    fn space_of_place(
        &mut self,
        span: Span,
        of: Option<&ast::Path>,
        scope: &Scope<'_>,
    ) -> Option<ExprId> {
        match of {
            None => self.here(span, scope).map(|s| s.id),
            Some(path) => {
                let found = self.path(
                    path,
                    scope,
                    Some(Type::Thing { kind: KindId::SPACE, maybe: false }),
                    Asked::Kept,
                );
                match found.ty {
                    Ty::Of(Type::Thing { kind, .. }) if self.out.is_kind(kind, KindId::SPACE) => {
                        Some(found.id)
                    }
                    Ty::Of(Type::Thing { kind, .. }) if self.out.is_kind(kind, KindId::UNIT) => {
                        Some(self.node(Node::Fact(crate::world::built_in::SPACE, found.id), span))
                    }
                    Ty::Poison => None,
                    other => {
                        let what = self.type_name(other);
                        self.fault(
                            Diagnostic::error(
                                code::E0302,
                                found.span,
                                format!("a space should stand here, and this is {what}"),
                            )
                            .help("name a space, or a unit that stands in one"),
                        );
                        None
                    }
                }
            }
        }
    }

    /// A radius written as a number, small enough that one move touches few spaces.
    fn steps(&mut self, distance: &ast::Expr, scope: &Scope<'_>) -> Option<u32> {
        let found = self.amount(distance, scope, None);
        match self.out.node(found.id) {
            Node::Number { over, under: 1 } if (0..=i64::from(FARTHEST)).contains(over) => {
                u32::try_from(*over).ok()
            }
            _ if found.ty == Ty::Poison => None,
            _ => {
                self.fault(
                    Diagnostic::error(
                        code::E0412,
                        found.span,
                        format!("a condition looks at most {FARTHEST} links far, and the distance is a written number"),
                    )
                    .help("write a number up to 3; what reaches farther is a trace"),
                );
                None
            }
        }
    }

    /// A kind of link.
    pub(super) fn link(&mut self, name: &Name) -> Option<KindId> {
        let kind = self.kind_of_link(name)?;
        if self.out.is_kind(kind, KindId::LINK) {
            return Some(kind);
        }
        // What is no kind of anything known may be meant for one of links.
        if self.is_lost(&name.text) {
            return None;
        }
        let links: Vec<String> = self
            .symbols
            .kinds
            .iter()
            .filter(|(_, k)| self.out.is_kind(**k, KindId::LINK) && **k != KindId::LINK)
            .map(|(n, _)| n.clone())
            .collect();
        self.fault(
            Diagnostic::error(
                code::E0405,
                name.span,
                format!("`{}` is no kind of link", name.text),
            )
            .help(format!(
                "the links are {}",
                links.iter().map(|l| format!("`{l}`")).collect::<Vec<_>>().join(", ")
            )),
        );
        None
    }
}
