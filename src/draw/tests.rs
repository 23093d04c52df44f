//! Whole drawings of small pictures: the same bytes every time, and none that a picture can make fail.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

use super::*;

/// Two sides, three areas, a line that holds and one that is cut.
fn tiny() -> Picture {
    let space =
        |id: &str, at: (i64, i64), control: Option<usize>, reach: [(Option<&str>, Option<u32>, bool); 2], units: &[usize]| SpaceView {
            id: id.to_owned(),
            title: id.replace('_', " "),
            at: Some(at),
            control,
            terrain: Some(usize::from(id.ends_with("Sea"))),
            reach: reach
                .into_iter()
                .map(|(s, length, shut)| Reach {
                    source: s.map(str::to_owned),
                    length,
                    shut,
                })
                .collect(),
            units: units.to_vec(),
        };
    let unit = |id: &str, side: usize, space: usize, answer: Answered| UnitView {
        id: id.to_owned(),
        title: format!("{id} of the line"),
        kind: side,
        side: Some(side),
        space,
        answer: Some(answer),
        wanted: true,
    };
    Picture {
        ruleset: "tiny".to_owned(),
        hash: "0123456789abcdef".to_owned(),
        map: "small".to_owned(),
        title: "A small land".to_owned(),
        trace: Some(TraceView {
            name: "supply".to_owned(),
            yes: "fed".to_owned(),
            no: "starved".to_owned(),
            asked: vec![None, None],
        }),
        sides: vec!["Red".to_owned(), "Blue".to_owned()],
        unit_kinds: vec!["foot".to_owned(), "ship".to_owned()],
        link_kinds: vec![LinkKind {
            name: "road".to_owned(),
            hexside: false,
            drawn: true,
        }],
        terrains: vec!["land".to_owned(), "sea".to_owned()],
        spaces: vec![
            space("Home", (0, 0), Some(0), [(Some("depot"), Some(0), false), (None, None, true)], &[]),
            space(
                "Mill_Bridge",
                (100, 50),
                None,
                [(None, Some(1), false), (None, Some(2), true)],
                &[0],
            ),
            space(
                "Cold_Sea",
                (200, 0),
                Some(1),
                [(None, None, true), (Some("ship"), Some(0), false)],
                &[1],
            ),
        ],
        links: vec![LinkView { kind: 0, a: 0, b: 1 }, LinkView { kind: 0, a: 1, b: 2 }],
        units: vec![
            unit(
                "R1",
                0,
                1,
                Answered {
                    yes: true,
                    length: Some(1),
                    source: Some("depot".to_owned()),
                    route: vec![1, 0],
                    ..Answered::default()
                },
            ),
            unit(
                "B1",
                1,
                2,
                Answered {
                    gate: Some("through"),
                    stop: Some(1),
                    ..Answered::default()
                },
            ),
        ],
        ..Picture::default()
    }
}

fn golden(name: &str, kept: &str, drawn: &str) {
    if std::env::var_os("BLESS").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/draw/golden").join(name);
        std::fs::write(path, drawn).expect("a golden file can be written");
        return;
    }
    assert!(
        kept == drawn,
        "{name} is drawn otherwise than it was; run with BLESS=1 if that is meant:\n{drawn}"
    );
}

#[test]
fn the_tiny_map_as_svg() {
    golden(
        "tiny.svg",
        include_str!("golden/tiny.svg"),
        &svg(&Picture { side: Some(0), ..tiny() }),
    );
}

#[test]
fn the_tiny_map_as_text() {
    golden("tiny.txt", include_str!("golden/tiny.txt"), &text(&tiny()));
}

#[test]
fn the_tiny_map_as_json() {
    let json = json(&tiny());
    assert_eq!(json["schema"], 1);
    assert_eq!(json["spaces"][1]["status"][1]["state"], "reached");
    assert_eq!(json["spaces"][1]["status"][1]["shut"], true);
    assert_eq!(json["units"][1]["stop"], "Mill_Bridge");
}

#[test]
fn the_same_picture_is_drawn_the_same() {
    for picture in [
        tiny(),
        hexes(true),
        Picture {
            spaces: placeless(),
            ..tiny()
        },
    ] {
        assert_eq!(svg(&picture), svg(&picture.clone()));
        assert_eq!(text(&picture), text(&picture.clone()));
    }
}

fn placeless() -> Vec<SpaceView> {
    tiny().spaces.into_iter().map(|s| SpaceView { at: None, ..s }).collect()
}

