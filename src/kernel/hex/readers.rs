//! The things of a group in the order in which the search comes by: each reads one bit at the step
//! of its own budget.

use super::bands::{Shape, TIME_SKEW};
use super::movers::Member;

/// More steps times bands than these are not sorted by counting.
const MOST_PLACES: usize = 1 << 18;

/// A thing that waits for its step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reader {
    /// Where it stands.
    pub cell: u32,
    /// Its place in the answers.
    pub row: u32,
    /// The last step at which it can be reached; the highest number for one without a budget.
    pub last: u32,
}

/// Things by the steps that they can wait.
#[derive(Debug, Default)]
pub(super) struct Readers {
    counts: Vec<u32>,
    sorted: Vec<Reader>,
    next: usize,
}

impl Readers {
    /// Sorts the things of a group; tells whether their budgets are short enough for that.
    pub(super) fn sort(&mut self, members: &[Member], unit: u32, shape: &Shape) -> bool {
        let steps =
            |m: &Member| m.budget.map_or(u32::MAX, |b| if unit == 1 { b } else { b / unit });
        let longest =
            members.iter().map(steps).filter(|s| *s != u32::MAX).max().unwrap_or(0) as usize;
        let places = longest.next_multiple_of(TIME_SKEW).saturating_mul(shape.bands.max(1));
        if places > MOST_PLACES {
            return false;
        }
        // One place for those that read before the first step, and one behind all others for those
        // without a budget.
        let place = |last: u32, cell: u32| match last {
            0 => 0,
            u32::MAX => places + 1,
            _ => {
                let (before, step) =
                    ((last as usize - 1) / TIME_SKEW, (last as usize - 1) % TIME_SKEW);
                let band = if shape.bands > 1 {
                    shape.band_of(cell as usize >> 6, last as usize)
                } else {
                    0
                };
                (before * shape.bands.max(1) + band) * TIME_SKEW + step + 1
            }
        };
        self.counts.clear();
        self.counts.resize(places + 3, 0);
        members.iter().for_each(|m| self.counts[place(steps(m), m.cell) + 1] += 1);
        let mut before = 0;
        for count in &mut self.counts {
            before += *count;
            *count = before;
        }
        self.sorted.clear();
        self.sorted.resize(members.len(), Reader::default());
        for member in members {
            let last = steps(member);
            let at = &mut self.counts[place(last, member.cell)];
            self.sorted[*at as usize] = Reader { cell: member.cell, row: member.row, last };
            *at += 1;
        }
        self.next = 0;
        true
    }

    /// Those that read after a step, as far as they stand before the end of a band.
    pub(super) fn due(&mut self, step: usize, end: usize) -> &[Reader] {
        let from = self.next;
        while self
            .sorted
            .get(self.next)
            .is_some_and(|r| r.last as usize == step && (r.cell as usize >> 6) < end)
        {
            self.next += 1;
        }
        &self.sorted[from..self.next]
    }

    /// The last of those that still wait.
    pub(super) fn last(&self) -> Option<Reader> {
        self.sorted.get(self.next..)?.last().copied()
    }

    /// The last need not wait any more.
    pub(super) fn settle_last(&mut self) {
        self.sorted.pop();
    }

    /// All that still wait.
    pub(super) fn rest(&self) -> &[Reader] {
        &self.sorted[self.next..]
    }
}
