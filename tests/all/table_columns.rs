//! Tables whose columns are facts: what columns work out is what each position by itself says, which
//! is made of its JSON and not of the table.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Int64Array, RecordBatch, StringArray,
};
use arrow_schema::DataType;
use serde_json::{Value, json};

use crate::common::Dice;
use crate::common::counts::{seeds, share};
use sutler::Rules;
use sutler::arrow::Asked;

const RULES: &str = r#"edition 1
ruleset columns "Columns" prefix CO
sides Red against Blue
dimension points (point)
kind hex, hexes is space {
  has height in points from -2 to 5
  has rough yes or no
}
kind calendar, calendars is world {
  has season one of spring, summer, winter
  has depth in points from -2 to 5
}
kind power, powers is side {
  has gold in points from 0 to 300
}
kind road, roads is link
kind chief, chiefs is unit
kind piece, pieces is unit {
  has steps in points from -3 to 12
  has purse in points from 0 to 70000
  has mood one of ready, tired, broken
  has led yes or no
  has chief maybe a chief
  has ally maybe a side
  has home maybe a hex
}
kind guard, guards is piece {
  has grit in points from 0 to 5
}
define tough of guard = 3 - grit
named chief Old, Young
ruling halves {
  asks "how are halves rounded?"
  readings down, up, nearest
  default nearest
}
table worth of piece gives points by sum of matches {
  row led   when led then 2
  row tired when mood is tired then -1
  row snow  when season is winter then -2
  row rich  per purse beyond 100 then 1/7
  row own   when chief is Old then 1
  kept between -4 and 5
}
table only_one of piece gives points by only match {
  down   led
  across mood | ready | tired | broken
  row    yes  | 1     | barred | 3
  row    no   | 4     | 5      | 6
}
table temper of piece gives word by first match {
  row calm when led and steps at least 2 then calm
  row wild when mood is broken then wild
  otherwise cold
}
test stand of piece {
  roll  2d6 + rounded down (worth)
  when  total at least 9 then holds
  when  natural at most 3 or (led and total is 7) then runs
  otherwise wavers
  retry at most greater of (steps - 10, 0) when stand is wavers
}
test luck of side {
  roll  1d6 + rounded down (gold / 100)
  when  total more than 5 then lucky
  otherwise not_so
}
test storm of piece {
  roll  1d6
  when  total at least 4 and any enemy piece here then hit
  otherwise missed
}
trace fed of piece "supply line" {
  called provided else hungry
  source hex where not rough
  leg march
    over    roads
    from    anywhere
    through anywhere
    into    anywhere
    within  1
}
map field {
  space hex A
  space hex B with rough
  space hex C
  space hex D with rough
  link road A to B
  link road B to C
  link road C to D
}
setup start on field {
  put piece P1 of Red in A with steps 3, led
  put piece P2 of Blue in C with mood tired, purse 120
  put piece P3 of Red in D with chief Young
  put guard G of Blue in D with grit 2, purse 200
}
"#;

/// A column of a fact: what its cells may say, right or wrong.
struct Fact {
    owner: &'static str,
    fact: &'static str,
    says: &'static [&'static str],
}

const fn fact(owner: &'static str, fact: &'static str, says: &'static [&'static str]) -> Fact {
    Fact { owner, fact, says }
}

const FACTS: &[Fact] = &[
    fact("P1", "steps", &["-3", "0", "3", "11", "12", "13", "null"]),
    fact("P2", "steps", &["2", "5", "12"]),
    fact("P1", "purse", &["0", "101", "107", "700", "70000", "70001"]),
    fact("P1", "mood", &["\"ready\"", "\"tired\"", "\"broken\"", "\"asleep\"", "null"]),
    fact("P2", "mood", &["\"ready\"", "\"tired\""]),
    fact("P1", "led", &["true", "false"]),
    fact("P3", "led", &["true", "false", "null"]),
    fact("P1", "chief", &["\"Old\"", "\"Young\"", "null"]),
    fact("P3", "chief", &["\"Old\"", "\"P1\"", "null"]),
    fact("P2", "ally", &["\"Red\"", "\"Blue\"", "\"Green\"", "null"]),
    fact("P2", "home", &["\"A\"", "\"D\"", "\"E\"", "null"]),
    fact("G", "grit", &["0", "5", "6"]),
    fact("G", "led", &["true", "false"]),
    fact("A", "height", &["-2", "0", "5", "6"]),
    fact("C", "rough", &["true", "false"]),
    fact("Red", "gold", &["0", "99", "100", "250", "301"]),
    fact("", "season", &["\"spring\"", "\"winter\"", "\"autumn\""]),
    fact("", "depth", &["-2", "4", "5"]),
];

