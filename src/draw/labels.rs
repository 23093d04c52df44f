//! The node of a space: a disc with the letter of the side that controls it, the label of a hex,
//! and a badge with what the side that asks can reach.

use super::geometry::{Point, px};
use super::palette;
use super::picture::{Picture, SpaceView};
use super::svg::Canvas;
use super::type_size;
use super::window::Frame;
use super::write::{Writer, id};

/// Draws the node of a space.
pub(super) fn node(canvas: &Canvas<'_>, w: &mut Writer, at: usize) {
    let (Some(space), Some(anchor)) = (canvas.picture.spaces.get(at), canvas.anchor(at)) else {
        return;
    };
    if !frames(canvas, at).iter().all(|frame| canvas.whole(at, frame)) {
        return;
    }
    w.begin("g", &[("id", &id("node", &space.id))]);
    w.text("title", &[], &hover(canvas, space));
    match space.control {
        Some(side) => disc(canvas, w, anchor, side),
        // A hex needs no node; an area does, for its links end there.
        None if canvas.picture.hexes.is_some() => {}
        None => w.leaf(
            "circle",
            &[
                ("cx", &px(anchor.x)),
                ("cy", &px(anchor.y)),
                ("r", &"3.5"),
                ("fill", &"#fffdf6"),
                ("stroke", &palette::NOBODY),
                ("stroke-width", &"1.6"),
            ],
        ),
    }
    if let Some(reach) = canvas.picture.side.and_then(|side| space.reach.get(side)) {
        badge(w, anchor.moved(100, -70), &reach.sign());
    }
    label(canvas, w, at, space);
    w.end();
}

/// A disc in the colour of a side, with its letter.
pub(super) fn disc(canvas: &Canvas<'_>, w: &mut Writer, at: Point, side: usize) {
    let colour = canvas.side(Some(side));
    w.leaf(
        "circle",
        &[
            ("cx", &px(at.x)),
            ("cy", &px(at.y)),
            ("r", &"8"),
            ("fill", &"#fffdf6"),
            ("stroke", &colour),
            ("stroke-width", &"2.6"),
        ],
    );
    let letters = canvas.letters.get(side).map_or("", String::as_str);
    let size = if letters.chars().count() > 1 { "8" } else { "10.5" };
    let y = at.y + if size == "8" { 28 } else { 37 };
    w.text(
        "text",
        &[("x", &px(at.x)), ("y", &px(y)), ("font-size", &size), ("class", &"b m")],
        letters,
    );
}

fn badge_width(sign: &str) -> i64 {
    60 + 60 * i64::try_from(sign.chars().count()).unwrap_or(1)
}

/// A badge with a sign of [`super::Reach`].
pub(super) fn badge(w: &mut Writer, at: Point, sign: &str) {
    let width = badge_width(sign);
    w.leaf(
        "rect",
        &[
            ("x", &px(at.x)),
            ("y", &px(at.y)),
            ("width", &px(width)),
            ("height", &"14"),
            ("rx", &"3"),
            ("fill", &"#fffdf6"),
            ("stroke", &"#26221c"),
        ],
    );
    w.text(
        "text",
        &[
            ("x", &px(at.x + width / 2)),
            ("y", &px(at.y + 108)),
            ("font-size", &"10.5"),
            ("class", &"b m"),
        ],
        sign,
    );
}

/// Whether a space has a label in the place of a name: most hexes do.
pub(super) fn is_label(picture: &Picture, space: &SpaceView) -> bool {
    picture.hexes.is_some() && space.title == space.id
}

/// The size of labels of hexes: in proportion to the hexes, as far as that can be read.
pub(super) fn label_size(canvas: &Canvas<'_>) -> i64 {
    (canvas.hex.corner / 5).clamp(70, 100)
}

/// Where the label of a hex stands: the middle of its foot.
fn label_at(canvas: &Canvas<'_>, at: usize) -> Option<Point> {
    canvas.picture.spaces.get(at).filter(|s| is_label(canvas.picture, s))?;
    let place = canvas.layout.places.get(at)?;
    let head = canvas.head_of_hex(place)?;
    Some(Point::at(place.centre.x, head - 113 + label_size(canvas)))
}

/// What the label of a hex covers.
pub(super) fn label_frame(canvas: &Canvas<'_>, at: usize) -> Option<Frame> {
    let foot = label_at(canvas, at)?;
    let size = label_size(canvas);
    let half = type_size::width(&canvas.picture.spaces.get(at)?.id, size) / 2;
    Some(Frame { left: foot.x - half, top: foot.y - size, right: foot.x + half, bottom: foot.y })
}

/// Labels stand small at the upper edge of their hexes, with light around them where a line runs.
fn label(canvas: &Canvas<'_>, w: &mut Writer, at: usize, space: &SpaceView) {
    let Some(foot) = label_at(canvas, at) else { return };
    if !label_frame(canvas, at).is_some_and(|frame| canvas.whole(at, &frame)) {
        return;
    }
    for class in ["m halo", "m edge"] {
        w.text(
            "text",
            &[
                ("x", &px(foot.x)),
                ("y", &px(foot.y)),
                ("font-size", &px(label_size(canvas))),
                ("class", &class),
            ],
            &space.id,
        );
    }
}

/// What the node and the badge of a space cover.
pub(super) fn frames(canvas: &Canvas<'_>, at: usize) -> Vec<Frame> {
    let (Some(space), Some(anchor)) = (canvas.picture.spaces.get(at), canvas.anchor(at)) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    match space.control {
        Some(_) => out.push(Frame::around(anchor, 95, 95)),
        None if canvas.picture.hexes.is_some() => {}
        None => out.push(Frame::around(anchor, 45, 45)),
    }
    out.extend(reach_frame(canvas, at));
    out
}

/// What the badge of a space covers that says how the side that asks reaches it.
pub(super) fn reach_frame(canvas: &Canvas<'_>, at: usize) -> Option<Frame> {
    let reach = canvas.picture.spaces.get(at)?.reach.get(canvas.picture.side?)?;
    let Point { x, y } = canvas.anchor(at)?;
    let (left, top) = (x + 100, y - 70);
    Some(Frame { left, top, right: left + badge_width(&reach.sign()), bottom: top + 140 })
}

/// What a space says when the pointer rests on it.
pub(super) fn hover(canvas: &Canvas<'_>, space: &SpaceView) -> String {
    let picture = canvas.picture;
    let side = |s: usize| picture.sides.get(s).map_or("", String::as_str);
    let mut parts = vec![if space.title == space.id {
        space.id.clone()
    } else {
        format!("{} ({})", space.title, space.id)
    }];
    parts.push(
        space
            .control
            .map_or_else(|| "no side controls it".to_owned(), |s| format!("control {}", side(s))),
    );
    parts.extend(space.terrain.and_then(|t| picture.terrains.get(t)).cloned());
    if let Some(asked) = picture.side
        && let Some(reach) = space.reach.get(asked)
    {
        let from = picture.trace.as_ref().and_then(|trace| trace.from.as_deref());
        parts.push(match from {
            Some(unit) => format!("{unit}: {}", reach.words_of_unit()),
            None => format!("{}: {}", side(asked), reach.words()),
        });
    }
    parts.extend(space.was.as_ref().map(|was| format!("before the change {was}")));
    let units: Vec<String> = space
        .units
        .iter()
        .filter_map(|u| picture.units.get(*u))
        .map(|u| format!("{} {}", u.id, Picture::mark(u)).trim_end().to_owned())
        .collect();
    if !units.is_empty() {
        parts.push(units.join(", "));
    }
    parts.join("; ")
}
