//! A trace asked for all its things at once, on a large map: bits over spaces, one search a side
//! and sort of mover; gates that read the mover are asked once for all movers that look the same to
//! them.
//!
//! Units are counted once ([`census`]), and gates, sources and relays are asked once a side, as
//! planes of bits ([`super::board`]). Costs are planes too, one for each cost that occurs. The
//! search spreads from the sources backward: over open country in words of many lines at a time
//! ([`sweep`]: its [`bands`], what is under way in them, [`frontier_ring`], and its [`loops`], as wide as
//! the machine: [`width`]), along roads by their threads, and where links make a difference line by
//! line ([`bucket_queue`]). Each unit reads one bit at the step of its own budget ([`readers`]). The
//! answers are those of [`super::field`], which also gives the evidence.

mod bands;
mod bucket_queue;
mod census;
mod frontier_ring;
mod loops;
mod many;
mod movers;
mod prepared;
mod readers;
mod refused;
mod search;
mod still;
mod sweep;
mod tolls;
mod width;

use std::rc::Rc;
use std::sync::Arc;

use super::board::{Asker, Bits, Board, CacheKey, Room};
use super::lines::Leave;
use super::{EvalFault, Position};
use crate::ir::*;
use crate::world::{ThingRef, World};

pub use many::yes_of;
pub(super) use many::{Warm, answers_of};
pub(super) use prepared::Prepared;
pub use refused::{HexFault, Refused};
pub use width::Width;

/// A trace made ready for one map.
pub struct HexKernel<'r> {
    rules: &'r Ruleset,
    board: Rc<Board<'r>>,
    made: Arc<Prepared>,
}

impl std::fmt::Debug for HexKernel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HexKernel")
            .field("trace", &self.made.trace)
            .field("board", &self.board)
            .finish_non_exhaustive()
    }
}

/// The answer of one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HexRow {
    /// Which thing.
    pub thing: ThingRef,
    /// Yes or no.
    pub yes: bool,
    /// How long its line is, where lengths were asked for and a line was found.
    pub length: Option<u32>,
}

/// Whether lengths are wanted beside the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// yes or no alone
    Flags,
    /// lengths as well
    Lengths,
}

/// Room for the work of a kernel, kept from one position to the next.
#[derive(Debug, Default)]
pub struct HexScratch {
    cache_key: CacheKey,
    room: Room,
    gates: Vec<SideGates>,
    movers: movers::Movers,
    tolls: tolls::Tolls,
    search: search::Search,
    rows: Vec<HexRow>,
}

impl HexScratch {
    /// Takes so many words at once from now on; without it, as many as the machine can.
    pub fn set_width(&mut self, width: Width) {
        self.search.width = width;
    }

    /// Cuts maps into bands of so many words at least from now on, which suits a cache of another
    /// size; the answers are the same.
    pub fn set_band(&mut self, words: usize) {
        self.search.band = Some(words);
    }

    /// The answers of the last question, in the order of the position.
    #[must_use]
    pub fn rows(&self) -> &[HexRow] {
        &self.rows
    }
}

/// The conditions of a trace for one side, and one sort of mover where they read it, as planes.
#[derive(Debug, Default, PartialEq, Eq)]
struct SideGates {
    source: Bits,
    relay: Bits,
    legs: Vec<[Bits; 3]>,
}

