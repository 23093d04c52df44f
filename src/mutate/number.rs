//! The numbers of a ruleset: where each stands, what it is called, and the rules with other numbers
//! in their place.

use crate::arrange::Arrange as _;
use std::collections::BTreeMap;
use std::path::Path;

use super::change::{Change, Sort};
use super::expr::Maker;
use super::item::is_whole;
use super::run::{Given, changed, first_error, instead};
use crate::check::Resolved;
use crate::ir::Ruleset;
use crate::project::{Project, compile};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::ItemKind;

/// A number as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberAt {
    /// The item in which it stands, by its place in the resolved ruleset.
    pub item: usize,
    /// What it belongs to, in words: `table reach, row led`.
    pub owner: String,
    /// The same as one name: `reach.led`, `reach.led.when`, `supply.within`.
    pub name: String,
    /// Where it is written, with the sign before it.
    pub span: Span,
    /// What is written, without blanks.
    pub text: String,
    /// Whether the files are read and folded anew for another number in its place.
    pub folded: bool,
}

impl NumberAt {
    /// A number that was met on the way through a ruleset.
    pub(super) fn met(maker: &Maker<'_>, span: Span, text: &str) -> NumberAt {
        let (item, owner, folded) = (maker.item, maker.owner.clone(), maker.folded);
        let text = text.chars().filter(|c| !c.is_whitespace()).collect();
        NumberAt { item, owner, name: name(maker), span, text, folded }
    }

    /// The number with the sign that stands before it.
    pub(super) fn negate(&mut self, span: Span) {
        self.span = Span::new(span.source, span.start, self.span.end);
        self.text.insert(0, '-');
    }

    /// Another number in its place.
    fn with(&self, new: &str) -> Change {
        Change {
            item: self.item,
            sort: Sort::Number,
            owner: self.owner.clone(),
            what: format!("{} -> {new}", self.text),
            span: self.span,
            new: new.to_owned(),
            condition: None,
            folded: self.folded,
        }
    }
}

/// The name of the item, then the parts, then where in the last part the number stands.
fn name(maker: &Maker<'_>) -> String {
    let item = maker.owner.split(", ").next().unwrap_or_default();
    let mut parts = vec![item.split_once(' ').map_or(item, |(_, name)| name).to_owned()];
    for part in &maker.parts {
        parts.push(match part.strip_prefix("row ") {
            Some(row) => row.to_owned(),
            None => part.replace(", ", "."),
        });
    }
    parts.push(maker.role.clone());
    let words = |part: String| part.split_whitespace().collect::<Vec<_>>().join(" ");
    parts.into_iter().map(words).filter(|p| !p.is_empty()).collect::<Vec<_>>().join(".")
}

/// All numbers of a ruleset's rules, those of its parent among them, in the order of its items.
/// Each has a name of its own.
#[must_use]
pub fn numbers(given: Given<'_>) -> Vec<NumberAt> {
    let mut maker = Maker::new(given.sources, false);
    for (at, resolved) in given.resolved.items.iter().enumerate() {
        // A table is read anew with its sheet, and what several files wrote with all of these.
        let in_sheet = matches!(&resolved.item.kind, ItemKind::Table(t) if t.from.is_some());
        (maker.item, maker.folded) = (at, in_sheet || !is_whole(resolved));
        maker.of(&resolved.item);
    }
    let mut found = maker.numbers;
    // What two items share, because one is a copy of the other, is changed in both.
    let mut written: BTreeMap<Span, usize> = BTreeMap::new();
    found.iter().for_each(|n| *written.entry(n.span).or_default() += 1);
    found.iter_mut().for_each(|n| n.folded |= written.get(&n.span).is_some_and(|n| *n > 1));
    found.arrange_by_key(|n| n.item);
    let mut met = std::collections::BTreeSet::new();
    found.retain(|n| met.insert(n.span));
    named_apart(&mut found);
    found
}

/// Numbers of one item with one name are counted; items of one name have their noun before it.
fn named_apart(found: &mut [NumberAt]) {
    let mut items: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for number in found.iter() {
        let items = items.entry(number.name.clone()).or_default();
        if !items.contains(&number.item) {
            items.push(number.item);
        }
    }
    let shared = |name: &str| items.get(name).is_some_and(|items| items.len() > 1);
    for number in found.iter_mut().filter(|n| shared(&n.name)) {
        let noun = number.owner.split(' ').next().unwrap_or_default();
        number.name = format!("{noun} {}", number.name);
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    found.iter().for_each(|n| *counts.entry(n.name.clone()).or_default() += 1);
    let mut nth: BTreeMap<String, usize> = BTreeMap::new();
    for number in found.iter_mut().filter(|n| counts.get(&n.name).is_some_and(|n| *n > 1)) {
        let at = nth.entry(number.name.clone()).or_default();
        *at += 1;
        number.name = format!("{}.{at}", number.name);
    }
}

/// Rules with other numbers.
pub struct Varied {
    /// The rules.
    pub rules: Ruleset,
    /// What they were resolved from.
    pub resolved: Resolved,
    /// Their texts.
    pub sources: SourceMap,
}

/// The rules of a path with other numbers.
///
/// # Errors
///
/// The code of the first error that the checker finds.
pub fn with_numbers(
    (given, path): (Given<'_>, &Path),
    numbers: &[(&NumberAt, &str)],
) -> Result<Varied, String> {
    let changes: Vec<Change> = numbers.iter().map(|(number, new)| number.with(new)).collect();
    let changes: Vec<&Change> = changes.iter().collect();
    if changes.iter().any(|change| change.folded) {
        let mut project = Project::open_rules_with(path, instead(given, &changes));
        let Some(mut loaded) = project.rulesets.drain(..).next() else {
            return Err(first_error(&project.faults));
        };
        return match loaded.rules.take() {
            Some(rules) => {
                let resolved = loaded.take_resolved();
                Ok(Varied { rules, resolved, sources: project.sources })
            }
            None => Err(first_error(&loaded.faults)),
        };
    }
    let (resolved, sources, _) = changed(given, &changes).ok_or("E0104")?;
    let (rules, faults) = compile(&resolved, &sources);
    match rules {
        Some(rules) => Ok(Varied { rules, resolved, sources }),
        None => Err(first_error(&faults)),
    }
}
