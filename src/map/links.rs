//! The links of one kind, as compressed rows.

use serde::{Deserialize, Serialize};

use crate::arrange::Arrange as _;
use crate::ids::KindId;

/// All links of one kind, both ways, as compressed rows; the steps alone for a kind that stands for
/// the way links lead.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Links {
    /// Which kind.
    pub kind: KindId,
    /// The neighbours of space `s` are `to[starts[s]..starts[s + 1]]`; as long as the spaces and
    /// one more.
    pub starts: Vec<u32>,
    /// Neighbours in ascending order.
    pub to: Vec<u32>,
}

impl Links {
    /// Rows from pairs; every pair counts both ways and once.
    #[must_use]
    pub fn from_pairs(kind: KindId, spaces: usize, pairs: &[(u32, u32)]) -> Links {
        Links::from_steps(kind, spaces, pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect())
    }

    /// Rows from steps, each as it is and once: those that links make which lead one way.
    #[must_use]
    pub fn from_steps(kind: KindId, spaces: usize, mut all: Vec<(u32, u32)>) -> Links {
        all.arrange();
        all.dedup();
        let mut starts = Vec::with_capacity(spaces + 1);
        let mut at = 0;
        for s in 0..=spaces {
            while all.get(at).is_some_and(|&(a, _)| (a as usize) < s) {
                at += 1;
            }
            starts.push(u32::try_from(at).unwrap_or(u32::MAX));
        }
        Links { kind, starts, to: all.into_iter().map(|(_, b)| b).collect() }
    }

    /// The spaces of which each two are joined, group by group, where no link is another.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<u32>> {
        let spaces = u32::try_from(self.starts.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let first = |space: &u32| self.of(*space).first().is_some_and(|near| near > space);
        let whole = |space: u32| std::iter::once(space).chain(self.of(space).iter().copied());
        (0..spaces).filter(first).map(|space| whole(space).collect()).collect()
    }

    /// The neighbours of a space in ascending order.
    #[must_use]
    pub fn of(&self, space: u32) -> &[u32] {
        let s = space as usize;
        match (self.starts.get(s), self.starts.get(s + 1)) {
            (Some(&a), Some(&b)) => self.to.get(a as usize..b as usize).unwrap_or_default(),
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_those_of_which_each_two_are_joined() {
        let links = Links::from_pairs(KindId::LINK, 7, &[(1, 4), (4, 6), (6, 1), (2, 5)]);
        assert_eq!(links.groups(), [vec![1, 4, 6], vec![2, 5]]);
        assert!(Links::from_pairs(KindId::LINK, 3, &[]).groups().is_empty());
    }

    #[test]
    fn links_run_both_ways_and_count_once() {
        let links = Links::from_pairs(KindId::LINK, 4, &[(0, 1), (1, 0), (3, 1)]);
        assert_eq!(links.starts, [0, 1, 3, 3, 4]);
        assert_eq!(links.of(1), [0, 3]);
        assert_eq!(links.of(2), [] as [u32; 0]);
        assert_eq!(links.of(9), [] as [u32; 0]);
    }
}
