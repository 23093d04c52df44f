//! A state as its difference from the position at the start: small, comparable, and free of names.

use crate::arrange::Arrange as _;
use crate::ir::{PhaseId, Relation, TableId, TestId, TraceId};
use crate::map::{Coordinate, Heading, Stand};
use crate::world::{ThingRef, World};

/// One number of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// a slot of a unit
    Unit(u32, u16),
    /// whether a unit has left the game
    Removed(u32),
    /// one of the six numbers of where a unit lies on a table; all of them 0 for off the table
    Stand(u32, u8),
    /// a slot of a space
    Space(u32, u16),
    /// a slot of a link
    Link(u32, u16),
    /// a slot of a side
    Side(u8, u16),
    /// a slot of the world
    World(u16),
    /// the kept answer of a trace for a unit or a space: 0 none, 1 no, 2 yes
    Kept(TraceId, u32),
    /// the outcome of a test for a unit or a space, plus 1, and 0 for none
    Rolled(TestId, u32),
    /// where a list of tests stopped for a unit or a space: 0 for not rolled, 1 for nowhere, else
    /// the row plus 2
    Stopped(TableId, u32),
    /// how the first side stands to the second: 0 neutral, 1 allies, 2 enemies
    Relation(u8, u8),
    /// the phase that does not happen, plus 1, and 0 for none
    Skips,
}

/// A number that is no longer what it was, and what it is.
pub type Change = (Cell, i64);

/// What differs between two positions of the same ruleset and map, in the order of the cells.
pub(super) fn difference(before: &World, after: &World) -> Vec<Change> {
    // Named one by one: a field that comes anew must be told apart here, or equal states would not
    // be equal.
    let World {
        map: _,
        units,
        unit_facts,
        unit_slots,
        space_facts,
        space_slots,
        link_facts,
        link_slots,
        side_facts,
        side_slots,
        world_facts,
        relations,
        viewer: _,
        readings: _,
        rolled,
        stopped,
        kept,
        skips,
        // No step states anything.
        stated: _,
    } = after;
    let mut changes = Vec::new();
    let row = |at: usize, slots: usize| (at / slots.max(1), short(at % slots.max(1)));
    changes.extend(differing(&before.unit_facts, unit_facts).map(|(at, value)| {
        let (unit, slot) = row(at, *unit_slots);
        (Cell::Unit(long(unit), slot), value)
    }));
    let gone =
        (0u32..).zip(&before.units).zip(units).filter(|((_, old), new)| old.removed != new.removed);
    changes.extend(gone.map(|((place, _), new)| (Cell::Removed(place), i64::from(new.removed))));
    for (place, new) in (0u32..)
        .zip(&before.units)
        .zip(units)
        .filter(|((_, old), new)| old.stand != new.stand)
        .map(|((place, _), new)| (place, new))
    {
        changes.extend(
            (0u8..)
                .zip(numbers(new.stand))
                .map(|(part, number)| (Cell::Stand(place, part), number)),
        );
    }
    changes.extend(differing(&before.space_facts, space_facts).map(|(at, value)| {
        let (space, slot) = row(at, *space_slots);
        (Cell::Space(u32::try_from(space).unwrap_or(u32::MAX), slot), value)
    }));
    changes.extend(differing(&before.link_facts, link_facts).map(|(at, value)| {
        let (link, slot) = row(at, *link_slots);
        (Cell::Link(u32::try_from(link).unwrap_or(u32::MAX), slot), value)
    }));
    changes.extend(differing(&before.side_facts, side_facts).map(|(at, value)| {
        let (side, slot) = row(at, *side_slots);
        (Cell::Side(u8::try_from(side).unwrap_or(u8::MAX), slot), value)
    }));
    changes.extend(
        differing(&before.world_facts, world_facts)
            .map(|(slot, value)| (Cell::World(short(slot)), value)),
    );
    let sides = relations.len().isqrt().max(1);
    let side = |at: usize| u8::try_from(at).unwrap_or(u8::MAX);
    let related = |rows: &[Relation]| rows.iter().map(|r| standing(*r)).collect::<Vec<_>>();
    changes.extend(
        differing(&related(&before.relations), &related(relations))
            .map(|(at, value)| (Cell::Relation(side(at / sides), side(at % sides)), value)),
    );
    let answers = |rows: &[Option<bool>]| {
        rows.iter().map(|a| a.map_or(0, |yes| 1 + i64::from(yes))).collect::<Vec<_>>()
    };
    for (trace, (old, new)) in before.kept.iter().zip(kept).enumerate() {
        changes.extend(
            differing(&answers(old), &answers(new))
                .map(|(at, value)| (Cell::Kept(TraceId::at(trace), long(at)), value)),
        );
    }
    let outcomes = |rows: &[Option<u16>]| {
        rows.iter().map(|o| o.map_or(0, |o| 1 + i64::from(o))).collect::<Vec<_>>()
    };
    for (test, (old, new)) in before.rolled.iter().zip(rolled).enumerate() {
        changes.extend(
            differing(&outcomes(old), &outcomes(new))
                .map(|(at, value)| (Cell::Rolled(TestId::at(test), long(at)), value)),
        );
    }
    for (list, (old, new)) in before.stopped.iter().zip(stopped).enumerate() {
        changes.extend(
            differing(&outcomes(old), &outcomes(new))
                .map(|(at, value)| (Cell::Stopped(TableId::at(list), long(at)), value)),
        );
    }
    let skipped = |phase: Option<PhaseId>| phase.map_or(0, |p| 1 + i64::from(long(p.index())));
    let skips = (before.skips != *skips).then(|| (Cell::Skips, skipped(*skips)));
    changes.extend(skips);
    changes.arrange();
    changes
}

