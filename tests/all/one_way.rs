//! Links that lead one way: lines over them against a brute force that knows the links as they were
//! written and nothing else, and what is refused of them.

use crate::common::counts::{seeds, share};
use crate::common::told::{series_says, session_says, unit_moves};
use crate::common::{Dice, checked};
use crate::place::Place;
use sutler::ir::{KindId, Ruleset, SetupId, TraceId};
use sutler::kernel::{Position, Series, Session, reference};
use sutler::map::OneLink;
use sutler::project::check_text;
use sutler::world::{ThingRef, World};

const RULES: &str = "edition 1
ruleset slides \"Slides\" prefix SL
sides Red against Blue
dimension steps (step), points (point)
kind area, areas is space {
  has depot yes or no
}
kind road, roads is link
kind chute, chutes is link one way {
  has width in points from 0 to 2
}
kind sled, sleds is chute
kind army, armies is unit
given blocked of chute
table toll of army gives points by first match {
  when over sled  then 1
  when over chute then 2
  otherwise 3
}
";

/// The traces: whose lines, the links, the rest of the leg.
const TRACES: [(&str, &str, &str); 10] = [
    ("army", "chutes", "within 3"),
    ("army", "roads, chutes", "within 4"),
    ("army", "links", "within 2"),
    ("army", "links but not chutes", "within 5"),
    ("army", "chutes where width at least 1", "within unlimited"),
    ("army", "chutes where not blocked", "within 3"),
    ("army", "roads, sleds", "cost toll\n    within 5 points"),
    ("area", "chutes", "within 2"),
    ("army", "links where not blocked", "within unlimited"),
    ("area", "roads but not sleds where blocked", "within 3"),
];

/// A link as the map writes it.
#[derive(Clone, Copy, PartialEq)]
struct Written {
    kind: &'static str,
    from: usize,
    to: usize,
    width: i64,
    blocked: bool,
}

impl Written {
    /// Whether it joins two spaces at all.
    fn joins(&self, a: usize, b: usize) -> bool {
        (self.from, self.to) == (a, b) || (self.from, self.to) == (b, a)
    }

    /// Whether a step goes along it.
    fn leads(&self, a: usize, b: usize) -> bool {
        (self.from, self.to) == (a, b) || self.kind == "road" && self.joins(a, b)
    }

    fn is_chute(&self) -> bool {
        self.kind != "road"
    }
}

#[derive(Clone)]
struct Game {
    spaces: usize,
    depots: Vec<bool>,
    links: Vec<Written>,
    units: Vec<usize>,
}

