//! The position that a setup describes.
//!
//! Takes a compiled setup; gives a position. Values of setups are constants, so that nothing is
//! evaluated here.

use super::{Said, ThingRef, World};
use crate::ir::{Node, Ruleset, SetupId, State};
use crate::map::Map;

/// The position at the start of a setup: its map, its units behind the named ones, and all that it
/// states.
///
/// A setup that does not exist gives an empty position on the first map.
#[must_use]
pub fn start(rules: &Ruleset, setup: SetupId) -> World {
    let Some(setup) = rules.setups.get(setup.index()) else {
        return World::new(rules, crate::ir::MapId(0));
    };
    let mut world = World::new(rules, setup.map);
    for unit in &setup.units {
        world.put(rules, unit);
    }
    for state in &setup.facts {
        state_fact(rules, &mut world, state);
    }
    world
}

/// Makes true what a setup or a case states.
///
/// Things and values are constants; whatever else stands there is left out, which the checker has
/// ruled out.
pub fn state_fact(rules: &Ruleset, world: &mut World, state: &State) {
    match state {
        State::Fact(fact, of, value) => {
            let of = match of {
                Some(of) => thing(rules.node(*of)),
                None => Some(ThingRef::World),
            };
            if let (Some(fact), Some(of), Some(value)) =
                (rules.facts.get(fact.index()), of, encode(rules.node(*value)))
            {
                world.set_fact(fact, of, value);
            }
        }
        State::Pair(pair, a, b, value) => {
            if let (Some(a), Some(b), Some(said)) =
                (thing(rules.node(*a)), thing(rules.node(*b)), Said::of(rules.node(*value)))
            {
                world.stated.say(*pair, a, b, said);
            }
        }
        State::Relation(a, b, relation) => world.relate(*a, *b, *relation),
        State::Verdict(trace, of, yes) => {
            if let Some(of) = thing(rules.node(*of)) {
                world.keep(*trace, of, Some(*yes));
            }
        }
        State::Place(of, stand) => {
            if let Some(ThingRef::Unit(unit)) = thing(rules.node(*of)) {
                world.lay(unit, *stand);
            }
        }
        State::Viewer(side) => world.viewer = Some(*side),
        State::Ruling(ruling, reading) => {
            if let Some(cell) = world.readings.get_mut(ruling.index()) {
                *cell = *reading;
            }
        }
    }
}

/// The cell of a position for a constant; nothing for a node that is none, or for a fraction.
#[must_use]
pub fn encode(node: &Node) -> Option<i64> {
    Some(match node {
        Node::Truth(truth) => i64::from(*truth),
        Node::Number { over, under: 1 } => *over,
        Node::Word(_, word) => i64::from(*word),
        Node::NoThing => 0,
        Node::Unit(place) | Node::Space(place) => i64::from(*place) + 1,
        Node::Side(side) => i64::from(side.0) + 1,
        _ => return None,
    })
}

fn thing(node: &Node) -> Option<ThingRef> {
    Some(match node {
        Node::Unit(place) => ThingRef::Unit(*place),
        Node::Space(place) => ThingRef::Space(*place),
        Node::Link(place) => ThingRef::Link(*place),
        Node::Side(side) => ThingRef::Side(*side),
        _ => return None,
    })
}

impl World {
    /// The map it is played on; nothing for a ruleset without maps.
    #[must_use]
    pub fn map_of<'r>(&self, rules: &'r Ruleset) -> Option<&'r Map> {
        rules.maps.get(self.map.index())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may abort")]

    use super::*;
    use crate::ir::{SideId, WordSetId};
    use crate::world::testing::{many_sided, small};

    #[test]
    fn constants_are_encoded_and_nothing_else_is() {
        assert_eq!(encode(&Node::Truth(true)), Some(1));
        assert_eq!(encode(&Node::Number { over: -4, under: 1 }), Some(-4));
        assert_eq!(encode(&Node::Number { over: 1, under: 2 }), None);
        assert_eq!(encode(&Node::Word(WordSetId(7), 3)), Some(3));
        assert_eq!(encode(&Node::NoThing), Some(0));
        assert_eq!(encode(&Node::Unit(0)), Some(1));
        assert_eq!(encode(&Node::Side(SideId(2))), Some(3));
        assert_eq!(encode(&Node::Viewer), None);
    }

    #[test]
    fn a_setup_states_what_it_says() {
        let rules = small();
        let world = start(&rules, SetupId(0));
        let unit =
            |id: &str| u32::try_from(world.units.iter().position(|u| u.id == id).unwrap()).unwrap();
        let ids: Vec<&str> = world.units.iter().map(|u| u.id.as_str()).collect();
        assert_eq!(ids, ["Old", "Young", "A1", "B1"]);
        assert_eq!(world.units[unit("A1") as usize].title, "First army");
        assert_eq!(world.owner(unit("A1")), Some(SideId(0)));
        assert_eq!(world.space_of(unit("B1")), Some(1));
        assert_eq!(world.control(0), Some(SideId(0)));
        assert_eq!(world.viewer, Some(SideId(1)));
        let supply = crate::ir::TraceId(0);
        assert_eq!(world.kept(supply, ThingRef::Unit(unit("B1"))), Some(false));
        assert_eq!(world.kept(supply, ThingRef::Unit(unit("A1"))), None);
    }

    #[test]
    fn the_opening_has_its_units_and_wars() {
        let rules = many_sided();
        let at = rules.setups.iter().position(|s| s.name == "opening").unwrap();
        let world = start(&rules, SetupId::at(at));
        assert_eq!(world.units.len(), rules.named.len() + rules.setups[at].units.len());
        assert!(world.relations.contains(&crate::ir::Relation::Enemy));
        assert!(
            (rules.named.len()..world.units.len())
                .all(|u| world.row(u as u32)[..2].iter().all(|cell| *cell > 0))
        );
    }

    #[test]
    fn a_setup_that_does_not_exist_is_empty() {
        let rules = small();
        assert_eq!(start(&rules, SetupId(99)), World::new(&rules, crate::ir::MapId(0)));
    }
}
