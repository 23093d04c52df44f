//! A bit for each space of a board, 64 a word.

/// A bit for each space.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bits(pub(in crate::kernel) Vec<u64>);

impl Bits {
    pub(in crate::kernel) fn new(words: usize) -> Bits {
        Bits(vec![0; words])
    }

    /// As many words, all empty; the room is kept.
    pub(in crate::kernel) fn reset(&mut self, words: usize) {
        self.0.clear();
        self.0.resize(words, 0);
    }

    pub(in crate::kernel) fn copy(&mut self, other: &Bits) {
        self.0.clone_from(&other.0);
    }

    #[inline]
    pub(in crate::kernel) fn get(&self, cell: u32) -> bool {
        self.0[cell as usize >> 6] >> (cell & 63) & 1 == 1
    }

    #[inline]
    pub(in crate::kernel) fn set(&mut self, cell: u32) {
        self.0[cell as usize >> 6] |= 1 << (cell & 63);
    }

    /// Sets or clears a cell.
    #[inline]
    pub(in crate::kernel) fn put(&mut self, cell: u32, yes: bool) {
        let word = &mut self.0[cell as usize >> 6];
        let bit = 1 << (cell & 63);
        *word = if yes { *word | bit } else { *word & !bit };
    }

    /// Whether a cell is set in both.
    pub(in crate::kernel) fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub(in crate::kernel) fn is_empty(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }

    fn with(&mut self, other: &Bits, word: impl Fn(u64, u64) -> u64) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a = word(*a, *b);
        }
    }

    pub(in crate::kernel) fn or(&mut self, other: &Bits) {
        self.with(other, |a, b| a | b);
    }

    pub(in crate::kernel) fn and(&mut self, other: &Bits) {
        self.with(other, |a, b| a & b);
    }

    pub(in crate::kernel) fn without(&mut self, other: &Bits) {
        self.with(other, |a, b| a & !b);
    }

    /// Every cell that is set, in ascending order.
    pub(in crate::kernel) fn cells(&self) -> Cells<'_> {
        Cells { words: self.0.iter(), word: 0, base: 0u32.wrapping_sub(64) }
    }
}

/// The cells that are set.
pub(in crate::kernel) struct Cells<'b> {
    words: std::slice::Iter<'b, u64>,
    /// What is left of the word that was taken last, and the cell of its first bit.
    word: u64,
    base: u32,
}

impl Iterator for Cells<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.word == 0 {
            self.word = *self.words.next()?;
            self.base = self.base.wrapping_add(64);
        }
        let cell = self.base + self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(cell)
    }
}
