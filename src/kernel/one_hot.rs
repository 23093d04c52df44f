//! Puts units into planes and reads their answers there, a byte a position at a time.
//!
//! A unit stands in one row of 256 at most: five bits say in which eight rows, three in which of
//! them. So one comparison of a byte for each eight rows puts a unit of 512 positions into all
//! planes, or reads it there, and no position is looked at by itself. Of large maps there are too
//! many eights of rows: they go unit by unit ([`super::flags`]).

use super::transpose::{
    BLOCK, Column, Eight, Line, WIDE, bytes, column_of, row_of, rows_of, vectorization_barrier,
};

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
pub(super) struct OneHot {
    /// For each unit in which eight rows it stands; the last is nobody, who stands nowhere.
    high: Vec<Column>,
    /// For each unit the bit of its row among eight.
    low: Vec<Column>,
    /// Bits of codes to work with.
    codes: Vec<Line>,
}

impl OneHot {
    /// Room for so many units.
    pub(super) fn resize(&mut self, units: usize) {
        self.high.resize(units + 1, Column::of(0));
        self.low.resize(units + 1, Column::of(0));
        self.high[units] = Column::of(0);
        self.low[units] = Column::of(0);
    }

    /// The rows of units, to be written before [`OneHot::split`].
    pub(super) fn rows_mut(&mut self) -> &mut [Column] {
        let units = self.high.len() - 1;
        &mut self.high[..units]
    }

