//! The whole drawing as SVG, from the ground up: cells, links, lines, nodes, counters, legend.

use super::geometry::{Point, points, px};
use super::layout::Layout;
use super::picture::{LinkView, Picture, SpaceView};
use super::write::{Writer, id};
use super::{cells, counters, labels, legend, lines, overlay, palette};

/// A picture with its layout and what else every part of the drawing needs.
pub(super) struct Canvas<'a> {
    /// What is drawn.
    pub picture: &'a Picture,
    /// Where.
    pub layout: Layout,
    /// The letters of the sides.
    pub letters: Vec<String>,
    /// The ground of each terrain.
    pub grounds: Vec<usize>,
}

impl<'a> Canvas<'a> {
    /// Lays out a picture.
    pub fn of(picture: &'a Picture) -> Canvas<'a> {
        Canvas {
            picture,
            layout: Layout::of(picture),
            letters: picture.letters(),
            grounds: palette::grounds(&picture.terrains),
        }
    }

    /// Where the lines and links of a space meet.
    pub fn anchor(&self, space: usize) -> Option<Point> {
        let centre = self.layout.places.get(space)?.centre;
        Some(if self.picture.hexes.is_some() { centre.moved(0, -70) } else { centre })
    }
}

const STYLE: &str = "text{font-family:'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif;fill:#26221c}\
.halo{paint-order:stroke;stroke:#fffdf6;stroke-width:3px;stroke-linejoin:round}\
.name{font-size:11.5px;text-anchor:middle}.b{font-weight:bold}.m{text-anchor:middle}.w{fill:#fff}";

/// Draws a picture.
#[must_use]
pub fn svg(picture: &Picture) -> String {
    if let Some(table) = &picture.table {
        return super::table::svg(picture, table);
    }
    let canvas = Canvas::of(picture);
    let height = canvas.layout.height.max(legend::height(&canvas));
    let (width, height) = (px(canvas.layout.width + legend::WIDTH), px(height));
    let mut w = Writer::default();
    w.begin(
        "svg",
        &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("viewBox", &format!("0 0 {width} {height}")),
            ("width", &width),
            ("height", &height),
            ("role", &"img"),
        ],
    );
    w.text("title", &[], &picture.title);
    w.text("style", &[], STYLE);
    patterns(&canvas, &mut w);
    w.leaf("rect", &[("width", &width), ("height", &height), ("fill", &"#fbf8f0")]);
    head(picture, &mut w);
    group(&canvas, &mut w, "spaces", cell);
    w.begin("g", &[("id", &"links"), ("fill", &"none")]);
    for link in &picture.links {
        draw_link(&canvas, &mut w, *link);
    }
    w.end();
    lines::draw(&canvas, &mut w);
    group(&canvas, &mut w, "nodes", labels::node);
    lines::ends(&canvas, &mut w);
    overlay::draw(&canvas, &mut w);
    group(&canvas, &mut w, "units", counters::stack);
    legend::draw(&canvas, &mut w);
    w.finish()
}

fn group(
    canvas: &Canvas<'_>,
    w: &mut Writer,
    name: &'static str,
    each: fn(&Canvas<'_>, &mut Writer, usize),
) {
    w.begin("g", &[("id", &name)]);
    (0..canvas.picture.spaces.len()).for_each(|space| each(canvas, w, space));
    w.end();
}

fn head(picture: &Picture, w: &mut Writer) {
    w.text(
        "text",
        &[("x", &"24"), ("y", &"40"), ("font-size", &"26"), ("class", &"b")],
        &picture.title,
    );
    let trace = picture.trace.as_ref().map_or_else(String::new, |t| format!(", {}", t.name));
    let hash = picture.hash.get(..12).unwrap_or(&picture.hash);
    let asked = picture.overlay.as_ref().map_or_else(String::new, |o| format!(", {}", o.title));
    let line = format!("{}{trace}{asked}, rules {hash}", picture.ruleset);
    w.text(
        "text",
        &[("x", &"24"), ("y", &"60"), ("font-size", &"12"), ("fill-opacity", &".7")],
        &line,
    );
}

/// The fills of terrain and the overlays of what a side can reach.
fn patterns(canvas: &Canvas<'_>, w: &mut Writer) {
    w.begin("defs", &[]);
    for (at, ground) in canvas.grounds.iter().enumerate() {
        let Some(ground) = palette::GROUNDS.get(*ground) else { continue };
        w.begin("pattern", &pattern(&format!("ground-{at}"), &"16"));
        w.leaf("rect", &[("width", &"16"), ("height", &"16"), ("fill", &ground.fill)]);
        if !ground.path.is_empty() {
            w.leaf(
                "path",
                &[
                    ("d", &ground.path),
                    ("fill", &"none"),
                    ("stroke", &ground.ink),
                    ("stroke-width", &".9"),
                ],
            );
        }
        w.end();
    }
    w.begin("pattern", &pattern(&"unreached", &"8"));
    w.leaf(
        "path",
        &[
            ("d", &"M1 2h2M5 6h2"),
            ("stroke", &"#55504a"),
            ("stroke-width", &"1.6"),
            ("stroke-opacity", &".45"),
        ],
    );
    w.end();
    w.begin("pattern", &pattern(&"shut", &"10"));
    w.leaf(
        "path",
        &[
            ("d", &"M-2 2l4 -4M0 10l10 -10M8 12l4 -4"),
            ("stroke", &"#8c1c1c"),
            ("stroke-width", &"1.8"),
            ("stroke-opacity", &".75"),
        ],
    );
    w.end();
    w.end();
}

fn pattern<'a>(
    id: &'a dyn std::fmt::Display,
    size: &'a &'a str,
) -> [(&'a str, &'a dyn std::fmt::Display); 4] {
    [("id", id), ("width", size), ("height", size), ("patternUnits", &"userSpaceOnUse")]
}

