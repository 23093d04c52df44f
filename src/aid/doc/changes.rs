//! What a variant says otherwise than its parent, as a table.

use super::desk::Desk;
use super::page::{Block, Chapter, Group, Table, Words, plain};
use crate::aid::words::tidy;
use crate::compare::{Change, Difference, Kind, PartChange};
use crate::diag::counted;

/// The chapter.
pub(super) fn chapter(desk: &Desk<'_>, difference: &Difference) -> Chapter {
    let heads = ["rule", "part", "was", "now"].map(str::to_owned).to_vec();
    let rows: Vec<Vec<Words>> =
        difference.changes.iter().filter(|c| !hides(desk, c)).flat_map(rows).collect();
    let lead = match rows.len() {
        0 => format!("It says the same as {}.", tidy(&difference.a.ruleset)),
        _ => format!("It is played as {}, but for this:", tidy(&difference.a.ruleset)),
    };
    let mut blocks = vec![Block::Text(vec![plain(lead)])];
    blocks.extend((!rows.is_empty()).then_some(Block::Table(Table { heads, keys: 2, rows })));
    let groups = vec![Group { name: "variant".to_owned(), blocks }];
    Chapter {
        anchor: "variant".to_owned(),
        title: "What this variant changes".to_owned(),
        groups,
        ..Chapter::default()
    }
}

/// Whether a change is of a rule that is not shown.
fn hides(desk: &Desk<'_>, change: &Change) -> bool {
    let items = desk.items(&change.noun, &change.name);
    !items.is_empty() && items.iter().all(|item| desk.hides(*item))
        || desk.readers() == super::Readers::Players && change.noun == "hook"
}

fn rows(change: &Change) -> Vec<Vec<Words>> {
    let name = tidy(format!("{} {}", change.noun, change.name).trim_end());
    let whole = |word: &str| {
        vec![vec![vec![plain(name.clone())], vec![plain(word)], Words::new(), Words::new()]]
    };
    match change.what {
        Kind::Removed => whole("taken away"),
        Kind::Added => whole("new"),
        // What is cited changes no rule.
        Kind::Changed => change
            .parts
            .iter()
            .filter(|p| p.part != "clauses")
            .map(|part| row(&name, part))
            .collect(),
    }
}

fn row(name: &str, part: &PartChange) -> Vec<Words> {
    let said = |text: &Option<String>| match text.as_deref() {
        None => Words::new(),
        Some("") => vec![plain("nothing")],
        // Scripts are long, and their files are at hand.
        Some(text) if text.contains('\n') => {
            vec![plain(format!("a text of {}", counted(text.lines().count(), "line")))]
        }
        Some(text) => vec![plain(tidy(text))],
    };
    vec![vec![plain(name)], vec![plain(tidy(&part.part))], said(&part.was), said(&part.now)]
}
