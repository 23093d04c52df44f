//! A map as bits: one bit a space, the rows of a hex map below one another, so that all neighbours
//! are three shifts away.
//!
//! What never changes while a map is played on is made once and kept here: places of spaces, links
//! by direction, what the expressions of the rules read. [`Asker`] asks a condition of all spaces
//! of a position at once.

mod ask;
mod bits;
mod cache_key;
mod depends;
mod fact_memo;
mod kept_costs;
mod layout;
mod net;
mod paths;
mod plane;
mod sorts;
mod space_facts;
mod spaces;
mod things;
mod turns;

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use super::direct;
use super::hex::Warm;
use super::mover::MoverFacts;
use crate::ir::*;
use crate::kernel::id_map::IdMap;
use crate::map::Map;

use kept_costs::KeptCosts;

pub(super) use ask::{Asker, Room};
pub(super) use bits::Bits;
pub(super) use cache_key::{CacheKey, ReadFacts};
pub(super) use depends::Depends;
pub(super) use fact_memo::{FactMemo, Key};
pub(super) use layout::{CHUNK, Layout, neighbours};
pub(super) use net::{Net, groups};
pub(super) use paths::PathsScratch;
pub(super) use plane::Plane;
pub(super) use sorts::Sorts;
pub(super) use turns::{Nodes, Turns, joining, space_of};

/// The kinds that were asked for, or all, and their net.
type NamedNet = (Option<Box<[KindId]>>, Arc<Net>);

/// The kinds that were asked for, and what stands for their crossings.
type NamedTurns = (Box<[KindId]>, Option<Arc<Turns>>);

/// All that is made once of a map and its rules.
pub struct Board<'r> {
    pub(super) rules: &'r Ruleset,
    pub(super) map: &'r Map,
    kept: BoardState,
}

/// What a board has made so far, without the rules and the map that it was made of; it may wait for
/// the next board of the same map, and go to another thread.
#[derive(Default)]
pub struct BoardState {
    layout: OnceCell<Layout>,
    read: OnceCell<ReadFacts>,
    /// The spaces of a kind; nothing where all are.
    having: RefCell<IdMap<KindId, Option<Arc<Bits>>>>,
    nets: RefCell<IdMap<Box<[bool]>, Arc<Net>>>,
    /// The same by the kinds that were asked for.
    named: RefCell<Vec<NamedNet>>,
    turns: RefCell<Vec<NamedTurns>>,
    depends: RefCell<IdMap<(ExprId, u8, bool), Arc<Depends>>>,
    /// Whether an expression names the subject of a level.
    reads: RefCell<IdMap<(ExprId, u8), bool>>,
    /// Which expressions read a ruling.
    rulings: RefCell<IdMap<ExprId, bool>>,
    /// Whether an expression reads only what is stored, by its place; none before it was asked for.
    direct: RefCell<Vec<Option<bool>>>,
    /// What traces read of the thing whose line it is.
    movers: RefCell<IdMap<TraceId, Arc<MoverFacts>>>,
    /// How many positions have been asked on it.
    positions: Cell<u64>,
    /// What steps cost, by trace; nothing where that is not kept.
    costs: RefCell<IdMap<TraceId, Option<KeptCosts>>>,
    /// What the searches of traces keep from one position to the next.
    warm: RefCell<IdMap<TraceId, Warm>>,
    /// The room of questions asked of spaces, kept for the next ones.
    room: RefCell<Room>,
}

impl std::fmt::Debug for Board<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Board").field("map", &self.map.name).finish_non_exhaustive()
    }
}

