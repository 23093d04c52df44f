//! Programs of columns against the slow evaluator, on random tables and defines and random facts.

use crate::common::counts::{seeds, share};
use std::fmt::Write;

use crate::common::Dice;
use sutler::ir::{
    DefineId, ExprId, Fact, KindId, MapId, Node, PutUnit, Ruleset, SideId, TableId, Type,
};
use sutler::kernel::column::{Answers, Facts, Gives, Program, Refused, What, Why, Workspace};
use sutler::kernel::{Cx, Position, Value};
use sutler::project::check_text;
use sutler::world::{ThingRef, World};

const HEAD: &str = r#"edition 1
ruleset twins "Twins" prefix TW
sides Red, Blue, Green
dimension points (point)
kind hex, hexes is space
kind calendar, calendars is world {
  has season one of spring, summer, winter
  has snow yes or no
  has depth in points from -2 to 5
}
track siege "Siege" {
  free
  invested
  breached
}
kind piece, pieces is unit {
  has a in points from -3 to 12
  has b in points from 0 to 100
  has c in points from -500 to 700
  has d in points from 0 to 100000
  has stance one of ready, tired, broken, lost
  has ground one of plain, hill, marsh
  has stage on siege
  has led yes or no
  has dug_in yes or no
  has ally maybe a side
  has chief maybe a chief
}
kind chief, chiefs is unit
named chief Old, Young
mark besieging of piece "besieges"
ruling halves {
  asks "how are halves rounded?"
  readings down, up, nearest
  default nearest
}
option fog "Fog" default off
map m {
  space hex h
}
"#;

/// A ruleset under construction, by text.
struct Text {
    dice: Dice,
    /// Names that give amounts and truths, grown as rules are added.
    amounts: Vec<String>,
    truths: Vec<String>,
    out: String,
}

impl Text {
    fn number(&mut self) -> i64 {
        let most = *self.dice.pick(&[3, 6, 15, 120]);
        self.dice.below(most) as i64 - (most as i64) / 3
    }

