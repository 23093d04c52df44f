//! Expressions: names looked up, types and dimensions proved, nodes built.

use super::Checker;
use super::name::with_article;
use super::scope::{Member, Scope, Ty, Typed};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, CompareOp, Expr, ExprKind, HeadKind, QuantifierWord};

impl Checker<'_> {
    /// A condition.
    pub(super) fn truth(&mut self, expr: &Expr, scope: &Scope<'_>) -> ExprId {
        let found = self.expr(expr, scope, Some(Type::Truth));
        self.want_truth(found)
    }

    pub(super) fn want_truth(&mut self, found: Typed) -> ExprId {
        if !matches!(found.ty, Ty::Poison | Ty::TRUTH) {
            let what = self.type_name(found.ty);
            self.fault(
                Diagnostic::error(
                    code::E0302,
                    found.span,
                    format!("a condition should stand here, and this is {what}"),
                )
                .help("compare it, as in `at least 2` or `is Marlow`"),
            );
        }
        found.id
    }

    /// What an expression is, for messages.
    pub(super) fn type_name(&self, ty: Ty) -> String {
        match ty {
            Ty::Poison => "faulty".to_owned(),
            Ty::None => "no thing".to_owned(),
            Ty::Rows(_) => "a list of tests".to_owned(),
            Ty::Of(Type::Truth) => "a condition".to_owned(),
            Ty::Of(Type::Number { dimension: Some(d), .. }) => {
                format!("an amount of {}", self.dimension_name(d))
            }
            Ty::Of(Type::Number { .. }) => "a number".to_owned(),
            Ty::Of(Type::Word(set)) => {
                format!(
                    "a word of `{}`",
                    self.out.word_sets.get(set.index()).map_or("", |s| s.name.as_str())
                )
            }
            Ty::Of(Type::Thing { kind, .. }) => with_article(&self.kind_name(kind)),
        }
    }

    pub(super) fn poison(&mut self, span: Span) -> Typed {
        Typed { id: self.node(Node::Nothing, span), ty: Ty::Poison, span }
    }

    pub(super) fn typed(&mut self, node: Node, ty: Ty, span: Span) -> Typed {
        Typed { id: self.node(node, span), ty, span }
    }

    /// Any expression. `expect` is what the place wants, and tells which words may stand there.
    pub(super) fn expr(&mut self, expr: &Expr, scope: &Scope<'_>, expect: Option<Type>) -> Typed {
        self.nested += 1;
        let found = self.expr_here(expr, scope, expect);
        self.nested -= 1;
        found
    }

    fn expr_here(&mut self, expr: &Expr, scope: &Scope<'_>, expect: Option<Type>) -> Typed {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Paren(inner) => self.expr(inner, scope, expect),
            ExprKind::Or(parts) | ExprKind::And(parts) => {
                let ids = parts.iter().map(|p| self.truth(p, scope)).collect();
                let node = if matches!(expr.kind, ExprKind::Or(_)) {
                    Node::Or(ids)
                } else {
                    Node::And(ids)
                };
                self.warn_mixed(expr);
                self.typed(node, Ty::TRUTH, span)
            }
            ExprKind::Not(inner) => {
                let inner = self.truth(inner, scope);
                self.typed(Node::Not(inner), Ty::TRUTH, span)
            }
            ExprKind::Is { left, negated, right } => self.is(span, left, *negated, right, scope),
            ExprKind::IsPair { left, negated, name, right } => {
                self.is_pair(span, left, *negated, name, right, scope)
            }
            ExprKind::IsOneOf { left, negated, options } => {
                let left = self.expr(left, scope, None);
                let same: Vec<ExprId> =
                    options.iter().map(|o| self.same(o.span, left, o, scope).id).collect();
                let any = self.typed(Node::Or(same), Ty::TRUTH, span);
                self.negate(any, *negated)
            }
            ExprKind::Compare { left, op, right } => self.compare(span, left, *op, right, scope),
            ExprKind::Between { left, low, high } => {
                self.ends_in_order(low, high, scope);
                let above = self.compare(span, left, CompareOp::AtLeast, low, scope);
                let below = self.compare(span, left, CompareOp::AtMost, high, scope);
                self.typed(Node::And(vec![above.id, below.id]), Ty::TRUTH, span)
            }
            ExprKind::WouldBe { subject, adjective } => {
                self.would_be(span, subject, adjective, scope)
            }
            ExprKind::Quantifier { word, things } => {
                let things = self.things(things, scope, *word == QuantifierWord::Only);
                let node = match word {
                    QuantifierWord::Only => Node::Only(things),
                    _ => Node::Any(things),
                };
                let any = self.typed(node, Ty::TRUTH, span);
                self.negate(any, *word == QuantifierWord::No)
            }
            ExprKind::Count(things) => {
                let things = self.things(things, scope, false);
                self.typed(Node::Count(things), Ty::number(None, 0, super::declare::MOST), span)
            }
            ExprKind::Aggregate { word, value, things } => {
                self.aggregate(span, *word, value, things, scope)
            }
            ExprKind::Arithmetic { first, rest } => self.arithmetic(span, first, rest, scope),
            ExprKind::Negate(inner) => self.less_than_nothing(span, inner, scope),
            ExprKind::Number { text, dimension } => self.number(span, text, dimension.as_ref()),
            ExprKind::Path(path) => self.path(path, scope, expect, Asked::Kept),
            ExprKind::Now(path) => self.path(path, scope, expect, Asked::Now),
            ExprKind::Rounded { mode, value } => self.rounded(span, mode, value, scope),
            ExprKind::Extreme { greater, left, right } => {
                let left = self.amount(left, scope, None);
                let right = self.amount(right, scope, None);
                let ty = self.unify(left, right, |a, b, c, d| {
                    if *greater { (a.max(c), b.max(d)) } else { (a.min(c), b.min(d)) }
                });
                self.typed(
                    Node::Extreme { greater: *greater, left: left.id, right: right.id },
                    ty,
                    span,
                )
            }
            ExprKind::GateName(word) => {
                let name = ast::Name { text: (*word).to_owned(), span };
                match expect.and_then(|e| self.word(&name, e)) {
                    Some(found) => found,
                    None => {
                        self.fault(Diagnostic::error(
                            code::E0100,
                            span,
                            format!("`{word}` names a gate, and none is asked for here"),
                        ));
                        self.poison(span)
                    }
                }
            }
            ExprKind::Chance { outcome, of } => self.chance(span, outcome, of, scope),
            ExprKind::OverStep(name) => match self.link(name) {
                Some(link) => self.typed(Node::OverStep(link), Ty::TRUTH, span),
                None => self.poison(span),
            },
            ExprKind::Later(what) => {
                self.later(span, what);
                self.poison(span)
            }
        }
    }

    /// An amount taken from nothing.
    #[inline(never)]
    fn less_than_nothing(&mut self, span: Span, inner: &Expr, scope: &Scope<'_>) -> Typed {
        let zero = self.node(Node::Number { over: 0, under: 1 }, span);
        let inner = self.amount(inner, scope, None);
        let ty = match inner.ty {
            Ty::Of(Type::Number { dimension, low, high, fraction }) => Ty::Of(Type::Number {
                dimension,
                low: high.saturating_neg(),
                high: low.saturating_neg(),
                fraction,
            }),
            other => other,
        };
        self.typed(Node::Arithmetic(zero, Sign::Minus, inner.id), ty, span)
    }

    /// Written ends between which nothing lies.
    #[inline(never)]
    pub(super) fn ends_in_order(&mut self, low: &Expr, high: &Expr, scope: &Scope<'_>) {
        let (nodes, faults, viewed) =
            (self.out.nodes.len(), self.faults.len(), self.viewed.clone());
        let ends = [low, high].map(|end| match &end.kind {
            ExprKind::Number { .. } | ExprKind::Negate(_) | ExprKind::Paren(_) => {
                let found = self.expr(end, scope, None);
                match self.folded(found.id) {
                    Node::Number { over, under } => Some((over, under)),
                    _ => None,
                }
            }
            _ => None,
        });
        // What was read here to be looked at alone leaves no trace.
        self.forget_nodes(nodes);
        self.faults.truncate(faults);
        self.viewed = viewed;
        let [Some((a, b)), Some((c, d))] = ends else { return };
        if i128::from(a) * i128::from(d) > i128::from(c) * i128::from(b) {
            let (first, last) =
                (self.sources.slice(low.span).to_owned(), self.sources.slice(high.span).to_owned());
            self.fault(
                Diagnostic::error(
                    code::E0210,
                    low.span.to(high.span),
                    format!("nothing lies between {first} and {last}"),
                )
                .help(format!("write the lesser end first: `between {last} and {first}`")),
            );
        }
    }

    pub(super) fn negate(&mut self, inner: Typed, negated: bool) -> Typed {
        if negated { self.typed(Node::Not(inner.id), inner.ty, inner.span) } else { inner }
    }

    /// `a and b or c` without brackets is read as printed, and easily misread.
    #[inline(never)]
    fn warn_mixed(&mut self, expr: &Expr) {
        let ExprKind::Or(parts) = &expr.kind else { return };
        if let Some(part) = parts.iter().find(|p| matches!(p.kind, ExprKind::And(_))) {
            let span = part.span;
            self.fault(
                Diagnostic::warning(
                    code::W0312,
                    span,
                    "`and` and `or` stand side by side without brackets",
                )
                .help(format!(
                    "write `({})`",
                    self.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
                )),
            );
        }
    }

    fn compare(
        &mut self,
        span: Span,
        left: &Expr,
        op: CompareOp,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Typed {
        let first = self.expr(left, scope, None);
        if let Ty::Of(ty @ Type::Word(set)) = first.ty
            && self.is_track(set)
        {
            return self.compare_stages(span, first, ty, comparison(op), right, scope);
        }
        let left = self.amount_of(first, None);
        let right = self.amount(right, scope, None);
        self.unify(left, right, |a, b, _, _| (a, b));
        self.typed(Node::Compare(left.id, comparison(op), right.id), Ty::TRUTH, span)
    }

    /// `a is b`: a word, a thing, an amount, or an adjective of it.
    fn is(
        &mut self,
        span: Span,
        left: &Expr,
        negated: bool,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Typed {
        let left = self.expr(left, scope, None);
        if let Some(adjective) = self.adjective(left, right) {
            let found = Typed { span, ..adjective };
            return self.negate(found, negated);
        }
        if let Ty::Rows(table) = left.ty {
            let found = self.row_is(span, left, table, right);
            return self.negate(found, negated);
        }
        let same = self.same(span, left, right, scope);
        self.negate(same, negated)
    }

    /// `A is supplied`: the right side is a truth said of the thing on the left.
    fn adjective(&mut self, left: Typed, right: &Expr) -> Option<Typed> {
        let Ty::Of(Type::Thing { kind, .. }) = left.ty else { return None };
        let ExprKind::Path(path) = &right.kind else { return None };
        let [ast::Head { kind: HeadKind::Name(name), .. }] = path.heads.as_slice() else {
            return None;
        };
        if path.here {
            return None;
        }
        if name.text == "removed" && self.out.is_kind(kind, KindId::UNIT) {
            return Some(self.typed(Node::Removed(left.id), Ty::TRUTH, name.span));
        }
        if let Some(stance) = super::things::stance(&name.text) {
            self.viewed = Some(name.clone());
            return Some(self.typed(Node::Stands(left.id, stance), Ty::TRUTH, name.span));
        }
        if let Some(sub) = self.symbols.kinds.get(&name.text).copied()
            && self.out.is_kind(sub, kind)
            && !self.symbols.named.contains_key(&name.text)
            && sub != kind
        {
            return Some(self.typed(Node::IsKind(left.id, sub), Ty::TRUTH, name.span));
        }
        let member = self.member(&name.text, kind)?;
        let found = self.apply(member, left, name, Asked::Kept)?;
        (found.ty == Ty::TRUTH).then_some(found)
    }

    /// Equality of two words, things, sides, truths or amounts.
    pub(super) fn same(
        &mut self,
        span: Span,
        left: Typed,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Typed {
        let expect = match left.ty {
            Ty::Of(ty) => Some(ty),
            _ => None,
        };
        // What a bare word means depends on the left side; if that is faulty, nothing more is said.
        if left.ty == Ty::Poison && matches!(right.kind, ExprKind::Path(_)) {
            return self.poison(span);
        }
        let right = self.expr(right, scope, expect);
        let node = match (left.ty, right.ty) {
            (Ty::Poison, _) | (_, Ty::Poison) => return self.poison(span),
            (Ty::Of(Type::Number { .. }), Ty::Of(Type::Number { .. })) => {
                self.unify(left, right, |a, b, _, _| (a, b));
                Node::Compare(left.id, Comparison::Equal, right.id)
            }
            (Ty::Of(Type::Word(a)), Ty::Of(Type::Word(b))) if a == b => {
                Node::Same(left.id, right.id)
            }
            (Ty::Of(Type::Truth), Ty::Of(Type::Truth)) => Node::Same(left.id, right.id),
            (Ty::Of(Type::Thing { kind: a, .. }), Ty::Of(Type::Thing { kind: b, .. }))
                if self.out.is_kind(a, b) || self.out.is_kind(b, a) =>
            {
                Node::Same(left.id, right.id)
            }
            (Ty::Of(Type::Thing { .. }), Ty::None) => Node::Same(left.id, right.id),
            (a, b) => {
                let (a, b) = (self.type_name(a), self.type_name(b));
                self.fault(
                    Diagnostic::error(code::E0302, span, format!("this compares {a} with {b}"))
                        .help("both sides of `is` must be of one sort"),
                );
                return self.poison(span);
            }
        };
        self.typed(node, Ty::TRUTH, span)
    }

    #[inline(never)]
    fn is_pair(
        &mut self,
        span: Span,
        left: &Expr,
        negated: bool,
        name: &ast::Name,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Typed {
        let war = match name.text.as_str() {
            "enemy_of" => true,
            "ally_of" => false,
            _ => {
                let found = self.truth_of_two(span, left, name, right, scope);
                return self.negate(found, negated);
            }
        };
        let side = Type::Thing { kind: KindId::SIDE, maybe: false };
        let left = self.expr(left, scope, Some(side));
        let right = self.expr(right, scope, Some(side));
        for party in [left, right] {
            if !matches!(party.ty, Ty::Poison | Ty::Of(Type::Thing { kind: KindId::SIDE, .. })) {
                let what = self.type_name(party.ty);
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        party.span,
                        format!("a side should stand here, and this is {what}"),
                    )
                    .help("name a side, or a fact that is one, such as `owner` or `control here`"),
                );
            }
        }
        let found =
            self.typed(Node::Sides { left: left.id, right: right.id, war }, Ty::TRUTH, span);
        self.negate(found, negated)
    }

    #[inline(never)]
    fn would_be(
        &mut self,
        span: Span,
        subject: &Expr,
        adjective: &ast::Name,
        scope: &Scope<'_>,
    ) -> Typed {
        let subject = self.expr(subject, scope, None);
        let Ty::Of(Type::Thing { kind, .. }) = subject.ty else {
            return self.poison(span);
        };
        let Some(Member::Adjective(trace, yes)) = self.member(&adjective.text, kind) else {
            let adjectives: Vec<String> = self
                .symbols
                .members
                .iter()
                .filter(|(_, all)| all.iter().any(|(_, m)| matches!(m, Member::Adjective(..))))
                .map(|(n, _)| n.clone())
                .collect();
            self.unknown(
                code::E0201,
                adjective,
                "answer of a trace",
                adjectives.iter().map(String::as_str),
            );
            return self.poison(span);
        };
        self.need_trace(trace);
        let Some((level, inner)) =
            scope.innermost().filter(|(_, k)| self.out.is_kind(*k, KindId::SPACE))
        else {
            self.fault(
                Diagnostic::error(
                    code::E0304,
                    span,
                    "`would be` asks as if the unit stood in the space in question, and there is none here",
                )
                .help("it stands in a condition on a space, such as the `where` of a source"),
            );
            return self.poison(span);
        };
        let space = self.typed(Node::Subject(level), Ty::thing(inner), span);
        self.typed(
            Node::WouldBe { trace, subject: subject.id, space: space.id, yes },
            Ty::TRUTH,
            span,
        )
    }
}

/// The comparison of the tree as one of the IR.
pub(super) fn comparison(op: CompareOp) -> Comparison {
    match op {
        CompareOp::AtLeast => Comparison::AtLeast,
        CompareOp::AtMost => Comparison::AtMost,
        CompareOp::MoreThan => Comparison::More,
        CompareOp::LessThan => Comparison::Less,
    }
}
