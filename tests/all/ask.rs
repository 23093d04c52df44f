//! Any condition or amount asked of things from outside of a ruleset.

use crate::place::Place;
use crate::support::{blocks, prelude};
use serde_json::Value;
use sutler::Rules;

fn place() -> Place {
    Place::with(prelude(&blocks("docs/language.md")))
}

fn json(place: &Place, words: &[&str]) -> Value {
    let said = place.run(&[&["ask", "game", "--format", "json"], words].concat());
    assert_eq!(said.code, 0, "{words:?}\n{}", said.err);
    serde_json::from_str(&said.out).unwrap()
}

/// Who, and what: as a list of pairs.
fn values(report: &Value) -> Vec<(String, Value)> {
    let rows = report["values"].as_array().unwrap().iter();
    rows.map(|row| (row["id"].as_str().unwrap().to_owned(), row["value"].clone())).collect()
}

#[test]
fn a_question_is_what_a_define_of_the_same_words_is() {
    let defines = [
        ("army", "reach"),
        ("army", "strength + 1"),
        ("army", "strength / 2"),
        ("army", "leader"),
        ("army", "supplied"),
        ("army", "length of supply of the army"),
        ("army", "any enemy army within 2"),
        ("army", "count of regions within 2 where any friendly army here"),
        ("region", "terrain"),
        ("region", "depot"),
        ("region", "lost"),
        ("region", "sum of strength of armies here"),
    ];
    let rules = prelude(&blocks("docs/language.md")).to_owned();
    for (kind, words) in defines {
        let with = format!("{rules}\ndefine asked_here of {kind} = {words}\n");
        let texts = |rules: &str| Rules::of_text(rules).game().unwrap();
        let (plain, named) = (texts(&rules), texts(&with));
        let ask = |game: &sutler::Game, words: &str| {
            let mut position = game.setup("opening").unwrap();
            position.set_viewer(Some(game.side("Crown").unwrap())).unwrap();
            let report = game.question(Some(kind), words).unwrap().of(&position).unwrap();
            serde_json::to_value(report.values).unwrap()
        };
        assert_eq!(ask(&plain, words), ask(&named, "asked_here"), "{words}");
    }
}

#[test]
fn each_thing_of_a_kind_has_its_value() {
    let place = place();
    let found = json(&place, &["reach", "--of", "army"]);
    assert_eq!(values(&found), [("First".to_owned(), 2.into()), ("Guard".to_owned(), 3.into())]);
    // Names of the position may be asked, and what is given counts.
    let near = ["space of First is Dale", "--given", "space of First is Dale"];
    let found = json(&place, &near);
    assert_eq!(values(&found), [("world".to_owned(), true.into())]);
    let half = json(&place, &["strength / 2", "--of", "armies", "--side", "Crown"]);
    assert_eq!(values(&half), [("First".to_owned(), "5/2".into())]);
    let none = json(&place, &["leader", "--of", "army", "--side", "Crown"]);
    assert_eq!(values(&none), [("First".to_owned(), Value::Null)]);
    let said = place.run(&["ask", "game", "terrain", "--of", "region"]);
    assert!(said.out.starts_with("region    side    terrain\n"), "{}", said.out);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let place = place();
    for (words, code) in [
        (vec!["strengt", "--of", "army"], "E0201"),
        (vec!["reach +", "--of", "army"], "E0100"),
        (vec!["", "--of", "army"], "E0100"),
        (vec!["reach\ndefine x of army = yes", "--of", "army"], "E0103"),
        (vec!["over road", "--of", "army"], "E0416"),
        (vec!["depot", "--of", "region"], "E1051"),
        (vec!["reach", "--of", "armi"], "E1052"),
    ] {
        let said = place.run(&[&["ask", "game"], words.as_slice()].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{words:?}\n{}", said.err);
        assert!(said.err.contains(&format!("[{code}]")), "{words:?}\n{}", said.err);
    }
}

#[test]
fn many_positions_are_asked_line_by_line() {
    let place = place();
    let lines = [
        r#"{"schema":1,"setup":"opening"}"#,
        "",
        r#"{"schema":1,"setup":"opening","units":[{"id":"First","facts":{"leader":"Hale"}}]}"#,
        r#"{"schema":1,"setup":"opening","units":[{"id":"First","space":"Nowhere"}]}"#,
    ];
    place.write("positions.jsonl", lines.join("\n"));
    let said =
        place.run(&["ask", "game", "reach", "--of", "army", "--positions", "positions.jsonl"]);
    assert_eq!(said.code, 1, "{}", said.err);
    let out: Vec<Value> = said.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(out[0]["question"], "reach");
    assert_eq!(out[1]["values"]["First"], 2);
    assert_eq!((out[2]["line"].as_u64(), out[2]["values"]["First"].as_i64()), (Some(3), Some(3)));
    assert_eq!(
        (out[3]["line"].as_u64(), out[3]["error"]["code"].as_str()),
        (Some(4), Some("E0805"))
    );
    assert!(said.err.contains("positions.jsonl, line 4: error[E0805]"), "{}", said.err);
}

#[test]
fn a_line_that_is_too_long_is_told_and_the_rest_goes_on() {
    let place = place();
    let mut lines = vec![b' '; 16 * 1024 * 1024 + 1];
    lines.extend_from_slice(b"\n{\"schema\":1,\"setup\":\"opening\"}\n");
    place.write("positions.jsonl", lines);
    let said =
        place.run(&["ask", "game", "reach", "--of", "army", "--positions", "positions.jsonl"]);
    let out: Vec<Value> = said.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((said.code, out.len()), (1, 3), "{}", said.err);
    assert_eq!(
        (out[1]["line"].as_u64(), out[1]["error"]["code"].as_str()),
        (Some(1), Some("E1050"))
    );
    assert_eq!(out[2]["values"]["First"], 2);
    assert!(said.err.contains("positions.jsonl, line 1: error[E1050]"), "{}", said.err);
}

#[test]
fn a_faulty_question_is_told_once_for_all_lines() {
    let place = place();
    place.write("positions.jsonl", "{\"schema\":1,\"setup\":\"opening\"}\n".repeat(3));
    let said =
        place.run(&["ask", "game", "rech", "--of", "army", "--positions", "positions.jsonl"]);
    assert_eq!(said.out.matches("E0201").count(), 3, "{}", said.out);
    assert_eq!(said.err.matches("error[E0201]").count(), 1, "{}", said.err);
}

#[test]
fn exceptions_are_in_what_is_asked() {
    let rules = prelude(&blocks("docs/language.md")).to_owned();
    let more = "table needs of army gives steps by first match {\n  otherwise 1\n}\nexception old to needs when veteran then 7\n";
    let place = Place::with(&format!("{rules}\n{more}"));
    let found = json(&place, &["needs", "--of", "army", "--given", "First is veteran"]);
    assert_eq!(values(&found)[0].1, 7);
}
