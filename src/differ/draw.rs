//! Chance for positions, made of dice of a seed.

use crate::engine::Dice;

/// Chance of one position.
pub(super) struct Draw(Dice);

impl Draw {
    pub(super) fn new(seed: u64) -> Draw {
        Draw(Dice::seeded(seed))
    }

    /// A number below `many`; 0 where that is 0.
    pub(super) fn below(&mut self, many: usize) -> usize {
        let sides = u32::try_from(many).unwrap_or(u32::MAX);
        let shown = self.0.next(sides.max(1)).unwrap_or(1);
        usize::try_from(shown.saturating_sub(1)).unwrap_or(0)
    }

    /// True once in `many` times.
    pub(super) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    /// One of a list, or nothing if it is empty.
    pub(super) fn choose<'l, T>(&mut self, list: &'l [T]) -> Option<&'l T> {
        list.get(self.below(list.len()))
    }

    /// A number from `low` to `high`, the ends and their neighbours as often as all between.
    pub(super) fn within(&mut self, low: i64, high: i64) -> i64 {
        let width = high.saturating_sub(low).max(0);
        let far = i64::try_from(self.below(usize::try_from(width).unwrap_or(usize::MAX) + 1));
        let near = i64::try_from(self.below(3)).unwrap_or(0).min(width);
        match self.below(4) {
            0 => low.saturating_add(near),
            1 => high.saturating_sub(near),
            _ => low.saturating_add(far.unwrap_or(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_between_their_ends_and_reach_both() {
        let mut draw = Draw::new(7);
        for (low, high) in [(0, 0), (3, 4), (-2, 9), (0, 100_000)] {
            let all: Vec<i64> = (0..200).map(|_| draw.within(low, high)).collect();
            assert!(all.iter().all(|n| (low..=high).contains(n)), "{low} {high}");
            assert!(all.contains(&low) && all.contains(&high), "{low} {high}");
        }
        assert_eq!(draw.choose::<u8>(&[]), None);
    }
}
