//! Positions that a caller keeps as bit planes, answered without being read in again.
//!
//! Units that every rule treats alike are one **sort**: a plane a sort says where units of it
//! stand, 64 positions a word. A unit that moves changes two bits. A flood reads these planes as
//! they are, and the answer is a plane a sort again: the spaces in which units of it stand that are
//! answered yes. The twin is [`Batch`](super::Batch), unit by unit.

use std::sync::Arc;

use super::Kernel;
use super::columns::NOWHERE;
use super::fault::BatchFault;
use super::machine::Machine;
use super::run::{Block, Row, Run};
use super::shape::Shape;
use super::sorts::{Rule, Sorts, When};
use super::standing::{Presences, Standing};
use super::transpose::{BLOCK, Line, WIDE, room};
use crate::ir::{FactId, SideId};
use crate::world::World;

/// Many positions of one game, kept as planes.
#[derive(Debug, Clone)]
pub struct Planes {
    shape: Arc<Shape>,
    sorts: Arc<Sorts>,
    positions: usize,
    /// What each query asks of them.
    presences: Presences,
    /// `[block][sort][row]`; the last row is off the map.
    stands: Vec<Line>,
    /// `[block][side][space]`.
    control: Vec<Line>,
    /// `[position][sort][row]`: how many units of a sort stand there.
    count: Vec<u16>,
    /// `[position][unit]`: the row where it stands.
    rows: Vec<u16>,
    /// `[position][varying][unit]`, as codes.
    codes: Vec<u16>,
}

/// Room for the planes of a kernel, kept from one question to the next.
#[derive(Debug, Clone, Default)]
pub struct PlaneScratch {
    planes: Vec<u64>,
    pass: Vec<u64>,
    answer: Vec<u64>,
}

/// The answers: for each sort the spaces in which units of it stand that are answered yes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlaneFlags {
    rows: usize,
    sorts: usize,
    /// `[block][sort][row]`.
    yes: Vec<Line>,
}

impl PlaneFlags {
    /// The answer for a unit in a position; none if there is none such, or if it is not of the
    /// trace's kind.
    #[must_use]
    pub fn get(&self, planes: &Planes, position: usize, unit: u32) -> Option<bool> {
        let sort = planes.sort_of(position, unit)?;
        planes.sorts.all.get(sort)?.rule.as_ref()?;
        let row = usize::from(*planes.rows.get(position * planes.units() + unit as usize)?);
        let word = self.yes.get((position / BLOCK * self.sorts + sort) * self.rows + row)?;
        Some(word.0[position % BLOCK / 64] >> (position % 64) & 1 == 1)
    }

    /// In how many positions of a block of 512 each space holds units of a sort that are answered
    /// yes; the last is off the map.
    #[must_use]
    pub fn counts(&self, block: usize, sort: usize) -> Vec<u32> {
        let start = (block * self.sorts + sort) * self.rows;
        let rows = self.yes.get(start..start + self.rows).unwrap_or_default();
        rows.iter().map(|row| row.0.iter().map(|w| w.count_ones()).sum()).collect()
    }
}

