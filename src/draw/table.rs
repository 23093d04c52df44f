//! A table as SVG: the ground, the bases with their fronts, and the zones around those that are
//! asked about.
//!
//! North is above. A side is told by its colour and by the border of its bases, so that print
//! without colours tells them apart too; the front edge bears a bar and a point.

use super::around::Nearby;
use super::defs::{ground_patterns, pattern};
use super::geometry::{Point, points, px};
use super::grounds::{self, Ground};
use super::palette::{self, Stroke};
use super::picture::{BaseView, GroundView, Picture, TablePoint, TableView, ZoneKind};
use super::svg::Page;
use super::write::{Writer, id};
use super::{table_legend, type_size};
use crate::map::{Coordinate, FARTHEST};

/// Around the table, in tenths of a pixel.
const MARGIN: i64 = 400;
/// Above it, for the title.
pub(super) const HEAD: i64 = 800;
/// Below it, for the scale.
const FOOT: i64 = 700;
/// The legend beside it.
const LEGEND: i64 = 2400;
/// One row of the legend.
pub(super) const ROW: i64 = 240;
/// How a length of 1 is drawn, at most and at least.
const LARGE: i64 = 720;
const SMALL: i64 = 120;
/// No table is drawn wider, if its bases can still be seen.
const WIDEST: i64 = 15_000;

const STYLE: &str = "text{font-family:'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif;fill:#26221c}\
.b{font-weight:bold}.m{text-anchor:middle}.w{fill:#fff}.i{font-style:italic}\
.halo{stroke-width:3px;stroke-linejoin:round}";

/// The dashes of the inner border of a side's bases.
const BORDERS: [&str; 4] = ["none", "5 3", "1 3", "8 3 2 3"];

pub(super) struct Sheet<'a> {
    pub picture: &'a Picture,
    pub table: &'a TableView,
    /// Tenths of a pixel for a length of 1.
    scale: i64,
    /// The lower left corner of what is drawn, and its width and depth.
    corner: TablePoint,
    size: TablePoint,
    /// For each kind of ground its pattern, and its stroke where it is a line.
    grounds: Vec<Ground>,
    strokes: Vec<Stroke>,
    /// The colours of the sides.
    colours: Vec<String>,
}

impl Sheet<'_> {
    /// The bases that are drawn: those that lie whole in what is drawn.
    pub fn bases(&self) -> impl Iterator<Item = &BaseView> {
        let (corner, size) = (self.corner, self.size);
        let inside = move |(x, y): &TablePoint| {
            corner.0 <= *x && *x <= corner.0 + size.0 && corner.1 <= *y && *y <= corner.1 + size.1
        };
        let whole = self.table.window.is_none();
        self.table.bases.iter().filter(move |base| whole || base.corners.iter().all(inside))
    }

    fn length(&self, length: Coordinate) -> i64 {
        (length * Coordinate::from_integer(self.scale)).round().to_integer()
    }

    fn at(&self, (x, y): (Coordinate, Coordinate)) -> Point {
        let (left, bottom) = self.corner;
        Point::at(MARGIN + self.length(x - left), HEAD + self.length(bottom + self.size.1 - y))
    }

    fn side(&self, side: Option<usize>) -> &str {
        side.and_then(|s| self.colours.get(s)).map_or(palette::NOBODY, String::as_str)
    }

    /// Whether any of a piece of ground lies in what is drawn, as far as its frame says.
    pub fn shows(&self, ground: &GroundView) -> bool {
        let ((left, bottom), (wide, deep)) = (self.corner, self.size);
        let meets = |from: Coordinate, to: Coordinate, part: fn(&TablePoint) -> Coordinate| {
            ground.points.iter().any(|p| part(p) > from)
                && ground.points.iter().any(|p| part(p) < to)
        };
        self.table.window.is_none()
            || (meets(left, left + wide, |p| p.0) && meets(bottom, bottom + deep, |p| p.1))
    }

    pub fn stroke(&self, kind: usize) -> Stroke {
        let plain = Stroke { colour: palette::NOBODY, width: 30, dashes: "none" };
        self.strokes.get(kind).copied().unwrap_or(plain)
    }

    fn outline(&self, corners: &[(Coordinate, Coordinate)]) -> Vec<Point> {
        corners.iter().map(|corner| self.at(*corner)).collect()
    }
}

