//! The units of a setup as a page, a row each.

use super::spot::{Make, Row, Sheet, Spot, end};
use super::withs;
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{Direction, Put, Setup, SetupLine};

pub(super) fn sheet(setup: &Setup, item: Span, sources: &SourceMap) -> Sheet {
    let puts = || {
        setup.lines.iter().filter_map(|line| match line {
            SetupLine::Put(put) => Some(put),
            SetupLine::Given(_) => None,
        })
    };
    let lies = puts().any(|put| put.at.is_some());
    let names = withs::names(puts().map(|put| put.with.as_slice()));
    let place: &[&str] = if lies { &["x", "y", "facing"] } else { &["space"] };
    let words = ["unit", "kind", "title", "side"].iter().chain(place).copied();
    let heads = words.chain(names.iter().map(String::as_str)).map(Spot::fixed).collect();
    let rows = puts().map(|put| row(put, lies, &names, sources)).collect();
    Sheet {
        name: format!("setup_{}", setup.name.text),
        heads,
        rows,
        make: Make::Put,
        keys: 1,
        item,
    }
}

fn row(put: &Put, lies: bool, names: &[String], sources: &SourceMap) -> Row {
    let title = put.title.as_ref().map(|t| (t.text.as_str(), t.span));
    let mut behind = put.name.span;
    let mut spots = vec![
        Spot::words(sources, put.name.span),
        Spot::words(sources, put.kind.span),
        Spot::title(title, behind),
    ];
    behind = put.title.as_ref().map_or(behind, |title| title.span);
    spots.push(match &put.owner {
        Some(owner) => Spot::optional(sources, owner.span, behind.end),
        None => Spot::absent(end(behind), " of ", ""),
    });
    behind = put.owner.as_ref().map_or(behind, |owner| owner.span);
    if lies {
        spots.extend(lying(put, behind, sources));
    } else {
        spots.push(match &put.place {
            Some(place) => Spot::optional(sources, place.span, behind.end),
            None => Spot::absent(end(behind), " in ", ""),
        });
    }
    behind = put.place.as_ref().map_or(behind, |place| place.span);
    behind = put.at.as_ref().map_or(behind, |at| at.span);
    let (withs, facts) = withs::cells(&put.with, names, behind, sources);
    spots.extend(facts);
    Row { span: put.span, spots, withs: Some(withs) }
}

/// Where a unit lies on a table; all three are said together.
fn lying(put: &Put, behind: Span, sources: &SourceMap) -> [Spot; 3] {
    let Some(at) = &put.at else {
        let here = end(behind);
        return [
            Spot::absent(here, " at (", ""),
            Spot::absent(here, ", ", ")"),
            Spot::absent(here, " facing ", ""),
        ];
    };
    let facing = match &at.facing {
        Direction::Word(name) | Direction::Degrees(name) => name.span,
        Direction::Toward(point) => point.span,
    };
    [at.at.x.span, at.at.y.span, facing].map(|span| Spot::words(sources, span))
}
