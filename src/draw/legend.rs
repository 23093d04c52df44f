//! The legend: only what the map shows, beside a wide map and below a narrow one.

use super::geometry::{Point, px};
use super::overlay::Sign;
use super::picture::{Answered, UnitView};
use super::svg::{Canvas, ground};
use super::write::Writer;
use super::{counters, labels, lines, overlay, stacks, type_size};

/// The size of its words.
const SIZE: i64 = 120;
/// From one row to the next.
const ROW: i64 = 215;
/// From one line of words to the next.
const LINE: i64 = 155;
/// From the end of a part to the first row of the next.
const TOP: i64 = 340;
/// Where the words of a row begin.
const WORDS: i64 = 520;
/// The words of a row are no wider.
const WIDE: i64 = 2000;
/// A map that is narrower has its legend below it.
const NARROW: i64 = 9000;

/// One row: what is drawn, and the words beside it.
enum Row {
    Heading,
    Side(usize),
    Ground(usize),
    Link(usize),
    Unit(Box<UnitView>),
    Line(bool),
    Mark(Sign),
    Restored,
    Flipped,
    Sign(&'static str),
    Text,
}

/// A row where it stands.
struct Placed {
    row: Row,
    words: Vec<String>,
    at: Point,
}

/// The legend as it is laid out.
pub(super) struct Plan {
    rows: Vec<Placed>,
    /// The width and the height of the map with its legend.
    pub whole: (i64, i64),
}

/// A part: its heading and its rows.
type Part = (String, Vec<(Row, String)>);

fn parts(canvas: &Canvas<'_>) -> Vec<Part> {
    let picture = canvas.picture;
    let controlled = shown(canvas).any(|(_, space)| space.control.is_some());
    let mut parts: Vec<Part> = vec![
        (if controlled { "Control" } else { "Sides" }.to_owned(), sides(canvas)),
        (type_size::title(&picture.terrain_of), grounds(canvas)),
        ("Links".to_owned(), links(canvas)),
        ("Units".to_owned(), units(canvas)),
        ("Lines".to_owned(), drawn_lines(canvas)),
        ("Marks".to_owned(), marks(canvas)),
        ("Piles".to_owned(), piles(canvas)),
    ];
    let side = picture.side.and_then(|s| picture.sides.get(s));
    let from = picture.trace.as_ref().and_then(|trace| trace.from.as_deref());
    if let Some(unit) = from {
        let signs =
            [("2", "reached in that length"), ("-", "out of reach"), ("-#", "it stops there")];
        let rows = signs.into_iter().map(|(sign, words)| (Row::Sign(sign), words.to_owned()));
        parts.push((format!("Spaces for {}", type_size::read(unit)), rows.collect()));
    } else if let Some(side) = side.filter(|_| picture.trace.is_some()) {
        let signs = [
            ("S", "a source"),
            ("2", "a line of that length"),
            ("-", "no line begins here"),
            ("-#", "no line passes here"),
        ];
        let rows = signs.into_iter().map(|(sign, words)| (Row::Sign(sign), words.to_owned()));
        parts.push((format!("Spaces for {}", type_size::read(side)), rows.collect()));
    }
    parts.retain(|(_, rows)| !rows.is_empty());
    parts
}

fn shown<'a>(canvas: &'a Canvas<'_>) -> impl Iterator<Item = (usize, &'a super::SpaceView)> {
    canvas.picture.spaces.iter().enumerate().filter(|(at, _)| canvas.shown(*at))
}

/// The units that are drawn.
fn shown_units<'a>(canvas: &'a Canvas<'_>) -> impl Iterator<Item = &'a UnitView> {
    let drawn =
        |unit: &&UnitView| canvas.window.is_none() || !stacks::stack(canvas, unit.space).is_empty();
    canvas.picture.units.iter().filter(move |unit| canvas.shown(unit.space)).filter(drawn)
}

fn sides(canvas: &Canvas<'_>) -> Vec<(Row, String)> {
    let seen = |side: usize| {
        shown(canvas).any(|(_, s)| s.control == Some(side))
            || shown_units(canvas).any(|u| u.side == Some(side))
    };
    let sides = canvas.picture.sides.iter().enumerate().filter(|(at, _)| seen(*at));
    sides.map(|(at, name)| (Row::Side(at), type_size::read(name))).collect()
}

