//! The single changes that are tried: units gone, spaces turned, facts stated otherwise.

use super::super::{Change, EvalFault};
use super::trial::Trial;
use super::{Remedy, Restored};
use crate::world::ThingRef;

/// So many spaces are turned at most, the nearest first.
const MOST_TURNED: usize = 4096;

impl Trial<'_, '_, '_> {
    /// One unit gone, or all of one space that are no friends.
    pub fn gone(&self, out: &mut Vec<Restored>) -> Result<(), EvalFault> {
        let mut spaces: Vec<(u32, Vec<u32>)> = Vec::new();
        for unit in self.everybody() {
            let change = Change::Gone(vec![unit]);
            out.extend(
                self.after(&change)?.map(|r| Restored { remedy: Remedy::Gone(vec![unit]), ..r }),
            );
        }
        for unit in self.position.others(self.thing) {
            let Some(space) = self.position.world.space_of(unit) else { continue };
            match spaces.iter_mut().find(|(s, _)| *s == space) {
                Some((_, units)) => units.push(unit),
                None => spaces.push((space, vec![unit])),
            }
        }
        for (space, units) in spaces.into_iter().filter(|(_, u)| u.len() > 1) {
            // Where one of them is enough, the others may stay.
            let single = out.iter().any(|r| matches!(&r.remedy, Remedy::Gone(gone) if gone.iter().all(|g| units.contains(g))));
            if single {
                continue;
            }
            let cost = u32::try_from(units.len()).unwrap_or(u32::MAX);
            let after = self.after(&Change::Gone(units.clone()))?;
            out.extend(after.map(|r| Restored { remedy: Remedy::Freed(space, units), cost, ..r }));
        }
        Ok(())
    }

    /// All units on the map but the thing itself.
    fn everybody(&self) -> impl Iterator<Item = u32> + '_ {
        let all = 0..u32::try_from(self.position.world.units.len()).unwrap_or(u32::MAX);
        all.filter(|u| {
            ThingRef::Unit(*u) != self.thing && self.position.world.space_of(*u).is_some()
        })
    }

    /// One space turned to the thing's own side, the nearest first; whether all were tried.
    pub fn turned(&self, out: &mut Vec<Restored>) -> Result<bool, EvalFault> {
        let Some(to) = self.position.viewer_of(self.thing) else { return Ok(true) };
        if !self.known.scope.whole.control {
            return Ok(true);
        }
        let near = self.nearest();
        let whole = near.len() <= MOST_TURNED;
        for space in near.iter().copied().take(MOST_TURNED) {
            if self.position.world.control(space) != Some(to) {
                let after = self.after(&Change::Turned { space, to })?;
                out.extend(after.map(|r| Restored { remedy: Remedy::Turned(space, to), ..r }));
            }
        }
        Ok(whole)
    }

    /// Another value of a fact: of the thing itself, of the world, or one that the table knows.
    pub fn stated(&self, out: &mut Vec<Restored>) -> Result<bool, EvalFault> {
        let near = self.nearest();
        let whole = near.len() <= MOST_TURNED;
        let near = near.get(..MOST_TURNED).unwrap_or(near);
        for restated in self.position.restated(&self.known.scope.whole, self.thing, near) {
            let (of, fact) = (restated.of, restated.fact);
            if !self.may_touch(&Change::Stated { of, fact, value: 0 }) {
                continue;
            }
            for value in restated.values {
                let after = self.after(&Change::Stated { of, fact, value })?;
                let found = after.is_some();
                out.extend(
                    after.map(|r| Restored { remedy: Remedy::Stated(of, fact, value), ..r }),
                );
                if found && restated.nearest {
                    break;
                }
            }
        }
        Ok(whole)
    }
}