impl Game {
    fn random(dice: &mut Dice) -> Game {
        let spaces = 3 + dice.below(5);
        let mut links: Vec<Written> = Vec::new();
        for _ in 0..spaces * 2 {
            let (from, to) = (dice.below(spaces), dice.below(spaces));
            let kind = *dice.pick(&["road", "chute", "chute", "sled"]);
            let mut new = Written {
                kind,
                from,
                to,
                width: dice.below(3) as i64,
                blocked: dice.percent(30) && kind != "road",
            };
            let same = links.iter().find(|l| l.kind == kind && l.joins(from, to));
            if let Some(old) = same {
                // The way back is the same link: it has the same facts.
                (new.width, new.blocked) = (old.width, old.blocked);
            }
            let twice = same.is_some() && kind == "road" || links.contains(&new);
            if from != to && !twice {
                links.push(new);
            }
        }
        Game {
            spaces,
            depots: (0..spaces).map(|_| dice.percent(30)).collect(),
            links,
            units: (0..4).map(|_| dice.below(spaces)).collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = RULES.to_owned();
        for (at, (of, over, within)) in TRACES.iter().enumerate() {
            text += &format!(
                "trace t{at} of {of} {{\n  called joined{at} else cut{at}\n  source depot where depot\n  leg way\n    \
                 over {over}\n    from anywhere\n    through anywhere\n    into anywhere\n    {within}\n}}\n"
            );
        }
        text += "map field {\n";
        for (at, depot) in self.depots.iter().enumerate() {
            let with = if *depot { " with depot" } else { "" };
            text += &format!("  space area S{at}{with}\n");
        }
        for l in &self.links {
            let with =
                if l.is_chute() { format!(" with width {}", l.width) } else { String::new() };
            text += &format!("  link {} S{} to S{}{with}\n", l.kind, l.from, l.to);
        }
        text += "}\nsetup start on field {\n";
        for (at, space) in self.units.iter().enumerate() {
            text += &format!("  put army U{at} of Red in S{space}\n");
        }
        text + "}\n"
    }

    /// The position of the setup, with the links that are blocked.
    fn world(&self, rules: &Ruleset) -> World {
        let mut world = sutler::world::start(rules, SetupId(0));
        let blocked = rules.facts.iter().find(|f| f.name == "blocked").unwrap();
        for (at, l) in self.links.iter().enumerate().filter(|(_, l)| l.blocked) {
            // Named in either order.
            let (a, b) = if at % 2 == 0 { (l.from, l.to) } else { (l.to, l.from) };
            let kind = rules.kinds.iter().position(|k| k.name == l.kind).map(KindId::at).unwrap();
            let link = rules.maps[0].number_of(OneLink::of(kind, a as u32, b as u32)).unwrap();
            world.set_fact(blocked, ThingRef::Link(link), 1);
        }
        world
    }

    /// What a step of a trace costs, by the meaning of its line.
    fn step(&self, trace: usize, a: usize, b: usize) -> Option<u32> {
        let along =
            |want: &dyn Fn(&Written) -> bool| self.links.iter().any(|l| l.leads(a, b) && want(l));
        let open = match trace {
            0 | 7 => along(&|l| l.is_chute()),
            1 | 2 => along(&|_| true),
            3 => along(&|_| true) && !along(&|l| l.is_chute()),
            4 => along(&|l| l.is_chute() && l.width >= 1),
            5 => along(&|l| l.is_chute() && !l.blocked),
            6 => along(&|l| l.kind != "chute"),
            8 => along(&|l| !(l.is_chute() && l.blocked)),
            _ => along(&|l| l.kind == "road") && !along(&|l| l.kind == "sled" && l.blocked),
        };
        let cost = match trace {
            6 if along(&|l| l.kind == "sled") => 1,
            6 if along(&|l| l.kind == "chute") => 2,
            6 => 3,
            _ => 1,
        };
        open.then_some(cost)
    }

    /// How far each space is from one, step by step until nothing gets nearer.
    fn far(&self, trace: usize, from: usize) -> Vec<Option<u32>> {
        let most = [3, 4, 2, 5, 999, 3, 5, 2, 999, 3][trace];
        let mut far = vec![None; self.spaces];
        far[from] = Some(0);
        for _ in 0..self.spaces {
            for a in 0..self.spaces {
                for b in 0..self.spaces {
                    let (Some(gone), Some(step)) = (far[a], self.step(trace, a, b)) else {
                        continue;
                    };
                    let whole: u32 = gone + step;
                    if whole <= most && far[b].is_none_or(|old| whole < old) {
                        far[b] = Some(whole);
                    }
                }
            }
        }
        far
    }

    fn nearest(&self, trace: usize, from: usize) -> Option<u32> {
        let far = self.far(trace, from);
        (0..self.spaces).filter(|s| self.depots[*s]).filter_map(|s| far[s]).min()
    }
}

#[test]
fn lines_go_only_as_the_links_lead() {
    let (mut asked, mut yes, mut turned) = (0, 0, 0);
    for seed in seeds(400) {
        let mut dice = Dice::new(seed);
        let game = Game::random(&mut dice);
        let text = game.text();
        let rules = checked(&text);
        let world = game.world(&rules);
        let position = Position::new(&rules, &world).unwrap();
        for (at, (of, ..)) in TRACES.iter().enumerate() {
            let trace = TraceId::at(at);
            let things: Vec<(ThingRef, usize)> = match *of {
                "area" => (0..game.spaces).map(|s| (ThingRef::Space(s as u32), s)).collect(),
                _ => (0u32..).map(ThingRef::Unit).zip(game.units.iter().copied()).collect(),
            };
            for (thing, space) in things {
                let wanted = game.nearest(at, space);
                let answer = position.answer(trace, thing).unwrap();
                let what = format!("seed {seed}, t{at} of {thing:?}\n{text}");
                assert_eq!(answer.length, wanted, "{what}");
                assert_eq!(answer.yes, wanted.is_some(), "{what}");
                let twin = reference::ask(&position, trace, thing).unwrap();
                assert_eq!(twin.0, wanted.is_some(), "reference, {what}");
                let ends = position.reach(trace, thing).unwrap();
                let found: Vec<(usize, u32)> =
                    ends.spaces.iter().map(|r| (r.space as usize, r.length)).collect();
                let far = game.far(at, space);
                let wanted_ends: Vec<(usize, u32)> =
                    far.iter().enumerate().filter_map(|(s, far)| Some((s, (*far)?))).collect();
                assert_eq!(found, wanted_ends, "{what}");
                asked += 1;
                yes += usize::from(answer.yes);
                let mut both = game.clone();
                both.links.extend(game.links.iter().map(|l| Written {
                    from: l.to,
                    to: l.from,
                    ..*l
                }));
                turned += usize::from(both.nearest(at, space) != wanted);
            }
        }
        moves(&mut dice, &game, &rules, &world, seed);
    }
    println!("{asked} answers, {yes} of them yes, {turned} otherwise if links led both ways");
    assert!(yes > share(4000) && turned > share(1000), "{yes} and {turned} of {asked}");
}

/// Positions one after another and one that changes, each against the brute force.
fn moves(dice: &mut Dice, game: &Game, rules: &Ruleset, world: &World, seed: u64) {
    for (at, _) in TRACES.iter().enumerate().filter(|(_, (of, ..))| *of == "army") {
        let (trace, what) = (TraceId::at(at), format!("seed {seed}, t{at}"));
        let mut series = Series::new(rules, trace);
        let mut session = Session::new(rules, world.clone(), trace).unwrap();
        let mut now = game.clone();
        let mut worlds = vec![world.clone()];
        let mut wanted = Vec::new();
        for _ in 0..5 {
            let told: Vec<bool> =
                now.units.iter().map(|space| now.nearest(at, *space).is_some()).collect();
            session_says(session.as_ref(), &told, &what);
            wanted.push(told);
            let (unit, to) = (dice.below(now.units.len()), dice.below(now.spaces));
            now.units[unit] = to;
            let mut next = worlds.last().unwrap().clone();
            unit_moves(rules, (session.as_mut(), &mut next), unit as u32, to as u32);
            worlds.push(next);
        }
        worlds.pop();
        series_says(&mut series, &worlds, &wanted, now.units.len(), &what);
    }
}

/// What a check says of a map with these lines, and of a kind with these words.
fn codes(kinds: &str, lines: &str) -> Vec<String> {
    let text = format!(
        "edition 1\nruleset a \"A\" prefix A\nkind area, areas is space\n{kinds}\nmap m {{\n  space area A\n  space area B\n  \
         space area C\n{lines}}}\n"
    );
    check_text("a.sut", text.as_bytes()).2.iter().map(|f| f.code.to_string()).collect()
}

const CHUTE: &str =
    "kind chute, chutes is link one way {\n  has steep yes or no\n}\nkind sled, sleds is chute";

#[test]
fn what_is_said_twice_is_told() {
    let none: [&str; 0] = [];
    assert_eq!(codes(CHUTE, "  link chute A to B to C\n  link chute B to A\n"), none);
    assert_eq!(codes(CHUTE, "  link chute A to B to A\n"), none);
    assert_eq!(codes(CHUTE, "  link chute A to B\n  link chute A to B\n"), ["W0717"]);
    assert_eq!(
        codes(CHUTE, "  link chute A to B with steep\n  link chute A to B with steep\n"),
        ["E0202"]
    );
    assert_eq!(codes(CHUTE, "  link chute A to B with steep\n  link chute B to A\n"), ["E0202"]);
    assert_eq!(codes(CHUTE, "  link chute A to B\n  link chute B to A with steep\n"), ["E0202"]);
    assert_eq!(
        codes(CHUTE, "  link chute A to B with steep\n  link chute B to A with steep\n"),
        none
    );
    assert_eq!(
        codes(CHUTE, "  link sled A to B\n  link sled B to A\n  link sled A to B\n"),
        ["W0717"]
    );
    assert_eq!(codes(CHUTE, "  link sled A to B\n  link chute A to B\n"), none);
    assert_eq!(codes(CHUTE, "  link chute A to A\n"), ["E0702"]);
}

#[test]
fn only_links_lead_one_way() {
    assert_eq!(codes("kind scout is unit one way", ""), ["E0207"]);
    assert_eq!(codes("kind hill is area one way", ""), ["E0207"]);
    assert_eq!(codes("kind chute is link two way", ""), ["E0100"]);
}

/// The six directions on a grid, by the layout's own drawing: the step to the neighbour that a row
/// goes on to, from a column and row as printed.
fn beside((column, row): (i64, i64), way: usize, (flat, odd): (bool, bool)) -> (i64, i64) {
    let line = if flat { column } else { row };
    // A line that is shifted lies half a hex lower, or farther right.
    let shifted = (line.rem_euclid(2) == 1) == odd;
    let (near, far) = if shifted { (0, 1) } else { (-1, 0) };
    match (flat, way) {
        (true, 0) => (column, row + 1),
        (true, 1) => (column + 1, row + far),
        (true, 2) => (column + 1, row + near),
        (false, 0) => (column + 1, row),
        (false, 1) => (column + far, row + 1),
        (false, 2) => (column + near, row + 1),
        // The other three lead back.
        (_, back) => {
            let all = (-1..=1).flat_map(|c| (-1..=1).map(move |r| (column + c, row + r)));
            all.filter(|from| *from != (column, row))
                .find(|from| beside(*from, back - 3, (flat, odd)) == (column, row))
                .unwrap()
        }
    }
}

const HEXES: &str = "edition 1
ruleset rails \"Rails\" prefix RL
kind hex, hexes is space
kind road, roads is link {
  has broad yes or no
}
kind rail, rails is link one way
";

fn hexes(layout: &str, size: (i64, i64), holes: &[(i64, i64)], lines: &str) -> String {
    let mut text = format!(
        "{HEXES}map m {{\n  grid hexes {layout} from 0101\n  legend \".\"\n  legend \"-\" outside\n"
    );
    for row in 1..=size.1 {
        let signs: Vec<&str> =
            (1..=size.0).map(|c| if holes.contains(&(c, row)) { "-" } else { "." }).collect();
        text += &format!("  row \"{}\"\n", signs.join(" "));
    }
    format!("{text}{lines}}}\n")
}

#[test]
fn a_row_is_the_links_that_one_would_write() {
    let layouts = [
        ("flat even columns lower", (true, false)),
        ("flat odd columns lower", (true, true)),
        ("pointy even rows right", (false, false)),
        ("pointy odd rows right", (false, true)),
    ];
    let (mut rows, mut bends, mut holed) = (0, 0, 0);
    for seed in seeds(300) {
        let mut dice = Dice::new(seed);
        let (layout, how) = *dice.pick(&layouts);
        let size = (2 + dice.below(7) as i64, 2 + dice.below(7) as i64);
        let start =
            (1 + dice.below(size.0 as usize) as i64, 1 + dice.below(size.1 as usize) as i64);
        let way = dice.below(6);
        let inside = |(c, r): (i64, i64)| (1..=size.0).contains(&c) && (1..=size.1).contains(&r);
        let mut row = vec![start];
        loop {
            let next = beside(row[row.len() - 1], way, how);
            if !inside(next) || dice.percent(15) {
                break;
            }
            row.push(next);
        }
        let Some((last, between)) = row.split_last().filter(|(_, before)| !before.is_empty())
        else {
            continue;
        };
        let label = |(c, r): (i64, i64)| format!("{c:02}{r:02}");
        let kind = *dice.pick(&["road", "rail"]);
        let drawn = hexes(
            layout,
            size,
            &[],
            &format!("  line {kind} {} to {}\n", label(start), label(*last)),
        );
        let chain: Vec<String> = row.iter().map(|place| label(*place)).collect();
        let linked = hexes(layout, size, &[], &format!("  link {kind} {}\n", chain.join(" to ")));
        let map = |text: &str| serde_json::to_value(&checked(text).maps).unwrap();
        assert_eq!(map(&drawn), map(&linked), "seed {seed}\n{drawn}{linked}");
        rows += 1;
        let told = |text: &str| check_text("rails.sut", text.as_bytes()).2;
        if between.len() > 1 {
            let hole = between[1 + dice.below(between.len() - 1)];
            let text = hexes(
                layout,
                size,
                &[hole],
                &format!("  line {kind} {} to {}\n", label(start), label(*last)),
            );
            let faults = told(&text);
            assert!(
                faults.iter().any(|f| f.code.to_string() == "E0730"
                    && f.message.ends_with(&format!("leaves the map at {}", label(hole)))),
                "seed {seed}\n{text}{faults:#?}"
            );
            holed += 1;
        }
        // Another end, to which no straight row leads.
        let end = (1 + dice.below(size.0 as usize) as i64, 1 + dice.below(size.1 as usize) as i64);
        let straight = end == start
            || (0..6).any(|way| {
                let walk = std::iter::successors(Some(start), |at| Some(beside(*at, way, how)));
                walk.take(20).any(|at| at == end)
            });
        if !straight {
            let text = hexes(
                layout,
                size,
                &[],
                &format!("  line road {} to {}\n", label(start), label(end)),
            );
            let faults = told(&text);
            assert_eq!(faults.len(), 1, "seed {seed}\n{text}{faults:#?}");
            let help = faults[0].help.clone().unwrap_or_default();
            if let Some((_, bent)) = help.split_once('`').filter(|_| help.contains("may bend")) {
                let bent = bent.trim_end_matches('`');
                checked(&hexes(layout, size, &[], &format!("  line road {bent}\n")));
                bends += 1;
            }
        }
    }
    println!("{rows} rows, {holed} over holes, {bends} bends");
    assert!(rows > share(130) && bends > share(60) && holed > share(60));
}

#[test]
fn rows_are_of_hexes() {
    let flat = |lines: &str| -> Vec<String> {
        let text = hexes("flat even columns lower", (5, 4), &[], lines);
        check_text("rails.sut", text.as_bytes()).2.iter().map(|f| f.code.to_string()).collect()
    };
    let none: [&str; 0] = [];
    assert_eq!(flat("  line road 0101 to 0503 to 0504 with broad\n"), none);
    assert_eq!(flat("  line road 0101 to 0101\n"), ["E0702"]);
    assert_eq!(flat("  line road 0101 to 0104\n  link road 0102 to 0103\n"), ["W0717"]);
    assert_eq!(
        flat("  line road 0101 to 0104 with broad\n  line road 0103 to 0101 with broad\n"),
        ["E0202", "E0202"]
    );
    assert_eq!(flat("  line rail 0101 to 0104\n  line rail 0104 to 0101\n"), none);
    assert_eq!(flat("  line rail 0101 to 0104\n  line rail 0102 to 0103\n"), ["W0717"]);
    assert_eq!(flat("  line hexside 0101 to 0104\n"), ["E0730"]);
    assert_eq!(flat("  line road 0101 to 0109\n"), ["E0701"]);
    assert_eq!(codes("kind road is link", "  line road A to B\n"), ["E0730"]);
}

const RIVER: &str = "edition 1
ruleset river \"River\" prefix RV
sides Red against Blue
dimension steps (step)
kind area, areas is space {
  has depot yes or no
}
kind chute, chutes is link one way
kind army, armies is unit
trace down of army {
  called  carried else held
  source  depot where depot
  leg float
    over    chutes
    from    anywhere
    through anywhere
    into    anywhere
    within  4
}
map river {
  space area Spring
  space area Pool
  space area Sea with depot
  link chute Spring to Pool
  link chute Pool to Sea to Pool
}
setup start on river {
  put army First of Red in Spring
  put army Last of Red in Sea
}
case \"down, and not up\" {
  on     river
  put    army A of Red in Sea
  expect A is carried
  given  space of A is Spring
  expect A is carried
}
";

