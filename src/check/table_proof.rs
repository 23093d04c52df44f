//! Gaps, overlaps and dead rows of a table, found by trying every combination of what its
//! conditions can tell apart.
//!
//! A condition that is no comparison with a constant counts as free: it may hold or not, whatever
//! else is so. So a dead row is dead for certain, and an overlap that needs a free condition only
//! may be one.

use indexmap::{IndexMap, IndexSet};

use super::Checker;
use super::row_index::RowIndex;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::SourceMap;
use crate::syntax::ast;

/// More combinations than this are not tried.
const MOST_BOXES: usize = 1 << 16;

/// Two rows, when both hold, and whether that is only possible for a free condition.
type Overlap = (usize, usize, String, bool);

/// Something a condition asks about, and the values it can tell apart.
pub(super) struct Variable {
    pub spoken: String,
    pub values: IndexSet<Value>,
    pub free: bool,
}

/// A value that a condition can tell from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Truth(bool),
    /// Twice the number, so that a value between two whole ones can be tried.
    Number(i64),
    Word(u16, String),
    Thing(Option<String>, String),
}

/// A condition over variables.
pub(super) enum Test {
    Always,
    And(Vec<Test>),
    Or(Vec<Test>),
    Not(Box<Test>),
    Is(usize, Value),
    Sized(usize, Comparison, i64),
    Free(usize),
}

/// What the conditions of one table ask about.
#[derive(Default)]
pub(super) struct Proof {
    pub variables: IndexMap<String, Variable>,
}

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
        // A faulty condition is a fault of its own; nothing is proven of it.
        if proof.variables.keys().any(|k| k.contains("Nothing")) {
            return;
        }
        let Some(boxes) = proof.boxes() else {
            self.fault(
                Diagnostic::warning(
                    code::W0507,
                    item.name.span,
                    format!("the rows of `{}` are too many to prove", item.name.text),
                )
                .help("split the table, or say some of its conditions as a define of their own"),
            );
            return;
        };
        let mut reached = vec![false; rows.len()];
        let mut gap: Option<String> = None;
        let mut overlap: Option<Overlap> = None;
        let index = RowIndex::of(&tests);
        for at in 0..boxes {
            let values = proof.values(at);
            let candidates = index.candidates(&values).into_iter();
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
                    if policy == Policy::Only {
                        hits.iter().for_each(|h| mark(&mut reached, *h));
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
            self.fault(
                Diagnostic::error(
                    code::E0501,
                    item.name.span,
                    format!("no row of `{}` holds when {witness}", item.name.text),
                )
                .help("add `otherwise`, or a row for it"),
            );
        }
        if let Some((a, b, witness, free)) = overlap {
            self.overlap(item, &rows, a, b, &witness, free);
        }
        self.dead_rows(&rows, &reached);
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

/// Reads conditions as tests over variables.
pub(super) struct Prover<'r> {
    pub out: &'r Ruleset,
    pub sources: &'r SourceMap,
}

