//! Maps imported from other programs: what is printed checks clean, and each fault points into the
//! imported file.

use sutler::diag::{Diagnostic, Severity};
use sutler::import::{self, Draft, Options};
use sutler::ir::Ruleset;
use sutler::map::Layout;
use sutler::project::check_text;
use sutler::source::{SourceId, SourceMap, screen};

const HEAD: &str = r#"ruleset frame "Frame" prefix F
sides Red against Blue
dimension miles (mile)
kind hex, hexes is space {
  has terrain one of land, sea, jungle, mountain
  has village yes or no
  has port yes or no
  has worth in miles from 0 to 9
}
kind town is hex
kind road is link
"#;

fn options(layout: Layout) -> Options {
    Options { name: "coast".to_owned(), kind: "hex".to_owned(), layout }
}

const FLAT: Layout = Layout { flat: true, odd: false };

/// The printed map with the frame around it, which must check without a fault.
fn checked(draft: &Draft, layout: Layout) -> (String, Ruleset) {
    let text = import::print(draft, layout);
    let whole = text.replacen("edition 1\n", &format!("edition 1\n{HEAD}"), 1);
    let (_, rules, faults) = check_text("map.sut", whole.as_bytes());
    assert!(faults.is_empty(), "{text}\n{faults:#?}");
    (text, rules.unwrap())
}

fn text_map(text: &str) -> (Draft, Vec<Diagnostic>) {
    import::text_mapper::read(text, SourceId(0), "terrain", &options(FLAT))
}

fn csv(spaces: &str, links: Option<&str>) -> (Draft, Vec<(String, u32, u32)>) {
    let mut sources = SourceMap::new();
    let mut add = |name: &str, text: &str| {
        let (text, _) = screen(text.as_bytes(), sources.next_id());
        sources.add(name, text)
    };
    let spaces = add("spaces.csv", spaces);
    let links = links.map(|text| add("links.csv", text));
    let (draft, faults) = import::csv::read(
        (sources.text(spaces), spaces),
        links.map(|id| (sources.text(id), id)),
        &options(FLAT),
    );
    let told = faults.iter().map(|f| {
        let span = f.primary().unwrap();
        let at = sources.line_col(span.source, span.start);
        (f.message.clone(), at.line, at.column)
    });
    (draft, told.collect())
}

#[test]
fn a_text_map_becomes_rows_of_signs() {
    let (draft, faults) =
        text_map("# a map\n0101 jungle\n0102 mountain village \"Old \"Town\n\n0202 sea\n");
    assert!(faults.is_empty(), "{faults:#?}");
    let (text, rules) = checked(&draft, FLAT);
    let expected = "edition 1\n\nmap coast {\n  grid hex flat even columns lower from 0101\n  legend \"j\" with terrain jungle\n  \
        legend \"m\" with terrain mountain, village\n  legend \"s\" with terrain sea\n  legend \"-\" outside\n  row \"j -\"\n  row \"m s\"\n  \
        space hex 0102 \"Old\"\n}\n";
    assert_eq!(text, expected);
    assert_eq!(
        rules.maps[0].spaces.iter().map(|s| s.title.as_str()).collect::<Vec<_>>(),
        ["0101", "Old", "0202"]
    );
}

#[test]
fn what_a_text_map_paints_is_left_out_with_a_warning() {
    let text = "include https://example.org/x.txt\njungle attributes fill=\"green\"\n0101\n0101-0102 trail\n";
    let (draft, faults) = text_map(text);
    assert!(faults.iter().all(|f| f.severity == Severity::Warning));
    let places: Vec<&str> = faults.iter().map(|f| &text[f.primary().unwrap().range()]).collect();
    assert_eq!(
        places,
        [
            "include https://example.org/x.txt",
            "jungle attributes fill=\"green\"",
            "0101-0102 trail"
        ]
    );
    let (printed, _) = checked(&draft, FLAT);
    assert!(printed.contains("legend \"a\"\n  row \"a\"\n"), "{printed}");
}

#[test]
fn faults_of_a_text_map() {
    let message =
        |text: &str| text_map(text).1.iter().map(|f| f.message.clone()).collect::<Vec<_>>();
    assert_eq!(message("0101 land\n0101 sea\n"), ["there are two spaces `0101`"]);
    assert_eq!(
        message("0101 land\n001002 sea\n"),
        ["the label `001002` has 6 digits, `0101` has 4"]
    );
    assert_eq!(message("0101 99\n"), ["`99` cannot be a name"]);
    assert_eq!(message("# nothing\n"), ["the file names no space"]);
}

