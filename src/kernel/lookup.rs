//! What depends on a unit alone, looked up: its varying facts, and where it stands, make the place
//! in a list of values.

use super::build::Builder;
use super::columns::Batch;
use super::reads::{Reads, bit};
use super::shape::Shape;
use super::{EvalFault, Position};
use crate::world::{World, built_in};

/// So many values are worked out beforehand; what would need more is asked of every position.
const MOST_VALUES: usize = 4096;

/// A value of one unit for everything it can depend on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct LookupTable {
    keys: Vec<Key>,
    values: Vec<u16>,
}

/// One column that the value depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    column: Column,
    size: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Column {
    Space,
    Fact(usize),
}

impl LookupTable {
    /// All values of a unit, by the slow evaluator; nothing if they are too many, if one cannot be
    /// worked out, or if something else is read as well.
    pub(super) fn of(
        build: &Builder<'_>,
        unit: u32,
        level: u8,
        reads: &Reads,
        ask: impl Fn(&Position<'_>) -> Result<u16, EvalFault>,
    ) -> Option<LookupTable> {
        let shape = build.shape;
        if !reads.of_unit_alone(level) || reads.facts.iter().any(|(l, _)| *l != level) {
            return None;
        }
        let mut keys: Vec<Key> = Vec::new();
        if reads.space & bit(level) != 0 && !shape.removed(unit as usize) {
            keys.push(Key { column: Column::Space, size: shape.spaces + 1 });
        }
        for (_, fact) in &reads.facts {
            let key = Key { column: Column::Fact(*fact), size: shape.varying[*fact].size };
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let count = keys
            .iter()
            .try_fold(1usize, |n, k| n.checked_mul(k.size))
            .filter(|n| *n <= MOST_VALUES)?;
        let values = if keys.is_empty() {
            vec![ask(build.position).ok()?]
        } else {
            build.tried(unit, |world, board| {
                let of = |nth: usize| {
                    place(world, shape, unit, &keys, nth)?;
                    ask(&Position::on(board, world)?).ok()
                };
                (0..count).map(of).collect::<Option<Vec<u16>>>()
            })?
        };
        let mut look = LookupTable { keys, values };
        if look.values.iter().all(|v| Some(v) == look.values.first()) {
            look.keys.clear();
            look.values.truncate(1);
        }
        Some(look)
    }

    /// The value, if it is always the same.
    pub(super) fn fixed(&self) -> Option<u16> {
        self.values.first().copied().filter(|_| self.keys.is_empty())
    }

    /// The highest value.
    pub(super) fn highest(&self) -> u16 {
        self.values.iter().copied().max().unwrap_or(0)
    }

    /// The same with each value changed.
    pub(super) fn map(mut self, change: impl Fn(u16) -> u16) -> LookupTable {
        self.values.iter_mut().for_each(|v| *v = change(*v));
        self
    }

    /// The varying facts that it depends on, each with the number of its values.
    pub(super) fn facts(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.keys.iter().filter_map(|key| match key.column {
            Column::Fact(fact) => Some((fact, key.size)),
            Column::Space => None,
        })
    }

    /// The value in a row, which behind the last space is off the map, with these codes of facts.
    pub(super) fn at(&self, row: usize, code: &dyn Fn(usize) -> u16) -> u16 {
        let place = |key: &Key| match key.column {
            Column::Space => row.min(key.size - 1),
            Column::Fact(fact) => {
                Some(usize::from(code(fact))).filter(|c| *c < key.size).unwrap_or(0)
            }
        };
        let at = self.keys.iter().fold(0, |at, key| at * key.size + place(key));
        self.values.get(at).copied().unwrap_or(0)
    }

    /// The values of a lane of positions of a unit.
    pub(super) fn lane(&self, batch: &Batch, unit: u32, lane: usize, out: &mut [u16; 64]) {
        match self.keys.as_slice() {
            [Key { column: Column::Fact(fact), .. }] => {
                for (cell, code) in out.iter_mut().zip(batch.codes(*fact, unit, lane)) {
                    let code = usize::from(*code);
                    *cell = self.values.get(code).or(self.values.first()).copied().unwrap_or(0);
                }
            }
            keys => {
                // There are at most `MOST_VALUES` places, so that small numbers hold them.
                let mut at = [0u16; 64];
                for key in keys {
                    let size = u16::try_from(key.size).unwrap_or(u16::MAX);
                    let (codes, other) = match key.column {
                        Column::Fact(fact) => (batch.codes(fact, unit, lane), 0),
                        Column::Space => (batch.lane_of_spaces(unit, lane), size.saturating_sub(1)),
                    };
                    for (at, code) in at.iter_mut().zip(codes) {
                        let code = if *code < size { *code } else { other };
                        *at = at.wrapping_mul(size).wrapping_add(code);
                    }
                }
                for (cell, at) in out.iter_mut().zip(at) {
                    *cell = self.values.get(usize::from(at)).copied().unwrap_or(0);
                }
            }
        }
    }

    /// The values of a lane as a word: a bit for each value that is not 0.
    pub(super) fn bits(&self, batch: &Batch, unit: u32, lane: usize) -> u64 {
        if let Some(fixed) = self.fixed() {
            return if fixed == 0 { 0 } else { u64::MAX };
        }
        let mut values = [0u16; 64];
        self.lane(batch, unit, lane, &mut values);
        values
            .iter()
            .take(batch.in_lane(lane))
            .rev()
            .fold(0, |word, v| word << 1 | u64::from(*v != 0))
    }
}

/// Puts the unit of a world where the nth of all combinations says; the last key changes fastest.
fn place(world: &mut World, shape: &Shape, unit: u32, keys: &[Key], mut nth: usize) -> Option<()> {
    for key in keys.iter().rev() {
        let code = nth % key.size;
        nth /= key.size;
        let row = world.row_mut(unit);
        match key.column {
            Column::Space => {
                *row.get_mut(built_in::SPACE.index())? =
                    if code < shape.spaces { i64::try_from(code).ok()? + 1 } else { 0 }
            }
            Column::Fact(fact) => {
                let varying = &shape.varying[fact];
                *row.get_mut(varying.slot)? = varying.value(u16::try_from(code).ok()?);
            }
        }
    }
    Some(())
}
