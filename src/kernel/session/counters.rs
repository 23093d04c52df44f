//! A number for each cell, a byte where that is enough: how many units stand there, or how many
//! cells near it are such and such.

use indexmap::IndexMap;

/// A number for each cell.
#[derive(Debug, Default)]
pub(super) struct Counters {
    low: Vec<u8>,
    /// What goes beyond a byte.
    over: IndexMap<u32, u32>,
}

impl Counters {
    pub(super) fn new(cells: usize) -> Counters {
        Counters { low: vec![0; cells], over: IndexMap::new() }
    }

    /// One more; whether there was none before.
    #[inline]
    pub(super) fn more(&mut self, cell: u32) -> bool {
        let low = &mut self.low[cell as usize];
        if *low == u8::MAX {
            *self.over.entry(cell).or_default() += 1;
            return false;
        }
        *low += 1;
        *low == 1
    }

    /// One less; whether there is none now.
    #[inline]
    pub(super) fn less(&mut self, cell: u32) -> bool {
        let low = &mut self.low[cell as usize];
        if *low == u8::MAX
            && let Some(over) = self.over.get_mut(&cell).filter(|over| **over > 0)
        {
            *over -= 1;
            return false;
        }
        *low -= 1;
        *low == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Counters;

    #[test]
    fn more_than_a_byte_holds_is_counted_too() {
        let mut counters = Counters::new(2);
        let first: Vec<u32> = (0..1000).filter(|_| counters.more(1)).collect();
        assert_eq!(first, [0]);
        assert!(counters.more(0) && counters.less(0), "another cell has a number of its own");
        let last: Vec<u32> = (0..1000).filter(|_| counters.less(1)).collect();
        assert_eq!(last, [999]);
    }
}
