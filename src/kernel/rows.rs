//! Positions as a program keeps them, a row of bytes each, answered without being kept in any other
//! form.
//!
//! A block of 512 positions at a time goes from rows to planes, through the program and back to
//! units, within the nearer caches ([`super::one_hot`]). What that way cannot take goes through a
//! [`Batch`], which is also its twin.

use std::sync::Arc;

use super::Kernel;
use super::batch::Plan;
use super::columns::{Batch, LANE, NOWHERE};
use super::fault::BatchFault;
use super::flags::{Flags, Scratch};
use super::ingest::PositionColumns;
use super::machine::Machine;
use super::one_hot::{OneHot, table};
use super::planes::word;
use super::run::{Block, Run};
use super::sorts::{Mask, Rule, Sort, Sorts};
use super::standing::{Presences, Standing};
use super::transpose::{BLOCK, Column, Eight, Line, WIDE, room};
use crate::ir::FactId;

/// Fewer positions than these are asked as a batch, whose blocks are smaller.
const FEWEST: usize = 4 * LANE;

/// Positions as a program keeps them. A unit or space behind the end of a row is off the map or
/// nobody's.
pub trait Rows {
    /// What says where a unit stands: a byte, or a word of 16 bits for maps of more than 255
    /// spaces.
    type Cell: Cell;

    /// How many positions there are.
    fn positions(&self) -> usize;

    /// Where the units of a position stand, by unit; what is no space is off the map.
    fn spaces(&self, position: usize) -> &[Self::Cell];

    /// Who controls the spaces of a position: a side's place plus 1, and 0 for nobody, as is what
    /// is no side's.
    fn control(&self, position: usize) -> &[u8];

    /// A varying fact of the units of a position, as codes: the encoded value less
    /// [`Batch::least`]. Units behind the end of the row keep what the template says.
    fn fact(&self, _fact: FactId, _position: usize) -> &[u16] {
        &[]
    }
}

/// The number of a space in a row.
pub trait Cell: Copy {
    /// The row, if its cells are bytes.
    fn bytes(row: &[Self]) -> Option<&[u8]>;

    /// The number; [`NOWHERE`] for one that is no space's on any map.
    fn space(self) -> u16;
}

impl Cell for u8 {
    #[inline(always)]
    fn bytes(row: &[u8]) -> Option<&[u8]> {
        Some(row)
    }

    fn space(self) -> u16 {
        // A byte names one of 255 spaces at most, and a map may have more.
        if self == u8::MAX { NOWHERE } else { u16::from(self) }
    }
}

impl Cell for u16 {
    #[inline(always)]
    fn bytes(_: &[u16]) -> Option<&[u8]> {
        None
    }

    fn space(self) -> u16 {
        self
    }
}

/// Room for rows, kept from one question to the next.
#[derive(Debug, Clone, Default)]
pub struct RowScratch {
    sifting: Sifting,
    batch: Option<Batch>,
    scratch: Scratch,
}

impl RowScratch {
    /// The places and sizes of the largest buffers, to see that none was allocated again.
    #[must_use]
    pub fn buffers(&self) -> [(usize, usize); 3] {
        let Sifting { stands, tables, planes, .. } = &self.sifting;
        let of = |at: usize, capacity: usize| (at, capacity);
        [
            of(stands.as_ptr().addr(), stands.capacity()),
            of(tables.as_ptr().addr(), tables.capacity()),
            of(planes.as_ptr().addr(), planes.capacity()),
        ]
    }
}

/// How the units of a kernel are sifted: which share a plane, and which a rule.
#[derive(Debug)]
pub(super) struct OneHotPlan {
    presences: Presences,
    /// The units of each plane.
    planes: Vec<Vec<u32>>,
    rules: Vec<Rule>,
    /// Units that are asked, with their place among all asked; by rule.
    asked: Vec<Vec<(u32, usize)>>,
    /// Units that have left the game, which stand nowhere.
    removed: Vec<usize>,
}

