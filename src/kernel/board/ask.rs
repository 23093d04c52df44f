//! A condition asked of all spaces at once.
//!
//! Conjunctions, contraries and named conditions are words of bits. What reads only facts of a
//! space is worked out once for all spaces that have the same; what counts units near a space, only
//! where units are. All else is asked of one space after another by the slow evaluator, and only of
//! spaces whose answer is needed.

use std::sync::Arc;

use super::cache_key::Changed;
use super::space_facts::SpaceFacts;
use super::{Bits, Board, CacheKey, Depends, FactMemo, Key, Sorts};
use crate::ir::*;
use crate::kernel::id_map::IdMap;
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::{ThingRef, World};

/// A condition, the level of the space in it, who asks, and whose line it is asked for where it
/// names that thing.
type Asked = (ExprId, u8, Option<SideId>, Bound);

/// The thing whose line is asked about.
pub(super) type Bound = Option<ThingRef>;

/// A position by its number, and the side that asks about spaces in it.
type Whole = (u64, Option<SideId>);

/// The side that asks about spaces in a position, and the viewer of its world: what an answer may
/// rest on that names no side.
type Asking = (Option<SideId>, Option<SideId>);

/// A condition, the level of the space in it, and who asks.
type Memo = (ExprId, u8, Option<SideId>, Asking);

/// What has been asked of a condition so far.
#[derive(Debug, Default)]
struct Known {
    asked: Bits,
    yes: Bits,
}

/// Room that questions leave behind for the next ones.
#[derive(Debug, Default)]
pub struct Room {
    /// The position whose answers stand here.
    of: Option<Whole>,
    /// What the values by facts that last were worked out for.
    cache_key: CacheKey,
    pool: Vec<Bits>,
    known: IdMap<Asked, Known>,
    space_facts: SpaceFacts,
    /// Who asks in this position.
    pub(super) asking: Asking,
    fact_memo: IdMap<Memo, Option<Box<ByFacts>>>,
    pub(super) units: IdMap<super::things::UnitsKey, Bits>,
    pub(super) of_units: IdMap<(ExprId, Option<SideId>, Asking), Option<Box<ByFacts>>>,
    pub(super) sorts: Option<Sorts>,
    /// The room of the last sorts.
    old_sorts: Sorts,
    occupied: Option<Bits>,
    /// The units that stand on the map, each with its cell, once somebody has asked.
    pub(super) standing: Option<Vec<(u32, u32)>>,
    old_standing: Vec<(u32, u32)>,
}

/// Values by facts, and whether they hold in the next position too.
#[derive(Debug)]
pub(super) struct ByFacts {
    pub(super) fact_memo: FactMemo<bool>,
    lasts: bool,
    /// Whether they rest on facts of the world.
    values: bool,
    /// The facts of spaces that are read, by slot, and when they were last found as they are here.
    slots: Box<[usize]>,
    since: u64,
    /// Spaces whose value is known, and where it is yes.
    known: Known,
}

impl ByFacts {
    /// No value yet of what an expression makes of a thing.
    pub(super) fn new(board: &Board<'_>, depends: &Depends) -> ByFacts {
        let facts = depends.facts.iter().filter_map(|fact| board.rules.facts.get(fact.index()));
        ByFacts {
            fact_memo: FactMemo::new(Key::new(board, depends)),
            // What is named in the rules may change with every position.
            lasts: !depends.named,
            values: depends.values,
            slots: facts.map(|fact| usize::from(fact.slot)).collect(),
            since: 0,
            known: Known::default(),
        }
    }

    /// Forgets all values and keeps the room.
    pub(super) fn forget(&mut self) {
        self.fact_memo.forget();
        self.known.asked.0.fill(0);
    }
}

impl Room {
    /// Begins a position: forgets the answers and keeps the room, and what holds in this one too.
    fn begin(&mut self, of: Whole, world: &World, board: &Board<'_>) {
        let changed = self.cache_key.changed(0, world, board.read_facts());
        self.clear(changed);
        self.space_facts.come_to(&world.space_facts, world.space_slots);
        self.asking = (of.1, world.viewer);
        self.of = Some(of);
    }