    fn amount(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.percent(45) {
            return match self.dice.below(10) {
                0..=6 => self.dice.pick(&self.amounts.clone()).clone(),
                7 => "depth".to_owned(),
                _ => self.signed(),
            };
        }
        let (x, y) = (self.amount(depth - 1), self.amount(depth - 1));
        match self.dice.below(8) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {})", self.signed()),
            3 => format!("greater of ({x}, {y})"),
            4 => format!("lesser of ({x}, {y})"),
            5 => format!("({x} - {})", self.signed()),
            6 => format!("(0 - {x})"),
            _ => {
                let by = *self.dice.pick(&["2", "3", "(0 - 4)", "7/3"]);
                format!(
                    "rounded {} (({x} + {y}) / {by})",
                    self.dice.pick(&["down", "up", "nearest", "halves"])
                )
            }
        }
    }

    fn signed(&mut self) -> String {
        let n = self.number();
        if n < 0 { format!("(0 - {})", -n) } else { n.to_string() }
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth > 0 && self.dice.percent(55) {
            let x = self.truth(depth - 1);
            if self.dice.percent(20) {
                return format!("not ({x})");
            }
            let y = self.truth(depth - 1);
            return format!("({x}) {} ({y})", self.dice.pick(&["and", "or"]));
        }
        match self.dice.below(16) {
            0..=2 => {
                let (x, n) = (self.amount(1), self.number().max(0));
                format!(
                    "{x} {} {n}",
                    self.dice.pick(&["at least", "at most", "more than", "less than", "is"])
                )
            }
            3 => {
                let (x, y) = (self.amount(1), self.amount(1));
                format!(
                    "{x} {} {y}",
                    self.dice.pick(&[
                        "at least",
                        "at most",
                        "more than",
                        "less than",
                        "is",
                        "is not"
                    ])
                )
            }
            4 => {
                let (low, more) = (self.dice.below(8), self.dice.below(40));
                format!("{} between {low} and {}", self.amount(0), low + more)
            }
            5 | 6 => format!(
                "stance is {}{}",
                self.dice.pick(&["", "not "]),
                self.dice.pick(&["ready", "tired", "broken", "lost"])
            ),
            7 => format!(
                "ground is one of ({}, {})",
                self.dice.pick(&["plain", "hill"]),
                self.dice.pick(&["marsh", "hill"])
            ),
            8 => {
                format!(
                    "stage {} {}",
                    self.dice.pick(&["at least", "less than", "is"]),
                    self.dice.pick(&["free", "invested", "breached"])
                )
            }
            9 => format!(
                "ally is {}{}",
                self.dice.pick(&["", "not "]),
                self.dice.pick(&["none", "Red", "Green"])
            ),
            10 => format!(
                "chief is {}{}",
                self.dice.pick(&["", "not "]),
                self.dice.pick(&["none", "Old", "Young"])
            ),
            11 => format!("season is {}", self.dice.pick(&["spring", "summer", "winter"])),
            12 => (*self.dice.pick(&["snow", "fog", "besieging"])).to_owned(),
            _ => self.dice.pick(&self.truths.clone()).clone(),
        }
    }

    fn define(&mut self, at: usize) {
        if self.dice.percent(50) {
            let value = self.truth(2);
            writeln!(self.out, "define t{at} of piece = {value}").unwrap();
            self.truths.push(format!("t{at}"));
        } else {
            let value = self.amount(2);
            writeln!(self.out, "define n{at} of piece = {value}").unwrap();
            self.amounts.push(format!("n{at}"));
        }
    }

    fn sum(&mut self, at: usize) {
        writeln!(self.out, "table s{at} of piece gives points by sum of matches {{").unwrap();
        for row in 0..3 + self.dice.below(10) {
            let when = if self.dice.percent(70) {
                format!("when {} ", self.truth(1))
            } else {
                String::new()
            };
            let mut per = String::new();
            if when.is_empty() || self.dice.percent(30) {
                per = format!("per {} ", self.amount(0));
                if self.dice.percent(50) {
                    write!(per, "beyond {} ", self.dice.below(6)).unwrap();
                }
            }
            let value = if per.is_empty() && self.dice.percent(25) {
                self.amount(1)
            } else {
                self.signed()
            };
            writeln!(self.out, "  row r{row} {per}{when}then {value}").unwrap();
        }
        if self.dice.percent(70) {
            let low = self.dice.below(12) as i64 - 6;
            let more = self.dice.below(20) as i64;
            let high = if self.dice.percent(20) { self.amount(0) } else { more.to_string() };
            // Two numbers stand in their order, or nothing lies between them.
            let named = high.contains(|c: char| c.is_ascii_alphabetic());
            let high = if named { high } else { more.max(low).to_string() };
            let low = if low < 0 { format!("(0 - {})", -low) } else { low.to_string() };
            writeln!(self.out, "  kept between {low} and {high}").unwrap();
        }
        self.out.push_str("}\n");
        self.amounts.push(format!("s{at}"));
    }

    fn first(&mut self, at: usize) {
        let words = self.dice.percent(30);
        writeln!(
            self.out,
            "table f{at} of piece gives {} by first match {{",
            if words { "temper" } else { "points" }
        )
        .unwrap();
        for row in 0..3 + self.dice.below(6) {
            let when = self.truth(1);
            let value = if words {
                (*self.dice.pick(&["calm", "wild", "cold"])).to_owned()
            } else {
                self.amount(1)
            };
            writeln!(self.out, "  row r{row} when {when} then {value}").unwrap();
        }
        writeln!(self.out, "  otherwise {}\n}}", if words { "calm" } else { "1" }).unwrap();
        if words {
            self.truths.push(format!("f{at} is calm"));
        } else {
            self.amounts.push(format!("f{at}"));
        }
    }

    /// A table of which exactly one row holds, as a list or as a grid with a barred cell.
    fn only(&mut self, at: usize) {
        let mut cells = Vec::new();
        for _ in 0..6 {
            cells.push(if self.dice.percent(8) {
                "barred".to_owned()
            } else {
                self.dice.below(9).to_string()
            });
        }
        writeln!(
            self.out,
            "table o{at} of piece gives points by only match {{\n  down   led\n  across ground | plain | hill | marsh\n  row    yes    | {} | {} | {}\n  row    no     | {} | {} | {}\n}}",
            cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]
        )
        .unwrap();
        self.amounts.push(format!("o{at}"));
    }
}

