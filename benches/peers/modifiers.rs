//! A table of twelve conditional modifiers with caps: our columns, structs one at a time, and an
//! expression a row.

use std::hint::black_box;

use sutler::ir::{FactId, MapId, PutUnit, Ruleset, TableId};
use sutler::kernel::column::{Answers, Facts, Program, What, Workspace};
use sutler::kernel::{Cx, Position};
use sutler::project::check_text;
use sutler::world::{ThingRef, World};

use super::common::Dice;
use super::interleaved;

/// What the rows of the report are called.
const WORKLOAD: &str = "modifier table, 12 rows, 1000000 units";
/// Rows that the slow evaluator and the expression are asked of.
const FEW: usize = 2_000;

/// Structs that are put into columns at a time.
const PART: usize = 4096;

const RULES: &str = r#"edition 1
ruleset modifiers "Modifiers" prefix MO
sides Red, Blue
dimension points (point)
kind hex, hexes is space
kind regiment, regiments is unit {
  has experience in points from 0 to 8
  has fatigue    in points from 0 to 10
  has morale     in points from -3 to 9
  has losses     in points from 0 to 40
  has guns       in points from 0 to 12
  has hungry     in points from 0 to 6
  has ground one of clear, rough, wood, town, marsh
  has posture one of attacking, holding, marching, resting
  has entrenched yes or no
  has led yes or no
}
table modifier of regiment gives points by sum of matches {
  row led      when led                                                      then 1
  row old      when experience at least 5                                    then 2
  row raw      when experience at most 1 and not led                         then -2
  row tired    per lesser of (fatigue, 7) beyond 3                           then -1
  row dug_in   when entrenched and posture is holding                        then 3
  row cover    when ground is one of (wood, town) and posture is not marching then 1
  row mire     when ground is marsh and posture is attacking                 then -2
  row losses   when losses between 10 and 19                                 then -1
  row heavy    when losses at least 20                                       then -3
  row guns     per lesser of (guns, 3) when posture is attacking and hungry less than 3 then 1
  row hungry   per lesser of (hungry, 4) beyond 1                            then -1
  row keen     when morale more than 6 and (led or fatigue less than 5)      then 2
  kept between -6 and 6
}
map field {
  space hex h
}
"#;

/// The same table as an expression.
#[cfg(feature = "hooks")]
const SCRIPT: &str = "max(-6, min(6, \
    (if led { 1 } else { 0 }) + (if experience >= 5 { 2 } else { 0 }) + (if experience <= 1 && !led { -2 } else { 0 }) \
    - max(0, min(fatigue, 7) - 3) + (if entrenched && posture == 1 { 3 } else { 0 }) \
    + (if (ground == 2 || ground == 3) && posture != 2 { 1 } else { 0 }) + (if ground == 4 && posture == 0 { -2 } else { 0 }) \
    + (if losses >= 10 && losses <= 19 { -1 } else { 0 }) + (if losses >= 20 { -3 } else { 0 }) \
    + (if posture == 0 && hungry < 3 { min(guns, 3) } else { 0 }) - max(0, min(hungry, 4) - 1) \
    + (if morale > 6 && (led || fatigue < 5) { 2 } else { 0 })))";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    Clear,
    Rough,
    Wood,
    Town,
    Marsh,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Posture {
    Attacking,
    Holding,
    Marching,
    Resting,
}

/// A unit as a program would keep it.
#[derive(Clone, Copy)]
struct Regiment {
    experience: i8,
    fatigue: i8,
    morale: i8,
    losses: i8,
    guns: i8,
    hungry: i8,
    ground: Ground,
    posture: Posture,
    entrenched: bool,
    led: bool,
}

const NAMES: [&str; 10] = [
    "experience",
    "fatigue",
    "morale",
    "losses",
    "guns",
    "hungry",
    "ground",
    "posture",
    "entrenched",
    "led",
];

impl Regiment {
    fn random(dice: &mut Dice) -> Regiment {
        Regiment {
            experience: dice.below(9) as i8,
            fatigue: dice.below(11) as i8,
            morale: dice.below(13) as i8 - 3,
            losses: dice.below(41) as i8,
            guns: dice.below(13) as i8,
            hungry: dice.below(7) as i8,
            ground: *dice.pick(&[
                Ground::Clear,
                Ground::Rough,
                Ground::Wood,
                Ground::Town,
                Ground::Marsh,
            ]),
            posture: *dice.pick(&[
                Posture::Attacking,
                Posture::Holding,
                Posture::Marching,
                Posture::Resting,
            ]),
            entrenched: dice.percent(40),
            led: dice.percent(30),
        }
    }

    /// Its facts in the order of [`NAMES`].
    fn facts(&self) -> [i64; 10] {
        let amounts =
            [self.experience, self.fatigue, self.morale, self.losses, self.guns, self.hungry]
                .map(i64::from);
        let [a, b, c, d, e, f] = amounts;
        [
            a,
            b,
            c,
            d,
            e,
            f,
            self.ground as i64,
            self.posture as i64,
            i64::from(self.entrenched),
            i64::from(self.led),
        ]
    }

