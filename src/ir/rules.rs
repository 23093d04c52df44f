//! Named values, tables, traces, phases.

use serde::{Deserialize, Serialize};

use super::{
    ChoiceId, DimensionId, ExprId, FactId, KindId, LineId, Moment, PhaseId, Placement, Relation,
    Ruleset, TableId, TestId, ThingsId, TraceId, Type, WordSetId,
};

/// A named value.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Define {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// What it is said of; none for the world.
    pub of: Option<KindId>,
    /// Its value; level 0 is the subject.
    pub value: ExprId,
    /// Its type.
    pub ty: Type,
    /// Whether it asks how things stand to the viewer.
    pub viewed: bool,
    /// Whether it must hold of nothing, in no setup and no case.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub never: bool,
    /// Its line.
    pub line: LineId,
}

/// What happens when several rows hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// the first counts
    First,
    /// exactly one holds
    Only,
    /// all count
    Sum,
    /// all are listed, in order: each is a test to roll
    All,
}

/// A function by rows. A grid is the list of its cells.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// What it is asked of; none for the world.
    pub of: Option<KindId>,
    /// The names and types of its results.
    pub results: Vec<(String, Type)>,
    /// What happens when several rows hold.
    pub policy: Policy,
    /// Its rows.
    pub rows: Vec<Row>,
    /// Of a list of tests the test of each row; else nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<TestId>,
    /// The bounds of a sum.
    pub kept: Option<(ExprId, ExprId)>,
    /// Whether it asks how things stand to the viewer.
    pub viewed: bool,
    /// Its line.
    pub line: LineId,
}

impl Table {
    /// All expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<ExprId> {
        let mut parts: Vec<ExprId> =
            self.kept.iter().flat_map(|(low, high)| [*low, *high]).collect();
        parts.extend(self.rows.iter().flat_map(Row::parts));
        parts
    }
}

/// One row, or one cell of a grid.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    /// The handle of the row.
    pub name: String,
    /// When it holds; none for always.
    pub when: Option<ExprId>,
    /// How often it counts in a sum, and how many of these do not.
    pub per: Option<(ExprId, Option<ExprId>)>,
    /// What it gives, one a result; none where the grid says `barred`.
    pub values: Vec<Option<ExprId>>,
    /// Its line.
    pub line: LineId,
}

impl Row {
    /// All expressions that it is made of.
    pub fn parts(&self) -> impl Iterator<Item = ExprId> + '_ {
        let per = self.per.iter().flat_map(|(per, beyond)| std::iter::once(*per).chain(*beyond));
        self.when.into_iter().chain(self.values.iter().flatten().copied()).chain(per)
    }
}

/// A line on the map from a subject to a source.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Trace {
    /// The noun.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// Its subject.
    pub of: KindId,
    /// The two answers: word 0 is yes, word 1 no.
    pub answers: WordSetId,
    /// The names of its sources, in the order of `sources`.
    pub source_names: WordSetId,
    /// `always` and `never` in written order.
    pub verdicts: Vec<Verdict>,
    /// Its sources; conditions have the subject at level 0 and the space at level 1.
    pub sources: Vec<Source>,
    /// Its relays, of the same form; a line that ends at one begins again there.
    pub relays: Vec<Source>,
    /// Its legs in written order, those of one place in the chain together.
    pub legs: Vec<Leg>,
    /// How many places the chain of legs has.
    pub places: u8,
    /// The phase that judges it; none if it is asked live.
    pub judged: Option<PhaseId>,
    /// When a kept answer ends.
    pub lasts: Option<Moment>,
    /// The number that each judged no raises and each judged yes sets to nothing.
    pub counter: Option<FactId>,
    /// The dimension in which its lines are long.
    pub length: Option<DimensionId>,
    /// Whether a line is as long as it has links, because its legs count in different dimensions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_links: bool,
    /// Whether a gate or source reads facts of the subject beyond its side, so that no search can
    /// be shared.
    pub per_subject: bool,
    /// Whether it begins in spaces and asks how things stand to the side that asks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub viewed: bool,
    /// The line of its head.
    pub line: LineId,
    /// The line of its `called` answers.
    pub called: LineId,
}

impl Trace {
    /// Whether a line of it may be made of several stretches.
    #[must_use]
    pub fn is_chain(&self) -> bool {
        self.legs.len() > 1 || !self.relays.is_empty()
    }

    /// Whether its text has several legs.
    #[must_use]
    pub fn has_several_legs(&self) -> bool {
        self.legs.iter().filter(|leg| leg.is_written()).count() > 1
    }

