//! What is kept of a ruleset from one position to the next: its names, and the positions that its
//! setups and maps begin with.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use super::names::among;
use crate::ir::{Fact, KindId, MapId, Ruleset, SetupId};
use crate::world::World;

/// The place of a thing, and its kind.
pub(super) type Place = (u32, KindId);

/// What is kept of a ruleset from one position to the next.
///
/// Its tables hold names of the rules alone, so that no text of a position makes them slow.
pub(super) struct Known<'r> {
    pub rules: &'r Ruleset,
    facts: OnceCell<FxHashMap<&'r str, Vec<&'r Fact>>>,
    spaces: Vec<OnceCell<FxHashMap<&'r str, Place>>>,
    setups: Vec<OnceCell<Beginning>>,
    maps: Vec<OnceCell<Beginning>>,
    nowhere: OnceCell<Beginning>,
}

/// A position to begin with.
pub(super) struct Beginning {
    pub world: World,
    pub units: FxHashMap<String, Place>,
}

impl Beginning {
    fn of(world: World) -> Beginning {
        let units =
            world.units.iter().zip(0..).map(|(unit, at)| (unit.id.clone(), (at, unit.kind)));
        Beginning { units: units.collect(), world }
    }
}

impl<'r> Known<'r> {
    pub fn new(rules: &'r Ruleset) -> Known<'r> {
        Known {
            rules,
            facts: OnceCell::new(),
            spaces: rules.maps.iter().map(|_| OnceCell::new()).collect(),
            setups: rules.setups.iter().map(|_| OnceCell::new()).collect(),
            maps: rules.maps.iter().map(|_| OnceCell::new()).collect(),
            nowhere: OnceCell::new(),
        }
    }

    /// The position that a setup begins with.
    pub fn of_setup(&self, setup: SetupId) -> &Beginning {
        let begin = || Beginning::of(crate::world::start(self.rules, setup));
        self.setups.get(setup.index()).unwrap_or(&self.nowhere).get_or_init(begin)
    }

    /// A map on which nothing was put.
    pub fn of_map(&self, map: MapId) -> &Beginning {
        let begin = || Beginning::of(World::new(self.rules, map));
        self.maps.get(map.index()).unwrap_or(&self.nowhere).get_or_init(begin)
    }

    /// The fact of this name that a thing of a kind has, as [`super::names::fact`] finds it.
    pub fn fact(&self, name: &str, kind: KindId) -> Option<&'r Fact> {
        let facts = self.facts.get_or_init(|| {
            let mut facts: FxHashMap<&str, Vec<&Fact>> = FxHashMap::default();
            for fact in &self.rules.facts {
                facts.entry(fact.name.as_str()).or_default().push(fact);
            }
            facts
        });
        among(self.rules, facts.get(name)?.iter().copied(), kind)
    }

    /// The spaces of a map by id.
    pub fn spaces(&self, map: MapId) -> Option<&FxHashMap<&'r str, Place>> {
        let spaces = &self.rules.maps.get(map.index())?.spaces;
        let by_id =
            || spaces.iter().zip(0..).map(|(s, at)| (s.id.as_str(), (at, s.kind))).collect();
        Some(self.spaces.get(map.index())?.get_or_init(by_id))
    }
}
