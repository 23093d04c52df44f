//! Rows of a table asked together, and what came of each.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow_array::builder::{StringBuilder, UInt64Builder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, PrimitiveArray, RecordBatch, RecordBatchOptions,
    StringArray, StructArray, UInt32Array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use sutler::{Batch, Bits, Faults, OFF_MAP, Rows, Space, Table, Thing, Trace, Unit};

use super::cells::{Cell, Cells, Code};
use super::columns::{FactOf, Names, Plan, Target, call, words};
use crate::refused::Refusal;

/// Rows that are read at once, at most.
const CHUNK: usize = 4096;
/// Numbers that are held at once; rows with more are read in chunks of the 64 of a word of answers.
const MOST_NUMBERS: usize = 1 << 22;
/// Rows of a column whose words are looked up together; those after them find them known.
const BLOCK: usize = 256;
/// Fewer rows with the same facts than these are not worth a preparation of their own.
const FEW: usize = 64;
/// Positions that are held at once where rows cannot be asked as a table.
const TOGETHER: usize = 512;
/// Sets of facts that are kept for the next question.
const MOST_VARIANTS: usize = 1024;

/// A trace prepared for rows.
pub struct Asked {
    like: sutler::Position,
    trace: Trace,
    lengths: bool,
    names: Names,
    /// Nothing where there are no units, so that a table would have no rows.
    rows: Option<Rows>,
    batch: Batch,
    things: Vec<Thing>,
    ids: Vec<String>,
    thing_at: FxHashMap<Thing, usize>,
    /// What the rows say that say nothing.
    stands: Vec<u16>,
    control: Vec<u8>,
    removed: Vec<bool>,
    base: Value,
    variants: Mutex<FxHashMap<String, Arc<Variant>>>,
}

/// The position with some facts, or why there is none.
struct Variant {
    position: Result<sutler::Position, Trouble>,
    rows: OnceLock<Option<Rows>>,
}

/// Why a row has no answer.
#[derive(Debug, Clone, Default)]
struct Trouble {
    column: Option<String>,
    code: Option<String>,
    message: String,
}

impl Trouble {
    fn of(faults: &Faults) -> Trouble {
        let Some(fault) = faults.first() else { return Trouble::default() };
        let mut message = fault.message.clone();
        if let Some(help) = &fault.help {
            message.push_str("; ");
            message.push_str(help);
        }
        Trouble { column: None, code: Some(fault.code.to_owned()), message }
    }

    fn bare(message: impl Into<String>) -> Trouble {
        Trouble { column: None, code: None, message: message.into() }
    }

    fn at(self, column: &str) -> Trouble {
        Trouble { column: Some(column.to_owned()), ..self }
    }
}

/// Some rows of a table as numbers.
struct Chunk {
    start: usize,
    stands: Vec<u16>,
    /// Empty where no column says who controls what.
    control: Vec<u8>,
    /// Empty where no column is a fact.
    variants: Vec<Option<Arc<Variant>>>,
    troubles: BTreeMap<usize, Trouble>,
    rows: usize,
}

/// The answers of a table: for each thing a bit a row.
struct Sheet {
    rows: usize,
    yes: Vec<Vec<u64>>,
    valid: Vec<Vec<u64>>,
    lengths: Vec<Vec<Option<u32>>>,
    troubles: BTreeMap<usize, Trouble>,
}

fn set(words: &mut [u64], at: usize) {
    if let Some(word) = words.get_mut(at / 64) {
        *word |= 1 << (at % 64);
    }
}

fn clear(words: &mut [u64], at: usize) {
    if let Some(word) = words.get_mut(at / 64) {
        *word &= !(1 << (at % 64));
    }
}

