//! How two sides stand to each other: what a setup or a case states, and what a step makes.

use super::Checker;
use super::scope::Scope;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, Expr};

impl Checker<'_> {
    /// `make Crown enemy_of League`
    pub(super) fn relate(
        &mut self,
        left: &ast::Path,
        how: &ast::Name,
        right: &ast::Path,
        scope: &Scope<'_>,
    ) -> Option<Effect> {
        let Some(relation) = Relation::named(&how.text) else {
            self.no_relation(how);
            return None;
        };
        let side = Type::Thing { kind: KindId::SIDE, maybe: false };
        let [a, b] = [left, right].map(|path| self.path(path, scope, Some(side), Asked::Kept));
        if !self.are_sides([a, b]) {
            return None;
        }
        if self.out.node(a.id) == self.out.node(b.id) {
            self.stands_alone(left.span.to(right.span));
            return None;
        }
        Some(Effect::Relate(relation, a.id, b.id))
    }

    /// A word that is no relation of two sides.
    fn no_relation(&mut self, how: &ast::Name) {
        let [enemy, ally, neutral] = Relation::NAMED.map(|(word, _)| word);
        let help = format!("write `{enemy}`, `{ally}` or `{neutral}`");
        let fault = if self.symbols.pairs.contains_key(&how.text) {
            let message = format!("`{}` is worked out, and no step makes it so", how.text);
            let more = format!("{help}, or change what `{}` reads", how.text);
            Diagnostic::error(code::E0308, how.span, message).help(more)
        } else {
            let message = format!("no relation of two sides is called `{}`", how.text);
            Diagnostic::error(code::E0201, how.span, message).help(help)
        };
        self.fault(fault);
    }

    pub(super) fn stands_alone(&mut self, span: Span) {
        let message = "a side is neither friend nor enemy of itself";
        self.fault(Diagnostic::error(code::E0308, span, message).help("name two sides"));
    }

    pub(super) fn relation(
        &mut self,
        left: &Expr,
        name: &ast::Name,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Option<State> {
        self.related(Relation::named(&name.text)?, left, right, scope)
    }

    /// How two sides stand to each other.
    pub(super) fn related(
        &mut self,
        relation: Relation,
        left: &Expr,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Option<State> {
        let (a, b) = (self.side_said(left, scope), self.side_said(right, scope));
        let (a, b) = (a?, b?);
        if a == b {
            self.stands_alone(left.span.to(right.span));
            return None;
        }
        Some(State::Relation(a, b, relation))
    }
}

/// Whether a fact of two parties is how two sides stand to each other.
pub(super) fn is_relation(name: &ast::Name) -> bool {
    Relation::named(&name.text).is_some()
}
