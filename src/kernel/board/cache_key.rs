//! What all that is kept from one position to the next depends on: for what it was made, and what
//! is the same for a whole position.

use crate::ir::{KindId, Node, Relation, Ruleset, Trace};
use crate::world::World;

/// Which facts of the world and of sides any expression reads, by slot. What phases only write, such
/// as a tally of losses, changes no answer.
#[derive(Debug, Default)]
pub struct ReadFacts {
    world: Vec<bool>,
    sides: Vec<bool>,
}

impl ReadFacts {
    /// The facts that expressions of a ruleset read.
    pub(in crate::kernel) fn of(rules: &Ruleset) -> ReadFacts {
        let mut found = ReadFacts::default();
        rules.nodes.iter().for_each(|node| found.add(rules, node));
        found
    }

    /// The facts that an answer of a trace rests on, through all that its conditions name.
    pub(in crate::kernel) fn of_trace(rules: &Ruleset, trace: &Trace) -> ReadFacts {
        let mut found = ReadFacts::default();
        rules.walk(trace.parts(), |_| true, |_, id| found.add(rules, rules.node(id)));
        found
    }

    fn add(&mut self, rules: &Ruleset, node: &Node) {
        let (Node::Fact(fact, _) | Node::WorldFact(fact)) = node else { return };
        let Some(fact) = rules.facts.get(fact.index()) else { return };
        let slots = match rules.top(fact.kind) {
            KindId::WORLD => &mut self.world,
            KindId::SIDE => &mut self.sides,
            _ => return,
        };
        let slot = usize::from(fact.slot);
        slots.resize(slots.len().max(slot + 1), false);
        slots.iter_mut().skip(slot).take(1).for_each(|read| *read = true);
    }

    /// The facts of a row that are read.
    fn read<'w>(of: &'w [bool], row: &'w [i64]) -> impl Iterator<Item = i64> + 'w {
        row.iter().zip(of).filter(|(_, read)| **read).map(|(value, _)| *value)
    }

    fn of_world<'w>(&'w self, world: &'w World) -> impl Iterator<Item = i64> + 'w {
        ReadFacts::read(&self.world, &world.world_facts)
    }

    fn of_sides<'w>(&'w self, world: &'w World) -> impl Iterator<Item = i64> + 'w {
        let rows = world.side_facts.chunks(world.side_slots.max(1));
        rows.flat_map(|row| ReadFacts::read(&self.sides, row))
    }
}

/// For what something was made, and the facts of world and sides that are read, readings and
/// relations.
#[derive(Debug, Default)]
pub struct CacheKey {
    of: Option<u64>,
    world: Vec<i64>,
    sides: Vec<i64>,
    links: Vec<i64>,
    readings: Vec<u16>,
    relations: Vec<Relation>,
}

/// What of a [`CacheKey`] is otherwise than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::kernel) enum Changed {
    /// nothing
    Nothing,
    /// facts of the world and of sides, and nothing else
    Values,
    /// more than that
    More,
}

impl CacheKey {
    /// Takes over the key of a position; whether it is another than before.
    pub(in crate::kernel) fn update(&mut self, of: u64, world: &World, read: &ReadFacts) -> bool {
        self.changed(of, world, read) != Changed::Nothing
    }

    /// Takes over the key of a position; what is otherwise than before.
    pub(in crate::kernel) fn changed(
        &mut self,
        of: u64,
        world: &World,
        read: &ReadFacts,
    ) -> Changed {
        let more = self.of != Some(of)
            || self.links != world.link_facts
            || self.readings != world.readings
            || self.relations != world.relations;
        let values = read.of_world(world).ne(self.world.iter().copied())
            || read.of_sides(world).ne(self.sides.iter().copied());
        if more {
            self.of = Some(of);
            self.links.clone_from(&world.link_facts);
            self.readings.clone_from(&world.readings);
            self.relations.clone_from(&world.relations);
        }
        if values {
            self.world.clear();
            self.world.extend(read.of_world(world));
            self.sides.clear();
            self.sides.extend(read.of_sides(world));
        }
        match (more, values) {
            (true, _) => Changed::More,
            (false, true) => Changed::Values,
            (false, false) => Changed::Nothing,
        }
    }
}
