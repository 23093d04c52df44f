//! Bytes and bits of many positions transposed: from a byte a position to a word of 64 positions,
//! and back.
//!
//! All of it works on eight words side by side, each by itself, so that the machine's widest words
//! serve without moving anything from one of them to another. That asks for an order of its own: a
//! block is 512 positions, and in a [`Column`] of bytes position `64 w + 8 e + p` stands at `64 e +
//! 8 w + p`. So an **octet** `e` is a [`Line`] of eight words, of which word `w` holds eight
//! positions that lie together.

/// Words of a line.
pub(super) const WIDE: usize = 8;
/// Positions of a block.
pub(super) const BLOCK: usize = WIDE * 64;

/// Eight words: a row of a plane, or an octet of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Line(pub [u64; WIDE]);

/// A byte a position of a block.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Column(pub [u8; BLOCK]);

/// Eight columns or lines that follow one another.
pub(super) type Eight<T> = [T; 8];

impl Column {
    /// The same byte in all positions.
    pub(super) const fn of(byte: u8) -> Column {
        Column([byte; BLOCK])
    }

    /// An octet.
    #[inline(always)]
    pub(super) fn octet(&self, e: usize) -> Line {
        Line::of_bytes(&self.0.as_chunks().0[e])
    }

    #[inline(always)]
    pub(super) fn set_octet(&mut self, e: usize, line: &Line) {
        self.0.as_chunks_mut().0[e] = line.to_bytes();
    }
}

impl Line {
    /// The words of these bytes, the lowest first. A cast and not words one by one, for of those
    /// the compiler makes a vector out of pieces.
    #[inline(always)]
    pub(super) fn of_bytes(bytes: &[u8; 64]) -> Line {
        let mut words: [u64; WIDE] = pulp::cast(*bytes);
        for word in &mut words {
            *word = u64::from_le(*word);
        }
        Line(words)
    }

    #[inline(always)]
    pub(super) fn to_bytes(self) -> [u8; 64] {
        let mut words = self.0;
        for word in &mut words {
            *word = word.to_le();
        }
        pulp::cast(words)
    }
}

/// Turns eight lines, word by word: byte `j` of line `i` becomes byte `i` of line `j`.
#[inline(always)]
pub(super) fn bytes(lines: &mut Eight<Line>) {
    for a in 0..4 {
        swap(lines, a, a + 4, 32, 0x0000_0000_ffff_ffff);
    }
    for a in [0, 1, 4, 5] {
        swap(lines, a, a + 2, 16, 0x0000_ffff_0000_ffff);
    }
    for a in [0, 2, 4, 6] {
        swap(lines, a, a + 1, 8, 0x00ff_00ff_00ff_00ff);
    }
}

/// Changes the higher part of each word of one line for the lower part of another one behind it.
#[inline(always)]
fn swap(lines: &mut Eight<Line>, a: usize, b: usize, by: u32, mask: u64) {
    let (before, behind) = lines.split_at_mut(b);
    for (a, b) in before[a].0.iter_mut().zip(&mut behind[0].0) {
        let other = (*a >> by ^ *b) & mask;
        *b ^= other;
        *a ^= other << by;
    }
}

/// Turns the bits of each word: bit `j` of byte `i` becomes bit `i` of byte `j`.
#[inline(always)]
pub(super) fn bits(line: &mut Line) {
    for word in &mut line.0 {
        let other = (*word ^ *word >> 7) & 0x00aa_00aa_00aa_00aa;
        *word ^= other ^ other << 7;
        let other = (*word ^ *word >> 14) & 0x0000_cccc_0000_cccc;
        *word ^= other ^ other << 14;
        let other = (*word ^ *word >> 28) & 0x0000_0000_f0f0_f0f0;
        *word ^= other ^ other << 28;
    }
}

/// The rows of planes whose bits stand in the bytes of a column: bit `b` of each byte in row `b`.
#[inline(always)]
pub(super) fn rows_of(column: &Column) -> Eight<Line> {
    let mut lines = octets(column);
    all_bits(&mut lines);
    bytes(&mut lines);
    lines
}

/// The column whose bytes hold the bits of eight rows of planes: the contrary of [`rows_of`].
#[inline(always)]
pub(super) fn column_of(mut rows: Eight<Line>, column: &mut Column) {
    bytes(&mut rows);
    all_bits(&mut rows);
    let [a, b, c, d, e, f, g, h] = &rows;
    column.set_octet(0, a);
    column.set_octet(1, b);
    column.set_octet(2, c);
    column.set_octet(3, d);
    column.set_octet(4, e);
    column.set_octet(5, f);
    column.set_octet(6, g);
    column.set_octet(7, h);
}

