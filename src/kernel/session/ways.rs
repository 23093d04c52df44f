//! The neighbours of each cell over one net, a byte a cell: in which directions they lie, and
//! whether some lie farther.

use std::sync::Arc;

use crate::kernel::board::{Bits, Board, Net};

/// The bit of a cell with neighbours that lie in none of the six directions.
const FAR: u8 = 1 << 6;
/// The bit of a cell in a line that stands half a hex farther.
const SHIFTED: u8 = 1 << 7;
/// The six directions.
const ALL: u8 = 63;

/// The neighbours of each cell.
#[derive(Debug)]
pub(super) struct Ways {
    net: Arc<Net>,
    mask: Vec<u8>,
    /// What is added to a cell for its neighbour in each direction: in a line that is not shifted,
    /// and in one that is.
    by: [[i32; 6]; 2],
    /// Where the far neighbours of each cell begin in `to`; empty where there are none.
    starts: Vec<u32>,
    to: Vec<u32>,
}

impl Ways {
    pub(super) fn of(board: &Board<'_>, net: &Arc<Net>) -> Ways {
        let layout = board.layout();
        let row = layout.words * 64;
        let mut by = [[0; 6]; 2];
        for line in 0..2 {
            for (way, offset) in by[usize::from(layout.shifted(line))].iter_mut().enumerate() {
                let (down, along) = layout.step(way, line);
                *offset = i32::try_from(down * row.cast_signed() + along).unwrap_or(0);
            }
        }
        let mut ways = Ways {
            net: Arc::clone(net),
            mask: vec![0; layout.size * 64],
            by,
            starts: Vec::new(),
            to: Vec::new(),
        };
        let mut far: Vec<(u32, u32)> = Vec::new();
        for cell in layout.spaces.cells() {
            let shifted = layout.shifted(cell as usize / row);
            let mut mask = if shifted { SHIFTED } else { 0 };
            net.each(layout, cell, |to| {
                match by[usize::from(shifted)]
                    .iter()
                    .position(|o| cell.checked_add_signed(*o) == Some(to))
                {
                    Some(way) => mask |= 1 << way,
                    None => {
                        mask |= FAR;
                        far.push((cell, to));
                    }
                }
            });
            ways.mask[cell as usize] = mask;
        }
        ways.rows(far);
        ways
    }

    /// Lays the far neighbours in rows; they come in the order of the cells.
    fn rows(&mut self, far: Vec<(u32, u32)>) {
        if far.is_empty() {
            return;
        }
        self.starts = vec![0; self.mask.len() + 1];
        for (from, _) in &far {
            self.starts[*from as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.to = far.into_iter().map(|(_, to)| to).collect();
    }

    /// Whether these are the neighbours over a net.
    pub(super) fn is_of(&self, net: &Arc<Net>) -> bool {
        Arc::ptr_eq(&self.net, net)
    }

    /// Whether a cell has a neighbour.
    #[inline]
    pub(super) fn any(&self, cell: u32) -> bool {
        self.net.any.get(cell)
    }

    /// Calls with every neighbour of a cell.
    #[inline(always)]
    pub(super) fn each(&self, cell: u32, mut call: impl FnMut(u32)) {
        let mask = self.mask[cell as usize];
        let by = &self.by[usize::from(mask >> 7)];
        let mut ways = mask & ALL;
        if ways == ALL {
            by.iter().for_each(|offset| call(cell.wrapping_add_signed(*offset)));
        } else {
            while ways != 0 {
                call(cell.wrapping_add_signed(by[ways.trailing_zeros() as usize & 7]));
                ways &= ways - 1;
            }
        }
        if mask & FAR != 0 {
            let (from, end) = (self.starts[cell as usize], self.starts[cell as usize + 1]);
            self.to[from as usize..end as usize].iter().for_each(|to| call(*to));
        }
    }

    /// Whether two cells are joined.
    pub(super) fn joins(&self, a: u32, b: u32) -> bool {
        let mut found = false;
        self.each(a, |to| found |= to == b);
        found
    }
}

/// Room to gather cells around others.
#[derive(Debug, Default)]
pub(super) struct Around {
    seen: Bits,
    pub cells: Vec<u32>,
}

impl Around {
    /// Gathers the cells at most so many links away from some of `size` words, those themselves
    /// too, each once.
    pub(super) fn gather(&mut self, ways: &Ways, steps: u32, from: impl IntoIterator<Item = u32>) {
        let words = ways.mask.len() / 64;
        if self.seen.0.len() != words {
            self.seen.reset(words);
        }
        let Around { seen, cells } = self;
        cells.clear();
        let mut add = |cells: &mut Vec<u32>, cell: u32| {
            if !seen.get(cell) {
                seen.set(cell);
                cells.push(cell);
            }
        };
        from.into_iter().for_each(|cell| add(cells, cell));
        let mut edge = 0;
        for _ in 0..steps {
            let end = cells.len();
            for at in edge..end {
                ways.each(cells[at], |cell| add(cells, cell));
            }
            edge = end;
            if edge == cells.len() {
                break;
            }
        }
        for cell in cells {
            seen.put(*cell, false);
        }
    }
}
