//! Where units can get to in many positions.

use std::sync::PoisonError;

use super::reached::Reached;
use super::rows::{Checked, OFF_MAP, Rows, Table};
use super::{Faults, Space, Thing};
use crate::ir::SideId;
use crate::kernel::{LiveReach, Position as Asked, Rows as KernelRows};

/// Where the units of a trace can get to in each of many positions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reaches {
    things: Vec<Thing>,
    positions: usize,
    /// Position by position, and in each thing by thing, where its spaces end.
    ends: Vec<usize>,
    spaces: Vec<(Space, u32)>,
}

impl Reaches {
    /// What was asked: all units of the trace, or all spaces.
    #[must_use]
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// How many positions were asked.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The spaces that the nth thing reaches in a position, in the order of the map, each with how
    /// long the shortest line to it is; none for a unit off the map.
    #[must_use]
    pub fn of(&self, position: usize, nth: usize) -> &[(Space, u32)] {
        if position >= self.positions || nth >= self.things.len() {
            return &[];
        }
        let at = position * self.things.len() + nth;
        let first = at.checked_sub(1).and_then(|before| self.ends.get(before));
        let first = first.copied().unwrap_or(0);
        self.ends.get(at).and_then(|end| self.spaces.get(first..*end)).unwrap_or_default()
    }

    /// Adds the next thing of a position.
    fn add(&mut self, spaces: impl Iterator<Item = (Space, u32)>) {
        self.spaces.extend(spaces);
        self.ends.push(self.spaces.len());
    }
}

/// What follows from row to row, and how the last row was.
pub(super) struct ReachSeries {
    live: LiveReach,
    stands: Vec<u16>,
    control: Vec<u8>,
    /// By unit where it can get to.
    found: Vec<Vec<(Space, u32)>>,
}

impl ReachSeries {
    fn new(live: LiveReach, units: usize) -> ReachSeries {
        let (stands, control) = (Vec::new(), Vec::new());
        ReachSeries { live, stands, control, found: vec![Vec::new(); units] }
    }

    /// Goes on to the next row, and searches what that touches.
    fn goes_on(&mut self, stands: &[u16], control: &[u8]) {
        for (unit, space) in (0u32..).zip(stands) {
            if self.stands.get(unit as usize) != Some(space) {
                let space = (*space != OFF_MAP).then(|| u32::from(*space));
                self.live.move_unit(unit, space);
            }
        }
        if self.control != control {
            for (space, side) in (0u32..).zip(control) {
                if self.control.get(space as usize) != Some(side) {
                    self.live.set_control(space, side.checked_sub(1).map(SideId));
                }
            }
            control.clone_into(&mut self.control);
        }
        stands.clone_into(&mut self.stands);
        let ReachSeries { live, found, .. } = self;
        live.update(|unit, spaces| {
            if let Some(found) = found.get_mut(unit as usize) {
                found.clear();
                found.extend(spaces.unwrap_or_default().iter().map(|(s, l)| (Space(*s), *l)));
            }
        });
    }
}

impl Rows {
    /// Where the lines of each thing of the trace can end in all positions of a table, whether or
    /// not a source is there.
    ///
    /// # Errors
    ///
    /// What [`Rows::ask`] refuses.
    pub fn reach(&self, table: &Table<'_>) -> Result<Reaches, Faults> {
        let table = self.checked(table)?;
        let things = self.things();
        let mut reaches = Reaches { things, positions: table.positions(), ..Reaches::default() };
        let idle = || self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let (rules, world) = (self.like.game().rules(), self.like.world());
        let make = || LiveReach::new(rules, world, self.trace.inner());
        let rows = |live| ReachSeries::new(live, world.units.len());
        let Some(mut followed) = waiting.or_else(|| make().ok().map(rows)) else {
            self.reach_one_by_one(&table, &mut reaches)?;
            return Ok(reaches);
        };
        for position in 0..table.positions() {
            followed.goes_on(table.spaces(position), KernelRows::control(&table, position));
            for nth in 0..reaches.things.len() {
                let found = match reaches.things.get(nth) {
                    Some(Thing::Unit(unit)) => followed.found.get(unit.0 as usize),
                    _ => None,
                };
                reaches.add(found.into_iter().flatten().copied());
            }
        }
        idle().push(followed);
        Ok(reaches)
    }

    /// Each position by itself.
    fn reach_one_by_one(&self, table: &Checked<'_>, into: &mut Reaches) -> Result<(), Faults> {
        let (game, mut world) = (self.like.game(), self.like.world().clone());
        for position in 0..table.positions() {
            table.write(position, &mut world);
            let all = match Asked::new(game.rules(), &world) {
                Some(asked) => Reached::all(&asked, self.trace.inner()),
                None => Ok(Vec::new()),
            };
            // The things of a position stand in the order of all things.
            let mut all = all.map_err(|fault| game.broken(fault))?.into_iter().peekable();
            for nth in 0..into.things.len() {
                let own = all.next_if(|reached| into.things.get(nth) == Some(&reached.thing));
                into.add(own.iter().flat_map(|reached| reached.spaces.iter().copied()));
            }
        }
        Ok(())
    }
}
