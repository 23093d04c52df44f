//! A combination of what the rows of a table ask about, in words.

use super::proof::{Proof, Test, Value, Variable};

impl Variable {
    /// Whether no thing is told from others by its name: there is one, or there is none.
    fn names_nothing(&self) -> bool {
        !self.values.iter().any(|v| matches!(v, Value::Thing(Some(name), _) if !name.is_empty()))
    }
}

impl Proof {
    /// How far the numbers of a combination are from nothing, of what these rows ask about.
    pub(super) fn size(&self, values: &[Value], test: &Test) -> i64 {
        let mut asked = Vec::new();
        test.variables(&mut asked);
        let number = |at: &usize| match values.get(*at) {
            Some(Value::Number(n)) => n.saturating_abs(),
            _ => 0,
        };
        asked.iter().map(number).fold(0, i64::saturating_add)
    }

    /// One combination in words, naming only what the rows in question ask about.
    pub(super) fn spoken(&self, values: &[Value], tests: &[Test], rows: &[usize]) -> String {
        let mut asked = Vec::new();
        for (at, test) in tests.iter().enumerate() {
            if rows.is_empty() || rows.contains(&at) {
                test.variables(&mut asked);
            }
        }
        let parts: Vec<String> = self
            .variables
            .values()
            .zip(values)
            .enumerate()
            .filter(|(at, _)| asked.contains(at))
            .map(|(_, (variable, value))| match value {
                Value::Truth(true) => format!("`{}`", variable.spoken),
                Value::Truth(false) => format!("not `{}`", variable.spoken),
                Value::Number(n) if n % 2 == 0 => format!("`{}` is {}", variable.spoken, n / 2),
                Value::Number(n) => format!("`{}` is {n}/2", variable.spoken),
                Value::Thing(Some(other), _) if other.is_empty() && variable.names_nothing() => {
                    format!("`{}` is not none", variable.spoken)
                }
                Value::Thing(_, name) => format!("`{}` is {name}", variable.spoken),
                Value::Word(_, word) if *word == variable.spoken => format!("`{word}`"),
                Value::Word(_, word) => format!("`{}` is {word}", variable.spoken),
            })
            .collect();
        if parts.is_empty() { "nothing is said".to_owned() } else { parts.join(" and ") }
    }
}