/// Written out, as all that is done to eight lines: of a loop over lines the compiler makes vectors
/// that gather words from everywhere, where a line is one already.
#[inline(always)]
fn all_bits([a, b, c, d, e, f, g, h]: &mut Eight<Line>) {
    bits(a);
    bits(b);
    bits(c);
    bits(d);
    bits(e);
    bits(f);
    bits(g);
    bits(h);
}

#[inline(always)]
fn octets(column: &Column) -> Eight<Line> {
    let of = |e: usize| column.octet(e);
    [of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)]
}

/// The row of a plane whose bits are 1 where the byte of a column is; a byte of position `p` of its
/// eight is 0 or `1 << p`.
#[inline(always)]
pub(super) fn row_of(column: &Column) -> Line {
    // Eight bytes of a word become one; two words are folded at once into one that holds both.
    let [a, b, c, d, e, f, g, h] = octets(column);
    let [a, b] = [fold(&a, &e, 32, 0x0000_0000_ffff_ffff), fold(&b, &f, 32, 0x0000_0000_ffff_ffff)];
    let [c, d] = [fold(&c, &g, 32, 0x0000_0000_ffff_ffff), fold(&d, &h, 32, 0x0000_0000_ffff_ffff)];
    let [a, b] = [fold(&a, &c, 16, 0x0000_ffff_0000_ffff), fold(&b, &d, 16, 0x0000_ffff_0000_ffff)];
    fold(&a, &b, 8, 0x00ff_00ff_00ff_00ff)
}

#[inline(always)]
fn fold(low: &Line, high: &Line, by: u32, mask: u64) -> Line {
    let mut line = Line::default();
    for ((out, low), high) in line.0.iter_mut().zip(low.0).zip(high.0) {
        *out = (low | low >> by) & mask | (high | high << by) & !mask;
    }
    line
}

/// Stands in a loop whose turns are each made of lines. The compiler would make vectors across the
/// turns, of words gathered from everywhere; it cannot where a turn does something that it does not
/// know.
#[inline(always)]
pub(super) fn vectorization_barrier() {
    std::hint::black_box(());
}

/// Room for so many words that begins where a line does.
pub(super) fn room(buffer: &mut Vec<u64>, words: usize) -> &mut [u64] {
    if buffer.len() < words + WIDE {
        buffer.resize(words + WIDE, 0);
    }
    let skip = before_line(buffer);
    &mut buffer[skip..skip + words]
}

/// How many words of a buffer stand before the first of its lines, fewer than a line has. Where
/// that cannot be told, any number is as good: nothing but time depends on it.
pub(super) fn before_line(buffer: &[u64]) -> usize {
    buffer.as_ptr().align_offset(align_of::<Line>()).min(WIDE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a position stands in a column.
    fn at(position: usize) -> usize {
        position % 64 / 8 * 64 + position / 64 * 8 + position % 8
    }

    fn noise(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 29
        }
    }

    #[test]
    fn bits_of_columns_are_rows_and_come_back() {
        for seed in 0..20 {
            let mut dice = noise(seed);
            let mut column = Column::of(0);
            column.0.iter_mut().for_each(|b| *b = dice() as u8);
            let rows = rows_of(&column);
            for position in 0..BLOCK {
                for (bit, row) in rows.iter().enumerate() {
                    let ours = row.0[position / 64] >> (position % 64) & 1;
                    assert_eq!(
                        ours,
                        u64::from(column.0[at(position)] >> bit & 1),
                        "position {position}, bit {bit}"
                    );
                }
            }
            let mut back = Column::of(7);
            column_of(rows, &mut back);
            assert_eq!(back.0, column.0);
        }
    }

    #[test]
    fn single_bits_of_a_column_are_one_row() {
        for seed in 0..20 {
            let mut dice = noise(seed);
            let mut column = Column::of(0);
            let yes: Vec<bool> = (0..BLOCK).map(|_| dice() >> 40 & 1 == 1).collect();
            for (position, yes) in yes.iter().enumerate() {
                column.0[at(position)] = u8::from(*yes) << (position % 8);
            }
            let row = row_of(&column);
            for (position, yes) in yes.iter().enumerate() {
                assert_eq!(
                    row.0[position / 64] >> (position % 64) & 1 == 1,
                    *yes,
                    "position {position}"
                );
            }
        }
    }
}
