//! What a call says of a number: `reach.led=1..6`, `reach.led=1,2,4`.

use super::{MOST_VALUES, Value};
use crate::diag::{Diagnostic, code};

/// A number and the values that it is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vary {
    /// The name of the number.
    pub name: String,
    /// The values, each once, in the order in which they were said.
    pub values: Vec<Value>,
}

impl Vary {
    /// Reads `NAME=VALUES`: values apart by commas, each a number, a fraction, or a range of whole
    /// numbers `A..B`, in steps `A..B:STEP`.
    ///
    /// # Errors
    ///
    /// E1072 where it is none of this, E1073 where a range has too many values.
    pub fn read(text: &str) -> Result<Vary, Box<Diagnostic>> {
        let Some((name, said)) = text.rsplit_once('=') else {
            return Err(unread(text, "it has no `=`"));
        };
        let mut values: Vec<Value> = Vec::new();
        for part in said.split(',') {
            for value in part_of(text, part.trim())? {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        match values.len() {
            0..=MOST_VALUES => Ok(Vary { name: name.trim().to_owned(), values }),
            many => Err(too_many(name.trim(), many as u128)),
        }
    }
}

fn part_of(text: &str, part: &str) -> Result<Vec<Value>, Box<Diagnostic>> {
    let Some((low, rest)) = part.split_once("..") else {
        let value = Value::read(part);
        return match value {
            Some(value) => Ok(vec![value]),
            None if part.is_empty() => Err(unread(text, "a value is missing")),
            None => Err(unread(text, &format!("`{part}` is no number"))),
        };
    };
    let (high, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let whole = |text: &str| Value::read(text).and_then(Value::as_whole);
    let (Some(low), Some(high), Some(step)) = (whole(low), whole(high), whole(step)) else {
        return Err(unread(text, &format!("`{part}` is no range of whole numbers")));
    };
    if low > high || step < 1 {
        return Err(unread(text, &format!("`{part}` is an empty range")));
    }
    let many = (i128::from(high) - i128::from(low)) / i128::from(step) + 1;
    if many > MOST_VALUES as i128 {
        let name = text.rsplit_once('=').map_or(text, |(name, _)| name.trim());
        return Err(too_many(name, many.unsigned_abs()));
    }
    let values = std::iter::successors(Some(low), |n| n.checked_add(step));
    Ok(values.take_while(|n| *n <= high).map(Value::whole).collect())
}

fn unread(text: &str, why: &str) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::bare(code::E1072, format!("`{text}` cannot be read: {why}"))
            .help("write `NAME=1..6`, `NAME=0..100:10`, `NAME=1,2,4` or `NAME=1/2,3/4`"),
    )
}

fn too_many(name: &str, many: u128) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::bare(
            code::E1073,
            format!("`{name}` would have {many} values, and at most {MOST_VALUES} are tried"),
        )
        .help("write a shorter range, or one in steps: `NAME=0..1000:50`"),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;

    fn read(text: &str) -> String {
        match Vary::read(text) {
            Ok(vary) => {
                let values: Vec<String> = vary.values.iter().map(Value::to_string).collect();
                format!("{}: {}", vary.name, values.join(" "))
            }
            Err(fault) => format!("{} {}", fault.code, fault.message),
        }
    }

    #[test]
    fn values_are_read() {
        for (text, wanted) in [
            ("reach.led=1..4", "reach.led: 1 2 3 4"),
            ("a = 4, 1 ,2..3,2", "a: 4 1 2 3"),
            ("a=-2..0", "a: -2 -1 0"),
            ("a=0..10:5", "a: 0 5 10"),
            ("a=0..11:5", "a: 0 5 10"),
            ("a=1/2,3/4,2/4", "a: 1/2 3/4"),
            ("grid.x, y.2:1=7", "grid.x, y.2:1: 7"),
        ] {
            assert_eq!(read(text), wanted);
        }
    }

    #[test]
    fn what_is_no_values_is_refused_with_a_code() {
        for (text, wanted) in [
            ("a", "E1072 `a` cannot be read: it has no `=`"),
            ("a=", "E1072 `a=` cannot be read: a value is missing"),
            ("a=1,", "E1072 `a=1,` cannot be read: a value is missing"),
            ("a=x", "E1072 `a=x` cannot be read: `x` is no number"),
            ("a=1.5", "E1072 `a=1.5` cannot be read: `1.5` is no number"),
            ("a=6..1", "E1072 `a=6..1` cannot be read: `6..1` is an empty range"),
            ("a=1..6:0", "E1072 `a=1..6:0` cannot be read: `1..6:0` is an empty range"),
            ("a=1/2..3", "E1072 `a=1/2..3` cannot be read: `1/2..3` is no range of whole numbers"),
            ("a=1..5000", "E1073 `a` would have 5000 values, and at most 1000 are tried"),
        ] {
            assert_eq!(read(text), wanted);
        }
        let huge = read("a=-9223372036854775807..9223372036854775807");
        assert!(huge.starts_with("E1073 `a` would have 18446744073709551615 values"), "{huge}");
    }
}
