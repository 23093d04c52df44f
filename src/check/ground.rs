//! Whether the corners of a piece of ground make ground at all.

use crate::map::{Coordinate, Outline};

type Point = (Coordinate, Coordinate);

/// What is wrong with an outline, in words; nothing for one that is right.
pub(super) fn faulty(outline: &Outline) -> Option<String> {
    let points = &outline.points;
    let least = if outline.closed { 3 } else { 2 };
    if points.len() < least {
        let what = if outline.closed { "a piece of ground" } else { "a line" };
        return Some(format!("{what} has at least {least} corners, and this has {}", points.len()));
    }
    if points.len() > MOST {
        return Some(format!("more than {MOST} corners"));
    }
    let edges: Vec<(Point, Point)> =
        points.iter().zip(points.iter().cycle().skip(1)).take(points.len() - usize::from(!outline.closed)).map(|(a, b)| (*a, *b)).collect();
    if let Some((a, _)) = edges.iter().find(|(a, b)| a == b) {
        return Some(format!("the corner ({}, {}) stands there twice in a row", a.0, a.1));
    }
    if !outline.closed {
        return None;
    }
    // Neighbouring edges share one corner, and no more; all others share nothing.
    for (at, one) in edges.iter().enumerate() {
        for (other_at, other) in edges.iter().enumerate().skip(at + 1) {
            let neighbours = other_at == at + 1 || (at == 0 && other_at == edges.len() - 1);
            let crossing = if neighbours { fold_back(one, other) } else { meet(one, other) };
            if crossing {
                let edge = |e: &(Point, Point)| format!("({}, {})-({}, {})", e.0.0, e.0.1, e.1.0, e.1.1);
                return Some(format!("its edge crosses itself: {} meets {}", edge(one), edge(other)));
            }
        }
    }
    None
}

/// More corners than this are no outline of ground.
const MOST: usize = 256;

/// On which side of the way from a to b a point lies: positive to the left.
fn turn(a: Point, b: Point, p: Point) -> i32 {
    let exact = |c: Coordinate| num_rational::Ratio::new(i128::from(*c.numer()), i128::from(*c.denom()));
    let (ax, ay) = (exact(a.0), exact(a.1));
    let cross = (exact(b.0) - ax) * (exact(p.1) - ay) - (exact(b.1) - ay) * (exact(p.0) - ax);
    match cross.numer() {
        0 => 0,
        n if *n > 0 => 1,
        _ => -1,
    }
}

/// Whether a point on the line of a segment lies within it.
fn within((a, b): &(Point, Point), p: Point) -> bool {
    let between = |a: Coordinate, b: Coordinate, p: Coordinate| a.min(b) <= p && p <= a.max(b);
    between(a.0, b.0, p.0) && between(a.1, b.1, p.1)
}

fn meet(one: &(Point, Point), other: &(Point, Point)) -> bool {
    let (a, b) = (turn(one.0, one.1, other.0), turn(one.0, one.1, other.1));
    let (c, d) = (turn(other.0, other.1, one.0), turn(other.0, other.1, one.1));
    (a * b < 0 && c * d < 0)
        || (a == 0 && within(one, other.0))
        || (b == 0 && within(one, other.1))
        || (c == 0 && within(other, one.0))
        || (d == 0 && within(other, one.1))
}

/// Whether an edge runs back over the one before it.
fn fold_back(one: &(Point, Point), other: &(Point, Point)) -> bool {
    let (shared, from, to) = if one.1 == other.0 { (one.1, one.0, other.1) } else { (one.0, one.1, other.0) };
    turn(from, shared, to) == 0 && (within(&(shared, to), from) || within(&(shared, from), to))
}
