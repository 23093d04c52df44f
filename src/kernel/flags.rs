//! Asks a compiled trace of a whole batch.

use super::Position;
use super::batch::{Budget, Ending, Kernel, Plan};
use super::columns::{Batch, LANE};
use super::fault::BatchFault;
use super::machine::Machine;
use super::rows::{OfBatch, Sifting};
use super::run::{Block, Lanes, Run};
use super::transpose::{Line, WIDE, room};
use super::unit_condition::Sight;
use crate::world::{ThingRef, World};

/// Fewer lanes than these go unit by unit, for a block that is sifted has eight.
const FEWEST_SIFTED: usize = 4;

/// Words of all planes of a block that stay in the nearer caches: half a megabyte.
const NEAR: usize = 1 << 16;

/// What a kernel works with, kept from one batch to the next so that nothing is allocated again.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    planes: Vec<u64>,
    atoms: Vec<u64>,
    pass: Vec<u64>,
    slow: Vec<u64>,
    budgets: Vec<u16>,
    doubt: Vec<usize>,
    world: Option<World>,
    sifting: Sifting,
}

/// The answers of a batch: for each unit of the trace's kind a bit a position, or for each space
/// where the trace is asked of spaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    units: Vec<u32>,
    positions: usize,
    lanes: usize,
    bits: Vec<u64>,
}

impl Flags {
    /// The units that were asked, or the spaces, ascending.
    #[must_use]
    pub fn units(&self) -> &[u32] {
        &self.units
    }

    /// How many positions were asked.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The answer for a unit in a position; none if it was not asked.
    #[must_use]
    pub fn get(&self, position: usize, unit: u32) -> Option<bool> {
        self.nth(position, self.units.binary_search(&unit).ok()?)
    }

    /// The answer for the nth of [`Flags::units`]; none if there is none, or no such position.
    #[must_use]
    pub fn nth(&self, position: usize, nth: usize) -> Option<bool> {
        let word = self.words(nth).get(position / LANE).filter(|_| position < self.positions)?;
        Some(word >> (position % LANE) & 1 == 1)
    }

    /// No answers yet, for so many positions.
    pub(super) fn reset(&mut self, kernel: &Kernel<'_>, positions: usize) {
        self.units.clear();
        self.units.extend(kernel.plans.iter().map(|p| p.unit));
        (self.positions, self.lanes) = (positions, positions.div_ceil(LANE));
        self.bits.clear();
        self.bits.resize(self.units.len() * self.lanes, 0);
    }

    /// The answers for the nth unit in a block of eight lanes.
    #[inline(always)]
    pub(super) fn set_block(&mut self, nth: usize, block: usize, line: &Line) {
        let words = &mut self.bits[nth * self.lanes..][..self.lanes][block * WIDE..];
        match words.first_chunk_mut() {
            Some(words) if (block + 1) * WIDE * LANE <= self.positions => *words = line.0,
            _ => {
                for (w, (word, bits)) in words.iter_mut().zip(line.0).enumerate() {
                    *word = bits & mask(self.positions, block * WIDE + w);
                }
            }
        }
    }

    /// The answers for the nth unit of [`Flags::units`], 64 positions a word; bits behind the last
    /// position are 0.
    #[must_use]
    pub fn words(&self, nth: usize) -> &[u64] {
        self.bits.get(nth * self.lanes..(nth + 1) * self.lanes).unwrap_or_default()
    }
}

impl Scratch {
    /// The places and sizes of all buffers, to see that none was allocated again.
    #[must_use]
    pub fn buffers(&self) -> [(usize, usize); 4] {
        [&self.planes, &self.atoms, &self.pass, &self.slow]
            .map(|v| (v.as_ptr().addr(), v.capacity()))
    }
}

