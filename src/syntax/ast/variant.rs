//! What a variant changes.

use super::{Cites, Expr, GridRow, Item, KeyCell, ListRow, Name, TraceLine};
use crate::source::Span;

/// `override ...`
#[derive(Debug, Clone)]
pub struct Override {
    /// What is changed.
    pub kind: OverrideKind,
    /// The clauses the change carries out.
    pub cites: Cites,
}

/// The changes by override.
#[derive(Debug, Clone)]
pub enum OverrideKind {
    /// `row R of T was V now V`
    Row { row: Name, table: Name, was: Vec<Expr>, now: Vec<Expr> },
    /// `cell (K, K) of T was V now V`
    Cell { keys: Vec<KeyCell>, table: Name, was: Box<Expr>, now: Box<Expr> },
    /// `through of LEG of TRACE was X now X`
    Gate { gate: Name, leg: Name, trace: Name, was: Box<Expr>, now: Box<Expr> },
    /// `source NAME of TRACE was CLAIM now CLAIM`
    Source { noun: Name, name: Name, trace: Name, was: Box<Expr>, now: Box<Expr> },
    /// a whole definition
    Whole(Box<Item>),
}

/// `add ...`
#[derive(Debug, Clone)]
pub enum Add {
    /// `row to T [before|after R] as ROW`
    Row { table: Name, before: Option<bool>, anchor: Option<Name>, row: Box<AddedRow> },
    /// `to TRACE as LINE`
    Line { trace: Name, line: Box<TraceLine> },
}

/// The row that is added.
#[derive(Debug, Clone)]
pub enum AddedRow {
    /// to a list
    List(Box<ListRow>),
    /// to a grid
    Grid(GridRow),
}

/// `remove ...`
#[derive(Debug, Clone)]
pub struct Remove {
    /// What is taken away.
    pub kind: RemoveKind,
    /// The clauses the change carries out.
    pub cites: Cites,
}

/// What can be taken away.
#[derive(Debug, Clone)]
pub enum RemoveKind {
    /// `row R of T`
    Row { row: Name, table: Name },
    /// `source NAME of TRACE`
    Source { noun: Name, name: Name, trace: Name },
    /// `define NAME` and its relatives
    Item { noun: Name, name: Name, span: Span },
}
