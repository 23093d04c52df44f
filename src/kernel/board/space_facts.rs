//! The facts of spaces from one position to the next: where they changed, so that what was worked out
//! of them elsewhere still holds.

/// More facts than these are not kept: a copy would take more room than all planes of the map.
const MOST_FACTS: usize = 1 << 14;

/// So many changes are remembered one by one; what is older counts as changed everywhere.
const MOST_CHANGES: usize = 1024;

/// The facts of all spaces of the position that was asked last, and where they changed.
#[derive(Debug, Default)]
pub(super) struct SpaceFacts {
    facts: Vec<i64>,
    slots: usize,
    pub(super) now: u64,
    /// Changes by their time, slot and space; all that came after `whole`.
    changes: Vec<(u64, usize, u32)>,
    whole: u64,
}

impl SpaceFacts {
    /// Comes to a position, which most often has the facts of the one before.
    pub(super) fn come_to(&mut self, facts: &[i64], slots: usize) {
        let slots = slots.max(1);
        if facts.len() > MOST_FACTS {
            self.facts = Vec::new();
            return self.forget();
        }
        if facts == self.facts && self.slots == slots {
            return;
        }
        self.now += 1;
        if self.slots == slots && self.facts.len() == facts.len() {
            self.find_changes(facts);
        } else {
            self.slots = slots;
            self.forget();
        }
        facts.clone_into(&mut self.facts);
    }

    /// Everything may have changed.
    fn forget(&mut self) {
        self.now += 1;
        self.whole = self.now;
        self.changes.clear();
    }

    fn find_changes(&mut self, facts: &[i64]) {
        let pairs = self.facts.chunks(self.slots).zip(facts.chunks(self.slots));
        for (space, (old, new)) in (0u32..).zip(pairs).filter(|(_, (old, new))| old != new) {
            let slots = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
            self.changes.extend(slots.map(|(slot, _)| (self.now, slot, space)));
        }
        if self.changes.len() > MOST_CHANGES {
            self.forget();
        }
    }

    /// The spaces in which one of these slots has changed since; nothing where it may be all.
    pub(super) fn changed_since<'s>(
        &'s self,
        slots: &'s [usize],
        since: u64,
    ) -> Option<impl Iterator<Item = u32> + 's> {
        let later = self.changes.iter().rev().take_while(move |(now, ..)| *now > since);
        let changed = later.filter(|(_, slot, _)| slots.contains(slot)).map(|(.., space)| *space);
        (since >= self.whole).then_some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(all: &SpaceFacts, slots: &[usize], since: u64) -> Option<Vec<u32>> {
        all.changed_since(slots, since).map(|spaces| {
            let mut spaces: Vec<u32> = spaces.collect();
            spaces.sort_unstable();
            spaces
        })
    }

    #[test]
    fn changes_are_known_by_slot_and_by_time() {
        let mut all = SpaceFacts::default();
        all.come_to(&[0, 0, 0, 0, 0, 0], 2);
        let first = all.now;
        assert_eq!(changed(&all, &[0, 1], first), Some(Vec::new()));
        all.come_to(&[1, 0, 0, 0, 0, 7], 2);
        let second = all.now;
        all.come_to(&[1, 0, 2, 0, 0, 7], 2);
        assert_eq!(changed(&all, &[0], first), Some(vec![0, 1]));
        assert_eq!(changed(&all, &[1], first), Some(vec![2]));
        assert_eq!(changed(&all, &[0], second), Some(vec![1]));
        // A position like the last is no change.
        let third = all.now;
        all.come_to(&[1, 0, 2, 0, 0, 7], 2);
        assert_eq!(all.now, third);
    }

    #[test]
    fn what_is_older_than_all_that_is_remembered_counts_as_changed() {
        let mut all = SpaceFacts::default();
        assert_eq!(changed(&all, &[0], 0), Some(Vec::new()));
        all.come_to(&[0; 6], 2);
        assert_eq!(changed(&all, &[0], 0), None, "another map");
        let first = all.now;
        for turn in (0i64..).take(MOST_CHANGES) {
            all.come_to(&[turn + 1, 0, 0, 0, turn + 1, 0], 2);
        }
        assert_eq!(changed(&all, &[0], first), None);
        assert_eq!(changed(&all, &[0], all.now), Some(Vec::new()));
    }
}
