//! The names that a position can say: its spaces and units by id, its facts by name and kind.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::known::{Beginning, Known, Place};
use crate::ir::{Fact, FactId, KindId, Ruleset, SideId};
use crate::map::Map;

/// The things of the position that is being read.
pub(super) struct Names<'k, 'r> {
    /// Spaces by id; nothing when the map is unknown, so that no space is judged.
    spaces: Option<&'k FxHashMap<String, Place>>,
    /// The units that it begins with.
    beginning: &'k Beginning,
    /// Other units by id; nothing behind an id whose entry is faulty.
    put: HashMap<String, Option<Place>>,
    /// The ids of other units in written order, for suggestions that do not change from run to run.
    order: Vec<String>,
    map: Option<&'r Map>,
}

/// What a name turns out to be.
pub(super) enum Found {
    /// The place of a thing and its kind.
    At(u32, KindId),
    /// Something that is faulty itself; nothing more is said about it.
    Lost,
    /// Nothing at all.
    Unknown,
}

impl<'k, 'r> Names<'k, 'r> {
    pub fn new(
        (rules, known): (&'r Ruleset, &'k Known),
        beginning: &'k Beginning,
        has_map: bool,
    ) -> Names<'k, 'r> {
        let map = Some(beginning.world.map).filter(|_| has_map);
        let spaces = map.and_then(|map| known.spaces(rules, map));
        let map = map.and_then(|map| rules.maps.get(map.index()));
        Names { spaces, beginning, put: HashMap::new(), order: Vec::new(), map }
    }

    pub fn space(&self, id: &str) -> Found {
        match self.spaces {
            None => Found::Lost,
            Some(spaces) => {
                spaces.get(id).map_or(Found::Unknown, |&(at, kind)| Found::At(at, kind))
            }
        }
    }

    pub fn unit(&self, id: &str) -> Found {
        if let Some(&(at, kind)) = self.beginning.units.get(id) {
            return Found::At(at, kind);
        }
        match self.put.get(id) {
            None => Found::Unknown,
            Some(None) => Found::Lost,
            Some(&Some((at, kind))) => Found::At(at, kind),
        }
    }

    /// Notes a unit that was put, or that the entry of one is faulty.
    pub fn add_unit(&mut self, id: &str, unit: Option<Place>) {
        if self.put.insert(id.to_owned(), unit).is_none() {
            self.order.push(id.to_owned());
        }
    }

    /// The map, where it is known.
    pub fn map(&self) -> Option<&'r Map> {
        self.map
    }

    pub fn space_ids(&self) -> impl Iterator<Item = &'r str> + use<'r> {
        self.map.into_iter().flat_map(|m| m.spaces.iter().map(|s| s.id.as_str()))
    }

    pub fn unit_ids(&self) -> impl Iterator<Item = &str> {
        let begun = self.beginning.world.units.iter().map(|unit| unit.id.as_str());
        begun.chain(self.order.iter().map(String::as_str))
    }
}

/// The side of a name.
pub(super) fn side(rules: &Ruleset, name: &str) -> Option<SideId> {
    rules.sides.iter().position(|s| s.name == name).map(SideId::at)
}

/// The top of a kind.
pub(super) fn top(rules: &Ruleset, kind: KindId) -> KindId {
    rules.kinds.get(kind.index()).map_or(kind, |k| k.top)
}

/// The name of a kind.
pub(super) fn kind_name(rules: &Ruleset, kind: KindId) -> &str {
    rules.kinds.get(kind.index()).map_or("thing", |k| &k.name)
}

/// The fact of this name that a thing of a kind has, as the checker finds it: its own first, then
/// that of a kind below.
pub(super) fn fact<'r>(rules: &'r Ruleset, name: &str, kind: KindId) -> Option<&'r Fact> {
    among(rules, rules.facts.iter().filter(|f| f.name == name), kind)
}

/// The one of some facts of a name that a thing of a kind has.
pub(super) fn among<'r>(
    rules: &Ruleset,
    all: impl Iterator<Item = &'r Fact> + Clone,
    kind: KindId,
) -> Option<&'r Fact> {
    all.clone()
        .find(|f| rules.is_kind(kind, f.kind))
        .or_else(|| all.clone().find(|f| rules.is_kind(f.kind, kind)))
}

/// The facts that are said under `facts` of a thing of a kind; owner, space and control have fields
/// of their own.
///
/// As in the rules, a plain thing also has the facts of the kinds below its own: a rule may ask for
/// them and set them.
pub(super) fn facts_of(rules: &Ruleset, kind: KindId) -> impl Iterator<Item = &Fact> {
    // A name means one fact of a kind; nothing can reach the others.
    let said =
        move |f: &&Fact| fact(rules, &f.name, kind).is_some_and(|found| std::ptr::eq(found, *f));
    rules.facts.iter().filter(|f| !built_in(f) && !is_of_map(rules, f)).filter(said)
}

/// The fact of this name that a position says under `facts` of a thing of a kind.
#[must_use]
pub fn fact_said(rules: &Ruleset, name: &str, kind: KindId) -> Option<FactId> {
    let found = fact(rules, name, kind).filter(|f| !built_in(f) && !is_of_map(rules, f))?;
    rules.facts.iter().position(|f| std::ptr::eq(f, found)).map(FactId::at)
}

/// Whether the map alone says a fact: what a link has, and what links are made by.
pub(super) fn is_of_map(rules: &Ruleset, fact: &Fact) -> bool {
    fact.printed
        || fact.origin == crate::ir::FactOrigin::Attribute && top(rules, fact.kind) == KindId::LINK
}

/// Whether a fact has a field of its own.
pub(super) fn built_in(fact: &Fact) -> bool {
    fact.origin == crate::ir::FactOrigin::BuiltIn
}

/// The words of a set.
pub(super) fn words(rules: &Ruleset, set: crate::ir::WordSetId) -> &[String] {
    rules.word_sets.get(set.index()).map_or(&[], |s| &s.words)
}
