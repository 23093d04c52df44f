//! A player who takes and leaves by chance.

use std::sync::Arc;

use rand_pcg::Pcg32;

use super::dice::{below, spread};
use super::{Deed, Leaning, Order, Ways};
use crate::ir::{Mode, PhaseId};
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::ThingRef;

/// Who is asked what is taken of an offer: in a position, to a thing in a phase, of these ways, and
/// whether one of them has to be. Nothing is taken where the answer is none.
#[derive(Clone)]
pub struct Asks(pub Arc<Ask>);

type Ask = dyn Fn(&Position<'_>, (ThingRef, PhaseId), &[Deed], bool) -> Option<Deed> + Send + Sync;

impl std::fmt::Debug for Asks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Asks")
    }
}

/// Chance, and what it took.
///
/// It is of the third and the fourth step of splitmix64 from the seed, where dice of the same seed
/// are of the first and the second.
#[derive(Debug, Clone)]
pub(super) struct Drawing {
    raw: Pcg32,
    taken: Vec<Order>,
    /// What it leans to; to nothing, if nothing is said.
    leaning: Option<Arc<Leaning>>,
    /// Who decides instead of chance.
    asks: Option<Asks>,
}

impl Drawing {
    pub(super) fn new(seed: u64, leaning: Option<Arc<Leaning>>) -> Drawing {
        let raw = Pcg32::new(spread(seed, 3), spread(seed, 4));
        Drawing { raw, taken: Vec::new(), leaning, asks: None }
    }

    /// Somebody who is asked, and what was taken.
    pub(super) fn asked(asks: Asks) -> Drawing {
        Drawing { asks: Some(asks), ..Drawing::new(0, None) }
    }

    /// What was taken since this was asked last, in order.
    pub(super) fn take(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.taken)
    }

    /// What is taken of an offer in a position.
    pub(super) fn draw(
        &mut self,
        (position, cx): (&Position<'_>, &Cx),
        of: (ThingRef, PhaseId),
        ways: &Ways,
        mode: Mode,
    ) -> Result<Option<Deed>, EvalFault> {
        if let Some(Asks(ask)) = self.asks.clone() {
            let deeds = ways.deeds();
            if mode == Mode::Do && deeds.len() == 1 {
                return Ok(None);
            }
            let taken = ask(position, of, &deeds, mode != Mode::May);
            return Ok(taken.map(|deed| self.take_down(of, deed)));
        }
        let Some(leaning) = self.leaning.clone() else { return Ok(self.even(of, ways, mode)) };
        let deeds = ways.deeds();
        if mode == Mode::Do && deeds.len() == 1 {
            return Ok(None);
        }
        let taken = match mode {
            Mode::May => leaning.taken(position, of, cx)?,
            _ => 100,
        };
        if taken < 100 && below(&mut self.raw, 100) >= taken {
            return Ok(None);
        }
        let mut weights = leaning.weights(position, of, cx, &deeds)?;
        let sum = |weights: &[u32]| weights.iter().fold(0u32, |sum, w| sum.saturating_add(*w));
        if sum(&weights) == 0 {
            // What must be done is done, though no way of it is liked.
            if mode == Mode::May {
                return Ok(None);
            }
            weights.fill(1);
        }
        let mut at = below(&mut self.raw, sum(&weights));
        let drawn = deeds.iter().zip(weights).find(|(_, weight)| match at.checked_sub(*weight) {
            Some(rest) => {
                at = rest;
                false
            }
            None => true,
        });
        Ok(drawn.map(|(deed, _)| self.take_down(of, *deed)))
    }

    fn take_down(&mut self, (thing, phase): (ThingRef, PhaseId), deed: Deed) -> Deed {
        self.taken.push(Order { thing, deed, phase: Some(phase) });
        deed
    }

    /// The same without leaning: of a `may` nothing at half of the times, and else each way as
    /// often as every other.
    fn even(&mut self, of: (ThingRef, PhaseId), ways: &Ways, mode: Mode) -> Option<Deed> {
        let deeds = ways.deeds();
        // What simply happens in one way is nobody's choice.
        if mode == Mode::Do && deeds.len() == 1 {
            return None;
        }
        if mode == Mode::May && below(&mut self.raw, 2) == 0 {
            return None;
        }
        let at = below(&mut self.raw, u32::try_from(deeds.len()).unwrap_or(u32::MAX));
        let deed = deeds.get(at as usize).copied()?;
        Some(self.take_down(of, deed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(mode: Mode, spaces: u32) -> Vec<usize> {
        let mut drawing = Drawing::new(11, None);
        let ways = Ways::Move((0..spaces).collect());
        let mut counts = vec![0; spaces as usize + 1];
        for _ in 0..6000 {
            let at = match drawing.even((ThingRef::World, PhaseId(0)), &ways, mode) {
                Some(Deed::Move(space)) => space as usize + 1,
                _ => 0,
            };
            if let Some(count) = counts.get_mut(at) {
                *count += 1;
            }
        }
        let left = counts.first().copied().unwrap_or_default();
        assert_eq!(drawing.take().len(), 6000 - left);
        assert!(drawing.take().is_empty());
        counts
    }

    #[test]
    fn every_way_is_taken_as_often_as_every_other() {
        // 6000 draws: four deviations of a count are at most 155.
        let near = |counts: &[usize], wanted: &[usize]| {
            assert_eq!(counts.len(), wanted.len());
            let off = counts.iter().zip(wanted).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(off < Some(155), "{counts:?}");
        };
        near(&drawn(Mode::May, 1), &[3000, 3000]);
        near(&drawn(Mode::May, 3), &[3000, 1000, 1000, 1000]);
        near(&drawn(Mode::Must, 3), &[0, 2000, 2000, 2000]);
        near(&drawn(Mode::Do, 2), &[0, 3000, 3000]);
        assert_eq!(drawn(Mode::Do, 1), [6000, 0]);
    }
}
