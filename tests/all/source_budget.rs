//! How far a line may run as the space says in which it ends, against a brute force that goes out
//! from the tracer, and looks at each source with its distance.

use std::fmt::Write;

use crate::common::counts::{seeds, share};
use crate::common::told::{series_says, session_says, unit_moves};
use crate::common::{Dice, checked, fact};
use crate::place::Place;
use sutler::ir::{Ruleset, SetupId, TraceId};
use sutler::kernel::{Batch, Flags, Gate, Kernel, Position, Scratch, Series, Session, reference};
use sutler::project::check_text;
use sutler::world::{ThingRef, World};

const RULES: &str = "edition 1
ruleset ports \"Ports\" prefix PO
sides Red against Blue
dimension steps (step)
kind area, areas is space {
  has depot yes or no
  has size one of small, middle, big
  has stores in steps from 0 to 4
  has rough yes or no
}
kind road, roads is link
kind path, paths is link
kind army, armies is unit {
  has legs_ in steps from 0 to 9
}
given mended of area in steps from 0 to 3
table range of area gives steps by first match {
  row big   when size is big and friendly then 6
  row small when size is small            then 2
  row held  when any enemy army here      then barred
  otherwise 3
}
define both of area = stores + mended
define shorter of area = range - 1
table toll of army gives steps by first match {
  when rough here then 3
  otherwise 1
}
";

/// The traces: whose lines, the links, the gates between and at the end, and the budget.
const TRACES: [(&str, &str, &str, &str, &str); 9] = [
    ("army", "roads", "anywhere", "anywhere", "within  stores of the source"),
    ("army", "roads, paths", "no enemy army here", "anywhere", "within  range of the source"),
    ("army", "roads", "not rough", "not rough", "within  lesser of (stores of the source, legs_)"),
    (
        "army",
        "roads, paths",
        "anywhere",
        "anywhere",
        "cost    toll\n    within  both of the source",
    ),
    ("area", "roads", "no enemy army here", "anywhere", "within  range of the source"),
    ("army", "paths", "anywhere", "anywhere", "within  greater of (1, mended of the source)"),
    (
        "army",
        "roads, paths",
        "anywhere",
        "anywhere",
        "within  greater of (legs_ - 6, shorter of the source)",
    ),
    (
        "area",
        "roads, paths",
        "anywhere",
        "not rough",
        "within  lesser of (stores, both of the source)",
    ),
    ("army", "roads", "anywhere", "friendly", "within  rounded up (stores of the source * 1/2)"),
];

#[derive(Clone)]
struct Area {
    depot: bool,
    size: usize,
    stores: u32,
    rough: bool,
    mended: u32,
    red: bool,
}

#[derive(Clone)]
struct Game {
    areas: Vec<Area>,
    /// Two ends, and whether it is a road.
    links: Vec<(usize, usize, bool)>,
    /// Where each army is, and how far it goes by itself.
    units: Vec<(usize, u32)>,
    enemy: usize,
}

/// How far lines may run, and which gates are asked.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    All,
    NoGates,
}

impl Game {
    fn random(dice: &mut Dice) -> Game {
        let count = 3 + dice.below(9);
        let areas: Vec<Area> = (0..count)
            .map(|_| Area {
                depot: dice.percent(30),
                size: dice.below(3),
                stores: dice.below(5) as u32,
                rough: dice.percent(25),
                mended: dice.below(4) as u32,
                red: dice.percent(60),
            })
            .collect();
        let mut links: Vec<(usize, usize, bool)> = Vec::new();
        for _ in 0..count + count / 2 {
            let (a, b, road) = (dice.below(count), dice.below(count), dice.percent(60));
            let ends = (a.min(b), a.max(b), road);
            if a != b && !links.contains(&ends) {
                links.push(ends);
            }
        }
        let units = (0..4).map(|_| (dice.below(count), dice.below(10) as u32)).collect();
        Game { units, links, enemy: dice.below(count), areas }
    }