fn grounds(canvas: &Canvas<'_>) -> Vec<(Row, String)> {
    let seen = |at: usize| shown(canvas).any(|(_, s)| s.terrain == Some(at));
    let grounds = canvas.picture.terrains.iter().enumerate().filter(|(at, _)| seen(*at));
    grounds.map(|(at, name)| (Row::Ground(at), type_size::read(name))).collect()
}

fn links(canvas: &Canvas<'_>) -> Vec<(Row, String)> {
    let picture = canvas.picture;
    let near = |at: usize| {
        let mut of = picture.links.iter().filter(|l| l.kind == at);
        of.any(|l| canvas.link_ends(*l).is_some_and(|(a, b)| canvas.crossed(a, b)))
    };
    let kinds = picture.link_kinds.iter().enumerate();
    let kinds = kinds.filter(|(at, kind)| kind.drawn && near(*at));
    kinds.map(|(at, kind)| (Row::Link(at), type_size::read(&kind.name))).collect()
}

fn units(canvas: &Canvas<'_>) -> Vec<(Row, String)> {
    let picture = canvas.picture;
    let sample = |kind: usize, yes: Option<bool>| UnitView {
        id: "A1".to_owned(),
        kind,
        answer: yes.map(|yes| Answered { yes, ..Answered::default() }),
        ..UnitView::default()
    };
    let kinds = picture.unit_kinds.iter().enumerate();
    let kinds = kinds.filter(|(at, _)| shown_units(canvas).any(|u| u.kind == *at));
    let mut rows: Vec<(Row, String)> = kinds
        .map(|(at, name)| (Row::Unit(Box::new(sample(at, None))), type_size::read(name)))
        .collect();
    if let Some(trace) = &picture.trace {
        for (yes, word) in [(true, &trace.yes), (false, &trace.no)] {
            if shown_units(canvas).any(|u| u.answer.as_ref().is_some_and(|a| a.yes == yes)) {
                rows.push((Row::Unit(Box::new(sample(0, Some(yes)))), type_size::read(word)));
            }
        }
    }
    if shown_units(canvas).any(|u| u.was.is_some()) {
        let flipped = UnitView { was: Some(String::new()), ..sample(0, Some(true)) };
        rows.push((Row::Unit(Box::new(flipped)), "otherwise before".to_owned()));
    }
    rows
}

fn drawn_lines(canvas: &Canvas<'_>) -> Vec<(Row, String)> {
    let Some(trace) = &canvas.picture.trace else { return Vec::new() };
    let (whole, broken) = lines::kinds(canvas);
    let whole = whole
        .then(|| (Row::Line(true), format!("{}, to its source", type_size::read(&trace.name))));
    let broken = broken.then(|| (Row::Line(false), "cut, and where it stops".to_owned()));
    whole.into_iter().chain(broken).collect()
}

fn marks(canvas: &Canvas<'_>) -> Vec<(Row, String)> {
    let flipped = shown(canvas).any(|(_, s)| s.was.is_some());
    let flipped = flipped.then(|| (Row::Flipped, "otherwise before".to_owned()));
    let Some(overlay) = &canvas.picture.overlay else { return flipped.into_iter().collect() };
    let marks = overlay::shown(overlay)
        .into_iter()
        .map(|(sign, words)| (Row::Mark(sign), words.to_owned()));
    let restored =
        (!overlay.lines.is_empty()).then(|| (Row::Restored, "the line it would have".to_owned()));
    marks.chain(restored).collect()
}

/// What lies in the piles, for those who cannot rest a pointer on them.
fn piles(canvas: &Canvas<'_>) -> Vec<(Row, String)> {
    let mut rows = Vec::new();
    for (at, space) in shown(canvas) {
        let stack = stacks::stack(canvas, at);
        if stack.iter().all(|counter| counter.units.len() < 2) {
            continue;
        }
        let units: Vec<String> = space
            .units
            .iter()
            .filter_map(|u| canvas.picture.units.get(*u))
            .map(|u| match super::Picture::mark(u) {
                "x" => format!("{}\u{a0}\u{d7}", type_size::read(&u.id)),
                mark => format!("{}\u{a0}{mark}", type_size::read(&u.id)).trim_end().to_owned(),
            })
            .collect();
        rows.push((Row::Text, format!("{}: {}", type_size::read(&space.title), units.join(", "))));
    }
    rows
}

