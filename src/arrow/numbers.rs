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

use crate::facade::OFF_MAP;

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

    /// For each key from a place on what stands for it in a table of codes, or
    /// [`Place::UNKNOWN`].
    pub(super) fn look_up<N: Place>(&self, start: usize, table: &[u16], found: &mut [N]) {
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

fn look_up<K: Copy + PartialEq + TryFrom<usize>, N: Place>(
    keys: &[K],
    start: usize,
    table: &[u16],
    found: &mut [N],
) where
    usize: TryFrom<K>,
{
    found.fill(N::UNKNOWN);
    let keys = keys.get(start..).unwrap_or_default();
    if table.len() > FEW {
        for (key, found) in keys.iter().zip(found) {
            let code = usize::try_from(*key).ok().and_then(|key| table.get(key));
            *found = code.map_or(N::UNKNOWN, |code| N::of(*code));
        }
        return;
    }
    for (word, code) in table.iter().enumerate().filter(|(_, code)| **code != u16::UNKNOWN) {
        let (Ok(word), code) = (K::try_from(word), N::of(*code)) else { continue };
        for (key, found) in keys.iter().zip(&mut *found) {
            *found = if *key == word { code } else { *found };
        }
    }
}

/// The number of a word in a column of positions.
pub(super) trait Place: Copy + PartialEq {
    /// Of a word that has to be looked at by itself.
    const UNKNOWN: Self;

    /// What stands for a code.
    fn of(code: u16) -> Self;

    /// Writes what stands for nothing over those of at most 64 cells whose bit is not set.
    fn hide(word: u64, cells: &mut [Self]);
}

/// The number of a space.
impl Place for u16 {
    const UNKNOWN: u16 = OFF_MAP - 1;

    fn of(code: u16) -> u16 {
        code
    }

    fn hide(word: u64, cells: &mut [u16]) {
        for (byte, cells) in word.to_le_bytes().into_iter().zip(cells.chunks_mut(8)) {
            hide_each(byte, OFF_MAP, cells);
        }
    }
}

/// Writes over those of at most eight cells whose bit is not set.
fn hide_each<N: Copy>(byte: u8, nothing: N, cells: &mut [N]) {
    const BITS: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
    for (cell, bit) in cells.iter_mut().zip(BITS) {
        *cell = if byte & bit == 0 { nothing } else { *cell };
    }
}

/// The number of a side, from 1; 0 where no side is.
impl Place for u8 {
    const UNKNOWN: u8 = u8::MAX;

    fn of(code: u16) -> u8 {
        u8::try_from(code).unwrap_or(u8::UNKNOWN)
    }

    fn hide(word: u64, cells: &mut [u8]) {
        let (eights, rest) = cells.as_chunks_mut();
        let mut bytes = word.to_le_bytes().into_iter();
        for (eight, byte) in eights.iter_mut().zip(bytes.by_ref()) {
            *eight = (u64::from_le_bytes(*eight) & spread(byte)).to_le_bytes();
        }
        hide_each(bytes.next().unwrap_or(0), 0, rest);
    }
}

/// Eight bytes, each with all of its bits where a bit of this byte is set.
fn spread(byte: u8) -> u64 {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let each = (u64::from(byte) * LOWEST) & 0x8040_2010_0804_0201;
    // A byte with a bit carries into its highest, and no further.
    let set = (each + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & LOWEST;
    set * 0xff
}

fn are_alike<N: Copy + PartialEq>(all: &[N], start: usize, rows: usize) -> bool {
    let Some(here) = all.get(start..start + rows) else { return false };
    here.first().is_some_and(|first| here.iter().all(|number| number == first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_looked_up<N: Place + std::fmt::Debug>() {
        let keys: Vec<i16> = vec![0, 1, 2, 3, 4, 5, -1, i16::MAX, i16::MIN, 1, 0, 3];
        for words in 0..8u16 {
            let table: Vec<u16> = (0..words)
                .map(|word| if word % 3 == 1 { u16::UNKNOWN } else { word * 7 % 5 })
                .collect();
            for start in 0..=keys.len() + 1 {
                let mut found = vec![N::of(9); 6];
                look_up(&keys, start, &table, &mut found);
                let wanted = (start..start + 6).map(|at| {
                    let key = keys.get(at).and_then(|key| usize::try_from(*key).ok());
                    N::of(key.and_then(|key| table.get(key)).copied().unwrap_or(u16::UNKNOWN))
                });
                assert_eq!(found, wanted.collect::<Vec<_>>(), "{words} words from {start}");
            }
        }
    }

    #[test]
    fn keys_are_looked_up_one_by_one_and_many_at_once_alike() {
        assert_eq!(u8::of(u16::UNKNOWN), u8::UNKNOWN);
        are_looked_up::<u8>();
        are_looked_up::<u16>();
    }

    fn are_hidden<N: Place + std::fmt::Debug>(nothing: N) {
        for word in [0, 1, u64::MAX, u64::MAX - 1, 0x8421_1248_f00d_beef] {
            for length in [0, 1, 7, 8, 13, 63, 64] {
                let mut cells: Vec<N> = (0..length).map(|at| N::of(at + 100)).collect();
                N::hide(word, &mut cells);
                let cell = |at| if word >> at & 1 == 1 { N::of(at + 100) } else { nothing };
                assert_eq!(cells, (0..length).map(cell).collect::<Vec<_>>(), "{word:x}");
            }
        }
    }

    #[test]
    fn cells_without_a_bit_are_hidden() {
        are_hidden::<u8>(0);
        are_hidden::<u16>(OFF_MAP);
    }
}
