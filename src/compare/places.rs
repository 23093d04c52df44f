//! What maps and setups say, space by space and unit by unit.
//!
//! Takes compiled rules; gives parts as [`super::said`] does, in which a thing is known by its id.

use super::said::{Part, Said};
use crate::ir::*;
use crate::report::{fact_text, thing_name};
use crate::world::{ThingRef, World, start};

/// What all maps and setups of a ruleset say.
pub(super) fn all(rules: &Ruleset) -> Vec<Said> {
    let maps = (0..rules.maps.len()).map(|at| map(rules, MapId::at(at)));
    maps.chain((0..rules.setups.len()).map(|at| setup(rules, SetupId::at(at)))).collect()
}

fn map(rules: &Ruleset, id: MapId) -> Said {
    let bare = World::new(rules, id);
    let mut said = Said { noun: "map".to_owned(), ..Said::default() };
    let Some(map) = rules.maps.get(id.index()) else { return said };
    said.name.clone_from(&map.name);
    for (at, space) in (0u32..).zip(&map.spaces) {
        let kind = rules.kinds.get(space.kind.index()).map_or("", |k| k.name.as_str());
        let label = format!("space {}", space.id);
        let facts = stated(rules, &bare, at, space.kind);
        said.parts.push(Part::new(label.clone(), label, with(kind.to_owned(), &facts)));
    }
    // Links that no map lists are told by their kind and the spaces.
    let listed = |kind: KindId| !rules.joins_each_two(kind);
    for links in map.links.iter().filter(|l| rules.is_printed(l.kind) && listed(l.kind)) {
        let kind = rules.kinds.get(links.kind.index()).map_or("", |k| k.name.as_str());
        for (a, from) in (0u32..).zip(&map.spaces) {
            for b in links.of(a).iter().filter(|b| **b > a) {
                let Some(to) = map.spaces.get(*b as usize) else { continue };
                let facts = map.said_of(links.kind, a, *b).iter().filter_map(|(fact, value)| {
                    told(rules, &bare, *fact, rules.facts.get(fact.index())?, *value)
                });
                // A link has no direction, so that it is known by its ends in the order of their
                // names; one that leads one way by its first and its second.
                let leads = (map.leads(links.kind, a, *b), map.leads(links.kind, *b, a));
                let forward = if leads.0 == leads.1 { from.id <= to.id } else { leads.0 };
                let (from, to) = if forward { (&from.id, &to.id) } else { (&to.id, &from.id) };
                let label = format!("link {kind} {from} to {to}");
                let one_way = rules.kinds.get(links.kind.index()).is_some_and(|k| k.one_way);
                let both = (one_way && leads.0 == leads.1).then(|| "both ways".to_owned());
                let text: Vec<String> = both.into_iter().chain(facts).collect();
                said.parts.push(Part::new(label.clone(), label, text.join(", ")));
            }
        }
    }
    for crossing in &map.crossings {
        let id = |space: u32| map.spaces.get(space as usize).map_or("", |space| space.id.as_str());
        let kind = rules.kinds.get(crossing.kind.index()).map_or("", |k| k.plural.as_str());
        let label = format!("no junction of {kind} at {}", id(crossing.space));
        let ends = |line: &Vec<(KindId, u32)>| line.iter().map(|(_, s)| id(*s)).collect::<Vec<_>>();
        let lines: Vec<String> =
            crossing.lines.iter().map(|line| ends(line).join(" and ")).collect();
        said.parts.push(Part::new(label.clone(), label, lines.join(", ")));
    }
    said
}

