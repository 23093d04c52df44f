//! The position that says what a table does not say, and the positions that rows make of it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::cells::Cell;
use super::chunk::Chunk;
use super::names::{FactOf, Names};
use super::trouble::Trouble;
use crate::facade::{Faults, OFF_MAP, Position, Rows, Side, Space, Unit};

/// Sets of facts that are kept for the next question.
const MOST_VARIANTS: usize = 1024;

/// What the rows say that say nothing.
pub(super) struct Start {
    pub(super) like: Position,
    pub(super) names: Names,
    /// For each unit the number of its space, or `OFF_MAP`.
    pub(super) stands: Vec<u16>,
    /// For each space the number of its side plus 1, or 0 for no side.
    pub(super) control: Vec<u8>,
    /// For each unit whether it has left the game.
    pub(super) removed: Vec<bool>,
    base: Value,
    variants: Mutex<FxHashMap<String, Arc<Variant>>>,
}

/// The position with some facts, or why there is none.
pub(super) struct Variant {
    pub(super) position: Result<Position, Trouble>,
    /// What a trace has prepared for it.
    pub(super) rows: OnceLock<Option<Rows>>,
}

/// A cell of a fact: its column, what it says, its value.
pub(super) type Stated<'f> = (&'f str, &'f FactOf, Value);

impl Start {
    pub(super) fn new(like: Position) -> Start {
        let names = Names::of(&like);
        let stands = (0u32..).take(names.units.len()).map(|unit| {
            let space = like.space_of(Unit(unit));
            space.map_or(OFF_MAP, |space| u16::try_from(space.0).unwrap_or(OFF_MAP))
        });
        let stands: Vec<u16> = stands.collect();
        let control = (0u32..).take(names.spaces.len());
        let control = control.map(|space| like.control(Space(space)).map_or(0, |side| side.0 + 1));
        let control: Vec<u8> = control.collect();
        let base: Value = serde_json::from_str(&like.json()).unwrap_or_default();
        let gone = |id: &String| {
            let units = base.get("units").and_then(Value::as_array);
            let unit = units.and_then(|all| all.iter().find(|unit| unit["id"] == id.as_str()));
            unit.is_some_and(|unit| unit["removed"] == true)
        };
        let removed = names.units.iter().map(gone).collect();
        Start { like, names, stands, control, removed, base, variants: Mutex::default() }
    }

    /// The position with these facts; kept for the next row that has them.
    pub(super) fn variant(&self, all: &[Stated<'_>]) -> Arc<Variant> {
        let text: Vec<(&str, &Value)> = all.iter().map(|(name, _, value)| (*name, value)).collect();
        let key = serde_json::to_string(&text).unwrap_or_default();
        let lock = || self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = lock().get(&key) {
            return Arc::clone(variant);
        }
        let position = self.with_facts(all.iter().map(|(_, fact, value)| (*fact, value)));
        let position = position.map_err(|faults| {
            // The first column that is wrong by itself has the fault; else it is all of them.
            let alone = all.iter().find_map(|(name, fact, value)| {
                let faults = self.with_facts(std::iter::once((*fact, value))).err()?;
                Some(Trouble::of(&faults).at(name))
            });
            alone.unwrap_or_else(|| Trouble::of(&faults))
        });
        let variant = Arc::new(Variant { position, rows: OnceLock::new() });
        let mut kept = lock();
        if kept.len() >= MOST_VARIANTS {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&variant));
        variant
    }

