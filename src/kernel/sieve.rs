//! Puts units into planes and reads their answers there, a byte a position at a time.
//!
//! A unit stands in one row of 256 at most: five bits say in which eight rows, three in which of them. So one comparison of
//! a byte for each eight rows puts a unit of 512 positions into all planes, or reads it there, and no position is looked
//! at by itself. Of large maps there are too many eights of rows: they go unit by unit ([`super::flags`]).

use super::turn::{BLOCK, Column, Eight, Line, WIDE, bytes, column_of, row_of, rows_of};

/// The lowest bit of each byte.
const LOWEST: u64 = 0x0101_0101_0101_0101;

/// For each position the bit of its place among eight.
const OWN: Column = {
    let mut own = Column::of(0);
    let mut at = 0;
    while at < BLOCK {
        own.0[at] = 1 << (at % 8);
        at += 1;
    }
    own
};

/// Where the units of a block stand.
#[derive(Debug, Clone, Default)]
pub(super) struct Sieve {
    /// For each unit in which eight rows it stands; the last is nobody, who stands nowhere.
    high: Vec<Column>,
    /// For each unit the bit of its row among eight.
    low: Vec<Column>,
    /// Columns to work with.
    work: Vec<Column>,
    /// Bits of codes to work with.
    codes: Vec<Line>,
}

impl Sieve {
    /// Room for so many units.
    pub(super) fn resize(&mut self, units: usize, rows: usize) {
        self.high.resize(units + 1, Column::of(0));
        self.low.resize(units + 1, Column::of(0));
        self.high[units] = Column::of(0);
        self.low[units] = Column::of(0);
        self.work.resize(rows.div_ceil(8).next_multiple_of(4), Column::of(0));
    }

    /// The rows of units, to be written before [`Sieve::split`].
    pub(super) fn rows_mut(&mut self) -> &mut [Column] {
        let units = self.high.len() - 1;
        &mut self.high[..units]
    }

