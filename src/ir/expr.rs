//! Expressions: nodes in one array, children by id.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{
    ChoiceId, DefineId, ExprId, FactId, HookId, KindId, LabelId, PairRef, Relation, RulingId,
    SideId, TableId, TestId, ThingsId, TraceId, WordSetId,
};

/// Subjects within subjects, at most; the checker refuses more.
pub const MOST_LEVELS: usize = 8;

/// One node of an expression.
///
/// `level` counts subjects from the outside: 0 is the subject of the rule, 1 the candidate of the
/// first `where`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Node {
    /// what could not be checked; never in a ruleset without faults
    Nothing,
    /// yes or no
    Truth(bool),
    /// an exact number
    Number {
        /// numerator
        over: i64,
        /// denominator, positive
        under: i64,
    },
    /// a word of a set
    Word(WordSetId, u16),
    /// no thing
    NoThing,
    /// a unit by its place in the position
    Unit(u32),
    /// a space by its place in the map
    Space(u32),
    /// the hex of a label on the map of the position; no thing if that map has none such
    SpaceCalled(LabelId),
    /// a side
    Side(SideId),
    /// the side that asks
    Viewer,
    /// the subject or candidate of a level
    Subject(u8),
    /// a stored fact of a thing
    Fact(FactId, ExprId),
    /// a stored fact of the world
    WorldFact(FactId),
    /// a named value of a thing, or of the world
    Define(DefineId, Option<ExprId>),
    /// a result of a table asked of a thing
    Table(TableId, u8, Option<ExprId>),
    /// a value of two things, the first of which is that of the sentence
    Pair(PairRef, ExprId, ExprId),
    /// what fills a gap of the rules, asked of a thing, or of the world
    Hook(HookId, Option<ExprId>),
    /// the kept answer of a trace, or the live one: the word set `(yes, no)`
    Verdict(TraceId, ExprId, Asked),
    /// what the answer of a trace rests on
    Evidence(TraceId, EvidenceField, ExprId, Asked),
    /// the answer as if the subject stood in a space
    WouldBe {
        /// which trace
        trace: TraceId,
        /// whose line
        subject: ExprId,
        /// from where
        space: ExprId,
        /// which answer is asked for
        yes: bool,
    },
    /// the reading in force
    Ruling(RulingId),
    /// whether a thing is of a kind
    IsKind(ExprId, KindId),
    /// how a thing stands to the viewer
    Stands(ExprId, Stance),
    /// whether two sides stand so to each other
    Sides {
        /// one side
        left: ExprId,
        /// the other
        right: ExprId,
        /// how; never as one side
        how: Relation,
    },
    /// all of these
    And(Vec<ExprId>),
    /// one of these
    Or(Vec<ExprId>),
    /// the contrary
    Not(ExprId),
    /// the sum of the dice of the test whose rows are read, with what is added
    Total,
    /// the sum of the dice alone
    Natural,
    /// the outcome of the last roll for a thing; equal to nothing if there was none
    Outcome(TestId, ExprId),
    /// whether exactly these rows of a list of tests hold for a thing, in this order
    Listed(TableId, ExprId, Vec<u16>),
    /// the row at which the last roll of a list stopped for a thing, or that it went through; equal
    /// to nothing if there was none
    Stopped(TableId, ExprId),
    /// the exact chance of an outcome, were the test rolled now for a thing
    Chance(TestId, u16, ExprId),
    /// whether a unit has left the game
    Removed(ExprId),
    /// the world, of which a test is rolled
    World,
    /// a link of the map by its number among those of which a position says more
    Link(u32),
    /// whether a link of this kind joins the two spaces of the step that a cost is asked of
    OverStep(KindId),
    /// the space that the step enters of which a cost is asked, else the one that it leaves
    StepEnd(bool),
    /// the space at an end of a link: the later in the order of the map, else the earlier
    LinkEnd(ExprId, bool),
    /// the place of a word in its set, as an amount: a stage of a track
    Rank(ExprId),
    /// what a choice of a thing has come to; only a step reads it
    Chosen(ChoiceId, ExprId),
    /// the same word, thing, side or truth
    Same(ExprId, ExprId),
    /// two amounts by size
    Compare(ExprId, Comparison, ExprId),
    /// one at least of these things
    Any(ThingsId),
    /// one at least of these, and nothing of the noun's top kind there that is not
    Only(ThingsId),
    /// how many
    Count(ThingsId),
    /// an amount over all of these
    Aggregate(Aggregate, ExprId, ThingsId),
    /// a sign between two amounts
    Arithmetic(ExprId, Sign, ExprId),
    /// rounded to a whole number
    Rounded(RoundBy, ExprId),
    /// the greater, else the lesser
    Extreme {
        /// the greater
        greater: bool,
        /// one amount
        left: ExprId,
        /// the other
        right: ExprId,
    },
}

