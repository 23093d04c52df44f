//! Some rows of a table as numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use arrow_array::RecordBatch;
use indexmap::IndexMap;

use super::cells::{Cell, Cells, Code, Known};
use super::names::{FactOf, Plan, Target};
use super::numbers::Place;
use super::start::Start;
use super::trouble::Trouble;
use crate::facade::{CellOf, OFF_MAP, cell_of_space};

/// Most rows of a column that are looked up together, and rows of the first block where not all
/// words are known: those after it find them known.
const BLOCK: usize = 256;
const FIRST: usize = 16;

/// Some rows of a table as numbers.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) start: usize,
    pub(super) rows: usize,
    /// Numbers of spaces, unit by unit one a row.
    pub(super) stands: Vec<u16>,
    /// Numbers of sides, space by space one a row; empty where no column says who controls what.
    pub(super) control: Vec<u8>,
    /// The facts that have columns.
    pub(super) facts: Vec<(CellOf, FactColumn)>,
    pub(super) troubles: BTreeMap<usize, Trouble>,
}

/// What a column says of a fact.
pub(super) enum FactColumn {
    /// in all rows the same
    Alike(i64),
    /// a cell a row
    Each(Vec<i64>),
}

impl FactColumn {
    fn at(&self, row: usize) -> Option<i64> {
        match self {
            FactColumn::Alike(value) => Some(*value),
            FactColumn::Each(all) => all.get(row).copied(),
        }
    }
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

/// Turns the words of a column into numbers, and writes them to their places; where no word may
/// stand, each is looked at by itself. A place without a number has a trouble.
fn fill<N: Place>(
    cells: &mut Cells<'_>,
    known: &Known,
    start: usize,
    (places, may_stand): (&mut [N], bool),
    mut number: impl FnMut(usize, Code<'_>) -> Option<N>,
) {
    let (mut first, mut block) = (0, if cells.knows_all() { BLOCK } else { FIRST });
    while first < places.len() {
        let places = places.get_mut(first..).unwrap_or_default();
        let most = block.min(places.len());
        let places = places.get_mut(..most).unwrap_or_default();
        if may_stand {
            cells.quick(start + first, places);
        } else {
            places.fill(N::UNKNOWN);
        }
        if !are_known(places) {
            let rows = (first..).zip(places).filter(|(_, place)| **place == N::UNKNOWN);
            for (row, place) in rows {
                if let Some(number) = number(row, cells.code(start + row, known)) {
                    *place = number;
                }
            }
        }
        first += block;
        block = (block * 2).min(BLOCK);
    }
}

/// Whether none has to be looked at by itself; without an early end, so that many are compared at
/// once.
fn are_known<N: Place>(places: &[N]) -> bool {
    places.iter().fold(true, |known, place| known & (*place != N::UNKNOWN))
}

/// A column of cells for each value, which are written where no column of the table says them.
fn unsaid<N: Copy>(all: &mut Vec<N>, values: &[N], said: &[usize], rows: usize) {
    let Some(any) = values.first() else { return all.clear() };
    all.resize(values.len() * rows, *any);
    let mut is_said = vec![false; values.len()];
    for at in said {
        if let Some(is_said) = is_said.get_mut(*at) {
            *is_said = true;
        }
    }
    for ((cells, value), said) in all.chunks_exact_mut(rows.max(1)).zip(values).zip(is_said) {
        if !said {
            cells.fill(*value);
        }
    }
}

impl Start {
    /// Reads some rows. A row with a trouble stands as `like` does, so that the others are asked
    /// together.
    pub(super) fn chunk(&self, columns: &mut [Column<'_>], start: usize, rows: usize) -> Chunk {
        let mut chunk = self.room(columns, start, rows);
        // What words came to in one column holds in the next of the same dictionary.
        let (mut of_spaces, mut of_sides): (Option<usize>, Option<usize>) = (None, None);
        for at in 0..columns.len() {
            let (earlier, rest) = columns.split_at_mut(at);
            let Some(Column { name, target, cells }) = rest.first_mut() else { break };
            let last = match target {
                Target::Stands(_) => &mut of_spaces,
                Target::Control(_) => &mut of_sides,
                Target::Fact(_) => continue,
            };
            if let Some(column) = last.replace(at).and_then(|at| earlier.get(at)) {
                cells.learn(&column.cells);
            }
            match target {
                Target::Stands(unit) => self.standing(&mut chunk, (name, *unit), cells),
                Target::Control(space) => self.controlled(&mut chunk, (name, *space), cells),
                Target::Fact(_) => {}
            }
        }
        for Column { name, target, cells } in columns.iter() {
            if let Target::Fact(fact) = target {
                self.said(&mut chunk, (name, fact), cells);
            }
        }
        self.as_like(&mut chunk);
        chunk
    }

    /// Room for some rows, with what no column says.
    fn room(&self, columns: &[Column<'_>], start: usize, rows: usize) -> Chunk {
        let mut chunk = Chunk { start, rows, ..self.idle().pop().unwrap_or_default() };
        let (mut units, mut spaces) = (Vec::new(), Vec::new());
        for column in columns {
            match column.target {
                Target::Stands(unit) => units.push(unit),
                Target::Control(space) => spaces.push(space),
                Target::Fact(_) => {}
            }
        }
        unsaid(&mut chunk.stands, &self.stands, &units, rows);
        // Without a column all have the control of the first position.
        let control = if spaces.is_empty() { &[][..] } else { &self.control };
        unsaid(&mut chunk.control, control, &spaces, rows);
        chunk
    }

    /// Keeps the room of a chunk for the next.
    pub(super) fn give_back(&self, chunk: Chunk) {
        let Chunk { stands, control, .. } = chunk;
        self.idle().push(Chunk { stands, control, ..Chunk::default() });
    }

    /// Makes rows with a trouble stand as `like` does.
    fn as_like(&self, chunk: &mut Chunk) {
        let Chunk { rows, troubles, stands, control, .. } = chunk;
        for row in troubles.keys() {
            let stands = stands.iter_mut().skip(*row).step_by(*rows);
            stands.zip(&self.stands).for_each(|(place, own)| *place = *own);
            let control = control.iter_mut().skip(*row).step_by(*rows);
            control.zip(&self.control).for_each(|(place, own)| *place = *own);
        }
    }

    /// Reads where a unit stands.
    fn standing(&self, chunk: &mut Chunk, (name, unit): (&str, usize), cells: &mut Cells<'_>) {
        let gone = self.removed.get(unit) == Some(&true);
        let Chunk { start, rows, stands, troubles, .. } = chunk;
        let places = stands.get_mut(unit * *rows..(unit + 1) * *rows).unwrap_or_default();
        fill(cells, &self.names.known_spaces, *start, (places, !gone), |row, code| {
            let trouble = match code {
                Code::Null => return Some(OFF_MAP),
                Code::Is(_) if gone => self.gone(unit),
                Code::Is(space) => return Some(space),
                Code::Unknown(word) => self.no_space(word),
                Code::Broken(why) => Trouble::cell(why),
            };
            troubles.entry(row).or_insert_with(|| trouble.at(name));
            None
        });
    }

    /// Reads who controls a space.
    fn controlled(&self, chunk: &mut Chunk, (name, space): (&str, usize), cells: &mut Cells<'_>) {
        let Chunk { start, rows, control, troubles, .. } = chunk;
        let places = control.get_mut(space * *rows..(space + 1) * *rows).unwrap_or_default();
        fill(cells, &self.names.known_sides, *start, (places, true), |row, code| {
            let trouble = match code {
                Code::Null => return Some(0),
                Code::Is(side) => return Some(u8::try_from(side).unwrap_or(0)),
                Code::Unknown(word) => self.no_side(word),
                Code::Broken(why) => Trouble::cell(why),
            };
            troubles.entry(row).or_insert_with(|| trouble.at(name));
            None
        });
    }

    /// Reads a fact.
    fn said(&self, chunk: &mut Chunk, (name, fact): (&str, &FactOf), cells: &Cells<'_>) {
        let own = fact.cell.map_or(0, |cell| self.like.cell(cell));
        let alike = cells.alike(chunk.start, chunk.rows);
        if let Some(Ok(value)) = alike.map(|cell| self.fact(name, fact, cell)) {
            chunk.facts.extend(fact.cell.map(|cell| (cell, FactColumn::Alike(value))));
            return;
        }
        let mut all = Vec::with_capacity(chunk.rows);
        // Neighbours often say the same.
        let mut last: Option<(Cell<'_>, i64)> = None;
        for row in 0..chunk.rows {
            let cell = cells.get(chunk.start + row);
            let found = match last {
                Some((before, value)) if before == cell => Ok(value),
                _ => self.fact(name, fact, cell),
            };
            all.push(match found {
                Ok(value) => {
                    last = Some((cell, value));
                    value
                }
                Err(trouble) => {
                    chunk.troubles.entry(row).or_insert_with(|| trouble.at(name));
                    own
                }
            });
        }
        chunk.facts.extend(fact.cell.map(|cell| (cell, FactColumn::Each(all))));
    }
}

impl Chunk {
    /// The facts of a row.
    pub(super) fn cells(&self, row: usize) -> Vec<(CellOf, i64)> {
        let cell = |(at, said): &(CellOf, FactColumn)| Some((*at, said.at(row)?));
        self.facts.iter().filter_map(cell).collect()
    }

    /// Where the units of a row stand.
    pub(super) fn stands_in(&self, row: usize) -> Vec<u16> {
        self.stands.iter().skip(row).step_by(self.rows.max(1)).copied().collect()
    }

    /// Who controls the spaces of a row; nothing where no column says it.
    pub(super) fn control_in(&self, row: usize) -> Vec<u8> {
        self.control.iter().skip(row).step_by(self.rows.max(1)).copied().collect()
    }

    /// The numbers of one unit or space in all rows.
    fn part<'n, N>(&self, all: &'n [N], at: usize) -> &'n [N] {
        all.get(at * self.rows..(at + 1) * self.rows).unwrap_or_default()
    }

    /// Where a unit stands in each row.
    pub(super) fn stands_of(&self, unit: usize) -> &[u16] {
        self.part(&self.stands, unit)
    }

    /// A cell of all rows; none where no column says it, so that all are like the first position.
    pub(super) fn column(&self, at: CellOf) -> Option<Cow<'_, [i64]>> {
        if let Some(unit) = at.stands() {
            return Some(self.stands_of(unit).iter().map(|space| cell_of_space(*space)).collect());
        }
        if let (Some(space), false) = (at.control(), self.control.is_empty()) {
            let all = self.part(&self.control, space);
            return Some(all.iter().map(|side| i64::from(*side)).collect());
        }
        let found = self.facts.iter().find(|(of, _)| *of == at);
        found.map(|(_, said)| match said {
            FactColumn::Alike(value) => Cow::Owned(vec![*value; self.rows]),
            FactColumn::Each(all) => Cow::Borrowed(all.as_slice()),
        })
    }

    /// The rows without a trouble, in groups that have the same in these cells.
    pub(super) fn alike(&self, cells: &[CellOf]) -> Vec<Vec<usize>> {
        let columns: Vec<_> = cells.iter().filter_map(|at| self.column(*at)).collect();
        self.grouped(&columns.iter().map(|all| &**all).collect::<Vec<_>>())
    }

    /// The rows without a trouble, in groups that have the same facts.
    pub(super) fn alike_in_facts(&self) -> Vec<Vec<usize>> {
        let each = self.facts.iter().filter_map(|(_, said)| match said {
            FactColumn::Alike(_) => None,
            FactColumn::Each(all) => Some(all.as_slice()),
        });
        self.grouped(&each.collect::<Vec<_>>())
    }

    fn grouped(&self, columns: &[&[i64]]) -> Vec<Vec<usize>> {
        let mut groups: IndexMap<Vec<i64>, Vec<usize>> = IndexMap::new();
        let mut last: Option<(usize, usize)> = None;
        for row in self.good() {
            // Neighbours often have the same, which is seen without a hash.
            let same = |before: usize| columns.iter().all(|all| all.get(before) == all.get(row));
            let at = last.filter(|(before, _)| same(*before)).map(|(_, at)| at);
            let at = at.unwrap_or_else(|| {
                let own = columns.iter().filter_map(|all| all.get(row).copied()).collect();
                let entry = groups.entry(own);
                let at = entry.index();
                entry.or_default();
                at
            });
            if let Some((_, group)) = groups.get_index_mut(at) {
                group.push(row);
            }
            last = Some((row, at));
        }
        groups.into_values().collect()
    }

    /// The rows without a trouble.
    pub(super) fn good(&self) -> Vec<usize> {
        (0..self.rows).filter(|row| !self.troubles.contains_key(row)).collect()
    }
}
