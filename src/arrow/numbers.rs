//! Whole numbers of any width: the keys of dictionaries, and cells.
//!
//! Takes what an array holds, unchecked; gives what stands for each key in a table. Knows nothing of
//! words and positions.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_schema::DataType;

/// Whole numbers of any width.
pub(super) enum Numbers<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
}

/// Does the same with numbers of whichever width.
macro_rules! of_any_width {
    ($numbers:expr, $all:ident => $work:expr) => {
        match $numbers {
            Numbers::I8($all) => $work,
            Numbers::I16($all) => $work,
            Numbers::I32($all) => $work,
            Numbers::I64($all) => $work,
            Numbers::U8($all) => $work,
            Numbers::U16($all) => $work,
            Numbers::U32($all) => $work,
            Numbers::U64($all) => $work,
        }
    };
}

impl<'a> Numbers<'a> {
    pub(super) fn of(array: &'a dyn Array) -> Option<Numbers<'a>> {
        Some(match array.data_type() {
            DataType::Int8 => Numbers::I8(array.as_primitive_opt::<Int8Type>()?.values()),
            DataType::Int16 => Numbers::I16(array.as_primitive_opt::<Int16Type>()?.values()),
            DataType::Int32 => Numbers::I32(array.as_primitive_opt::<Int32Type>()?.values()),
            DataType::Int64 => Numbers::I64(array.as_primitive_opt::<Int64Type>()?.values()),
            DataType::UInt8 => Numbers::U8(array.as_primitive_opt::<UInt8Type>()?.values()),
            DataType::UInt16 => Numbers::U16(array.as_primitive_opt::<UInt16Type>()?.values()),
            DataType::UInt32 => Numbers::U32(array.as_primitive_opt::<UInt32Type>()?.values()),
            DataType::UInt64 => Numbers::U64(array.as_primitive_opt::<UInt64Type>()?.values()),
            _ => return None,
        })
    }

    /// For each key from a place on what stands for it in a table, or 0.
    pub(super) fn look_up(&self, start: usize, table: &[u32], found: &mut [u32]) {
        of_any_width!(self, all => look_up(all, start, table, found));
    }

    /// Whether there are `rows` numbers from `start` on, all of them equal.
    pub(super) fn are_alike(&self, start: usize, rows: usize) -> bool {
        of_any_width!(self, all => are_alike(all, start, rows))
    }

    pub(super) fn get(&self, at: usize) -> Option<i64> {
        of_any_width!(self, all => number(all, at))
    }
}

/// The number at a place; none where it is not there, or is larger than any number here.
fn number<N: Copy>(all: &[N], at: usize) -> Option<i64>
where
    i64: TryFrom<N>,
{
    all.get(at).and_then(|number| i64::try_from(*number).ok())
}

/// Tables so long at most are compared with, word by word: loops over many keys at once.
const FEW: usize = 4;

fn look_up<K: Copy + PartialEq + TryFrom<usize>>(
    keys: &[K],
    start: usize,
    table: &[u32],
    found: &mut [u32],
) where
    usize: TryFrom<K>,
{
    found.fill(0);
    let keys = keys.get(start..).unwrap_or_default();
    if table.len() > FEW {
        for (key, found) in keys.iter().zip(found) {
            let key = usize::try_from(*key).unwrap_or(usize::MAX);
            *found = table.get(key).copied().unwrap_or(0);
        }
        return;
    }
    for (word, code) in table.iter().enumerate().filter(|(_, code)| **code > 0) {
        let Ok(word) = K::try_from(word) else { continue };
        for (key, found) in keys.iter().zip(&mut *found) {
            *found |= if *key == word { *code } else { 0 };
        }
    }
}

const BITS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Writes a number over those of at most 64 cells whose bit is not set.
pub(super) fn hide(word: u64, by: u32, cells: &mut [u32]) {
    if word == u64::MAX {
        return;
    }
    for (byte, cells) in word.to_le_bytes().into_iter().zip(cells.chunks_mut(8)) {
        for (cell, bit) in cells.iter_mut().zip(BITS) {
            *cell = if u32::from(byte) & bit == 0 { by } else { *cell };
        }
    }
}

fn are_alike<N: Copy + PartialEq>(all: &[N], start: usize, rows: usize) -> bool {
    let Some(here) = all.get(start..start + rows) else { return false };
    here.first().is_some_and(|first| here.iter().all(|number| number == first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_looked_up_one_by_one_and_many_at_once_alike() {
        let keys: Vec<i16> = vec![0, 1, 2, 3, 4, 5, -1, i16::MAX, i16::MIN, 1, 0, 3];
        for words in 0..8u32 {
            let table: Vec<u32> = (0..words).map(|word| word * 7 % 5).collect();
            for start in 0..=keys.len() + 1 {
                let mut found = vec![9; 6];
                look_up(&keys, start, &table, &mut found);
                let wanted = (start..start + 6).map(|at| {
                    let key = keys.get(at).and_then(|key| usize::try_from(*key).ok());
                    key.and_then(|key| table.get(key)).copied().unwrap_or(0)
                });
                assert_eq!(found, wanted.collect::<Vec<_>>(), "{words} words from {start}");
            }
        }
    }

    #[test]
    fn cells_without_a_bit_are_hidden() {
        for word in [0, 1, u64::MAX, u64::MAX - 1, 0x8421_1248_f00d_beef] {
            for length in [0, 1, 7, 8, 63, 64] {
                let mut cells: Vec<u32> = (0..length).collect();
                hide(word, u32::MAX, &mut cells);
                let wanted = (0..length).map(|at| if word >> at & 1 == 1 { at } else { u32::MAX });
                assert_eq!(cells, wanted.collect::<Vec<_>>(), "{word:x}");
            }
        }
    }
}
