//! The rules proper: defines, tables, traces, phases.

use std::collections::BTreeMap;

use super::Direction;
use super::{Bound, Cites, Expr, MomentPoint, Name, Path, Text, Things, Way};
use crate::source::Span;

/// `define NAME [of KIND] ["title"] = EXPR [cites]`
#[derive(Debug, Clone)]
pub struct Define {
    /// Its name.
    pub name: Name,
    /// What it is said of; none for a fact of the world.
    pub of: Option<Name>,
    /// For printed output.
    pub title: Option<Text>,
    /// Whether it must hold of nothing, in no setup and no case.
    pub never: bool,
    /// Its value.
    pub value: Expr,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// A function by rows, as a list or as a grid.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name.
    pub name: Name,
    /// What it is asked of.
    pub of: Option<Name>,
    /// For printed output.
    pub title: Option<Text>,
    /// What each row gives.
    pub results: Vec<TableResult>,
    /// What happens when several rows hold.
    pub policy: Policy,
    /// The place of the policy.
    pub policy_span: Span,
    /// The clauses of the whole table.
    pub cites: Cites,
    /// Its rows; none before the sheet is read, if they live in one.
    pub body: TableBody,
    /// The sheet in which its rows live.
    pub from: Option<Box<RowsFrom>>,
    /// Lines that may stand once and stand again: their words and places.
    pub twice: Vec<(&'static str, Span)>,
}

/// `from "FILE" [sheet "NAME"]`
#[derive(Debug, Clone)]
pub struct RowsFrom {
    /// The whole line.
    pub span: Span,
    /// The file.
    pub file: Text,
    /// The page of a workbook; the name of the table, if it is not said.
    pub sheet: Option<Text>,
    /// The clauses of the line of columns, with their brackets.
    pub cites: Option<Span>,
    /// What stands before it in the block: the line of the keys.
    pub before: Option<Span>,
    /// What was read, once it is.
    pub read: Option<SheetText>,
}

/// The rows of a sheet as text.
#[derive(Debug, Clone, Copy)]
pub struct SheetText {
    /// The heads of the columns, where the table is a grid.
    pub head: Option<Span>,
    /// The rows.
    pub rows: Span,
}

/// `NAME [in DIM]`, or a bare dimension
#[derive(Debug, Clone)]
pub struct TableResult {
    /// The result's name, or its dimension when nothing else is said.
    pub name: Name,
    /// Its dimension.
    pub dimension: Option<Name>,
}

/// The hit policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// the first row that holds
    First,
    /// the one row that holds
    Only,
    /// all rows that hold, added up
    Sum,
    /// all rows that hold, in order
    All,
}

/// A list or a grid.
#[derive(Debug, Clone)]
pub enum TableBody {
    /// `when COND then V` rows
    List { rows: Vec<ListRow>, otherwise: Option<Otherwise>, kept: Option<Kept> },
    /// the printed chart
    Grid(Grid),
}