/// How an amount is rounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundBy {
    /// always so
    Fixed(Rounding),
    /// as the reading of a ruling says, one entry a reading
    Ruling(RulingId, Vec<Rounding>),
}

/// The three roundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// toward less
    Down,
    /// toward more
    Up,
    /// to the nearest whole number, halves toward more
    Nearest,
}

/// How a trace is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// the kept answer if there is one, else the live one
    Kept,
    /// afresh
    Now,
}

/// What can be read of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceField {
    /// how long the line is
    Length,
    /// the name of its source
    Source,
    /// the space where it ends
    End,
    /// the space that stopped it
    Stop,
    /// the gate that stopped it
    Gate,
}

/// How a thing stands to the side that asks: units by owner, spaces by control, sides by
/// themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// the viewer's
    Own,
    /// an ally's, not the viewer's
    Allied,
    /// the viewer's or an ally's
    Friendly,
    /// of a side at war with the viewer
    Enemy,
    /// anybody else's, or nobody's
    Neutral,
}

/// Comparison of amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// equal
    Equal,
    /// at least
    AtLeast,
    /// at most
    AtMost,
    /// more than
    More,
    /// less than
    Less,
}

impl Comparison {
    /// Whether it holds of two amounts that stand in this order.
    #[must_use]
    #[inline]
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::AtLeast => order.is_ge(),
            Comparison::AtMost => order.is_le(),
            Comparison::More => order.is_gt(),
            Comparison::Less => order.is_lt(),
        }
    }

    /// The comparison that says the same with its two sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::Equal,
            Comparison::AtLeast => Comparison::AtMost,
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::More => Comparison::Less,
            Comparison::Less => Comparison::More,
        }
    }
}

/// What is made of many amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// their sum
    Sum,
    /// the highest, and what it is of none
    Highest(i64),
    /// the lowest, and what it is of none
    Lowest(i64),
}

impl Aggregate {
    /// What it is of nothing.
    #[must_use]
    pub fn of_none(self) -> i64 {
        match self {
            Aggregate::Sum => 0,
            Aggregate::Highest(none) | Aggregate::Lowest(none) => none,
        }
    }
}

/// A sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// plus
    Plus,
    /// minus
    Minus,
    /// times
    Times,
    /// divided by
    Divide,
}

/// A noun phrase: the candidates, where they stand and what must hold of each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Things {
    /// The kind of the candidates.
    pub kind: KindId,
    /// Where they stand.
    pub place: Place,
    /// What must hold of a candidate, which is the subject of the level given here.
    pub condition: Option<ExprId>,
    /// The level of the candidate.
    pub level: u8,
}

/// Where candidates stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// anywhere
    Anywhere,
    /// in a space
    In(ExprId),
    /// one link away from a space
    Adjacent(ExprId, Option<KindId>),
    /// one link away from a space, and not joined to it by a link of this kind
    AdjacentNotOver(ExprId, KindId),
    /// at most so many links away from a space, the space itself included
    Within(u32, ExprId, Option<KindId>),
}
