//! Links that no map lists: the same game with its pairs listed, and a brute force that knows the
//! spaces as they were written and nothing else, answer alike.

use std::fmt::Write;

use crate::common::counts::{seeds, share};
use crate::common::told::{series_says, session_says, unit_moves};
use crate::common::{Dice, checked, fact};
use crate::place::Place;
use sutler::ir::{KindId, Ruleset, SetupId, TraceId};
use sutler::kernel::{Batch, Flags, Kernel, Position, Scratch, Series, Session, reference};
use sutler::map::{Map, OneLink};
use sutler::project::check_text;
use sutler::world::{ThingRef, World};

const RULES: &str = "edition 1
ruleset seas \"Seas\" prefix SE
sides Red against Blue
dimension steps (step), points (point)
kind zone, zones is space
kind area, areas is space {
  has depot yes or no
  has port yes or no
  has depth in points from 0 to 3
  has sea maybe a zone
  has coast one of north, south
}
kind haven, havens is area {
  has yard yes or no
}
kind road, roads is link
kind lane, lanes is link
KIND
kind army, armies is unit
given mined of sealane
define roadstead of area = port and depth is not 2
table toll of army gives points by first match {
  when over sealane then 1
  otherwise 2
}
";

/// What a kind says, each with the same condition in the words of this test: see [`Game::port`].
const MADE: [&str; 9] = [
    "from any port area to any other",
    "from any port to any other",
    "from any haven to any other",
    "from any roadstead to any other",
    "from any area where (port or depth at least 2) to any other with the same sea",
    "from any port to any other with the same coast",
    "from any port area where sea is not none to any other with the same depth",
    "from any yard haven to any other with the same sea",
    "from any space to any other with the same sea",
];

/// The traces: whose lines, the links, the rest of the leg.
const TRACES: [(&str, &str, &str); 9] = [
    ("army", "sealanes", "within 1"),
    ("army", "roads, sealanes", "within 3"),
    ("army", "sealanes where not mined", "within unlimited"),
    ("army", "links but not sealanes where mined", "within 4"),
    ("army", "roads, sealanes", "cost toll\n    within 4 points"),
    ("area", "sealanes, roads", "within 2"),
    (
        "army",
        "roads, sealanes when (control of the last is Red and control of the next is Red)",
        "within 5",
    ),
    ("army", "lanes", "within unlimited"),
    ("area", "links where not mined", "within 3"),
];

#[derive(Clone)]
struct Area {
    haven: bool,
    yard: bool,
    depot: bool,
    port: bool,
    depth: usize,
    sea: Option<usize>,
    south: bool,
    red: bool,
}

#[derive(Clone)]
struct Game {
    zones: usize,
    areas: Vec<Area>,
    made: usize,
    roads: Vec<(usize, usize)>,
    /// Links that are mined, by their ends.
    mined: Vec<(usize, usize)>,
    units: Vec<usize>,
}

impl Game {
    fn random(dice: &mut Dice) -> Game {
        let zones = 1 + dice.below(3);
        let areas: Vec<Area> = (0..3 + dice.below(8))
            .map(|_| Area {
                haven: dice.percent(50),
                yard: dice.percent(70),
                depot: dice.percent(15),
                port: dice.percent(60),
                depth: dice.below(4),
                sea: dice.percent(70).then(|| dice.below(zones)),
                south: dice.percent(50),
                red: dice.percent(60),
            })
            .collect();
        let mut game = Game {
            zones,
            made: dice.below(MADE.len()),
            roads: Vec::new(),
            mined: Vec::new(),
            units: (0..4).map(|_| dice.below(areas.len())).collect(),
            areas,
        };
        let count = game.areas.len();
        for _ in 0..count {
            let (a, b) = (dice.below(count), dice.below(count));
            if a != b && !game.on_road(a, b) {
                game.roads.push((a, b));
            }
        }
        game.mined = game.pairs().into_iter().filter(|_| dice.percent(25)).collect();
        game
    }

    fn on_road(&self, a: usize, b: usize) -> bool {
        self.roads.contains(&(a, b)) || self.roads.contains(&(b, a))
    }

    /// What must be alike of an area that is joined to all that are alike; nothing if it is not.
    fn port(&self, at: usize) -> Option<usize> {
        let a = &self.areas[at];
        let is = |holds: bool, alike: usize| holds.then_some(alike);
        match self.made {
            0 | 1 => is(a.port, 0),
            2 => is(a.haven, 0),
            3 => is(a.port && a.depth != 2, 0),
            4 => a.sea.filter(|_| a.port || a.depth >= 2),
            5 => is(a.port, usize::from(a.south)),
            6 => is(a.port && a.sea.is_some(), a.depth),
            7 => a.sea.filter(|_| a.haven && a.yard),
            _ => a.sea,
        }
    }

