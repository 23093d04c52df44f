//! Maps from other programs: tables of spaces and links, and the lines of a text map.
//!
//! Takes screened text; gives a [`Draft`] of a map, which prints itself in the language, and faults
//! that point into the imported file. Opens no file and decides nothing about kinds: whether they
//! exist is asked when the map is checked.

pub mod csv;

pub mod text_mapper;

mod print;

pub use print::print;

use crate::diag::{Diagnostic, code, has_errors};
use crate::map::{Layout, MOST_SPACES};
use crate::source::{SourceId, Span};

/// What another program says of a map, before the language checks it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// The name of the map.
    pub name: String,
    /// Its spaces in the order of the file.
    pub spaces: Vec<DraftSpace>,
    /// Its links in the order of the file.
    pub links: Vec<DraftLink>,
}

/// A space of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftSpace {
    /// A label, digits alone, or a name.
    pub id: String,
    /// For printed output, where it is not the id.
    pub title: Option<String>,
    /// Its kind.
    pub kind: String,
    /// What is said of it, each part as it stands behind `with`: `terrain jungle`, `port`.
    pub with: Vec<String>,
    /// Where it stands in the imported file.
    pub span: Span,
}

/// A link of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftLink {
    /// Its kind.
    pub kind: String,
    /// Its two ends, by id.
    pub ends: [String; 2],
}

/// What an import has to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The name of the map.
    pub name: String,
    /// The kind of spaces that say nothing of their kind.
    pub kind: String,
    /// How hexes lie, if there are any.
    pub layout: Layout,
}

/// The name in the language that is nearest to a text; nothing if no letter is left of it.
#[must_use]
pub fn name_of(text: &str) -> Option<String> {
    let mut name = String::new();
    for c in text.trim().chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            name.push(c);
        } else if !name.ends_with('_') && !name.is_empty() {
            name.push('_');
        }
    }
    let mut name = name.trim_matches('_').to_owned();
    if crate::syntax::is_reserved(&name) {
        name.push('_');
    }
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(name)
}

/// Whether a text is the label of a hex: a column, then a row, of 2, 3 or 4 digits each.
#[must_use]
pub fn is_label(text: &str) -> bool {
    matches!(text.len(), 4 | 6 | 8) && text.bytes().all(|b| b.is_ascii_digit())
}

/// A text that can stand between quotes, on one line.
fn quotable(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
        .collect();
    words.join(" ").replace('"', "'")
}

fn refuse(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code::E0009, span, message)
}

/// Spaces of one id, or labels of several widths: the faults of a draft as a whole.
fn whole(draft: &Draft, source: SourceId, faults: &mut Vec<Diagnostic>) {
    // What made every space faulty has been told already.
    if draft.spaces.is_empty() && !has_errors(faults) {
        faults.push(refuse(Span::of(source, 0..0), "the file names no space"));
    }
    let mut seen: indexmap::IndexMap<&str, Span> = indexmap::IndexMap::new();
    let mut first_label: Option<&DraftSpace> = None;
    for space in &draft.spaces {
        if let Some(first) = seen.get(space.id.as_str()) {
            faults.push(
                refuse(space.span, format!("there are two spaces `{}`", space.id))
                    .label(*first, "the first is here"),
            );
            continue;
        }
        seen.insert(&space.id, space.span);
        if is_label(&space.id) {
            let first = first_label.get_or_insert(space);
            if first.id.len() != space.id.len() {
                let message = format!(
                    "the label `{}` has {} digits, `{}` has {}",
                    space.id,
                    space.id.len(),
                    first.id,
                    first.id.len()
                );
                faults.push(
                    refuse(space.span, message).help("all labels of a map have the same width"),
                );
            }
        }
    }
    faults.extend(too_wide(draft));
}

/// The columns and the rows of the hexes from the first to the last: a printed map has a sign for
/// each place between.
#[derive(Debug, Clone, Copy)]
struct Extent {
    columns: (u32, u32),
    rows: (u32, u32),
}

impl Extent {
    fn of(places: impl Iterator<Item = (u32, u32)>) -> Option<Extent> {
        let wider = |(low, high): (u32, u32), at: u32| (low.min(at), high.max(at));
        places.fold(None, |extent, (column, row)| {
            let Extent { columns, rows } =
                extent.unwrap_or(Extent { columns: (column, column), rows: (row, row) });
            Some(Extent { columns: wider(columns, column), rows: wider(rows, row) })
        })
    }

    fn places(self) -> u64 {
        let many = |(low, high): (u32, u32)| u64::from(high - low) + 1;
        many(self.columns).saturating_mul(many(self.rows))
    }
}

/// The column and the row of a label.
fn place(label: &str) -> Option<(u32, u32)> {
    let (column, row) = label.split_at_checked(label.len() / 2)?;
    Some((column.parse().ok()?, row.parse().ok()?))
}

/// Hexes so far apart that the rectangle around them is no map; told of the one farthest from the
/// first.
fn too_wide(draft: &Draft) -> Option<Diagnostic> {
    let hexes = || draft.spaces.iter().filter(|space| is_label(&space.id));
    let extent = Extent::of(hexes().filter_map(|hex| place(&hex.id)))?;
    if extent.places() <= MOST_SPACES as u64 {
        return None;
    }
    let first = hexes().next()?;
    let (column, row) = place(&first.id)?;
    let apart = |hex: &&DraftSpace| {
        let (c, r) = place(&hex.id).unwrap_or((column, row));
        u64::from(c.abs_diff(column)) + u64::from(r.abs_diff(row))
    };
    let far = hexes().max_by_key(apart)?;
    let message = format!(
        "the hexes lie in a rectangle of {} places, and a map has at most {MOST_SPACES}",
        extent.places()
    );
    let told = refuse(far.span, message).label(first.span, "far from this one");
    Some(told.help("see whether all labels are of one map"))
}
