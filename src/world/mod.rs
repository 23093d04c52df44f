//! A position: units, control, marks, how the sides stand, and the answers that phases have kept.
//!
//! Takes an IR and a setup, or JSON; gives numbers in rows. Knows no rule: it never says who is
//! supplied.

pub mod json;
pub mod start;

mod links;
mod stand;
mod stated;
mod thing;
mod units;

#[cfg(test)]
pub(crate) mod random;

#[cfg(test)]
pub(crate) mod testing;

pub use stand::{heading_of_degrees, read_heading};
pub use start::start;
pub use stated::{Said, Stated};
pub use thing::ThingRef;
pub use units::Units;

use crate::map::Stand;

use crate::ir::{
    Fact, FactId, KindId, MapId, PhaseId, PutUnit, Relation, Ruleset, SideId, TableId, TestId,
    TraceId,
};

/// The facts that every ruleset has, in this order.
pub mod built_in {
    use crate::ir::FactId;

    /// The side a unit belongs to.
    pub const OWNER: FactId = FactId(0);
    /// The space a unit stands in.
    pub const SPACE: FactId = FactId(1);
    /// The side that controls a space.
    pub const CONTROL: FactId = FactId(2);
}

/// A unit of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its id, unlike that of any other unit.
    pub id: String,
    /// For printed output.
    pub title: String,
    /// Its kind.
    pub kind: KindId,
    /// Whether it has left the game.
    pub removed: bool,
    /// Where it lies on a table, if it does.
    pub stand: Option<Stand>,
}

/// A position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// The map it is played on.
    pub map: MapId,
    /// The named units of the ruleset, then those of the setup, then those put later.
    pub units: Units,
    /// The facts of units, row by row: unit `u`, slot `k` at `u * slots + k`; encoded: things,
    /// spaces and sides are their place plus 1, and 0 is none.
    pub unit_facts: Vec<i64>,
    /// Slots in a row of `unit_facts`.
    pub unit_slots: usize,
    /// The facts of spaces, row by row: space `s`, slot `k` at `s * slots + k`.
    pub space_facts: Vec<i64>,
    /// Slots in a row of `space_facts`.
    pub space_slots: usize,
    /// The facts of links of which a position says more, row by row; see [`crate::map::Map::changing`].
    pub link_facts: Vec<i64>,
    /// Slots in a row of `link_facts`.
    pub link_slots: usize,
    /// The facts of sides, row by row.
    pub side_facts: Vec<i64>,
    /// Slots in a row of `side_facts`.
    pub side_slots: usize,
    /// The facts of the world by slot.
    pub world_facts: Vec<i64>,
    /// How side `a` stands to side `b`, at `a * sides + b`.
    pub relations: Vec<Relation>,
    /// The side that asks about spaces, when somebody has said which.
    pub viewer: Option<SideId>,
    /// The reading of each ruling.
    pub readings: Vec<u16>,
    /// The outcome of the last roll of each test for each thing.
    pub rolled: Vec<Vec<Option<u16>>>,
    /// For each table that is a list of tests: where the last roll of it stopped for each thing, 0
    /// for nowhere, else the place of the row plus 1.
    pub stopped: Vec<Vec<Option<u16>>>,
    /// Kept answers: for each trace, for each unit or space of it.
    pub kept: Vec<Vec<Option<bool>>>,
    /// The phase that does not happen, while its steps are passed over; none between phases.
    pub skips: Option<PhaseId>,
    /// What somebody has stated of two things; it counts before anything that is worked out or
    /// measured.
    pub stated: Stated,
}

