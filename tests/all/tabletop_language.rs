//! Laws of tables in the language: what turning, mirroring and the order of units must not change,
//! positions as JSON, placements in any order, odds over places, and the pictures of the manual.

use crate::support;
use std::collections::BTreeMap;

use num_rational::Ratio;
use sutler::draw::{self, Wanted};
use sutler::engine::odds::{Odds, Passing, changed, odds};
use sutler::engine::{Dice, Orders, run};
use sutler::ir::{Measure, Node, PairRef, PhaseId, PutUnit, Ruleset, SideId};
use sutler::kernel::{Cx, Position, Value};
use sutler::map::{Heading, Stand};
use sutler::project::check_text;
use sutler::source::SourceId;
use sutler::world::json::{read, write};
use sutler::world::{World, heading_of_degrees, read_heading};

const RULES: &str = r#"
edition 1
ruleset laws "Laws of the Table" prefix LT
sides Red against Blue
clock turn has movement of each side
dimension bw
tabletop in bw
kind wood, woods is space
kind stand, stands is unit {
  has wide yes or no
  has bent yes or no
  has pace in bw from 1 to 9
  base width by 1/2 bent when bent
}
table width of stand gives bw by first match {
  when wide then 3/2
  otherwise 1
}
test nerve of stand {
  roll 1d6
  when total at least 3 then goes
  otherwise stays
}
phase charge in movement of owner {
  roll nerve for own stands
  do   advance pace for own stands where nerve is goes
}
phase march in movement of owner {
  do advance pace for own stands
}
map field {
  table 40 by 40
  space wood Birches at (18, 18), (22, 18), (22, 22), (18, 22)
}
map bare {
  table 40 by 40
}
case "a case, so that the table is played on" {
  on bare
  put stand A of Red at (3, 4) facing north
  expect A at (3, 4)
}
"#;

fn rules() -> Ruleset {
    let (sources, rules, faults) = check_text("laws.sut", RULES.trim_start().as_bytes());
    rules.unwrap_or_else(|| {
        panic!(
            "{}",
            sutler::diag::render(
                &faults,
                &sources,
                sutler::diag::Format::Concise,
                sutler::diag::Style::default()
            )
        )
    })
}

/// A small generator, the same everywhere.
struct Rolls(u64);

impl Rolls {
    fn below(&mut self, n: u64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % n).unwrap()
    }
}

const FACINGS: [(i64, i64); 8] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (3, 4), (-4, 3), (5, -12), (-8, -15)];

#[derive(Debug, Clone)]
struct Piece {
    id: String,
    red: bool,
    wide: bool,
    bent: bool,
    stand: Stand,
}

/// Pieces near the middle of the table, so close that they touch, flank and overlap.
fn pieces(rolls: &mut Rolls, bent: bool) -> Vec<Piece> {
    let half = |rolls: &mut Rolls| Ratio::new(34 + rolls.below(13), 2);
    (0..5)
        .map(|at| {
            let (east, north) = FACINGS[usize::try_from(rolls.below(8)).unwrap()];
            Piece {
                id: format!("P{at}"),
                red: rolls.below(2) == 0,
                wide: rolls.below(3) == 0,
                bent: bent && rolls.below(3) == 0,
                stand: Stand {
                    x: half(rolls),
                    y: half(rolls),
                    facing: Heading::toward(east, north).unwrap(),
                },
            }
        })
        .collect()
}

fn world(rules: &Ruleset, pieces: &[Piece]) -> World {
    let mut world = World::new(rules, sutler::ir::MapId(0));
    let kind = sutler::ir::KindId::at(rules.kinds.iter().position(|k| k.name == "stand").unwrap());
    let fact = |name: &str| {
        sutler::ir::FactId::at(rules.facts.iter().position(|f| f.name == name).unwrap())
    };
    for piece in pieces {
        let at = world.put(
            rules,
            &PutUnit {
                id: piece.id.clone(),
                title: piece.id.clone(),
                kind,
                owner: Some(SideId(u8::from(!piece.red))),
                space: None,
                facts: vec![
                    (fact("wide"), i64::from(piece.wide)),
                    (fact("bent"), i64::from(piece.bent)),
                    (fact("pace"), 2),
                ],
            },
        );
        world.lay(at, Some(piece.stand));
    }
    world
}

