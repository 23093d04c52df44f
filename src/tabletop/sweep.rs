//! Two rectangles, each seen in the frame of the other: whether they touch or overlap, and where
//! one stops at the other.
//!
//! Two rectangles are apart exactly if one of the four directions of their edges separates them.

use super::number::{Cut, Exact};
use super::outline::Ring;
use super::space::{from_rect, span};

/// From the least to the greatest along one direction.
type Span<T> = (T, T);

/// Two rectangles along the four directions of their edges.
pub(super) struct Clash<T> {
    /// The first and the second along each direction: to the right of the first, ahead of it, and
    /// the same of the second.
    pub along: [(Span<T>, Span<T>); 4],
}

impl<T: Exact> Clash<T> {
    /// The first as a rectangle and seen from the second, the second likewise.
    pub(super) fn of(
        first: &[T; 4],
        first_seen: &Ring<T>,
        second: &[T; 4],
        second_seen: &Ring<T>,
    ) -> Clash<T> {
        let sides = |r: &[T; 4]| {
            let [left, right, rear, front] = r.clone();
            [(left, right), (rear, front)]
        };
        let spans = |r: &Ring<T>| {
            [span(r.points.iter().map(|p| p.0.clone())), span(r.points.iter().map(|p| p.1.clone()))]
        };
        let ([a, b], [c, d]) = (sides(first), spans(second_seen));
        let ([e, f], [g, h]) = (spans(first_seen), sides(second));
        Clash { along: [(a, c), (b, d), (e, g), (f, h)] }
    }

    /// Whether they share a point.
    pub(super) fn touches(&self) -> bool {
        self.along.iter().all(|(a, b)| a.0 <= b.1 && b.0 <= a.1)
    }

    /// Whether they overlap by more than a hair.
    pub(super) fn overlaps(&self, hair: &T) -> bool {
        self.along.iter().all(|(a, b)| shared(a, b) > *hair)
    }

    /// How far the first goes until it touches the second, which may be behind it, and until it has
    /// passed it; none if from now on it never overlaps it by more than a hair.
    ///
    /// For each direction the rate at which the first moves along it, on the way `lengths`.
    pub(super) fn pass(&self, rates: &[T; 4], lengths: &T, hair: &T) -> Option<(Cut<T>, Cut<T>)> {
        let mut touch: Option<Cut<T>> = None;
        let mut enter: Option<Cut<T>> = None;
        let mut leave: Option<Cut<T>> = None;
        let mut passed: Option<Cut<T>> = None;
        for ((a, b), rate) in self.along.iter().zip(rates) {
            if rate.is_zero() {
                if shared(a, b) <= *hair {
                    return None;
                }
                continue;
            }
            // Along this direction the first must go from `near` to `far` to pass the second.
            let (near, far) = if rate.is_positive() {
                (b.0.clone() - a.1.clone(), b.1.clone() - a.0.clone())
            } else {
                (a.0.clone() - b.1.clone(), a.1.clone() - b.0.clone())
            };
            let pace = rate.abs();
            let way = |n: T| Cut::at(T::zero(), n * lengths.clone(), pace.clone());
            touch = later(touch, way(near.clone()));
            enter = later(enter, way(near + hair.clone()));
            passed = earlier(passed, way(far.clone()));
            leave = earlier(leave, way(far - hair.clone()));
        }
        let (enter, leave) = (enter?, leave?);
        let hits = enter < leave && leave.is_positive();
        if hits { touch.zip(passed) } else { None }
    }
}

/// How much two spans share; below 0 if they are apart.
fn shared<T: Exact>(a: &Span<T>, b: &Span<T>) -> T {
    a.1.clone().min(b.1.clone()) - a.0.clone().max(b.0.clone())
}

fn later<T: Exact>(a: Option<Cut<T>>, b: Cut<T>) -> Option<Cut<T>> {
    Some(match a {
        Some(a) => a.max(b),
        None => b,
    })
}

fn earlier<T: Exact>(a: Option<Cut<T>>, b: Cut<T>) -> Option<Cut<T>> {
    Some(match a {
        Some(a) => a.min(b),
        None => b,
    })
}

/// The square of how far two rectangles that do not touch are apart: some corner of one is nearest
/// to the other.
pub(super) fn apart<T: Exact>(
    first: &[T; 4],
    first_seen: &Ring<T>,
    second: &[T; 4],
    second_seen: &Ring<T>,
) -> T {
    let of = |rect: &[T; 4], ring: &Ring<T>| ring.points.iter().map(|p| from_rect(rect, p)).min();
    match (of(first, second_seen), of(second, first_seen)) {
        (Some(a), Some(b)) => a.min(b),
        (a, b) => a.or(b).unwrap_or_else(T::zero),
    }
}
