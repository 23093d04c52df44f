//! Positions as a program keeps them, many at once: a row of numbers each.

use crate::arrange::Arrange as _;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::cells::CellOf;
use super::reach_rows::ReachSeries;
use super::{Faults, Position, Thing, Trace, names};
use crate::ir::FactId;
use crate::kernel::{
    Compiled, Flags, Kernel, PositionColumns, RowScratch, Rows as KernelRows, Series, SeriesState,
};
use crate::world::{ThingRef, World, built_in};

/// Off the map, in a row of [`Table::stands`].
pub const OFF_MAP: u16 = u16::MAX;

/// Many positions of one game as two tables of numbers.
#[derive(Debug, Clone, Copy)]
pub struct Table<'t> {
    /// Where the units stand: a row a position, a number a unit in the order of
    /// [`Position::units`]. A number is the place of a space, [`OFF_MAP`] off the map.
    pub stands: &'t [u16],
    /// Who controls the spaces: a row a position, a number a space in the order of
    /// [`Position::spaces`]. A number is the place of a side and 1, and 0 is nobody. Empty where
    /// all positions have the control of the first.
    pub control: &'t [u8],
}

/// Many positions of one game as columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnTable<'t> {
    /// How many positions there are.
    pub(crate) positions: usize,
    /// As [`Table::stands`], but unit by unit a number a position.
    pub(crate) stands: &'t [u16],
    /// As [`Table::control`], but space by space a number a position.
    pub(crate) control: &'t [u8],
    /// Cells that differ, a value a position.
    pub(crate) facts: &'t [(CellOf, &'t [i64])],
}

/// A trace asked of positions that differ in where units stand and who controls what; in all else
/// they are like one position. Threads may share it.
pub struct Rows {
    pub(super) like: Position,
    pub(super) trace: Trace,
    /// Facts of units that columns may say.
    varying: Vec<FactId>,
    compiled: OnceLock<Option<std::sync::Arc<Compiled>>>,
    idle: Mutex<Vec<Room>>,
    /// What follows from row to row for [`Rows::reach`].
    pub(super) followed: Mutex<Vec<ReachSeries>>,
}

/// What a question works with, kept for the next.
struct Room {
    scratch: RowScratch,
    flags: Flags,
    series: SeriesState,
}

impl Room {
    /// The answers that were asked last.
    fn bits(&self, kernel: &Kernel<'_>, positions: usize) -> Bits {
        let numbers = self.flags.units().iter();
        let things: Vec<Thing> = numbers.filter_map(|u| Thing::of(kernel.thing(*u))).collect();
        let mut words = Vec::with_capacity(things.len() * positions.div_ceil(64));
        (0..things.len()).for_each(|nth| words.extend_from_slice(self.flags.words(nth)));
        Bits { things, positions, words }
    }
}

/// Answers of many positions: yes or no for each thing and each position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bits {
    things: Vec<Thing>,
    positions: usize,
    /// For each thing so many words, a bit a position.
    words: Vec<u64>,
}

impl Bits {
    fn new(things: Vec<Thing>, positions: usize) -> Bits {
        let words = vec![0; things.len() * positions.div_ceil(64)];
        Bits { things, positions, words }
    }

    /// What was asked: all units of the trace, or all spaces.
    #[must_use]
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// How many positions were asked.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Whether the answer for the nth thing is yes; a unit off the map has a no.
    #[must_use]
    pub fn is_yes(&self, position: usize, nth: usize) -> bool {
        let word = self.of(nth).get(position / 64);
        position < self.positions && word.is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    /// The answers for the nth thing, 64 positions a word; bits after the last position are 0.
    #[must_use]
    pub fn of(&self, nth: usize) -> &[u64] {
        let lanes = self.positions.div_ceil(64);
        let start = nth.saturating_mul(lanes);
        self.words.get(start..start.saturating_add(lanes)).unwrap_or_default()
    }

    /// Units off the map have a no.
    fn clear_off_map(&mut self, columns: &PositionColumns<'_>) {
        let lanes = self.positions.div_ceil(64);
        for (thing, words) in self.things.iter().zip(self.words.chunks_mut(lanes.max(1))) {
            let Thing::Unit(unit) = thing else { continue };
            let first = unit.0 as usize * columns.positions;
            let stands = columns.stands.get(first..first + columns.positions).unwrap_or_default();
            for (word, stands) in words.iter_mut().zip(stands.chunks(64)) {
                *word &= !off_map(stands);
            }
        }
    }

    fn set(&mut self, position: usize, nth: usize, yes: bool) {
        let at = nth * self.positions.div_ceil(64) + position / 64;
        if let Some(word) = self.words.get_mut(at) {
            let bit = 1 << (position % 64);
            *word = if yes { *word | bit } else { *word & !bit };
        }
    }
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").field("like", &self.like).field("trace", &self.trace).finish()
    }
}

