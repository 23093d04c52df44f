//! Who shuts a gate: which units alone would, and whether it would be shut without any.

use super::felt::Reader;
use super::reasons::gate_of;
use super::ways_out::WayOut;
use super::{Change, EvalFault, Position};
use crate::ir::*;
use crate::world::{ThingRef, World};

/// Who and what shuts a gate at a space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Barred {
    /// Units of which each shuts it, were it the only one near that is no friend; all that are near
    /// if none alone does.
    pub units: Vec<u32>,
    /// Whether it is shut because of who controls a space there, units or not.
    pub control: bool,
    /// Whether it is shut whoever stands there and whoever controls it.
    pub itself: bool,
}

impl Position<'_> {
    /// Who shuts a gate of a leg for a thing at a space.
    pub fn barred(
        &self,
        trace: TraceId,
        thing: ThingRef,
        shut: &WayOut,
    ) -> Result<Barred, EvalFault> {
        let mut barred = Barred::default();
        let space = shut.space;
        let leg = self.rules.traces[trace.index()].legs.get(shut.leg);
        let Some(when) = leg.and_then(|leg| gate_of(leg, shut.gate)) else { return Ok(barred) };
        let viewer = self.viewer_of(thing);
        let felt = Reader::new(self.rules).of(when);
        let mut near = self.around(space, felt.space.unwrap_or(0), None, true);
        // Who may use a leg is asked where the unit stands.
        if let (ThingRef::Unit(unit), Some(home)) = (thing, felt.home)
            && let Some(at) = self.world.space_of(unit)
        {
            near.extend(self.around(at, home, None, true));
        }
        let others = self.others(thing).filter(|u| {
            felt.anywhere || self.world.space_of(*u).is_some_and(|s| near.contains(&s))
        });
        let others: Vec<u32> = others.collect();
        let opens = |world: &World| -> Result<bool, EvalFault> {
            let Some(on) = Position::on(&self.board(), world) else { return Ok(false) };
            on.asking.set(self.asking.get());
            on.holds(when, &on.asked_of(thing).with(1, ThingRef::Space(space)))
        };
        let mut bare = self.changed(&Change::Gone(others.clone()), &[]);
        if !opens(&bare)? {
            let held = viewer.map(|to| Change::Turned { space, to });
            let mut turned = bare.clone();
            held.into_iter().for_each(|held| held.make(self.rules, &[], &mut turned));
            barred.control = opens(&turned)?;
            barred.itself = !barred.control;
            bare = turned;
        }
        if barred.itself {
            return Ok(barred);
        }
        for unit in &others {
            let Some(to) = self.world.space_of(*unit) else { continue };
            Change::Moved { unit: *unit, to }.make(self.rules, &[], &mut bare);
            if !opens(&bare)? {
                barred.units.push(*unit);
            }
            Change::Gone(vec![*unit]).make(self.rules, &[], &mut bare);
        }
        if barred.units.is_empty() && !barred.control {
            barred.units = others;
        }
        Ok(barred)
    }

    /// The units on the map that are no friends of a thing's side, in the order of the position.
    pub(super) fn others(&self, thing: ThingRef) -> impl Iterator<Item = u32> + '_ {
        let viewer = self.viewer_of(thing);
        let friend = move |unit: u32| match (viewer, self.world.owner(unit)) {
            (Some(viewer), Some(owner)) => {
                matches!(self.world.relation(viewer, owner), Relation::Own | Relation::Allied)
            }
            _ => false,
        };
        (0..u32::try_from(self.world.units.len()).unwrap_or(u32::MAX)).filter(move |u| {
            ThingRef::Unit(*u) != thing && self.world.space_of(*u).is_some() && !friend(*u)
        })
    }
}
