//! What a change can touch of an answer: what is asked of the thing, what steps cost, gates.
//!
//! Always on the safe side: what is said not to be touched stays as it is.

use super::super::felt::{Felt, Reader};
use super::super::{Change, Position};
use crate::ir::*;
use crate::world::{ThingRef, built_in};

/// What the conditions of a trace feel and read.
pub(super) struct Scope {
    /// Verdicts and budgets, which are asked of the thing.
    of_thing: Felt,
    costs: Felt,
    gates: Felt,
    /// All of these together.
    pub whole: Felt,
}

/// Which gates a change can touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TouchedGates {
    None,
    /// Those near the places of the change.
    Near,
    All,
}

/// What a change can touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Touched {
    /// Verdicts or budgets.
    pub of_thing: bool,
    pub costs: bool,
    pub gates: TouchedGates,
}

impl Touched {
    pub const ALL: Touched = Touched { of_thing: true, costs: true, gates: TouchedGates::All };

    pub fn nothing(self) -> bool {
        !self.of_thing && !self.costs && self.gates == TouchedGates::None
    }
}

impl Scope {
    pub fn of(rules: &Ruleset, rule: &Trace) -> Scope {
        let reader = Reader::new(rules);
        let together = |ids: Vec<ExprId>| {
            let mut felt = Felt::default();
            ids.iter().for_each(|id| felt.add(&reader.of(*id)));
            felt
        };
        let verdicts = rule.verdicts.iter().map(|v| v.when);
        let budgets = rule.legs.iter().filter_map(|l| l.within.amount);
        Scope {
            of_thing: together(verdicts.chain(budgets).collect()),
            costs: together(rule.legs.iter().filter_map(|l| l.cost).collect()),
            gates: together(rule.gates()),
            whole: together(rule.parts()),
        }
    }

    /// How far from a change a gate can feel it, where only those near it can.
    pub fn radius(&self) -> u32 {
        self.gates.space.unwrap_or(0)
    }

    /// What a change can touch of the answer for a thing that stands in a space.
    pub fn touched(
        &self,
        position: &Position<'_>,
        change: &Change,
        thing: ThingRef,
        start: u32,
    ) -> Touched {
        match change {
            Change::Gone(_) | Change::Turned { .. } => {
                self.by_place(position, &change.places(position.world), start)
            }
            Change::Stated { of, fact, .. } => self.by_fact(*of, *fact, thing),
            Change::Placed { .. } | Change::Moved { .. } => Touched::ALL,
        }
    }

    /// Units that go, or a space that changes hands.
    fn by_place(&self, position: &Position<'_>, places: &[u32], start: u32) -> Touched {
        let at_home = |felt: &Felt| match felt.home {
            None => false,
            Some(0) => places.contains(&start),
            Some(n) => position.around(start, n, None, true).iter().any(|s| places.contains(s)),
        };
        let all_gates = self.gates.anywhere || at_home(&self.gates);
        Touched {
            of_thing: self.of_thing.anywhere
                || self.of_thing.space.is_some()
                || at_home(&self.of_thing),
            costs: !self.costs.nothing(),
            gates: match (all_gates, self.gates.space) {
                (true, _) => TouchedGates::All,
                (false, Some(_)) => TouchedGates::Near,
                (false, None) => TouchedGates::None,
            },
        }
    }

    /// A fact that is stated otherwise.
    fn by_fact(&self, of: ThingRef, fact: FactId, thing: ThingRef) -> Touched {
        // Which links there are can bear on whatever looks along them.
        let of_link = matches!(of, ThingRef::Link(_));
        if of_link || [built_in::OWNER, built_in::SPACE, built_in::CONTROL].contains(&fact) {
            return Touched::ALL;
        }
        let reads = |felt: &Felt| {
            felt.more
                || of == thing && felt.own.contains(&fact)
                || felt.others.contains(&fact)
                || felt.of_world.contains(&fact)
        };
        Touched {
            of_thing: reads(&self.of_thing),
            costs: reads(&self.costs),
            gates: if reads(&self.gates) { TouchedGates::All } else { TouchedGates::None },
        }
    }
}