/// `[row NAME] when COND then V` or `[row NAME] per Q [beyond N] [when COND] then V`
#[derive(Debug, Clone)]
pub struct ListRow {
    /// The whole row.
    pub span: Span,
    /// Its handle for overrides.
    pub name: Option<Name>,
    /// Whether an exception wrote it.
    pub exception: bool,
    /// How often it counts, in a sum.
    pub per: Option<Expr>,
    /// How many of these do not count.
    pub beyond: Option<Expr>,
    /// When it holds; always, if it is not said.
    pub when: Option<Expr>,
    /// What it gives.
    pub values: Vec<Expr>,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// `otherwise V`
#[derive(Debug, Clone)]
pub struct Otherwise {
    /// The whole row.
    pub span: Span,
    /// What it gives.
    pub values: Vec<Expr>,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// `kept between A and B`
#[derive(Debug, Clone)]
pub struct Kept {
    /// The whole line.
    pub span: Span,
    /// The least result.
    pub low: Expr,
    /// The greatest result.
    pub high: Expr,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// A printed chart.
#[derive(Debug, Clone)]
pub struct Grid {
    /// The keys of the rows.
    pub down: Vec<Path>,
    /// The key of the columns; none when the columns are the results.
    pub across: Option<Path>,
    /// The heads of the columns.
    pub columns: Vec<KeyCell>,
    /// The rows.
    pub rows: Vec<GridRow>,
    /// The bounds of a sum.
    pub kept: Option<Kept>,
    /// The clauses of the line of columns.
    pub cites: Cites,
}

/// `row k, k | V | V`
#[derive(Debug, Clone)]
pub struct GridRow {
    /// The whole row.
    pub span: Span,
    /// One cell a key of `down`.
    pub keys: Vec<KeyCell>,
    /// One value a column.
    pub values: Vec<Expr>,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// What a key is compared with.
#[derive(Debug, Clone)]
pub struct KeyCell {
    /// Its place.
    pub span: Span,
    /// Which form.
    pub kind: KeyCellKind,
}

/// The forms of a key cell.
#[derive(Debug, Clone)]
pub enum KeyCellKind {
    /// `any`
    Any,
    /// `else`
    Else,
    /// `no`
    No,
    /// a value
    Is(Expr),
    /// `not a`
    Not(Expr),
    /// `one of (a, b)`
    OneOf(Vec<Expr>),
    /// `at least 3` and its relatives
    Compare(super::CompareOp, Expr),
    /// `between 1 and 2`
    Between(Expr, Expr),
}

/// `exception NAME to TARGET when COND [then VALUES]`
#[derive(Debug, Clone)]
pub struct Exception {
    /// Its name.
    pub name: Name,
    /// What it excepts from.
    pub to: Excepted,
    /// Where it speaks.
    pub when: Expr,
    /// What holds there; nothing where the target does not apply.
    pub then: Option<Span>,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// What an exception is to.
#[derive(Debug, Clone)]
pub struct Excepted {
    /// The whole phrase.
    pub span: Span,
    /// `row`, `source`, `relay`, `from`, `through` or `into`, if it is a part.
    pub noun: Option<&'static str>,
    /// The part: a row, a source, a leg.
    pub part: Option<Name>,
    /// The item, or another exception.
    pub owner: Name,
}

/// A line on the map from a subject to a source.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The noun.
    pub name: Name,
    /// Its subject.
    pub of: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// The clauses of the whole trace.
    pub cites: Cites,
    /// Its lines in order.
    pub lines: Vec<TraceLine>,
}

/// One line of a trace with its clauses.
#[derive(Debug, Clone)]
pub struct TraceLine {
    /// The line without its brackets.
    pub span: Span,
    /// What it says.
    pub kind: TraceLineKind,
    /// The exception that wrote it.
    pub exception: Option<String>,
    /// The clauses it carries out.
    pub cites: Cites,
}

impl Trace {
    /// For each line how many before it have its place: legs that are as one have its lines.
    #[must_use]
    pub fn repeats(&self) -> Vec<usize> {
        let mut met: BTreeMap<Span, usize> = BTreeMap::new();
        let of = |line: &TraceLine| {
            let times = met.entry(line.span).or_default();
            *times += 1;
            *times - 1
        };
        self.lines.iter().map(of).collect()
    }
}

/// `as NAME [of TRACE]`: the leg whose lines another one has.
#[derive(Debug, Clone)]
pub struct Like {
    /// The leg.
    pub leg: Name,
    /// Its trace; the same one, if it is not said.
    pub of: Option<Name>,
}

/// The lines of a trace.
#[derive(Debug, Clone)]
pub enum TraceLineKind {
    /// `called supplied else out_of_supply`
    Called { yes: Name, no: Name },
    /// `judged in PHASE`
    Judged(Name),
    /// `lasts until MOMENT`
    Lasts(MomentPoint),
    /// `counts NAME from 0 to N`; read and not yet carried out
    Counts { name: Name, low: Bound, high: Bound },
    /// `always COND`
    Always(Expr),
    /// `never COND`
    Never(Expr),
    /// `source NAME where COND`
    Source { name: Name, filter: Expr },
    /// `relay NAME where COND`; read and not yet carried out
    Relay { name: Name, filter: Expr },
    /// `leg NAME [as NAME [of TRACE]] [optional | instead of NAME] [when COND]`
    Leg {
        name: Name,
        like: Option<Like>,
        optional: bool,
        instead: Option<Name>,
        when: Option<Expr>,
    },
    /// `without WORD`, in a leg that is as another
    Without(Name),
    /// `over LINKS [but not LINKS] [when COND]`
    Over { links: Vec<Way>, but_not: Vec<Way>, when: Option<Expr> },
    /// `from COND`
    From(Expr),
    /// `through COND`
    Through(Expr),
    /// `stopping in COND`
    Stopping(Expr),
    /// `into COND`
    Into(Expr),
    /// `cost Q`; read and not yet carried out
    Cost(Expr),
    /// `within Q`
    Within(Expr),
}

/// A random value and the rows that read it.
#[derive(Debug, Clone)]
pub struct Test {
    /// Its name.
    pub name: Name,
    /// What it is rolled for.
    pub of: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// The clauses of the whole test.
    pub cites: Cites,
    /// What is thrown.
    pub dice: Vec<Throw>,
    /// What is added to the dice, its sign folded in.
    pub plus: Option<Expr>,
    /// The clauses of the roll.
    pub roll_cites: Cites,
    /// Its rows; values are outcomes.
    pub rows: Vec<ListRow>,
    /// The outcome where no row holds.
    pub otherwise: Option<Otherwise>,
    /// When it is rolled again; the checker allows one.
    pub retries: Vec<Retry>,
    /// Lines that may stand once and stand again: their words and places.
    pub twice: Vec<(&'static str, Span)>,
}

/// `2d6`, or `2 average`
#[derive(Debug, Clone)]
pub struct Throw {
    /// The whole, as written.
    pub span: Span,
    /// `2d6`, or how many of a die with a name.
    pub dice: Name,
    /// The die, if it has faces of its own.
    pub die: Option<Name>,
}

/// `retry [at most Q] [spending PATH] when COND`
#[derive(Debug, Clone)]
pub struct Retry {
    /// The line without its brackets.
    pub span: Span,
    /// How often at most.
    pub at_most: Option<Expr>,
    /// What each retry takes one from.
    pub spending: Option<Path>,
    /// When it is wanted.
    pub when: Expr,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// `die NAME shows N, N`
#[derive(Debug, Clone)]
pub struct Die {
    /// Its name.
    pub name: Name,
    /// What stands on its faces.
    pub faces: Vec<Name>,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// `choice NAME of KIND { from THINGS  prefer ...  left to owner }`
#[derive(Debug, Clone)]
pub struct Choice {
    /// Its name.
    pub name: Name,
    /// Whose choice it is about.
    pub of: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// The clauses of the whole choice.
    pub cites: Cites,
    /// What there is to choose from.
    pub from: Things,
    /// The clauses of that line.
    pub from_cites: Cites,
    /// What is looked at first, second and so on.
    pub prefers: Vec<Prefer>,
    /// Who chooses among what is left.
    pub left_to: Name,
}

/// `prefer COND`, `prefer highest Q`, `prefer lowest Q`
#[derive(Debug, Clone)]
pub struct Prefer {
    /// The line without its brackets.
    pub span: Span,
    /// Whether the highest or the lowest amount is wanted; none for a condition.
    pub highest: Option<bool>,
    /// The condition or the amount, of the candidate.
    pub value: Expr,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// When things happen, and in which order.
#[derive(Debug, Clone)]
pub struct Phase {
    /// Its name.
    pub name: Name,
    /// When it happens.
    pub moments: Vec<Moment>,
    /// `once`, if it happens once.
    pub once: Option<Span>,
    /// What must hold as it begins.
    pub when: Option<Expr>,
    /// The clauses of the whole phase.
    pub cites: Cites,
    /// Its steps in order.
    pub steps: Vec<Step>,
}

/// `at start of PART [of owner]` or `in PART [of owner]`
#[derive(Debug, Clone)]
pub enum Moment {
    /// at a point of the clock
    At(MomentPoint),
    /// while a part lasts
    In { part: Name, of: Option<Name> },
}

impl Moment {
    /// Where its words end.
    #[must_use]
    pub fn end(&self) -> u32 {
        match self {
            Moment::At(point) => point.span.end,
            Moment::In { part, of } => of.as_ref().unwrap_or(part).span.end,
        }
    }
}

/// One step of a phase.
#[derive(Debug, Clone)]
pub struct Step {
    /// The step without its brackets.
    pub span: Span,
    /// What it does.
    pub kind: StepKind,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// The steps.
#[derive(Debug, Clone)]
pub enum StepKind {
    /// `judge TRACE for THINGS`
    Judge { trace: Name, things: Things },
    /// `do EFFECT [for THINGS]`
    Do { effect: Effect, things: Option<Things> },
    /// `may EFFECT for THINGS`
    May { effect: Effect, things: Things },
    /// `must EFFECT for THINGS`
    Must { effect: Effect, things: Things },
    /// `roll TEST [once] for THINGS`, `roll LIST [until OUTCOME] for THINGS`
    Roll { test: Name, once: Option<Span>, until: Option<Name>, things: Things },
}

/// What a step does to each of its things.
#[derive(Debug, Clone)]
pub enum Effect {
    /// `set A to V`
    Set { path: Path, value: Expr },
    /// `make A enemy_of B`
    Relate { left: Path, how: Name, right: Path },
    /// `raise A by V`, `lower A by V`
    Change { raise: bool, path: Path, by: Expr },
    /// `mark M`
    Mark(Name),
    /// `clear A`
    Clear(Path),
    /// `remove`
    Remove(Span),
    /// `move to V`
    Move(Path),
    /// `follow TRACE [within Q] [stopping in NAME]`
    Follow { trace: Name, within: Option<Expr>, stopping: Option<Name> },
    /// `advance Q`, `conform to T` and so on: a unit is laid anew on its table
    Place { span: Span, placement: Box<Placement> },
}

/// How a unit is laid anew on a table.
#[derive(Debug, Clone)]
pub enum Placement {
    /// `advance Q [short of contact]`
    Advance { by: Expr, short: bool },
    /// `fall back Q`
    FallBack { by: Expr },
    /// `fall back to gap`
    FallBackToGap,
    /// `swap with T`
    Swap(Path),
    /// `conform to T`
    Conform(Path),
    /// `face T`
    Face(Path),
    /// `face about`
    FaceAbout,
    /// `break off Q`
    BreakOff { by: Expr },
    /// `wheel left to DIRECTION`
    Wheel { left: bool, to: Direction },
}

/// Such a deed by its name, as orders and expectations say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlacementWord {
    /// `advance`
    Advance,
    /// `fall back`
    FallBack,
    /// `swap`
    Swap,
    /// `conform`
    Conform,
    /// `face`
    Face,
    /// `break off`
    BreakOff,
    /// `wheel`
    Wheel,
}
