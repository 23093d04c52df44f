//! Points in tenths of a pixel, and what is measured on them: whole numbers, the same on every
//! machine.

/// A place of the drawing in tenths of a pixel; x grows to the right, y downward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Point {
    /// To the right.
    pub x: i64,
    /// Downward.
    pub y: i64,
}

/// Where a space is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Placement {
    /// Its middle.
    pub centre: Point,
    /// Its corners in order.
    pub outline: Vec<Point>,
}

impl Point {
    /// A point.
    #[must_use]
    pub fn at(x: i64, y: i64) -> Point {
        Point { x, y }
    }

    /// This point moved.
    pub(super) fn moved(self, x: i64, y: i64) -> Point {
        Point { x: self.x + x, y: self.y + y }
    }

    /// How far another point is, rounded down.
    pub(super) fn distance(self, to: Point) -> i64 {
        let (dx, dy) = (to.x - self.x, to.y - self.y);
        (dx * dx + dy * dy).isqrt()
    }

    /// The point that lies so far toward another; this one if they are the same.
    pub(super) fn toward(self, to: Point, far: i64) -> Point {
        let all = self.distance(to);
        if all == 0 {
            return self;
        }
        self.moved((to.x - self.x) * far / all, (to.y - self.y) * far / all)
    }

    /// So far to the left of the way to another point.
    pub(super) fn aside(self, to: Point, far: i64) -> Point {
        let all = self.distance(to);
        if all == 0 {
            return self;
        }
        self.moved((to.y - self.y) * far / all, (self.x - to.x) * far / all)
    }
}

/// A length in pixels, without a needless zero.
pub(super) fn px(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, rest) = (tenths.abs() / 10, tenths.abs() % 10);
    if rest == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// The corners of a shape as the points of a polygon.
pub(super) fn points(corners: &[Point]) -> String {
    corners.iter().map(|p| format!("{},{}", px(p.x), px(p.y))).collect::<Vec<_>>().join(" ")
}

/// A shape cut along a line: what is left is nearer to `keep` than to `other`, by at least `gap` on
/// each side.
pub(super) fn cut(corners: &[Point], keep: Point, other: Point, gap: i64) -> Vec<Point> {
    let (dx, dy) = (other.x - keep.x, other.y - keep.y);
    let square = dx * dx + dy * dy;
    let limit = square / 2 - gap * square.isqrt();
    // How far a point lies beyond the line; what is not beyond it stays.
    let beyond = |p: Point| (p.x - keep.x) * dx + (p.y - keep.y) * dy - limit;
    let mut left = Vec::with_capacity(corners.len() + 1);
    for (at, here) in corners.iter().enumerate() {
        let Some(next) = corners.get((at + 1) % corners.len()) else {
            continue;
        };
        let (a, b) = (beyond(*here), beyond(*next));
        if a <= 0 {
            left.push(*here);
        }
        if (a < 0 && b > 0) || (a > 0 && b < 0) {
            let part = |from: i64, to: i64| {
                i64::try_from(i128::from(to - from) * i128::from(a) / i128::from(a - b))
                    .unwrap_or(0)
            };
            left.push(here.moved(part(here.x, next.x), part(here.y, next.y)));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_short() {
        assert_eq!([0, 5, 10, -15, -1].map(px), ["0", "0.5", "1", "-1.5", "-0.1"]);
    }

    #[test]
    fn a_square_is_halved() {
        let square = [Point::at(0, 0), Point::at(100, 0), Point::at(100, 100), Point::at(0, 100)];
        let left = cut(&square, Point::at(25, 50), Point::at(75, 50), 0);
        assert_eq!(
            left,
            [Point::at(0, 0), Point::at(50, 0), Point::at(50, 100), Point::at(0, 100)]
        );
    }

    #[test]
    fn the_same_point_has_no_direction() {
        let p = Point::at(7, 7);
        assert_eq!((p.toward(p, 10), p.aside(p, 10)), (p, p));
    }
}