    fn text(&self) -> String {
        let mut text = RULES.to_owned();
        for (at, (of, over, through, into, budget)) in TRACES.iter().enumerate() {
            let _ = write!(
                text,
                "trace t{at} of {of} {{\n  called joined{at} else cut{at}\n  source depot where depot\n  leg way\n    \
                 over    {over}\n    from    anywhere\n    through {through}\n    into    {into}\n    {budget}\n}}\n"
            );
        }
        text += "map field {\n";
        for (at, area) in self.areas.iter().enumerate() {
            let size = ["small", "middle", "big"][area.size];
            let mut with = format!("size {size}, stores {}", area.stores);
            for (word, is) in [("depot", area.depot), ("rough", area.rough)] {
                if is {
                    with += &format!(", {word}");
                }
            }
            let _ = writeln!(text, "  space area S{at} with {with}");
        }
        for (a, b, road) in &self.links {
            let _ = writeln!(text, "  link {} S{a} to S{b}", if *road { "road" } else { "path" });
        }
        for (at, area) in self.areas.iter().enumerate() {
            let _ = writeln!(text, "  given mended is {} in S{at}", area.mended);
            if area.red {
                let _ = writeln!(text, "  given control is Red in S{at}");
            }
        }
        text += "}\nsetup start on field {\n";
        for (at, (space, legs)) in self.units.iter().enumerate() {
            let _ = writeln!(text, "  put army U{at} of Red in S{space} with legs_ {legs}");
        }
        let _ = writeln!(text, "  put army X of Blue in S{}\n}}", self.enemy);
        text
    }

    /// How far a line may run that ends in an area; none where none ends there. `own` is what the
    /// tracer says, and for spaces Red asks.
    fn most(&self, trace: usize, end: usize, own: u32) -> Option<u32> {
        let area = &self.areas[end];
        let range = match area {
            Area { size: 2, red: true, .. } => Some(6),
            Area { size: 0, .. } => Some(2),
            _ if self.enemy == end => None,
            _ => Some(3),
        };
        let both = area.stores + area.mended;
        match trace {
            0 => Some(area.stores),
            1 | 4 => range,
            2 => Some(area.stores.min(own)),
            3 => Some(both),
            5 => Some(area.mended.max(1)),
            6 => range.map(|range| (range - 1).max(own.saturating_sub(6))),
            7 => Some(both.min(own)),
            _ => Some(area.stores.div_ceil(2)),
        }
    }

    fn opens(&self, gate: &str, at: usize) -> bool {
        match gate {
            "anywhere" => true,
            "no enemy army here" => at != self.enemy,
            "not rough" => !self.areas[at].rough,
            "friendly" => self.areas[at].red,
            _ => panic!("{gate}"),
        }
    }

    /// How far each area is from one, step by step until nothing gets nearer.
    fn far(&self, trace: usize, from: usize, asked: Asked) -> Vec<Option<u32>> {
        let (_, over, through, ..) = TRACES[trace];
        let mut far = vec![None; self.areas.len()];
        far[from] = Some(0);
        for _ in 0..self.areas.len() {
            for (a, b, road) in &self.links {
                if !over.contains(if *road { "roads" } else { "paths" }) {
                    continue;
                }
                for (a, b) in [(*a, *b), (*b, *a)] {
                    let passes = asked == Asked::NoGates || a == from || self.opens(through, a);
                    let Some(gone) = far[a].filter(|_| passes) else { continue };
                    let step = if trace == 3 && self.areas[b].rough { 3 } else { 1 };
                    let whole = gone + step;
                    if far[b].is_none_or(|old: u32| whole < old) {
                        far[b] = Some(whole);
                    }
                }
            }
        }
        far
    }

    /// Where lines can end within what the end says, whether or not a source is there.
    fn ends(&self, trace: usize, (from, own): (usize, u32), asked: Asked) -> Vec<(usize, u32)> {
        let into = TRACES[trace].3;
        let far = self.far(trace, from, asked);
        let ends = (0..self.areas.len()).filter_map(|end| Some((end, far[end]?)));
        ends.filter(|(end, _)| asked == Asked::NoGates || self.opens(into, *end))
            .filter(|(end, far)| self.most(trace, *end, own).is_some_and(|most| *far <= most))
            .collect()
    }

    fn nearest(&self, trace: usize, of: (usize, u32), asked: Asked) -> Option<u32> {
        let ends = self.ends(trace, of, asked).into_iter();
        ends.filter(|(end, _)| self.areas[*end].depot).map(|(_, far)| far).min()
    }

