//! The names of spaces: above everything else, and each where it hides least and is hidden least.

use std::collections::BTreeMap;

use super::geometry::{Point, px};
use super::svg::{Canvas, begin_part};
use super::window::Frame;
use super::write::Writer;
use super::{labels, lines, overlay, stacks, type_size};
use crate::arrange::Arrange as _;

/// The size of names, in tenths of a pixel.
pub(super) const SIZE: i64 = 115;
/// From one line of a name to the next.
const LINE: i64 = 120;
/// Above and below the foot of the letters.
const RISE: i64 = 92;
const DROP: i64 = 28;
/// Names longer than this are written in two lines.
const LONG: usize = 13;
/// The cells in which what lies on the map is looked up.
const CELL: i64 = 600;

/// How bad it is to lie on what a name may cover, for each square pixel.
mod weight {
    pub const NAME: i64 = 60;
    pub const COUNTER: i64 = 40;
    pub const NODE: i64 = 25;
    pub const END: i64 = 20;
    pub const LABEL: i64 = 3;
    pub const LINE: i64 = 4;
    pub const LINK: i64 = 1;
    pub const OUTSIDE: i64 = 100;
}

/// A name where it stands.
pub(super) struct Placed {
    lines: Vec<String>,
    /// The middle of its first line, at the foot of the letters.
    at: Point,
}

impl Placed {
    fn frame(&self) -> Frame {
        let wide = self.lines.iter().map(|l| type_size::width(l, SIZE)).max().unwrap_or(0);
        let rows = i64::try_from(self.lines.len()).unwrap_or(1);
        Frame {
            left: self.at.x - wide / 2,
            top: self.at.y - RISE,
            right: self.at.x + wide / 2,
            bottom: self.at.y + LINE * (rows - 1) + DROP,
        }
    }
}

/// What lies on the map.
#[derive(Default)]
struct Taken {
    all: Vec<(Frame, i64)>,
    cells: BTreeMap<(i64, i64), Vec<usize>>,
}

impl Taken {
    fn cells_of(frame: &Frame) -> impl Iterator<Item = (i64, i64)> + use<> {
        let (left, right) = (frame.left.div_euclid(CELL), frame.right.div_euclid(CELL));
        let (top, bottom) = (frame.top.div_euclid(CELL), frame.bottom.div_euclid(CELL));
        (left..=right).flat_map(move |x| (top..=bottom).map(move |y| (x, y)))
    }

    fn put(&mut self, frame: Frame, weight: i64) {
        for cell in Taken::cells_of(&frame) {
            self.cells.entry(cell).or_default().push(self.all.len());
        }
        self.all.push((frame, weight));
    }

    /// A line as a row of small frames.
    fn put_line(&mut self, from: Point, to: Point, weight: i64) {
        const STEP: i64 = 40;
        for far in 0..=from.distance(to) / STEP {
            self.put(Frame::around(from.toward(to, far * STEP), STEP / 2, STEP / 2), weight);
        }
    }

    fn cost(&self, frame: &Frame) -> i64 {
        let mut met: Vec<usize> =
            Taken::cells_of(frame).filter_map(|c| self.cells.get(&c)).flatten().copied().collect();
        met.arrange();
        met.dedup();
        let found = met.iter().filter_map(|at| self.all.get(*at));
        found.map(|(other, weight)| other.shared(frame) * weight).sum()
    }
}

/// Draws the names: the light around them first, so that none is dimmed by the light of another.
pub(super) fn draw(canvas: &Canvas<'_>, w: &mut Writer) {
    let placed = placed(canvas);
    begin_part(canvas, w, "names");
    for class in ["name halo", "name"] {
        for name in &placed {
            for (row, line) in (0i64..).zip(&name.lines) {
                let y = px(name.at.y + row * LINE);
                w.text("text", &[("x", &px(name.at.x)), ("y", &y), ("class", &class)], line);
            }
        }
    }
    w.end();
}

/// All names where they stand; large maps name what has room at its own place.
fn placed(canvas: &Canvas<'_>) -> Vec<Placed> {
    let mut taken = taken(canvas);
    let mut out = Vec::new();
    for at in (0..canvas.picture.spaces.len()).filter(|at| canvas.shown(*at)) {
        let Some(space) = canvas.picture.spaces.get(at) else { continue };
        if labels::is_label(canvas.picture, space)
            || canvas.anchor(at).is_none_or(|a| !inside(canvas, a))
        {
            continue;
        }
        let outline = canvas.layout.places.get(at).map_or(&[][..], |p| &p.outline);
        let cost = |(rank, name): &(i64, Placed)| {
            let frame = name.frame();
            rank * 40 + taken.cost(&frame) + sticking_out(canvas, outline, &frame)
        };
        let best =
            (0i64..).zip(candidates(canvas, at, &type_size::read(&space.title))).min_by_key(cost);
        if let Some((_, name)) = best.filter(|(_, name)| canvas.whole(at, &name.frame())) {
            taken.put(name.frame(), weight::NAME);
            out.push(name);
        }
    }
    out
}

