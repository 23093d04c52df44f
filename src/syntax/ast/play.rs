//! Maps, setups and cases.

use std::sync::Arc;

use super::{Cites, Expr, Item, KeyCell, MomentPoint, Name, Path, PlacementWord, Text};
use crate::diag::Diagnostic;
use crate::source::Span;

/// `map NAME { spaces and links }`
#[derive(Debug, Clone)]
pub struct Map {
    /// Its name.
    pub name: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// Its lines in order.
    pub lines: Vec<MapLine>,
}

/// The lines of a map.
#[derive(Debug, Clone)]
pub enum MapLine {
    /// `space KIND NAME ["title"] [at (x, y)] [with ...]`
    Space(MapSpace),
    /// `link KIND A to B to C [with FACT VALUE, ...]`; with `line` the hexes between are filled in
    Link { kind: Name, ends: Vec<Name>, filled: bool, with: Vec<With> },
    /// `no junction of KIND at A, B`
    NoJunction { kind: Name, spaces: Vec<Name> },
    /// `given FACT`
    Given(Given),
    /// `grid KIND flat even columns lower from 0101`
    Grid(GridHead),
    /// `legend "j" [with ...]`; nothing behind the sign for `outside`
    Legend { sign: Text, with: Option<Vec<With>> },
    /// `row "~ . c"`: the signs of one row, blanks between them
    Row(Text),
    /// `table 40 by 24`
    Table { span: Span, width: Expr, depth: Expr },
}

/// `(x, y)`
#[derive(Debug, Clone)]
pub struct Point {
    /// With its brackets.
    pub span: Span,
    /// To the east.
    pub x: Expr,
    /// To the south where maps are drawn, to the north on a table.
    pub y: Expr,
}

/// Which way a unit on a table faces.
#[derive(Debug, Clone)]
pub enum Direction {
    /// `north`
    Word(Name),
    /// `30`: degrees from north, as the clock goes
    Degrees(Name),
    /// `(3, 4)`: three to the east, four to the north
    Toward(Point),
}

/// `at (x, y) facing DIRECTION`
#[derive(Debug, Clone)]
pub struct Placed {
    /// From the bracket to the direction.
    pub span: Span,
    /// The middle of the front edge.
    pub at: Point,
    /// Which way it faces.
    pub facing: Direction,
}

/// What a space is on a map, where it has a form.
#[derive(Debug, Clone)]
pub struct Outline {
    /// All points.
    pub span: Span,
    /// `along`: a line; else the edge of a piece of ground, or one point for drawing.
    pub along: bool,
    /// The points in written order.
    pub points: Vec<Point>,
}

/// The layout of a hex map.
#[derive(Debug, Clone)]
pub struct GridHead {
    /// The whole line.
    pub span: Span,
    /// The kind of its spaces.
    pub kind: Name,
    /// Flat hexes stand in columns, pointy ones in rows.
    pub flat: bool,
    /// Which columns stand lower, or which rows stand farther right: the odd ones, else the even
    /// ones.
    pub odd: bool,
    /// The label of the first hex.
    pub from: Name,
}

/// One space of a map.
#[derive(Debug, Clone)]
pub struct MapSpace {
    /// Its kind.
    pub kind: Name,
    /// Its id.
    pub name: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// Where it is drawn, or what ground it is on a table.
    pub outline: Option<Outline>,
    /// Its attributes.
    pub with: Vec<With>,
}

/// `NAME VALUE`, or a bare `NAME` for yes
#[derive(Debug, Clone)]
pub struct With {
    /// The attribute.
    pub name: Name,
    /// Its value.
    pub value: Option<Expr>,
}

impl MapLine {
    /// The text of a legend that is no sign of the rows but states a look, and what follows `as`
    /// in it: `legend "as forest" with terrain taiga`.
    #[must_use]
    pub fn look(&self) -> Option<(&Text, &str)> {
        let MapLine::Legend { sign, .. } = self else { return None };
        Some((sign, sign.text.strip_prefix("as ")?.trim()))
    }
}

/// `setup NAME on MAP { ... }`
#[derive(Debug, Clone)]
pub struct Setup {
    /// Its name.
    pub name: Name,
    /// The map it is played on.
    pub map: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// Units and facts in order.
    pub lines: Vec<SetupLine>,
}

/// The lines of a setup.
#[derive(Debug, Clone)]
pub enum SetupLine {
    /// `put KIND NAME ...`
    Put(Put),
    /// `given FACT`
    Given(Given),
}

/// `put army A of Red in Hill with strength 4`
#[derive(Debug, Clone)]
pub struct Put {
    /// The whole line.
    pub span: Span,
    /// Its kind.
    pub kind: Name,
    /// Its id.
    pub name: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// Its owner.
    pub owner: Option<Name>,
    /// Where it stands.
    pub place: Option<Path>,
    /// Where it lies on a table.
    pub at: Option<Box<Placed>>,
    /// Its attributes.
    pub with: Vec<With>,
}

/// `given FACT`, `given FACT in A, B`, `given UNIT at (x, y) facing DIRECTION`
#[derive(Debug, Clone)]
pub struct Given {
    /// The whole line.
    pub span: Span,
    /// What is stated.
    pub kind: GivenKind,
}

/// What a line may state.
#[derive(Debug, Clone)]
pub enum GivenKind {
    /// a fact; with the spaces it is said of, when it is said of several
    Fact { fact: Expr, spaces: Vec<Name> },
    /// `UNIT at (x, y) facing DIRECTION`, or `UNIT off table`
    Place { unit: Path, at: Option<Box<Placed>> },
}

/// Given, when, expect.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its title.
    pub title: Text,
    /// The clauses it shows.
    pub cites: Cites,
    /// Its lines in order; a grid stands last.
    pub lines: Vec<CaseLine>,
}

