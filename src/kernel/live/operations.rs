//! The operations of a program over bits of spaces, worked out again where their inputs change.

use super::search::{Flood, Lists, Searcher};
use crate::arrange::Arrange as _;
use crate::ir::SideId;
use crate::kernel::board::Bits;
use crate::kernel::plane::{Op, PlaneId, Program};

/// All operations with what they have come to.
pub(super) struct Operations {
    program: Program,
    /// By operation the plane that it has come to; empty for floods.
    planes: Vec<Bits>,
    /// By operation the lengths of a flood.
    floods: Vec<Flood>,
    /// By plane the operation that writes it.
    of_plane: Vec<u32>,
    /// By operation those that it reads.
    reads: Vec<Vec<u32>>,
    /// By query the operation that asks it, where one does.
    presence: Vec<Option<u32>>,
    controls: Vec<u32>,
    /// By operation whether it has changed since the last update.
    changed: Vec<bool>,
    any_changed: bool,
    /// By set of links, and by way of legs, the neighbours.
    links: Vec<Lists>,
    ways: Vec<Lists>,
    searcher: Searcher,
    room: Bits,
    edge: Bits,
}

impl Operations {
    pub(super) fn of(program: Program) -> Operations {
        let count = program.ops.len();
        let words = program.rows.div_ceil(64);
        let mut of_plane = vec![0; program.planes];
        for (nth, (op, first)) in (0u32..).zip(&program.ops) {
            let own = *first as usize..(*first + op.planes()) as usize;
            of_plane[own].fill(nth);
        }
        let reads = program.ops.iter().map(|(op, _)| {
            let mut reads = Vec::new();
            op.reads(&mut |plane| reads.push(of_plane[plane as usize]));
            reads.arrange();
            reads.dedup();
            reads
        });
        let reads = reads.collect();
        let mut presence = vec![None; program.queries.len()];
        let mut controls = Vec::new();
        for (nth, (op, _)) in (0u32..).zip(&program.ops) {
            match op {
                Op::Presence(query) => presence[*query] = Some(nth),
                Op::Control { .. } => controls.push(nth),
                _ => {}
            }
        }
        let lists = program.links.iter().map(|links| Lists::of(std::slice::from_ref(links)));
        Operations {
            planes: vec![Bits::new(words); count],
            floods: vec![Flood::default(); count],
            of_plane,
            reads,
            presence,
            controls,
            changed: vec![false; count],
            any_changed: false,
            links: lists.collect(),
            ways: program.ways.iter().map(|way| Lists::of(&way.by_cost)).collect(),
            searcher: Searcher::new(program.rows),
            room: Bits::new(words),
            edge: Bits::new(words),
            program,
        }
    }

    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    /// Units that meet a query stand in a row now, or none does.
    #[inline]
    pub(super) fn set_presence(&mut self, query: u32, row: u32, some: bool) {
        let Some(nth) = self.presence[query as usize].map(|nth| nth as usize) else { return };
        self.planes[nth].put(row, some);
        (self.changed[nth], self.any_changed) = (true, true);
    }

    /// A side controls a space now, or nobody does.
    pub(super) fn set_control(&mut self, space: u32, side: Option<SideId>) {
        for nth in &self.controls {
            let Op::Control { sides, nobody, .. } = &self.program.ops[*nth as usize].0 else {
                continue;
            };
            let wanted = side.and_then(|side| sides.get(side.index()).copied());
            self.planes[*nth as usize].put(space, wanted.unwrap_or(*nobody));
            (self.changed[*nth as usize], self.any_changed) = (true, true);
        }
    }

    /// Works everything out; presence and control are there.
    pub(super) fn begin(&mut self) {
        let off = u32::try_from(self.program.rows - 1).unwrap_or(0);
        for (plane, (op, _)) in self.planes.iter_mut().zip(&self.program.ops) {
            match op {
                Op::Fixed(rows) => {
                    for (row, yes) in (0u32..).zip(rows) {
                        plane.put(row, *yes);
                    }
                }
                Op::Control { nowhere, .. } => plane.put(off, *nowhere),
                _ => {}
            }
        }
        self.changed.fill(true);
        self.any_changed = true;
        self.update();
    }

