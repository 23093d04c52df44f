//! How large units lie on a table: `base WIDTH by DEPTH [bent when COND]` under a kind of unit.

use super::scope::{Scope, Ty};
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast::{self, ItemKind};

impl<'a> Checker<'a> {
    pub(super) fn bases(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Kind(kind) = &item.item.kind else { continue };
            let Some(id) = self.symbols.kinds.get(&kind.name.text).copied() else { continue };
            let Some((base, more)) = kind.bases.split_first() else { continue };
            for again in more {
                self.fault(
                    Diagnostic::error(code::E0728, again.span, format!("a {} has two bases", kind.name.text))
                        .label(base.span, "the first is here")
                        .help("keep one line; let its width and depth be tables where they differ"),
                );
            }
            self.base(id, kind, base);
        }
    }

    fn base(&mut self, id: KindId, kind: &ast::Kind, base: &ast::Base) {
        if !self.out.is_kind(id, KindId::UNIT) {
            return self.fault(
                Diagnostic::error(code::E0728, base.span, format!("a {} has no base: it is no kind of unit", kind.name.text))
                    .help("`base` stands under a kind of unit; ground has its form from the map"),
            );
        }
        if self.out.tabletop.is_none() {
            return self.fault(
                Diagnostic::error(code::E0728, base.span, "nothing says in which dimension lengths on a table are measured")
                    .help("declare a dimension, and write `tabletop in` and its name as a line of its own"),
            );
        }
        let scope = Scope::of(id);
        let width = self.base_length(&base.width, &scope);
        let depth = self.base_length(&base.depth, &scope);
        let bent = base.bent.as_ref().map(|bent| self.truth(bent, &scope));
        let line = self.line(format!("kind {}, base", kind.name.text), base.span, &base.cites);
        self.out.bases.push(BaseRule { kind: id, width, depth, bent, line });
    }

    /// A length in the dimension of the tabletop that is never nothing.
    fn base_length(&mut self, value: &ast::Expr, scope: &Scope<'_>) -> ExprId {
        let dimension = self.out.tabletop;
        let found = self.amount(value, scope, dimension);
        if let Ty::Of(Type::Number { low, high, .. }) = found.ty {
            let nothing = match self.out.node(found.id) {
                Node::Number { over, .. } => *over == 0,
                _ => high <= 0 || low < 0,
            };
            if nothing {
                self.fault(
                    Diagnostic::error(code::E0727, value.span, format!("a base is more than nothing, and this lies from {low} to {high}"))
                        .help("write a length above 0, or an amount whose range lies above 0"),
                );
            }
        }
        found.id
    }
}
