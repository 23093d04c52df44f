//! The whole drawing as SVG, from the ground up: cells, links, lines, nodes, counters, names, and
//! the legend beside it.

use super::cells::HexSize;
use super::geometry::{Placement, Point, points, px};
use super::grounds::{self, Ground};
use super::layout::Layout;
use super::palette::{self, Stroke};
use super::picture::{LinkView, Picture, SpaceView};
use super::window::{self, Frame};
use super::write::{Writer, id};
use super::{
    cells, counters, crossings, defs, labels, layout, legend, lines, names, overlay, stacks,
    type_size,
};

/// A picture with its layout and what else every part of the drawing needs.
pub(super) struct Canvas<'a> {
    /// What is drawn.
    pub picture: &'a Picture,
    /// Where.
    pub layout: Layout,
    /// How large hexes are.
    pub hex: HexSize,
    /// The part of the map that is drawn, if it is not all.
    pub window: Option<Frame>,
    /// The letters of the sides.
    pub letters: Vec<String>,
    /// The ground of each terrain.
    pub grounds: Vec<Ground>,
    /// The stroke of each kind of link.
    pub strokes: Vec<Stroke>,
    colours: Vec<String>,
}

impl<'a> Canvas<'a> {
    /// Lays out a picture.
    pub fn of(picture: &'a Picture) -> Canvas<'a> {
        let mut layout = Layout::of(picture);
        let window = picture.near.as_ref().and_then(|near| window::cut(&mut layout, near));
        let kinds = picture.link_kinds.iter().map(|kind| (kind.like.as_str(), kind.hexside));
        Canvas {
            picture,
            layout,
            hex: layout::hex_size(picture),
            window,
            letters: picture.letters(),
            grounds: grounds::grounds(&picture.terrains_like),
            strokes: palette::strokes(kinds),
            colours: palette::sides(&picture.sides_like),
        }
    }

    /// Where the lines and links of a space meet.
    pub fn anchor(&self, space: usize) -> Option<Point> {
        let centre = self.layout.places.get(space)?.centre;
        let up = if self.picture.hexes.is_some() { self.hex.corner * 7 / 36 } else { 0 };
        Some(centre.moved(0, -up))
    }

    /// The foot of a name at the upper edge of a hex; none where spaces are no hexes.
    pub fn head_of_hex(&self, place: &Placement) -> Option<i64> {
        let hexes = self.picture.hexes.as_ref()?;
        let HexSize { corner, side } = self.hex;
        Some(place.centre.y - if hexes.flat { side - 130 } else { corner / 2 })
    }

    /// The colour of a side.
    pub fn side(&self, side: Option<usize>) -> &str {
        side.and_then(|s| self.colours.get(s)).map_or(palette::NOBODY, String::as_str)
    }

    /// Whether any part of a space is drawn.
    pub fn shown(&self, space: usize) -> bool {
        let outline = self.layout.places.get(space).map_or(&[][..], |p| &p.outline);
        let next = outline.iter().cycle().skip(1);
        self.window.is_none() || outline.iter().zip(next).any(|(a, b)| self.crossed(*a, *b))
    }

    /// Whether any part of a line is drawn.
    pub fn crossed(&self, from: Point, to: Point) -> bool {
        self.window.is_none_or(|window| window.crosses(from, to))
    }

    /// Whether what covers this belongs to the drawing: it has all of it, or it is about the space.
    pub fn whole(&self, space: usize, frame: &Frame) -> bool {
        let near = self.picture.near.as_ref().and_then(|near| near.get(space));
        near == Some(&true) || self.window.is_none_or(|window| window.contains(frame))
    }

    /// Where a link is drawn: from middle to middle, or along the side of two hexes.
    pub fn link_ends(&self, link: LinkView) -> Option<(Point, Point)> {
        let ends = (self.anchor(link.a)?, self.anchor(link.b)?);
        let places = &self.layout.places;
        if self.picture.link_kinds.get(link.kind).is_some_and(|k| k.hexside)
            && let (Some(a), Some(b)) = (places.get(link.a), places.get(link.b))
            && let [from, to] = cells::shared(a, b).as_slice()
        {
            return Some((*from, *to));
        }
        Some(ends)
    }

    /// The ends of the links that lead from one middle to another.
    pub fn links(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        let across =
            |link: &&LinkView| self.picture.link_kinds.get(link.kind).is_none_or(|k| !k.hexside);
        self.picture
            .links
            .iter()
            .filter(across)
            .filter(|link| self.shown(link.a) || self.shown(link.b))
            .filter_map(|link| Some((self.anchor(link.a)?, self.anchor(link.b)?)))
    }
}

/// A drawing that is a page of its own is no wider than its window, and one sheet when printed.
const FITTED: &str = "svg:root{max-width:100%;height:auto}\
@media print{svg:root{max-height:100vh}}";

/// Half the length and half the breadth of the arrow heads of one-way links. An equilateral head
/// would not show which corner is its tip.
const ARROW: (i64, i64) = (75, 38);

/// The sheet of a drawing that is wider than high.
const WIDE: &str = "@page{size:landscape}";

const STYLE: &str = "text{font-family:'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif;fill:#26221c}\
.halo{fill:#fffdf6;stroke:#fffdf6;stroke-width:3px;stroke-linejoin:round}\
.edge{fill:#5c564d}\
.name{font-size:11.5px;text-anchor:middle}.b{font-weight:bold}.m{text-anchor:middle}.w{fill:#fff}";

/// Draws a picture.
#[must_use]
pub fn svg(picture: &Picture) -> String {
    if let Some(table) = &picture.table {
        return super::table::svg(picture, table);
    }
    let canvas = Canvas::of(picture);
    let legend = legend::Plan::of(&canvas);
    let size = (legend.whole.0.max(head_width(picture)), legend.whole.1);
    let mut w = Writer::default();
    begin(&mut w, &Page { size, smallest: smallest(&canvas), style: STYLE }, &picture.title);
    defs::patterns(&canvas, &mut w);
    paper(&mut w, size);
    head(picture, &mut w);
    group(&canvas, &mut w, "spaces", cell);
    begin_part(&canvas, &mut w, "links");
    for link in picture.links.iter().filter(|l| canvas.shown(l.a) || canvas.shown(l.b)) {
        draw_link(&canvas, &mut w, *link);
    }
    w.end();
    if !picture.crossings.is_empty() {
        begin_part(&canvas, &mut w, "crossings");
        crossings::draw(&canvas, &mut w);
        w.end();
    }
    overlay::rings(&canvas, &mut w);
    lines::draw(&canvas, &mut w);
    lines::ends(&canvas, &mut w);
    overlay::restored(&canvas, &mut w);
    group(&canvas, &mut w, "nodes", labels::node);
    group(&canvas, &mut w, "units", counters::draw);
    overlay::draw(&canvas, &mut w);
    names::draw(&canvas, &mut w);
    legend::draw(&canvas, &legend, &mut w);
    w.finish()
}

/// How large a drawing is, and how its letters look.
pub(super) struct Page {
    /// In the unit of its points.
    pub size: (i64, i64),
    /// The size of its smallest names.
    pub smallest: i64,
    /// The style of its letters.
    pub style: &'static str,
}

/// At its own size no name of a drawing is smaller.
const READ: i64 = 90;

/// A length of a drawing at its own size.
pub(super) fn own(length: i64, smallest: i64) -> i64 {
    let small = smallest.clamp(1, READ);
    (length * READ + small - 1) / small
}

/// Begins a drawing. Its own size is that at which its smallest names can be read.
pub(super) fn begin(w: &mut Writer, page: &Page, title: &str) {
    let (width, height) = page.size;
    let own = |length: i64| px(own(length, page.smallest));
    w.begin(
        "svg",
        &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("viewBox", &format!("0 0 {} {}", px(width), px(height))),
            ("width", &own(width)),
            ("height", &own(height)),
            ("role", &"img"),
        ],
    );
    w.text("title", &[], title);
    let sheet = if width > height { WIDE } else { "" };
    w.text("style", &[], &format!("{}{FITTED}{sheet}", page.style));
}

