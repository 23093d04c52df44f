//! What can be held of drawings without looking at them: boxes, colours, references, sizes. The
//! shipped rulesets with all their setups are drawn, whole and cropped.

use std::path::Path;

use serde_json::Value;
use sutler::draw::{self, Mark, Nearby, Overlay, Picture, Sign, Wanted};
use sutler::ir::{Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::Position;
use sutler::project::Project;

use crate::place::Place;

const SHIPPED: [&str; 5] = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"];

fn shipped(name: &str) -> Ruleset {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").join(name);
    let mut project = Project::open(&folder);
    project.rulesets.remove(0).rules.take().expect("a shipped ruleset has no error")
}

/// Every shipped setup as a picture.
fn pictures(name: &str) -> Vec<Picture> {
    let rules = shipped(name);
    let picture = |setup| {
        let world = sutler::world::start(&rules, SetupId::at(setup));
        let position = Position::new(&rules, &world).expect("a map");
        let trace = (!rules.traces.is_empty()).then_some(TraceId(0));
        let wanted = Wanted { trace, side: Some(SideId(0)), ..Wanted::default() };
        draw::gather(&position, &wanted).expect("a picture")
    };
    (0..rules.setups.len()).map(picture).collect()
}

/// An element: its name, its attributes, its text.
struct Element<'s> {
    tag: &'s str,
    attributes: Vec<(&'s str, &'s str)>,
    text: &'s str,
    /// The ids of the groups that it stands in.
    inside: Vec<&'s str>,
    /// How much smaller these groups make it, and where they move it.
    scale: f64,
    moved: (f64, f64),
}

impl<'s> Element<'s> {
    fn of(&self, name: &str) -> Option<&'s str> {
        self.attributes.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }

    fn number(&self, name: &str) -> f64 {
        self.of(name).map_or(0.0, |v| v.parse().expect("a number"))
    }

    fn is_in(&self, group: &str) -> bool {
        self.inside.contains(&group)
    }
}

/// The elements of a drawing, which has one a line.
fn elements(svg: &str) -> Vec<Element<'_>> {
    let mut open: Vec<(&str, &str, f64, (f64, f64))> = Vec::new();
    let mut out = Vec::new();
    for line in svg.lines().map(str::trim_start) {
        if let Some(tag) = line.strip_prefix("</") {
            let closed = open.pop().map(|o| o.0);
            assert_eq!(closed, tag.strip_suffix('>'), "{line}");
            continue;
        }
        let Some((head, rest)) = line.strip_prefix('<').and_then(|l| l.split_once('>')) else {
            continue;
        };
        let whole = head.ends_with('/') || !rest.is_empty();
        let head = head.trim_end_matches('/');
        let (tag, mut left) = head.split_once(' ').unwrap_or((head, ""));
        let mut attributes = Vec::new();
        while let Some((name, value)) = left.split_once("=\"") {
            let (value, behind) = value.split_once('"').expect("an attribute ends");
            attributes.push((name.trim(), value));
            left = behind;
        }
        let text = rest.split_once("</").map_or("", |(text, _)| text);
        let (mut scale, mut moved) = (1.0, (0.0, 0.0));
        for (_, _, s, m) in &open {
            moved = (moved.0 + m.0 * scale, moved.1 + m.1 * scale);
            scale *= s;
        }
        let inside = open.iter().map(|o| o.1).filter(|id| !id.is_empty()).collect();
        let element = Element { tag, attributes, text, inside, scale, moved };
        if !whole {
            let (mut own, mut at) = (1.0, (0.0, 0.0));
            if let Some(change) = element.of("transform") {
                let numbers: Vec<f64> = change
                    .split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-')
                    .filter_map(|n| n.parse().ok())
                    .collect();
                (at, own) = ((numbers[0], numbers[1]), numbers[2]);
            }
            open.push((tag, element.of("id").unwrap_or(""), own, at));
        }
        out.push(element);
    }
    assert!(open.is_empty(), "{open:?} is never closed");
    out
}

/// A frame: left, top, right, bottom.
type Frame = (f64, f64, f64, f64);

/// What a line of text covers, by the width of common faces.
fn text_frame(element: &Element<'_>, size: f64) -> Frame {
    let (x, y) = (element.number("x"), element.number("y"));
    let half = element.text.chars().count() as f64 * size * 0.27;
    (x - half, y - size * 0.7, x + half, y + size * 0.15)
}

