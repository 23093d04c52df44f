//! The table of a position: how large its units lie on it, and how they can be laid anew.

use super::{Amount, Cx, EvalFault, Position};
use crate::ir::*;
use crate::map::{Heading, Stand};
use crate::world::ThingRef;

/// How a unit is to be laid anew, its amounts and things worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Laying {
    /// straight ahead
    Advance {
        /// how far
        by: Amount,
        /// whether it halts just before what it would touch
        short: bool,
    },
    /// straight back
    FallBack {
        /// how far
        by: Amount,
    },
    /// straight back to the first place that holds it
    FallBackToGap,
    /// exchange places with a unit
    Swap(u32),
    /// along the edge of a unit that it touches
    Conform(u32),
    /// turned by quarters toward a unit
    Face(u32),
    /// turned round
    FaceAbout,
    /// turned round and gone
    BreakOff {
        /// how far
        by: Amount,
    },
    /// swung round a corner of its front
    Wheel {
        /// round the left corner, else the right one
        left: bool,
        /// until it faces there
        to: Heading,
    },
}

impl Laying {
    /// Its name.
    #[must_use]
    pub fn word(self) -> PlacementWord {
        match self {
            Laying::Advance { .. } => PlacementWord::Advance,
            Laying::FallBack { .. } | Laying::FallBackToGap => PlacementWord::FallBack,
            Laying::Swap(_) => PlacementWord::Swap,
            Laying::Conform(_) => PlacementWord::Conform,
            Laying::Face(_) | Laying::FaceAbout => PlacementWord::Face,
            Laying::BreakOff { .. } => PlacementWord::BreakOff,
            Laying::Wheel { .. } => PlacementWord::Wheel,
        }
    }
}

/// Why a unit cannot be laid anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hindrance {
    /// it does not lie on the table
    NotOnTable,
    /// another lies where it would lie
    Taken,
    /// it would leave the table
    OffTable,
    /// it does not touch what it should
    NoContact,
    /// there is no place that holds it
    NoRoom,
}

impl Hindrance {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Hindrance::NotOnTable => "it is not on the table",
            Hindrance::Taken => "another unit is in the way",
            Hindrance::OffTable => "it would leave the table",
            Hindrance::NoContact => "it does not touch it",
            Hindrance::NoRoom => "no place holds it",
        }
    }
}

/// One way in which units are laid anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Who lies where in the end; more than one unit where two exchange places.
    pub stands: Vec<(u32, Stand)>,
    /// The units that stopped it on the way.
    pub met: Vec<u32>,
}

impl Way {
    /// Where a unit lies in the end.
    #[must_use]
    pub fn of(&self, unit: u32) -> Option<Stand> {
        self.stands.iter().find(|(u, _)| *u == unit).map(|(_, stand)| *stand)
    }
}

/// The bases of a position on their table.
pub struct Laid {}

impl Laid {
    /// All ways in which a unit can be laid anew as the table is.
    pub fn ways(&self, _unit: u32, _laying: Laying) -> Result<Vec<Way>, Hindrance> {
        Err(Hindrance::NotOnTable)
    }

    /// Lays a unit anew.
    pub fn lay(&mut self, _unit: u32, _to: Stand) {}
}

impl Position<'_> {
    /// The table with all that lies on it; none for a map that is no table.
    pub fn laid(&self) -> Result<Option<Laid>, EvalFault> {
        Ok(None)
    }

    /// How a unit is to be laid anew; none where what it should be laid by is not there.
    pub fn laying(&self, placement: &Placement, cx: &Cx) -> Result<Option<Laying>, EvalFault> {
        let length = |id: &ExprId| self.value(*id, cx).map(|value| value.amount().filter(|a| *a > Amount::from_integer(0)));
        let unit = |id: &ExprId| {
            self.value(*id, cx).map(|value| match value.thing() {
                Some(ThingRef::Unit(unit)) => Some(unit),
                _ => None,
            })
        };
        Ok(match placement {
            Placement::Advance { by, short } => length(by)?.map(|by| Laying::Advance { by, short: *short }),
            Placement::FallBack { by } => length(by)?.map(|by| Laying::FallBack { by }),
            Placement::FallBackToGap => Some(Laying::FallBackToGap),
            Placement::Swap(with) => unit(with)?.map(Laying::Swap),
            Placement::Conform(to) => unit(to)?.map(Laying::Conform),
            Placement::Face(to) => unit(to)?.map(Laying::Face),
            Placement::FaceAbout => Some(Laying::FaceAbout),
            Placement::BreakOff { by } => length(by)?.map(|by| Laying::BreakOff { by }),
            Placement::Wheel { left, to } => Some(Laying::Wheel { left: *left, to: *to }),
        })
    }
}
