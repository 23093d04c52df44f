//! The lines of units: a whole line with an arrow to the source, or dashes to the space that
//! stopped it, with a bar.

use indexmap::IndexMap;

use super::geometry::{Point, points};
use super::palette;
use super::picture::UnitView;
use super::svg::{Canvas, begin_part};
use super::window::Frame;
use super::write::{Writer, id};
use super::{labels, stacks};

/// Lines over the same link lie this far apart.
const LANE: i64 = 46;
/// More lines than this over the same link share a lane with those of their side.
const LANES: usize = 4;
/// A line begins and ends this far from the middle of a node.
const CLEAR: i64 = 105;
/// The length of the head of an arrow.
const HEAD: i64 = 90;

/// The stretches between two spaces, each with the units whose lines lie there.
type Lanes = IndexMap<(usize, usize), Vec<usize>>;

/// One line: the unit and its corners.
type Line<'a> = (&'a UnitView, Vec<Point>);

/// The lines of all wanted units.
fn all<'a>(canvas: &Canvas<'a>) -> Vec<Line<'a>> {
    let units = &canvas.picture.units;
    let mut lanes = Lanes::new();
    for (at, unit) in units.iter().enumerate() {
        let way = way(unit);
        for (a, b) in way.iter().zip(way.iter().skip(1)) {
            lanes.entry((*a.min(b), *a.max(b))).or_default().push(at);
        }
    }
    let line = |(at, unit): (usize, &'a UnitView)| (unit, corners(canvas, &lanes, at, &way(unit)));
    let all = units.iter().enumerate().map(line).filter(|(_, corners)| corners.len() > 1);
    let mut all: Vec<Line<'a>> = all.collect();
    let busy = if all.is_empty() { Vec::new() } else { busy(canvas) };
    all.iter_mut().for_each(|(unit, corners)| stop_short(corners, is_whole(unit), &busy));
    all
}

/// Draws the lines themselves; they lie below the nodes.
pub(super) fn draw(canvas: &Canvas<'_>, w: &mut Writer) {
    begin_part(canvas, w, "lines");
    w.begin("g", &[("fill", &"none"), ("stroke-linejoin", &"round")]);
    for (unit, corners) in all(canvas) {
        w.begin("g", &[("id", &id("line", &unit.id))]);
        w.text("title", &[], &format!("{}: {}", unit.id, canvas.picture.why(unit)));
        shaft(w, &corners, canvas.side(unit.side), is_whole(unit));
        w.end();
    }
    w.end();
    w.end();
}

/// What an end must leave free: the counters, and the badges of what a side reaches.
fn busy(canvas: &Canvas<'_>) -> Vec<Frame> {
    let shown = (0..canvas.picture.spaces.len()).filter(|at| canvas.shown(*at));
    let of = |at| {
        let counters = stacks::stack(canvas, at).into_iter().map(|c| c.frame());
        counters.chain(labels::reach_frame(canvas, at)).collect::<Vec<_>>()
    };
    shown.flat_map(of).collect()
}

/// Ends a line where its end lies free: as far along its last stretch as it can.
fn stop_short(corners: &mut [Point], whole: bool, busy: &[Frame]) {
    const STEP: i64 = 15;
    let [.., before, tip] = corners else { return };
    let least = if whole { 2 * HEAD } else { HEAD };
    let steps = 0..=(before.distance(*tip) - least).max(0) / STEP;
    let covered = |tip: &Point| -> i64 {
        let frame = Frame::of(shape(*before, *tip, whole).into_iter());
        frame.map_or(0, |f| busy.iter().map(|other| other.shared(&f.wider(15))).sum())
    };
    let tips = steps.map(|step| tip.toward(*before, step * STEP));
    // The first of those that are equally good: no step is taken in vain.
    let mut best = (i64::MAX, *tip);
    for at in tips {
        let cost = covered(&at);
        if cost < best.0 {
            best = (cost, at);
        }
        if cost == 0 {
            break;
        }
    }
    *tip = best.1;
}

/// The corners of an end: of the head of an arrow, or of a bar.
fn shape(before: Point, tip: Point, whole: bool) -> Vec<Point> {
    if whole {
        let base = tip.toward(before, HEAD);
        vec![tip, base.aside(tip, 52), base.aside(tip, -52)]
    } else {
        vec![tip.aside(before, 75), tip.aside(before, -75)]
    }
}

/// Draws their ends; they lie below nodes and counters, for no end may hide a name or an answer.
pub(super) fn ends(canvas: &Canvas<'_>, w: &mut Writer) {
    begin_part(canvas, w, "ends");
    for (unit, corners) in all(canvas) {
        end(w, &corners, canvas.side(unit.side), is_whole(unit));
    }
    w.end();
}

fn is_whole(unit: &UnitView) -> bool {
    unit.answer.as_ref().is_some_and(|a| a.yes)
}

