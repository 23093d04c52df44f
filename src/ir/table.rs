//! What a ruleset says of units on a table: how large they are, and how they are laid anew.

use serde::{Deserialize, Serialize};

use super::{ExprId, KindId, LineId};
use crate::map::Heading;

/// How a unit is laid anew on a table. What cannot be done is not done.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// straight ahead, as far as nothing is in the way
    Advance {
        /// how far
        by: ExprId,
        /// whether it halts just before what it would touch
        short: bool,
    },
    /// straight back, through whatever stands there, keeping its facing
    FallBack {
        /// how far
        by: ExprId,
    },
    /// straight back to the first place that holds it
    FallBackToGap,
    /// exchange places with a unit
    Swap(ExprId),
    /// lie along the edge of a unit that it touches
    Conform(ExprId),
    /// turn by quarters until its front is toward a unit
    Face(ExprId),
    /// turn round where it lies
    FaceAbout,
    /// turn round and go straight away
    BreakOff {
        /// how far
        by: ExprId,
    },
    /// swing round a corner of its front
    Wheel {
        /// round the left corner, else the right one
        left: bool,
        /// until it faces there
        to: Heading,
    },
}

/// The name of a placement, by which orders and expectations know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlacementWord {
    /// straight ahead
    Advance,
    /// straight back
    FallBack,
    /// places exchanged
    Swap,
    /// laid along an edge
    Conform,
    /// turned
    Face,
    /// turned and gone
    BreakOff,
    /// swung
    Wheel,
}

impl PlacementWord {
    /// All of them.
    pub const ALL: [PlacementWord; 7] = [
        PlacementWord::Advance,
        PlacementWord::FallBack,
        PlacementWord::Swap,
        PlacementWord::Conform,
        PlacementWord::Face,
        PlacementWord::BreakOff,
        PlacementWord::Wheel,
    ];

    /// As rules write it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            PlacementWord::Advance => "advance",
            PlacementWord::FallBack => "fall back",
            PlacementWord::Swap => "swap",
            PlacementWord::Conform => "conform",
            PlacementWord::Face => "face",
            PlacementWord::BreakOff => "break off",
            PlacementWord::Wheel => "wheel",
        }
    }
}

impl Placement {
    /// Its name.
    #[must_use]
    pub fn word(&self) -> PlacementWord {
        match self {
            Placement::Advance { .. } => PlacementWord::Advance,
            Placement::FallBack { .. } | Placement::FallBackToGap => PlacementWord::FallBack,
            Placement::Swap(_) => PlacementWord::Swap,
            Placement::Conform(_) => PlacementWord::Conform,
            Placement::Face(_) | Placement::FaceAbout => PlacementWord::Face,
            Placement::BreakOff { .. } => PlacementWord::BreakOff,
            Placement::Wheel { .. } => PlacementWord::Wheel,
        }
    }
}

/// How large a unit of a kind lies on a table; level 0 is the unit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BaseRule {
    /// The kind, and all kinds below it that say nothing else.
    pub kind: KindId,
    /// Along its front.
    pub width: ExprId,
    /// From its front to its rear.
    pub depth: ExprId,
    /// When it lies round a corner.
    pub bent: Option<ExprId>,
    /// Its line.
    pub line: LineId,
}
