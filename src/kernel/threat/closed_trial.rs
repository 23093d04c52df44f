//! The fewest spaces that cut what rests on more than its own lines: spaces are closed to the lines
//! of all traces together, and each unit is asked.

use indexmap::IndexMap;

use super::super::{EvalFault, Position};
use super::Least;
use super::watch::Watch;

/// The most sets of spaces that are tried for one question.
const MOST_SETS: usize = 4_000;

impl Watch<'_, '_> {
    /// For each of these units the spaces whose closing alone cuts it.
    pub(super) fn cut_by_trial(
        &mut self,
        units: &[usize],
        cuts: &mut [Vec<u32>],
    ) -> Result<(), EvalFault> {
        if units.is_empty() {
            return Ok(());
        }
        for space in 0..u32::try_from(self.position.map.spaces.len()).unwrap_or(u32::MAX) {
            for at in self.cut_of(units, &[space])? {
                cuts[at].push(space);
            }
        }
        Ok(())
    }

    /// The fewest spaces that cut all of these units that spaces can cut; none if that is none.
    pub(super) fn least_by_trial(&mut self, units: &[usize]) -> Result<Option<Least>, EvalFault> {
        let spaces: Vec<u32> =
            (0..u32::try_from(self.position.map.spaces.len()).unwrap_or(u32::MAX)).collect();
        let units = self.cut_of(units, &spaces)?;
        if units.is_empty() {
            return Ok(None);
        }
        let mut tried = 0;
        for space in &spaces {
            tried += 1;
            if self.cut_of(&units, &[*space])?.len() == units.len() {
                return Ok(Some(Least { number: 1, exact: true, spaces: vec![*space] }));
            }
        }
        for (at, first) in spaces.iter().enumerate() {
            for second in spaces.iter().skip(at + 1) {
                tried += 1;
                if tried > MOST_SETS {
                    return Ok(Some(Least { number: 2, exact: false, spaces: Vec::new() }));
                }
                if self.cut_of(&units, &[*first, *second])?.len() == units.len() {
                    return Ok(Some(Least {
                        number: 2,
                        exact: true,
                        spaces: vec![*first, *second],
                    }));
                }
            }
        }
        Ok(Some(Least { number: 3, exact: false, spaces: Vec::new() }))
    }

    /// The units, of these, that have a no while some spaces are closed; each one's own stays open.
    fn cut_of(&mut self, units: &[usize], closed: &[u32]) -> Result<Vec<usize>, EvalFault> {
        let mut cut = Vec::new();
        // Those whose own space is not among them are asked of one position.
        let mut asked: IndexMap<Option<u32>, Position<'_>> = IndexMap::new();
        for at in units {
            let one = &self.ones[*at];
            let own = Some(one.start).filter(|own| closed.contains(own));
            if !asked.contains_key(&own) {
                let spaces = closed.iter().copied().filter(|s| Some(*s) != own).collect();
                let Some(on) = self.position.with_closed(spaces) else { continue };
                asked.insert(own, on);
            }
            if !asked[&own].is_yes(self.trace, one.thing)? {
                cut.push(*at);
            }
        }
        self.searches += asked.len();
        Ok(cut)
    }
}
