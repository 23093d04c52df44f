//! Spaces in which links of one kind pass over each other and do not meet.

use serde::{Deserialize, Serialize};

use super::Map;
use crate::ids::KindId;

/// A space without a junction of the links of a kind: who comes along one of its lines goes on
/// along that line, or over another kind of link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crossing {
    /// The space.
    pub space: u32,
    /// The kind of the links.
    pub kind: KindId,
    /// The lines that pass it or end there: of each its links, by kind and other end, sorted.
    pub lines: Vec<Vec<(KindId, u32)>>,
}

/// On which line a link lies, one entry a crossing of the space at its end; none where it is of
/// another kind.
pub type OnLines = Vec<Option<usize>>;

impl Crossing {
    /// The line on which a link lies, by its kind and its other end.
    #[must_use]
    pub fn line_of(&self, kind: KindId, other: u32) -> Option<usize> {
        self.lines.iter().position(|line| line.binary_search(&(kind, other)).is_ok())
    }
}

impl Map {
    /// The crossings in a space.
    #[must_use]
    pub fn crossings_in(&self, space: u32) -> &[Crossing] {
        let from = self.crossings.partition_point(|crossing| crossing.space < space);
        let to = self.crossings.partition_point(|crossing| crossing.space <= space);
        self.crossings.get(from..to).unwrap_or_default()
    }

    /// On which lines of the crossings in a space a link lies, by its kind and its other end.
    #[must_use]
    pub fn on_lines(&self, space: u32, kind: KindId, other: u32) -> OnLines {
        self.crossings_in(space).iter().map(|crossing| crossing.line_of(kind, other)).collect()
    }
}

/// Whether who has come along such lines may go on along others: at no crossing from one line to
/// another.
#[must_use]
pub fn goes_on(came: &[Option<usize>], goes: &[Option<usize>]) -> bool {
    came.iter().zip(goes).all(|(came, goes)| came.is_none() || goes.is_none() || came == goes)
}