    /// Each two areas that are joined, the lower first.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let all = 0..self.areas.len();
        let each = all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
        let joined = |a: usize, b: usize| self.port(a).is_some() && self.port(a) == self.port(b);
        each.filter(|(a, b)| a < b && joined(*a, *b)).collect()
    }

    fn text(&self, listed: bool) -> String {
        let made = if listed { "" } else { MADE[self.made] };
        let kind = format!("kind sealane, sealanes is lane {made}");
        let mut text = RULES.replace("KIND", kind.trim_end());
        for (at, (of, over, within)) in TRACES.iter().enumerate() {
            let _ = write!(
                text,
                "trace t{at} of {of} {{\n  called joined{at} else cut{at}\n  source depot where depot\n  leg way\n    \
                 over {over}\n    from anywhere\n    through anywhere\n    into anywhere\n    {within}\n}}\n"
            );
        }
        text += "map field {\n";
        for zone in 0..self.zones {
            let _ = writeln!(text, "  space zone Z{zone}");
        }
        for (at, area) in self.areas.iter().enumerate() {
            let noun = if area.haven { "haven" } else { "area" };
            let coast = if area.south { "south" } else { "north" };
            let mut with = format!("depth {}, coast {coast}", area.depth);
            for (word, is) in
                [("depot", area.depot), ("port", area.port), ("yard", area.haven && area.yard)]
            {
                if is {
                    with += &format!(", {word}");
                }
            }
            let _ = writeln!(text, "  space {noun} S{at} with {with}");
        }
        for (a, b) in &self.roads {
            let _ = writeln!(text, "  link road S{a} to S{b}");
        }
        for (a, b) in self.pairs().iter().filter(|_| listed) {
            let _ = writeln!(text, "  link sealane S{a} to S{b}");
        }
        for (at, area) in self.areas.iter().enumerate() {
            if let Some(sea) = area.sea {
                let _ = writeln!(text, "  given sea is Z{sea} in S{at}");
            }
            if area.red {
                let _ = writeln!(text, "  given control is Red in S{at}");
            }
        }
        for (a, b) in &self.mined {
            let _ = writeln!(text, "  given link sealane S{a} to S{b} is mined");
        }
        text += "}\nsetup start on field {\n";
        for (at, space) in self.units.iter().enumerate() {
            let _ = writeln!(text, "  put army U{at} of Red in S{space}");
        }
        text + "  put army X of Blue in S0\n}\n"
    }

    /// What a step of a trace costs, by the meaning of its line.
    fn step(&self, trace: usize, a: usize, b: usize) -> Option<u32> {
        let ends = (a.min(b), a.max(b));
        let lane = self.pairs().contains(&ends);
        let mined = self.mined.contains(&ends);
        let road = self.on_road(a, b);
        let open = match trace {
            0 | 7 => lane,
            1 | 4 | 5 => lane || road,
            2 => lane && !mined,
            3 => (lane || road) && !mined,
            6 => (road || lane) && self.areas[a].red && self.areas[b].red,
            _ => road || lane && !mined,
        };
        let cost = if trace == 4 && !lane { 2 } else { 1 };
        open.then_some(cost)
    }

    /// How far each area is from one, step by step until nothing gets nearer.
    fn far(&self, trace: usize, from: usize) -> Vec<Option<u32>> {
        let most = [1, 3, 999, 4, 4, 2, 5, 999, 3][trace];
        let count = self.areas.len();
        let mut far = vec![None; count];
        far[from] = Some(0);
        let steps: Vec<(usize, usize, u32)> = (0..count)
            .flat_map(|a| (0..count).map(move |b| (a, b)))
            .filter_map(|(a, b)| Some((a, b, self.step(trace, a, b)?)))
            .collect();
        for _ in 0..count {
            for (a, b, step) in &steps {
                let Some(whole) = far[*a].map(|gone: u32| gone + step) else { continue };
                if whole <= most && far[*b].is_none_or(|old| whole < old) {
                    far[*b] = Some(whole);
                }
            }
        }
        far
    }

    fn nearest(&self, trace: usize, from: usize) -> Option<u32> {
        let far = self.far(trace, from);
        (0..self.areas.len()).filter(|s| self.areas[*s].depot).filter_map(|s| far[s]).min()
    }

    /// The place of an area among the spaces of the map.
    fn at(&self, area: usize) -> u32 {
        (self.zones + area) as u32
    }
}

