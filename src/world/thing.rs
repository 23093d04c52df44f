//! A thing of a position by its place.

use crate::ir::SideId;

/// A thing that facts are said of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThingRef {
    /// a unit of the position
    Unit(u32),
    /// a space of the map
    Space(u32),
    /// a link of the map, by its number among those of which a position says more
    Link(u32),
    /// a side
    Side(SideId),
    /// the world
    World,
}