/// Everything that is measured, by the names of the two; the wood is named as well.
fn measured(rules: &Ruleset, world: &World) -> BTreeMap<(String, String, &'static str), String> {
    let mut asked = rules.clone();
    let mut things: Vec<(String, sutler::ir::ExprId)> = Vec::new();
    let mut add = |node: Node| {
        asked.nodes.push(node);
        asked.node_spans.push(sutler::source::Span::default());
        sutler::ir::ExprId::at(asked.nodes.len() - 1)
    };
    for (at, unit) in world.units.iter().enumerate() {
        things.push((unit.id.clone(), add(Node::Unit(u32::try_from(at).unwrap()))));
    }
    things.push(("Birches".to_owned(), add(Node::Space(0))));
    let mut questions = Vec::new();
    for (a, from) in &things {
        for (b, to) in things.iter().filter(|(b, _)| b != a) {
            for (name, measure) in Measure::ALL {
                questions.push((
                    (a.clone(), b.clone(), name),
                    add(Node::Pair(PairRef::Measured(measure), *from, *to)),
                ));
            }
        }
    }
    let position = Position::new(&asked, world).unwrap();
    let said = |value: Value| match value {
        Value::Truth(truth) => truth.to_string(),
        Value::Number(n) => n.to_string(),
        other => format!("{other:?}"),
    };
    questions
        .into_iter()
        .map(|(key, id)| (key, said(position.value(id, &Cx::world(None)).unwrap())))
        .collect()
}

fn turned(piece: &Piece) -> Piece {
    let Stand { x, y, facing } = piece.stand;
    let forty = Ratio::from_integer(40);
    let stand =
        Stand { x: y, y: forty - x, facing: Heading { east: facing.north, north: -facing.east } };
    Piece { stand, ..piece.clone() }
}

fn mirrored(piece: &Piece) -> Piece {
    let Stand { x, y, facing } = piece.stand;
    let stand = Stand {
        x: Ratio::from_integer(40) - x,
        y,
        facing: Heading { east: -facing.east, north: facing.north },
    };
    Piece { stand, ..piece.clone() }
}

#[test]
fn a_quarter_turn_of_the_whole_table_changes_nothing_that_is_measured() {
    let (rules, mut rolls) = (rules(), Rolls(1));
    let mut truths = 0;
    for _ in 0..60 {
        let mut pieces = pieces(&mut rolls, true);
        let before = measured(&rules, &world(&rules, &pieces));
        truths += before.values().filter(|v| *v == "true").count();
        for _ in 0..3 {
            pieces = pieces.iter().map(turned).collect();
            assert_eq!(measured(&rules, &world(&rules, &pieces)), before, "{pieces:?}");
        }
    }
    assert!(truths > 1000, "only {truths} truths hold, so that little is shown");
}

#[test]
fn in_a_mirror_left_is_right_and_all_else_is_the_same() {
    let (rules, mut rolls) = (rules(), Rolls(2));
    for _ in 0..60 {
        let pieces = pieces(&mut rolls, false);
        let swap = |name: &'static str| match name {
            "left_of" => "right_of",
            "right_of" => "left_of",
            name => name,
        };
        let before: BTreeMap<_, _> = measured(&rules, &world(&rules, &pieces))
            .into_iter()
            .map(|((a, b, name), v)| ((a, b, swap(name)), v))
            .collect();
        let there: Vec<Piece> = pieces.iter().map(mirrored).collect();
        assert_eq!(measured(&rules, &world(&rules, &there)), before, "{pieces:?}");
    }
}

#[test]
fn the_order_of_units_changes_nothing_that_is_measured() {
    let (rules, mut rolls) = (rules(), Rolls(3));
    for _ in 0..40 {
        let mut pieces = pieces(&mut rolls, true);
        let before = measured(&rules, &world(&rules, &pieces));
        pieces.reverse();
        pieces.rotate_left(2);
        assert_eq!(measured(&rules, &world(&rules, &pieces)), before);
    }
}

