//! The gates of single spaces after a change, each asked once for all things that share them.
//!
//! A gate feels no farther than its radius. So what a space comes to after a change rests on the
//! part of the change that is near it, and other changes with the same part give the same.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use super::super::board::Room;
use super::super::evaluate::GatesKey;
use super::super::field::Gates;
use super::super::id_map::IdMap;
use super::super::{Change, EvalFault, Position};
use crate::arrange::Arrange as _;
use crate::ir::*;
use crate::world::{ThingRef, World};

/// The gates of one space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub source: Option<u16>,
    pub relay: bool,
    /// Of each leg `from`, `through` and `into`.
    pub legs: Box<[[bool; 3]]>,
}

/// The part of a change that is near a space.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Near {
    Gone(Box<[u32]>),
    Turned(u32, SideId),
}

/// What is known of the spaces for things that share their gates.
type Known = IdMap<(u32, Near), Row>;

/// Gates, the thing whose fact is stated, the fact, and what it is stated to be.
type StatedKey = (GatesKey, ThingRef, FactId, i64);

/// The gates of spaces after changes.
pub(super) struct Rows {
    radius: u32,
    /// For each space those whose gates feel a change there, when they were asked for.
    zones: Vec<OnceCell<Box<[u32]>>>,
    known: RefCell<IdMap<GatesKey, Known>>,
    /// All gates, where a fact of another thing than the one that asks is stated otherwise.
    stated: RefCell<IdMap<StatedKey, Arc<Gates>>>,
    room: RefCell<Room>,
}

/// So many positions with another fact are kept.
const MOST_STATED: usize = 256;

impl Row {
    fn of(gates: &Gates, space: u32) -> Row {
        let at = space as usize;
        let leg =
            |leg: &super::super::field::LegGates| [leg.from[at], leg.through[at], leg.into[at]];
        Row {
            source: gates.source[at],
            relay: gates.relay[at],
            legs: gates.legs.iter().map(leg).collect(),
        }
    }

    pub fn write(&self, gates: &mut Gates, space: u32) {
        let at = space as usize;
        gates.source[at] = self.source;
        gates.relay[at] = self.relay;
        for (leg, [from, through, into]) in gates.legs.iter_mut().zip(&self.legs) {
            (leg.from[at], leg.through[at], leg.into[at]) = (*from, *through, *into);
        }
    }
}

impl Rows {
    pub fn new(position: &Position<'_>, radius: u32) -> Rows {
        Rows {
            radius,
            zones: vec![OnceCell::new(); position.map.spaces.len()],
            known: RefCell::default(),
            stated: RefCell::default(),
            room: RefCell::default(),
        }
    }

    /// The spaces whose gates feel a change in a space.
    pub fn zone(&self, position: &Position<'_>, space: u32) -> &[u32] {
        self.zones[space as usize]
            .get_or_init(|| position.around(space, self.radius, None, true).into())
    }

    /// The gates of all spaces that feel a change, after it; `base` are all gates without it.
    pub fn after(
        &self,
        position: &Position<'_>,
        (trace, thing): (TraceId, ThingRef),
        (change, world): (&Change, &mut World),
        base: &Gates,
    ) -> Result<Vec<(u32, Row)>, EvalFault> {
        let key = (trace, position.viewer_of(thing), position.mover(trace, thing));
        let parts = self.parts(position, change);
        let mut all = self.known.borrow_mut();
        let known = all.entry(key).or_default();
        let missing: Vec<u32> = parts
            .iter()
            .filter(|part| !known.contains_key(*part))
            .map(|(space, _)| *space)
            .collect();
        if !missing.is_empty() {
            let mut gates = base.clone();
            let rule = &position.rules.traces[trace.index()];
            change.tried(position.rules, world, |world| {
                let Some(on) = Position::on(&position.board(), world) else { return Ok(()) };
                on.asking.set(position.asking.get());
                gates.ask_some(&on, rule, thing, &missing, &mut self.room.borrow_mut())
            })?;
            for part in parts.iter().filter(|(space, _)| missing.contains(space)) {
                known.insert(part.clone(), Row::of(&gates, part.0));
            }
        }
        let row = |part: (u32, Near)| Some((part.0, known.get(&part)?.clone()));
        Ok(parts.into_iter().filter_map(row).collect())
    }

    /// All gates after a fact of another thing is stated otherwise.
    pub fn all_after(
        &self,
        position: &Position<'_>,
        (trace, thing): (TraceId, ThingRef),
        (change, world): (&Change, &mut World),
    ) -> Result<Option<Arc<Gates>>, EvalFault> {
        let Change::Stated { of, fact, value } = change else { return Ok(None) };
        let gates = (trace, position.viewer_of(thing), position.mover(trace, thing));
        let key = (gates, *of, *fact, *value);
        if let Some(known) = self.stated.borrow().get(&key) {
            return Ok(Some(Arc::clone(known)));
        }
        let asked = change.tried(position.rules, world, |world| {
            let on = Position::on(&position.board(), world)?;
            on.asking.set(position.asking.get());
            Some(on.gates(trace, thing))
        });
        let Some(found) = asked.transpose()? else { return Ok(None) };
        let mut stated = self.stated.borrow_mut();
        if stated.len() < MOST_STATED {
            stated.insert(key, Arc::clone(&found));
        }
        Ok(Some(found))
    }

    /// The spaces that feel a change, each with the part of it that is near.
    fn parts(&self, position: &Position<'_>, change: &Change) -> Vec<(u32, Near)> {
        let units = match change {
            Change::Gone(units) => units,
            Change::Turned { space, to } => {
                let near = |cell: &u32| (*cell, Near::Turned(*space, *to));
                return self.zone(position, *space).iter().map(near).collect();
            }
            _ => return Vec::new(),
        };
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for unit in units {
            let zone = position.world.space_of(*unit).map(|space| self.zone(position, space));
            pairs.extend(zone.into_iter().flatten().map(|cell| (*cell, *unit)));
        }
        pairs.arrange();
        let of_cell = pairs.chunk_by(|a, b| a.0 == b.0);
        of_cell
            .filter_map(|part| {
                let units = part.iter().map(|(_, unit)| *unit).collect();
                Some((part.first()?.0, Near::Gone(units)))
            })
            .collect()
    }
}
