//! What a variant changes.

use super::{Cites, Expr, GridRow, Item, KeyCell, ListRow, Name, Text, TraceLine};
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
    /// `NOUN NAME, but { LINES }`
    Lines { noun: Name, name: Name, lines: Vec<ButLine> },
    /// `clause 4b was "..." now "..."`, or a section
    Said { noun: Name, label: Name, was: Text, now: Text },
    /// a whole definition
    Whole(Box<Item>),
}

/// One line behind `but`.
#[derive(Debug, Clone)]
pub struct ButLine {
    /// The line without its brackets.
    pub span: Span,
    /// What it does.
    pub kind: ButKind,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// What a line behind `but` does; words stand as they were written.
#[derive(Debug, Clone, Copy)]
pub enum ButKind {
    /// `without KEY`
    TakenOut { key: Span },
    /// `KEY was WORDS now WORDS`
    Part { key: Span, was: Span, now: Span },
    /// `LINE`, `before KEY as LINE`, `after KEY as LINE`
    Added { place: Option<(bool, Span)>, line: Span },
}

/// `NOUN NAME [of KIND] as NAME ["title"] [, but { LINES }]`
#[derive(Debug, Clone)]
pub struct Copy {
    /// The construct.
    pub noun: Name,
    /// The new name.
    pub name: Name,
    /// What it is asked of, if not of the same.
    pub of: Option<Name>,
    /// What it is as.
    pub original: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// What is different.
    pub lines: Vec<ButLine>,
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
    /// `clause 4c [with its lines]`
    Clause { label: Name, lines: bool },
    /// `case "title"`
    Case(Text),
    /// `define NAME` and its relatives
    Item { noun: Name, name: Name, span: Span },
}