impl Kernel<'_> {
    /// So many positions for this kernel, all of them the template, as planes.
    ///
    /// # Errors
    ///
    /// [`BatchFault::NotWhole`] where something must be asked of each position by itself, and
    /// [`BatchFault::TooLarge`] where facts that vary make too many sorts of units.
    pub fn planes(&self, positions: usize) -> Result<Planes, BatchFault> {
        if !self.is_whole() {
            return Err(BatchFault::NotWhole);
        }
        let sorts = Arc::new(Sorts::of(self)?);
        let shape = Arc::clone(&self.shape);
        let (rows, units, blocks) =
            (shape.spaces + 1, shape.template.units.len(), positions.div_ceil(BLOCK));
        let mut planes = Planes {
            positions,
            presences: Presences::of(sorts.all.iter().map(|s| s.queries.as_slice())),
            stands: vec![Line::default(); blocks * sorts.all.len() * rows],
            control: vec![Line::default(); blocks * shape.sides * shape.spaces],
            count: vec![0; positions * sorts.all.len() * rows],
            rows: vec![NOWHERE; positions * units],
            codes: Vec::with_capacity(positions * shape.varying.len() * units),
            shape,
            sorts,
        };
        let shape = Arc::clone(&planes.shape);
        for _ in 0..positions {
            for varying in &shape.varying {
                let code = |unit: u32| {
                    shape
                        .template
                        .row(unit)
                        .get(varying.slot)
                        .and_then(|v| varying.code(*v))
                        .unwrap_or(0)
                };
                planes.codes.extend((0..u32::try_from(units).unwrap_or(u32::MAX)).map(code));
            }
        }
        for position in 0..positions {
            for unit in 0..u32::try_from(units).unwrap_or(u32::MAX) {
                let row = shape.template.space_of(unit).map_or(shape.spaces, |s| s as usize);
                planes.enter(position, unit, row);
            }
            for space in 0..u32::try_from(shape.spaces).unwrap_or(u32::MAX) {
                planes.set_control(position, space, shape.template.control(space));
            }
        }
        Ok(planes)
    }

    /// Answers for all sorts of units in all positions.
    ///
    /// # Errors
    ///
    /// [`BatchFault::OtherBatch`] where the planes were not made by this kernel.
    pub fn plane_flags(
        &self,
        planes: &Planes,
        scratch: &mut PlaneScratch,
        flags: &mut PlaneFlags,
    ) -> Result<(), BatchFault> {
        let same = Arc::ptr_eq(&planes.shape, &self.shape) && planes.sorts.trace == self.trace;
        if !same {
            return Err(BatchFault::OtherBatch);
        }
        let (rows, sorts) = (self.program.rows, planes.sorts.all.len());
        (flags.rows, flags.sorts) = (rows, sorts);
        flags.yes.resize(planes.stands.len(), Line::default());
        let PlaneScratch { planes: work, pass, answer } = scratch;
        let work = room(work, self.program.planes * rows * WIDE).as_chunks_mut().0;
        let pass = room(pass, self.program.passes * rows * WIDE).as_chunks_mut().0;
        let answer = room(answer, rows * WIDE).as_chunks_mut().0;
        let machine = Machine::new();
        let spaces = rows - 1;
        let size = (sorts * rows).max(1);
        for (nth, (stands, yes)) in
            planes.stands.chunks_exact(size).zip(flags.yes.chunks_exact_mut(size)).enumerate()
        {
            let size = planes.shape.sides * spaces;
            let control = &planes.control[nth * size..][..size];
            let ground = Standing { presences: &planes.presences, stands, stride: rows, control };
            let block = Block { planes: &mut *work, atoms: &mut [], pass: &mut *pass };
            machine.dispatch(Run {
                program: &self.program,
                ground: &ground,
                block,
                first: nth == 0,
            });
            machine.dispatch(Answered {
                sorts: &planes.sorts,
                planes: &*work,
                rows,
                stands,
                answer: &mut *answer,
                yes,
            });
        }
        Ok(())
    }
}

impl Planes {
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

    /// How many sorts of units there are.
    #[must_use]
    pub fn sorts(&self) -> usize {
        self.sorts.all.len()
    }

    /// Puts a unit into a space or off the map; false, and nothing changes, if there is no such
    /// position, unit or space.
    pub fn set_space(&mut self, position: usize, unit: u32, space: Option<u32>) -> bool {
        let row = space.map_or(self.shape.spaces, |s| s as usize);
        let known = position < self.positions && (unit as usize) < self.units();
        if !known
            || space.is_some() && row >= self.shape.spaces
            || self.shape.removed(unit as usize)
        {
            return known && space.is_none();
        }
        self.leave(position, unit);
        self.enter(position, unit, row);
        true
    }

    /// Sets a varying fact of a unit, encoded as in a position; false, and nothing changes, if it
    /// does not vary or cannot have that value.
    pub fn set_fact(&mut self, position: usize, unit: u32, fact: FactId, value: i64) -> bool {
        let varying = self.shape.varying_at(fact);
        let code = varying.and_then(|v| self.shape.varying[v].code(value));
        let known = position < self.positions && (unit as usize) < self.units();
        let (Some(varying), Some(code), true) = (varying, code, known) else { return false };
        let row = self.leave(position, unit);
        let units = self.units();
        self.codes[(position * self.shape.varying.len() + varying) * units + unit as usize] = code;
        self.enter(position, unit, row);
        true
    }

    /// Gives a space to a side, or to nobody; false, and nothing changes, if there is no such
    /// position, space or side.
    pub fn set_control(&mut self, position: usize, space: u32, side: Option<SideId>) -> bool {
        let (space, sides, spaces) = (space as usize, self.shape.sides, self.shape.spaces);
        if position >= self.positions || space >= spaces || side.is_some_and(|s| s.index() >= sides)
        {
            return false;
        }
        for other in 0..sides {
            let row = &mut self.control[(position / BLOCK * sides + other) * spaces + space];
            put(row, position, side.is_some_and(|s| s.index() == other));
        }
        true
    }

    /// One position as the slow evaluator reads it.
    #[must_use]
    pub fn world(&self, position: usize) -> World {
        let mut world = self.shape.template.clone();
        if position >= self.positions {
            return world;
        }
        let units = self.units();
        let slots = world.unit_slots.max(1);
        for ((at, facts), unit) in world.unit_facts.chunks_mut(slots).enumerate().zip(&world.units)
        {
            if !unit.removed {
                let row = usize::from(self.rows[position * units + at]);
                let cell =
                    if row < self.shape.spaces { i64::try_from(row).unwrap_or(0) + 1 } else { 0 };
                facts[crate::world::built_in::SPACE.index()] = cell;
            }
            for (v, varying) in self.shape.varying.iter().enumerate() {
                facts[varying.slot] = varying
                    .value(self.codes[(position * self.shape.varying.len() + v) * units + at]);
            }
        }
        for space in 0..self.shape.spaces {
            let holds = |side: &usize| {
                let row = &self.control
                    [(position / BLOCK * self.shape.sides + side) * self.shape.spaces + space];
                row.0[position % BLOCK / 64] >> (position % 64) & 1 == 1
            };
            let side = (0..self.shape.sides).find(holds);
            world.space_facts[space * world.space_slots] =
                side.map_or(0, |s| i64::try_from(s).map_or(0, |s| s + 1));
        }
        world
    }

