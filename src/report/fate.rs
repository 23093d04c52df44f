//! What has become of a thing, in the words of its ruleset.

use indexmap::IndexMap;
use num_traits::Zero;

use super::thing_name;
use crate::engine::odds::{Cell, Change, End, lain_in, relation};
use crate::ir::*;
use crate::kernel::Fraction;
use crate::world::{ThingRef, World};

/// The thing that a number is said of.
pub(super) fn about(rules: &Ruleset, cell: Cell) -> ThingRef {
    let placed = |of: Option<KindId>, at: u32| match of.map(|kind| rules.top(kind)) {
        Some(KindId::SPACE) => ThingRef::Space(at),
        Some(KindId::SIDE) => ThingRef::Side(SideId::at(at as usize)),
        Some(KindId::WORLD) => ThingRef::World,
        _ => ThingRef::Unit(at),
    };
    match cell {
        Cell::Unit(unit, _) | Cell::Removed(unit) | Cell::Stand(unit, _) => ThingRef::Unit(unit),
        Cell::Kept(trace, at) => placed(rules.traces.get(trace.index()).map(|t| t.of), at),
        Cell::Rolled(test, at) => placed(rules.tests.get(test.index()).map(|t| t.of), at),
        Cell::Stopped(list, at) => placed(rules.tables.get(list.index()).and_then(|t| t.of), at),
        Cell::Space(space, _) => ThingRef::Space(space),
        Cell::Link(link, _) => ThingRef::Link(link),
        Cell::Side(side, _) | Cell::Relation(side, _) => ThingRef::Side(SideId(side)),
        Cell::World(_) | Cell::Skips => ThingRef::World,
    }
}

/// The chance of each thing that can become of some numbers, whatever becomes of the others.
pub(super) fn fates(ends: &[End], of: impl Fn(&Cell) -> bool) -> IndexMap<Vec<Change>, Fraction> {
    let mut found: IndexMap<Vec<Change>, Fraction> = IndexMap::new();
    for (changes, chance) in ends {
        let own: Vec<Change> = changes.iter().filter(|(cell, _)| of(cell)).copied().collect();
        *found.entry(own).or_insert_with(Fraction::zero) += chance;
    }
    found
}

/// What has become of a thing, or of everything together, with its names.
pub(super) fn fate(
    rules: &Ruleset,
    world: &World,
    changes: &[Change],
    of: Option<ThingRef>,
) -> String {
    if changes.is_empty() {
        return "as it was".to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    // Of a unit that has left, nothing else is told.
    let gone = |thing: ThingRef| {
        changes.iter().any(|(cell, value)| matches!(cell, Cell::Removed(u) if ThingRef::Unit(*u) == thing && *value != 0))
    };
    for (cell, value) in changes {
        let thing = about(rules, *cell);
        if gone(thing) && !matches!(cell, Cell::Removed(_)) {
            continue;
        }
        let said = match cell {
            // Six numbers are one place, which is told with the first of them.
            Cell::Stand(unit, 0) => lain_in(changes, *unit)
                .map_or_else(|| "off the table".to_owned(), |stand| format!("at {stand}")),
            Cell::Stand(..) => continue,
            _ => change(rules, world, *cell, *value),
        };
        parts.push(match of {
            Some(_) => said,
            None => format!("{} {said}", thing_name(rules, world, thing)),
        });
    }
    parts.join(", ")
}

fn change(rules: &Ruleset, world: &World, cell: Cell, value: i64) -> String {
    let word = |set: Option<WordSetId>, at: i64| {
        let words = set.and_then(|s| rules.word_sets.get(s.index()));
        usize::try_from(at).ok().and_then(|at| words?.words.get(at)).cloned().unwrap_or_default()
    };
    match cell {
        Cell::Removed(_) => if value == 0 { "back" } else { "removed" }.to_owned(),
        Cell::Kept(trace, _) => match value {
            0 => format!(
                "{} no longer kept",
                rules.traces.get(trace.index()).map_or("", |t| &t.name)
            ),
            _ => word(rules.traces.get(trace.index()).map(|t| t.answers), 2 - value),
        },
        Cell::Rolled(test, _) => {
            let test = rules.tests.get(test.index());
            format!(
                "{} {}",
                test.map_or("", |t| &t.name),
                word(test.map(|t| t.outcomes), value - 1)
            )
        }
        Cell::Stopped(list, _) => {
            let list = rules.tables.get(list.index());
            let row = usize::try_from(value - 2).ok().and_then(|at| list?.rows.get(at));
            let name = list.map_or("", |t| t.name.as_str());
            row.map_or_else(
                || format!("through {name}"),
                |row| format!("{name} stopped at {}", row.name),
            )
        }
        Cell::Unit(_, slot) => fact(rules, world, KindId::UNIT, slot, value),
        Cell::Space(_, slot) => fact(rules, world, KindId::SPACE, slot, value),
        Cell::Link(_, slot) => fact(rules, world, KindId::LINK, slot, value),
        Cell::Side(_, slot) => fact(rules, world, KindId::SIDE, slot, value),
        Cell::World(slot) => fact(rules, world, KindId::WORLD, slot, value),
        Cell::Relation(_, other) => {
            let other = rules.sides.get(usize::from(other)).map_or("", |side| side.name.as_str());
            format!("{} {other}", relation(value).word())
        }
        // No phase is under way where odds are told.
        Cell::Stand(..) | Cell::Skips => String::new(),
    }
}

fn fact(rules: &Ruleset, world: &World, top: KindId, slot: u16, value: i64) -> String {
    let Some(fact) = rules.facts.iter().find(|f| f.slot == slot && rules.top(f.kind) == top) else {
        return String::new();
    };
    let name = &fact.name;
    match fact.ty {
        Type::Truth if value != 0 => name.clone(),
        Type::Truth => format!("not {name}"),
        Type::Number { .. } => format!("{name} {value}"),
        Type::Word(set) => {
            let words = rules.word_sets.get(set.index());
            let word = usize::try_from(value)
                .ok()
                .and_then(|at| words?.words.get(at))
                .map_or("", String::as_str);
            format!("{name} {word}")
        }
        Type::Thing { kind, .. } => {
            let thing = u32::try_from(value - 1).ok().and_then(|at| match rules.top(kind) {
                KindId::UNIT => Some(ThingRef::Unit(at)),
                KindId::SPACE => Some(ThingRef::Space(at)),
                KindId::SIDE => u8::try_from(at).ok().map(|s| ThingRef::Side(SideId(s))),
                _ => None,
            });
            format!(
                "{name} {}",
                thing.map_or_else(|| "none".to_owned(), |t| thing_name(rules, world, t))
            )
        }
    }
}
