//! What a map and a setup say, as plain arrays: all that a peer knows of the text beside its rules.

use serde_json::{Map, Value, json};
use sutler::ir::{Fact, KindId, Relation, Ruleset, SideId, Type};
use sutler::world::{ThingRef, World};

/// A map and a setup.
pub struct Board<'r> {
    rules: &'r Ruleset,
    world: &'r World,
    /// Spaces of the map.
    pub spaces: usize,
    /// Units of the setup, the named ones first.
    pub units: usize,
    /// The place of each unit's owner; none for those that belong to no side.
    pub owner: Vec<Option<usize>>,
}

/// How a side stands to the others, as bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Camp {
    /// Itself.
    pub own: u8,
    /// Itself and its allies.
    pub friends: u8,
    /// Those at war with it.
    pub enemies: u8,
    /// All others.
    pub neutrals: u8,
}

impl<'r> Board<'r> {
    pub fn new(rules: &'r Ruleset, world: &'r World) -> Board<'r> {
        let units = world.units.len();
        let owner = (0..units as u32).map(|u| world.owner(u).map(SideId::index)).collect();
        Board { rules, world, spaces: rules.maps[world.map.index()].spaces.len(), units, owner }
    }

    fn kind(&self, name: &str) -> KindId {
        let at = self.rules.kinds.iter().position(|k| k.name == name);
        KindId::at(at.unwrap_or_else(|| panic!("no kind is called {name}")))
    }

    /// The neighbours of each space over these kinds of link, ascending and once each.
    pub fn links(&self, kinds: &[&str]) -> Vec<Vec<u16>> {
        let kinds: Vec<KindId> = kinds.iter().map(|k| self.kind(k)).collect();
        let map = &self.rules.maps[self.world.map.index()];
        let mut near = vec![Vec::new(); self.spaces];
        for links in &map.links {
            if kinds.iter().any(|k| self.rules.is_kind(links.kind, *k)) {
                for (space, near) in near.iter_mut().enumerate() {
                    near.extend(links.of(space as u32).iter().map(|to| *to as u16));
                }
            }
        }
        for near in &mut near {
            near.sort_unstable();
            near.dedup();
        }
        near
    }

    /// Which units are of a kind.
    pub fn are(&self, kind: &str) -> Vec<bool> {
        let kind = self.kind(kind);
        self.world.units.iter().map(|u| self.rules.is_kind(u.kind, kind)).collect()
    }

    fn values(&self, kind: &str, name: &str, things: Vec<ThingRef>) -> Vec<i64> {
        let kind = self.kind(kind);
        let facts = &self.rules.facts;
        let fact = facts.iter().find(|f| f.name == name && self.rules.is_kind(kind, f.kind));
        let fact = fact.unwrap_or_else(|| panic!("no fact is called {name}"));
        things.into_iter().map(|t| self.world.fact(fact, t)).collect()
    }

    /// A fact of each space: a number, the place of a word, or 0 and 1 for no and yes.
    pub fn of_spaces(&self, kind: &str, name: &str) -> Vec<i64> {
        self.values(kind, name, (0..self.spaces as u32).map(ThingRef::Space).collect())
    }

    /// A fact of each unit; what a unit of another kind has there means nothing.
    pub fn of_units(&self, kind: &str, name: &str) -> Vec<i64> {
        self.values(kind, name, (0..self.units as u32).map(ThingRef::Unit).collect())
    }

    /// The spaces that have a truth.
    pub fn where_spaces(&self, kind: &str, name: &str) -> Vec<bool> {
        self.of_spaces(kind, name).into_iter().map(|v| v != 0).collect()
    }

    /// The units that have a truth.
    pub fn where_units(&self, kind: &str, name: &str) -> Vec<bool> {
        self.of_units(kind, name).into_iter().map(|v| v != 0).collect()
    }

    /// The place of a word of a fact.
    pub fn word(&self, fact: &str, word: &str) -> i64 {
        let found = self.rules.facts.iter().filter(|f| f.name == fact).find_map(|f| match f.ty {
            Type::Word(set) => {
                self.rules.word_sets[set.index()].words.iter().position(|w| w == word)
            }
            _ => None,
        });
        found.unwrap_or_else(|| panic!("{fact} is never {word}")) as i64
    }

    /// The number of a named unit, as a fact keeps it.
    pub fn named(&self, name: &str) -> u16 {
        let at = self.rules.named.iter().position(|n| n.name == name);
        at.unwrap_or_else(|| panic!("nobody is called {name}")) as u16 + 1
    }

    /// How the sides stand to each other.
    pub fn camps(&self) -> Vec<Camp> {
        let sides = self.rules.sides.len();
        let camp = |a: usize| {
            let mask = |how: &[Relation]| {
                (0..sides)
                    .filter(|b| how.contains(&self.world.relation(SideId::at(a), SideId::at(*b))))
                    .fold(0, |mask, b| mask | 1 << b)
            };
            Camp {
                own: mask(&[Relation::Own]),
                friends: mask(&[Relation::Own, Relation::Allied]),
                enemies: mask(&[Relation::Enemy]),
                neutrals: mask(&[Relation::Neutral]),
            }
        };
        (0..sides).map(camp).collect()
    }

    /// The place of a side.
    pub fn side(&self, name: &str) -> usize {
        let at = self.rules.sides.iter().position(|s| s.name == name);
        at.unwrap_or_else(|| panic!("no side is called {name}"))
    }
}

