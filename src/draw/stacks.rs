//! Where the counters of a space lie: in rows that stay inside its border, smaller where they must
//! be; and piled, one counter for all of a side, where even that has no room. `web/src/places.js`
//! has the same rule for units that are dragged; `web/test/places.test.mjs` compares the two.

use super::geometry::Point;
use super::picture::{Picture, UnitView};
use super::svg::Canvas;
use super::type_size;
use super::window::Frame;

/// How high a counter is.
pub(super) const HEIGHT: i64 = 150;
/// How wide the box of its mark is.
pub(super) const MARK: i64 = 120;
/// Between two counters.
const GAP: i64 = 20;
/// Rows of counters on an area grow no wider than this, unless one alone is wider.
const ROW: i64 = 840;
/// Ids longer than this are cut; the whole id stands in the text for the pointer.
const LONG: usize = 12;
/// The sizes of counters that are tried, in hundredths.
const SIZES: [i64; 4] = [100, 85, 70, 60];
/// Between a counter and the border of its space.
const CLEAR: i64 = 20;

/// A counter of one unit, or of a pile.
pub(super) struct Counter<'a> {
    /// What it stands for.
    pub units: Vec<&'a UnitView>,
    /// What is written on it.
    pub words: String,
    /// Its upper left corner.
    pub at: Point,
    /// Its size in hundredths.
    pub size: i64,
}

impl<'a> Counter<'a> {
    fn of(unit: &'a UnitView) -> Counter<'a> {
        let words = type_size::read(&unit.id);
        let words = if words.chars().count() <= LONG {
            words
        } else {
            words.chars().take(LONG - 1).chain(['\u{2026}']).collect()
        };
        Counter { units: vec![unit], words, at: Point::default(), size: 100 }
    }

    /// The answer of its units, which all have the same.
    pub fn answer(&self) -> Option<bool> {
        self.units.first().and_then(|u| u.answer.as_ref()).map(|a| a.yes)
    }

    /// How wide it is before it is made smaller.
    pub fn width(&self) -> i64 {
        let words = type_size::width(&self.words, 108);
        (words + 60).max(200) + if self.answer().is_some() { MARK } else { 0 }
    }

    /// How wide and how high it is drawn.
    pub fn drawn(&self) -> (i64, i64) {
        (self.width() * self.size / 100, HEIGHT * self.size / 100)
    }

    /// What it covers.
    pub fn frame(&self) -> Frame {
        let (width, height) = self.drawn();
        let Point { x, y } = self.at;
        Frame { left: x, top: y, right: x + width, bottom: y + height }
    }
}

/// A counter for the legend.
pub(super) fn sample(unit: &UnitView, at: Point) -> Counter<'_> {
    let counter = Counter::of(unit);
    let left = at.x - counter.width() / 2;
    Counter { at: Point::at(left, at.y - HEIGHT / 2), ..counter }
}

/// Where counters may lie.
struct Room<'a> {
    outline: &'a [Point],
    middle: i64,
    top: i64,
    most: i64,
}

impl Room<'_> {
    fn bottom(&self) -> i64 {
        self.outline.iter().map(|p| p.y).max().unwrap_or(self.top) - CLEAR
    }

    /// Where a row of this width begins between two heights: in the middle, or as near to it as
    /// the border allows; none where it has no room.
    fn left(&self, wide: i64, top: i64, bottom: i64) -> Option<i64> {
        let (low, high) = within(self.outline, top, bottom)?;
        let (low, high) = (low + CLEAR, high - CLEAR - wide);
        (low <= high && wide <= self.most).then(|| (self.middle - wide / 2).clamp(low, high))
    }
}

/// What of a shape without dents has room at all heights between two.
pub(super) fn within(outline: &[Point], top: i64, bottom: i64) -> Option<(i64, i64)> {
    let ((a, b), (c, d)) = (span(outline, top)?, span(outline, bottom)?);
    Some((a.max(c), b.min(d)))
}

/// Where a shape without dents begins and ends at a height.
fn span(outline: &[Point], y: i64) -> Option<(i64, i64)> {
    let next = outline.iter().cycle().skip(1);
    let crossed = outline.iter().zip(next).filter_map(|(a, b)| {
        let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
        if y < low.y || y > high.y || low.y == high.y {
            return None;
        }
        Some(low.x + (high.x - low.x) * (y - low.y) / (high.y - low.y))
    });
    let found: Vec<i64> = crossed.collect();
    Some((*found.iter().min()?, *found.iter().max()?))
}

