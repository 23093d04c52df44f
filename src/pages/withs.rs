//! The facts behind `with`, a column for each.

use super::spot::{At, Spot, Withs, end, one_line};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::With;

/// The names of all facts of some lines, in the order in which they first stand there.
pub(super) fn names<'a>(lines: impl Iterator<Item = &'a [With]>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for with in lines.flatten() {
        if !found.contains(&with.name.text) {
            found.push(with.name.text.clone());
        }
    }
    found
}

/// The facts of a line, which follow what ends at `behind`; the cells of the columns of `names`.
pub(super) fn cells(
    with: &[With],
    names: &[String],
    behind: Span,
    sources: &SourceMap,
) -> (Withs, Vec<Spot>) {
    let place = |one: &With| one.value.as_ref().map_or(one.name.span, |v| one.name.span.to(v.span));
    let facts: Vec<(String, Span)> = with.iter().map(|w| (w.name.text.clone(), place(w))).collect();
    let last = facts.last().map_or(end(behind), |(_, span)| *span);
    let whole = Span::new(behind.source, behind.end, last.end.max(behind.end));
    let spots = names.iter().map(|name| {
        let found = with.iter().find(|w| w.name.text == *name);
        let shown = match found {
            None => String::new(),
            Some(With { value: Some(value), .. }) => one_line(sources.slice(value.span)),
            Some(_) => "yes".to_owned(),
        };
        let at = match found {
            Some(With { value: Some(value), .. }) => At::Words(value.span),
            _ => At::With(name.clone()),
        };
        Spot { shown, at, colour: None }
    });
    let spots = spots.collect();
    (Withs { place: whole, facts }, spots)
}

/// What a cell says of a fact, as it stands behind `with`; nothing for an empty one, and for a
/// truth that is denied where it was not said.
pub(super) fn said(name: &str, cell: &str) -> Option<String> {
    match cell {
        "" => None,
        "yes" => Some(name.to_owned()),
        value => Some(format!("{name} {value}")),
    }
}