fn shared(a: Frame, b: Frame) -> f64 {
    let wide = a.2.min(b.2) - a.0.max(b.0);
    let high = a.3.min(b.3) - a.1.max(b.1);
    if wide <= 0.0 || high <= 0.0 { 0.0 } else { wide * high }
}

/// The bodies of counters: where each lies, with the id of its group.
fn counters<'s>(all: &[Element<'s>]) -> Vec<(&'s str, Frame)> {
    let body = |e: &&Element<'s>| e.tag == "rect" && e.is_in("units") && e.number("height") == 15.0;
    all.iter()
        .filter(body)
        .map(|e| {
            let (x, y) = (e.number("x") * e.scale + e.moved.0, e.number("y") * e.scale + e.moved.1);
            let (wide, high) = (e.number("width") * e.scale, e.number("height") * e.scale);
            (*e.inside.last().expect("a group"), (x, y, x + wide, y + high))
        })
        .collect()
}

fn names<'a, 's>(all: &'a [Element<'s>]) -> Vec<&'a Element<'s>> {
    all.iter().filter(|e| e.is_in("names") && e.of("class") == Some("name")).collect()
}

#[test]
fn names_are_not_covered_by_names_or_counters() {
    for (name, picture) in SHIPPED.iter().flat_map(|n| pictures(n).into_iter().map(move |p| (n, p)))
    {
        if picture.table.is_some() {
            continue;
        }
        let svg = draw::svg(&picture);
        let all = elements(&svg);
        let names = names(&all);
        assert!(names.len() >= 5, "{name}");
        let frames: Vec<Frame> = names.iter().map(|n| text_frame(n, 11.5)).collect();
        for (at, (a, frame)) in names.iter().zip(&frames).enumerate() {
            for (b, other) in names.iter().zip(&frames).skip(at + 1) {
                assert!(shared(*frame, *other) < 12.0, "{name}: {} on {}", a.text, b.text);
            }
            for (id, counter) in counters(&all) {
                assert!(shared(*frame, counter) < 12.0, "{name}: {id} covers {}", a.text);
            }
        }
        // Nothing is drawn above the names but the legend.
        let last = all.iter().rposition(|e| e.is_in("names")).expect("names");
        assert!(all[last + 1..].iter().all(|e| e.is_in("legend") || e.of("id") == Some("legend")));
    }
}

/// Whether a point lies in a shape without dents, or on its border.
fn holds(outline: &[(f64, f64)], x: f64, y: f64) -> bool {
    let next = outline.iter().cycle().skip(1);
    let sides =
        outline.iter().zip(next).map(|(a, b)| (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0));
    let sides: Vec<f64> = sides.collect();
    sides.iter().all(|s| *s >= -1.0) || sides.iter().all(|s| *s <= 1.0)
}

fn outline(space: &Value) -> Vec<(f64, f64)> {
    let point = |p: &Value| (p[0].as_f64().unwrap() / 10.0, p[1].as_f64().unwrap() / 10.0);
    space["outline"].as_array().unwrap().iter().map(point).collect()
}

#[test]
fn counters_stay_in_their_spaces_and_none_is_lost() {
    for (name, picture) in SHIPPED.iter().flat_map(|n| pictures(n).into_iter().map(move |p| (n, p)))
    {
        if picture.table.is_some() {
            continue;
        }
        let svg = draw::svg(&picture);
        let all = elements(&svg);
        let scene = draw::scene(&picture);
        let mut seen: Vec<&str> = Vec::new();
        for (id, (left, top, right, bottom)) in counters(&all) {
            let of = |u: &&draw::UnitView| {
                id == format!("unit-{}", u.id) || id == format!("pile-{}", u.id)
            };
            let unit = picture.units.iter().find(of).expect("a unit");
            let outline = outline(&scene["spaces"][unit.space]);
            // The second edge of a pile stands out a little.
            let out = if id.starts_with("pile-") { 2.0 } else { 0.0 };
            for (x, y) in
                [(left, top + out), (right - out, top + out), (left, bottom), (right - out, bottom)]
            {
                assert!(holds(&outline, x, y), "{name}: {id} hangs over the border of its space");
            }
            seen.extend(id.strip_prefix("unit-"));
        }
        let piles: Vec<&str> = all
            .iter()
            .filter(|e| e.tag == "title" && e.inside.last().is_some_and(|i| i.starts_with("pile-")))
            .map(|e| e.text)
            .collect();
        for unit in picture.units.iter().filter(|u| !seen.contains(&u.id.as_str())) {
            let named = format!(" {} ", unit.id);
            let piled = piles.iter().any(|words| words.replace([':', ';'], " ").contains(&named));
            assert!(piled, "{name}: {} is drawn nowhere", unit.id);
        }
    }
}

