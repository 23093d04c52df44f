//! Units laid anew on a table by one step.
//!
//! All of them are read before any moves, as in every step. They then go one after the other, in
//! the order of the position; one that is stopped by another of the same step waits until that one
//! has gone, so that a column marches off whole whoever is named first.

use super::phase::{Change, Read};
use super::{Deed, RunFault, What};
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Laying, Position, Way};
use crate::map::Stand;
use crate::world::{ThingRef, World};

/// What a placement that was ordered, or that has one way only, will do to a unit.
pub(super) fn lain(
    position: &Position<'_>,
    step: &Step,
    thing: ThingRef,
    cx: &Cx,
    stand: Option<Stand>,
) -> Result<Option<Change>, EvalFault> {
    let (Effect::Place(placement), ThingRef::Unit(unit)) = (&step.effect, thing) else {
        return Ok(None);
    };
    let questions = match step.choice {
        Some((choice, whose)) => super::choice::candidates(position, choice, whose, cx)?
            .into_iter()
            .map(|thing| cx.choosing(Some(thing)))
            .collect(),
        None => vec![*cx],
    };
    let Some(table) = position.laid()? else { return Ok(None) };
    for cx in questions {
        let Some(laying) = position.laying(placement, &cx)? else { continue };
        let ways = table.ways(unit, laying).unwrap_or_default();
        if stand.is_none() || ways.iter().any(|way| way.of(unit) == stand) {
            return Ok(Some(Change::Lay(laying, stand)));
        }
    }
    Ok(None)
}

type Told = (ThingRef, What, Option<Deed>);

/// Lays the units of a step.
pub(super) fn lay(
    rules: &Ruleset,
    world: &mut World,
    waiting: Vec<Read>,
) -> Result<Vec<Told>, RunFault> {
    let mut waiting: Vec<(u32, Laying, Option<Stand>, Option<Deed>)> = waiting
        .into_iter()
        .filter_map(|(thing, change, order)| match (thing, change) {
            (ThingRef::Unit(unit), Change::Lay(laying, stand)) => {
                Some((unit, laying, stand, order))
            }
            _ => None,
        })
        .collect();
    let mut told = Vec::new();
    if waiting.is_empty() {
        return Ok(told);
    }
    let Some(mut table) =
        Position::new(rules, world).map(|position| position.laid()).transpose()?.flatten()
    else {
        return Ok(told);
    };
    // Where none of those that wait can go its whole way, the first goes as far as it can.
    while !waiting.is_empty() {
        let others: Vec<u32> = waiting.iter().map(|w| w.0).collect();
        let free = waiting.iter().position(|(unit, laying, stand, _)| {
            let way = chosen(&table.ways(*unit, *laying).unwrap_or_default(), *unit, *stand);
            way.is_some_and(|way| !way.met.iter().any(|met| others.contains(met)))
        });
        let (unit, laying, stand, order) = waiting.remove(free.unwrap_or(0));
        let how = laying.word();
        match table.ways(unit, laying) {
            Err(why) => told.push((ThingRef::Unit(unit), What::NotLaid { how, why }, order)),
            Ok(ways) => {
                let Some(way) = chosen(&ways, unit, stand) else {
                    let why = crate::kernel::Hindrance::Taken;
                    told.push((ThingRef::Unit(unit), What::NotLaid { how, why }, order));
                    continue;
                };
                for (moved, to) in &way.stands {
                    if let Some(from) = world.stand(*moved).filter(|from| from != to) {
                        told.push((
                            ThingRef::Unit(*moved),
                            What::Laid { how, from, to: *to },
                            order,
                        ));
                    }
                    world.lay(*moved, Some(*to));
                    table.lay(*moved, *to);
                }
            }
        }
    }
    Ok(told)
}

/// The way that leads to the place that was chosen, or the only one.
fn chosen(ways: &[Way], unit: u32, stand: Option<Stand>) -> Option<Way> {
    let wanted = stand.and_then(|stand| ways.iter().find(|way| way.of(unit) == Some(stand)));
    match ways {
        _ if wanted.is_some() => wanted.cloned(),
        [one] => Some(one.clone()),
        _ => None,
    }
}
