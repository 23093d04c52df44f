//! What is under way in a sweep: planes of the last costs, and in which bands of each there is
//! anything.

use super::bands::{Shape, TIME_SKEW};
use crate::kernel::board::Plane;

/// Planes of the last costs, each in the place of the cost that is so many before it, and in which
/// bands there is a bit; the others are empty.
#[derive(Debug, Default)]
pub(super) struct FrontierRing {
    pub planes: Vec<Plane>,
    /// How many of them are used.
    pub count: usize,
    margin: usize,
    /// `[cost][band]`, of as many costs as may be asked for.
    on: Vec<bool>,
    costs: usize,
}

impl FrontierRing {
    /// So many empty planes of a shape; `done` is the last cost that was met, where they have had
    /// this shape before.
    pub(super) fn reset(
        &mut self,
        shape: &Shape,
        count: usize,
        margin: usize,
        done: Option<usize>,
    ) {
        match done {
            Some(done) => {
                for cost in (done + 1).saturating_sub(self.count)..=done {
                    for band in 0..shape.bands {
                        if self.is_on(shape, cost, band) {
                            self.words(shape, cost, band).fill(0);
                        }
                    }
                }
            }
            None => self.planes.clear(),
        }
        // More than are used now may be left over, all of them empty.
        if self.planes.len() < count {
            self.planes.resize_with(count, || Plane::new(shape.ground + 2 * margin));
        }
        (self.count, self.margin, self.costs) = (count, margin, count + TIME_SKEW + 1);
        self.on.clear();
        self.on.resize(self.costs * shape.bands, false);
    }

    #[inline(always)]
    pub(super) fn plane(&self, cost: usize) -> &[u64] {
        self.planes[cost % self.count].words()
    }

    /// The words of a band at a cost.
    #[inline(always)]
    pub(super) fn words(&mut self, shape: &Shape, cost: usize, band: usize) -> &mut [u64] {
        let words = shape.words(band, cost);
        let nth = cost % self.count;
        &mut self.planes[nth].words_mut()[self.margin + words.start..self.margin + words.end]
    }

    #[inline(always)]
    pub(super) fn is_on(&self, shape: &Shape, cost: usize, band: usize) -> bool {
        self.on[cost % self.costs * shape.bands + band]
    }

    #[inline(always)]
    pub(super) fn say(&mut self, shape: &Shape, cost: usize, band: usize, on: bool) {
        self.on[cost % self.costs * shape.bands + band] = on;
    }

    /// Whether there may be a bit at another cost where a band is at a cost, or so many lines
    /// beside it.
    #[inline(always)]
    pub(super) fn any(
        &self,
        shape: &Shape,
        band: usize,
        cost: usize,
        other: usize,
        more: isize,
    ) -> bool {
        let row = other % self.costs * shape.bands;
        let near = shape.near(band, cost, other, more);
        self.on[row + near.start..row + near.end].contains(&true)
    }

    /// Takes away what an earlier cost has left where a band is at a cost.
    #[inline(always)]
    pub(super) fn clear(&mut self, shape: &Shape, cost: usize, band: usize) {
        let before = cost.checked_sub(self.count);
        if before.is_some_and(|before| self.any(shape, band, cost, before, 0)) {
            self.words(shape, cost, band).fill(0);
        }
        self.say(shape, cost, band, false);
    }
}