#[test]
fn commands_say_which_way_links_lead() {
    let place = Place::with(RIVER);
    let said = |args: &[&str]| {
        let said = place.run(args);
        format!("{}{}", said.out, said.err)
    };
    let map = said(&["map", "game", "--setup", "start", "--format", "json"]);
    let map: serde_json::Value = serde_json::from_str(&map).unwrap();
    let wanted = serde_json::json!([
        { "kind": "chute", "from": "Spring", "to": "Pool", "one_way": true },
        { "kind": "chute", "from": "Pool", "to": "Sea" },
    ]);
    assert_eq!(map["links"], wanted);
    assert!(said(&["doc", "game"]).contains("leads one way"), "{}", said(&["doc", "game"]));
    place.write("back/rules.sut", RIVER.replace("chute Spring to Pool", "chute Pool to Spring"));
    let diff = said(&["diff", "game", "back"]);
    for link in ["link chute Spring to Pool", "link chute Pool to Spring"] {
        assert!(diff.contains(link), "{diff}");
    }
    place.write("both/rules.sut", RIVER.replace("link one way", "link"));
    assert!(said(&["diff", "game", "both"]).contains("kind chute"));
    let mutate = said(&["mutate", "game", "--format", "json"]);
    assert!(mutate.contains("one way left out"), "{mutate}");
    // A kind is changed line by line, and its head is none of them.
    place.write(
        "game/wide.sut",
        "edition 1\nruleset wide \"Wide\" prefix WI extends river\noverride kind chute, but {\n  one way\n}\n",
    );
    assert!(said(&["check", "game"]).contains("error[E"), "{}", said(&["check", "game"]));
}

#[test]
fn rows_of_hexes_are_sheets_of_their_own() {
    let text = hexes("flat even columns lower", (5, 4), &[], "  line road 0101 to 0503 to 0504\n");
    let place = Place::with(&text);
    let out = place.run(&["sheet", "out", "game", "--out", "sheets"]);
    assert!(out.out.contains("lines_m: 1 row"), "{}{}", out.out, out.err);
    let sheet = std::fs::read_to_string(place.path("sheets/lines_m.csv")).unwrap();
    assert_eq!(sheet, "line,from,to 1,to 2\nroad,0101,0503,0504\n");
    place.write("sheets/lines_m.csv", format!("{sheet}rail,0201,0203,\n"));
    let back = place.run(&["sheet", "in", "game", "sheets"]);
    let text = std::fs::read_to_string(place.path("game/rules.sut")).unwrap();
    assert!(text.contains("line rail 0201 to 0203\n"), "{}{}{text}", back.out, back.err);
}
