//! Marks over a map: where lines are shut or end, what would restore one, which spaces no line can
//! do without.

use super::geometry::{Placement, Point, points, px};
use super::picture::Picture;
use super::svg::{Canvas, begin_part, shrunk};
use super::window::Frame;
use super::write::{Writer, id};
use super::{labels, stacks, type_size};

/// What is laid over a map.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    /// What it shows, for the head of the drawing.
    pub title: String,
    /// Marks on spaces; a space may have several.
    pub marks: Vec<Mark>,
    /// Lines that would be there: the spaces of each.
    pub lines: Vec<Vec<usize>>,
}

/// A mark on a space.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The space.
    pub space: usize,
    /// What it says.
    pub sign: Sign,
    /// The same in words, for whoever rests the pointer on it.
    pub words: String,
}

/// What a mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// a gate is shut here
    Shut,
    /// the line runs out here
    Edge,
    /// a change here would restore the line
    Remedy,
    /// a unit of the enemy here would cut others
    Threat,
    /// every line of a unit passes here
    Cut,
}

const SIGNS: [Sign; 5] = [Sign::Shut, Sign::Edge, Sign::Remedy, Sign::Threat, Sign::Cut];

impl Sign {
    /// Its letter, its colour, the dashes of its ring, and how far inside the border that stands.
    fn style(self) -> (&'static str, &'static str, &'static str, i64) {
        match self {
            Sign::Shut => ("x", "#b3202c", "none", 40),
            Sign::Edge => ("|", "#5b4a2f", "4 3", 40),
            Sign::Remedy => ("+", "#1d7a34", "none", 80),
            Sign::Threat => ("!", "#c4560f", "3 3", 80),
            Sign::Cut => ("=", "#8a1f8a", "none", 40),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Sign::Shut => "a gate is shut",
            Sign::Edge => "the reach ends",
            Sign::Remedy => "a change that restores it",
            Sign::Threat => "an enemy here cuts units",
            Sign::Cut => "no line without it",
        }
    }
}

/// Draws the rings of the marks; they lie below lines and nodes.
pub(super) fn rings(canvas: &Canvas<'_>, w: &mut Writer) {
    let Some(overlay) = &canvas.picture.overlay else { return };
    begin_part(canvas, w, "marks");
    for (space, place) in canvas.layout.places.iter().enumerate() {
        let Some(words) = words(canvas.picture, overlay, space) else { continue };
        let name = canvas.picture.spaces.get(space).map_or("", |s| s.id.as_str());
        w.begin("g", &[("id", &id("mark", name))]);
        w.text("title", &[], &words);
        for sign in signs(overlay, space) {
            ring(w, &points(&shrunk(place.centre, &place.outline, sign.style().3)), sign);
        }
        w.end();
    }
    w.end();
}

/// Draws the lines that would be there; they lie below the nodes.
pub(super) fn restored(canvas: &Canvas<'_>, w: &mut Writer) {
    let Some(overlay) = &canvas.picture.overlay else { return };
    begin_part(canvas, w, "restored");
    for line in &overlay.lines {
        let corners: Vec<Point> = line.iter().filter_map(|s| canvas.anchor(*s)).collect();
        stroke(w, &points(&corners));
    }
    w.end();
}

/// Draws the signs of the marks; they lie above the counters.
pub(super) fn draw(canvas: &Canvas<'_>, w: &mut Writer) {
    let Some(overlay) = &canvas.picture.overlay else { return };
    begin_part(canvas, w, "signs");
    for space in 0..canvas.layout.places.len() {
        let Some(words) = words(canvas.picture, overlay, space) else { continue };
        w.begin("g", &[]);
        w.text("title", &[], &words);
        for (sign, at) in badges(canvas, overlay, space) {
            labels::badge(w, at, sign.style().0);
        }
        w.end();
    }
    w.end();
}

/// What the marks of a space say; none if it has none.
fn words(picture: &Picture, overlay: &Overlay, space: usize) -> Option<String> {
    let here = overlay.marks.iter().filter(|m| m.space == space);
    let words: Vec<&str> = here.map(|m| m.words.as_str()).collect();
    let name = picture.spaces.get(space).map_or("", |s| s.id.as_str());
    (!words.is_empty()).then(|| format!("{}: {}", type_size::read(name), words.join("; ")))
}

fn signs(overlay: &Overlay, space: usize) -> Vec<Sign> {
    let has = |sign: &Sign| overlay.marks.iter().any(|m| m.space == space && m.sign == *sign);
    SIGNS.into_iter().filter(has).collect()
}