/// The fill of a space: its terrain's pattern, or paper.
pub(super) fn ground(canvas: &Canvas<'_>, terrain: Option<usize>) -> String {
    match terrain {
        Some(terrain) if terrain < canvas.grounds.len() => format!("url(#ground-{terrain})"),
        _ => "#f4f0e6".to_owned(),
    }
}

fn cell(canvas: &Canvas<'_>, w: &mut Writer, at: usize) {
    let (Some(space), Some(place)) = (canvas.picture.spaces.get(at), canvas.layout.places.get(at))
    else {
        return;
    };
    w.begin("g", &[("id", &id("space", &space.id))]);
    w.text("title", &[], &labels::hover(canvas, space));
    let outline = points(&place.outline);
    w.leaf(
        "polygon",
        &[("points", &outline), ("fill", &ground(canvas, space.terrain)), ("stroke", &"#c9bfa8")],
    );
    if let Some(side) = space.control {
        let colour = palette::side(Some(side));
        let inner = points(&shrunk(place.centre, &place.outline, 16));
        w.leaf(
            "polygon",
            &[
                ("points", &inner),
                ("fill", &colour),
                ("fill-opacity", &".13"),
                ("stroke", &colour),
                ("stroke-width", &"3"),
                ("stroke-linejoin", &"round"),
            ],
        );
    }
    reached(canvas, w, space, place.centre, &place.outline);
    w.end();
}

/// What the side that asks can reach: a second border for a source, a veil where no line begins,
/// bars where none passes.
fn reached(
    canvas: &Canvas<'_>,
    w: &mut Writer,
    space: &SpaceView,
    centre: Point,
    outline: &[Point],
) {
    let Some(reach) = canvas.picture.side.and_then(|side| space.reach.get(side)) else {
        return;
    };
    let inner = points(&shrunk(centre, outline, 60));
    if reach.source.is_some() {
        w.leaf(
            "polygon",
            &[
                ("points", &inner),
                ("fill", &"none"),
                ("stroke", &"#26221c"),
                ("stroke-width", &"1.6"),
            ],
        );
    }
    if reach.length.is_none() {
        w.leaf("polygon", &[("points", &points(outline)), ("fill", &"url(#unreached)")]);
    }
    if reach.shut {
        w.leaf("polygon", &[("points", &inner), ("fill", &"url(#shut)")]);
    }
}

/// The corners moved toward the middle.
pub(super) fn shrunk(centre: Point, outline: &[Point], by: i64) -> Vec<Point> {
    outline.iter().map(|p| p.toward(centre, by)).collect()
}

fn draw_link(canvas: &Canvas<'_>, w: &mut Writer, link: LinkView) {
    let (Some(a), Some(b)) = (canvas.anchor(link.a), canvas.anchor(link.b)) else {
        return;
    };
    let hexside = canvas.picture.link_kinds.get(link.kind).is_some_and(|k| k.hexside);
    let (stroke, width, dashes) = palette::link(link.kind, hexside);
    let mut ends = (a, b);
    if hexside
        && let (Some(a), Some(b)) =
            (canvas.layout.places.get(link.a), canvas.layout.places.get(link.b))
        && let [from, to] = cells::shared(a, b).as_slice()
    {
        ends = (*from, *to);
    }
    w.leaf(
        "line",
        &[
            ("x1", &px(ends.0.x)),
            ("y1", &px(ends.0.y)),
            ("x2", &px(ends.1.x)),
            ("y2", &px(ends.1.y)),
            ("stroke", &stroke),
            ("stroke-width", &px(width)),
            ("stroke-dasharray", &dashes),
            ("stroke-opacity", if hexside { &".9" } else { &".55" }),
        ],
    );
}
