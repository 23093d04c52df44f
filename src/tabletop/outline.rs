//! Bodies in whole numbers, and one body as another sees it.
//!
//! Two bodies are brought to one scale: a base width is `2 * s` units, where `s` is a common
//! denominator of all their numbers and of half a hair. Then places, half widths and depths are
//! whole. The corners of a base whose facing has the length `c` are whole once they are multiplied
//! by `c`. Seen from the frame of the other base (`u` to its right, `v` ahead of it, its place at
//! 0), whose facing has the length `k`, everything is whole at `2 * s * c * k` units.
//!
//! The bound. With `s` up to 10^18 * 5000, lengths of facings up to 2^20 and distances up to 6000
//! base widths the greatest coordinate is below 2^127, so the magnitude itself is found in `i128`.
//! Where it is below 2^60 the whole work is done in `i128`: no formula for two bases takes a
//! product of more than two coordinates and a factor of 2^4. Where ground is one of the two, below
//! 2^30, for there are products of four. Else it is done in numbers of any size.

use super::body::{Base, Body, Ground, Shape};
use super::number::{Exact, Fraction, HAIR, Wrong, common};

/// The greatest coordinate for which two bases are measured in `i128`.
const WIDE: i128 = 1 << 60;
/// The greatest coordinate for which ground is measured in `i128`.
const WIDE_GROUND: i128 = 1 << 30;

/// A ring of points, or a line of them.
#[derive(Debug, Clone)]
pub(super) struct Ring<T> {
    pub points: Vec<(T, T)>,
    pub closed: bool,
}

impl<T> Ring<T> {
    /// Its edges, the last point joined to the first if it is closed.
    pub(super) fn edges(&self) -> impl Iterator<Item = (&(T, T), &(T, T))> {
        let next = self.points.iter().skip(1).chain(self.points.first().filter(|_| self.closed));
        self.points.iter().zip(next)
    }
}

/// One front of a base: it looks along `v`, from `lo` to `hi` along `u`, and the body behind it is
/// so deep.
#[derive(Debug, Clone)]
pub(super) struct Arm<T> {
    pub lo: T,
    pub hi: T,
    pub depth: T,
    /// Where the rear edge begins and ends: shorter than the front of an arm of an L, whose inner
    /// part is the other arm.
    pub rear: (T, T),
}

/// A body in whole numbers of `2 * s` to a base width.
#[derive(Debug, Clone)]
pub(super) struct Outline<T> {
    /// Its place; of ground 0.
    pub place: (T, T),
    /// Its facing; of ground to the north.
    pub facing: (T, T),
    /// The length of the facing.
    pub length: T,
    /// The fronts: none of ground, one of a block, two of an L. The second looks to the right of
    /// the first.
    pub arms: Vec<Arm<T>>,
    /// The rectangles of the arms in the frame of the base, as `(u from, u to, v from, v to)`.
    pub rects: Vec<[T; 4]>,
    /// The corners, multiplied by the length of the facing: a rectangle an arm (front left, front
    /// right, rear right, rear left as that arm looks), or the points of the ground.
    pub rings: Vec<Ring<T>>,
}

/// The scale of two bodies: how many units a base width has before facings come in.
pub(super) fn scale(a: &Body, b: &Body) -> Result<i128, Wrong> {
    let (a, b) = (i128::from(a.unit()?), i128::from(b.unit()?));
    Ok(2 * common(common(a, b), i128::from(HAIR) / 2))
}

/// A fraction in units. The scale is a multiple of its denominator.
pub(super) fn units(f: Fraction, scale: i128) -> i128 {
    scale / i128::from(*f.denom()) * i128::from(*f.numer())
}

/// Whether two bodies fit in `i128`; see the head of this file.
pub(super) fn fits(a: &Body, b: &Body, scale: i128) -> bool {
    let reach = |body: &Body| match body {
        Body::Base(base) => (base.x, base.y, units(base.width, scale) + units(base.depth, scale)),
        Body::Ground(ground) => {
            let first = ground
                .points()
                .first()
                .map_or((Fraction::from_integer(0), Fraction::from_integer(0)), |p| (p.x, p.y));
            let far = |p: &super::Point| {
                (units(p.x, scale) - units(first.0, scale)).abs()
                    + (units(p.y, scale) - units(first.1, scale)).abs()
            };
            (first.0, first.1, ground.points().iter().map(far).max().unwrap_or(0))
        }
    };
    let length = |body: &Body| match body {
        Body::Base(base) => i128::from(base.facing.parts().2),
        Body::Ground(_) => 1,
    };
    let (from, to) = (reach(a), reach(b));
    let between = (units(from.0, scale) - units(to.0, scale)).abs()
        + (units(from.1, scale) - units(to.1, scale)).abs();
    let limit = if matches!((a, b), (Body::Base(_), Body::Base(_))) { WIDE } else { WIDE_GROUND };
    (between + from.2 + to.2 + scale) * length(a) * length(b) < limit
}