    /// What stops a line: a gate where it is short enough for its source, else the budget, else that
    /// there is no source for which a budget is known.
    fn gates(&self, trace: usize, of: (usize, u32)) -> &'static [Gate] {
        if self.nearest(trace, of, Asked::NoGates).is_some() {
            return &[Gate::Through, Gate::Into];
        }
        let far = self.far(trace, of.0, Asked::NoGates);
        let comes = |end: &usize| {
            let most = self.most(trace, *end, of.1);
            self.areas[*end].depot && far[*end].is_some() && most.is_some()
        };
        if (0..self.areas.len()).any(|end| comes(&end)) {
            return &[Gate::Within, Gate::Through, Gate::Into];
        }
        &[Gate::Source]
    }

    /// What a trace is asked of, each with where it stands and what it says of itself.
    fn things(&self, of: &str) -> Vec<(ThingRef, (usize, u32))> {
        match of {
            "area" => (0u32..)
                .zip(&self.areas)
                .map(|(at, area)| (ThingRef::Space(at), (at as usize, area.stores)))
                .collect(),
            _ => (0u32..).map(ThingRef::Unit).zip(self.units.iter().copied()).collect(),
        }
    }
}

#[test]
fn lines_run_as_far_as_their_source_says() {
    let (mut asked, mut yes, mut short, mut barred) = (0, 0, 0, 0);
    for seed in seeds(400) {
        let mut dice = Dice::new(seed);
        let game = Game::random(&mut dice);
        let text = game.text();
        let rules = checked(&text);
        let mut world = sutler::world::start(&rules, SetupId(0));
        // Traces of areas are asked by Red.
        world.viewer = Some(sutler::ir::SideId(0));
        let position = Position::new(&rules, &world).unwrap();
        for (at, (of, ..)) in TRACES.iter().enumerate() {
            let trace = TraceId::at(at);
            for (thing, from) in game.things(of) {
                let what = format!("seed {seed}, t{at} of {thing:?}\n{text}");
                let wanted = game.nearest(at, from, Asked::All);
                let (answer, way) = position.answer_and_way(trace, thing).unwrap();
                assert_eq!(answer.length, wanted, "{what}");
                assert_eq!(answer.yes, wanted.is_some(), "{what}");
                assert_eq!(
                    reference::ask(&position, trace, thing).unwrap().0,
                    answer.yes,
                    "{what}"
                );
                let ends = game.ends(at, from, Asked::All);
                if let Some(end) = answer.end {
                    assert!(ends.contains(&(end as usize, wanted.unwrap())), "{what}");
                    assert_eq!(answer.budget, game.most(at, end as usize, from.1), "{what}");
                    assert_eq!(way.last(), Some(&end), "{what}");
                } else {
                    let gates = game.gates(at, from);
                    assert!(gates.contains(&answer.gate), "{:?} {gates:?} {what}", answer.gate);
                    short += usize::from(answer.gate == Gate::Within);
                    barred += usize::from(gates[0] == Gate::Through);
                }
                let reach = position.reach(trace, thing).unwrap();
                let found: Vec<(usize, u32)> =
                    reach.spaces.iter().map(|r| (r.space as usize, r.length)).collect();
                assert_eq!(found, ends, "{what}");
                asked += 1;
                yes += usize::from(answer.yes);
            }
        }
        moves(&mut dice, &game, &rules, seed);
        planes(&mut dice, &game, &rules, seed);
    }
    println!("{asked} answers, {yes} of them yes, {short} too far, {barred} shut off");
    assert!(yes > share(5000) && short > share(1000) && barred > share(500));
}