impl Kernel<'_> {
    /// Answers for all units of the trace's kind in all positions of a batch.
    pub fn flags(
        &self,
        batch: &Batch,
        scratch: &mut Scratch,
        flags: &mut Flags,
    ) -> Result<(), BatchFault> {
        if !std::sync::Arc::ptr_eq(&batch.shape, &self.shape) && *batch.shape != *self.shape {
            return Err(BatchFault::OtherBatch);
        }
        flags.reset(self, batch.positions);
        // A module is asked about few positions at once, and each way would have to be loaded.
        let few = cfg!(target_family = "wasm");
        if !few
            && batch.lanes >= FEWEST_SIFTED
            && let Some(one_hot_plan) = self.one_hot_plan()
        {
            self.sifted(one_hot_plan, &OfBatch(batch), &mut scratch.sifting, flags);
            return Ok(());
        }
        let near = |width: usize| self.program.planes * self.program.rows * width <= NEAR;
        match batch.lanes {
            0 => Ok(()),
            _ if few => self.blocks::<1>(batch, scratch, flags),
            5.. if near(8) => self.blocks::<8>(batch, scratch, flags),
            3.. if near(4) => self.blocks::<4>(batch, scratch, flags),
            2.. if near(2) => self.blocks::<2>(batch, scratch, flags),
            _ => self.blocks::<1>(batch, scratch, flags),
        }
    }

    fn blocks<const W: usize>(
        &self,
        batch: &Batch,
        scratch: &mut Scratch,
        flags: &mut Flags,
    ) -> Result<(), BatchFault> {
        let rows = self.program.rows;
        let slow = self.slow_units.len() * W;
        let sizes = [
            self.program.planes * rows * W,
            self.program.atoms.len() * rows * W,
            self.program.passes * rows * W,
            slow,
        ];
        let Scratch { planes, atoms, pass, slow, .. } = scratch;
        for (buffer, size) in [planes, atoms, pass, slow].into_iter().zip(sizes) {
            room(buffer, size);
        }
        scratch.budgets.resize(self.slow_budgets.len() * W * LANE, 0);
        let machine = Machine::new();
        for lane in (0..batch.lanes).step_by(W) {
            scratch.doubt.clear();
            if !self.is_whole() {
                self.ask_slowly::<W>(batch, scratch, lane);
            }
            let planes = room(&mut scratch.planes, sizes[0]).as_chunks_mut::<W>().0;
            let atoms = room(&mut scratch.atoms, sizes[1]).as_chunks_mut::<W>().0;
            let pass = room(&mut scratch.pass, sizes[2]).as_chunks_mut::<W>().0;
            let ground = Lanes { batch, lane };
            machine.dispatch(Run {
                program: &self.program,
                ground: &ground,
                block: Block { planes, atoms, pass },
                first: lane == 0,
            });
            let planes = room(&mut scratch.planes, sizes[0]).as_chunks::<W>().0;
            let slow = room(&mut scratch.slow, sizes[3]).as_chunks::<W>().0;
            let sight = Sight { batch, planes, rows, lane, slow };
            for (nth, plan) in self.plans.iter().enumerate() {
                let out = &mut flags.bits[nth * batch.lanes..(nth + 1) * batch.lanes];
                for (w, out) in out[lane..].iter_mut().take(W).enumerate() {
                    let budgets = |at: usize| scratch.budgets[(at * W + w) * LANE..].first_chunk();
                    *out = plan.word(&sight, budgets, w) & mask(batch.positions, lane + w);
                }
            }
            if !scratch.doubt.is_empty() {
                self.ask_again(batch, scratch, flags)?;
            }
        }
        Ok(())
    }

    /// What cannot be worked out on planes is asked of each position. A fault there need not be one
    /// of the answer, for the evaluator may never come to ask it: such a position is noted, and
    /// asked again as a whole.
    fn ask_slowly<const W: usize>(&self, batch: &Batch, scratch: &mut Scratch, lane: usize) {
        let Scratch { planes, slow: answers, budgets, doubt: doubts, world, .. } = scratch;
        let planes = room(planes, self.program.planes * self.program.rows * W);
        let answers = room(answers, self.slow_units.len() * W);
        let world = world.get_or_insert_with(|| self.shape.template.clone());
        world.clone_from(&self.shape.template);
        for position in lane * LANE..((lane + W) * LANE).min(batch.positions) {
            batch.write_world(position, world);
            let Some(asked) = Position::new(self.rules, world) else { continue };
            let (w, at) = (position / LANE - lane, position % LANE);
            let mut doubt = false;
            let mut set = |word: &mut u64, answer: Result<bool, super::EvalFault>| {
                doubt |= answer.is_err();
                *word = *word & !(1 << at) | u64::from(answer == Ok(true)) << at;
            };
            for (op, plane) in &self.program.ops {
                let super::plane::Op::Slow(nth) = op else { continue };
                let slow = &self.slow_planes[*nth];
                for row in 0..self.program.rows {
                    let thing = if row + 1 == self.program.rows {
                        ThingRef::World
                    } else {
                        ThingRef::Space(row as u32)
                    };
                    let cx = slow.cx(thing);
                    let word = &mut planes[(*plane as usize * self.program.rows + row) * W + w];
                    set(word, asked.holds(slow.when, &cx));
                }
            }
            for (nth, slow) in self.slow_units.iter().enumerate() {
                let cx = asked.asked_of(ThingRef::Unit(slow.unit));
                set(&mut answers[nth * W + w], asked.holds(slow.when, &cx));
            }
            for (nth, unit) in self.slow_budgets.iter().enumerate() {
                let budget = asked.budget(self.trace, ThingRef::Unit(*unit));
                doubt |= budget.is_err();
                let budget =
                    budget.ok().flatten().and_then(|b| u16::try_from(b).ok()).unwrap_or(u16::MAX);
                budgets[(nth * W + w) * LANE + at] = budget.min(self.longest);
            }
            if doubt {
                doubts.push(position);
            }
        }
    }

    /// Asks positions as a whole, by the slow evaluator alone.
    fn ask_again(
        &self,
        batch: &Batch,
        scratch: &mut Scratch,
        flags: &mut Flags,
    ) -> Result<(), BatchFault> {
        let Some(world) = &mut scratch.world else { return Ok(()) };
        for position in &scratch.doubt {
            batch.write_world(*position, world);
            let Some(asked) = Position::new(self.rules, world) else { continue };
            for (nth, plan) in self.plans.iter().enumerate() {
                let yes = asked.answer(self.trace, self.thing(plan.unit))?.yes;
                let word = &mut flags.bits[nth * batch.lanes + position / LANE];
                *word = *word & !(1 << (position % LANE)) | u64::from(yes) << (position % LANE);
            }
        }
        Ok(())
    }
}

