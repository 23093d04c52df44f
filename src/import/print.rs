//! A draft of a map as text of the language: hexes as rows of signs, all else as lines of their
//! own.

use std::fmt::Write;

use indexmap::IndexMap;

use super::{Draft, DraftSpace, Extent, is_label, place};
use crate::map::Layout;

/// The sign of a place that is no hex.
const OUTSIDE: &str = "-";

/// A file with the map. The draft must be without faults.
#[must_use]
pub fn print(draft: &Draft, layout: Layout) -> String {
    let mut out = format!("edition 1\n\nmap {} {{\n", draft.name);
    let hexes: Vec<&DraftSpace> = draft.spaces.iter().filter(|s| is_label(&s.id)).collect();
    // Writing to a string cannot fail.
    let _ = write_hexes(&hexes, layout, &mut out);
    for space in draft.spaces.iter().filter(|s| !is_label(&s.id)) {
        let _ = writeln!(
            out,
            "  space {} {}{}{}",
            space.kind,
            space.id,
            title(space),
            with(&space.with)
        );
    }
    for link in &draft.links {
        let [from, to] = &link.ends;
        let _ = writeln!(out, "  link {} {from} to {to}", link.kind);
    }
    out.push_str("}\n");
    out
}

fn write_hexes(hexes: &[&DraftSpace], layout: Layout, out: &mut String) -> std::fmt::Result {
    let places: Vec<(u32, u32)> = hexes.iter().filter_map(|hex| place(&hex.id)).collect();
    let (Some(first), Some(kind)) = (hexes.first(), usual_kind(hexes)) else { return Ok(()) };
    let digits = first.id.len() / 2;
    let Some(extent) = Extent::of(places.iter().copied()) else { return Ok(()) };
    let Extent { columns: (left, right), rows: (top, bottom) } = extent;
    let parity = if layout.odd { "odd" } else { "even" };
    let lie = if layout.flat {
        format!("flat {parity} columns lower")
    } else {
        format!("pointy {parity} rows right")
    };
    writeln!(out, "  grid {kind} {lie} from {left:0digits$}{top:0digits$}")?;

    let mut signs: IndexMap<&[String], String> = IndexMap::new();
    for hex in hexes {
        if !signs.contains_key(hex.with.as_slice()) {
            let sign = new_sign(&hex.with, &signs);
            signs.insert(&hex.with, sign);
        }
    }
    for (facts, sign) in &signs {
        writeln!(out, "  legend \"{sign}\"{}", with(facts))?;
    }
    let by_place: IndexMap<(u32, u32), &str> = places
        .iter()
        .zip(hexes)
        .filter_map(|(p, hex)| Some((*p, signs.get(hex.with.as_slice())?.as_str())))
        .collect();
    let holes = extent.places() > by_place.len() as u64;
    if holes {
        writeln!(out, "  legend \"{OUTSIDE}\" outside")?;
    }
    let width = signs.values().map(String::len).max().unwrap_or(1);
    for row in top..=bottom {
        let line: Vec<String> = (left..=right)
            .map(|column| {
                format!("{:width$}", by_place.get(&(column, row)).copied().unwrap_or(OUTSIDE))
            })
            .collect();
        writeln!(out, "  row \"{}\"", line.join(" ").trim_end())?;
    }
    for hex in hexes.iter().filter(|hex| hex.title.is_some() || hex.kind != kind) {
        writeln!(out, "  space {} {}{}", hex.kind, hex.id, title(hex))?;
    }
    Ok(())
}

/// The kind of most hexes; the others are said to be of theirs.
fn usual_kind<'d>(hexes: &[&'d DraftSpace]) -> Option<&'d str> {
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for hex in hexes {
        *counts.entry(&hex.kind).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|(_, count)| *count == most).map(|(kind, _)| kind)
}

/// A sign that reminds of what it stands for: a letter of its words if one is free, else any
/// letter, else a number.
fn new_sign(facts: &[String], taken: &IndexMap<&[String], String>) -> String {
    let free = |sign: &String| sign != OUTSIDE && !taken.values().any(|t| t == sign);
    let own = facts.iter().flat_map(|fact| fact.rsplit(' ')).flat_map(str::chars);
    let any = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    let letters = own.filter(char::is_ascii_alphanumeric).chain(any).map(String::from);
    letters.chain((10u32..).map(|n| n.to_string())).find(free).unwrap_or_default()
}

fn title(space: &DraftSpace) -> String {
    space.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""))
}

fn with(facts: &[String]) -> String {
    if facts.is_empty() { String::new() } else { format!(" with {}", facts.join(", ")) }
}
