//! The stored facts that a program reads, one column a fact.

use std::sync::Arc;

use indexmap::IndexSet;

use super::lane::{Lane, Width, mask};
use crate::ir::{FactId, KindId, RulingId};
use crate::kernel::{Position, Value};
use crate::world::ThingRef;

/// What is the same in all rows of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Constant {
    /// a fact of the world
    World(FactId),
    /// the reading of a ruling
    Ruling(RulingId),
}

/// A fact that a program reads, with its proven ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Input {
    pub fact: FactId,
    pub width: Width,
    pub low: i64,
    pub high: i64,
    pub truth: bool,
}

/// All that a program reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Inputs {
    pub facts: Vec<FactId>,
    /// The kind of which a named value or a table is said; things of others have none.
    pub said_of: Option<KindId>,
    about: IndexSet<Input>,
    constants: IndexSet<(Constant, i64, i64)>,
}

impl Inputs {
    pub(super) fn read(&mut self, input: Input) -> usize {
        let (at, new) = self.about.insert_full(input);
        if new {
            self.facts.push(input.fact);
        }
        at
    }

    pub(super) fn hold(&mut self, constant: Constant, low: i64, high: i64) -> usize {
        self.constants.insert_full((constant, low, high)).0
    }
}

/// The rows of one fact.
#[derive(Debug, Clone)]
pub(super) enum Column {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
}

/// A fact was given a value outside its range, or is none that the program reads, or there is no
/// such row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a fact that the program reads cannot have this value there")]
pub struct NoRoom;

/// The facts of many things, for one program. Amounts are what they are, words their place, truths
/// 0 or 1, and things their place plus 1, with 0 for none.
#[derive(Debug, Clone)]
pub struct Facts {
    pub(super) inputs: Arc<Inputs>,
    pub(super) columns: Vec<Column>,
    pub(super) constants: Vec<i64>,
    pub(super) rows: usize,
    /// The rows, in order, of things that have no such value.
    pub(super) lacking: Vec<usize>,
}

