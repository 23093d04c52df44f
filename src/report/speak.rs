//! Things and values by their names.

use std::borrow::Cow;

use crate::ir::*;
use crate::kernel::{Gate, Position, Value};
use crate::world::{ThingRef, World};

/// The id of a thing.
#[must_use]
pub fn thing_name(rules: &Ruleset, world: &World, thing: ThingRef) -> String {
    name_of_thing(rules, world, thing).into_owned()
}

/// The same, of the position or the rules themselves where it stands there.
pub fn name_of_thing<'a>(rules: &'a Ruleset, world: &'a World, thing: ThingRef) -> Cow<'a, str> {
    let name = match thing {
        ThingRef::Unit(u) => world.units.get(u as usize).map(|u| u.id.as_str()),
        ThingRef::Space(s) => rules
            .maps
            .get(world.map.index())
            .and_then(|m| m.spaces.get(s as usize))
            .map(|s| s.id.as_str()),
        ThingRef::Link(l) => return Cow::Owned(link_name(rules, world, l).unwrap_or_default()),
        ThingRef::Side(s) => rules.sides.get(s.index()).map(|s| s.name.as_str()),
        ThingRef::World => Some("the world"),
    };
    Cow::Borrowed(name.unwrap_or_default())
}

/// A link by its kind and its ends, as a map writes it.
fn link_name(rules: &Ruleset, world: &World, link: u32) -> Option<String> {
    let map = world.map_of(rules)?;
    let link = map.changing.get(link as usize)?;
    let end = |at: u32| map.spaces.get(at as usize).map(|space| space.id.as_str());
    let kind = rules.kinds.get(link.kind.index())?;
    Some(format!("{} {} to {}", kind.name, end(link.from)?, end(link.to)?))
}

/// The word of a gate, as a ruleset writes it.
#[must_use]
pub fn gate_word(gate: Gate) -> &'static str {
    match gate {
        Gate::Never => "never",
        Gate::From => "from",
        Gate::Through => "through",
        Gate::Into => "into",
        Gate::Within => "within",
        Gate::Source => "source",
        Gate::Open => "open",
        Gate::Cost => "cost",
        Gate::Over => "over",
        Gate::Stopping => "stopping",
    }
}

/// The value of an expression in the words of its ruleset.
#[must_use]
pub fn value_text(position: &Position<'_>, id: ExprId, value: Value) -> String {
    match value {
        Value::Truth(true) => "yes".to_owned(),
        Value::Truth(false) => "no".to_owned(),
        Value::Number(n) => n.to_string(),
        Value::Word(word) => word_text(position.rules, id, word),
        Value::Thing(None) => "none".to_owned(),
        Value::Thing(Some(thing)) => thing_name(position.rules, position.world, thing),
        Value::Barred => "not there".to_owned(),
    }
}

/// The value of a stored fact in the words of its ruleset.
#[must_use]
pub fn fact_text(rules: &Ruleset, world: &World, fact: FactId, value: i64) -> String {
    let thing = |kind: KindId| match (u32::try_from(value - 1), rules.top(kind)) {
        (Ok(at), KindId::UNIT) => Some(ThingRef::Unit(at)),
        (Ok(at), KindId::SPACE) => Some(ThingRef::Space(at)),
        (Ok(at), KindId::SIDE) => u8::try_from(at).ok().map(|s| ThingRef::Side(SideId(s))),
        _ => None,
    };
    match rules.facts.get(fact.index()).map(|f| f.ty) {
        Some(Type::Truth) => if value == 0 { "no" } else { "yes" }.to_owned(),
        Some(Type::Word(set)) => {
            let words = rules.word_sets.get(set.index()).map_or(&[][..], |s| &s.words);
            usize::try_from(value).ok().and_then(|at| words.get(at)).cloned().unwrap_or_default()
        }
        Some(Type::Thing { kind, .. }) => {
            thing(kind).map_or_else(|| "none".to_owned(), |t| thing_name(rules, world, t))
        }
        Some(Type::Number { .. }) | None => value.to_string(),
    }
}

/// A moment in the words of a ruleset, such as `end of impulse`, and whose it is.
#[must_use]
pub fn moment_text(rules: &Ruleset, moment: Moment) -> (String, Option<String>) {
    let clock = rules.clock.as_ref();
    let part = match moment.part {
        Some(part) => {
            clock.and_then(|c| c.parts.get(usize::from(part))).map_or("", |p| p.name.as_str())
        }
        None => clock.map_or("", |c| c.name.as_str()),
    };
    let edge = match moment.edge {
        Edge::Start => "start of ",
        Edge::During => "",
        Edge::End => "end of ",
    };
    let side = match moment.whose {
        Whose::Side(side) => rules.sides.get(side.index()).map(|s| s.name.clone()),
        Whose::All | Whose::Owner => None,
    };
    (format!("{edge}{part}"), side)
}

fn word_text(rules: &Ruleset, id: ExprId, word: u16) -> String {
    if let Node::Evidence(_, EvidenceField::Gate, ..) = rules.node(id) {
        let gates = [
            Gate::Never,
            Gate::From,
            Gate::Through,
            Gate::Into,
            Gate::Within,
            Gate::Source,
            Gate::Open,
            Gate::Cost,
            Gate::Over,
            Gate::Stopping,
        ];
        return gates.into_iter().find(|g| *g as u16 == word).map_or("", gate_word).to_owned();
    }
    let set = match rules.declared_type(id) {
        Some(Type::Word(set)) => Some(set),
        Some(Type::Truth | Type::Number { .. } | Type::Thing { .. }) | None => None,
    };
    set.and_then(|s| rules.word_sets.get(s.index()))
        .and_then(|s| s.words.get(usize::from(word)))
        .cloned()
        .unwrap_or_default()
}
