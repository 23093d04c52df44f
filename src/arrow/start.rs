//! The position that says what a table does not say, and the positions that rows make of it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::cells::Cell;
use super::chunk::Chunk;
use super::lines::{state, value};
use super::names::{FactOf, Names};
use super::trouble::Trouble;
use crate::facade::{Differing, Faults, OFF_MAP, Plain, Position, Space, Unit};

/// Words and numbers of one column whose cells are kept for the next table.
const MOST_KNOWN: usize = 4096;

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
    /// For each column what the cells come to that were read before.
    read: Mutex<FxHashMap<String, Known>>,
    /// Room of earlier rows.
    idle: Mutex<Vec<Chunk>>,
}

/// What the cells of a column come to.
type Known = FxHashMap<Said, Result<i64, Trouble>>;

/// What a cell of a fact says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Said {
    Null,
    Number(i64),
    Truth(bool),
    Word(Box<[u8]>),
}

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
        let (read, idle) = (Mutex::default(), Mutex::default());
        Start { like, names, stands, control, removed, base, read, idle }
    }

    /// Room of earlier rows, for the next.
    pub(super) fn idle(&self) -> MutexGuard<'_, Vec<Chunk>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a cell of a fact comes to, as the JSON of a position says it.
    pub(super) fn fact(&self, column: &str, fact: &FactOf, cell: Cell<'_>) -> Result<i64, Trouble> {
        let plain = |plain: Plain| self.like.plain_cell(fact.cell?, plain);
        let (plain, said) = match cell {
            Cell::Null => (None, Said::Null),
            Cell::Number(number) => (plain(Plain::Number(number)), Said::Number(number)),
            Cell::Truth(truth) => (plain(Plain::Truth(truth)), Said::Truth(truth)),
            Cell::Word(word) => (None, Said::Word(word.into())),
            Cell::Broken(why) => return Err(Trouble::cell(why)),
        };
        if let Some(plain) = plain {
            return Ok(plain);
        }
        let lock = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(column).and_then(|column| column.get(&said)) {
            return known.clone();
        }
        let found = self.read(fact, cell);
        let mut read = lock();
        let known = read.entry(column.to_owned()).or_default();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(said, found.clone());
        found
    }

    /// Reads a position that says so, for that knows all that can be wrong.
    fn read(&self, fact: &FactOf, cell: Cell<'_>) -> Result<i64, Trouble> {
        let mut position = self.base.clone();
        state(&self.names, &mut position, fact, value(cell)?);
        let position = self.like.game().position(&position.to_string());
        let position = position.map_err(|faults| Trouble::of(&faults))?;
        let cell = fact.cell.map(|cell| position.cell(cell));
        cell.ok_or_else(|| Trouble::cell("the column is nothing of a position"))
    }

    /// The position of a row.
    pub(super) fn placed(&self, chunk: &Chunk, row: usize) -> Position {
        let (stands, control) = (chunk.stands_in(row), chunk.control_in(row));
        let cells = chunk.cells(row);
        self.like.with_differing(&Differing { stands: &stands, control: &control, cells: &cells })
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
