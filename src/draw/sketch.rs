//! The sketch above the table: areas on a grid of characters where the map puts them, hexes in rows
//! of short cells.

use std::collections::BTreeSet;

use super::layout::{Hexes, coordinates};
use super::picture::{Picture, SpaceView};
use super::text::clean;
use crate::arrange::Arrange as _;

/// The highest sketch.
const HIGH: i64 = 44;
/// Maps of more areas have no room on a sketch.
const MANY: usize = 250;
/// What stands before the first hex of a row, and the half hex of a shifted one.
const BEFORE: usize = 7;
/// What a hex takes of a row.
const HEX: usize = 3;

/// Columns of hexes side by side; more of them follow below.
fn abreast(wide: usize) -> usize {
    (wide.saturating_sub(BEFORE) / HEX).max(1)
}

/// Draws the sketch, with an empty line below it.
pub(super) fn draw(picture: &Picture, short: &[String], wide: usize) -> String {
    match &picture.hexes {
        Some(hexes) => rows(picture, hexes, wide),
        None if picture.spaces.len() <= MANY => areas(picture, short, wide),
        None => String::new(),
    }
}

/// For each space a name of four letters or so, unlike all others: `Low_Lands` is `LLan`.
pub(super) fn abbreviations(picture: &Picture) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut out = Vec::with_capacity(picture.spaces.len());
    for space in &picture.spaces {
        let id = clean(&space.id);
        let words: Vec<&str> = id.split('_').filter(|w| !w.is_empty()).collect();
        let first: String =
            words.iter().rev().skip(1).rev().filter_map(|w| w.chars().next()).take(2).collect();
        let last = words.last().copied().unwrap_or(&id);
        let rest = 4usize.saturating_sub(first.chars().count());
        let name = |rest: usize| format!("{first}{}", last.chars().take(rest).collect::<String>());
        let longest = last.chars().count().min(8);
        let letters = (rest..=longest.max(rest)).map(name).find(|n| !taken.contains(n));
        let found = letters.or_else(|| {
            (2..).map(|n: u32| format!("{}{n}", name(rest))).find(|n| !taken.contains(n))
        });
        let found = found.unwrap_or(id);
        taken.insert(found.clone());
        out.push(found);
    }
    out
}

/// `R:Mars+2x1`: the side that controls it, or what the side that asks can reach; then units in and
/// out.
fn label(picture: &Picture, letters: &[String], space: &SpaceView, short: &str) -> String {
    let before = match picture.side.and_then(|s| space.reach.get(s)) {
        Some(reach) => Some(reach.sign()),
        None => space.control.and_then(|c| letters.get(c)).map(|l| clean(l)),
    };
    let mut out = before.map_or_else(String::new, |b| b + ":");
    out.push_str(short);
    for mark in ["+", "x", " "] {
        let count = space
            .units
            .iter()
            .filter_map(|u| picture.units.get(*u))
            .filter(|u| Picture::mark(u) == mark)
            .count();
        if count > 0 {
            out.push_str(&format!("{}{count}", if mark == " " { "o" } else { mark }));
        }
    }
    out
}

/// Areas where the map puts them, so many characters wide.
pub(super) fn areas(picture: &Picture, short: &[String], wide: usize) -> String {
    let points = coordinates(picture);
    let letters = picture.letters();
    let labels: Vec<Vec<char>> = picture
        .spaces
        .iter()
        .zip(short)
        .map(|(s, short)| label(picture, &letters, s, short).chars().take(20).collect())
        .collect();
    let longest = labels.iter().map(Vec::len).max().unwrap_or(0);
    let (Some(left), Some(top)) =
        (points.iter().map(|p| p.x).min(), points.iter().map(|p| p.y).min())
    else {
        return String::new();
    };
    let room = i64::try_from(wide - longest.min(wide / 2)).unwrap_or(0);
    let (width, height) =
        points.iter().fold((1, 1), |(w, h), p| (w.max(p.x - left), h.max(p.y - top)));
    // A character is twice as high as it is wide; few spaces need few lines.
    let highest = i64::try_from(points.len() + 2).unwrap_or(HIGH).min(HIGH);
    let lines = (height * room / width / 2).clamp(1, highest);
    let mut grid = vec![vec![' '; wide]; usize::try_from(lines).unwrap_or(1) + 4];
    let mut missing = 0;
    for (point, label) in points.iter().zip(&labels) {
        let column = usize::try_from((point.x - left) * room / width).unwrap_or(0);
        let line = usize::try_from((point.y - top) * lines / height).unwrap_or(0);
        if !place(&mut grid, wide, line, column, label) {
            missing += 1;
        }
    }
    let mut out: String = grid
        .iter()
        .map(|row| row.iter().collect::<String>().trim_end().to_owned() + "\n")
        .collect();
    out.truncate(out.trim_end().len());
    out.push_str("\n\n");
    if missing > 0 {
        out.push_str(&format!(
            "{missing} more have no room above and stand in the table alone\n\n"
        ));
    }
    out
}

