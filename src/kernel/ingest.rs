//! Positions that a program keeps one after another, turned into columns and planes many at a time.

use std::sync::Arc;

use super::columns::{Batch, LANE, NOWHERE};
use super::fault::BatchFault;
use super::rows::{Cell, Rows};
use crate::ir::FactId;

/// Positions as columns: unit by unit where it stands in each, space by space who controls it.
#[derive(Debug, Clone, Copy)]
pub struct PositionColumns<'c> {
    /// How many positions there are.
    pub positions: usize,
    /// `[unit][position]`, the number of a space; [`NOWHERE`] off the map.
    pub stands: &'c [u16],
    /// `[space][position]`, the place of a side plus 1, and 0 for no side; empty where all are as
    /// the template has them.
    pub control: &'c [u8],
    /// Facts of units that differ, as positions keep them.
    pub facts: &'c [(FactId, u32, &'c [i64])],
}

impl Batch {
    /// Says of all positions where the units stand: `space(position, unit)`,
    /// [`super::columns::NOWHERE`] for off the map.
    pub fn fill_spaces(&mut self, space: impl Fn(usize, usize) -> u16) {
        let (stride, positions) = (self.stride(), self.positions);
        for start in (0..positions).step_by(LANE) {
            let end = positions.min(start + LANE);
            // A lane of one unit at a time, so that a lane of positions stays in the nearest cache.
            for (unit, column) in self.stands.chunks_exact_mut(stride).enumerate() {
                for (at, cell) in column[start..end].iter_mut().enumerate() {
                    *cell = space(start + at, unit);
                }
            }
        }
    }

    /// Takes in positions as a program keeps them.
    pub fn fill_rows<R: Rows>(&mut self, rows: &R) {
        self.fill_spaces(|position, unit| {
            rows.spaces(position).get(unit).map_or(NOWHERE, |cell| cell.space())
        });
        self.fill_control(|position| rows.control(position));
        for varying in 0..self.shape.varying.len() {
            let (fact, slot) = (self.shape.varying[varying].fact, self.shape.varying[varying].slot);
            let shape = Arc::clone(&self.shape);
            let (stride, units) = (self.stride(), self.units());
            for (unit, row) in
                shape.template.unit_facts.chunks(shape.template.unit_slots.max(1)).enumerate()
            {
                let template =
                    row.get(slot).and_then(|v| shape.varying[varying].code(*v)).unwrap_or(0);
                let column = &mut self.facts[(varying * units + unit) * stride..][..self.positions];
                for (position, cell) in column.iter_mut().enumerate() {
                    *cell = rows.fact(fact, position).get(unit).copied().unwrap_or(template);
                }
            }
        }
    }

    /// Takes in positions as columns.
    ///
    /// # Errors
    ///
    /// Columns of another length, or a fact that does not vary or cannot have such a value.
    pub fn fill_columns(&mut self, columns: &PositionColumns<'_>) -> Result<(), BatchFault> {
        let (positions, stride, units) = (self.positions, self.stride(), self.units());
        let control = columns.control.len();
        let whole = columns.positions == positions
            && columns.stands.len() == positions * units
            && (control == 0 || control == positions * self.shape.spaces);
        if !whole {
            return Err(BatchFault::OtherBatch);
        }
        let places = self.stands.chunks_exact_mut(stride.max(1));
        for (place, column) in places.zip(columns.stands.chunks_exact(positions.max(1))) {
            place[..positions].copy_from_slice(column);
        }
        for space in 0..self.shape.spaces {
            match columns.control.get(space * positions..(space + 1) * positions) {
                Some(column) => self.fill_space(space, column),
                None => self.as_template(space),
            }
        }
        self.fill_facts(columns.facts)
    }

    /// Says of all positions who controls a space.
    fn fill_space(&mut self, space: usize, column: &[u8]) {
        match self.shape.sides {
            0..=3 => self.fill_space_of::<2>(space, column),
            4..=15 => self.fill_space_of::<4>(space, column),
            _ => self.fill_space_of::<8>(space, column),
        }
    }

    /// The same where the codes of sides have so many bits.
    fn fill_space_of<const BITS: usize>(&mut self, space: usize, column: &[u8]) {
        let (spaces, lanes) = (self.shape.spaces, self.lanes);
        for (lane, bytes) in column.chunks(LANE).enumerate() {
            let planes = match bytes.as_array::<LANE>() {
                Some(bytes) => planes_of::<BITS>(bytes),
                None => {
                    let mut whole = [0; LANE];
                    whole[..bytes.len()].copy_from_slice(bytes);
                    planes_of(&whole)
                }
            };
            for side in 0..self.shape.sides {
                let code = side + 1;
                let part = |(bit, plane): (usize, &u64)| plane ^ sign(code >> bit & 1 == 0);
                let is_side = planes.iter().enumerate().map(part).fold(u64::MAX, |a, b| a & b);
                self.control[(side * spaces + space) * lanes + lane] = is_side;
            }
        }
    }

    /// All positions have a space as the template has it.
    fn as_template(&mut self, space: usize) {
        let own = u32::try_from(space).ok().and_then(|space| self.shape.template.control(space));
        let (spaces, lanes) = (self.shape.spaces, self.lanes);
        for (side, plane) in self.control.chunks_exact_mut(spaces * lanes).enumerate() {
            let yes = own.is_some_and(|own| own.index() == side);
            plane[space * lanes..(space + 1) * lanes].fill(sign(yes));
        }
    }