    /// The table by hand.
    fn modifier(&self) -> i32 {
        let mut sum = 0;
        if self.led {
            sum += 1;
        }
        if self.experience >= 5 {
            sum += 2;
        }
        if self.experience <= 1 && !self.led {
            sum -= 2;
        }
        sum -= (i32::from(self.fatigue.min(7)) - 3).max(0);
        if self.entrenched && self.posture == Posture::Holding {
            sum += 3;
        }
        if matches!(self.ground, Ground::Wood | Ground::Town) && self.posture != Posture::Marching {
            sum += 1;
        }
        if self.ground == Ground::Marsh && self.posture == Posture::Attacking {
            sum -= 2;
        }
        if (10..=19).contains(&self.losses) {
            sum -= 1;
        }
        if self.losses >= 20 {
            sum -= 3;
        }
        if self.posture == Posture::Attacking && self.hungry < 3 {
            sum += i32::from(self.guns.min(3));
        }
        sum -= (i32::from(self.hungry.min(4)) - 1).max(0);
        if self.morale > 6 && (self.led || self.fatigue < 5) {
            sum += 2;
        }
        sum.clamp(-6, 6)
    }
}

impl Regiment {
    /// The table by hand, each condition a number.
    fn modifier_without_branches(&self) -> i32 {
        let (n, of) = (|truth: bool| i32::from(truth), |amount: i8| i32::from(amount));
        let (holds, attacks, marches) = (
            self.posture == Posture::Holding,
            self.posture == Posture::Attacking,
            self.posture == Posture::Marching,
        );
        let cover = (self.ground == Ground::Wood) | (self.ground == Ground::Town);
        let sum = n(self.led) + 2 * n(self.experience >= 5)
            - 2 * n((self.experience <= 1) & !self.led)
            - (of(self.fatigue.min(7)) - 3).max(0)
            + 3 * n(self.entrenched & holds)
            + n(cover & !marches)
            - 2 * n((self.ground == Ground::Marsh) & attacks)
            - n((self.losses >= 10) & (self.losses <= 19))
            - 3 * n(self.losses >= 20)
            + n(attacks & (self.hungry < 3)) * of(self.guns.min(3))
            - (of(self.hungry.min(4)) - 1).max(0)
            + 2 * n((self.morale > 6) & (self.led | (self.fatigue < 5)));
        sum.clamp(-6, 6)
    }
}

fn fill(facts: &mut Facts, ids: &[FactId; 10], units: &[Regiment]) {
    let [experience, fatigue, morale, losses, guns, hungry, ground, posture, entrenched, led] =
        *ids;
    facts.fill(experience, |row| units[row].experience.into()).unwrap();
    facts.fill(fatigue, |row| units[row].fatigue.into()).unwrap();
    facts.fill(morale, |row| units[row].morale.into()).unwrap();
    facts.fill(losses, |row| units[row].losses.into()).unwrap();
    facts.fill(guns, |row| units[row].guns.into()).unwrap();
    facts.fill(hungry, |row| units[row].hungry.into()).unwrap();
    facts.fill(ground, |row| units[row].ground as i64).unwrap();
    facts.fill(posture, |row| units[row].posture as i64).unwrap();
    facts.fill(entrenched, |row| units[row].entrenched.into()).unwrap();
    facts.fill(led, |row| units[row].led.into()).unwrap();
}

/// The slow evaluator's answers for the first rows.
fn slowly(rules: &Ruleset, ids: &[FactId; 10], units: &[Regiment]) -> Vec<i32> {
    let mut world = World::new(rules, MapId(0));
    let kind =
        rules.kinds.iter().position(|k| k.name == "regiment").map(sutler::ir::KindId::at).unwrap();
    for (at, unit) in units.iter().enumerate() {
        let facts = ids.iter().copied().zip(unit.facts()).collect();
        world.put(
            rules,
            &PutUnit {
                id: format!("u{at}"),
                title: String::new(),
                kind,
                owner: None,
                space: None,
                facts,
            },
        );
    }
    let asked = rules.nodes.len();
    let mut rules = rules.clone();
    rules.nodes.push(sutler::ir::Node::Subject(0));
    rules.nodes.push(sutler::ir::Node::Table(TableId(0), 0, Some(sutler::ir::ExprId::at(asked))));
    let position = Position::new(&rules, &world).unwrap();
    let ask = |at: usize| {
        position
            .value(sutler::ir::ExprId::at(asked + 1), &Cx::of(None, ThingRef::Unit(at as u32)))
            .unwrap()
    };
    (0..units.len()).map(|at| ask(at).amount().unwrap().to_integer() as i32).collect()
}

#[cfg(feature = "hooks")]
struct Script {
    engine: rhai::Engine,
    ast: rhai::AST,
    scope: rhai::Scope<'static>,
}

