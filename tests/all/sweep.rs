//! `sutler sweep`: the numbers of a ruleset by name, the variants that are tried, what they come to,
//! and what is refused.

use crate::place::{Place, Said};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_schema::DataType;
use serde_json::Value;

const GAME: &str = r#"edition 1
ruleset small "A small game" prefix SM
sides Red against Blue
clock turn has camp of each side
dimension areas (area), points (point)
kind field, fields is space
kind road, roads is link
kind army, armies is unit {
  has strength in points from 0 to 9
}
mark tired of army until end of turn

section 1 "All"
clause a "Reach is by strength."
clause b "Who is tired loses a point."
clause c "A depot of 9 points reaches two areas."

define many = 3
count marches of army per turn from 0 to 4
table reach of army gives areas by first match {
  row strong when strength at least 5 then many + 0   [1a]
  otherwise 1
}
table losses of army gives kept in points, lost in points by first match [1b] {
  row fresh when not tired and marches at most 2 then 1, 0
  otherwise 0, 2
}
define depot of field = any own army here where strength at least 9
trace supply of army {
  called supplied else cut [1c]
  source depot where depot
  leg line
    over    roads
    from    anywhere
    through anywhere
    into    anywhere
    within  1
}
phase rest at start of camp of owner [1b] {
  do mark tired for own armies
  do lower strength by 1 for own armies where strength at least 1
}
map strip {
  space field Here
  space field There
  space field Beyond
  link road Here to There
  link road There to Beyond
}
setup opening on strip {
  put army A of Red in Here with strength 5
  put army B of Red in There with strength 9
  put army C of Red in Beyond with strength 2
}
"#;

fn place() -> Place {
    Place::with(GAME)
}

fn said(more: &[&str]) -> Said {
    place().run(&[&["sweep", "game"], more].concat())
}

fn report(more: &[&str]) -> Value {
    let said = said(&[more, &["--format", "json"]].concat());
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{more:?}");
    serde_json::from_str(&said.out).unwrap()
}

/// The variants in their order: `name value: flips`, or the code of what is refused.
fn rows(report: &Value) -> Vec<String> {
    let row = |row: &Value| {
        let values = row["values"].as_object().unwrap().iter();
        let values: Vec<String> = values.map(|(name, value)| format!("{name} {value}")).collect();
        let came = row["refused"].as_str().map_or(row["flips"].to_string(), str::to_owned);
        format!("{}: {came}", values.join(", "))
    };
    report["variants"].as_array().unwrap().iter().map(row).collect()
}

/// The numbers in their order, each with its effect.
fn effects(report: &Value) -> Vec<String> {
    let all = report["numbers"].as_array().unwrap().iter();
    all.map(|n| format!("{} {}", n["name"].as_str().unwrap(), n["effect"])).collect()
}

#[test]
fn every_number_has_a_name_a_value_and_a_place() {
    let out = said(&["--list"]).out;
    let names: Vec<&str> = out.lines().map(|l| l.split("  ").next().unwrap()).collect();
    assert_eq!(
        names,
        [
            "many",
            "marches",
            "reach.strong.when",
            "reach.strong",
            "reach.otherwise",
            "losses.fresh.when",
            "losses.fresh.kept",
            "losses.fresh.lost",
            "losses.otherwise.kept",
            "losses.otherwise.lost",
            "depot",
            "supply.line.within",
            "rest.step 2.1",
            "rest.step 2.2",
        ]
    );
    let line = out.lines().find(|l| l.starts_with("reach.strong ")).unwrap();
    assert!(line.ends_with("0  table reach, row strong [SM-1a]  game/rules.sut:21"), "{line}");
    let all: Value = serde_json::from_str(&said(&["--list", "--format", "json"]).out).unwrap();
    assert_eq!(all[1]["is"], 4);
    assert_eq!(all[3]["clauses"][0], "SM-1a");
}