/// The links of a kind, each once.
fn links_of(rules: &Ruleset, map: &Map, name: &str) -> Vec<(u32, u32)> {
    let kind = rules.kinds.iter().position(|k| k.name == name).map(KindId::at).unwrap();
    let all = (0..map.spaces.len() as u32)
        .flat_map(|a| map.neighbours(kind, a).iter().map(move |b| (a, *b)));
    all.filter(|(a, b)| a < b).collect()
}

#[test]
fn what_is_made_answers_as_what_is_listed() {
    let (mut asked, mut yes, mut by_lane) = (0, 0, 0);
    for seed in seeds(250) {
        let mut dice = Dice::new(seed);
        let game = Game::random(&mut dice);
        let text = game.text(false);
        let (made, listed) = (checked(&text), checked(&game.text(true)));
        let wanted: Vec<(u32, u32)> =
            game.pairs().iter().map(|(a, b)| (game.at(*a), game.at(*b))).collect();
        assert_eq!(links_of(&made, &made.maps[0], "sealane"), wanted, "seed {seed}\n{text}");
        assert_eq!(links_of(&listed, &listed.maps[0], "sealane"), wanted, "seed {seed}\n{text}");
        assert_eq!(made.maps[0].changing, listed.maps[0].changing, "seed {seed}\n{text}");
        let worlds = [&made, &listed].map(|rules| sutler::world::start(rules, SetupId(0)));
        let positions =
            [(&made, 0), (&listed, 1)].map(|(r, at)| Position::new(r, &worlds[at]).unwrap());
        for (at, (of, ..)) in TRACES.iter().enumerate() {
            let trace = TraceId::at(at);
            let things: Vec<(ThingRef, usize)> = match *of {
                "area" => (0..game.areas.len()).map(|s| (ThingRef::Space(game.at(s)), s)).collect(),
                _ => (0u32..).map(ThingRef::Unit).zip(game.units.iter().copied()).collect(),
            };
            for (thing, space) in things {
                let what = format!("seed {seed}, t{at} of {thing:?}\n{text}");
                let wanted = game.nearest(at, space);
                let [one, two] =
                    positions.each_ref().map(|p| p.answer_and_way(trace, thing).unwrap());
                assert_eq!(one.0.length, wanted, "{what}");
                assert_eq!(one.0.yes, wanted.is_some(), "{what}");
                assert_eq!(format!("{one:?}"), format!("{two:?}"), "{what}");
                let twin = reference::ask(&positions[0], trace, thing).unwrap();
                assert_eq!(twin.0, wanted.is_some(), "reference, {what}");
                let ends = positions[0].reach(trace, thing).unwrap();
                let found: Vec<(u32, u32)> =
                    ends.spaces.iter().map(|r| (r.space, r.length)).collect();
                let far = game.far(at, space);
                let reached: Vec<(u32, u32)> = far
                    .iter()
                    .enumerate()
                    .filter_map(|(s, far)| Some((game.at(s), (*far)?)))
                    .collect();
                assert_eq!(found, reached, "{what}");
                asked += 1;
                yes += usize::from(one.0.yes);
                let mut bare = game.clone();
                bare.areas.iter_mut().for_each(|area| {
                    (area.port, area.haven, area.sea, area.depth) = (false, false, None, 0);
                });
                by_lane += usize::from(bare.nearest(at, space) != wanted);
            }
        }
        moves(&mut dice, &game, &made, seed);
        planes(&mut dice, &game, &made, seed);
    }
    println!("{asked} answers, {yes} of them yes, {by_lane} otherwise without the links");
    assert!(yes > share(2500) && by_lane > share(1000), "{yes} and {by_lane} of {asked}");
}