fn setup(rules: &Ruleset, id: SetupId) -> Said {
    let world = start(rules, id);
    let bare = World::new(rules, world.map);
    let mut said = Said { noun: "setup".to_owned(), ..Said::default() };
    let Some(setup) = rules.setups.get(id.index()) else { return said };
    said.name.clone_from(&setup.name);
    let mut add =
        |label: String, text: String| said.parts.push(Part::new(label.clone(), label, text));
    add(
        "map".to_owned(),
        rules.maps.get(setup.map.index()).map_or_else(String::new, |m| m.name.clone()),
    );
    for (at, unit) in (0u32..).zip(&world.units) {
        let mut text =
            rules.kinds.get(unit.kind.index()).map_or_else(String::new, |k| k.name.clone());
        if let Some(side) = world.owner(at) {
            text.push_str(&format!(" of {}", thing_name(rules, &world, ThingRef::Side(side))));
        }
        match world.space_of(at) {
            Some(space) => {
                text.push_str(&format!(" in {}", thing_name(rules, &world, ThingRef::Space(space))))
            }
            None => text.push_str(" off the map"),
        }
        add(
            format!("unit {}", unit.id),
            with(text, &facts(rules, &world, ThingRef::Unit(at), unit.kind)),
        );
    }
    let map = rules.maps.get(world.map.index());
    for (at, space) in (0u32..).zip(map.map_or(&[][..], |m| &m.spaces)) {
        let (now, before) =
            (stated(rules, &world, at, space.kind), stated(rules, &bare, at, space.kind));
        let new: Vec<String> = now.into_iter().filter(|fact| !before.contains(fact)).collect();
        if !new.is_empty() {
            add(format!("space {}", space.id), new.join(", "));
        }
    }
    for (at, link) in (0u32..).zip(map.map_or(&[][..], |m| &m.changing)) {
        let thing = ThingRef::Link(at);
        let (now, before) =
            (facts(rules, &world, thing, link.kind), facts(rules, &bare, thing, link.kind));
        let new = now.iter().filter(|fact| !before.contains(fact)).cloned();
        let gone = before.iter().filter(|fact| !now.contains(fact)).map(|f| format!("no {f}"));
        let changed: Vec<String> = new.chain(gone).collect();
        if !changed.is_empty() {
            add(format!("link {}", thing_name(rules, &world, thing)), changed.join(", "));
        }
    }
    for fact in facts(rules, &world, ThingRef::World, KindId::WORLD) {
        add("the world".to_owned(), fact);
    }
    for (a, first) in (0..rules.sides.len()).zip(&rules.sides) {
        for (b, second) in (a + 1..rules.sides.len()).zip(rules.sides.iter().skip(a + 1)) {
            let word = match world.relation(SideId::at(a), SideId::at(b)) {
                Relation::Enemy => "enemies",
                Relation::Allied => "allies",
                _ => continue,
            };
            add(format!("sides {} and {}", first.name, second.name), word.to_owned());
        }
    }
    said
}

/// The facts of a space with who controls it.
fn stated(rules: &Ruleset, world: &World, space: u32, kind: KindId) -> Vec<String> {
    let control = world
        .control(space)
        .map(|side| format!("control {}", thing_name(rules, world, ThingRef::Side(side))));
    control.into_iter().chain(facts(rules, world, ThingRef::Space(space), kind)).collect()
}

/// The facts of a thing that are not nothing, by their names.
fn facts(rules: &Ruleset, world: &World, thing: ThingRef, kind: KindId) -> Vec<String> {
    let of = |fact: &Fact| {
        rules.is_kind(kind, fact.kind)
            || kind == KindId::WORLD && rules.top(fact.kind) == KindId::WORLD
    };
    let built_in = |fact: &Fact| fact.origin == FactOrigin::BuiltIn;
    let facts = (0..).map(FactId::at).zip(&rules.facts).filter(|(_, f)| of(f) && !built_in(f));
    facts.filter_map(|(id, fact)| told(rules, world, id, fact, world.fact(fact, thing))).collect()
}

/// A fact by its name, if it is not nothing.
fn told(rules: &Ruleset, world: &World, id: FactId, fact: &Fact, value: i64) -> Option<String> {
    let told = value != 0 || matches!(fact.ty, Type::Word(_));
    told.then(|| match fact.ty {
        Type::Truth => fact.name.clone(),
        _ => format!("{} {}", fact.name, fact_text(rules, world, id, value)),
    })
}

fn with(text: String, facts: &[String]) -> String {
    if facts.is_empty() { text } else { format!("{text} with {}", facts.join(", ")) }
}
