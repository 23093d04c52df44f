//! The ways in which something can be done, each as the order that takes it.

use super::Given;
use crate::engine::Ways;
use crate::ir::Ruleset;
use crate::report::thing_name;
use crate::world::{ThingRef, World};

/// One order for each way in which a thing can do what it must.
#[must_use]
pub fn ways(rules: &Ruleset, world: &World, thing: ThingRef, ways: &Ways) -> Vec<Given> {
    let name = thing_name(rules, world, thing);
    let order = |deed| Given { thing: name.clone(), ..Given::of(rules, world, deed) };
    ways.deeds().into_iter().map(order).collect()
}
