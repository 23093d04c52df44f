//! What ranges and rows prove beyond what a check must know, for those who look for what is merely
//! odd.

use std::collections::HashMap;

use super::proof::{Proof, Test, Value};
use super::prover::{Prover, unknown};
use crate::arrange::Arrange as _;
use crate::ir::*;
use crate::source::SourceMap;

/// Whether a condition always holds, or never: by the ranges and words of what it asks about, and
/// since it asks one thing twice; nothing where it may be either.
#[must_use]
pub fn settled(rules: &Ruleset, sources: &SourceMap, condition: ExprId) -> Option<bool> {
    // What the map settles stands as a plain yes here, and is asked of each link there.
    if says_plainly(rules, condition) {
        return None;
    }
    let mut proof = Proof::default();
    let test = Prover { out: rules, sources }.test(condition, &mut proof);
    if proof.is_of_a_faulty_condition() {
        return None;
    }
    // What was not rolled has come to nothing yet.
    let rolled = |key: &str| key.starts_with("outcome ") || key.starts_with("stopped ");
    for (_, variable) in proof.variables.iter_mut().filter(|(key, _)| rolled(key)) {
        variable.values.insert(unknown());
    }
    let mut seen =
        (0..proof.boxes()?).filter_map(|at| proof.values(at)).map(|values| test.holds(&values));
    let first = seen.next()?;
    seen.all(|holds| holds == first).then_some(first)
}

/// What a step makes of a fact that its condition asks.
#[derive(Debug, Clone, Copy)]
pub enum Made {
    /// what this part of the condition asks holds then, or does not
    So(ExprId, bool),
    /// this amount is at the end of its range then, at which it is held
    At(ExprId, i64),
}

/// Whether a condition says already what is made of what it asks: where it holds, that is so.
#[must_use]
pub fn says_already(rules: &Ruleset, sources: &SourceMap, condition: ExprId, made: Made) -> bool {
    let (mut proof, prover) = (Proof::default(), Prover { out: rules, sources });
    let before = prover.test(condition, &mut proof);
    let after = match made {
        Made::So(part, true) => prover.test(part, &mut proof),
        Made::So(part, false) => Test::Not(Box::new(prover.test(part, &mut proof))),
        Made::At(amount, end) => prover.sized_test(amount, Comparison::Equal, end, &mut proof),
    };
    let Some(all) = possible(&proof) else { return false };
    let mut before = all.filter(|values| before.holds(values)).peekable();
    before.peek().is_some() && before.all(|values| after.holds(&values))
}

/// Whether one of some conditions holds wherever this one does, which can hold.
#[must_use]
pub fn implied(rules: &Ruleset, sources: &SourceMap, it: ExprId, by: &[ExprId]) -> bool {
    if by.iter().chain([&it]).any(|condition| says_plainly(rules, *condition)) {
        return false;
    }
    let (mut proof, prover) = (Proof::default(), Prover { out: rules, sources });
    let it = prover.test(it, &mut proof);
    let by: Vec<Test> = by.iter().map(|other| prover.test(*other, &mut proof)).collect();
    let Some(all) = possible(&proof) else { return false };
    let mut holds = all.filter(|values| it.holds(values)).peekable();
    holds.peek().is_some() && holds.all(|values| by.iter().any(|other| other.holds(&values)))
}

/// Whether rows, of which the first that holds counts, give the same without one of them, which is
/// the first that holds of something.
#[must_use]
pub fn same_without(
    rules: &Ruleset,
    sources: &SourceMap,
    rows: &[(Option<ExprId>, &str)],
    without: usize,
) -> bool {
    let (mut proof, prover) = (Proof::default(), Prover { out: rules, sources });
    let mut test =
        |when: &Option<ExprId>| when.map_or(Test::Always, |when| prover.test(when, &mut proof));
    let rows: Vec<(Test, &str)> = rows.iter().map(|(when, gives)| (test(when), *gives)).collect();
    let Some(all) = possible(&proof) else { return false };
    let mut speaks = false;
    for values in all {
        let mut hits = rows.iter().enumerate().filter(|(_, (test, _))| test.holds(&values));
        let Some((_, (_, gives))) = hits.next().filter(|(at, _)| *at == without) else { continue };
        speaks = true;
        if hits.next().is_none_or(|(_, (_, other))| other != gives) {
            return false;
        }
    }
    speaks
}

