//! Facts stated of a position.

use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position, Value, exact};
use crate::world::start::state_fact;
use crate::world::{Said, ThingRef, World};

/// States one fact of a position; what it is said of may be worked out, as in `given strength of
/// leader of A is 3`.
pub fn state(rules: &Ruleset, world: &mut World, fact: &State) -> Result<(), EvalFault> {
    let (fact, of, value) = match fact {
        State::Fact(fact, of, value) => (fact, of, value),
        State::Pair(pair, a, b, value) => {
            let (a, b) =
                (evaluated(rules, world, *a)?.thing(), evaluated(rules, world, *b)?.thing());
            if let (Some(a), Some(b), Some(said)) = (a, b, Said::of(rules.node(*value))) {
                world.stated.say(*pair, a, b, said);
            }
            return Ok(());
        }
        State::Place(unit, stand) => {
            if let Some(ThingRef::Unit(unit)) = evaluated(rules, world, *unit)?.thing() {
                world.lay(unit, *stand);
            }
            return Ok(());
        }
        other => {
            state_fact(rules, world, other);
            return Ok(());
        }
    };
    let thing = match of {
        Some(of) => evaluated(rules, world, *of)?.thing(),
        None => Some(ThingRef::World),
    };
    let value = encoded(evaluated(rules, world, *value)?);
    if let Some(thing) = thing {
        world.set_fact(&rules.facts[fact.index()], thing, value);
    }
    Ok(())
}

fn evaluated(rules: &Ruleset, world: &World, id: ExprId) -> Result<Value, EvalFault> {
    match Position::new(rules, world) {
        Some(position) => position.value(id, &Cx::world(world.viewer)),
        None => Ok(Value::Barred),
    }
}

/// A value as a fact keeps it: a word of another set by its name. Nothing where there is none to
/// keep, for what has not been rolled.
pub(super) fn word_for(rules: &Ruleset, fact: FactId, says: ExprId, value: Value) -> Option<Value> {
    let (Some(Type::Word(into)), Some(Type::Word(from))) =
        (rules.facts.get(fact.index()).map(|fact| fact.ty), rules.declared_type(says))
    else {
        return Some(value);
    };
    if from == into {
        return Some(value);
    }
    let Value::Word(word) = value else { return None };
    let words = |set: WordSetId| rules.word_sets.get(set.index()).map_or(&[][..], |s| &s.words);
    let word = words(from).get(usize::from(word))?;
    let at = words(into).iter().position(|other| other == word)?;
    u16::try_from(at).ok().map(Value::Word)
}

/// A value as positions keep it; stored amounts are whole.
pub(super) fn encoded(value: Value) -> i64 {
    match value {
        Value::Truth(t) => i64::from(t),
        Value::Number(n) => exact::rounded(n, Rounding::Down),
        Value::Word(w) => i64::from(w),
        Value::Thing(thing) => match thing {
            Some(ThingRef::Unit(at) | ThingRef::Space(at) | ThingRef::Link(at)) => {
                i64::from(at) + 1
            }
            Some(ThingRef::Side(side)) => i64::from(side.0) + 1,
            Some(ThingRef::World) | None => 0,
        },
        Value::Barred => 0,
    }
}
