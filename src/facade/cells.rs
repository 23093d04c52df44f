//! The facts of a position as cells: whole numbers at known places.

use super::rows::write_stands;
use super::{Position, Side};
use crate::ir::{FactId, KindId, Type};
use crate::world::{ThingRef, World, built_in, json};

/// Whose fact a cell is, by the places of units and spaces in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Unit(usize),
    Space(usize),
    Side(usize),
    World,
}

/// A fact of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellOf {
    pub(super) fact: FactId,
    pub(super) of: ThingRef,
}

impl CellOf {
    /// The unit whose it is.
    pub(super) fn unit(self) -> Option<u32> {
        match self.of {
            ThingRef::Unit(unit) => Some(unit),
            _ => None,
        }
    }

    /// The unit whose space it is.
    pub(crate) fn stands(self) -> Option<usize> {
        match self.of {
            ThingRef::Unit(unit) if self.fact == built_in::SPACE => usize::try_from(unit).ok(),
            _ => None,
        }
    }

    /// The space whose control it is.
    pub(crate) fn control(self) -> Option<usize> {
        match self.of {
            ThingRef::Space(space) if self.fact == built_in::CONTROL => usize::try_from(space).ok(),
            _ => None,
        }
    }
}

/// What differs from a position: where its units stand, who controls its spaces where that is said
/// at all, and some cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Differing<'d> {
    pub(crate) stands: &'d [u16],
    pub(crate) control: &'d [u8],
    pub(crate) cells: &'d [(CellOf, i64)],
}

impl Position {
    /// The cell of a fact that a position says under `facts` of its thing; none where there is no
    /// such fact.
    pub(crate) fn cell_of(&self, owner: Owner, fact: &str) -> Option<CellOf> {
        let (rules, world) = (self.game().rules(), self.world());
        let at = |at: usize| u32::try_from(at).ok();
        let (of, kind) = match owner {
            Owner::Unit(unit) => (ThingRef::Unit(at(unit)?), world.units.get(unit)?.kind),
            Owner::Space(space) => {
                let map = rules.maps.get(world.map.index())?;
                (ThingRef::Space(at(space)?), map.spaces.get(space)?.kind)
            }
            Owner::Side(side) => {
                (ThingRef::Side(Side(u8::try_from(side).ok()?).inner()), KindId::SIDE)
            }
            Owner::World => (ThingRef::World, KindId::WORLD),
        };
        let fact = json::fact_said(rules, fact, kind)?;
        Some(CellOf { fact, of })
    }

    /// What stands in a cell.
    pub(crate) fn cell(&self, at: CellOf) -> i64 {
        let fact = self.game().rules().facts.get(at.fact.index());
        fact.map_or(0, |fact| self.world().fact(fact, at.of))
    }

    /// The number that stands in a cell for an amount or a truth, if the fact can have it.
    pub(crate) fn plain_cell(&self, at: CellOf, said: Plain) -> Option<i64> {
        match (self.game().rules().facts.get(at.fact.index())?.ty, said) {
            (Type::Number { low, high, .. }, Plain::Number(number)) => {
                (low..=high).contains(&number).then_some(number)
            }
            (Type::Truth, Plain::Truth(truth)) => Some(i64::from(truth)),
            _ => None,
        }
    }

    /// The position with what differs.
    pub(crate) fn with_differing(&self, differing: &Differing<'_>) -> Position {
        let mut world = World::clone(self.world());
        write_stands(&mut world, differing.stands);
        let control = (0u32..).zip(differing.control).map(|(space, side)| {
            let at = CellOf { fact: built_in::CONTROL, of: ThingRef::Space(space) };
            (at, i64::from(*side))
        });
        for (at, value) in control.chain(differing.cells.iter().copied()) {
            if let Some(fact) = self.game().rules().facts.get(at.fact.index()) {
                world.set_fact(fact, at.of, value);
            }
        }
        Position::new(self.game().clone(), world)
    }
}

/// An amount or a truth as a table says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plain {
    Number(i64),
    Truth(bool),
}
