//! Whole drawings of small pictures: the same bytes every time, and none that a picture can make
//! fail.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

use super::fixtures::{hexes, tiny};
use super::*;

fn golden(name: &str, kept: &str, drawn: &str) {
    if std::env::var_os("BLESS").is_some() {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/draw/golden").join(name);
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
    golden("tiny.svg", include_str!("golden/tiny.svg"), &svg(&Picture { side: Some(0), ..tiny() }));
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
    for picture in [tiny(), hexes(true), Picture { spaces: placeless(), ..tiny() }] {
        assert_eq!(svg(&picture), svg(&picture.clone()));
        assert_eq!(text(&picture), text(&picture.clone()));
    }
}

fn placeless() -> Vec<SpaceView> {
    tiny().spaces.into_iter().map(|s| SpaceView { at: None, ..s }).collect()
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
    picture.links.push(LinkView { kind: 9, a: 7, b: 99, one_way: true });
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
        .map(|n| SpaceView { id: format!("s{n}"), title: format!("s{n}"), ..SpaceView::default() })
        .collect();
    let links = (1..700).map(|n| LinkView { kind: 0, a: n / 3, b: n, one_way: false }).collect();
    let picture = Picture { spaces, links, link_kinds: tiny().link_kinds, ..Picture::default() };
    assert!(svg(&picture).contains("space-s699"));
    assert!(text(&picture).contains("s699"));
}

#[test]
fn letters_tell_sides_apart() {
    let picture = Picture {
        sides: ["Swan", "Sable", "Fox", "Sab"].map(str::to_owned).to_vec(),
        ..Picture::default()
    };
    assert_eq!(picture.letters(), ["Sw", "Sabl", "F", "Sab"]);
}