    /// Whether it is one leg without relays and without costs, so that lengths alone tell who is
    /// reached.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.relays.is_empty()
            && matches!(self.legs.as_slice(), [leg] if leg.cost.is_none() && !leg.optional)
    }
}

/// What settles the answer before any line is traced.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Verdict {
    /// `always`, else `never`.
    pub always: bool,
    /// When; level 0 is the subject.
    pub when: ExprId,
    /// Its line.
    pub line: LineId,
}

/// A source.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// Which spaces are one.
    pub when: ExprId,
    /// Its line.
    pub line: LineId,
}

/// One leg of a line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Leg {
    /// Its name.
    pub name: String,
    /// Its place in the chain, from the subject outward; legs of the same place are alternatives.
    pub place: u8,
    /// Whether the whole place may be skipped.
    pub optional: bool,
    /// The kinds of link it goes over.
    pub links: Vec<KindId>,
    /// What entering a space costs: an amount of the subject (level 0) as if it stood there; none
    /// for 1 a link.
    pub cost: Option<ExprId>,
    /// The table that bars the steps which no line of `over` allows, where they are not all links of
    /// these kinds; the cost is asked of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<TableId>,
    /// The first space, and who may use the leg.
    pub from: Gate,
    /// Who may use it, where not all may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Only>,
    /// The spaces between: what `through` and `stopping in` ask together.
    pub through: Gate,
    /// `stopping in`, which ends a leg where it comes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopping: Option<Stopping>,
    /// The last space.
    pub into: Gate,
    /// The longest it may be.
    pub within: Budget,
    /// What it asks of the space in which its line ends, where that gives the budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_source: Option<BySource>,
    /// The line of `over`; of `cost` where there is one.
    pub line: LineId,
    /// The first line of `over`.
    pub over_line: LineId,
}

impl Leg {
    /// What `through` asks by itself.
    #[must_use]
    pub fn through_alone(&self) -> Gate {
        let when = self.stopping.as_ref().map_or(self.through.when, |stopping| stopping.through);
        Gate { when, line: self.through.line }
    }

    /// What `from` asks by itself.
    #[must_use]
    pub fn own_from(&self) -> Gate {
        let when = self.only.as_ref().map_or(self.from.when, |only| only.from);
        Gate { when, line: self.from.line }
    }

    /// What `into` asks by itself.
    #[must_use]
    pub fn own_into(&self) -> Gate {
        let when = self.by_source.as_ref().map_or(self.into.when, |by| by.into);
        Gate { when, line: self.into.line }
    }

    /// Whether it is a leg of the text, or the first of those that one leg has become.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.by_source.as_ref().is_none_or(|by| !by.again)
    }
}

/// Those who may use a leg.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Only {
    /// What must hold of the tracer, asked as a gate is.
    pub gate: Gate,
    /// What `from` asks besides.
    pub from: Option<ExprId>,
}

/// A leg that is one value of the amount of its source.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BySource {
    /// The amount, with the source at level 1.
    pub amount: ExprId,
    /// The budget as it is written, with the subject at level 0; it is shown, and never asked.
    pub whole: ExprId,
    /// Whether the amount of a space is that of this leg, at level 1; `into` asks it too.
    pub is: ExprId,
    /// What `into` asks by itself; none for `anywhere`.
    pub into: Option<ExprId>,
    /// Whether another value of the same leg stands before it.
    pub again: bool,
}

/// `stopping in` of a leg.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Stopping {
    /// Open where nothing stops.
    pub gate: Gate,
    /// What `through` asks by itself; none for `anywhere`.
    pub through: Option<ExprId>,
}

/// A condition that a space must meet.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Gate {
    /// The condition, with the subject at level 0 and the space at level 1; none for `anywhere`.
    pub when: Option<ExprId>,
    /// Its line.
    pub line: LineId,
}

/// The longest a leg may be.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Budget {
    /// An amount of the subject, at level 0; none for `unlimited`.
    pub amount: Option<ExprId>,
    /// The most it can be.
    pub high: u32,
    /// Its line.
    pub line: LineId,
}

/// A random value and the rows that read it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// What it is rolled for.
    pub of: KindId,
    /// What is thrown, in written order.
    pub dice: Vec<Throw>,
    /// What is added to them; level 0 is the subject.
    pub plus: Option<ExprId>,
    /// Its outcomes.
    pub outcomes: WordSetId,
    /// Its rows, the first that holds counts; none for always.
    pub rows: Vec<(Option<ExprId>, u16, LineId)>,
    /// When it is rolled again.
    pub retry: Option<Retry>,
    /// Its line.
    pub line: LineId,
}

/// Dice of one kind that are thrown together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throw {
    /// How many.
    pub count: u32,
    /// What stands on each.
    pub die: Die,
}

