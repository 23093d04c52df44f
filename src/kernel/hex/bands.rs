//! How planes of hexes are cut into bands of lines.
//!
//! A band goes some costs ahead before the next one begins, so that its planes stay in the nearest
//! cache. A line rests on those beside it one cost earlier: a band gives up its last line at each
//! cost, and takes one line more of the band before. So every line meets the costs in their order,
//! and reads what is beside it as it was.

use crate::kernel::board::{CHUNK, Layout};

/// A band has so many words at least where nobody says otherwise, and more lines than it goes
/// ahead.
pub(super) const BAND: usize = 384;

/// So many costs a band goes ahead.
pub(super) const TIME_SKEW: usize = 8;

/// How planes are cut into bands.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Words of a line.
    pub line: usize,
    /// Words of all lines.
    pub ground: usize,
    /// Words of a band, which are whole lines.
    band: usize,
    /// How many there are.
    pub bands: usize,
    /// Words of nothing before and behind a plane that spreads.
    pub margin: usize,
}

impl Shape {
    pub(super) fn of(layout: &Layout, least: usize) -> Shape {
        let line = layout.words;
        let lines = least.div_ceil(line).max(TIME_SKEW + 1);
        // Whole chunks as well as whole lines, so that loops have no ends.
        let band = (lines * line).next_multiple_of(line * CHUNK / gcd(line, CHUNK));
        Shape {
            line,
            ground: layout.ground,
            band,
            bands: layout.ground.div_ceil(band),
            margin: (line + 1).next_multiple_of(CHUNK),
        }
    }

    /// The lines that a band has given up at a cost.
    #[inline(always)]
    fn given(cost: usize) -> usize {
        cost.saturating_sub(1) % TIME_SKEW
    }

    /// The words of a band at a cost.
    #[inline(always)]
    pub(super) fn words(&self, band: usize, cost: usize) -> std::ops::Range<usize> {
        let given = Shape::given(cost) * self.line;
        let end = if band + 1 == self.bands { self.ground } else { (band + 1) * self.band - given };
        (band * self.band).saturating_sub(given)..end
    }

    /// The band that meets a cost at a word.
    #[inline(always)]
    pub(super) fn band_of(&self, word: usize, cost: usize) -> usize {
        ((word + Shape::given(cost) * self.line) / self.band).min(self.bands.saturating_sub(1))
    }

    /// The words of the lines before some of a plane that spreads, of their own and behind, each
    /// with a word more on both sides.
    #[inline(always)]
    pub(super) fn around<'p>(
        &self,
        spread: &'p [u64],
        words: &std::ops::Range<usize>,
    ) -> [&'p [u64]; 3] {
        let (first, count) = (self.margin + words.start - 1, words.len() + 2);
        [
            &spread[first - self.line..][..count],
            &spread[first..][..count],
            &spread[first + self.line..][..count],
        ]
    }

    /// The bands at another cost that hold the words of a band at a cost, and so many lines more on
    /// both sides.
    #[inline(always)]
    pub(super) fn near(
        &self,
        band: usize,
        cost: usize,
        other: usize,
        more: isize,
    ) -> std::ops::Range<usize> {
        let shift = Shape::given(other).cast_signed() - Shape::given(cost).cast_signed();
        let from = if shift < more { band.saturating_sub(1) } else { band };
        let to = if shift > -more { band + 2 } else { band + 1 };
        from..to.min(self.bands)
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