/// The parts of a colour such as `#b3202c`.
fn channels(colour: &str) -> [i64; 3] {
    [1, 3, 5].map(|at| i64::from_str_radix(&colour[at..at + 2], 16).expect("a colour"))
}

#[test]
fn what_a_word_says_is_what_is_drawn() {
    let rules = r#"edition 1
ruleset words "Words" prefix W
sides France, Blue, Red
kind area, areas is space {
  has terrain one of sea, plain, quux
}
kind river, rivers is link
kind army, armies is unit
map m {
  space area A at (0, 0) with terrain sea
  space area B at (2, 0) with terrain plain
  space area C at (4, 0) with terrain quux
  link river A to B
  link river B to C
}
setup s on m {
  put army R of Red in A
  put army F of France in B
  put army B1 of Blue in C
}
"#;
    let place = Place::with(rules);
    let said = place.run(&["map", "game", "--format", "svg"]);
    assert_eq!(said.err, "");
    let all = elements(&said.out);
    let fill = |id: &str| {
        let of = |e: &&Element<'_>| e.tag == "rect" && e.inside.last() == Some(&id);
        channels(all.iter().find(of).expect("a counter").of("fill").expect("a fill"))
    };
    let [r, g, b] = fill("unit-R");
    assert!(r > 2 * g && r > 2 * b, "Red is drawn {r} {g} {b}");
    let [r, g, b] = fill("unit-B1");
    assert!(b > r && b > g, "Blue is drawn {r} {g} {b}");
    assert!(fill("unit-F") != fill("unit-R") && fill("unit-F") != fill("unit-B1"));
    let ground = |id: &str| {
        let of = |e: &&Element<'_>| e.tag == "rect" && e.inside.last() == Some(&id);
        channels(all.iter().find(of).expect("a pattern").of("fill").expect("a fill"))
    };
    let ([r, _, b], [pr, _, pb], quux) =
        (ground("ground-0"), ground("ground-1"), ground("ground-2"));
    assert!(b > r + 10, "the sea is not blue");
    assert!(pr > pb, "a plain is not sand");
    let (low, high) = (quux.iter().min().unwrap(), quux.iter().max().unwrap());
    assert!(high - low < 14, "a word that means nothing has a colour: {quux:?}");
    let river = all.iter().find(|e| e.tag == "line" && e.is_in("links")).expect("a river");
    let [r, _, b] = channels(river.of("stroke").expect("a stroke"));
    assert!(b > r + 40, "the river is not blue");
}

/// How much larger than its points a drawing is at its own size.
fn grown(svg: &Element<'_>) -> f64 {
    let view: Vec<&str> = svg.of("viewBox").expect("a box").split(' ').collect();
    svg.number("width") / view[2].parse::<f64>().expect("a number")
}

fn rect(e: &Element<'_>) -> Frame {
    let (x, y) = (e.number("x") * e.scale + e.moved.0, e.number("y") * e.scale + e.moved.1);
    (x, y, x + e.number("width") * e.scale, y + e.number("height") * e.scale)
}

fn points(e: &Element<'_>) -> Vec<(f64, f64)> {
    let number = |n: &str| n.parse().expect("a number");
    let pairs = e.of("points").expect("points").split(' ');
    pairs.map(|p| p.split_once(',').map(|(x, y)| (number(x), number(y))).expect("x,y")).collect()
}

fn frame_of(points: &[(f64, f64)]) -> Frame {
    let first = (points[0].0, points[0].1, points[0].0, points[0].1);
    let grow = |f: Frame, p: &(f64, f64)| (f.0.min(p.0), f.1.min(p.1), f.2.max(p.0), f.3.max(p.1));
    points.iter().fold(first, grow)
}

fn maps() -> impl Iterator<Item = (&'static str, Picture)> {
    let all = SHIPPED.iter().flat_map(|n| pictures(n).into_iter().map(move |p| (*n, p)));
    all.filter(|(_, p)| p.table.is_none())
}