/// Where the drawing puts the point (0, 0), and how long a length of 1 is, in tenths of a pixel.
pub(super) fn frame(table: &TableView) -> serde_json::Value {
    let scale = scale(table.width);
    let deep = (table.depth * Coordinate::from_integer(scale)).round().to_integer();
    serde_json::json!({
        "left": MARGIN, "bottom": HEAD + deep, "scale": scale, "measure": table.measure,
    })
}

fn scale(width: Coordinate) -> i64 {
    (WIDEST / width.ceil().to_integer().max(1)).clamp(SMALL, LARGE)
}

/// The part of a table around some units and pieces of ground: as far as is asked from each corner.
pub(super) fn window(
    table: &TableView,
    near: &Nearby,
    away: usize,
) -> Option<(TablePoint, TablePoint)> {
    let bases = near.bases.iter().filter_map(|b| table.bases.get(*b)).map(|b| &b.corners);
    let grounds = table.grounds.iter().filter(|g| near.spaces.contains(&g.space));
    let corners: Vec<&TablePoint> = bases.chain(grounds.map(|g| &g.points)).flatten().collect();
    let away = Coordinate::from_integer(i64::try_from(away).unwrap_or(i64::MAX).min(FARTHEST));
    let nothing = Coordinate::from_integer(0);
    let low = |part: fn(&TablePoint) -> Coordinate| {
        corners.iter().map(|c| part(c)).min().map(|low| (low - away).max(nothing))
    };
    let high = |part: fn(&TablePoint) -> Coordinate, most: Coordinate| {
        corners.iter().map(|c| part(c)).max().map(|high| (high + away).min(most))
    };
    let from = (low(|c| c.0)?, low(|c| c.1)?);
    let to = (high(|c| c.0, table.width)?, high(|c| c.1, table.depth)?);
    Some(around_whole(table, from, to))
}

/// A part of the table, grown so that it holds all of each base of which it holds a corner.
fn around_whole(table: &TableView, from: TablePoint, to: TablePoint) -> (TablePoint, TablePoint) {
    let holds = |(x, y): &TablePoint| from.0 < *x && *x < to.0 && from.1 < *y && *y < to.1;
    let bases = table.bases.iter().filter(|base| base.corners.iter().any(holds));
    let (mut low, mut high) = (from, to);
    for (x, y) in bases.flat_map(|base| &base.corners) {
        low = (low.0.min(*x), low.1.min(*y));
        high = (high.0.max(*x), high.1.max(*y));
    }
    let nothing = Coordinate::from_integer(0);
    ((low.0.max(nothing), low.1.max(nothing)), (high.0.min(table.width), high.1.min(table.depth)))
}

/// Lays a table out.
fn sheet<'a>(picture: &'a Picture, table: &'a TableView) -> Sheet<'a> {
    let kinds = picture.ground_kinds();
    let nothing = Coordinate::from_integer(0);
    let (corner, far) = table.window.unwrap_or(((nothing, nothing), (table.width, table.depth)));
    let size = (far.0 - corner.0, far.1 - corner.1);
    Sheet {
        picture,
        table,
        scale: scale(size.0),
        corner,
        size,
        grounds: grounds::grounds(&kinds),
        strokes: palette::strokes(kinds.iter().map(|kind| (kind.as_str(), true))),
        colours: palette::sides(&picture.sides_like),
    }
}

/// Where the middles of the bases are drawn.
pub(super) fn middles(picture: &Picture, table: &TableView) -> Vec<Point> {
    let sheet = sheet(picture, table);
    let middle = |base: &BaseView| {
        let outline = sheet.outline(&base.corners);
        let count = long(outline.len()).max(1);
        let sum = outline.iter().fold(Point::default(), |sum, p| sum.moved(p.x, p.y));
        Point::at(sum.x / count, sum.y / count)
    };
    sheet.bases().map(middle).collect()
}

