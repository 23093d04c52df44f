//! The units of a position by kind and owner: where each sort stands is a plane, for most questions
//! ask no more of units.

use super::{Asker, Bits, Depends};
use crate::ir::*;
use crate::kernel::EvalFault;
use crate::world::{ThingRef, built_in};

/// More sorts than these are asked one unit after another.
const MOST_SORTS: usize = 64;

/// Units of one kind and owner.
#[derive(Debug)]
pub struct Sort {
    kind: Option<KindId>,
    owner: Option<SideId>,
    /// One of them, which is asked for all.
    unit: u32,
    cells: Bits,
}

/// All sorts of units that stand on the map; not complete where there are too many.
#[derive(Debug, Default)]
pub struct Sorts {
    pub(super) all: Vec<Sort>,
    complete: bool,
}

impl Sorts {
    /// No sorts yet, and all units looked at.
    pub(super) fn begin(&mut self) {
        self.complete = true;
    }

    /// Takes the planes out.
    pub(super) fn planes(&mut self) -> impl Iterator<Item = Bits> {
        self.all.drain(..).map(|sort| sort.cells)
    }

    /// Whether there can be one more; where not, they are not complete from now on.
    pub(in crate::kernel) fn has_room(&mut self) -> bool {
        self.complete &= self.all.len() < MOST_SORTS;
        self.complete
    }

    /// Adds a sort with one of its units and an empty plane.
    pub(in crate::kernel) fn add(
        &mut self,
        kind: Option<KindId>,
        owner: Option<SideId>,
        unit: u32,
        cells: Bits,
    ) -> usize {
        self.all.push(Sort { kind, owner, unit, cells });
        self.all.len() - 1
    }

    /// A unit of a sort stands there.
    #[inline]
    pub(in crate::kernel) fn put(&mut self, sort: usize, cell: u32) {
        self.all[sort].cells.set(cell);
    }
}

/// Whether a condition on a unit reads no more than its kind and owner.
fn reads_sort_alone(depends: &Depends) -> bool {
    let told = |f: &FactId| [built_in::OWNER, built_in::CONTROL].contains(f);
    depends.by_facts()
        && !depends.stands
        && depends.here.is_empty()
        && depends.facts.iter().all(told)
}

impl Asker<'_, '_> {
    /// Where units stand that meet a noun phrase, or those that do not, told from their kind and
    /// owner alone.
    pub(super) fn by_sorts(
        &mut self,
        things: &Things,
        but: bool,
        viewer: Option<SideId>,
    ) -> Result<Option<Bits>, EvalFault> {
        if things.condition.is_some_and(|c| !reads_sort_alone(&self.depends(c, things.level))) {
            return Ok(None);
        }
        let sorts = match self.room.sorts.take() {
            Some(sorts) => sorts,
            None => self.sorts(),
        };
        let mut found = self.empty();
        let mut fault = None;
        for sort in &sorts.all {
            let thing = ThingRef::Unit(sort.unit);
            let mut meets = self.position.is_kind(thing, things.kind);
            if meets && let Some(condition) = things.condition {
                let cx = self.cx(viewer.or(sort.owner), things.level, thing);
                match self.position.holds(condition, &cx) {
                    Ok(holds) => meets = holds,
                    Err(other) => fault = Some(other),
                }
            }
            if meets != but {
                found.or(&sort.cells);
            }
        }
        let complete = sorts.complete;
        self.room.sorts = Some(sorts);
        match fault {
            Some(fault) => Err(fault),
            None if complete => Ok(Some(found)),
            None => {
                self.give(found);
                Ok(None)
            }
        }
    }

    fn sorts(&mut self) -> Sorts {
        let world = self.position.world;
        let mut sorts = self.new_sorts();
        let mut last = 0;
        let standing = self.standing();
        for &(unit, cell) in &standing {
            let (kind, owner) = (world.units.get(unit as usize).map(|u| u.kind), world.owner(unit));
            let is = |s: &Sort| s.kind == kind && s.owner == owner;
            if !sorts.all.get(last).is_some_and(is) {
                last = match sorts.all.iter().position(is) {
                    Some(at) => at,
                    None if sorts.has_room() => sorts.add(kind, owner, unit, self.empty()),
                    None => break,
                };
            }
            sorts.put(last, cell);
        }
        self.room.standing = Some(standing);
        sorts
    }
}