    /// Says the facts that vary: of units without a column as the template has them.
    fn fill_facts(&mut self, facts: &[(FactId, u32, &[i64])]) -> Result<(), BatchFault> {
        let shape = Arc::clone(&self.shape);
        for varying in &shape.varying {
            for unit in 0..u32::try_from(shape.template.units.len()).unwrap_or(u32::MAX) {
                let own = shape.template.row(unit).get(varying.slot);
                let code = own.and_then(|value| varying.code(*value)).unwrap_or(0);
                self.fact_column_mut(unit, varying.fact).fill(code);
            }
        }
        for (fact, unit, values) in facts {
            let varying = shape.varying_at(*fact).ok_or(BatchFault::NotOfUnits(*fact))?;
            for (cell, value) in self.fact_column_mut(*unit, *fact).iter_mut().zip(*values) {
                let code = shape.varying[varying].code(*value);
                *cell = code.ok_or(BatchFault::TooWide(*fact))?;
            }
        }
        Ok(())
    }

    /// Says of all positions a varying fact of some units, as codes: `code(position, nth unit of
    /// the list)`.
    pub fn fill_fact(&mut self, fact: FactId, units: &[u32], code: impl Fn(usize, usize) -> u16) {
        let positions = self.positions;
        for start in (0..positions).step_by(LANE) {
            let end = positions.min(start + LANE);
            for (nth, unit) in units.iter().enumerate() {
                if let Some(column) = self.fact_column_mut(*unit, fact).get_mut(start..end) {
                    for (at, cell) in column.iter_mut().enumerate() {
                        *cell = code(start + at, nth);
                    }
                }
            }
        }
    }

    /// Says of all positions who controls the spaces: a byte a space, a side's place plus 1, and 0
    /// for nobody. Spaces behind the end of a row, and sides there are not, count as nobody's.
    pub fn fill_control<'r>(&mut self, row: impl Fn(usize) -> &'r [u8]) {
        let bits = usize::BITS as usize - self.shape.sides.leading_zeros() as usize;
        // Eight spaces of eight lanes at a time, so that what is written lies together.
        let (lanes, spaces) = (self.lanes, self.shape.spaces);
        for (block, space) in
            (0..lanes).step_by(8).flat_map(|b| (0..spaces).step_by(8).map(move |s| (b, s)))
        {
            for lane in block..lanes.min(block + 8) {
                let mut rows: [&[u8]; LANE] = [&[]; LANE];
                for (at, cell) in rows.iter_mut().enumerate().take(self.positions - lane * LANE) {
                    *cell = row(lane * LANE + at);
                }
                let mut planes = [[0u64; 8]; 8];
                for (eight, rows) in rows.chunks_exact(8).enumerate() {
                    let codes = self.turn(rows, space, bits);
                    for (plane, code) in planes.iter_mut().zip(codes).take(bits) {
                        for (word, byte) in plane.iter_mut().zip(code.to_le_bytes()) {
                            *word |= u64::from(byte) << (eight * 8);
                        }
                    }
                }
                self.sides_of(lane, space, &planes[..bits]);
            }
        }
    }

    /// Eight spaces of eight positions: for each bit of a code a word whose byte is a space and
    /// whose bit a position.
    fn turn(&self, rows: &[&[u8]], space: usize, bits: usize) -> [u64; 8] {
        const LOWEST: u64 = 0x0101_0101_0101_0101;
        let high = LOWEST * ((0xff << bits) & 0xff);
        let mut codes = [0u64; 8];
        for (at, row) in rows.iter().enumerate() {
            let mut word = match row.get(space..).and_then(|r| r.first_chunk::<8>()) {
                Some(eight) => u64::from_le_bytes(*eight),
                None => row.iter().skip(space).rev().fold(0, |w, b| w << 8 | u64::from(*b)),
            };
            if word & high != 0 {
                word = self.known(word);
            }
            for (bit, code) in codes.iter_mut().enumerate().take(bits) {
                *code |= (word >> bit & LOWEST) << at;
            }
        }
        codes
    }

    /// The codes of eight spaces without those that are no side's.
    #[cold]
    fn known(&self, word: u64) -> u64 {
        u64::from_le_bytes(
            word.to_le_bytes().map(|b| if usize::from(b) <= self.shape.sides { b } else { 0 }),
        )
    }

    /// A plane a side from planes of the bits of its code.
    fn sides_of(&mut self, lane: usize, space: usize, planes: &[[u64; 8]]) {
        let (spaces, lanes) = (self.shape.spaces, self.lanes);
        for (side, plane) in self.control.chunks_exact_mut(spaces * lanes).enumerate() {
            let mut words = [u64::MAX; 8];
            for (bit, code) in planes.iter().enumerate() {
                let contrary = if (side + 1) >> bit & 1 == 1 { 0 } else { u64::MAX };
                for (word, code) in words.iter_mut().zip(code) {
                    *word &= code ^ contrary;
                }
            }
            for (row, word) in plane[space * lanes..].chunks_exact_mut(lanes).zip(words) {
                row[lane] = word;
            }
        }
    }
}

/// For each bit of a byte the positions of a lane that have it.
fn planes_of<const BITS: usize>(bytes: &[u8; LANE]) -> [u64; BITS] {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let mut planes = [0; BITS];
    for (eight, bytes) in bytes.as_chunks().0.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        for (bit, plane) in planes.iter_mut().enumerate() {
            // The lowest bit of each byte, gathered in the highest.
            let low = (word >> bit & LOWEST).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            *plane |= low << (eight * 8);
        }
    }
    planes
}

fn sign(yes: bool) -> u64 {
    if yes { u64::MAX } else { 0 }
}
