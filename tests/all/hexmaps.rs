//! Hex maps from the outside: what a text says, what the map becomes, and where each fault points.

use sutler::diag::code;
use sutler::ir::{KindId, Ruleset};
use sutler::map::Map;
use sutler::project::check_text;

const HEAD: &str = r#"edition 1
ruleset frame "Frame" prefix F
sides Red against Blue
clock turn has play
dimension miles (mile)
kind hex, hexes is space {
  has terrain one of clear, sea, jungle
  has port yes or no
  has worth in miles from 0 to 9
}
kind town, towns is hex
kind road, roads is link {
  joins hexes where terrain is not sea
}
kind river, rivers is hexside
kind trail, trails is link
kind army, armies is unit
"#;

const MAP: &str = r#"
map coast "The coast" {
  grid hexes flat even columns lower from 0101
  legend "c" with terrain clear
  legend "j" with terrain jungle, worth 3
  legend "~" with terrain sea
  legend "-" outside
  row "~ c j"
  row "~ c c"
  row "- c ~"
  space town 0202 "Old Town" with port, worth 5
  space hex 0201 "The Cape" with terrain jungle
  space hex Rangoon "Rangoon, off the map" with terrain clear
  link road 0201 to 0202 to 0203
  link river 0201 to 0202
  link trail 0301 to Rangoon
}
"#;

/// Codes with the text that each points at.
fn faults(text: &str) -> Vec<(String, String)> {
    let (sources, _, faults) = check_text("test.sut", text.as_bytes());
    faults
        .iter()
        .map(|f| (f.code.to_string(), sources.slice(f.primary().unwrap()).to_owned()))
        .collect()
}

fn one(text: &str, code: code::Code, place: &str) {
    assert_eq!(faults(text), [(code.to_string(), place.to_owned())], "{text}");
}

fn rules(text: &str) -> Ruleset {
    let (_, rules, faults) = check_text("test.sut", text.as_bytes());
    assert!(faults.is_empty(), "{faults:#?}");
    rules.unwrap()
}

fn ids(map: &Map, kind: KindId, of: &str) -> Vec<String> {
    map.neighbours(kind, map.find(of).unwrap())
        .iter()
        .map(|s| map.spaces[*s as usize].id.clone())
        .collect()
}

/// A map of `rows` of clear hexes, with more lines behind.
fn rows(rows: &[&str], more: &str) -> String {
    let rows: String = rows.iter().map(|r| format!("  row \"{r}\"\n")).collect();
    let legend = "  legend \"c\" with terrain clear\n  legend \"~\" with terrain sea\n  legend \"-\" outside\n";
    format!(
        "{HEAD}map m {{\n  grid hexes flat even columns lower from 0101\n{legend}{rows}{more}}}\n"
    )
}

#[test]
fn a_map_is_read_with_its_hexes_first() {
    let rules = rules(&format!("{HEAD}{MAP}"));
    let map = &rules.maps[0];
    let all: Vec<&str> = map.spaces.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(all, ["0101", "0201", "0301", "0102", "0202", "0302", "0203", "0303", "Rangoon"]);
    assert_eq!((map.hexes(), map.find("0103"), map.find("Rangoon")), (8, None, Some(8)));
    let grid = map.grid.as_ref().unwrap();
    assert_eq!(
        (grid.columns, grid.rows, grid.digits, grid.layout.flat, grid.layout.odd),
        (3, 3, 2, true, false)
    );
    assert_eq!(map.names().collect::<Vec<_>>(), ["Rangoon"]);
    // Facts are control, terrain, port, worth: a line about one hex changes what it names and keeps
    // the rest.
    let facts = |id: &str| map.spaces[map.find(id).unwrap() as usize].facts.clone();
    assert_eq!(facts("0201"), [0, 2, 0, 0]);
    assert_eq!(facts("0202"), [0, 0, 1, 5]);
    assert_eq!(facts("0301"), [0, 2, 0, 3]);
    let town = &map.spaces[map.find("0202").unwrap() as usize];
    assert_eq!(
        (town.title.as_str(), rules.kinds[town.kind.index()].name.as_str()),
        ("Old Town", "town")
    );
}

