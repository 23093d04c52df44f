//! A sketch of what lies around a space: enough of the map to see why something is so there.

use super::layout::Hexes;
use super::picture::{CrossingView, LinkView, Picture, SpaceView, UnitView};
use super::sketch;
use crate::arrange::Arrange as _;

/// How far around its centres a drawing shows what there is, unless another distance is asked for:
/// links between areas, rows of hexes, and lengths on a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nearby {
    /// The spaces in the middle.
    pub spaces: Vec<usize>,
    /// The units of a table in the middle, by their places on it.
    pub bases: Vec<usize>,
    /// How far.
    pub away: Option<usize>,
}

impl Nearby {
    /// Crops a picture to what is near.
    pub fn crop(&self, picture: &mut Picture) {
        picture.around = Some(self.names(picture).join(", "));
        if let Some(table) = &mut picture.table {
            let away = self.away.unwrap_or(FAR_ON_TABLE);
            table.window = super::table::window(table, self, away);
            return;
        }
        picture.near = Some(match &picture.hexes {
            Some(hexes) => near_hexes(hexes, &self.spaces, self.away.unwrap_or(FAR_HEXES)),
            None => near_areas(picture, &self.spaces, self.away.unwrap_or(FAR_LINKS), usize::MAX),
        });
    }
}

impl Nearby {
    fn names<'p>(&self, picture: &'p Picture) -> Vec<&'p str> {
        let bases = picture.table.as_ref().map_or(&[][..], |table| &table.bases);
        let bases = self.bases.iter().filter_map(|at| bases.get(*at)).map(|b| b.id.as_str());
        let spaces = self.spaces.iter().filter_map(|at| picture.spaces.get(*at));
        bases.chain(spaces.map(|s| s.title.as_str())).collect()
    }
}

const FAR_LINKS: usize = 2;
const FAR_HEXES: usize = 4;
const FAR_ON_TABLE: usize = 4;

/// Areas so many links away are shown.
const LINKS: usize = 1;
/// Areas are shown up to so many, nearest first.
const AREAS: usize = 12;
/// Hexes so many columns and rows away are shown.
const HEXES: usize = 3;

/// Sketches the spaces around these, so many characters wide; empty where there is nothing to show.
#[must_use]
pub fn around(picture: &Picture, centres: &[usize], wide: usize) -> String {
    let near = cut(picture, &kept(picture, centres));
    let drawn = match &near.hexes {
        Some(hexes) => sketch::rows(&near, hexes, super::text::WIDE),
        None => {
            // A blank keeps a name from what is said of the units behind it.
            let name = |s: &SpaceView| {
                super::text::clean(&s.id) + if s.units.is_empty() { "" } else { " " }
            };
            let names: Vec<String> = near.spaces.iter().map(name).collect();
            sketch::areas(&near, &names, wide.max(20))
        }
    };
    drawn.trim_end().to_owned()
}

/// Whether each space is near one of the centres.
fn kept(picture: &Picture, centres: &[usize]) -> Vec<bool> {
    match &picture.hexes {
        Some(hexes) => near_hexes(hexes, centres, HEXES),
        None => near_areas(picture, centres, LINKS, AREAS),
    }
}

/// The hexes no more columns and rows away; and of the spaces beside the grid the centres.
fn near_hexes(hexes: &Hexes, centres: &[usize], away: usize) -> Vec<bool> {
    let away = i64::try_from(away).unwrap_or(i64::MAX);
    let cells: Vec<(i64, i64)> =
        centres.iter().filter_map(|c| hexes.cells.get(*c).copied().flatten()).collect();
    let near = |(at, cell): (usize, &Option<(i64, i64)>)| match cell {
        Some((c, r)) => cells.iter().any(|(x, y)| (c - x).abs() <= away && (r - y).abs() <= away),
        None => centres.contains(&at),
    };
    hexes.cells.iter().enumerate().map(near).collect()
}

/// The areas at most this many links away, up to a limit, nearest first.
fn near_areas(picture: &Picture, centres: &[usize], away: usize, most: usize) -> Vec<bool> {
    let mut kept = vec![false; picture.spaces.len()];
    let mut ring: Vec<usize> = centres.iter().copied().filter(|c| *c < kept.len()).collect();
    let mut count = 0;
    for _ in 0..=away {
        if ring.is_empty() {
            break;
        }
        for space in &ring {
            if let Some(cell) = kept.get_mut(*space).filter(|k| !**k && count < most) {
                *cell = true;
                count += 1;
            }
        }
        let inside = |s: usize| kept.get(s) == Some(&true);
        let touches = picture.links.iter().filter(|l| inside(l.a) != inside(l.b));
        let mut next: Vec<usize> = touches.map(|l| if inside(l.a) { l.b } else { l.a }).collect();
        next.arrange();
        next.dedup();
        ring = next;
    }
    kept
}

/// The picture with these spaces alone, and what stands on them.
pub(super) fn cut(picture: &Picture, kept: &[bool]) -> Picture {
    let mut places: Vec<Option<usize>> = Vec::with_capacity(kept.len());
    let mut count = 0;
    for keep in kept {
        places.push(keep.then_some(count));
        count += usize::from(*keep);
    }
    let place = |s: usize| places.get(s).copied().flatten();
    let units: Vec<UnitView> = picture
        .units
        .iter()
        .filter_map(|u| place(u.space).map(|space| UnitView { space, ..u.clone() }))
        .collect();
    let of = |s: &SpaceView, at: usize| SpaceView {
        units: units
            .iter()
            .enumerate()
            .filter(|(_, u)| Some(u.space) == place(at))
            .map(|(n, _)| n)
            .collect(),
        ..s.clone()
    };
    let spaces = picture
        .spaces
        .iter()
        .enumerate()
        .filter(|(at, _)| place(*at).is_some())
        .map(|(at, s)| of(s, at))
        .collect();
    let links = picture
        .links
        .iter()
        .filter_map(|l| Some(LinkView { a: place(l.a)?, b: place(l.b)?, ..*l }))
        .collect();
    let line = |line: &Vec<usize>| line.iter().filter_map(|s| place(*s)).collect();
    let crossing = |c: &CrossingView| {
        let lines = c.lines.iter().map(line).collect();
        Some(CrossingView { space: place(c.space)?, lines, ..c.clone() })
    };
    let crossings = picture.crossings.iter().filter_map(crossing).collect();
    let hexes = picture.hexes.as_ref().map(|h| Hexes {
        cells: h
            .cells
            .iter()
            .enumerate()
            .filter(|(at, _)| place(*at).is_some())
            .map(|(_, c)| *c)
            .collect(),
        ..h.clone()
    });
    Picture { spaces, links, crossings, units, hexes, near: None, ..picture.clone() }
}