fn text(seed: u64) -> String {
    let names = |all: &[&str]| all.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    let amounts = names(&["a", "b", "c", "a", "b", "d"]);
    let mut text = Text {
        dice: Dice::new(seed),
        amounts,
        truths: names(&["led", "dug_in"]),
        out: HEAD.to_owned(),
    };
    for at in 0..8 {
        match text.dice.below(7) {
            0 | 1 => text.define(at),
            2..=4 => text.sum(at),
            5 => text.first(at),
            _ => text.only(at),
        }
    }
    text.out
}

/// A value that a fact may have, often one of its ends.
fn value(dice: &mut Dice, rules: &Ruleset, fact: &Fact) -> i64 {
    let (low, high) = match fact.ty {
        Type::Truth => (0, 1),
        Type::Number { low, high, .. } => (low, high),
        Type::Word(set) => (0, rules.word_sets[set.index()].words.len() as i64 - 1),
        Type::Thing { kind, .. } => (0, if rules.top(kind) == KindId::SIDE { 3 } else { 2 }),
    };
    match dice.below(10) {
        0 => low,
        1 => high,
        _ => low + dice.below((high - low + 1) as usize) as i64,
    }
}

fn kind(rules: &Ruleset, name: &str) -> KindId {
    rules.kinds.iter().position(|k| k.name == name).map(KindId::at).unwrap()
}

fn random_world(dice: &mut Dice, rules: &Ruleset, units: usize) -> World {
    let mut world = World::new(rules, MapId(0));
    let piece = kind(rules, "piece");
    for at in 0..units {
        let own: Vec<usize> =
            (0..rules.facts.len()).filter(|f| rules.facts[*f].kind == piece).collect();
        let facts = own
            .iter()
            .map(|f| (sutler::ir::FactId::at(*f), value(dice, rules, &rules.facts[*f])))
            .collect();
        // Some rows are chiefs, which have none of the facts.
        let kind = if dice.percent(3) { kind(rules, "chief") } else { piece };
        world.put(
            rules,
            &PutUnit {
                id: format!("u{at}"),
                title: String::new(),
                kind,
                owner: Some(SideId(0)),
                space: None,
                facts,
            },
        );
    }
    for fact in rules.facts.iter().filter(|f| rules.top(f.kind) == KindId::WORLD) {
        let value = value(dice, rules, fact);
        world.set_fact(fact, ThingRef::World, value);
    }
    for (reading, ruling) in world.readings.iter_mut().zip(&rules.rulings) {
        *reading = dice.below(rules.word_sets[ruling.readings.index()].words.len()) as u16;
    }
    // What points at a unit that has left the game points at nothing.
    world.units[0].removed = dice.percent(30);
    world
}

/// Every define and table of a ruleset, with an expression that asks the slow evaluator for it.
fn questions(rules: &mut Ruleset) -> Vec<(What, ExprId)> {
    let mut node = |node: Node| {
        rules.nodes.push(node);
        ExprId::at(rules.nodes.len() - 1)
    };
    let subject = node(Node::Subject(0));
    let mut found = Vec::new();
    for at in 0..rules.defines.len() {
        rules.nodes.push(Node::Define(DefineId::at(at), Some(subject)));
        found.push((What::Define(DefineId::at(at)), ExprId::at(rules.nodes.len() - 1)));
    }
    for at in 0..rules.tables.len() {
        rules.nodes.push(Node::Table(TableId::at(at), 0, Some(subject)));
        let asked = ExprId::at(rules.nodes.len() - 1);
        found.extend([(What::Table(TableId::at(at), 0), asked), (What::Expression(asked), asked)]);
    }
    found
}