/// The counters of a space.
pub(super) fn stack<'a>(canvas: &Canvas<'a>, at: usize) -> Vec<Counter<'a>> {
    let (Some(space), Some(place), Some(anchor)) =
        (canvas.picture.spaces.get(at), canvas.layout.places.get(at), canvas.anchor(at))
    else {
        return Vec::new();
    };
    let units: Vec<&UnitView> =
        space.units.iter().filter_map(|u| canvas.picture.units.get(*u)).collect();
    if units.is_empty() {
        return Vec::new();
    }
    let hexes = canvas.picture.hexes.is_some();
    let node = !hexes || space.control.is_some() || canvas.picture.side.is_some();
    let room = Room {
        outline: &place.outline,
        middle: anchor.x,
        top: anchor.y + if node { if hexes { 90 } else { 110 } } else { -50 },
        most: if hexes { i64::MAX } else { ROW },
    };
    let single = || units.iter().map(|u| Counter::of(u)).collect();
    let piled = || piles(canvas.picture, &canvas.letters, &units);
    let fits = |all: &dyn Fn() -> Vec<Counter<'a>>| {
        SIZES.iter().find_map(|size| packed(all(), &room, *size))
    };
    let all = fits(&single).or_else(|| fits(&piled)).unwrap_or_else(|| heap(&units, &room));
    // The edge of a crop cuts no counter, and leaves none alone of those that stand together.
    let whole = all.iter().all(|counter| canvas.whole(at, &counter.frame()));
    if whole { all } else { Vec::new() }
}

/// One counter for all units of a side that have the same answer.
fn piles<'a>(picture: &Picture, letters: &[String], units: &[&'a UnitView]) -> Vec<Counter<'a>> {
    let key = |u: &UnitView| (u.side, u.answer.as_ref().map(|a| a.yes));
    let mut out: Vec<Counter<'a>> = Vec::new();
    for unit in units {
        let same = |c: &&mut Counter<'a>| c.units.first().is_some_and(|u| key(u) == key(unit));
        match out.iter_mut().find(same) {
            Some(pile) => pile.units.push(unit),
            None => out.push(Counter::of(unit)),
        }
    }
    for pile in out.iter_mut().filter(|pile| pile.units.len() > 1) {
        let side = pile.units.first().and_then(|u| u.side).filter(|s| *s < picture.sides.len());
        let letter = side.and_then(|s| letters.get(s)).map_or("", String::as_str);
        pile.words = format!("{letter}\u{d7}{}", pile.units.len());
    }
    out
}

/// One counter for all: how many there are.
fn heap<'a>(units: &[&'a UnitView], room: &Room<'_>) -> Vec<Counter<'a>> {
    let size = SIZES.last().copied().unwrap_or(100);
    let words = format!("\u{d7}{}", units.len());
    let mut counter = Counter { units: units.to_vec(), words, at: Point::default(), size };
    let (width, height) = counter.drawn();
    let y = room.top.min(room.bottom() - height);
    counter.at = Point::at(room.middle - width / 2, y);
    vec![counter]
}

/// Counters of this size in rows; none if they have no room.
fn packed<'a>(mut all: Vec<Counter<'a>>, room: &Room<'_>, size: i64) -> Option<Vec<Counter<'a>>> {
    all.iter_mut().for_each(|c| c.size = size);
    let (height, gap) = (HEIGHT * size / 100, GAP * size / 100);
    let mut top = room.top;
    let mut first = 0;
    while first < all.len() {
        if top + height > room.bottom() {
            return None;
        }
        // As many as have room side by side.
        let widths: Vec<i64> = all.iter().skip(first).map(|c| c.drawn().0).collect();
        let (mut wide, mut row) = (-gap, None);
        for (count, width) in (1..).zip(&widths) {
            wide += width + gap;
            match room.left(wide, top, top + height) {
                Some(left) => row = Some((count, left)),
                None => break,
            }
        }
        let (count, mut left) = row?;
        for (counter, width) in all.iter_mut().skip(first).take(count).zip(widths) {
            counter.at = Point::at(left, top);
            left += width + gap;
        }
        first += count;
        top += height + gap;
    }
    Some(all)
}
