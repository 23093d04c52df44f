//! Why a trace cannot be made ready, or a position not be asked.

use crate::kernel::EvalFault;

/// Why a trace is left to the search by spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// no such trace
    #[error("there is no such trace")]
    NoTrace,
    /// no such map
    #[error("the map of the position is not one of the ruleset")]
    NoMap,
    /// more spaces than planes are made for
    #[error("the map is too large")]
    TooLarge,
    /// a cost reads more than facts
    #[error("a cost reads more than the facts of the unit and of the space it enters")]
    Cost,
    /// links cross and do not meet
    #[error("links cross and do not meet, so that where a line goes on depends on whence it came")]
    Crossings,
    /// a condition printed on the map cannot be worked out
    #[error("a condition on the map cannot be worked out: {0}")]
    Value(#[from] EvalFault),
}

/// Why a position gets no answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HexFault {
    /// the position is on another map
    #[error("the position is on another map than the kernel was made for")]
    OtherMap,
    /// a value cannot be worked out
    #[error("a value cannot be worked out: {0}")]
    Value(#[from] EvalFault),
}
