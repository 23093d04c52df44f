//! A map as pages: its spaces with their coordinates, its links, and its rows of hexes as they lie.
//!
//! Cells that say the ground of a space have the colour in which the map is drawn.

use super::spot::{At, Make, Row, Sheet, Spot, end};
use super::withs;
use crate::draw::ground_colours;
use crate::ir::Ruleset;
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{Map, MapLine, MapSpace, Name, With};

/// The fact that is drawn as ground, and the colour of each of its words.
type Colours = Option<(String, Vec<(String, u32)>)>;

pub(super) fn sheets(
    map: &Map,
    item: Span,
    sources: &SourceMap,
    rules: Option<&Ruleset>,
) -> Vec<Sheet> {
    let colours = rules.and_then(|rules| ground_colours(rules, &map.name.text));
    let all = [
        spaces(map, item, sources, &colours),
        links(map, item, sources, Make::Link),
        links(map, item, sources, Make::Line),
        hexes(map, item, &colours, sources),
    ];
    all.into_iter().filter(|sheet| !sheet.rows.is_empty()).collect()
}

fn spaces(map: &Map, item: Span, sources: &SourceMap, colours: &Colours) -> Sheet {
    let spaces = || {
        map.lines.iter().filter_map(|line| match line {
            MapLine::Space(space) => Some(space),
            _ => None,
        })
    };
    let names = withs::names(spaces().map(|space| space.with.as_slice()));
    let words = ["space", "kind", "title", "x", "y"].into_iter();
    let heads = words.chain(names.iter().map(String::as_str)).map(Spot::fixed).collect();
    let rows = spaces().map(|space| space_row(space, &names, sources, colours)).collect();
    Sheet { name: format!("map_{}", map.name.text), heads, rows, make: Make::Space, keys: 1, item }
}

fn space_row(space: &MapSpace, names: &[String], sources: &SourceMap, colours: &Colours) -> Row {
    let title = space.title.as_ref().map(|t| (t.text.as_str(), t.span));
    let mut behind = space.name.span;
    let mut spots = vec![
        Spot::words(sources, space.name.span),
        Spot::words(sources, space.kind.span),
        Spot::title(title, behind),
    ];
    behind = space.title.as_ref().map_or(behind, |title| title.span);
    spots.extend(match &space.outline {
        Some(outline) => match outline.points.as_slice() {
            [point] if !outline.along => [&point.x, &point.y].map(|e| Spot::words(sources, e.span)),
            // The edge of a piece of ground has more points than two cells.
            _ => [Spot::fixed(""), Spot::fixed("")],
        },
        None => [Spot::absent(end(behind), " at (", ""), Spot::absent(end(behind), ", ", ")")],
    });
    behind = space.outline.as_ref().map_or(behind, |outline| outline.span);
    let (withs, mut facts) = withs::cells(&space.with, names, behind, sources);
    if let Some((ground, words)) = colours {
        for (name, spot) in names.iter().zip(&mut facts).filter(|(name, _)| *name == ground) {
            let _ = name;
            spot.colour = words.iter().find(|(word, _)| *word == spot.shown).map(|(_, c)| *c);
        }
    }
    spots.extend(facts);
    let span = line(space.kind.span, withs.place.end.max(behind.end), sources);
    Row { span, spots, withs: Some(withs) }
}

/// A line from the word before a place to its end.
fn line(kind: Span, end: u32, sources: &SourceMap) -> Span {
    let before = sources.text(kind.source).get(..kind.start as usize).unwrap_or_default();
    let word = before.trim_end();
    let start = word.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    Span::of(kind.source, start..end as usize)
}

/// The links, or the rows of hexes that are filled in.
fn links(map: &Map, item: Span, sources: &SourceMap, make: Make) -> Sheet {
    let wanted = make == Make::Line;
    let noun = if wanted { "line" } else { "link" };
    let links = || {
        map.lines.iter().filter_map(|line| match line {
            MapLine::Link { kind, ends, filled, with } if *filled == wanted => {
                Some((kind, ends, with))
            }
            _ => None,
        })
    };
    let most = links().map(|(_, ends, _)| ends.len()).max().unwrap_or(0);
    let names = withs::names(links().map(|(.., with)| with.as_slice()));
    let heads = std::iter::once(noun.to_owned())
        .chain((0..most).map(|at| if at == 0 { "from".to_owned() } else { format!("to {at}") }))
        .chain(names.iter().cloned())
        .map(Spot::fixed)
        .collect();
    let row = |(kind, ends, with): (&Name, &Vec<Name>, &Vec<With>)| {
        let (mut spots, behind) = link_spots(kind, ends, most, sources);
        let (withs, facts) = withs::cells(with, &names, behind, sources);
        spots.extend(facts);
        let span = line(kind.span, withs.place.end.max(behind.end), sources);
        Row { span, spots, withs: Some(withs) }
    };
    let rows = links().map(row).collect();
    let name = format!("{noun}s_{}", map.name.text);
    Sheet { name, heads, rows, make, keys: most + 1, item }
}

/// The kind of a link and its ends, and where the last of these stands.
fn link_spots(kind: &Name, ends: &[Name], most: usize, sources: &SourceMap) -> (Vec<Spot>, Span) {
    let mut spots = vec![Spot::words(sources, kind.span)];
    let mut behind = kind.span;
    for (at, one) in ends.iter().enumerate() {
        // The first two are what a link is.
        spots.push(if at < 2 {
            Spot::words(sources, one.span)
        } else {
            Spot::optional(sources, one.span, behind.end)
        });
        behind = one.span;
    }
    spots.extend((ends.len()..most).map(|_| Spot::absent(end(behind), " to ", "")));
    (spots, behind)
}

fn hexes(map: &Map, item: Span, colours: &Colours, sources: &SourceMap) -> Sheet {
    let ground = |with: &[With]| -> Option<u32> {
        let (fact, words) = colours.as_ref()?;
        let value = with.iter().find(|w| w.name.text == *fact)?.value.as_ref()?;
        let word = sources.slice(value.span);
        words.iter().find(|(known, _)| known == word).map(|(_, colour)| *colour)
    };
    let signs: Vec<(&str, Option<u32>)> = map
        .lines
        .iter()
        .filter_map(|line| match line {
            MapLine::Legend { sign, with } => {
                Some((sign.text.as_str(), with.as_deref().and_then(ground)))
            }
            _ => None,
        })
        .collect();
    let mut rows = Vec::new();
    for line in &map.lines {
        let MapLine::Row(text) = line else { continue };
        let start = text.span.start as usize + 1;
        let spot = |(at, sign): (usize, char)| {
            let span = Span::of(text.span.source, start + at..start + at + sign.len_utf8());
            let shown = sign.to_string();
            let colour = signs.iter().find(|(known, _)| *known == shown).and_then(|(_, c)| *c);
            Spot { shown, at: At::Words(span), colour }
        };
        let spots = text.text.char_indices().filter(|(_, sign)| !sign.is_whitespace()).map(spot);
        rows.push(Row { span: text.span, spots: spots.collect(), withs: None });
    }
    let name = format!("hexes_{}", map.name.text);
    Sheet { name, heads: Vec::new(), rows, make: Make::Nothing, keys: 0, item }
}