#[test]
fn a_range_is_tried_value_by_value_and_the_nearest_turns_are_found() {
    // A has 5 points, B 9 and C 2: each value above 5 cuts A, each above 9 both, each below 3 gives
    // C what only the strong have.
    let report = report(&["--vary", "reach.strong.when=1..10"]);
    let flips = ["1: 1", "2: 1", "3: 0", "4: 0", "6: 1", "7: 1", "8: 1", "9: 1", "10: 2"];
    let wanted: Vec<String> = flips.iter().map(|f| format!("reach.strong.when {f}")).collect();
    assert_eq!(rows(&report), wanted);
    let number = &report["numbers"][0];
    assert_eq!((&number["down"]["value"], &number["up"]["value"]), (&2.into(), &6.into()));
    let first = &number["up"]["first"];
    assert_eq!(first["question"], "table reach");
    assert_eq!(
        (&first["of"], &first["was"], &first["now"]),
        (&"A".into(), &"3".into(), &"1".into())
    );
    assert_eq!((&report["positions"], &report["answers"]), (&1.into(), &9.into()));
}

#[test]
fn several_numbers_are_tried_in_all_combinations() {
    let report = report(&["--vary", "reach.strong=0,1", "--vary", "reach.otherwise=1..3"]);
    // As they are: 3, 3, 1. One more for the strong flips two, another number for C one.
    assert_eq!(report["shape"], "grid");
    assert_eq!(
        rows(&report),
        [
            ": 0",
            "reach.otherwise 2: 1",
            "reach.otherwise 3: 1",
            "reach.strong 1: 2",
            "reach.otherwise 2, reach.strong 1: 3",
            "reach.otherwise 3, reach.strong 1: 3",
        ]
    );
    assert_eq!(effects(&report), ["reach.strong 2", "reach.otherwise 1"]);
    // A number that turns by itself does so where the other is as it is.
    assert_eq!(report["numbers"][1]["up"]["value"], 2);
}

#[test]
fn without_a_word_each_number_goes_one_down_and_one_up() {
    let all = report(&[]);
    assert_eq!(all["shape"], "one_by_one");
    assert_eq!(effects(&all)[..3], ["losses.fresh.kept 3", "losses.fresh.lost 3", "depot 3"]);
    assert_eq!(all["unread"], serde_json::json!(["rest.step 2.1", "rest.step 2.2"]));
    let some = report(&["--sample", "5", "--seed", "3"]);
    let (all, some) = (rows(&all), rows(&some));
    assert_eq!((all.len(), some.len()), (21, 5));
    assert!(some.iter().all(|row| all.contains(row)), "{some:?}");
    let only = rows(&report(&["--only", "table reach"]));
    assert!(only.len() == 5 && only.iter().all(|row| row.starts_with("reach.")), "{only:?}");
}