/// All that a map and a setup say, for a script that has its own rules: links by kind, facts of
/// spaces and units by name, words as words.
pub fn facts_as_json(rules: &Ruleset, world: &World, shape: &super::shapes::Shape) -> Value {
    let board = Board::new(rules, world);
    let map = &rules.maps[world.map.index()];
    let links: Map<String, Value> = rules
        .kinds
        .iter()
        .filter(|k| k.top == KindId::LINK)
        .map(|k| (k.name.clone(), board.links(&[&k.name]).into()))
        .collect();
    let shown = |fact: &Fact, thing: ThingRef| {
        let value = world.fact(fact, thing);
        match fact.ty {
            Type::Truth => Value::from(value != 0),
            Type::Word(set) => {
                Value::from(rules.word_sets[set.index()].words[value as usize].as_str())
            }
            _ => Value::from(value),
        }
    };
    let facts = |top: KindId, things: Vec<ThingRef>| -> Map<String, Value> {
        let facts = rules.facts.iter().filter(|f| rules.top(f.kind) == top);
        facts.map(|f| (f.name.clone(), things.iter().map(|t| shown(f, *t)).collect())).collect()
    };
    let kinds = world.units.iter().map(|u| {
        let of = |k: &usize| rules.is_kind(u.kind, KindId::at(*k));
        (0..rules.kinds.len()).filter(of).map(|k| rules.kinds[k].name.as_str()).collect::<Vec<_>>()
    });
    let trace = rules.traces.iter().find(|t| t.name == (shape.traces)()[0]).unwrap();
    json!({
        "game": shape.name,
        "varying": shape.varying.map(|(_, name)| name),
        "answers": rules.word_sets[trace.answers.index()].words,
        "asked": rules.kinds[trace.of.index()].name,
        "sides": rules.sides.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
        "named": rules.named.iter().map(|n| n.name.as_str()).collect::<Vec<_>>(),
        "camps": board.camps().iter().map(|c| json!({
            "own": c.own, "friends": c.friends, "enemies": c.enemies, "neutrals": c.neutrals
        })).collect::<Vec<_>>(),
        "spaces": map.spaces.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(),
        "links": links,
        "space": facts(KindId::SPACE, (0..board.spaces as u32).map(ThingRef::Space).collect()),
        "units": world.units.iter().map(|u| u.id.as_str()).collect::<Vec<_>>(),
        "kinds": kinds.collect::<Vec<_>>(),
        "unit": facts(KindId::UNIT, (0..board.units as u32).map(ThingRef::Unit).collect()),
    })
}
