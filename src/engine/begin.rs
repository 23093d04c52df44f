//! A position from a setup, and facts stated of a position.

use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position, Value};
use crate::world::{ThingRef, World};

/// The position with which a setup begins.
pub fn begin(rules: &Ruleset, setup: SetupId) -> Result<World, EvalFault> {
    let Some(setup) = rules.setups.get(setup.index()) else { return Ok(World::new(rules, MapId(0))) };
    let mut world = World::new(rules, setup.map);
    for unit in &setup.units {
        world.put(rules, unit);
    }
    for fact in &setup.facts {
        state(rules, &mut world, fact)?;
    }
    Ok(world)
}

/// States one fact of a position.
pub fn state(rules: &Ruleset, world: &mut World, fact: &State) -> Result<(), EvalFault> {
    match fact {
        State::Relation(a, b, relation) => world.relate(*a, *b, *relation),
        State::Viewer(side) => world.viewer = Some(*side),
        State::Ruling(ruling, reading) => {
            if let Some(cell) = world.readings.get_mut(ruling.index()) {
                *cell = *reading;
            }
        }
        State::Verdict(trace, of, answer) => {
            if let Some(thing) = evaluated(rules, world, *of)?.thing() {
                world.keep(*trace, thing, Some(*answer));
            }
        }
        State::Fact(fact, of, value) => {
            let thing = match of {
                Some(of) => evaluated(rules, world, *of)?.thing(),
                None => Some(ThingRef::World),
            };
            let value = encoded(evaluated(rules, world, *value)?);
            if let Some(thing) = thing {
                world.set_fact(&rules.facts[fact.index()], thing, value);
            }
        }
    }
    Ok(())
}

fn evaluated(rules: &Ruleset, world: &World, id: ExprId) -> Result<Value, EvalFault> {
    match Position::new(rules, world) {
        Some(position) => position.value(id, &Cx::world(world.viewer)),
        None => Ok(Value::Barred),
    }
}

/// A value as positions keep it; stored amounts are whole.
pub(super) fn encoded(value: Value) -> i64 {
    match value {
        Value::Truth(t) => i64::from(t),
        Value::Number(n) => n.floor().to_integer(),
        Value::Word(w) => i64::from(w),
        Value::Thing(thing) => match thing {
            Some(ThingRef::Unit(at) | ThingRef::Space(at)) => i64::from(at) + 1,
            Some(ThingRef::Side(side)) => i64::from(side.0) + 1,
            Some(ThingRef::World) | None => 0,
        },
        Value::Barred => 0,
    }
}
