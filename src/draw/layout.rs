//! Where everything is drawn: hexes by their labels, areas where the map puts them, or else where
//! their links do.

use super::cells;
use super::geometry::{Placement, Point};
use super::picture::Picture;
use crate::arrange::Arrange as _;

/// The grid of a hex map.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hexes {
    /// Flat hexes stand in columns, pointy ones in rows.
    pub flat: bool,
    /// Which columns stand lower, or which rows stand farther right: the odd ones, else the even
    /// ones.
    pub odd: bool,
    /// For each space its column and row; none for a space beside the grid.
    pub cells: Vec<Option<(i64, i64)>>,
}

/// Where everything is drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// For each space its place.
    pub places: Vec<Placement>,
    /// The width of the map in tenths of a pixel.
    pub width: i64,
    /// Its height.
    pub height: i64,
}

/// Neighbouring areas stand this far apart, in tenths of a pixel.
const APART: i64 = 900;
/// No map is drawn larger than this, in tenths of a pixel.
const LARGEST: i64 = 40_000;
/// Around the outermost areas, from their middles.
const MARGIN: i64 = 960;
/// Above the map, for its title.
pub(super) const HEAD: i64 = 760;
/// Between the outermost hexes and the edge of the map.
const BESIDE: i64 = 200;
/// Maps with more spaces are laid out in layers alone, and drawn without borders between areas.
const MANY: usize = 600;
/// How often every area is pushed and pulled.
const ROUNDS: i64 = 120;

impl Layout {
    /// Lays out a picture.
    #[must_use]
    pub fn of(picture: &Picture) -> Layout {
        match &picture.hexes {
            Some(hexes) => {
                let size = hex_size(picture);
                let places = cells::hexes(hexes, picture.spaces.len(), size);
                framed(places, size.corner + BESIDE)
            }
            None => framed(areas(picture), MARGIN),
        }
    }
}

/// The places of areas in hundredths, as the map gives them; those without one where their links
/// pull them.
pub(super) fn coordinates(picture: &Picture) -> Vec<Point> {
    let pinned: Vec<bool> = picture.spaces.iter().map(|s| s.at.is_some()).collect();
    let mut points = layers(picture);
    for (point, space) in points.iter_mut().zip(&picture.spaces) {
        if let Some((x, y)) = space.at {
            *point = Point::at(x, y);
        }
    }
    if pinned.iter().all(|p| *p) || points.len() > MANY {
        return points;
    }
    // Springs: links pull to a distance of two, everything pushes what is near. The steps grow
    // smaller by the round.
    for round in 0..ROUNDS {
        let most = 40 * (ROUNDS - round) / ROUNDS + 1;
        let before = points.clone();
        for (at, point) in
            points.iter_mut().enumerate().filter(|(at, _)| pinned.get(*at) == Some(&false))
        {
            let mut force = Point::default();
            let mut push = |other: Point, by: i64| {
                let step = before.get(at).copied().unwrap_or_default();
                let toward = step.toward(other, by);
                force = force.moved(toward.x - step.x, toward.y - step.y);
            };
            for (_, other) in before.iter().enumerate().filter(|(o, _)| *o != at) {
                let far = before.get(at).map_or(0, |p| p.distance(*other)).max(10);
                push(*other, -(12_000 / far).min(80));
            }
            for link in picture.links.iter().filter(|l| l.a == at || l.b == at) {
                let end = if link.a == at { link.b } else { link.a };
                if let (Some(here), Some(other)) = (before.get(at), before.get(end)) {
                    push(*other, (here.distance(*other) - 200) / 6);
                }
            }
            let size = Point::default().distance(force);
            let step = Point::default().toward(force, size.min(most));
            *point = point.moved(step.x, step.y);
        }
    }
    points
}