    /// Takes in where units stand: a byte a unit, and a row of bytes a position of the block. What
    /// is behind the end of a row, and what is behind the last position, is 255.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn read<'r>(&mut self, positions: usize, row: impl Fn(usize) -> &'r [u8]) {
        let units = self.high.len() - 1;
        let columns = &mut self.high[..units];
        for window in Window::over(units) {
            for (w, e) in OCTETS {
                let mut lines = window.lines(positions, &row, w, e, u64::MAX);
                bytes(&mut lines);
                for (lane, start) in window.starts.iter().enumerate() {
                    vectorization_barrier();
                    match columns[*start..].first_chunk_mut() {
                        Some(columns) => scatter(columns, &lines, lane, e * WIDE + w),
                        None => {
                            for (column, line) in columns[*start..].iter_mut().zip(&lines) {
                                column.0.as_chunks_mut().0[e * WIDE + w] =
                                    line.0[lane].to_le_bytes();
                            }
                        }
                    }
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
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn place(&mut self, units: &[u32], plane: &mut [Line]) {
        let nobody = self.high.len() - 1;
        // Room for a plane ends where eight rows do, so there are so many fours of columns, and
        // perhaps half a one.
        for (first, rows) in (0u8..).step_by(4).zip(plane.chunks_mut(4 * 8)) {
            let mut four = [Column::of(0); 4];
            for units in units.chunks(4) {
                let mut of = [nobody; 4];
                for (at, unit) in of.iter_mut().zip(units) {
                    *at = *unit as usize;
                }
                join(&mut four, &self.high, &self.low, of, first);
            }
            for (rows, column) in rows.as_chunks_mut().0.iter_mut().zip(&four) {
                vectorization_barrier();
                *rows = rows_of(column);
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

    /// Takes in who controls the spaces: a byte a space, a side's place plus 1, and a row of bytes
    /// a position of the block. What is behind the end of a row, and a byte that is no side's, is
    /// nobody's. The planes of the sides follow one another.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn control<'r>(
        &mut self,
        positions: usize,
        row: impl Fn(usize) -> &'r [u8],
        spaces: usize,
        planes: &mut [Line],
    ) {
        let sides = planes.len() / spaces.max(1);
        if sides == 0 {
            return;
        }
        let bits = (usize::BITS - sides.leading_zeros()) as usize;
        let each = bits * WIDE * 8;
        self.codes.resize(spaces.div_ceil(64) * each, Line::default());
        // Codes of no side are rare, and looking for them one by one costs as much as all the rest.
        if !self.codes_of::<false>(positions, &row, spaces, sides) {
            self.codes_of::<true>(positions, &row, spaces, sides);
        }
        for (window, codes) in Window::over(spaces).zip(self.codes.chunks_exact_mut(each)) {
            for w in 0..WIDE {
                for codes in codes.chunks_exact_mut(WIDE * 8) {
                    vectorization_barrier();
                    bytes(&mut codes.as_chunks_mut().0[w]);
                }
                for (side, plane) in planes.chunks_exact_mut(spaces).enumerate() {
                    for at in 0..8 {
                        vectorization_barrier();
                        let mut all = Line([u64::MAX; WIDE]);
                        for (bit, codes) in codes.chunks_exact(WIDE * 8).enumerate() {
                            let contrary = if (side + 1) >> bit & 1 == 1 { 0 } else { u64::MAX };
                            for (all, word) in all.0.iter_mut().zip(codes[w * 8 + at].0) {
                                *all &= word ^ contrary;
                            }
                        }
                        for (start, word) in window.starts.iter().zip(all.0) {
                            if let Some(row) = plane.get_mut(start + at) {
                                row.0[w] = word;
                            }
                        }
                    }
                }
            }
        }
    }

    /// The bits of the codes of all spaces, by window; whether none has a bit that no side's code
    /// has. All bytes must be codes, or are made so first.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn codes_of<'r, const CLEAN: bool>(
        &mut self,
        positions: usize,
        row: &impl Fn(usize) -> &'r [u8],
        spaces: usize,
        sides: usize,
    ) -> bool {
        let bits = (usize::BITS - sides.leading_zeros()) as usize;
        let mut any = Line::default();
        for (w, e) in OCTETS {
            // All windows of a row in turn, for rows of a block do not stay in the nearest cache.
            for (window, codes) in
                Window::over(spaces).zip(self.codes.chunks_exact_mut(bits * WIDE * 8))
            {
                let mut lines = window.lines(positions, row, w, e, 0);
                if CLEAN {
                    known(&mut lines, sides);
                }
                for line in &lines {
                    for (any, word) in any.0.iter_mut().zip(line.0) {
                        *any |= word;
                    }
                }
                for (bit, codes) in codes.chunks_exact_mut(WIDE * 8).enumerate() {
                    vectorization_barrier();
                    codes[w * 8 + e] = bit_of(&lines, bit);
                }
            }
        }
        let high = LOWEST * ((0xff << bits) & 0xff);
        any.0.iter().all(|word| word & high == 0)
    }
}

/// Sixty-four cells of a row at most, as eight words: where in the row each word begins. Windows
/// over a row may overlap.
struct Window {
    starts: [usize; WIDE],
    /// How many words that follow one another are read at once.
    run: usize,
}

impl Window {
    /// Windows that together see so many cells.
    fn over(cells: usize) -> impl Iterator<Item = Window> {
        let (run, last) = match cells {
            64.. => (8, cells - 64),
            32.. => (4, cells - 32),
            _ => (1, 0),
        };
        (0..cells).step_by(64).map(move |first| {
            let mut starts = [0; WIDE];
            for (lane, start) in starts.iter_mut().enumerate() {
                *start = match run {
                    8 => first.min(last) + lane * 8,
                    4 if lane < 4 => lane * 8,
                    4 => last + (lane - 4) * 8,
                    // What is behind the end is behind all cells.
                    _ => (lane * 8).min(cells),
                };
            }
            Window { starts, run }
        })
    }

    /// What it sees of eight positions that lie together; what is behind the end of a row, or of
    /// all rows, is as said.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn lines<'r>(
        &self,
        positions: usize,
        row: &impl Fn(usize) -> &'r [u8],
        w: usize,
        e: usize,
        behind: u64,
    ) -> Eight<Line> {
        let first = w * 64 + e * 8;
        let mut lines = [Line([behind; WIDE]); 8];
        if first + 8 <= positions {
            for (line, position) in lines.iter_mut().zip(first..) {
                vectorization_barrier();
                self.line(row(position), behind, line);
            }
        } else {
            for (line, position) in lines.iter_mut().zip(first..positions.max(first)) {
                vectorization_barrier();
                self.line(row(position), behind, line);
            }
        }
        lines
    }

    /// Each way writes its own words: of what ways have in common the compiler makes eight words,
    /// and no vector.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn line(&self, row: &[u8], behind: u64, line: &mut Line) {
        if self.run == 8
            && let Some(all) = chunk(row, self.starts[0])
        {
            *line = Line::of_bytes(all);
            return;
        }
        if self.run == 4
            && let (Some(a), Some(b)) =
                (chunk::<32>(row, self.starts[0]), chunk::<32>(row, self.starts[4]))
        {
            let (low, high) = line.0.split_at_mut(4);
            low.copy_from_slice(&half(a));
            high.copy_from_slice(&half(b));
            return;
        }
        for (word, start) in line.0.iter_mut().zip(self.starts) {
            *word = eight(row, start, behind);
        }
    }
}

/// The words of half a line.
#[inline(always)]
fn half(bytes: &[u8; 32]) -> [u64; 4] {
    let mut words: [u64; 4] = pulp::cast(*bytes);
    for word in &mut words {
        *word = u64::from_le(*word);
    }
    words
}

/// All octets of a block: the word, and the place in it.
const OCTETS: [(usize, usize); 64] = {
    let mut octets = [(0, 0); 64];
    let mut at = 0;
    while at < 64 {
        octets[at] = (at / 8, at % 8);
        at += 1;
    }
    octets
};

/// Writes a word of each line into a column of its own, as the bytes of eight positions.
#[inline(always)]
fn scatter(columns: &mut Eight<Column>, lines: &Eight<Line>, lane: usize, at: usize) {
    for (column, line) in columns.iter_mut().zip(lines) {
        column.0.as_chunks_mut().0[at] = line.0[lane].to_le_bytes();
    }
}

#[inline(always)]
fn chunk<const N: usize>(row: &[u8], start: usize) -> Option<&[u8; N]> {
    row.get(start..)?.first_chunk()
}

/// One bit of the bytes of eight lines: bit `p` of each byte is that of line `p`.
#[inline(always)]
fn bit_of([a, b, c, d, e, f, g, h]: &Eight<Line>, bit: usize) -> Line {
    let mut line = Line::default();
    for (w, sum) in line.0.iter_mut().enumerate() {
        let of = |line: &Line| line.0[w] >> bit & LOWEST;
        *sum = of(a)
            | of(b) << 1
            | of(c) << 2
            | of(d) << 3
            | of(e) << 4
            | of(f) << 5
            | of(g) << 6
            | of(h) << 7;
    }
    line
}

/// A plane as units read it: for each eight rows a column whose bytes hold their bits. Rows behind
/// the end say no.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn table(plane: &[[u64; WIDE]], table: &mut [Eight<Column>]) {
    let (eights, rest) = plane.as_chunks();
    let table = table.as_flattened_mut();
    for (column, [a, b, c, d, e, f, g, h]) in table.iter_mut().zip(eights) {
        vectorization_barrier();
        column_of(
            [Line(*a), Line(*b), Line(*c), Line(*d), Line(*e), Line(*f), Line(*g), Line(*h)],
            column,
        );
    }
    let mut last = [Line::default(); 8];
    for (line, row) in last.iter_mut().zip(rest) {
        *line = Line(*row);
    }
    if let Some((column, behind)) = table.get_mut(eights.len()..).and_then(|t| t.split_first_mut())
    {
        column_of(last, column);
        behind.fill(Column::of(0));
    }
}

/// Adds four units to the columns of four times eight rows.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn join(
    out: &mut [Column; 4],
    high: &[Column],
    low: &[Column],
    [a, b, c, d]: [usize; 4],
    first: u8,
) {
    let (high_0, high_1, high_2, high_3) = (&high[a], &high[b], &high[c], &high[d]);
    let (low_0, low_1, low_2, low_3) = (&low[a], &low[b], &low[c], &low[d]);
    let [out_0, out_1, out_2, out_3] = out;
    let (at_0, at_1, at_2, at_3) =
        (first, first.wrapping_add(1), first.wrapping_add(2), first.wrapping_add(3));
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
        _ => few(left, behind),
    }
}

