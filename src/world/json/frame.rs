//! The frame of the schema of a position: what is the same for every ruleset.

use serde_json::{Value, json};

use super::POSITION_SCHEMA;
use crate::ir::Relation;

/// The parts that depend on the ruleset.
pub(super) struct Parts {
    pub title: String,
    pub map: Value,
    pub setup: Value,
    pub side: Value,
    pub space: Value,
    pub unit: Value,
    pub rulings: Value,
    pub spaces: Value,
    /// Nothing for a ruleset in which links are as the map says.
    pub links: Option<Value>,
    pub sides: Value,
    pub world: Value,
    pub kept: Value,
    /// Nothing for a ruleset in which nothing can be stated of two things.
    pub stated: Option<Value>,
}

impl Parts {
    pub fn schema(self) -> Value {
        let relations: Vec<&str> = Relation::NAMED.iter().map(|(name, _)| *name).collect();
        let relation = json!({
            "type": "array",
            "prefixItems": [{"$ref": "#/$defs/side"}, {"enum": relations}, {"$ref": "#/$defs/side"}],
            "minItems": 3,
            "maxItems": 3,
        });
        let mut schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.title,
            "type": "object",
            "required": ["schema"],
            "additionalProperties": false,
            "properties": {
                "$schema": {"type": "string", "description": "where this schema is, for an editor"},
                "schema": {"const": POSITION_SCHEMA, "description": "the number of the form"},
                "map": self.map,
                "setup": described(self.setup, "the position to begin with; everything else is applied on top of it"),
                "viewer": described(json!({"$ref": "#/$defs/maybe_side"}), "the side that asks about spaces"),
                "rulings": described(self.rulings, "readings other than the usual ones"),
                "relations": described(json!({"type": "array", "items": relation}), "how sides stand, other than at the start"),
                "units": {"type": "array", "items": self.unit},
                "spaces": described(self.spaces, "what differs from the map"),
                "sides": self.sides,
                "world": self.world,
                "kept": described(self.kept, "answers that phases have kept"),
            },
            "$defs": {
                "side": self.side,
                "maybe_side": {"anyOf": [{"$ref": "#/$defs/side"}, {"type": "null"}]},
                "space": self.space,
                "maybe_space": {"anyOf": [{"$ref": "#/$defs/space"}, {"type": "null"}]},
            },
        });
        let stated = self.stated.map(|stated| {
            let words = "what somebody has stated of two things; it counts before what is worked out or measured";
            ("stated", described(stated, words))
        });
        let links = self.links.map(|links| {
            ("links", described(links, "what differs from the map, of links that it has"))
        });
        if let Some(Value::Object(fields)) = schema.get_mut("properties") {
            for (name, value) in links.into_iter().chain(stated) {
                fields.insert(name.to_owned(), value);
            }
        }
        schema
    }
}

/// A schema with words that an editor shows.
pub(super) fn described(mut schema: Value, words: &str) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("description".to_owned(), Value::from(words));
    }
    schema
}
