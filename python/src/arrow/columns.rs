//! The columns of a position: what a name such as `F1.space` says, and all columns that there are.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use rustc_hash::FxHashMap;
use serde_json::Value;
use sutler::{Faults, Game};

use super::cells::{Cells, Known};
use crate::refused::Refusal;

/// Where a fact stands in the JSON of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactOf {
    Unit(String, String),
    Space(String, String),
    Side(String, String),
    World(String),
}

/// What a column says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Where a unit stands, by its place.
    Stands(usize),
    /// Who controls a space, by its place.
    Control(usize),
    Fact(FactOf),
}

/// The columns of a table, by their places in it.
#[derive(Debug, Default)]
pub struct Plan {
    pub positions: Vec<(usize, Target)>,
    pub kept: Vec<usize>,
}

/// The names that columns and cells are made of.
pub struct Names {
    pub units: Vec<String>,
    pub spaces: Vec<String>,
    pub sides: Vec<String>,
    unit_at: FxHashMap<String, usize>,
    space_at: FxHashMap<String, usize>,
    /// The number of a space by its id.
    pub known_spaces: Known,
    /// The number of a side and 1 by its name.
    pub known_sides: Known,
    /// The JSON Schema of positions, which says what facts there are.
    json: Value,
}

impl Names {
    pub fn of(like: &sutler::Position) -> Names {
        let own = |names: &mut dyn Iterator<Item = &str>| -> Vec<String> {
            names.map(str::to_owned).collect()
        };
        let units = own(&mut like.units());
        let spaces = own(&mut like.spaces());
        let sides = own(&mut like.game().sides());
        let at = |names: &[String]| names.iter().cloned().zip(0..).collect();
        let known = |names: &[String], first: u16| {
            names.iter().map(|name| name.as_bytes().into()).zip(first..).collect()
        };
        Names {
            unit_at: at(&units),
            space_at: at(&spaces),
            known_spaces: known(&spaces, 0),
            known_sides: known(&sides, 1),
            units,
            spaces,
            sides,
            json: like.game().schema(),
        }
    }

    /// What the columns of a table say.
    pub fn plan(
        &self,
        like: &sutler::Position,
        schema: &Schema,
        keep: &[String],
    ) -> Result<Plan, Refusal> {
        let mut plan = Plan::default();
        let mut seen = BTreeSet::new();
        for (at, field) in schema.fields().iter().enumerate() {
            let name = field.name();
            if !seen.insert(name) {
                let message = format!("two columns are called `{name}`");
                return Err(call(message, "give each its own name"));
            }
            if keep.contains(name) {
                plan.kept.push(at);
                continue;
            }
            let target = self.target(like, name)?;
            let of_words = matches!(target, Target::Stands(_) | Target::Control(_));
            let data_type = field.data_type();
            if of_words && !Cells::is_words(data_type) {
                let message =
                    format!("the column `{name}` is {data_type}, and its cells are words");
                return Err(call(message, "give it strings, or a dictionary of strings"));
            }
            if !Cells::can_read(data_type) {
                let message = format!("the column `{name}` is {data_type}, which no fact is");
                let help =
                    "give it strings, whole numbers or booleans; a number with a fraction is none";
                return Err(call(message, help));
            }
            plan.positions.push((at, target));
        }
        match keep.iter().find(|name| !seen.contains(name)) {
            Some(name) => {
                let message = format!("no column is called `{name}`, which `keep` names");
                Err(call(message, "name columns of the table"))
            }
            None => Ok(plan),
        }
    }

    fn target(&self, like: &sutler::Position, name: &str) -> Result<Target, Refusal> {
        let unknown = || {
            let message = format!("the column `{name}` is nothing of a position");
            let help = "columns are such as `F1.space`, `Hesse.control` or a fact: `schema(facts=True)` lists \
                 them; name in `keep` what is to go into the answers as it is";
            Err(call(message, help))
        };
        let Some((id, of)) = name.rsplit_once('.') else {
            let facts = self.json.pointer("/properties/world/properties");
            return match facts.and_then(|facts| facts.get(name)) {
                Some(_) => Ok(Target::Fact(FactOf::World(name.to_owned()))),
                None => unknown(),
            };
        };
        let (unit, space) = (self.unit_at.get(id).copied(), self.space_at.get(id).copied());
        match (of, unit, space) {
            ("space", Some(unit), _) => return Ok(Target::Stands(unit)),
            ("control", _, Some(space)) => return Ok(Target::Control(space)),
            // The library says which name is the nearest.
            ("space", None, None) => return Err(absent(like.unit(id))),
            ("control", None, None) => return Err(absent(like.space(id))),
            _ => {}
        }
        let (own, fact) = (id.to_owned(), of.to_owned());
        let has = |path: &str| self.json.pointer(path).is_none_or(|facts| facts.get(of).is_some());
        let found = if unit.is_some() {
            has("/properties/units/items/properties/facts/properties")
                .then_some(FactOf::Unit(own, fact))
        } else if space.is_some() {
            self.has_fact("spaces", id, of).then_some(FactOf::Space(own, fact))
        } else if self.sides.iter().any(|side| side == id) {
            self.has_fact("sides", id, of).then_some(FactOf::Side(own, fact))
        } else if has("/properties/units/items/properties/facts/properties") {
            return Err(absent(like.unit(id)));
        } else {
            None
        };
        found.map_or_else(unknown, |fact| Ok(Target::Fact(fact)))
    }

    /// Whether a space or a side has a fact; yes where the schema does not say.
    fn has_fact(&self, section: &str, id: &str, fact: &str) -> bool {
        let things = self.json.get("properties").and_then(|p| p.get(section));
        let thing = things.and_then(|s| s.get("properties")).and_then(|s| s.get(id));
        match thing {
            Some(thing) => facts_of(thing).is_some_and(|facts| facts.get(fact).is_some()),
            None => true,
        }
    }
}

/// Why a name is none.
fn absent<T>(found: Result<T, Faults>) -> Refusal {
    match found {
        Err(faults) => Refusal::Faults(faults),
        Ok(_) => call("the column is nothing of a position", ""),
    }
}

/// A call that is wrong in itself.
pub fn call(message: impl Into<String>, help: &str) -> Refusal {
    Refusal::Call(message.into(), help.to_owned())
}

/// Words as Arrow keeps them where few of them are said often.
pub fn words() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// The facts that the schema of a thing lists.
fn facts_of(thing: &Value) -> Option<&serde_json::Map<String, Value>> {
    thing.pointer("/properties/facts/properties").and_then(Value::as_object)
}

/// All columns of a position; with `facts` those of facts too.
pub fn schema(game: &Game, like: &sutler::Position, facts: bool) -> SchemaRef {
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

fn fact_columns(game: &Game, like: &sutler::Position) -> Vec<Field> {
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