impl Fact {
    fn name(&self) -> String {
        match self.owner {
            "" => self.fact.to_owned(),
            owner => format!("{owner}.{}", self.fact),
        }
    }

    /// Writes a value where the JSON of a position has it.
    fn state(&self, position: &mut Value, value: &Value) {
        let facts = match self.owner {
            "" => &mut position["world"],
            "A" | "C" => &mut position["spaces"][self.owner]["facts"],
            "Red" => &mut position["sides"]["Red"]["facts"],
            unit => {
                let units = position["units"].as_array_mut().unwrap();
                let unit = units.iter_mut().find(|entry| entry["id"] == unit);
                &mut unit.unwrap()["facts"]
            }
        };
        facts[self.fact] = value.clone();
    }
}

/// The cells of a column, as strings plain or in a dictionary, numbers or booleans.
fn column(cells: &[Value], dictionary: bool) -> ArrayRef {
    if cells.iter().any(Value::is_i64) {
        return Arc::new(cells.iter().map(Value::as_i64).collect::<Int64Array>());
    }
    if cells.iter().any(Value::is_boolean) {
        return Arc::new(cells.iter().map(Value::as_bool).collect::<BooleanArray>());
    }
    let words = cells.iter().map(Value::as_str);
    match dictionary {
        true => Arc::new(words.collect::<DictionaryArray<Int32Type>>()),
        false => Arc::new(words.collect::<StringArray>()),
    }
}

/// Some of the columns with random cells, and the position of each row as JSON.
fn random(dice: &mut Dice, rows: usize) -> (RecordBatch, Vec<Value>) {
    let base = json!({
        "schema": 1, "setup": "start", "world": {}, "sides": {"Red": {"facts": {}}},
        "spaces": {"A": {"facts": {}}, "C": {"facts": {}}},
        "units": [{"id": "P1", "facts": {}}, {"id": "P2", "facts": {}}, {"id": "P3", "facts": {}},
            {"id": "G", "facts": {}}],
    });
    let mut positions = vec![base; rows];
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    for fact in FACTS {
        if dice.percent(40) {
            continue;
        }
        let mut cells = Vec::new();
        for (row, position) in positions.iter_mut().enumerate() {
            // No cell of the first half is wrong, so that rows enough are answered.
            let says = if row > rows / 2 { fact.says } else { &fact.says[..2] };
            let value: Value = serde_json::from_str(dice.pick::<&str>(says)).unwrap();
            fact.state(position, &value);
            cells.push(value);
        }
        columns.push((fact.name(), column(&cells, dice.percent(50))));
    }
    let spaces = ["A", "B", "C", "D"].map(Some);
    let mut stands = Vec::new();
    for position in &mut positions {
        let space = *dice.pick(&[spaces[0], spaces[1], spaces[2], spaces[3], None]);
        position["units"][0]["space"] = json!(space);
        stands.push(space);
    }
    columns.push(("P1.space".to_owned(), Arc::new(stands.into_iter().collect::<StringArray>())));
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    (RecordBatch::try_from_iter_with_nullable(columns).unwrap(), positions)
}

const QUESTIONS: &[(Option<&str>, &str)] = &[
    (Some("piece"), "worth"),
    (Some("piece"), "rounded halves (worth / 2)"),
    (Some("piece"), "only_one"),
    (Some("piece"), "temper"),
    (Some("piece"), "tough"),
    (Some("guard"), "tough + worth"),
    (Some("chief"), "1 / 2"),
    (Some("piece"), "mood"),
    (Some("piece"), "led and not (steps between 2 and 8)"),
    (Some("piece"), "purse / 3"),
    (Some("piece"), "space is A or home is D"),
    (Some("piece"), "chief is none"),
    (Some("piece"), "ally is Red and depth at least 4"),
    (Some("piece"), "chief"),
    (Some("piece"), "steps + count of own pieces here"),
    (Some("hex"), "height - 1"),
    (Some("hex"), "rough and any piece here"),
    (Some("side"), "gold / 10"),
    (None, "depth + 1"),
    (None, "season"),
];

/// The cell of an answer as JSON; a fraction is the number that is nearest to it.
fn cell(column: &ArrayRef, row: usize) -> Value {
    match column.data_type() {
        _ if column.is_null(row) => Value::Null,
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into(),
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        _ => column.as_primitive::<Float64Type>().value(row).into(),
    }
}

/// A value in words as a number: `3`, `1/2`, `-3 1/2`.
fn number(words: &str) -> f64 {
    let parts = words.trim_start_matches('-').split(' ').map(|part| match part.split_once('/') {
        Some((over, under)) => over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap(),
        None => part.parse().unwrap(),
    });
    let sum: f64 = parts.sum();
    if words.starts_with('-') { -sum } else { sum }
}

