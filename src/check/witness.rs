//! What the proof of a table knows, for others: a combination in which a row decides, and
//! conditions that can never fail.

use super::proof::{Proof, Test};
use super::prover::Prover;
use crate::ir::*;
use crate::source::SourceMap;

/// For each row of a table one combination, in words, in which it decides, or in which it counts in
/// a sum: of what it asks itself, or of what all rows ask where it asks nothing. Nothing where
/// there is none, or where there are too many to try.
#[must_use]
pub fn witnesses(rules: &Ruleset, sources: &SourceMap, table: &Table) -> Vec<Option<String>> {
    let prover = Prover { out: rules, sources };
    let mut proof = Proof::default();
    let tests: Vec<Test> = table
        .rows
        .iter()
        .map(|r| r.when.map_or(Test::Always, |w| prover.test(w, &mut proof)))
        .collect();
    // The smallest numbers say it best: of "at least 3" the 3.
    let mut found: Vec<Option<(i64, usize)>> = vec![None; tests.len()];
    for at in 0..proof.boxes().unwrap_or(0) {
        let Some(values) = proof.values(at) else { continue };
        for (test, best) in tests.iter().zip(&mut found).filter(|(test, _)| test.holds(&values)) {
            let size = proof.size(&values, test);
            if best.is_none_or(|(least, _)| size < least) {
                *best = Some((size, at));
            }
            if table.policy != Policy::Sum {
                break;
            }
        }
    }
    let told = |(row, best): (usize, &Option<(i64, usize)>)| {
        let (_, at) = (*best)?;
        let asked = if matches!(tests.get(row), Some(Test::Always)) { &[][..] } else { &[row][..] };
        Some(proof.spoken(&proof.values(at)?, &tests, asked))
    };
    found.iter().enumerate().map(told).collect()
}

/// Whether a condition holds whatever is so, by the ranges of what it asks about.
pub(super) fn holds_always(rules: &Ruleset, sources: &SourceMap, condition: ExprId) -> bool {
    let mut proof = Proof::default();
    let test = Prover { out: rules, sources }.test(condition, &mut proof);
    proof.boxes().is_some_and(|boxes| {
        (0..boxes).filter_map(|at| proof.values(at)).all(|values| test.holds(&values))
    })
}

/// Whether two expressions are the same question.
pub(super) fn same_question(rules: &Ruleset, sources: &SourceMap, a: ExprId, b: ExprId) -> bool {
    let prover = Prover { out: rules, sources };
    prover.key_of(a) == prover.key_of(b)
}
