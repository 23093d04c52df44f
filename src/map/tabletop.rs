//! Tables: how large they are, what lies on them, and where something can be laid.
//!
//! Coordinates are fractions in the dimension of the tabletop; x grows to the east, y to the north.

use num_rational::Ratio;
use serde::{Deserialize, Serialize};

/// An exact coordinate.
pub type Coordinate = Ratio<i64>;

/// No coordinate lies farther out than this.
pub const FARTHEST: i64 = 1000;
/// No coordinate that is written is finer than this part of 1.
pub const FINEST: i64 = 1000;

/// A table: its south-west corner is (0, 0).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tabletop {
    /// From west to east.
    pub width: Coordinate,
    /// From south to north.
    pub depth: Coordinate,
    /// The ground that its spaces are, in the order of the spaces.
    pub grounds: Vec<Outline>,
}

/// The ground that a space is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Which space.
    pub space: u32,
    /// Whether it has an inside; else it is a line.
    pub closed: bool,
    /// Its corners in written order.
    pub points: Vec<(Coordinate, Coordinate)>,
}

/// Where a unit lies on a table: the middle of its front edge, and which way it faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Stand {
    /// To the east.
    pub x: Coordinate,
    /// To the north.
    pub y: Coordinate,
    /// Which way it faces.
    pub facing: Heading,
}

/// A direction in whole steps to the east and to the north, in lowest terms. The square of its
/// length is the square of a whole number, so that turning by it leaves fractions fractions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Heading {
    /// To the east.
    pub east: i64,
    /// To the north.
    pub north: i64,
}

/// A coordinate as positions and orders write it: `11`, `-3/4`.
#[must_use]
pub fn read_coordinate(text: &str) -> Option<Coordinate> {
    let whole = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
            .then(|| text.parse::<i64>().ok())
            .flatten()
    };
    match text.split_once('/') {
        None => whole(text).map(Coordinate::from_integer),
        Some((over, under)) => {
            let (over, under) = (whole(over)?, whole(under).filter(|under| *under > 0)?);
            Some(Coordinate::new(over, under))
        }
    }
}

/// Whether a coordinate is at most so far out, worked out in numbers that have room for any.
#[must_use]
pub fn is_within(coordinate: Coordinate, farthest: i64) -> bool {
    let (over, under) = (i128::from(*coordinate.numer()), i128::from(*coordinate.denom()));
    over.abs() <= i128::from(farthest) * under
}

/// The four words, from north as the clock goes.
const WORDS: [(&str, Heading); 4] = [
    ("north", Heading { east: 0, north: 1 }),
    ("east", Heading { east: 1, north: 0 }),
    ("south", Heading { east: 0, north: -1 }),
    ("west", Heading { east: -1, north: 0 }),
];

impl Heading {
    /// To the north.
    pub const NORTH: Heading = Heading { east: 0, north: 1 };

    /// The words that name a direction.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().map(|(word, _)| *word)
    }

    /// The direction of a word.
    #[must_use]
    pub fn called(word: &str) -> Option<Heading> {
        WORDS.iter().find(|(w, _)| *w == word).map(|(_, heading)| *heading)
    }

    /// The direction of so many steps to the east and so many to the north; none if its length is
    /// no whole number.
    #[must_use]
    pub fn toward(east: i64, north: i64) -> Option<Heading> {
        let square = i128::from(east).pow(2).checked_add(i128::from(north).pow(2))?;
        if square == 0 || square.isqrt().pow(2) != square {
            return None;
        }
        let divisor = common(east.unsigned_abs(), north.unsigned_abs());
        let divisor = i64::try_from(divisor).ok()?;
        Some(Heading { east: east / divisor, north: north / divisor })
    }
}

/// The greatest common divisor; of a number and 0 the number.
fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common(b, a % b) }
}

impl std::fmt::Display for Heading {
    /// As rules and positions write it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match WORDS.iter().find(|(_, heading)| heading == self) {
            Some((word, _)) => f.write_str(word),
            None => write!(f, "({}, {})", self.east, self.north),
        }
    }
}

impl std::fmt::Display for Stand {
    /// As rules write it: `(3, 4) facing north`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {}) facing {}", self.x, self.y, self.facing)
    }
}
