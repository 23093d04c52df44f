//! Why a batch or a kernel is refused.

use super::EvalFault;
use crate::ir::FactId;

/// Why positions cannot be held in a batch, or a trace not be asked of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BatchFault {
    /// the template's map is not of the ruleset
    #[error("the map of the template is not one of the ruleset")]
    NoMap,
    /// the map or the ruleset is too large for columns, or the planes for memory
    #[error("the map or the reach of the trace is too large for planes")]
    TooLarge,
    /// a fact that is not of units, or that always varies
    #[error("fact {} is not one of units that a batch can vary", .0.0)]
    NotOfUnits(FactId),
    /// a fact with more values than a column holds
    #[error("fact {} has more values than a column holds", .0.0)]
    TooWide(FactId),
    /// no such trace
    #[error("there is no such trace")]
    NoTrace,
    /// a trace that is asked of spaces
    #[error("the trace is asked of spaces, and a batch answers for units")]
    OfSpaces,
    /// a trace of several legs, or with relays or costs
    #[error("the trace has several legs, relays or costs, and a batch floods one leg link by link")]
    NotPlain,
    /// links cross and do not meet
    #[error("links cross and do not meet, so that where a line goes on depends on whence it came")]
    Crossings,
    /// a gate or source reads the unit, so that no search can be shared
    #[error(
        "a gate or a source of the trace reads the unit behind it, so that no search can be shared"
    )]
    PerSubject,
    /// what can only be asked of each position by itself
    #[error(
        "something can only be asked of each position by itself, so that planes alone do not answer it"
    )]
    NotWhole,
    /// a batch of other positions than the kernel was compiled for
    #[error("the batch was not made for the template and the varying facts of the kernel")]
    OtherBatch,
    /// what went wrong in one position
    #[error("{0}")]
    Eval(#[from] EvalFault),
}
