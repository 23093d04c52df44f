//! A question: who asks, and about what.

use super::Amount;
use crate::ir::{MOST_LEVELS, SideId, TestId};
use crate::world::ThingRef;

/// Who asks, and about what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cx {
    /// The side that asks.
    pub viewer: Option<SideId>,
    /// The step that a cost is asked of; its thing is taken to stand in the space it enters.
    pub(super) step: Option<Step>,
    /// The dice of the test whose rows are read: alone, and with what is added.
    pub(super) rolled: Option<(i64, Amount)>,
    /// What the choice of a step has come to.
    pub(super) chosen: Option<ThingRef>,
    /// The outcome just found for a thing, while it is asked whether the test is rolled again.
    pub(super) found: Option<(TestId, ThingRef, u16)>,
    subjects: [ThingRef; MOST_LEVELS],
}

/// One step of a line, counted from the unit outward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// Whose line it is.
    pub mover: ThingRef,
    /// The space it leaves.
    pub from: u32,
    /// The space it enters.
    pub into: u32,
}

impl Cx {
    /// A question about nothing in particular.
    #[must_use]
    pub fn world(viewer: Option<SideId>) -> Cx {
        Cx {
            viewer,
            step: None,
            rolled: None,
            chosen: None,
            found: None,
            subjects: [ThingRef::World; MOST_LEVELS],
        }
    }

    /// A question about a thing.
    #[must_use]
    pub fn of(viewer: Option<SideId>, subject: ThingRef) -> Cx {
        Cx::world(viewer).with(0, subject)
    }

    /// The same question with the subject of a level set.
    #[must_use]
    pub fn with(mut self, level: u8, subject: ThingRef) -> Cx {
        if let Some(cell) = self.subjects.get_mut(usize::from(level)) {
            *cell = subject;
        }
        self
    }

    /// The step that is asked about.
    #[must_use]
    pub fn step(&self) -> Option<Step> {
        self.step
    }

    /// The same question about a step.
    #[must_use]
    pub fn stepping(mut self, step: Step) -> Cx {
        self.step = Some(step);
        self
    }

    /// The same question about a roll: the dice alone, and with what is added.
    #[must_use]
    pub fn rolling(mut self, natural: i64, total: Amount) -> Cx {
        self.rolled = Some((natural, total));
        self
    }

    /// The same question with a choice made.
    #[must_use]
    pub fn choosing(mut self, chosen: Option<ThingRef>) -> Cx {
        self.chosen = chosen;
        self
    }

    /// The same question about the outcome that a roll has just come to.
    #[must_use]
    pub fn found(mut self, test: TestId, thing: ThingRef, outcome: u16) -> Cx {
        self.found = Some((test, thing, outcome));
        self
    }

    /// The subject of a level.
    #[must_use]
    pub fn about(&self, level: u8) -> ThingRef {
        self.subject(level)
    }

    pub(super) fn subject(&self, level: u8) -> ThingRef {
        self.subjects.get(usize::from(level)).copied().unwrap_or(ThingRef::World)
    }
}