/// Draws a table.
pub(super) fn svg(picture: &Picture, table: &TableView) -> String {
    let sheet = sheet(picture, table);
    let (inner, deep) = (sheet.length(sheet.size.0), sheet.length(sheet.size.1));
    let legend = table_legend::rows(&sheet);
    let title = MARGIN + type_size::width(&picture.title, 264) + MARGIN;
    let (width, height) = (
        (inner + 2 * MARGIN + LEGEND).max(title),
        (HEAD + deep + FOOT).max(HEAD + long(legend.len()) * ROW),
    );
    let mut w = Writer::default();
    let page = Page { size: (width, height), smallest: SMALLEST, style: STYLE };
    super::svg::begin(&mut w, &page, &picture.title);
    patterns(&sheet, (inner, deep), &mut w);
    super::svg::paper(&mut w, page.size);
    head(picture, &mut w);
    w.leaf(
        "rect",
        &[
            ("x", &px(MARGIN)),
            ("y", &px(HEAD)),
            ("width", &px(inner)),
            ("height", &px(deep)),
            ("fill", &"#eef0dd"),
        ],
    );
    grid(&sheet, &mut w);
    begin_part(&sheet, &mut w, "ground");
    table.grounds.iter().for_each(|ground| draw_ground(&sheet, &mut w, ground));
    w.end();
    begin_part(&sheet, &mut w, "zones");
    sheet.bases().for_each(|base| draw_zones(&sheet, &mut w, base));
    w.end();
    begin_part(&sheet, &mut w, "names");
    table.grounds.iter().for_each(|ground| ground_name(&sheet, &mut w, ground));
    w.end();
    edges(&sheet, &mut w);
    w.begin("g", &[("id", &"units")]);
    sheet.bases().for_each(|base| draw_base(&sheet, &mut w, base));
    w.end();
    scale_bar(&sheet, &mut w, HEAD + deep + 300);
    table_legend::draw(&sheet, &mut w, &legend, inner + 2 * MARGIN);
    w.finish()
}

/// The edges of what is drawn: of the table, or dashes where it goes on.
fn edges(sheet: &Sheet<'_>, w: &mut Writer) {
    let ((left, bottom), (wide, deep)) = (sheet.corner, sheet.size);
    let (right, top) = (left + wide, bottom + deep);
    let (table, nothing) = (sheet.table, Coordinate::from_integer(0));
    w.begin("g", &[("id", &"edges"), ("stroke", &"#6f6656"), ("stroke-width", &"1.5")]);
    for (a, b, is_edge) in [
        ((left, bottom), (right, bottom), bottom == nothing),
        ((right, bottom), (right, top), right == table.width),
        ((right, top), (left, top), top == table.depth),
        ((left, top), (left, bottom), left == nothing),
    ] {
        let (a, b) = (sheet.at(a), sheet.at(b));
        let dashes = if is_edge { "none" } else { "2 6" };
        w.leaf(
            "line",
            &[
                ("x1", &px(a.x)),
                ("y1", &px(a.y)),
                ("x2", &px(b.x)),
                ("y2", &px(b.y)),
                ("stroke-dasharray", &dashes),
            ],
        );
    }
    w.end();
}

/// Begins a part of the table, cut to the window if there is one.
fn begin_part(sheet: &Sheet<'_>, w: &mut Writer, name: &'static str) {
    match sheet.table.window {
        Some(_) => w.begin("g", &[("id", &name), ("clip-path", &"url(#window)")]),
        None => w.begin("g", &[("id", &name)]),
    }
}

fn long(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(0)
}

fn head(picture: &Picture, w: &mut Writer) {
    w.text(
        "text",
        &[("x", &px(MARGIN)), ("y", &"40"), ("font-size", &"24"), ("class", &"b")],
        &picture.title,
    );
    let line = super::svg::subtitle(picture);
    w.text(
        "text",
        &[("x", &px(MARGIN)), ("y", &"60"), ("font-size", &"12"), ("fill-opacity", &".7")],
        &line,
    );
}

fn patterns(sheet: &Sheet<'_>, (inner, deep): (i64, i64), w: &mut Writer) {
    w.begin("defs", &[]);
    if sheet.table.window.is_some() {
        w.begin("clipPath", &[("id", &"window")]);
        w.leaf(
            "rect",
            &[("x", &px(MARGIN)), ("y", &px(HEAD)), ("width", &px(inner)), ("height", &px(deep))],
        );
        w.end();
    }
    ground_patterns(&sheet.grounds, w);
    for (name, path, ink) in [
        ("flank", "M0 8l8 -8M-2 2l4 -4M6 10l4 -4", "#b06a10"),
        ("rear", "M0 0l8 8M-2 6l4 4M6 -2l4 4", "#8c1c1c"),
    ] {
        w.begin("pattern", &pattern(&name, &"8"));
        w.leaf(
            "path",
            &[
                ("d", &path),
                ("fill", &"none"),
                ("stroke", &ink),
                ("stroke-width", &"1"),
                ("stroke-opacity", &".6"),
            ],
        );
        w.end();
    }
    w.end();
}

