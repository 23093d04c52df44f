//! Expressions: names looked up, types and dimensions proved, nodes built.

use super::Checker;
use super::name::with_article;
use super::scope::{Member, Scope, Ty, Typed};
use crate::diag::{Diagnostic, Way, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, CompareOp, Expr, ExprKind, QuantifierWord};

impl Checker<'_> {
    /// A condition.
    pub(super) fn truth(&mut self, expr: &Expr, scope: &Scope<'_>) -> ExprId {
        if self.range_for_condition(expr, scope) {
            return self.poison(expr.span).id;
        }
        let found = self.expr(expr, scope, Some(Type::Truth));
        self.want_truth(found)
    }

    pub(super) fn want_truth(&mut self, found: Typed) -> ExprId {
        if !matches!(found.ty, Ty::Poison | Ty::TRUTH) {
            let what =
                format!("a condition should stand here, and this is {}", self.type_name(found.ty));
            let fault = Diagnostic::error(code::E0302, found.span, what);
            self.fault(match found.ty {
                Ty::Of(Type::Thing { maybe: true, .. }) => {
                    let text = self.sources.slice(found.span).trim();
                    fault.ways(vec![Way::near(found.span, &format!("{text} is not none"))])
                }
                Ty::Of(Type::Number { .. }) => fault.help("compare it, as in `at least 2`"),
                _ => fault.help("compare it with `is`"),
            });
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
            ExprKind::Paren(inner) => match &inner.kind {
                // In brackets a difference is meant.
                ExprKind::Arithmetic { first, rest } => {
                    self.arithmetic(inner.span, first, rest, scope)
                }
                _ => self.expr(inner, scope, expect),
            },
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
                    options.iter().map(|o| self.one_of(left, o, scope)).collect();
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
                if *word != QuantifierWord::Only
                    && let Some((a, b)) =
                        self.at_both_ends(things, scope, |c| c.things(things, scope, false))
                {
                    let ends = [a, b].map(|things| self.node(Node::Any(things), span));
                    let any = self.typed(Node::Or(ends.into()), Ty::TRUTH, span);
                    return self.negate(any, *word == QuantifierWord::No);
                }
                let (asked, faults) = (things, self.faults.len());
                let things = self.things(things, scope, *word == QuantifierWord::Only);
                if self.faults.len() == faults {
                    self.same_everywhere(asked, things, KindId::UNIT, scope);
                }
                let node = match word {
                    QuantifierWord::Only => Node::Only(things),
                    _ => Node::Any(things),
                };
                let any = self.typed(node, Ty::TRUTH, span);
                self.negate(any, *word == QuantifierWord::No)
            }
            ExprKind::Count(things) => {
                let ty = Ty::number(None, 0, super::declare::MOST);
                if let Some((a, b)) =
                    self.at_both_ends(things, scope, |c| c.things(things, scope, false))
                {
                    let [a, b] = [a, b].map(|things| self.node(Node::Count(things), span));
                    return self.typed(Node::Arithmetic(a, Sign::Plus, b), ty, span);
                }
                let things = self.things(things, scope, false);
                self.typed(Node::Count(things), ty, span)
            }
            ExprKind::Aggregate { word, value, things, none } => {
                self.aggregate(span, (*word, none.as_deref()), value, things, scope)
            }
            ExprKind::Arithmetic { first, rest } => {
                if self.range_for_amount(span, first, rest) {
                    return self.poison(span);
                }
                self.arithmetic(span, first, rest, scope)
            }
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
            ExprKind::OverStep(way) => match self.way(way, scope) {
                Some(links) => {
                    let over = self.over_any(&links, span);
                    Typed { id: over, ty: Ty::TRUTH, span }
                }
                None => self.poison(span),
            },
            ExprKind::Quoted => {
                let message =
                    "a text in quotes is no value: rules compare words, amounts and things";
                self.fault(Diagnostic::error(code::E0302, span, message).help(
                    "declare a word for it, as in `has mood one of calm, angry`, and write the word",
                ));
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
            let span = low.span.to(high.span);
            let title = format!("nothing lies between {first} and {last}");
            let help = format!("write the lesser end first: `between {last} and {first}`");
            let way = Way { help, ..Way::near(span, &format!("{last} and {first}")) };
            self.fault(Diagnostic::error(code::E0210, span, title).ways(vec![way]));
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
        if first.ty == Ty::TRUTH {
            let text = self.sources.slice(first.span).trim();
            let way = Way::near(first.span, &format!("({text})"));
            let what = "an amount should stand here, and this is a condition";
            let fault = Diagnostic::error(code::E0302, first.span, what).ways(vec![way]);
            self.fault(fault.or_else("write a number, or a fact that is an amount"));
            return self.poison(span);
        }
        let left = self.amount_of(first, None);
        let right = self.expr(right, scope, None);
        // Beside what has a fault of its own a stage may be right.
        if left.ty == Ty::Poison
            && matches!(right.ty, Ty::Of(Type::Word(set)) if self.is_track(set))
        {
            return self.poison(span);
        }
        let right = self.amount_of(right, None);
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
        let text = self.sources.slice(left.span).trim().to_owned();
        if matches!(left.kind, ExprKind::Quantifier { .. }) {
            return self.said_of_each(&text, left.span, negated, right.span);
        }
        let left = self.expr(left, scope, None);
        let before = if negated { format!("not {text} ") } else { format!("{text} ") };
        if self.range_for_value(left, right, span, &before) {
            return self.poison(span);
        }
        if let Some(adjective) = self.adjective(left, right, scope) {
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

    /// `any army here is tired`: what is said of each stands behind `where`.
    #[inline(never)]
    fn said_of_each(&mut self, text: &str, left: Span, negated: bool, right: Span) -> Typed {
        let end = left.start + u32::try_from(text.len()).unwrap_or_default();
        let between = Span { start: end, end: right.start, ..left };
        let said = self.sources.slice(between);
        let blank = said.len() - said.trim_start().len();
        let word = Span { start: end + u32::try_from(blank).unwrap_or_default(), ..between };
        let fault = Diagnostic::error(
            code::E0302,
            left.to(right),
            format!("`{text}` is a condition, of which nothing can be said with `is`"),
        );
        let write = if negated { "where not " } else { "where " };
        let help = format!("write `{}` instead of `is`", write.trim_end());
        let way = Way { help, ..Way::near(word, write) };
        let otherwise = "what is said of each stands behind the noun and its place, as `where ...`";
        self.fault(fault.ways(vec![way]).or_else(otherwise).settled());
        self.poison(left.to(right))
    }

    /// Whether a condition asks who stands somewhere, or how something stands to a side: nobody
    /// compares that with another condition.
    fn is_no_fact(&self, id: ExprId) -> bool {
        match self.out.node(id) {
            Node::Any(_) | Node::Only(_) | Node::Stands(..) => true,
            Node::Not(inner) => self.is_no_fact(*inner),
            _ => false,
        }
    }

    /// `A is supplied`: the right side is a truth said of the thing on the left.
    fn adjective(&mut self, left: Typed, right: &Expr, scope: &Scope<'_>) -> Option<Typed> {
        let Ty::Of(Type::Thing { kind, .. }) = left.ty else { return None };
        let name = super::table::bare_name(right)?;
        if name.text == "removed" && self.out.is_kind(kind, KindId::UNIT) {
            return Some(self.typed(Node::Removed(left.id), Ty::TRUTH, name.span));
        }
        if let Some(stance) = super::things::stance(&name.text) {
            self.viewed = Some(name.clone());
            return Some(self.typed(Node::Stands(left.id, stance), Ty::TRUTH, name.span));
        }
        if let Some(of) = self.symbols.kinds.get(&name.text).copied()
            && !self.is_object(&name.text, scope)
        {
            let fact = self.is_fact_here(&name.text, kind, scope);
            let below = of != kind && self.out.is_kind(of, kind);
            if below || !fact && self.out.is_kind(kind, of) {
                return Some(self.typed(Node::IsKind(left.id, of), Ty::TRUTH, name.span));
            }
            if !fact {
                let (is, no) = (self.a_kind(kind), self.a_kind(of));
                let message = format!("this is {is}, and never {no}");
                let fault = Diagnostic::error(code::E0302, left.span.to(name.span), message);
                let fault = fault.help(format!("it can be {}", self.kinds_near(kind)));
                self.fault(fault.settled());
                return Some(self.poison(name.span));
            }
        }
        let member = self.member(&name.text, kind)?;
        let found = self.apply(member, left, name, Asked::Kept)?;
        (found.ty == Ty::TRUTH).then_some(found)
    }

    /// Whether a name is a fact of what is asked here, with which a thing is compared even where a
    /// kind is called like it.
    fn is_fact_here(&self, name: &str, kind: KindId, scope: &Scope<'_>) -> bool {
        let Some(all) = self.symbols.members.get(name) else { return false };
        let related = |a: KindId, b: KindId| self.out.is_kind(a, b) || self.out.is_kind(b, a);
        let mut asked = scope.levels.iter().copied().chain([kind, KindId::WORLD]);
        asked.any(|asked| all.iter().any(|(of, _)| related(*of, asked)))
    }

    /// The kinds of this game that a thing of a kind can be.
    fn kinds_near(&self, kind: KindId) -> String {
        const FEW: usize = 6;
        let all = (0..self.out.kinds.len()).map(KindId::at);
        let near = all.filter(|k| self.out.is_kind(*k, kind) || self.out.is_kind(kind, *k));
        let named = near.map(|k| format!("`{}`", self.kind_name(k)));
        named.rev().take(FEW).collect::<Vec<_>>().join(" or ")
    }

    /// Whether a name is that of a thing, which goes before a kind that is called so.
    fn is_object(&self, name: &str, scope: &Scope<'_>) -> bool {
        let of_case = scope.objects.is_some_and(|objects| {
            let map = objects.map.and_then(|map| self.out.maps.get(map.index()));
            objects.units.contains_key(name)
                || map.is_some_and(|map| map.names().any(|space| space == name))
        });
        let symbols = &self.symbols;
        of_case
            || symbols.named.contains_key(name)
            || symbols.named_places.contains_key(name)
            || symbols.sides.contains_key(name)
    }

    /// Equality with one of several values.
    pub(super) fn one_of(&mut self, left: Typed, value: &Expr, scope: &Scope<'_>) -> ExprId {
        if self.range_among_values(value) {
            return self.poison(value.span).id;
        }
        self.same(value.span, left, value, scope).id
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
            (Ty::TRUTH, Ty::TRUTH) if self.is_no_fact(left.id) || self.is_no_fact(right.id) => {
                let fault = Diagnostic::error(code::E0302, span, "this compares two conditions");
                self.fault(fault.help("join them with `and` or `or`"));
                return self.poison(span);
            }
            (Ty::Of(Type::Truth), Ty::Of(Type::Truth)) => Node::Same(left.id, right.id),
            (Ty::Of(Type::Thing { kind: a, .. }), Ty::Of(Type::Thing { kind: b, .. }))
                if self.out.is_kind(a, b) || self.out.is_kind(b, a) =>
            {
                Node::Same(left.id, right.id)
            }
            (Ty::Of(Type::Thing { .. }), Ty::None) => Node::Same(left.id, right.id),
            (Ty::Of(Type::Word(of)), Ty::Of(Type::Word(_))) => {
                self.words_of_two(left.span, right.span, of);
                return self.poison(span);
            }
            (a, b) => {
                let own = matches!(self.out.node(right.id), Node::Stands(_, Stance::Own));
                let (a, b) = (self.type_name(a), self.type_name(b));
                let fault =
                    Diagnostic::error(code::E0302, span, format!("this compares {a} with {b}"));
                let help = "the two must be of one sort";
                self.fault(match own {
                    true => fault.ways(vec![Way::near(right.span, "viewer")]).or_else(help),
                    false => fault.help(help),
                });
                return self.poison(span);
            }
        };
        self.typed(node, Ty::TRUTH, span)
    }

    /// Words of one thing where those of another should stand: a table has words of its own.
    #[inline(never)]
    pub(super) fn words_of_two(&mut self, left: Span, right: Span, of: WordSetId) {
        let text = |span: Span| self.sources.slice(span).trim().to_owned();
        let (a, b) = (text(left), text(right));
        let words = self.out.word_sets.get(of.index()).map_or(&[][..], |set| &set.words);
        let listed: Vec<String> = words.iter().take(4).map(|word| format!("`{word}`")).collect();
        let mut fault = Diagnostic::error(
            code::E0302,
            right,
            format!("`{b}` has words of its own, and they are not those of `{a}`"),
        )
        .label(left, "these are other words, even where they are spelt alike");
        if !listed.is_empty() {
            fault = fault.help(format!("write a word of `{a}` itself: {}", listed.join(" or ")));
        }
        self.fault(fault.settled());
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
        if matches!(name.text.as_str(), "a" | "an") {
            self.no_article(name, right);
            return self.poison(span);
        }
        let Some(how) = Relation::named(&name.text) else {
            let found = self.truth_of_two(span, left, name, right, scope);
            return self.negate(found, negated);
        };
        let side = Type::Thing { kind: KindId::SIDE, maybe: false };
        let left = self.expr(left, scope, Some(side));
        let right = self.expr(right, scope, Some(side));
        self.are_sides([left, right]);
        let found =
            self.typed(Node::Sides { left: left.id, right: right.id, how }, Ty::TRUTH, span);
        self.negate(found, negated)
    }

    /// Whether both are sides; a fault of each that is none.
    pub(super) fn are_sides(&mut self, parties: [Typed; 2]) -> bool {
        let mut both = true;
        for party in parties {
            both &= party.ty != Ty::Poison;
            if !matches!(party.ty, Ty::Poison | Ty::Of(Type::Thing { kind: KindId::SIDE, .. })) {
                both = false;
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
        both
    }

    /// `First is an army`: what a thing is stands without an article.
    #[inline(never)]
    fn no_article(&mut self, article: &ast::Name, right: &Expr) {
        let text = self.sources.slice(right.span).trim().to_owned();
        let message = format!("`{}` says nothing here", article.text);
        let fault = Diagnostic::error(code::E0201, article.span, message);
        let help = format!("write `{text}` alone");
        let alone = Way { help, ..Way::near(article.span.to(right.span), &text) };
        // `is the army` asks whether it is the one that is spoken of.
        let the = Way { help: format!("write `the {text}`"), ..Way::near(article.span, "the") };
        self.fault(fault.ways(vec![alone, the]).settled());
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
