//! Positions by chance: a few units near each other, and a few facts of whatever is there.
//!
//! Takes rules and chance; gives positions that the language can state. Whether play can come to one
//! is not asked, for a rule answers all of them.

use super::draw::Draw;
use crate::ir::*;
use crate::world::{ThingRef, World, built_in};

/// Steps between one unit and the next, at most.
const APART: usize = 4;

/// A position on a map with up to this many units, named units among them.
pub(super) fn position(rules: &Ruleset, map: MapId, units: usize, draw: &mut Draw) -> World {
    let mut world = World::new(rules, map);
    let kinds: Vec<KindId> = (0..rules.kinds.len())
        .map(KindId::at)
        .filter(|kind| rules.is_kind(*kind, KindId::UNIT) && *kind != KindId::UNIT)
        .collect();
    let mut at = anywhere(rules, &world, draw);
    for number in 0..units {
        // A named unit comes in as often as any other.
        let named = draw.below(rules.named.len() + kinds.len());
        let unit = if named < rules.named.len() {
            u32::try_from(named).unwrap_or(0)
        } else {
            let Some(kind) = draw.choose(&kinds) else { break };
            let id = format!("U{}", number + 1);
            let put = PutUnit {
                title: id.clone(),
                id,
                kind: *kind,
                owner: None,
                space: None,
                facts: vec![],
            };
            world.put(rules, &put)
        };
        at = at.map(|at| near(rules, &world, at, draw));
        let side = draw.below(rules.sides.len()) + 1;
        let space = at.map_or(0, |at| i64::from(at) + 1);
        stored(rules, &mut world, ThingRef::Unit(unit), built_in::SPACE, space);
        stored(
            rules,
            &mut world,
            ThingRef::Unit(unit),
            built_in::OWNER,
            i64::try_from(side).unwrap_or(0),
        );
        facts_of_unit(rules, &mut world, unit, draw);
    }
    world
}

/// Up to this many facts of a position stated otherwise.
pub(super) fn changed(rules: &Ruleset, world: &mut World, changes: usize, draw: &mut Draw) {
    for _ in 0..changes {
        let tops =
            [KindId::UNIT, KindId::SPACE, KindId::SPACE, KindId::WORLD, KindId::SIDE, KindId::LINK];
        let links = world.map_of(rules).is_some_and(|map| !map.changing.is_empty());
        let tops = tops.get(..if links { 6 } else { 5 }).unwrap_or(&tops);
        let top = *draw.choose(tops).unwrap_or(&KindId::SPACE);
        let Some(of) = any_thing(rules, world, top, draw) else { continue };
        let facts: Vec<&Fact> = rules
            .facts
            .iter()
            .filter(|fact| !fact.printed && has(rules, world, of, fact))
            .collect();
        if let Some(fact) = draw.choose(&facts) {
            let value = value(rules, world, fact, draw);
            world.set_fact(fact, of, value);
        }
    }
}

/// Each fact of a unit that is not where it stands and whose it is, once in two times.
fn facts_of_unit(rules: &Ruleset, world: &mut World, unit: u32, draw: &mut Draw) {
    let of = ThingRef::Unit(unit);
    for (at, fact) in rules.facts.iter().enumerate() {
        let placed = [built_in::SPACE, built_in::OWNER].contains(&FactId::at(at));
        let given = fact.is_required() || draw.one_in(2);
        if !placed && given && has(rules, world, of, fact) {
            let value = value(rules, world, fact, draw);
            world.set_fact(fact, of, value);
        }
    }
}

fn stored(rules: &Ruleset, world: &mut World, of: ThingRef, fact: FactId, value: i64) {
    if let Some(fact) = rules.facts.get(fact.index()) {
        world.set_fact(fact, of, value);
    }
}

/// A space of the map, if it has any.
fn anywhere(rules: &Ruleset, world: &World, draw: &mut Draw) -> Option<u32> {
    let spaces = world.map_of(rules).map_or(0, |map| map.spaces.len());
    (spaces > 0).then(|| u32::try_from(draw.below(spaces)).unwrap_or(0))
}

