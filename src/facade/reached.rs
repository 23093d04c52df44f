//! Where units can get to, in numbers.

use std::sync::Arc;

use super::following::Follows;
use super::{Space, Thing, Unit};
use crate::ir::{SideId, TraceId};
use crate::kernel::{EvalFault, LiveReach, Position as Asked};

/// Where the lines of a thing can end, in numbers; [`Position::reach`](super::Position::reach) puts
/// the same into words, with what bars the rest, what is left of a budget, and the ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// What was asked about.
    pub thing: Thing,
    /// The spaces in the order of the map, each with how long the shortest line to it is; shared by
    /// all copies.
    pub spaces: Arc<[(Space, u32)]>,
}

impl Reached {
    fn of(thing: Thing, spaces: impl Iterator<Item = (u32, u32)>) -> Reached {
        Reached { thing, spaces: spaces.map(|(space, length)| (Space(space), length)).collect() }
    }

    /// How long the shortest line to a space is; nothing where none can end there.
    #[must_use]
    pub fn length(&self, space: Space) -> Option<u32> {
        let at = self.spaces.binary_search_by_key(&space, |(space, _)| *space).ok()?;
        self.spaces.get(at).map(|(_, length)| *length)
    }

    /// All of a trace, asked of each thing.
    pub(super) fn all(position: &Asked<'_>, trace: TraceId) -> Result<Vec<Reached>, EvalFault> {
        let mut all = Vec::new();
        for thing in position.asked_about(trace) {
            let found = position.reach_lengths(trace, thing)?;
            all.extend(Thing::of(thing).map(|thing| Reached::of(thing, found.into_iter())));
        }
        Ok(all)
    }
}

/// What a trace reaches, following the changes of a position.
pub(super) struct ReachedRows {
    live: LiveReach,
    /// By unit; none for those off the map and those of other kinds.
    rows: Vec<Option<Reached>>,
}

impl ReachedRows {
    pub(super) fn new(live: LiveReach, units: usize) -> ReachedRows {
        ReachedRows { live, rows: vec![None; units] }
    }

    /// All, of which those are searched that the changes have touched.
    pub(super) fn all(&mut self) -> Vec<Reached> {
        let ReachedRows { live, rows } = self;
        live.update(|unit, found| {
            let of = |spaces: &[(u32, u32)]| {
                Reached::of(Thing::Unit(Unit(unit)), spaces.iter().copied())
            };
            if let Some(row) = rows.get_mut(unit as usize) {
                *row = found.map(of);
            }
        });
        rows.iter().flatten().cloned().collect()
    }
}

impl Follows for ReachedRows {
    fn trace(&self) -> TraceId {
        self.live.trace()
    }

    fn move_unit(&mut self, unit: u32, space: Option<u32>) {
        self.live.move_unit(unit, space);
    }

    fn set_control(&mut self, space: u32, side: Option<SideId>) {
        self.live.set_control(space, side);
    }
}