/// The positions of a lane that there are.
fn mask(positions: usize, lane: usize) -> u64 {
    match positions - lane * LANE {
        64.. => u64::MAX,
        left => (1 << left) - 1,
    }
}

impl Plan {
    /// The answers of a lane.
    fn word<'b, const W: usize>(
        &self,
        sight: &Sight<'_, W>,
        budgets: impl Fn(usize) -> Option<&'b [u16; LANE]>,
        w: usize,
    ) -> u64 {
        let mut yes = match &self.ending {
            Ending::Settled(yes) => {
                if *yes {
                    u64::MAX
                } else {
                    0
                }
            }
            Ending::Space(plane, row) => sight.of_row(*plane, *row, w),
            Ending::Line(first, Budget::Fixed(nth)) => {
                sight.at_space(first + u32::from(*nth), self.unit, w)
            }
            Ending::Line(first, Budget::LookupTable(look)) => {
                let mut which = [0; LANE];
                look.lane(sight.batch, self.unit, sight.lane + w, &mut which);
                sight.at_space_by(*first, &which, self.unit, w)
            }
            Ending::Line(first, Budget::Slow(at)) => {
                budgets(*at).map_or(0, |b| sight.at_space_by(*first, b, self.unit, w))
            }
        };
        // The first verdict that holds decides, so the last is applied first.
        for (always, condition) in self.verdicts.iter().rev() {
            let holds = sight.word(condition, self.unit, w);
            yes = if *always { yes | holds } else { yes & !holds };
        }
        yes
    }
}
