//! Whether a rule says the same before and after a change, by trying every combination of what both
//! can tell apart.
//!
//! Conditions that are no comparison with a constant count as free, so what is alike is alike for
//! certain, and a combination in which the two differ may be one that no game comes to.

use super::proof::{Proof, Test, Value};
use super::prover::Prover;
use super::test_proof::constant;
use crate::ir::{Test as RolledTest, *};
use crate::source::SourceMap;

/// What is known of two readings of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alike {
    /// They say the same, whatever is so.
    Same,
    /// They differ when this is so, in words.
    Apart(String),
    /// Nothing is proven.
    Unknown,
}

/// Two conditions of a ruleset and of a changed copy of it.
#[must_use]
pub fn conditions_alike(
    before: (&Ruleset, &SourceMap, ExprId),
    after: (&Ruleset, &SourceMap, ExprId),
) -> Alike {
    if !same_names(before.0, after.0) {
        return Alike::Unknown;
    }
    let mut proof = Proof::default();
    let first = Prover { out: before.0, sources: before.1 }.test(before.2, &mut proof);
    let second = Prover { out: after.0, sources: after.1 }.test(after.2, &mut proof);
    let tests = [first, second];
    let [first, second] = &tests;
    compare(&proof, &tests, |values| first.holds(values) == second.holds(values))
}

/// Two tables, each with the rows that decide, or that are added up, and what these give.
#[must_use]
pub fn tables_alike(
    before: (&Ruleset, &SourceMap, &Table),
    after: (&Ruleset, &SourceMap, &Table),
) -> Alike {
    if before.2.policy == Policy::Sum
        && after.2.policy == Policy::Sum
        && same_names(before.0, after.0)
    {
        return sums_alike(before, after);
    }
    let by_row = |t: &Table| matches!(t.policy, Policy::First | Policy::Only);
    if !same_names(before.0, after.0) || !by_row(before.2) || !by_row(after.2) {
        return Alike::Unknown;
    }
    let mut proof = Proof::default();
    let mut tests: Vec<Test> = Vec::new();
    let mut values: Vec<Vec<String>> = Vec::new();
    for (rules, sources, table) in [before, after] {
        let prover = Prover { out: rules, sources };
        for row in &table.rows {
            tests.push(row.when.map_or(Test::Always, |when| prover.test(when, &mut proof)));
            values.push(
                row.values
                    .iter()
                    .map(|v| v.map_or_else(String::new, |v| prover.key_of(v)))
                    .collect(),
            );
        }
    }
    let own = before.2.rows.len();
    compare(&proof, &tests, |at| {
        let holding = |from: usize, to: usize| {
            (from..to).find(|row| tests.get(*row).is_some_and(|t| t.holds(at)))
        };
        let given = |row: Option<usize>| row.and_then(|row| values.get(row));
        given(holding(0, own)) == given(holding(own, tests.len()))
    })
}

/// Two tests, by the outcome of each total.
#[must_use]
pub fn tests_alike(
    before: (&Ruleset, &SourceMap, &RolledTest),
    after: (&Ruleset, &SourceMap, &RolledTest),
) -> Alike {
    if !same_names(before.0, after.0) || before.2.plus.is_some() != after.2.plus.is_some() {
        return Alike::Unknown;
    }
    let mut proof = Proof::default();
    let mut tests: Vec<Test> = Vec::new();
    let mut outcomes: Vec<u16> = Vec::new();
    let mut asked: Vec<String> = Vec::new();
    for (rules, sources, test) in [before, after] {
        let prover = Prover { out: rules, sources };
        tests.extend(
            test.rows
                .iter()
                .map(|(when, ..)| when.map_or(Test::Always, |when| prover.test(when, &mut proof))),
        );
        outcomes.extend(test.rows.iter().map(|(_, outcome, _)| *outcome));
        let retry = test.retry.as_ref().map(|r| {
            format!(
                "{:?} {:?} {:?}",
                prover.key_of(r.when),
                r.at_most.map(|m| prover.key_of(m)),
                r.spending.map(|(f, e)| (f, prover.key_of(e)))
            )
        });
        asked.push(format!("{:?} {:?} {retry:?}", test.dice, test.plus.map(|p| prover.key_of(p))));
    }
    if asked.first() != asked.last() {
        return Alike::Unknown;
    }
    let own = before.2.rows.len();
    compare(&proof, &tests, |at| {
        let outcome = |from: usize, to: usize| {
            let row = (from..to).find(|row| tests.get(*row).is_some_and(|t| t.holds(at)));
            row.and_then(|row| outcomes.get(row))
        };
        outcome(0, own) == outcome(own, tests.len())
    })
}

