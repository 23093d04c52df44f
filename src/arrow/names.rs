//! What the columns of a table of positions say: `F1.space`, `Hesse.control`, `F1.strength`.

use std::collections::BTreeSet;

use arrow_schema::Schema;
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::cells::{Cells, Known};
use super::schema::facts_of;
use super::trouble::refused;
use crate::diag::code;
use crate::facade::{CellOf, Faults, Owner, Position};

/// A fact that a column says: its name, whose it is, and its cell, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FactOf {
    pub(super) owner: Owner,
    pub(super) fact: String,
    pub(super) cell: Option<CellOf>,
}

/// What a column says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Where a unit stands, by its place.
    Stands(usize),
    /// Who controls a space, by its place.
    Control(usize),
    Fact(FactOf),
}

/// The columns of a table, by their places in it.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) positions: Vec<(usize, Target)>,
    pub(super) kept: Vec<usize>,
}

/// The names that columns and cells are made of.
pub(super) struct Names {
    pub(super) units: Vec<String>,
    pub(super) spaces: Vec<String>,
    pub(super) sides: Vec<String>,
    unit_at: FxHashMap<String, usize>,
    space_at: FxHashMap<String, usize>,
    /// The number of a space by its id.
    pub(super) known_spaces: Known,
    /// The number of a side and 1 by its name.
    pub(super) known_sides: Known,
    /// The JSON Schema of positions, which says what facts there are.
    json: Value,
}

impl Names {
    pub(super) fn of(like: &Position) -> Names {
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
    pub(super) fn plan(
        &self,
        like: &Position,
        schema: &Schema,
        keep: &[String],
    ) -> Result<Plan, Faults> {
        let mut plan = Plan::default();
        let mut seen = BTreeSet::new();
        for (at, field) in schema.fields().iter().enumerate() {
            let name = field.name();
            if !seen.insert(name) {
                let message = format!("two columns are called `{name}`");
                return Err(refused(code::E1076, message, "give each its own name"));
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
                return Err(refused(
                    code::E1076,
                    message,
                    "give it strings, or a dictionary of strings",
                ));
            }
            if !Cells::can_read(data_type) {
                let message = format!("the column `{name}` is {data_type}, which no fact is");
                let help =
                    "give it strings, whole numbers or booleans; a number with a fraction is none";
                return Err(refused(code::E1076, message, help));
            }
            plan.positions.push((at, target));
        }
        match keep.iter().find(|name| !seen.contains(name)) {
            Some(name) => {
                let message = format!("no column is called `{name}`, which `keep` names");
                Err(refused(code::E1076, message, "name columns of the table"))
            }
            None => Ok(plan),
        }
    }

    fn target(&self, like: &Position, name: &str) -> Result<Target, Faults> {
        let unknown = || {
            let message = format!("the column `{name}` is nothing of a position");
            let help = "columns are such as `F1.space`, `Hesse.control` or a fact: `schema(facts=True)` lists \
                 them; name in `keep` what is to go into the answers as it is";
            Err(refused(code::E1076, message, help))
        };
        let said = |owner: Owner, fact: &str| {
            let cell = like.cell_of(owner, fact);
            Target::Fact(FactOf { owner, fact: fact.to_owned(), cell })
        };
        let Some((id, of)) = name.rsplit_once('.') else {
            let facts = self.json.pointer("/properties/world/properties");
            return match facts.and_then(|facts| facts.get(name)) {
                Some(_) => Ok(said(Owner::World, name)),
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
        let has = |path: &str| self.json.pointer(path).is_none_or(|facts| facts.get(of).is_some());
        let side = self.sides.iter().position(|side| side == id);
        let found = match (unit, space, side) {
            (Some(unit), ..) => {
                let has = has("/properties/units/items/properties/facts/properties");
                has.then_some(Owner::Unit(unit))
            }
            (_, Some(space), _) => self.has_fact("spaces", id, of).then_some(Owner::Space(space)),
            (_, _, Some(side)) => self.has_fact("sides", id, of).then_some(Owner::Side(side)),
            _ if has("/properties/units/items/properties/facts/properties") => {
                return Err(absent(like.unit(id)));
            }
            _ => None,
        };
        found.map_or_else(unknown, |owner| Ok(said(owner, of)))
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
fn absent<T>(found: Result<T, Faults>) -> Faults {
    match found {
        Err(faults) => faults,
        Ok(_) => refused(code::E1076, "the column is nothing of a position", ""),
    }
}
