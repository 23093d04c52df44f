//! Translates conditions on one unit: what its own facts say is looked up, what its space says is
//! read from a plane.

use indexmap::IndexMap;

use super::Cx;
use super::build::Builder;
use super::columns::Batch;
use super::lookup::LookupTable;
use super::mover::facts_read;
use super::plane::PlaneId;
use super::reads::{Reads, bit};
use super::space_condition::Row;
use crate::ir::*;
use crate::world::{ThingRef, built_in};

/// A condition on one unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum UnitCondition {
    /// the same in all positions
    Always(bool),
    /// by its own facts
    LookupTable(LookupTable),
    /// what a plane says of its space
    Plane(PlaneId),
    /// all of these
    All(Vec<UnitCondition>),
    /// one of these
    One(Vec<UnitCondition>),
    /// the contrary
    Not(Box<UnitCondition>),
    /// asked of every position, one after another
    Slow(usize),
}

/// More named values than this are not written out; the evaluator is asked, which works each out
/// once.
const MOST_WRITTEN_OUT: u32 = 1 << 16;

/// What tells units apart for a condition that reads nothing of them but kind and facts.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Alike {
    when: ExprId,
    viewer: Option<SideId>,
    kind: KindId,
    removed: bool,
    /// The facts that it reads and that do not vary.
    facts: Box<[i64]>,
}

/// Conditions on units as tables, and the facts of a unit that each condition reads.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    facts: IndexMap<ExprId, Option<Vec<FactId>>>,
    found: IndexMap<Alike, Option<LookupTable>>,
}

/// A condition on a unit that is asked of every position by the slow evaluator.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlowUnit {
    /// What is asked.
    pub when: ExprId,
    /// Of which unit.
    pub unit: u32,
}

impl Builder<'_> {
    /// The condition on a unit, which is the subject of level 0 and whose owner asks.
    pub(super) fn unit_condition(
        &mut self,
        when: ExprId,
        unit: u32,
        viewer: Option<SideId>,
        slow: &mut Vec<SlowUnit>,
    ) -> UnitCondition {
        let thing = ThingRef::Unit(unit);
        if let Some(look) = self.looked_up(when, unit, viewer) {
            return match look.fixed() {
                Some(value) => UnitCondition::Always(value != 0),
                None => UnitCondition::LookupTable(look),
            };
        }
        let rules = self.position.rules;
        match rules.node(when) {
            Node::And(parts) | Node::Or(parts) => {
                let settles = matches!(rules.node(when), Node::Or(_));
                let before = slow.len();
                let parts =
                    parts.iter().map(|p| self.unit_condition(*p, unit, viewer, slow)).collect();
                let join = if settles { UnitCondition::One } else { UnitCondition::All };
                let found = joined(parts, settles, join);
                if matches!(found, UnitCondition::Always(_)) {
                    // What is settled asks nothing slowly.
                    slow.truncate(before);
                }
                found
            }
            Node::Not(inner) => match self.unit_condition(*inner, unit, viewer, slow) {
                UnitCondition::Always(value) => UnitCondition::Always(!value),
                inner => UnitCondition::Not(Box::new(inner)),
            },
            Node::Define(define, Some(of))
                if *rules.node(*of) == Node::Subject(0) && self.written_out < MOST_WRITTEN_OUT =>
            {
                self.written_out += 1;
                let define = &rules.defines[define.index()];
                if !self.position.has(thing, define.of) {
                    return UnitCondition::Always(false);
                }
                self.unit_condition(define.value, unit, viewer, slow)
            }
            Node::Define(define, Some(of)) if self.is_row(*of, Row::Where(unit)) => {
                UnitCondition::Plane(self.named(*define, Row::Where(unit), viewer))
            }
            _ => match self.leaf(when, Row::Where(unit), viewer) {
                Some(plane) => UnitCondition::Plane(plane),
                None => {
                    slow.push(SlowUnit { when, unit });
                    UnitCondition::Slow(slow.len() - 1)
                }
            },
        }
    }

    /// A condition on a unit as a table, worked out once for all units that look alike to it.
    fn looked_up(
        &mut self,
        when: ExprId,
        unit: u32,
        viewer: Option<SideId>,
    ) -> Option<LookupTable> {
        let reads = self.reader.of(when);
        let alike = self.alike(&reads, when, (unit, 0), viewer);
        let cx = Cx::of(viewer, ThingRef::Unit(unit));
        let ask = |p: &super::Position<'_>| p.holds(when, &cx).map(u16::from);
        self.once(alike, |build| LookupTable::of(build, unit, 0, &reads, ask))
    }

    /// A condition on the candidates of a noun phrase, as a table for one of them; none where it
    /// reads more than that candidate.
    pub(super) fn candidate_looked_up(
        &mut self,
        things: &Things,
        reads: &Reads,
        unit: u32,
        (viewer, bound): (Option<SideId>, Option<u32>),
    ) -> Option<LookupTable> {
        let (thing, level) = (ThingRef::Unit(unit), things.level);
        let cx = bound.map_or(Cx::world(viewer), |b| Cx::of(viewer, ThingRef::Unit(b)));
        let meets = |p: &super::Position<'_>| p.meets(things, thing, &cx).map(u16::from);
        // Where no side asks, that of the candidate does.
        let asks = cx.viewer.or_else(|| self.position.viewer_of(thing));
        let alike = match (things.condition, bound) {
            (Some(when), None) => self.alike(reads, when, (unit, level), asks),
            _ => None,
        };
        self.once(alike, |build| LookupTable::of(build, unit, level, reads, meets))
    }

    /// A table, worked out once for all units that look alike.
    fn once(
        &mut self,
        alike: Option<Alike>,
        work: impl FnOnce(&Builder<'_>) -> Option<LookupTable>,
    ) -> Option<LookupTable> {
        let Some(alike) = alike else { return work(self) };
        if let Some(known) = self.lookups.found.get(&alike) {
            return known.clone();
        }
        let found = work(self);
        self.lookups.found.insert(alike, found.clone());
        found
    }

    /// What tells the unit, which is the subject of a level, apart from others for a condition; none
    /// if that is more than its facts.
    fn alike(
        &mut self,
        reads: &Reads,
        when: ExprId,
        (unit, level): (u32, u8),
        viewer: Option<SideId>,
    ) -> Option<Alike> {
        let (rules, world) = (self.position.rules, self.position.world);
        let facts =
            self.lookups.facts.entry(when).or_insert_with(|| facts_read(rules, when, level));
        let removed = self.shape.removed(unit as usize);
        // A table has all values of what varies.
        let is_key = |fact: FactId| match self.shape.varying_at(fact) {
            _ if fact == built_in::SPACE => reads.space & bit(level) != 0 && !removed,
            varying => varying.is_some_and(|varying| reads.facts.contains(&(level, varying))),
        };
        let value = |fact: &FactId| {
            let fact = rules.facts.get(fact.index());
            fact.map_or(0, |fact| world.fact(fact, ThingRef::Unit(unit)))
        };
        let facts = facts.as_ref()?.iter().filter(|fact| !is_key(**fact)).map(value).collect();
        let kind = world.units.get(unit as usize)?.kind;
        Some(Alike { when, viewer, kind, removed, facts })
    }
}

