//! One change of a position: what `threat` tries against a side, and what `why_not` tries for a
//! unit.

use super::Position;
use crate::ir::*;
use crate::world::{ThingRef, Unit, World, built_in};

/// A unit as the rules see it: all others of its sort are the same to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// Its side.
    pub owner: SideId,
    /// Its kind.
    pub kind: KindId,
    /// A unit of the position that is of this sort; none if none is.
    pub like: Option<u32>,
    /// What a unit of this sort is told by: the facts that the trace reads of others, encoded.
    pub facts: Vec<(FactId, i64)>,
    /// The row of a unit of this sort.
    row: Vec<i64>,
}

impl Sort {
    /// The sort of a unit, as far as these facts go.
    pub(super) fn of(
        rules: &Ruleset,
        (kind, row): (KindId, &[i64]),
        owner: SideId,
        like: Option<u32>,
        read: &[FactId],
    ) -> Sort {
        let told = |f: &&FactId| {
            ![built_in::OWNER, built_in::SPACE].contains(f)
                && rules.top(rules.facts[f.index()].kind) == KindId::UNIT
        };
        let facts = read
            .iter()
            .filter(told)
            .map(|f| (*f, row.get(usize::from(rules.facts[f.index()].slot)).copied().unwrap_or(0)));
        Sort { owner, kind, like, facts: facts.collect(), row: row.to_vec() }
    }

    /// Whether both look the same to the rules.
    pub(super) fn same(&self, other: &Sort) -> bool {
        (self.owner, self.kind, &self.facts) == (other.owner, other.kind, &other.facts)
    }
}

/// One change of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// one more unit of a sort stands in a space
    Placed {
        /// which sort, as a place in the sorts of the record
        sort: usize,
        /// where
        space: u32,
    },
    /// a unit stands elsewhere
    Moved {
        /// which unit
        unit: u32,
        /// where it goes
        to: u32,
    },
    /// units leave the map
    Gone(Vec<u32>),
    /// a space changes hands
    Turned {
        /// which space
        space: u32,
        /// who controls it then
        to: SideId,
    },
    /// a thing has another fact
    Stated {
        /// of which thing
        of: ThingRef,
        /// which fact
        fact: FactId,
        /// its value, encoded
        value: i64,
    },
}

impl Change {
    /// Makes the change; `sorts` are those that a placement counts in.
    pub fn make(&self, rules: &Ruleset, sorts: &[Sort], world: &mut World) {
        let space_of = |s: u32| i64::from(s) + 1;
        let fact = |world: &mut World, fact: FactId, of: ThingRef, value: i64| {
            if let Some(fact) = rules.facts.get(fact.index()) {
                world.set_fact(fact, of, value);
            }
        };
        match self {
            Change::Placed { sort, space } => {
                let Some(sort) = sorts.get(*sort) else { return };
                let id = String::from("+");
                let at = world.add(
                    Unit { title: id.clone(), id, kind: sort.kind, removed: false, stand: None },
                    &sort.row,
                );
                fact(world, built_in::SPACE, ThingRef::Unit(at), space_of(*space));
            }
            Change::Moved { unit, to } => {
                fact(world, built_in::SPACE, ThingRef::Unit(*unit), space_of(*to))
            }
            Change::Gone(units) => {
                units.iter().for_each(|u| fact(world, built_in::SPACE, ThingRef::Unit(*u), 0))
            }
            Change::Turned { space, to } => {
                fact(world, built_in::CONTROL, ThingRef::Space(*space), i64::from(to.0) + 1)
            }
            Change::Stated { of, fact: which, value } => fact(world, *which, *of, *value),
        }
    }

    /// Makes the change, asks, and takes the change back; not for placements, which add a unit.
    pub(super) fn tried<T>(
        &self,
        rules: &Ruleset,
        world: &mut World,
        ask: impl FnOnce(&World) -> T,
    ) -> T {
        let units = |units: &[u32]| {
            units.iter().map(|u| (built_in::SPACE, ThingRef::Unit(*u))).collect::<Vec<_>>()
        };
        let cells = match self {
            Change::Placed { .. } => Vec::new(),
            Change::Moved { unit, .. } => units(&[*unit]),
            Change::Gone(gone) => units(gone),
            Change::Turned { space, .. } => vec![(built_in::CONTROL, ThingRef::Space(*space))],
            Change::Stated { of, fact, .. } => vec![(*fact, *of)],
        };
        let fact = |(fact, of): &(FactId, ThingRef)| Some((rules.facts.get(fact.index())?, *of));
        let before: Vec<(&Fact, ThingRef, i64)> = cells
            .iter()
            .filter_map(fact)
            .map(|(fact, of)| (fact, of, world.fact(fact, of)))
            .collect();
        self.make(rules, &[], world);
        let found = ask(world);
        before.into_iter().for_each(|(fact, of, value)| world.set_fact(fact, of, value));
        found
    }

    /// The spaces at which it happens, before and after.
    pub(super) fn places(&self, world: &World) -> Vec<u32> {
        match self {
            Change::Placed { space, .. } | Change::Turned { space, .. } => vec![*space],
            Change::Moved { unit, to } => world.space_of(*unit).into_iter().chain([*to]).collect(),
            Change::Gone(units) => units.iter().filter_map(|u| world.space_of(*u)).collect(),
            Change::Stated { of: ThingRef::Space(space), .. } => vec![*space],
            Change::Stated { .. } => Vec::new(),
        }
    }
}

impl Position<'_> {
    /// A copy of the position with one change.
    #[must_use]
    pub fn changed(&self, change: &Change, sorts: &[Sort]) -> World {
        let mut world = self.world.clone();
        change.make(self.rules, sorts, &mut world);
        world
    }
}
