//! Values and what can go wrong in working them out.

use num_rational::Ratio;

use crate::ir::{CallFault, ExprId, HookId, TableId, Type};
use crate::world::ThingRef;

/// An exact amount.
pub type Amount = Ratio<i64>;

/// The value of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// yes or no
    Truth(bool),
    /// an amount
    Number(Amount),
    /// a word of its set
    Word(u16),
    /// a thing, or none
    Thing(Option<ThingRef>),
    /// what a grid says by `barred`, and an amount that nobody knows
    Barred,
}

impl Value {
    /// What nobody knows: no amount at all, or no.
    #[must_use]
    pub fn unknown(amount: bool) -> Value {
        if amount { Value::Barred } else { Value::Truth(false) }
    }

    /// What is said of what is not there: no, 0, the first word, no thing.
    #[must_use]
    pub fn nothing(ty: Type) -> Value {
        match ty {
            Type::Truth => Value::Truth(false),
            Type::Number { .. } => Value::Number(Amount::from_integer(0)),
            Type::Word(_) => Value::Word(0),
            Type::Thing { .. } => Value::Thing(None),
        }
    }

    /// Whether it is yes.
    #[must_use]
    pub fn is_true(self) -> bool {
        self == Value::Truth(true)
    }

    /// The amount; nothing for any other sort.
    #[must_use]
    pub fn amount(self) -> Option<Amount> {
        match self {
            Value::Number(n) => Some(n),
            _ => None,
        }
    }

    /// The thing, if it is one.
    #[must_use]
    pub fn thing(self) -> Option<ThingRef> {
        match self {
            Value::Thing(thing) => thing,
            _ => None,
        }
    }
}

/// What can go wrong while a value is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EvalFault {
    /// a division by nothing
    #[error("a division by nothing")]
    Division(ExprId),
    /// a number too large to keep exactly
    #[error("a number too large to keep exactly")]
    TooLarge(ExprId),
    /// no row of a table holds
    #[error("no row of the table holds")]
    NoRow(TableId),
    /// several rows of a table hold where one must
    #[error("several rows of the table hold where only one may")]
    SeveralRows(TableId),
    /// a question that costs more steps than any may
    #[error("the answer takes too many steps")]
    TooLong(ExprId),
    /// the script of a hook came to no end, or to no amount
    #[error("the script of a hook {}", .1.kind)]
    Script(HookId, CallFault),
}
