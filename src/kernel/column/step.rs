//! The operations of a program. `P` is what a column is called: a place in the graph, or a
//! register.

use super::lane::Width;

/// One operation, which writes one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Step<P> {
    /// whether a number lies in a range of proven numbers, which may go around the end
    Within(Width, P, i64, i64),
    /// whether two bytes both do
    Both([Test<P>; 2]),
    /// how two numbers compare
    Compare(Width, Order, P, P),
    /// what two truths make
    Masks(Join, P, P),
    /// a sum, and four numbers where four truths hold
    Tally(Width, P, [(P, i64); 4]),
    /// a sum, and one more number where a truth holds
    AddIf(Width, P, P, P),
    /// two numbers joined by a sign
    Signed(Width, Mark, P, P),
    /// a number held between two ends
    Clamp(Width, P, i64, i64),
    /// one number where a truth holds, else the other
    Choose(Width, P, P, P),
    /// the same numbers in another width
    Cut(Width, Width, P),
    /// of 32-bit numbers: times the first, plus the second, divided by the third and rounded toward
    /// less
    Divide(P, i64, i64, i64),
}

/// A range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Test<P> {
    /// Whose.
    pub of: P,
    /// The least.
    pub low: i8,
    /// How far the range goes on above it, around the end if need be; the bits of an unsigned byte.
    pub span: i8,
}

/// How two numbers compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Order {
    /// the first is less
    Less,
    /// they are equal
    Equal,
}

/// What two truths make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Join {
    /// both
    And,
    /// the first and not the second
    AndNot,
    /// one of them
    Or,
}

/// A sign between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    /// plus
    Plus,
    /// minus
    Minus,
    /// times
    Times,
    /// the lesser
    Least,
    /// the greater
    Most,
}

impl<P: Copy> Step<P> {
    /// How wide what it writes is; a truth is a byte.
    pub(super) fn width(&self) -> Width {
        match self {
            Step::Within(..) | Step::Both(_) | Step::Compare(..) | Step::Masks(..) => Width::I8,
            Step::Tally(width, ..) | Step::AddIf(width, ..) | Step::Signed(width, ..) => *width,
            Step::Clamp(width, ..) | Step::Choose(width, ..) | Step::Cut(width, ..) => *width,
            Step::Divide(..) => Width::I32,
        }
    }

    /// The same operation with its columns called otherwise.
    pub(super) fn map<Q>(&self, mut call: impl FnMut(P) -> Q) -> Step<Q> {
        match *self {
            Step::Within(width, a, low, high) => Step::Within(width, call(a), low, high),
            Step::Both(tests) => {
                Step::Both(tests.map(|t| Test { of: call(t.of), low: t.low, span: t.span }))
            }
            Step::Compare(width, order, a, b) => Step::Compare(width, order, call(a), call(b)),
            Step::Masks(join, a, b) => Step::Masks(join, call(a), call(b)),
            Step::Tally(width, sum, parts) => {
                Step::Tally(width, call(sum), parts.map(|(p, n)| (call(p), n)))
            }
            Step::AddIf(width, a, mask, b) => Step::AddIf(width, call(a), call(mask), call(b)),
            Step::Signed(width, mark, a, b) => Step::Signed(width, mark, call(a), call(b)),
            Step::Clamp(width, a, low, high) => Step::Clamp(width, call(a), low, high),
            Step::Choose(width, mask, a, b) => Step::Choose(width, call(mask), call(a), call(b)),
            Step::Cut(width, from, a) => Step::Cut(width, from, call(a)),
            Step::Divide(a, times, plus, by) => Step::Divide(call(a), times, plus, by),
        }
    }

    /// The columns it reads.
    pub(super) fn reads(&self) -> Vec<P> {
        let mut reads = Vec::new();
        self.map(|p| reads.push(p));
        reads
    }
}
