//! Where each space has its bit: hexes line by line, each line at the start of a word; other spaces
//! behind them.
//!
//! A line is a row of pointy hexes or a column of flat ones. Both then have the same six
//! neighbours: two in the line, and two in each line beside it, one of which has the same number.

use super::{Bits, Plane};
use crate::map::Map;

/// No space, or no cell.
pub(in crate::kernel) const NONE: u32 = u32::MAX;

/// So many words are worked on at once; planes are a multiple of them.
pub(in crate::kernel) const CHUNK: usize = 8;

/// Where each space has its bit.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Words of a line.
    pub words: usize,
    /// Lines of hexes; spaces that are no hexes stand in lines behind these.
    pub lines: usize,
    /// Words of all lines of hexes, and as many more as make whole chunks ([`CHUNK`]).
    pub ground: usize,
    /// Words of all spaces, a multiple of those of a line.
    pub size: usize,
    /// Every cell that is a hex.
    pub hexes: Bits,
    /// Every cell that is a space.
    pub spaces: Bits,
    /// All cells of the lines that stand half a hex farther than those beside them.
    pub shifted_lines: Plane,
    /// The columns of a map whose hexes are all there, of which cells are told by arithmetic; flat
    /// hexes have their lines down the columns.
    whole: Option<(u32, bool)>,
    /// Cells of a line.
    row: u32,
    /// The cells of all spaces, where they are not told by arithmetic.
    cell: Vec<u32>,
    space: Vec<u32>,
    /// Whether the first line stands half a hex farther than the second.
    first_shifted: bool,
}

impl Layout {
    pub(super) fn of(map: &Map) -> Layout {
        let count = map.spaces.len();
        let hexes = map.hexes();
        let (lines, length, flat) = match &map.grid {
            Some(grid) if grid.layout.flat => (grid.columns as usize, grid.rows as usize, true),
            Some(grid) => (grid.rows as usize, grid.columns as usize, false),
            None => (0, count.min(1 << 12), false),
        };
        // The last cell of a line is never a hex: what is moved along by one place never comes into
        // the next line.
        let words = whole_chunks((length + 1).div_ceil(64));
        let ground = (words * lines).next_multiple_of(CHUNK);
        let behind = count.saturating_sub(hexes).div_ceil(64);
        let size = (ground + behind).next_multiple_of(words);
        let mut layout = Layout {
            words,
            lines,
            ground,
            size,
            hexes: Bits::new(size),
            spaces: Bits::new(size),
            shifted_lines: Plane::new(ground),
            whole: None,
            row: u32::try_from(words * 64).unwrap_or(NONE),
            cell: Vec::with_capacity(count),
            space: vec![NONE; size * 64],
            first_shifted: map.grid.as_ref().is_some_and(|g| g.is_shifted(0, 0)),
        };
        for at in 0..count {
            let cell = match map.grid.as_ref().and_then(|g| g.places.get(at)) {
                Some(&(column, row)) if flat => usize::from(column) * words * 64 + usize::from(row),
                Some(&(column, row)) => usize::from(row) * words * 64 + usize::from(column),
                None => ground * 64 + (at - hexes),
            };
            let short = u32::try_from(cell).unwrap_or(NONE);
            layout.cell.push(short);
            layout.space[cell] = u32::try_from(at).unwrap_or(NONE);
            layout.spaces.set(short);
            if at < hexes {
                layout.hexes.set(short);
            }
        }
        for line in 0..lines {
            if !layout.shifted(line) {
                continue;
            }
            layout.shifted_lines.words_mut()[line * words..][..words].fill(u64::MAX);
        }
        let whole = map
            .grid
            .as_ref()
            .filter(|grid| hexes == count && grid.columns as usize * grid.rows as usize == count);
        layout.whole = whole.map(|grid| (grid.columns, flat));
        if layout.whole.is_some() {
            let told = (0..count).all(|at| {
                u32::try_from(at).is_ok_and(|space| layout.cell[at] == layout.cell(space))
            });
            if told {
                layout.cell = Vec::new();
            } else {
                layout.whole = None;
            }
        }
        layout
    }

    /// The bit of a space.
    #[inline]
    pub(in crate::kernel) fn cell(&self, space: u32) -> u32 {
        match self.whole {
            Some((columns, flat)) => {
                let (row, column) = (space / columns, space % columns);
                let (line, place) = if flat { (column, row) } else { (row, column) };
                line * self.row + place
            }
            None => self.cell[space as usize],
        }
    }

