//! What exists: headings, sides, clock, kinds, named things, marks.

use super::{Cites, Name, Text};
use crate::source::Span;

/// `ruleset NAME "title" prefix SK [extends NAME] [with scripts]`
#[derive(Debug, Clone)]
pub struct RulesetHead {
    /// Its name.
    pub name: Name,
    /// Its printed title.
    pub title: Text,
    /// What its clause ids begin with.
    pub prefix: Name,
    /// The ruleset it is a variant of.
    pub extends: Option<Name>,
    /// Further variants of the same ruleset, whose changes it has too.
    pub also: Vec<Name>,
    /// How the hash of that ruleset begins, as the variant knows it.
    pub base_hash: Option<Text>,
    /// Whether the cases of that ruleset are run too.
    pub cases: bool,
    /// Whether its hooks may be whole scripts.
    pub scripts: bool,
    /// The oldest version of the program that reads it as it is meant.
    pub requires: Option<Name>,
}

/// `section [22.3] "title"`
#[derive(Debug, Clone)]
pub struct Section {
    /// The number or letter that its clause ids carry.
    pub number: Option<Name>,
    /// The heading.
    pub title: Text,
}

/// `clause a "paraphrase"`, `clause 22.0a of SK "paraphrase"`
#[derive(Debug, Clone)]
pub struct Clause {
    /// The letter or number within its section.
    pub label: Name,
    /// The prefix of the ruleset whose clause it is, where that is another; its label is then its
    /// whole number.
    pub of: Option<Name>,
    /// What the source says, in other words.
    pub text: Text,
}

/// A question that the source leaves open, its readings and the one in force.
#[derive(Debug, Clone)]
pub struct Ruling {
    /// Its name, which expressions compare with a reading.
    pub name: Name,
    /// The question.
    pub asks: Option<Text>,
    /// The answers that can be defended.
    pub readings: Vec<Name>,
    /// The answer in force unless a case or a caller says otherwise.
    pub default: Name,
    /// The clauses it settles.
    pub cites: Cites,
}

/// A printed optional rule.
#[derive(Debug, Clone)]
pub struct OptionRule {
    /// Its name, a truth in expressions.
    pub name: Name,
    /// What it is about.
    pub title: Text,
    /// Whether it is on unless somebody says otherwise.
    pub on: bool,
    /// The clauses that print it.
    pub cites: Cites,
}

/// `sides A, B [against C, D]`
#[derive(Debug, Clone)]
pub struct Sides {
    /// All sides, or those before `against`.
    pub names: Vec<Name>,
    /// Those behind `against`.
    pub against: Vec<Name>,
}

/// `clock turn has PART [of each side], ...`
#[derive(Debug, Clone)]
pub struct Clock {
    /// The whole that comes round, `turn`.
    pub name: Name,
    /// What its turns are counted by, if they are: an amount, or the stages of a track.
    pub counted: Option<AttributeType>,
    /// Its parts in order.
    pub parts: Vec<ClockPart>,
}

/// One part of a turn, or several that go round together.
#[derive(Debug, Clone)]
pub struct ClockPart {
    /// Its names: one, or those in brackets.
    pub names: Vec<Name>,
    /// Whether each side has its own.
    pub each_side: bool,
    /// How often it comes in a turn; once, if it is not said.
    pub times: Option<Name>,
}

/// `track NAME ["title"] { stages, the lowest first }`
#[derive(Debug, Clone)]
pub struct Track {
    /// Its name.
    pub name: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// Its stages.
    pub stages: Vec<Name>,
    /// The clauses it comes from.
    pub cites: Cites,
}

/// `count NAME of KIND [in DIM] per PART from 0 to N`
#[derive(Debug, Clone)]
pub struct CountDecl {
    /// Its name.
    pub name: Name,
    /// What it is counted for.
    pub of: Name,
    /// Its dimension.
    pub dimension: Option<Name>,
    /// The part of the clock at whose end it goes back.
    pub per: Name,
    /// Its least and its greatest value, if they are said.
    pub range: Option<(Bound, Bound)>,
    /// For printed output.
    pub title: Option<Text>,
    /// The clauses it comes from.
    pub cites: Cites,
}

