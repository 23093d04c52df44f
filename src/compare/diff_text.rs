//! A difference for reading.

use super::diff::{Change, Difference, Kind, PartChange};
use crate::diag::counted;

/// Of one item no more parts than this are shown; JSON has them all.
const MOST: usize = 16;
/// What was and what is stand in one line if both are no longer than this.
const SHORT: usize = 28;

/// The changes of a difference, one block an item.
#[must_use]
pub fn diff_text(difference: &Difference) -> String {
    let mut out = String::new();
    for change in &difference.changes {
        let word = match change.what {
            Kind::Changed => "changed",
            Kind::Removed => "removed",
            Kind::Added => "added",
        };
        out.push_str(format!("{word:<8} {} {}", change.noun, change.name).trim_end());
        out.push('\n');
        parts(change, &mut out);
    }
    let count = |kind: Kind| difference.changes.iter().filter(|c| c.what == kind).count();
    let (a, b) = (&difference.a.ruleset, &difference.b.ruleset);
    if difference.changes.is_empty() {
        out.push_str(&format!("{a} and {b} say the same\n"));
    } else {
        let (changed, removed, added) =
            (count(Kind::Changed), count(Kind::Removed), count(Kind::Added));
        out.push_str(&format!("{a} to {b}: {changed} changed, {removed} removed, {added} added\n"));
    }
    out
}

fn parts(change: &Change, out: &mut String) {
    let shown = change.parts.get(..MOST.min(change.parts.len())).unwrap_or_default();
    let width = shown.iter().map(|p| p.part.chars().count()).max().unwrap_or(0);
    for part in shown {
        let gap = " ".repeat(width - part.part.chars().count());
        out.push_str(format!("    {}{gap}  {}", part.part, said(part, width)).trim_end());
        out.push('\n');
    }
    if let Some(more @ 1..) = change.parts.len().checked_sub(shown.len()) {
        let gone = change.parts.iter().filter(|p| p.now.is_none()).count();
        let new = change.parts.iter().filter(|p| p.was.is_none()).count();
        let other = change.parts.len() - gone - new;
        out.push_str(&format!(
            "    and {more} more; in all {other} changed, {gone} removed, {new} added\n"
        ));
    }
}

fn said(part: &PartChange, width: usize) -> String {
    // Scripts are long, and their files are at hand.
    let shown = |text: &String| {
        if text.contains('\n') {
            format!("a text of {}", counted(text.lines().count(), "line"))
        } else {
            text.clone()
        }
    };
    let value = |text: &String| if text.is_empty() { "nothing".to_owned() } else { shown(text) };
    match (&part.was, &part.now) {
        (Some(was), Some(now)) if was.chars().count().max(now.chars().count()) <= SHORT => {
            format!("{} -> {}", value(was), value(now))
        }
        (Some(was), Some(now)) => {
            format!("was {}\n{}  now {}", value(was), " ".repeat(width + 4), value(now))
        }
        (Some(was), None) => {
            format!("removed: {}", shown(was)).trim_end_matches([':', ' ']).to_owned()
        }
        (None, Some(now)) => {
            format!("added: {}", shown(now)).trim_end_matches([':', ' ']).to_owned()
        }
        (None, None) => String::new(),
    }
}
