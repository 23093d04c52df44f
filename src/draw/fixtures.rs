//! Small pictures for the tests.

use super::*;

/// Two sides, three areas, a line that holds and one that is cut.
pub(super) fn tiny() -> Picture {
    let space = |id: &str,
                 at: (i64, i64),
                 control: Option<usize>,
                 reach: [(Option<&str>, Option<u32>, bool); 2],
                 units: &[usize]| SpaceView {
        id: id.to_owned(),
        title: id.replace('_', " "),
        at: Some(at),
        control,
        terrain: Some(usize::from(id.ends_with("Sea"))),
        reach: reach
            .into_iter()
            .map(|(s, length, shut)| Reach { source: s.map(str::to_owned), length, shut })
            .collect(),
        units: units.to_vec(),
        was: None,
    };
    let unit = |id: &str, side: usize, space: usize, answer: Answered| UnitView {
        id: id.to_owned(),
        title: format!("{id} of the line"),
        kind: side,
        side: Some(side),
        space,
        answer: Some(answer),
        wanted: true,
        was: None,
    };
    Picture {
        ruleset: "tiny".to_owned(),
        hash: "0123456789abcdef".to_owned(),
        map: "small".to_owned(),
        title: "A small land".to_owned(),
        trace: Some(TraceView {
            from: None,
            name: "supply".to_owned(),
            yes: "fed".to_owned(),
            no: "starved".to_owned(),
            asked: vec![None, None],
        }),
        sides: vec!["Red".to_owned(), "Blue".to_owned()],
        sides_like: vec!["Red".to_owned(), "Blue".to_owned()],
        unit_kinds: vec!["foot".to_owned(), "ship".to_owned()],
        link_kinds: vec![LinkKind {
            name: "road".to_owned(),
            like: "road".to_owned(),
            hexside: false,
            drawn: true,
            made: None,
        }],
        terrains: vec!["land".to_owned(), "sea".to_owned()],
        terrains_like: vec!["land".to_owned(), "sea".to_owned()],
        terrain_of: "terrain".to_owned(),
        spaces: vec![
            space(
                "Home",
                (0, 0),
                Some(0),
                [(Some("depot"), Some(0), false), (None, None, true)],
                &[],
            ),
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
        links: vec![link(0, (0, 1)), link(0, (1, 2))],
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
                Answered { gate: Some("through"), stop: Some(1), ..Answered::default() },
            ),
        ],
        ..Picture::default()
    }
}

/// A block of hexes with a box beside it.
pub(super) fn hexes(flat: bool) -> Picture {
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
        like: "river".to_owned(),
        hexside: true,
        drawn: true,
        made: None,
    });
    picture.links = vec![link(0, (0, 1)), link(1, (4, 5))];
    Picture { hexes: Some(Hexes { flat, odd: false, cells }), ..picture }
}

fn link(kind: usize, (a, b): (usize, usize)) -> LinkView {
    LinkView { kind, a, b, one_way: false }
}