#[test]
fn the_ends_of_lines_hide_nothing_and_are_not_hidden() {
    let (mut ends, mut hidden) = (0, 0);
    for (name, picture) in maps() {
        let svg = draw::svg(&picture);
        let all = elements(&svg);
        let at = |id: &str| all.iter().position(|e| e.of("id") == Some(id)).expect("a part");
        assert!(at("ends") < at("nodes") && at("nodes") < at("units"), "{name}");
        let badge = |e: &&Element<'_>| e.tag == "rect" && e.is_in("nodes");
        let badges = all.iter().filter(badge).map(rect);
        let marks: Vec<Frame> = counters(&all).into_iter().map(|c| c.1).chain(badges).collect();
        for end in all.iter().filter(|e| e.is_in("ends") && e.of("points").is_some()) {
            let frame = frame_of(&points(end));
            ends += 1;
            hidden += usize::from(marks.iter().any(|mark| shared(*mark, frame) > 4.0));
        }
    }
    assert!(ends > 100 && hidden * 50 < ends, "{hidden} of {ends} ends are hidden");
}

#[test]
fn the_marks_of_a_question_stand_in_their_spaces_and_on_no_counter() {
    for (name, mut picture) in maps() {
        let mark = |space: usize| Mark { space, sign: Sign::Threat, words: space.to_string() };
        let spaces = picture.spaces.iter().enumerate().filter(|(_, s)| s.units.len() < 4);
        let marks = spaces.map(|(at, _)| mark(at)).collect();
        let line: Vec<usize> = (0..3).collect();
        picture.overlay = Some(Overlay { title: "asked".to_owned(), marks, lines: vec![line] });
        let svg = draw::svg(&picture);
        let all = elements(&svg);
        let at = |id: &str| all.iter().position(|e| e.of("id") == Some(id)).expect("a part");
        // A tint lies below lines and letters, a sign above the counters.
        assert!(at("marks") < at("lines") && at("restored") < at("nodes"), "{name}");
        assert!(at("units") < at("signs"), "{name}");
        let scene = draw::scene(&picture);
        let counters = counters(&all);
        let discs = all.iter().filter(|e| e.tag == "circle" && e.is_in("nodes"));
        let disc = |e: &Element<'_>| (e.number("cx"), e.number("cy"), e.number("r"));
        let discs: Vec<_> = discs.map(disc).collect();
        let mut space = 0;
        for e in all.iter().filter(|e| e.is_in("signs")) {
            if e.tag == "title" {
                space = e.text.rsplit_once(": ").expect("words").1.parse().expect("a space");
            }
            if e.tag != "rect" {
                continue;
            }
            let (left, top, right, bottom) = rect(e);
            let outline = outline(&scene["spaces"][space]);
            for (x, y) in [(left, top), (right, top), (left, bottom), (right, bottom)] {
                assert!(holds(&outline, x, y), "{name}: a mark of {space} is not in it");
            }
            for (id, counter) in &counters {
                let both = shared(*counter, (left, top, right, bottom));
                assert!(both < 12.0, "{name}: a mark lies on {id}");
            }
            for (x, y, r) in &discs {
                let (dx, dy) = (x - x.clamp(left, right), y - y.clamp(top, bottom));
                assert!(dx * dx + dy * dy > (r - 1.0) * (r - 1.0), "{name}: a letter is hidden");
            }
        }
    }
}

#[test]
fn what_flips_is_marked() {
    let place = Place::with(sutler::diag::code::PRELUDE);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/sgs");
    let (game, other) = (folder.to_str().unwrap(), folder.join("fair_weather.sut"));
    place.run(&["impact", game, other.to_str().unwrap(), "--svg", "flips.svg"]);
    let svg = std::fs::read_to_string(place.path("flips.svg")).expect("a drawing");
    let all = elements(&svg);
    let is_marked = |e: &&Element<'_>| e.of("stroke") == Some("#c2185b") && e.is_in("spaces");
    assert!(all.iter().filter(is_marked).count() > 2 && svg.contains("otherwise before"));
    assert!(svg.contains("before the change "));
}