    /// The position with some facts.
    fn with_facts<'f>(
        &self,
        facts: impl Iterator<Item = (&'f FactOf, &'f Value)>,
    ) -> Result<Position, Faults> {
        let mut position = self.base.clone();
        for (fact, value) in facts {
            stated(&mut position, fact, value.clone());
        }
        self.like.game().position(&position.to_string())
    }

    /// The position of a row.
    pub(super) fn placed(&self, chunk: &Chunk, row: usize) -> Result<Position, Trouble> {
        let variant = chunk.variants.get(row).and_then(Option::as_ref);
        let mut position = match variant {
            Some(variant) => variant.position.clone()?,
            None => self.like.clone(),
        };
        let (units, spaces) = (self.stands.len(), self.control.len());
        let stands = chunk.stands.get(row * units..(row + 1) * units).unwrap_or_default();
        let control = chunk.control.get(row * spaces..(row + 1) * spaces).unwrap_or_default();
        let told = |faults: Faults| Trouble::of(&faults);
        for ((unit, space), own) in (0u32..).zip(stands).zip(&self.stands) {
            if space != own {
                let to = (*space != OFF_MAP).then_some(Space(u32::from(*space)));
                position.move_unit(Unit(unit), to).map_err(told)?;
            }
        }
        for ((space, side), own) in (0u32..).zip(control).zip(&self.control) {
            if side != own {
                let side = side.checked_sub(1).map(Side);
                position.set_control(Space(space), side).map_err(told)?;
            }
        }
        Ok(position)
    }

    pub(super) fn no_space(&self, word: &[u8]) -> Trouble {
        match std::str::from_utf8(word) {
            Ok(word) => known(self.like.space(word)),
            Err(_) => Trouble::cell("the word is not UTF-8"),
        }
    }

    pub(super) fn no_side(&self, word: &[u8]) -> Trouble {
        match std::str::from_utf8(word) {
            Ok(word) => known(self.like.game().side(word)),
            Err(_) => Trouble::cell("the word is not UTF-8"),
        }
    }

    pub(super) fn gone(&self, unit: usize) -> Trouble {
        let id = self.names.units.get(unit).map_or("", String::as_str);
        Trouble::cell(format!("`{id}` has left the game; it stands nowhere"))
    }
}

/// Why a word is no name of a thing.
fn known<T>(found: Result<T, Faults>) -> Trouble {
    match found {
        Err(faults) => Trouble::of(&faults),
        Ok(_) => Trouble::cell("the word is nothing of a position"),
    }
}

/// A cell of a fact as JSON.
pub(super) fn value(cell: Cell<'_>) -> Result<Value, Trouble> {
    match cell {
        Cell::Null => Ok(Value::Null),
        Cell::Number(number) => Ok(number.into()),
        Cell::Truth(truth) => Ok(truth.into()),
        Cell::Word(word) => match std::str::from_utf8(word) {
            Ok(word) => Ok(word.into()),
            Err(_) => Err(Trouble::cell("the word is not UTF-8")),
        },
        Cell::Broken(why) => Err(Trouble::cell(why)),
    }
}

/// Writes a fact into the JSON of a position.
fn stated(position: &mut Value, fact: &FactOf, value: Value) {
    match fact {
        FactOf::World(fact) => put(position, &["world", fact], value),
        FactOf::Side(id, fact) => put(position, &["sides", id, "facts", fact], value),
        FactOf::Space(id, fact) => put(position, &["spaces", id, "facts", fact], value),
        FactOf::Unit(id, fact) => {
            let Some(fields) = position.as_object_mut() else { return };
            let units = fields.entry("units").or_insert_with(|| json!([]));
            let Some(units) = units.as_array_mut() else { return };
            let at = units.iter().position(|unit| unit["id"] == id.as_str()).unwrap_or_else(|| {
                units.push(json!({ "id": id }));
                units.len() - 1
            });
            if let Some(unit) = units.get_mut(at) {
                put(unit, &["facts", fact], value);
            }
        }
    }
}

/// Writes a value behind a path of names; objects that are missing are made.
fn put(place: &mut Value, path: &[&str], value: Value) {
    let Some((first, rest)) = path.split_first() else {
        *place = value;
        return;
    };
    if !place.is_object() {
        *place = json!({});
    }
    if let Some(fields) = place.as_object_mut() {
        put(fields.entry(*first).or_insert(Value::Null), rest, value);
    }
}
