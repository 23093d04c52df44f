//! A picture for the terminal: a sketch, a table of spaces, the lines of units, and what the signs
//! mean.

use super::picture::{Picture, SpaceView, UnitView};
use super::sketch;
use super::write::plain;

/// No line is longer, if nothing is said.
pub const WIDE: usize = 100;
/// Ids longer than this are cut in the table, on a page of that width.
const LONG: usize = 26;

/// Draws a picture as text.
#[must_use]
pub fn text(picture: &Picture) -> String {
    text_within(picture, WIDE)
}

/// Draws a picture as text, with lines as long as a page of this width has room for.
#[must_use]
pub fn text_within(picture: &Picture, wide: usize) -> String {
    if let Some(table) = &picture.table {
        return super::table_sketch::text(picture, table, wide);
    }
    let trace = picture.trace.as_ref().map_or_else(String::new, |t| format!(", {}", t.name));
    let mut out = format!("{}: {}{trace}\n\n", clean(&picture.title), picture.ruleset);
    let cut = picture.near.as_ref().map(|near| super::around::cut(picture, near));
    let shown = cut.as_ref().unwrap_or(picture);
    let short = sketch::abbreviations(shown);
    out.push_str(&sketch::draw(shown, &short, wide));
    out.push_str(&table(shown, &short, wide));
    out.push_str(&lines(picture, wide));
    out.push_str(&signs(picture, wide));
    let hash = picture.hash.get(..12).unwrap_or(&picture.hash);
    out.push_str(&format!("rules {hash}\n"));
    out
}

/// Text without what a terminal would take for a command.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(plain).collect()
}

fn cell(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return clean(text);
    }
    clean(&text.chars().take(most - 1).collect::<String>()) + "~"
}

/// The sides whose lines the table shows.
fn asked(picture: &Picture) -> Vec<usize> {
    let all = if picture.trace.is_some() { picture.sides.len() } else { 0 };
    (0..all).filter(|s| picture.side.is_none_or(|only| only == *s)).collect()
}

/// The spaces of the table: all areas, but of the hexes only those that have something to say.
fn worth_a_row(picture: &Picture, at: usize, space: &SpaceView) -> bool {
    let Some(hexes) = &picture.hexes else { return true };
    let beside = hexes.cells.get(at).copied().flatten().is_none();
    beside || space.control.is_some() || !space.units.is_empty() || space.title != space.id
}

fn table(picture: &Picture, short: &[String], wide: usize) -> String {
    let letters = picture.letters();
    let asked = asked(picture);
    let abbreviated = picture.hexes.is_none();
    let mut head = vec!["space".to_owned()];
    if abbreviated {
        head.push("short".to_owned());
    }
    head.extend(["control".to_owned(), "terrain".to_owned()]);
    head.extend(asked.iter().filter_map(|s| letters.get(*s)).map(|l| cell(l, 4)));
    head.push("units".to_owned());
    let mut rows = vec![head];
    for (at, space) in
        picture.spaces.iter().enumerate().filter(|(at, s)| worth_a_row(picture, *at, s))
    {
        let mut row = vec![cell(&space.id, LONG * wide / WIDE)];
        if abbreviated {
            row.push(short.get(at).cloned().unwrap_or_default());
        }
        row.push(
            space
                .control
                .and_then(|c| picture.sides.get(c))
                .map_or_else(|| ".".to_owned(), |n| cell(n, 12)),
        );
        row.push(
            space
                .terrain
                .and_then(|t| picture.terrains.get(t))
                .map_or_else(|| ".".to_owned(), |n| cell(n, 12)),
        );
        row.extend(
            asked.iter().map(|s| space.reach.get(*s).map_or_else(String::new, super::Reach::sign)),
        );
        let units = space.units.iter().filter_map(|u| picture.units.get(*u));
        row.push(
            units
                .map(|u| format!("{}{}", clean(&u.id), Picture::mark(u).trim_end()))
                .collect::<Vec<_>>()
                .join(" "),
        );
        rows.push(row);
    }
    if rows.len() == 1 {
        return "no space to show\n".to_owned();
    }
    columns(&rows, wide)
}

