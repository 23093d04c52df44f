//! Numbers of a fixed number of binary places, each with a bound on its error, for what is decided
//! far from any limit.
//!
//! A length is held in parts of 2^-46 of a base width, a place and a half width as it is read in
//! parts of 2^-48, a sine in parts of 2^-62. A product of a length and a sine is the upper half of
//! their product in 128 bits. No float is used, so every machine answers the same; and what is
//! within the margin of a limit is not answered here at all.

use super::number::{Fraction, GRAIN, root};

/// Binary places of a length as it is computed with.
pub(super) const PLACES: u32 = 46;
/// Two more of a length as it is read.
pub(super) const READ: u32 = PLACES + 2;
/// Binary places of a sine.
pub(super) const SINE: u32 = 62;

/// Two lengths so near each other are not told apart: 2^-41 of a base width. See [`super::oblique`]
/// for the errors.
pub(super) const MARGIN: i64 = 32;

/// A fraction to so many binary places, rounded down. The fraction is below 2^(62 - `places`), its
/// denominator at most 2^30.
pub(super) fn fixed(f: Fraction, places: u32) -> i64 {
    let (n, d) = (*f.numer(), *f.denom());
    // 30 places at a time, so that no remainder times a power of two leaves 64 bits.
    let (mut whole, mut rest, mut left) = (n.div_euclid(d), n.rem_euclid(d), places);
    while left > 0 {
        let step = left.min(30);
        let more = rest << step;
        whole = (whole << step) + more / d;
        rest = more % d;
        left -= step;
    }
    whole
}

/// The upper half of a product: a length as it is read times a sine is a length, and two sines are
/// one of 60 places.
#[inline]
pub(super) fn times(a: i64, b: i64) -> i64 {
    // A product of two numbers of 64 bits always fits in 128.
    (i128::from(a).wrapping_mul(i128::from(b)) >> 64) as i64
}

/// So many places at least are cut off a length before it is squared.
pub(super) const LEAST_CUT: u32 = 8;

/// Comparisons that remember whether any of them was too near to be decided.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Doubt(pub bool);

impl Doubt {
    /// Whether the first is above the second.
    #[inline]
    pub(super) fn above(&mut self, a: i64, b: i64) -> bool {
        let off = a - b;
        self.0 |= off.unsigned_abs() <= MARGIN.unsigned_abs();
        off > 0
    }

    /// Whether a sum of two products of lengths is above 0. The lengths are below 2^8 base widths
    /// with an error of at most twice the margin, so the sum is off by less than 2^64.
    #[inline]
    pub(super) fn is_positive(&mut self, sum: i128) -> bool {
        self.0 |= sum.unsigned_abs() <= 1 << 64;
        sum > 0
    }

    /// Whether the first of two lengths, each divided by a sine, is above the second.
    #[inline]
    pub(super) fn later(&mut self, a: (i64, i64), b: (i64, i64)) -> bool {
        // Lengths are below 2^60 with an error of at most the margin, sines at most 2^62 with one
        // below 2^4: the products are off by less than 2^68 together.
        let off = i128::from(a.0).wrapping_mul(i128::from(b.1))
            - i128::from(b.0).wrapping_mul(i128::from(a.1));
        self.0 |= off.unsigned_abs() <= 1 << 69;
        off > 0
    }

    /// A length in grains, rounded down, whose error is at most so much; below 0 it is none.
    #[inline]
    pub(super) fn grains(&mut self, length: i64, error: i64) -> i32 {
        let at = |n: i64| (i128::from(n.max(0)).wrapping_mul(i128::from(GRAIN)) >> PLACES) as i32;
        let (low, high) = (at(length - error), at(length + error));
        self.0 |= low != high;
        high
    }

    /// `length / sine` in grains, rounded down, of a length above 0 and a sine above 2^-10. The
    /// length is below 2^13 base widths with an error of at most 2^6, the quotient below 2^20
    /// grains.
    #[inline]
    pub(super) fn quotient(&mut self, length: i64, sine: i64) -> i32 {
        // Both to 36 places: the length has then an error below 2, the sine as well.
        let (n, d) = ((length >> (PLACES - 36)) * GRAIN, sine >> (SINE - 36));
        let (q, rest) = (n / d, n % d);
        let error = 2 * (q + GRAIN + 1);
        self.0 |= rest < error || d - rest < error;
        i32::try_from(q).unwrap_or(i32::MAX)
    }

    /// The root of a square in grains, rounded up: the square of a length of [`PLACES`] of which so
    /// many were cut off before its two sides were squared. Each of them is below 2^30 and off by
    /// at most 2; at least [`LEAST_CUT`] places are cut.
    #[inline]
    pub(super) fn root(&mut self, square: i64, cut: u32) -> i32 {
        // (a + 2)^2 + (b + 2)^2 is off by at most 4(a + b) + 8. Some more, so that the true square
        // lies strictly between.
        const OFF: u64 = 1 << 34;
        const GRAINS: u64 = (GRAIN * GRAIN).unsigned_abs();
        let (square, rest) = (square.unsigned_abs(), 2 * (PLACES - cut) - 16);
        let low = ((square.saturating_sub(OFF) >> 16) * GRAINS) >> rest;
        let high = ((((square + OFF) >> 16) + 1) * GRAINS) >> rest;
        let root = root(high);
        // The true square is not below that of `root` unless the lower bound is, and it is below
        // that of the next.
        self.0 |= root * root > low || square <= OFF;
        i32::try_from(root + 1).unwrap_or(i32::MAX)
    }
}
