//! Values of what need not be there: a fact of nothing or of a plainer kind, what was never rolled,
//! what a table bars. A table that checks has a row for them too, and nothing is said to hold always
//! that fails there.

use sutler::ir::{Node, Ruleset, TableId};
use sutler::kernel::{Cx, Position};
use sutler::project::check_text;
use sutler::suite::run_case;
use sutler::world::ThingRef;

use crate::common::counts::seeds;
use crate::common::{Dice, set_up};

const GAME: &str = "edition 1
ruleset absent \"What is absent\" prefix AB
sides Red against Blue
dimension points (point)
clock turn has rolls
kind spot, spots is space {
  has worth in points from 2 to 4
}
kind chief, chiefs is unit {
  has rank in points from 1 to 3
}
kind band, bands is unit {
  has size in points from 0 to 2
  has chief maybe a chief
}
kind guard, guards is band {
  has honours in points from 1 to 2
}
map small {
  space spot Poor with worth 2
  space spot Rich with worth 4
}
setup all on small {
  put chief Low of Red in Poor with rank 1
  put chief High of Red in Poor with rank 3
  put band Alone of Red in Poor with size 1
  put band Led of Red in Rich with size 0, chief Low
  put guard Old of Red in Poor with size 2, honours 1
  put guard Young of Red in Rich with size 1, honours 2, chief High
}
";

fn faults(text: &str) -> Vec<String> {
    let (_, _, faults) = check_text("rules.sut", format!("{GAME}{text}").as_bytes());
    faults.iter().map(|f| format!("{}: {}", f.code, f.message)).collect()
}

fn pace(rows: &str) -> Vec<String> {
    faults(&format!("table pace of band gives points by first match {{\n{rows}}}\n"))
}

#[test]
fn a_number_of_nothing_is_0_and_wants_a_row() {
    let rows = "  when rank of chief is 1 then 1\n  when rank of chief at least 2 then 2\n";
    assert_eq!(pace(rows), ["E0501: no row of `pace` holds when `rank` is 0"]);
    let none = "  when chief is none then 9\n";
    assert_eq!(pace(&format!("{none}{rows}")), [] as [String; 0]);
    assert_eq!(
        pace(&format!("{none}  when rank of chief at least 1 then 1\n  otherwise 2\n")),
        ["W0503: `otherwise` is never reached"]
    );
}

#[test]
fn a_number_of_a_plainer_kind_is_0_and_wants_a_row() {
    let rows = "  when honours is 1 then 1\n  when honours is 2 then 2\n";
    assert_eq!(pace(rows), ["E0501: no row of `pace` holds when `honours` is 0"]);
    assert_eq!(pace(&format!("{rows}  when the band is not guard then 3\n")), [] as [String; 0]);
    let own = faults(&format!("table pace of guard gives points by first match {{\n{rows}}}\n"));
    assert_eq!(own, [] as [String; 0]);
}

#[test]
fn a_value_of_nothing_is_0_whatever_its_rule_says_and_wants_a_row() {
    let left = "define left of chief = 4 - rank\n";
    let pace = |rows: &str| {
        faults(&format!("{left}table pace of band gives points by first match {{\n{rows}}}\n"))
    };
    assert_eq!(pace("  when left of chief at most 3 then 1\n"), [] as [String; 0]);
    let rows = "  when left of chief at least 1 then 1\n";
    assert_eq!(pace(rows), ["E0501: no row of `pace` holds when `left` is 0"]);
    assert_eq!(pace(&format!("  when chief is none then 9\n{rows}")), [] as [String; 0]);
    assert_eq!(
        pace(&format!("  when chief is none then 9\n{rows}  otherwise 2\n")),
        ["W0503: `otherwise` is never reached"]
    );
}

#[test]
fn a_table_of_what_a_test_comes_to_is_asked_after_the_roll() {
    let text = "test nerve of band {\n  roll 1d6\n  when total at least 4 then steady\n  otherwise \
                shaken\n}\nphase trial at start of rolls {\n  roll nerve for bands\n}\ntable pace of \
                band gives points by first match {\n  when nerve is steady then 1\n  when nerve is \
                shaken then 2\n}\ncase \"too early\" {\n  setup all\n  expect pace of Alone is 1\n}\n";
    let (_, rules, faults) = check_text("rules.sut", format!("{GAME}{text}").as_bytes());
    let rules = rules.unwrap_or_else(|| panic!("{faults:#?}"));
    let failures = run_case(&rules, &rules.cases[0], |_| "").failures;
    assert!(format!("{failures:?}").contains("no row of the table `pace` holds"), "{failures:?}");
}

