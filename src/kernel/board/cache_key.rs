//! What all that is kept from one position to the next depends on: for what it was made, and what
//! is the same for a whole position.

use crate::ir::{KindId, Node, Relation, Ruleset};
use crate::world::World;

/// Which facts of the world and of sides any rule reads, by slot: a score that is only kept changes
/// no answer.
#[derive(Debug, Default)]
pub(in crate::kernel) struct Scores {
    world: Vec<bool>,
    sides: Vec<bool>,
}

impl Scores {
    pub(in crate::kernel) fn of(rules: &Ruleset) -> Scores {
        let mut read = vec![false; rules.facts.len()];
        for node in &rules.nodes {
            if let Node::Fact(fact, _) | Node::WorldFact(fact) = node
                && let Some(read) = read.get_mut(fact.index())
            {
                *read = true;
            }
        }
        let of = |top: KindId| {
            let facts = rules.facts.iter().zip(&read).filter(|(f, _)| rules.top(f.kind) == top);
            let mut slots: Vec<(u16, bool)> = facts.map(|(f, read)| (f.slot, *read)).collect();
            slots.sort_unstable();
            slots.into_iter().map(|(_, read)| read).collect()
        };
        Scores { world: of(KindId::WORLD), sides: of(KindId::SIDE) }
    }
}

/// Whether all that is read is the same; rows follow each other.
fn same(read: &[bool], old: &[i64], new: &[i64]) -> bool {
    let slots = read.iter().cycle();
    old.len() == new.len()
        && old.iter().zip(new).zip(slots).all(|((old, new), read)| old == new || !read)
}

/// For what something was made, and the facts of world and sides, readings and relations.
#[derive(Debug, Default)]
pub struct CacheKey {
    of: Option<u64>,
    world: Vec<i64>,
    sides: Vec<i64>,
    readings: Vec<u16>,
    relations: Vec<Relation>,
}

impl CacheKey {
    /// Takes over the cache_key of a position; whether it is another than before.
    pub(in crate::kernel) fn update(&mut self, of: u64, world: &World, scores: &Scores) -> bool {
        let same = self.of == Some(of)
            && same(&scores.world, &self.world, &world.world_facts)
            && same(&scores.sides, &self.sides, &world.side_facts)
            && self.readings == world.readings
            && self.relations == world.relations;
        if !same {
            self.of = Some(of);
            self.world.clone_from(&world.world_facts);
            self.sides.clone_from(&world.side_facts);
            self.readings.clone_from(&world.readings);
            self.relations.clone_from(&world.relations);
        }
        !same
    }
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn only_what_is_read_tells_positions_apart() {
        let read = [false, true];
        assert!(same(&read, &[1, 2, 3, 4], &[9, 2, 9, 4]));
        assert!(!same(&read, &[1, 2, 3, 4], &[1, 2, 3, 9]));
        assert!(!same(&read, &[1, 2], &[1, 2, 3, 2]));
        assert!(same(&[], &[], &[]) && !same(&[], &[], &[1]));
    }
}