/// Whether a condition can be so of one thing and not of another that are alike in what was asked
/// of them before; of all of them the first condition holds.
#[must_use]
pub fn told_apart(
    rules: &Ruleset,
    sources: &SourceMap,
    of_all: Option<ExprId>,
    before: &[ExprId],
    it: ExprId,
) -> bool {
    let (mut proof, prover) = (Proof::default(), Prover { out: rules, sources });
    let of_all = of_all.map_or(Test::Always, |when| prover.test(when, &mut proof));
    let before: Vec<Test> = before.iter().map(|other| prover.test(*other, &mut proof)).collect();
    let it = prover.test(it, &mut proof);
    let Some(all) = possible(&proof) else { return true };
    let mut seen: HashMap<Vec<bool>, bool> = HashMap::new();
    for values in all.filter(|values| of_all.holds(values)) {
        let alike = before.iter().map(|other| other.holds(&values)).collect();
        let holds = it.holds(&values);
        if *seen.entry(alike).or_insert(holds) != holds {
            return true;
        }
    }
    seen.is_empty()
}

/// All that can be so at once, if that can be tried.
fn possible(proof: &Proof) -> Option<impl Iterator<Item = Vec<Value>>> {
    let boxes = proof.boxes().filter(|_| !proof.is_of_a_faulty_condition())?;
    Some((0..boxes).filter_map(|at| proof.values(at)))
}

/// Whether a part of a condition is a plain yes or no.
fn says_plainly(rules: &Ruleset, condition: ExprId) -> bool {
    match rules.node(condition) {
        Node::And(parts) | Node::Or(parts) => parts.iter().any(|part| says_plainly(rules, *part)),
        Node::Not(inner) => says_plainly(rules, *inner),
        node => matches!(node, Node::Truth(_)),
    }
}

/// A text that is the same for two expressions that ask the same.
#[must_use]
pub fn question(rules: &Ruleset, sources: &SourceMap, id: ExprId) -> String {
    Prover { out: rules, sources }.key_of(id)
}

/// Three values of a count, in rising order, at which the rows of a table rise and fall again, or
/// fall and rise, with what the table gives there.
#[must_use]
pub fn unsteady(
    rules: &Ruleset,
    sources: &SourceMap,
    table: &Table,
    count: FactId,
    result: usize,
) -> Option<[(i64, i64); 3]> {
    if !matches!(table.policy, Policy::First | Policy::Only) {
        return None;
    }
    let prover = Prover { out: rules, sources };
    let mut proof = Proof::default();
    let tests: Vec<Test> = table
        .rows
        .iter()
        .map(|r| r.when.map_or(Test::Always, |w| prover.test(w, &mut proof)))
        .collect();
    let key = format!("fact {} of ", count.0);
    let at = proof.variables.keys().position(|k| k.starts_with(&key))?;
    let given = |values: &[Value]| -> Option<i64> {
        let row = tests.iter().position(|t| t.holds(values)).and_then(|row| table.rows.get(row))?;
        match rules.node((*row.values.get(result)?)?) {
            Node::Number { over, under: 1 } => Some(*over),
            _ => None,
        }
    };
    let steps = proof.variables.get_index(at).map(|(_, v)| v.values.clone())?;
    let mut numbers: Vec<i64> = steps
        .iter()
        .filter_map(|v| if let Value::Number(n) = v { Some(*n) } else { None })
        .collect();
    numbers.arrange();
    for combination in 0..proof.boxes()? {
        let Some(mut values) = proof.values(combination) else { continue };
        let mut line: Vec<(i64, i64)> = Vec::new();
        for number in &numbers {
            if let Some(cell) = values.get_mut(at) {
                *cell = Value::Number(*number);
            }
            line.extend(given(&values).map(|v| (number / 2, v)));
        }
        line.dedup_by_key(|(_, v)| *v);
        let turns = line.windows(3).find_map(|w| match w {
            [a, b, c] if (a.1 < b.1) != (b.1 < c.1) => Some([*a, *b, *c]),
            _ => None,
        });
        if turns.is_some() {
            return turns;
        }
    }
    None
}