/// A condition over what may be absent.
fn condition(dice: &mut Dice) -> String {
    let asked = [
        "size",
        "rank of chief",
        "honours",
        "worth of space",
        "left of chief",
        "barter",
        "lead of chief",
        "unmarked",
    ];
    let compared = ["is", "at least", "at most", "more than"];
    match dice.below(6) {
        0 => "chief is none".to_owned(),
        1 => "the band is guard".to_owned(),
        2 => "the band is not guard".to_owned(),
        3 => "chief is not none".to_owned(),
        _ => format!("{} {} {}", dice.pick(&asked), dice.pick(&compared), dice.below(5)),
    }
}

fn table(dice: &mut Dice) -> String {
    let rows: Vec<String> = (0..2 + dice.below(5))
        .map(|at| {
            let both = if dice.percent(30) { " and " } else { " or " };
            let parts: Vec<String> = (0..1 + dice.below(2)).map(|_| condition(dice)).collect();
            format!("  when {} then {at}\n", parts.join(both))
        })
        .collect();
    format!(
        "define left of chief = 4 - rank\ndefine unmarked of guard = 3 - honours\ntable lead of chief gives points by first match {{\n  \
         when rank is 3 then 3\n  otherwise 1\n}}\ntable barter of band gives points by first match {{\n  \
         when size is 0 then barred\n  otherwise size\n}}\ntable pace of band gives points by first \
         match {{\n{}}}\n",
        rows.concat()
    )
}

/// The numbers of the rows of `pace` that decide for some unit, or the fault that one meets.
fn decided(rules: &Ruleset) -> Result<Vec<i64>, String> {
    let world = set_up(rules, &rules.setups[0]);
    let position = Position::new(rules, &world).unwrap();
    let pace = TableId::at(rules.tables.iter().position(|t| t.name == "pace").unwrap());
    let rows = &rules.tables[pace.index()].rows;
    let mut found = Vec::new();
    for unit in 0..u32::try_from(world.units.len()).unwrap() {
        if rules.kinds[world.units[unit as usize].kind.index()].name == "chief" {
            continue;
        }
        let cx = Cx::of(None, ThingRef::Unit(unit));
        let holds = |row: &sutler::ir::Row| match row.when {
            Some(when) => position.holds(when, &cx).unwrap(),
            None => true,
        };
        let row = rows.iter().find(|row| holds(row)).ok_or("no row holds")?;
        match row.values[0].map(|value| rules.node(value)) {
            Some(Node::Number { over, .. }) => found.push(*over),
            other => panic!("{other:?}"),
        }
    }
    Ok(found)
}

#[test]
fn a_table_that_checks_has_a_row_for_each_unit_and_dead_rows_are_dead() {
    let (mut whole, mut dead) = (0, 0);
    for seed in seeds(4_000) {
        let text = format!("{GAME}{}", table(&mut Dice::new(seed)));
        let (_, rules, faults) = check_text("rules.sut", text.as_bytes());
        let Some(rules) = rules else {
            let gap = |f: &sutler::diag::Diagnostic| f.code.to_string() == "E0501";
            assert!(faults.iter().any(gap), "{text}{faults:#?}");
            continue;
        };
        whole += 1;
        let found = decided(&rules).unwrap_or_else(|fault| panic!("{fault}: {text}"));
        for fault in faults.iter().filter(|f| f.message.ends_with("is never reached")) {
            let row: usize = rules.tables[2]
                .rows
                .iter()
                .position(|r| fault.message.contains(&format!("`{}`", r.name)))
                .unwrap();
            dead += 1;
            assert!(!found.contains(&i64::try_from(row).unwrap()), "{}: {text}", fault.message);
        }
    }
    assert!(whole > 20 && dead > 5, "{whole} tables are whole, {dead} rows are dead");
}

#[test]
fn nothing_is_said_to_hold_always_that_fails_of_nothing() {
    let text = "case \"a\" {\n  setup all\n  expect rank of chief of Alone is 0\n  expect rank of chief of Led at least 1\n}\n";
    let (_, rules, faults) = check_text("rules.sut", format!("{GAME}{text}").as_bytes());
    assert_eq!(faults.iter().map(|f| f.code.to_string()).collect::<Vec<_>>(), [] as [String; 0]);
    let rules = rules.unwrap();
    assert!(run_case(&rules, &rules.cases[0], |_| "").failures.is_empty());
}
