//! The shapes of spaces: a hex, or for an area all that is nearer to it than to any other.

use super::geometry::{Placement, Point, cut};
use super::layout::Hexes;

/// From the middle of a hex to a corner, in tenths of a pixel; even, so that half of it is whole.
const HEX: i64 = 360;
/// From the middle of a hex to a side: the corner times half the root of three.
const HEX_SIDE: i64 = 312;
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

/// Hexes by column and row, and in a row below them whatever stands beside the grid.
pub(super) fn hexes(grid: &Hexes, spaces: usize) -> Vec<Placement> {
    let cell = |at: usize| grid.cells.get(at).copied().flatten();
    let all = || (0..spaces).filter_map(cell);
    let left = all().map(|c| c.0).min().unwrap_or(0);
    let bottom = all().map(|c| c.1).max().unwrap_or(0) + 2;
    let mut beside = 0;
    (0..spaces)
        .map(|at| match cell(at) {
            Some((column, row)) => hex(grid, column, row),
            None => {
                let centre = centre(grid, left, bottom).moved(beside * HEX * 3, 0);
                beside += 1;
                let (x, y) = (HEX * 4 / 3, HEX_SIDE);
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

fn centre(grid: &Hexes, column: i64, row: i64) -> Point {
    let shifted = |along: i64| if (along.rem_euclid(2) == 1) == grid.odd { HEX_SIDE } else { 0 };
    if grid.flat {
        Point::at(column * HEX * 3 / 2, row * HEX_SIDE * 2 + shifted(column))
    } else {
        Point::at(column * HEX_SIDE * 2 + shifted(row), row * HEX * 3 / 2)
    }
}

fn hex(grid: &Hexes, column: i64, row: i64) -> Placement {
    let centre = centre(grid, column, row);
    let half = HEX / 2;
    let corners = [
        (HEX, 0),
        (half, HEX_SIDE),
        (-half, HEX_SIDE),
        (-HEX, 0),
        (-half, -HEX_SIDE),
        (half, -HEX_SIDE),
    ];
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
        for (flat, odd) in [(true, true), (true, false), (false, true), (false, false)] {
            let cells: Vec<_> = (1..=3).flat_map(|c| (1..=3).map(move |r| Some((c, r)))).collect();
            let places = hexes(&Hexes { flat, odd, cells }, 9);
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
