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
    pub(in crate::kernel) fn cells(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let base = u32::try_from(at << 6).unwrap_or(u32::MAX);
            std::iter::successors((*word != 0).then_some(*word), |w| Some(w & (w - 1)).filter(|w| *w != 0))
                .map(move |w| base + w.trailing_zeros())
        })
    }
}