/// A block of hexes with a box beside it.
fn hexes(flat: bool) -> Picture {
    let mut picture = tiny();
    let mut cells: Vec<Option<(i64, i64)>> = Vec::new();
    picture.spaces.truncate(2);
    picture.units.truncate(1);
    for column in 1..=6 {
        for row in 1..=4 {
            cells.push(Some((column, row)));
            if cells.len() > 2 {
                let id = format!("{column:02}{row:02}");
                picture.spaces.push(SpaceView {
                    title: id.clone(),
                    id,
                    terrain: Some(0),
                    ..SpaceView::default()
                });
            }
        }
    }
    cells.push(None);
    picture.spaces.push(SpaceView {
        id: "Box".to_owned(),
        title: "Box".to_owned(),
        ..SpaceView::default()
    });
    picture.link_kinds.push(LinkKind {
        name: "river".to_owned(),
        hexside: true,
        drawn: true,
    });
    picture.links = vec![LinkView { kind: 0, a: 0, b: 1 }, LinkView { kind: 1, a: 4, b: 5 }];
    Picture {
        hexes: Some(Hexes { flat, odd: false, cells }),
        ..picture
    }
}

#[test]
fn hexes_are_drawn_as_rows_and_as_shapes() {
    for flat in [true, false] {
        let picture = hexes(flat);
        let drawn = svg(&picture);
        assert!(drawn.contains("id=\"space-0304\"") && drawn.contains("id=\"space-Box\""));
        assert!(text(&picture).contains(" .+"), "{}", text(&picture));
        assert!(text(&picture).lines().all(|l| l.chars().count() <= 100));
    }
}

#[test]
fn hostile_titles_stay_text() {
    let mut picture = tiny();
    picture.title = "<script>alert(1)</script>\u{1b}[2J".to_owned();
    picture.spaces[0].title = "\"/><script>&".to_owned();
    picture.spaces[1].id = "a b\"c\u{7}".to_owned();
    picture.units[0].title = "x' onload='y\u{202e}".to_owned();
    let (drawn, read) = (svg(&picture), text(&picture));
    assert!(!drawn.contains("<script") && !drawn.contains('\u{1b}') && !drawn.contains('\u{202e}'));
    assert!(!drawn.contains("onload='"));
    assert!(!read.contains('\u{1b}') && !read.contains('\u{7}'));
}

#[test]
fn nothing_at_all_can_be_drawn() {
    let empty = Picture::default();
    assert!(svg(&empty).ends_with("</svg>\n"));
    assert!(text(&empty).contains("no space to show"));
    assert_eq!(json(&empty)["spaces"], serde_json::json!([]));
}

#[test]
fn no_units_and_one_point_for_all_can_be_drawn() {
    let mut picture = tiny();
    picture.units.clear();
    picture.spaces.iter_mut().for_each(|s| {
        s.units.clear();
        s.at = Some((5, 5));
    });
    assert!(svg(&picture).contains("space-Cold_Sea"));
    assert!(text(&picture).contains("Cold_Sea"));
}

#[test]
fn places_far_out_and_places_in_part_can_be_drawn() {
    let mut picture = tiny();
    picture.spaces[0].at = Some((-10_000_000, 10_000_000));
    picture.spaces[1].at = None;
    assert!(svg(&picture).len() < 40_000);
    assert!(text(&picture).contains("Home"));
}

#[test]
fn places_that_are_wrong_are_left_out() {
    let mut picture = tiny();
    picture.links.push(LinkView { kind: 9, a: 7, b: 99 });
    picture.units[0].space = 44;
    picture.spaces[0].units.push(17);
    picture.spaces[0].control = Some(40);
    picture.spaces[0].terrain = Some(40);
    picture.side = Some(12);
    assert!(!svg(&picture).is_empty() && !text(&picture).is_empty() && !json(&picture).is_null());
}

#[test]
fn many_spaces_without_places_are_laid_out_in_time() {
    let spaces: Vec<SpaceView> = (0..700)
        .map(|n| SpaceView {
            id: format!("s{n}"),
            title: format!("s{n}"),
            ..SpaceView::default()
        })
        .collect();
    let links = (1..700).map(|n| LinkView { kind: 0, a: n / 3, b: n }).collect();
    let picture = Picture {
        spaces,
        links,
        link_kinds: tiny().link_kinds,
        ..Picture::default()
    };
    assert!(svg(&picture).contains("space-s699"));
    assert!(text(&picture).contains("s699"));
}

#[test]
fn letters_tell_sides_apart() {
    let picture = Picture {
        sides: ["Sweden", "Saxony", "France", "Sax"].map(str::to_owned).to_vec(),
        ..Picture::default()
    };
    assert_eq!(picture.letters(), ["Sw", "Saxo", "F", "Sax"]);
}

/// For a look at the hexes: the drawing goes where the variable says.
#[test]
fn a_look_at_the_hexes() {
    if let Some(path) = std::env::var_os("LOOK") {
        std::fs::write(path, svg(&hexes(true))).expect("the drawing can be written");
    }
}
