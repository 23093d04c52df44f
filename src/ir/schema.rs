//! What exists: sides, clock, kinds, facts, words, clauses.

use serde::{Deserialize, Serialize};

use super::{ClauseId, DimensionId, FactId, KindId, SideId, WordSetId};
use crate::source::Span;

/// A side of the game.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Side {
    /// Its name.
    pub name: String,
}

/// How one side stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// the same side
    Own,
    /// an ally, not the same side
    Allied,
    /// at war
    Enemy,
    /// neither
    #[default]
    Neutral,
}

impl Relation {
    /// How two sides may stand, by the words of rules and of positions.
    pub const NAMED: [(&'static str, Relation); 3] = [
        ("enemy_of", Relation::Enemy),
        ("ally_of", Relation::Allied),
        ("neutral_to", Relation::Neutral),
    ];

    /// The relation of this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Relation> {
        Relation::NAMED.iter().find(|(name, _)| *name == word).map(|(_, relation)| *relation)
    }

    /// Its word; nothing for a side and itself.
    #[must_use]
    pub fn word(self) -> &'static str {
        Relation::NAMED.iter().find(|(_, of)| *of == self).map_or("", |(name, _)| name)
    }
}

/// The parts of a turn in order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Clock {
    /// The name of the whole, such as `turn`.
    pub name: String,
    /// What its turns are counted by, if they are.
    pub counted: Option<Counted>,
    /// Its parts.
    pub parts: Vec<ClockPart>,
    /// The parts as they go round, in order; together they hold every part once.
    pub rounds: Vec<Round>,
}

/// Facts of the world that say which turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The number or the stage of the turn, under the name of the clock.
    pub turn: FactId,
    /// The mark that stands when the last turn has ended.
    pub over: FactId,
}

/// Parts of a turn that go round together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Its first part.
    pub first: u8,
    /// How many parts it has.
    pub parts: u8,
    /// Whether each side goes through it in turn, in the order of the sides.
    pub each_side: bool,
    /// How often it comes in a turn.
    pub times: u32,
}

/// One part of a turn.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClockPart {
    /// Its name.
    pub name: String,
    /// Whether each side has its own.
    pub each_side: bool,
}

/// A point of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Where in the part.
    pub edge: Edge,
    /// Which part; `None` is the whole turn.
    pub part: Option<u8>,
    /// Whose part.
    pub whose: Whose,
}

/// Where in a part of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// at its start
    Start,
    /// while it lasts
    During,
    /// at its end
    End,
}

/// Whose part of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// everybody's
    All,
    /// the owner's of the thing in question
    Owner,
    /// this side's
    Side(SideId),
}

/// A dimension of amounts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Dimension {
    /// The plural, which names it.
    pub name: String,
    /// The singular.
    pub singular: String,
}

impl Dimension {
    /// Its name behind a whole amount: `1 zone`, `2 zones`.
    pub(crate) fn behind(&self, amount: u32) -> &str {
        if amount == 1 { &self.singular } else { &self.name }
    }
}

/// A kind of thing.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kind {
    /// The singular.
    pub name: String,
    /// The plural.
    pub plural: String,
    /// The kind it is a kind of.
    pub parent: Option<KindId>,
    /// Which of unit, space, link, world and side it lies below.
    pub top: KindId,
    /// Whether its links lead only from their first space to their second.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_way: bool,
    /// Between which spaces its links are, if the map does not list them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every_two: Option<Box<EveryTwo>>,
    /// The kind of link of which these are some, told apart by a condition on them; no name of the
    /// ruleset means them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub some_of: Option<KindId>,
    /// By which facts they are told apart, where a position says some of these; which links are of
    /// the kind is then asked of the position, and its net on a map holds all that may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_by: Option<Box<LinkFacts>>,
}

/// Each two of these spaces are joined by a link of a kind, on every map as it is printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EveryTwo {
    /// The spaces.
    pub things: super::ThingsId,
    /// The fact that both must have alike, if one is said; what has no value of it is not joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same: Option<FactId>,
}

/// What tells some links of a kind from others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkFacts {
    /// The facts that count.
    pub facts: Vec<FactId>,
    /// The combinations of their values, encoded as in a position.
    pub rows: Vec<Vec<i64>>,
    /// Whether a step goes along such a link only as it leads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub directed: bool,
}

/// A fact that a position stores for each thing of a kind, as one number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fact {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// What it is said of.
    pub kind: KindId,
    /// Its type.
    pub ty: Type,
    /// Its value when nothing is said, encoded as in a position.
    pub default: i64,
    /// Who sets it.
    pub origin: FactOrigin,
    /// Its place in the row of a unit, space, side or the world.
    pub slot: u16,
    /// Whether the map alone says it: links are made by it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub printed: bool,
}

impl Fact {
    /// Whether each of its kind names a thing by it: an attribute declared without `maybe`.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.origin == FactOrigin::Attribute && matches!(self.ty, Type::Thing { maybe: false, .. })
    }
}

/// Who sets a stored fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactOrigin {
    /// built into the language: owner, space, control
    BuiltIn,
    /// an attribute, said by `has`
    Attribute,
    /// said by `given`
    Given,
    /// a note of the rules, said by `mark`, with the moment at which it goes away
    Mark(Option<Moment>),
    /// a number of the rules, said by `count`, with the moment at which it goes back to its default
    Count(Moment),
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// yes or no
    Truth,
    /// an amount of a dimension (none for a bare number) within an interval
    Number {
        /// its dimension
        dimension: Option<DimensionId>,
        /// the least it can be
        low: i64,
        /// the most it can be
        high: i64,
        /// whether it can be a fraction
        fraction: bool,
    },
    /// a word of a set
    Word(WordSetId),
    /// a thing of a kind, or none
    Thing {
        /// which kind
        kind: KindId,
        /// whether it can be none
        maybe: bool,
    },
}

/// An ordered set of words.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WordSet {
    /// What the set is of, for messages.
    pub name: String,
    /// The words in the order of the declaration.
    pub words: Vec<String>,
    /// Whether they are the stages of a track: they compare, and are raised and lowered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
}

/// A unit that the ruleset names.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NamedUnit {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: KindId,
}

/// A question with its readings, or an option with `off` and `on`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ruling {
    /// Its name.
    pub name: String,
    /// The question.
    pub asks: String,
    /// Its readings.
    pub readings: WordSetId,
    /// The reading in force unless somebody says otherwise.
    pub default: u16,
    /// Whether it is an option.
    pub option: bool,
    /// The clauses it settles.
    pub clauses: Vec<ClauseId>,
    /// Where its name is written.
    #[serde(skip)]
    pub span: Span,
}

/// A clause of the rulebook.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Clause {
    /// Its full id, such as `SK-22.3a`.
    pub id: String,
    /// What it says, in other words than the source.
    pub text: String,
    /// Where it is declared.
    pub span: Span,
    /// Whether it was declared by the ruleset that this one is a variant of.
    pub inherited: bool,
}

/// A line that carries out a rule.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RuleLine {
    /// What it is, in the words of the file: `trace supply, source home`.
    pub name: String,
    /// Where it is written.
    pub span: Span,
    /// The clauses it carries out.
    pub clauses: Vec<ClauseId>,
}