/// Positions one after another and one that changes, each against the brute force.
fn moves(dice: &mut Dice, game: &Game, rules: &Ruleset, seed: u64) {
    let world = sutler::world::start(rules, SetupId(0));
    let mined = fact(rules, "mined");
    let lane = rules.kinds.iter().position(|k| k.name == "sealane").map(KindId::at).unwrap();
    for (at, _) in TRACES.iter().enumerate().filter(|(_, (of, ..))| *of == "army") {
        let (trace, what) = (TraceId::at(at), format!("seed {seed}, t{at}"));
        let mut series = Series::new(rules, trace);
        let mut session = Session::new(rules, world.clone(), trace).unwrap();
        let mut now = game.clone();
        let mut worlds: Vec<World> = vec![world.clone()];
        let mut wanted = Vec::new();
        for turn in 0..6 {
            let told: Vec<bool> =
                now.units.iter().map(|space| now.nearest(at, *space).is_some()).collect();
            session_says(session.as_ref(), &told, &what);
            wanted.push(told);
            let mut next = worlds.last().unwrap().clone();
            let pairs = now.pairs();
            if turn % 2 == 1 && !pairs.is_empty() {
                // A link is mined, or is no more.
                let ends = pairs[dice.below(pairs.len())];
                let was = now.mined.iter().position(|m| *m == ends);
                match was {
                    Some(at) => drop(now.mined.remove(at)),
                    None => now.mined.push(ends),
                }
                let link = OneLink::of(lane, now.at(ends.0), now.at(ends.1));
                let link = ThingRef::Link(rules.maps[0].number_of(link).unwrap());
                next.set_fact(&rules.facts[mined.index()], link, i64::from(was.is_none()));
                session = Session::new(rules, next.clone(), trace).unwrap();
            } else {
                let (unit, to) = (dice.below(now.units.len()), dice.below(now.areas.len()));
                now.units[unit] = to;
                unit_moves(rules, (session.as_mut(), &mut next), unit as u32, now.at(to));
            }
            worlds.push(next);
        }
        worlds.pop();
        // The army of the other side comes last, and the brute force has no answer for it.
        series_says(&mut series, &worlds, &wanted, now.units.len() + 1, &what);
    }
}

/// Many positions at once, against the brute force.
fn planes(dice: &mut Dice, game: &Game, rules: &Ruleset, seed: u64) {
    let world = sutler::world::start(rules, SetupId(0));
    let mut batch = Batch::new(rules, &world, 70, &[]).unwrap();
    let mut stand = Vec::new();
    for position in 0..70 {
        let units: Vec<usize> = game.units.iter().map(|_| dice.below(game.areas.len())).collect();
        for (unit, area) in (0u32..).zip(&units) {
            assert!(batch.set_space(position, unit, Some(game.at(*area))));
        }
        stand.push(units);
    }
    let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
    let mut whole = 0;
    for (at, (of, ..)) in TRACES.iter().enumerate() {
        let Ok(kernel) = Kernel::compile(rules, &world, TraceId::at(at), &[]) else { continue };
        kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
        whole += 1;
        for (nth, number) in flags.units().iter().enumerate() {
            let thing = kernel.thing(*number);
            for (position, units) in stand.iter().enumerate() {
                let area = match thing {
                    ThingRef::Space(space) => space as usize - game.zones,
                    ThingRef::Unit(unit) if (unit as usize) < units.len() => units[unit as usize],
                    _ => continue,
                };
                let wanted = game.nearest(at, area).is_some();
                let what = || format!("seed {seed}, t{at} of {of} {thing:?}, {position}");
                assert_eq!(flags.nth(position, nth), Some(wanted), "{}", what());
            }
        }
    }
    assert!(whole > 5, "only {whole} traces are answered on planes");
}

#[test]
fn commands_say_the_same_of_what_is_made() {
    let mut shown = 0;
    for seed in seeds(40) {
        let game = Game::random(&mut Dice::new(seed));
        let place = Place::with(&game.text(false));
        place.write("listed/rules.sut", game.text(true));
        place.write("positions.jsonl", positions(&mut Dice::new(seed + 1), &game));
        let hashes = [checked(&game.text(false)).hash, checked(&game.text(true)).hash];
        let said = |args: &[&str], name: &str| {
            let args: Vec<&str> =
                args.iter().map(|a| if *a == "game" { name } else { *a }).collect();
            let said = place.run(&args);
            let text = format!("{}{}", said.out, said.err).replace("listed", "game");
            hashes
                .iter()
                .fold(text, |text, hash| text.replace(hash, "HASH").replace(&hash[..12], "HASH"))
        };
        let trace = format!("t{}", seed % TRACES.len() as u64);
        let trace = if TRACES[seed as usize % TRACES.len()].0 == "army" { &trace } else { "t1" };
        let commands: [&[&str]; 8] = [
            &["explain", "game", "U0", "U1", "--setup", "start", "--trace", trace],
            &["explain", "game", "--setup", "start", "--trace", trace, "--format", "json"],
            &["why-not", "game", "U2", "--setup", "start", "--trace", trace],
            &["reach", "game", "U3", "--setup", "start", "--trace", trace],
            &["threat", "game", "--setup", "start", "--side", "Red", "--trace", trace],
            &["trace", "game", "--setup", "start", "--trace", trace],
            &["ask", "game", "count of sealanes here", "--of", "area", "--setup", "start"],
            &["batch", "game", "--positions", "positions.jsonl", "--trace", trace],
        ];
        for args in commands {
            let (made, listed) = (said(args, "game"), said(args, "listed"));
            assert_eq!(made, listed, "seed {seed}: {args:?}\n{}", game.text(false));
            shown += usize::from(!made.contains("error"));
            assert!(!made.contains("error"), "seed {seed}: {args:?} {made}");
        }
    }
    assert!(shown > share(100), "{shown}");
}