    /// Works out again what rests on what has changed.
    pub(super) fn update(&mut self) {
        if !std::mem::take(&mut self.any_changed) {
            return;
        }
        for nth in 0..self.program.ops.len() {
            let is_input = matches!(
                self.program.ops[nth].0,
                Op::Fixed(_) | Op::Control { .. } | Op::Presence(_) | Op::Slow(_)
            );
            if !is_input {
                // At the beginning all are worked out, whatever they read.
                let stale = self.reads[nth].iter().any(|read| self.changed[*read as usize]);
                self.changed[nth] = (stale || self.changed[nth]) && self.work_out(nth);
            }
        }
        self.changed.fill(false);
    }

    /// Works out an operation; whether it has come to something else.
    fn work_out(&mut self, nth: usize) -> bool {
        let mut out = std::mem::take(&mut self.room);
        let op = &self.program.ops[nth].0;
        match op {
            Op::All { parts, contrary } => self.all(parts, *contrary, &mut out),
            Op::Spread { of, links, steps, itself } => {
                let mut edge = std::mem::take(&mut self.edge);
                self.spread(*of, &self.links[*links], (*steps, *itself), (&mut edge, &mut out));
                self.edge = edge;
            }
            Op::Flood { .. } => {
                self.flood(nth);
                self.room = out;
                return true;
            }
            Op::Lines { .. } => {
                let mut searcher = std::mem::take(&mut self.searcher);
                searcher.lines(self, op, &mut out);
                self.searcher = searcher;
            }
            Op::Fixed(_) | Op::Control { .. } | Op::Presence(_) | Op::Slow(_) => {}
        }
        std::mem::swap(&mut self.planes[nth], &mut out);
        let changed = self.planes[nth] != out;
        self.room = out;
        changed
    }

    fn all(&self, parts: &[(PlaneId, bool)], contrary: bool, out: &mut Bits) {
        out.0.clear();
        let whole = if contrary { u64::MAX } else { 0 };
        for at in 0..self.program.rows.div_ceil(64) {
            let mut word = u64::MAX;
            for (plane, not) in parts {
                let part = self.plane(*plane).0[at];
                word &= if *not { !part } else { part };
            }
            out.0.push(word ^ whole);
        }
        // Behind the last row there is nothing.
        if let Some(last) = out.0.last_mut().filter(|_| !self.program.rows.is_multiple_of(64)) {
            *last &= (1 << (self.program.rows % 64)) - 1;
        }
    }

    fn spread(
        &self,
        of: PlaneId,
        links: &Lists,
        (steps, itself): (u32, bool),
        (edge, out): (&mut Bits, &mut Bits),
    ) {
        let of = self.plane(of);
        if itself {
            out.copy(of);
        } else {
            out.reset(of.0.len());
        }
        of.cells().for_each(|row| links.near(row).iter().for_each(|(near, _)| out.set(*near)));
        for _ in 1..steps {
            edge.copy(out);
            edge.cells().for_each(|row| links.near(row).iter().for_each(|(n, _)| out.set(*n)));
            if *edge == *out {
                break;
            }
        }
        out.put(u32::try_from(self.program.rows - 1).unwrap_or(0), false);
    }

    fn flood(&mut self, nth: usize) {
        let mut flood = std::mem::take(&mut self.floods[nth]);
        let mut searcher = std::mem::take(&mut self.searcher);
        let op = &self.program.ops[nth].0;
        searcher.flood(self, op, &mut flood);
        self.searcher = searcher;
        self.floods[nth] = flood;
    }

    /// The plane of an operation that has one.
    #[inline]
    pub(super) fn plane(&self, plane: PlaneId) -> &Bits {
        &self.planes[self.of_plane[plane as usize] as usize]
    }

    /// The steps of a leg.
    pub(super) fn way(&self, way: usize) -> &Lists {
        &self.ways[way]
    }

    /// The row off the map.
    pub(super) fn off(&self) -> u32 {
        u32::try_from(self.program.rows - 1).unwrap_or(0)
    }

    /// A bit of a plane.
    #[inline]
    pub(super) fn bit(&self, plane: PlaneId, row: u32) -> bool {
        self.plane(plane).get(row)
    }

    /// Whether a line leads from a row that is no longer than a budget.
    #[inline]
    pub(super) fn leads(&self, plane: PlaneId, row: u32, budget: u16) -> bool {
        let nth = self.of_plane[plane as usize] as usize;
        match &self.program.ops[nth].0 {
            Op::Flood { from, also, .. } => {
                let begins = self.floods[nth].length(row) <= u32::from(budget)
                    && from.is_none_or(|from| self.bit(from, row));
                begins || also.iter().any(|also| self.bit(*also, row))
            }
            _ => self.planes[nth].get(row),
        }
    }
}
