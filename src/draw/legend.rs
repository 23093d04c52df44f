//! The legend beside the map: only what the map shows.

use super::geometry::{Point, px};
use super::overlay::Sign;
use super::picture::{Answered, UnitView};
use super::svg::{Canvas, ground};
use super::write::Writer;
use super::{counters, labels, lines, overlay, palette};

/// How wide the legend is, in tenths of a pixel.
pub(super) const WIDTH: i64 = 2500;
/// From one row to the next.
const ROW: i64 = 215;
/// From the last row of a part to its successor's heading.
const PART: i64 = 330;
/// Where the first heading stands.
const TOP: i64 = 620;

/// One row: what is drawn, and the words beside it.
enum Row {
    Heading(String),
    Side(usize),
    Ground(usize),
    Link(usize),
    Unit(UnitView),
    Line(bool),
    Mark(Sign),
    Restored,
    Sign(&'static str),
}

fn rows(canvas: &Canvas<'_>) -> Vec<(Row, String)> {
    let picture = canvas.picture;
    let mut rows: Vec<(Row, String)> = Vec::new();
    let mut part = |name: &str, part: Vec<(Row, String)>| {
        if !part.is_empty() {
            rows.push((Row::Heading(name.to_owned()), String::new()));
            rows.extend(part);
        }
    };
    let seen = |side: usize| {
        picture.spaces.iter().any(|s| s.control == Some(side))
            || picture.units.iter().any(|u| u.side == Some(side))
    };
    let sides = picture.sides.iter().enumerate().filter(|(at, _)| seen(*at));
    part("Control", sides.map(|(at, name)| (Row::Side(at), name.clone())).collect());
    let grounds = picture
        .terrains
        .iter()
        .enumerate()
        .filter(|(at, _)| picture.spaces.iter().any(|s| s.terrain == Some(*at)));
    part("Terrain", grounds.map(|(at, name)| (Row::Ground(at), name.clone())).collect());
    let links = picture.link_kinds.iter().enumerate().filter(|(_, k)| k.drawn);
    part("Links", links.map(|(at, kind)| (Row::Link(at), kind.name.clone())).collect());
    let sample = |kind: usize, yes: Option<bool>| UnitView {
        id: "A1".to_owned(),
        kind,
        answer: yes.map(|yes| Answered { yes, ..Answered::default() }),
        ..UnitView::default()
    };
    let mut units: Vec<(Row, String)> = picture
        .unit_kinds
        .iter()
        .enumerate()
        .map(|(at, name)| (Row::Unit(sample(at, None)), name.clone()))
        .collect();
    if let Some(trace) =
        picture.trace.as_ref().filter(|_| picture.units.iter().any(|u| u.answer.is_some()))
    {
        units.push((Row::Unit(sample(0, Some(true))), trace.yes.clone()));
        units.push((Row::Unit(sample(0, Some(false))), trace.no.clone()));
        if picture.units.iter().any(|u| u.was.is_some()) {
            let flipped = UnitView { was: Some(String::new()), ..sample(0, Some(true)) };
            units.push((Row::Unit(flipped), "otherwise before".to_owned()));
        }
        part("Units", units);
        let (whole, broken) = lines::kinds(picture);
        let drawn = [
            (true, whole, format!("{}, to its source", trace.name)),
            (false, broken, "cut, and where it stops".to_owned()),
        ];
        part(
            "Lines",
            drawn
                .into_iter()
                .filter(|(_, any, _)| *any)
                .map(|(yes, _, words)| (Row::Line(yes), words))
                .collect(),
        );
    } else {
        part("Units", units);
    }
    if let Some(overlay) = &picture.overlay {
        let marks = overlay::shown(overlay)
            .into_iter()
            .map(|(sign, words)| (Row::Mark(sign), words.to_owned()));
        let restored = (!overlay.lines.is_empty())
            .then(|| (Row::Restored, "the line it would have".to_owned()));
        part("Marks", marks.chain(restored).collect());
    }
    if let Some(side) =
        picture.side.and_then(|s| picture.sides.get(s)).filter(|_| picture.trace.is_some())
    {
        let signs = [
            ("S", "a source"),
            ("2", "a line of that length"),
            ("-", "no line begins here"),
            ("-#", "no line passes here"),
        ];
        part(
            &format!("Spaces for {side}"),
            signs.into_iter().map(|(sign, words)| (Row::Sign(sign), words.to_owned())).collect(),
        );
    }
    rows
}

/// How much room the legend needs.
pub(super) fn height(canvas: &Canvas<'_>) -> i64 {
    rows(canvas)
        .iter()
        .map(|(row, _)| if matches!(row, Row::Heading(_)) { PART } else { ROW })
        .sum::<i64>()
        + TOP
        + PART
}

/// Draws the legend.
pub(super) fn draw(canvas: &Canvas<'_>, w: &mut Writer) {
    let left = canvas.layout.width + 100;
    let mut y = TOP;
    w.begin("g", &[("id", &"legend")]);
    for (row, words) in rows(canvas) {
        if let Row::Heading(name) = &row {
            y += PART;
            w.text(
                "text",
                &[("x", &px(left)), ("y", &px(y - 100)), ("font-size", &"14"), ("class", &"b")],
                name,
            );
            continue;
        }
        y += ROW;
        // The middle of what is drawn; the words stand beside it.
        let at = Point::at(left + 220, y - 140);
        draw_row(canvas, w, &row, at);
        w.text(
            "text",
            &[("x", &px(left + 520)), ("y", &px(at.y + 42)), ("font-size", &"12")],
            &words,
        );
    }
    w.end();
}

fn draw_row(canvas: &Canvas<'_>, w: &mut Writer, row: &Row, at: Point) {
    let (left, right) = (at.moved(-200, 0), at.moved(200, 0));
    match row {
        Row::Heading(_) => {}
        Row::Side(side) => labels::disc(canvas, w, at, *side),
        Row::Ground(terrain) => w.leaf(
            "rect",
            &[
                ("x", &px(left.x)),
                ("y", &px(left.y - 80)),
                ("width", &"40"),
                ("height", &"16"),
                ("fill", &ground(canvas, Some(*terrain))),
                ("stroke", &"#c9bfa8"),
            ],
        ),
        Row::Link(kind) => {
            let (stroke, width, dashes) = palette::link(
                *kind,
                canvas.picture.link_kinds.get(*kind).is_some_and(|k| k.hexside),
            );
            w.leaf(
                "line",
                &[
                    ("x1", &px(left.x)),
                    ("y1", &px(left.y)),
                    ("x2", &px(right.x)),
                    ("y2", &px(right.y)),
                    ("stroke", &stroke),
                    ("stroke-width", &px(width)),
                    ("stroke-dasharray", &dashes),
                ],
            );
        }
        Row::Unit(unit) => counters::counter(w, unit, at.moved(-counters::width(unit) / 2, -75)),
        Row::Mark(sign) => overlay::sample(w, at, *sign),
        Row::Restored => overlay::sample_line(w, left, right),
        Row::Line(yes) => lines::sample(w, left, right, *yes),
        Row::Sign(sign) => {
            if *sign == "-#" || *sign == "-" {
                let fill = if *sign == "-" { "url(#unreached)" } else { "url(#shut)" };
                let corner = left.moved(0, -80);
                w.leaf(
                    "rect",
                    &[
                        ("x", &px(corner.x)),
                        ("y", &px(corner.y)),
                        ("width", &"40"),
                        ("height", &"16"),
                        ("fill", &fill),
                    ],
                );
            }
            labels::badge(w, at.moved(-60, -70), if *sign == "-#" { "#" } else { sign });
        }
    }
}
