//! From a position on a table to what is drawn of it.

use super::gather::Wanted;
use super::picture::{BaseView, GroundView, TablePoint, TableView, ZoneKind};
use crate::ir::*;
use crate::kernel::{EvalFault, Position, exact};
use crate::map::{Coordinate, Heading};
use crate::tabletop::{Base, Point, Zone, beyond};
use crate::world::ThingRef;

/// The table of a position; none where the map is none.
pub(super) fn table(
    position: &Position<'_>,
    wanted: &Wanted,
) -> Result<Option<TableView>, EvalFault> {
    let (rules, map) = (position.rules, position.map);
    let (Some(top), Some(laid)) = (&map.tabletop, position.laid()?) else { return Ok(None) };
    let kind_name =
        |kind: KindId| rules.kinds.get(kind.index()).map_or_else(String::new, |k| k.name.clone());
    let mut kinds: Vec<String> = Vec::new();
    let mut grounds = Vec::new();
    for outline in &top.grounds {
        let Some(space) = map.spaces.get(outline.space as usize) else { continue };
        let name = kind_name(space.kind);
        let kind = kinds.iter().position(|k| *k == name).unwrap_or_else(|| {
            kinds.push(name);
            kinds.len() - 1
        });
        grounds.push(GroundView {
            space: outline.space as usize,
            kind,
            closed: outline.closed,
            points: outline.points.clone(),
        });
    }
    let mut bases = Vec::new();
    for (unit, base) in laid.bases() {
        let Some(known) = position.world.units.get(unit as usize) else { continue };
        let stand = position.world.stand(unit);
        bases.push(BaseView {
            id: known.id.clone(),
            title: known.title.clone(),
            kind: kind_name(known.kind),
            label: label(position, unit),
            side: position.world.owner(unit).map(SideId::index),
            stand: stand.map_or_else(String::new, |s| s.to_string()),
            wind: stand.and_then(|s| wind(s.facing)),
            corners: base.corners().into_iter().map(plain).collect(),
            fronts: base.front().into_iter().map(|(a, b)| (plain(a), plain(b))).collect(),
            zones: if wanted.zones.contains(&unit) {
                zones(base, wanted.reach)
            } else {
                Vec::new()
            },
        });
    }
    let measure = rules
        .tabletop
        .and_then(|d| rules.dimensions.get(d.index()))
        .map_or_else(String::new, |d| d.name.clone());
    let (width, depth) = (top.width, top.depth);
    Ok(Some(TableView { width, depth, measure, kinds, grounds, bases, window: None }))
}

fn plain(point: Point) -> TablePoint {
    (point.x, point.y)
}

/// The word that tells what a unit is: its first attribute that is a word.
fn label(position: &Position<'_>, unit: u32) -> String {
    let thing = ThingRef::Unit(unit);
    let words = position.rules.facts.iter().find_map(|fact| match fact.ty {
        Type::Word(set)
            if fact.origin == FactOrigin::Attribute && position.is_kind(thing, fact.kind) =>
        {
            Some((fact, set))
        }
        _ => None,
    });
    let word = words.and_then(|(fact, set)| {
        let at = usize::try_from(position.world.fact(fact, thing)).ok()?;
        position.rules.word_sets.get(set.index())?.words.get(at)
    });
    word.map_or_else(String::new, |word| word.replace('_', " "))
}

fn wind(facing: Heading) -> Option<char> {
    Some(match (facing.east, facing.north) {
        (0, 1) => '^',
        (1, 0) => '>',
        (0, -1) => 'v',
        (-1, 0) => '<',
        _ => return None,
    })
}

/// The front line as far as the zones reach, and the zones themselves.
fn zones(base: &Base, reach: Option<Coordinate>) -> Vec<(ZoneKind, Vec<TablePoint>)> {
    let reach = reach.unwrap_or(Coordinate::from_integer(2));
    let mut found = Vec::new();
    for (zone, kind) in [
        (Zone::Arc, ZoneKind::Arc),
        (Zone::LeftFlank, ZoneKind::Flank),
        (Zone::RightFlank, ZoneKind::Flank),
        (Zone::Rear, ZoneKind::Rear),
    ] {
        found.extend(
            base.zone(zone, reach)
                .into_iter()
                .map(|outline| (kind, outline.into_iter().map(plain).collect())),
        );
    }
    for (left, right) in base.front() {
        let long = base.width.max(Coordinate::new(1, 1000));
        // The edge goes on by as much as the reach at both ends; an L shows the lines of its arms.
        let arms = if base.front().len() > 1 { 2 } else { 1 };
        let part = exact::combine(reach, Sign::Divide, long)
            .and_then(|part| exact::combine(part, Sign::Times, Coordinate::from_integer(arms)))
            .unwrap_or(reach);
        found.push((
            ZoneKind::FrontLine,
            vec![plain(beyond(right, left, part)), plain(beyond(left, right, part))],
        ));
    }
    found
}
