//! Marks over a map: where lines are shut or end, what would restore one, which spaces no line can
//! do without.

use super::geometry::{Placement, Point, points, px};
use super::svg::{Canvas, begin_part, shrunk};
use super::window::Frame;
use super::write::{Writer, id};
use super::{labels, type_size};

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

/// Draws the marks; they lie above the nodes and below the counters.
pub(super) fn draw(canvas: &Canvas<'_>, w: &mut Writer) {
    let Some(overlay) = &canvas.picture.overlay else { return };
    begin_part(canvas, w, "marks");
    for line in &overlay.lines {
        let corners: Vec<Point> = line.iter().filter_map(|s| canvas.anchor(*s)).collect();
        stroke(w, &points(&corners));
    }
    for (space, place) in canvas.layout.places.iter().enumerate() {
        let here: Vec<&Mark> = overlay.marks.iter().filter(|m| m.space == space).collect();
        if here.is_empty() {
            continue;
        }
        let name = canvas.picture.spaces.get(space).map_or("", |s| s.id.as_str());
        let read = type_size::read(name);
        w.begin("g", &[("id", &id("mark", name))]);
        let words: Vec<&str> = here.iter().map(|m| m.words.as_str()).collect();
        w.text("title", &[], &format!("{read}: {}", words.join("; ")));
        for (sign, at) in badges(overlay, space, place) {
            ring(w, &points(&shrunk(place.centre, &place.outline, sign.style().3)), sign);
            labels::badge(w, at, sign.style().0);
        }
        w.end();
    }
    w.end();
}

/// The signs of a space, each with the place of its badge.
fn badges(overlay: &Overlay, space: usize, place: &Placement) -> Vec<(Sign, Point)> {
    let has = |sign: &Sign| overlay.marks.iter().any(|m| m.space == space && m.sign == *sign);
    let low = place.outline.iter().map(|p| p.y).max().unwrap_or(place.centre.y);
    let at = |nth: i64| Point::at(place.centre.x - 60 + 130 * nth, low - 200);
    SIGNS.into_iter().filter(has).zip(0..).map(|(sign, nth)| (sign, at(nth))).collect()
}

/// What the badges cover.
pub(super) fn frames(canvas: &Canvas<'_>) -> Vec<Frame> {
    let Some(overlay) = &canvas.picture.overlay else { return Vec::new() };
    let places = canvas.layout.places.iter().enumerate();
    let all = places.flat_map(|(space, place)| badges(overlay, space, place));
    all.map(|(_, at)| Frame { left: at.x, top: at.y, right: at.x + 120, bottom: at.y + 140 })
        .collect()
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