/// What a die shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Die {
    /// 1 to so many
    Sides(u32),
    /// its own faces, in written order; one that stands there twice is twice as likely
    Faces(Vec<u32>),
}

/// When a test is rolled again; the last roll counts. One of the two limits is there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Retry {
    /// How often at most; level 0 is the subject.
    pub at_most: Option<ExprId>,
    /// The amount that each retry takes one from, and whose it is.
    pub spending: Option<(FactId, ExprId)>,
    /// When it is wanted, asked of the roll that was just made.
    pub when: ExprId,
    /// Its line.
    pub line: LineId,
}

/// One of some things, left to a player.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Choice {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// Whose choice it is about.
    pub of: KindId,
    /// The kind of what is chosen.
    pub kind: KindId,
    /// What there is to choose from; the one the choice is about is the subject at level 0.
    pub from: ThingsId,
    /// What is looked at, in order; those that come off worse are out.
    pub prefers: Vec<Prefer>,
    /// Who chooses among those that are left.
    pub left_to: Decider,
    /// Its line.
    pub line: LineId,
}

/// Who chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decider {
    /// the owner of the thing that the choice is about
    Owner,
    /// the other side
    Enemy,
}

/// One thing that a choice looks at.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Prefer {
    /// Whether the highest or the lowest amount is wanted; none for a condition.
    pub highest: Option<bool>,
    /// The amount or the condition; the candidate is the subject at level 1.
    pub value: ExprId,
    /// Its line.
    pub line: LineId,
}

/// When things happen, and in which order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// When it happens.
    pub moments: Vec<Moment>,
    /// What must hold as it begins.
    pub when: Option<ExprId>,
    /// The mark that it has happened, if it happens once: of the world, or of the side whose phase
    /// it is.
    pub once: Option<FactId>,
    /// Its steps.
    pub steps: Vec<Step>,
    /// Its line.
    pub line: LineId,
}

/// One step. All that it reads is read before it changes anything.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Step {
    /// How binding it is.
    pub mode: Mode,
    /// What it does to each thing; the thing is the subject at level 0.
    pub effect: Effect,
    /// The choice that the effect reads, and whose it is.
    pub choice: Option<(ChoiceId, ExprId)>,
    /// To which things; none for the world.
    pub things: Option<ThingsId>,
    /// Its line.
    pub line: LineId,
}

/// How binding a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// it happens
    Do,
    /// the owner may
    May,
    /// the owner must, in one of the lawful ways
    Must,
}

/// What a step does.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// judge a trace and keep the answer
    Judge(TraceId),
    /// roll a test and keep its outcome until the phase runs again
    Roll {
        /// which test
        test: TestId,
        /// whether one throw counts for all things of the step
        once: bool,
    },
    /// roll the tests that a list has for each thing, one after the other, and keep their outcomes
    RollList {
        /// which list
        table: TableId,
        /// for each row the outcome of its test at which the roll stops
        stops: Vec<Option<u16>>,
    },
    /// set a fact of a thing
    Set(FactId, ExprId, ExprId),
    /// let two sides stand so to each other
    Relate(Relation, ExprId, ExprId),
    /// raise or lower an amount of a thing
    Change {
        /// raise, else lower
        raise: bool,
        /// which fact
        fact: FactId,
        /// whose
        of: ExprId,
        /// by how much
        by: ExprId,
    },
    /// set a mark
    Mark(FactId),
    /// clear a mark, a thing or a control
    Clear(FactId, ExprId),
    /// take the unit off the map
    Remove,
    /// put the unit into a space
    Move(ExprId),
    /// follow the routes of a trace
    Follow {
        /// which trace
        trace: TraceId,
        /// how far
        within: Option<ExprId>,
        /// where to stop: a named value of a space
        stopping: Option<ExprId>,
    },
    /// lay the unit anew on its table
    Place(Placement),
}

impl Effect {
    /// The tests that it rolls, or may roll.
    #[must_use]
    pub fn tests<'r>(&'r self, rules: &'r Ruleset) -> &'r [TestId] {
        match self {
            Effect::Roll { test, .. } => std::slice::from_ref(test),
            Effect::RollList { table, .. } => {
                rules.tables.get(table.index()).map_or(&[], |t| &t.tests)
            }
            Effect::Judge(_)
            | Effect::Set(..)
            | Effect::Relate(..)
            | Effect::Change { .. }
            | Effect::Mark(_)
            | Effect::Clear(..)
            | Effect::Remove
            | Effect::Move(_)
            | Effect::Follow { .. }
            | Effect::Place(_) => &[],
        }
    }
}
