//! Rows of a table as lines of JSON that say the same: a setup, and what differs from it.

use arrow_array::RecordBatch;
use serde_json::{Value, json};

use super::cells::{Cell, Cells};
use super::names::{FactOf, Names, Target};
use super::trouble::{Trouble, refused};
use crate::diag::code;
use crate::facade::{Faults, Owner, Position};

/// A row that was read as a line.
pub struct Row {
    /// The position as JSON, or what is wrong with the row.
    pub said: Result<String, Faults>,
    /// What the kept columns say, in their order.
    pub kept: Vec<String>,
}

/// The positions of a table as lines, like one position where the table says nothing.
pub struct Spoken {
    like: Position,
    setup: String,
    names: Names,
}

impl Spoken {
    /// Rows are like this position, which a setup of this name begins with.
    pub fn new(like: Position, setup: String) -> Spoken {
        let names = Names::of(&like);
        Spoken { like, setup, names }
    }

    /// A line for each row.
    ///
    /// # Errors
    ///
    /// E1076 for columns that are nothing of a position and that `keep` does not name.
    pub fn rows(&self, table: &RecordBatch, keep: &[String]) -> Result<Vec<Row>, Faults> {
        let plan = self.names.plan(&self.like, table.schema_ref(), keep)?;
        let fields = table.schema_ref().fields();
        let cells = |at: usize| table.columns().get(at).and_then(|all| Cells::of(all.as_ref()));
        let said = plan.positions.iter().filter_map(|(at, target)| {
            Some((fields.get(*at)?.name().as_str(), target, cells(*at)?))
        });
        let said: Vec<_> = said.collect();
        let kept: Vec<Cells<'_>> = plan.kept.iter().filter_map(|at| cells(*at)).collect();
        let row = |row: usize| Row {
            said: self.row(&said, row),
            kept: kept.iter().map(|cells| shown(cells.get(row))).collect(),
        };
        Ok((0..table.num_rows()).map(row).collect())
    }

    fn row(&self, said: &[(&str, &Target, Cells<'_>)], row: usize) -> Result<String, Faults> {
        let mut position = json!({ "schema": 1, "setup": self.setup });
        for (name, target, cells) in said {
            let value = value(cells.get(row)).map_err(|trouble| {
                refused(code::E1077, format!("column `{name}`: {}", trouble.message), "")
            })?;
            match target {
                Target::Stands(at) => {
                    put_unit(&mut position, of(&self.names.units, *at), &["space"], value)
                }
                Target::Control(at) => {
                    put(&mut position, &["spaces", of(&self.names.spaces, *at), "control"], value);
                }
                Target::Fact(fact) => state(&self.names, &mut position, fact, value),
            }
        }
        Ok(position.to_string())
    }
}

/// What a cell says, to be read.
fn shown(cell: Cell<'_>) -> String {
    match cell {
        Cell::Null | Cell::Broken(_) => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Truth(truth) => truth.to_string(),
        Cell::Word(word) => String::from_utf8_lossy(word).into_owned(),
    }
}

/// What a cell says as JSON.
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

fn of(names: &[String], at: usize) -> &str {
    names.get(at).map_or("", String::as_str)
}

/// Writes a fact into the JSON of a position.
pub(super) fn state(names: &Names, position: &mut Value, fact: &FactOf, value: Value) {
    let own = fact.fact.as_str();
    match fact.owner {
        Owner::World => put(position, &["world", own], value),
        Owner::Side(at) => put(position, &["sides", of(&names.sides, at), "facts", own], value),
        Owner::Space(at) => put(position, &["spaces", of(&names.spaces, at), "facts", own], value),
        Owner::Unit(at) => put_unit(position, of(&names.units, at), &["facts", own], value),
    }
}

/// Writes a value behind a path of names of a unit; a unit that is missing is added.
fn put_unit(position: &mut Value, id: &str, path: &[&str], value: Value) {
    let Some(fields) = position.as_object_mut() else { return };
    let units = fields.entry("units").or_insert_with(|| json!([]));
    let Some(units) = units.as_array_mut() else { return };
    let at = units.iter().position(|unit| unit["id"] == id);
    let at = at.unwrap_or_else(|| {
        units.push(json!({ "id": id }));
        units.len() - 1
    });
    if let Some(unit) = units.get_mut(at) {
        put(unit, path, value);
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