    /// Forgets the answers and keeps the room, and what was worked out by facts of things if it
    /// rests on what has changed.
    fn clear(&mut self, changed: Changed) {
        self.pool.extend(self.known.drain(..).flat_map(|(_, k)| [k.asked, k.yes]));
        self.pool.extend(self.units.drain(..).map(|(_, bits)| bits));
        if let Some(mut sorts) = self.sorts.take() {
            self.pool.extend(sorts.planes());
            self.old_sorts = sorts;
        }
        self.pool.extend(self.occupied.take());
        if let Some(standing) = self.standing.take() {
            self.old_standing = standing;
        }
        let by_facts = self.fact_memo.values_mut().chain(self.of_units.values_mut());
        let by_facts = by_facts.filter_map(Option::as_deref_mut);
        let rests = |known: &&mut ByFacts| match changed {
            _ if !known.lasts => true,
            Changed::Nothing => false,
            Changed::Values => known.values,
            Changed::More => true,
        };
        by_facts.filter(rests).for_each(ByFacts::forget);
    }

    /// A copy of where the units of a noun phrase stand, if that has been asked.
    pub(super) fn units_known(&mut self, key: &super::things::UnitsKey) -> Option<Bits> {
        let known = self.units.get(key)?;
        let mut copy = self.pool.pop().unwrap_or_default();
        copy.copy(known);
        Some(copy)
    }

    /// Forgets what was made for other rules.
    pub(in crate::kernel) fn renew(&mut self) {
        self.clear(Changed::More);
        self.of = None;
        self.space_facts = SpaceFacts::default();
        self.fact_memo.clear();
        self.of_units.clear();
    }
}

/// Asks conditions of all spaces of one position.
pub struct Asker<'p, 'r> {
    pub(super) board: &'p Board<'r>,
    pub(super) position: &'p Position<'r>,
    /// What is printed on the map, asked long ago.
    still: Option<&'p IdMap<(ExprId, u8), Bits>>,
    pub(super) room: &'p mut Room,
    /// The thing whose line is asked about, where conditions name it at level 0.
    pub(super) bound: Bound,
}

impl<'p, 'r> Asker<'p, 'r> {
    pub(in crate::kernel) fn new(
        board: &'p Board<'r>,
        position: &'p Position<'r>,
        still: Option<&'p IdMap<(ExprId, u8), Bits>>,
        room: &'p mut Room,
    ) -> Asker<'p, 'r> {
        let of = position.cache_key();
        if room.of != Some(of) {
            room.begin(of, position.world, board);
        }
        Asker { board, position, still, room, bound: None }
    }

    /// Asks conditions that name a thing, the one whose line is asked about.
    pub(in crate::kernel) fn bind(&mut self, bound: Bound) {
        self.bound = bound;
    }

    /// The thing whose line is asked about, if an expression names it.
    pub(super) fn bound_in(&self, id: ExprId) -> Bound {
        self.bound.filter(|_| self.board.reads(id, 0))
    }

    /// What an expression reads of the subject of a level; the thing whose line it is, is given.
    pub(super) fn depends(&self, id: ExprId, level: u8) -> Arc<Depends> {
        match self.bound {
            Some(_) => self.board.depends_bound(id, level),
            None => self.board.depends(id, level),
        }
    }

    /// A question about the subject of a level.
    pub(super) fn cx(&self, viewer: Option<SideId>, level: u8, subject: ThingRef) -> Cx {
        let cx = Cx::world(viewer);
        self.bound.map_or(cx, |bound| cx.with(0, bound)).with(level, subject)
    }

    /// The position that is asked about.
    pub(in crate::kernel) fn position(&self) -> &'p Position<'r> {
        self.position
    }

    /// Sorts of units to be filled.
    pub(in crate::kernel) fn new_sorts(&mut self) -> Sorts {
        let mut sorts = std::mem::take(&mut self.room.old_sorts);
        sorts.begin();
        sorts
    }

    /// Knows from now on where each sort of unit stands.
    pub(in crate::kernel) fn know(&mut self, sorts: Sorts) {
        self.room.sorts = Some(sorts);
    }

    /// An empty plane.
    pub(in crate::kernel) fn empty(&mut self) -> Bits {
        let mut bits = self.room.pool.pop().unwrap_or_default();
        bits.reset(self.board.layout().size);
        bits
    }

    /// Every space.
    pub(in crate::kernel) fn all(&mut self) -> Bits {
        let board = self.board;
        self.copy(&board.layout().spaces)
    }

    /// The spaces of a list.
    pub(super) fn those(&mut self, things: &[ThingRef]) -> Bits {
        let (mut bits, layout) = (self.empty(), self.board.layout());
        for thing in things {
            if let ThingRef::Space(space) = thing {
                bits.set(layout.cell(*space));
            }
        }
        bits
    }