/// What sifting works with.
#[derive(Debug, Clone, Default)]
pub(super) struct Sifting {
    one_hot: OneHot,
    /// `[plane][row]`.
    stands: Vec<Line>,
    /// `[side][space]`.
    control: Vec<Line>,
    tables: Vec<Eight<Column>>,
    planes: Vec<u64>,
    pass: Vec<u64>,
    answer: Vec<u64>,
}

/// Where a block of positions is read from.
pub(super) trait Source {
    /// Where the units stand, into [`OneHot::rows_mut`].
    fn spaces(&self, block: usize, one_hot: &mut OneHot);
    /// Who controls what, as planes of sides.
    fn control(&self, block: usize, spaces: usize, one_hot: &mut OneHot, planes: &mut [Line]);
}

impl OneHotPlan {
    /// None where units are not told apart by anything but the fact that each is itself: by varying
    /// facts, or too many.
    pub(super) fn of(kernel: &Kernel<'_>) -> Option<OneHotPlan> {
        // A byte says in which row a unit stands.
        if !kernel.is_whole() || kernel.program.rows > usize::from(u8::MAX) + 1 {
            return None;
        }
        let sorts = Sorts::of(kernel).ok()?;
        let mut planes: Vec<(&[Mask], Vec<u32>)> = Vec::new();
        let mut rules: Vec<(&Rule, Vec<(u32, usize)>)> = Vec::new();
        let units = 0..u32::try_from(kernel.shape.template.units.len()).ok()?;
        let asked: Vec<u32> = kernel.plans.iter().map(|p: &Plan| p.unit).collect();
        for unit in units.clone() {
            let Sort { queries, rule } = sorts.only(unit)?;
            if queries.iter().any(|q| *q != Mask::Never) {
                let at = position(&mut planes, queries.as_slice());
                planes[at].1.push(unit);
            }
            if let (Some(rule), Ok(nth)) = (rule, asked.binary_search(&unit)) {
                let at = position(&mut rules, rule);
                rules[at].1.push((unit, nth));
            }
        }
        Some(OneHotPlan {
            presences: Presences::of(planes.iter().map(|(masks, _)| *masks)),
            planes: planes.into_iter().map(|(_, units)| units).collect(),
            rules: rules.iter().map(|(rule, _)| (*rule).clone()).collect(),
            asked: rules.into_iter().map(|(_, units)| units).collect(),
            removed: units.map(|u| u as usize).filter(|u| kernel.shape.removed(*u)).collect(),
        })
    }
}

/// The place of what is equal to a key, which is added if there is none.
fn position<K: PartialEq, V: Default>(all: &mut Vec<(K, V)>, key: K) -> usize {
    all.iter().position(|(k, _)| *k == key).unwrap_or_else(|| {
        all.push((key, V::default()));
        all.len() - 1
    })
}