/// How two sides stand to each other, as a number.
fn standing(relation: Relation) -> i64 {
    match relation {
        Relation::Neutral => 0,
        Relation::Allied => 1,
        Relation::Enemy => 2,
        Relation::Own => 3,
    }
}

/// How two sides stand to each other that a number of theirs says.
#[must_use]
pub fn relation(number: i64) -> Relation {
    match number {
        1 => Relation::Allied,
        2 => Relation::Enemy,
        3 => Relation::Own,
        _ => Relation::Neutral,
    }
}

/// Where a unit lies, as six numbers.
fn numbers(stand: Option<Stand>) -> [i64; 6] {
    stand.map_or([0; 6], |s| {
        [*s.x.numer(), *s.x.denom(), *s.y.numer(), *s.y.denom(), s.facing.east, s.facing.north]
    })
}

/// The contrary of [`numbers`].
fn stand([x, under_x, y, under_y, east, north]: [i64; 6]) -> Option<Stand> {
    let facing = Heading { east, north };
    (under_x != 0 && under_y != 0).then(|| Stand {
        x: Coordinate::new(x, under_x),
        y: Coordinate::new(y, under_y),
        facing,
    })
}

/// Where two rows differ, and what the second says; what is missing at the end of a row is 0.
fn differing<'v>(old: &'v [i64], new: &'v [i64]) -> impl Iterator<Item = (usize, i64)> + 'v {
    let at = |row: &[i64], at: usize| row.get(at).copied().unwrap_or(0);
    (0..old.len().max(new.len()))
        .filter(move |i| at(old, *i) != at(new, *i))
        .map(move |i| (i, at(new, i)))
}

fn short(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}

fn long(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Where a unit lies after changes that say so.
#[must_use]
pub fn lain_in(changes: &[Change], unit: u32) -> Option<Stand> {
    let mut all = [0; 6];
    for (cell, value) in changes {
        if let Cell::Stand(of, part) = cell
            && *of == unit
            && let Some(number) = all.get_mut(usize::from(*part))
        {
            *number = *value;
        }
    }
    stand(all)
}

/// The position that differs so from another.
#[must_use]
pub fn changed(before: &World, changes: &[Change]) -> World {
    let mut world = before.clone();
    let mut lain: Vec<(u32, [i64; 6])> = Vec::new();
    for (cell, value) in changes {
        let place = match cell {
            Cell::Unit(unit, slot) => world.row_mut(*unit).get_mut(usize::from(*slot)),
            Cell::Space(space, slot) => {
                world.space_facts.get_mut(*space as usize * world.space_slots + usize::from(*slot))
            }
            Cell::Link(link, slot) => {
                world.link_facts.get_mut(*link as usize * world.link_slots + usize::from(*slot))
            }
            Cell::Side(side, slot) => {
                world.side_facts.get_mut(usize::from(*side) * world.side_slots + usize::from(*slot))
            }
            Cell::World(slot) => world.world_facts.get_mut(usize::from(*slot)),
            Cell::Removed(unit) => {
                world.set_removed(*unit, *value != 0);
                None
            }
            Cell::Stand(unit, part) => {
                if lain.last().is_none_or(|(last, _)| last != unit) {
                    lain.push((*unit, [0; 6]));
                }
                lain.last_mut().and_then(|(_, numbers)| numbers.get_mut(usize::from(*part)))
            }
            // Rows of answers and outcomes are by place alone, be it of a unit or of a space.
            Cell::Kept(trace, at) => {
                world.keep(
                    *trace,
                    ThingRef::Unit(*at),
                    if *value == 0 { None } else { Some(*value == 2) },
                );
                None
            }
            Cell::Relation(a, b) => {
                let at = usize::from(*a) * world.relations.len().isqrt() + usize::from(*b);
                let cell = world.relations.get_mut(at);
                cell.into_iter().for_each(|cell| *cell = relation(*value));
                None
            }
            Cell::Skips => {
                world.skips = usize::try_from(value - 1).ok().map(PhaseId::at);
                None
            }
            Cell::Stopped(list, at) => {
                world.stop(*list, ThingRef::Unit(*at), u16::try_from(value - 1).ok());
                None
            }
            Cell::Rolled(test, at) => {
                world.roll(*test, ThingRef::Unit(*at), u16::try_from(value - 1).ok());
                None
            }
        };
        if let Some(place) = place {
            *place = *value;
        }
    }
    for (unit, numbers) in lain {
        world.lay(unit, stand(numbers));
    }
    world
}
