//! The units that meet a noun phrase, counted by cell.

use super::counters::Counters;
use crate::ir::*;
use crate::kernel::board::{Bits, Board};
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::ThingRef;

/// The units that meet a noun phrase, or of its top kind those that do not.
#[derive(Debug)]
pub(super) struct Counted {
    pub phrase: ThingsId,
    pub but: bool,
    pub viewer: Option<SideId>,
    /// Whether units are asked where they stand, or what their space is like.
    pub asks_place: bool,
    /// By unit, whether it is one of them.
    member: Vec<bool>,
    /// How many stand in each cell.
    count: Counters,
    /// Where some stand.
    pub some: Bits,
    /// Cells where this change has brought the first or taken the last, one after the other:
    /// whether some stand there now.
    pub flips: Vec<(u32, bool)>,
}

impl Counted {
    pub(super) fn new(
        board: &Board<'_>,
        phrase: ThingsId,
        but: bool,
        viewer: Option<SideId>,
    ) -> Counted {
        let things = &board.rules.things[phrase.index()];
        let asks_place = things.condition.is_some_and(|condition| {
            let depends = board.depends(condition, things.level);
            depends.stands || !depends.here.is_empty()
        });
        let (member, count, some) = (Vec::new(), Counters::default(), Bits::default());
        Counted { phrase, but, viewer, asks_place, member, count, some, flips: Vec::new() }
    }

    /// Counts all units.
    pub(super) fn renew(&mut self, position: &Position<'_>) -> Result<(), EvalFault> {
        let layout = position.board.layout();
        let units = u32::try_from(position.world.units.len()).unwrap_or(u32::MAX);
        (self.count, self.some) = (Counters::new(layout.size * 64), Bits::new(layout.size));
        self.member.clear();
        self.flips.clear();
        for unit in 0..units {
            let member = self.is_member(position, unit)?;
            self.member.push(member);
            if let Some(space) = position.world.space_of(unit).filter(|_| member) {
                let cell = layout.cell(space);
                self.count.more(cell);
                self.some.set(cell);
            }
        }
        Ok(())
    }

    /// A unit that stood in a cell now stands in another.
    #[inline]
    pub(super) fn moved(&mut self, unit: u32, from: Option<u32>, to: Option<u32>) {
        if self.member[unit as usize] && from != to {
            // Coming before leaving, so that a cell near both never stands without.
            self.comes(to);
            self.leaves(from);
        }
    }

    /// A unit has other facts, or others are asked of where it stands.
    pub(super) fn asked_again(
        &mut self,
        position: &Position<'_>,
        unit: u32,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Result<(), EvalFault> {
        let after = self.is_member(position, unit)?;
        match (std::mem::replace(&mut self.member[unit as usize], after), after) {
            (true, true) => self.moved(unit, from, to),
            (false, true) => self.comes(to),
            (true, false) => self.leaves(from),
            (false, false) => {}
        }
        Ok(())
    }

    fn comes(&mut self, to: Option<u32>) {
        if let Some(cell) = to
            && self.count.more(cell)
        {
            self.some.set(cell);
            self.flips.push((cell, true));
        }
    }

    fn leaves(&mut self, from: Option<u32>) {
        if let Some(cell) = from
            && self.count.less(cell)
        {
            self.some.put(cell, false);
            self.flips.push((cell, false));
        }
    }

    fn is_member(&self, position: &Position<'_>, unit: u32) -> Result<bool, EvalFault> {
        let things = &position.rules.things[self.phrase.index()];
        let thing = ThingRef::Unit(unit);
        if position.world.units.get(unit as usize).is_none_or(|u| u.removed) {
            return Ok(false);
        }
        let meets = position.is_kind(thing, things.kind)
            && position.meets(things, thing, &Cx::world(self.viewer))?;
        Ok(meets != self.but)
    }
}
