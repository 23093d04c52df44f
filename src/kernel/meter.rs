//! How much one question may cost, and what its named values have come to.
//!
//! A step is a named value, a table, a pair or a hook that is asked, or a thing that a noun phrase
//! looks at. A question of few steps is only counted. From [`FREE`] steps on each named value is
//! worked out once for the same question, so that values which share others cost what they are, not
//! what they would be written out. Past [`MOST`] steps it is a fault.

use std::cell::{Cell, RefCell};

use super::id_map::IdMap;
use super::{Cx, EvalFault, Value};
use crate::ir::{DefineId, ExprId, HookId, PairId, SideId, TableId};

/// Steps of a question before its named values are kept.
const FREE: u32 = 1 << 10;
/// Steps of a question, at most.
pub const MOST: u32 = 1 << 22;
/// Steps of all questions that one question leads to, at most.
const MOST_IN_ALL: u64 = 1 << 28;
/// Values that are kept at once, at most.
const MOST_KEPT: usize = 1 << 16;

/// What has a name and is worked out of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Named {
    Define(DefineId),
    Table(TableId, u8),
    Pair(PairId),
    Hook(HookId),
}

/// All that a named value depends on within one position; the last says whether lines that take
/// part are counted.
type Key = (Named, Cx, Option<SideId>, bool);

/// The steps of the questions of one position.
#[derive(Debug)]
pub(super) struct Meter {
    /// Named values and noun phrases that are being worked out, one within the other.
    depth: Cell<u32>,
    /// Searches that are under way, one within the other.
    apart: Cell<u32>,
    steps: Cell<u32>,
    in_all: Cell<u64>,
    /// Where the question is, for the fault.
    at: Cell<ExprId>,
    kept: RefCell<IdMap<Key, Result<Value, EvalFault>>>,
}

impl Default for Meter {
    fn default() -> Meter {
        Meter {
            depth: Cell::new(0),
            apart: Cell::new(0),
            steps: Cell::new(0),
            in_all: Cell::new(0),
            at: Cell::new(ExprId(0)),
            kept: RefCell::default(),
        }
    }
}

impl Meter {
    /// Works out a part of a question; a question ends with its outermost part.
    pub(super) fn part<T>(
        &self,
        at: ExprId,
        work: impl FnOnce() -> Result<T, EvalFault>,
    ) -> Result<T, EvalFault> {
        let outer = self.at.replace(at);
        self.depth.set(self.depth.get() + 1);
        let found = self.step().and_then(|()| work());
        self.depth.set(self.depth.get() - 1);
        self.at.set(outer);
        if self.depth.get() == 0 {
            self.ended();
        }
        found
    }

    /// Works out a named value, once for each key where the question has cost much already.
    pub(super) fn named(
        &self,
        at: ExprId,
        key: impl FnOnce() -> Key,
        work: impl FnOnce() -> Result<Value, EvalFault>,
    ) -> Result<Value, EvalFault> {
        if self.steps.get() < FREE {
            return self.part(at, work);
        }
        let key = key();
        if let Some(known) = self.kept.borrow().get(&key) {
            return *known;
        }
        let found = self.part(at, work);
        let mut kept = self.kept.borrow_mut();
        if self.depth.get() > 0 && kept.len() < MOST_KEPT {
            kept.insert(key, found);
        }
        found
    }

    /// One more step of the question, if one is being asked.
    pub(super) fn step(&self) -> Result<(), EvalFault> {
        if self.depth.get() == 0 {
            return Ok(());
        }
        let (steps, in_all) = (self.steps.get() + 1, self.in_all.get() + 1);
        if steps > MOST || in_all > MOST_IN_ALL {
            return Err(EvalFault::TooLong(self.at.get()));
        }
        self.steps.set(steps);
        self.in_all.set(in_all);
        Ok(())
    }

    /// A search asks questions of its own; what they cost counts for the whole alone.
    pub(super) fn apart<T>(&self, work: impl FnOnce() -> T) -> T {
        let (depth, steps) = (self.depth.replace(0), self.steps.replace(0));
        let kept = self.kept.take();
        self.apart.set(self.apart.get() + 1);
        let found = work();
        self.apart.set(self.apart.get() - 1);
        self.depth.set(depth);
        self.steps.set(steps);
        self.kept.replace(kept);
        if depth == 0 {
            self.ended();
        }
        found
    }

    fn ended(&self) {
        self.steps.set(0);
        if self.apart.get() == 0 {
            self.in_all.set(0);
        }
        let mut kept = self.kept.borrow_mut();
        if !kept.is_empty() {
            kept.clear();
        }
    }
}