impl World {
    /// An empty position on a map: named units only, every fact as the ruleset and the map say at
    /// the start.
    #[must_use]
    pub fn new(rules: &Ruleset, map: MapId) -> World {
        let slots = |top: KindId| rules.facts.iter().filter(|f| rules.top(f.kind) == top).count();
        let map_of = rules.maps.get(map.index());
        let spaces = map_of.map_or(&[][..], |m| &m.spaces);
        let space_slots = slots(KindId::SPACE);
        let mut space_facts = vec![0; spaces.len() * space_slots];
        for (row, space) in space_facts.chunks_mut(space_slots.max(1)).zip(spaces) {
            for (cell, value) in row.iter_mut().zip(&space.facts) {
                *cell = *value;
            }
        }
        let defaults = |top: KindId| -> Vec<i64> {
            rules.facts.iter().filter(|f| rules.top(f.kind) == top).map(|f| f.default).collect()
        };
        let mut world = World {
            map,
            units: Units::default(),
            unit_facts: Vec::new(),
            unit_slots: slots(KindId::UNIT),
            space_facts,
            space_slots,
            link_facts: map_of.map_or_else(Vec::new, |map| links::printed(rules, map)),
            link_slots: slots(KindId::LINK),
            side_facts: defaults(KindId::SIDE).repeat(rules.sides.len()),
            side_slots: slots(KindId::SIDE),
            world_facts: defaults(KindId::WORLD),
            relations: rules.relations.clone(),
            viewer: None,
            readings: rules.rulings.iter().map(|r| r.default).collect(),
            rolled: vec![Vec::new(); rules.tests.len()],
            stopped: vec![Vec::new(); rules.tables.len()],
            kept: vec![Vec::new(); rules.traces.len()],
            skips: None,
            stated: Stated::default(),
        };
        for named in &rules.named {
            let unit = PutUnit {
                id: named.name.clone(),
                title: named.name.clone(),
                kind: named.kind,
                owner: None,
                space: None,
                facts: Vec::new(),
            };
            world.put(rules, &unit);
        }
        world
    }

    /// Adds a unit and gives its place.
    pub fn put(&mut self, rules: &Ruleset, unit: &PutUnit) -> u32 {
        let mut row: Vec<i64> = rules
            .facts
            .iter()
            .filter(|f| rules.top(f.kind) == KindId::UNIT)
            .map(|f| f.default)
            .collect();
        let mut set = |fact: FactId, value: i64| {
            if let Some(cell) =
                rules.facts.get(fact.index()).and_then(|f| row.get_mut(usize::from(f.slot)))
            {
                *cell = value;
            }
        };
        set(built_in::OWNER, unit.owner.map_or(0, |s| i64::from(s.0) + 1));
        set(built_in::SPACE, unit.space.map_or(0, |s| i64::from(s) + 1));
        for &(fact, value) in &unit.facts {
            set(fact, value);
        }
        self.add(
            Unit {
                id: unit.id.clone(),
                title: unit.title.clone(),
                kind: unit.kind,
                removed: false,
                stand: None,
            },
            &row,
        )
    }