#[test]
fn tables_become_areas_and_links() {
    let spaces = "id,title,Terrain,port,worth\r\nCove,,land,yes,3\r\n\"Ile de France\",,land,no,\r\nin,\"The \"\"Inn\"\"\",sea,,0\r\n";
    let (draft, faults) =
        csv(spaces, Some("kind,from,to\nroad,Cove,Ile de France\nroad,Ile_de_France,in\n"));
    assert_eq!(faults, []);
    let (text, rules) = checked(&draft, FLAT);
    let expected = "edition 1\n\nmap coast {\n  space hex Cove with terrain land, port, worth 3\n  space hex Ile_de_France \"Ile de France\" with terrain land\n  \
        space hex in_ \"The 'Inn'\" with terrain sea, worth 0\n  link road Cove to Ile_de_France\n  link road Ile_de_France to in_\n}\n";
    assert_eq!(text, expected);
    assert_eq!(rules.maps[0].links[0].to.len(), 4);
}

#[test]
fn tables_of_hexes_become_rows_in_every_layout() {
    let spaces = "id,title,kind,terrain\n0503,,,land\n0504,Port,town,sea\n0604,,,land\nBox,,,sea\n";
    for (flat, odd) in [(true, true), (true, false), (false, true), (false, false)] {
        let (draft, faults) = csv(spaces, Some("kind,from,to\nroad,0503,Box\n"));
        assert_eq!(faults, []);
        let (text, rules) = checked(&draft, Layout { flat, odd });
        let map = &rules.maps[0];
        assert_eq!(map.grid.as_ref().unwrap().layout, Layout { flat, odd });
        assert_eq!(
            map.spaces.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(),
            ["0503", "0504", "0604", "Box"]
        );
        assert!(text.contains("  space town 0504 \"Port\"\n"), "{text}");
    }
}

#[test]
fn faults_of_tables_have_their_line_and_column() {
    let faults = |spaces: &str, links: Option<&str>| csv(spaces, links).1;
    let told = |message: &str, line, column| vec![(message.to_owned(), line, column)];
    assert_eq!(faults("", None), told("the table is empty", 1, 1));
    assert_eq!(
        faults("terrain\nland\n", None)[0],
        told("no column holds the ids of the spaces", 1, 1)[0]
    );
    assert_eq!(
        faults("terrain,id\nland,Cove\nsea,\"9 a\"\n", None),
        told("`9 a` is neither a label nor a name", 3, 6)
    );
    assert_eq!(
        faults("id,terrain\nCove,land\n\n ,sea\n", None),
        told("a space without an id", 4, 1)
    );
    assert_eq!(
        faults("id,terrain\nCove,\"a\nb\",c\n", None)[0],
        told("this row has 3 cells, the head 2", 3, 4)[0]
    );
    assert_eq!(
        faults("id,terrain\nCove,2.5\n", None),
        told("`2.5` cannot be the value of an attribute", 2, 6)
    );
    assert_eq!(
        faults("id\nCove\n", Some("kind,from,to\nroad,Cove,Cowe\n")),
        told("no space is called `Cowe`", 2, 11)
    );
    assert_eq!(
        faults("id\nCove\n", Some("from,to\nCove,Cove\n")),
        told("a table of links has the columns `kind`, `from` and `to`", 1, 1)
    );
}

#[test]
fn hexes_too_far_apart_for_one_map_are_refused_before_it_is_drawn() {
    let (_, faults) = csv("id,kind\n00010001,hex\n00020001,hex\n99999999,hex\n", None);
    let told = "the hexes lie in a rectangle of 99980001 places, and a map has at most 2097152";
    assert_eq!(faults, [(told.to_owned(), 4, 1)]);
    let (draft, faults) = csv("id,kind\n00010001,hex\n04000400,hex\n", None);
    assert_eq!(faults, []);
    assert_eq!(import::print(&draft, FLAT).matches("  row ").count(), 400);
    let (_, faults) = text_map("0001 sea\n00019999 sea\n");
    assert!(faults.iter().any(|f| f.message.contains("digits")), "{faults:#?}");
}

#[test]
fn a_sign_alone_is_no_number() {
    let (_, faults) = csv("id,worth\nShore,-\nQuay,-3\n", None);
    assert_eq!(faults, [("`-` cannot be the value of an attribute".to_owned(), 2, 7)]);
}