impl<'r> HexKernel<'r> {
    /// Makes a trace ready for the map of a position.
    ///
    /// What is printed on the map, the attributes of spaces that no phase changes, is read from
    /// this position once; [`HexKernel::fits`] tells whether another position has the same.
    pub fn compile(
        rules: &'r Ruleset,
        template: &World,
        trace: TraceId,
    ) -> Result<HexKernel<'r>, Refused> {
        let map = rules.maps.get(template.map.index()).ok_or(Refused::NoMap)?;
        let board = Rc::new(Board::new(rules, map));
        let made = Arc::new(Prepared::of(&board, template, trace)?);
        Ok(HexKernel::on(&board, made))
    }

    /// What was made ready before, on its board.
    pub(in crate::kernel) fn on(board: &Rc<Board<'r>>, made: Arc<Prepared>) -> HexKernel<'r> {
        HexKernel { rules: board.rules, board: Rc::clone(board), made }
    }

    /// Whether what is printed on the map is the same in a position as in the one that the kernel
    /// was made from.
    #[must_use]
    pub fn fits(&self, world: &World) -> bool {
        self.made.fits(world)
    }

    /// Asks the trace about every thing of its kind on the map; the answers are in the scratch.
    pub fn ask(
        &self,
        world: &World,
        wanted: Wanted,
        scratch: &mut HexScratch,
    ) -> Result<(), HexFault> {
        let position = Position::on(&self.board, world).ok_or(HexFault::OtherMap)?;
        self.ask_position(&position, wanted, scratch)
    }

    /// The same of a position on the board of the kernel.
    pub(in crate::kernel) fn ask_position(
        &self,
        position: &Position<'r>,
        wanted: Wanted,
        scratch: &mut HexScratch,
    ) -> Result<(), HexFault> {
        let rule = &self.rules.traces[self.made.trace.index()];
        if position.world.map != self.made.map {
            return Err(HexFault::OtherMap);
        }
        let HexScratch { cache_key, room, gates, movers, tolls, search, rows } = scratch;
        if cache_key.update(self.made.number, position.world, &self.made.reads) {
            room.renew();
            movers.renew();
            tolls.renew();
        }
        let mut asker = Asker::new(&self.board, position, Some(&self.made.still), room);
        movers.gather(self, rule, &mut asker, rows)?;
        if gates.len() < movers.askers.len() {
            gates.resize_with(movers.askers.len(), SideGates::default);
        }
        for (at, (gates, (viewer, _))) in gates.iter_mut().zip(&movers.askers).enumerate() {
            let asking = movers.groups.iter().find(|g| g.asker == at && !g.members.is_empty());
            if let Some(group) = asking {
                asker.bind(rule.per_subject.then_some(group.mover));
                gates.ask(&mut asker, rule, *viewer)?;
            }
        }
        movers.share(rule, gates);
        search.renew();
        for group in movers.groups.iter_mut().filter(|g| !g.members.is_empty()) {
            tolls.give(self, rule, position, group)?;
            search.run(&self.board, rule, &gates[group.asker], group, wanted, rows);
        }
        if wanted == Wanted::Lengths && rule.is_chain() {
            self.whole_lengths(position, movers, rows)?;
        }
        Ok(())
    }

    /// How long the lines of several legs are as wholes: the search asks leg by leg whether there
    /// is one, and the shortest need not be made of the shortest legs.
    fn whole_lengths(
        &self,
        position: &Position<'r>,
        movers: &movers::Movers,
        rows: &mut [HexRow],
    ) -> Result<(), EvalFault> {
        let rule = &position.rules.traces[self.made.trace.index()];
        for member in movers.groups.iter().flat_map(|group| &group.members) {
            let row = &mut rows[member.row as usize];
            if row.yes {
                let lines = position.lines(self.made.trace, row.thing, &Leave::default())?;
                row.length = lines.length(position, rule, self.board.layout().space(member.cell));
            }
        }
        Ok(())
    }

    /// Asks the trace yes or no about every thing of its kind on the map.
    pub fn flags(&self, world: &World, scratch: &mut HexScratch) -> Result<(), HexFault> {
        self.ask(world, Wanted::Flags, scratch)
    }
}

impl SideGates {
    /// Asks them for a side, in the room of the last answers.
    fn ask(
        &mut self,
        asker: &mut Asker<'_, '_>,
        rule: &Trace,
        viewer: Option<SideId>,
    ) -> Result<(), EvalFault> {
        let old = [std::mem::take(&mut self.source), std::mem::take(&mut self.relay)];
        old.into_iter().chain(self.legs.drain(..).flatten()).for_each(|bits| asker.give(bits));
        (self.source, self.relay) = (asker.empty(), asker.empty());
        let all = asker.all();
        let mut left = asker.copy(&all);
        for source in &rule.sources {
            let found = asker.truth(source.when, 1, viewer, &left)?;
            self.source.or(&found);
            left.without(&found);
            asker.give(found);
        }
        for relay in &rule.relays {
            let found = asker.truth(relay.when, 1, viewer, &all)?;
            self.relay.or(&found);
            asker.give(found);
        }
        for leg in &rule.legs {
            let mut gate = |gate: &Gate| match gate.when {
                Some(when) => asker.truth(when, 1, viewer, &all),
                None => Ok(asker.copy(&all)),
            };
            self.legs.push([gate(&leg.from)?, gate(&leg.through)?, gate(&leg.into)?]);
        }
        asker.give(left);
        asker.give(all);
        Ok(())
    }
}