#[test]
fn hexes_are_linked_to_their_neighbours() {
    let rules = rules(&format!("{HEAD}{MAP}"));
    let map = &rules.maps[0];
    assert_eq!(ids(map, KindId::HEXSIDE, "0202"), ["0201", "0102", "0302", "0203", "0303"]);
    assert_eq!(ids(map, KindId::HEXSIDE, "0101"), ["0201", "0102"]);
    assert!(ids(map, KindId::HEXSIDE, "Rangoon").is_empty());
    let kind = |name: &str| KindId::at(rules.kinds.iter().position(|k| k.name == name).unwrap());
    assert_eq!(ids(map, kind("road"), "0202"), ["0201", "0203"]);
    assert_eq!(ids(map, kind("river"), "0202"), ["0201"]);
    assert_eq!(ids(map, kind("trail"), "Rangoon"), ["0301"]);
    assert_eq!(rules.kinds[KindId::HEXSIDE.index()].parent, Some(KindId::LINK));
}

#[test]
fn pointy_hexes_and_longer_labels() {
    let text = format!(
        "{HEAD}map m {{\n  grid hexes pointy odd rows right from 098009\n  legend \"cc\" with terrain clear\n  row \"cc  cc cc\"\n  row \"cc cc cc\"\n  link river 099009 to 100010\n}}\n"
    );
    let rules = rules(&text);
    assert_eq!(
        ids(&rules.maps[0], KindId::HEXSIDE, "099009"),
        ["098009", "100009", "099010", "100010"]
    );
}

#[test]
fn a_ragged_row_is_told_at_its_end_or_at_what_is_too_much() {
    one(&rows(&["c c c", "c c"], ""), code::E0713, "\"");
    one(&rows(&["c c c", "c c c ~ c"], ""), code::E0713, "~ c");
}

#[test]
fn a_sign_without_a_legend_is_told_once_at_the_sign_itself() {
    let text = rows(&["c c x", "x c c"], "");
    one(&text, code::E0714, "x");
    let (sources, _, faults) = check_text("test.sut", text.as_bytes());
    let span = faults[0].primary().unwrap();
    assert_eq!(
        sources.line_text(span.source, sources.line_col(span.source, span.start).line),
        "  row \"c c x\""
    );
    assert_eq!(sources.line_col(span.source, span.start).column, 12);
    assert_eq!(
        faults[0].help.as_deref().unwrap(),
        "the signs are `c`, `~`, `-`; explain another with `legend \"x\" with ...`"
    );
    one(&rows(&["c"], "  legend \"a b\" outside\n"), code::E0714, "\"a b\"");
    one(&rows(&["c"], "  legend \"c\" outside\n"), code::E0202, "\"c\"");
}

#[test]
fn labels_that_the_map_has_not() {
    for (label, says) in [
        ("0401", "no hex is called `0401`: the map has no column 04"),
        ("0103", "no hex is called `0103`: the map has no row 03"),
        ("0201", "no hex is called `0201`: that place is `outside`"),
        ("001001", "`001001` is no label of the map: a label here has 4 digits"),
        ("011", "`011` is no label of the map: a label here has 4 digits"),
    ] {
        for line in
            [format!("  link trail 0101 to {label}\n"), format!("  space hex {label} \"x\"\n")]
        {
            let text = rows(&["c - c", "c c c"], &line);
            one(&text, code::E0701, label);
            assert_eq!(check_text("t", text.as_bytes()).2[0].message, says);
        }
    }
    one(&format!("{HEAD}map m {{\n  space hex A\n  space hex 0101\n}}\n"), code::E0701, "0101");
    one(
        &format!("{HEAD}map m {{\n  grid hexes flat odd columns lower from 010\n  row \"c\"\n}}\n"),
        code::E0701,
        "010",
    );
}

#[test]
fn one_grid_and_its_rows() {
    let grid = "grid hexes flat even columns lower from 0101";
    one(&rows(&["c"], &format!("  {grid}\n")), code::E0715, grid);
    one(&format!("{HEAD}map m {{\n  {grid}\n}}\n"), code::E0715, grid);
    one(
        &format!("{HEAD}map m {{\n  legend \"c\" outside\n  row \"c\"\n}}\n"),
        code::E0715,
        "\"c\"",
    );
    one(
        &format!(
            "{HEAD}map m {{\n  grid armies flat even columns lower from 0101\n  row \"c\"\n}}\n"
        ),
        code::E0207,
        "armies",
    );
}

