//! What a setup or a case states: stored facts, how sides stand, kept answers.

use super::Checker;
use super::name::with_article;
use super::relation::is_relation;
use super::scope::{Objects, Scope, Ty, Typed};
use super::space::is_label;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, Expr, ExprKind, Given, GivenKind, Head, HeadKind, Path};

impl Checker<'_> {
    /// `given FACT`, or `given FACT in A, B`.
    pub(super) fn states(&mut self, given: &Given, objects: &Objects) -> Vec<State> {
        let stated = self.all_stated(given, objects);
        for state in &stated {
            self.has_the_fact(given.span, state, objects);
        }
        stated
    }

    /// What is said of a thing whose kind is known and has no such fact would be lost.
    fn has_the_fact(&mut self, span: Span, state: &State, objects: &Objects) {
        let State::Fact(fact, Some(of), _) = state else { return };
        let kind = match self.out.node(*of) {
            Node::Unit(at) => objects.unit(*at),
            Node::Space(at) => {
                let map = objects.map.and_then(|map| self.out.maps.get(map.index()));
                map.and_then(|map| map.spaces.get(*at as usize)).map(|space| space.kind)
            }
            _ => None,
        };
        let (Some(kind), Some(fact)) = (kind, self.out.facts.get(fact.index())) else { return };
        if self.out.is_kind(kind, fact.kind) {
            return;
        }
        let (is, has) = (self.kind_name(kind), self.kind_name(fact.kind));
        let message = format!("this is {}, which has no `{}`", with_article(&is), fact.name);
        let help =
            format!("say it of {}, or declare `{}` of `{is}`", with_article(&has), fact.name);
        self.fault(Diagnostic::error(code::E0705, span, message).help(help));
    }

    fn all_stated(&mut self, given: &Given, objects: &Objects) -> Vec<State> {
        let scope = Scope { objects: Some(objects), ..Scope::default() };
        let (fact, spaces) = match &given.kind {
            GivenKind::Fact { fact, spaces } => (fact, spaces),
            GivenKind::Place { unit, at } => {
                return self
                    .place_state(given.span, unit, at.as_deref(), &scope)
                    .into_iter()
                    .collect();
            }
        };
        if spaces.is_empty() {
            return self.state(fact, &scope).into_iter().collect();
        }
        let mut out = Vec::new();
        for space in spaces {
            if self.space_of(objects, &space.text).is_none() {
                self.no_space(code::E0701, space, objects.map);
                continue;
            }
            let fact = said_of(fact, space);
            out.extend(self.state(&fact, &scope));
        }
        out
    }

    /// `given A at (3, 4) facing north`, or `given A off table`
    fn place_state(
        &mut self,
        span: Span,
        unit: &Path,
        at: Option<&ast::Placed>,
        scope: &Scope<'_>,
    ) -> Option<State> {
        let map = scope.objects.and_then(|o| o.map);
        let unit = self.unit_named(unit, scope);
        let stand = match at {
            Some(at) => Some(self.stand(at, map)?),
            None => {
                self.table_size(map, span)?;
                None
            }
        };
        Some(State::Place(unit?, stand))
    }

    fn state(&mut self, fact: &Expr, scope: &Scope<'_>) -> Option<State> {
        match &fact.kind {
            ExprKind::Paren(inner) => self.state(inner, scope),
            ExprKind::Not(inner) => self.truth_state(inner, false, scope),
            ExprKind::IsPair { left, negated: false, name, right } if is_relation(name) => {
                self.relation(left, name, right, scope)
            }
            ExprKind::IsPair { left, negated, name, right } if !is_relation(name) => {
                self.pair_state(fact.span, (left, name, right), !negated, scope)
            }
            ExprKind::Is { left, negated, right } => {
                self.is_state(fact.span, left, *negated, right, scope)
            }
            ExprKind::Path(_) => self.truth_state(fact, true, scope),
            _ => {
                self.cannot_state(fact.span);
                None
            }
        }
    }

    fn cannot_state(&mut self, span: Span) {
        self.fault(
            Diagnostic::error(code::E0308, span, "this cannot be stated as a fact")
                .help("state a fact as in `given control of Hill is Red`, `given A is tired` or `given Red is enemy_of Blue`"),
        );
    }

    /// A truth that is so, or is not.
    fn truth_state(&mut self, fact: &Expr, value: bool, scope: &Scope<'_>) -> Option<State> {
        match &fact.kind {
            ExprKind::Is { left, negated, right } => {
                self.is_state(fact.span, left, *negated == value, right, scope)
            }
            ExprKind::IsPair { left, negated, name, right } if !is_relation(name) => {
                self.pair_state(fact.span, (left, name, right), *negated != value, scope)
            }
            ExprKind::Path(path) => {
                let (id, of) = self.settable(path, scope)?;
                let value = self.node(Node::Truth(value), fact.span);
                self.wants_truth(id, fact.span)?;
                Some(State::Fact(id, of, value))
            }
            _ => {
                self.cannot_state(fact.span);
                None
            }
        }
    }

    pub(super) fn wants_truth(&mut self, fact: FactId, span: Span) -> Option<()> {
        if self.out.facts.get(fact.index()).is_some_and(|f| f.ty == Type::Truth) {
            return Some(());
        }
        self.fault(
            Diagnostic::error(code::E0302, span, "this fact has a value")
                .help("say which, as in `given control of Hill is Red`"),
        );
        None
    }

    fn is_state(
        &mut self,
        span: Span,
        left: &Expr,
        negated: bool,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Option<State> {
        if super::table::is_word(left, "viewer") {
            return self.viewer_state(span, negated, right, scope);
        }
        let ExprKind::Path(path) = &left.kind else {
            self.cannot_state(span);
            return None;
        };
        if path.between.is_some() && !negated {
            return self.between_state(path, right, scope);
        }
        let thing = self.path(path, scope, None, Asked::Kept);
        if thing.ty == Ty::Poison {
            return None;
        }
        // `A is besieging`, `A is out_of_supply`: said of the thing on the left.
        if let (Ty::Of(Type::Thing { kind, .. }), Some(name)) =
            (thing.ty, super::table::bare_name(right))
        {
            let is_object = self.out.node(thing.id).is_object();
            if is_object && let Some(member) = self.member(&name.text, kind) {
                let said = self.apply(member, thing, name, Asked::Kept)?;
                return self.said_of_thing(said, !negated);
            }
        }
        if negated {
            self.cannot_state(span);
            return None;
        }
        if let Node::Verdict(trace, of, _) = self.out.node(thing.id).clone() {
            return self.answer_state(trace, of, thing, right, scope);
        }
        let (fact, of) = self.settable(path, scope)?;
        self.state_value(fact, of, right, scope)
    }

    /// `given viewer is Red`.
    fn viewer_state(
        &mut self,
        span: Span,
        negated: bool,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Option<State> {
        if negated {
            self.cannot_state(span);
            return None;
        }
        self.side_said(right, scope).map(State::Viewer)
    }

    /// A side by its name.
    pub(super) fn side_said(&mut self, said: &Expr, scope: &Scope<'_>) -> Option<SideId> {
        let found = self.expr(said, scope, Some(Type::Thing { kind: KindId::SIDE, maybe: false }));
        match self.out.node(found.id) {
            Node::Side(side) => Some(*side),
            _ if found.ty == Ty::Poison => None,
            _ => {
                let is = match found.ty {
                    Ty::Of(Type::Thing { kind: KindId::SIDE, .. }) => "worked out".to_owned(),
                    other => self.type_name(other),
                };
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        found.span,
                        format!("the name of a side should stand here, and this is {is}"),
                    )
                    .help("name a side, as `sides` declares it"),
                );
                None
            }
        }
    }

    /// The kept answer of a trace: one of its two words.
    pub(super) fn answer_state(
        &mut self,
        trace: TraceId,
        of: ExprId,
        left: Typed,
        said: &Expr,
        scope: &Scope<'_>,
    ) -> Option<State> {
        let found = self.expr(said, scope, ty(left));
        let answers = self.out.traces.get(trace.index()).map(|t| t.answers)?;
        match self.out.node(found.id) {
            Node::Word(set, word) if *set == answers => Some(State::Verdict(trace, of, *word == 0)),
            _ if found.ty == Ty::Poison => None,
            _ => {
                let (is, want) = (self.type_name(found.ty), self.type_name(left.ty));
                let words = self
                    .out
                    .word_sets
                    .get(answers.index())
                    .map(|s| s.words.clone())
                    .unwrap_or_default();
                let words = words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(" or ");
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        found.span,
                        format!("{want} should stand here, and this is {is}"),
                    )
                    .help(format!("write {words}")),
                );
                None
            }
        }
    }

    /// A fact of a thing with the value a cell or line gives it.
    pub(super) fn state_value(
        &mut self,
        fact: FactId,
        of: Option<ExprId>,
        value: &Expr,
        scope: &Scope<'_>,
    ) -> Option<State> {
        let ty = self.out.facts.get(fact.index())?.ty;
        let encoded = self.constant_of(value, ty, scope)?;
        let node = match ty {
            Type::Truth => Node::Truth(encoded != 0),
            Type::Number { .. } => Node::Number { over: encoded, under: 1 },
            Type::Word(set) => Node::Word(set, u16::try_from(encoded).unwrap_or(0)),
            Type::Thing { .. } => return self.expr_state(fact, of, value, ty, scope),
        };
        let id = self.node(node, value.span);
        Some(State::Fact(fact, of, id))
    }

    fn expr_state(
        &mut self,
        fact: FactId,
        of: Option<ExprId>,
        value: &Expr,
        ty: Type,
        scope: &Scope<'_>,
    ) -> Option<State> {
        let found = self.expr(value, scope, Some(ty));
        Some(State::Fact(fact, of, found.id))
    }

    /// A mark, an attribute or an answer, said of a thing.
    fn said_of_thing(&mut self, said: Typed, value: bool) -> Option<State> {
        match self.out.node(said.id).clone() {
            Node::Fact(fact, of) => {
                self.wants_truth(fact, said.span)?;
                self.symbols.set_facts.push(fact);
                let value = self.node(Node::Truth(value), said.span);
                Some(State::Fact(fact, Some(of), value))
            }
            Node::Same(verdict, word) => {
                match (self.out.node(verdict).clone(), self.out.node(word).clone()) {
                    (Node::Verdict(trace, of, _), Node::Word(_, word)) => {
                        Some(State::Verdict(trace, of, (word == 0) == value))
                    }
                    _ => {
                        self.cannot_state(said.span);
                        None
                    }
                }
            }
            _ => {
                self.cannot_state(said.span);
                None
            }
        }
    }
}

fn ty(typed: Typed) -> Option<Type> {
    match typed.ty {
        Ty::Of(ty) => Some(ty),
        _ => None,
    }
}

/// The same fact, said of a space: `control is Red` becomes `control of Hill is Red`.
fn said_of(fact: &Expr, space: &ast::Name) -> Expr {
    let of = |path: &Path| {
        let mut path = path.clone();
        let kind = if is_label(&space.text) {
            HeadKind::Hex(space.clone())
        } else {
            HeadKind::Name(space.clone())
        };
        path.heads.push(Head { span: space.span, kind });
        path
    };
    let kind = match &fact.kind {
        ExprKind::Path(path) => ExprKind::Path(of(path)),
        ExprKind::Not(inner) => ExprKind::Not(Box::new(said_of(inner, space))),
        ExprKind::Is { left, negated, right } => ExprKind::Is {
            left: Box::new(said_of(left, space)),
            negated: *negated,
            right: right.clone(),
        },
        other => other.clone(),
    };
    Expr { span: fact.span, kind }
}