/// Columns two blanks apart; the last one is wrapped below itself.
fn columns(rows: &[Vec<String>], wide: usize) -> String {
    let count = rows.first().map_or(0, Vec::len);
    let width = |c: usize| {
        rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count.saturating_sub(1)).map(width).collect();
    let indent = widths.iter().map(|w| w + 2).sum::<usize>();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell}{}  ", " ".repeat(width - cell.chars().count())));
        }
        out.push_str(&wrapped(&line, row.last().map_or("", String::as_str), (indent, wide)));
    }
    out
}

/// A head and words behind it, broken at blanks before the last column and indented below the head.
fn wrapped(head: &str, words: &str, (indent, wide): (usize, usize)) -> String {
    let indent = indent.min(wide.saturating_sub(20));
    let (mut out, mut line) = (String::new(), head.to_owned());
    // Where the head leaves no room, all words stand below it.
    let mut empty = true;
    for word in words.split(' ').filter(|w| !w.is_empty()) {
        let more = usize::from(!empty) + word.chars().count();
        if line.chars().count() + more > wide {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}

/// The lines of the wanted units: where they lead, or what cut them.
fn lines(picture: &Picture, wide: usize) -> String {
    let near = |u: &UnitView| picture.near.as_ref().is_none_or(|n| n.get(u.space) == Some(&true));
    let shown = |u: &&UnitView| {
        u.wanted
            && near(u)
            && u.answer.as_ref().is_some_and(|a| !a.yes || a.length.is_some_and(|l| l > 0))
    };
    let width = picture.units.iter().filter(shown).map(|u| u.id.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for yes in [true, false] {
        let rows: Vec<&UnitView> = picture
            .units
            .iter()
            .filter(shown)
            .filter(|u| u.answer.as_ref().is_some_and(|a| a.yes == yes))
            .collect();
        if rows.is_empty() {
            continue;
        }
        out.push_str(if yes { "\nlines\n" } else { "\nno line\n" });
        for unit in rows {
            let blanks = " ".repeat(width - unit.id.chars().count());
            let from = picture.spaces.get(unit.space).map_or("", |s| s.id.as_str());
            let head = format!("  {} {}{blanks}  ", Picture::mark(unit), clean(&unit.id));
            out.push_str(&wrapped(
                &head,
                &clean(&format!("in {from}: {}", picture.why(unit))),
                (width + 6, wide),
            ));
        }
    }
    out
}

fn signs(picture: &Picture, wide: usize) -> String {
    let mut out = String::from("\n");
    let Some(trace) = &picture.trace else { return out };
    out.push_str(&wrapped("units    ", &format!("+ {}, x {}", trace.yes, trace.no), (9, wide)));
    if !picture.sides.is_empty() {
        let words = match &trace.from {
            Some(unit) => format!(
                "2 {} gets there in that length, - out of its reach, # it stops there",
                clean(unit)
            ),
            None => "S a source, 2 a line of that length, - no line begins there, # no line may pass there"
                .to_owned(),
        };
        out.push_str(&wrapped("spaces   ", &words, (9, wide)));
        let letters = picture.letters();
        let sides: Vec<String> = letters
            .iter()
            .zip(&picture.sides)
            .map(|(l, s)| format!("{} {}", clean(l), clean(s)))
            .collect();
        out.push_str(&wrapped("sides    ", &sides.join(", "), (9, wide)));
    }
    for (side, unit) in picture.sides.iter().zip(&trace.asked) {
        if let Some(unit) = unit {
            out.push_str(&wrapped(
                "         ",
                &format!("the spaces of {side} are asked for {unit}"),
                (9, wide),
            ));
        }
    }
    out
}
