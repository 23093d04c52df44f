//! Where each space has its bit: hexes line by line, each line at the start of a word; other spaces behind them.
//!
//! A line is a row of pointy hexes or a column of flat ones. Both then have the same six neighbours: two in the line, and
//! two in each line beside it, one of which has the same number.

use super::Bits;
use crate::map::Map;

/// No space, or no cell.
pub(in crate::kernel) const NONE: u32 = u32::MAX;

/// Where each space has its bit.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Words of a line.
    pub words: usize,
    /// Lines of hexes; spaces that are no hexes stand in lines behind these.
    pub lines: usize,
    /// Words of all lines.
    pub size: usize,
    /// Every cell that is a hex.
    pub hexes: Bits,
    /// Every cell that is a space.
    pub spaces: Bits,
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
        let words = length.div_ceil(64).max(1);
        let behind = count.saturating_sub(hexes).div_ceil(words * 64);
        let size = words * (lines + behind);
        let mut layout = Layout {
            words,
            lines,
            size,
            hexes: Bits::new(size),
            spaces: Bits::new(size),
            cell: Vec::with_capacity(count),
            space: vec![NONE; size * 64],
            first_shifted: map.grid.as_ref().is_some_and(|g| g.is_shifted(0, 0)),
        };
        for at in 0..count {
            let cell = match map.grid.as_ref().and_then(|g| g.places.get(at)) {
                Some(&(column, row)) if flat => usize::from(column) * words * 64 + usize::from(row),
                Some(&(column, row)) => usize::from(row) * words * 64 + usize::from(column),
                None => lines * words * 64 + (at - hexes),
            };
            let short = u32::try_from(cell).unwrap_or(NONE);
            layout.cell.push(short);
            layout.space[cell] = u32::try_from(at).unwrap_or(NONE);
            layout.spaces.set(short);
            if at < hexes {
                layout.hexes.set(short);
            }
        }
        layout
    }

    /// The bit of a space.
    #[inline]
    pub(in crate::kernel) fn cell(&self, space: u32) -> u32 {
        self.cell[space as usize]
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

    /// The direction in which one hex lies beside another: 0 and 1 back and forth in the line, 2 and 3 the nearer and
    /// the farther of the line before, 4 and 5 of the line behind.
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

    /// How far the target of a direction lies behind its start in its own line, and which line that is.
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