#[cfg(feature = "hooks")]
impl Script {
    fn new() -> Script {
        let mut engine = rhai::Engine::new();
        engine.set_max_expr_depths(0);
        let ast = engine.compile(SCRIPT).unwrap();
        let mut scope = rhai::Scope::new();
        for name in &NAMES[..8] {
            scope.push(*name, 0i64);
        }
        for name in &NAMES[8..] {
            scope.push(*name, false);
        }
        Script { engine, ast, scope }
    }

    fn ask(&mut self, unit: &Regiment) -> i32 {
        let facts = unit.facts();
        for (name, value) in NAMES[..8].iter().zip(facts) {
            self.scope.set_value(*name, value);
        }
        self.scope.set_value("entrenched", unit.entrenched);
        self.scope.set_value("led", unit.led);
        self.engine.eval_ast_with_scope::<i64>(&mut self.scope, &self.ast).unwrap() as i32
    }
}

/// Compares the answers of all ways, then measures and prints; the rows of the report.
pub fn report(quick: bool) -> Vec<serde_json::Value> {
    let rounds = if quick { 1 } else { 31 };
    let (_, rules, faults) = check_text("modifiers.sut", RULES.as_bytes());
    let rules = rules.unwrap_or_else(|| panic!("{faults:#?}"));
    let program = Program::compile(&rules, What::Table(TableId(0), 0)).unwrap();
    let ids = NAMES.map(|name| super::fact(&rules, name));
    let mut dice = Dice::new(12);
    let units: Vec<Regiment> =
        (0..if quick { 5_000 } else { 1_000_000 }).map(|_| Regiment::random(&mut dice)).collect();
    let mut facts = program.facts(units.len());
    fill(&mut facts, &ids, &units);
    let (mut workspace, mut answers) = (Workspace::default(), Answers::default());
    program.run(&facts, &mut workspace, &mut answers).unwrap();
    let by_hand: Vec<i32> = units.iter().map(Regiment::modifier).collect();
    assert_eq!(answers.amounts, by_hand);
    assert!(units.iter().map(Regiment::modifier_without_branches).eq(by_hand.iter().copied()));
    assert!(answers.open.is_empty());
    let few = &units[..FEW];
    assert_eq!(answers.amounts[..FEW], slowly(&rules, &ids, few));
    println!(
        "{} modifiers agree; the program has {} operations",
        units.len(),
        program.operations()
    );

    let mut again = program.facts(0);
    let (mut workspace_2, mut answers_2) = (Workspace::default(), Answers::default());
    let (mut modifiers, mut plain, mut plain_2) =
        (vec![0; units.len()], vec![0; units.len()], vec![0; units.len()]);
    let times = interleaved(
        rounds,
        &mut [
            &mut || {
                program.run(black_box(&facts), &mut workspace, &mut answers).unwrap();
                black_box(&answers);
            },
            &mut || {
                // Part by part, so that what is filled is still near when it is read.
                for (part, to) in black_box(&units).chunks(PART).zip(modifiers.chunks_mut(PART)) {
                    again.resize(part.len());
                    fill(&mut again, &ids, part);
                    program.run(&again, &mut workspace_2, &mut answers_2).unwrap();
                    to.copy_from_slice(&answers_2.amounts);
                }
                black_box(&modifiers);
            },
            &mut || {
                for (to, unit) in plain.iter_mut().zip(black_box(&units)) {
                    *to = unit.modifier();
                }
                black_box(&plain);
            },
            &mut || {
                for (to, unit) in plain_2.iter_mut().zip(black_box(&units)) {
                    *to = unit.modifier_without_branches();
                }
                black_box(&plain_2);
            },
        ],
    );
    assert_eq!(modifiers, by_hand);
    let each = |t: f64, n: usize| t / n as f64;
    let [columns, structs, hand, unbranched] =
        [0, 1, 2, 3].map(|way| each(times[way], units.len()));
    #[cfg(feature = "hooks")]
    let script = {
        let mut script = Script::new();
        assert_eq!(few.iter().map(|u| script.ask(u)).collect::<Vec<_>>(), by_hand[..FEW]);
        Some(each(
            interleaved(
                rounds,
                &mut [&mut || {
                    for unit in few {
                        black_box(script.ask(black_box(unit)));
                    }
                }],
            )[0],
            FEW,
        ))
    };
    #[cfg(not(feature = "hooks"))]
    let script: Option<f64> = None;
    println!(
        "nanoseconds a unit: ours in columns {columns:.2}, ours from structs {structs:.2}, structs by hand {hand:.2}, rhai {script:.0?}"
    );
    let mut rows = Vec::new();
    for (what, ours) in [("in columns", columns), ("from structs", structs)] {
        for (peer, theirs) in [
            ("plain Rust, a struct at a time", Some(hand)),
            ("plain Rust, a struct at a time, without branches", Some(unbranched)),
            ("rhai, compiled once", script),
        ] {
            let Some(theirs) = theirs else { continue };
            let ratio = (theirs / ours * 100.0).round() / 100.0;
            println!("{what:>14}: {peer} takes {ratio:.2} times as long");
            rows.push(serde_json::json!({ "workload": WORKLOAD, "what": what, "peer": peer, "ratio": ratio }));
        }
    }
    rows
}
