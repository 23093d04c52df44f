//! One trace asked of positions that come one after another, by whichever way is the fastest.
//!
//! Positions that differ from an earlier one only in where units stand, who controls what and the
//! facts of units are answered together, on planes ([`Kernel`]). Others are searched as bits
//! ([`super::HexKernel`]), or by the field. What was prepared for one position stays for the next.
//! The twin is [`Position::answer`], asked of each thing.

use std::borrow::Borrow;
use std::rc::Rc;
use std::sync::Arc;

use super::batch::Compiled;
use super::board::{Board, BoardState};
use super::hex::answers_of;
use super::{Batch, EvalFault, Flags, Kernel, Position, Scratch};
use crate::ir::*;
use crate::world::{ThingRef, Unit, World, built_in};

/// So many templates are remembered; what fits none of them is asked by itself.
const MOST_TEMPLATES: usize = 8;
/// For fewer positions than these no kernel is compiled.
const FEWEST: usize = 8;
/// Of so many pairs of a unit and a space one more position must have come before a kernel is.
const PAIRS: usize = 1024;

/// The answers of a position: each thing of the trace that stands on the map, with yes or no.
pub type Answers = Vec<(ThingRef, bool)>;

/// A trace ready for a series of positions.
pub struct Series<'r> {
    rules: &'r Ruleset,
    trace: TraceId,
    boards: Vec<Rc<Board<'r>>>,
    templates: Vec<Template>,
    scratch: Scratch,
    flags: Flags,
}

/// What a series has prepared, without the rules that it was prepared of.
pub struct SeriesState {
    trace: TraceId,
    boards: Vec<(MapId, BoardState)>,
    templates: Vec<Template>,
    scratch: Scratch,
    flags: Flags,
}

/// Positions that are answered together.
struct Template {
    world: World,
    /// The slots of units' facts that have differed so far.
    varying: Vec<bool>,
    /// How many positions have come so far.
    seen: usize,
    /// The kernel for these, once it was asked for; none where it is refused.
    kernel: Option<Option<Arc<Compiled>>>,
}

impl std::fmt::Debug for Series<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Series")
            .field("trace", &self.trace)
            .field("templates", &self.templates.len())
            .finish_non_exhaustive()
    }
}

