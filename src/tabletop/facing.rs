//! Facings: directions whose sine and cosine are fractions.

use super::number::{Fraction, Wrong};

/// A direction with rational sine and cosine, turned clockwise from north.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Facing {
    /// How far it goes to the east on its length.
    east: i64,
    /// How far it goes to the north on its length.
    north: i64,
    /// Its length, above 0.
    length: i64,
}

/// The longest direction, so that products of two of them stay small.
const LONGEST: i64 = 1 << 20;

impl Facing {
    /// To the north.
    pub const NORTH: Facing = Facing { east: 0, north: 1, length: 1 };
    /// To the east.
    pub const EAST: Facing = Facing { east: 1, north: 0, length: 1 };
    /// To the south.
    pub const SOUTH: Facing = Facing { east: 0, north: -1, length: 1 };
    /// To the west.
    pub const WEST: Facing = Facing { east: -1, north: 0, length: 1 };

    /// So far to the east and so far to the north.
    ///
    /// # Errors
    /// The sum of the squares is no square, or 0, or the numbers without their common factor are too great.
    pub fn towards(east: i64, north: i64) -> Result<Facing, Wrong> {
        let wrong = Wrong::NoFacing(east, north);
        let (mut x, mut y) = (i128::from(east).abs(), i128::from(north).abs());
        while y != 0 {
            (x, y) = (y, x % y);
        }
        let factor = i64::try_from(x).map_err(|_| wrong)?;
        if factor == 0 {
            return Err(wrong);
        }
        let (e, n) = (east / factor, north / factor);
        if e.unsigned_abs() > LONGEST.unsigned_abs() || n.unsigned_abs() > LONGEST.unsigned_abs() {
            return Err(wrong);
        }
        let square = e * e + n * n;
        let length = square.isqrt();
        if length * length != square || length > LONGEST {
            return Err(wrong);
        }
        Ok(Facing { east: e, north: n, length })
    }

    /// So many whole degrees clockwise from north, as the simplest rational direction within 1/1000
    /// of a degree.
    ///
    /// Quarter turns are exact, and degrees a quarter turn apart are exactly so. Degrees mirrored
    /// at an axis are exactly mirrored, but for 45 and its quarter turns: no rational direction
    /// lies in the middle between two axes.
    ///
    /// # Errors
    /// There are 360 degrees or more.
    pub fn degrees(degrees: u32) -> Result<Facing, Wrong> {
        if degrees >= 360 {
            return Err(Wrong::NoDegrees(degrees));
        }
        let within = degrees % 90;
        let mut facing = match within {
            0 => Facing::NORTH,
            1..=45 => Facing::sharp(within),
            _ => {
                let mirrored = Facing::sharp(90 - within);
                Facing { east: mirrored.north, north: mirrored.east, length: mirrored.length }
            }
        };
        for _ in 0..degrees / 90 {
            facing = facing.right();
        }
        Ok(facing)
    }

    /// From 1 to 45 degrees: with the tangent p/q of half the angle the direction is (2pq, qq - pp)
    /// of length qq + pp.
    fn sharp(degrees: u32) -> Facing {
        let (p, q) = simplest(half_tangent(degrees));
        let (east, north, length) = (2 * p * q, q * q - p * p, q * q + p * p);
        let half = if length % 2 == 0 { 2 } else { 1 };
        Facing { east: east / half, north: north / half, length: length / half }
    }

    /// How far it goes east on a length of 1: the sine of its angle.
    #[must_use]
    pub fn sine(self) -> Fraction {
        Fraction::new(self.east, self.length)
    }

    /// How far it goes north on a length of 1: the cosine of its angle.
    #[must_use]
    pub fn cosine(self) -> Fraction {
        Fraction::new(self.north, self.length)
    }

    /// How far it goes east and north in whole numbers, and how long that is.
    #[must_use]
    pub fn parts(self) -> (i64, i64, i64) {
        (self.east, self.north, self.length)
    }

    /// A quarter turn to the right.
    #[must_use]
    pub fn right(self) -> Facing {
        Facing { east: self.north, north: -self.east, length: self.length }
    }

    /// A quarter turn to the left.
    #[must_use]
    pub fn left(self) -> Facing {
        Facing { east: -self.north, north: self.east, length: self.length }
    }

    /// Half a turn.
    #[must_use]
    pub fn back(self) -> Facing {
        Facing { east: -self.east, north: -self.north, length: self.length }
    }
}

/// One in the fixed point numbers below.
const ONE: i128 = 1_000_000_000_000_000;
/// Half a turn in them.
const HALF_TURN: i128 = 3_141_592_653_589_793;
/// How far off a tangent may be: 87 in ten million, which is less than 1/1000 of a degree of the
/// whole angle.
const OFF: i128 = ONE / 10_000_000 * 87;

/// The tangent of half so many degrees, by the series of sine and cosine.
fn half_tangent(degrees: u32) -> i128 {
    let angle = HALF_TURN * i128::from(degrees) / 360;
    let (mut sine, mut cosine, mut term) = (0, 0, ONE);
    for n in 0..20 {
        let sign = if n % 4 < 2 { 1 } else { -1 };
        if n % 2 == 0 {
            cosine += sign * term
        } else {
            sine += sign * term
        }
        term = term * angle / ONE / (n + 1);
    }
    sine * ONE / cosine
}

/// The fraction of the least denominator that is near enough, by halving between neighbours.
fn simplest(wanted: i128) -> (i64, i64) {
    let (mut low, mut high) = ((0_i64, 1_i64), (1_i64, 1_i64));
    loop {
        let middle = (low.0 + high.0, low.1 + high.1);
        let here = i128::from(middle.0) * ONE / i128::from(middle.1);
        if (here - wanted).abs() < OFF {
            return middle;
        }
        if here < wanted { low = middle } else { high = middle }
    }
}
