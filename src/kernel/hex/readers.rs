//! The things of a group in the order of their budgets: each reads one bit at the step of its own.

use super::movers::Member;

/// Budgets of more steps than this are not sorted by counting.
const MOST_STEPS: u32 = 1 << 14;

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
    pub(super) fn sort(&mut self, members: &[Member], unit: u32) -> bool {
        let steps = |m: &Member| m.budget.map_or(u32::MAX, |b| if unit == 1 { b } else { b / unit });
        // The last place is that of things without a budget.
        let longest = members.iter().map(steps).filter(|s| *s != u32::MAX).max().unwrap_or(0);
        if longest > MOST_STEPS {
            return false;
        }
        let place = |last: u32| last.min(longest + 1) as usize;
        self.counts.clear();
        self.counts.resize(longest as usize + 3, 0);
        members.iter().for_each(|m| self.counts[place(steps(m)) + 1] += 1);
        let mut before = 0;
        for count in &mut self.counts {
            before += *count;
            *count = before;
        }
        self.sorted.clear();
        self.sorted.resize(members.len(), Reader::default());
        for member in members {
            let last = steps(member);
            let at = &mut self.counts[place(last)];
            self.sorted[*at as usize] = Reader { cell: member.cell, row: member.row, last };
            *at += 1;
        }
        self.next = 0;
        true
    }

    /// Those that read after a step.
    pub(super) fn due(&mut self, step: u32) -> &[Reader] {
        let from = self.next;
        while self.sorted.get(self.next).is_some_and(|r| r.last == step) {
            self.next += 1;
        }
        &self.sorted[from..self.next]
    }

    /// The one that can wait longest.
    pub(super) fn longest(&self) -> Option<Reader> {
        self.sorted.get(self.next..)?.last().copied()
    }

    /// The one that can wait longest need not wait any more.
    pub(super) fn settle_longest(&mut self) {
        self.sorted.pop();
    }

    /// All that still wait.
    pub(super) fn rest(&self) -> &[Reader] {
        &self.sorted[self.next..]
    }
}
