//! A number as it is written in rules: whole, or a fraction.

use std::cmp::Ordering;
use std::fmt;

use num_traits::ToPrimitive;
use serde::{Serialize, Serializer};

/// A number of a ruleset.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    over: i64,
    under: i64,
}

impl Value {
    /// Reads `3`, `-3` or `3/4`; nothing where it is none of these.
    #[must_use]
    pub fn read(text: &str) -> Option<Value> {
        let whole = |text: &str| {
            let digits = text.trim();
            let plain = digits.strip_prefix('-').unwrap_or(digits);
            let sound = !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_digit());
            digits.parse::<i64>().ok().filter(|n| sound && *n != i64::MIN)
        };
        match text.split_once('/') {
            Some((over, under)) => {
                let under = whole(under).filter(|n| *n > 0)?;
                Some(Value { over: whole(over)?, under })
            }
            None => Some(Value { over: whole(text)?, under: 1 }),
        }
    }

    /// A whole number.
    #[must_use]
    pub fn whole(over: i64) -> Value {
        Value { over, under: 1 }
    }

    /// It as a whole number, if it is one as it is written.
    #[must_use]
    pub fn as_whole(self) -> Option<i64> {
        (self.under == 1).then_some(self.over)
    }

    /// The number of floating point that is nearest to it.
    #[must_use]
    pub fn nearest(self) -> f64 {
        num_rational::Ratio::new_raw(self.over, self.under.max(1)).to_f64().unwrap_or(f64::NAN)
    }

    /// One step less and one step more: of a fraction its upper number. No number falls below
    /// nothing that stands above it.
    #[must_use]
    pub fn steps(self) -> Vec<Value> {
        let step = |by: i64| self.over.checked_add(by).map(|over| Value { over, ..self });
        let keeps_sign = |v: &Value| v.over >= 0 || self.over < 0;
        [step(-1), step(1)].into_iter().flatten().filter(keeps_sign).collect()
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        let cross = |a: &Value, b: &Value| i128::from(a.over) * i128::from(b.under);
        cross(self, other).cmp(&cross(other, self))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.under {
            1 => write!(f, "{}", self.over),
            under => write!(f, "{}/{under}", self.over),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.as_whole() {
            Some(whole) => to.serialize_i64(whole),
            None => to.collect_str(self),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        for text in ["0", "12", "-3", "3/4", "-1/2"] {
            assert_eq!(Value::read(text).unwrap().to_string(), text);
        }
        for text in ["", "x", "1.5", "1/0", "1/-2", "+3", "--3", "9223372036854775808", "1/2/3"] {
            assert!(Value::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn fractions_are_compared_by_what_they_are() {
        let value = |text| Value::read(text).unwrap();
        assert_eq!(value("2/4"), value("1/2"));
        assert!(value("1/3") < value("1/2") && value("-1") < value("0"));
    }

    #[test]
    fn steps_go_one_down_and_one_up() {
        let steps = |text| {
            let found = Value::read(text).unwrap().steps();
            found.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(steps("3"), "2 4");
        assert_eq!(steps("0"), "1");
        assert_eq!(steps("1/2"), "0/2 2/2");
        assert_eq!(steps("-2"), "-3 -1");
    }
}
