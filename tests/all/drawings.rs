//! What can be held of drawings without looking at them: boxes, colours, references, sizes. The
//! shipped rulesets with all their setups are drawn, whole and cropped.

use std::path::Path;

use serde_json::Value;
use sutler::draw::{self, Nearby, Picture, Wanted};
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
                assert!(size * text.scale >= 6.0, "{name}: {} is {size} high", text.text);
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
    // Its bar lies above the counters, and a name is read without its joints.
    assert!(drawn.find("<g id=\"units\"") < drawn.find("<g id=\"ends\""));
    assert!(drawn.contains(">Half Way<") && !drawn.contains(">Half_Way<"), "{drawn}");
}