/// Breadth first from the first space; what no link reaches begins again beside what there is.
fn layers(picture: &Picture) -> Vec<Point> {
    let count = picture.spaces.len();
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
    for link in &picture.links {
        for (from, to) in [(link.a, link.b), (link.b, link.a)] {
            if let Some(row) = near.get_mut(from) {
                row.push(to);
            }
        }
    }
    let mut points = vec![Point::default(); count];
    let mut seen = vec![false; count];
    let (mut column, mut next_row) = (0, 0);
    for first in 0..count {
        if seen.get(first) == Some(&true) {
            continue;
        }
        let mut edge = vec![first];
        if let Some(cell) = seen.get_mut(first) {
            *cell = true;
        }
        // Single spaces fill a row of their own, so that a map without links is a block and no
        // line.
        if near.get(first).is_none_or(Vec::is_empty) {
            let side = i64::try_from(count.isqrt()).unwrap_or(i64::MAX) + 1;
            if let Some(point) = points.get_mut(first) {
                *point = Point::at(next_row % side * 200, -(next_row / side + 1) * 200);
            }
            next_row += 1;
            continue;
        }
        while !edge.is_empty() {
            let height = i64::try_from(edge.len()).unwrap_or(i64::MAX);
            let mut next = Vec::new();
            for (row, space) in (0i64..).zip(&edge) {
                if let Some(point) = points.get_mut(*space) {
                    // Every second one a little aside, so that no three stand in a line.
                    *point = Point::at(column * 200 + row % 2 * 30, row * 200 - height * 100);
                }
                for to in near.get(*space).into_iter().flatten() {
                    if let Some(cell) = seen.get_mut(*to)
                        && !*cell
                    {
                        *cell = true;
                        next.push(*to);
                    }
                }
            }
            column += 1;
            edge = next;
        }
        column += 1;
    }
    points
}

/// Areas at a scale at which neighbours stand well apart.
fn areas(picture: &Picture) -> Vec<Placement> {
    let points = coordinates(picture);
    let few = points.len() <= MANY;
    let mut gaps: Vec<i64> = Vec::new();
    for (at, point) in points.iter().enumerate().take(MANY) {
        let others = points.iter().enumerate().take(MANY).filter(|(o, _)| *o != at);
        gaps.extend(others.map(|(_, o)| point.distance(*o)).filter(|d| *d > 0).min());
    }
    gaps.arrange();
    let usual = gaps.get(gaps.len() / 2).copied().unwrap_or(100).max(1);
    let low = least(points.iter().copied());
    let span = points.iter().map(|p| (p.x - low.x).max(p.y - low.y)).max().unwrap_or(0).max(1);
    let scaled = |v: i64| {
        if span * APART / usual > LARGEST { v * LARGEST / span } else { v * APART / usual }
    };
    let centres: Vec<Point> =
        points.iter().map(|p| Point::at(scaled(p.x - low.x), scaled(p.y - low.y))).collect();
    cells::areas(&centres, APART, few)
}

fn least(points: impl Iterator<Item = Point>) -> Point {
    points.reduce(|a, b| Point::at(a.x.min(b.x), a.y.min(b.y))).unwrap_or_default()
}

/// Everything moved so that it begins behind the margin and below the title.
fn framed(mut places: Vec<Placement>, margin: i64) -> Layout {
    let low = least(places.iter().map(|p| p.centre));
    let top = least(places.iter().flat_map(|p| &p.outline).copied()).y;
    let (x, y) = (margin - low.x, HEAD - top);
    let (mut width, mut height) = (2 * margin, HEAD + 2 * margin);
    for place in &mut places {
        place.centre = place.centre.moved(x, y);
        place.outline.iter_mut().for_each(|p| *p = p.moved(x, y));
        width = width.max(place.centre.x + margin);
        height = height.max(place.centre.y + margin);
    }
    Layout { places, width, height }
}

/// How large the hexes of a map are drawn: by how many are shown.
pub(super) fn hex_size(picture: &Picture) -> cells::HexSize {
    let all = picture.spaces.len();
    cells::hex_size(picture.near.as_ref().map_or(all, |near| near.iter().filter(|n| **n).count()))
}
