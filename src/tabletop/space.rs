//! Distances and overlaps of a rectangle or a ring with another ring, in one frame.

use std::cmp::Ordering;

use super::number::{Exact, root_grains};
use super::outline::Ring;

/// The least and the greatest of some numbers.
pub(super) fn span<T: Exact>(numbers: impl Iterator<Item = T>) -> (T, T) {
    let mut both: Option<(T, T)> = None;
    for n in numbers {
        both = Some(match both {
            None => (n.clone(), n),
            Some((lo, hi)) => (lo.min(n.clone()), hi.max(n)),
        });
    }
    both.unwrap_or_else(|| (T::zero(), T::zero()))
}

/// How the part of an edge inside a rectangle is cut out of it: the fractions of the way at which
/// it enters and leaves, as numerators and denominators above 0; none if a line of the rectangle
/// keeps it out. An open rectangle is without its edge.
fn within<T: Exact>(edge: (&(T, T), &(T, T)), rect: &[T; 4], open: bool) -> bool {
    let (p, q) = edge;
    let [left, right, rear, front] = rect;
    let mut enter = (T::zero(), T::one());
    let mut leave = (T::one(), T::one());
    let sides = [(&p.0, &q.0, left, right), (&p.1, &q.1, rear, front)];
    for (from, to, lo, hi) in sides {
        let step = to.clone() - from.clone();
        let out = if open { from <= lo || from >= hi } else { from < lo || from > hi };
        match step.cmp(&T::zero()) {
            Ordering::Equal if out => return false,
            Ordering::Equal => continue,
            _ => {}
        }
        let (near, far) = if step.is_positive() { (lo, hi) } else { (hi, lo) };
        let size = step.abs();
        let sign = step.signum();
        let at = |side: &T| ((side.clone() - from.clone()) * sign.clone(), size.clone());
        let (first, last) = (at(near), at(far));
        if below(&enter, &first) {
            enter = first;
        }
        if below(&last, &leave) {
            leave = last;
        }
    }
    if open { below(&enter, &leave) } else { !below(&leave, &enter) }
}

fn below<T: Exact>(a: &(T, T), b: &(T, T)) -> bool {
    a.0.clone() * b.1.clone() < b.0.clone() * a.1.clone()
}

/// Whether a point lies inside a closed ring or on it.
pub(super) fn holds<T: Exact>(ring: &Ring<T>, point: &(T, T)) -> bool {
    if !ring.closed {
        return false;
    }
    let mut inside = false;
    for (p, q) in ring.edges() {
        let cross = (q.0.clone() - p.0.clone()) * (point.1.clone() - p.1.clone())
            - (q.1.clone() - p.1.clone()) * (point.0.clone() - p.0.clone());
        let between = |a: &T, b: &T, n: &T| (a <= n && n <= b) || (b <= n && n <= a);
        if cross.is_zero() && between(&p.0, &q.0, &point.0) && between(&p.1, &q.1, &point.1) {
            return true;
        }
        let (low, high) = (p.1 <= point.1, q.1 <= point.1);
        if low != high && (cross.is_positive() == low) {
            inside = !inside;
        }
    }
    inside
}

/// Whether a ring has anything of the inside of a rectangle: an area with area, a line with length.
pub(super) fn enters<T: Exact>(rect: &[T; 4], ring: &Ring<T>) -> bool {
    ring.edges().any(|e| within(e, rect, true)) || holds_middle(rect, ring)
}

/// Whether a rectangle lies in a ring whole.
pub(super) fn is_on<T: Exact>(rect: &[T; 4], ring: &Ring<T>) -> bool {
    !ring.edges().any(|e| within(e, rect, true)) && holds_middle(rect, ring)
}

/// Whether the middle of a rectangle lies in a ring. All is doubled, so that the middle is whole.
fn holds_middle<T: Exact>(rect: &[T; 4], ring: &Ring<T>) -> bool {
    let [left, right, rear, front] = rect.clone();
    let twice = |p: &(T, T)| (p.0.clone() + p.0.clone(), p.1.clone() + p.1.clone());
    let doubled = Ring { points: ring.points.iter().map(twice).collect(), closed: ring.closed };
    holds(&doubled, &(left + right, rear + front))
}

