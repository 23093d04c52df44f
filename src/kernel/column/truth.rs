//! Conditions as columns of truths; a range of a number stays a range as long as it can.

use super::graph::{Col, Graph};
use super::lane::{Lane, Width};
use super::step::{Join, Order, Step, Test};

/// A condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    /// the same in all rows
    Fixed(bool),
    /// a column of truths, or its contrary
    Mask(Col, bool),
    /// a number between two ends that its proven range goes beyond, or the contrary
    Range {
        /// whose number
        of: Col,
        /// the least
        low: i64,
        /// the most
        high: i64,
        /// whether the contrary is meant
        contrary: bool,
    },
}

impl Truth {
    /// The contrary.
    pub(super) fn not(self) -> Truth {
        match self {
            Truth::Fixed(truth) => Truth::Fixed(!truth),
            Truth::Mask(col, contrary) => Truth::Mask(col, !contrary),
            Truth::Range { of, low, high, contrary } => {
                Truth::Range { of, low, high, contrary: !contrary }
            }
        }
    }
}

impl Graph {
    /// Whether the number of a column lies between two ends.
    pub(super) fn between(&self, of: Col, low: i64, high: i64) -> Truth {
        let (least, most) = self.range(of);
        let (low, high) = (low.max(least), high.min(most));
        if low > high {
            Truth::Fixed(false)
        } else if (low, high) == (least, most) {
            Truth::Fixed(true)
        } else {
            Truth::Range { of, low, high, contrary: false }
        }
    }

    /// All of these.
    pub(super) fn all(&mut self, parts: &[Truth]) -> Truth {
        let mut left: Vec<Truth> = Vec::new();
        for part in parts {
            match *part {
                Truth::Fixed(false) => return Truth::Fixed(false),
                Truth::Fixed(true) => {}
                Truth::Range { of, low, high, contrary: false } => {
                    let same = left.iter().position(
                        |t| matches!(t, Truth::Range { of: o, contrary: false, .. } if *o == of),
                    );
                    let (mut low, mut high) = (low, high);
                    if let Some(Truth::Range { low: l, high: h, .. }) =
                        same.map(|at| left.remove(at))
                    {
                        (low, high) = (low.max(l), high.min(h));
                    }
                    match self.between(of, low, high) {
                        Truth::Fixed(false) => return Truth::Fixed(false),
                        range => left.push(range),
                    }
                }
                other if left.contains(&other) => {}
                other => left.push(other),
            }
        }
        let mut whole = left.pop();
        while let (Some(a), Some(b)) = (whole, left.pop()) {
            whole = Some(self.both(a, b));
        }
        whole.unwrap_or(Truth::Fixed(true))
    }

    /// One of these.
    pub(super) fn one(&mut self, parts: &[Truth]) -> Truth {
        let contraries: Vec<Truth> = parts.iter().map(|p| p.not()).collect();
        self.all(&contraries).not()
    }

    fn both(&mut self, a: Truth, b: Truth) -> Truth {
        if let (Truth::Range { .. }, _) | (_, Truth::Range { .. }) = (a, b)
            && let (Some(a), Some(b)) = (self.test(a), self.test(b))
        {
            return Truth::Mask(self.truths(Step::Both([a, b])), false);
        }
        let ((a, not_a), (b, not_b)) = (self.mask(a), self.mask(b));
        let (join, a, b, contrary) = match (not_a, not_b) {
            (false, false) => (Join::And, a, b, false),
            (false, true) => (Join::AndNot, a, b, false),
            (true, false) => (Join::AndNot, b, a, false),
            (true, true) => (Join::Or, a, b, true),
        };
        Truth::Mask(self.truths(Step::Masks(join, a, b)), contrary)
    }

    /// A condition on one byte; nothing for what is wider or fixed.
    fn test(&self, truth: Truth) -> Option<Test<Col>> {
        let (of, low, high, contrary) = match truth {
            Truth::Range { of, low, high, contrary } => (of, low, high, contrary),
            // Of the two truths, all bits is -1 and no bit 0.
            Truth::Mask(of, contrary) => (of, -1, -1, contrary),
            Truth::Fixed(_) => return None,
        };
        if self.width(of) != Width::I8 {
            return None;
        }
        // What is not in a range is in the range from behind its end around to before its
        // beginning.
        let (low, high) = if contrary { (high + 1, low - 1) } else { (low, high) };
        Some(Test { of, low: i8::cut(low), span: i8::cut(high - low) })
    }

    /// A column of truths, and whether its contrary is meant.
    pub(super) fn mask(&mut self, truth: Truth) -> (Col, bool) {
        match truth {
            Truth::Mask(col, contrary) => (col, contrary),
            Truth::Range { of, low, high, contrary } => {
                let width = self.width(of);
                (self.truths(Step::Within(width, of, low, high)), contrary)
            }
            Truth::Fixed(truth) => (self.splat(Width::I8, -1), !truth),
        }
    }

    /// The contrary of a column of truths.
    pub(super) fn contrary(&mut self, of: Col) -> Col {
        self.truths(Step::Within(Width::I8, of, 0, 0))
    }

    /// Whether two conditions agree.
    pub(super) fn agree(&mut self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Fixed(true), other) | (other, Truth::Fixed(true)) => other,
            (Truth::Fixed(false), other) | (other, Truth::Fixed(false)) => other.not(),
            _ => {
                let ((a, not_a), (b, not_b)) = (self.mask(a), self.mask(b));
                Truth::Mask(
                    self.truths(Step::Compare(Width::I8, Order::Equal, a, b)),
                    not_a != not_b,
                )
            }
        }
    }
}
