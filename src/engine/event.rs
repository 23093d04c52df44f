//! What happened in a run, one thing after the other.

use super::{Deed, Ways};
use crate::ir::*;
use crate::kernel::Hindrance;
use crate::map::Stand;
use crate::world::ThingRef;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// In which phase.
    pub phase: PhaseId,
    /// By which line.
    pub line: LineId,
    /// To what, or by whom.
    pub thing: ThingRef,
    /// What.
    pub what: What,
    /// The order that was taken, if it was a player's choice.
    pub order: Option<Deed>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// a trace was judged
    Judged(TraceId, bool),
    /// a test was rolled
    Rolled {
        /// which test
        test: TestId,
        /// what the dice showed
        dice: Vec<u32>,
        /// what came of it
        outcome: Option<u16>,
    },
    /// all that a list of tests had for a thing was rolled, or as far as the outcome that stops it
    Listed {
        /// which list
        table: TableId,
        /// the row at which it stopped; none if it went through
        stop: Option<u16>,
    },
    /// a fact was changed
    Changed {
        /// which fact
        fact: FactId,
        /// whose
        of: ThingRef,
        /// what it was, encoded
        from: i64,
        /// what it is, encoded
        to: i64,
    },
    /// two sides stand otherwise to each other
    Related {
        /// one side
        a: SideId,
        /// the other
        b: SideId,
        /// how they stood
        from: Relation,
        /// how they stand
        to: Relation,
    },
    /// a unit was laid anew on its table
    Laid {
        /// how
        how: PlacementWord,
        /// where it lay
        from: Stand,
        /// where it lies
        to: Stand,
    },
    /// a unit could not be laid anew, and lies where it lay
    NotLaid {
        /// how it would have been
        how: PlacementWord,
        /// why not
        why: Hindrance,
    },
    /// a unit left the map for good
    Removed,
    /// something must be done, and nobody has said in which way
    Open(Ways),
}
