//! Numbers for what a question names, so that a name is looked up once.

use serde::Serialize;

use crate::ir::{SideId, TraceId};
use crate::world::ThingRef;

/// A trace of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Trace(pub u16);

/// A side of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Side(pub u8);

/// A unit of a position, by its place among the units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Unit(pub u32);

/// A space of a map, by its place among the spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Space(pub u32);

/// What a trace can be asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Thing {
    /// A unit.
    Unit(Unit),
    /// A space.
    Space(Space),
}

impl From<Unit> for Thing {
    fn from(unit: Unit) -> Thing {
        Thing::Unit(unit)
    }
}

impl From<Space> for Thing {
    fn from(space: Space) -> Thing {
        Thing::Space(space)
    }
}

impl Thing {
    pub(super) fn inner(self) -> ThingRef {
        match self {
            Thing::Unit(unit) => ThingRef::Unit(unit.0),
            Thing::Space(space) => ThingRef::Space(space.0),
        }
    }

    /// The thing of an answer; sides and the world have none.
    pub(super) fn of(thing: ThingRef) -> Option<Thing> {
        match thing {
            ThingRef::Unit(unit) => Some(Thing::Unit(Unit(unit))),
            ThingRef::Space(space) => Some(Thing::Space(Space(space))),
            ThingRef::Link(_) | ThingRef::Side(_) | ThingRef::World => None,
        }
    }
}

impl Trace {
    pub(super) fn inner(self) -> TraceId {
        TraceId(self.0)
    }
}

impl Side {
    pub(super) fn inner(self) -> SideId {
        SideId(self.0)
    }
}
