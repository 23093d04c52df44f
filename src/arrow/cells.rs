//! Cells of Arrow columns, read with all that may be wrong in them: keys and offsets that lead
//! nowhere are found cell by cell, for nobody has checked them before.

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, BooleanArray, GenericStringArray, LargeStringArray, OffsetSizeTrait, StringArray,
    StringViewArray,
};
use arrow_buffer::bit_chunk_iterator::BitChunks;
use arrow_schema::DataType;
use rustc_hash::FxHashMap;

use super::numbers::{Numbers, Place};

/// Numbers of words.
pub(super) type Known = FxHashMap<Box<[u8]>, u16>;

/// What stands in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell<'a> {
    Null,
    Word(&'a [u8]),
    Number(i64),
    Truth(bool),
    /// What cannot be read, and why.
    Broken(&'static str),
}

/// The number of a word in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code<'a> {
    Null,
    Is(u16),
    Unknown(&'a [u8]),
    Broken(&'static str),
}

/// The words of a column.
enum Words<'a> {
    Small(&'a StringArray),
    Large(&'a LargeStringArray),
    View(&'a StringViewArray),
}

const NO_PLACE: Cell<'static> = Cell::Broken("the word lies outside the memory of its column");
const NO_KEY: Cell<'static> = Cell::Broken("the key lies outside its dictionary");
const NO_NUMBER: Cell<'static> = Cell::Broken("the number is larger than any number here");

impl<'a> Words<'a> {
    fn of(array: &'a dyn Array) -> Option<Words<'a>> {
        match array.data_type() {
            DataType::Utf8 => array.as_string_opt::<i32>().map(Words::Small),
            DataType::LargeUtf8 => array.as_string_opt::<i64>().map(Words::Large),
            DataType::Utf8View => array.as_string_view_opt().map(Words::View),
            _ => None,
        }
    }

    fn len(&self) -> usize {
        match self {
            Words::Small(array) => array.len(),
            Words::Large(array) => array.len(),
            Words::View(array) => array.len(),
        }
    }

    /// Whether these are the same bytes of memory, all of them words.
    fn is_same(&self, other: &Words<'_>) -> bool {
        match (self, other) {
            (Words::Small(own), Words::Small(other)) => is_same(own, other),
            (Words::Large(own), Words::Large(other)) => is_same(own, other),
            _ => false,
        }
    }

    fn get(&self, at: usize) -> Cell<'a> {
        match self {
            Words::Small(array) => {
                if is_null(*array, at) {
                    return Cell::Null;
                }
                between(array.value_offsets(), array.value_data(), at)
            }
            Words::Large(array) => {
                if is_null(*array, at) {
                    return Cell::Null;
                }
                between(array.value_offsets(), array.value_data(), at)
            }
            Words::View(array) => {
                if is_null(*array, at) {
                    return Cell::Null;
                }
                viewed(array, at).map_or(NO_PLACE, Cell::Word)
            }
        }
    }
}

fn is_same<O: OffsetSizeTrait>(own: &GenericStringArray<O>, other: &GenericStringArray<O>) -> bool {
    own.nulls().is_none()
        && other.nulls().is_none()
        && std::ptr::eq(own.value_offsets(), other.value_offsets())
        && std::ptr::eq(own.value_data(), other.value_data())
}

fn is_null(array: &dyn Array, at: usize) -> bool {
    at < array.len() && array.nulls().is_some_and(|nulls| nulls.is_null(at))
}

fn between<'a, O: OffsetSizeTrait>(offsets: &'a [O], data: &'a [u8], at: usize) -> Cell<'a> {
    let place = |at: usize| offsets.get(at)?.to_usize();
    let word = place(at).zip(place(at + 1)).and_then(|(from, to)| data.get(from..to));
    word.map_or(NO_PLACE, Cell::Word)
}

/// A word of at most 12 bytes lies in its own view, a longer one in a buffer.
fn viewed(array: &StringViewArray, at: usize) -> Option<&[u8]> {
    let views = array.views();
    let view = views.get(at)?.to_le_bytes();
    let part = |from: usize| Some(u32::from_le_bytes(view.get(from..from + 4)?.try_into().ok()?));
    let length = usize::try_from(part(0)?).ok()?;
    if length <= 12 {
        let start = at * 16 + 4;
        return views.inner().as_slice().get(start..start + length);
    }
    let buffer = array.data_buffers().get(usize::try_from(part(8)?).ok()?)?;
    let from = usize::try_from(part(12)?).ok()?;
    buffer.as_slice().get(from..from.checked_add(length)?)
}

enum Sort<'a> {
    Nothing,
    Words(Words<'a>),
    Dictionary(Numbers<'a>, Words<'a>),
    Numbers(Numbers<'a>),
    Truths(&'a BooleanArray),
}

/// A column of a position.
pub(super) struct Cells<'a> {
    array: &'a dyn Array,
    sort: Sort<'a>,
    /// For each key of a dictionary its code; [`Place::UNKNOWN`] before it was looked at.
    memo: Vec<u16>,
}

impl<'a> Cells<'a> {
    /// None for a type that no cell of a position has.
    pub(super) fn of(array: &'a dyn Array) -> Option<Cells<'a>> {
        let mut memo = Vec::new();
        let sort = match array.data_type() {
            DataType::Null => Sort::Nothing,
            DataType::Boolean => Sort::Truths(array.as_boolean_opt()?),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary_opt()?;
                let words = Words::of(dictionary.values().as_ref())?;
                // A dictionary that is longer than its column is looked up cell by cell.
                let few = words.len() <= array.len() + 4096;
                memo = vec![u16::UNKNOWN; if few { words.len() } else { 0 }];
                Sort::Dictionary(Numbers::of(dictionary.keys())?, words)
            }
            _ => match Words::of(array) {
                Some(words) => Sort::Words(words),
                None => Sort::Numbers(Numbers::of(array)?),
            },
        };
        Some(Cells { array, sort, memo })
    }

    /// Whether its cells are words, or all of them nothing.
    pub(super) fn is_words(data_type: &DataType) -> bool {
        let plain =
            |of: &DataType| matches!(of, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
        match data_type {
            DataType::Dictionary(_, of) => plain(of),
            DataType::Null => true,
            other => plain(other),
        }
    }

    /// Whether cells of such a type can be read.
    pub(super) fn can_read(data_type: &DataType) -> bool {
        Cells::is_words(data_type) || data_type.is_integer() || *data_type == DataType::Boolean
    }

    pub(super) fn get(&self, at: usize) -> Cell<'a> {
        if is_null(self.array, at) {
            return Cell::Null;
        }
        match &self.sort {
            Sort::Nothing => Cell::Null,
            Sort::Words(words) => words.get(at),
            Sort::Dictionary(keys, words) => match key(keys, words, at) {
                Some(key) => words.get(key),
                None => NO_KEY,
            },
            Sort::Numbers(numbers) => numbers.get(at).map_or(NO_NUMBER, Cell::Number),
            Sort::Truths(truths) if at < truths.len() => Cell::Truth(truths.value(at)),
            Sort::Truths(_) => NO_PLACE,
        }
    }

    /// Whether each word of its dictionary was looked up before.
    pub(super) fn knows_all(&self) -> bool {
        !self.memo.is_empty() && !self.memo.contains(&u16::UNKNOWN)
    }

    /// What is known already of some cells, and [`Place::UNKNOWN`] for what has to be looked at by
    /// itself. Costs no more than the keys cost to be read.
    pub(super) fn quick<N: Place>(&self, start: usize, places: &mut [N]) {
        match &self.sort {
            Sort::Dictionary(keys, _) if !self.memo.is_empty() => {
                keys.look_up(start, &self.memo, places);
                if let Some(nulls) = self.array.nulls().filter(|nulls| start < nulls.len()) {
                    let rows = places.len().min(nulls.len() - start);
                    let there = BitChunks::new(nulls.validity(), nulls.offset() + start, rows);
                    for (word, places) in there.iter_padded().zip(places.chunks_mut(64)) {
                        if word != u64::MAX {
                            N::hide(word, places);
                        }
                    }
                }
            }
            _ => places.fill(N::UNKNOWN),
        }
    }

    /// What stands in all of some cells, where it is seen without reading them one by one that all
    /// are the same.
    pub(super) fn alike(&self, start: usize, rows: usize) -> Option<Cell<'a>> {
        let nulls = self.array.nulls().map_or(0, |nulls| nulls.null_count());
        let same = match &self.sort {
            Sort::Nothing => true,
            _ if nulls > 0 => nulls == self.array.len(),
            Sort::Dictionary(keys, _) => keys.are_alike(start, rows),
            Sort::Numbers(numbers) => numbers.are_alike(start, rows),
            Sort::Truths(truths) if start + rows <= truths.len() => {
                let set = truths.values().slice(start, rows).count_set_bits();
                set == 0 || set == rows
            }
            Sort::Truths(_) | Sort::Words(_) => false,
        };
        same.then(|| self.get(start))
    }

    /// Takes over what the words of a dictionary came to in a column whose dictionary is the same
    /// memory; both must be looked up among the same words.
    pub(super) fn learn(&mut self, from: &Cells<'_>) {
        let (Sort::Dictionary(_, own), Sort::Dictionary(_, other)) = (&self.sort, &from.sort)
        else {
            return;
        };
        if own.is_same(other) && self.memo.len() == from.memo.len() {
            self.memo.copy_from_slice(&from.memo);
        }
    }

    /// The number of a word among those that are known.
    pub(super) fn code(&mut self, at: usize, known: &Known) -> Code<'a> {
        let place = match &self.sort {
            Sort::Dictionary(keys, words) if !is_null(self.array, at) => key(keys, words, at),
            _ => None,
        };
        let known_code = place.and_then(|key| self.memo.get(key));
        if let Some(code) = known_code.filter(|code| **code != u16::UNKNOWN) {
            return Code::Is(*code);
        }
        match self.get(at) {
            Cell::Null => Code::Null,
            Cell::Word(word) => match known.get(word) {
                Some(code) => {
                    if let Some(memo) = place.and_then(|key| self.memo.get_mut(key)) {
                        *memo = *code;
                    }
                    Code::Is(*code)
                }
                None => Code::Unknown(word),
            },
            Cell::Broken(why) => Code::Broken(why),
            Cell::Number(_) | Cell::Truth(_) => Code::Broken("a word is wanted here"),
        }
    }
}

/// The key of a cell, if its dictionary has it.
fn key(keys: &Numbers<'_>, words: &Words<'_>, at: usize) -> Option<usize> {
    keys.get(at).and_then(|key| usize::try_from(key).ok()).filter(|key| *key < words.len())
}