/// `mistake "title" expects E0301 { items }`
#[derive(Debug, Clone)]
pub struct Mistake {
    /// Its title.
    pub title: Text,
    /// The clauses it shows.
    pub cites: Cites,
    /// The code that must be raised.
    pub code: Name,
    /// Its items as they are written.
    pub text: Span,
    /// Its items, as far as they could be read.
    pub items: Vec<Arc<Item>>,
    /// Names that lost items would have declared.
    pub lost: Vec<Name>,
    /// What could not be read.
    pub faults: Vec<Diagnostic>,
}

/// The lines of a case.
#[derive(Debug, Clone)]
pub enum CaseLine {
    /// `put ...` and `given ...`
    Setup(SetupLine),
    /// `on MAP`
    On(Name),
    /// `setup NAME`
    UseSetup(Name),
    /// `ruling N is R`
    Ruling { name: Name, reading: Name },
    /// `option N is on`
    Option { name: Name, on: bool },
    /// `dice 3, 4`: what the next rolls show
    Dice(Vec<Name>),
    /// `order A EFFECT`
    Order(Order),
    /// `run PHASE [of SIDE]`, `run end of turn`, or `run turn`
    Run(Run),
    /// `expect ...`
    Expect(Expect),
    /// the grid
    Grid(CaseGrid),
}

/// What a case lets happen.
#[derive(Debug, Clone)]
pub enum Run {
    /// one phase
    Phase { name: Name, of: Option<Name> },
    /// a moment, with all its phases
    Moment(MomentPoint),
}

/// What a player takes of what phases offer.
#[derive(Debug, Clone)]
pub struct Order {
    /// The order without its word.
    pub span: Span,
    /// Who is ordered.
    pub subject: Path,
    /// What to do.
    pub effect: OrderEffect,
}

/// What an order may say.
#[derive(Debug, Clone)]
pub enum OrderEffect {
    /// `follow TRACE to X`
    Follow { trace: Name, to: Path },
    /// `mark M`
    Mark(Name),
    /// `clear M`
    Clear(Name),
    /// `set A`, `raise A`, `lower A`: as the step says
    Change(Name),
    /// `remove`
    Remove,
    /// `move to X`
    Move(Path),
    /// `choose C is X`
    Choose { choice: Name, is: Path },
    /// `advance`, `conform to (x, y) facing DIRECTION`
    Place { word: PlacementWord, to: Option<Box<Placed>> },
}

/// What a case expects.
#[derive(Debug, Clone)]
pub struct Expect {
    /// The expectation without its word.
    pub span: Span,
    /// What it asks.
    pub kind: ExpectKind,
}

/// The forms of an expectation.
#[derive(Debug, Clone)]
pub enum ExpectKind {
    /// a condition that must hold
    Holds(Expr),
    /// `A at (x, y) [facing DIRECTION]`, or `A off table`
    Place { unit: Path, at: Option<Box<(Point, Option<Direction>)>> },
    /// `due of A is [not] fire, wheel`: the rows of a list that hold
    List { left: Path, negated: bool, rows: Vec<Name> },
    /// `A [not] may mark M`, `A [not] must follow T [to X, Y]`
    Choice { subject: Path, negated: bool, must: bool, effect: ExpectEffect },
}

/// What may or must be done.
#[derive(Debug, Clone)]
pub enum ExpectEffect {
    /// `follow TRACE to X, Y`: the ends of all lawful ways
    Follow { trace: Name, to: Vec<Path> },
    /// `mark M`
    Mark(Name),
    /// `clear M`
    Clear(Name),
    /// `remove`
    Remove,
    /// `move to X, Y`: all spaces it may go to
    Move(Vec<Path>),
    /// `choose C from X, Y`: all it may choose from
    Choose { choice: Name, from: Vec<Path> },
    /// `advance [to PLACE, PLACE]`: all places it may be laid in
    Place { word: PlacementWord, to: Vec<Placed> },
}

/// Columns and rows; every row is a case.
#[derive(Debug, Clone)]
pub struct CaseGrid {
    /// The heads.
    pub columns: Vec<CaseColumn>,
    /// The rows.
    pub rows: Vec<CaseRow>,
}

/// The head of a column.
#[derive(Debug, Clone)]
pub struct CaseColumn {
    /// Its place.
    pub span: Span,
    /// What its cells say.
    pub kind: CaseColumnKind,
}

/// What the cells of a column say.
#[derive(Debug, Clone)]
pub enum CaseColumnKind {
    /// `given PATH`: the value of the path
    Given(Path),
    /// `given A is NAME B`: whether it holds
    GivenPair { left: Path, name: Name, right: Path },
    /// `given ruling N`: a reading
    Ruling(Name),
    /// `given option N`: `yes` or `no`
    Choice(Name),
    /// `dice`: what the next rolls show
    Dice,
    /// `run`: a phase
    Run,
    /// `expect EXPR`: its value
    Expect(Expr),
}

/// One row of a case grid.
#[derive(Debug, Clone)]
pub struct CaseRow {
    /// The whole row.
    pub span: Span,
    /// One cell a column.
    pub cells: Vec<CaseCell>,
    /// The clauses it shows beside those of the case.
    pub cites: Cites,
}

/// A cell of a case grid.
#[derive(Debug, Clone)]
pub struct CaseCell {
    /// Its place.
    pub span: Span,
    /// Which form.
    pub kind: CaseCellKind,
}

/// The forms of a cell.
#[derive(Debug, Clone)]
pub enum CaseCellKind {
    /// `same`: leave it as it is
    Same,
    /// `any`: ask nothing
    Any,
    /// `no`
    No,
    /// a value, or a comparison
    Key(KeyCell),
    /// several values, for dice
    Several(Vec<Expr>),
}