impl Kernel<'_> {
    /// Answers for all units of the trace's kind in positions that are kept as rows.
    ///
    /// # Errors
    ///
    /// Those of [`Kernel::flags`].
    pub fn row_flags<R: Rows>(
        &self,
        rows: &R,
        scratch: &mut RowScratch,
        flags: &mut Flags,
    ) -> Result<(), BatchFault> {
        let bytes = rows.positions() >= FEWEST && R::Cell::bytes(rows.spaces(0)).is_some();
        if let Some(one_hot_plan) = self.one_hot_plan().filter(|_| bytes) {
            flags.reset(self, rows.positions());
            self.sifted(one_hot_plan, &OfRows(rows), &mut scratch.sifting, flags);
            return Ok(());
        }
        let batch = self.batch_of(rows.positions(), &mut scratch.batch);
        batch.fill_rows(rows);
        self.flags(batch, &mut scratch.scratch, flags)
    }

    /// Answers for all units of the trace's kind in positions that are kept as columns.
    ///
    /// # Errors
    ///
    /// Those of [`Kernel::flags`] and of [`Batch::fill_columns`].
    pub fn column_flags(
        &self,
        columns: &PositionColumns<'_>,
        scratch: &mut RowScratch,
        flags: &mut Flags,
    ) -> Result<(), BatchFault> {
        let batch = self.batch_of(columns.positions, &mut scratch.batch);
        batch.fill_columns(columns)?;
        self.flags(batch, &mut scratch.scratch, flags)
    }

    /// A batch of this number of positions: the last one where it fits, else a new one.
    fn batch_of<'b>(&self, positions: usize, last: &'b mut Option<Batch>) -> &'b mut Batch {
        let fits = |b: &Batch| Arc::ptr_eq(&b.shape, &self.shape) && b.positions() == positions;
        let batch = last.take().filter(fits);
        last.insert(batch.unwrap_or_else(|| self.batch(positions)))
    }

    /// How units are sifted, if they can be; worked out when it is first asked for.
    pub(super) fn one_hot_plan(&self) -> Option<&OneHotPlan> {
        self.one_hot_plan.get_or_init(|| OneHotPlan::of(self).map(Arc::new)).as_deref()
    }

    /// Answers block by block.
    pub(super) fn sifted(
        &self,
        one_hot_plan: &OneHotPlan,
        source: &impl Source,
        work: &mut Sifting,
        flags: &mut Flags,
    ) {
        let rows = self.program.rows;
        let eights = rows.div_ceil(8);
        work.one_hot.resize(self.shape.template.units.len());
        work.stands.resize(one_hot_plan.planes.len() * eights * 8, Line::default());
        work.control.resize(self.shape.sides * self.shape.spaces, Line::default());
        work.tables.resize(eights.div_ceil(8), [Column::of(0); 8]);
        let machine = Machine::new();
        for block in 0..flags.positions().div_ceil(BLOCK) {
            let Sifting { one_hot, control, .. } = &mut *work;
            machine.dispatch(Spaces { source, block, one_hot: &mut *one_hot });
            machine.dispatch(Control {
                source,
                block,
                spaces: self.shape.spaces,
                one_hot,
                planes: control,
            });
            machine.dispatch(Sifted {
                kernel: self,
                one_hot_plan,
                work: &mut *work,
                flags: &mut *flags,
                block,
            });
        }
    }
}

/// Reads where units stand. Functions of their own, for in one large function the loops are
/// compiled worse.
struct Spaces<'s, S> {
    source: &'s S,
    block: usize,
    one_hot: &'s mut OneHot,
}

impl<S: Source> pulp::WithSimd for Spaces<'_, S> {
    type Output = ();

    #[inline(always)]
    fn with_simd<A: pulp::Simd>(self, _: A) {
        self.source.spaces(self.block, self.one_hot);
    }
}

/// Reads who controls what.
struct Control<'s, S> {
    source: &'s S,
    block: usize,
    spaces: usize,
    one_hot: &'s mut OneHot,
    planes: &'s mut [Line],
}

impl<S: Source> pulp::WithSimd for Control<'_, S> {
    type Output = ();

    #[inline(always)]
    fn with_simd<A: pulp::Simd>(self, _: A) {
        self.source.control(self.block, self.spaces, self.one_hot, self.planes);
    }
}

/// One block that was read, at the width of the machine.
struct Sifted<'s, 'r> {
    kernel: &'s Kernel<'r>,
    one_hot_plan: &'s OneHotPlan,
    work: &'s mut Sifting,
    flags: &'s mut Flags,
    block: usize,
}

