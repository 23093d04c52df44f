//! What is kept of a ruleset from one position to the next: its names, and the positions that its
//! setups and maps begin with.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::names::among;
use crate::ir::{Fact, FactId, KindId, MapId, Ruleset, SetupId};
use crate::world::World;

/// The place of a thing, and its kind.
pub(super) type Place = (u32, KindId);

/// What is kept of a ruleset from one position to the next.
///
/// It is asked with the rules that it was made of. Its tables hold names of these alone, so that no
/// text of a position makes them slow.
pub struct Known {
    facts: OnceLock<FxHashMap<String, Vec<FactId>>>,
    spaces: Vec<OnceLock<FxHashMap<String, Place>>>,
    setups: Vec<OnceLock<Beginning>>,
    maps: Vec<OnceLock<Beginning>>,
    nowhere: OnceLock<Beginning>,
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

impl Known {
    /// Nothing yet, of some rules.
    #[must_use]
    pub fn new(rules: &Ruleset) -> Known {
        Known {
            facts: OnceLock::new(),
            spaces: rules.maps.iter().map(|_| OnceLock::new()).collect(),
            setups: rules.setups.iter().map(|_| OnceLock::new()).collect(),
            maps: rules.maps.iter().map(|_| OnceLock::new()).collect(),
            nowhere: OnceLock::new(),
        }
    }

    /// The position that a setup begins with.
    pub(super) fn of_setup(&self, rules: &Ruleset, setup: SetupId) -> &Beginning {
        let begin = || Beginning::of(crate::world::start(rules, setup));
        self.setups.get(setup.index()).unwrap_or(&self.nowhere).get_or_init(begin)
    }

    /// A map on which nothing was put.
    pub(super) fn of_map(&self, rules: &Ruleset, map: MapId) -> &Beginning {
        let begin = || Beginning::of(World::new(rules, map));
        self.maps.get(map.index()).unwrap_or(&self.nowhere).get_or_init(begin)
    }

    /// The fact of this name that a thing of a kind has, as [`super::names::fact`] finds it.
    pub(super) fn fact<'r>(
        &self,
        rules: &'r Ruleset,
        name: &str,
        kind: KindId,
    ) -> Option<&'r Fact> {
        let facts = self.facts.get_or_init(|| {
            let mut facts: FxHashMap<String, Vec<FactId>> = FxHashMap::default();
            for (fact, id) in rules.facts.iter().zip((0..).map(FactId::at)) {
                facts.entry(fact.name.clone()).or_default().push(id);
            }
            facts
        });
        let found = facts.get(name)?.iter().filter_map(|id| rules.facts.get(id.index()));
        among(rules, found, kind)
    }

    /// The spaces of a map by id.
    pub(super) fn spaces(&self, rules: &Ruleset, map: MapId) -> Option<&FxHashMap<String, Place>> {
        let spaces = &rules.maps.get(map.index())?.spaces;
        let by_id = || spaces.iter().zip(0..).map(|(s, at)| (s.id.clone(), (at, s.kind))).collect();
        Some(self.spaces.get(map.index())?.get_or_init(by_id))
    }
}