/// How many rows of a program agree with the slow evaluator, and how many are open.
fn agree(
    position: &Position<'_>,
    program: &Program,
    facts: &Facts,
    things: &[ThingRef],
    asked: ExprId,
    work: &mut Workspace,
) -> (usize, usize) {
    let mut answers = Answers::default();
    program.run(facts, work, &mut answers).unwrap();
    let mut compared = 0;
    for (row, thing) in things.iter().enumerate() {
        if answers.open.binary_search(&(row as u32)).is_ok() {
            continue;
        }
        let ours = match program.gives() {
            Gives::Amounts => {
                let over = i64::from(answers.amounts[row]);
                Value::Number(sutler::kernel::Amount::new(over, program.under()))
            }
            Gives::Truths => Value::Truth(answers.truths[row]),
            Gives::Words => Value::Word(answers.words[row]),
        };
        let slow = position.value(asked, &Cx::of(None, *thing));
        assert_eq!(Ok(ours), slow, "row {row}, {}", sutler::ir::print_expr(position.rules, asked));
        compared += 1;
    }
    (compared, answers.open.len())
}

#[test]
fn random_tables_agree_with_the_slow_evaluator() {
    let (mut compared, mut open, mut programs, mut refused) = (0, 0, 0, 0);
    let mut work = Workspace::default();
    for seed in seeds(120) {
        let text = text(seed);
        let (_, rules, faults) = check_text("twins.sut", text.as_bytes());
        let mut rules = rules.unwrap_or_else(|| panic!("seed {seed}: {faults:#?}\n{text}"));
        let questions = questions(&mut rules);
        let mut dice = Dice::new(seed + 1000);
        // Behind a whole block there are a few rows more.
        let world = random_world(&mut dice, &rules, if seed % 40 == 0 { 1100 } else { 100 });
        let things: Vec<ThingRef> =
            (0..world.units.len()).map(|u| ThingRef::Unit(u as u32)).collect();
        let position = Position::new(&rules, &world).unwrap();
        let piece = kind(&rules, "piece");
        for (what, asked) in questions {
            let program = match Program::compile(&rules, what) {
                Ok(program) => program,
                Err(Refused { why, .. }) => {
                    assert_eq!(why, Why::TooLarge, "seed {seed}: {what:?}\n{text}");
                    refused += 1;
                    continue;
                }
            };
            let mut facts = program.facts(0);
            // An expression is written for things of one kind, and asked of no others.
            let is_asked = |of: &&ThingRef| {
                !matches!(what, What::Expression(_)) || position.is_kind(**of, piece)
            };
            let things: Vec<ThingRef> = things.iter().filter(is_asked).copied().collect();
            facts.gather(&position, &things).unwrap();
            let (same, doubtful) = agree(&position, &program, &facts, &things, asked, &mut work);
            compared += same;
            open += doubtful;
            programs += 1;
        }
    }
    println!(
        "{compared} values of {programs} programs agree, {open} are open, {refused} programs refused"
    );
    assert!(compared >= share(100_000), "{compared} compared");
    assert!(open * 10 < compared, "{open} open of {compared}");
    assert!(refused * 5 < programs, "{refused} refused of {programs}");
}

