//! Which changes are tried: what the enemies have, put anywhere; each of their units a link
//! farther; each space lost.

use super::super::felt::{Felt, Reader};
use super::super::{Change, Position, Sort};
use crate::ir::*;
use crate::world::{ThingRef, Units, World, built_in};

impl Position<'_> {
    /// What a trace feels, all its conditions together.
    pub(in crate::kernel) fn felt(&self, trace: TraceId) -> Felt {
        let reader = Reader::new(self.rules);
        let mut felt = Felt::default();
        for condition in self.rules.traces[trace.index()].parts() {
            felt.add(&reader.of(condition));
        }
        felt
    }

    /// The sides at war with the owners of these things, in the order of the ruleset.
    fn enemies(&self, things: &[ThingRef]) -> Vec<SideId> {
        let owners: Vec<SideId> = things.iter().filter_map(|t| self.viewer_of(*t)).collect();
        let at_war =
            |s: &SideId| owners.iter().any(|o| self.world.relation(*o, *s) == Relation::Enemy);
        (0..self.rules.sides.len()).map(SideId::at).filter(at_war).collect()
    }

    /// The sorts of units that the enemies of these units have; a side that has none has one of
    /// every kind.
    pub(super) fn sorts_against(&self, trace: TraceId, things: &[ThingRef]) -> Vec<Sort> {
        let felt = self.felt(trace);
        // Where more may be read than is known, every fact tells sorts apart.
        let read: Vec<FactId> = if felt.more {
            (0..self.rules.facts.len()).map(FactId::at).collect()
        } else {
            felt.others
        };
        let mut sorts: Vec<Sort> = Vec::new();
        for side in self.enemies(things) {
            let before = sorts.len();
            let mut add = |kind: KindId, row: &[i64], like: Option<u32>| {
                let sort = Sort::of(self.rules, (kind, row), side, like, &read);
                if !sorts.iter().any(|s| s.same(&sort)) {
                    sorts.push(sort);
                }
            };
            for (at, unit) in (0u32..).zip(&self.world.units) {
                if self.world.owner(at) == Some(side) && !unit.removed {
                    add(unit.kind, self.world.row(at), Some(at));
                }
            }
            if sorts.len() == before {
                for kind in leaves(self.rules) {
                    let put = PutUnit {
                        id: String::new(),
                        title: String::new(),
                        kind,
                        owner: Some(side),
                        space: None,
                        facts: Vec::new(),
                    };
                    let mut world = World {
                        units: Units::default(),
                        unit_facts: Vec::new(),
                        ..self.world.clone()
                    };
                    let unit = world.put(self.rules, &put);
                    sorts.push(Sort::of(self.rules, (kind, world.row(unit)), side, None, &read));
                }
            }
        }
        sorts
    }

    /// Every placement, every move over one link, and every loss of a space, against these units.
    pub(super) fn changes_against(&self, sorts: &[Sort], things: &[ThingRef]) -> Vec<Change> {
        let spaces = || 0..u32::try_from(self.map.spaces.len()).unwrap_or(u32::MAX);
        let mut changes: Vec<Change> = Vec::new();
        for (sort, _) in sorts.iter().enumerate() {
            changes.extend(spaces().map(|space| Change::Placed { sort, space }));
        }
        let enemies = self.enemies(things);
        for unit in 0..u32::try_from(self.world.units.len()).unwrap_or(u32::MAX) {
            let hostile = self.world.owner(unit).is_some_and(|o| enemies.contains(&o));
            if let Some(at) = self.world.space_of(unit).filter(|_| hostile) {
                changes.extend(
                    self.around(at, 1, None, false)
                        .into_iter()
                        .map(|to| Change::Moved { unit, to }),
                );
            }
        }
        for space in spaces() {
            let Some(holder) = self.world.control(space) else { continue };
            let lost = |to: &SideId| self.world.relation(holder, *to) == Relation::Enemy;
            changes.extend(
                enemies.iter().copied().filter(lost).map(|to| Change::Turned { space, to }),
            );
        }
        changes
    }

    /// Whether a change is made by, or for, an enemy of a side.
    pub(super) fn is_against(&self, change: &Change, sorts: &[Sort], side: Option<SideId>) -> bool {
        let by = match change {
            Change::Placed { sort, .. } => sorts.get(*sort).map(|s| s.owner),
            Change::Moved { unit, .. } => self.world.owner(*unit),
            Change::Turned { to, .. } => Some(*to),
            Change::Gone(_) | Change::Stated { .. } => None,
        };
        match (by, side) {
            (Some(by), Some(side)) => self.world.relation(side, by) == Relation::Enemy,
            _ => false,
        }
    }
}

/// The kinds of unit below which there are no others.
fn leaves(rules: &Ruleset) -> Vec<KindId> {
    let inner = |k: usize| rules.kinds.iter().any(|other| other.parent == Some(KindId::at(k)));
    let leaf = |k: &usize| rules.kinds[*k].top == KindId::UNIT && !inner(*k);
    (0..rules.kinds.len()).filter(leaf).map(KindId::at).collect()
}

/// What undoes a change, other than a placement.
pub(super) fn undoing(change: &Change, world: &World) -> Option<Change> {
    let cell = |of, fact: FactId, row: &[i64]| Change::Stated {
        of,
        fact,
        value: row.get(fact.index()).copied().unwrap_or(0),
    };
    match change {
        Change::Moved { unit, .. } => {
            Some(cell(crate::world::ThingRef::Unit(*unit), built_in::SPACE, world.row(*unit)))
        }
        Change::Turned { space, .. } => {
            let value = world.control(*space).map_or(0, |s| i64::from(s.0) + 1);
            Some(Change::Stated {
                of: crate::world::ThingRef::Space(*space),
                fact: built_in::CONTROL,
                value,
            })
        }
        _ => None,
    }
}