impl Prover<'_> {
    pub(super) fn test(&self, id: ExprId, proof: &mut Proof) -> Test {
        match self.out.node(id) {
            Node::Truth(true) => Test::Always,
            Node::And(parts) => Test::And(parts.iter().map(|p| self.test(*p, proof)).collect()),
            Node::Or(parts) => Test::Or(parts.iter().map(|p| self.test(*p, proof)).collect()),
            Node::Not(inner) => Test::Not(Box::new(self.test(*inner, proof))),
            Node::Same(left, right) => self.same_test(id, *left, *right, proof),
            Node::Compare(left, op, right) => match (self.constant(*left), self.constant(*right)) {
                (None, Some(number)) => self.sized_test(*left, *op, number, proof),
                (Some(number), None) => self.sized_test(*right, op.mirrored(), number, proof),
                _ => self.free(id, proof),
            },
            _ => self.free(id, proof),
        }
    }

    fn constant(&self, id: ExprId) -> Option<i64> {
        match self.out.node(id) {
            Node::Number { over, under: 1 } => Some(*over),
            _ => None,
        }
    }

    fn sized_test(&self, id: ExprId, op: Comparison, number: i64, proof: &mut Proof) -> Test {
        let (low, high, fraction) = self.interval(id);
        let tried = [low, high, number - 1, number, number + 1].map(|v| v.clamp(low, high) * 2);
        let between = [number * 2 - 1, number * 2 + 1].map(|v| v.clamp(low * 2, high * 2));
        let at = self.variable(id, false, proof);
        if let Some((_, variable)) = proof.variables.get_index_mut(at) {
            // What lies between two things may be unknown, and compares with nothing then.
            let unknown = Value::Thing(None, "not known".to_owned());
            if matches!(self.out.node(id), Node::Pair(..)) && variable.values.is_empty() {
                variable.values.insert(unknown);
            }
            for value in tried.into_iter().chain(between.into_iter().filter(|_| fraction)) {
                variable.values.insert(Value::Number(value));
            }
        }
        Test::Sized(at, op, number)
    }

    /// The bounds of an amount, kept so near that twice of them is still a number; and whether it
    /// can be a fraction.
    fn interval(&self, id: ExprId) -> (i64, i64, bool) {
        const MOST: i64 = super::declare::MOST;
        let ty = match self.out.node(id) {
            Node::Count(_) => return (0, MOST, false),
            Node::Number { under: 1, over } => return (*over, *over, false),
            // Dice are whole; what is added to them may not be.
            Node::Total | Node::Natural => {
                let fraction =
                    self.out.tests.iter().filter_map(|t| t.plus).any(|plus| self.interval(plus).2);
                return (-MOST, MOST, fraction);
            }
            _ => self.out.declared_type(id),
        };
        match ty {
            Some(Type::Number { low, high, fraction, .. }) => {
                (low.clamp(-MOST, MOST), high.clamp(-MOST, MOST), fraction)
            }
            _ => (-MOST, MOST, true),
        }
    }

    fn same_test(&self, id: ExprId, left: ExprId, right: ExprId, proof: &mut Proof) -> Test {
        let value = match self.out.node(right) {
            Node::Word(set, word) => {
                let at = self.variable(left, false, proof);
                let words = self.out.word_sets.get(set.index()).map_or(&[][..], |s| &s.words);
                let value = |w: usize| {
                    Value::Word(
                        u16::try_from(w).unwrap_or(u16::MAX),
                        words.get(w).cloned().unwrap_or_default(),
                    )
                };
                if let Some((_, variable)) = proof.variables.get_index_mut(at)
                    && variable.values.is_empty()
                {
                    variable.values = (0..words.len()).map(value).collect();
                }
                return Test::Is(at, value(usize::from(*word)));
            }
            Node::NoThing => Value::Thing(None, "none".to_owned()),
            Node::Unit(_) | Node::Side(_) | Node::Space(_) | Node::SpaceCalled(_) => {
                let spoken = self
                    .sources
                    .slice(self.out.node_spans.get(right.index()).copied().unwrap_or_default())
                    .to_owned();
                Value::Thing(Some(self.key_of(right)), spoken)
            }
            Node::Truth(value) => Value::Truth(*value),
            _ => return self.free(id, proof),
        };
        let at = self.variable(left, false, proof);
        if let Some((_, variable)) = proof.variables.get_index_mut(at) {
            if variable.values.is_empty() {
                variable.values = match &value {
                    Value::Truth(_) => vec![Value::Truth(true), Value::Truth(false)],
                    _ => vec![Value::Thing(Some(String::new()), "another".to_owned())],
                }
                .into_iter()
                .collect();
                if matches!(value, Value::Thing(..)) && self.may_be_none(left) {
                    variable.values.insert(Value::Thing(None, "none".to_owned()));
                }
            }
            variable.values.insert(value.clone());
        }
        Test::Is(at, value)
    }

    fn may_be_none(&self, id: ExprId) -> bool {
        match self.out.node(id) {
            Node::Fact(fact, _) | Node::WorldFact(fact) => {
                matches!(
                    self.out.facts.get(fact.index()).map(|f| f.ty),
                    Some(Type::Thing { maybe: true, .. })
                )
            }
            _ => true,
        }
    }

    fn free(&self, id: ExprId, proof: &mut Proof) -> Test {
        let at = self.variable(id, true, proof);
        if let Some((_, variable)) = proof.variables.get_index_mut(at)
            && variable.values.is_empty()
        {
            variable.values = IndexSet::from([Value::Truth(true), Value::Truth(false)]);
        }
        Test::Free(at)
    }

    fn variable(&self, id: ExprId, free: bool, proof: &mut Proof) -> usize {
        let key = self.key_of(id);
        let spoken = || {
            let text = self
                .sources
                .slice(self.out.node_spans.get(id.index()).copied().unwrap_or_default());
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            // `no X` is asked as `any X` and denied.
            match (self.out.node(id), text.strip_prefix("no ")) {
                (Node::Any(_), Some(things)) => format!("any {things}"),
                _ => text,
            }
        };
        let entry = proof.variables.entry(key);
        let at = entry.index();
        entry.or_insert_with(|| Variable { spoken: spoken(), values: IndexSet::new(), free });
        at
    }

    /// A text that is the same for two nodes that mean the same.
    pub(super) fn key_of(&self, id: ExprId) -> String {
        let node = self.out.node(id);
        let mut key = String::new();
        match node {
            Node::Fact(fact, of) => {
                key.push_str(&format!("fact {} of {}", fact.0, self.key_of(*of)))
            }
            Node::Define(define, of) => {
                key.push_str(&format!("define {} of {:?}", define.0, of.map(|o| self.key_of(o))))
            }
            Node::Table(table, result, of) => key.push_str(&format!(
                "table {} {result} of {:?}",
                table.0,
                of.map(|o| self.key_of(o))
            )),
            Node::Pair(pair, a, b) => key.push_str(&format!(
                "pair {pair:?} of {} and {}",
                self.key_of(*a),
                self.key_of(*b)
            )),
            Node::Hook(hook, of) => {
                key.push_str(&format!("hook {} of {:?}", hook.0, of.map(|o| self.key_of(o))))
            }
            Node::Verdict(trace, of, asked) => {
                key.push_str(&format!("verdict {} {asked:?} of {}", trace.0, self.key_of(*of)))
            }
            Node::Same(a, b) => {
                key.push_str(&format!("{} is {}", self.key_of(*a), self.key_of(*b)))
            }
            Node::Compare(a, op, b) => {
                key.push_str(&format!("{} {op:?} {}", self.key_of(*a), self.key_of(*b)))
            }
            Node::Stands(of, stance) => key.push_str(&format!("{stance:?} {}", self.key_of(*of))),
            Node::IsKind(of, kind) => {
                key.push_str(&format!("kind {} {}", kind.0, self.key_of(*of)))
            }
            Node::Any(things) => key.push_str(&format!("any {}", self.key_of_things(*things))),
            Node::Only(things) => key.push_str(&format!("only {}", self.key_of_things(*things))),
            Node::Count(things) => key.push_str(&format!("count {}", self.key_of_things(*things))),
            Node::Aggregate(word, value, things) => {
                key.push_str(&format!(
                    "{word:?} {} {}",
                    self.key_of(*value),
                    self.key_of_things(*things)
                ));
            }
            Node::Arithmetic(a, sign, b) => {
                key.push_str(&format!("({} {sign:?} {})", self.key_of(*a), self.key_of(*b)))
            }
            Node::And(parts) => key.push_str(&format!("all of {:?}", self.keys_of(parts))),
            Node::Or(parts) => key.push_str(&format!("one of {:?}", self.keys_of(parts))),
            Node::Not(inner) => key.push_str(&format!("not {}", self.key_of(*inner))),
            Node::Evidence(trace, field, of, asked) => {
                key.push_str(&format!(
                    "evidence {} {field:?} {asked:?} of {}",
                    trace.0,
                    self.key_of(*of)
                ));
            }
            Node::WouldBe { trace, subject, space, yes } => {
                key.push_str(&format!(
                    "would be {} {yes} of {} in {}",
                    trace.0,
                    self.key_of(*subject),
                    self.key_of(*space)
                ));
            }
            Node::Sides { left, right, war } => {
                key.push_str(&format!("sides {war} {} {}", self.key_of(*left), self.key_of(*right)))
            }
            Node::SpaceCalled(label) => {
                key.push_str(&format!("space called {:?}", self.out.labels.get(label.index())))
            }
            Node::Outcome(test, of) => {
                key.push_str(&format!("outcome {} of {}", test.0, self.key_of(*of)))
            }
            Node::Listed(list, of, rows) => {
                key.push_str(&format!("listed {} {rows:?} of {}", list.0, self.key_of(*of)))
            }
            Node::Stopped(list, of) => {
                key.push_str(&format!("stopped {} of {}", list.0, self.key_of(*of)))
            }
            Node::Chance(test, outcome, of) => {
                key.push_str(&format!("chance {} {outcome} of {}", test.0, self.key_of(*of)))
            }
            Node::Removed(of) => key.push_str(&format!("removed {}", self.key_of(*of))),
            Node::Rank(of) => key.push_str(&format!("rank of {}", self.key_of(*of))),
            Node::Chosen(choice, of) => {
                key.push_str(&format!("chosen {} of {}", choice.0, self.key_of(*of)))
            }
            Node::Rounded(by, of) => key.push_str(&format!("rounded {by:?} {}", self.key_of(*of))),
            Node::Extreme { greater, left, right } => {
                key.push_str(&format!(
                    "extreme {greater} of {} and {}",
                    self.key_of(*left),
                    self.key_of(*right)
                ));
            }
            // What is left holds no expression, and says all of itself.
            Node::Nothing
            | Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::Side(_)
            | Node::Viewer
            | Node::Subject(_)
            | Node::WorldFact(_)
            | Node::Ruling(_)
            | Node::Total
            | Node::Natural
            | Node::OverStep(_) => key.push_str(&format!("{node:?}")),
        }
        key
    }

    fn keys_of(&self, parts: &[ExprId]) -> Vec<String> {
        parts.iter().map(|p| self.key_of(*p)).collect()
    }

    fn key_of_things(&self, id: ThingsId) -> String {
        self.out.things.get(id.index()).map_or_else(String::new, |t| {
            let place = match &t.place {
                Place::Anywhere => String::new(),
                Place::In(s) => format!("in {}", self.key_of(*s)),
                Place::Adjacent(s, link) => format!("next to {} over {link:?}", self.key_of(*s)),
                Place::AdjacentNotOver(s, link) => {
                    format!("next to {} not over {link:?}", self.key_of(*s))
                }
                Place::Within(n, s, link) => {
                    format!("within {n} of {} over {link:?}", self.key_of(*s))
                }
            };
            format!("{:?} {place} {:?}", t.kind, t.condition.map(|c| self.key_of(c)))
        })
    }
}

