//! Bodies: the base of a unit, and ground.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::ToPrimitive;

use super::Facing;
use super::number::{FARTHEST, FINEST, Fraction, Wrong, common};

/// A point of the table: x to the east, y to the north.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// To the east.
    pub x: Fraction,
    /// To the north.
    pub y: Fraction,
}

/// The form of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Shape {
    /// A rectangle. Its place is the middle of its front edge.
    #[default]
    Block,
    /// The L of a unit that follows the corner of a town: two arms, each half the width long and
    /// `depth` deep, which meet at right angles. Its place is the outer corner. The first arm faces
    /// `facing` and extends to its left; the second faces 90 degrees to the right of it and extends
    /// backwards.
    Corner,
}

/// The base of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Base {
    /// Of its place, to the east.
    pub x: Fraction,
    /// Of its place, to the north.
    pub y: Fraction,
    /// Where its front looks.
    pub facing: Facing,
    /// How wide its front is.
    pub width: Fraction,
    /// How deep it is.
    pub depth: Fraction,
    /// Its form.
    pub shape: Shape,
}

/// A piece of terrain or a fortification.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ground {
    /// A polygon that does not cross itself, of at least three points; its edge belongs to it.
    Area(Vec<Point>),
    /// A line of at least two points: a stream, a wall.
    Line(Vec<Point>),
}

/// Anything that lies on a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body<'a> {
    /// The base of a unit.
    Base(&'a Base),
    /// A piece of ground.
    Ground(&'a Ground),
}

/// A part of the table around a base, for pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Zone {
    /// Ahead of the front edge, opening 45 degrees outward from each end.
    Arc,
    /// Behind the front line, not behind the rear line, to the left of a block or beyond the open
    /// end of the first arm.
    LeftFlank,
    /// The same to the right, or beyond the open end of the second arm.
    RightFlank,
    /// Behind the rear line, or inside the L behind both.
    Rear,
}

impl Base {
    /// A block at a place.
    #[must_use]
    pub fn block(
        x: Fraction,
        y: Fraction,
        facing: Facing,
        width: Fraction,
        depth: Fraction,
    ) -> Base {
        Base { x, y, facing, width, depth, shape: Shape::Block }
    }

    /// Its place.
    #[must_use]
    pub fn place(&self) -> Point {
        Point { x: self.x, y: self.y }
    }

    /// The common denominator of its numbers.
    ///
    /// # Errors
    /// A size is not above 0, or a number is too great or too fine.
    pub fn unit(&self) -> Result<i64, Wrong> {
        let zero = Fraction::from_integer(0);
        if self.width <= zero || self.depth <= zero {
            return Err(Wrong::NotPositive);
        }
        unit_of([self.x, self.y, self.width, self.depth].into_iter())
    }

    /// The corners of its outline, clockwise from the left end of its front edge: four, or six of
    /// an L.
    ///
    /// The points are those of a picture: rounded to 1/1 000 000 of a base width where they are
    /// finer than that.
    #[must_use]
    pub fn corners(&self) -> Vec<Point> {
        let (half, zero) = (self.width / 2, Fraction::from_integer(0));
        match self.shape {
            Shape::Block => {
                let ends = [(-half, zero), (half, zero), (half, -self.depth), (-half, -self.depth)];
                ends.into_iter().map(|(u, v)| self.point(u, v)).collect()
            }
            Shape::Corner => {
                let d = self.depth;
                let long = half.max(d);
                let ends = [
                    (-half, zero),
                    (zero, zero),
                    (zero, -half),
                    (-d, -half),
                    (-d, -d),
                    (-half, -d),
                ];
                // Arms shorter than the base is deep leave no inner corner: the outline is that of
                // both together.
                if long == half {
                    ends.into_iter().map(|(u, v)| self.point(u, v)).collect()
                } else {
                    let ends = [
                        (-d, zero),
                        (zero, zero),
                        (zero, -d),
                        (-half, -d),
                        (-half, -half),
                        (-d, -half),
                    ];
                    ends.into_iter().map(|(u, v)| self.point(u, v)).collect()
                }
            }
        }
    }

    /// The front edges, each from its left end to its right end as the unit looks: one, or two of
    /// an L.
    #[must_use]
    pub fn front(&self) -> Vec<(Point, Point)> {
        let (half, zero) = (self.width / 2, Fraction::from_integer(0));
        match self.shape {
            Shape::Block => vec![(self.point(-half, zero), self.point(half, zero))],
            Shape::Corner => {
                vec![
                    (self.point(-half, zero), self.point(zero, zero)),
                    (self.point(zero, zero), self.point(zero, -half)),
                ]
            }
        }
    }