/// A small ruleset of two bytes, and its program for a table.
fn two_bytes(rows: &str) -> (Ruleset, Program) {
    let text = format!(
        "edition 1\nruleset bytes \"Bytes\" prefix BY\nsides Red\ndimension points (point)\nkind hex, hexes is space\n\
         kind piece, pieces is unit {{\n  has a in points from -128 to 127\n  has b in points from -128 to 127\n}}\n{rows}\nmap m {{\n  space hex h\n}}\n"
    );
    let (_, rules, faults) = check_text("bytes.sut", text.as_bytes());
    let rules = rules.unwrap_or_else(|| panic!("{faults:#?}\n{text}"));
    let program = Program::compile(&rules, What::Table(TableId(0), 0)).unwrap();
    (rules, program)
}

#[test]
fn every_pair_of_two_bytes_adds_up() {
    let (rules, program) = two_bytes(
        "table t of piece gives points by sum of matches {\n  row lower when a less than b then 100\n  row both when a more than 5 and b at most -1 then -90\n  \
         row low when not (a between -128 and -100) then 60\n  row same when a is b or b is 127 then -7\n  \
         row often per lesser of (a, 9) beyond 3 then 11\n  row product when b at least 0 then a * 100 - b\n  kept between -20 and 3000\n}",
    );
    let fact = |name: &str| {
        rules.facts.iter().position(|f| f.name == name).map(sutler::ir::FactId::at).unwrap()
    };
    let pair = |row: usize| ((row / 256) as i64 - 128, (row % 256) as i64 - 128);
    let mut facts = program.facts(256 * 256);
    facts.fill(fact("a"), |row| pair(row).0).unwrap();
    facts.fill(fact("b"), |row| pair(row).1).unwrap();
    let mut answers = Answers::default();
    program.run(&facts, &mut Workspace::default(), &mut answers).unwrap();
    assert_eq!((answers.amounts.len(), answers.open.len()), (65_536, 0));
    for (row, ours) in answers.amounts.iter().enumerate() {
        let (a, b) = pair(row);
        let mut sum = if a < b { 100 } else { 0 };
        sum -= if a > 5 && b <= -1 { 90 } else { 0 };
        sum += if a > -100 { 60 } else { 0 };
        sum -= if a == b || b == 127 { 7 } else { 0 };
        sum += 11 * (a.min(9) - 3).max(0) + if b >= 0 { a * 100 - b } else { 0 };
        assert_eq!(i64::from(*ours), sum.clamp(-20, 3000), "a {a}, b {b}");
    }
}

#[test]
fn a_fact_has_only_values_of_its_range() {
    let (rules, program) = two_bytes(
        "table t of piece gives points by sum of matches {\n  row a when a more than b then 1\n}",
    );
    let id = |name: &str| {
        rules.facts.iter().position(|f| f.name == name).map(sutler::ir::FactId::at).unwrap()
    };
    let mut facts = program.facts(3);
    assert_eq!(program.reads(), [id("a"), id("b")]);
    assert!(facts.set(2, id("a"), 127).is_ok());
    assert!(facts.set(2, id("a"), 128).is_err());
    assert!(facts.set(3, id("a"), 1).is_err());
    assert!(facts.set(0, id("owner"), 1).is_err());
    assert!(facts.fill(id("b"), |row| row as i64 * 100).is_err());
    let mut answers = Answers::default();
    program.run(&facts, &mut Workspace::default(), &mut answers).unwrap();
    assert_eq!(answers.amounts, [0, 0, 1]);
    let (_, other) = two_bytes(
        "table t of piece gives points by sum of matches {\n  row a when a is 3 then 1\n}",
    );
    assert!(other.run(&facts, &mut Workspace::default(), &mut answers).is_err());
}

