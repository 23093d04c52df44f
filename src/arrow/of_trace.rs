//! A trace asked of rows: a truth for each thing, and the length of its line.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_schema::{DataType, Field};
use rustc_hash::FxHashMap;

use super::asked::Ask;
use super::chunk::{Chunk, FactColumn};
use super::column::{Bits as Truths, Column, put};
use super::start::Start;
use super::trouble::Trouble;
use super::written::Sheet;
use crate::facade::{
    Batch, Bits, CellOf, ColumnTable, Differing, Faults, OFF_MAP, Rows, Table, Thing, Trace,
    off_map,
};

/// Fewer rows with the same facts than these are not worth a preparation of their own.
const FEW: usize = 64;
/// Sets of facts with a preparation of their own that are kept.
const MOST_KEPT: usize = 1024;
/// Positions that are held at once where rows cannot be asked as a table.
const TOGETHER: usize = 512;

/// A trace prepared for rows.
pub(super) struct OfTrace {
    trace: Trace,
    name: String,
    lengths: bool,
    /// Nothing where there are no units, so that a table would have no rows.
    rows: Option<Rows>,
    batch: Batch,
    things: Vec<Thing>,
    ids: Vec<String>,
    thing_at: FxHashMap<Thing, usize>,
    /// What was prepared for rows of the same facts; nothing where they cannot be asked as a table.
    prepared: Mutex<FxHashMap<Facts, Option<Arc<Rows>>>>,
}

/// The facts that rows have alike, and those in which they differ.
type Facts = (Vec<(CellOf, i64)>, Vec<CellOf>);

impl OfTrace {
    pub(super) fn new(start: &Start, trace: Trace, lengths: bool) -> Result<OfTrace, Faults> {
        let like = &start.like;
        // First, for it refuses maps whose spaces no row can number.
        let (all_rows, batch) = (like.rows(trace)?, like.game().batch(trace));
        let rows = (!start.stands.is_empty()).then_some(all_rows);
        let things: Vec<Thing> = match &rows {
            // With all units off the map nothing fails that would not fail in every row.
            Some(rows) => {
                let nowhere = vec![OFF_MAP; start.stands.len()];
                rows.ask(&Table { stands: &nowhere, control: &[] })?.things().to_vec()
            }
            None => like.all_yes(trace)?.into_iter().map(|(thing, _)| thing).collect(),
        };
        let ids = things.iter().map(|thing| like.name(*thing)).collect();
        let thing_at = things.iter().copied().zip(0..).collect();
        let name = like.game().traces().nth(usize::from(trace.0)).unwrap_or_default().to_owned();
        let prepared = Mutex::default();
        Ok(OfTrace { trace, name, lengths, rows, batch, things, ids, thing_at, prepared })
    }

    /// The columns of a thing: its truths, those that are known, and its lengths.
    fn columns<'s>(&self, sheet: &'s mut Sheet, nth: usize) -> Option<Columns<'s>> {
        let width = if self.lengths { 2 } else { 1 };
        match sheet.columns.get_mut(nth * width..(nth + 1) * width)? {
            [Column::Truth { yes, known }] => Some((yes, known, None)),
            [Column::Truth { yes, known }, Column::Length(all)] => Some((yes, known, Some(all))),
            _ => None,
        }
    }
}

type Columns<'s> = (&'s mut Truths, &'s mut Truths, Option<&'s mut Vec<Option<u32>>>);

impl Ask for OfTrace {
    fn about(&self) -> (&'static str, &str) {
        ("sutler.trace", &self.name)
    }

    fn ids(&self) -> &[String] {
        &self.ids
    }

    fn fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        for id in &self.ids {
            fields.push(Field::new(format!("{id}.yes"), DataType::Boolean, true));
            if self.lengths {
                fields.push(Field::new(format!("{id}.length"), DataType::UInt32, true));
            }
        }
        fields
    }

    fn ask(&self, start: &Start, sheet: &mut Sheet, chunk: &mut Chunk) {
        self.on_map(sheet, chunk);
        let good = chunk.good();
        if self.lengths {
            self.one_by_one(start, sheet, chunk, &good);
        } else if let Some(bits) = self.by_columns(start, chunk) {
            self.copy(sheet, chunk.start, &bits);
        } else {
            self.by_facts(start, sheet, chunk, good);
        }
    }
}

impl OfTrace {
    /// Marks what can have an answer: all spaces, and the units that stand on the map.
    fn on_map(&self, sheet: &mut Sheet, chunk: &Chunk) {
        for (nth, thing) in self.things.iter().enumerate() {
            let Some((_, known, _)) = self.columns(sheet, nth) else { continue };
            let Some(words) = known.words(chunk.start, chunk.rows.div_ceil(64)) else { continue };
            words.fill(u64::MAX);
            let Thing::Unit(unit) = thing else { continue };
            let stands = chunk.stands_of(usize::try_from(unit.0).unwrap_or(usize::MAX));
            for (word, stands) in words.iter_mut().zip(stands.chunks(64)) {
                *word = !off_map(stands);
            }
        }
    }

    /// Says yes of a thing.
    fn say(&self, sheet: &mut Sheet, thing: Thing, row: usize) {
        let nth = self.thing_at.get(&thing);
        if let Some((yes, ..)) = nth.and_then(|nth| self.columns(sheet, *nth)) {
            yes.set(row);
        }
    }

