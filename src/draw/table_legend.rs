//! The legend of a table: only what lies on it.

use super::geometry::{Point, points, px};
use super::palette::Stroke;
use super::picture::ZoneKind;
use super::table::{HEAD, ROW, Sheet, front, shape};
use super::type_size;
use super::write::Writer;

/// One row: what is drawn beside its words.
pub(super) enum Row {
    Side(Option<usize>),
    Area(usize),
    Line(usize),
    Zone(ZoneKind),
}

/// What the table shows.
pub(super) fn rows(sheet: &Sheet<'_>) -> Vec<(Row, String)> {
    let (picture, table) = (sheet.picture, sheet.table);
    let grounds = || table.grounds.iter().filter(|ground| sheet.shows(ground));
    let mut rows = Vec::new();
    for (at, name) in picture.sides.iter().enumerate() {
        if sheet.bases().any(|b| b.side == Some(at)) {
            rows.push((Row::Side(Some(at)), type_size::read(name)));
        }
    }
    for (at, kind) in picture.ground_kinds().iter().enumerate() {
        if grounds().any(|g| g.kind == at && g.closed) {
            rows.push((Row::Area(at), type_size::read(kind)));
        }
        if grounds().any(|g| g.kind == at && !g.closed) {
            rows.push((Row::Line(at), type_size::read(kind)));
        }
    }
    let words = [
        (ZoneKind::FrontLine, "front line"),
        (ZoneKind::Arc, "arc"),
        (ZoneKind::Flank, "behind the flank"),
        (ZoneKind::Rear, "behind the rear"),
    ];
    for (kind, word) in words {
        if sheet.bases().any(|b| b.zones.iter().any(|(k, _)| *k == kind)) {
            rows.push((Row::Zone(kind), word.to_owned()));
        }
    }
    rows
}

/// Draws the legend.
pub(super) fn draw(sheet: &Sheet<'_>, w: &mut Writer, rows: &[(Row, String)], left: i64) {
    w.begin("g", &[("id", &"legend")]);
    for (at, (row, words)) in (0i64..).zip(rows) {
        let y = HEAD + at * ROW;
        let box_of = |wide: i64, high: i64| {
            [
                Point::at(left, y),
                Point::at(left + wide, y),
                Point::at(left + wide, y + high),
                Point::at(left, y + high),
            ]
        };
        let corners = box_of(280, 140);
        sample(sheet, w, row, corners);
        w.text("text", &[("x", &px(left + 380)), ("y", &px(y + 110)), ("font-size", &"12")], words);
    }
    w.end();
}

/// What stands beside the words of a row, in a box of these corners.
fn sample(sheet: &Sheet<'_>, w: &mut Writer, row: &Row, corners: [Point; 4]) {
    let [from, to, _, low] = corners;
    match row {
        Row::Side(side) => {
            shape(sheet, w, &corners, *side);
            front(w, from, to);
        }
        Row::Area(kind) => {
            let fill = format!("url(#ground-{kind})");
            w.leaf(
                "polygon",
                &[("points", &points(&corners)), ("fill", &fill), ("stroke", &"#8d867a")],
            );
        }
        Row::Line(kind) => {
            let Stroke { colour, width, dashes } = sheet.stroke(*kind);
            let (from, to, middle) = (px(from.x), px(to.x), px((from.y + low.y) / 2));
            let ends: [(&str, &dyn std::fmt::Display); 7] = [
                ("x1", &from),
                ("y1", &middle),
                ("x2", &to),
                ("y2", &middle),
                ("stroke", &colour),
                ("stroke-width", &px(width)),
                ("stroke-dasharray", &dashes),
            ];
            w.leaf("line", &ends);
        }
        Row::Zone(kind) => {
            let (fill, stroke) = match kind {
                ZoneKind::FrontLine => ("none", "#2358a5"),
                ZoneKind::Arc => ("#dfe6f0", "#2358a5"),
                ZoneKind::Flank => ("url(#flank)", "#b06a10"),
                ZoneKind::Rear => ("url(#rear)", "#8c1c1c"),
            };
            let dashes = if *kind == ZoneKind::FrontLine { "6 4" } else { "none" };
            let corners = if *kind == ZoneKind::FrontLine { [from, to, to, from] } else { corners };
            w.leaf(
                "polygon",
                &[
                    ("points", &points(&corners)),
                    ("fill", &fill),
                    ("stroke", &stroke),
                    ("stroke-dasharray", &dashes),
                ],
            );
        }
    }
}