/// Two sums of plain whole numbers, by what they come to within their bounds.
fn sums_alike(
    before: (&Ruleset, &SourceMap, &Table),
    after: (&Ruleset, &SourceMap, &Table),
) -> Alike {
    let mut proof = Proof::default();
    let mut tests: Vec<Test> = Vec::new();
    let mut values: Vec<i64> = Vec::new();
    let mut bounds: Vec<(i64, i64)> = Vec::new();
    for (rules, sources, table) in [before, after] {
        let prover = Prover { out: rules, sources };
        let number =
            |id: ExprId| constant(rules, id).filter(|n| n.is_integer()).map(|n| n.to_integer());
        for row in &table.rows {
            let [Some(value)] = row.values.as_slice() else { return Alike::Unknown };
            let (Some(value), None) = (number(*value), row.per) else { return Alike::Unknown };
            tests.push(row.when.map_or(Test::Always, |when| prover.test(when, &mut proof)));
            values.push(value);
        }
        let kept = table
            .kept
            .map_or(Some((i64::MIN, i64::MAX)), |(low, high)| Some((number(low)?, number(high)?)));
        let Some(kept) = kept.filter(|(low, high)| low <= high) else { return Alike::Unknown };
        bounds.push(kept);
    }
    let own = before.2.rows.len();
    let [first, second] = bounds.as_slice() else { return Alike::Unknown };
    compare(&proof, &tests, |at| {
        let sum = |from: usize, to: usize, (low, high): (i64, i64)| {
            let held = (from..to).filter(|row| tests.get(*row).is_some_and(|t| t.holds(at)));
            held.filter_map(|row| values.get(row))
                .fold(0i64, |a, b| a.saturating_add(*b))
                .clamp(low, high)
        };
        sum(0, own, *first) == sum(own, tests.len(), *second)
    })
}

/// The first combination in which two readings differ, the one with the smallest numbers.
fn compare(proof: &Proof, tests: &[Test], same: impl Fn(&[Value]) -> bool) -> Alike {
    let Some(boxes) = proof.boxes() else { return Alike::Unknown };
    let mut best: Option<(i64, usize)> = None;
    for at in 0..boxes {
        let Some(values) = proof.values(at) else { continue };
        if !same(&values) {
            let size = tests.iter().map(|t| proof.size(&values, t)).fold(0, i64::saturating_add);
            if best.is_none_or(|(least, _)| size < least) {
                best = Some((size, at));
            }
        }
    }
    match best {
        None => Alike::Same,
        Some((_, at)) => {
            Alike::Apart(proof.spoken(&proof.values(at).unwrap_or_default(), tests, &[]))
        }
    }
}

/// Whether the numbers of both rulesets stand for the same things.
fn same_names(before: &Ruleset, after: &Ruleset) -> bool {
    let names = |r: &Ruleset| -> Vec<String> {
        let facts = r.facts.iter().map(|f| f.name.clone());
        let sets = r
            .word_sets
            .iter()
            .flat_map(|s| s.words.iter().cloned().chain([format!("{} words", s.words.len())]));
        let defines = r.defines.iter().map(|d| d.name.clone());
        let tables = r.tables.iter().map(|t| t.name.clone());
        let rest =
            r.traces.iter().map(|t| t.name.clone()).chain(r.tests.iter().map(|t| t.name.clone()));
        facts.chain(sets).chain(defines).chain(tables).chain(rest).collect()
    };
    names(before) == names(after)
}