/// The spaces of a unit's line: its route, or those up to the one that stopped it.
fn way(unit: &UnitView) -> Vec<usize> {
    match &unit.answer {
        Some(answer) if unit.wanted && answer.yes => answer.route.clone(),
        Some(answer) if unit.wanted && answer.cut.len() > 1 => answer.cut.clone(),
        Some(answer) if unit.wanted => {
            answer.stop.filter(|s| *s != unit.space).map_or_else(Vec::new, |s| vec![unit.space, s])
        }
        _ => Vec::new(),
    }
}

/// The lane of a unit on a stretch, and how many there are.
fn lane(units: &[UnitView], row: &[usize], unit: usize) -> (i64, i64) {
    let kind = |at: usize| units.get(at).map(|u| (u.side, is_whole(u)));
    let mut lanes: Vec<usize> = row.to_vec();
    if lanes.len() > LANES {
        let mut met = Vec::new();
        lanes.retain(|at| {
            !met.contains(&kind(*at)) && {
                met.push(kind(*at));
                true
            }
        });
    }
    let own = lanes
        .iter()
        .position(|at| *at == unit)
        .or_else(|| lanes.iter().position(|at| kind(*at) == kind(unit)));
    let number = |n: usize| i64::try_from(n).unwrap_or(0);
    (number(own.unwrap_or(0)), number(lanes.len().max(1)))
}

/// The corners of all lines that are drawn.
pub(super) fn shafts(canvas: &Canvas<'_>) -> Vec<Vec<Point>> {
    all(canvas).into_iter().map(|(_, corners)| corners).collect()
}

/// The corners of a line, each stretch in its lane, the ends clear of the nodes.
fn corners(canvas: &Canvas<'_>, lanes: &Lanes, unit: usize, way: &[usize]) -> Vec<Point> {
    let mut out = Vec::new();
    let stretches = way.len().saturating_sub(1);
    for (nth, (a, b)) in way.iter().zip(way.iter().skip(1)).enumerate() {
        let (Some(from), Some(to)) = (canvas.anchor(*a), canvas.anchor(*b)) else {
            continue;
        };
        let row = lanes.get(&(*a.min(b), *a.max(b))).map_or(&[][..], Vec::as_slice);
        let (lane, count) = lane(&canvas.picture.units, row, unit);
        let middle = (2 * lane - (count - 1)) * LANE / 2;
        // The lane is the same whichever way a unit goes, so the side is counted from the lower
        // place.
        let aside = if a < b { middle } else { -middle };
        let begin = if nth == 0 { from.toward(to, CLEAR) } else { from };
        let end = if nth + 1 == stretches { to.toward(from, CLEAR) } else { to };
        let shift = from.aside(to, aside);
        let (x, y) = (shift.x - from.x, shift.y - from.y);
        out.extend([begin.moved(x, y), end.moved(x, y)]);
    }
    out
}

fn shaft(w: &mut Writer, corners: &[Point], colour: &str, whole: bool) {
    let mut corners = corners.to_vec();
    let before = corners.iter().rev().nth(1).copied();
    if let (Some(last), Some(before), true) = (corners.last_mut(), before, whole) {
        *last = last.toward(before, HEAD);
    }
    stroke(w, &corners, "#fffdf6", "5.4", "none");
    stroke(w, &corners, colour, "3", if whole { "none" } else { "5 4" });
}

/// The head of an arrow, or a bar: the mark of a line that goes no farther.
fn end(w: &mut Writer, corners: &[Point], colour: &str, whole: bool) {
    let [.., before, tip] = corners else { return };
    let shape = shape(*before, *tip, whole);
    if whole {
        let corners = points(&shape);
        w.leaf("polygon", &[("points", &corners), ("fill", &colour), ("stroke", &"#fffdf6")]);
        return;
    }
    stroke(w, &shape, "#fffdf6", "6.5", "none");
    stroke(w, &shape, "#171310", "3.6", "none");
}

fn stroke(w: &mut Writer, corners: &[Point], colour: &str, width: &str, dashes: &str) {
    w.leaf(
        "polyline",
        &[
            ("points", &points(corners)),
            ("stroke", &colour),
            ("stroke-width", &width),
            ("stroke-dasharray", &dashes),
        ],
    );
}

/// A line as the legend shows it.
pub(super) fn sample(w: &mut Writer, from: Point, to: Point, yes: bool) {
    shaft(w, &[from, to], palette::NOBODY, yes);
    end(w, &[from, to], palette::NOBODY, yes);
}

/// Whether any line that is seen is drawn whole, and whether any is broken.
pub(super) fn kinds(canvas: &Canvas<'_>) -> (bool, bool) {
    let mut found = (false, false);
    for (unit, corners) in all(canvas) {
        if corners.iter().zip(corners.iter().skip(1)).any(|(a, b)| canvas.crossed(*a, *b)) {
            let kind = if is_whole(unit) { &mut found.0 } else { &mut found.1 };
            *kind = true;
        }
    }
    found
}