/// The bytes of a row of less than eight.
#[cold]
fn few(row: &[u8], behind: u64) -> u64 {
    row.iter().rev().fold(behind, |word, byte| word << 8 | u64::from(*byte))
}

/// Codes without those that are no side's.
#[cold]
fn known(lines: &mut Eight<Line>, sides: usize) {
    for word in lines.iter_mut().flat_map(|line| &mut line.0) {
        *word = u64::from_le_bytes(
            word.to_le_bytes().map(|b| if usize::from(b) <= sides { b } else { 0 }),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: u64) -> impl FnMut(usize) -> usize {
        let mut state = seed;
        move |below| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        }
    }

    fn bit(line: &Line, position: usize) -> bool {
        line.0[position / 64] >> (position % 64) & 1 == 1
    }

    #[test]
    fn units_are_placed_and_read_as_one_by_one() {
        for (seed, units) in
            [1, 5, 8, 13, 31, 32, 40, 60, 63, 64, 65, 100, 200].into_iter().enumerate()
        {
            let mut dice = noise(seed as u64);
            let spaces = 1 + dice(255);
            let (rows, positions) = (spaces + 1, 1 + dice(BLOCK));
            let mut row = |_| {
                let long = if dice(3) == 0 { dice(units + 70) } else { units };
                (0..long)
                    .map(|_| dice(if long % 2 == 0 { spaces } else { 256 }) as u8)
                    .collect::<Vec<u8>>()
            };
            let kept: Vec<Vec<u8>> = (0..positions).map(&mut row).collect();
            let at = |position: usize, unit: usize| {
                let cell =
                    kept.get(position).and_then(|row| row.get(unit)).copied().unwrap_or(u8::MAX);
                usize::from(cell).min(spaces)
            };
            let mut one_hot = OneHot::default();
            one_hot.resize(units);
            one_hot.read(positions, |position| &kept[position]);
            one_hot.split(spaces as u8);
            let some: Vec<u32> = (0..units as u32).filter(|_| dice(2) == 0).collect();
            let mut plane = vec![Line([u64::MAX; WIDE]); rows.next_multiple_of(8)];
            one_hot.place(&some, &mut plane);
            let said: Vec<[u64; WIDE]> = (0..rows)
                .map(|_| std::array::from_fn(|_| (dice(1 << 31) << 33 ^ dice(1 << 31) << 5) as u64))
                .collect();
            let mut tables = vec![[Column::of(9); 8]; rows.div_ceil(64)];
            table(&said, &mut tables);
            for position in 0..BLOCK {
                for (row, line) in plane.iter().enumerate().take(rows) {
                    let ours = some.iter().any(|u| at(position, *u as usize) == row);
                    assert_eq!(
                        bit(line, position),
                        ours,
                        "{units} units, row {row}, position {position}"
                    );
                }
            }
            for unit in 0..units {
                let found = one_hot.pick(unit as u32, &tables);
                for position in 0..BLOCK {
                    let ours = bit(&Line(said[at(position, unit)]), position);
                    assert_eq!(
                        bit(&found, position),
                        ours,
                        "{units} units, unit {unit}, position {position}"
                    );
                }
            }
        }
    }

    #[test]
    fn control_is_read_as_byte_by_byte() {
        for (seed, spaces) in [1, 7, 8, 20, 32, 63, 64, 120, 128, 200, 255].into_iter().enumerate()
        {
            for sides in [1, 2, 3, 4, 8, 200] {
                let mut dice = noise(seed as u64 * 7 + sides as u64);
                let positions = 1 + dice(BLOCK);
                let mut row = |_| {
                    let long = if dice(3) == 0 { dice(spaces + 70) } else { spaces };
                    (0..long)
                        .map(|_| if dice(9) == 0 { dice(256) } else { dice(sides + 1) } as u8)
                        .collect::<Vec<u8>>()
                };
                let kept: Vec<Vec<u8>> = (0..positions).map(&mut row).collect();
                let mut one_hot = OneHot::default();
                let mut planes = vec![Line([u64::MAX; WIDE]); sides * spaces];
                one_hot.control(positions, |position| &kept[position], spaces, &mut planes);
                for (at, line) in planes.iter().enumerate() {
                    for position in 0..BLOCK {
                        let code = kept
                            .get(position)
                            .and_then(|row| row.get(at % spaces))
                            .copied()
                            .unwrap_or(0);
                        let ours = usize::from(code) == at / spaces + 1;
                        assert_eq!(
                            bit(line, position),
                            ours,
                            "{sides} sides, {spaces} spaces, plane {at}, position {position}"
                        );
                    }
                }
            }
        }
    }
}
