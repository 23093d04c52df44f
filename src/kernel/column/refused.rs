//! Why something is no column.

use crate::ir::ExprId;

/// What stands in the way, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Refused {
    /// What stands in the way.
    pub why: Why,
    /// The expression; none where a table or a define itself is the reason.
    pub at: Option<ExprId>,
}

impl Refused {
    pub(super) fn new(why: Why, at: ExprId) -> Refused {
        Refused { why, at: Some(at) }
    }
}

impl From<Why> for Refused {
    fn from(why: Why) -> Refused {
        Refused { why, at: None }
    }
}

/// The reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// no such define, table or result, or nothing that it gives
    #[error("there is no such named value, or it gives nothing")]
    NoSuch,
    /// a fact of something other than the subject
    #[error(
        "it reads a fact of another thing than the one it is asked of, and a row holds one thing"
    )]
    OtherThing,
    /// quantifiers, counts, sums over things
    #[error("it looks for other things, and a row holds one thing")]
    OtherThings,
    /// stances, the viewer, relations of sides
    #[error("it asks how things stand to the side that asks, which is no fact of a row")]
    Viewer,
    /// kinds and removal
    #[error("it asks of which kind a thing is, or whether it is there, which is no fact of a row")]
    Kind,
    /// traces in any form
    #[error("it asks a trace, which needs the map")]
    Trace,
    /// hooks
    #[error("it asks a script")]
    Hook,
    /// dice, outcomes and chances
    #[error("it reads dice, an outcome or a chance")]
    Chance,
    /// the step of a line, the choice of a step
    #[error("it reads a step or a choice, which is no fact of a row")]
    Step,
    /// division by what varies
    #[error("it divides by an amount that is not the same in all rows, or by 0")]
    Division,
    /// more than 32 bits
    #[error("an amount in it can be too large for a column of 32 bits")]
    TooLarge,
    /// a thing as the result
    #[error("it gives a thing, and a column gives amounts, truths or words")]
    GivesThing,
    /// amounts and words in the wrong place; the checker has ruled it out
    #[error("it was not proved by the checker")]
    NotProved,
}