#[test]
fn letters_on_lines_have_light_around_them() {
    for (name, picture) in SHIPPED.iter().flat_map(|n| pictures(n).into_iter().map(move |p| (n, p)))
    {
        let svg = draw::svg(&picture);
        let all = elements(&svg);
        let texts: Vec<&Element<'_>> = all.iter().filter(|e| e.tag == "text").collect();
        let is = |e: &Element<'_>, class: &str| {
            e.of("class").is_some_and(|all| all.split(' ').any(|c| c == class))
        };
        for (before, text) in texts.iter().zip(texts.iter().skip(1)) {
            let on_table = picture.table.is_some() && (text.is_in("names") || text.is_in("units"));
            if is(text, "edge") || on_table && !is(text, "halo") {
                let both = is(before, "halo") && before.text == text.text;
                assert!(both, "{name}: {} has no light", text.text);
            }
        }
        // A light letter on a base lies on it.
        for text in texts.iter().filter(|e| picture.table.is_some() && is(e, "w")) {
            let base = |e: &&Element<'_>| e.tag == "polygon" && e.inside == text.inside;
            let corners = points(all.iter().find(base).expect("a base"));
            let (left, top, right, bottom) = text_frame(text, text.number("font-size"));
            let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
            for x in [left, x, right] {
                assert!(crossings(&corners, x, y) % 2 == 1, "{name}: {} hangs out", text.text);
            }
        }
    }
}

/// How many edges of a shape lie to the right of a point.
fn crossings(corners: &[(f64, f64)], x: f64, y: f64) -> usize {
    let next = corners.iter().cycle().skip(1);
    let crossed = corners.iter().zip(next).filter(|(a, b)| {
        let (low, high) = if a.1 <= b.1 { (a, b) } else { (b, a) };
        low.1 <= y && y < high.1 && x < low.0 + (high.0 - low.0) * (y - low.1) / (high.1 - low.1)
    });
    crossed.count()
}

#[test]
fn a_drawing_names_its_setup_and_a_wide_one_is_printed_across() {
    for name in SHIPPED {
        let setups: Vec<String> = shipped(name).setups.iter().map(|s| s.name.clone()).collect();
        for (setup, picture) in setups.iter().zip(pictures(name)) {
            let svg = draw::svg(&picture);
            let all = elements(&svg);
            let head = all.iter().find(|e| e.text.contains(", rules ")).expect("a subtitle");
            let part = setup.replace('_', " ");
            assert!(head.text.split(", ").any(|p| p == part), "{}: {setup}", head.text);
            let wide = all[0].number("width") > all[0].number("height");
            assert_eq!(draw::html(&picture).contains("@page{size:landscape}"), wide);
        }
    }
}

/// Whether any part of a line lies in a frame.
fn seen(line: &Element<'_>, frame: Frame) -> bool {
    let part = |from: f64, to: f64, nth: u32| from + (to - from) * f64::from(nth) / 3000.0;
    (0..=3000).any(|nth| {
        let x = part(line.number("x1"), line.number("x2"), nth);
        let y = part(line.number("y1"), line.number("y2"), nth);
        frame.0 <= x && x <= frame.2 && frame.1 <= y && y <= frame.3
    })
}

#[test]
fn a_crop_cuts_no_counter_and_its_legend_lists_what_it_shows() {
    for (name, whole) in maps() {
        for space in 0..whole.spaces.len().min(12) {
            let mut picture = whole.clone();
            Nearby { spaces: vec![space * 7 % whole.spaces.len()], away: Some(1), bases: vec![] }
                .crop(&mut picture);
            let svg = draw::svg(&picture);
            let all = elements(&svg);
            let window = rect(all.iter().find(|e| e.is_in("window")).expect("a window"));
            for (id, counter) in counters(&all) {
                let seen = shared(counter, window);
                let area = (counter.2 - counter.0) * (counter.3 - counter.1);
                assert!((seen - area).abs() < 1.0, "{name}: the edge cuts {id}");
            }
            let has = |words: &str| all.iter().any(|e| e.is_in("legend") && e.text == words);
            let look = |e: &Element<'_>| {
                ["stroke", "stroke-dasharray"].map(|name| e.of(name).map(str::to_owned))
            };
            let link = |e: &&Element<'_>| e.tag == "line" && e.is_in("links") && seen(e, window);
            let drawn: Vec<_> = all.iter().filter(link).map(look).collect();
            for row in all.iter().filter(|e| e.tag == "line" && e.is_in("legend")) {
                assert!(drawn.contains(&look(row)), "{name}: {space} has no such link");
            }
            let answered = all.iter().any(|e| e.is_in("units") && e.of("fill") == Some("#171310"));
            let no = picture.trace.as_ref().map(|t| t.no.replace('_', " "));
            assert!(answered || !no.is_some_and(|no| has(&no)), "{name}: a no that is not there");
        }
    }
}

