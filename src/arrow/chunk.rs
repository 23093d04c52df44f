//! Some rows of a table as numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::RecordBatch;

use super::cells::{Cells, Code, Known};
use super::names::{FactOf, Plan, Target};
use super::start::{Start, Stated, Variant, value};
use super::trouble::Trouble;
use crate::facade::OFF_MAP;

/// Rows of a column whose words are looked up together; those after them find them known.
const BLOCK: usize = 256;

/// Some rows of a table as numbers.
pub(super) struct Chunk {
    pub(super) start: usize,
    pub(super) rows: usize,
    /// A row of numbers of spaces after the other, each as long as there are units.
    pub(super) stands: Vec<u16>,
    /// Numbers of sides, each row as long as there are spaces; empty where no column says who
    /// controls what.
    pub(super) control: Vec<u8>,
    /// Empty where no column is a fact.
    pub(super) variants: Vec<Option<Arc<Variant>>>,
    pub(super) troubles: BTreeMap<usize, Trouble>,
}

/// A column of a table that is part of a position.
pub(super) struct Column<'t> {
    name: &'t str,
    target: Target,
    cells: Cells<'t>,
}

/// The columns of a table that are part of a position.
pub(super) fn columns<'t>(table: &'t RecordBatch, plan: &Plan) -> Vec<Column<'t>> {
    let fields = table.schema_ref().fields();
    let columns = plan.positions.iter().filter_map(|(at, target)| {
        let cells = Cells::of(table.columns().get(*at)?.as_ref())?;
        Some(Column { name: fields.get(*at)?.name(), target: target.clone(), cells })
    });
    columns.collect()
}

/// Turns the words of a column into numbers, and writes them to their places.
fn fill<'p, N: 'p>(
    cells: &mut Cells<'_>,
    known: &Known,
    (start, rows): (usize, usize),
    mut places: impl Iterator<Item = &'p mut N>,
    mut number: impl FnMut(usize, Code<'_>) -> Option<N>,
) {
    let mut codes = [0; BLOCK];
    for first in (0..rows).step_by(BLOCK) {
        let codes = codes.get_mut(..BLOCK.min(rows - first)).unwrap_or_default();
        cells.quick(start + first, codes);
        for ((row, quick), place) in (first..).zip(&*codes).zip(places.by_ref()) {
            let code = match *quick {
                0 => cells.code(start + row, known),
                quick => Code::Is(u16::try_from(quick - 1).unwrap_or(u16::MAX)),
            };
            if let Some(number) = number(row, code) {
                *place = number;
            }
        }
    }
}

impl Start {
    /// Reads some rows. A row with a trouble stands as `like` does, so that the others are asked
    /// together.
    pub(super) fn chunk(&self, columns: &mut [Column<'_>], start: usize, rows: usize) -> Chunk {
        let (units, spaces) = (self.stands.len(), self.control.len());
        let controlled = columns.iter().any(|column| matches!(column.target, Target::Control(_)));
        let mut chunk = Chunk {
            start,
            rows,
            stands: self.stands.repeat(rows),
            control: if controlled { self.control.repeat(rows) } else { Vec::new() },
            variants: Vec::new(),
            troubles: BTreeMap::new(),
        };
        for Column { name, target, cells } in columns.iter_mut() {
            match target {
                Target::Stands(unit) => self.standing(&mut chunk, (name, *unit), cells),
                Target::Control(space) => self.controlled(&mut chunk, (name, *space), cells),
                Target::Fact(_) => {}
            }
        }
        self.facts(columns, &mut chunk);
        for row in chunk.troubles.keys() {
            if let Some(place) = chunk.stands.get_mut(row * units..(row + 1) * units) {
                place.copy_from_slice(&self.stands);
            }
            if let Some(place) = chunk.control.get_mut(row * spaces..(row + 1) * spaces) {
                place.copy_from_slice(&self.control);
            }
        }
        chunk
    }

    /// Reads where a unit stands.
    fn standing(&self, chunk: &mut Chunk, (name, unit): (&str, usize), cells: &mut Cells<'_>) {
        let gone = self.removed.get(unit) == Some(&true);
        let places = chunk.stands.iter_mut().skip(unit).step_by(self.stands.len());
        let rows = (chunk.start, chunk.rows);
        fill(cells, &self.names.known_spaces, rows, places, |row, code| {
            let trouble = match code {
                Code::Null => return Some(OFF_MAP),
                Code::Is(_) if gone => self.gone(unit),
                Code::Is(space) => return Some(space),
                Code::Unknown(word) => self.no_space(word),
                Code::Broken(why) => Trouble::cell(why),
            };
            chunk.troubles.entry(row).or_insert_with(|| trouble.at(name));
            None
        });
    }

    /// Reads who controls a space.
    fn controlled(&self, chunk: &mut Chunk, (name, space): (&str, usize), cells: &mut Cells<'_>) {
        let places = chunk.control.iter_mut().skip(space).step_by(self.control.len());
        let rows = (chunk.start, chunk.rows);
        fill(cells, &self.names.known_sides, rows, places, |row, code| {
            let trouble = match code {
                Code::Null => return Some(0),
                Code::Is(side) => return Some(u8::try_from(side).unwrap_or(0)),
                Code::Unknown(word) => self.no_side(word),
                Code::Broken(why) => Trouble::cell(why),
            };
            chunk.troubles.entry(row).or_insert_with(|| trouble.at(name));
            None
        });
    }

    /// Finds for each row the position that has its facts.
    fn facts(&self, columns: &[Column<'_>], chunk: &mut Chunk) {
        let facts = columns.iter().filter_map(|column| match &column.target {
            Target::Fact(fact) => Some((column.name, fact, &column.cells)),
            _ => None,
        });
        let facts: Vec<(&str, &FactOf, &Cells<'_>)> = facts.collect();
        if facts.is_empty() {
            return;
        }
        for row in 0..chunk.rows {
            let mut found = None;
            if !chunk.troubles.contains_key(&row) {
                let all = facts.iter().map(|(name, fact, cells)| {
                    let value = value(cells.get(chunk.start + row)).map_err(|t| t.at(name))?;
                    Ok((*name, *fact, value))
                });
                let all: Result<Vec<Stated<'_>>, Trouble> = all.collect();
                let variant = all.map(|all| self.variant(&all)).and_then(|variant| {
                    variant.position.as_ref().map_err(Clone::clone)?;
                    Ok(variant)
                });
                match variant {
                    Ok(variant) => found = Some(variant),
                    Err(trouble) => {
                        chunk.troubles.insert(row, trouble);
                    }
                }
            }
            chunk.variants.push(found);
        }
    }
}

impl Chunk {
    /// The rows without a trouble.
    pub(super) fn good(&self) -> Vec<usize> {
        (0..self.rows).filter(|row| !self.troubles.contains_key(row)).collect()
    }
}
