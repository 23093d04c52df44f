//! Numbers: fractions as they are written, whole numbers of any size for the arithmetic, and cuts.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A length or a coordinate in base widths.
pub type Fraction = Ratio<i64>;

/// Amounts are given in parts of a base width, this many of them: a distance is rounded up, a width
/// down. An amount compares with every multiple of 1/240 as the exact length does.
pub const GRAIN: i64 = 240;

/// Two bases overlap when they do so by more than this part of a base width; less is the hair that
/// a rounded place costs. Where facings are compass words and places plain fractions nothing is
/// ever rounded.
pub const HAIR: i64 = 10_000;

/// The farthest coordinate and the greatest size, in base widths.
pub const FARTHEST: i64 = 1000;

/// The greatest common denominator of the numbers of one body.
pub const FINEST: i64 = 1_000_000_000;

/// Why a body or a facing cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum Wrong {
    /// Two numbers that are no direction, for the root of the sum of their squares is no whole
    /// number.
    #[error("({0}, {1}) is no facing: the sum of the squares must be a square, as with (3, 4)")]
    NoFacing(i64, i64),
    /// Degrees from 360.
    #[error("{0} degrees is no facing: degrees go from 0 to 359")]
    NoDegrees(u32),
    /// A width or a depth that is not above 0.
    #[error("a width and a depth are above 0")]
    NotPositive,
    /// A coordinate or a size beyond 1000 base widths.
    #[error("a place or a size is beyond {FARTHEST} base widths")]
    TooFar,
    /// Numbers whose common denominator is beyond a thousand million.
    #[error("the fractions of one body have no common denominator up to {FINEST}")]
    TooFine,
}

/// Whole numbers that are wide enough: `i128` where the numbers allow it, else of any size.
pub(super) trait Exact: Clone + Ord + Signed + From<i128> + Into<BigInt> {
    /// The number if it is one of those that are always held in 128 bits.
    fn narrow(&self) -> Option<i128>;
}

impl Exact for i128 {
    fn narrow(&self) -> Option<i128> {
        Some(*self)
    }
}

impl Exact for BigInt {
    fn narrow(&self) -> Option<i128> {
        None
    }
}

/// The quotient rounded down, and what is left. The divisor is above 0.
pub(super) fn divide<T: Exact>(n: T, d: T) -> (T, T) {
    let q = n.clone() / d.clone();
    let r = n - q.clone() * d.clone();
    if r.is_negative() { (q - T::one(), r + d) } else { (q, r) }
}

/// The least common multiple of two numbers above 0.
pub(super) fn common(a: i128, b: i128) -> i128 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// A fraction in grains, rounded down.
#[must_use]
pub fn in_grains(length: Fraction) -> i64 {
    let (n, d) = (i128::from(*length.numer()) * i128::from(GRAIN), i128::from(*length.denom()));
    i64::try_from(divide(n, d).0).unwrap_or(i64::MAX)
}

/// Where a line is cut: a whole number and a proper fraction. It is so kept because comparing two
/// of them then needs only products of two numbers, never of three.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut<T> {
    pub whole: T,
    pub part: T,
    pub over: T,
}

impl<T: Exact> Cut<T> {
    pub(super) fn whole(whole: T) -> Cut<T> {
        Cut { whole, part: T::zero(), over: T::one() }
    }

    /// `start + n / d`, for any `d` but 0.
    pub(super) fn at(start: T, n: T, d: T) -> Cut<T> {
        let (n, d) = if d.is_negative() { (-n, -d) } else { (n, d) };
        let (q, part) = divide(n, d.clone());
        Cut { whole: start + q, part, over: d }
    }

    pub(super) fn is_positive(&self) -> bool {
        !self.whole.is_negative() && (self.whole.is_positive() || self.part.is_positive())
    }
}

impl<T: Exact> PartialOrd for Cut<T> {
    fn partial_cmp(&self, other: &Cut<T>) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Exact> Ord for Cut<T> {
    fn cmp(&self, other: &Cut<T>) -> std::cmp::Ordering {
        self.whole.cmp(&other.whole).then_with(|| {
            (self.part.clone() * other.over.clone()).cmp(&(other.part.clone() * self.over.clone()))
        })
    }
}

/// A sum of lengths between cuts.
pub(super) struct Length<T> {
    whole: T,
    /// What is beyond the whole numbers, one entry for each denominator.
    parts: Vec<(T, T)>,
}

impl<T: Exact> Length<T> {
    pub(super) fn new() -> Length<T> {
        Length { whole: T::zero(), parts: Vec::new() }
    }

    /// Adds the length from one cut to another.
    pub(super) fn add(&mut self, from: &Cut<T>, to: &Cut<T>) {
        self.whole = self.whole.clone() + to.whole.clone() - from.whole.clone();
        self.part(to.part.clone(), &to.over);
        self.part(-from.part.clone(), &from.over);
    }

    /// Takes the length from one cut to another away.
    pub(super) fn take(&mut self, from: &Cut<T>, to: &Cut<T>) {
        self.add(to, from);
    }

