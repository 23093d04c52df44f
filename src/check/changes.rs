//! Amounts that a step would keep: one that can never be within the fact's range, and a change that
//! goes the other way.

use super::Checker;
use super::scope::{Ty, Typed};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// Refuses an amount that a fact can never have, whatever is so; it would be held at the end of
    /// the range.
    pub(super) fn can_be_kept(&mut self, value: Typed, ty: Type, span: Span) {
        let Type::Number { low, high, .. } = ty else { return };
        let Some((least, most)) = self.ends_of(value) else { return };
        if least <= high && low <= most {
            return;
        }
        let what = if least == most {
            format!("{least} lies outside the range from {low} to {high}")
        } else {
            format!("this is from {least} to {most}, and the range is from {low} to {high}")
        };
        self.lies_outside(span, what);
    }

    /// An amount that its kind's range does not hold.
    pub(super) fn lies_outside(&mut self, span: Span, what: String) {
        let fault = Diagnostic::error(code::E0309, span, what);
        self.fault(fault.help("widen the range under its kind, or write a value within it"));
    }

    /// Refuses to raise or lower by an amount that is always less than nothing; 0 switches a step
    /// off.
    pub(super) fn changes_its_way(&mut self, raise: bool, value: Typed, by: &ast::Expr) {
        if self.ends_of(value).is_none_or(|(_, most)| most >= 0) {
            return;
        }
        let [word, other] = if raise { ["raise", "lower"] } else { ["lower", "raise"] };
        let message = format!("to {word} by less than nothing is to {other}");
        let fault = Diagnostic::error(code::E0322, by.span, message).settled();
        self.fault(fault.help(format!("write `{other}`, and the amount without `-`")));
    }

    /// Between what an amount lies, so far as it is written or declared.
    fn ends_of(&self, value: Typed) -> Option<(i64, i64)> {
        match (self.folded(value.id), value.ty) {
            (Node::Number { over, under: 1 }, _) => Some((over, over)),
            (_, Ty::Of(Type::Number { low, high, .. })) => Some((low, high)),
            _ => None,
        }
    }
}
