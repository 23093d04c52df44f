//! The node of a space: a disc with the letter of the side that controls it, its name, and a badge
//! with what the side that asks can reach.

use super::geometry::{Point, px};
use super::palette;
use super::picture::{Picture, SpaceView};
use super::svg::Canvas;
use super::write::{Writer, id};

/// Names longer than this are written in two lines.
const LONG: usize = 13;

/// Draws the node of a space.
pub(super) fn node(canvas: &Canvas<'_>, w: &mut Writer, at: usize) {
    let (Some(space), Some(anchor)) = (canvas.picture.spaces.get(at), canvas.anchor(at)) else {
        return;
    };
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
    name(canvas, w, space, anchor);
    w.end();
}

/// A disc in the colour of a side, with its letter.
pub(super) fn disc(canvas: &Canvas<'_>, w: &mut Writer, at: Point, side: usize) {
    let colour = palette::side(Some(side));
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

/// A badge with a sign of [`super::Reach`].
pub(super) fn badge(w: &mut Writer, at: Point, sign: &str) {
    let width = 60 + 60 * i64::try_from(sign.chars().count()).unwrap_or(1);
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

fn name(canvas: &Canvas<'_>, w: &mut Writer, space: &SpaceView, anchor: Point) {
    let hexes = canvas.picture.hexes.is_some();
    // Most hexes have a label for a name, and it stands small above all else.
    if hexes && space.title == space.id {
        let attributes: [(&str, &dyn std::fmt::Display); 5] = [
            ("x", &px(anchor.x)),
            ("y", &px(anchor.y - 155)),
            ("font-size", &"7"),
            ("class", &"m"),
            ("fill-opacity", &".6"),
        ];
        w.text("text", &attributes, &space.id);
        return;
    }
    let lines = split(&space.title);
    let top = anchor.y
        - if hexes { 110 } else { 130 }
        - 120 * (i64::try_from(lines.len()).unwrap_or(1) - 1);
    for (row, line) in (0i64..).zip(lines) {
        w.text(
            "text",
            &[("x", &px(anchor.x)), ("y", &px(top + row * 120)), ("class", &"name halo")],
            &line,
        );
    }
}

/// A name in one line or two, broken at the blank nearest to its middle.
fn split(name: &str) -> Vec<String> {
    let count = name.chars().count();
    if count <= LONG {
        return vec![name.to_owned()];
    }
    let blanks = name.char_indices().enumerate().filter(|(_, (_, c))| *c == ' ');
    match blanks.min_by_key(|(nth, _)| nth.abs_diff(count / 2)) {
        Some((_, (at, _))) => {
            let (first, second) = name.split_at(at);
            vec![first.to_owned(), second.trim_start().to_owned()]
        }
        None => vec![name.to_owned()],
    }
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
        space.control.map_or_else(|| "nobody's".to_owned(), |s| format!("control {}", side(s))),
    );
    parts.extend(space.terrain.and_then(|t| picture.terrains.get(t)).cloned());
    if let Some(asked) = picture.side
        && let Some(reach) = space.reach.get(asked)
    {
        parts.push(format!("{}: {}", side(asked), reach.words()));
    }
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
