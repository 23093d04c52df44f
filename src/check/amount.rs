//! Amounts: numbers, signs between them, roundings, sums over things; dimensions that never mix.

use super::Checker;
use super::scope::{Scope, Ty, Typed};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, ArithmeticOp, Expr, HeadKind};

/// Chains with more parts than this are not built one level a part.
const LONG_CHAIN: usize = 32;

impl Checker<'_> {
    /// An amount in a dimension, if one is asked for.
    pub(super) fn amount(
        &mut self,
        expr: &Expr,
        scope: &Scope<'_>,
        dimension: Option<DimensionId>,
    ) -> Typed {
        let found = self.expr(expr, scope, None);
        self.amount_of(found, dimension)
    }

    pub(super) fn amount_of(&mut self, found: Typed, dimension: Option<DimensionId>) -> Typed {
        match found.ty {
            Ty::Poison => {}
            Ty::Of(Type::Number { dimension: said, .. }) => {
                if let (Some(a), Some(b)) = (said, dimension)
                    && a != b
                {
                    self.dimensions_meet(found.span, a, b);
                }
            }
            other => {
                let what = self.type_name(other);
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        found.span,
                        format!("an amount should stand here, and this is {what}"),
                    )
                    .help("write a number, or a fact that is an amount"),
                );
            }
        }
        found
    }

    pub(super) fn dimensions_meet(&mut self, span: Span, a: DimensionId, b: DimensionId) {
        let (a, b) = (self.dimension_name(a), self.dimension_name(b));
        self.fault(
            Diagnostic::error(code::E0301, span, format!("{a} meet {b}"))
                .help(format!("an amount in {a} is compared and added to {a} alone")),
        );
    }

    pub(super) fn dimension_name(&self, id: DimensionId) -> String {
        self.out.dimensions.get(id.index()).map_or_else(String::new, |d| d.name.clone())
    }

    #[inline(never)]
    pub(super) fn number(
        &mut self,
        span: Span,
        text: &str,
        dimension: Option<&ast::Name>,
    ) -> Typed {
        let dimension = dimension.and_then(|d| self.dimension_behind(text, d));
        let (over, under) = text.split_once('/').unwrap_or((text, "1"));
        let parsed = over.parse::<i64>().ok().zip(under.parse::<i64>().ok());
        let (over, under) = match parsed {
            Some((_, 0)) => {
                self.fault(
                    Diagnostic::error(code::E0210, span, format!("`{text}` divides by nothing"))
                        .help("write a number other than 0 behind the `/`"),
                );
                return self.poison(span);
            }
            Some((over, under))
                if over <= super::declare::MOST && under <= super::declare::MOST =>
            {
                (over, under)
            }
            _ => {
                self.fault(
                    Diagnostic::error(code::E0210, span, format!("`{text}` is out of range"))
                        .help(format!("a number here is at most {}", super::declare::MOST)),
                );
                return self.poison(span);
            }
        };
        let fraction = over % under != 0;
        let ty = Type::Number {
            dimension,
            low: over.div_euclid(under),
            high: over.div_euclid(under) + i64::from(fraction),
            fraction,
        };
        self.typed(Node::Number { over, under }, Ty::Of(ty), span)
    }

    /// The dimension behind a number; another name there is mostly the next condition, and `and` is
    /// missing.
    fn dimension_behind(&mut self, number: &str, name: &ast::Name) -> Option<DimensionId> {
        let other = self.symbols.members.contains_key(&name.text)
            || self.symbols.rulings.contains_key(&name.text);
        if !other || self.symbols.dimensions.contains_key(&name.text) {
            return self.dimension(name);
        }
        self.fault(
            Diagnostic::error(
                code::E0205,
                name.span,
                format!("`{}` is no dimension, so it does not go on with `{number}`", name.text),
            )
            .help(format!("if it begins another condition, write `and {}`", name.text)),
        );
        None
    }

    /// The type of two amounts together; the bounds are what `bounds` makes of both.
    pub(super) fn unify(
        &mut self,
        a: Typed,
        b: Typed,
        bounds: impl Fn(i64, i64, i64, i64) -> (i64, i64),
    ) -> Ty {
        let (
            Ty::Of(Type::Number { dimension: da, low: la, high: ha, fraction: fa }),
            Ty::Of(Type::Number { dimension: db, low: lb, high: hb, fraction: fb }),
        ) = (a.ty, b.ty)
        else {
            return Ty::Poison;
        };
        if let (Some(x), Some(y)) = (da, db)
            && x != y
        {
            self.dimensions_meet(a.span.to(b.span), x, y);
            return Ty::Poison;
        }
        let (low, high) = bounds(la, ha, lb, hb);
        Ty::Of(Type::Number { dimension: da.or(db), low, high, fraction: fa || fb })
    }

    pub(super) fn arithmetic(
        &mut self,
        span: Span,
        first: &Expr,
        rest: &[(ArithmeticOp, Expr)],
        scope: &Scope<'_>,
    ) -> Typed {
        if rest.len() >= LONG_CHAIN {
            return self.long_chain(span, first, rest, scope);
        }
        let mut left = self.amount(first, scope, None);
        for (op, part) in rest {
            let right = self.amount(part, scope, None);
            left = self.signed(span.to(part.span), left, *op, right);
        }
        left
    }

    /// A chain of many parts. A sum is built as a balanced tree, so that nothing that walks it goes
    /// deep; a product, whose divisions do not change places, is refused.
    fn long_chain(
        &mut self,
        span: Span,
        first: &Expr,
        rest: &[(ArithmeticOp, Expr)],
        scope: &Scope<'_>,
    ) -> Typed {
        if rest.iter().any(|(op, _)| matches!(op, ArithmeticOp::Times | ArithmeticOp::Divide)) {
            let fault = Diagnostic::error(
                code::E0414,
                span,
                format!("more than {LONG_CHAIN} factors follow each other"),
            );
            self.fault(fault.help("give a part of them a name with `define`"));
            return self.poison(span);
        }
        let mut parts = vec![(ArithmeticOp::Plus, self.amount(first, scope, None))];
        for (op, part) in rest {
            parts.push((*op, self.amount(part, scope, None)));
        }
        // Neighbours are joined until one is left. Its own sign stands before each group, so a
        // minus in it is turned round behind a minus: `- b - c` is `- (b + c)`.
        while parts.len() > 1 {
            let mut joined = Vec::with_capacity(parts.len().div_ceil(2));
            for pair in parts.chunks(2) {
                match pair {
                    [(sign, a), (op, b)] => {
                        let inner =
                            if sign == op { ArithmeticOp::Plus } else { ArithmeticOp::Minus };
                        joined.push((*sign, self.signed(a.span.to(b.span), *a, inner, *b)));
                    }
                    rest => joined.extend_from_slice(rest),
                }
            }
            parts = joined;
        }
        parts.pop().map_or_else(|| self.poison(span), |(_, all)| all)
    }

    fn signed(&mut self, span: Span, left: Typed, op: ArithmeticOp, right: Typed) -> Typed {
        let (sign, ty) = match op {
            ArithmeticOp::Plus => (
                Sign::Plus,
                self.unify(left, right, |a, b, c, d| (a.saturating_add(c), b.saturating_add(d))),
            ),
            ArithmeticOp::Minus => (
                Sign::Minus,
                self.unify(left, right, |a, b, c, d| (a.saturating_sub(d), b.saturating_sub(c))),
            ),
            ArithmeticOp::Times => (Sign::Times, self.scaled(left, right, false)),
            ArithmeticOp::Divide => (Sign::Divide, self.scaled(left, right, true)),
        };
        self.typed(Node::Arithmetic(left.id, sign, right.id), ty, span)
    }

    /// Multiplying and dividing keep the one dimension there is; two named ones never meet.
    fn scaled(&mut self, left: Typed, right: Typed, divide: bool) -> Ty {
        let (
            Ty::Of(Type::Number { dimension: da, low: la, high: ha, fraction: fa }),
            Ty::Of(Type::Number { dimension: db, low: lb, high: hb, fraction: fb }),
        ) = (left.ty, right.ty)
        else {
            return Ty::Poison;
        };
        if divide && (lb, hb) == (0, 0) {
            let fault = Diagnostic::error(code::E0210, right.span, "nothing is divided by 0");
            self.fault(fault.help("write another number, or an amount that is never 0"));
            return Ty::Poison;
        }
        if let (Some(x), Some(y)) = (da, db) {
            let (x, y) = (self.dimension_name(x), self.dimension_name(y));
            self.fault(
                Diagnostic::error(
                    code::E0301,
                    left.span.to(right.span),
                    format!("{x} cannot be multiplied or divided by {y}"),
                )
                .help("one of the two must be a bare number"),
            );
            return Ty::Poison;
        }
        let corners = [
            la.saturating_mul(lb),
            la.saturating_mul(hb),
            ha.saturating_mul(lb),
            ha.saturating_mul(hb),
        ];
        let (low, high) = if divide {
            // A divisor below 1 makes more of an amount; one that cannot be negative keeps its
            // sign.
            let more = if fb && lb < 1 { super::declare::MOST } else { 1 };
            let most = la.saturating_abs().max(ha.saturating_abs()).saturating_mul(more);
            (if la >= 0 && lb >= 0 { 0 } else { most.saturating_neg() }, most)
        } else {
            (corners.iter().copied().min().unwrap_or(0), corners.iter().copied().max().unwrap_or(0))
        };
        Ty::Of(Type::Number { dimension: da.or(db), low, high, fraction: fa || fb || divide })
    }

    #[inline(never)]
    pub(super) fn aggregate(
        &mut self,
        span: Span,
        (word, none): (ast::AggregateWord, Option<&ast::Expr>),
        value: &ast::Path,
        things: &ast::Things,
        scope: &Scope<'_>,
    ) -> Typed {
        let id = self.things(things, scope, false);
        let (kind, level) =
            self.out.things.get(id.index()).map_or((KindId::UNIT, 0), |t| (t.kind, t.level));
        if self.out.top(kind) == KindId::LINK {
            let message =
                "nothing is added up or compared over links, which are known by their facts";
            self.fault(Diagnostic::error(code::E0321, span, message).help(format!(
                "count those of which something holds, as in `count of {} here where ...`",
                self.plural_name(kind)
            )));
            return self.poison(span);
        }
        let mut inner = scope.clone();
        inner.levels.truncate(usize::from(level));
        let inner = inner.with(kind);
        if !matches!(value.heads.as_slice(), [ast::Head { kind: HeadKind::Name(_), .. }]) {
            self.fault(Diagnostic::error(
                code::E0302,
                value.span,
                "a fact of the things should stand here",
            ));
            return self.poison(span);
        }
        let found = self.path(value, &inner, None, Asked::Kept);
        let mut of_none = 0;
        let ty = match found.ty {
            Ty::Of(Type::Number { dimension, low, high, fraction }) => {
                let sum = word == ast::AggregateWord::Sum;
                let (low, high) = if sum {
                    (low.min(0).saturating_mul(1000), high.max(0).saturating_mul(1000))
                } else {
                    of_none = self.of_none(none, dimension);
                    (low.min(of_none), high.max(of_none))
                };
                Ty::Of(Type::Number { dimension, low, high, fraction })
            }
            Ty::Poison => Ty::Poison,
            other => {
                let what = self.type_name(other);
                let text = self.sources.slice(value.span).trim().to_owned();
                self.fault(Diagnostic::error(
                    code::E0302,
                    value.span,
                    format!("`{text}` is {what}, not an amount"),
                ));
                Ty::Poison
            }
        };
        let word = match word {
            ast::AggregateWord::Sum => Aggregate::Sum,
            ast::AggregateWord::Highest => Aggregate::Highest(of_none),
            ast::AggregateWord::Lowest => Aggregate::Lowest(of_none),
        };
        self.typed(Node::Aggregate(word, found.id, id), ty, span)
    }

    /// The whole number that the highest or lowest of nothing is: 0 if nothing is said.
    fn of_none(&mut self, none: Option<&ast::Expr>, dimension: Option<DimensionId>) -> i64 {
        let Some(none) = none else { return 0 };
        let found = self.amount(none, &Scope::default(), dimension);
        match self.folded(found.id) {
            Node::Number { over, under: 1 } => over,
            _ if found.ty == Ty::Poison => 0,
            _ => {
                let message = "what it is of nothing is a whole number";
                self.fault(
                    Diagnostic::error(code::E0306, none.span, message)
                        .help("write the nearest one, or round what is made of it"),
                );
                0
            }
        }
    }

    #[inline(never)]
    pub(super) fn rounded(
        &mut self,
        span: Span,
        mode: &ast::Name,
        value: &Expr,
        scope: &Scope<'_>,
    ) -> Typed {
        let value = self.amount(value, scope, None);
        let ty = match value.ty {
            Ty::Of(Type::Number { dimension, low, high, .. }) => {
                Ty::Of(Type::Number { dimension, low, high, fraction: false })
            }
            other => other,
        };
        let by = match rounding(&mode.text) {
            Some(fixed) => RoundBy::Fixed(fixed),
            None => {
                let ruling = self.symbols.rulings.get(&mode.text).copied();
                let readings = ruling.and_then(|id| {
                    self.symbols.read.insert(mode.text.clone());
                    let set = self.out.rulings.get(id.index())?.readings;
                    let words = &self.out.word_sets.get(set.index())?.words;
                    Some((id, words.iter().map(|w| rounding(w)).collect::<Option<Vec<_>>>()?))
                });
                match readings {
                    Some((id, readings)) => RoundBy::Ruling(id, readings),
                    None => {
                        self.unknown(code::E0201, mode, "rounding", ["down", "up", "nearest"]);
                        return self.poison(span);
                    }
                }
            }
        };
        self.typed(Node::Rounded(by, value.id), ty, span)
    }
}

fn rounding(word: &str) -> Option<Rounding> {
    match word {
        "down" => Some(Rounding::Down),
        "up" => Some(Rounding::Up),
        "nearest" => Some(Rounding::Nearest),
        _ => None,
    }
}
