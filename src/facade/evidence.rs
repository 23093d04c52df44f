//! Answers with what they rest on, in numbers.

use std::sync::Arc;

use super::following::Follows;
use super::{Space, Thing, Unit};
use crate::ir::{SideId, TraceId};
use crate::kernel::{Answer, EvalFault, LiveEvidence, Position as Asked};
use crate::report::gate_word;

/// The answer of a trace for one thing with what it rests on, in numbers;
/// [`Position::ask`](super::Position::ask) puts the same into words, and says why a condition that
/// decided holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// What was asked about.
    pub thing: Thing,
    /// Where it stands.
    pub space: Option<Space>,
    /// Whether the answer is the yes of the trace.
    pub yes: bool,
    /// How long its line is; none where no line is needed, or none is found.
    pub distance: Option<u32>,
    /// The spaces of its line, its own first; shared by all copies.
    pub route: Arc<[Space]>,
    /// The source of its line, by its place among those of the trace.
    pub source: Option<u16>,
    /// The gate that stopped it, by the word that reports use.
    pub gate: Option<&'static str>,
    /// The space that stopped it.
    pub stop: Option<Space>,
}

impl Evidence {
    pub(super) fn of(thing: Thing, answer: &Answer, route: &[u32]) -> Evidence {
        Evidence {
            thing,
            space: answer.space.map(Space),
            yes: answer.yes,
            distance: answer.length,
            route: route.iter().copied().map(Space).collect(),
            source: answer.source,
            gate: (!answer.yes).then(|| gate_word(answer.gate)),
            stop: answer.stop.map(Space),
        }
    }

    /// All answers of a trace, asked of each thing.
    pub(super) fn all(position: &Asked<'_>, trace: TraceId) -> Result<Vec<Evidence>, EvalFault> {
        let mut found = Vec::new();
        for thing in position.asked_about(trace) {
            let (answer, route) = position.answer_and_route(trace, thing)?;
            found.extend(Thing::of(thing).map(|thing| Evidence::of(thing, &answer, &route)));
        }
        Ok(found)
    }
}

/// The evidence of a trace that follows the changes of a position.
pub(super) struct EvidenceRows {
    live: LiveEvidence,
    /// By unit; none for those off the map and those of other kinds.
    rows: Vec<Option<Evidence>>,
}

impl EvidenceRows {
    pub(super) fn new(live: LiveEvidence, units: usize) -> EvidenceRows {
        EvidenceRows { live, rows: vec![None; units] }
    }

    /// All answers, of which those are asked that the changes have touched.
    pub(super) fn all(&mut self, position: &Asked<'_>) -> Result<Vec<Evidence>, EvalFault> {
        let EvidenceRows { live, rows } = self;
        live.update(position, |unit, found| {
            let of = |(answer, route): (Answer, Vec<u32>)| {
                Evidence::of(Thing::Unit(Unit(unit)), &answer, &route)
            };
            if let Some(row) = rows.get_mut(unit as usize) {
                *row = found.map(of);
            }
        })?;
        Ok(rows.iter().flatten().cloned().collect())
    }
}

impl Follows for EvidenceRows {
    fn trace(&self) -> TraceId {
        self.live.trace()
    }

    fn move_unit(&mut self, unit: u32, space: Option<u32>) {
        self.live.move_unit(unit, space);
    }

    fn set_control(&mut self, space: u32, side: Option<SideId>) {
        self.live.set_control(space, side);
    }
}
