//! Gaps, overlaps and dead rows of a table, found by trying every combination of what its
//! conditions can tell apart.
//!
//! A condition that is no comparison with a constant counts as free: it may hold or not, whatever
//! else is so. So a dead row is dead for certain, and an overlap that needs a free condition only
//! may be one.

use super::Checker;
use super::proof::{Proof, Test};
use super::prover::Prover;
use super::row_index::RowIndex;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast;

/// Two rows, when both hold, and whether that is only possible for a free condition.
type Overlap = (usize, usize, String, bool);

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn prove(&mut self, id: TableId, item: &ast::Table) {
        let Some(table) = self.out.tables.get(id.index()) else { return };
        if matches!(table.policy, Policy::Sum | Policy::All) {
            return;
        }
        let (policy, rows) = (table.policy, table.rows.clone());
        let mut proof = Proof::default();
        let prover = Prover { out: &self.out, sources: self.sources };
        let tests: Vec<Test> = rows
            .iter()
            .map(|r| r.when.map_or(Test::Always, |w| prover.test(w, &mut proof)))
            .collect();
        if proof.is_of_a_faulty_condition() {
            return;
        }
        let Some(boxes) = proof.boxes() else {
            return self.too_many(&item.name, "rows of");
        };
        let mut reached = vec![false; rows.len()];
        let mut gap: Option<String> = None;
        let mut overlap: Option<Overlap> = None;
        let index = RowIndex::of(&tests);
        for values in (0..boxes).filter_map(|at| proof.values(at)) {
            let candidates = index.candidates(&values);
            let mut hits: Vec<usize> = Vec::new();
            for row in candidates.filter(|row| tests.get(*row).is_some_and(|t| t.holds(&values))) {
                hits.push(row);
                // Only the first counts.
                if policy == Policy::First {
                    break;
                }
            }
            let exclusive: Vec<usize> = hits
                .iter()
                .copied()
                .filter(|i| rows.get(*i).is_some_and(|r| r.name != "otherwise"))
                .collect();
            match hits.as_slice() {
                [] => {
                    gap.get_or_insert_with(|| proof.spoken(&values, &tests, &[]));
                }
                [first, ..] => {
                    // `otherwise` speaks only where no other row does.
                    if policy == Policy::Only && !exclusive.is_empty() {
                        exclusive.iter().for_each(|h| mark(&mut reached, *h));
                    } else {
                        mark(&mut reached, *first);
                    }
                }
            }
            if policy == Policy::Only
                && let [a, b, ..] = exclusive.as_slice()
            {
                let free =
                    [*a, *b].iter().any(|r| tests.get(*r).is_some_and(|t| proof.asks_free(t)));
                if overlap.as_ref().is_none_or(|(_, _, _, was_free)| *was_free && !free) {
                    overlap = Some((*a, *b, proof.spoken(&values, &tests, &[*a, *b]), free));
                }
            }
        }
        if let Some(witness) = gap {
            let help = match item.body {
                ast::TableBody::List { .. } => "add `otherwise`, or a row for it",
                ast::TableBody::Grid(_) => {
                    "add a row or a column for it; `else` stands for all others, as in `row else | ...`"
                }
            };
            let message = format!("no row of `{}` holds when {witness}", item.name.text);
            self.fault(Diagnostic::error(code::E0501, item.name.span, message).help(help));
        }
        if let Some((a, b, witness, free)) = overlap {
            self.overlap(item, &rows, a, b, &witness, free);
        }
        self.dead_rows(&rows, &reached);
    }

    /// Says that the combinations are more than are tried.
    pub(super) fn too_many(&mut self, of: &ast::Name, what: &str) {
        let message = format!("the {what} `{}` are too many to prove", of.text);
        let help = "split the table, or say some of its conditions as a define of their own";
        let help = if what == "rows of" {
            help
        } else {
            "say some of their conditions as a define of their own"
        };
        self.fault(Diagnostic::warning(code::W0507, of.span, message).help(help));
    }

    fn overlap(
        &mut self,
        item: &ast::Table,
        rows: &[Row],
        a: usize,
        b: usize,
        witness: &str,
        free: bool,
    ) {
        let (Some(a), Some(b)) = (rows.get(a), rows.get(b)) else { return };
        let place = |r: &Row| self.out.lines.get(r.line.index()).map_or(item.name.span, |l| l.span);
        let (first, second) = (place(a), place(b));
        let message = format!(
            "`{}` and `{}` {} hold when {witness}",
            a.name,
            b.name,
            if free { "may both" } else { "both" }
        );
        let fault = if free {
            Diagnostic::warning(code::W0507, second, message)
        } else {
            Diagnostic::error(code::E0502, second, message)
        };
        self.fault(
            fault
                .label(first, "this row too")
                .help("make one of them narrower, or use `by first match`"),
        );
    }

    fn dead_rows(&mut self, rows: &[Row], reached: &[bool]) {
        for (row, reached) in rows.iter().zip(reached) {
            if !reached {
                let span =
                    self.out.lines.get(row.line.index()).map_or_else(Default::default, |l| l.span);
                self.fault(
                    Diagnostic::warning(
                        code::W0503,
                        span,
                        format!("`{}` is never reached", row.name),
                    )
                    .help("the rows before it take every case; move it up or take it out"),
                );
            }
        }
    }
}

fn mark(reached: &mut [bool], at: usize) {
    if let Some(cell) = reached.get_mut(at) {
        *cell = true;
    }
}