#[test]
fn a_grid_too_large_for_its_labels_or_for_a_map() {
    let text = rows(&["c c c"], "").replace("from 0101", "from 9801");
    one(&text, code::E0215, "9801");
    let text = rows(&["c c"], "").replace("from 0101", "from 9801");
    assert!(faults(&text).is_empty());
    let wide = "c ".repeat(1 << 11);
    let text =
        rows(&vec![wide.trim_end(); (1 << 10) + 1], "").replace("from 0101", "from 00010001");
    one(&text, code::E0215, "grid hexes flat even columns lower from 00010001");
}

#[test]
fn rivers_run_between_neighbours_and_roads_on_land() {
    one(&rows(&["c c c"], "  link river 0101 to 0301\n"), code::E0712, "0301");
    one(&rows(&["c c c"], "  link hexside 0101 to 0301\n"), code::E0712, "0301");
    one(&rows(&["c c"], "  space hex Box\n  link river 0101 to Box\n"), code::E0712, "Box");
    assert!(
        faults(&rows(&["c c c"], "  link trail 0101 to 0301\n  link hexside 0101 to 0201\n"))
            .is_empty()
    );
    one(&rows(&["c ~ c"], "  link road 0101 to 0201 to 0301\n"), code::E0711, "0201");
    let (sources, _, faults) =
        check_text("t", rows(&["c ~ c"], "  link road 0101 to 0201\n").as_bytes());
    assert_eq!(sources.slice(faults[0].labels[1].span), "hexes where terrain is not sea");
}

#[test]
fn what_may_join_is_asked_of_links_and_spaces() {
    let kind = |k: &str| format!("{HEAD}{k}\n");
    one(&kind("kind ship is unit {\n  joins hexes\n}"), code::E0207, "hexes");
    one(&kind("kind ferry is link {\n  joins armies\n}"), code::E0207, "armies");
    let under = HEAD.replace("kind trail, trails is link\n", "kind trail, trails is road\n");
    let text = rows(&["~ c"], "  link trail 0101 to 0201\n").replace(HEAD, &under);
    one(&text, code::E0711, "0101");
}

#[test]
fn rules_name_a_hex_of_whatever_map_is_played_on() {
    let rule = "define home of hex = hex is hex 0202\ndefine near of army = any army in hex 0202\ndefine clear_there of army = terrain of hex 0202 is clear\n";
    let more = "map other {\n  grid hexes flat odd columns lower from 0101\n  legend \"c\" with terrain clear\n  row \"c c\"\n}\n";
    let suite = "setup red on coast {\n  put army A of Red in hex 0202\n  put army B of Red in Rangoon\n  given control is Blue in 0202, hex 0201, Rangoon\n}\n\
        case \"home\" {\n  setup red\n  expect home of hex 0202\n  expect not home of hex 0201\n  expect near of B\n  expect clear_there of B\n\
          expect control of hex 0201 is Blue\n  expect control of hex 0301 is none\n  expect space of A is hex 0202\n  expect terrain of Rangoon is clear\n}\n\
        case \"elsewhere\" {\n  on other\n  put army C of Red in hex 0101\n  expect not near of C\n  expect not home of hex 0101\n}\n";
    let rules = rules(&format!("{HEAD}{rule}{MAP}{more}{suite}"));
    assert_eq!(rules.labels, ["0202"]);
    for case in 0..rules.cases.len() {
        let outcome = sutler::suite::run_case(&rules, &rules.cases[case], |_| "");
        assert!(outcome.failures.is_empty(), "{}: {:#?}", outcome.title, outcome.failures);
    }
}

#[test]
fn a_label_that_no_map_has_is_told_in_rules_and_in_cases() {
    one(&format!("{HEAD}define home of hex = hex is hex 0909\n{MAP}"), code::E0701, "0909");
    one(&format!("{HEAD}define home of hex = hex is hex 0103\n{MAP}"), code::E0701, "0103");
    one(&format!("{HEAD}define home of hex = hex is hex 0101\n"), code::E0701, "0101");
    let setup = |line: &str| {
        format!("{HEAD}{MAP}setup s on coast {{\n  put army A of Red in hex 0202\n  {line}\n}}\n")
    };
    one(&setup("given control is Red in 0202, 0909"), code::E0701, "0909");
    one(&setup("given control of hex 0909 is Red"), code::E0701, "0909");
    one(&setup("put army B of Red in hex 0909"), code::E0704, "0909");
}
