//! The ways in which something can be done, each as the order that takes it.

use super::Given;
use crate::engine::{Deed, Ways};
use crate::ir::Ruleset;
use crate::report::thing_name;
use crate::world::{ThingRef, World};

/// One order for each way in which a thing can do what it must.
#[must_use]
pub fn ways(rules: &Ruleset, world: &World, thing: ThingRef, ways: &Ways) -> Vec<Given> {
    let deeds: Vec<Deed> = match ways {
        Ways::Mark(fact) => vec![Deed::Mark(*fact)],
        Ways::Clear(fact) => vec![Deed::Clear(*fact)],
        Ways::Remove => vec![Deed::Remove],
        Ways::Change(fact) => vec![Deed::Change(*fact)],
        Ways::Follow(trace, march) => {
            march.ends.iter().map(|end| Deed::Follow(*trace, *end)).collect()
        }
        Ways::Move(spaces) => spaces.iter().map(|space| Deed::Move(*space)).collect(),
        Ways::Place(word, stands) => {
            stands.iter().map(|stand| Deed::Place(*word, Some(*stand))).collect()
        }
        Ways::Choose(choice, things) => {
            things.iter().map(|thing| Deed::Choose(*choice, *thing)).collect()
        }
    };
    let name = thing_name(rules, world, thing);
    let order = |deed| Given { thing: name.clone(), ..Given::of(rules, world, deed) };
    deeds.into_iter().map(order).collect()
}