impl pulp::WithSimd for Sifted<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<A: pulp::Simd>(self, simd: A) {
        let Sifted { kernel, one_hot_plan, work, flags, block } = self;
        let (program, spaces) = (&kernel.program, kernel.shape.spaces);
        let rows = program.rows;
        let Sifting { one_hot, stands, control, tables, planes, pass, answer } = work;
        for unit in &one_hot_plan.removed {
            one_hot.rows_mut()[*unit] = Column::of(u8::MAX);
        }
        one_hot.split(u8::try_from(spaces).unwrap_or(u8::MAX));
        let stride = rows.next_multiple_of(8);
        for (units, plane) in one_hot_plan.planes.iter().zip(stands.chunks_exact_mut(stride)) {
            one_hot.place(units, plane);
        }
        let ground = Standing { presences: &one_hot_plan.presences, stands, stride, control };
        let planes: &mut [[u64; WIDE]] =
            room(planes, program.planes * rows * WIDE).as_chunks_mut().0;
        let pass = room(pass, program.passes * rows * WIDE).as_chunks_mut().0;
        Run {
            program,
            ground: &ground,
            block: Block { planes, atoms: &mut [], pass },
            first: block == 0,
        }
        .with_simd(simd);
        for (rule, units) in one_hot_plan.rules.iter().zip(&one_hot_plan.asked) {
            match rule {
                Rule::Plane(at) => table(&planes[*at as usize * rows..][..rows], tables),
                Rule::Mixed(when) => {
                    let answer = room(answer, rows * WIDE).as_chunks_mut().0;
                    for (row, out) in answer.iter_mut().enumerate() {
                        word(when, planes, rows, row, out);
                    }
                    table(answer, tables);
                }
            }
            for (unit, nth) in units {
                flags.set_block(*nth, block, &one_hot.pick(*unit, tables));
            }
        }
    }
}

/// Positions as rows of bytes.
struct OfRows<'s, R>(&'s R);

impl<R: Rows> Source for OfRows<'_, R> {
    #[inline(always)]
    fn spaces(&self, block: usize, one_hot: &mut OneHot) {
        let row = |at: usize| R::Cell::bytes(self.0.spaces(block * BLOCK + at)).unwrap_or_default();
        one_hot.read(self.0.positions() - block * BLOCK, row);
    }

    #[inline(always)]
    fn control(&self, block: usize, spaces: usize, one_hot: &mut OneHot, planes: &mut [Line]) {
        one_hot.control(
            self.0.positions() - block * BLOCK,
            |at| self.0.control(block * BLOCK + at),
            spaces,
            planes,
        );
    }
}

/// Positions as columns.
pub(super) struct OfBatch<'b>(pub &'b Batch);

impl Source for OfBatch<'_> {
    #[inline(always)]
    fn spaces(&self, block: usize, one_hot: &mut OneHot) {
        let batch = self.0;
        for (unit, column) in one_hot.rows_mut().iter_mut().enumerate() {
            let cells = &batch.stands[unit * batch.stride()..][..batch.stride()];
            let cells = &cells[block * BLOCK..cells.len().min((block + 1) * BLOCK)];
            let mut bytes = [u8::MAX; BLOCK];
            for (byte, cell) in bytes.iter_mut().zip(cells) {
                *byte = (*cell).min(u16::from(u8::MAX)) as u8;
            }
            // From the order of positions to that of octets.
            let (from, to) = (bytes.as_chunks::<8>().0, column.0.as_chunks_mut::<8>().0);
            for e in 0..8 {
                for w in 0..WIDE {
                    to[e * WIDE + w] = from[w * 8 + e];
                }
            }
        }
    }

    #[inline(always)]
    fn control(&self, block: usize, _: usize, _: &mut OneHot, planes: &mut [Line]) {
        let lanes = self.0.lanes;
        let first = block * WIDE;
        let here = WIDE.min(lanes - first);
        for (line, words) in planes.iter_mut().zip(self.0.control.chunks_exact(lanes)) {
            line.0 = [0; WIDE];
            line.0[..here].copy_from_slice(&words[first..first + here]);
        }
    }
}