impl<'r> Board<'r> {
    /// The board of a map of a ruleset.
    #[must_use]
    pub fn new(rules: &'r Ruleset, map: &'r Map) -> Board<'r> {
        Board::resumed(rules, map, BoardState::default())
    }

    /// The board of a map with what an earlier board of the same map and rules has made.
    #[must_use]
    pub fn resumed(rules: &'r Ruleset, map: &'r Map, kept: BoardState) -> Board<'r> {
        Board { rules, map, kept }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &'r Ruleset {
        self.rules
    }

    /// What this board has made, for the next one.
    #[must_use]
    pub fn into_state(self) -> BoardState {
        self.kept
    }

    /// Does something in the room of earlier questions; questions within questions have their own.
    pub(super) fn in_room<T>(&self, work: impl FnOnce(&mut Room) -> T) -> T {
        let mut room = self.kept.room.take();
        let found = work(&mut room);
        self.kept.room.replace(room);
        found
    }

    /// What was kept of a trace; nothing while it is in use.
    pub(super) fn take_warm(&self, trace: TraceId) -> Option<Warm> {
        self.kept.warm.borrow_mut().swap_remove(&trace)
    }

    /// Keeps what the next position can use.
    pub(super) fn keep_warm(&self, trace: TraceId, warm: Option<Warm>) {
        self.kept.warm.borrow_mut().extend(warm.map(|warm| (trace, warm)));
    }

    /// The facts of the world and of sides that any expression reads.
    pub(super) fn read_facts(&self) -> &ReadFacts {
        self.kept.read.get_or_init(|| ReadFacts::of(self.rules))
    }

    /// The spaces that have the values which are said of a kind; nothing where all have them.
    pub(super) fn having(&self, said_of: Option<KindId>) -> Option<Arc<Bits>> {
        let kind = said_of?;
        let found = || {
            let layout = self.layout();
            let (mut having, mut all) = (Bits::new(layout.size), true);
            for (at, space) in (0u32..).zip(&self.map.spaces) {
                let has = self.rules.is_kind(space.kind, kind);
                having.put(layout.cell(at), has);
                all &= has;
            }
            (!all).then(|| Arc::new(having))
        };
        self.kept.having.borrow_mut().entry(kind).or_insert_with(found).clone()
    }

    /// Where each space has its bit.
    pub(super) fn layout(&self) -> &Layout {
        self.kept.layout.get_or_init(|| Layout::of(self.map))
    }

    /// The links of these kinds; none given means all.
    pub(super) fn net(&self, kinds: Option<&[KindId]>) -> Arc<Net> {
        if let Some((_, net)) =
            self.kept.named.borrow().iter().find(|(named, _)| named.as_deref() == kinds)
        {
            return Arc::clone(net);
        }
        let net = self.net_of(kinds);
        self.kept.named.borrow_mut().push((kinds.map(Box::from), Arc::clone(&net)));
        net
    }

    /// The links of these kinds where some of them cross and do not meet.
    pub(super) fn turns(&self, kinds: &[KindId]) -> Option<Arc<Turns>> {
        if self.map.crossings.is_empty() {
            return None;
        }
        if let Some((_, turns)) = self.kept.turns.borrow().iter().find(|(of, _)| **of == *kinds) {
            return turns.clone();
        }
        let turns = Turns::of(self.rules, self.map, &self.used(Some(kinds))).map(Arc::new);
        self.kept.turns.borrow_mut().push((Box::from(kinds), turns.clone()));
        turns
    }

    /// Whether a leg of a trace goes over links that cross and do not meet.
    pub(super) fn has_turns(&self, rule: &Trace) -> bool {
        rule.legs.iter().any(|leg| self.turns(&leg.links).is_some())
    }

    /// Which links are of these kinds.
    fn used(&self, kinds: Option<&[KindId]>) -> Box<[bool]> {
        let wanted = |l: &crate::map::Links| {
            kinds.is_none_or(|k| k.iter().any(|k| self.rules.is_kind(l.kind, *k)))
        };
        self.map.links.iter().map(wanted).collect()
    }

    fn net_of(&self, kinds: Option<&[KindId]>) -> Arc<Net> {
        let used = self.used(kinds);
        if let Some(net) = self.kept.nets.borrow().get(&used) {
            return Arc::clone(net);
        }
        let groups = groups(self.rules, self.map, &used);
        let net = Arc::new(Net::of(self.map, self.layout(), &used, groups));
        self.kept.nets.borrow_mut().insert(used, Arc::clone(&net));
        net
    }

    /// What an expression reads of the subject of a level, and what else.
    pub(super) fn depends(&self, id: ExprId, level: u8) -> Arc<Depends> {
        self.depends_of(id, level, false)
    }

    /// The same of a part of a gate, whose subject of level 0 is the thing whose line it is, and
    /// one for all spaces.
    pub(super) fn depends_bound(&self, id: ExprId, level: u8) -> Arc<Depends> {
        self.depends_of(id, level, true)
    }

    fn depends_of(&self, id: ExprId, level: u8, bound: bool) -> Arc<Depends> {
        let key = (id, level, bound);
        if let Some(known) = self.kept.depends.borrow().get(&key) {
            return Arc::clone(known);
        }
        let found = Arc::new(Depends::of(self, id, level, bound));
        self.kept.depends.borrow_mut().insert(key, Arc::clone(&found));
        found
    }

    /// Whether an expression names the subject of a level.
    pub(super) fn reads(&self, id: ExprId, level: u8) -> bool {
        let known = self.kept.reads.borrow().get(&(id, level)).copied();
        known.unwrap_or_else(|| {
            let reads = self.rules.reads_level(id, level);
            self.kept.reads.borrow_mut().insert((id, level), reads);
            reads
        })
    }

    /// Whether what an expression is worked out of reads a ruling, by whatever way.
    pub(super) fn reads_ruling(&self, id: ExprId) -> bool {
        let known = self.kept.rulings.borrow().get(&id).copied();
        known.unwrap_or_else(|| {
            let mut reads = false;
            self.rules.walk(
                [id],
                |_| true,
                |_, id| {
                    reads |= matches!(
                        self.rules.node(id),
                        Node::Ruling(_) | Node::Rounded(RoundBy::Ruling(..), _)
                    );
                },
            );
            self.kept.rulings.borrow_mut().insert(id, reads);
            reads
        })
    }

    /// Whether an expression reads only what is stored.
    pub(super) fn is_direct(&self, id: ExprId) -> bool {
        if let Some(Some(known)) = self.kept.direct.borrow().get(id.index()) {
            return *known;
        }
        let found = direct::is_direct(self.rules, id);
        let mut kept = self.kept.direct.borrow_mut();
        if kept.len() <= id.index() {
            kept.resize(self.rules.nodes.len().max(id.index() + 1), None);
        }
        kept[id.index()] = Some(found);
        found
    }

    /// What a trace reads of the thing whose line it is.
    pub(super) fn mover_facts(&self, trace: TraceId) -> Arc<MoverFacts> {
        if let Some(known) = self.kept.movers.borrow().get(&trace) {
            return Arc::clone(known);
        }
        let found = self.rules.traces.get(trace.index());
        let found = found.map(|rule| MoverFacts::of(self.rules, rule)).unwrap_or_default();
        let found = Arc::new(found);
        self.kept.movers.borrow_mut().insert(trace, Arc::clone(&found));
        found
    }

    /// A number for a position, unlike that of any other on this board.
    pub(super) fn number_position(&self) -> u64 {
        let number = self.kept.positions.get() + 1;
        self.kept.positions.set(number);
        number
    }
}