    /// Takes the answers of a table, 64 rows a word.
    fn copy(&self, sheet: &mut Sheet, start: usize, bits: &Bits) {
        for (nth, thing) in bits.things().iter().enumerate() {
            let words = bits.of(nth);
            let columns = self.thing_at.get(thing).and_then(|at| self.columns(sheet, *at));
            if let Some(place) = columns.and_then(|(yes, ..)| yes.words(start, words.len())) {
                place.copy_from_slice(words);
            }
        }
    }

    /// The answers of all rows as columns; nothing where rows differ in more than where units
    /// stand, who controls what and facts of units, where they are too few for a preparation, or
    /// where the trace cannot be asked so.
    fn by_columns(&self, start: &Start, chunk: &Chunk) -> Option<Bits> {
        let (mut alike, mut each) = (Vec::new(), Vec::new());
        for (at, said) in &chunk.facts {
            match said {
                FactColumn::Alike(value) => alike.push((*at, *value)),
                FactColumn::Each(all) => each.push((*at, all.as_slice())),
            }
        }
        let prepared;
        let rows = match (&self.rows, chunk.facts.is_empty()) {
            (Some(rows), true) => rows,
            (Some(_), false) if chunk.rows >= FEW => {
                let varying = each.iter().map(|(at, _)| *at).collect();
                prepared = self.prepared(start, alike, varying)?;
                &*prepared
            }
            _ => return None,
        };
        rows.ask_columns(&ColumnTable {
            positions: chunk.rows,
            stands: &chunk.stands,
            control: &chunk.control,
            facts: &each,
        })
    }

    /// Rows with the same facts are asked as a table where they are many.
    fn by_facts(&self, start: &Start, sheet: &mut Sheet, chunk: &mut Chunk, good: Vec<usize>) {
        if self.rows.is_none() {
            return self.together(start, sheet, chunk, &good);
        }
        let mut rest = Vec::new();
        for rows in chunk.alike_in_facts() {
            let Some(bits) = self.group(start, chunk, &rows) else {
                rest.extend(rows);
                continue;
            };
            for (nth, thing) in bits.things().iter().enumerate() {
                for (place, row) in rows.iter().enumerate() {
                    if bits.is_yes(place, nth) {
                        self.say(sheet, *thing, chunk.start + row);
                    }
                }
            }
        }
        rest.sort_unstable();
        self.together(start, sheet, chunk, &rest);
    }

    /// The answers of rows that share their facts; nothing where they are few, or cannot be asked so.
    fn group(&self, start: &Start, chunk: &Chunk, rows: &[usize]) -> Option<Bits> {
        if rows.len() < FEW {
            return None;
        }
        let prepared = self.prepared(start, chunk.cells(*rows.first()?), Vec::new())?;
        let stands: Vec<u16> = rows.iter().flat_map(|row| chunk.stands_in(*row)).collect();
        let control: Vec<u8> = rows.iter().flat_map(|row| chunk.control_in(*row)).collect();
        prepared.ask(&Table { stands: &stands, control: &control }).ok()
    }

    /// The trace prepared for rows that have these cells, and differ in others.
    fn prepared(
        &self,
        start: &Start,
        cells: Vec<(CellOf, i64)>,
        varying: Vec<CellOf>,
    ) -> Option<Arc<Rows>> {
        let lock = || self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let facts = (cells, varying);
        if let Some(known) = lock().get(&facts) {
            return known.clone();
        }
        let (stands, control) = (&start.stands, &start.control);
        let differing = Differing { stands, control, cells: &facts.0 };
        let like = start.like.with_differing(&differing);
        let rows = like.rows_varying(self.trace, &facts.1).ok().map(Arc::new);
        let mut kept = lock();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(facts, rows.clone());
        rows
    }

    /// Rows as positions, some hundreds at once.
    fn together(&self, start: &Start, sheet: &mut Sheet, chunk: &mut Chunk, rows: &[usize]) {
        for rows in rows.chunks(TOGETHER) {
            let positions: Vec<_> = rows.iter().map(|row| start.placed(chunk, *row)).collect();
            for (row, found) in rows.iter().copied().zip(self.batch.ask(&positions)) {
                match found {
                    Ok(all) => {
                        for (thing, _) in all.into_iter().filter(|(_, yes)| *yes) {
                            self.say(sheet, thing, chunk.start + row);
                        }
                    }
                    Err(faults) => {
                        chunk.troubles.insert(row, Trouble::of(&faults));
                    }
                }
            }
        }
    }

    /// Rows one after another, with the lengths of their lines.
    fn one_by_one(&self, start: &Start, sheet: &mut Sheet, chunk: &mut Chunk, rows: &[usize]) {
        for row in rows {
            let found = match start.placed(chunk, *row).evidence(self.trace) {
                Ok(found) => found,
                Err(faults) => {
                    chunk.troubles.insert(*row, Trouble::of(&faults));
                    continue;
                }
            };
            let place = chunk.start + row;
            for answer in found {
                let nth = self.thing_at.get(&answer.thing);
                let columns = nth.and_then(|nth| self.columns(sheet, *nth));
                let Some((yes, _, lengths)) = columns else { continue };
                if answer.yes {
                    yes.set(place);
                }
                if let Some(all) = lengths {
                    put(all, place, answer.distance);
                }
            }
        }
    }
}
