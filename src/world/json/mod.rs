//! Positions as JSON.
//!
//! Takes text, gives a position with the faults of the text; takes a position, gives text; gives
//! the JSON Schema of both. Knows the names and types of a ruleset, and none of its rules.
//!
//! ```json
//! {
//!   "schema": 1,
//!   "map": "central_europe",
//!   "setup": "opening",
//!   "viewer": "Red",
//!   "rulings": {"bystanders": "ignored"},
//!   "relations": [["Red", "enemy_of", "Blue"]],
//!   "units": [{"id": "A", "kind": "army", "side": "Red", "space": "Hill", "facts": {"strength": 5}}],
//!   "spaces": {"Hill": {"control": "Blue", "facts": {"abandoned": true}}},
//!   "links": [{"kind": "railway", "from": "Hill", "to": "Yard", "facts": {"blown": true}}],
//!   "sides": {"Red": {"facts": {}}},
//!   "world": {"season": "winter"},
//!   "kept": {"supply": {"A": "out_of_supply"}},
//!   "stated": [{"pair": "gap", "from": "A", "to": "B", "value": "1/2"}]
//! }
//! ```
//!
//! On a table a unit has `"at": ["11", "19/2"], "facing": "west"` in place of its space; see
//! [`stand`].
//!
//! Only `schema` and `map` must stand there, and `setup` can stand for `map`. A setup is the
//! position to begin with; everything else is applied on top of it. A unit that is there already,
//! because the ruleset names it or the setup puts it, is changed by an entry with its id; any other
//! id puts a new unit.

mod decode;
mod fields;
mod frame;
mod known;
mod links;
mod names;
mod pairs;
mod pretty;
mod quick;
mod read;
mod reader;
mod required;
mod schema;
mod stand;
mod stated;
mod text;
mod tree;
mod units;
mod write;

pub use known::Known;
pub use names::fact_said;
pub use read::{Positions, read};
pub use schema::{general_schema, schema};
pub use stand::places;
pub use write::write;

/// The number of the form; it grows when old readers would misread a new one.
pub const POSITION_SCHEMA: i64 = 1;

/// The fields of a position, in the order in which they are written.
///
/// `$schema` names the file of the schema for an editor, and says nothing of the position.
const POSITION: [&str; 14] = [
    "$schema",
    "schema",
    "map",
    "setup",
    "viewer",
    "rulings",
    "relations",
    "units",
    "spaces",
    "links",
    "sides",
    "world",
    "kept",
    "stated",
];

/// The fields of a unit.
const UNIT: [&str; 9] =
    ["id", "kind", "side", "space", "at", "facing", "title", "removed", "facts"];

/// The fields of what is stated of two things.
const STATED: [&str; 4] = ["pair", "from", "to", "value"];

/// The fields of a space.
const SPACE: [&str; 2] = ["control", "facts"];

/// The fields of a link.
const LINK: [&str; 4] = ["kind", "from", "to", "facts"];

/// The fields of a side.
const SIDE: [&str; 1] = ["facts"];

#[cfg(test)]
mod hostile_tests;

#[cfg(test)]
mod read_tests;

#[cfg(test)]
mod round_tests;

#[cfg(test)]
mod schema_tests;

#[cfg(test)]
mod text_tests;

#[cfg(test)]
mod value_tests;
