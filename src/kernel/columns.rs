//! Many positions of one game, fact by fact: a column of a unit's spaces, a plane of a side's
//! control.
//!
//! A plane is `[space][lane]` of words, and a bit is a position, so that one operation on words
//! serves 64 positions; a single position is a batch of one lane.

use std::sync::Arc;

use super::fault::BatchFault;
use super::shape::{Shape, Varying};
use crate::ir::{FactId, Ruleset, SideId};
use crate::world::{World, built_in};

/// In a column of spaces: off the map.
pub const NOWHERE: u16 = u16::MAX;

/// Positions in a lane.
pub(super) const LANE: usize = 64;

/// Many positions that share a map, a roster, relations, rulings and all facts but those that vary:
/// where units stand, who controls a space, and the facts of units named when the batch is made.
#[derive(Debug, Clone)]
pub struct Batch {
    pub(super) shape: Arc<Shape>,
    pub(super) positions: usize,
    pub(super) lanes: usize,
    /// `[unit][position]`, padded to whole lanes.
    pub(super) stands: Vec<u16>,
    /// `[varying][unit][position]`, padded to whole lanes, as codes.
    pub(super) facts: Vec<u16>,
    /// `[side][space][lane]`.
    pub(super) control: Vec<u64>,
}

impl Batch {
    /// So many positions, all of them the template; `varying` are the facts of units that may
    /// differ between them.
    pub fn new(
        rules: &Ruleset,
        template: &World,
        positions: usize,
        varying: &[FactId],
    ) -> Result<Batch, BatchFault> {
        Ok(Batch::of(Arc::new(Shape::new(rules, template, varying)?), positions))
    }

    pub(super) fn of(shape: Arc<Shape>, positions: usize) -> Batch {
        let lanes = positions.div_ceil(LANE);
        let mut batch = Batch {
            positions,
            lanes,
            stands: Vec::new(),
            facts: Vec::new(),
            control: Vec::new(),
            shape,
        };
        let shape = Arc::clone(&batch.shape);
        let stride = batch.stride();
        for unit in 0..shape.template.units.len() {
            let at = u32::try_from(unit).ok().and_then(|u| shape.template.space_of(u));
            let cell = at.and_then(|s| u16::try_from(s).ok()).unwrap_or(NOWHERE);
            batch.stands.resize(batch.stands.len() + stride, cell);
        }
        for varying in &shape.varying {
            for unit in 0..u32::try_from(shape.template.units.len()).unwrap_or(u32::MAX) {
                let code = shape
                    .template
                    .row(unit)
                    .get(varying.slot)
                    .and_then(|v| varying.code(*v))
                    .unwrap_or(0);
                batch.facts.resize(batch.facts.len() + stride, code);
            }
        }
        batch.control = vec![0; shape.sides * shape.spaces * lanes];
        for space in 0..shape.spaces {
            let side = u32::try_from(space).ok().and_then(|s| shape.template.control(s));
            if let Some(side) = side.filter(|s| s.index() < shape.sides) {
                let start = (side.index() * shape.spaces + space) * lanes;
                batch.control[start..start + lanes].fill(u64::MAX);
            }
        }
        batch
    }

    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// How many units each position has.
    #[must_use]
    pub fn units(&self) -> usize {
        self.shape.template.units.len()
    }

    /// How many spaces the map has.
    #[must_use]
    pub fn spaces(&self) -> usize {
        self.shape.spaces
    }

    pub(super) fn stride(&self) -> usize {
        self.lanes * LANE
    }

    /// Puts a unit into a space or off the map; false, and nothing changes, if there is no such
    /// position, unit or space.
    pub fn set_space(&mut self, position: usize, unit: u32, space: Option<u32>) -> bool {
        let spaces = self.shape.spaces;
        let cell = match space {
            None => Some(NOWHERE),
            Some(s) => u16::try_from(s).ok().filter(|s| usize::from(*s) < spaces),
        };
        let column = self.space_column_mut(unit);
        match (cell, column.get_mut(position)) {
            (Some(cell), Some(at)) => {
                *at = cell;
                true
            }
            _ => false,
        }
    }

    /// Sets a varying fact of a unit, encoded as in a position; false, and nothing changes, if it
    /// does not vary or cannot have that value.
    pub fn set_fact(&mut self, position: usize, unit: u32, fact: FactId, value: i64) -> bool {
        let code = self.shape.varying_at(fact).and_then(|v| self.shape.varying[v].code(value));
        match (code, self.fact_column_mut(unit, fact).get_mut(position)) {
            (Some(code), Some(at)) => {
                *at = code;
                true
            }
            _ => false,
        }
    }

