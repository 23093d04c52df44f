//! The searches of lines space by space, the cheapest first, from where lines end.

use super::operations::Operations;
use crate::arrange::Arrange as _;
use crate::kernel::board::Bits;
use crate::kernel::plane::{Adjacent, Leg, Op, Place};

/// No line of any length.
const NONE: u32 = u32::MAX;

/// The neighbours of each row, with what a step from there costs, or a step thither.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    /// From where a step leads here, or whither one leads from here, and its cost.
    steps: Vec<(u32, u32)>,
    /// The dearest step.
    dearest: u32,
}

impl Lists {
    /// From where steps lead into each row, of steps by cost: those that cost 1, 2 and so on.
    pub(super) fn of(by_cost: &[Adjacent]) -> Lists {
        Lists::by(by_cost, |from, into| (into, from))
    }

    /// Whither the same steps lead from each row.
    pub(super) fn onto(by_cost: &[Adjacent]) -> Lists {
        Lists::by(by_cost, |from, into| (from, into))
    }

    /// By the row and its neighbour that a step makes.
    fn by(by_cost: &[Adjacent], ends: impl Fn(u32, u32) -> (u32, u32)) -> Lists {
        let mut all: Vec<(u32, u32, u32)> = Vec::new();
        for (cost, steps) in (1u32..).zip(by_cost) {
            steps.each_pair(|from, into| {
                let (row, near) = ends(from, into);
                all.push((row, near, cost));
            });
        }
        all.arrange();
        all.dedup();
        let rows = all.last().map_or(0, |(row, ..)| *row as usize + 1);
        let mut starts = vec![0u32; rows + 1];
        for (row, ..) in &all {
            starts[*row as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let dearest = u32::try_from(by_cost.len()).unwrap_or(1).max(1);
        Lists { starts, steps: all.into_iter().map(|(_, near, c)| (near, c)).collect(), dearest }
    }

    /// The neighbours of a row, each with the cost of the step.
    #[inline]
    pub(super) fn near(&self, row: u32) -> &[(u32, u32)] {
        let at = row as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(first), Some(end)) => &self.steps[*first as usize..*end as usize],
            _ => &[],
        }
    }
}

/// The lengths of the lines of a flood.
#[derive(Debug, Clone, Default)]
pub(super) struct Flood {
    lengths: Vec<u32>,
}

impl Flood {
    #[inline]
    pub(super) fn length(&self, row: u32) -> u32 {
        self.lengths.get(row as usize).copied().unwrap_or(NONE)
    }
}

/// What searches work with.
#[derive(Debug, Default)]
pub(super) struct Searcher {
    lengths: Vec<u32>,
    /// Rows whose length is known.
    known: Vec<u32>,
    /// A ring of buckets, one a cost that is under way.
    ring: Vec<Vec<u32>>,
    now: Vec<u32>,
    goal: Bits,
    fresh: Bits,
    next: Bits,
    here: Bits,
}

/// What a leg is searched over.
pub(super) struct Ground<'g> {
    pub way: &'g Lists,
    pub through: Option<&'g Bits>,
    pub most: Option<u32>,
}

impl Searcher {
    pub(super) fn new(rows: usize) -> Searcher {
        Searcher { lengths: vec![NONE; rows], ..Searcher::default() }
    }

    /// The lengths of the lines of a flood.
    pub(super) fn flood(&mut self, operations: &Operations, op: &Op, out: &mut Flood) {
        let Op::Flood { ends, through, way, steps, .. } = op else { return };
        let through = through.map(|plane| operations.plane(plane));
        let ground = Ground { way: operations.way(*way), through, most: *steps };
        let off = operations.off();
        self.search(&ground, operations.plane(*ends).cells().filter(|row| *row != off));
        out.lengths.resize(self.lengths.len(), NONE);
        out.lengths.fill(NONE);
        self.take(|row, length| {
            // A line of any length is no longer than any budget.
            out.lengths[row as usize] = if steps.is_none() { 0 } else { length };
        });
    }

