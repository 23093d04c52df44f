//! Where dice come from, and what can go wrong in a run.
//!
//! The dice are our own: a seed gives the same throws on every machine and in every version. Only
//! the raw output of a generator is read, and `d(n)` is made of it by rejection, so that every face
//! is exactly as likely as every other.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

use crate::ir::{Die, TestId};
use crate::kernel::EvalFault;

/// Dice that are shown one after the other: from a list, or from a seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dice {
    source: Source,
    /// What has been shown, in order.
    shown: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    List(Vec<u32>),
    Seed(Pcg32),
}

/// What can go wrong in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RunFault {
    /// a value could not be worked out
    #[error("{0}")]
    Eval(#[from] EvalFault),
    /// the dice do not go with the roll of a test
    #[error("{1}")]
    Dice(TestId, DiceFault),
    /// the last turn has ended
    #[error("the game is over, so that no turn can pass")]
    GameOver,
}

/// What can be wrong with dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DiceFault {
    /// a roll without a die
    #[error("a die is rolled and none is left")]
    NoDie,
    /// a die that shows more than it has
    #[error("a die with {sides} sides cannot show {shown}")]
    WrongDie {
        /// what it shows
        shown: u32,
        /// how many sides it has
        sides: u32,
    },
    /// a number that stands on no face of a die
    #[error("no face of the die shows {0}")]
    NoFace(u32),
}

impl Default for Dice {
    fn default() -> Dice {
        Dice::list(Vec::new())
    }
}

impl Dice {
    /// Dice that show these numbers in order.
    #[must_use]
    pub fn list(shown: Vec<u32>) -> Dice {
        Dice { source: Source::List(shown), shown: Vec::new() }
    }

    /// Dice that never end, the same for the same seed for ever.
    ///
    /// The seed is spread by two steps of splitmix64 into the state and the stream of a PCG with 64
    /// bits of state and 32 of output (XSH RR). A die with `n` sides takes the next output below
    /// the greatest multiple of `n` that 32 bits hold, and shows its remainder plus 1.
    #[must_use]
    pub fn seeded(seed: u64) -> Dice {
        Dice {
            source: Source::Seed(Pcg32::new(spread(seed, 1), spread(seed, 2))),
            shown: Vec::new(),
        }
    }

    /// The next die with so many sides.
    pub fn next(&mut self, sides: u32) -> Result<u32, DiceFault> {
        let shown = match &mut self.source {
            Source::List(list) => {
                let shown = *list.get(self.shown.len()).ok_or(DiceFault::NoDie)?;
                if !(1..=sides).contains(&shown) {
                    return Err(DiceFault::WrongDie { shown, sides });
                }
                shown
            }
            Source::Seed(raw) => below(raw, sides) + 1,
        };
        self.shown.push(shown);
        Ok(shown)
    }

    /// The next die of a kind; a list says what is on the face.
    pub fn throw(&mut self, die: &Die) -> Result<u32, DiceFault> {
        let faces = match die {
            Die::Sides(sides) => return self.next(*sides),
            Die::Faces(faces) => faces,
        };
        let shown = match &mut self.source {
            Source::List(list) => {
                let shown = *list.get(self.shown.len()).ok_or(DiceFault::NoDie)?;
                if faces.contains(&shown) { shown } else { return Err(DiceFault::NoFace(shown)) }
            }
            Source::Seed(raw) => {
                let face = below(raw, u32::try_from(faces.len()).unwrap_or(u32::MAX));
                faces.get(face as usize).copied().unwrap_or_default()
            }
        };
        self.shown.push(shown);
        Ok(shown)
    }

    /// What has been shown so far: the list that replays a run.
    #[must_use]
    pub fn shown(&self) -> &[u32] {
        &self.shown
    }

    /// What a list holds beyond what has been shown.
    #[must_use]
    pub fn left(&self) -> &[u32] {
        match &self.source {
            Source::List(list) => list.get(self.shown.len()..).unwrap_or_default(),
            Source::Seed(_) => &[],
        }
    }
}