#[test]
fn among_many_others_two_units_are_measured_as_alone() {
    // Beyond a few hundred bodies pairs are measured as they are asked for, and not all at once.
    let (rules, mut rolls) = (rules(), Rolls(4));
    let near = pieces(&mut rolls, true);
    let mut many = near.clone();
    for at in 0..300_i64 {
        let place = |n: i64| Ratio::from_integer(n * 2 + 1);
        let stand = Stand { x: place(at % 20), y: place(at / 20), facing: Heading::NORTH };
        many.push(Piece { id: format!("far{at}"), red: true, wide: false, bent: false, stand });
    }
    let rules_of_few = measured(&rules, &world(&rules, &near));
    let (crowd, mut asked) = (world(&rules, &many), rules.clone());
    let mut compared = 0;
    for ((a, b, name), alone) in
        rules_of_few.iter().filter(|((a, b, _), _)| a != "Birches" && b != "Birches")
    {
        let mut node = |node: Node| {
            asked.nodes.push(node);
            asked.node_spans.push(sutler::source::Span::default());
            sutler::ir::ExprId::at(asked.nodes.len() - 1)
        };
        let unit = |id: &String| {
            Node::Unit(
                u32::try_from(crowd.units.iter().position(|u| u.id == *id).unwrap()).unwrap(),
            )
        };
        let (from, to) = (node(unit(a)), node(unit(b)));
        let pair = node(Node::Pair(PairRef::Measured(Measure::called(name).unwrap()), from, to));
        let said =
            match Position::new(&asked, &crowd).unwrap().value(pair, &Cx::world(None)).unwrap() {
                Value::Truth(truth) => truth.to_string(),
                Value::Number(n) => n.to_string(),
                other => format!("{other:?}"),
            };
        assert_eq!(said, *alone, "{name} from {a} to {b}");
        compared += 1;
        if compared >= 120 {
            break;
        }
    }
}

#[test]
fn a_position_on_a_table_is_the_same_when_it_is_read_again() {
    let (rules, mut rolls) = (rules(), Rolls(5));
    for round in 0..200 {
        let mut world = world(&rules, &pieces(&mut rolls, true));
        let degrees = u16::try_from(rolls.below(360)).unwrap();
        let fine = Ratio::new(rolls.below(40_000), 1 + rolls.below(999));
        let stand = Stand {
            x: fine % 40,
            y: Ratio::new(7, 3),
            facing: heading_of_degrees(degrees).unwrap(),
        };
        world.lay(0, Some(stand));
        world.lay(1, None);
        let text = write(&rules, &world);
        let (again, faults) = read(&text, SourceId(0), &rules);
        assert!(faults.is_empty(), "round {round}: {faults:?}\n{text}");
        assert_eq!(again.unwrap(), world, "round {round}:\n{text}");
    }
}

#[test]
fn every_degree_is_a_direction_that_can_be_written_and_read() {
    for degrees in 0..360 {
        let heading = heading_of_degrees(degrees).unwrap();
        assert_eq!(read_heading(&heading.to_string()), Some(heading), "{degrees}");
        assert_eq!(read_heading(&degrees.to_string()), Some(heading), "{degrees}");
    }
    for wrong in ["360", "-1", "(1, 2)", "(0, 0)", "north-west", "", "3, 4", "(3 4)"] {
        assert_eq!(read_heading(wrong), None, "{wrong}");
    }
}

#[test]
fn a_column_marches_off_whole_in_whatever_order_it_is_named() {
    let rules = rules();
    let march = PhaseId::at(rules.phases.iter().position(|p| p.name == "march").unwrap());
    let piece = |at: i64| Piece {
        id: format!("P{at}"),
        red: true,
        wide: false,
        bent: false,
        stand: Stand {
            x: Ratio::from_integer(5),
            y: Ratio::new(20 - at, 2),
            facing: Heading::NORTH,
        },
    };
    let mut orders: Vec<Vec<i64>> =
        vec![(0..6).collect(), (0..6).rev().collect(), vec![3, 0, 5, 1, 4, 2]];
    for order in &mut orders {
        let column: Vec<Piece> = order.iter().map(|at| piece(*at)).collect();
        let mut world = world(&rules, &column);
        let events = run(
            &rules,
            &mut world,
            march,
            Some(SideId(0)),
            &mut Dice::default(),
            &mut Orders::none(),
        )
        .unwrap();
        assert_eq!(events.len(), 6);
        for (at, piece) in column.iter().enumerate() {
            let stand = world.stand(u32::try_from(at).unwrap()).unwrap();
            assert_eq!(stand, Stand { y: piece.stand.y + 2, ..piece.stand }, "{order:?}");
        }
    }
}

