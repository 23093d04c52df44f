//! The JSON Schema (draft 2020-12) of a position, so that an editor can complete one.
//!
//! Takes a ruleset, or none; gives a schema. The reader alone decides: what the schema cannot say,
//! such as ids that stand once, is no part of it.

use serde_json::{Map, Value, json};

use super::STATED;
use super::frame::{Parts, described};
use super::names::{facts_of, kind_name, top, words};
use crate::arrange::gathered;
use crate::ir::{Fact, FactOrigin, KindId, PairRef, Ruleset, Type};

/// More spaces than this are not listed: an editor would not survive the list.
const MOST_LISTED: usize = 5_000;

/// The schema of the positions of any ruleset.
#[must_use]
pub fn general_schema() -> Value {
    let fact = json!({"type": ["boolean", "integer", "string", "null"]});
    let facts = json!({"type": "object", "additionalProperties": fact});
    let name = json!({"type": "string"});
    let parts = Parts {
        title: "A position".to_owned(),
        map: name.clone(),
        setup: name.clone(),
        side: name.clone(),
        space: name,
        unit: unit(&json!({"type": "string"}), &facts, Vec::new()),
        rulings: json!({"type": "object", "additionalProperties": {"type": ["boolean", "string"]}}),
        spaces: json!({"type": "object", "additionalProperties": space(&facts)}),
        links: Some(json!({"type": "array", "items": link(&json!({"type": "string"}), &facts)})),
        sides: json!({"type": "object", "additionalProperties": side(&facts)}),
        world: facts,
        kept: json!({"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": "string"}}}),
        stated: Some(
            json!({"type": "array", "items": stated_pair(&json!({"type": "string"}), &json!({"type": ["boolean", "integer", "string"]}))}),
        ),
    };
    parts.schema()
}

/// The schema of the positions of a ruleset: its names, its facts and their ranges.
#[must_use]
pub fn schema(rules: &Ruleset) -> Value {
    let kinds: Vec<KindId> =
        (0..rules.kinds.len()).map(KindId::at).filter(|k| top(rules, *k) == KindId::UNIT).collect();
    let names: Vec<&str> = kinds.iter().map(|k| kind_name(rules, *k)).collect();
    // An entry for a unit that is there may leave its kind out, and then any fact of a unit may
    // stand there.
    let mut all = Map::new();
    for kind in &kinds {
        all.extend(facts_of(rules, *kind).map(|f| (f.name.clone(), json!(true))));
    }
    let all = json!({"type": "object", "properties": all, "additionalProperties": false});
    let kind_facts =
        kinds.iter().map(|kind| (kind_name(rules, *kind), facts(rules, *kind))).collect();
    let maps: Vec<&str> = rules.maps.iter().map(|m| m.name.as_str()).collect();
    let setups: Vec<&str> = rules.setups.iter().map(|s| s.name.as_str()).collect();
    let sides: Vec<&str> = rules.sides.iter().map(|s| s.name.as_str()).collect();
    let rulings = rules.rulings.iter().map(|ruling| {
        let value = match ruling.option {
            true => json!({"type": "boolean"}),
            false => json!({"enum": words(rules, ruling.readings), "description": ruling.asks}),
        };
        (ruling.name.clone(), value)
    });
    let side_facts = side(&facts(rules, KindId::SIDE));
    let parts = Parts {
        title: format!("A position of {}", rules.title),
        map: json!({"enum": maps}),
        setup: json!({"enum": setups}),
        side: json!({"enum": sides}),
        space: one_space(rules),
        unit: unit(&json!({"enum": names}), &all, kind_facts),
        rulings: object(rulings),
        spaces: spaces(rules),
        links: links(rules),
        sides: object(sides.iter().map(|s| ((*s).to_owned(), side_facts.clone()))),
        world: facts(rules, KindId::WORLD),
        kept: kept(rules),
        stated: stated(rules),
    };
    parts.schema()
}

/// An object with these fields and no others.
fn object(properties: impl IntoIterator<Item = (String, Value)>) -> Value {
    let properties: Map<String, Value> = gathered(properties);
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// A unit; its facts depend on its kind.
fn unit(kind: &Value, facts: &Value, kinds: Vec<(&str, Value)>) -> Value {
    let each: Vec<Value> = kinds
        .into_iter()
        .map(|(kind, facts)| {
            json!({
                "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
                "then": {"properties": {"facts": facts}},
            })
        })
        .collect();
    let mut unit = json!({
        "type": "object",
        "required": ["id"],
        "additionalProperties": false,
        "properties": {
            "id": {"type": "string", "minLength": 1, "description": "unlike that of any other unit"},
            "kind": described(kind.clone(), "only a unit that is there already needs none"),
            "side": {"$ref": "#/$defs/maybe_side"},
            "space": described(json!({"$ref": "#/$defs/maybe_space"}), "off the map unless it says where"),
            "at": {
                "type": ["array", "null"],
                "items": {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"},
                "minItems": 2,
                "maxItems": 2,
                "description": "where the middle of its front lies on a table: to the east, to the north; null for off the table",
            },
            "facing": {
                "type": "string",
                "pattern": "^(north|east|south|west|[0-9]+|\\(-?[0-9]+, *-?[0-9]+\\))$",
                "description": "a word, degrees from north as the clock goes, or so far to the east and so far to the north",
            },
            "title": {"type": "string"},
            "removed": {"type": "boolean", "description": "whether it has left the game"},
            "facts": facts,
        },
    });
    if let (false, Some(fields)) = (each.is_empty(), unit.as_object_mut()) {
        fields.insert("allOf".to_owned(), Value::from(each));
    }
    unit
}

fn space(facts: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {"control": {"$ref": "#/$defs/maybe_side"}, "facts": facts},
        "additionalProperties": false,
    })
}

