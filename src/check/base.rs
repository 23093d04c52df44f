//! How large units lie on a table: `base WIDTH by DEPTH [bent when COND]` under a kind of unit.

use super::scope::{Scope, Ty};
use super::{Checker, Resolved};
use crate::diag::{Code, Diagnostic, code, has_errors};
use crate::ir::*;
use crate::kernel::{Position, TableFault};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

/// The code of a fault of a table in a setup or a case.
pub(crate) fn table_code(fault: TableFault) -> Code {
    match fault {
        TableFault::Overlap(..) => code::E0720,
        TableFault::OffTable(_) => code::E0721,
        TableFault::NoBase(_) => code::E0723,
        TableFault::NoSize(_) | TableFault::TooFine(_) => code::E0727,
    }
}

impl<'a> Checker<'a> {
    pub(super) fn bases(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Kind(kind) = &item.item.kind else { continue };
            let Some(id) = self.symbols.kinds.get(&kind.name.text).copied() else { continue };
            let Some((base, more)) = kind.bases.split_first() else { continue };
            for again in more {
                self.fault(
                    Diagnostic::error(
                        code::E0728,
                        again.span,
                        format!("a {} has two bases", kind.name.text),
                    )
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
                Diagnostic::error(
                    code::E0728,
                    base.span,
                    format!("a {} has no base: it is no kind of unit", kind.name.text),
                )
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

    /// What is measured begins with the bases, so that no base can read what is measured.
    pub(super) fn bases_read_no_measure(&mut self) {
        if has_errors(&self.faults) {
            return;
        }
        let lines = self.out.bases.iter().filter(|base| {
            let read = [Some(base.width), Some(base.depth), base.bent];
            super::depth::reads_measure(&self.out, read.into_iter().flatten())
        });
        let spans: Vec<Span> = lines
            .filter_map(|base| self.out.lines.get(base.line.index()))
            .map(|line| line.span)
            .collect();
        for span in spans {
            self.fault(
                Diagnostic::error(
                    code::E0729,
                    span,
                    "this base reads what is measured, and measuring begins with the bases",
                )
                .help("say how large it is by facts of the unit, or by what is stated"),
            );
        }
    }

    /// Lays out the setups of a ruleset without faults: bases that overlap, or reach over the edge.
    pub(super) fn setups_on_tables(&mut self) {
        if self.out.tabletop.is_none() || has_errors(&self.faults) {
            return;
        }
        let mut faults = Vec::new();
        for (at, setup) in self.out.setups.iter().enumerate() {
            let world = crate::world::start(&self.out, SetupId::at(at));
            let Some(position) = Position::new(&self.out, &world) else { continue };
            // The last place that is stated of a unit counts.
            let stated = |unit: u32| {
                let of = |state: &State| match state {
                    State::Place(of, _) if *self.out.node(*of) == Node::Unit(unit) => {
                        self.out.node_spans.get(of.index()).copied()
                    }
                    _ => None,
                };
                setup.facts.iter().rev().find_map(of)
            };
            // What cannot be worked out is told where it is asked.
            for fault in position.table_faults().unwrap_or_default() {
                let (message, help) = fault.told(&self.out, &world);
                let mut told = Diagnostic::error(
                    table_code(fault),
                    stated(fault.unit()).unwrap_or_default(),
                    message,
                )
                .help(help);
                if let TableFault::Overlap(first, _) = fault
                    && let Some(span) = stated(first)
                {
                    told = told.label(span, "the other lies here");
                }
                faults.push(told);
            }
        }
        self.faults.extend(faults);
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
                    Diagnostic::error(
                        code::E0727,
                        value.span,
                        format!("a base is more than nothing, and this lies from {low} to {high}"),
                    )
                    .help("write a length above 0, or an amount whose range lies above 0"),
                );
            }
        }
        found.id
    }
}