/// The size of the smallest names on a map: of those on its counters, and the labels of hexes.
pub(super) fn smallest(canvas: &Canvas<'_>) -> i64 {
    let spaces = || (0..canvas.picture.spaces.len()).filter(|at| canvas.shown(*at));
    let counters = spaces().flat_map(|at| stacks::stack(canvas, at)).map(|counter| counter.size);
    let labels = spaces().filter_map(|at| labels::label_frame(canvas, at));
    counters.chain(labels.map(|_| labels::label_size(canvas))).min().unwrap_or(READ)
}

/// The paper, which is light whatever lies around it.
pub(super) fn paper(w: &mut Writer, (width, height): (i64, i64)) {
    let (width, height) = (px(width), px(height));
    w.leaf("rect", &[("width", &width), ("height", &height), ("fill", &"#fbf8f0")]);
}

/// Begins a part of the map, cut to the window if there is one.
pub(super) fn begin_part(canvas: &Canvas<'_>, w: &mut Writer, name: &'static str) {
    match canvas.window {
        Some(_) => w.begin("g", &[("id", &name), ("clip-path", &"url(#window)")]),
        None => w.begin("g", &[("id", &name)]),
    }
}

fn group(
    canvas: &Canvas<'_>,
    w: &mut Writer,
    name: &'static str,
    each: fn(&Canvas<'_>, &mut Writer, usize),
) {
    begin_part(canvas, w, name);
    let shown = (0..canvas.picture.spaces.len()).filter(|space| canvas.shown(*space));
    shown.for_each(|space| each(canvas, w, space));
    w.end();
}

/// The size of the title.
const TITLE: i64 = 260;

/// What stands below the title.
pub(super) fn subtitle(picture: &Picture) -> String {
    let hash = picture.hash.get(..12).unwrap_or(&picture.hash);
    let mut parts = vec![picture.ruleset.clone()];
    parts.extend(picture.setup.clone());
    parts.extend(picture.trace.as_ref().map(|t| t.name.clone()));
    parts.extend(picture.overlay.as_ref().map(|o| o.title.clone()));
    parts.extend(picture.around.as_ref().map(|names| format!("around {names}")));
    format!("{}, rules {hash}", type_size::read(&parts.join(", ")))
}

/// How wide a drawing must be for its title.
fn head_width(picture: &Picture) -> i64 {
    let title = type_size::width(&picture.title, TITLE) * 11 / 10;
    240 + title.max(type_size::width(&subtitle(picture), 120)) + 240
}

fn head(picture: &Picture, w: &mut Writer) {
    w.text(
        "text",
        &[("x", &"24"), ("y", &"40"), ("font-size", &px(TITLE)), ("class", &"b")],
        &picture.title,
    );
    w.text(
        "text",
        &[("x", &"24"), ("y", &"60"), ("font-size", &"12"), ("fill-opacity", &".7")],
        &subtitle(picture),
    );
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
        let colour = canvas.side(Some(side));
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
    if space.was.is_some() {
        let inner = points(&shrunk(place.centre, &place.outline, 90));
        counters::flipped(w, "polygon", &[("points", &inner)]);
    }
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
    let Some(ends) = canvas.link_ends(link) else { return };
    let hexside = canvas.picture.link_kinds.get(link.kind).is_some_and(|k| k.hexside);
    let Some(Stroke { colour, width, dashes }) = canvas.strokes.get(link.kind).copied() else {
        return;
    };
    w.leaf(
        "line",
        &[
            ("x1", &px(ends.0.x)),
            ("y1", &px(ends.0.y)),
            ("x2", &px(ends.1.x)),
            ("y2", &px(ends.1.y)),
            ("stroke", &colour),
            ("stroke-width", &px(width)),
            ("stroke-dasharray", &dashes),
            ("stroke-opacity", if hexside { &".9" } else { &".6" }),
        ],
    );
    if let (true, Some(corners)) = (link.one_way, arrow(canvas, link, ends)) {
        w.leaf("polygon", &[("points", &points(&corners)), ("fill", &colour)]);
    }
}

/// The head of an arrow in the middle of what is drawn, toward the space to which a link leads.
fn arrow(canvas: &Canvas<'_>, link: LinkView, (a, b): (Point, Point)) -> Option<[Point; 3]> {
    let (from, to) = (canvas.anchor(link.a)?, canvas.anchor(link.b)?);
    let middle = Point::at((a.x + b.x) / 2, (a.y + b.y) / 2);
    let tip = middle.moved((to.x - from.x) * 2, (to.y - from.y) * 2);
    let (long, broad) = ARROW;
    let (back, front) = (middle.toward(tip, -long), middle.toward(tip, long));
    Some([front, back.aside(front, broad), back.aside(front, -broad)])
}
