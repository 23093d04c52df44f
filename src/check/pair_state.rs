//! What a setup or a case states of two things: the value of a pair, whatever would be worked out
//! or measured.

use super::Checker;
use super::scope::{Scope, Ty, Typed};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{CaseCellKind, Expr, ExprKind, KeyCellKind, Name, Path};

impl Checker<'_> {
    /// `given A is NAME B`, or that it is not so.
    pub(super) fn pair_state(
        &mut self,
        span: Span,
        (left, name, right): (&Expr, &Name, &Expr),
        yes: bool,
        scope: &Scope<'_>,
    ) -> Option<State> {
        let found = self.truth_of_two(span, left, name, right, scope);
        let value = self.node(Node::Truth(yes), span);
        self.state_of_two(found, value)
    }

    /// `given NAME from A to B is 1/2 bw`.
    pub(super) fn between_state(
        &mut self,
        path: &Path,
        value: &Expr,
        scope: &Scope<'_>,
    ) -> Option<State> {
        let found = self.path(path, scope, None, Asked::Kept);
        let Ty::Of(Type::Number { dimension, low, high, fraction }) = found.ty else { return None };
        let before = self.faults.len();
        let said = self.amount(value, scope, dimension);
        if self.faults.len() > before || said.ty == Ty::Poison {
            return None;
        }
        let Node::Number { over, under } = self.folded(said.id) else {
            self.fault(
                Diagnostic::error(
                    code::E0319,
                    value.span,
                    "what is stated between two things is a number, and this is worked out",
                )
                .help("write the number, as in `1/2` or `3`"),
            );
            return None;
        };
        if !fraction && over % under != 0 {
            self.fault(
                Diagnostic::error(
                    code::E0319,
                    value.span,
                    format!("this is never a fraction, and {over}/{under} is one"),
                )
                .help("state a whole number"),
            );
            return None;
        }
        if over < low.saturating_mul(under) || over > high.saturating_mul(under) {
            let text = self.sources.slice(value.span).trim().to_owned();
            self.fault(
                Diagnostic::error(
                    code::E0319,
                    value.span,
                    format!("`{text}` lies outside what this can be, from {low} to {high}"),
                )
                .help("state a value that the pair could have, or widen what it is made of"),
            );
            return None;
        }
        let value = self.node(Node::Number { over, under }, value.span);
        self.state_of_two(found, value)
    }

    /// A cell under `given A is NAME B`: `yes` or `no`.
    pub(super) fn pair_given_cell(
        &mut self,
        (left, name, right): (&Path, &Name, &Path),
        cell: (&CaseCellKind, Span),
        scope: &Scope<'_>,
    ) -> Option<State> {
        let yes = self.yes_or_no(cell.0, cell.1)?;
        let expr = |path: &Path| Expr { span: path.span, kind: ExprKind::Path(path.clone()) };
        self.pair_state(cell.1, (&expr(left), name, &expr(right)), yes, scope)
    }

    /// A cell that says `yes` or `no`.
    pub(super) fn yes_or_no(&mut self, cell: &CaseCellKind, span: Span) -> Option<bool> {
        match cell {
            CaseCellKind::No => Some(false),
            CaseCellKind::Key(key) if matches!(&key.kind, KeyCellKind::Is(value) if super::table::is_word(value, "yes")) => {
                Some(true)
            }
            _ => {
                self.fault(Diagnostic::error(
                    code::E0708,
                    span,
                    "this cell should say `yes`, `no` or `same`",
                ));
                None
            }
        }
    }

    fn state_of_two(&mut self, found: Typed, value: ExprId) -> Option<State> {
        match *self.out.node(found.id) {
            Node::Pair(pair, a, b) => Some(State::Pair(pair, a, b, value)),
            _ => None,
        }
    }
}
