//! The counters of units: the colour of the side, the id, and the mark of the answer; the corners
//! tell the kinds apart.

use super::geometry::{Point, px};
use super::picture::{Picture, UnitView};
use super::stacks::{self, Counter, HEIGHT, MARK};
use super::svg::Canvas;
use super::write::{Attributes, Writer, id};

/// Draws the counters of a space.
pub(super) fn draw(canvas: &Canvas<'_>, w: &mut Writer, at: usize) {
    for counter in stacks::stack(canvas, at) {
        let words: Vec<String> = counter.units.iter().map(|u| hover(canvas.picture, u)).collect();
        let (prefix, name) = match counter.units.as_slice() {
            [unit] => ("unit", unit.id.as_str()),
            [unit, ..] => ("pile", unit.id.as_str()),
            [] => continue,
        };
        w.begin("g", &[("id", &id(prefix, name))]);
        w.text("title", &[], &words.join("; "));
        draw_counter(canvas, w, &counter);
        w.end();
    }
}

/// Draws one counter.
pub(super) fn draw_counter(canvas: &Canvas<'_>, w: &mut Writer, counter: &Counter<'_>) {
    let at = counter.at;
    let small = counter.size != 100;
    let place = format!(
        "translate({} {}) scale({}.{:02})",
        px(at.x),
        px(at.y),
        counter.size / 100,
        counter.size % 100
    );
    if small {
        w.begin("g", &[("transform", &place)]);
    }
    body(canvas, w, counter, if small { Point::default() } else { at });
    if small {
        w.end();
    }
}

fn body(canvas: &Canvas<'_>, w: &mut Writer, counter: &Counter<'_>, at: Point) {
    let Some(unit) = counter.units.first() else { return };
    let whole = counter.width();
    let mark = if counter.answer().is_some() { MARK } else { 0 };
    let corner = match unit.kind % 3 {
        0 => "1.5",
        1 => "7.5",
        _ => "4",
    };
    let was_other = counter.units.iter().any(|u| u.was.is_some());
    if counter.units.len() > 1 {
        // A second edge behind the counter: there is more than one.
        plate(w, at.moved(20, -20), whole, corner, canvas.side(unit.side));
    }
    plate(w, at, whole, corner, canvas.side(unit.side));
    if was_other {
        let frame: [(&str, &dyn std::fmt::Display); 5] = [
            ("x", &px(at.x - 35)),
            ("y", &px(at.y - 35)),
            ("width", &px(whole + 70)),
            ("height", &px(HEIGHT + 70)),
            ("rx", &"3"),
        ];
        flipped(w, "rect", &frame);
    }
    let middle = at.x + (whole - mark) / 2 + if mark > 0 { 6 } else { 0 };
    w.text(
        "text",
        &[("x", &px(middle)), ("y", &px(at.y + 111)), ("font-size", &"10"), ("class", &"b m w")],
        &counter.words,
    );
    let Some(yes) = counter.answer() else { return };
    // A yes stands dark on white, a no white on black: the two differ in print as well.
    let (fill, ink) = if yes { ("#fffdf6", "#26221c") } else { ("#171310", "#ffffff") };
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
        &[("d", &sign(centre, yes)), ("stroke", &ink), ("stroke-width", &"2"), ("fill", &"none")],
    );
}

/// A frame of dashes: the answer was another before the change.
pub(super) fn flipped(w: &mut Writer, tag: &'static str, shape: Attributes<'_>) {
    let look: [(&str, &dyn std::fmt::Display); 4] = [
        ("fill", &"none"),
        ("stroke", &"#c2185b"),
        ("stroke-width", &"3"),
        ("stroke-dasharray", &"6 3"),
    ];
    w.leaf(tag, &[shape, &look].concat());
}

fn plate(w: &mut Writer, at: Point, width: i64, corner: &str, fill: &str) {
    w.leaf(
        "rect",
        &[
            ("x", &px(at.x)),
            ("y", &px(at.y)),
            ("width", &px(width)),
            ("height", &px(HEIGHT)),
            ("rx", &corner),
            ("fill", &fill),
            ("stroke", &"#fffdf6"),
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
