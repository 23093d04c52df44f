//! How sides stand to each other is set by steps, and read anew by whatever asks: random runs against
//! positions that say the relations outright, and boards and batches that are kept meanwhile.

use std::rc::Rc;

use crate::common::counts::{seeds, share};
use crate::common::random_legs::{self, ruleset_with_nets};
use crate::common::small::codes;
use crate::common::{Dice, checked, random_hexes};
use sutler::engine::{Dice as Throws, Event, Orders, What, run};
use sutler::ir::{KindId, PhaseId, Relation, Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::board::Board;
use sutler::kernel::{Position, Series};
use sutler::project::check_text;
use sutler::source::SourceId;
use sutler::world::{ThingRef, World, built_in, json};

const SIDES: [&str; 4] = ["Red", "Blue", "Green", "Grey"];
const AREAS: [&str; 6] = ["P", "Q", "R", "S", "T", "U"];

/// How four sides stand to each other, kept beside the program.
type Table = [[&'static str; 4]; 4];

/// A position by hand: who owns which army, where it stands, who holds which area.
struct Ring {
    armies: Vec<(usize, usize)>,
    control: [Option<usize>; 6],
    table: Table,
}

/// A step of the phase: which sides come to stand how, one pair after the other, as they were read.
struct Step {
    text: String,
    pairs: Vec<(usize, usize)>,
    how: &'static str,
}

impl Ring {
    fn random(dice: &mut Dice) -> Ring {
        let armies = (0..2 + dice.below(4)).map(|_| (dice.below(4), dice.below(6))).collect();
        let control = std::array::from_fn(|_| dice.percent(70).then(|| dice.below(4)));
        Ring { armies, control, table: [["neutral_to"; 4]; 4] }
    }

    fn relate(&mut self, (a, b): (usize, usize), how: &'static str) {
        (self.table[a][b], self.table[b][a]) = (how, how);
    }

    fn step(&self, dice: &mut Dice) -> Step {
        let how = *dice.pick(&["enemy_of", "ally_of", "neutral_to"]);
        let (a, area) = (dice.below(4), dice.below(6));
        let b = (a + 1 + dice.below(3)) % 4;
        let (side, other) = (SIDES[a], SIDES[b]);
        let owned = |of: &dyn Fn(usize) -> Option<usize>| {
            let pair = |(owner, at): &(usize, usize)| Some((*owner, of(*at)?));
            self.armies.iter().filter_map(pair).filter(|(a, b)| a != b).collect()
        };
        match dice.below(4) {
            0 => Step { text: format!("make {side} {how} {other}"), pairs: vec![(a, b)], how },
            1 => Step {
                text: format!("make owner {how} {side} for armies where space is {}", AREAS[area]),
                pairs: owned(&|at| (at == area).then_some(a)),
                how,
            },
            2 => Step {
                text: format!("make owner {how} control here for armies"),
                pairs: owned(&|at| self.control[at]),
                how,
            },
            _ => Step {
                text: format!(
                    "make the side {how} {side} for sides where the side is enemy_of {other}"
                ),
                pairs: (0..4)
                    .filter(|of| *of != a && self.table[*of][b] == "enemy_of")
                    .map(|of| (of, a))
                    .collect(),
                how,
            },
        }
    }

    fn setup(&self) -> String {
        let mut text = String::from("setup all on ring {\n");
        for (side, area) in self.control.iter().zip(AREAS) {
            if let Some(side) = side {
                text += &format!("  given control is {} in {area}\n", SIDES[*side]);
            }
        }
        for (at, (owner, area)) in self.armies.iter().enumerate() {
            text += &format!("  put army A{at} of {} in {}\n", SIDES[*owner], AREAS[*area]);
        }
        text + "}\n"
    }

    /// The position of the setup, with the relations said outright.
    fn fresh(&self, rules: &Ruleset) -> World {
        let pairs = (0..4).flat_map(|a| (0..a).map(move |b| (a, b)));
        let related: Vec<String> = pairs
            .map(|(a, b)| format!("[\"{}\", \"{}\", \"{}\"]", SIDES[a], self.table[a][b], SIDES[b]))
            .collect();
        let text =
            format!(r#"{{"schema": 1, "setup": "all", "relations": [{}]}}"#, related.join(", "));
        let (world, faults) = json::read(&text, SourceId(0), rules);
        world.unwrap_or_else(|| panic!("{text}\n{faults:?}"))
    }
}

fn game(dice: &mut Dice) -> String {
    let through = *dice.pick(&[
        "no enemy army here",
        "not enemy",
        "(neutral or friendly)",
        "not control is enemy_of owner of the army",
        "not control is neutral_to owner of the army",
        "only friendly armies here",
    ]);
    let source = *dice.pick(&[
        "friendly and not any enemy army here",
        "allied",
        "any neutral army here or own",
    ]);
    format!(
        "edition 1
ruleset shift \"Shift\" prefix SH
sides Red, Blue, Green, Grey
clock turn has dawn
kind area, areas is space
kind road, roads is link
kind army, armies is unit
named area P, Q, R, S, T, U
trace supply of army {{
  called fed else unfed
  judged in talks
  lasts until end of turn
  source depot where ({source})
  leg way
    over    roads
    from    anywhere
    through {through}
    into    anywhere
    within  3
}}
map ring {{
  space area P
  space area Q
  space area R
  space area S
  space area T
  space area U
  link road P to Q to R to S to T to U to P
}}
"
    )
}

fn name(relation: Relation) -> &'static str {
    match relation {
        Relation::Enemy => "enemy_of",
        Relation::Allied => "ally_of",
        Relation::Neutral => "neutral_to",
        Relation::Own => "itself",
    }
}

/// What the steps must come to, event by event.
fn expected(rules: &Ruleset, ring: &mut Ring, steps: &[Step]) -> Vec<String> {
    let mut said = Vec::new();
    for step in steps {
        for (a, b) in &step.pairs {
            let was = ring.table[*a][*b];
            if was != step.how {
                said.push(format!("{} {was} {} now {}", SIDES[*a], SIDES[*b], step.how));
            }
            ring.relate((*a, *b), step.how);
        }
        let world = ring.fresh(rules);
        let position = Position::new(rules, &world).unwrap();
        for unit in 0..ring.armies.len() as u32 {
            let yes = position.answer(TraceId(0), ThingRef::Unit(unit)).unwrap().yes;
            said.push(format!("A{unit} {yes}"));
        }
    }
    said
}

fn told(event: &Event) -> String {
    match &event.what {
        What::Related { a, b, from, to } => {
            format!("{} {} {} now {}", SIDES[a.index()], name(*from), SIDES[b.index()], name(*to))
        }
        What::Judged(_, yes) => match event.thing {
            ThingRef::Unit(unit) => format!("A{unit} {yes}"),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn steps_that_set_relations_are_positions_that_say_them() {
    let (mut related, mut turned) = (0, 0);
    for seed in seeds(400) {
        let mut dice = Dice::new(seed);
        let (head, mut ring) = (game(&mut dice), Ring::random(&mut dice));
        let setup = ring.setup();
        // What a step reads is known where it is written, for all before it is known.
        let (mut steps, start) = (Vec::new(), ring.table);
        for _ in 0..6 {
            let step = ring.step(&mut dice);
            step.pairs.iter().for_each(|pair| ring.relate(*pair, step.how));
            steps.push(step);
        }
        ring.table = start;
        let lines: String = steps
            .iter()
            .map(|step| format!("  do    {}\n  judge supply for armies\n", step.text))
            .collect();
        let text = format!("{head}{setup}phase talks in dawn {{\n{lines}}}\n");
        let rules = checked(&text);
        let wanted = expected(&rules, &mut ring, &steps);
        let mut world = sutler::world::start(&rules, SetupId(0));
        let events = run(
            &rules,
            &mut world,
            PhaseId(0),
            None,
            &mut Throws::list(Vec::new()),
            &mut Orders::none(),
        );
        let found: Vec<String> = events.unwrap().iter().map(told).collect();
        assert_eq!(found, wanted, "seed {seed}\n{text}");
        let kept = world.kept.clone();
        let mut fresh = ring.fresh(&rules);
        fresh.kept = kept;
        assert!(world == fresh, "seed {seed}, the position at the end\n{text}");
        let (again, _) = json::read(&json::write(&rules, &world), SourceId(0), &rules);
        assert!(again.as_ref() == Some(&world), "seed {seed}, written and read\n{text}");
        related += found.iter().filter(|said| said.contains(" now ")).count();
        let answers: Vec<&String> = found.iter().filter(|said| said.starts_with('A')).collect();
        let armies = ring.armies.len();
        turned += answers.windows(armies + 1).filter(|w| w[0] != w[armies]).count();
    }
    println!("{related} relations set, {turned} answers turned");
    assert!(related > share(400) && turned > share(100), "{related} set, {turned} turned");
}

type Row = (ThingRef, bool, Option<u64>);

fn answers(position: &Position<'_>, trace: TraceId) -> Vec<Row> {
    let of = position.rules.traces[trace.index()].of;
    let units = (0..position.world.units.len() as u32).map(ThingRef::Unit);
    let spaces = (0..position.map.spaces.len() as u32).map(ThingRef::Space);
    let row = |thing| {
        let answer = position.answer(trace, thing).unwrap();
        (thing, answer.yes, answer.length.map(u64::from))
    };
    units.chain(spaces).filter(|thing| position.is_kind(*thing, of)).map(row).collect()
}

/// The next position: two sides stand otherwise, and now and then a unit moves.
fn next(dice: &mut Dice, rules: &Ruleset, world: &mut World) {
    let sides = rules.sides.len();
    let a = dice.below(sides);
    let b = (a + 1 + dice.below(sides - 1)) % sides;
    let how = *dice.pick(&[Relation::Enemy, Relation::Allied, Relation::Neutral]);
    world.relate(SideId::at(a), SideId::at(b), how);
    if dice.percent(30) && !world.units.is_empty() {
        let unit = dice.below(world.units.len()) as u32;
        let cell = dice.below(rules.maps[0].spaces.len()) as i64 + 1;
        world.set_fact(&rules.facts[built_in::SPACE.index()], ThingRef::Unit(unit), cell);
    }
}

/// Asks positions one after another on a board that is kept, in a series, and each afresh.
fn follow(dice: &mut Dice, rules: &Ruleset, mut world: World, what: &str) -> usize {
    let board = Rc::new(Board::new(rules, &rules.maps[0]));
    let mut worlds = Vec::new();
    for _ in 0..10 {
        next(dice, rules, &mut world);
        worlds.push(world.clone());
    }
    let mut turned = 0;
    for trace in (0..rules.traces.len()).map(TraceId::at) {
        let of_units = rules.top(rules.traces[trace.index()].of) == KindId::UNIT;
        let mut series = Series::new(rules, trace);
        let together = of_units.then(|| series.ask(&worlds));
        let mut before: Option<Vec<Row>> = None;
        for (at, world) in worlds.iter().enumerate() {
            let wanted = answers(&Position::new(rules, world).unwrap(), trace);
            let kept = answers(&Position::on(&board, world).unwrap(), trace);
            assert_eq!(kept, wanted, "{trace:?} of position {at} on a kept board\n{what}");
            let told: Vec<(ThingRef, bool)> = wanted.iter().map(|row| (row.0, row.1)).collect();
            for row in together.iter().flat_map(|all| all[at].as_ref().unwrap()) {
                assert!(told.contains(row), "{trace:?} of position {at}: {row:?}\n{what}");
            }
            if let Some(before) = before.replace(wanted.clone()) {
                turned += before.iter().zip(&wanted).filter(|(a, b)| a.1 != b.1).count();
            }
        }
    }
    turned
}

#[test]
fn what_is_kept_from_position_to_position_knows_who_stands_how() {
    let mut turned = 0;
    for seed in seeds(150) {
        let text = ruleset_with_nets(&mut random_legs::Dice::new(seed));
        let rules = check_text("random.sut", text.as_bytes()).1.unwrap();
        let mut world = sutler::world::start(&rules, SetupId(0));
        world.viewer = Some(SideId(seed as u8 % 3));
        turned += follow(&mut Dice::new(seed), &rules, world, &format!("seed {seed}\n{text}"));
    }
    for seed in seeds(100) {
        let mut dice = Dice::new(seed);
        let (rules, text) = random_hexes::ruleset(&mut dice);
        let world = random_hexes::position(&mut dice, &rules);
        turned += follow(&mut dice, &rules, world, &format!("seed {seed}\n{text}"));
    }
    println!("{turned} answers turned");
    assert!(turned > share(200), "few answers turned: {turned}");
}

#[test]
fn what_no_step_can_make_of_two_sides_is_refused() {
    let head = game(&mut Dice::new(1));
    let step = |line: &str| {
        codes(&format!("{head}phase talks in dawn {{\n  {line}\n  judge supply for armies\n}}\n"))
    };
    assert!(!step("do make Red enemy_of Blue").iter().any(|code| code.starts_with('E')));
    assert_eq!(step("do make Red enemy_of Red"), ["E0308"]);
    assert_eq!(step("do make Red friend_of Blue"), ["E0201"]);
    assert_eq!(step("do make P enemy_of Blue"), ["E0302"]);
    assert_eq!(step("may make owner enemy_of Blue for armies"), ["E0207"]);
    assert_eq!(step("must make owner enemy_of Blue for armies"), ["E0207"]);
}