    /// Where lines may begin, those that end at relays too.
    pub(super) fn lines(&mut self, operations: &Operations, op: &Op, out: &mut Bits) {
        let Op::Lines { source, relay, places } = op else { return };
        let [mut goal, mut fresh, mut next, mut here] =
            [&mut self.goal, &mut self.fresh, &mut self.next, &mut self.here].map(std::mem::take);
        goal.copy(operations.plane(*source));
        goal.put(operations.off(), false);
        fresh.copy(&goal);
        out.reset(goal.0.len());
        // What lines that end at one of several spaces reach is what those reach that end at each.
        while !fresh.is_empty() {
            next.copy(&fresh);
            for place in places.iter().rev() {
                here.reset(next.0.len());
                self.place(operations, place, &next, &mut here);
                std::mem::swap(&mut next, &mut here);
            }
            out.or(&next);
            let Some(relay) = relay else { break };
            fresh.copy(operations.plane(*relay));
            fresh.and(&next);
            fresh.without(&goal);
            goal.or(&fresh);
        }
        (self.goal, self.fresh, self.next, self.here) = (goal, fresh, next, here);
    }

    /// Where the rest of a line may begin: `next` is where it may behind this place.
    fn place(&mut self, operations: &Operations, place: &Place, next: &Bits, here: &mut Bits) {
        for leg in &place.legs {
            let Leg { from, through, into, way, most } = leg;
            let through = through.map(|plane| operations.plane(plane));
            let ground = Ground { way: operations.way(*way), through, most: *most };
            let into = into.map(|plane| operations.plane(plane));
            let from = from.map(|plane| operations.plane(plane));
            let ends = next.cells().filter(|row| into.is_none_or(|into| into.get(*row)));
            self.search(&ground, ends);
            self.take(|row, _| {
                if from.is_none_or(|from| from.get(row)) {
                    here.set(row);
                }
            });
        }
        if place.optional {
            here.or(next);
        }
    }

    /// The rows that the last search has come to, and how long its lines to each are.
    pub(super) fn take(&mut self, mut call: impl FnMut(u32, u32)) {
        for row in self.known.drain(..) {
            call(row, std::mem::replace(&mut self.lengths[row as usize], NONE));
        }
    }

    /// The same in the order of the rows, and `here` has them.
    pub(super) fn take_in_order(&mut self, here: &mut Bits, mut call: impl FnMut(u32, u32)) {
        here.reset(self.lengths.len().div_ceil(64));
        self.known.drain(..).for_each(|row| here.set(row));
        for row in here.cells() {
            call(row, std::mem::replace(&mut self.lengths[row as usize], NONE));
        }
    }

    /// The lengths of all lines that end at some rows, or begin there where the ways lead onward;
    /// [`Searcher::take`] or [`Searcher::take_in_order`] has to follow.
    pub(super) fn search(&mut self, ground: &Ground<'_>, ends: impl Iterator<Item = u32>) {
        let Searcher { lengths, known, ring, now, .. } = self;
        let around = ground.way.dearest as usize + 1;
        if ring.len() < around {
            ring.resize_with(around, Vec::new);
        }
        known.clear();
        for row in ends {
            lengths[row as usize] = 0;
            known.push(row);
            ring[0].push(row);
        }
        let (mut waiting, mut gone) = (known.len(), 0u32);
        while waiting > 0 && ground.most.is_none_or(|most| gone < most) {
            std::mem::swap(now, &mut ring[gone as usize % around]);
            waiting -= now.len();
            for into in now.drain(..) {
                if lengths[into as usize] != gone {
                    continue;
                }
                for (from, cost) in ground.way.near(into) {
                    let whole = gone.saturating_add(*cost);
                    let length = &mut lengths[*from as usize];
                    if whole >= *length || ground.most.is_some_and(|most| whole > most) {
                        continue;
                    }
                    if std::mem::replace(length, whole) == NONE {
                        known.push(*from);
                    }
                    if ground.through.is_none_or(|through| through.get(*from)) {
                        ring[whole as usize % around].push(*from);
                        waiting += 1;
                    }
                }
            }
            gone = gone.saturating_add(1);
        }
        // What would be longer than the longest waits in vain.
        ring.iter_mut().for_each(Vec::clear);
    }
}
