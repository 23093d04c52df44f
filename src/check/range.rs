//! A range as a chart prints it: `1-2` would be one minus two, which nobody writes.

use super::Checker;
use super::scope::{Scope, Ty, Typed};
use crate::diag::{Diagnostic, Way, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{ArithmeticOp, Expr, ExprKind};

/// Of a longer range the numbers are not listed one by one.
const MOST_LISTED: usize = 12;

/// The two ends of a range as a chart prints it.
#[derive(Clone, Copy)]
struct Range {
    low: u64,
    high: u64,
}

impl Range {
    /// The ends of `1-2`; none where something else is written.
    fn of(expr: &Expr) -> Option<Range> {
        let ExprKind::Arithmetic { first, rest } = &expr.kind else { return None };
        Range::in_sum(first, rest)
    }

    fn in_sum(first: &Expr, rest: &[(ArithmeticOp, Expr)]) -> Option<Range> {
        let [(ArithmeticOp::Minus, last)] = rest else { return None };
        let whole = |expr: &Expr| match &expr.kind {
            ExprKind::Number { text, .. } => text.parse::<u64>().ok(),
            _ => None,
        };
        let bare = matches!(&first.kind, ExprKind::Number { dimension: None, .. });
        let range = Range { low: whole(first).filter(|_| bare)?, high: whole(last)? };
        // What leaves something over may be meant as it stands.
        (range.low < range.high).then_some(range)
    }

    fn between(self) -> String {
        format!("between {} and {}", self.low, self.high)
    }
}

impl Checker<'_> {
    /// A range where a condition should stand; true if there was one.
    pub(super) fn range_for_condition(&mut self, expr: &Expr, scope: &Scope<'_>) -> bool {
        let Some(range) = Range::of(expr) else { return false };
        let with = format!("total {}", range.between());
        let ways = if scope.rolled { vec![Way::near(expr.span, &with)] } else { Vec::new() };
        let help = format!("write what lies there, and `{}` behind it", range.between());
        self.no_difference(expr.span, range, ways, &help);
        true
    }

    /// A range behind `is`, or in a key; `place` is what is replaced by the text before the range
    /// and the range.
    pub(super) fn range_for_value(
        &mut self,
        left: Typed,
        right: &Expr,
        place: Span,
        before: &str,
    ) -> bool {
        let (Some(range), Ty::Of(Type::Number { .. })) = (Range::of(right), left.ty) else {
            return false;
        };
        let with = format!("{before}{}", range.between());
        let ways = vec![Way::near(place, &with)];
        self.no_difference(right.span, range, ways, &format!("a range is {}", range.between()));
        true
    }

    /// A range among values of which one is meant.
    pub(super) fn range_among_values(&mut self, value: &Expr) -> bool {
        let Some(range) = Range::of(value) else { return false };
        let few = usize::try_from(range.high - range.low).is_ok_and(|n| n < MOST_LISTED);
        let all: Vec<String> =
            (range.low..=range.high).take(MOST_LISTED).map(|n| n.to_string()).collect();
        let ways = if few { vec![Way::near(value.span, &all.join(", "))] } else { Vec::new() };
        let help = format!("write each number, or ask for the range alone, {}", range.between());
        self.no_difference(value.span, range, ways, &help);
        true
    }

    /// A range where one amount should stand.
    pub(super) fn range_for_amount(
        &mut self,
        span: Span,
        first: &Expr,
        rest: &[(ArithmeticOp, Expr)],
    ) -> bool {
        let Some(range) = Range::in_sum(first, rest) else { return false };
        let help = format!("write one amount; a range is asked by `{}`", range.between());
        self.no_difference(span, range, Vec::new(), &help);
        true
    }

    fn no_difference(&mut self, span: Span, range: Range, ways: Vec<Way>, help: &str) {
        let (low, high) = (range.low, range.high);
        let message = format!(
            "`{}` is {low} minus {high}, and looks like a range",
            self.sources.slice(span).trim()
        );
        let fault = Diagnostic::error(code::E0320, span, message).settled();
        let help = help.to_owned();
        self.fault(if ways.is_empty() { fault.help(help) } else { fault.ways(ways).or_else(help) });
    }
}