/// Positions one after another and one that changes, each against the brute force.
fn moves(dice: &mut Dice, game: &Game, rules: &Ruleset, seed: u64) {
    let world = sutler::world::start(rules, SetupId(0));
    let mended = fact(rules, "mended");
    for (at, _) in TRACES.iter().enumerate().filter(|(_, (of, ..))| *of == "army") {
        let (trace, what) = (TraceId::at(at), format!("seed {seed}, t{at}\n{}", game.text()));
        let mut series = Series::new(rules, trace);
        let mut session = Session::new(rules, world.clone(), trace).unwrap();
        let mut now = game.clone();
        let mut worlds: Vec<World> = vec![world.clone()];
        let mut wanted = Vec::new();
        for turn in 0..6 {
            let told: Vec<bool> =
                now.units.iter().map(|u| now.nearest(at, *u, Asked::All).is_some()).collect();
            session_says(session.as_ref(), &told, &what);
            wanted.push(told);
            let mut next = worlds.last().unwrap().clone();
            let space = dice.below(now.areas.len());
            if turn % 3 == 1 {
                now.areas[space].mended = dice.below(4) as u32;
                let value = i64::from(now.areas[space].mended);
                let of = ThingRef::Space(space as u32);
                next.set_fact(&rules.facts[mended.index()], of, value);
                session = Session::new(rules, next.clone(), trace).unwrap();
            } else {
                // Each third time the enemy moves, which follows the armies.
                let unit =
                    if turn % 3 == 2 { now.units.len() } else { dice.below(now.units.len()) };
                match now.units.get_mut(unit) {
                    Some(moved) => moved.0 = space,
                    None => now.enemy = space,
                }
                unit_moves(rules, (session.as_mut(), &mut next), unit as u32, space as u32);
            }
            worlds.push(next);
        }
        worlds.pop();
        series_says(&mut series, &worlds, &wanted, now.units.len() + 1, &what);
    }
}

/// Many positions at once, against the brute force.
fn planes(dice: &mut Dice, game: &Game, rules: &Ruleset, seed: u64) {
    let world = sutler::world::start(rules, SetupId(0));
    let mut batch = Batch::new(rules, &world, 70, &[]).unwrap();
    let mut stand = Vec::new();
    for position in 0..70 {
        let mut now = game.clone();
        now.units.iter_mut().for_each(|unit| unit.0 = dice.below(game.areas.len()));
        now.enemy = dice.below(game.areas.len());
        let places = now.units.iter().map(|unit| unit.0).chain([now.enemy]);
        for (unit, area) in (0u32..).zip(places) {
            assert!(batch.set_space(position, unit, Some(area as u32)));
        }
        stand.push(now);
    }
    let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
    let mut whole = 0;
    for (at, (of, ..)) in TRACES.iter().enumerate() {
        let Ok(kernel) = Kernel::compile(rules, &world, TraceId::at(at), &[]) else { continue };
        kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
        whole += 1;
        if *of == "area" {
            continue;
        }
        for (nth, number) in flags.units().iter().enumerate() {
            for (position, now) in stand.iter().enumerate() {
                let ThingRef::Unit(unit) = kernel.thing(*number) else { continue };
                let Some(from) = now.units.get(unit as usize) else { continue };
                let wanted = now.nearest(at, *from, Asked::All).is_some();
                let what = || format!("seed {seed}, t{at} of {unit}, {position}\n{}", now.text());
                assert_eq!(flags.nth(position, nth), Some(wanted), "{}", what());
            }
        }
    }
    assert!(whole >= 5, "only {whole} traces are answered on planes");
}

const COAST: &str = "edition 1
ruleset coast \"Coast\" prefix CO
sides Red against Blue
dimension zones (zone_)
kind zone, zones is space {
  has port one of no_port, minor, major
}
kind lane, lanes is link
kind army, armies is unit
table supply_range of zone \"how far a port supplies\" gives zones by first match {
  row major when port is major then 6
  row minor when port is minor then 3
  otherwise barred
}
trace supply of army {
  called  supplied else cut_off
  source  harbour where port is not no_port
  leg sail
    over    lanes
    from    anywhere
    through anywhere
    into    anywhere
    within  BUDGET
}
map coast {
  space zone Haven with port minor
  space zone A
  space zone B
  space zone C
  space zone D
  space zone E
  link lane Haven to A to B to C to D to E
}
setup start on coast {
  put army Near of Red in C
  put army Far of Red in E
}
case \"as far as the port says\" {
  setup  start
  expect Near is supplied
  expect Far is cut_off
}
";

fn coast(budget: &str) -> String {
    COAST.replace("BUDGET", budget)
}