impl Position {
    /// A trace asked of many positions that are like this one but for where units stand and who
    /// controls what.
    ///
    /// # Errors
    ///
    /// What [`Position::all_yes`] refuses, and a map with more spaces than a number of a row has
    /// values.
    pub fn rows(&self, trace: Trace) -> Result<Rows, Faults> {
        self.rows_varying(trace, &[])
    }

    /// The same of positions as columns that differ in some cells too.
    pub(crate) fn rows_varying(&self, trace: Trace, cells: &[CellOf]) -> Result<Rows, Faults> {
        self.can_ask(trace)?;
        let mut varying: Vec<FactId> = cells.iter().map(|at| at.fact).collect();
        varying.arrange();
        varying.dedup();
        if self.spaces().count() >= usize::from(OFF_MAP) {
            return Err(names::absent(
                "a row holds the numbers of 65,534 spaces, and the map has more",
                "ask the positions one by one",
            ));
        }
        let (compiled, idle, followed) = (OnceLock::new(), Mutex::default(), Mutex::default());
        Ok(Rows { like: self.clone(), trace, varying, compiled, idle, followed })
    }
}

impl Rows {
    /// The answers of all positions of a table.
    ///
    /// # Errors
    ///
    /// Rows that do not fill the table, numbers that are no space's and no side's, and what cannot
    /// be worked out.
    pub fn ask(&self, table: &Table<'_>) -> Result<Bits, Faults> {
        let table = self.checked(table)?;
        let mut room = self.room();
        let found = match self.together(&table, &mut room) {
            Some(found) => Ok(found),
            None => {
                let series =
                    std::mem::replace(&mut room.series, SeriesState::new(self.trace.inner()));
                let mut series = Series::resumed(self.like.game().rules(), series);
                let found = self.one_by_one(&table, &mut series);
                room.series = series.into_state();
                found
            }
        };
        self.idle().push(room);
        found
    }

    /// All positions at once on planes; nothing where the trace cannot be asked so.
    fn together(&self, table: &Checked<'_>, room: &mut Room) -> Option<Bits> {
        let kernel = self.kernel()?;
        kernel.row_flags(table, &mut room.scratch, &mut room.flags).ok()?;
        let mut bits = room.bits(&kernel, table.positions);
        let of_units = bits.things.iter().all(|thing| matches!(thing, Thing::Unit(_)));
        let off = |row: &&[u16]| of_units && row.contains(&OFF_MAP);
        for (position, row) in table.rows().enumerate().filter(|(_, row)| off(row)) {
            for (nth, unit) in room.flags.units().iter().enumerate() {
                if row.get(*unit as usize) == Some(&OFF_MAP) {
                    bits.set(position, nth, false);
                }
            }
        }
        Some(bits)
    }

    /// The same of positions as columns; nothing where the trace cannot be asked so, or a fact has
    /// a value that it cannot have.
    pub(crate) fn ask_columns(&self, table: &ColumnTable<'_>) -> Option<Bits> {
        let ColumnTable { positions, stands, control, facts } = *table;
        let mut of_units = Vec::with_capacity(facts.len());
        for (at, all) in facts {
            of_units.push((at.fact, at.unit()?, *all));
        }
        let columns = &PositionColumns { positions, stands, control, facts: &of_units };
        let kernel = self.kernel()?;
        let mut room = self.room();
        let asked = kernel.column_flags(columns, &mut room.scratch, &mut room.flags);
        let bits = asked.is_ok().then(|| {
            let mut bits = room.bits(&kernel, columns.positions);
            bits.clear_off_map(columns);
            bits
        });
        self.idle().push(room);
        bits
    }

    /// The kernel that asks positions on planes; nothing where the trace cannot be asked so.
    fn kernel(&self) -> Option<Kernel<'_>> {
        let (rules, world) = (self.like.game().rules(), self.like.world());
        let made = self.compiled.get_or_init(|| {
            let kernel = Kernel::compile(rules, world, self.trace.inner(), &self.varying).ok();
            kernel.filter(Kernel::is_whole).map(|kernel| kernel.made())
        });
        Some(Kernel::resumed(rules, std::sync::Arc::clone(made.as_ref()?)))
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Room>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn room(&self) -> Room {
        let waiting = self.idle().pop();
        waiting.unwrap_or_else(|| Room {
            scratch: RowScratch::default(),
            flags: Flags::default(),
            series: SeriesState::new(self.trace.inner()),
        })
    }

    /// Each position by itself.
    fn one_by_one(&self, table: &Checked<'_>, series: &mut Series<'_>) -> Result<Bits, Faults> {
        let mut bits = Bits::new(self.things(), table.positions);
        let mut world = self.like.world().clone();
        for position in 0..table.positions {
            table.write(position, &mut world);
            let answers = series.ask(&[&world]).pop().unwrap_or(Ok(Vec::new()));
            let answers = answers.map_err(|fault| self.like.game().broken(fault))?;
            // The things of a position stand in the order of all things.
            let mut nth = 0;
            for (thing, yes) in answers {
                let thing = Thing::of(thing);
                let all = bits.things.iter().skip(nth);
                nth += all.take_while(|t| Some(**t) != thing).count();
                bits.set(position, nth, yes);
            }
        }
        Ok(bits)
    }