impl<'r> Series<'r> {
    /// Prepares nothing yet: what is worth preparing is seen from the positions.
    #[must_use]
    pub fn new(rules: &'r Ruleset, trace: TraceId) -> Series<'r> {
        let (scratch, flags) = (Scratch::default(), Flags::default());
        Series { rules, trace, boards: Vec::new(), templates: Vec::new(), scratch, flags }
    }

    /// A series that goes on with what an earlier one of the same rules has prepared.
    #[must_use]
    pub fn resumed(rules: &'r Ruleset, kept: SeriesState) -> Series<'r> {
        let SeriesState { trace, boards, templates, scratch, flags } = kept;
        let board = |(map, state): (MapId, BoardState)| {
            Some(Rc::new(Board::resumed(rules, rules.maps.get(map.index())?, state)))
        };
        let boards = boards.into_iter().filter_map(board).collect();
        Series { rules, trace, boards, templates, scratch, flags }
    }

    /// The same on a board that others may use as well.
    #[must_use]
    pub fn on(board: &Rc<Board<'r>>, kept: SeriesState) -> Series<'r> {
        let SeriesState { trace, templates, scratch, flags, .. } = kept;
        let boards = vec![Rc::clone(board)];
        Series { rules: board.rules, trace, boards, templates, scratch, flags }
    }

    /// What was prepared, for the next series.
    #[must_use]
    pub fn into_state(self) -> SeriesState {
        let Series { rules, trace, boards, templates, scratch, flags } = self;
        // A board that somebody else has as well is not this one's to keep.
        let own = |board: Rc<Board<'r>>| {
            let map = rules.maps.iter().position(|m| std::ptr::eq(m, board.map))?;
            Some((MapId::at(map), Rc::into_inner(board)?.into_state()))
        };
        let boards = boards.into_iter().filter_map(own).collect();
        SeriesState { trace, boards, templates, scratch, flags }
    }

    /// The answers of some positions, each in the order of its units or spaces.
    ///
    /// They are the same however positions are grouped, and a fault is the one of the first thing
    /// that has one.
    pub fn ask<W: Borrow<World>>(&mut self, worlds: &[W]) -> Vec<Result<Answers, EvalFault>> {
        let mut found: Vec<Option<Result<Answers, EvalFault>>> = vec![None; worlds.len()];
        // A page asks one position, and its module, whose size counts, is without planes.
        let many = !cfg!(target_arch = "wasm32") && worlds.len() >= FEWEST;
        let groups = if many { self.grouped(worlds) } else { Vec::new() };
        for (template, group) in groups.into_iter().enumerate() {
            if group.len() >= FEWEST
                && self.templates[template].is_worth(group.len())
                && let Some(answers) = self.together(template, worlds, &group)
            {
                for (at, answers) in group.into_iter().zip(answers) {
                    found[at] = Some(Ok(answers));
                }
            }
        }
        found
            .into_iter()
            .zip(worlds)
            .map(|(found, world)| found.unwrap_or_else(|| self.alone(world.borrow())))
            .collect()
    }

    /// For each template the positions that fit it.
    fn grouped<W: Borrow<World>>(&mut self, worlds: &[W]) -> Vec<Vec<usize>> {
        let mut groups = vec![Vec::new(); self.templates.len()];
        for (at, world) in worlds.iter().map(Borrow::borrow).enumerate() {
            let fits = self.templates.iter_mut().position(|t| t.takes(world));
            let fits = fits.or_else(|| {
                (self.templates.len() < MOST_TEMPLATES).then(|| {
                    let slots = world.unit_slots;
                    self.templates.push(Template {
                        world: world.clone(),
                        varying: vec![false; slots],
                        seen: 0,
                        kernel: None,
                    });
                    groups.push(Vec::new());
                    self.templates.len() - 1
                })
            });
            if let Some(fits) = fits {
                groups[fits].push(at);
            }
        }
        groups
    }

    /// Answers on planes; nothing where the kernel is refused or something cannot be worked out.
    fn together<W: Borrow<World>>(
        &mut self,
        template: usize,
        worlds: &[W],
        group: &[usize],
    ) -> Option<Vec<Answers>> {
        let Template { world, varying, kernel, .. } = &mut self.templates[template];
        let facts: Vec<FactId> = varying
            .iter()
            .enumerate()
            .filter(|(_, v)| **v)
            .filter_map(|(slot, _)| unit_fact(self.rules, slot))
            .collect();
        let compile = || {
            let kernel = Kernel::compile(self.rules, world, self.trace, &facts).ok();
            kernel.filter(Kernel::is_whole).map(|kernel| kernel.made())
        };
        let made = kernel.get_or_insert_with(compile).as_ref()?;
        let kernel = Kernel::resumed(self.rules, Arc::clone(made));
        let mut batch = kernel.batch(group.len());
        for (position, at) in group.iter().enumerate() {
            write(&mut batch, position, worlds[*at].borrow(), self.rules, &facts)?;
        }
        kernel.flags(&batch, &mut self.scratch, &mut self.flags).ok()?;
        let flags = &self.flags;
        let answers = |(position, at): (usize, &usize)| {
            let stands = |thing: &ThingRef| match thing {
                ThingRef::Unit(unit) => worlds[*at].borrow().space_of(*unit).is_some(),
                _ => true,
            };
            let things = flags.units().iter().map(|u| kernel.thing(*u)).enumerate();
            let answer = |(nth, thing)| Some((thing, flags.nth(position, nth)?));
            things.filter(|(_, thing)| stands(thing)).filter_map(answer).collect()
        };
        Some(group.iter().enumerate().map(answers).collect())
    }

    /// Answers one position by itself.
    fn alone(&mut self, world: &World) -> Result<Answers, EvalFault> {
        let Some(map) = self.rules.maps.get(world.map.index()) else { return Ok(Vec::new()) };
        let board = match self.boards.iter().find(|b| std::ptr::eq(b.map, map)) {
            Some(board) => Rc::clone(board),
            None => {
                self.boards.push(Rc::new(Board::new(self.rules, map)));
                Rc::clone(&self.boards[self.boards.len() - 1])
            }
        };
        let Some(position) = Position::on(&board, world) else { return Ok(Vec::new()) };
        let answers = answers_of(&position, self.trace, |rows| {
            rows.iter().map(|row| (row.thing, row.yes)).collect()
        });
        if let Some(answers) = answers {
            return Ok(answers);
        }
        let of = self.rules.traces[self.trace.index()].of;
        let units = (0u32..)
            .take(world.units.len())
            .filter(|u| world.space_of(*u).is_some())
            .map(ThingRef::Unit);
        let spaces = (0u32..).take(map.spaces.len()).map(ThingRef::Space);
        let things = units.chain(spaces).filter(|t| position.is_kind(*t, of));
        things.map(|t| Ok((t, position.is_yes(self.trace, t)?))).collect()
    }
}

impl SeriesState {
    /// Nothing prepared yet.
    #[must_use]
    pub fn new(trace: TraceId) -> SeriesState {
        let (scratch, flags) = (Scratch::default(), Flags::default());
        SeriesState { trace, boards: Vec::new(), templates: Vec::new(), scratch, flags }
    }
}

impl Template {
    /// Whether so many positions more make a kernel worth its making.
    fn is_worth(&mut self, more: usize) -> bool {
        self.seen = self.seen.saturating_add(more);
        let spaces = self.world.space_facts.len() / self.world.space_slots.max(1);
        let pairs = spaces.saturating_mul(self.world.units.len());
        self.kernel.is_some() || self.seen >= FEWEST + pairs / PAIRS
    }

    /// Whether a position differs in nothing but what a batch can vary; facts of units that differ
    /// are noted.
    fn takes(&mut self, world: &World) -> bool {
        let own = &self.world;
        let same = own.map == world.map
            && own.units.len() == world.units.len()
            && own.viewer == world.viewer
            && (&own.readings, &own.relations) == (&world.readings, &world.relations)
            && (&own.side_facts, &own.world_facts) == (&world.side_facts, &world.world_facts)
            && own.link_facts == world.link_facts
            && (&own.rolled, &own.kept) == (&world.rolled, &world.kept)
            && own.space_facts.len() == world.space_facts.len();
        if !same || own.space_slots == 0 {
            return false;
        }
        // The first fact of a space is who controls it.
        let rows =
            own.space_facts.chunks(own.space_slots).zip(world.space_facts.chunks(own.space_slots));
        if rows.clone().any(|(a, b)| a.get(1..) != b.get(1..)) {
            return false;
        }
        let mut varying = self.varying.clone();
        if own.unit_slots != world.unit_slots {
            return false;
        }
        let like = |(a, b): (&Unit, &Unit)| (a.kind, a.removed) == (b.kind, b.removed);
        if !own.units.are(&world.units) && !own.units.iter().zip(&world.units).all(like) {
            return false;
        }
        let slots = own.unit_slots.max(1);
        for (a, b) in own.unit_facts.chunks(slots).zip(world.unit_facts.chunks(slots)) {
            for (slot, _) in a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b) {
                match varying.get_mut(slot) {
                    _ if slot == built_in::OWNER.index() => return false,
                    Some(varies) => *varies |= slot != built_in::SPACE.index(),
                    None => return false,
                }
            }
        }
        if varying != self.varying {
            self.varying = varying;
            self.kernel = None;
        }
        true
    }
}

/// The fact of units that stands in a slot.
fn unit_fact(rules: &Ruleset, slot: usize) -> Option<FactId> {
    let is = |f: &Fact| rules.top(f.kind) == KindId::UNIT && usize::from(f.slot) == slot;
    rules.facts.iter().position(is).map(FactId::at)
}

/// Writes one position into a batch; nothing if it holds something that the batch cannot.
fn write(
    batch: &mut Batch,
    position: usize,
    world: &World,
    rules: &Ruleset,
    varying: &[FactId],
) -> Option<()> {
    for at in 0..u32::try_from(world.units.len()).ok()? {
        batch.set_space(position, at, world.space_of(at)).then_some(())?;
        for fact in varying {
            let value = world.row(at).get(usize::from(rules.facts.get(fact.index())?.slot))?;
            batch.set_fact(position, at, *fact, *value).then_some(())?;
        }
    }
    for space in 0..u32::try_from(batch.spaces()).ok()? {
        batch.set_control(position, space, world.control(space)).then_some(())?;
    }
    Some(())
}
