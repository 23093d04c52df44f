//! What the retries of one step have been paid with so far.

use crate::ir::{FactId, Ruleset};
use crate::kernel::Retries;
use crate::world::{ThingRef, World};

/// How much of which amount, in the order in which they were first spent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Spent(Vec<(FactId, ThingRef, u32)>);

impl Spent {
    /// How much has been spent of the amount that these retries are paid from.
    pub(super) fn of(&self, retries: &Retries) -> u32 {
        let found = retries
            .pool
            .and_then(|p| self.0.iter().find(|(fact, of, _)| *fact == p.fact && *of == p.of));
        found.map_or(0, |(.., spent)| *spent)
    }

    /// Spends one for each retry.
    pub(super) fn add(&mut self, retries: &Retries, made: u32) {
        let Some(pool) = retries.pool.filter(|_| made > 0) else { return };
        match self.0.iter_mut().find(|(fact, of, _)| *fact == pool.fact && *of == pool.of) {
            Some((.., spent)) => *spent += made,
            None => self.0.push((pool.fact, pool.of, made)),
        }
    }

    /// Takes it all from the position.
    pub(super) fn pay(self, rules: &Ruleset, world: &mut World) {
        for (id, of, spent) in self.0 {
            if let Some(fact) = rules.facts.get(id.index()) {
                let left = world.fact(fact, of).saturating_sub(i64::from(spent));
                world.set_fact(fact, of, left);
            }
        }
    }
}
