//! Values of two things.

use super::{Cites, Expr, Name, Text};

/// `pair KIND a is NAME KIND b = EXPR`, or `pair NAME from KIND a to KIND b = EXPR`
#[derive(Debug, Clone)]
pub struct Pair {
    /// Its name.
    pub name: Name,
    /// Whether it is an amount from one thing to another; else a truth of two things.
    pub amount: bool,
    /// The two parties in the order of the sentence.
    pub parties: [Party; 2],
    /// For printed output.
    pub title: Option<Text>,
    /// Its value.
    pub value: Expr,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// `KIND name`: one of the two things that a pair is said of.
#[derive(Debug, Clone)]
pub struct Party {
    /// Its kind.
    pub kind: Name,
    /// What the body calls it.
    pub name: Name,
}