/// Positions as lines: the units elsewhere, and some links mined.
fn positions(dice: &mut Dice, game: &Game) -> String {
    let pairs = game.pairs();
    let line = |dice: &mut Dice| {
        let units: Vec<String> = (0..game.units.len())
            .map(|u| format!(r#"{{"id": "U{u}", "space": "S{}"}}"#, dice.below(game.areas.len())))
            .collect();
        let links: Vec<String> = pairs
            .iter()
            .filter(|_| dice.percent(20))
            .map(|(a, b)| {
                format!(
                    r#"{{"kind": "sealane", "from": "S{b}", "to": "S{a}", "facts": {{"mined": {}}}}}"#,
                    !game.mined.contains(&(*a, *b))
                )
            })
            .collect();
        format!(
            "{{\"schema\": 1, \"setup\": \"start\", \"units\": [{}], \"links\": [{}]}}\n",
            units.join(", "),
            links.join(", ")
        )
    };
    (0..6).map(|_| line(dice)).collect()
}

/// What a check says of a kind with these words and a map with these lines.
fn codes(kinds: &str, lines: &str) -> Vec<String> {
    let text = format!(
        "edition 1\nruleset a \"A\" prefix A\nsides Red against Blue\nkind army is unit\nkind area, areas is space {{\n  \
         has port yes or no\n  has sea one of east, west\n}}\nkind inlet is area {{\n  has deep yes or no\n}}\n{kinds}\n\
         map m {{\n  space area A with port\n  space area B with port\n  space inlet C\n{lines}}}\n"
    );
    check_text("a.sut", text.as_bytes()).2.iter().map(|f| f.code.to_string()).collect()
}

#[test]
fn what_makes_links_is_printed() {
    let none: [&str; 0] = [];
    let of = |words: &str| codes(&format!("kind sealane, sealanes is link {words}"), "");
    assert_eq!(of("from any port to any other"), none);
    assert_eq!(of("from any port area to any other with the same sea"), none);
    assert_eq!(of("from any deep to any other"), none);
    assert_eq!(of("from any space where name_ to any other"), ["E0201"]);
    assert_eq!(of("from any harbour to any other"), ["E0203"]);
    assert_eq!(of("from any army to any other"), ["E0207"]);
    assert_eq!(of("from any friendly port to any other"), ["E0307"]);
    assert_eq!(of("from any area where control is none to any other"), ["E0731"]);
    assert_eq!(of("from any area where any army here to any other"), ["E0731"]);
    assert_eq!(of("from any area adjacent to any other"), ["E0304"]);
    assert_eq!(of("from any area here to any other"), ["E0304"]);
    assert_eq!(of("from any port to any other with the same control"), ["E0731"]);
    assert_eq!(of("from any port to any other with the same shade"), ["E0201"]);
    assert_eq!(of("one way from any port to any other"), ["E0731"]);
    assert_eq!(codes("kind sealane is hexside from any port to any other", ""), ["E0731"]);
    assert_eq!(codes("kind ship is army from any port to any other", ""), ["E0207"]);
    let marked = "mark silted of area\nkind sealane is link from any area where silted to any other\n\
                  phase p in turn {\n  do mark silted for areas\n}\nclock turn has move";
    assert_eq!(codes(marked, ""), ["E0731"]);
}

#[test]
fn nothing_changes_what_makes_links() {
    let kind = "kind sealane, sealanes is link from any port to any other with the same sea";
    let none: [&str; 0] = [];
    assert_eq!(codes(kind, "  given port in C\n"), none);
    let with = |items: &str| codes(&format!("{kind}\n{items}"), "");
    assert_eq!(with("setup s on m {\n  given port in C\n}"), ["E0731"]);
    assert_eq!(with("setup s on m {\n  given sea is west in C\n}"), ["E0731"]);
    let case = "case \"c\" {\n  on m\n  given not port in A\n  expect B is port\n}";
    assert_eq!(with(case), ["E0731"]);
    let step = "clock turn has move\nphase p in turn {\n  do set port to no for areas\n}";
    assert_eq!(with(step), ["E0731"]);
    assert_eq!(codes(kind, "  link sealane A to C\n"), ["E0731"]);
    assert_eq!(codes(kind, "  link sealane A to B\n"), ["E0731"]);
    let below = format!("{kind}\nkind ferry, ferries is sealane");
    assert_eq!(codes(&below, "  link ferry A to C\n"), none);
    let joins =
        "kind sealane is link from any port to any other {\n  joins areas where sea is west\n}";
    assert_eq!(codes(joins, ""), ["E0711", "E0711"]);
}

#[test]
fn too_many_are_refused_before_they_are_made() {
    let rules = |count: usize| {
        let mut text = "edition 1\nruleset a \"A\" prefix A\nkind area, areas is space\n\
                        kind sealane, sealanes is link from any area to any other\nmap m {\n"
            .to_owned();
        (0..count).for_each(|at| text += &format!("  space area S{at}\n"));
        text + "}\n"
    };
    let codes = |count: usize| -> Vec<String> {
        let (_, _, faults) = check_text("a.sut", rules(count).as_bytes());
        faults.iter().map(|f| f.code.to_string()).collect()
    };
    let none: [&str; 0] = [];
    // 724 spaces have 261 726 pairs, 725 have 262 450, and 262 144 is the most.
    assert_eq!(codes(724), none);
    assert_eq!(codes(725), ["E0215"]);
    assert_eq!(codes(20_000), ["E0215"]);
}

const SEAS: &str = "edition 1
ruleset seas \"Seas\" prefix SE
sides Red against Blue
dimension steps (step)
kind area, areas is space {
  has depot yes or no
  has port yes or no
}
kind sealane, sealanes is link from any port to any other
kind army, armies is unit
trace shipped of army {
  called  ashore else afloat
  source  depot where depot
  leg sail
    over    sealanes
    from    anywhere
    through anywhere
    into    anywhere
    within  1
}
map coast {
  space area Dover with port
  space area Calais with port, depot
  space area Brest with port
  space area Paris
}
setup start on coast {
  put army First of Red in Dover
}
";

#[test]
fn commands_say_that_links_are_made() {
    let place = Place::with(SEAS);
    let said = |args: &[&str]| {
        let said = place.run(args);
        format!("{}{}", said.out, said.err)
    };
    let map = said(&["map", "game", "--setup", "start", "--format", "json"]);
    let map: serde_json::Value = serde_json::from_str(&map).unwrap();
    // Of three the one is written that a line goes along.
    let wanted = serde_json::json!([{ "kind": "sealane", "from": "Dover", "to": "Calais" }]);
    assert_eq!(map["links"], wanted);
    let made = serde_json::json!([{ "kind": "sealane", "count": 3 }]);
    assert_eq!(map["links_between_each_two"], made);
    let doc = said(&["doc", "game"]);
    assert!(doc.contains("to any other"), "{doc}");
    let ir = said(&["ir", "game"]);
    assert!(ir.contains("sealane is link between each two areas where port"), "{ir}");
    assert!(ir.contains("map coast: 4 spaces, 3 links"), "{ir}");
    place.write("back/rules.sut", SEAS.replace("Brest with port", "Brest"));
    let diff = said(&["diff", "game", "back"]);
    assert!(diff.contains("space Brest") && !diff.contains("link sealane"), "{diff}");
    place.write("same/rules.sut", SEAS.replace("any other", "any other with the same depot"));
    let mutate = said(&["mutate", "same", "--format", "json"]);
    assert!(mutate.contains("with the same depot left out"), "{mutate}");
    let format = said(&["fmt", "game"]);
    let text = std::fs::read_to_string(place.path("game/rules.sut")).unwrap();
    assert_eq!(text, SEAS, "{format}");
}

#[test]
fn positions_do_not_say_what_makes_links() {
    let place = Place::with(SEAS);
    let position =
        r#"{"schema": 1, "setup": "start", "spaces": {"Paris": {"facts": {"port": true}}}}"#;
    place.write("position.json", position);
    let said = place.run(&["explain", "game", "First", "--position", "position.json"]);
    let text = format!("{}{}", said.out, said.err);
    assert!(text.contains("E0806") && text.contains("links are made by it"), "{text}");
}
