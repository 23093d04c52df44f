//! Maps: spaces with what is printed on them, and links.
//!
//! Takes the checked lines of a map; gives flat arrays. Knows no unit and no rule.

use serde::{Deserialize, Serialize};

use crate::ir::KindId;

/// A map of named areas.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Map {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// Its spaces in written order.
    pub spaces: Vec<Space>,
    /// Its links, one entry a kind of link that the map uses.
    pub links: Vec<Links>,
}

/// One space.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Space {
    /// Its id, a name or a label, always text.
    pub id: String,
    /// For printed output.
    pub title: String,
    /// Its kind.
    pub kind: KindId,
    /// Where it is drawn, in hundredths: x grows to the east, y to the south. No rule reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<(i64, i64)>,
    /// Its facts at the start of every setup, encoded, one a slot of space facts.
    pub facts: Vec<i64>,
}

/// All links of one kind, both ways, as compressed rows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Links {
    /// Which kind.
    pub kind: KindId,
    /// The neighbours of space `s` are `to[starts[s]..starts[s + 1]]`; as long as the spaces and one more.
    pub starts: Vec<u32>,
    /// Neighbours in ascending order.
    pub to: Vec<u32>,
}

impl Map {
    /// The space of this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<u32> {
        self.spaces.iter().position(|s| s.id == id).and_then(|p| u32::try_from(p).ok())
    }

    /// The neighbours of a space over one kind of link.
    #[must_use]
    pub fn neighbours(&self, kind: KindId, space: u32) -> &[u32] {
        self.links.iter().find(|l| l.kind == kind).map_or(&[], |l| l.of(space))
    }
}

impl Links {
    /// Rows from pairs; every pair counts both ways and once.
    #[must_use]
    pub fn from_pairs(kind: KindId, spaces: usize, pairs: &[(u32, u32)]) -> Links {
        let mut all: Vec<(u32, u32)> = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        all.sort_unstable();
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
    fn links_run_both_ways_and_count_once() {
        let links = Links::from_pairs(KindId::LINK, 4, &[(0, 1), (1, 0), (3, 1)]);
        assert_eq!(links.starts, [0, 1, 3, 3, 4]);
        assert_eq!(links.of(1), [0, 3]);
        assert_eq!(links.of(2), [] as [u32; 0]);
        assert_eq!(links.of(9), [] as [u32; 0]);
    }
}