#[test]
fn commands_name_the_amount_as_it_is_written() {
    let place = Place::with(&coast("supply_range of the source"));
    let said = |args: &[&str]| {
        let said = place.run(args);
        format!("{}{}", said.out, said.err)
    };
    let near = said(&["explain", "game", "Near", "--setup", "start", "--trace", "supply"]);
    assert!(near.contains("reach    3 zones (supply_range of Haven, minor)\n"), "{near}");
    let far = said(&["explain", "game", "Far", "--setup", "start", "--trace", "supply"]);
    assert!(far.contains("reach    3 zones (supply_range of Haven, minor)\n"), "{far}");
    assert!(far.contains("stopped  by `within` at B\n"), "{far}");
    let step = said(&["explain", "game", "Far", "--setup", "start", "--trace", "supply", "--step"]);
    assert!(step.contains("sail to where supply_range.zones = 3, 3 B, from C\n"), "{step}");
    // Five zones off, Haven ends no line, however far another port would reach.
    assert!(step.contains("sail to where supply_range.zones = 6, 5 Haven, from A\n"), "{step}");
    assert!(!step.contains("the line is found"), "{step}");
    let why = said(&["why-not", "game", "Far", "--setup", "start", "--trace", "supply"]);
    assert!(why.contains("a reach of 5 from Haven, 2 more"), "{why}");
    assert!(said(&["test", "game"]).contains("1 passed"), "{}", said(&["test", "game"]));
    let coverage = said(&["coverage", "game"]);
    assert_eq!(coverage.matches("within, lets by").count(), 0, "{coverage}");
    let resolved = said(&["resolve", "game"]);
    assert!(resolved.contains("within  supply_range of the source"), "{resolved}");
    assert_eq!(resolved.matches("leg sail").count(), 1, "{resolved}");
    let doc = said(&["doc", "game"]);
    assert!(doc.contains("of the source."), "{doc}");
    place.write("other/rules.sut", coast("lesser of (supply_range of the source, 2)"));
    let diff = said(&["diff", "game", "other"]);
    assert!(diff.contains("lesser of (supply_range of the source, 2)"), "{diff}");
    let mutate = said(&["mutate", "game", "--format", "json"]);
    assert!(mutate.contains("supply_range"), "{mutate}");
}

/// The codes of what is wrong with a budget.
fn codes(budget: &str) -> Vec<String> {
    let (_, _, faults) = check_text("coast.sut", coast(budget).as_bytes());
    faults.iter().map(|f| f.code.to_string()).collect()
}

#[test]
fn what_is_not_carried_out_is_refused() {
    let none: [&str; 0] = [];
    assert_eq!(codes("supply_range of the source"), none);
    assert_eq!(codes("lesser of (supply_range of the source, 2)"), none);
    assert_eq!(codes("supply_range of the source + 1"), none);
    let refused = [
        "supply_range of the source + count of armies here",
        "greater of (supply_range of the source, supply_range of the source + count of armies here)",
        "count of armies in the source",
    ];
    for budget in refused {
        assert!(codes(budget).iter().any(|c| c == "E0418" || c == "E0100"), "{budget}");
    }
    assert_eq!(codes("count of armies in the source"), ["E0418"]);
    let told = |text: &str| -> Vec<String> {
        let (_, _, faults) = check_text("coast.sut", text.as_bytes());
        faults.iter().map(|f| f.code.to_string()).collect()
    };
    let plain = coast("supply_range of the source");
    // A sum beside an amount of the tracer has a name.
    assert_eq!(
        codes("lesser of (supply_range of the source + 1, count of armies here)"),
        ["E0418"]
    );
    let relay = plain.replace("  leg sail", "  relay camp where port is minor\n  leg sail");
    assert_eq!(told(&relay), ["E0418"]);
    let more = "within  supply_range of the source\n  leg walk\n    over    lanes\n    from    anywhere\n    \
                through anywhere\n    into    anywhere\n    within  1";
    assert_eq!(told(&plain.replace("within  supply_range of the source", more)), ["E0418"]);
    let gate = plain.replace("into    anywhere", "into    supply_range of the source at least 2");
    assert_eq!(told(&gate), ["E0418"]);
    let wide = plain.replace("has port one", "has stock in zones from 0 to 16\n  has port one");
    let wide = wide.replace("within  supply_range", "within  stock");
    assert_eq!(told(&wide), ["E0418"]);
    assert_eq!(told(&wide.replace("to 16", "to 15")), none);
    let other = wide.replace("to 16", "to 9").replace("stock in zones", "stock in tons");
    let other = other.replace("dimension zones (zone_)", "dimension zones (zone_), tons (ton)");
    assert_eq!(told(&other), ["E0301"]);
    // A kind may have the name; then it is the thing that is asked about.
    let named = plain.replace("kind army, armies", "kind source, sources");
    let named = named.replace("of army", "of source").replace("put army", "put source");
    assert_eq!(told(&named), ["E0201"]);
}
