//! A table: its size, the bases and the ground on it, and what is wrong with it.

use num_bigint::BigInt;

use super::body::{Base, Body, Ground};
use super::facts::Thing;
use super::measure::overlap;
use super::number::{Fraction, Wrong, common};
use super::outline::{Outline, Ring};
use super::space::crosses;
use crate::arrange::Arrange as _;

/// A table from (0, 0) to its width and depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its size from west to east.
    pub width: Fraction,
    /// Its size from south to north.
    pub depth: Fraction,
    /// The bases on it.
    pub bases: Vec<Base>,
    /// The ground on it.
    pub grounds: Vec<Ground>,
}

/// What is wrong with a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// The size of the table is not above 0 or too great.
    Size,
    /// A body is out of bounds.
    Bounds(Thing, Wrong),
    /// Some part of a base lies off the table.
    OffTable(usize),
    /// Two bases overlap by more than a hair, the lower number first.
    Overlap(usize, usize),
    /// An area of fewer than three points, or a line of fewer than two.
    FewPoints(usize),
    /// A polygon that crosses or touches itself, or has two points in the same place next to each
    /// other.
    Crosses(usize),
}

impl Table {
    /// A body on it.
    #[must_use]
    pub fn body(&self, thing: Thing) -> Option<Body<'_>> {
        match thing {
            Thing::Base(i) => self.bases.get(i).map(Body::Base),
            Thing::Ground(i) => self.grounds.get(i).map(Body::Ground),
        }
    }

    /// All that is wrong with it, in the order of the faults and the numbers of the bodies.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let (zero, farthest) =
            (Fraction::from_integer(0), Fraction::from_integer(super::number::FARTHEST));
        if self.width <= zero
            || self.depth <= zero
            || self.width > farthest
            || self.depth > farthest
        {
            faults.push(Fault::Size);
        }
        for (i, base) in self.bases.iter().enumerate() {
            if let Err(wrong) = base.unit() {
                faults.push(Fault::Bounds(Thing::Base(i), wrong));
            } else if !self.holds(base) {
                faults.push(Fault::OffTable(i));
            }
        }
        for (i, base) in self.bases.iter().enumerate() {
            for (j, other) in self.bases.iter().enumerate().skip(i + 1) {
                if overlap(&Body::Base(base), &Body::Base(other)) == Ok(true) {
                    faults.push(Fault::Overlap(i, j));
                }
            }
        }
        for (i, ground) in self.grounds.iter().enumerate() {
            let least = if matches!(ground, Ground::Area(_)) { 3 } else { 2 };
            if ground.points().len() < least {
                faults.push(Fault::FewPoints(i));
            } else if let Err(wrong) = ground.unit() {
                faults.push(Fault::Bounds(Thing::Ground(i), wrong));
            } else if crosses_itself(ground) {
                faults.push(Fault::Crosses(i));
            }
        }
        faults.arrange();
        faults
    }

    /// Whether a base lies on the table whole, to within a hair. A base out of bounds does not.
    #[must_use]
    pub fn holds(&self, base: &Base) -> bool {
        let Ok(unit) = base.unit() else { return false };
        let scale = 2 * common(i128::from(unit), 5000);
        let outline = Outline::<BigInt>::of(&Body::Base(base), scale);
        // Every corner is at the scale times the length of the facing; so are the sides of the
        // table, times its denominator.
        let at = |n: &BigInt, size: Fraction| {
            let one = BigInt::from(scale) * &outline.length;
            let hair = &one / BigInt::from(super::HAIR);
            *n >= -&hair
                && (n - hair) * BigInt::from(*size.denom()) <= one * BigInt::from(*size.numer())
        };
        outline
            .rings
            .iter()
            .flat_map(|r| &r.points)
            .all(|p| at(&p.0, self.width) && at(&p.1, self.depth))
    }
}

/// Whether an outline crosses or touches itself. A line may cross itself, but no two of its points
/// in a row are the same.
fn crosses_itself(ground: &Ground) -> bool {
    let Ok(unit) = ground.unit() else { return false };
    let outline = Outline::<BigInt>::of(&Body::Ground(ground), 2 * i128::from(unit));
    let Some(ring) = outline.rings.first() else { return false };
    let edges: Vec<_> = ring.edges().collect();
    if edges.iter().any(|(p, q)| p == q) {
        return true;
    }
    ring.closed
        && (turns_back(ring)
            || edges.iter().enumerate().any(|(i, e)| {
                // Neighbours share a point, and the last edge is a neighbour of the first.
                let apart = |j: usize| j > i + 1 && !(i == 0 && j + 1 == edges.len());
                edges.iter().enumerate().any(|(j, f)| apart(j) && crosses(*e, *f))
            }))
}

/// Whether an edge lies on the one before it.
fn turns_back(ring: &Ring<BigInt>) -> bool {
    let edges: Vec<_> = ring.edges().collect();
    edges.iter().zip(edges.iter().cycle().skip(1)).any(|((p, q), (_, r))| {
        let (a, b) = ((&q.0 - &p.0, &q.1 - &p.1), (&r.0 - &q.0, &r.1 - &q.1));
        let zero = BigInt::from(0);
        &a.0 * &b.1 == &a.1 * &b.0 && &a.0 * &b.0 + &a.1 * &b.1 < zero
    })
}