    /// Takes in where units stand: a byte a unit, and a row of bytes a position of the block. What is behind the end of a
    /// row, and what is behind the last position, is 255.
    #[inline(always)]
    pub(super) fn read<'r>(&mut self, positions: usize, row: impl Fn(usize) -> &'r [u8]) {
        let units = self.high.len() - 1;
        for e in 0..WIDE {
            let rows = octet_rows(positions, e, &row);
            for first in (0..units).step_by(8) {
                let mut lines = eights(&rows, first, u64::MAX);
                bytes(&mut lines);
                for (column, line) in self.high[first..units].iter_mut().zip(&lines) {
                    column.set_octet(e, line);
                }
            }
        }
    }

    /// Tells the eight rows from the row among them; rows behind the last are the last.
    #[inline(always)]
    pub(super) fn split(&mut self, last: u8) {
        let units = self.high.len() - 1;
        for (high, low) in self.high.iter_mut().zip(&mut self.low).take(units) {
            for (high, low) in high.0.iter_mut().zip(&mut low.0) {
                let row = (*high).min(last);
                *high = row >> 3;
                let bit = if row & 1 == 0 { 1u8 } else { 2 };
                let bit = if row & 2 == 0 { bit } else { bit << 2 };
                *low = if row & 4 == 0 { bit } else { bit << 4 };
            }
        }
    }

    /// The plane of some units: where any of them stands.
    #[inline(always)]
    pub(super) fn place(&mut self, units: &[u32], plane: &mut [Line]) {
        let nobody = self.high.len() - 1;
        for (first, four) in (0u8..).step_by(4).zip(self.work.as_chunks_mut::<4>().0) {
            four.fill(Column::of(0));
            for units in units.chunks(4) {
                let at = |nth: usize| units.get(nth).map_or(nobody, |u| *u as usize);
                let of = [0, 1, 2, 3].map(|nth| (&self.high[at(nth)], &self.low[at(nth)]));
                join(four, of, first);
            }
        }
        for (rows, column) in plane.chunks_mut(8).zip(&self.work) {
            for (row, line) in rows.iter_mut().zip(rows_of(column)) {
                *row = line;
            }
        }
    }

    /// What a plane says of the row of a unit; the plane as [`table`] made it.
    #[inline(always)]
    pub(super) fn pick(&self, unit: u32, table: &[Eight<Column>]) -> Line {
        let (high, low) = (&self.high[unit as usize], &self.low[unit as usize]);
        let mut found = Column::of(0);
        for (first, eight) in (0u8..).step_by(8).zip(table) {
            pick(&mut found, high, eight, first);
        }
        for ((found, low), own) in found.0.iter_mut().zip(&low.0).zip(&OWN.0) {
            *found = if *found & low == 0 { 0 } else { *own };
        }
        row_of(&found)
    }

    /// Takes in who controls the spaces: a byte a space, a side's place plus 1, and a row of bytes a position of the block.
    /// What is behind the end of a row, and a byte that is no side's, is nobody's. The planes of the sides follow one another.
    #[inline(always)]
    pub(super) fn control<'r>(&mut self, positions: usize, row: impl Fn(usize) -> &'r [u8], spaces: usize, planes: &mut [Line]) {
        let sides = planes.len() / spaces.max(1);
        if sides == 0 {
            return;
        }
        let bits = (usize::BITS - sides.leading_zeros()) as usize;
        let high = LOWEST * ((0xff << bits) & 0xff);
        self.codes.resize(spaces.div_ceil(8) * bits * 8, Line::default());
        for e in 0..WIDE {
            let rows = octet_rows(positions, e, &row);
            for (first, codes) in (0..spaces).step_by(8).zip(self.codes.chunks_exact_mut(bits * 8)) {
                let mut lines = eights(&rows, first, 0);
                if lines.iter().fold(0, |any, line| any | line.0.iter().fold(0, |a, w| a | w & high)) != 0 {
                    lines.iter_mut().flat_map(|l| &mut l.0).for_each(|w| *w = known(*w, sides));
                }
                for (bit, codes) in codes.chunks_exact_mut(8).enumerate() {
                    let mut sum = Line::default();
                    for (p, line) in lines.iter().enumerate() {
                        for (sum, word) in sum.0.iter_mut().zip(line.0) {
                            *sum |= (word >> bit & LOWEST) << p;
                        }
                    }
                    codes[e] = sum;
                }
            }
        }
        for (nth, codes) in self.codes.chunks_exact_mut(bits * 8).enumerate() {
            let codes = codes.as_chunks_mut::<8>().0;
            codes.iter_mut().for_each(bytes);
            for (side, plane) in planes.chunks_exact_mut(spaces).enumerate() {
                for (at, row) in plane[nth * 8..].iter_mut().enumerate().take(8) {
                    let mut all = Line([u64::MAX; WIDE]);
                    for (bit, code) in codes.iter().enumerate() {
                        let contrary = if (side + 1) >> bit & 1 == 1 { 0 } else { u64::MAX };
                        for (all, word) in all.0.iter_mut().zip(code[at].0) {
                            *all &= word ^ contrary;
                        }
                    }
                    *row = all;
                }
            }
        }
    }
}

/// A plane as units read it: for each eight rows a column whose bytes hold their bits. Rows behind the end say no.
#[inline(always)]
pub(super) fn table(plane: &[[u64; WIDE]], table: &mut [Eight<Column>]) {
    for (nth, column) in table.as_flattened_mut().iter_mut().enumerate() {
        let mut rows = [Line::default(); 8];
        for (line, row) in rows.iter_mut().zip(plane.get(nth * 8..).unwrap_or_default()) {
            *line = Line(*row);
        }
        column_of(rows, column);
    }
}