/// Writes a label where there is room nearest to its place; two labels never touch.
fn place(grid: &mut [Vec<char>], wide: usize, line: usize, column: usize, label: &[char]) -> bool {
    let mut near: Vec<(usize, usize, usize)> = Vec::new();
    for (row, _) in grid.iter().enumerate().filter(|(row, _)| row.abs_diff(line) <= 3) {
        let last = wide.saturating_sub(label.len());
        near.extend(
            (0..=last)
                .filter(|c| c.abs_diff(column) <= 12)
                .map(|c| (row.abs_diff(line) * 4 + c.abs_diff(column), row, c)),
        );
    }
    near.arrange();
    for (_, row, start) in near {
        let Some(row) = grid.get_mut(row) else { continue };
        let end = start + label.len();
        let around = row.get(start.saturating_sub(1)..(end + 1).min(wide));
        if around.is_some_and(|cells| cells.iter().all(|c| *c == ' ')) {
            row.iter_mut().skip(start).zip(label).for_each(|(cell, c)| *cell = *c);
            return true;
        }
    }
    false
}

/// Hexes in rows: a letter for the terrain, then what stands there or what the side that asks can
/// reach.
pub(super) fn rows(picture: &Picture, hexes: &Hexes, wide: usize) -> String {
    let signs = terrain_signs(picture);
    let cells = || hexes.cells.iter().enumerate().filter_map(|(at, c)| c.map(|c| (at, c)));
    let columns: BTreeSet<i64> = crate::arrange::gathered(cells().map(|(_, c)| c.0));
    let lines: BTreeSet<i64> = crate::arrange::gathered(cells().map(|(_, c)| c.1));
    let columns: Vec<i64> = columns.into_iter().collect();
    let by_place: std::collections::BTreeMap<(i64, i64), usize> =
        crate::arrange::gathered(cells().map(|(at, (c, r))| ((r, c), at)));
    let mut out = String::new();
    for panel in columns.chunks(abreast(wide)) {
        let head: String = panel.iter().map(|c| format!("{:>3}", c.rem_euclid(100))).collect();
        out.push_str(&format!("    {head}\n"));
        for line in &lines {
            let shifted = !hexes.flat && (line.rem_euclid(2) == 1) == hexes.odd;
            let mut row = format!("{line:>4}{}", if shifted { " " } else { "" });
            for column in panel {
                let cell = by_place.get(&(*line, *column)).and_then(|at| picture.spaces.get(*at));
                row.push_str(&cell.map_or_else(
                    || "   ".to_owned(),
                    |s| format!(" {}", hex_cell(picture, s, &signs)),
                ));
            }
            out.push_str(row.trim_end());
            out.push('\n');
        }
        out.push('\n');
    }
    let used: BTreeSet<usize> =
        crate::arrange::gathered(picture.spaces.iter().filter_map(|s| s.terrain));
    let words = picture.terrains.iter().zip(&signs).enumerate().filter(|(at, _)| used.contains(at));
    let words: Vec<String> =
        words.map(|(_, (word, sign))| format!("{sign} {}", clean(word))).collect();
    out.push_str(&format!("{}\n", words.join(", ")));
    let lower = match (hexes.flat, hexes.odd) {
        (true, true) => "odd columns stand half a hex lower\n\n",
        (true, false) => "even columns stand half a hex lower\n\n",
        _ => "\n",
    };
    out.push_str(lower);
    out
}

fn hex_cell(picture: &Picture, space: &SpaceView, signs: &[char]) -> String {
    let ground = space.terrain.and_then(|t| signs.get(t)).copied().unwrap_or('.');
    let second = match picture.side.and_then(|s| space.reach.get(s)) {
        Some(reach) if reach.shut => '#',
        Some(reach) => match (&reach.source, reach.length) {
            (Some(_), _) => 'S',
            (None, Some(length)) => char::from_digit(length.min(9), 10).unwrap_or('9'),
            (None, None) => '-',
        },
        None => {
            let marks: BTreeSet<&str> = crate::arrange::gathered(
                space.units.iter().filter_map(|u| picture.units.get(*u)).map(Picture::mark),
            );
            match (marks.contains("+"), marks.contains("x"), marks.contains(" ")) {
                (true, true, _) => '*',
                (true, false, _) => '+',
                (false, true, _) => 'x',
                (false, false, true) => 'o',
                (false, false, false) => ' ',
            }
        }
    };
    format!("{ground}{second}")
}

/// A letter for each terrain: a point for the first, for the others a letter of the word that no
/// other has.
fn terrain_signs(picture: &Picture) -> Vec<char> {
    let mut taken = vec!['.'];
    for word in picture.terrains.iter().skip(1) {
        let spare = ('a'..='z').chain('A'..='Z');
        let found = word
            .chars()
            .filter(char::is_ascii_alphabetic)
            .chain(spare)
            .find(|c| !taken.contains(c));
        taken.push(found.unwrap_or('?'));
    }
    taken
}