    /// Adds a unit with a row of facts and gives its place.
    pub fn add(&mut self, unit: Unit, row: &[i64]) -> u32 {
        let place = self.units.len();
        self.units.push(unit);
        self.unit_facts.extend_from_slice(row);
        self.unit_facts.resize((place + 1) * self.unit_slots, 0);
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    /// Takes away all units behind the first so many.
    pub fn truncate(&mut self, units: usize) {
        if units < self.units.len() {
            self.units.truncate(units);
        }
        self.unit_facts.truncate(units * self.unit_slots);
    }

    /// The facts of a unit by slot; empty if there is no such unit.
    #[must_use]
    pub fn row(&self, unit: u32) -> &[i64] {
        let start = (unit as usize).saturating_mul(self.unit_slots);
        self.unit_facts.get(start..start.saturating_add(self.unit_slots)).unwrap_or_default()
    }

    /// The facts of a unit by slot, to be changed; empty if there is no such unit.
    pub fn row_mut(&mut self, unit: u32) -> &mut [i64] {
        let start = (unit as usize).saturating_mul(self.unit_slots);
        self.unit_facts.get_mut(start..start.saturating_add(self.unit_slots)).unwrap_or_default()
    }

    /// A stored fact of a thing, encoded; the default for a thing that has no such fact.
    #[must_use]
    pub fn fact(&self, fact: &Fact, of: ThingRef) -> i64 {
        self.cell(fact, of).unwrap_or(fact.default)
    }

    /// The unit that an encoded cell names; none for one that has left the game.
    #[must_use]
    pub fn named_unit(&self, cell: i64) -> Option<u32> {
        let unit = u32::try_from(cell - 1).ok()?;
        self.units.get(unit as usize).filter(|u| !u.removed).map(|_| unit)
    }

    fn cell(&self, fact: &Fact, of: ThingRef) -> Option<i64> {
        let slot = usize::from(fact.slot);
        match of {
            // Who has left the game stands nowhere.
            ThingRef::Unit(u)
                if slot == built_in::SPACE.index()
                    && self.units.get(u as usize).is_some_and(|u| u.removed) =>
            {
                Some(0)
            }
            ThingRef::Unit(u) => self.row(u).get(slot).copied(),
            ThingRef::Space(s) => {
                self.space_facts.get(s as usize * self.space_slots + slot).copied()
            }
            ThingRef::Link(l) => self.link_facts.get(l as usize * self.link_slots + slot).copied(),
            ThingRef::Side(s) => self.side_facts.get(s.index() * self.side_slots + slot).copied(),
            ThingRef::World => self.world_facts.get(slot).copied(),
        }
    }

    /// Sets a stored fact of a thing.
    pub fn set_fact(&mut self, fact: &Fact, of: ThingRef, value: i64) {
        let slot = usize::from(fact.slot);
        let cell = match of {
            ThingRef::Unit(u) => self.row_mut(u).get_mut(slot),
            ThingRef::Space(s) => self.space_facts.get_mut(s as usize * self.space_slots + slot),
            ThingRef::Link(l) => self.link_facts.get_mut(l as usize * self.link_slots + slot),
            ThingRef::Side(s) => self.side_facts.get_mut(s.index() * self.side_slots + slot),
            ThingRef::World => self.world_facts.get_mut(slot),
        };
        if let Some(cell) = cell {
            *cell = value;
        }
    }

    /// The side a unit belongs to.
    #[must_use]
    pub fn owner(&self, unit: u32) -> Option<SideId> {
        decode_side(self.row(unit).get(built_in::OWNER.index()).copied()?)
    }

    /// The space a unit stands in; none for a unit that is off the map or removed.
    #[must_use]
    pub fn space_of(&self, unit: u32) -> Option<u32> {
        self.units.get(unit as usize).filter(|u| !u.removed)?;
        u32::try_from(self.row(unit).get(built_in::SPACE.index()).copied()? - 1).ok()
    }

    /// Takes a unit out of the game: it stands nowhere any more.
    pub fn leave(&mut self, unit: u32) {
        if let Some(cell) = self.row_mut(unit).get_mut(built_in::SPACE.index()) {
            *cell = 0;
        }
        self.set_removed(unit, true);
    }

    /// Says whether a unit has left the game.
    pub(crate) fn set_removed(&mut self, unit: u32, removed: bool) {
        let at = unit as usize;
        // What stays as it is shares the list of units further.
        if self.units.get(at).is_some_and(|unit| unit.removed != removed)
            && let Some(unit) = self.units.get_mut(at)
        {
            unit.removed = removed;
        }
    }

    /// Where a unit lies on the table; none for a unit that is not on it or is removed.
    #[must_use]
    pub fn stand(&self, unit: u32) -> Option<Stand> {
        self.units.get(unit as usize).filter(|u| !u.removed)?.stand
    }

    /// Lays a unit on the table, or takes it away.
    pub fn lay(&mut self, unit: u32, stand: Option<Stand>) {
        let at = unit as usize;
        if self.units.get(at).is_some_and(|unit| unit.stand != stand)
            && let Some(unit) = self.units.get_mut(at)
        {
            unit.stand = stand;
        }
    }

    /// The side that controls a space.
    #[must_use]
    pub fn control(&self, space: u32) -> Option<SideId> {
        decode_side(self.space_facts.get(space as usize * self.space_slots).copied()?)
    }

    /// How one side stands to another.
    #[must_use]
    pub fn relation(&self, a: SideId, b: SideId) -> Relation {
        if a == b {
            return Relation::Own;
        }
        let sides = self.relations.len().isqrt();
        self.relations.get(a.index() * sides + b.index()).copied().unwrap_or_default()
    }

    /// Says how two sides stand to each other, both ways.
    pub fn relate(&mut self, a: SideId, b: SideId, relation: Relation) {
        let sides = self.relations.len().isqrt();
        for (a, b) in [(a, b), (b, a)] {
            if let Some(cell) = self.relations.get_mut(a.index() * sides + b.index()) {
                *cell = relation;
            }
        }
    }

    /// The kept answer of a trace for a unit or a space.
    #[must_use]
    pub fn kept(&self, trace: TraceId, of: ThingRef) -> Option<bool> {
        read_row(self.kept.get(trace.index())?, of)
    }

    /// Keeps or forgets the answer of a trace for a unit or a space.
    pub fn keep(&mut self, trace: TraceId, of: ThingRef, answer: Option<bool>) {
        if let Some(row) = self.kept.get_mut(trace.index()) {
            write_row(row, of, answer);
        }
    }

    /// The outcome of the last roll of a test for a thing.
    #[must_use]
    pub fn outcome(&self, test: TestId, of: ThingRef) -> Option<u16> {
        read_row(self.rolled.get(test.index())?, of)
    }

    /// Where the last roll of a list of tests stopped for a thing: 0 for nowhere, else
    /// the place of the row plus 1.
    #[must_use]
    pub fn stopped(&self, list: TableId, of: ThingRef) -> Option<u16> {
        read_row(self.stopped.get(list.index())?, of)
    }

    /// Keeps or forgets where a roll of a list stopped.
    pub fn stop(&mut self, list: TableId, of: ThingRef, at: Option<u16>) {
        if let Some(row) = self.stopped.get_mut(list.index()) {
            write_row(row, of, at);
        }
    }

    /// Keeps or forgets the outcome of a roll.
    pub fn roll(&mut self, test: TestId, of: ThingRef, outcome: Option<u16>) {
        if let Some(row) = self.rolled.get_mut(test.index()) {
            write_row(row, of, outcome);
        }
    }
}

/// The place of a thing in a row of what is kept of things of one top kind.
fn place_of(thing: ThingRef) -> usize {
    match thing {
        ThingRef::Unit(place) | ThingRef::Space(place) | ThingRef::Link(place) => place as usize,
        ThingRef::Side(side) => side.index(),
        ThingRef::World => 0,
    }
}

/// What a row says of a thing.
fn read_row<T: Copy>(row: &[Option<T>], of: ThingRef) -> Option<T> {
    row.get(place_of(of)).copied().flatten()
}

/// Says something of a thing; the row grows as far as it must.
fn write_row<T: Clone + PartialEq>(row: &mut Vec<Option<T>>, of: ThingRef, value: Option<T>) {
    let place = place_of(of);
    if row.len() <= place && value.is_some() {
        row.resize(place + 1, None);
    }
    if let Some(cell) = row.get_mut(place) {
        *cell = value;
    }
    // Equal positions are equal as data: what was forgotten leaves no trace at the end of the row.
    while row.last() == Some(&None) {
        row.pop();
    }
}

/// A side from a cell: its place plus 1, and 0 for none.
#[must_use]
pub fn decode_side(cell: i64) -> Option<SideId> {
    u8::try_from(cell - 1).ok().map(SideId)
}
