//! The rows of a table that can hold in one combination of values, without asking each of them.
//!
//! A row that wants one value of something can hold only where that is the value. All others are
//! always asked.

use indexmap::IndexMap;

use super::proof::{Test, Value};
use crate::arrange::Arrange as _;
use crate::ir::Comparison;

/// Rows by the value that they want.
pub(super) struct RowIndex {
    by_value: IndexMap<(usize, Value), Vec<usize>>,
    others: Vec<usize>,
}

impl RowIndex {
    pub(super) fn of(tests: &[Test]) -> RowIndex {
        let mut index = RowIndex { by_value: IndexMap::new(), others: Vec::new() };
        for (row, test) in tests.iter().enumerate() {
            match wanted(test) {
                Some(key) => index.by_value.entry(key).or_default().push(row),
                None => index.others.push(row),
            }
        }
        index
    }

    /// The rows that can hold where all variables have these values, in their order.
    pub(super) fn candidates(&self, values: &[Value]) -> impl Iterator<Item = usize> {
        let mut asked: Vec<usize> = Vec::new();
        for (at, value) in values.iter().enumerate() {
            asked.extend(self.by_value.get(&(at, value.clone())).into_iter().flatten());
        }
        asked.arrange();
        let mut others = self.others.iter().copied().peekable();
        let mut asked = asked.into_iter().peekable();
        std::iter::from_fn(move || match (others.peek(), asked.peek()) {
            (Some(other), Some(row)) if other > row => asked.next(),
            (Some(_), _) => others.next(),
            (None, _) => asked.next(),
        })
    }
}

/// A value without which a test does not hold.
fn wanted(test: &Test) -> Option<(usize, Value)> {
    match test {
        Test::Is(at, value) => Some((*at, value.clone())),
        Test::Sized(at, Comparison::Equal, number) => {
            number.checked_mul(2).map(|n| (*at, Value::Number(n)))
        }
        Test::And(parts) => parts.iter().find_map(wanted),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(at: usize, word: u16) -> Test {
        Test::Is(at, Value::Word(word, word.to_string()))
    }

    /// Each combination of three variables with four words, against all rows asked one by one.
    #[test]
    fn no_row_that_holds_is_left_out() {
        let mut tests = Vec::new();
        for a in 0..4u16 {
            tests.push(word(0, a));
            tests.push(Test::And(vec![word(1, a), word(2, 3 - a)]));
            tests.push(Test::Or(vec![word(1, a), word(2, a)]));
            tests.push(Test::Not(Box::new(word(2, a))));
        }
        let index = RowIndex::of(&tests);
        for at in 0..64u16 {
            let values = [at % 4, at / 4 % 4, at / 16].map(|w| Value::Word(w, w.to_string()));
            let candidates: Vec<usize> = index.candidates(&values).collect();
            assert!(candidates.is_sorted() && candidates.len() < tests.len(), "{candidates:?}");
            for (row, test) in tests.iter().enumerate() {
                assert!(!test.holds(&values) || candidates.contains(&row), "row {row} at {at}");
            }
        }
    }

    /// Rows that each want a word of their own: as many are asked in each combination, however many
    /// there are.
    #[test]
    fn a_table_of_words_asks_as_many_rows_however_long_it_is() {
        for rows in [10u16, 1000, 8000] {
            let tests: Vec<Test> = (0..rows).map(|w| word(0, w)).chain([Test::Always]).collect();
            let index = RowIndex::of(&tests);
            let value = Value::Word(rows / 2, (rows / 2).to_string());
            let asked: Vec<usize> = index.candidates(&[value]).collect();
            assert_eq!(asked, [usize::from(rows / 2), usize::from(rows)]);
        }
    }
}
