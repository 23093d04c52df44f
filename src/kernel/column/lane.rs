//! The numbers of a column: bytes where the proven range allows, else wider ones.

use super::facts::Column;
use super::run::Banks;

/// How wide the numbers of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Width {
    /// a byte
    I8,
    /// two bytes
    I16,
    /// four bytes
    I32,
}

impl Width {
    /// The narrowest that holds all of an interval.
    pub(super) fn of(low: i64, high: i64) -> Option<Width> {
        let holds = |least: i64, most: i64| least <= low && high <= most;
        if holds(i8::MIN.into(), i8::MAX.into()) {
            Some(Width::I8)
        } else if holds(i16::MIN.into(), i16::MAX.into()) {
            Some(Width::I16)
        } else if holds(i32::MIN.into(), i32::MAX.into()) {
            Some(Width::I32)
        } else {
            None
        }
    }

    /// The least and the most it holds.
    pub(super) fn ends(self) -> (i64, i64) {
        match self {
            Width::I8 => (i8::MIN.into(), i8::MAX.into()),
            Width::I16 => (i16::MIN.into(), i16::MAX.into()),
            Width::I32 => (i32::MIN.into(), i32::MAX.into()),
        }
    }
}

/// One number of a column.
///
/// The operations wrap around, for a loop with a check in it is not done many rows at a time.
/// Nothing is lost: the width of every column was chosen by an interval that holds all its values,
/// and what wraps on the way to a sum comes back.
pub(super) trait Lane:
    Copy
    + Default
    + Ord
    + From<i8>
    + Into<i32>
    + std::ops::BitAnd<Output = Self>
    + std::ops::BitXor<Output = Self>
{
    /// The low bits of a number.
    fn cut(n: i64) -> Self;
    /// The low bits of a number of any width.
    fn narrowed(n: i32) -> Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The difference.
    fn minus(self, other: Self) -> Self;
    /// The product.
    fn times(self, other: Self) -> Self;
    /// Whether it lies at most `span` above `low`, counted around the end of the numbers.
    fn within(self, low: Self, span: Self) -> bool;
    /// The registers of this width.
    fn bank(banks: &Banks) -> &Vec<Vec<Self>>;
    /// The same, to write.
    fn bank_mut(banks: &mut Banks) -> &mut Vec<Vec<Self>>;
    /// The rows of a fact, if it is held in this width.
    fn column(column: &Column) -> &[Self];
}

macro_rules! lane {
    ($($ty:ident, $bank:ident, $column:ident;)*) => {$(
        impl Lane for $ty {
            #[allow(clippy::cast_possible_truncation, reason = "the bits above are meant to go")]
            fn cut(n: i64) -> Self {
                n as $ty
            }
            #[allow(clippy::cast_possible_truncation, trivial_numeric_casts, reason = "the bits above are meant to go")]
            fn narrowed(n: i32) -> Self {
                n as $ty
            }
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn within(self, low: Self, span: Self) -> bool {
                self.wrapping_sub(low).cast_unsigned() <= span.cast_unsigned()
            }
            fn bank(banks: &Banks) -> &Vec<Vec<Self>> {
                &banks.$bank
            }
            fn bank_mut(banks: &mut Banks) -> &mut Vec<Vec<Self>> {
                &mut banks.$bank
            }
            fn column(column: &Column) -> &[Self] {
                match column {
                    Column::$column(rows) => rows,
                    _ => &[],
                }
            }
        }
    )*};
}

lane! {
    i8, bytes, I8;
    i16, shorts, I16;
    i32, words, I32;
}

/// A truth as a byte: all bits or none, so that it masks an amount of any width.
pub(super) fn mask(truth: bool) -> i8 {
    -i8::from(truth)
}