/// A faint line at every whole length.
fn grid(sheet: &Sheet<'_>, w: &mut Writer) {
    let inside = |from: Coordinate, size: Coordinate| {
        from.floor().to_integer() + 1..=(from + size).ceil().to_integer() - 1
    };
    let ((left, bottom), (right, top)) =
        (sheet.corner, (sheet.corner.0 + sheet.size.0, sheet.corner.1 + sheet.size.1));
    w.begin("g", &[("id", &"grid"), ("stroke", &"#6f6656"), ("stroke-opacity", &".13")]);
    let mut line = |a: Point, b: Point| {
        w.leaf("line", &[("x1", &px(a.x)), ("y1", &px(a.y)), ("x2", &px(b.x)), ("y2", &px(b.y))]);
    };
    for x in inside(left, sheet.size.0).map(Coordinate::from_integer) {
        line(sheet.at((x, bottom)), sheet.at((x, top)));
    }
    for y in inside(bottom, sheet.size.1).map(Coordinate::from_integer) {
        line(sheet.at((left, y)), sheet.at((right, y)));
    }
    w.end();
}

fn draw_ground(sheet: &Sheet<'_>, w: &mut Writer, ground: &GroundView) {
    let Some(space) = sheet.picture.spaces.get(ground.space) else { return };
    let corners = sheet.outline(&ground.points);
    w.begin("g", &[("id", &id("space", &space.id))]);
    w.text("title", &[], &format!("{} {}", ground.kind_name(sheet.picture), space.title));
    if ground.closed {
        let fill = format!("url(#ground-{})", ground.kind);
        w.leaf(
            "polygon",
            &[
                ("points", &points(&corners)),
                ("fill", &fill),
                ("stroke", &"#8d867a"),
                ("stroke-linejoin", &"round"),
            ],
        );
    } else {
        let Stroke { colour, width, dashes } = sheet.stroke(ground.kind);
        w.leaf(
            "polyline",
            &[
                ("points", &points(&corners)),
                ("fill", &"none"),
                ("stroke", &colour),
                ("stroke-width", &px(width)),
                ("stroke-dasharray", &dashes),
            ],
        );
    }
    w.end();
}

/// A name stands at the upper edge of its ground, where units seldom lie, and above the first end
/// of a line; zones lie below it.
fn ground_name(sheet: &Sheet<'_>, w: &mut Writer, ground: &GroundView) {
    let Some(space) = sheet.picture.spaces.get(ground.space) else { return };
    let corners = sheet.outline(&ground.points);
    let (left, right, top) =
        (edge(&corners, |p| p.x).0, edge(&corners, |p| p.x).1, edge(&corners, |p| p.y).0);
    let first = corners.first().copied().unwrap_or_default();
    let (at, class) = if ground.closed {
        (Point::at((left + right) / 2, top + 140), "m i")
    } else {
        (first.moved(40, -110), "i")
    };
    haloed(w, (at, 110, class), LIGHT, &type_size::read(&space.title));
}

/// What lies around letters on the ground.
const LIGHT: &str = "#fffdf6";

/// Letters at a place, of a size and a class, with a colour around them that keeps lines away.
fn haloed(w: &mut Writer, (at, size, class): (Point, i64, &str), colour: &str, words: &str) {
    let around = format!("fill:{colour};stroke:{colour}");
    let (x, y, size) = (px(at.x), px(at.y), px(size));
    let place: [(&str, &dyn std::fmt::Display); 3] = [("x", &x), ("y", &y), ("font-size", &size)];
    let halo = format!("{class} halo");
    w.text("text", &[&place[..], &[("class", &halo), ("style", &around)]].concat(), words);
    w.text("text", &[&place[..], &[("class", &class)]].concat(), words);
}

/// The least and the greatest of one part of some corners.
fn edge(corners: &[Point], part: fn(&Point) -> i64) -> (i64, i64) {
    let low = corners.iter().map(part).min().unwrap_or(0);
    (low, corners.iter().map(part).max().unwrap_or(0))
}

