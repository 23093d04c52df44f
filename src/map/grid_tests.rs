#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may abort")]

use super::*;

/// A grid of which every place is a hex.
fn full(flat: bool, odd: bool, from: (u32, u32), columns: u32, rows: u32) -> Grid {
    let places = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column as u16, row as u16)))
        .collect();
    let cells = (0..columns * rows).collect();
    Grid {
        layout: Layout { flat, odd },
        kind: KindId::SPACE,
        digits: 2,
        from,
        columns,
        rows,
        places,
        cells,
    }
}

fn labels(grid: &Grid, label: &str) -> Vec<String> {
    let (column, row) = grid.place(grid.find(label).unwrap()).unwrap();
    let mut found: Vec<String> = grid
        .around(column, row)
        .map(|hex| grid.place(hex).unwrap())
        .map(|(c, r)| grid.label(c, r))
        .collect();
    found.sort();
    found
}

#[test]
fn neighbours_are_those_of_the_printed_tables() {
    // Written by hand from drawings: for each layout an odd and an even line.
    let tables: [(bool, bool, &str, [&str; 6]); 8] = [
        (true, true, "0303", ["0203", "0204", "0302", "0304", "0403", "0404"]),
        (true, true, "0403", ["0302", "0303", "0402", "0404", "0502", "0503"]),
        (true, false, "0303", ["0202", "0203", "0302", "0304", "0402", "0403"]),
        (true, false, "0403", ["0303", "0304", "0402", "0404", "0503", "0504"]),
        (false, true, "0303", ["0203", "0302", "0304", "0402", "0403", "0404"]),
        (false, true, "0304", ["0203", "0204", "0205", "0303", "0305", "0404"]),
        (false, false, "0303", ["0202", "0203", "0204", "0302", "0304", "0403"]),
        (false, false, "0304", ["0204", "0303", "0305", "0403", "0404", "0405"]),
    ];
    for (flat, odd, label, expected) in tables {
        // The parity is that of the label, whatever the first hex is called.
        for from in [(0, 0), (1, 1), (2, 1), (1, 2), (2, 2)] {
            let grid = full(flat, odd, from, 7, 7);
            assert_eq!(
                labels(&grid, label),
                expected,
                "flat {flat}, odd {odd}, {label}, from {from:?}"
            );
        }
    }
}

#[test]
fn two_hexes_are_neighbours_just_when_one_step_apart() {
    for (flat, odd) in [(true, true), (true, false), (false, true), (false, false)] {
        for from in [(1, 1), (2, 3), (0, 0), (4, 2)] {
            let grid = full(flat, odd, from, 6, 5);
            let links = grid.hexsides(KindId::HEXSIDE, 30);
            for a in 0..30 {
                assert_eq!(grid.cube(a).unwrap().iter().sum::<i64>(), 0);
                for b in 0..30 {
                    let near = grid.distance(a, b) == Some(1);
                    assert_eq!(
                        links.of(a).contains(&b),
                        near,
                        "flat {flat}, odd {odd}, from {from:?}: {a} and {b}"
                    );
                    assert_eq!(grid.are_neighbours(a, b), near);
                }
            }
        }
    }
}

#[test]
fn hexsides_are_the_links_that_pairs_would_give() {
    for (flat, odd) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut grid = full(flat, odd, (1, 1), 5, 5);
        // A hole, so that hexes and places are counted apart.
        grid.places.remove(12);
        grid.cells[12] = Grid::OUTSIDE;
        grid.cells.iter_mut().skip(13).for_each(|cell| *cell -= 1);
        let pairs: Vec<(u32, u32)> = (0..24)
            .flat_map(|a| (0..24).map(move |b| (a, b)))
            .filter(|&(a, b)| grid.distance(a, b) == Some(1))
            .collect();
        let (direct, sorted) =
            (grid.hexsides(KindId::HEXSIDE, 26), Links::from_pairs(KindId::HEXSIDE, 26, &pairs));
        assert_eq!((direct.starts, direct.to), (sorted.starts, sorted.to));
    }
}

#[test]
fn distances_are_counted_over_many_steps() {
    let grid = full(true, false, (1, 1), 9, 9);
    let far =
        |a: &str, b: &str| grid.distance(grid.find(a).unwrap(), grid.find(b).unwrap()).unwrap();
    assert_eq!(
        [
            far("0101", "0101"),
            far("0101", "0109"),
            far("0101", "0901"),
            far("0101", "0905"),
            far("0101", "0909")
        ],
        [0, 8, 8, 8, 12]
    );
}

#[test]
fn labels_have_their_width_and_their_place() {
    let mut grid = full(true, true, (9, 1), 3, 2);
    assert_eq!([grid.label(0, 0), grid.label(2, 1)], ["0901", "1102"]);
    assert_eq!((grid.find("0901"), grid.find("1102")), (Some(0), Some(5)));
    for wrong in ["0801", "0903", "1201", "090001", "09", "", "09a1", "0901 ", "+901", "éé"] {
        assert_eq!(grid.find(wrong), None, "{wrong}");
    }
    grid.digits = 4;
    assert_eq!(grid.label(2, 1), "00110002");
    assert_eq!(grid.find("00110002"), Some(5));
}
