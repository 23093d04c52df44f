//! The part of a map that is drawn: all of it, or what lies around some spaces.

use super::geometry::Point;
use super::layout::{HEAD, Layout};

/// A part of the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    pub left: i64,
    pub top: i64,
    pub right: i64,
    pub bottom: i64,
}

/// Beside a part of a map.
const BESIDE: i64 = 240;
/// Around the spaces that are wanted: what lies there is seen in part.
const AROUND: i64 = 150;

impl Frame {
    /// Around a point, so far to each side.
    pub fn around(at: Point, x: i64, y: i64) -> Frame {
        Frame { left: at.x - x, top: at.y - y, right: at.x + x, bottom: at.y + y }
    }

    /// The smallest frame around these; none around nothing.
    pub fn of(points: impl Iterator<Item = Point>) -> Option<Frame> {
        points.map(|p| Frame::around(p, 0, 0)).reduce(|a, b| Frame {
            left: a.left.min(b.left),
            top: a.top.min(b.top),
            right: a.right.max(b.right),
            bottom: a.bottom.max(b.bottom),
        })
    }

    /// The same with so much around it.
    pub fn wider(&self, by: i64) -> Frame {
        Frame {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    /// How large the part is that lies in both, in square pixels.
    pub fn shared(&self, other: &Frame) -> i64 {
        let wide = self.right.min(other.right) - self.left.max(other.left);
        let high = self.bottom.min(other.bottom) - self.top.max(other.top);
        if wide <= 0 || high <= 0 { 0 } else { wide * high / 100 }
    }

    /// Whether all of another lies inside.
    pub fn contains(&self, other: &Frame) -> bool {
        self.holds(Point::at(other.left, other.top))
            && self.holds(Point::at(other.right, other.bottom))
    }

    /// Whether any part of a line lies inside, as far as can be seen.
    pub fn crosses(&self, from: Point, to: Point) -> bool {
        const STEP: i64 = 20;
        (0..=from.distance(to) / STEP).any(|nth| self.holds(from.toward(to, nth * STEP)))
    }

    /// Whether a point lies inside.
    pub fn holds(&self, at: Point) -> bool {
        self.left <= at.x && at.x <= self.right && self.top <= at.y && at.y <= self.bottom
    }

    /// Its size in square pixels.
    pub fn area(&self) -> i64 {
        self.shared(self)
    }
}

/// Cuts a layout to what lies around the spaces that are near, and returns the frame of that.
pub(super) fn cut(layout: &mut Layout, near: &[bool]) -> Option<Frame> {
    let kept = layout.places.iter().zip(near).filter(|(_, near)| **near);
    let frame = Frame::of(kept.flat_map(|(place, _)| place.outline.iter().copied()))?;
    let (x, y) = (BESIDE + AROUND - frame.left, HEAD + AROUND - frame.top);
    for place in &mut layout.places {
        place.centre = place.centre.moved(x, y);
        place.outline.iter_mut().for_each(|p| *p = p.moved(x, y));
    }
    let right = BESIDE + 2 * AROUND + frame.right - frame.left;
    let bottom = HEAD + 2 * AROUND + frame.bottom - frame.top;
    (layout.width, layout.height) = (right + BESIDE, bottom + BESIDE);
    Some(Frame { left: BESIDE, top: HEAD, right, bottom })
}