/// Whether a ring touches a rectangle or overlaps it.
pub(super) fn meets<T: Exact>(rect: &[T; 4], ring: &Ring<T>) -> bool {
    ring.edges().any(|e| within(e, rect, false)) || holds_middle(rect, ring)
}

/// How far a point lies from a rectangle, as a square.
pub(super) fn from_rect<T: Exact>(rect: &[T; 4], point: &(T, T)) -> T {
    let [left, right, rear, front] = rect;
    let off = |lo: &T, hi: &T, n: &T| {
        if n < lo {
            lo.clone() - n.clone()
        } else if n > hi {
            n.clone() - hi.clone()
        } else {
            T::zero()
        }
    };
    let (u, v) = (off(left, right, &point.0), off(rear, front, &point.1));
    u.clone() * u + v.clone() * v
}

/// How far a rectangle and a ring are apart, in grains.
pub(super) fn gap_to_rect<T: Exact>(rect: &[T; 4], ring: &Ring<T>, width: &T) -> i32 {
    if meets(rect, ring) {
        return 0;
    }
    let nearest = ring.points.iter().map(|p| from_rect(rect, p)).min().unwrap_or_else(T::zero);
    let mut least = root_grains(&nearest, &T::one(), width);
    let [left, right, rear, front] = rect;
    for u in [left, right] {
        for v in [rear, front] {
            let corner = (u.clone(), v.clone());
            least = ring.edges().filter_map(|e| from_edge(e, &corner, width)).fold(least, i32::min);
        }
    }
    least
}

/// How far two rings are apart, in grains.
pub(super) fn gap_of_rings<T: Exact>(a: &Ring<T>, b: &Ring<T>, width: &T) -> i32 {
    let cross = a.edges().any(|e| b.edges().any(|f| crosses(e, f)));
    let inside = a.points.first().is_some_and(|p| holds(b, p))
        || b.points.first().is_some_and(|p| holds(a, p));
    if cross || inside {
        return 0;
    }
    let mut least = i32::MAX;
    for (one, other) in [(a, b), (b, a)] {
        for p in &one.points {
            for q in &other.points {
                let (u, v) = (p.0.clone() - q.0.clone(), p.1.clone() - q.1.clone());
                least = least.min(root_grains(&(u.clone() * u + v.clone() * v), &T::one(), width));
            }
            least = other.edges().filter_map(|e| from_edge(e, p, width)).fold(least, i32::min);
        }
    }
    least
}

/// How far a point lies from the inner part of an edge, in grains; none if it lies beyond an end of
/// it.
fn from_edge<T: Exact>(edge: (&(T, T), &(T, T)), point: &(T, T), width: &T) -> Option<i32> {
    let (p, q) = edge;
    let along = (q.0.clone() - p.0.clone(), q.1.clone() - p.1.clone());
    let off = (point.0.clone() - p.0.clone(), point.1.clone() - p.1.clone());
    let way = along.0.clone() * off.0.clone() + along.1.clone() * off.1.clone();
    let square = along.0.clone() * along.0.clone() + along.1.clone() * along.1.clone();
    if way.is_negative() || way > square || square.is_zero() {
        return None;
    }
    let cross = along.0 * off.1 - along.1 * off.0;
    Some(root_grains(&(cross.clone() * cross), &square, width))
}

/// Whether two edges share a point.
pub(super) fn crosses<T: Exact>(e: (&(T, T), &(T, T)), f: (&(T, T), &(T, T))) -> bool {
    let side = |p: &(T, T), q: &(T, T), r: &(T, T)| {
        ((q.0.clone() - p.0.clone()) * (r.1.clone() - p.1.clone())
            - (q.1.clone() - p.1.clone()) * (r.0.clone() - p.0.clone()))
        .signum()
    };
    let boxes = |a: &T, b: &T, c: &T, d: &T| a.min(b) <= c.max(d) && c.min(d) <= a.max(b);
    let near = boxes(&e.0.0, &e.1.0, &f.0.0, &f.1.0) && boxes(&e.0.1, &e.1.1, &f.0.1, &f.1.1);
    near && side(e.0, e.1, f.0) * side(e.0, e.1, f.1) <= T::zero()
        && side(f.0, f.1, e.0) * side(f.0, f.1, e.1) <= T::zero()
}
