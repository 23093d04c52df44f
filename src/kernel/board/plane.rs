//! A row of words that begins where a line of the cache begins, so that loops over many words load
//! whole lines.

use crate::kernel::transpose::{WIDE, before_line};

/// A row of words; where it begins in memory makes no difference but in time.
#[derive(Debug, Default)]
pub(in crate::kernel) struct Plane {
    room: Vec<u64>,
    first: usize,
    count: usize,
}

impl Plane {
    /// So many words, all empty.
    pub(in crate::kernel) fn new(count: usize) -> Plane {
        let room = vec![0; count + WIDE - 1];
        let first = before_line(&room);
        Plane { room, first, count }
    }

    /// The same words as a row; the room is kept where it is as long.
    pub(in crate::kernel) fn copy(&mut self, words: &[u64]) {
        if self.count != words.len() {
            *self = Plane::new(words.len());
        }
        self.words_mut().copy_from_slice(words);
    }

    #[inline(always)]
    pub(in crate::kernel) fn words(&self) -> &[u64] {
        &self.room[self.first..self.first + self.count]
    }

    #[inline(always)]
    pub(in crate::kernel) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.room[self.first..self.first + self.count]
    }

    pub(in crate::kernel) fn set(&mut self, cell: u32) {
        self.words_mut()[cell as usize >> 6] |= 1 << (cell & 63);
    }

    #[inline(always)]
    pub(in crate::kernel) fn get(&self, cell: u32) -> bool {
        self.words()[cell as usize >> 6] >> (cell & 63) & 1 == 1
    }
}

impl Clone for Plane {
    fn clone(&self) -> Plane {
        // Room of another place in memory begins elsewhere.
        let mut plane = Plane::new(self.count);
        plane.copy(self.words());
        plane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_begins_with_a_line_of_the_cache() {
        for count in [1, 7, 8, 9, 500] {
            let mut plane = Plane::new(count);
            assert_eq!((plane.words().len(), plane.words().as_ptr().addr() % 64), (count, 0));
            plane.copy(&vec![5; count]);
            assert!(plane.get(2) && !plane.get(1));
        }
    }
}