#[test]
fn the_edge_of_a_crop_is_no_edge_of_the_table() {
    for picture in pictures("twilight") {
        let mut crop = picture.clone();
        Nearby { bases: vec![0], away: Some(2), spaces: vec![] }.crop(&mut crop);
        let dashed = |svg: &str| {
            let all = elements(svg);
            let edges: Vec<_> = all.iter().filter(|e| e.is_in("edges")).collect();
            assert_eq!(edges.len(), 4);
            edges.iter().filter(|e| e.of("stroke-dasharray") != Some("none")).count()
        };
        assert_eq!(dashed(&draw::svg(&picture)), 0);
        assert!(dashed(&draw::svg(&crop)) > 0);
        // The legend names no side, ground or zone that is not drawn.
        let svg = draw::svg(&crop);
        let all = elements(&svg);
        for (at, side) in crop.sides.iter().enumerate() {
            let of_side = |b: &&draw::BaseView| b.side == Some(at);
            let bases = crop.table.as_ref().unwrap().bases.iter().filter(of_side);
            let ids: Vec<String> = bases.map(|b| format!("unit-{}", b.id)).collect();
            let drawn = all.iter().any(|e| ids.iter().any(|id| e.is_in(id)));
            let row = all.iter().any(|e| e.is_in("legend") && e.text == side.replace('_', " "));
            assert_eq!(drawn, row, "{side}");
        }
        // Every base that is drawn is whole.
        let svg = draw::svg(&crop);
        let all = elements(&svg);
        let bottom = |e: &Element<'_>| e.number("y1").max(e.number("y2"));
        let low = all.iter().filter(|e| e.is_in("edges")).map(bottom).fold(0.0, f64::max);
        for base in all.iter().filter(|e| e.tag == "polygon" && e.is_in("units")) {
            assert!(frame_of(&points(base)).3 <= low + 7.0, "a base hangs over the edge");
        }
    }
}

#[test]
fn a_renderer_that_is_no_browser_has_all_it_needs() {
    for (name, mut picture) in
        SHIPPED.iter().flat_map(|n| pictures(n).into_iter().map(move |p| (n, p)))
    {
        for crop in [false, true] {
            if crop {
                let bases =
                    (0..picture.table.as_ref().map_or(0, |t| t.bases.len().min(1))).collect();
                Nearby { spaces: vec![0], bases, away: Some(1) }.crop(&mut picture);
            }
            let svg = draw::svg(&picture);
            let all = elements(&svg);
            for browsers_alone in
                ["var(", "paint-order", "foreignObject", "<script", "@import", "calc("]
            {
                assert!(!svg.contains(browsers_alone), "{name}: {browsers_alone}");
            }
            let ids: Vec<&str> = all.iter().filter_map(|e| e.of("id")).collect();
            for (_, value) in all.iter().flat_map(|e| &e.attributes) {
                if let Some(id) = value.strip_prefix("url(#").and_then(|v| v.strip_suffix(')')) {
                    assert!(ids.contains(&id), "{name}: nothing is called {id}");
                }
            }
            let mut once = ids.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), ids.len(), "{name}: an id stands twice");
            // Every letter is large enough to be read where the drawing has its own size.
            for text in all.iter().filter(|e| e.tag == "text") {
                let size = text.of("font-size").map_or(11.5, |s| s.parse().expect("a size"));
                let own = size * text.scale * grown(&all[0]);
                // Two letters of a side share one disc.
                let disc = text.of("class") == Some("b m") && !text.is_in("units");
                let least = if disc { 7.5 } else { 8.95 };
                assert!(own >= least, "{name}: {} is {own} high", text.text);
            }
            for word in all.iter().filter(|e| e.tag == "text" && !e.is_in("nodes")) {
                let is_hash = word.text.contains(", rules ");
                assert!(is_hash || !word.text.contains('_'), "{name}: {}", word.text);
            }
        }
    }
}

#[test]
fn a_drawing_fits_its_window_and_a_page_can_be_read_on_a_phone() {
    let place = Place::with(sutler::diag::code::PRELUDE);
    let svg = place.run(&["map", "game", "--format", "svg"]).out;
    assert!(svg.contains("svg:root{max-width:100%;height:auto}") && svg.contains("@media print"));
    let made = place.run(&["map", "game", "--out", "map.html"]);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    let page = std::fs::read_to_string(place.path("map.html")).unwrap();
    assert_eq!(page, place.run(&["map", "game", "--format", "html"]).out);
    for part in
        ["width=device-width", "prefers-color-scheme: dark", "@media print", "overflow: auto"]
    {
        assert!(page.contains(part), "{part}");
    }
    // At its own size, names of 11.5 pixels are as large on a phone; the window scrolls.
    assert!(page.contains("max-width: none") && page.contains(svg.trim_end()));
    assert!(!page.contains("<script") && !page.contains("http://www.w3.org/1999"));
}