    /// Gives a space to a side, or to nobody; false, and nothing changes, if there is no such
    /// position, space or side.
    pub fn set_control(&mut self, position: usize, space: u32, side: Option<SideId>) -> bool {
        let (space, sides, lanes) = (space as usize, self.shape.sides, self.lanes);
        if position >= self.positions
            || space >= self.shape.spaces
            || side.is_some_and(|s| s.index() >= sides)
        {
            return false;
        }
        let bit = 1 << (position % LANE);
        for other in 0..sides {
            let word =
                &mut self.control[(other * self.shape.spaces + space) * lanes + position / LANE];
            if side.is_some_and(|s| s.index() == other) { *word |= bit } else { *word &= !bit }
        }
        true
    }

    /// Where a unit stands, one cell a position, [`NOWHERE`] for off the map; empty if there is no
    /// such unit.
    pub fn space_column_mut(&mut self, unit: u32) -> &mut [u16] {
        let (stride, positions) = (self.stride(), self.positions);
        let start = (unit as usize).saturating_mul(stride);
        self.stands.get_mut(start..start.saturating_add(positions)).unwrap_or_default()
    }

    /// A varying fact of a unit, one code a position: the encoded value less [`Batch::least`];
    /// empty if there is none.
    pub fn fact_column_mut(&mut self, unit: u32, fact: FactId) -> &mut [u16] {
        let Some(varying) = self.shape.varying_at(fact) else {
            return &mut [];
        };
        let (stride, positions, units) = (self.stride(), self.positions, self.units());
        if unit as usize >= units {
            return &mut [];
        }
        let start = (varying * units + unit as usize) * stride;
        self.facts.get_mut(start..start.saturating_add(positions)).unwrap_or_default()
    }

    /// The encoded value of a varying fact that has the code 0.
    #[must_use]
    pub fn least(&self, fact: FactId) -> Option<i64> {
        self.shape.varying_at(fact).map(|v| self.shape.varying[v].least)
    }

    /// A lane of positions of a unit: where it stands; what has left the game stands nowhere.
    pub(super) fn lane_of_spaces(&self, unit: u32, lane: usize) -> &[u16] {
        if self.shape.removed(unit as usize) {
            return &[NOWHERE; LANE][..self.in_lane(lane)];
        }
        let start = unit as usize * self.stride() + lane * LANE;
        self.stands.get(start..start + self.in_lane(lane)).unwrap_or_default()
    }

    /// How many positions of a lane there are.
    pub(super) fn in_lane(&self, lane: usize) -> usize {
        LANE.min(self.positions.saturating_sub(lane * LANE))
    }

    /// A lane of positions of a unit: the codes of a varying fact.
    pub(super) fn codes(&self, varying: usize, unit: u32, lane: usize) -> &[u16] {
        let start = (varying * self.units() + unit as usize) * self.stride() + lane * LANE;
        self.facts.get(start..start + self.in_lane(lane)).unwrap_or_default()
    }

    /// One position as the slow evaluator reads it.
    #[must_use]
    pub fn world(&self, position: usize) -> World {
        let mut world = self.shape.template.clone();
        self.write_world(position, &mut world);
        world
    }

    /// Makes a world that was cloned from the template into one position.
    pub(super) fn write_world(&self, position: usize, world: &mut World) {
        if position >= self.positions {
            return;
        }
        let (stride, units) = (self.stride(), self.units());
        let slots = world.unit_slots.max(1);
        for ((at, row), unit) in world.unit_facts.chunks_mut(slots).enumerate().zip(&world.units) {
            if unit.removed {
                continue;
            }
            let space = self.stands[at * stride + position];
            row[built_in::SPACE.index()] =
                if usize::from(space) < self.shape.spaces { i64::from(space) + 1 } else { 0 };
        }
        for (v, varying) in self.shape.varying.iter().enumerate() {
            for (at, row) in world.unit_facts.chunks_mut(slots).enumerate() {
                row[varying.slot] =
                    Varying::value(varying, self.facts[(v * units + at) * stride + position]);
            }
        }
        for space in 0..self.shape.spaces {
            let side = (0..self.shape.sides).find(|s| {
                let word =
                    self.control[(s * self.shape.spaces + space) * self.lanes + position / LANE];
                word >> (position % LANE) & 1 == 1
            });
            world.space_facts[space * world.space_slots] =
                side.map_or(0, |s| i64::try_from(s).map_or(0, |s| s + 1));
        }
    }
}
