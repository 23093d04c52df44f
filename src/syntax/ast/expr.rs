//! The one algebra of conditions and amounts.

use super::Name;
use crate::source::Span;

/// A condition, an amount, a word or a thing; which one is the checker's business.
#[derive(Debug, Clone)]
pub struct Expr {
    /// The whole expression.
    pub span: Span,
    /// What it is made of.
    pub kind: ExprKind,
}

/// The forms of an expression.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// `a or b`
    Or(Vec<Expr>),
    /// `a and b`
    And(Vec<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `a is [not] b`, also `a is ADJECTIVE`
    Is { left: Box<Expr>, negated: bool, right: Box<Expr> },
    /// `a is [not] NAME b`
    IsPair { left: Box<Expr>, negated: bool, name: Name, right: Box<Expr> },
    /// `a is [not] one of (b, c)`
    IsOneOf { left: Box<Expr>, negated: bool, options: Vec<Expr> },
    /// `a at least b` and its relatives.
    Compare { left: Box<Expr>, op: CompareOp, right: Box<Expr> },
    /// `a between b and c`, both ends included
    Between { left: Box<Expr>, low: Box<Expr>, high: Box<Expr> },
    /// `the army would be supplied`
    WouldBe { subject: Box<Expr>, adjective: Name },
    /// `any | no | only` THINGS
    Quantifier { word: QuantifierWord, things: Box<Things> },
    /// `count of` THINGS
    Count(Box<Things>),
    /// `sum of A of`, `highest A of`, `lowest A of` THINGS; A is one name, or an amount from one
    /// thing to another
    Aggregate {
        word: AggregateWord,
        value: Path,
        things: Box<Things>,
        /// What it is of nothing.
        none: Option<Box<Expr>>,
    },
    /// `a + b - c` or `a * b / c`: flat, so that a long sum is not a deep one.
    Arithmetic { first: Box<Expr>, rest: Vec<(ArithmeticOp, Expr)> },
    /// `- a`
    Negate(Box<Expr>),
    /// `3`, `3/4`, `2 areas`
    Number { text: String, dimension: Option<Name> },
    /// `strength of the army`, `terrain here`
    Path(Path),
    /// `now supply of A`: asked afresh, not from the kept answer
    Now(Path),
    /// `rounded down (x)`
    Rounded { mode: Name, value: Box<Expr> },
    /// `greater of (a, b)`, `lesser of (a, b)`
    Extreme { greater: bool, left: Box<Expr>, right: Box<Expr> },
    /// `within` or `from` where a gate is named
    GateName(&'static str),
    /// `( a )`
    Paren(Box<Expr>),
    /// `chance of OUTCOME in TEST of A`
    Chance { outcome: Name, of: Path },
    /// `over river`: of the step that a cost is asked of
    OverStep(Box<Way>),
    /// A text in quotes, which is no value.
    Quoted,
}

impl Things {
    /// Whether something is asked of each candidate.
    #[must_use]
    pub fn asks(&self) -> bool {
        !self.adjectives.is_empty() || self.filter.is_some()
    }
}

/// `roads where not blown`: links of a kind, all or some of them.
#[derive(Debug, Clone)]
pub struct Way {
    /// The kind.
    pub name: Name,
    /// What must hold of such a link.
    pub filter: Option<Expr>,
}

impl Way {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        self.filter.as_ref().map_or(self.name.span, |filter| self.name.span.to(filter.span))
    }
}

/// The comparisons by size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareOp {
    /// `at least`
    AtLeast,
    /// `at most`
    AtMost,
    /// `more than`
    MoreThan,
    /// `less than`
    LessThan,
}

/// The four signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArithmeticOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divide,
}

/// The words that ask whether things are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuantifierWord {
    /// one at least
    Any,
    /// none
    No,
    /// one at least of these, and nothing of the same top kind that is not
    Only,
}

/// The words that make one amount of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AggregateWord {
    /// `sum of`
    Sum,
    /// `highest`
    Highest,
    /// `lowest`
    Lowest,
}

/// A noun phrase: adjectives, the kind, where it stands, and what is claimed of it.
#[derive(Debug, Clone)]
pub struct Things {
    /// The whole phrase.
    pub span: Span,
    /// All words before the kind.
    pub adjectives: Vec<Name>,
    /// The kind, singular or plural.
    pub kind: Name,
    /// `here`, `in X`, `adjacent ...`, `within ...`
    pub place: Option<Place>,
    /// The claim behind `where`.
    pub filter: Option<Expr>,
}

/// Where the things of a noun phrase stand.
#[derive(Debug, Clone)]
pub struct Place {
    /// The words of the place.
    pub span: Span,
    /// Which place.
    pub kind: PlaceKind,
}

/// The four places.
#[derive(Debug, Clone)]
pub enum PlaceKind {
    /// `here`
    Here,
    /// `in X`
    In(Path),
    /// `adjacent [to X] [[not] over LINK]`
    Adjacent { to: Option<Path>, over: Option<Name>, not_over: bool },
    /// `within N [of X] [over LINK]`
    Within { distance: Box<Expr>, of: Option<Path>, over: Option<Name> },
}

/// `a of b of c`, or `a here`.
#[derive(Debug, Clone)]
pub struct Path {
    /// The whole path.
    pub span: Span,
    /// From left to right: the fact first, the thing it is of last.
    pub heads: Vec<Head>,
    /// `terrain here`: of the space where the subject stands.
    pub here: bool,
    /// `gap from A to B`: from which thing to which.
    pub between: Option<Box<(Path, Path)>>,
}

impl Path {
    /// The name that it is, if it is one and nothing more.
    pub(crate) fn one_name(&self) -> Option<&Name> {
        match self.heads.as_slice() {
            [Head { kind: HeadKind::Name(name), .. }] if !self.here && self.between.is_none() => {
                Some(name)
            }
            _ => None,
        }
    }
}

/// One word of a path.
#[derive(Debug, Clone)]
pub struct Head {
    /// Its place.
    pub span: Span,
    /// Which form.
    pub kind: HeadKind,
}

/// One link of a map.
#[derive(Debug, Clone)]
pub struct OneLink {
    /// Its kind.
    pub kind: Name,
    /// The two spaces that it joins.
    pub ends: (Name, Name),
}

/// The forms of a word in a path.
#[derive(Debug, Clone)]
pub enum HeadKind {
    /// a bare name
    Name(Name),
    /// `link railway Yard to Pass`: a link of the map by its kind and its ends
    Link(Box<OneLink>),
    /// `the army`: the subject when a candidate stands between
    The(Name),
    /// the candidate of the enclosing `where`
    It,
    /// `hex 0201`, kept as the text of the label
    Hex(Name),
}