/// A seed made of another: the output of splitmix64 after so many steps from it.
#[must_use]
pub fn spread(seed: u64, steps: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(steps));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number below `n`, each as likely as every other: outputs of the last, incomplete run of `n`
/// are thrown away.
pub(super) fn below(raw: &mut Pcg32, n: u32) -> u32 {
    let n = u64::from(n.max(1));
    let whole = (1u64 << 32) / n * n;
    loop {
        let output = u64::from(raw.next_u32());
        if output < whole {
            return u32::try_from(output % n).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;

    /// A second PCG, written out from its paper (O'Neill 2014, PCG-XSH-RR 64/32) with nothing of
    /// the crate.
    struct ByHand {
        state: u64,
        increment: u64,
    }

    impl ByHand {
        fn new(state: u64, stream: u64) -> ByHand {
            let mut pcg = ByHand { state: 0, increment: stream << 1 | 1 };
            pcg.state = state.wrapping_add(pcg.increment);
            pcg.step();
            pcg
        }

        fn step(&mut self) {
            self.state =
                self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(self.increment);
        }

        fn output(&mut self) -> u32 {
            let old = self.state;
            self.step();
            let shifted = u32::try_from(((old >> 18) ^ old) >> 27 & 0xFFFF_FFFF).unwrap();
            shifted.rotate_right(u32::try_from(old >> 59).unwrap())
        }
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs of the demonstration that comes with the reference program: state 42,
        // stream 54.
        let mut hand = ByHand::new(42, 54);
        let published =
            [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e];
        assert_eq!(published.map(|_| hand.output()), published);
        let mut ours = Pcg32::new(42, 54);
        assert_eq!(published.map(|_| ours.next_u32()), published);
    }

    #[test]
    fn the_spreading_is_the_published_splitmix() {
        // The first outputs of splitmix64 from the seed 0, as its author's program prints them.
        assert_eq!(spread(0, 1), 0xe220_a839_7b1d_cdaf);
        assert_eq!(spread(0, 2), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn a_seed_shows_the_same_dice_for_ever() {
        // The golden throws were worked out by a third program, in another language, from the two
        // papers; the generator written out above works them out once more.
        for (seed, golden) in [(0, SEED_0), (7, SEED_7), (u64::MAX, SEED_MOST)] {
            let mut hand = ByHand::new(spread(seed, 1), spread(seed, 2));
            let mut dice = Dice::seeded(seed);
            for (sides, wanted) in [6, 6, 6, 10, 100, 1000, 7, 20].into_iter().zip(golden) {
                // No output of these lies in the incomplete run at the top, of fewer than 1000 in
                // 2^32.
                assert_eq!(hand.output() % sides + 1, wanted, "by hand, seed {seed}");
                assert_eq!(dice.next(sides).unwrap(), wanted, "seed {seed}");
            }
            assert_eq!(dice.shown(), golden);
        }
    }

    const SEED_0: [u32; 8] = [2, 2, 6, 9, 46, 934, 4, 6];
    const SEED_7: [u32; 8] = [5, 6, 6, 6, 32, 816, 2, 5];
    const SEED_MOST: [u32; 8] = [1, 5, 2, 6, 68, 42, 4, 16];

    #[test]
    fn outputs_of_the_incomplete_run_are_thrown_away() {
        // With 3 * 2^30 sides one output in four is thrown away: what is left is the hand's outputs
        // below that.
        let sides = 3u32 << 30;
        let mut hand = ByHand::new(spread(1, 1), spread(1, 2));
        let mut dice = Dice::seeded(1);
        let mut rejected = 0;
        for _ in 0..100 {
            let mut output = hand.output();
            while output >= sides {
                rejected += 1;
                output = hand.output();
            }
            assert_eq!(dice.next(sides).unwrap(), output + 1);
        }
        assert!(rejected > 10, "{rejected}");
    }

    #[test]
    fn a_list_replays_what_a_seed_has_shown() {
        let average = Die::Faces(vec![2, 3, 3, 4, 4, 5]);
        let mut dice = Dice::seeded(3);
        let first: Vec<u32> = (0..20).map(|_| dice.throw(&average).unwrap()).collect();
        let mut again = Dice::list(dice.shown().to_vec());
        let second: Vec<u32> = (0..20).map(|_| again.throw(&average).unwrap()).collect();
        assert_eq!(first, second);
        assert_eq!(again.left(), [] as [u32; 0]);
        assert_eq!(again.next(6), Err(DiceFault::NoDie));
    }

    #[test]
    fn a_die_shows_only_what_it_has() {
        let average = Die::Faces(vec![2, 3, 3, 4, 4, 5]);
        assert_eq!(Dice::list(vec![6]).throw(&average), Err(DiceFault::NoFace(6)));
        assert_eq!(Dice::list(vec![7]).next(6), Err(DiceFault::WrongDie { shown: 7, sides: 6 }));
        let mut dice = Dice::list(vec![5, 1]);
        assert_eq!(dice.throw(&average), Ok(5));
        assert_eq!(dice.left(), [1]);
    }
}
