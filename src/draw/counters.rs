//! The counters of units: the colour of the side, the id, and the mark of the answer; the corners
//! tell the kinds apart.

use super::geometry::{Point, px};
use super::palette;
use super::picture::{Picture, UnitView};
use super::svg::Canvas;
use super::write::{Writer, id};

/// How high a counter is.
const HEIGHT: i64 = 150;
/// How wide the box of its mark is.
const MARK: i64 = 120;
/// Between two counters.
const GAP: i64 = 20;
/// Rows of counters grow no wider than this, unless one alone is wider.
const ROW: i64 = 840;
/// Ids longer than this are cut; the whole id stands in the text for the pointer.
const LONG: usize = 12;

/// Draws the counters of a space below its node.
pub(super) fn stack(canvas: &Canvas<'_>, w: &mut Writer, at: usize) {
    let (Some(space), Some(anchor)) = (canvas.picture.spaces.get(at), canvas.anchor(at)) else {
        return;
    };
    let row = if canvas.picture.hexes.is_some() { 640 } else { ROW };
    let mut rows: Vec<Vec<&UnitView>> = Vec::new();
    let mut filled = row;
    for unit in space.units.iter().filter_map(|u| canvas.picture.units.get(*u)) {
        let width = width(unit) + GAP;
        match rows.last_mut() {
            Some(last) if filled + width <= row => {
                last.push(unit);
                filled += width;
            }
            _ => {
                rows.push(vec![unit]);
                filled = width;
            }
        }
    }
    let mut y = anchor.y + 110;
    for row in rows {
        let whole: i64 = row.iter().map(|u| width(u) + GAP).sum::<i64>() - GAP;
        let mut x = anchor.x - whole / 2;
        for unit in row {
            w.begin("g", &[("id", &id("unit", &unit.id))]);
            w.text("title", &[], &hover(canvas.picture, unit));
            counter(w, unit, Point::at(x, y));
            w.end();
            x += width(unit) + GAP;
        }
        y += HEIGHT + GAP;
    }
}

fn shown(unit: &UnitView) -> String {
    if unit.id.chars().count() <= LONG {
        return unit.id.clone();
    }
    unit.id.chars().take(LONG - 1).chain(['\u{2026}']).collect()
}

/// How wide the counter of a unit is.
pub(super) fn width(unit: &UnitView) -> i64 {
    let letters = i64::try_from(shown(unit).chars().count()).unwrap_or(0);
    (70 + 66 * letters).max(200) + if unit.answer.is_some() { MARK } else { 0 }
}

/// Draws one counter.
pub(super) fn counter(w: &mut Writer, unit: &UnitView, at: Point) {
    let whole = width(unit);
    let mark = if unit.answer.is_some() { MARK } else { 0 };
    let corner = match unit.kind % 3 {
        0 => "1.5",
        1 => "7.5",
        _ => "4",
    };
    w.leaf(
        "rect",
        &[
            ("x", &px(at.x)),
            ("y", &px(at.y)),
            ("width", &px(whole)),
            ("height", &px(HEIGHT)),
            ("rx", &corner),
            ("fill", &palette::side(unit.side)),
            ("stroke", &"#fffdf6"),
        ],
    );
    if unit.was.is_some() {
        // A frame of dashes around the counter: the answer was another before the change.
        w.leaf(
            "rect",
            &[
                ("x", &px(at.x - 35)),
                ("y", &px(at.y - 35)),
                ("width", &px(whole + 70)),
                ("height", &px(HEIGHT + 70)),
                ("rx", &"3"),
                ("fill", &"none"),
                ("stroke", &"#c2185b"),
                ("stroke-width", &"3"),
                ("stroke-dasharray", &"6 3"),
            ],
        );
    }
    let middle = at.x + (whole - mark) / 2 + if mark > 0 { 6 } else { 0 };
    w.text(
        "text",
        &[("x", &px(middle)), ("y", &px(at.y + 111)), ("font-size", &"10"), ("class", &"b m w")],
        &shown(unit),
    );
    let Some(answer) = &unit.answer else { return };
    // A yes stands dark on white, a no white on black: the two differ in print as well.
    let (fill, ink) = if answer.yes { ("#fffdf6", "#26221c") } else { ("#171310", "#ffffff") };
    let left = at.x + whole - mark;
    w.leaf(
        "rect",
        &[
            ("x", &px(left - 10)),
            ("y", &px(at.y + 15)),
            ("width", &px(mark - 5)),
            ("height", &px(HEIGHT - 30)),
            ("rx", &(if corner == "7.5" { "6" } else { "1" })),
            ("fill", &fill),
        ],
    );
    let centre = Point::at(left - 10 + (mark - 5) / 2, at.y + HEIGHT / 2);
    w.leaf(
        "path",
        &[
            ("d", &sign(centre, answer.yes)),
            ("stroke", &ink),
            ("stroke-width", &"2"),
            ("fill", &"none"),
        ],
    );
}

/// A plus, or a cross.
fn sign(at: Point, yes: bool) -> String {
    let arms = if yes { [(0, 36), (36, 0)] } else { [(28, 28), (28, -28)] };
    arms.iter()
        .map(|(x, y)| {
            format!("M{} {}L{} {}", px(at.x - x), px(at.y - y), px(at.x + x), px(at.y + y))
        })
        .collect()
}

fn hover(picture: &Picture, unit: &UnitView) -> String {
    let side = unit
        .side
        .and_then(|s| picture.sides.get(s))
        .map_or_else(String::new, |s| format!(" of {s}"));
    let kind = picture.unit_kinds.get(unit.kind).map_or("", String::as_str);
    let word = match (&unit.answer, &picture.trace) {
        (Some(a), Some(t)) => format!(": {}, ", if a.yes { &t.yes } else { &t.no }),
        _ => ": ".to_owned(),
    };
    let title = if unit.title == unit.id { String::new() } else { format!(" ({})", unit.title) };
    let was =
        unit.was.as_ref().map_or_else(String::new, |was| format!("; before the change {was}"));
    format!("{kind} {}{title}{side}{word}{}{was}", unit.id, picture.why(unit))
}
