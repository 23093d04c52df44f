//! What a moment brings, in order: said once, for runs, for odds and for whoever prints a calendar.

use super::phase::{phases_of, side_of};
use crate::ir::*;

/// One thing that a moment brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// what ends by itself, of one side's things where the moment is a side's
    Ends(Moment, Option<SideId>),
    /// a phase, of a side if it is of one
    Phase(PhaseId, Option<SideId>),
    /// the clock goes on to the next turn, if its turns are counted
    NextTurn,
}

/// All that a moment brings. What ends at the start of something ends before the phases of that
/// moment; what ends at its end ends behind them, for they still belong to it.
#[must_use]
pub fn agenda(rules: &Ruleset, moment: Moment) -> Vec<Happening> {
    let ends = Happening::Ends(moment, side_of(moment));
    let mut found = Vec::new();
    found.extend((moment.edge == Edge::Start).then_some(ends));
    found.extend(
        phases_of(rules, moment).into_iter().map(|(phase, side)| Happening::Phase(phase, side)),
    );
    found.extend((moment.edge == Edge::End).then_some(ends));
    let counts = rules.clock.as_ref().is_some_and(|clock| clock.counted.is_some());
    let last = moment.edge == Edge::End && moment.part.is_none();
    found.extend((counts && last).then_some(Happening::NextTurn));
    found
}

/// What ends by itself at a moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ending {
    /// Marks that go away and counts that go back, each with whose.
    pub facts: Vec<(FactId, Whose)>,
    /// Whether what was rolled is forgotten: a turn knows nothing of what was rolled in the turn
    /// before, so that a position says all there is to know of it.
    pub rolls: bool,
    /// Traces whose kept answers end, each with whose.
    pub traces: Vec<(TraceId, Whose)>,
}

/// What ends by itself at a moment, if it is of the side whose moment it is.
#[must_use]
pub fn ending(rules: &Ruleset, moment: Moment, side: Option<SideId>) -> Ending {
    let another =
        |whose: Whose| matches!((whose, side), (Whose::Side(of), Some(side)) if of != side);
    let ends = |until: &Moment| {
        until.edge == moment.edge && until.part == moment.part && !another(until.whose)
    };
    let until_of_fact = |fact: &Fact| match fact.origin {
        FactOrigin::Mark(until) => until,
        FactOrigin::Count(until) => Some(until),
        _ => None,
    };
    let facts = (0..)
        .map(FactId::at)
        .zip(&rules.facts)
        .filter_map(|(id, fact)| Some((id, until_of_fact(fact).filter(ends)?.whose)));
    let traces = (0..)
        .map(TraceId::at)
        .zip(&rules.traces)
        .filter_map(|(id, trace)| Some((id, trace.lasts.filter(ends)?.whose)));
    Ending {
        facts: facts.collect(),
        rolls: moment.part.is_none() && moment.edge == Edge::Start,
        traces: traces.collect(),
    }
}