impl Asked {
    pub fn new(like: sutler::Position, trace: Trace, lengths: bool) -> Result<Asked, Refusal> {
        // First, for it refuses maps whose spaces no row can number.
        let (all_rows, batch) = (like.rows(trace)?, like.game().batch(trace));
        let names = Names::of(&like);
        let stands = (0u32..).take(names.units.len()).map(|unit| {
            let space = like.space_of(Unit(unit));
            space.map_or(OFF_MAP, |space| u16::try_from(space.0).unwrap_or(OFF_MAP))
        });
        let stands: Vec<u16> = stands.collect();
        let control = (0u32..).take(names.spaces.len());
        let control = control.map(|space| like.control(Space(space)).map_or(0, |side| side.0 + 1));
        let control: Vec<u8> = control.collect();
        let rows = (!stands.is_empty()).then_some(all_rows);
        let things: Vec<Thing> = match &rows {
            // With nobody on the map nothing can fail to be worked out that no row says.
            Some(rows) => {
                let nowhere = vec![OFF_MAP; stands.len()];
                rows.ask(&Table { stands: &nowhere, control: &[] })?.things().to_vec()
            }
            None => like.all_yes(trace)?.into_iter().map(|(thing, _)| thing).collect(),
        };
        let ids = things.iter().map(|thing| like.name(*thing)).collect();
        let base: Value = serde_json::from_str(&like.json()).unwrap_or_default();
        let gone = |id: &String| {
            let units = base.get("units").and_then(Value::as_array);
            let unit = units.and_then(|all| all.iter().find(|unit| unit["id"] == id.as_str()));
            unit.is_some_and(|unit| unit["removed"] == true)
        };
        let removed = names.units.iter().map(gone).collect();
        let thing_at = things.iter().copied().zip(0..).collect();
        let variants = Mutex::default();
        Ok(Asked {
            like,
            trace,
            lengths,
            names,
            rows,
            batch,
            things,
            ids,
            thing_at,
            stands,
            control,
            removed,
            base,
            variants,
        })
    }

    pub fn like(&self) -> &sutler::Position {
        &self.like
    }

