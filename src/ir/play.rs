//! Setups and cases.

use serde::{Deserialize, Serialize};

use super::{
    ChoiceId, ClauseId, Effect, ExprId, FactId, KindId, MapId, Mode, Moment, PairRef, PhaseId,
    PlacementWord, Relation, RulingId, SetupId, SideId, Step, TraceId,
};
use crate::map::{Coordinate, Heading, Stand};
use crate::source::Span;

/// A position to start from.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// Its map.
    pub map: MapId,
    /// Its units behind the named ones, in order.
    pub units: Vec<PutUnit>,
    /// What is stated, in order.
    pub facts: Vec<State>,
}

/// A unit of a setup or case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PutUnit {
    /// Its id.
    pub id: String,
    /// For printed output.
    pub title: String,
    /// Its kind.
    pub kind: KindId,
    /// Its owner.
    pub owner: Option<SideId>,
    /// Where it stands.
    pub space: Option<u32>,
    /// Its attributes, encoded.
    pub facts: Vec<(FactId, i64)>,
}

/// One thing that a setup or case states.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// a fact of a thing, the value an expression
    Fact(FactId, Option<ExprId>, ExprId),
    /// the value of a pair for two things: a constant
    Pair(PairRef, ExprId, ExprId, ExprId),
    /// how two sides stand to each other
    Relation(SideId, SideId, Relation),
    /// the kept answer of a trace
    Verdict(TraceId, ExprId, bool),
    /// the side that asks about spaces
    Viewer(SideId),
    /// the reading of a ruling
    Ruling(RulingId, u16),
    /// where a unit lies on a table, if it does
    Place(ExprId, Option<Stand>),
}

/// A case: one plain case, or one row of a grid.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Case {
    /// Its title, with the row for a grid.
    pub title: String,
    /// The clauses it shows.
    pub covers: Vec<ClauseId>,
    /// Where it is written: its title, or its row.
    pub span: Span,
    /// The whole item it is written in.
    #[serde(default)]
    pub whole: Span,
    /// Whether it is a case of the parent.
    #[serde(default)]
    pub taken_over: bool,
    /// The map it is played on.
    pub map: Option<MapId>,
    /// The setup it begins with.
    pub setup: Option<SetupId>,
    /// All units it puts beside those of the setup.
    pub units: Vec<PutUnit>,
    /// What happens, in order.
    pub steps: Vec<CaseStep>,
}

/// One step of a case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CaseStep {
    /// What it does.
    pub kind: CaseStepKind,
    /// Where it is written.
    pub span: Span,
}

/// The steps of a case.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseStepKind {
    /// put one of the case's units on the map
    Put(u32),
    /// state a fact
    State(State),
    /// what the next rolls show
    Dice(Vec<u32>),
    /// take what the next phases offer
    Order {
        /// who is ordered
        subject: ExprId,
        /// what to do
        deed: OrderedDeed,
    },
    /// run one phase
    Run(PhaseId, Option<SideId>),
    /// run a whole turn
    Turn,
    /// run a part of the clock from its start to its end, for one side or for all
    Part(u8, Option<SideId>),
    /// run a moment with all its phases
    Pass(Moment),
    /// a condition that must hold
    Expect(ExprId),
    /// a value that must be as the cell says; the value is kept apart so that it can be shown
    ExpectValue {
        /// the value
        value: ExprId,
        /// the condition on it
        holds: ExprId,
    },
    /// where a unit lies on a table
    ExpectPlace {
        /// which unit
        unit: ExprId,
        /// where: the coordinates, and the direction if it is said; none for off the table
        at: Option<(Coordinate, Coordinate, Option<Heading>)>,
    },
    /// what a unit may or must do
    ExpectChoice {
        /// whose choice
        subject: ExprId,
        /// whether it is denied
        negated: bool,
        /// must, else may
        must: bool,
        /// what
        effect: ChosenEffect,
    },
}

/// What may or must be done.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChosenEffect {
    /// follow a trace, to exactly these spaces if any are said
    Follow(TraceId, Vec<ExprId>),
    /// set a mark
    Mark(FactId),
    /// clear a mark
    Clear(FactId),
    /// leave the map
    Remove,
    /// go to exactly these spaces, if any are said
    Move(Vec<ExprId>),
    /// choose from exactly these, if any are said
    Choose(ChoiceId, Vec<ExprId>),
    /// be laid in exactly these places, if any are said
    Place(PlacementWord, Vec<Stand>),
}

impl ChosenEffect {
    /// Whether a step offers such a thing to a player, or demands it.
    #[must_use]
    pub fn is_of(&self, step: &Step) -> bool {
        let effect = &step.effect;
        let of_a_player = step.mode != Mode::Do;
        match self {
            ChosenEffect::Choose(choice, _) => step.choice.is_some_and(|(of, _)| of == *choice),
            ChosenEffect::Follow(trace, _) => {
                of_a_player && matches!(effect, Effect::Follow { trace: of, .. } if of == trace)
            }
            ChosenEffect::Mark(fact) => {
                of_a_player && matches!(effect, Effect::Mark(of) if of == fact)
            }
            ChosenEffect::Clear(fact) => {
                of_a_player && matches!(effect, Effect::Clear(of, _) if of == fact)
            }
            ChosenEffect::Remove => of_a_player && matches!(effect, Effect::Remove),
            ChosenEffect::Move(_) => of_a_player && matches!(effect, Effect::Move(_)),
            ChosenEffect::Place(word, _) => {
                of_a_player && matches!(effect, Effect::Place(of) if of.word() == *word)
            }
        }
    }
}

/// What an order says; things are expressions, worked out when the order is given.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderedDeed {
    /// follow a trace to a space
    Follow(TraceId, ExprId),
    /// set a mark
    Mark(FactId),
    /// clear a fact
    Clear(FactId),
    /// set, raise or lower a fact as the step says
    Change(FactId),
    /// leave the map
    Remove,
    /// go to a space
    Move(ExprId),
    /// choose a thing
    Choose(ChoiceId, ExprId),
    /// be laid anew, in a place if one is said
    Place(PlacementWord, Option<Stand>),
}
