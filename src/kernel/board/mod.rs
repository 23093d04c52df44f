//! A map as bits: one bit a space, the rows of a hex map below one another, so that all neighbours
//! are three shifts away.
//!
//! What never changes while a map is played on is made once and kept here: places of spaces, links
//! by direction, what the expressions of the rules read. [`Asker`] asks a condition of all spaces
//! of a position at once.

mod ask;
mod bits;
mod depends;
mod keyed;
mod layout;
mod net;
mod plane;
mod sorts;
mod things;
mod threads;

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use indexmap::IndexMap;

use super::hex::Warm;
use crate::ir::*;
use crate::map::Map;

pub(super) use ask::{Asker, Room};
pub(super) use bits::Bits;
pub(super) use depends::Depends;
pub(super) use keyed::{Key, Keyed};
pub(super) use layout::{CHUNK, Layout, neighbours};
pub(super) use net::Net;
pub(super) use plane::Plane;
pub(super) use sorts::Sorts;
pub(super) use threads::ThreadsRoom;

/// The kinds that were asked for, or all, and their net.
type NamedNet = (Option<Box<[KindId]>>, Arc<Net>);

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
    nets: RefCell<IndexMap<Box<[bool]>, Arc<Net>>>,
    /// The same by the kinds that were asked for.
    named: RefCell<Vec<NamedNet>>,
    depends: RefCell<IndexMap<(ExprId, u8), Arc<Depends>>>,
    /// What the searches of traces keep from one position to the next.
    warm: RefCell<IndexMap<TraceId, Warm>>,
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

    /// What this board has made, for the next one.
    #[must_use]
    pub fn into_state(self) -> BoardState {
        self.kept
    }

    /// What was kept of a trace; nothing while it is in use.
    pub(super) fn take_warm(&self, trace: TraceId) -> Option<Warm> {
        self.kept.warm.borrow_mut().swap_remove(&trace)
    }

    /// Keeps what the next position can use.
    pub(super) fn keep_warm(&self, trace: TraceId, warm: Option<Warm>) {
        self.kept.warm.borrow_mut().extend(warm.map(|warm| (trace, warm)));
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

    fn net_of(&self, kinds: Option<&[KindId]>) -> Arc<Net> {
        let wanted = |l: &crate::map::Links| {
            kinds.is_none_or(|k| k.iter().any(|k| self.rules.is_kind(l.kind, *k)))
        };
        let used: Box<[bool]> = self.map.links.iter().map(wanted).collect();
        if let Some(net) = self.kept.nets.borrow().get(&used) {
            return Arc::clone(net);
        }
        let net = Arc::new(Net::of(self.map, self.layout(), &used));
        self.kept.nets.borrow_mut().insert(used, Arc::clone(&net));
        net
    }

    /// What an expression reads of the subject of a level, and what else.
    pub(super) fn depends(&self, id: ExprId, level: u8) -> Arc<Depends> {
        if let Some(known) = self.kept.depends.borrow().get(&(id, level)) {
            return Arc::clone(known);
        }
        let found = Arc::new(Depends::of(self, id, level));
        self.kept.depends.borrow_mut().insert((id, level), Arc::clone(&found));
        found
    }
}
