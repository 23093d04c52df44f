//! A trace asked for all its things at once, on a large map: bits over spaces, one search a side and sort of mover.
//!
//! Gates, sources and relays are asked once a side, as planes of bits ([`super::board`]). Costs are planes too, one for
//! each cost that occurs. The search spreads from the sources backward, 64 hexes a word ([`wave`]), and each unit reads one
//! bit at the step of its own budget. The answers are those of [`super::field`], which also gives the evidence.

mod many;
mod movers;
mod refused;
mod search;
mod still;
mod tolls;
mod wave;

use std::rc::Rc;

use indexmap::IndexMap;

use super::board::{Asker, Bits, Board, Room};
use super::{EvalFault, Position};
use crate::ir::*;
use crate::world::{ThingRef, World};

pub use many::yes_of;
pub use refused::{HexFault, Refused};

/// A trace made ready for one map.
pub struct HexKernel<'r> {
    rules: &'r Ruleset,
    trace: TraceId,
    map: MapId,
    board: Rc<Board<'r>>,
    /// Conditions that are printed on the map, by expression and level.
    still: IndexMap<(ExprId, u8), Bits>,
    /// The facts of spaces that no rule changes.
    printed: Vec<bool>,
}

impl std::fmt::Debug for HexKernel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HexKernel").field("trace", &self.trace).field("board", &self.board).finish_non_exhaustive()
    }
}

/// The answer of one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HexRow {
    /// Which thing.
    pub thing: ThingRef,
    /// Yes or no.
    pub yes: bool,
    /// How long the first leg of its line is, where lengths were asked for and a line was traced and found.
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
    room: Room,
    gates: Vec<SideGates>,
    movers: movers::Movers,
    tolls: tolls::Tolls,
    search: search::Search,
    rows: Vec<HexRow>,
}

impl HexScratch {
    /// The answers of the last question, in the order of the position.
    #[must_use]
    pub fn rows(&self) -> &[HexRow] {
        &self.rows
    }
}

/// The conditions of a trace for one side, as planes.
#[derive(Debug, Default)]
struct SideGates {
    source: Bits,
    relay: Bits,
    legs: Vec<[Bits; 3]>,
}

impl<'r> HexKernel<'r> {
    /// Makes a trace ready for the map of a position.
    ///
    /// What is printed on the map, the attributes of spaces that no phase changes, is read from this position once;
    /// [`HexKernel::fits`] tells whether another position has the same.
    pub fn compile(rules: &'r Ruleset, template: &World, trace: TraceId) -> Result<HexKernel<'r>, Refused> {
        let rule = rules.traces.get(trace.index()).ok_or(Refused::NoTrace)?;
        let map = rules.maps.get(template.map.index()).ok_or(Refused::NoMap)?;
        if map.spaces.len() > 1 << 26 {
            return Err(Refused::TooLarge);
        }
        if rule.per_subject {
            return Err(Refused::PerSubject);
        }
        let board = Rc::new(Board::new(rules, map));
        for leg in &rule.legs {
            if leg.cost.is_some_and(|cost| !board.depends(cost, 0).by_facts()) {
                return Err(Refused::Cost);
            }
        }
        let printed = still::printed(rules);
        let still = still::conditions(&board, template, rule, &printed)?;
        Ok(HexKernel { rules, trace, map: template.map, board, still, printed })
    }

    /// Whether what is printed on the map is the same in a position as in the one that the kernel was made from.
    #[must_use]
    pub fn fits(&self, template: &World, world: &World) -> bool {
        let slots = world.space_slots;
        let kept = |slot: usize| {
            let is_fact = |f: &Fact| self.rules.top(f.kind) == KindId::SPACE && usize::from(f.slot) == slot;
            self.rules.facts.iter().zip(&self.printed).any(|(f, printed)| *printed && is_fact(f))
        };
        let kept: Vec<bool> = (0..slots).map(kept).collect();
        let rows = |w: &'_ World| w.space_facts.len() == self.board.map.spaces.len() * slots;
        let same = |(at, (a, b)): (usize, (&i64, &i64))| a == b || !kept[at % slots.max(1)];
        world.map == self.map && rows(template) && rows(world) && template.space_facts.iter().zip(&world.space_facts).enumerate().all(same)
    }

    /// Asks the trace about every thing of its kind on the map; the answers are in the scratch.
    pub fn ask(&self, world: &World, wanted: Wanted, scratch: &mut HexScratch) -> Result<(), HexFault> {
        let rule = &self.rules.traces[self.trace.index()];
        let position = Position::on(&self.board, world).filter(|_| world.map == self.map).ok_or(HexFault::OtherMap)?;
        let HexScratch { room, gates, movers, tolls, search, rows } = scratch;
        movers.gather(self, rule, &position, rows)?;
        let mut asker = Asker::new(&self.board, &position, Some(&self.still), room);
        while let Some(old) = gates.pop() {
            [old.source, old.relay].into_iter().chain(old.legs.into_iter().flatten()).for_each(|bits| asker.give(bits));
        }
        for viewer in movers.viewers() {
            gates.push(SideGates::ask(&mut asker, rule, *viewer)?);
        }
        tolls.renew(world);
        search.renew();
        for group in movers.groups() {
            let tolls = tolls.of(self, rule, &position, group)?;
            search.run(&self.board, rule, &gates[group.viewer], &tolls, group, wanted, rows);
        }
        Ok(())
    }

    /// Asks the trace yes or no about every thing of its kind on the map.
    pub fn flags(&self, world: &World, scratch: &mut HexScratch) -> Result<(), HexFault> {
        self.ask(world, Wanted::Flags, scratch)
    }
}

impl SideGates {
    fn ask(asker: &mut Asker<'_, '_>, rule: &Trace, viewer: Option<SideId>) -> Result<SideGates, EvalFault> {
        let all = asker.all();
        let mut gates = SideGates { source: asker.empty(), relay: asker.empty(), legs: Vec::new() };
        let mut left = asker.copy(&all);
        for source in &rule.sources {
            let found = asker.truth(source.when, 1, viewer, &left)?;
            gates.source.or(&found);
            left.without(&found);
            asker.give(found);
        }
        for relay in &rule.relays {
            let found = asker.truth(relay.when, 1, viewer, &all)?;
            gates.relay.or(&found);
            asker.give(found);
        }
        for leg in &rule.legs {
            let mut gate = |gate: &Gate| match gate.when {
                Some(when) => asker.truth(when, 1, viewer, &all),
                None => Ok(asker.copy(&all)),
            };
            gates.legs.push([gate(&leg.from)?, gate(&leg.through)?, gate(&leg.into)?]);
        }
        asker.give(left);
        asker.give(all);
        Ok(gates)
    }
}