fn inside(canvas: &Canvas<'_>, at: Point) -> bool {
    canvas.window.is_none_or(|window| window.holds(at))
}

/// How much of a name lies outside its own space, and outside the map.
fn sticking_out(canvas: &Canvas<'_>, outline: &[Point], frame: &Frame) -> i64 {
    let map = Frame { left: 0, top: 640, right: canvas.layout.width, bottom: canvas.layout.height };
    let map = canvas.window.unwrap_or(map);
    let beyond = frame.area() - frame.shared(&map);
    let own = Frame::of(outline.iter().copied()).map_or(0, |own| frame.shared(&own));
    beyond * weight::OUTSIDE + (frame.area() - own)
}

/// Everything that names should leave free.
fn taken(canvas: &Canvas<'_>) -> Taken {
    let mut taken = Taken::default();
    for at in (0..canvas.picture.spaces.len()).filter(|at| canvas.shown(*at)) {
        for counter in stacks::stack(canvas, at) {
            taken.put(counter.frame().wider(10), weight::COUNTER);
        }
        labels::frames(canvas, at).into_iter().for_each(|f| taken.put(f, weight::NODE));
        labels::label_frame(canvas, at).into_iter().for_each(|f| taken.put(f, weight::LABEL));
    }
    for (a, b) in canvas.links() {
        taken.put_line(a, b, weight::LINK);
    }
    for corners in lines::shafts(canvas) {
        for (a, b) in corners.iter().zip(corners.iter().skip(1)) {
            taken.put_line(*a, *b, weight::LINE);
        }
        if let Some(end) = corners.last() {
            taken.put(Frame::around(*end, 80, 80), weight::END);
        }
    }
    overlay::frames(canvas).into_iter().for_each(|f| taken.put(f, weight::NODE));
    taken
}

/// Where the name of a space may stand, the best place first.
fn candidates(canvas: &Canvas<'_>, at: usize, title: &str) -> Vec<Placed> {
    let (Some(anchor), Some(place)) = (canvas.anchor(at), canvas.layout.places.get(at)) else {
        return Vec::new();
    };
    let foot = stacks::stack(canvas, at)
        .iter()
        .map(|c| c.at.y + c.drawn().1)
        .max()
        .unwrap_or(anchor.y + 60);
    let mut shapes = vec![split(title)];
    if title.contains(' ') {
        let other = if shapes.iter().any(|s| s.len() == 1) {
            halves(title)
        } else {
            vec![title.to_owned()]
        };
        shapes.push(other);
    }
    let mut out = Vec::new();
    for lines in shapes {
        let rows = i64::try_from(lines.len()).unwrap_or(1) - 1;
        let half = lines.iter().map(|l| type_size::width(l, SIZE)).max().unwrap_or(0) / 2;
        // A hex has its name at the upper edge, an area above its node.
        let top = match canvas.head_of_hex(place) {
            Some(head) => head,
            None => anchor.y - 130 - LINE * rows,
        };
        let beside = anchor.y + 40 - LINE * rows / 2;
        let spots = [
            (0, top),
            (0, foot + 110),
            (0, top - 60),
            (0, top - LINE * rows),
            (half * 2 / 3, top),
            (-half * 2 / 3, top),
            (half + 130, beside),
            (-half - 130, beside),
            (half * 2 / 3, foot + 110),
            (-half * 2 / 3, foot + 110),
            (half + 60, top - 60),
            (-half - 60, top - 60),
            (0, top - 160),
            (0, foot + 180),
        ];
        out.extend(
            spots
                .into_iter()
                .map(|(x, y)| Placed { lines: lines.clone(), at: Point::at(anchor.x + x, y) }),
        );
    }
    out
}

/// A name in one line, or in two if it is long.
fn split(name: &str) -> Vec<String> {
    if name.chars().count() <= LONG { vec![name.to_owned()] } else { halves(name) }
}

/// A name broken at the blank nearest to its middle.
fn halves(name: &str) -> Vec<String> {
    let count = name.chars().count();
    let blanks = name.char_indices().enumerate().filter(|(_, (_, c))| *c == ' ');
    match blanks.min_by_key(|(nth, _)| nth.abs_diff(count / 2)) {
        Some((_, (at, _))) => {
            let (first, second) = name.split_at(at);
            vec![first.to_owned(), second.trim_start().to_owned()]
        }
        None => vec![name.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn long_names_break_at_the_middle_blank() {
        assert_eq!(split("Marsh"), ["Marsh"]);
        assert_eq!(split("Mire and the Long Causeway"), ["Mire and the", "Long Causeway"]);
        assert_eq!(split("Unbreakablename"), ["Unbreakablename"]);
    }
}