    /// The ids of what is asked about.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(String::as_str)
    }

    /// The name of the trace.
    pub fn trace(&self) -> &str {
        self.like.game().traces().nth(usize::from(self.trace.0)).unwrap_or_default()
    }

    /// The columns of the answers to a table.
    pub fn answers(&self, schema: &Schema, keep: &[String]) -> Result<SchemaRef, Refusal> {
        let plan = self.names.plan(&self.like, schema, keep)?;
        self.columns(schema, &plan)
    }

    fn columns(&self, schema: &Schema, plan: &Plan) -> Result<SchemaRef, Refusal> {
        let kept = plan.kept.iter().filter_map(|at| schema.fields().get(*at));
        let mut fields: Vec<Arc<Field>> = kept.cloned().collect();
        for id in &self.ids {
            fields.push(Arc::new(Field::new(format!("{id}.yes"), DataType::Boolean, true)));
            if self.lengths {
                fields.push(Arc::new(Field::new(format!("{id}.length"), DataType::UInt32, true)));
            }
        }
        fields.push(Arc::new(Field::new("error", DataType::Struct(error_fields()), true)));
        let mut seen = std::collections::BTreeSet::new();
        if let Some(twice) = fields.iter().find(|field| !seen.insert(field.name().as_str())) {
            let message = format!("the answers have a column `{}` of their own", twice.name());
            return Err(call(message, "give the column that is kept another name"));
        }
        let game = self.like.game();
        let about = [
            ("sutler.ruleset", game.name()),
            ("sutler.hash", game.hash()),
            ("sutler.trace", self.trace()),
        ];
        let about = about.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Ok(Arc::new(Schema::new(fields).with_metadata(about.into())))
    }

    /// The answers to a table; `number` is its place among those of a stream.
    pub fn answer(
        &self,
        table: &RecordBatch,
        number: u64,
        keep: &[String],
    ) -> Result<RecordBatch, Refusal> {
        let plan = self.names.plan(&self.like, table.schema_ref(), keep)?;
        let columns = self.columns(table.schema_ref(), &plan)?;
        let rows = table.num_rows();
        let lanes = rows.div_ceil(64);
        let empty = || vec![vec![0; lanes]; self.things.len()];
        let lengths =
            if self.lengths { vec![vec![None; rows]; self.things.len()] } else { Vec::new() };
        let mut sheet =
            Sheet { rows, yes: empty(), valid: empty(), lengths, troubles: BTreeMap::new() };
        let mut cells = read(table, &plan);
        let most = MOST_NUMBERS / (self.stands.len() + self.control.len()).max(1);
        let most = (most / 64 * 64).clamp(64, CHUNK);
        for start in (0..rows).step_by(most) {
            let chunk = self.chunk(table, &mut cells, start, most.min(rows - start));
            self.ask(&mut sheet, chunk);
        }
        for row in sheet.troubles.keys() {
            sheet.valid.iter_mut().for_each(|words| clear(words, *row));
        }
        let kept = plan.kept.iter().map(|at| Arc::clone(table.column(*at))).collect();
        written(sheet, columns, kept, number).map_err(broken)
    }

    /// The position of a row.
    pub fn position(
        &self,
        table: &RecordBatch,
        row: usize,
        keep: &[String],
    ) -> Result<sutler::Position, Refusal> {
        let plan = self.names.plan(&self.like, table.schema_ref(), keep)?;
        if row >= table.num_rows() {
            let message = format!("there is no row {row} among {}", table.num_rows());
            return Err(call(message, "rows count from 0"));
        }
        let mut cells = read(table, &plan);
        let mut chunk = self.chunk(table, &mut cells, row, 1);
        let place = |trouble: Trouble| {
            let column = trouble.column.map(|c| format!(", column `{c}`")).unwrap_or_default();
            call(format!("row {row}{column}: {}", trouble.message), "")
        };
        match chunk.troubles.remove(&0) {
            Some(trouble) => Err(place(trouble)),
            None => self.placed(&chunk, 0).map_err(place),
        }
    }

    /// Positions as a table of where units stand and who controls what.
    pub fn table(&self, positions: &[sutler::Position]) -> Result<RecordBatch, Refusal> {
        let mut stands = vec![Vec::with_capacity(positions.len()); self.names.units.len()];
        let mut control = vec![Vec::with_capacity(positions.len()); self.names.spaces.len()];
        for position in positions {
            let same = position.game().hash() == self.like.game().hash()
                && position.units().eq(self.like.units())
                && position.spaces().eq(self.like.spaces());
            if !same {
                let help = "give positions of the same rules, with the same units on the same map";
                return Err(call("a table has the same columns for all of its positions", help));
            }
            for (unit, column) in (0u32..).zip(&mut stands) {
                let space = position.space_of(Unit(unit));
                column.push(space.and_then(|space| i32::try_from(space.0).ok()));
            }
            for (space, column) in (0u32..).zip(&mut control) {
                column.push(position.control(Space(space)).map(|side| i32::from(side.0)));
            }
        }
        let texts =
            |names: &[String]| -> ArrayRef { Arc::new(StringArray::from_iter_values(names)) };
        let (spaces, sides) = (texts(&self.names.spaces), texts(&self.names.sides));
        let columns = stands.into_iter().map(|keys| (keys, &spaces));
        let columns = columns.chain(control.into_iter().map(|keys| (keys, &sides)));
        let arrays = columns.map(|(keys, words)| -> Result<ArrayRef, ArrowError> {
            let keys = PrimitiveArray::<Int32Type>::from(keys);
            Ok(Arc::new(DictionaryArray::try_new(keys, Arc::clone(words))?))
        });
        let arrays = arrays.collect::<Result<Vec<_>, _>>().map_err(broken)?;
        let schema = super::schema(self.like.game(), &self.like, false);
        debug_assert!(schema.fields().iter().all(|field| *field.data_type() == words()));
        let options = RecordBatchOptions::new().with_row_count(Some(positions.len()));
        RecordBatch::try_new_with_options(schema, arrays, &options).map_err(broken)
    }

    /// Reads some rows. A row with a trouble stands as `like` does, so that the others are asked
    /// together.
    fn chunk(
        &self,
        table: &RecordBatch,
        cells: &mut [(usize, Target, Cells<'_>)],
        start: usize,
        rows: usize,
    ) -> Chunk {
        let (units, spaces) = (self.stands.len(), self.control.len());
        let mut stands = self.stands.repeat(rows);
        let controlled = cells.iter().any(|(_, target, _)| matches!(target, Target::Control(_)));
        let mut control = if controlled { self.control.repeat(rows) } else { Vec::new() };
        let mut troubles = BTreeMap::new();
        let name = |at: usize| table.schema_ref().field(at).name().clone();
        let mut codes = [0; BLOCK];
        for (at, target, cells) in cells.iter_mut() {
            let mut tell = |row: usize, trouble: Trouble| {
                troubles.entry(row).or_insert_with(|| trouble.at(&name(*at)));
            };
            for first in (0..rows).step_by(BLOCK) {
                let block = first..rows.min(first + BLOCK);
                let codes = codes.get_mut(..block.len()).unwrap_or_default();
                match target {
                    Target::Stands(unit) => {
                        let gone = self.removed.get(*unit) == Some(&true);
                        if gone {
                            codes.fill(0);
                        } else {
                            cells.quick(start + first, codes);
                        }
                        let places = stands.iter_mut().skip(first * units + *unit).step_by(units);
                        for ((row, quick), place) in block.zip(codes).zip(places) {
                            if *quick > 0 {
                                *place = u16::try_from(*quick - 1).unwrap_or(OFF_MAP);
                                continue;
                            }
                            match cells.code(start + row, &self.names.known_spaces) {
                                Code::Null => *place = OFF_MAP,
                                Code::Is(_) if gone => tell(row, self.gone(*unit)),
                                Code::Is(space) => *place = space,
                                Code::Unknown(word) => tell(row, self.no_space(word)),
                                Code::Broken(why) => tell(row, Trouble::bare(why)),
                            }
                        }
                    }
                    Target::Control(space) => {
                        cells.quick(start + first, codes);
                        let places =
                            control.iter_mut().skip(first * spaces + *space).step_by(spaces);
                        for ((row, quick), place) in block.zip(codes).zip(places) {
                            if *quick > 0 {
                                *place = u8::try_from(*quick - 1).unwrap_or(0);
                                continue;
                            }
                            match cells.code(start + row, &self.names.known_sides) {
                                Code::Null => *place = 0,
                                Code::Is(side) => *place = u8::try_from(side).unwrap_or(0),
                                Code::Unknown(word) => tell(row, self.no_side(word)),
                                Code::Broken(why) => tell(row, Trouble::bare(why)),
                            }
                        }
                    }
                    Target::Fact(_) => {}
                }
            }
        }
        let mut chunk = Chunk { start, stands, control, variants: Vec::new(), troubles, rows };
        self.facts(&name, cells, &mut chunk);
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

    /// Finds for each row the position that has its facts.
    fn facts(
        &self,
        name: &impl Fn(usize) -> String,
        cells: &[(usize, Target, Cells<'_>)],
        chunk: &mut Chunk,
    ) {
        let facts: Vec<(usize, &FactOf, &Cells<'_>)> = cells
            .iter()
            .filter_map(|(at, target, cells)| match target {
                Target::Fact(fact) => Some((*at, fact, cells)),
                _ => None,
            })
            .collect();
        if facts.is_empty() {
            return;
        }
        for row in 0..chunk.rows {
            chunk.variants.push(None);
            if chunk.troubles.contains_key(&row) {
                continue;
            }
            let values: Result<Vec<Value>, Trouble> = facts
                .iter()
                .map(|(at, _, cells)| {
                    value(cells.get(chunk.start + row)).map_err(|trouble| trouble.at(&name(*at)))
                })
                .collect();
            let found = values.map(|values| self.variant(name, &facts, values));
            match found {
                Ok(variant) => match &variant.position {
                    Ok(_) => {
                        if let Some(place) = chunk.variants.last_mut() {
                            *place = Some(variant);
                        }
                    }
                    Err(trouble) => {
                        chunk.troubles.insert(row, trouble.clone());
                    }
                },
                Err(trouble) => {
                    chunk.troubles.insert(row, trouble);
                }
            }
        }
    }

    fn variant(
        &self,
        name: &impl Fn(usize) -> String,
        facts: &[(usize, &FactOf, &Cells<'_>)],
        values: Vec<Value>,
    ) -> Arc<Variant> {
        let all: Vec<(usize, &FactOf, Value)> =
            facts.iter().zip(values).map(|((at, fact, _), value)| (*at, *fact, value)).collect();
        let text: Vec<(String, &Value)> =
            all.iter().map(|(at, _, value)| (name(*at), value)).collect();
        let key = serde_json::to_string(&text).unwrap_or_default();
        let lock = || self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = lock().get(&key) {
            return Arc::clone(variant);
        }
        let position = self.with_facts(all.iter().map(|(_, fact, value)| (*fact, value)));
        let position = position.map_err(|faults| {
            // The first column that is wrong by itself has the fault; else it is all of them.
            let alone = all.iter().find_map(|(at, fact, value)| {
                let faults = self.with_facts(std::iter::once((*fact, value))).err()?;
                Some(Trouble::of(&faults).at(&name(*at)))
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
    ) -> Result<sutler::Position, Faults> {
        let mut position = self.base.clone();
        for (fact, value) in facts {
            stated(&mut position, fact, value.clone());
        }
        self.like.game().position(&position.to_string())
    }

    /// Asks the rows of a chunk that have no trouble.
    fn ask(&self, sheet: &mut Sheet, mut chunk: Chunk) {
        self.on_map(sheet, &chunk);
        let good: Vec<usize> =
            (0..chunk.rows).filter(|row| !chunk.troubles.contains_key(row)).collect();
        if self.lengths {
            self.one_by_one(sheet, &mut chunk, &good);
        } else if let (Some(rows), true) = (&self.rows, chunk.variants.is_empty()) {
            let table = Table { stands: &chunk.stands, control: &chunk.control };
            match rows.ask(&table) {
                Ok(bits) => self.copy(sheet, chunk.start, &bits),
                // One row that cannot be worked out takes no answer from the others.
                Err(_) => self.together(sheet, &mut chunk, &good),
            }
        } else {
            self.by_facts(sheet, &mut chunk, &good);
        }
        let start = chunk.start;
        sheet
            .troubles
            .extend(chunk.troubles.into_iter().map(|(row, trouble)| (start + row, trouble)));
    }

    /// Marks what can have an answer: all spaces, and the units that stand on the map.
    fn on_map(&self, sheet: &mut Sheet, chunk: &Chunk) {
        let units = self.stands.len();
        let lanes = chunk.start / 64..(chunk.start + chunk.rows).div_ceil(64);
        for valid in &mut sheet.valid {
            if let Some(words) = valid.get_mut(lanes.clone()) {
                words.fill(u64::MAX);
            }
        }
        for (row, stands) in chunk.stands.chunks(units.max(1)).enumerate() {
            if !stands.contains(&OFF_MAP) {
                continue;
            }
            for (thing, valid) in self.things.iter().zip(&mut sheet.valid) {
                let Thing::Unit(unit) = thing else { continue };
                let at = usize::try_from(unit.0).unwrap_or(usize::MAX);
                if stands.get(at) == Some(&OFF_MAP) {
                    clear(valid, chunk.start + row);
                }
            }
        }
    }

    /// Takes the answers of a table, 64 rows a word.
    fn copy(&self, sheet: &mut Sheet, start: usize, bits: &Bits) {
        for (nth, thing) in bits.things().iter().enumerate() {
            let yes = self.thing_at.get(thing).and_then(|at| sheet.yes.get_mut(*at));
            let words = bits.of(nth);
            let place = yes.and_then(|yes| yes.get_mut(start / 64..start / 64 + words.len()));
            if let Some(place) = place {
                place.copy_from_slice(words);
            }
        }
    }

    /// Rows with the same facts are asked as a table where they are many.
    fn by_facts(&self, sheet: &mut Sheet, chunk: &mut Chunk, good: &[usize]) {
        let mut groups: Vec<(Arc<Variant>, Vec<usize>)> = Vec::new();
        let mut at: FxHashMap<usize, usize> = FxHashMap::default();
        let mut rest = Vec::new();
        for row in good {
            match chunk.variants.get(*row).and_then(Option::as_ref) {
                Some(variant) if self.rows.is_some() => {
                    let own = Arc::as_ptr(variant).addr();
                    let group = *at.entry(own).or_insert_with(|| {
                        groups.push((Arc::clone(variant), Vec::new()));
                        groups.len() - 1
                    });
                    if let Some((_, rows)) = groups.get_mut(group) {
                        rows.push(*row);
                    }
                }
                _ => rest.push(*row),
            }
        }
        for (variant, rows) in groups {
            match self.group(chunk, &variant, &rows) {
                Some(bits) => {
                    for (nth, thing) in bits.things().iter().enumerate() {
                        let at = self.thing_at.get(thing);
                        let Some(yes) = at.and_then(|at| sheet.yes.get_mut(*at)) else { continue };
                        for (place, row) in rows.iter().enumerate() {
                            if bits.is_yes(place, nth) {
                                set(yes, chunk.start + row);
                            }
                        }
                    }
                }
                None => rest.extend(rows),
            }
        }
        rest.sort_unstable();
        self.together(sheet, chunk, &rest);
    }

    /// The answers of rows that share their facts; nothing where they are few, or cannot be asked so.
    fn group(&self, chunk: &Chunk, variant: &Variant, rows: &[usize]) -> Option<Bits> {
        if rows.len() < FEW {
            return None;
        }
        let prepared = variant.rows.get_or_init(|| {
            let position = variant.position.as_ref().ok()?;
            let same = position.units().eq(self.like.units());
            if same { position.rows(self.trace).ok() } else { None }
        });
        let (units, spaces) = (self.stands.len(), self.control.len());
        let (mut stands, mut control) = (Vec::new(), Vec::new());
        for row in rows {
            stands.extend_from_slice(chunk.stands.get(row * units..(row + 1) * units)?);
            if !chunk.control.is_empty() {
                control.extend_from_slice(chunk.control.get(row * spaces..(row + 1) * spaces)?);
            }
        }
        prepared.as_ref()?.ask(&Table { stands: &stands, control: &control }).ok()
    }

    /// Rows as positions, some hundreds at once.
    fn together(&self, sheet: &mut Sheet, chunk: &mut Chunk, rows: &[usize]) {
        for rows in rows.chunks(TOGETHER) {
            let (mut places, mut positions) = (Vec::new(), Vec::new());
            for row in rows {
                match self.placed(chunk, *row) {
                    Ok(position) => {
                        places.push(*row);
                        positions.push(position);
                    }
                    Err(trouble) => {
                        chunk.troubles.insert(*row, trouble);
                    }
                }
            }
            for (row, found) in places.into_iter().zip(self.batch.ask(&positions)) {
                match found {
                    Ok(all) => {
                        for (thing, _) in all.into_iter().filter(|(_, yes)| *yes) {
                            let at = self.thing_at.get(&thing);
                            if let Some(yes) = at.and_then(|at| sheet.yes.get_mut(*at)) {
                                set(yes, chunk.start + row);
                            }
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
    fn one_by_one(&self, sheet: &mut Sheet, chunk: &mut Chunk, rows: &[usize]) {
        let at: FxHashMap<&str, usize> = self.names().zip(0..).collect();
        for row in rows {
            let found = self.placed(chunk, *row).and_then(|position| {
                position.ask_all(self.trace).map_err(|faults| Trouble::of(&faults))
            });
            let report = match found {
                Ok(report) => report,
                Err(trouble) => {
                    chunk.troubles.insert(*row, trouble);
                    continue;
                }
            };
            let place = chunk.start + row;
            for answer in &report.units {
                let Some(at) = at.get(answer.id.as_str()) else { continue };
                if let (true, Some(yes)) = (answer.yes, sheet.yes.get_mut(*at)) {
                    set(yes, place);
                }
                let length = sheet.lengths.get_mut(*at).and_then(|all| all.get_mut(place));
                if let Some(length) = length {
                    *length = answer.distance;
                }
            }
        }
    }

    /// The position of a row.
    fn placed(&self, chunk: &Chunk, row: usize) -> Result<sutler::Position, Trouble> {
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
                let side = side.checked_sub(1).map(sutler::Side);
                position.set_control(Space(space), side).map_err(told)?;
            }
        }
        Ok(position)
    }

    fn no_space(&self, word: &[u8]) -> Trouble {
        match std::str::from_utf8(word) {
            Ok(word) => self.like.space(word).err().map(|f| Trouble::of(&f)).unwrap_or_default(),
            Err(_) => Trouble::bare("the word is not UTF-8"),
        }
    }

    fn no_side(&self, word: &[u8]) -> Trouble {
        match std::str::from_utf8(word) {
            Ok(word) => {
                self.like.game().side(word).err().map(|f| Trouble::of(&f)).unwrap_or_default()
            }
            Err(_) => Trouble::bare("the word is not UTF-8"),
        }
    }

    fn gone(&self, unit: usize) -> Trouble {
        let id = self.names.units.get(unit).map_or("", String::as_str);
        Trouble::bare(format!("`{id}` has left the game; it stands nowhere"))
    }
}

/// The columns of a table that are part of a position.
fn read<'t>(table: &'t RecordBatch, plan: &Plan) -> Vec<(usize, Target, Cells<'t>)> {
    let columns = plan.positions.iter();
    let cells = columns.filter_map(|(at, target)| {
        Some((*at, target.clone(), Cells::of(table.columns().get(*at)?.as_ref())?))
    });
    cells.collect()
}

/// A cell of a fact as JSON.
fn value(cell: Cell<'_>) -> Result<Value, Trouble> {
    match cell {
        Cell::Null => Ok(Value::Null),
        Cell::Number(number) => Ok(number.into()),
        Cell::Truth(truth) => Ok(truth.into()),
        Cell::Word(word) => match std::str::from_utf8(word) {
            Ok(word) => Ok(word.into()),
            Err(_) => Err(Trouble::bare("the word is not UTF-8")),
        },
        Cell::Broken(why) => Err(Trouble::bare(why)),
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

fn error_fields() -> Fields {
    Fields::from(vec![
        Field::new("code", DataType::Utf8, true),
        Field::new("batch", DataType::UInt64, false),
        Field::new("row", DataType::UInt64, false),
        Field::new("column", DataType::Utf8, true),
        Field::new("message", DataType::Utf8, false),
    ])
}

/// The answers as a table.
fn written(
    sheet: Sheet,
    schema: SchemaRef,
    kept: Vec<ArrayRef>,
    number: u64,
) -> Result<RecordBatch, ArrowError> {
    let rows = sheet.rows;
    let bits = |words: Vec<u64>| {
        // Arrow counts bits from the lowest of the first byte.
        let words: Vec<u64> = words.into_iter().map(u64::to_le).collect();
        BooleanBuffer::new(Buffer::from_vec(words), 0, rows)
    };
    let mut arrays = kept;
    let mut lengths = sheet.lengths.into_iter();
    for (yes, valid) in sheet.yes.into_iter().zip(sheet.valid) {
        arrays.push(Arc::new(BooleanArray::new(bits(yes), Some(NullBuffer::new(bits(valid))))));
        if let Some(lengths) = lengths.next() {
            arrays.push(Arc::new(UInt32Array::from(lengths)));
        }
    }
    arrays.push(errors(rows, &sheet.troubles, number)?);
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema, arrays, &options)
}

/// For each row its error, if it has one.
fn errors(
    rows: usize,
    troubles: &BTreeMap<usize, Trouble>,
    number: u64,
) -> Result<ArrayRef, ArrowError> {
    let (mut codes, mut columns, mut messages) =
        (StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
    let (mut batches, mut places) = (UInt64Builder::new(), UInt64Builder::new());
    let mut valid = vec![0; rows.div_ceil(64)];
    for row in 0..rows {
        let trouble = troubles.get(&row);
        codes.append_option(trouble.and_then(|t| t.code.as_deref()));
        columns.append_option(trouble.and_then(|t| t.column.as_deref()));
        messages.append_value(trouble.map_or("", |t| t.message.as_str()));
        batches.append_value(number);
        places.append_value(u64::try_from(row).unwrap_or(u64::MAX));
        if trouble.is_some() {
            set(&mut valid, row);
        }
    }
    let valid: Vec<u64> = valid.into_iter().map(u64::to_le).collect();
    let nulls = NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(valid), 0, rows));
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(codes.finish()),
        Arc::new(batches.finish()),
        Arc::new(places.finish()),
        Arc::new(columns.finish()),
        Arc::new(messages.finish()),
    ];
    Ok(Arc::new(StructArray::try_new(error_fields(), arrays, Some(nulls))?))
}

fn broken(error: ArrowError) -> Refusal {
    call(format!("Arrow refuses this: {error}"), "")
}
