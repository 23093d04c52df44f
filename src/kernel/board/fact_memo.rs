//! Values by facts: what reads only facts of a thing is worked out once for all things that have
//! the same.

use super::{Board, Depends};
use crate::ir::*;
use crate::kernel::id_map::IdMap;
use crate::world::{ThingRef, World};

/// So many values are looked up by arithmetic; more by a map.
const MOST_PLACES: usize = 1 << 14;

/// One fact of the things, and how many values it can have.
#[derive(Debug, Clone)]
struct Part {
    of_place: bool,
    /// For each kind whether its things have the fact.
    has: Box<[bool]>,
    slot: usize,
    low: i64,
    count: usize,
}

/// What tells things apart as far as an expression reads.
#[derive(Debug, Clone)]
pub struct Key {
    parts: Vec<Part>,
    kinds: usize,
    places: Option<usize>,
    stands: bool,
}

/// Values worked out so far, by what things have in common.
#[derive(Debug, Clone)]
pub struct FactMemo<V> {
    key: Key,
    values: Vec<Option<V>>,
    /// The places of `values` that are filled.
    filled: Vec<u32>,
    others: IdMap<Box<[i64]>, V>,
    wide: Vec<i64>,
}

impl Key {
    pub(in crate::kernel) fn new(board: &Board<'_>, depends: &Depends) -> Key {
        let rules = board.rules;
        let part = |fact: &FactId, of_place: bool| {
            let row = rules.facts.get(fact.index())?;
            let (low, count) = match row.ty {
                Type::Truth => (0, Some(2)),
                Type::Word(set) => {
                    (0, rules.word_sets.get(set.index()).map(|s| s.words.len().max(1)))
                }
                Type::Thing { kind, .. } if rules.top(kind) == KindId::SIDE => {
                    (0, Some(rules.sides.len() + 1))
                }
                Type::Thing { .. } => (0, None),
                Type::Number { low, high, .. } => (
                    low,
                    high.checked_sub(low).and_then(|n| usize::try_from(n).ok()).map(|n| n + 1),
                ),
            };
            let has =
                (0..rules.kinds.len()).map(|k| rules.is_kind(KindId::at(k), row.kind)).collect();
            Some(Part {
                of_place,
                has,
                slot: usize::from(row.slot),
                low,
                count: count.unwrap_or(usize::MAX),
            })
        };
        let parts: Vec<Part> = depends
            .facts
            .iter()
            .filter_map(|f| part(f, false))
            .chain(depends.here.iter().filter_map(|f| part(f, true)))
            .collect();
        let kinds = rules.kinds.len() + 1;
        let first = if depends.stands { kinds * kinds } else { kinds };
        let places = parts
            .iter()
            .try_fold(first, |n, p| n.checked_mul(p.count))
            .filter(|n| *n <= MOST_PLACES && parts.iter().all(|p| p.count < MOST_PLACES));
        Key { parts, kinds, places, stands: depends.stands }
    }
}

/// The kind of a thing, its facts, and the slot where a fact stands if things of that kind have it.
struct Rows<'w> {
    kind: KindId,
    facts: &'w [i64],
}

impl<'w> Rows<'w> {
    fn of_space(board: &Board<'w>, world: &'w World, space: u32) -> Rows<'w> {
        let slots = world.space_slots;
        let facts = world
            .space_facts
            .get(space as usize * slots..(space as usize + 1) * slots)
            .unwrap_or_default();
        Rows {
            kind: board.map.spaces.get(space as usize).map_or(KindId(u16::MAX), |s| s.kind),
            facts,
        }
    }

    /// The fact as the evaluator reads it: 0 for a thing that has none such.
    #[inline]
    fn read(&self, part: &Part) -> i64 {
        match part.has.get(self.kind.index()) {
            Some(true) => self.facts.get(part.slot).copied().unwrap_or(0),
            _ => 0,
        }
    }
}

impl<V: Copy> FactMemo<V> {
    pub(in crate::kernel) fn new(key: Key) -> FactMemo<V> {
        let values = vec![None; key.places.unwrap_or(0)];
        FactMemo { key, values, filled: Vec::new(), others: IdMap::default(), wide: Vec::new() }
    }