    fn part(&mut self, part: T, over: &T) {
        if part.is_zero() {
            return;
        }
        match self.parts.iter_mut().find(|p| p.1 == *over) {
            Some(known) => known.0 = known.0.clone() + part,
            None => self.parts.push((part, over.clone())),
        }
    }

    /// The length in grains, rounded down, where a base width is so many; and whether there is any
    /// length at all.
    pub(super) fn grains(&self, width: &T) -> (i32, bool) {
        let grain = T::from(i128::from(GRAIN));
        let (n, d, any) = match self.parts.as_slice() {
            [] => (self.whole.clone() * grain, width.clone(), self.whole.is_positive()),
            [(part, over)] => {
                let cut = Cut::at(self.whole.clone(), part.clone(), over.clone());
                // floor((w + p/o) * 240 / width) = floor(floor(240 w + 240 p / o) / width)
                let fine = divide(cut.part.clone() * grain.clone(), cut.over.clone()).0;
                (cut.whole.clone() * grain + fine, width.clone(), cut.is_positive())
            }
            many => {
                let mut sum = Ratio::from_integer(self.whole.clone().into());
                for (part, over) in many {
                    sum += Ratio::new(part.clone().into(), over.clone().into());
                }
                let any = sum.is_positive();
                let wide: BigInt = width.clone().into();
                let grains = (sum * BigInt::from(GRAIN) / wide).floor().to_integer();
                return (grains.to_i32().unwrap_or(i32::MAX), any);
            }
        };
        (small(&divide(n, d).0), any)
    }
}

/// An amount in grains, which every bound keeps within 32 bits.
pub(super) fn small<T: Exact>(n: &T) -> i32 {
    if let Some(narrow) = n.narrow() {
        return i32::try_from(narrow).unwrap_or(i32::MAX);
    }
    let n: BigInt = n.clone().into();
    n.to_i32().unwrap_or(i32::MAX)
}

/// The least number of grains that is not below the root of `square / (divisor * width * width)`.
pub(super) fn root_grains<T: Exact>(square: &T, divisor: &T, width: &T) -> i32 {
    if square.is_zero() {
        return 0;
    }
    if let Some(root) = narrow_root(square, divisor, width) {
        return root;
    }
    let (n, w): (BigInt, BigInt) = (square.clone().into(), width.clone().into());
    let d: BigInt = divisor.clone().into();
    let grain = BigInt::from(GRAIN * GRAIN);
    let below: BigInt = (n * grain - BigInt::one()) / (d * &w * &w);
    // The least g with g * g > below: the square is above below, and g * g is whole.
    let root = below.sqrt() + BigInt::one();
    debug_assert!(!root.is_zero());
    root.to_i32().unwrap_or(i32::MAX)
}

/// The same where all of it fits in 128 bits.
fn narrow_root<T: Exact>(square: &T, divisor: &T, width: &T) -> Option<i32> {
    let (n, d, w) = (square.narrow()?, divisor.narrow()?, width.narrow()?);
    let below = n.checked_mul(i128::from(GRAIN * GRAIN))?.checked_sub(1)?
        / d.checked_mul(w.checked_mul(w)?)?;
    i32::try_from(root(u64::try_from(below).ok()?) + 1).ok()
}

/// Roots of 64 to 256 times 2^24, rounded down.
const ROOTS: [u32; 193] = {
    let mut roots = [0; 193];
    let mut n = 0_u32;
    while n < 193 {
        #[allow(clippy::indexing_slicing, reason = "the table is as long as the loop")]
        let place = &mut roots[n as usize];
        *place = (((n as u64) + 64) << 24).isqrt() as u32;
        n += 1;
    }
    roots
};

/// The root of a number, rounded down. Numbers of 32 bits, which nearly all are, take a third of
/// the time of [`u64::isqrt`]: between two roots of a table, and up where that is too low.
#[inline]
pub(super) fn root(n: u64) -> u64 {
    let Ok(small @ 1..) = u32::try_from(n) else { return n.isqrt() };
    // Shifted by an even number of places so that one of the two upper bits is set.
    let shift = small.leading_zeros() & !1;
    let high = small << shift;
    let (at, part) = ((high >> 24).saturating_sub(64) as usize, (high >> 8) & 0xffff);
    let (Some(low), Some(next)) = (ROOTS.get(at), ROOTS.get(at + 1)) else { return n.isqrt() };
    // The root bends down between the two, so this is never too high, and at most two too low.
    let mut root = u64::from((low + (((next - low) * part) >> 16)) >> (shift / 2));
    root += u64::from((root + 1) * (root + 1) <= n);
    root += u64::from((root + 1) * (root + 1) <= n);
    root
}

#[cfg(test)]
mod tests {
    #[test]
    fn roots_are_those_of_the_library() {
        let squares = (1_u64..70_000).flat_map(|n| [n * n - 1, n * n, n * n + 1]);
        let others =
            (0..1_000_000_u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (32 + n % 24));
        for n in squares.chain(others) {
            assert_eq!(super::root(n), n.isqrt(), "{n}");
        }
    }
}
