//! What two rulesets say otherwise, item by item and part by part.

use indexmap::IndexMap;
use serde::Serialize;

use super::places;
use super::said::{self, Part, Said};
use crate::check::Resolved;
use crate::ir::Ruleset;
use crate::source::SourceMap;

/// A ruleset as it is compared: what it says, the files, and what it compiled to.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Its items, variants folded in.
    pub resolved: &'a Resolved,
    /// The files.
    pub sources: &'a SourceMap,
    /// What it compiled to.
    pub rules: &'a Ruleset,
}

/// Which ruleset was compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// Its name.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// The readings that were tried, `NAME=READING`, where they are not the ruleset's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<String>,
}

impl Compared {
    /// A ruleset as it stands.
    #[must_use]
    pub fn of(rules: &Ruleset) -> Compared {
        Compared { ruleset: rules.name.clone(), hash: rules.hash.clone(), readings: Vec::new() }
    }
}

/// What two rulesets say otherwise.
#[derive(Debug, Clone, Serialize)]
pub struct Difference {
    /// The schema of this report.
    pub schema: u32,
    /// The first ruleset.
    pub a: Compared,
    /// The second.
    pub b: Compared,
    /// What is changed, in the order of the first, then what only the second says.
    pub changes: Vec<Change>,
}

/// One item that is not the same in both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What has become of it.
    pub what: Kind,
    /// The word it begins with.
    pub noun: String,
    /// Its name; empty where there is only one of its kind.
    pub name: String,
    /// Where it is written: in the second, or in the first if it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Its parts that are not the same, for one that both have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartChange>,
}

/// What has become of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// both say it, and not the same
    Changed,
    /// only the first says it
    Removed,
    /// only the second says it
    Added,
}

/// One part that is not the same in both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartChange {
    /// The part: `row led`, `through of march`, `cell (jungle, armour)`.
    pub part: String,
    /// What the first says; none if it has no such part.
    pub was: Option<String>,
    /// What the second says.
    pub now: Option<String>,
}

/// Compares two rulesets. Cases are not compared: they ask, and rule nothing.
#[must_use]
pub fn diff(a: Side<'_>, b: Side<'_>) -> Difference {
    let (old, new) = (whole(a), whole(b));
    let mut changes = Vec::new();
    for (key, old) in &old {
        match new.get(key) {
            None => changes.push(change(Kind::Removed, old, a.sources, Vec::new())),
            Some(new) => {
                let parts = parts(old, new);
                if !parts.is_empty() {
                    changes.push(change(Kind::Changed, new, b.sources, parts));
                }
            }
        }
    }
    changes.extend(
        new.iter()
            .filter(|(key, _)| !old.contains_key(*key))
            .map(|(_, said)| change(Kind::Added, said, b.sources, Vec::new())),
    );
    Difference { schema: 1, a: Compared::of(a.rules), b: Compared::of(b.rules), changes }
}

fn whole(side: Side<'_>) -> IndexMap<(String, String), Said> {
    let all = said::all(side.resolved, side.sources).into_iter().chain(places::all(side.rules));
    all.map(|said| ((said.noun.clone(), said.name.clone()), said)).collect()
}

fn change(what: Kind, said: &Said, sources: &SourceMap, parts: Vec<PartChange>) -> Change {
    let place = said.place.map(|p| {
        format!("{}:{}", sources.name(p.source), sources.line_col(p.source, p.start).line)
    });
    Change { what, noun: said.noun.clone(), name: said.name.clone(), place, parts }
}

/// The parts of a group, in order.
type Groups<'s> = IndexMap<&'s str, Vec<&'s Part>>;

fn groups(said: &Said) -> Groups<'_> {
    let mut groups = Groups::new();
    for part in &said.parts {
        groups.entry(&part.group).or_default().push(part);
    }
    groups
}

fn parts(old: &Said, new: &Said) -> Vec<PartChange> {
    let (was, now) = (groups(old), groups(new));
    let mut found = Vec::new();
    for (group, old) in &was {
        let Some(new) = now.get(group) else {
            found.push(PartChange { part: (*group).to_owned(), was: Some(text(old)), now: None });
            continue;
        };
        let labels =
            old.iter().chain(new.iter().filter(|n| !old.iter().any(|o| o.label == n.label)));
        for label in labels.map(|p| &p.label) {
            let of =
                |parts: &[&Part]| parts.iter().find(|p| p.label == *label).map(|p| p.text.clone());
            let (was, now) = (of(old), of(new));
            if was != now {
                found.push(PartChange { part: label.clone(), was, now });
            }
        }
    }
    for (group, new) in now.iter().filter(|(group, _)| !was.contains_key(*group)) {
        found.push(PartChange { part: (*group).to_owned(), was: None, now: Some(text(new)) });
    }
    if old.ordered {
        let common = |of: &Groups<'_>, other: &Groups<'_>| {
            of.keys().filter(|g| other.contains_key(*g)).copied().collect::<Vec<_>>().join(", ")
        };
        let (was, now) = (common(&was, &now), common(&now, &was));
        if was != now {
            found.push(PartChange { part: "order".to_owned(), was: Some(was), now: Some(now) });
        }
    }
    found
}

/// What a whole row or leg says.
fn text(parts: &[&Part]) -> String {
    parts.iter().map(|p| p.text.as_str()).filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" | ")
}