#[test]
fn around_draws_what_is_near_and_says_what_it_does_not_know() {
    let place = Place::with(sutler::diag::code::PRELUDE);
    let whole = place.run(&["map", "game", "--format", "svg"]).out;
    let ids = |svg: &str| -> Vec<String> {
        let spaces = elements(svg).into_iter().filter_map(|e| e.of("id").map(str::to_owned));
        spaces.filter(|id| id.starts_with("space-")).collect()
    };
    let unit = elements(&whole)
        .iter()
        .filter_map(|e| e.of("id").and_then(|id| id.strip_prefix("unit-")).map(str::to_owned))
        .next()
        .expect("a unit");
    let near = place.run(&["map", "game", "--format", "svg", "--around", &unit, "--away", "0"]);
    assert_eq!((near.code, near.err.as_str()), (0, ""));
    let (all, some) = (ids(&whole), ids(&near.out));
    assert!(!some.is_empty() && some.len() < all.len() && some.iter().all(|s| all.contains(s)));
    assert!(near.out.contains("clip-path=\"url(#window)\"") && !whole.contains("clip-path"));
    let text = place.run(&["map", "game", "--around", &unit, "--away", "0"]);
    assert!(
        text.code == 0
            && text.out.lines().count() < place.run(&["map", "game"]).out.lines().count()
    );
    let wrong = place.run(&["map", "game", "--around", "Nowhereatall"]);
    assert!(
        wrong.code == 2 && wrong.err.contains("no unit on the map or space is called"),
        "{}",
        wrong.err
    );
    let data = place.run(&["map", "game", "--around", &unit, "--format", "json"]);
    assert!(data.code == 2 && data.err.contains("data is whole"), "{}", data.err);
    assert_eq!(place.run(&["map", "game", "--away", "1"]).code, 2);
}

