//! The mark of a space in which links cross and do not meet: the sides of a bridge along the line
//! that is drawn above.

use super::geometry::{Point, points};
use super::picture::CrossingView;
use super::svg::Canvas;
use super::write::Writer;

/// From the middle of the space to where the sides of the bridge turn out, and to their ends.
const LONG: (i64, i64) = (85, 125);
/// From the middle of the road to a side, and to the end of a side.
const BROAD: (i64, i64) = (62, 100);

/// Draws the marks of all crossings.
pub(super) fn draw(canvas: &Canvas<'_>, w: &mut Writer) {
    let picture = canvas.picture;
    for crossing in picture.crossings.iter().filter(|c| canvas.shown(c.space)) {
        let Some(sides) = sides(canvas, crossing) else { continue };
        let id = picture.spaces.get(crossing.space).map_or("", |space| &space.id);
        w.begin("g", &[]);
        w.text("title", &[], &format!("{id}: no junction of {}", crossing.plural));
        for side in &sides {
            let line = [("points", &points(side) as &dyn std::fmt::Display), ("fill", &"none")];
            let stroke: [(&str, &dyn std::fmt::Display); 2] =
                [("stroke", &"#26221c"), ("stroke-width", &"1.6")];
            w.leaf("polyline", &[line[0], line[1], stroke[0], stroke[1]]);
        }
        w.end();
    }
}

/// The two sides of the bridge over which the last line leads.
fn sides(canvas: &Canvas<'_>, crossing: &CrossingView) -> Option<[[Point; 4]; 2]> {
    let middle = canvas.anchor(crossing.space)?;
    let upper = crossing.lines.iter().rev().find(|line| !line.is_empty())?;
    let first = canvas.anchor(*upper.first()?)?;
    let other = upper.get(1).and_then(|space| canvas.anchor(*space));
    let ahead = |far: i64| middle.toward(first, far);
    let behind = |far: i64| other.map_or(middle.toward(first, -far), |to| middle.toward(to, far));
    let side = |left: i64| {
        let (near, out) = (BROAD.0 * left, BROAD.1 * left);
        let (front, back) = (ahead(LONG.1), behind(LONG.1));
        [
            front.aside(back, out),
            ahead(LONG.0).aside(back, near),
            behind(LONG.0).aside(front, -near),
            back.aside(front, -out),
        ]
    };
    Some([side(1), side(-1)])
}