#[test]
fn one_question_alone_is_counted() {
    let all = report(&["--vary", "depot=10", "--question", "supply"]);
    assert_eq!((rows(&all), &all["answers"]), (vec!["depot 10: 3".to_owned()], &3.into()));
    let wrong = said(&["--question", "suply"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("supply"), "{}", wrong.err);
}

#[test]
fn a_sample_of_combinations_holds_each_once() {
    let vary = ["--vary", "depot=1..9", "--vary", "reach.strong=0..9", "--vary", "many=0..9"];
    let call = |seed: &str| report(&[&vary[..], &["--sample", "40", "--seed", seed]].concat());
    let (first, second) = (rows(&call("1")), rows(&call("2")));
    assert_eq!((first.len(), second.len()), (40, 40));
    assert_ne!(first, second);
    let once: std::collections::BTreeSet<&String> = first.iter().collect();
    assert_eq!(once.len(), 40);
    // More than there are: all of them.
    let few = ["--vary", "reach.strong=0,1", "--vary", "many=3,4", "--sample", "99"];
    assert_eq!(rows(&report(&few)).len(), 4);
}

#[test]
fn what_the_checker_refuses_is_a_row_and_the_rest_goes_on() {
    // `from 0 to 0` has nothing to count.
    let report = report(&["--vary", "supply.line.within=0,2,3000000000"]);
    let rows = rows(&report);
    assert_eq!(rows[..2], ["supply.line.within 0: 2", "supply.line.within 2: 0"]);
    assert!(rows[2].starts_with("supply.line.within 3000000000: E"), "{rows:?}");
    assert_eq!(report["numbers"][0]["refused"], 1);
}

#[test]
fn a_wrong_call_has_its_code() {
    for (call, code, words) in [
        ("--vary=reach=1..3", "E1070", "`reach.strong`"),
        ("--vary=reach.stronk=1", "E1070", "write `reach.strong`"),
        ("--vary=1b=1", "E1070", "is carried out by 7 numbers"),
        ("--vary=rest.step 2.1=2", "E1071", "add `--games N`"),
        ("--vary=depot=9..1", "E1072", "`9..1` is an empty range"),
        ("--vary=depot=1..9999", "E1073", "at most 1000"),
    ] {
        let said = said(&[call]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{call}: {}", said.err);
        assert!(said.err.contains(code) && said.err.contains(words), "{call}: {}", said.err);
    }
    let many = ["--vary", "depot=1..300", "--vary", "many=1..300"];
    assert!(said(&many).err.contains("E1073"), "{}", said(&many).err);
    let unread = Place::with(&GAME.replace("then many + 0", "then 3 + 0"));
    let said = unread.run(&["sweep", "game", "--vary", "many=4"]);
    assert!(said.code == 2 && said.err.contains("E1071"), "{}", said.err);
}

#[test]
fn a_clause_names_the_one_number_that_carries_it_out() {
    let place = Place::with(
        &GAME
            .replace(
                "points, lost in points by first match [1b]",
                "points, lost in points by first match",
            )
            .replace(" [1b] {", " {"),
    );
    let said = place.run(&["sweep", "game", "--vary", "1a=2", "--format", "csv"]);
    // The row has two numbers: which is meant is asked back.
    assert!(said.err.contains("name one of `reach.strong.when`, `reach.strong`"), "{}", said.err);
    let one = GAME.replace("then many + 0", "then many");
    let said = Place::with(&one).run(&["sweep", "game", "--vary", "1a=2", "--format", "csv"]);
    let head = "number,is,value,refused,flips,of,things,position,question,thing,was,now\n";
    let row = "reach.strong.when,5,2,,1,9,1,setup opening,table reach,C,1,3\n";
    assert_eq!((said.code, said.out), (0, format!("{head}{row}")), "{}", said.err);
}

#[test]
fn positions_that_a_variant_cannot_read_are_counted() {
    let place = place();
    let unit = |n: u32| {
        let facts = format!(r#"{{"strength":5,"marches":{n}}}"#);
        let unit = r#"{"id":"A","kind":"army","side":"Red","space":"Here","facts":"#;
        format!(r#"{{"schema":1,"map":"strip","units":[{unit}{facts}}}]}}"#)
    };
    place.write("positions.jsonl", format!("{}\n{}\n", unit(0), unit(4)));
    let call = ["sweep", "game", "--positions", "positions.jsonl", "--vary", "marches=3,5"];
    let said = place.run(&[&call[..], &["--format", "json"]].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    let unread = |at: usize| report["variants"][at]["unread"].clone();
    assert_eq!((unread(0), unread(1)), (1.into(), 0.into()), "{}", said.out);
    place.write("positions.jsonl", format!("{}\nnothing\n", unit(0)));
    let said = place.run(&call);
    assert_eq!(said.code, 1);
    assert!(
        said.err.contains("positions.jsonl:2") && said.out.contains("1 position"),
        "{}",
        said.err
    );
}

#[test]
fn games_are_played_with_the_same_seeds() {
    let call = ["--games", "4", "--turns", "2", "--ask", "sum of strength of armies"];
    let report = report(&[&call[..], &["--vary", "rest.step 2.1=0,2"]].concat());
    // Two turns take 2 points from A, B and C each; by 2 they take 4, 4 and 2 (C has 2).
    assert_eq!(rows(&report), ["rest.step 2.1 0: 4", "rest.step 2.1 2: 4"]);
    let shift = |at: usize| report["variants"][at]["shifts"][0]["mean"].clone();
    assert_eq!((shift(0), shift(1)), (6.into(), (-4).into()), "{report}");
    assert_eq!((&report["games"], &report["answers"]), (&4.into(), &4.into()));
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let games = ["--games", "9", "--turns", "2"];
    let grid = ["--vary", "depot=1..9", "--vary", "many=1..4"];
    for call in [&[][..], &grid, &["--sample", "7"], &games] {
        let bytes = |jobs: &str, format: &str| {
            said(&[call, &["--jobs", jobs, "--format", format]].concat()).out
        };
        for format in ["json", "full", "csv"] {
            let one = bytes("1", format);
            assert!(!one.is_empty(), "{call:?}");
            assert_eq!(one, bytes("2", format), "{call:?}");
            assert_eq!(one, bytes("7", format), "{call:?}");
        }
    }
}

#[test]
fn a_table_for_programs_has_the_rows_of_that_for_sheets() {
    let place = place();
    let grid = ["--vary", "depot=1..9", "--vary", "many=1..4"];
    let games = ["--games", "5", "--turns", "2"];
    let refused = ["--vary", "supply.line.within=0,3000000000"];
    for call in [&[][..], &grid, &games, &refused] {
        let call = [&["sweep", "game"], call, &["--format", "csv", "--out", "out.parquet"]];
        let said = place.run(&call.concat());
        assert_eq!(said.code, 0, "{}", said.err);
        let tables = crate::tables::read(&place.path("out.parquet"));
        let table = tables.first().unwrap();
        let mut sheet = csv::Reader::from_reader(said.out.as_bytes());
        let heads: Vec<String> = sheet.headers().unwrap().iter().map(str::to_owned).collect();
        let schema = table.schema();
        let own: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
        assert!(own.iter().copied().eq(&heads), "{own:?}");
        let rows: Vec<_> = sheet.records().map(Result::unwrap).collect();
        assert_eq!((tables.len(), table.num_rows()), (1, rows.len()));
        for (row, cells) in rows.iter().enumerate() {
            for (cell, column) in cells.iter().zip(table.columns()) {
                let found = match column.data_type() {
                    _ if column.is_null(row) => String::new(),
                    DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
                    DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
                    _ => column.as_primitive::<Float64Type>().value(row).to_string(),
                };
                assert_eq!(found, cell, "{call:?}, row {row}");
            }
        }
        std::fs::remove_file(place.path("out.parquet")).unwrap();
    }
    let said = place.run(&["sweep", "game", "--out", "out.csv"]);
    assert!(said.code == 2 && said.err.contains(".parquet"), "{}", said.err);
    let said = place.run(&["sweep", "game", "--out", "none/out.parquet"]);
    assert!(said.code == 2 && said.err.contains("E0007"), "{}", said.err);
}

#[test]
fn a_chart_has_a_bar_for_each_value_and_is_written_nowhere_else() {
    let place = place();
    let said = place.run(&["sweep", "game", "--only", "reach", "--chart", "chart.svg"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let svg = std::fs::read_to_string(place.path("chart.svg")).unwrap();
    // Five variants, two of which flip nothing: no bar, but a line.
    assert_eq!(svg.matches("class=\"rule\"").count(), 5, "{svg}");
    assert_eq!(
        svg.matches("class=\"up\"").count() + svg.matches("class=\"down\"").count(),
        4,
        "{svg}"
    );
    for text in ["small: answers that flip", "reach.strong, now 0", "6 ▲", "4 ▼", "2 (22.2 %)"]
    {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert!(svg.contains("prefers-color-scheme:dark"));
    let wrong = place.run(&["sweep", "game", "--chart", "chart.png"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
}
