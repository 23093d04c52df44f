//! The searches of lines space by space, the cheapest first, from where lines end.

use super::operations::Operations;
use crate::kernel::board::Bits;
use crate::kernel::plane::{Adjacent, Leg, Op, Place};

/// No line of any length.
const NONE: u32 = u32::MAX;

/// The neighbours of each row, with what a step from there costs.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    /// From where a step leads here, and its cost.
    from: Vec<(u32, u32)>,
    /// The dearest step.
    dearest: u32,
}

impl Lists {
    /// Of steps by cost: those that cost 1, 2 and so on.
    pub(super) fn of(by_cost: &[Adjacent]) -> Lists {
        let mut all: Vec<(u32, u32, u32)> = Vec::new();
        for (cost, steps) in (1u32..).zip(by_cost) {
            for degree in &steps.degrees {
                for (nth, from) in degree.spaces.iter().enumerate() {
                    let into = &degree.to[nth * degree.many..][..degree.many];
                    all.extend(into.iter().map(|into| (*into, *from, cost)));
                }
            }
        }
        all.sort_unstable();
        let rows = all.last().map_or(0, |(into, ..)| *into as usize + 1);
        let mut starts = vec![0u32; rows + 1];
        for (into, ..) in &all {
            starts[*into as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let dearest = u32::try_from(by_cost.len()).unwrap_or(1).max(1);
        Lists { starts, from: all.into_iter().map(|(_, from, c)| (from, c)).collect(), dearest }
    }

    /// From where steps lead into a row, each with its cost.
    #[inline]
    pub(super) fn near(&self, row: u32) -> &[(u32, u32)] {
        let at = row as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(first), Some(end)) => &self.from[*first as usize..*end as usize],
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
struct Ground<'g> {
    way: &'g Lists,
    through: Option<&'g Bits>,
    most: Option<u32>,
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
        for row in self.known.drain(..) {
            let length = std::mem::replace(&mut self.lengths[row as usize], NONE);
            // A line of any length is no longer than any budget.
            out.lengths[row as usize] = if steps.is_none() { 0 } else { length };
        }
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
            for row in self.known.drain(..) {
                self.lengths[row as usize] = NONE;
                if from.is_none_or(|from| from.get(row)) {
                    here.set(row);
                }
            }
        }
        if place.optional {
            here.or(next);
        }
    }

    /// The lengths of all lines that end at some rows, to `lengths`, and which are known.
    fn search(&mut self, ground: &Ground<'_>, ends: impl Iterator<Item = u32>) {
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