    /// Whether things are told apart by their own facts alone, and looked up by arithmetic.
    pub(in crate::kernel) fn has_codes(&self) -> bool {
        self.key.places.is_some()
            && !self.key.stands
            && self.key.parts.iter().all(|part| !part.of_place)
    }

    /// The place of the value of a thing, where [`FactMemo::has_codes`]; none where a fact is out of
    /// its range.
    #[inline]
    pub(in crate::kernel) fn code(&self, kind: KindId, row: &[i64]) -> Option<u32> {
        let own = Rows { kind, facts: row };
        let (mut at, mut inside) = (kind.index().min(self.key.kinds - 1), true);
        for part in &self.key.parts {
            let code = usize::try_from(own.read(part).wrapping_sub(part.low)).unwrap_or(usize::MAX);
            inside &= code < part.count;
            at = at.wrapping_mul(part.count).wrapping_add(code);
        }
        u32::try_from(at).ok().filter(|_| inside)
    }

    /// The value of a place, if it has been worked out.
    #[inline]
    pub(in crate::kernel) fn known(&self, code: u32) -> Option<V> {
        self.values.get(code as usize).copied().flatten()
    }

    /// The value of a space, if it has been worked out and [`FactMemo::has_codes`].
    #[inline]
    pub(in crate::kernel) fn known_of(
        &self,
        board: &Board<'_>,
        world: &World,
        space: u32,
    ) -> Option<V> {
        let rows = Rows::of_space(board, world, space);
        self.known(self.code(rows.kind, rows.facts)?)
    }

    /// Forgets all values and keeps the room.
    pub(in crate::kernel) fn forget(&mut self) {
        for place in self.filled.drain(..) {
            self.values[place as usize] = None;
        }
        self.others.clear();
    }

    /// The value of a thing; asked only for the first thing of its sort.
    pub(in crate::kernel) fn get<E>(
        &mut self,
        board: &Board<'_>,
        world: &World,
        thing: ThingRef,
        ask: impl FnOnce() -> Result<V, E>,
    ) -> Result<V, E> {
        let (own, here) = match thing {
            ThingRef::Space(space) => (Rows::of_space(board, world, space), None),
            ThingRef::Unit(unit) => {
                let row = world.units.get(unit as usize);
                let here = if self.key.stands { world.space_of(unit) } else { None };
                let own =
                    Rows { kind: row.map_or(KindId(u16::MAX), |u| u.kind), facts: world.row(unit) };
                (own, here.map(|s| Rows::of_space(board, world, s)))
            }
            _ => return ask(),
        };
        let kind = |rows: Option<&Rows<'_>>| {
            rows.map_or(self.key.kinds - 1, |r| r.kind.index().min(self.key.kinds - 1))
        };
        let read = |part: &Part| match part.of_place {
            false => own.read(part),
            true => here.as_ref().map_or(0, |h| h.read(part)),
        };
        if self.key.places.is_some() {
            let mut at = kind(Some(&own));
            if self.key.stands {
                at = at * self.key.kinds + kind(here.as_ref());
            }
            let mut inside = true;
            for part in &self.key.parts {
                let cell = read(part);
                // A thing that has no such fact reads 0, which the range need not hold.
                let code = usize::try_from(cell.wrapping_sub(part.low)).unwrap_or(usize::MAX);
                inside &= code < part.count;
                at = at.wrapping_mul(part.count).wrapping_add(code);
            }
            if inside && let Some(cell) = self.values.get_mut(at) {
                return match *cell {
                    Some(value) => Ok(value),
                    None => {
                        let value = *cell.insert(ask()?);
                        self.filled.push(u32::try_from(at).unwrap_or(0));
                        Ok(value)
                    }
                };
            }
        }
        let (first, second) = (kind(Some(&own)), kind(here.as_ref()));
        let mut wide = std::mem::take(&mut self.wide);
        wide.clear();
        wide.extend([first, second].map(|k| i64::try_from(k).unwrap_or(i64::MAX)));
        wide.extend(self.key.parts.iter().map(read));
        let found = match self.others.get(wide.as_slice()) {
            Some(value) => Ok(*value),
            None => ask().inspect(|value| {
                self.others.insert(wide.as_slice().into(), *value);
            }),
        };
        self.wide = wide;
        found
    }
}
