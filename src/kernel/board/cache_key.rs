//! What all that is kept from one position to the next depends on: for what it was made, and what
//! is the same for a whole position.

use crate::ir::Relation;
use crate::world::World;

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
    pub(in crate::kernel) fn update(&mut self, of: u64, world: &World) -> bool {
        let same = self.of == Some(of)
            && self.world == world.world_facts
            && self.sides == world.side_facts
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
