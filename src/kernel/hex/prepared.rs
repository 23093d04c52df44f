//! What is made ready once for a trace and a map, without the board that it is asked on.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Refused, still};
use crate::ir::*;
use crate::kernel::board::{Bits, Board, ReadFacts};
use crate::kernel::id_map::IdMap;
use crate::world::World;

/// A trace made ready for one map.
#[derive(Debug)]
pub(in crate::kernel) struct Prepared {
    /// Unlike that of any other of the program, so that a scratch knows for which its planes were
    /// made.
    pub number: u64,
    pub trace: TraceId,
    pub map: MapId,
    /// Conditions that are printed on the map, by expression and level.
    pub still: IdMap<(ExprId, u8), Bits>,
    /// The facts of world and sides that its answers rest on.
    pub reads: ReadFacts,
    /// The facts of spaces that no rule changes.
    pub printed: Vec<bool>,
    /// For each slot of a space whether such a fact stands there, and what stands there.
    slots: Vec<bool>,
    facts: Vec<i64>,
}

impl Prepared {
    pub(super) fn of(
        board: &Board<'_>,
        template: &World,
        trace: TraceId,
    ) -> Result<Prepared, Refused> {
        let rules = board.rules;
        let rule = rules.traces.get(trace.index()).ok_or(Refused::NoTrace)?;
        if board.map.spaces.len() > 1 << 26 {
            return Err(Refused::TooLarge);
        }
        if board.has_turns(rule) {
            return Err(Refused::Crossings);
        }
        for leg in &rule.legs {
            if leg.cost.is_some_and(|cost| !board.depends(cost, 0).by_facts()) {
                return Err(Refused::Cost);
            }
        }
        let printed = still::printed(rules);
        let still = still::conditions(board, template, rule, &printed)?;
        let mut slots = vec![false; template.space_slots];
        let of_space = rules.facts.iter().zip(&printed).filter(|(_, printed)| **printed);
        for (fact, _) in of_space {
            if let Some(slot) = slots.get_mut(usize::from(fact.slot)) {
                *slot = true;
            }
        }
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let (map, facts) = (template.map, template.space_facts.clone());
        let reads = ReadFacts::of_trace(rules, rule);
        Ok(Prepared { number, trace, map, still, reads, printed, slots, facts })
    }

    /// Whether what is printed on the map is the same in a position as in the one that this was
    /// made from.
    pub(super) fn fits(&self, world: &World) -> bool {
        let slots = self.slots.len().max(1);
        let same = |(a, b): (&[i64], &[i64])| {
            a.iter().zip(b).zip(&self.slots).all(|((a, b), printed)| a == b || !printed)
        };
        world.map == self.map
            && world.space_slots == self.slots.len()
            && world.space_facts.len() == self.facts.len()
            // Most often no fact of a space has changed at all.
            && (self.facts[..] == world.space_facts[..] || self.facts.chunks(slots).zip(world.space_facts.chunks(slots)).all(same))
    }
}