fn mark(reached: &mut [bool], at: usize) {
    if let Some(cell) = reached.get_mut(at) {
        *cell = true;
    }
}

impl Test {
    pub(super) fn holds(&self, values: &[Value]) -> bool {
        match self {
            Test::Always => true,
            Test::And(parts) => parts.iter().all(|p| p.holds(values)),
            Test::Or(parts) => parts.iter().any(|p| p.holds(values)),
            Test::Not(inner) => !inner.holds(values),
            Test::Is(at, value) => values.get(*at) == Some(value),
            Test::Free(at) => values.get(*at) == Some(&Value::Truth(true)),
            Test::Sized(at, op, number) => match values.get(*at) {
                Some(Value::Number(twice)) => match (op, number * 2) {
                    (Comparison::Equal, n) => *twice == n,
                    (Comparison::AtLeast, n) => *twice >= n,
                    (Comparison::AtMost, n) => *twice <= n,
                    (Comparison::More, n) => *twice > n,
                    (Comparison::Less, n) => *twice < n,
                },
                _ => false,
            },
        }
    }

    pub(super) fn variables(&self, out: &mut Vec<usize>) {
        match self {
            Test::Always => {}
            Test::And(parts) | Test::Or(parts) => parts.iter().for_each(|p| p.variables(out)),
            Test::Not(inner) => inner.variables(out),
            Test::Is(at, _) | Test::Free(at) | Test::Sized(at, ..) => out.push(*at),
        }
    }
}

impl Proof {
    /// How many combinations there are, if they can be tried.
    pub(super) fn boxes(&self) -> Option<usize> {
        self.variables
            .values()
            .try_fold(1usize, |n, v| n.checked_mul(v.values.len()))
            .filter(|n| *n <= MOST_BOXES)
    }

    /// The values of all variables in one of the combinations.
    pub(super) fn values(&self, mut at: usize) -> Vec<Value> {
        self.variables
            .values()
            .map(|v| {
                let n = v.values.len().max(1);
                let value = v.values.get_index(at % n).cloned().unwrap_or(Value::Truth(false));
                at /= n;
                value
            })
            .collect()
    }

    fn asks_free(&self, test: &Test) -> bool {
        let mut asked = Vec::new();
        test.variables(&mut asked);
        asked.iter().any(|v| self.variables.get_index(*v).is_some_and(|(_, v)| v.free))
    }
}
