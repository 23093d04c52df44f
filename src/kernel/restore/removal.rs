//! As few units as can be found whose going together restores a line.

use super::super::{Change, EvalFault};
use super::trial::Trial;
use super::{Remedy, Restored};

/// So many pairs of units are tried.
const MOST_PAIRS: usize = 6000;

impl Trial<'_, '_, '_> {
    /// As few units as can be found whose going restores the line, and whether fewer would not do.
    pub fn removal(&self) -> Result<(Option<Restored>, bool), EvalFault> {
        let mut set: Vec<u32> = self.position.others(self.thing).collect();
        let helps = |set: &[u32]| self.helps(&Change::Gone(set.to_vec()));
        if !helps(&set)? {
            return Ok((None, false));
        }
        // From the farthest inward each is put back that is not needed.
        let order = self.nearest();
        let far = |unit: &u32| {
            self.position.world.space_of(*unit).and_then(|s| order.iter().position(|o| *o == s))
        };
        set.sort_by_cached_key(|u| std::cmp::Reverse((far(u), *u)));
        let all = set.clone();
        let mut at = 0;
        while at < set.len() {
            let mut fewer = set.clone();
            fewer.remove(at);
            if helps(&fewer)? { set = fewer } else { at += 1 }
        }
        let mut fewest = set.len() <= 2;
        if !fewest {
            let (pair, whole) = self.pair(&all)?;
            // With no pair a set of three is the smallest there is.
            fewest = pair.is_some() || set.len() == 3 && whole;
            set = pair.unwrap_or(set);
        }
        set.sort_unstable();
        let cost = u32::try_from(set.len()).unwrap_or(u32::MAX);
        let best = self.after(&Change::Gone(set.clone()))?;
        let best = best.map(|best| Restored { remedy: Remedy::Gone(set), cost, ..best });
        Ok((best, fewest))
    }

    /// The first pair of these units whose going restores the line, the last ones first; and
    /// whether all pairs were tried.
    fn pair(&self, all: &[u32]) -> Result<(Option<Vec<u32>>, bool), EvalFault> {
        let mut tried = 0;
        for (nth, a) in all.iter().enumerate().rev() {
            for b in all.get(..nth).into_iter().flatten().rev() {
                tried += 1;
                if tried > MOST_PAIRS {
                    return Ok((None, false));
                }
                let pair = vec![*a, *b];
                if self.helps(&Change::Gone(pair.clone()))? {
                    return Ok((Some(pair), true));
                }
            }
        }
        Ok((None, true))
    }
}
