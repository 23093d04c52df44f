//! What would restore a line: the single changes that do, each made and asked again, the cheapest
//! first.
//!
//! The changes are a closed set: one unit gone, one space freed of all that are no friends, a
//! longer reach, a space turned, another fact of the unit itself or of the world, another `given`.
//! If none of them does it, two units gone are tried, and then as few as can be found.

//!
//! A change is looked at only where it may be felt ([`scope`]): gates are asked afresh near it
//! ([`rows`]), and a search is made only if it opens a gate to which a line comes from the thing,
//! and one from which a line goes on to an end ([`front`]). The slow and obvious twin makes each
//! change and asks afresh.

mod front;
mod reach;
mod removal;
mod rows;
mod scope;
mod trial;
mod tries;

use std::cell::RefCell;

use super::answer::Stretch;
use super::{Answer, EvalFault, Position};
use crate::arrange::Arrange as _;
use crate::ir::*;
use crate::world::{ThingRef, World};
use rows::Rows;
use scope::Scope;
use trial::Trial;

/// Why a thing has no line, and what would give it one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhyNot {
    /// The answer as it is.
    pub answer: Answer,
    /// Every single change that restores it, the cheapest first.
    pub remedies: Vec<Restored>,
    /// If there is none: as few units as were found whose going restores it.
    pub removal: Option<Restored>,
    /// Whether no fewer units than those of the removal would do.
    pub fewest: bool,
    /// Whether every change of the closed set was tried; on very large maps the farther spaces are
    /// left out.
    pub whole: bool,
}

/// A change that restores a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What is changed.
    pub remedy: Remedy,
    /// Its cost: units that go, points of reach, 1 for a space turned or a fact.
    pub cost: u32,
    /// How long the line is that it has then; none if it then needs no line.
    pub length: Option<u32>,
    /// The source of that line.
    pub source: Option<u16>,
    /// The line itself.
    pub line: Vec<Stretch>,
}

/// What is changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// These units are gone.
    Gone(Vec<u32>),
    /// A space is free of all units that are no friends: which, and the units.
    Freed(u32, Vec<u32>),
    /// A leg may be so much longer, and is then so long.
    Reach {
        /// which leg
        leg: usize,
        /// by how much
        more: u32,
        /// how long it may be then
        to: u32,
    },
    /// A space is controlled by the thing's own side.
    Turned(u32, SideId),
    /// The thing, its side, the world or a space has another fact, encoded.
    Stated(ThingRef, FactId, i64),
}

/// What the questions of one position after restored lines share.
pub struct Restoring<'p, 'a> {
    position: &'p Position<'a>,
    trace: TraceId,
    scope: Scope,
    rows: Rows,
    /// The position, in which changes are made and taken back.
    world: RefCell<World>,
    /// Whether each change is made and asked afresh.
    by_trial: bool,
}

impl std::fmt::Debug for Restoring<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Restoring").field("trace", &self.trace).finish_non_exhaustive()
    }
}

impl<'p, 'a> Restoring<'p, 'a> {
    /// Prepares the questions after one trace.
    #[must_use]
    pub fn new(position: &'p Position<'a>, trace: TraceId) -> Restoring<'p, 'a> {
        let scope = Scope::of(position.rules, &position.rules.traces[trace.index()]);
        let rows = Rows::new(position, scope.radius());
        let world = RefCell::new(position.world.clone());
        Restoring { position, trace, scope, rows, world, by_trial: false }
    }

    /// The slow and obvious twin, which makes each change and asks afresh.
    #[must_use]
    pub fn by_trial(position: &'p Position<'a>, trace: TraceId) -> Restoring<'p, 'a> {
        Restoring { by_trial: true, ..Restoring::new(position, trace) }
    }

    /// Why a thing has no line, and what would give it one.
    ///
    /// # Errors
    ///
    /// What cannot be worked out in this position, or after one of the changes.
    pub fn why_not(&self, thing: ThingRef) -> Result<WhyNot, EvalFault> {
        let answer = self.position.answer(self.trace, thing)?;
        let mut found =
            WhyNot { answer, remedies: Vec::new(), removal: None, fewest: false, whole: true };
        let Some(start) = found.answer.space.filter(|_| !found.answer.yes) else {
            return Ok(found);
        };
        let trial = Trial::new(self, thing, start, found.answer.gate)?;
        trial.gone(&mut found.remedies)?;
        if trial.traced {
            trial.reach(&mut found.remedies)?;
        }
        found.whole = trial.turned(&mut found.remedies)?;
        found.whole &= trial.stated(&mut found.remedies)?;
        found.remedies.arrange_by(|a, b| (a.cost, &a.remedy).cmp(&(b.cost, &b.remedy)));
        if found.remedies.is_empty() {
            (found.removal, found.fewest) = trial.removal()?;
        }
        Ok(found)
    }
}

impl Position<'_> {
    /// Why a thing has no line, and what would give it one.
    pub fn why_not_restored(&self, trace: TraceId, thing: ThingRef) -> Result<WhyNot, EvalFault> {
        Restoring::new(self, trace).why_not(thing)
    }
}