#[test]
fn what_is_no_column_is_refused_with_a_reason() {
    let refused = |value: &str| {
        let counted = "clock turn has march\ncount hits of piece per turn from 0 to 9\n";
        let text = format!("{HEAD}{counted}define x of piece = {value}\n");
        let (_, rules, faults) = check_text("twins.sut", text.as_bytes());
        let rules = rules.unwrap_or_else(|| panic!("{faults:#?}\n{text}"));
        Program::compile(&rules, What::Define(DefineId(0)))
            .map(|_| ())
            .map_err(|refused| refused.why)
    };
    assert_eq!(refused("rounded up (a / 2)"), Ok(()));
    assert_eq!(refused("a / 2"), Ok(()));
    assert_eq!(refused("rounded up (a / hits)"), Err(Why::Division));
    assert_eq!(refused("count of pieces at least 2"), Err(Why::OtherThings));
    assert_eq!(refused("any piece where led"), Err(Why::OtherThings));
    assert_eq!(refused("own"), Err(Why::Viewer));
    assert_eq!(refused("d * 100000"), Err(Why::TooLarge));
    assert_eq!(refused("chief"), Err(Why::GivesThing));
    assert_eq!(refused("chief is removed"), Err(Why::Kind));
    let why = refused("chief").unwrap_err();
    assert_eq!(why.to_string(), "it gives a thing, and a column gives amounts, truths or words");
}

/// A table of morale: a table within a table, both with limits, and counts of who does what to a
/// stand.
const MORALE: &str = "edition 1
ruleset morale \"Morale\" prefix MO
sides Red, Blue
dimension points (point)
kind spot, spots is space
kind stand, stands is unit {
  has shooters in points from 0 to 12
  has on_flank in points from 0 to 4
  has on_rear  in points from 0 to 4
  has covered yes or no
}
mark aiming of stand
pair stand shooter is aiming_at stand foe = shooter is aiming and foe is covered
table sides of stand gives points by sum of matches {
  row flank when on_flank at least 1 then -1
  row rear  per on_rear then -2
  kept between -3 and 0
}
table modifier of stand gives points by sum of matches {
  row shot    per shooters beyond 1 then -1
  row sides   when always then sides
  row covered when covered then 2
  kept between -6 and 1
}
table looked_for of stand gives points by sum of matches {
  row shot when any stand where it is aiming_at the stand then -1
}
map m {
  space spot s
}
";

#[test]
fn a_morale_table_over_counts_is_columns_and_one_that_looks_for_stands_is_not() {
    let (_, rules, faults) = check_text("morale.sut", MORALE.as_bytes());
    let rules = rules.unwrap_or_else(|| panic!("{faults:#?}"));
    let table = |name: &str| TableId::at(rules.tables.iter().position(|t| t.name == name).unwrap());
    let program = Program::compile(&rules, What::Table(table("modifier"), 0)).unwrap();
    let fact = |name: &str| {
        rules.facts.iter().position(|f| f.name == name).map(sutler::ir::FactId::at).unwrap()
    };
    // Every stand there can be.
    let rows = 13 * 5 * 5 * 2;
    let of = |row: usize| {
        ((row % 13) as i64, (row / 13 % 5) as i64, (row / 65 % 5) as i64, (row / 325) as i64)
    };
    let mut facts = program.facts(rows);
    facts.fill(fact("shooters"), |row| of(row).0).unwrap();
    facts.fill(fact("on_flank"), |row| of(row).1).unwrap();
    facts.fill(fact("on_rear"), |row| of(row).2).unwrap();
    facts.fill(fact("covered"), |row| of(row).3).unwrap();
    let mut answers = Answers::default();
    program.run(&facts, &mut Workspace::default(), &mut answers).unwrap();
    assert_eq!((answers.amounts.len(), answers.open.len()), (rows, 0));
    for (row, ours) in answers.amounts.iter().enumerate() {
        let (shooters, flank, rear, covered) = of(row);
        let sides = (-i64::from(flank >= 1) - 2 * rear).clamp(-3, 0);
        let sum = -(shooters - 1).max(0) + sides + 2 * covered;
        assert_eq!(i64::from(*ours), sum.clamp(-6, 1), "{shooters} {flank} {rear} {covered}");
    }
    let refused = Program::compile(&rules, What::Table(table("looked_for"), 0)).unwrap_err();
    assert_eq!(refused.why, Why::OtherThings);
}