/// Adds four units to the columns of four times eight rows.
#[inline(always)]
fn join(out: &mut [Column; 4], of: [(&Column, &Column); 4], first: u8) {
    let [(high_0, low_0), (high_1, low_1), (high_2, low_2), (high_3, low_3)] = of;
    let [out_0, out_1, out_2, out_3] = out;
    let [at_0, at_1, at_2, at_3] = [0, 1, 2, 3].map(|n| first.wrapping_add(n));
    // Written out, for loops over four within a loop over positions do not become vectors.
    let is = |high: u8, at: u8, low: u8| if high == at { low } else { 0 };
    for p in 0..BLOCK {
        let (h0, h1, h2, h3) = (high_0.0[p], high_1.0[p], high_2.0[p], high_3.0[p]);
        let (l0, l1, l2, l3) = (low_0.0[p], low_1.0[p], low_2.0[p], low_3.0[p]);
        out_0.0[p] |= is(h0, at_0, l0) | is(h1, at_0, l1) | is(h2, at_0, l2) | is(h3, at_0, l3);
        out_1.0[p] |= is(h0, at_1, l0) | is(h1, at_1, l1) | is(h2, at_1, l2) | is(h3, at_1, l3);
        out_2.0[p] |= is(h0, at_2, l0) | is(h1, at_2, l1) | is(h2, at_2, l2) | is(h3, at_2, l3);
        out_3.0[p] |= is(h0, at_3, l0) | is(h1, at_3, l1) | is(h2, at_3, l2) | is(h3, at_3, l3);
    }
}

/// Adds the byte of the eight rows in which a unit stands, where it is one of these eights.
#[inline(always)]
fn pick(found: &mut Column, high: &Column, table: &Eight<Column>, first: u8) {
    let [t0, t1, t2, t3, t4, t5, t6, t7] = table;
    let is = |high: u8, at: u8, byte: u8| if high == at { byte } else { 0 };
    for p in 0..BLOCK {
        let h = high.0[p].wrapping_sub(first);
        found.0[p] |= is(h, 0, t0.0[p])
            | is(h, 1, t1.0[p])
            | is(h, 2, t2.0[p])
            | is(h, 3, t3.0[p])
            | is(h, 4, t4.0[p])
            | is(h, 5, t5.0[p])
            | is(h, 6, t6.0[p])
            | is(h, 7, t7.0[p]);
    }
}

/// The rows of an octet, by word and place in it; nothing behind the last position.
#[inline(always)]
fn octet_rows<'r>(positions: usize, e: usize, row: &impl Fn(usize) -> &'r [u8]) -> [[&'r [u8]; 8]; WIDE] {
    std::array::from_fn(|w| {
        std::array::from_fn(|p| {
            let position = w * 64 + e * 8 + p;
            if position < positions { row(position) } else { &[] }
        })
    })
}

/// Eight bytes of each row of an octet.
#[inline(always)]
fn eights(rows: &[[&[u8]; 8]; WIDE], from: usize, behind: u64) -> Eight<Line> {
    std::array::from_fn(|p| Line(std::array::from_fn(|w| eight(rows[w][p], from, behind))))
}

/// Eight bytes of a row; those behind its end are as said.
#[inline(always)]
fn eight(row: &[u8], from: usize, behind: u64) -> u64 {
    let Some(left) = row.get(from..) else { return behind };
    if let Some(eight) = left.first_chunk() {
        return u64::from_le_bytes(*eight);
    }
    let bits = left.len() * 8;
    match row.last_chunk() {
        // Eight bytes that reach back before those wanted.
        Some(last) if bits > 0 => u64::from_le_bytes(*last) >> (64 - bits) | behind << bits,
        _ => left.iter().rev().fold(behind, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Eight codes without those that are no side's.
#[cold]
fn known(word: u64, sides: usize) -> u64 {
    u64::from_le_bytes(word.to_le_bytes().map(|b| if usize::from(b) <= sides { b } else { 0 }))
}