/// `areas (area)`
#[derive(Debug, Clone)]
pub struct DimensionName {
    /// The plural, which names the dimension.
    pub name: Name,
    /// The singular, if it is said.
    pub singular: Option<Name>,
}

/// `kind army, armies is force { has ... }`
#[derive(Debug, Clone)]
pub struct Kind {
    /// The singular.
    pub name: Name,
    /// The plural.
    pub plural: Option<Name>,
    /// `unit`, `space`, `link`, `world` or another kind.
    pub parent: Name,
    /// `one way`: its links lead only from their first space to their second.
    pub one_way: Option<crate::source::Span>,
    /// Between which spaces its links are, if no map lists them.
    pub every_two: Option<Box<EveryTwo>>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// What the ends of a link of this kind must be.
    pub joins: Option<super::Things>,
    /// Lines that may stand once and stand again: their words and places.
    pub twice: Vec<(&'static str, crate::source::Span)>,
    /// How large a unit of this kind lies on a table; a second line is a fault.
    pub bases: Vec<Base>,
}

/// `from any THINGS to any other [with the same FACT]`
#[derive(Debug, Clone)]
pub struct EveryTwo {
    /// All of it.
    pub span: Span,
    /// The spaces of which each two are joined.
    pub things: super::Things,
    /// The fact that both must have alike.
    pub same: Option<Same>,
}

/// `with the same FACT`
#[derive(Debug, Clone)]
pub struct Same {
    /// All of it.
    pub span: Span,
    /// The fact.
    pub fact: Name,
}

/// `base WIDTH by DEPTH [bent when COND]`
#[derive(Debug, Clone)]
pub struct Base {
    /// The line without its brackets.
    pub span: Span,
    /// Along its front.
    pub width: super::Expr,
    /// From its front to its rear.
    pub depth: super::Expr,
    /// When it lies round a corner.
    pub bent: Option<super::Expr>,
    /// The clauses it carries out.
    pub cites: Cites,
}

/// `has NAME TYPE`
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: AttributeType,
}

/// The types an attribute may have.
#[derive(Debug, Clone)]
pub enum AttributeType {
    /// `in DIM from N to M`, or without a dimension
    Number { dimension: Option<Name>, low: Bound, high: Bound },
    /// `yes or no`
    Truth,
    /// `one of a, b`
    Word(Vec<Name>),
    /// `a KIND`, `maybe a KIND`
    Thing { kind: Name, maybe: bool },
    /// `on TRACK`
    Track(Name),
}

/// A whole number that may be negative, as written.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The digits with their sign.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// `named leader Marlow, Hale`
#[derive(Debug, Clone)]
pub struct Named {
    /// The kind they are of.
    pub kind: Name,
    /// Their names.
    pub names: Vec<Name>,
}

/// `mark NAME of KIND ["title"] [until MOMENT] [cites]`
#[derive(Debug, Clone)]
pub struct Mark {
    /// Its name.
    pub name: Name,
    /// What carries it.
    pub of: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// When it goes away by itself.
    pub until: Option<MomentPoint>,
    /// The clauses it comes from.
    pub cites: Cites,
}

/// `given NAME of KIND ["title"]`
#[derive(Debug, Clone)]
pub struct GivenDecl {
    /// Its name.
    pub name: Name,
    /// What it is said of.
    pub of: Name,
    /// Its type; yes or no if none is said.
    pub ty: Option<AttributeType>,
    /// For printed output.
    pub title: Option<Text>,
    /// The clauses it comes from.
    pub cites: Cites,
}

/// `start of PART [of owner]` or `end of PART [of owner]`
#[derive(Debug, Clone)]
pub struct MomentPoint {
    /// The whole phrase.
    pub span: Span,
    /// `start`, else `end`.
    pub start: bool,
    /// A part of the clock, or the clock's own name.
    pub part: Name,
    /// `owner`, or a side.
    pub of: Option<Name>,
}
