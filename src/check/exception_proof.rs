//! Exceptions to one rule that speak of the same position and differ: which of them counts has to
//! be said.

use super::Checker;
use super::proof::{Proof, Test};
use super::prover::Prover;
use crate::diag::{Diagnostic, code};
use crate::ir::{ExprId, TableId, TraceId};
use crate::source::Span;
use crate::syntax::ast::{self, ListRow, TableBody, TraceLineKind};

/// One exception as the proof sees it.
struct Spoken<'a> {
    name: &'a str,
    place: Span,
    when: ExprId,
    /// What it gives, blanks folded.
    gives: String,
}

impl Checker<'_> {
    /// The rows of a table that exceptions wrote.
    pub(super) fn prove_rows(&mut self, id: TableId, item: &ast::Table) {
        let TableBody::List { rows, .. } = &item.body else { return };
        let Some(table) = self.out.tables.get(id.index()) else { return };
        let gives = |row: &ListRow| {
            let text = |e: &ast::Expr| super::written::folded(self.sources, e.span);
            row.values.iter().map(text).collect::<Vec<_>>().join(", ")
        };
        let spoken = rows.iter().zip(&table.rows).filter(|(row, _)| row.exception);
        let spoken = spoken.filter_map(|(row, known)| {
            let name = row.name.as_ref()?;
            Some(Spoken {
                name: &name.text,
                place: name.span,
                when: known.when?,
                gives: gives(row),
            })
        });
        let spoken: Vec<Spoken<'_>> = spoken.collect();
        self.prove_apart(&item.name, &spoken);
    }

    /// The verdicts of a trace that exceptions wrote.
    pub(super) fn prove_verdicts(&mut self, id: TraceId, item: &ast::Trace) {
        let Some(trace) = self.out.traces.get(id.index()) else { return };
        let verdicts = item
            .lines
            .iter()
            .filter(|l| matches!(l.kind, TraceLineKind::Always(_) | TraceLineKind::Never(_)));
        let spoken = verdicts.zip(&trace.verdicts).filter_map(|(line, known)| {
            let name = line.exception.as_ref()?;
            let gives = if known.always { "always" } else { "never" }.to_owned();
            Some(Spoken { name, place: line.span, when: known.when, gives })
        });
        let spoken: Vec<Spoken<'_>> = spoken.collect();
        self.prove_apart(&item.name, &spoken);
    }

    fn prove_apart(&mut self, owner: &ast::Name, spoken: &[Spoken<'_>]) {
        if spoken.len() < 2 {
            return;
        }
        let mut proof = Proof::default();
        let prover = Prover { out: &self.out, sources: self.sources };
        let tests: Vec<Test> = spoken.iter().map(|s| prover.test(s.when, &mut proof)).collect();
        if proof.is_of_a_faulty_condition() {
            return;
        }
        let Some(boxes) = proof.boxes() else {
            return self.too_many(owner, "exceptions to");
        };
        let owner = &owner.text;
        for values in (0..boxes).filter_map(|at| proof.values(at)) {
            let mut hold = tests.iter().enumerate().filter(|(_, t)| t.holds(&values));
            let Some((first, _)) = hold.next() else { continue };
            let differs =
                |at: usize| spoken.get(at).map(|s| &s.gives) != spoken.get(first).map(|s| &s.gives);
            let Some((second, _)) = hold.find(|(at, _)| differs(*at)) else { continue };
            let witness = proof.spoken(&values, &tests, &[first, second]);
            let (Some(a), Some(b)) = (spoken.get(first), spoken.get(second)) else { return };
            let message = format!(
                "`{}` and `{}` both speak of `{owner}` when {witness}, and differ",
                a.name, b.name
            );
            let help = format!("say which of them counts: `exception NAME to {} when ...`", a.name);
            let fault =
                Diagnostic::error(code::E0613, b.place, message).label(a.place, "this one too");
            return self.fault(fault.help(help));
        }
    }
}