impl<T: Exact> Outline<T> {
    /// A body in units.
    pub(super) fn of(body: &Body, scale: i128) -> Outline<T> {
        match body {
            Body::Base(base) => Outline::of_base(base, scale),
            Body::Ground(ground) => Outline::of_ground(ground, scale),
        }
    }

    fn of_ground(ground: &Ground, scale: i128) -> Outline<T> {
        let points = ground
            .points()
            .iter()
            .map(|p| (T::from(units(p.x, scale)), T::from(units(p.y, scale))))
            .collect();
        let ring = Ring { points, closed: matches!(ground, Ground::Area(_)) };
        Outline {
            place: (T::zero(), T::zero()),
            facing: (T::zero(), T::one()),
            length: T::one(),
            arms: Vec::new(),
            rects: Vec::new(),
            rings: vec![ring],
        }
    }

    fn of_base(base: &Base, scale: i128) -> Outline<T> {
        let wide = |n: i128| T::from(n);
        let (east, north, length) = base.facing.parts();
        let (half, depth) = (units(base.width, scale) / 2, units(base.depth, scale));
        let arm = |lo: i128, hi: i128, rear: (i128, i128)| Arm {
            lo: wide(lo),
            hi: wide(hi),
            depth: wide(depth),
            rear: (wide(rear.0), wide(rear.1)),
        };
        let (arms, rects) = match base.shape {
            Shape::Block => (vec![arm(-half, half, (-half, half))], vec![[-half, half, -depth, 0]]),
            Shape::Corner => (
                vec![arm(-half, 0, (-half, -depth)), arm(0, half, (depth, half))],
                vec![[-half, 0, -depth, 0], [-depth, 0, -half, 0]],
            ),
        };
        let place = (wide(units(base.x, scale)), wide(units(base.y, scale)));
        let facing = (wide(i128::from(east)), wide(i128::from(north)));
        let length = wide(i128::from(length));
        let corner = |u: i128, v: i128| {
            let (u, v) = (wide(u), wide(v));
            let x = length.clone() * place.0.clone()
                + facing.1.clone() * u.clone()
                + facing.0.clone() * v.clone();
            let y = length.clone() * place.1.clone() - facing.0.clone() * u + facing.1.clone() * v;
            (x, y)
        };
        let ring = |(i, &[left, right, rear, front]): (usize, &[i128; 4])| {
            let points = [
                corner(left, front),
                corner(right, front),
                corner(right, rear),
                corner(left, rear),
            ];
            let mut points = points.to_vec();
            // The second arm looks to the right: its front left corner is the first's front right
            // one.
            points.rotate_left(i);
            Ring { points, closed: true }
        };
        let rings = rects.iter().enumerate().map(ring).collect();
        let rects = rects.into_iter().map(|r| r.map(wide)).collect();
        Outline { place, facing, length, arms, rects, rings }
    }

    /// The rings of another body as this one sees them, in the frame of this base.
    pub(super) fn sees(&self, other: &Outline<T>) -> Vec<Ring<T>> {
        let (fx, fy) = &self.facing;
        let c = &other.length;
        let place = (c.clone() * self.place.0.clone(), c.clone() * self.place.1.clone());
        let seen = |p: &(T, T)| {
            let (dx, dy) = (p.0.clone() - place.0.clone(), p.1.clone() - place.1.clone());
            (fy.clone() * dx.clone() - fx.clone() * dy.clone(), fx.clone() * dx + fy.clone() * dy)
        };
        let ring =
            |r: &Ring<T>| Ring { points: r.points.iter().map(seen).collect(), closed: r.closed };
        other.rings.iter().map(ring).collect()
    }

    /// The rectangles of this base in its own frame, at the scale of both lengths.
    pub(super) fn rects_at(&self, lengths: &T) -> Vec<[T; 4]> {
        self.rects.iter().map(|r| r.clone().map(|n| n * lengths.clone())).collect()
    }

    /// The arms of this base at the scale of both lengths.
    pub(super) fn arms_at(&self, lengths: &T) -> Vec<Arm<T>> {
        let times = |n: &T| n.clone() * lengths.clone();
        let arm = |a: &Arm<T>| Arm {
            lo: times(&a.lo),
            hi: times(&a.hi),
            depth: times(&a.depth),
            rear: (times(&a.rear.0), times(&a.rear.1)),
        };
        self.arms.iter().map(arm).collect()
    }
}

/// A ring in the frame of the second arm, which looks to the right of the first.
pub(super) fn turned<T: Exact>(ring: &Ring<T>) -> Ring<T> {
    Ring {
        points: ring.points.iter().map(|p| (-p.1.clone(), p.0.clone())).collect(),
        closed: ring.closed,
    }
}
