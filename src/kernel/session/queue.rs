//! Cells that wait, the nearest first: a list for each small length, a heap for all that is
//! farther.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Lengths below this have lists of their own.
const NEAR: usize = 4096;
/// The end of a list.
const END: u32 = u32::MAX;

/// Cells that wait, each with a length.
#[derive(Debug)]
pub(super) struct Queue {
    /// By length the last that was put there, by its place in `waits`.
    heads: Vec<u32>,
    /// Which lists have something, a bit each.
    some: [u64; NEAR / 64],
    /// Which of these words have any, a bit each.
    words: u64,
    /// A cell, and what was put into its list before it.
    waits: Vec<(u32, u32)>,
    far: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue {
            heads: vec![END; NEAR],
            some: [0; NEAR / 64],
            words: 0,
            waits: Vec::new(),
            far: BinaryHeap::new(),
        }
    }
}

impl Queue {
    /// Forgets all that waits.
    pub(super) fn clear(&mut self) {
        while self.pop().is_some() {}
    }

    #[inline]
    pub(super) fn push(&mut self, length: u32, cell: u32) {
        let at = length as usize;
        if at >= NEAR {
            self.far.push(Reverse((length, cell)));
            return;
        }
        let word = at >> 6;
        let before =
            std::mem::replace(&mut self.heads[at], u32::try_from(self.waits.len()).unwrap_or(END));
        self.waits.push((cell, before));
        self.some[word] |= 1 << (at & 63);
        self.words |= 1 << word;
    }

    /// One of those with the least length.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.words != 0 {
            let first = self.words.trailing_zeros() as usize;
            let word = &mut self.some[first];
            let at = first << 6 | word.trailing_zeros() as usize;
            let (cell, before) = self.waits[self.heads[at] as usize];
            self.heads[at] = before;
            if before == END {
                *word &= *word - 1;
                if *word == 0 {
                    self.words &= self.words - 1;
                }
            }
            return Some((u32::try_from(at).unwrap_or(END), cell));
        }
        // All lists are empty, so that their room can be used again.
        self.waits.clear();
        self.far.pop().map(|Reverse(next)| next)
    }
}

#[cfg(test)]
mod tests {
    use super::{BinaryHeap, NEAR, Queue, Reverse};

    /// Against a heap: lengths near and far, put and taken in turns.
    #[test]
    fn it_gives_the_least_lengths_first() {
        arbtest::arbtest(|u| {
            let (mut queue, mut heap) = (Queue::default(), BinaryHeap::new());
            for cell in 0..u.int_in_range(0..=200)? {
                let length = u.int_in_range(0..=u32::try_from(NEAR + 500).unwrap_or(0))?;
                queue.push(length, cell);
                heap.push(Reverse(length));
                if u.ratio(1, 3)? {
                    assert_eq!(
                        queue.pop().map(|(length, _)| length),
                        heap.pop().map(|Reverse(length)| length)
                    );
                }
            }
            if u.ratio(1, 4)? {
                queue.clear();
                heap.clear();
            }
            while let Some(Reverse(length)) = heap.pop() {
                assert_eq!(queue.pop().map(|(length, _)| length), Some(length));
            }
            assert_eq!(queue.pop(), None);
            Ok(())
        });
    }
}