impl UnitCondition {
    /// Calls with every plane that it reads.
    pub(super) fn planes(&self, call: &mut dyn FnMut(PlaneId)) {
        match self {
            UnitCondition::Plane(plane) => call(*plane),
            UnitCondition::All(parts) | UnitCondition::One(parts) => {
                parts.iter().for_each(|part| part.planes(call));
            }
            UnitCondition::Not(inner) => inner.planes(call),
            UnitCondition::Always(_) | UnitCondition::LookupTable(_) | UnitCondition::Slow(_) => {}
        }
    }
}

/// Parts without those that say nothing; `settles` is the value that settles the whole.
fn joined(
    parts: Vec<UnitCondition>,
    settles: bool,
    join: impl Fn(Vec<UnitCondition>) -> UnitCondition,
) -> UnitCondition {
    if parts.contains(&UnitCondition::Always(settles)) {
        return UnitCondition::Always(settles);
    }
    let mut kept: Vec<UnitCondition> =
        parts.into_iter().filter(|p| *p != UnitCondition::Always(!settles)).collect();
    match kept.len() {
        0 => UnitCondition::Always(!settles),
        1 => kept.remove(0),
        _ => join(kept),
    }
}

/// What the conditions of units are read from.
pub(super) struct Sight<'s, const W: usize> {
    /// The batch.
    pub batch: &'s Batch,
    /// All planes of the block.
    pub planes: &'s [[u64; W]],
    /// Rows of a plane.
    pub rows: usize,
    /// The first lane of the block.
    pub lane: usize,
    /// What was asked slowly, by condition and lane.
    pub slow: &'s [[u64; W]],
}

impl<const W: usize> Sight<'_, W> {
    /// The positions of a lane of the block in which a condition holds.
    pub(super) fn word(&self, condition: &UnitCondition, unit: u32, w: usize) -> u64 {
        match condition {
            UnitCondition::Always(value) => {
                if *value {
                    u64::MAX
                } else {
                    0
                }
            }
            UnitCondition::LookupTable(look) => look.bits(self.batch, unit, self.lane + w),
            UnitCondition::Plane(plane) => self.at_space(*plane, unit, w),
            UnitCondition::All(parts) => {
                parts.iter().fold(u64::MAX, |all, p| all & self.word(p, unit, w))
            }
            UnitCondition::One(parts) => parts.iter().fold(0, |one, p| one | self.word(p, unit, w)),
            UnitCondition::Not(inner) => !self.word(inner, unit, w),
            UnitCondition::Slow(at) => self.slow[*at][w],
        }
    }

    /// What a plane says of the space of a unit, position by position.
    pub(super) fn at_space(&self, plane: PlaneId, unit: u32, w: usize) -> u64 {
        let plane = &self.planes[plane as usize * self.rows..][..self.rows];
        let (mut word, mut bit) = (0, 1u64);
        for space in self.batch.lane_of_spaces(unit, self.lane + w) {
            word |= plane[usize::from(*space).min(self.rows - 1)][w] & bit;
            bit <<= 1;
        }
        word
    }

    /// What a plane says of a space.
    pub(super) fn of_row(&self, plane: PlaneId, row: u32, w: usize) -> u64 {
        self.planes[plane as usize * self.rows + row as usize][w]
    }

    /// The same where each position has a plane of its own, counted from a first one.
    pub(super) fn at_space_by(
        &self,
        first: PlaneId,
        which: &[u16; 64],
        unit: u32,
        w: usize,
    ) -> u64 {
        let planes = &self.planes[first as usize * self.rows..];
        let (mut word, mut bit) = (0, 1u64);
        for (space, nth) in self.batch.lane_of_spaces(unit, self.lane + w).iter().zip(which) {
            let row = usize::from(*nth) * self.rows + usize::from(*space).min(self.rows - 1);
            word |= planes[row][w] & bit;
            bit <<= 1;
        }
        word
    }
}