    /// The space of a bit.
    #[inline]
    pub(in crate::kernel) fn space(&self, cell: u32) -> u32 {
        self.space[cell as usize]
    }

    /// Whether a line stands half a hex farther than those beside it.
    #[inline]
    pub(in crate::kernel) fn shifted(&self, line: usize) -> bool {
        self.first_shifted == line.is_multiple_of(2)
    }

    /// The direction in which one hex lies beside another: 0 and 1 back and forth in the line, 2
    /// and 3 the nearer and the farther of the line before, 4 and 5 of the line behind.
    pub(super) fn direction(&self, from: u32, to: u32) -> Option<usize> {
        if !self.hexes.get(from) || !self.hexes.get(to) {
            return None;
        }
        let row = i64::try_from(self.words * 64).ok()?;
        let (from, to) = (i64::from(from), i64::from(to));
        let (line, down) = (from / row, to / row - from / row);
        let along = to % row - from % row;
        let low = if self.shifted(usize::try_from(line).ok()?) { 0 } else { -1 };
        match (down, along) {
            (0, -1) => Some(0),
            (0, 1) => Some(1),
            (-1, a) if a == low => Some(2),
            (-1, a) if a == low + 1 => Some(3),
            (1, a) if a == low => Some(4),
            (1, a) if a == low + 1 => Some(5),
            _ => None,
        }
    }

    /// How far the target of a direction lies behind its start in its own line, and which line that
    /// is.
    #[inline]
    pub(in crate::kernel) fn step(&self, direction: usize, line: usize) -> (isize, isize) {
        let low = if self.shifted(line) { 0 } else { -1 };
        match direction {
            0 => (0, -1),
            1 => (0, 1),
            2 => (-1, low),
            3 => (-1, low + 1),
            4 => (1, low),
            _ => (1, low + 1),
        }
    }
}

/// The words of a line, and some more where that makes whole chunks at the cost of a seventh at
/// most: then each line begins where a line of the cache does.
fn whole_chunks(words: usize) -> usize {
    let whole = words.next_multiple_of(CHUNK);
    if whole * 6 <= words * 7 { whole } else { words }
}

/// The neighbours that lie in one word of hexes: of the lines before, of its own and behind the
/// words one place back, in place and one place on. `shifted` is all bits in a line that stands
/// half a hex farther.
///
/// The last cell of a line is no hex, so that along the words nothing comes from one line into the
/// next.
#[inline(always)]
pub(in crate::kernel) fn neighbours([before, own, behind]: [[u64; 3]; 3], shifted: u64) -> u64 {
    let (back, beside, on) = (before[0] | behind[0], before[1] | behind[1], before[2] | behind[2]);
    // A line that is shifted has as neighbours beside it those in place and one on, another those
    // in place and one back.
    let left = (own[1] | beside & !shifted) << 1 | (own[0] | back & !shifted) >> 63;
    let right = (own[1] | beside & shifted) >> 1 | (own[2] | on & shifted) << 63;
    left | right | beside
}

/// The words of some lines from one on: one place back, in place, and one place on.
pub(in crate::kernel) type Rows<'a> = [&'a [u64]; 3];

/// So many words of lines from one on.
#[inline(always)]
pub(in crate::kernel) fn rows(plane: &[u64], first: usize, count: usize) -> Rows<'_> {
    [
        &plane[first - 1..first - 1 + count],
        &plane[first..first + count],
        &plane[first + 1..first + 1 + count],
    ]
}

/// One word of each.
#[inline(always)]
pub(in crate::kernel) fn words([back, own, on]: Rows<'_>, at: usize) -> [u64; 3] {
    [back[at], own[at], on[at]]
}

/// Adds a line to another, moved by one place back or forth or not at all.
#[inline]
pub(in crate::kernel) fn or_line(to: &mut [u64], from: &[u64], by: isize) {
    match by {
        0 => to.iter_mut().zip(from).for_each(|(t, f)| *t |= f),
        1 => {
            to.iter_mut().zip(from).for_each(|(t, f)| *t |= f << 1);
            to.iter_mut().skip(1).zip(from).for_each(|(t, f)| *t |= f >> 63);
        }
        _ => {
            to.iter_mut().zip(from).for_each(|(t, f)| *t |= f >> 1);
            to.iter_mut().zip(from.iter().skip(1)).for_each(|(t, f)| *t |= f << 63);
        }
    }
}
