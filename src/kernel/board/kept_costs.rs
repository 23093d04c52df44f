//! Costs of steps, kept from one position to the next: they rest on facts of spaces, few of which
//! ever change.

use super::{Board, CacheKey};
use crate::arrange::Arrange as _;
use crate::ir::*;
use crate::kernel::evaluate::{CostsKey, LegCosts};
use crate::kernel::id_map::IdMap;
use crate::world::World;

/// Costs of so many sorts of things are kept for a trace.
const MOST: usize = 64;

/// The costs of a trace, with all that they rest on.
#[derive(Debug, Default)]
pub(super) struct KeptCosts {
    /// The facts of spaces that they read, by slot.
    slots: Box<[usize]>,
    /// The position that they were last found to hold in.
    position: u64,
    cache_key: CacheKey,
    /// The facts of all spaces then.
    facts: Vec<i64>,
    costs: IdMap<CostsKey, LegCosts>,
}

impl KeptCosts {
    /// For a trace; nothing where its costs rest on more than facts, readings and relations.
    fn of(board: &Board<'_>, trace: TraceId) -> Option<KeptCosts> {
        let mut slots = Vec::new();
        let legs = &board.rules.traces.get(trace.index())?.legs;
        for cost in legs.iter().filter_map(|leg| leg.cost) {
            let depends = board.depends(cost, 0);
            if !depends.by_facts() || depends.named {
                return None;
            }
            let read = depends.here.iter().filter_map(|f| board.rules.facts.get(f.index()));
            slots.extend(read.map(|fact| usize::from(fact.slot)));
        }
        slots.arrange();
        slots.dedup();
        Some(KeptCosts { slots: slots.into(), ..KeptCosts::default() })
    }

    /// Forgets what does not hold in a position.
    fn come_to(&mut self, board: &Board<'_>, position: u64, world: &World) {
        if self.position == position {
            return;
        }
        self.position = position;
        let rows = world.space_facts.chunks(world.space_slots.max(1));
        let facts = || rows.clone().flat_map(|row| self.slots.iter().filter_map(|s| row.get(*s)));
        let same = facts().eq(&self.facts);
        if !same {
            self.facts = facts().copied().collect();
        }
        if self.cache_key.update(0, world, board.read_facts()) || !same {
            self.costs.clear();
        }
    }
}

impl Board<'_> {
    /// Costs that an earlier position has worked out and that hold in this one.
    pub(in crate::kernel) fn known_costs(
        &self,
        (position, world): (u64, &World),
        key: &CostsKey,
    ) -> Option<LegCosts> {
        let mut all = self.kept.costs.borrow_mut();
        let kept = all.entry(key.0).or_insert_with(|| KeptCosts::of(self, key.0)).as_mut()?;
        kept.come_to(self, position, world);
        kept.costs.get(key).cloned()
    }

    /// Keeps costs for the next position.
    pub(in crate::kernel) fn keep_costs(
        &self,
        (position, world): (u64, &World),
        key: &CostsKey,
        costs: &LegCosts,
    ) {
        let mut all = self.kept.costs.borrow_mut();
        let Some(Some(kept)) = all.get_mut(&key.0) else { return };
        kept.come_to(self, position, world);
        if kept.costs.len() >= MOST {
            kept.costs.clear();
        }
        kept.costs.insert(key.clone(), costs.clone());
    }
}