    /// The same plane once more.
    pub(in crate::kernel) fn copy(&mut self, of: &Bits) -> Bits {
        let mut bits = self.room.pool.pop().unwrap_or_default();
        bits.copy(of);
        bits
    }

    /// Takes a plane back.
    pub(in crate::kernel) fn give(&mut self, bits: Bits) {
        self.room.pool.push(bits);
    }

    /// Where a condition holds, of the spaces that are asked for.
    pub(in crate::kernel) fn truth(
        &mut self,
        id: ExprId,
        level: u8,
        viewer: Option<SideId>,
        need: &Bits,
    ) -> Result<Bits, EvalFault> {
        if let Some(still) = self.still.and_then(|s| s.get(&(id, level))) {
            let mut found = self.copy(still);
            found.and(need);
            return Ok(found);
        }
        match self.board.rules.node(id) {
            Node::Truth(true) => Ok(self.copy(need)),
            Node::Truth(false) => Ok(self.empty()),
            Node::And(parts) => {
                let mut left = self.copy(need);
                for part in parts {
                    if left.is_empty() {
                        break;
                    }
                    let next = self.truth(*part, level, viewer, &left)?;
                    let before = std::mem::replace(&mut left, next);
                    self.give(before);
                }
                Ok(left)
            }
            Node::Or(parts) => {
                let (mut left, mut found) = (self.copy(need), self.empty());
                for part in parts {
                    if left.is_empty() {
                        break;
                    }
                    let more = self.truth(*part, level, viewer, &left)?;
                    found.or(&more);
                    left.without(&more);
                    self.give(more);
                }
                self.give(left);
                Ok(found)
            }
            Node::Not(inner) => {
                let not = self.truth(*inner, level, viewer, need)?;
                let mut found = self.copy(need);
                found.without(&not);
                self.give(not);
                Ok(found)
            }
            Node::Define(define, Some(of)) if self.is_own(*of, level) => {
                let define = &self.board.rules.defines[define.index()];
                let Some(having) = self.board.having(define.of) else {
                    return self.named(define.value, viewer, need);
                };
                let mut those = self.copy(need);
                those.and(&having);
                let found = self.named(define.value, viewer, &those);
                self.give(those);
                found
            }
            Node::Any(_) | Node::Only(_) => {
                let key = (id, level, viewer, self.bound_in(id));
                self.remembered(key, need, |asker, need| {
                    match asker.things(id, level, viewer, need)? {
                        Some(found) => Ok(found),
                        None => asker.one_by_one(id, level, viewer, need),
                    }
                })
            }
            _ => {
                let key = (id, level, viewer, self.bound_in(id));
                self.remembered(key, need, |asker, need| asker.one_by_one(id, level, viewer, need))
            }
        }
    }

    /// Where the body of a named value of spaces holds.
    fn named(
        &mut self,
        value: ExprId,
        viewer: Option<SideId>,
        need: &Bits,
    ) -> Result<Bits, EvalFault> {
        // A question without a side is asked by the side that asks about spaces.
        let viewer = viewer.or_else(|| self.position.viewer_of(ThingRef::Space(0)));
        // The subject of level 0 in there is the space.
        let bound = self.bound.take();
        let found = self.remembered((value, 0, viewer, None), need, |asker, need| {
            asker.truth(value, 0, viewer, need)
        });
        self.bound = bound;
        found
    }

    pub(super) fn is_own(&self, of: ExprId, level: u8) -> bool {
        matches!(self.board.rules.node(of), Node::Subject(l) if *l == level)
    }

    /// Asks only what has not been asked before.
    fn remembered(
        &mut self,
        key: Asked,
        need: &Bits,
        ask: impl FnOnce(&mut Self, &Bits) -> Result<Bits, EvalFault>,
    ) -> Result<Bits, EvalFault> {
        let known = self.room.known.get_mut(&key).map(std::mem::take);
        let known = known.filter(|known| !known.asked.0.is_empty());
        let mut known = known.unwrap_or_else(|| Known { asked: self.empty(), yes: self.empty() });
        let mut more = self.copy(need);
        more.without(&known.asked);
        if !more.is_empty() {
            let yes = ask(self, &more)?;
            known.asked.or(&more);
            known.yes.or(&yes);
            self.give(yes);
        }
        self.give(more);
        let mut found = self.copy(&known.yes);
        found.and(need);
        self.room.known.insert(key, known);
        Ok(found)
    }