#[test]
fn a_map_states_the_looks_of_its_drawing() {
    let rules = |looks: &str| {
        format!(
            "edition 1\nruleset looks \"Looks\" prefix L\nsides Guards, Red\n\
             kind area, areas is space {{\n  has terrain one of forest, taiga\n}}\n\
             kind ferry, ferries is link\nkind army, armies is unit\n\
             map m {{\n  space area A at (0, 0) with terrain forest\n  \
             space area B at (2, 0) with terrain taiga\n  link ferry A to B\n{looks}}}\n\
             setup s on m {{\n  put army G of Guards in A\n  put army R of Red in B\n}}\n"
        )
    };
    let colours = |looks: &str| -> Vec<String> {
        let said = Place::with(&rules(looks)).run(&["map", "game", "--format", "svg"]);
        assert_eq!(said.err, "");
        let all = elements(&said.out);
        let fill = |id: &str| {
            let of = |e: &&Element<'_>| e.tag == "rect" && e.inside.last() == Some(&id);
            all.iter().find(of).and_then(|e| e.of("fill")).expect("a fill").to_owned()
        };
        let link = all.iter().find(|e| e.tag == "line" && e.is_in("links")).expect("a link");
        vec![
            fill("unit-G"),
            fill("unit-R"),
            fill("ground-1"),
            link.of("stroke").expect("a stroke").to_owned(),
        ]
    };
    let plain = colours("");
    let stated = colours(
        "  legend \"as #7A1F2B\" with side Guards\n  legend \"as desert\" with terrain taiga\n  \
         legend \"as road\" with ferry\n",
    );
    assert_eq!(stated[0], "#7a1f2b");
    assert_eq!(stated[1], plain[1], "Red stays red");
    assert!(stated[2] != plain[2] && stated[3] != plain[3], "{plain:?} {stated:?}");
    let [r, _, b] = channels(&stated[3]);
    assert!(r > b, "a ferry like a road is still blue");
    for (look, word) in [
        ("legend \"as fluff\" with terrain taiga", "nothing looks like `fluff`"),
        ("legend \"as #ffffff\" with side Red", "nothing looks like `#ffffff`"),
        ("legend \"as red\" with side Rod", "no side is called `Rod`"),
        ("legend \"as forest\" with terrain tiger", "is called `tiger`"),
        ("legend \"as forest\" with army", "this has no look"),
        ("legend \"as forest\" outside", "a look is of one thing"),
        ("legend \"as red\" with side Red\n  legend \"as blue\" with side Red", "said twice"),
    ] {
        let said = Place::with(&rules(&format!("  {look}\n"))).run(&["check", "game"]);
        let read = format!("{}{}", said.out, said.err);
        let read = read.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.code != 0 && read.contains(word), "{look}: {read}");
    }
    // Beside a grid a look is no sign of the rows.
    let grid = "  grid hexes flat even columns lower from 0101\n  legend \"f\" with terrain forest\n  \
                legend \"as hills\" with terrain forest\n  row \"f f\"\n";
    let hexes = format!(
        "edition 1\nruleset looks \"Looks\" prefix L\nsides Guards, Red\n\
         kind hex, hexes is space {{\n  has terrain one of forest, taiga\n}}\n\
         map m {{\n{grid}}}\nsetup s on m {{\n}}\n"
    );
    let said = Place::with(&hexes).run(&["check", "game"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

#[test]
fn a_broken_line_runs_through_its_spaces_to_the_one_that_stops_it() {
    let text = format!(
        "{}\nmap chain {{\n  space area Near at (0, 0)\n  space area Half_Way at (2, 1)\n  space area Far_Off at (4, 0)\n  link border Near to Half_Way to Far_Off\n}}\nsetup cut on chain {{\n  given control is Red in Near\n  put army First of Red in Far_Off with leader Marlow\n  put army Bar of Blue in Near\n}}\n",
        sutler::diag::code::PRELUDE.replace("then 2", "then 1")
    );
    let (_, rules, faults) = sutler::project::check_text("chain.sut", text.as_bytes());
    let rules = rules.unwrap_or_else(|| panic!("{faults:?}"));
    let setup = rules.setups.iter().position(|setup| setup.name == "cut").unwrap();
    let world = sutler::world::start(&rules, SetupId::at(setup));
    let position = Position::new(&rules, &world).unwrap();
    let wanted = Wanted { trace: Some(TraceId(0)), side: Some(SideId(0)), ..Wanted::default() };
    let picture = draw::gather(&position, &wanted).unwrap();
    let first = picture.units.iter().find(|unit| unit.id == "First").unwrap();
    let answer = first.answer.as_ref().unwrap();
    let names: Vec<&str> = answer.cut.iter().map(|at| picture.spaces[*at].id.as_str()).collect();
    assert_eq!((answer.yes, answer.stop, names), (false, Some(1), vec!["Far_Off", "Half_Way"]));
    let drawn = draw::svg(&picture);
    // A name is read without its joints.
    assert!(drawn.contains(">Half Way<") && !drawn.contains(">Half_Way<"), "{drawn}");
}

/// The number behind a word of a style.
fn styled(page: &str, word: &str) -> f64 {
    let (_, after) = page.split_once("id=\"first\"").expect("a place where the page opens");
    let (_, number) = after.split_once(word).expect("its style");
    number.split_once("px").expect("pixels").0.parse().expect("a number")
}

#[test]
fn a_page_opens_at_a_unit() {
    for (name, picture) in SHIPPED.iter().flat_map(|n| pictures(n).into_iter().map(move |p| (n, p)))
    {
        let page = draw::html(&picture);
        let svg = draw::svg(&picture);
        let all = elements(&svg);
        if !page.contains("id=\"first\"") {
            let drawn = all.iter().any(|e| e.tag == "polygon" && e.is_in("units"));
            assert!(!drawn && counters(&all).is_empty(), "{name}: units are drawn");
            continue;
        }
        let grown = grown(&all[0]);
        let (x, y) = (styled(&page, "left:") / grown, styled(&page, "top:") / grown);
        let near = |frame: Frame| {
            let far = |at: f64, from: f64, to: f64| (from - at).max(at - to).max(0.0);
            far(x, frame.0, frame.2).hypot(far(y, frame.1, frame.3))
        };
        let units: Vec<Frame> = match &picture.table {
            None => counters(&all).into_iter().map(|(_, frame)| frame).collect(),
            Some(_) => all
                .iter()
                .filter(|e| e.tag == "polygon" && e.is_in("units"))
                .map(|e| frame_of(&points(e)))
                .collect(),
        };
        let nearest = units.iter().map(|frame| near(*frame)).fold(f64::MAX, f64::min);
        assert!(nearest < 60.0, "{name}: no unit is within {nearest} of ({x}, {y})");
    }
    // A map without units opens where it begins.
    let mut empty = pictures("sgs").remove(0);
    empty.units.clear();
    assert!(!draw::html(&empty).contains("id=\"first\""));
}