    /// The sort of a unit, by its varying facts.
    fn sort_of(&self, position: usize, unit: u32) -> Option<usize> {
        let (units, varying) = (self.units(), self.shape.varying.len());
        if position >= self.positions || self.shape.removed(unit as usize) {
            return None;
        }
        self.sorts.of_unit(unit, |v| self.codes[(position * varying + v) * units + unit as usize])
    }

    /// Takes a unit from where it stands; the row that was.
    fn leave(&mut self, position: usize, unit: u32) -> usize {
        let row = usize::from(self.rows[position * self.units() + unit as usize]);
        if let Some(sort) = self.sort_of(position, unit) {
            let rows = self.shape.spaces + 1;
            let sorts = self.sorts.all.len();
            let count = &mut self.count[(position * sorts + sort) * rows + row];
            *count -= 1;
            if *count == 0 {
                put(
                    &mut self.stands[(position / BLOCK * sorts + sort) * rows + row],
                    position,
                    false,
                );
            }
        }
        row
    }

    fn enter(&mut self, position: usize, unit: u32, row: usize) {
        let units = self.units();
        self.rows[position * units + unit as usize] = u16::try_from(row).unwrap_or(NOWHERE);
        if let Some(sort) = self.sort_of(position, unit) {
            let rows = self.shape.spaces + 1;
            let sorts = self.sorts.all.len();
            self.count[(position * sorts + sort) * rows + row] += 1;
            put(&mut self.stands[(position / BLOCK * sorts + sort) * rows + row], position, true);
        }
    }
}

/// Sets or clears the bit of a position.
fn put(row: &mut Line, position: usize, yes: bool) {
    let word = &mut row.0[position % BLOCK / 64];
    let bit = 1 << (position % 64);
    *word = if yes { *word | bit } else { *word & !bit };
}

/// What the planes of a block say of each sort.
struct Answered<'p> {
    sorts: &'p Sorts,
    planes: &'p [Row<WIDE>],
    rows: usize,
    stands: &'p [Line],
    /// One plane to work with.
    answer: &'p mut [Row<WIDE>],
    yes: &'p mut [Line],
}

impl pulp::WithSimd for Answered<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let rows = self.rows;
        for ((sort, stands), yes) in self
            .sorts
            .all
            .iter()
            .zip(self.stands.chunks_exact(rows))
            .zip(self.yes.chunks_exact_mut(rows))
        {
            let Some(rule) = &sort.rule else {
                yes.fill(Line::default());
                continue;
            };
            match rule {
                Rule::Plane(at) => {
                    let plane = &self.planes[*at as usize * rows..][..rows];
                    for ((yes, stands), plane) in yes.iter_mut().zip(stands).zip(plane) {
                        for ((yes, stands), plane) in yes.0.iter_mut().zip(&stands.0).zip(plane) {
                            *yes = stands & plane;
                        }
                    }
                }
                Rule::Mixed(when) => {
                    for (row, ((yes, stands), answer)) in
                        yes.iter_mut().zip(stands).zip(self.answer.iter_mut()).enumerate()
                    {
                        word(when, self.planes, rows, row, answer);
                        for ((yes, stands), answer) in yes.0.iter_mut().zip(&stands.0).zip(&*answer)
                        {
                            *yes = stands & answer;
                        }
                    }
                }
            }
        }
    }
}

/// What a rule says of one row.
pub(super) fn word(
    when: &When,
    planes: &[Row<WIDE>],
    rows: usize,
    row: usize,
    out: &mut Row<WIDE>,
) {
    match when {
        When::Rows(mask) => *out = [mask[row]; WIDE],
        When::Plane(at) => *out = planes[*at as usize * rows + row],
        When::ByRow(at) => *out = planes[at[row] as usize * rows + row],
        When::Not(inner) => {
            word(inner, planes, rows, row, out);
            out.iter_mut().for_each(|w| *w = !*w);
        }
        When::All(parts) | When::One(parts) => {
            let all = matches!(when, When::All(_));
            *out = [if all { u64::MAX } else { 0 }; WIDE];
            let mut part = [0; WIDE];
            for inner in parts {
                word(inner, planes, rows, row, &mut part);
                for (out, part) in out.iter_mut().zip(&part) {
                    *out = if all { *out & part } else { *out | part };
                }
            }
        }
    }
}
