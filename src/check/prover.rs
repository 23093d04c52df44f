//! Conditions read as tests over what they ask about.
//!
//! A condition that is no comparison with a constant counts as free: it may hold or not, whatever
//! else is so.

use std::cmp::Ordering;

use indexmap::IndexSet;

use super::proof::{Bound, Proof, Test, Value, Variable};
use crate::ir::*;
use crate::source::SourceMap;

/// How deep a value is searched for parts that may not be there.
const MOST_NESTED: usize = 32;

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
            Node::Stands(of, stance) => self.stance_test(*of, *stance, proof),
            Node::Same(left, right) if self.is_with_itself(*left, *right) => Test::Always,
            Node::Same(left, right) => self.same_test(id, *left, *right, proof),
            Node::Compare(left, op, right) if self.is_with_itself(*left, *right) => {
                if op.holds(Ordering::Equal) { Test::Always } else { Test::Or(Vec::new()) }
            }
            Node::Compare(left, op, right) => {
                let staged = self.staged(*left, *right).map(|(of, stage)| (of, *op, stage));
                let mirrored =
                    || self.staged(*right, *left).map(|(of, stage)| (of, op.mirrored(), stage));
                match (staged.or_else(mirrored), self.constant(*left), self.constant(*right)) {
                    (Some((of, op, stage)), ..) => self.stage_test(of, op, stage, proof),
                    (None, None, Some(number)) => self.sized_test(*left, *op, number, proof),
                    (None, Some(number), None) => {
                        self.sized_test(*right, op.mirrored(), number, proof)
                    }
                    _ => self.free(id, proof),
                }
            }
            _ => self.free(id, proof),
        }
    }

    /// Whether something that is certainly there is compared with itself; of a link the map settles
    /// what is asked, and something else stands for it.
    fn is_with_itself(&self, left: ExprId, right: ExprId) -> bool {
        let text = |id: ExprId| {
            let span = self.out.node_spans.get(id.index()).copied().unwrap_or_default();
            self.sources.slice(span).trim()
        };
        let rolled = matches!(self.out.node(left), Node::Outcome(..) | Node::Stopped(..));
        let same = text(left) == text(right) && self.key_of(left) == self.key_of(right);
        same && !rolled && !may_be_unknown(self.out, left)
    }

    /// How something stands to the side that asks: in one way, or in none of those that are asked.
    /// Which of them is not told apart from how else it may stand, so the ways count as free.
    fn stance_test(&self, of: ExprId, stance: Stance, proof: &mut Proof) -> Test {
        let spoken = || match self.out.node(of) {
            Node::Subject(_) => "it".to_owned(),
            _ => self.spoken(of),
        };
        let entry = proof.variables.entry(format!("stance of {}", self.key_of(of)));
        let at = entry.index();
        let variable = entry.or_insert_with(|| Variable::new(spoken(), true));
        variable.values.insert(Value::Word(0, "another's".to_owned()));
        let ways = match stance {
            Stance::Own => &[(1, "own")][..],
            Stance::Allied => &[(2, "allied")],
            Stance::Friendly => &[(1, "own"), (2, "allied")],
            Stance::Enemy => &[(3, "enemy")],
            Stance::Neutral => &[(4, "neutral")],
        };
        let ways = ways.iter().map(|(at, way)| Value::Word(*at, (*way).to_owned()));
        variable.values.extend(ways.clone());
        Test::Or(ways.map(|way| Test::Is(at, way)).collect())
    }

    /// What is compared with a stage of a track, and that stage.
    fn staged(&self, left: ExprId, right: ExprId) -> Option<(ExprId, (WordSetId, u16))> {
        let (Node::Rank(of), Node::Rank(stage)) = (self.out.node(left), self.out.node(right))
        else {
            return None;
        };
        match self.out.node(*stage) {
            Node::Word(set, word) => Some((*of, (*set, *word))),
            _ => None,
        }
    }

    /// A comparison with a stage: one of the stages that compare so. Only those near it are told
    /// apart, for a track may be long.
    fn stage_test(
        &self,
        of: ExprId,
        op: Comparison,
        (set, stage): (WordSetId, u16),
        proof: &mut Proof,
    ) -> Test {
        let at = self.variable(of, false, proof);
        let last = self.words(set).len().saturating_sub(1);
        let near = [stage.saturating_sub(1), stage, stage.saturating_add(1)];
        if let Some((_, variable)) = proof.variables.get_index_mut(at) {
            for word in [0].into_iter().chain(near).chain(u16::try_from(last)) {
                variable.values.extend(self.word(set, word));
            }
            if may_be_unknown(self.out, of) {
                variable.values.insert(unknown());
            }
        }
        Test::Staged(at, op, stage)
    }

    fn words(&self, set: WordSetId) -> &[String] {
        self.out.word_sets.get(set.index()).map_or(&[][..], |set| &set.words)
    }

    fn word(&self, set: WordSetId, at: u16) -> Option<Value> {
        self.words(set).get(usize::from(at)).map(|word| Value::Word(at, word.clone()))
    }

    fn constant(&self, id: ExprId) -> Option<i64> {
        match self.out.node(id) {
            Node::Number { over, under: 1 } => Some(*over),
            _ => None,
        }
    }

    pub(super) fn sized_test(
        &self,
        id: ExprId,
        op: Comparison,
        number: i64,
        proof: &mut Proof,
    ) -> Test {
        let (low, high, fraction) = self.interval(id);
        let tried = [low, high, number - 1, number, number + 1].map(|v| v.clamp(low, high) * 2);
        let between = [number * 2 - 1, number * 2 + 1].map(|v| v.clamp(low * 2, high * 2));
        let at = self.variable(id, false, proof);
        let new = proof.variables.get_index(at).is_some_and(|(_, v)| v.values.is_empty());
        if let (true, Some(bound)) = (new, self.bound(at, id)) {
            proof.bounds.push(bound);
        }
        if let Some((_, variable)) = proof.variables.get_index_mut(at) {
            if new && may_be_unknown(self.out, id) {
                variable.values.insert(unknown());
            }
            if self.out.is_unsure(id) {
                variable.values.insert(Value::Number(0));
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

    /// What is known of an amount of a thing that need not be there, or need not have it.
    fn bound(&self, number: usize, id: ExprId) -> Option<Bound> {
        let (of, said_of) = self.out.said_of(id).filter(|_| self.out.is_unsure(id))?;
        let Some(Type::Number { low, high, .. }) = self.out.declared_type(id) else { return None };
        let kinds = || (0..self.out.kinds.len()).map(KindId::at);
        let some_has = matches!(
            self.out.declared_type(of),
            Some(Type::Thing { kind, .. }) if self.out.is_kind(kind, said_of)
        );
        Some(Bound {
            number,
            of: self.key_of(of),
            within: (low, high),
            some_has,
            having: kinds().filter(|kind| self.out.is_kind(*kind, said_of)).collect(),
            above: kinds().filter(|kind| self.out.is_kind(said_of, *kind)).collect(),
        })
    }

    fn same_test(&self, id: ExprId, left: ExprId, right: ExprId, proof: &mut Proof) -> Test {
        let value = match self.out.node(right) {
            Node::Word(set, word) => {
                let at = self.variable(left, false, proof);
                if let Some((_, variable)) = proof.variables.get_index_mut(at)
                    && !std::mem::replace(&mut variable.has_all_words, true)
                {
                    let words = (0..=u16::MAX).zip(self.words(*set));
                    variable.values.extend(words.map(|(at, word)| Value::Word(at, word.clone())));
                    if may_be_unknown(self.out, left) {
                        variable.values.insert(unknown());
                    }
                }
                return match self.word(*set, *word) {
                    Some(value) => Test::Is(at, value),
                    None => self.free(id, proof),
                };
            }
            Node::NoThing => Value::Thing(None, "none".to_owned()),
            Node::Unit(_)
            | Node::Side(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World
            | Node::SpaceCalled(_) => {
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
        if let Node::IsKind(of, kind) = self.out.node(id) {
            proof.kinds.push((at, self.key_of(*of), *kind));
        }
        if let Some((_, variable)) = proof.variables.get_index_mut(at)
            && variable.values.is_empty()
        {
            variable.values = IndexSet::from([Value::Truth(true), Value::Truth(false)]);
        }
        Test::Free(at)
    }

    fn variable(&self, id: ExprId, free: bool, proof: &mut Proof) -> usize {
        let key = self.key_of(id);
        let entry = proof.variables.entry(key);
        let at = entry.index();
        entry.or_insert_with(|| Variable::new(self.spoken(id), free));
        at
    }

    /// What an expression asks, in the words of its file.
    fn spoken(&self, id: ExprId) -> String {
        let span = self.out.node_spans.get(id.index()).copied().unwrap_or_default();
        let text = self.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        // `no X` is asked as `any X` and denied.
        match (self.out.node(id), text.strip_prefix("no ")) {
            (Node::Any(_), Some(things)) => format!("any {things}"),
            _ => text,
        }
    }
}

/// What is not known, or not there, and compares with nothing.
pub(super) fn unknown() -> Value {
    Value::Thing(None, "not known".to_owned())
}

/// Whether an amount or a word may be none at all: what lies between two things, what a line that
/// is not there has, what a table bars. What a test comes to is asked after the roll.
fn may_be_unknown(rules: &Ruleset, id: ExprId) -> bool {
    is_unknown(rules, id, MOST_NESTED, &mut IndexSet::new())
}

/// The same; what has been looked at is not looked at again, however many read it.
fn is_unknown(rules: &Ruleset, id: ExprId, nested: usize, seen: &mut IndexSet<ExprId>) -> bool {
    let Some(nested) = nested.checked_sub(1) else { return true };
    if !seen.insert(id) {
        return false;
    }
    let mut unknown = |id: ExprId| is_unknown(rules, id, nested, seen);
    match rules.node(id) {
        Node::Nothing | Node::Pair(..) | Node::Evidence(..) => true,
        Node::Define(define, _) => {
            rules.defines.get(define.index()).is_some_and(|d| unknown(d.value))
        }
        Node::Table(table, result, _) => rules.tables.get(table.index()).is_some_and(|t| {
            let mut cells = t.rows.iter().filter_map(|row| row.values.get(usize::from(*result)));
            t.policy != Policy::Sum && cells.any(|cell| cell.is_none_or(&mut unknown))
        }),
        Node::Arithmetic(a, _, b) | Node::Extreme { left: a, right: b, .. } => {
            unknown(*a) || unknown(*b)
        }
        Node::Rank(of) | Node::Rounded(_, of) => unknown(*of),
        Node::Truth(_)
        | Node::Number { .. }
        | Node::Word(..)
        | Node::NoThing
        | Node::Unit(_)
        | Node::Space(_)
        | Node::Link(_)
        | Node::World
        | Node::SpaceCalled(_)
        | Node::Side(_)
        | Node::Viewer
        | Node::Subject(_)
        | Node::Chosen(..)
        | Node::Fact(..)
        | Node::WorldFact(_)
        | Node::Ruling(_)
        | Node::Hook(..)
        | Node::Verdict(..)
        | Node::Outcome(..)
        | Node::Stopped(..)
        | Node::WouldBe { .. }
        | Node::Total
        | Node::Natural
        | Node::Chance(..)
        | Node::Count(_)
        | Node::Aggregate(..) => false,
        Node::IsKind(..)
        | Node::Stands(..)
        | Node::Sides { .. }
        | Node::Listed(..)
        | Node::Removed(_)
        | Node::OverStep(_)
        | Node::StepEnd(_)
        | Node::LinkEnd(..)
        | Node::And(_)
        | Node::Or(_)
        | Node::Not(_)
        | Node::Same(..)
        | Node::Compare(..)
        | Node::Any(_)
        | Node::Only(_) => false,
    }
}