    /// Asks the evaluator: once where no space is read, once for all spaces with the same facts, or
    /// for each space.
    fn one_by_one(
        &mut self,
        id: ExprId,
        level: u8,
        viewer: Option<SideId>,
        need: &Bits,
    ) -> Result<Bits, EvalFault> {
        let (position, layout) = (self.position, self.board.layout());
        if !self.board.reads(id, level) {
            let Some(cell) = need.cells().next() else { return Ok(self.empty()) };
            let cx = self.cx(viewer, level, ThingRef::Space(layout.space(cell)));
            let holds = position.holds_directly(id, &cx)?;
            return Ok(if holds { self.copy(need) } else { self.empty() });
        }
        let depends = self.depends(id, level);
        let mut found = self.empty();
        let cx = self.cx(viewer, level, ThingRef::World);
        let ask = |space: u32| position.holds_directly(id, &cx.with(level, ThingRef::Space(space)));
        if depends.other || depends.beyond {
            for cell in need.cells() {
                if ask(layout.space(cell))? {
                    found.set(cell);
                }
            }
            return Ok(found);
        }
        // Where no unit is near, what counts units depends on the facts of the space alone.
        let mut alone = self.copy(need);
        if let Some(reach) = depends.units {
            let mut near = self.occupied();
            let all = self.board.net(None);
            for _ in 0..reach {
                let edge = self.copy(&near);
                all.spread(layout, &edge, &mut near);
                self.give(edge);
            }
            near.and(need);
            alone.without(&near);
            for cell in near.cells() {
                if ask(layout.space(cell))? {
                    found.set(cell);
                }
            }
            self.give(near);
        }
        let key = (id, level, viewer, self.room.asking);
        let known = self.room.fact_memo.get_mut(&key).and_then(Option::take);
        let mut fact_memo = known.unwrap_or_else(|| Box::new(ByFacts::new(self.board, &depends)));
        // What was found for another thing whose line it is does not hold for this one.
        if self.bound_in(id).is_some() {
            fact_memo.forget();
        }
        let known = &mut fact_memo.known;
        match self.room.space_facts.changed_since(&fact_memo.slots, fact_memo.since) {
            Some(spaces) if known.asked.0.len() == alone.0.len() => {
                spaces.for_each(|space| known.asked.put(layout.cell(space), false));
            }
            _ => {
                known.asked.reset(alone.0.len());
                known.yes.reset(alone.0.len());
            }
        }
        fact_memo.since = self.room.space_facts.now;
        let mut more = self.copy(&alone);
        more.without(&known.asked);
        let (memo, world) = (&mut fact_memo.fact_memo, position.world);
        let codes = memo.has_codes();
        for cell in more.cells() {
            let space = layout.space(cell);
            // Most of a map has been seen before.
            let code = if codes { memo.known_of(self.board, world, space) } else { None };
            let holds = match code {
                Some(holds) => holds,
                None => memo.get(self.board, world, ThingRef::Space(space), || ask(space))?,
            };
            known.yes.put(cell, holds);
            known.asked.set(cell);
        }
        self.give(more);
        alone.and(&known.yes);
        found.or(&alone);
        self.room.fact_memo.insert(key, Some(fact_memo));
        self.give(alone);
        Ok(found)
    }

    /// The units on the map, each with its cell; to be given back to the room.
    pub(super) fn standing(&mut self) -> Vec<(u32, u32)> {
        if let Some(standing) = self.room.standing.take() {
            return standing;
        }
        let mut standing = std::mem::take(&mut self.room.old_standing);
        standing.clear();
        let (world, layout) = (self.position.world, self.board.layout());
        let spaces = self.board.map.spaces.len();
        let units = 0..u32::try_from(world.units.len()).unwrap_or(u32::MAX);
        let cell = |unit: u32| {
            let space = world.space_of(unit).filter(|s| (*s as usize) < spaces)?;
            Some((unit, layout.cell(space)))
        };
        standing.extend(units.filter_map(cell));
        standing
    }

    /// Where units stand.
    fn occupied(&mut self) -> Bits {
        if self.room.occupied.is_none() {
            let mut bits = self.empty();
            let standing = self.standing();
            standing.iter().for_each(|(_, cell)| bits.set(*cell));
            self.room.standing = Some(standing);
            self.room.occupied = Some(bits);
        }
        let bits = self.room.occupied.take().unwrap_or_default();
        let copy = self.copy(&bits);
        self.room.occupied = Some(bits);
        copy
    }
}