#[test]
fn questions_over_columns_of_facts_are_those_of_each_position() {
    let game = Rules::of_text(RULES).game().unwrap();
    let (mut compared, mut refused) = (0, 0);
    for seed in seeds(24) {
        let mut dice = Dice::new(seed);
        let (table, positions) = random(&mut dice, 60);
        let positions: Vec<_> =
            positions.iter().map(|json| game.position(&json.to_string())).collect();
        for (of, text) in QUESTIONS {
            let like = game.setup("start").unwrap();
            let question = game.question(*of, text).unwrap();
            let asked = Asked::of_question(like, game.question(*of, text).unwrap()).unwrap();
            let answers = asked.answer(&table, 0, &[]).unwrap();
            let error = answers.column_by_name("error").unwrap();
            for (row, position) in positions.iter().enumerate() {
                let said = position
                    .as_ref()
                    .map_err(|_| ())
                    .and_then(|position| question.of(position).map_err(|_| ()));
                let place = format!("seed {seed}, {text}, row {row}");
                assert_eq!(said.is_err(), error.is_valid(row), "{place}: {position:?}");
                let Ok(said) = said else {
                    refused += 1;
                    continue;
                };
                for value in said.values {
                    let column = answers.column_by_name(&format!("{}.value", value.id)).unwrap();
                    let found = cell(column, row);
                    match found.as_f64().filter(|_| !found.is_i64()) {
                        Some(found) => {
                            let exact = number(&value.words);
                            assert!((found - exact).abs() < 1e-9, "{place}: {found}, {exact}");
                        }
                        None => assert_eq!(found, value.value, "{place}, {}", value.id),
                    }
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= share(20_000), "{compared} compared");
    assert!(refused >= share(1_000), "{refused} refused");
}

#[test]
fn odds_over_columns_of_facts_are_those_of_each_position() {
    let game = Rules::of_text(RULES).game().unwrap();
    let (mut compared, mut refused, mut nowhere) = (0, 0, 0);
    for seed in seeds(24) {
        let mut dice = Dice::new(seed + 500);
        let (table, positions) = random(&mut dice, 60);
        for test in ["stand", "luck", "storm"] {
            let asked = Asked::of_test(game.setup("start").unwrap(), test).unwrap();
            let answers = asked.answer(&table, 0, &[]).unwrap();
            let error = answers.column_by_name("error").unwrap();
            let results: Vec<_> = answers.schema().fields().iter().cloned().collect();
            for (row, json) in positions.iter().enumerate() {
                let position = game.position(&json.to_string());
                assert_eq!(position.is_err(), error.is_valid(row), "seed {seed}, row {row}");
                let Ok(position) = position else {
                    refused += 1;
                    continue;
                };
                let said = position.odds(test, &[]).unwrap().odds;
                for (field, column) in results.iter().zip(answers.columns()) {
                    let Some((id, result)) = field.name().rsplit_once('.') else { continue };
                    let place = format!("seed {seed}, {test}, {id} {result}, row {row}");
                    let Some(odds) = said.iter().find(|odds| odds.id == id) else {
                        assert!(column.is_null(row), "{place}");
                        nowhere += 1;
                        continue;
                    };
                    let exact = odds.roll.odds.iter().find(|chance| chance.what == result);
                    let exact = exact.map_or(0.0, |chance| number(&chance.chance));
                    let found = column.as_primitive::<Float64Type>().value(row);
                    assert!((found - exact).abs() < 1e-12, "{place}: {found}, {exact}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= share(2_000), "{compared} compared");
    assert!(refused > 0 && nowhere > 0);
}

#[test]
fn traces_over_columns_of_facts_are_those_of_each_position() {
    let game = Rules::of_text(RULES).game().unwrap();
    let trace = game.trace("fed").unwrap();
    let mut compared = 0;
    for seed in seeds(12) {
        let mut dice = Dice::new(seed + 900);
        // Rows enough with the same facts to be asked as a table of their own.
        let (table, positions) = random(&mut dice, 400);
        let asked = Asked::of_trace(game.setup("start").unwrap(), trace, false).unwrap();
        let answers = asked.answer(&table, 0, &[]).unwrap();
        let error = answers.column_by_name("error").unwrap();
        for (row, json) in positions.iter().enumerate() {
            let position = game.position(&json.to_string());
            assert_eq!(position.is_err(), error.is_valid(row), "seed {seed}, row {row}");
            let Ok(position) = position else { continue };
            for (thing, yes) in position.all_yes(trace).unwrap() {
                let id = position.name(thing);
                let column = answers.column_by_name(&format!("{id}.yes")).unwrap();
                assert_eq!(column.as_boolean().value(row), yes, "seed {seed}, {id}, row {row}");
                compared += 1;
            }
        }
    }
    assert!(compared >= share(4_000), "{compared} compared");
}