    /// All that the trace is about, wherever it stands.
    pub(super) fn things(&self) -> Vec<Thing> {
        let (rules, world) = (self.like.game().rules(), self.like.world());
        let Some(trace) = rules.traces.get(self.trace.inner().index()) else { return Vec::new() };
        let units = (0u32..).zip(&world.units).map(|(u, unit)| (ThingRef::Unit(u), unit.kind));
        let map = rules.maps.get(world.map.index());
        let spaces = map.map_or(&[][..], |m| &m.spaces);
        let spaces = (0u32..).zip(spaces).map(|(s, space)| (ThingRef::Space(s), space.kind));
        let all = units.chain(spaces).filter(|(_, kind)| rules.is_kind(*kind, trace.of));
        all.filter_map(|(thing, _)| Thing::of(thing)).collect()
    }

    /// A table whose rows are whole and whose numbers are there.
    pub(super) fn checked<'t>(&self, table: &Table<'t>) -> Result<Checked<'t>, Faults> {
        let (rules, world) = (self.like.game().rules(), self.like.world());
        let (units, spaces) = (world.units.len(), self.like.spaces().count());
        let refuse = |message: &str| {
            Err(names::absent(message, "give each position a whole row, of numbers that are there"))
        };
        let positions = table.stands.len().checked_div(units).unwrap_or(0);
        if positions * units != table.stands.len() {
            return refuse(&format!(
                "a row of `stands` has {units} numbers, and the last is not whole"
            ));
        }
        if !table.control.is_empty() && table.control.len() != positions * spaces {
            return refuse(&format!(
                "a row of `control` has {spaces} numbers, and there are {positions} positions"
            ));
        }
        let far = |s: &&u16| usize::from(**s) >= spaces && **s != OFF_MAP;
        if let Some(space) = table.stands.iter().find(far) {
            return refuse(&format!("there is no space of the number {space}"));
        }
        let far = |s: &&u8| usize::from(**s) > rules.sides.len();
        if let Some(side) = table.control.iter().find(far) {
            return refuse(&format!("there is no side for the number {side} of a row"));
        }
        let own = (0..u32::try_from(spaces).unwrap_or(0)).map(|s| world.control(s));
        let own = own.map(|side| side.map_or(0, |side| side.0 + 1)).collect();
        Ok(Checked { stands: table.stands, control: table.control, own, units, spaces, positions })
    }
}

/// Of at most 64 positions of a unit those in which it is off the map, a bit each.
pub(crate) fn off_map(stands: &[u16]) -> u64 {
    stands.iter().rev().fold(0, |word, space| word << 1 | u64::from(*space == OFF_MAP))
}

/// What a position holds for a number of [`Table::stands`].
pub(crate) fn cell_of_space(space: u16) -> i64 {
    if space == OFF_MAP { 0 } else { i64::from(space) + 1 }
}

/// Puts the units where a row says that they stand.
pub(super) fn write_stands(world: &mut World, row: &[u16]) {
    for (unit, space) in (0u32..).zip(row) {
        if let Some(cell) = world.row_mut(unit).get_mut(built_in::SPACE.index()) {
            *cell = cell_of_space(*space);
        }
    }
}

/// A table that fits its game.
pub(super) struct Checked<'t> {
    stands: &'t [u16],
    control: &'t [u8],
    /// The control that all positions have where the table says none.
    own: Vec<u8>,
    units: usize,
    spaces: usize,
    positions: usize,
}

impl Checked<'_> {
    fn rows(&self) -> impl Iterator<Item = &[u16]> {
        self.stands.chunks(self.units.max(1))
    }

    /// Makes a world that was cloned from the first into one of the positions.
    pub(super) fn write(&self, position: usize, world: &mut World) {
        write_stands(world, self.spaces(position));
        let slots = world.space_slots.max(1);
        for (row, side) in
            world.space_facts.chunks_mut(slots).zip(KernelRows::control(self, position))
        {
            if let Some(cell) = row.first_mut() {
                *cell = i64::from(*side);
            }
        }
    }
}

impl KernelRows for Checked<'_> {
    type Cell = u16;

    fn positions(&self) -> usize {
        self.positions
    }

    fn spaces(&self, position: usize) -> &[u16] {
        let start = position * self.units;
        self.stands.get(start..start + self.units).unwrap_or_default()
    }

    fn control(&self, position: usize) -> &[u8] {
        let start = position * self.spaces;
        self.control
            .get(start..start + self.spaces)
            .filter(|row| !row.is_empty())
            .unwrap_or(&self.own)
    }
}