/// A space a few steps from another.
fn near(rules: &Ruleset, world: &World, mut at: u32, draw: &mut Draw) -> u32 {
    for _ in 0..draw.below(APART) {
        let links = world.map_of(rules).map_or(&[][..], |map| &map.links);
        let around: Vec<u32> = links.iter().flat_map(|links| links.of(at)).copied().collect();
        at = draw.choose(&around).copied().unwrap_or(at);
    }
    at
}

/// A thing of a built-in kind that has facts; a space is near a unit in half of all times.
fn any_thing(rules: &Ruleset, world: &World, top: KindId, draw: &mut Draw) -> Option<ThingRef> {
    let unit = u32::try_from(draw.below(world.units.len())).unwrap_or(0);
    let there = (unit as usize) < world.units.len();
    match top {
        KindId::UNIT => there.then_some(ThingRef::Unit(unit)),
        KindId::SPACE => {
            let beside = world.space_of(unit).filter(|_| draw.one_in(2));
            let space = match beside {
                Some(at) => Some(near(rules, world, at, draw)),
                None => anywhere(rules, world, draw),
            };
            space.map(ThingRef::Space)
        }
        KindId::LINK => {
            let links = world.map_of(rules).map_or(0, |map| map.changing.len());
            let link = (links > 0).then(|| u32::try_from(draw.below(links)).unwrap_or(0));
            link.map(ThingRef::Link)
        }
        KindId::SIDE => Some(ThingRef::Side(SideId::at(draw.below(rules.sides.len())))),
        _ => Some(ThingRef::World),
    }
}

/// Whether a thing has a fact; the world and the sides have those of all kinds below their own.
fn has(rules: &Ruleset, world: &World, of: ThingRef, fact: &Fact) -> bool {
    let map = world.map_of(rules);
    let kind = match of {
        ThingRef::Unit(at) => world.units.get(at as usize).map(|unit| unit.kind),
        ThingRef::Space(at) => map.and_then(|map| map.spaces.get(at as usize)).map(|s| s.kind),
        ThingRef::Link(at) => map.and_then(|map| map.changing.get(at as usize)).map(|l| l.kind),
        ThingRef::Side(_) => return rules.top(fact.kind) == KindId::SIDE,
        ThingRef::World => return rules.top(fact.kind) == KindId::WORLD,
    };
    kind.is_some_and(|kind| rules.is_kind(kind, fact.kind))
}

/// A value of the type of a fact.
fn value(rules: &Ruleset, world: &World, fact: &Fact, draw: &mut Draw) -> i64 {
    match fact.ty {
        Type::Truth => i64::from(draw.one_in(2)),
        Type::Number { low, high, .. } => draw.within(low, high),
        Type::Word(set) => {
            let words = rules.word_sets.get(set.index()).map_or(0, |set| set.words.len());
            i64::try_from(draw.below(words)).unwrap_or(0)
        }
        Type::Thing { kind, maybe } => {
            if maybe && draw.one_in(2) {
                return 0;
            }
            let places = places_of_kind(rules, world, kind);
            draw.choose(&places).copied().unwrap_or(0)
        }
    }
}

/// The things of a kind, encoded.
fn places_of_kind(rules: &Ruleset, world: &World, kind: KindId) -> Vec<i64> {
    let kinds: Vec<KindId> = match rules.top(kind) {
        KindId::UNIT => world.units.iter().map(|unit| unit.kind).collect(),
        KindId::SPACE => {
            world.map_of(rules).into_iter().flat_map(|map| &map.spaces).map(|s| s.kind).collect()
        }
        KindId::SIDE => vec![kind; rules.sides.len()],
        _ => Vec::new(),
    };
    (1..).zip(kinds).filter(|(_, of)| rules.is_kind(*of, kind)).map(|(place, _)| place).collect()
}