impl Plan {
    /// Lays the legend out: beside the map, or in columns below it.
    pub fn of(canvas: &Canvas<'_>) -> Plan {
        let (width, height) = (canvas.layout.width, canvas.layout.height);
        let parts = parts(canvas);
        if parts.is_empty() {
            return Plan { rows: Vec::new(), whole: (width, height) };
        }
        let column = parts.iter().map(column_width).max().unwrap_or(0);
        let mut rows = Vec::new();
        if width >= NARROW {
            let mut y = super::layout::HEAD - 300;
            for part in parts {
                y = put(part, width + 100, y, &mut rows);
            }
            return Plan { rows, whole: (width + column + 200, height.max(y + 200)) };
        }
        // Each part goes below the column that is shortest so far.
        let count = usize::try_from((width - 240) / (column + 200)).unwrap_or(1).max(1);
        let mut feet = vec![height; count];
        for part in parts {
            let low = feet.iter().copied().min().unwrap_or(height);
            let nth = feet.iter().position(|foot| *foot == low).unwrap_or(0);
            let left = 240 + i64::try_from(nth).unwrap_or(0) * (column + 200);
            let foot = put(part, left, low - 100, &mut rows);
            if let Some(place) = feet.get_mut(nth) {
                *place = foot + 100;
            }
        }
        let foot = feet.iter().copied().max().unwrap_or(height);
        Plan { rows, whole: (width.max(column + 480), foot + 200) }
    }
}

fn column_width((heading, rows): &Part) -> i64 {
    let words = rows.iter().map(|(row, words)| {
        let lines = type_size::wrapped(words, SIZE, WIDE);
        let wide = lines.iter().map(|l| type_size::width(l, SIZE)).max().unwrap_or(0);
        wide + if matches!(row, Row::Text) { 20 } else { WORDS }
    });
    words.max().unwrap_or(0).max(type_size::width(heading, 154))
}

/// Puts a part into a column, and returns where it ends.
fn put((heading, part): Part, left: i64, top: i64, rows: &mut Vec<Placed>) -> i64 {
    let mut y = top + TOP;
    rows.push(Placed { row: Row::Heading, words: vec![heading], at: Point::at(left, y - 115) });
    for (row, words) in part {
        let most = if matches!(row, Row::Text) { WIDE + WORDS } else { WIDE };
        let words = type_size::wrapped(&words, SIZE, most);
        let more = i64::try_from(words.len()).unwrap_or(1).max(1) - 1;
        y += ROW;
        rows.push(Placed { row, words, at: Point::at(left, y - 140) });
        y += more * LINE;
    }
    y
}

/// Draws the legend.
pub(super) fn draw(canvas: &Canvas<'_>, plan: &Plan, w: &mut Writer) {
    w.begin("g", &[("id", &"legend")]);
    for Placed { row, words, at } in &plan.rows {
        let (left, size, class) = match row {
            Row::Heading => (at.x, "14", "b"),
            Row::Text => (at.x, "12", ""),
            _ => (at.x + WORDS, "12", ""),
        };
        // The middle of what is drawn; the words stand beside it.
        draw_row(canvas, w, row, at.moved(220, 0));
        for (nth, line) in (0i64..).zip(words) {
            let y = at.y + 42 + nth * LINE;
            w.text(
                "text",
                &[("x", &px(left)), ("y", &px(y)), ("font-size", &size), ("class", &class)],
                line,
            );
        }
    }
    w.end();
}

fn draw_row(canvas: &Canvas<'_>, w: &mut Writer, row: &Row, at: Point) {
    let (left, right) = (at.moved(-200, 0), at.moved(200, 0));
    match row {
        Row::Heading | Row::Text => {}
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
            let Some(stroke) = canvas.strokes.get(*kind) else { return };
            w.leaf(
                "line",
                &[
                    ("x1", &px(left.x)),
                    ("y1", &px(left.y)),
                    ("x2", &px(right.x)),
                    ("y2", &px(right.y)),
                    ("stroke", &stroke.colour),
                    ("stroke-width", &px(stroke.width)),
                    ("stroke-dasharray", &stroke.dashes),
                ],
            );
        }
        Row::Unit(unit) => counters::draw_counter(canvas, w, &stacks::sample(unit, at)),
        Row::Mark(sign) => overlay::sample(w, at, *sign),
        Row::Restored => overlay::sample_line(w, left, right),
        Row::Flipped => {
            let frame: [(&str, &dyn std::fmt::Display); 4] =
                [("x", &px(left.x)), ("y", &px(left.y - 80)), ("width", &"40"), ("height", &"16")];
            counters::flipped(w, "rect", &frame);
        }
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