#[test]
fn odds_follow_units_to_where_they_go() {
    let rules = rules();
    let charge = PhaseId::at(rules.phases.iter().position(|p| p.name == "charge").unwrap());
    let stand = |x: i64| Stand {
        x: Ratio::from_integer(x),
        y: Ratio::from_integer(5),
        facing: Heading::NORTH,
    };
    let piece = |id: &str, x: i64| Piece {
        id: id.to_owned(),
        red: true,
        wide: false,
        bent: false,
        stand: stand(x),
    };
    let world = world(&rules, &[piece("A", 5), piece("B", 8)]);
    let mut chances: BTreeMap<(bool, bool), Ratio<num_bigint::BigInt>> = BTreeMap::new();
    let Odds::Joint(ends) =
        odds(&rules, &world, &[Passing::Phase(charge, Some(SideId(0)))]).unwrap()
    else {
        panic!("few ends")
    };
    for (changes, chance) in &ends {
        let after = changed(&world, changes);
        let moved = |unit: u32, x: i64| after.stand(unit).unwrap() != stand(x);
        *chances.entry((moved(0, 5), moved(1, 8))).or_default() += chance;
    }
    let ninth = |n: i64| Ratio::new(n.into(), 9.into());
    let wanted = [
        ((false, false), ninth(1)),
        ((false, true), ninth(2)),
        ((true, false), ninth(2)),
        ((true, true), ninth(4)),
    ];
    assert_eq!(chances, BTreeMap::from(wanted));
}

#[test]
fn the_picture_of_the_manual_is_what_the_map_command_draws() {
    let blocks = support::blocks("docs/workbench/table.md");
    let text: String = blocks
        .iter()
        .filter(|b| matches!(b.marks.as_slice(), [mark, path] if mark == "file" && path.ends_with(".sut")))
        .enumerate()
        .map(|(at, b)| if at == 0 { b.text.clone() } else { b.text.trim_start_matches("edition 1").to_owned() })
        .collect::<Vec<_>>()
        .join("\n");
    let (_, rules, faults) = check_text("green.sut", text.as_bytes());
    assert!(faults.is_empty(), "{faults:?}");
    let rules = rules.unwrap();
    let world = sutler::world::start(&rules, sutler::ir::SetupId(0));
    let zones = ["Grey1", "Grey3"]
        .map(|id| u32::try_from(world.units.iter().position(|u| u.id == id).unwrap()).unwrap());
    let position = Position::new(&rules, &world).unwrap();
    let drawn = draw::svg(
        &draw::gather(&position, &Wanted { zones: zones.to_vec(), ..Wanted::default() }).unwrap(),
    );
    let path = support::root().join("docs/village_green.svg");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == drawn,
        "docs/village_green.svg is drawn otherwise; run with BLESS=1 if that is meant"
    );
}

/// Setup, file, stands with their zones: every worked example of the shipped miniatures game, as
/// `docs/tabletop.md` shows them.
const DRAWN: [(&str, &str); 12] = [
    ("flank_1", "Blue1"),
    ("flank_2", "Blue1,Blue2"),
    ("flank_3", "Blue1"),
    ("flank_4", "Blue1"),
    ("two_on_the_flank", "Blue1"),
    ("flank_and_rear", "Blue1"),
    ("two_on_the_rear", "Blue1"),
    ("flank_and_front", "Blue1"),
    ("town_corner", "L"),
    ("gun_line", ""),
    ("gun_line_2a", ""),
    ("gun_line_2b", ""),
];

#[test]
fn the_worked_examples_are_what_the_map_command_draws() {
    let manual = support::text_of("docs/tabletop.md");
    for (setup, zones) in DRAWN {
        let path = support::root().join(format!("docs/twilight/{setup}.svg"));
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sutler"));
        command.env("COLUMNS", "10000");
        command.current_dir(support::root()).args([
            "map",
            "rulesets/twilight",
            "--setup",
            setup,
            "--format",
            "svg",
        ]);
        if !zones.is_empty() {
            command.args(["--zones", zones]);
        }
        let ran = command.output().unwrap();
        assert!(ran.status.success(), "{setup}: {}", String::from_utf8_lossy(&ran.stderr));
        let drawn = String::from_utf8(ran.stdout).unwrap();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &drawn).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "{} is drawn otherwise; run with BLESS=1 if that is meant",
            path.display()
        );
        assert!(
            manual.contains(&format!("(twilight/{setup}.svg)")),
            "docs/tabletop.md does not show {setup}"
        );
    }
}
