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
use std::rc::Rc;

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
type NamedNet = (Option<Box<[KindId]>>, Rc<Net>);

/// All that is made once of a map and its rules.
pub struct Board<'r> {
    pub(super) rules: &'r Ruleset,
    pub(super) map: &'r Map,
    layout: OnceCell<Layout>,
    nets: RefCell<IndexMap<Box<[bool]>, Rc<Net>>>,
    /// The same by the kinds that were asked for.
    named: RefCell<Vec<NamedNet>>,
    depends: RefCell<IndexMap<(ExprId, u8), Rc<Depends>>>,
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
        Board {
            rules,
            map,
            layout: OnceCell::new(),
            nets: RefCell::default(),
            named: RefCell::default(),
            depends: RefCell::default(),
            warm: RefCell::default(),
        }
    }

    /// What was kept of a trace; nothing while it is in use.
    pub(super) fn take_warm(&self, trace: TraceId) -> Option<Warm> {
        self.warm.borrow_mut().swap_remove(&trace)
    }

    /// Keeps what the next position can use.
    pub(super) fn keep_warm(&self, trace: TraceId, warm: Option<Warm>) {
        self.warm.borrow_mut().extend(warm.map(|warm| (trace, warm)));
    }

    /// Where each space has its bit.
    pub(super) fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| Layout::of(self.map))
    }

    /// The links of these kinds; none given means all.
    pub(super) fn net(&self, kinds: Option<&[KindId]>) -> Rc<Net> {
        if let Some((_, net)) =
            self.named.borrow().iter().find(|(named, _)| named.as_deref() == kinds)
        {
            return Rc::clone(net);
        }
        let net = self.net_of(kinds);
        self.named.borrow_mut().push((kinds.map(Box::from), Rc::clone(&net)));
        net
    }

    fn net_of(&self, kinds: Option<&[KindId]>) -> Rc<Net> {
        let wanted = |l: &crate::map::Links| {
            kinds.is_none_or(|k| k.iter().any(|k| self.rules.is_kind(l.kind, *k)))
        };
        let used: Box<[bool]> = self.map.links.iter().map(wanted).collect();
        if let Some(net) = self.nets.borrow().get(&used) {
            return Rc::clone(net);
        }
        let net = Rc::new(Net::of(self.map, self.layout(), &used));
        self.nets.borrow_mut().insert(used, Rc::clone(&net));
        net
    }

    /// What an expression reads of the subject of a level, and what else.
    pub(super) fn depends(&self, id: ExprId, level: u8) -> Rc<Depends> {
        if let Some(known) = self.depends.borrow().get(&(id, level)) {
            return Rc::clone(known);
        }
        let found = Rc::new(Depends::of(self, id, level));
        self.depends.borrow_mut().insert((id, level), Rc::clone(&found));
        found
    }
}