/// The width and the height of a badge.
const BADGE: (i64, i64) = (120, 140);

/// The signs of a space, each with the place of its badge: inside the border, where it hides least,
/// and there as low as it can.
fn badges(canvas: &Canvas<'_>, overlay: &Overlay, space: usize) -> Vec<(Sign, Point)> {
    let signs = signs(overlay, space);
    let Some(place) = canvas.layout.places.get(space).filter(|_| !signs.is_empty()) else {
        return Vec::new();
    };
    let mut taken: Vec<(Frame, i64)> =
        stacks::stack(canvas, space).iter().map(|c| (c.frame().wider(10), 3)).collect();
    taken.extend(labels::frames(canvas, space).into_iter().map(|f| (f.wider(10), 3)));
    taken.extend(labels::label_frame(canvas, space).map(|f| (f.wider(5), 1)));
    let mut out = Vec::new();
    for sign in signs {
        let spot = spot(place, &taken).unwrap_or(place.centre);
        taken.push((badge_frame(spot).wider(10), 9));
        out.push((sign, spot));
    }
    out
}

fn badge_frame(at: Point) -> Frame {
    Frame { left: at.x, top: at.y, right: at.x + BADGE.0, bottom: at.y + BADGE.1 }
}

/// The place in a space where a badge hides least.
fn spot(place: &Placement, taken: &[(Frame, i64)]) -> Option<Point> {
    const STEP: usize = 30;
    let all = Frame::of(place.outline.iter().copied())?;
    let rows = (all.top..all.bottom - BADGE.1).step_by(STEP);
    let spots = rows.flat_map(|y| {
        let inside = stacks::within(&place.outline, y, y + BADGE.1);
        let (left, right) = inside.unwrap_or((0, 0));
        (left + 30..right - BADGE.0 - 30).step_by(STEP).map(move |x| Point::at(x, y))
    });
    let cost = |at: &Point| {
        let frame = badge_frame(*at);
        let hidden: i64 = taken.iter().map(|(other, weight)| other.shared(&frame) * weight).sum();
        let aside = (at.x + BADGE.0 / 2 - place.centre.x).abs();
        (hidden, (all.bottom - at.y) + aside)
    };
    spots.min_by_key(cost)
}

/// What the badges cover.
pub(super) fn frames(canvas: &Canvas<'_>) -> Vec<Frame> {
    let Some(overlay) = &canvas.picture.overlay else { return Vec::new() };
    let all = (0..canvas.layout.places.len()).flat_map(|space| badges(canvas, overlay, space));
    all.map(|(_, at)| badge_frame(at)).collect()
}

fn ring(w: &mut Writer, corners: &str, sign: Sign) {
    let (_, colour, dashes, _) = sign.style();
    w.leaf(
        "polygon",
        &[
            ("points", &corners),
            ("fill", &colour),
            ("fill-opacity", &".1"),
            ("stroke", &colour),
            ("stroke-width", &"3.2"),
            ("stroke-dasharray", &dashes),
            ("stroke-linejoin", &"round"),
        ],
    );
}

fn stroke(w: &mut Writer, corners: &str) {
    for (colour, width, dashes) in [("#fffdf6", "6", "none"), ("#1d7a34", "3", "9 3 2 3")] {
        w.leaf(
            "polyline",
            &[
                ("points", &corners),
                ("fill", &"none"),
                ("stroke", &colour),
                ("stroke-width", &width),
                ("stroke-dasharray", &dashes),
                ("stroke-linejoin", &"round"),
            ],
        );
    }
}

/// The signs that a drawing has, each with its words.
pub(super) fn shown(overlay: &Overlay) -> Vec<(Sign, &'static str)> {
    SIGNS
        .into_iter()
        .filter(|s| overlay.marks.iter().any(|m| m.sign == *s))
        .map(|s| (s, s.words()))
        .collect()
}

/// A mark as the legend shows it.
pub(super) fn sample(w: &mut Writer, at: Point, sign: Sign) {
    let box_ = [at.moved(-200, -80), at.moved(200, -80), at.moved(200, 80), at.moved(-200, 80)];
    ring(w, &points(&box_), sign);
    labels::badge(w, at.moved(-60, -70), sign.style().0);
}

/// A restored line as the legend shows it.
pub(super) fn sample_line(w: &mut Writer, from: Point, to: Point) {
    stroke(w, &format!("{},{} {},{}", px(from.x), px(from.y), px(to.x), px(to.y)));
}