fn side(facts: &Value) -> Value {
    json!({"type": "object", "properties": {"facts": facts}, "additionalProperties": false})
}

/// The facts of a kind.
fn facts(rules: &Ruleset, kind: KindId) -> Value {
    object(facts_of(rules, kind).map(|fact| (fact.name.clone(), value(rules, fact))))
}

/// The values of a fact.
fn value(rules: &Ruleset, fact: &Fact) -> Value {
    let value = match fact.ty {
        Type::Truth => json!({"type": "boolean"}),
        Type::Number { low, high, .. } => {
            json!({"type": "integer", "minimum": low, "maximum": high})
        }
        Type::Word(set) => json!({"enum": words(rules, set)}),
        // What each must have may be lost in play.
        Type::Thing { kind, .. } => match top(rules, kind) {
            KindId::SIDE => json!({"$ref": "#/$defs/maybe_side"}),
            KindId::SPACE => json!({"$ref": "#/$defs/maybe_space"}),
            _ => {
                json!({"type": ["string", "null"], "description": format!("the id of a {}", kind_name(rules, kind))})
            }
        },
    };
    match fact.origin {
        FactOrigin::Mark(_) | FactOrigin::Given if fact.title != fact.name => {
            described(value, &fact.title)
        }
        _ => value,
    }
}

/// The id of a space of any map.
fn one_space(rules: &Ruleset) -> Value {
    let ids = || rules.maps.iter().flat_map(|m| m.spaces.iter().map(|s| s.id.as_str()));
    if ids().count() > MOST_LISTED {
        return json!({"type": "string"});
    }
    let mut listed: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    listed.extend(ids().filter(|id| seen.insert(*id)));
    json!({"enum": listed})
}

/// What is said of spaces: each by the facts of its kind, on whichever map.
fn spaces(rules: &Ruleset) -> Value {
    let all = || rules.maps.iter().flat_map(|m| &m.spaces);
    let mut kinds: Vec<KindId> = (0..rules.kinds.len()).map(KindId::at).collect();
    kinds.retain(|k| top(rules, *k) == KindId::SPACE);
    if all().count() > MOST_LISTED {
        let any: Vec<Value> = kinds.iter().map(|k| space(&facts(rules, *k))).collect();
        return json!({"type": "object", "additionalProperties": {"anyOf": any}});
    }
    let mut found: indexmap::IndexMap<&str, Vec<KindId>> = indexmap::IndexMap::new();
    for space in all() {
        let kinds = found.entry(&space.id).or_default();
        if !kinds.contains(&space.kind) {
            kinds.push(space.kind);
        }
    }
    let each = found.into_iter().map(|(id, kinds)| {
        let mut any: Vec<Value> = kinds.iter().map(|k| space(&facts(rules, *k))).collect();
        let value = if any.len() == 1 { any.remove(0) } else { json!({"anyOf": any}) };
        (id.to_owned(), value)
    });
    object(each)
}

/// What is said of one link.
fn link(kind: &Value, facts: &Value) -> Value {
    let space = json!({"$ref": "#/$defs/space"});
    json!({
        "type": "object",
        "required": ["kind", "from", "to"],
        "additionalProperties": false,
        "properties": {"kind": kind, "from": space, "to": space, "facts": facts},
    })
}

/// What is said of links: each by the facts of its kind; nothing where links are as the map says.
fn links(rules: &Ruleset) -> Option<Value> {
    let one = |kind| link(&json!({"const": kind_name(rules, kind)}), &facts(rules, kind));
    let each: Vec<Value> = super::links::changing_kinds(rules).map(one).collect();
    (!each.is_empty()).then(|| json!({"type": "array", "items": {"anyOf": each}}))
}

/// One thing stated of two things.
fn stated_pair(pair: &Value, value: &Value) -> Value {
    json!({
        "type": "object",
        "required": STATED,
        "additionalProperties": false,
        "properties": {"pair": pair, "from": {"type": "string"}, "to": {"type": "string"}, "value": value},
    })
}

/// What can be stated of two things: each pair with its own values; nothing for a ruleset without
/// pairs.
fn stated(rules: &Ruleset) -> Option<Value> {
    let value = |pair: PairRef| match rules.pair_type(pair) {
        Some(Type::Number { low, high, fraction, .. }) => {
            let whole = json!({"type": "integer", "minimum": low, "maximum": high});
            let part = json!({"type": "string", "pattern": "^-?[0-9]+/[1-9][0-9]*$"});
            if fraction { json!({"anyOf": [whole, part]}) } else { whole }
        }
        _ => json!({"type": "boolean"}),
    };
    let each: Vec<Value> = rules
        .all_pairs()
        .map(|p| stated_pair(&json!({"const": rules.pair_name(p)}), &value(p)))
        .collect();
    (!each.is_empty()).then(|| json!({"type": "array", "items": {"anyOf": each}}))
}

/// Kept answers: for each trace an object from units or spaces to its two words.
fn kept(rules: &Ruleset) -> Value {
    let each = rules.traces.iter().map(|trace| {
        let mut value = json!({"type": "object", "additionalProperties": {"enum": words(rules, trace.answers)}});
        if top(rules, trace.of) == KindId::SPACE
            && let Some(fields) = value.as_object_mut()
        {
            fields.insert("propertyNames".to_owned(), json!({"$ref": "#/$defs/space"}));
        }
        (trace.name.clone(), value)
    });
    object(each)
}
