//! What ends by itself: marks, counts and kept answers, each at its moment; what was rolled, when a
//! turn begins.

use super::agenda::ending;
use crate::ir::*;
use crate::world::{ThingRef, World};

/// Takes away what ends at a moment, of one side's things where the moment is a side's.
pub(super) fn expire(rules: &Ruleset, world: &mut World, moment: Moment, side: Option<SideId>) {
    let ending = ending(rules, moment, side);
    let whose = |until: Whose, owner: Option<SideId>| match until {
        Whose::All => true,
        Whose::Owner => side.is_none() || owner == side,
        Whose::Side(of) => side.is_none() || side == Some(of),
    };
    for (id, until) in ending.facts {
        let fact = &rules.facts[id.index()];
        for thing in things_of(rules, world, fact.kind) {
            if whose(until, owner(world, thing)) {
                world.set_fact(fact, thing, fact.default);
            }
        }
    }
    if ending.rolls {
        world.rolled.iter_mut().for_each(Vec::clear);
        world.stopped.iter_mut().for_each(Vec::clear);
    }
    for (trace, until) in ending.traces {
        for thing in things_of(rules, world, rules.traces[trace.index()].of) {
            if whose(until, owner(world, thing)) {
                world.keep(trace, thing, None);
            }
        }
    }
}

fn owner(world: &World, thing: ThingRef) -> Option<SideId> {
    match thing {
        ThingRef::Unit(u) => world.owner(u),
        ThingRef::Space(s) => world.control(s),
        ThingRef::Side(s) => Some(s),
        // A link has no owner.
        ThingRef::Link(_) | ThingRef::World => None,
    }
}

fn things_of(rules: &Ruleset, world: &World, kind: KindId) -> Vec<ThingRef> {
    let count = |n: usize| 0..u32::try_from(n).unwrap_or(u32::MAX);
    match rules.kinds[kind.index()].top {
        KindId::UNIT => count(world.units.len()).map(ThingRef::Unit).collect(),
        KindId::SPACE => count(rules.maps.get(world.map.index()).map_or(0, |m| m.spaces.len()))
            .map(ThingRef::Space)
            .collect(),
        KindId::LINK => {
            let links = rules.maps.get(world.map.index()).map_or(0, |m| m.changing.len());
            count(links).map(ThingRef::Link).collect()
        }
        KindId::SIDE => (0..rules.sides.len()).map(|s| ThingRef::Side(SideId::at(s))).collect(),
        _ => vec![ThingRef::World],
    }
}
