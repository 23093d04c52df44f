//! The combinations of values that conditions can tell apart, and tests over them.

use indexmap::{IndexMap, IndexSet};

use crate::ir::{Comparison, KindId};

/// More combinations than this are not tried.
const MOST_BOXES: usize = 1 << 16;

/// Something a condition asks about, and the values it can tell apart.
pub(super) struct Variable {
    pub spoken: String,
    pub values: IndexSet<Value>,
    /// Whether each word of its set is among the values.
    pub has_all_words: bool,
    pub free: bool,
}

impl Variable {
    pub(super) fn new(spoken: String, free: bool) -> Variable {
        Variable { spoken, values: IndexSet::new(), has_all_words: false, free }
    }
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
    /// A word of an ordered set against one of them.
    Staged(usize, Comparison, u16),
    Free(usize),
}

/// What the conditions of one table ask about.
#[derive(Default)]
pub(super) struct Proof {
    pub variables: IndexMap<String, Variable>,
    /// Numbers that are 0 where what they are asked of is not there, or has none such.
    pub bounds: Vec<Bound>,
    /// The variables that ask whether a thing, by its key, is of a kind.
    pub kinds: Vec<(usize, String, KindId)>,
}

/// A number of a thing that need not be there.
pub(super) struct Bound {
    /// Which variable it is.
    pub number: usize,
    /// The thing it is asked of, by its key.
    pub of: String,
    /// Between what it lies where the thing has it.
    pub within: (i64, i64),
    /// Whether each thing that can stand there has it.
    pub some_has: bool,
    /// The kinds whose things all have it.
    pub having: Vec<KindId>,
    /// The kinds of which each thing is that has it.
    pub above: Vec<KindId>,
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
                Some(Value::Number(twice)) => op.holds(twice.cmp(&(number * 2))),
                _ => false,
            },
            Test::Staged(at, op, stage) => match values.get(*at) {
                Some(Value::Word(word, _)) => op.holds(word.cmp(stage)),
                _ => false,
            },
        }
    }

    pub(super) fn variables(&self, out: &mut Vec<usize>) {
        match self {
            Test::Always => {}
            Test::And(parts) | Test::Or(parts) => parts.iter().for_each(|p| p.variables(out)),
            Test::Not(inner) => inner.variables(out),
            Test::Is(at, _) | Test::Free(at) | Test::Sized(at, ..) | Test::Staged(at, ..) => {
                out.push(*at)
            }
        }
    }
}

impl Proof {
    /// Whether a condition is faulty: that is a fault of its own, and nothing is proven of it.
    pub(super) fn is_of_a_faulty_condition(&self) -> bool {
        self.variables.keys().any(|key| key.contains("Nothing"))
    }

    /// How many combinations there are, if they can be tried.
    pub(super) fn boxes(&self) -> Option<usize> {
        self.variables
            .values()
            .try_fold(1usize, |n, v| n.checked_mul(v.values.len()))
            .filter(|n| *n <= MOST_BOXES)
    }

    /// The values of all variables in one of the combinations, if it can be so.
    pub(super) fn values(&self, mut at: usize) -> Option<Vec<Value>> {
        let values: Vec<Value> = self
            .variables
            .values()
            .map(|v| {
                let n = v.values.len().max(1);
                let value = v.values.get_index(at % n).cloned().unwrap_or(Value::Truth(false));
                at /= n;
                value
            })
            .collect();
        self.bounds.iter().all(|bound| self.can_be(bound, &values)).then_some(values)
    }

    /// Whether a number goes with what is said of the thing it is asked of.
    fn can_be(&self, bound: &Bound, values: &[Value]) -> bool {
        let Some(Value::Number(twice)) = values.get(bound.number) else { return true };
        let within = bound.within.0 * 2 <= *twice && *twice <= bound.within.1 * 2;
        let thing = self.variables.get_index_of(&bound.of).and_then(|at| values.get(at));
        let thing_allows = match thing {
            Some(Value::Thing(None, _)) => *twice == 0,
            Some(Value::Thing(Some(_), _)) => within || !bound.some_has,
            _ => true,
        };
        thing_allows
            && self.kinds.iter().filter(|(_, of, _)| *of == bound.of).all(|(at, _, kind)| {
                match values.get(*at) {
                    Some(Value::Truth(true)) => within || !bound.having.contains(kind),
                    Some(Value::Truth(false)) => *twice == 0 || !bound.above.contains(kind),
                    _ => true,
                }
            })
    }

    pub(super) fn asks_free(&self, test: &Test) -> bool {
        let mut asked = Vec::new();
        test.variables(&mut asked);
        asked.iter().any(|v| self.variables.get_index(*v).is_some_and(|(_, v)| v.free))
    }
}
