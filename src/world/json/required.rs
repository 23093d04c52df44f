//! Things that each of a kind must have: a position names them as a setup does, or says that play
//! has taken them away.

use super::tree::Range;

use super::reader::Reader;
use crate::diag::code;
use crate::ir::{Fact, KindId, SideId};
use crate::world::{ThingRef, World};

impl Reader<'_, '_> {
    /// A unit that a file puts has each thing that its kind says it has.
    pub fn has_what_it_must(&mut self, place: Range, of: ThingRef, world: &World) {
        let rules = self.rules;
        for fact in rules.facts.iter().filter(|f| f.is_required()) {
            if self.lacks(fact, of, world) {
                let (name, fact) = (self.name_of(of, world), &fact.name);
                let message = format!("{name} has no `{fact}`, and its kind says that it has one");
                let help = format!(
                    "name it, as in `\"facts\": {{\"{fact}\": \"...\"}}`, or declare it with `maybe`"
                );
                self.error(code::E0810, place, message, help);
            }
        }
    }

    /// What stands in every position has each thing that its kind says it has: named units, the
    /// spaces of the map, the sides and the world. A setup has been asked for it.
    pub fn all_have_what_they_must(&mut self, place: Range, world: &World) {
        let rules = self.rules;
        for fact in rules.facts.iter().filter(|f| f.is_required()) {
            let mut lacking =
                self.holders(fact, world).into_iter().filter(|of| self.lacks(fact, *of, world));
            let Some(first) = lacking.next() else { continue };
            let (who, has) = match lacking.count() {
                0 => (self.name_of(first, world), "has"),
                more => (format!("{} and {more} more", self.name_of(first, world)), "have"),
            };
            let name = &fact.name;
            let message =
                format!("{who} {has} no `{name}` here, and the kind says that each has one");
            let help = "name it in their `facts`, or begin with a setup that does";
            self.error(code::E0810, place, message, help);
        }
    }

    fn lacks(&self, fact: &Fact, of: ThingRef, world: &World) -> bool {
        let (rules, map) = (self.rules, world.map_of(self.rules));
        let kind = match of {
            ThingRef::Unit(at) => {
                world.units.get(at as usize).filter(|unit| !unit.removed).map(|unit| unit.kind)
            }
            ThingRef::Space(at) => map.and_then(|map| map.spaces.get(at as usize)).map(|s| s.kind),
            ThingRef::Link(at) => map.and_then(|m| m.changing.get(at as usize)).map(|l| l.kind),
            ThingRef::Side(_) => Some(KindId::SIDE),
            ThingRef::World => Some(KindId::WORLD),
        };
        kind.is_some_and(|kind| rules.must_have(kind, fact))
            && world.fact(fact, of) == 0
            && !self.said.contains(&(of, fact.name.as_str()))
    }

    /// What has a fact in every position on a map.
    fn holders(&self, fact: &Fact, world: &World) -> Vec<ThingRef> {
        let (rules, map) = (self.rules, world.map_of(self.rules));
        match rules.top(fact.kind) {
            KindId::UNIT => (0..).zip(&rules.named).map(|(at, _)| ThingRef::Unit(at)).collect(),
            KindId::SPACE => {
                let spaces = map.into_iter().flat_map(|map| &map.spaces);
                (0..).zip(spaces).map(|(at, _)| ThingRef::Space(at)).collect()
            }
            KindId::SIDE => {
                (0..rules.sides.len()).map(|at| ThingRef::Side(SideId::at(at))).collect()
            }
            KindId::WORLD => vec![ThingRef::World],
            // What changes of a link is never left out.
            _ => Vec::new(),
        }
    }

    fn name_of(&self, of: ThingRef, world: &World) -> String {
        let name = match of {
            ThingRef::Unit(at) => world.units.get(at as usize).map(|unit| unit.id.as_str()),
            ThingRef::Space(at) => world
                .map_of(self.rules)
                .and_then(|map| map.spaces.get(at as usize))
                .map(|space| space.id.as_str()),
            ThingRef::Link(_) => None,
            ThingRef::Side(side) => {
                self.rules.sides.get(side.index()).map(|side| side.name.as_str())
            }
            ThingRef::World => return "the world".to_owned(),
        };
        format!("`{}`", name.unwrap_or_default())
    }
}