    /// The outline of a zone as far as `reach` from the base, one polygon an arm where each arm has
    /// its own.
    #[must_use]
    pub fn zone(&self, zone: Zone, reach: Fraction) -> Vec<Vec<Point>> {
        let (half, d, zero, r) = (self.width / 2, self.depth, Fraction::from_integer(0), reach);
        let shape = |points: Vec<(Fraction, Fraction)>| {
            points.into_iter().map(|(u, v)| self.point(u, v)).collect::<Vec<_>>()
        };
        let polygons = match (self.shape, zone) {
            (Shape::Block, Zone::Arc) => {
                vec![vec![(-half, zero), (-half - r, r), (half + r, r), (half, zero)]]
            }
            (Shape::Block, Zone::LeftFlank) => {
                vec![vec![(-half - r, zero), (-half, zero), (-half, -d), (-half - r, -d)]]
            }
            (Shape::Block, Zone::RightFlank) => {
                vec![vec![(half, zero), (half + r, zero), (half + r, -d), (half, -d)]]
            }
            (Shape::Block, Zone::Rear) => {
                vec![vec![(-half - r, -d), (half + r, -d), (half + r, -d - r), (-half - r, -d - r)]]
            }
            (Shape::Corner, Zone::Arc) => {
                vec![
                    vec![(-half, zero), (-half - r, r), (r, r), (zero, zero)],
                    vec![(zero, zero), (r, r), (r, -half - r), (zero, -half)],
                ]
            }
            (Shape::Corner, Zone::LeftFlank) => {
                vec![vec![(-half - r, zero), (-half, zero), (-half, -d), (-half - r, -d)]]
            }
            (Shape::Corner, Zone::RightFlank) => {
                vec![vec![(zero, -half), (zero, -half - r), (-d, -half - r), (-d, -half)]]
            }
            (Shape::Corner, Zone::Rear) => {
                vec![vec![(-half - r, -d), (-d, -d), (-d, -half - r), (-half - r, -half - r)]]
            }
        };
        polygons.into_iter().map(shape).collect()
    }

    /// The point so far to the right and so far ahead of its place, fine enough for a picture.
    #[must_use]
    pub fn point(&self, right: Fraction, ahead: Fraction) -> Point {
        let (east, north, length) = self.facing.parts();
        Point {
            x: at(self.x, (right, north), (ahead, east), length),
            y: at(self.y, (right, -east), (ahead, north), length),
        }
    }
}

/// The point that lies beyond `to` as seen from `from`, by a part of the way between them; fine
/// enough for a picture.
#[must_use]
pub fn beyond(from: Point, to: Point, part: Fraction) -> Point {
    let on = |from: Fraction, to: Fraction| fine(wide(to) + (wide(to) - wide(from)) * wide(part));
    Point { x: on(from.x, to.x), y: on(from.y, to.y) }
}

/// The middle of some points, fine enough for a picture; none of no points.
#[must_use]
pub fn middle(points: &[Point]) -> Option<Point> {
    let count = i64::try_from(points.len()).ok().filter(|n| *n > 0)?;
    let of = |part: fn(&Point) -> Fraction| {
        let sum = points.iter().fold(wide(Fraction::ZERO), |sum, p| sum + wide(part(p)));
        fine(sum / BigInt::from(count))
    };
    Some(Point { x: of(|p| p.x), y: of(|p| p.y) })
}

fn wide(f: Fraction) -> Ratio<BigInt> {
    Ratio::new(BigInt::from(*f.numer()), BigInt::from(*f.denom()))
}

/// Exact if the denominator is within a million, else rounded down to a millionth.
fn fine(n: Ratio<BigInt>) -> Fraction {
    const FINE: i64 = 1_000_000;
    match (n.numer().to_i64(), n.denom().to_i64()) {
        (Some(n), Some(d)) if d <= FINE => Fraction::new(n, d),
        _ => {
            Fraction::new((n * BigInt::from(FINE)).floor().to_integer().to_i64().unwrap_or(0), FINE)
        }
    }
}

/// `start + (a * p + b * q) / length`, exact if its denominator is within a million, else rounded
/// down to a millionth.
fn at(start: Fraction, a: (Fraction, i64), b: (Fraction, i64), length: i64) -> Fraction {
    fine(
        wide(start)
            + (wide(a.0) * BigInt::from(a.1) + wide(b.0) * BigInt::from(b.1))
                / BigInt::from(length),
    )
}

impl Ground {
    /// Its points in the order in which they are written.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        match self {
            Ground::Area(points) | Ground::Line(points) => points,
        }
    }

    /// The common denominator of its coordinates.
    ///
    /// # Errors
    /// A coordinate is too great, or they are too fine together.
    pub fn unit(&self) -> Result<i64, Wrong> {
        unit_of(self.points().iter().flat_map(|p| [p.x, p.y]))
    }
}

impl Body<'_> {
    /// The common denominator of its numbers.
    ///
    /// # Errors
    /// See [`Base::unit`] and [`Ground::unit`].
    pub fn unit(&self) -> Result<i64, Wrong> {
        match self {
            Body::Base(base) => base.unit(),
            Body::Ground(ground) => ground.unit(),
        }
    }
}

/// The common denominator of fractions within the bounds.
fn unit_of(fractions: impl Iterator<Item = Fraction>) -> Result<i64, Wrong> {
    let mut unit = 1_i128;
    for f in fractions {
        let farthest = i128::from(FARTHEST) * i128::from(*f.denom());
        if i128::from(*f.numer()).abs() > farthest {
            return Err(Wrong::TooFar);
        }
        unit = common(unit, i128::from(*f.denom()));
        if unit > i128::from(FINEST) {
            return Err(Wrong::TooFine);
        }
    }
    i64::try_from(unit).map_err(|_| Wrong::TooFine)
}
