//! A table for the terminal: a sketch of where the units lie, then a line for each of them and for
//! each piece of ground.

use super::picture::{BaseView, Picture, TableView};
use super::text::clean;
use crate::map::Coordinate;

/// Draws a table as text.
pub(super) fn text(picture: &Picture, table: &TableView, wide: usize) -> String {
    let mut out = format!(
        "{}: {}, a table of {} by {} {}\n\n",
        clean(&picture.title),
        picture.ruleset,
        table.width,
        table.depth,
        table.measure
    );
    out.push_str(&sketch(picture, table, wide));
    out.push_str(&units(picture, table));
    for ground in &table.grounds {
        let Some(space) = picture.spaces.get(ground.space) else { continue };
        let form = if ground.closed { "corners" } else { "a line along" };
        let points: Vec<String> =
            ground.points.iter().map(|(x, y)| format!("({x}, {y})")).collect();
        out.push_str(&format!(
            "{} {}: {form} {}\n",
            ground.kind_name(picture),
            clean(&space.id),
            points.join(", ")
        ));
    }
    let hash = picture.hash.get(..12).unwrap_or(&picture.hash);
    out.push_str(&format!("rules {hash}\n"));
    out
}

/// The table as signs: north above, one sign for each unit, `^>v<` before it where it faces one of
/// the four winds, a letter for the ground. A sign is half as wide as it is high.
fn sketch(picture: &Picture, table: &TableView, wide: usize) -> String {
    let most = i64::try_from(wide).unwrap_or(100) - 2;
    let per = (most / (2 * table.width.ceil().to_integer()).max(1)).clamp(1, 4);
    let columns =
        usize::try_from((table.width * 2 * per).ceil().to_integer().min(most)).unwrap_or(0);
    let rows = usize::try_from((table.depth * per).ceil().to_integer()).unwrap_or(0).min(200);
    let mut signs = vec![vec![' '; columns]; rows];
    let cell = |x: Coordinate, y: Coordinate| {
        let column = (x * 2 * per).floor().to_integer();
        let row = ((table.depth - y) * per).floor().to_integer();
        Some((
            usize::try_from(row).ok()?.min(rows.checked_sub(1)?),
            usize::try_from(column).ok()?.min(columns.checked_sub(1)?),
        ))
    };
    let half = Coordinate::new(1, 2);
    for ground in &table.grounds {
        let letter = ground.kind_name(picture).chars().next().unwrap_or('.');
        for (row, line) in (0i64..).zip(&mut signs) {
            for (column, sign) in (0i64..).zip(line) {
                let x = (Coordinate::from_integer(column) + half) / (2 * per);
                let y = table.depth - (Coordinate::from_integer(row) + half) / per;
                if ground.closed && ground.holds(x, y) {
                    *sign = letter;
                }
            }
        }
    }
    for base in &table.bases {
        if let Some((x, y)) = base.middle()
            && let Some((row, column)) = cell(x, y)
        {
            // The name begins at the middle of the base; whoever lies beneath it can be found in
            // the list.
            for (at, letter) in base.sign().chars().enumerate() {
                if let Some(sign) = signs.get_mut(row).and_then(|line| line.get_mut(column + at)) {
                    *sign = letter;
                }
            }
        }
    }
    let edge = format!("+{}+\n", "-".repeat(columns));
    let lines: String = signs
        .into_iter()
        .map(|line| format!("|{}|\n", clean(&line.into_iter().collect::<String>())))
        .collect();
    format!("{edge}{lines}{edge}\n")
}

fn units(picture: &Picture, table: &TableView) -> String {
    let side = |base: &BaseView| {
        base.side
            .and_then(|s| picture.sides.get(s))
            .map_or_else(|| "nobody".to_owned(), |s| clean(s))
    };
    let wide = |of: &dyn Fn(&BaseView) -> String| {
        table.bases.iter().map(|b| of(b).chars().count()).max().unwrap_or(0)
    };
    let id = |base: &BaseView| clean(&base.id);
    let (ids, sides) = (wide(&id), wide(&side));
    let line = |base: &BaseView| {
        let label =
            if base.label.is_empty() { String::new() } else { format!("  {}", clean(&base.label)) };
        format!("{:ids$}  {:sides$}  at {}{label}\n", id(base), side(base), base.stand)
    };
    let mut out: String = table.bases.iter().map(line).collect();
    if !table.bases.is_empty() {
        out.push('\n');
    }
    out
}
