//! The shapes of spaces: a hex, or for an area all that is nearer to it than to any other.

use super::geometry::{Placement, Point, cut};
use super::layout::Hexes;

/// Half the gap between two areas.
const GAP: i64 = 14;
/// Sixteen directions, in thousandths.
const ROUND: [(i64, i64); 16] = [
    (1000, 0),
    (924, 383),
    (707, 707),
    (383, 924),
    (0, 1000),
    (-383, 924),
    (-707, 707),
    (-924, 383),
    (-1000, 0),
    (-924, -383),
    (-707, -707),
    (-383, -924),
    (0, -1000),
    (383, -924),
    (707, -707),
    (924, -383),
];

/// Areas around their middles; `whole` asks for borders where areas meet, else each stands alone.
pub(super) fn areas(centres: &[Point], apart: i64, whole: bool) -> Vec<Placement> {
    let far = if whole { apart * 98 / 100 } else { apart * 2 / 5 };
    let shape = |centre: Point| -> Vec<Point> {
        let round: Vec<Point> =
            ROUND.iter().map(|(x, y)| centre.moved(x * far / 1000, y * far / 1000)).collect();
        if !whole {
            return round;
        }
        centres
            .iter()
            .filter(|other| **other != centre && centre.distance(**other) < 2 * far + 2 * GAP)
            .fold(round, |left, other| cut(&left, centre, *other, GAP))
    };
    centres.iter().map(|centre| Placement { centre: *centre, outline: shape(*centre) }).collect()
}

/// How large hexes are drawn: few of them larger, so that what stands there can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HexSize {
    /// From the middle of a hex to a corner, in tenths of a pixel; even, so that half of it is
    /// whole.
    pub corner: i64,
    /// From the middle of a hex to a side: the corner times half the root of three.
    pub side: i64,
}

/// The size of a number of hexes.
pub(super) fn hex_size(count: usize) -> HexSize {
    let corner = match count {
        0..=150 => 640,
        151..=400 => 480,
        _ => 360,
    };
    HexSize { corner, side: corner * 866 / 1000 }
}

/// Hexes by column and row, and in a row below them whatever stands beside the grid.
pub(super) fn hexes(grid: &Hexes, spaces: usize, size: HexSize) -> Vec<Placement> {
    let cell = |at: usize| grid.cells.get(at).copied().flatten();
    let all = || (0..spaces).filter_map(cell);
    let left = all().map(|c| c.0).min().unwrap_or(0);
    let bottom = all().map(|c| c.1).max().unwrap_or(0) + 2;
    let mut beside = 0;
    (0..spaces)
        .map(|at| match cell(at) {
            Some((column, row)) => hex(grid, column, row, size),
            None => {
                let centre = centre(grid, left, bottom, size).moved(beside * size.corner * 3, 0);
                beside += 1;
                let (x, y) = (size.corner * 4 / 3, size.side);
                Placement {
                    centre,
                    outline: vec![
                        centre.moved(-x, -y),
                        centre.moved(x, -y),
                        centre.moved(x, y),
                        centre.moved(-x, y),
                    ],
                }
            }
        })
        .collect()
}

fn centre(grid: &Hexes, column: i64, row: i64, size: HexSize) -> Point {
    let HexSize { corner, side } = size;
    let shifted = |along: i64| if (along.rem_euclid(2) == 1) == grid.odd { side } else { 0 };
    if grid.flat {
        Point::at(column * corner * 3 / 2, row * side * 2 + shifted(column))
    } else {
        Point::at(column * side * 2 + shifted(row), row * corner * 3 / 2)
    }
}

fn hex(grid: &Hexes, column: i64, row: i64, size: HexSize) -> Placement {
    let centre = centre(grid, column, row, size);
    let HexSize { corner, side } = size;
    let half = corner / 2;
    let corners =
        [(corner, 0), (half, side), (-half, side), (-corner, 0), (-half, -side), (half, -side)];
    let outline = corners
        .iter()
        .map(|(x, y)| if grid.flat { centre.moved(*x, *y) } else { centre.moved(*y, *x) })
        .collect();
    Placement { centre, outline }
}

/// The corners that two shapes have in common: the side of two hexes that touch.
pub(super) fn shared(a: &Placement, b: &Placement) -> Vec<Point> {
    a.outline.iter().filter(|p| b.outline.contains(p)).copied().collect()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail loudly")]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_side_in_every_layout() {
        let layouts = [(true, true), (true, false), (false, true), (false, false)];
        for ((flat, odd), count) in layouts.into_iter().zip([9, 300, 900, 9]) {
            let cells: Vec<_> = (1..=3).flat_map(|c| (1..=3).map(move |r| Some((c, r)))).collect();
            let places = hexes(&Hexes { flat, odd, cells }, 9, hex_size(count));
            let middle = &places[4];
            let touching = places.iter().filter(|p| shared(middle, p).len() == 2).count();
            assert_eq!(touching, 6, "flat {flat}, odd {odd}");
        }
    }

    #[test]
    fn areas_at_one_point_are_drawn_all_the_same() {
        let places = areas(&[Point::at(5, 5); 4], 900, true);
        assert!(places.iter().all(|p| p.outline.len() == 16));
    }
}