impl Facts {
    /// So many rows, all of them 0.
    pub(super) fn new(inputs: Arc<Inputs>, rows: usize) -> Facts {
        let column = |input: &Input| match input.width {
            Width::I8 => Column::I8(vec![0; rows]),
            Width::I16 => Column::I16(vec![0; rows]),
            Width::I32 => Column::I32(vec![0; rows]),
        };
        let columns = inputs.about.iter().map(column).collect();
        Facts {
            columns,
            constants: inputs.constants.iter().map(|(_, low, high)| 0.clamp(*low, *high)).collect(),
            inputs,
            rows,
            lacking: Vec::new(),
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Makes it so many rows; new ones are all 0.
    pub fn resize(&mut self, rows: usize) {
        self.rows = rows;
        self.lacking.retain(|row| *row < rows);
        for column in &mut self.columns {
            match column {
                Column::I8(all) => all.resize(rows, 0),
                Column::I16(all) => all.resize(rows, 0),
                Column::I32(all) => all.resize(rows, 0),
            }
        }
    }

    fn input(&self, fact: FactId) -> Result<(usize, Input), NoRoom> {
        let at = self.inputs.facts.iter().position(|f| *f == fact).ok_or(NoRoom)?;
        Ok((at, *self.inputs.about.get_index(at).ok_or(NoRoom)?))
    }

    /// Sets the fact of one row.
    pub fn set(&mut self, row: usize, fact: FactId, value: i64) -> Result<(), NoRoom> {
        let (at, input) = self.input(fact)?;
        let value = stored(&input, value)?;
        fn put<T: Lane>(all: &mut [T], row: usize, value: i64) -> Result<(), NoRoom> {
            *all.get_mut(row).ok_or(NoRoom)? = T::cut(value);
            Ok(())
        }
        match self.columns.get_mut(at).ok_or(NoRoom)? {
            Column::I8(all) => put(all, row, value),
            Column::I16(all) => put(all, row, value),
            Column::I32(all) => put(all, row, value),
        }
    }

    /// Sets the fact of all rows, by row. Where a value has no room the column is left at 0.
    pub fn fill(&mut self, fact: FactId, of: impl Fn(usize) -> i64) -> Result<(), NoRoom> {
        fn put<T: Lane>(
            all: &mut [T],
            input: &Input,
            of: impl Fn(usize) -> i64,
        ) -> Result<(), NoRoom> {
            let mut fits = true;
            for (row, cell) in all.iter_mut().enumerate() {
                let value = of(row);
                fits &= if input.truth {
                    (0..=1).contains(&value)
                } else {
                    (input.low..=input.high).contains(&value)
                };
                *cell = T::cut(if input.truth { 0i64.wrapping_sub(value) } else { value });
            }
            if fits {
                return Ok(());
            }
            all.fill(T::default());
            Err(NoRoom)
        }
        let (at, input) = self.input(fact)?;
        match self.columns.get_mut(at).ok_or(NoRoom)? {
            Column::I8(all) => put(all, &input, of),
            Column::I16(all) => put(all, &input, of),
            Column::I32(all) => put(all, &input, of),
        }
    }

    /// What is the same in all rows: the facts of the world and rulings that the program reads.
    pub fn constants(&self) -> impl Iterator<Item = Constant> {
        self.inputs.constants.iter().map(|(constant, ..)| *constant)
    }

    /// Sets what is the same in all rows.
    pub fn hold(&mut self, constant: Constant, value: i64) -> Result<(), NoRoom> {
        let of = self.inputs.constants.iter().position(|(c, ..)| *c == constant).ok_or(NoRoom)?;
        let (_, low, high) = self.inputs.constants.get_index(of).ok_or(NoRoom)?;
        let cell = self.constants.get_mut(of).ok_or(NoRoom)?;
        *cell = if (*low..=*high).contains(&value) { value } else { return Err(NoRoom) };
        Ok(())
    }

    /// Takes the facts of these things from a position, a row a thing, and what is the same in all
    /// rows with them.
    pub fn gather(&mut self, position: &Position<'_>, things: &[ThingRef]) -> Result<(), NoRoom> {
        self.resize(things.len());
        for at in 0..self.inputs.constants.len() {
            let Some((constant, ..)) = self.inputs.constants.get_index(at).copied() else {
                continue;
            };
            let value = match constant {
                Constant::World(fact) => cell(position, fact, ThingRef::World),
                Constant::Ruling(ruling) => {
                    i64::from(position.world.readings.get(ruling.index()).copied().unwrap_or(0))
                }
            };
            self.hold(constant, value)?;
        }
        let inputs = Arc::clone(&self.inputs);
        let lacks = |thing: &ThingRef| !position.has(*thing, inputs.said_of);
        self.lacking.clear();
        self.lacking.extend((0..).zip(things).filter(|(_, of)| lacks(of)).map(|(row, _)| row));
        for fact in &inputs.facts {
            for (row, thing) in things.iter().enumerate() {
                self.set(row, *fact, cell(position, *fact, *thing))?;
            }
        }
        Ok(())
    }
}

/// A value as the column of its fact holds it, if it can have it.
fn stored(input: &Input, value: i64) -> Result<i64, NoRoom> {
    match (input.truth, value) {
        (true, 0 | 1) => Ok(i64::from(mask(value == 1))),
        (false, _) if (input.low..=input.high).contains(&value) => Ok(value),
        _ => Err(NoRoom),
    }
}

/// What a column holds of a fact of a thing.
#[must_use]
pub fn cell(position: &Position<'_>, fact: FactId, of: ThingRef) -> i64 {
    code(position.fact(fact, Some(of)))
}

/// The value of a fact as one number.
fn code(value: Value) -> i64 {
    match value {
        Value::Truth(truth) => i64::from(truth),
        Value::Number(n) => n.to_integer(),
        Value::Word(word) => i64::from(word),
        Value::Thing(Some(ThingRef::Unit(at) | ThingRef::Space(at) | ThingRef::Link(at))) => {
            i64::from(at) + 1
        }
        Value::Thing(Some(ThingRef::Side(side))) => i64::from(side.0) + 1,
        Value::Thing(Some(ThingRef::World) | None) | Value::Barred => 0,
    }
}
