//! All columns that a table of positions can have.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use serde_json::Value;

use crate::facade::{Game, Position};

/// Words as Arrow keeps them where few of them are said often.
pub(super) fn words() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// The facts that the schema of a thing lists.
pub(super) fn facts_of(thing: &Value) -> Option<&serde_json::Map<String, Value>> {
    thing.pointer("/properties/facts/properties").and_then(Value::as_object)
}

/// All columns of a position; with `facts` those of facts too.
pub fn schema(game: &Game, like: &Position, facts: bool) -> SchemaRef {
    let mut fields = Vec::new();
    let column = |name: String, says: &str| {
        let about = HashMap::from([("sutler.null".to_owned(), says.to_owned())]);
        Field::new(name, words(), true).with_metadata(about)
    };
    fields.extend(like.units().map(|unit| column(format!("{unit}.space"), "off the map")));
    fields.extend(like.spaces().map(|space| column(format!("{space}.control"), "nobody")));
    if facts {
        fields.extend(fact_columns(game, like));
    }
    let about = [("sutler.ruleset", game.name()), ("sutler.hash", game.hash())];
    let about = about.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Arc::new(Schema::new(fields).with_metadata(about.into()))
}

fn fact_columns(game: &Game, like: &Position) -> Vec<Field> {
    let json = game.schema();
    let position: Value = serde_json::from_str(&like.json()).unwrap_or_default();
    let mut fields = Vec::new();
    let mut add = |id: Option<&str>, facts: Option<&serde_json::Map<String, Value>>| {
        for (fact, says) in facts.into_iter().flatten() {
            let name = id.map_or_else(|| fact.clone(), |id| format!("{id}.{fact}"));
            fields.push(Field::new(name, fact_type(says), true));
        }
    };
    let kinds = json.pointer("/properties/units/items/allOf").and_then(Value::as_array);
    let kind_of = |unit: &Value| {
        let kind = unit.get("kind")?.clone();
        let mut sorts = kinds.into_iter().flatten();
        let of = |sort: &&Value| sort.pointer("/if/properties/kind/const") == Some(&kind);
        sorts.find(of).and_then(|sort| sort.get("then")).and_then(facts_of)
    };
    for unit in position.get("units").and_then(Value::as_array).into_iter().flatten() {
        add(unit.get("id").and_then(Value::as_str), kind_of(unit));
    }
    for section in ["spaces", "sides"] {
        let things = json.pointer(&format!("/properties/{section}/properties"));
        for (id, thing) in things.and_then(Value::as_object).into_iter().flatten() {
            add(Some(id), facts_of(thing));
        }
    }
    add(None, json.pointer("/properties/world/properties").and_then(Value::as_object));
    fields
}

fn fact_type(says: &Value) -> DataType {
    match says.get("type").and_then(Value::as_str) {
        Some("boolean") => DataType::Boolean,
        Some("integer") => DataType::Int64,
        _ => words(),
    }
}