/// The middle of some corners.
fn middle(corners: &[Point]) -> Point {
    let count = long(corners.len()).max(1);
    let (x, y) = corners.iter().fold((0, 0), |(x, y), p| (x + p.x, y + p.y));
    Point::at(x / count, y / count)
}

fn draw_zones(sheet: &Sheet<'_>, w: &mut Writer, base: &BaseView) {
    for (kind, outline) in &base.zones {
        let corners = points(&sheet.outline(outline));
        match kind {
            ZoneKind::FrontLine => {
                w.leaf(
                    "polyline",
                    &[
                        ("points", &corners),
                        ("fill", &"none"),
                        ("stroke", &"#2358a5"),
                        ("stroke-dasharray", &"6 4"),
                    ],
                );
            }
            ZoneKind::Arc => {
                w.leaf(
                    "polygon",
                    &[
                        ("points", &corners),
                        ("fill", &"#2358a5"),
                        ("fill-opacity", &".08"),
                        ("stroke", &"#2358a5"),
                        ("stroke-opacity", &".4"),
                    ],
                );
            }
            ZoneKind::Flank => w.leaf(
                "polygon",
                &[
                    ("points", &corners),
                    ("fill", &"url(#flank)"),
                    ("stroke", &"#b06a10"),
                    ("stroke-opacity", &".6"),
                ],
            ),
            ZoneKind::Rear => w.leaf(
                "polygon",
                &[
                    ("points", &corners),
                    ("fill", &"url(#rear)"),
                    ("stroke", &"#8c1c1c"),
                    ("stroke-opacity", &".6"),
                ],
            ),
        }
    }
}

fn draw_base(sheet: &Sheet<'_>, w: &mut Writer, base: &BaseView) {
    let corners = sheet.outline(&base.corners);
    w.begin("g", &[("id", &id("unit", &base.id))]);
    w.text("title", &[], &base.hover(sheet.picture));
    shape(sheet, w, &corners, base.side);
    for (left, right) in &base.fronts {
        front(w, sheet.at(*left), sheet.at(*right));
    }
    names(sheet, w, base, &corners);
    w.end();
}

/// The size of the names of bases.
fn name_size(scale: i64) -> i64 {
    (scale / 5).clamp(SMALLEST, 120)
}

/// The sizes of the words below them, where there is room for these.
fn label_sizes(scale: i64) -> Vec<i64> {
    if scale >= 500 { vec![name_size(scale) * 3 / 4, SMALLEST] } else { Vec::new() }
}

/// The size of the smallest names of bases.
pub(super) const SMALLEST: i64 = 75;

/// A name stands upright on its base where there is room for it, with what the base is; else below
/// it. What is on the base is light, with the colour of the base around it.
fn names(sheet: &Sheet<'_>, w: &mut Writer, base: &BaseView, corners: &[Point]) {
    let size = name_size(sheet.scale);
    let sizes = [size, size * 5 / 6, size * 2 / 3].into_iter().filter(|s| *s >= SMALLEST);
    let small = label_sizes(sheet.scale).into_iter().filter(|_| !base.label.is_empty());
    let both = small.flat_map(|small| sizes.clone().map(move |size| (size, small)));
    let both = both.map(|(size, small)| vec![(base.id.as_str(), size), (&base.label, small)]);
    let alone =
        sizes.clone().chain([size.min(SMALLEST)]).map(|size| vec![(base.id.as_str(), size)]);
    let rows = both.chain(alone);
    let placed = rows.filter_map(|rows| Some((room(corners, &rows)?, rows))).next();
    let Some((at, rows)) = placed else {
        let low = edge(corners, |p| p.y).1;
        let at = Point::at(middle(corners).x, low + size);
        return haloed(w, (at, size, "b m"), LIGHT, &base.id);
    };
    let mut foot = at.y;
    for (nth, (words, size)) in rows.into_iter().enumerate() {
        foot += size;
        let class = if nth == 0 { "b m w" } else { "m w" };
        let at = Point::at(at.x, foot - size / 6);
        haloed(w, (at, size, class), sheet.side(base.side), words);
    }
}

/// How far inside its edge a base has its border.
const BORDER: i64 = 35;

/// The place on a base for rows of words: the middle of their upper edge, as near to the middle of
/// the base as all of them lie on it.
fn room(corners: &[Point], rows: &[(&str, i64)]) -> Option<Point> {
    const STEP: usize = 20;
    let half = rows.iter().map(|(words, size)| type_size::width(words, *size)).max()? / 2 + BORDER;
    let high: i64 = rows.iter().map(|(_, size)| size).sum();
    let ((left, right), (top, low)) = (edge(corners, |p| p.x), edge(corners, |p| p.y));
    let centre = Point::at((left + right) / 2, (top + low - high) / 2);
    let (x, y) = (centre.x - (right - left) / 2, centre.y - (low - top) / 2);
    let spots =
        (y..=low).step_by(STEP).flat_map(|y| (x..=right).step_by(STEP).map(move |x| (x, y)));
    let spots = spots.map(|(x, y)| Point::at(x, y)).chain([centre]);
    let inside = |at: &Point| {
        let (left, right, foot) = (at.x - half, at.x + half, at.y + high);
        let rows = [at.y, (at.y + foot) / 2, foot];
        rows.into_iter().all(|y| [left, at.x, right].into_iter().all(|x| holds(corners, x, y)))
    };
    spots.filter(inside).min_by_key(|at| (at.distance(centre), at.y, at.x))
}

/// Whether a point lies in a shape: an odd number of its edges is passed on the way to the right.
fn holds(corners: &[Point], x: i64, y: i64) -> bool {
    let next = corners.iter().cycle().skip(1);
    let passed = corners.iter().zip(next).filter(|(a, b)| {
        let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
        low.y <= y && y < high.y && x < low.x + (high.x - low.x) * (y - low.y) / (high.y - low.y)
    });
    passed.count() % 2 == 1
}

/// The base of a side: its colour, and a border of its own inside.
pub(super) fn shape(sheet: &Sheet<'_>, w: &mut Writer, corners: &[Point], side: Option<usize>) {
    let fill = sheet.side(side);
    w.leaf(
        "polygon",
        &[
            ("points", &points(corners)),
            ("fill", &fill),
            ("stroke", &"#171310"),
            ("stroke-width", &".8"),
        ],
    );
    let centre = middle(corners);
    let inner: Vec<Point> = corners.iter().map(|p| p.toward(centre, BORDER)).collect();
    let dashes = side.and_then(|s| BORDERS.get(s % BORDERS.len())).copied().unwrap_or("none");
    if side.is_some_and(|s| s > 0) {
        w.leaf(
            "polygon",
            &[
                ("points", &points(&inner)),
                ("fill", &"none"),
                ("stroke", &"#ffffff"),
                ("stroke-width", &"1.4"),
                ("stroke-dasharray", &dashes),
            ],
        );
    }
}

/// A bar along the front edge, and a point in its middle that shows where it faces.
pub(super) fn front(w: &mut Writer, left: Point, right: Point) {
    w.leaf(
        "line",
        &[
            ("x1", &px(left.x)),
            ("y1", &px(left.y)),
            ("x2", &px(right.x)),
            ("y2", &px(right.y)),
            ("stroke", &"#171310"),
            ("stroke-width", &"2.6"),
        ],
    );
    let half = left.distance(right) / 2;
    let tip = left.toward(right, half).aside(right, half.min(70));
    let (a, b) = (left.toward(right, half - half.min(55)), left.toward(right, half + half.min(55)));
    w.leaf("polygon", &[("points", &points(&[a, tip, b])), ("fill", &"#171310")]);
}

/// How long some lengths are: the largest of 1, 2, 5 and so on that is drawn at most 20 em wide.
fn scale_bar(sheet: &Sheet<'_>, w: &mut Writer, y: i64) {
    let most = sheet.size.0.to_integer().max(1);
    let count =
        [10, 5, 2, 1].into_iter().find(|n| *n <= most && n * sheet.scale <= 4000).unwrap_or(1);
    w.begin("g", &[("id", &"scale"), ("stroke", &"#26221c")]);
    for n in 0..count {
        let fill = if n % 2 == 0 { "#26221c" } else { "#fffdf6" };
        w.leaf(
            "rect",
            &[
                ("x", &px(MARGIN + n * sheet.scale)),
                ("y", &px(y)),
                ("width", &px(sheet.scale)),
                ("height", &"6"),
                ("fill", &fill),
            ],
        );
    }
    w.end();
    let words = format!("{count} {}", sheet.table.measure);
    w.text(
        "text",
        &[("x", &px(MARGIN + count * sheet.scale + 80)), ("y", &px(y + 70)), ("font-size", &"12")],
        &words,
    );
}
