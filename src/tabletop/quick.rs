//! The fast ways for two blocks: those whose facings are quarter turns apart, and those at any
//! other angle.
//!
//! What both orders share is worked out once. Where neither way answers, as for an L or for ground,
//! there is the exact one.

use super::measure::Between;
use super::oblique::Oblique;
use super::square::{Frame, Square, frames};
use super::table::Table;

/// The bases of a table as the fast ways need them.
#[derive(Debug, Default)]
pub(super) struct Quick {
    frames: Vec<Frame>,
    squares: Vec<Option<Square>>,
    oblique: Vec<Option<Oblique>>,
}

impl Quick {
    /// The blocks of a table, all of whose bases are within the bounds.
    pub(super) fn take(&mut self, table: &Table) {
        frames(&table.bases, &mut self.frames, &mut self.squares);
        self.oblique.clear();
        self.oblique.extend(table.bases.iter().map(Oblique::of));
    }

    /// What is measured between two bases in both orders, if a fast way answers it.
    pub(super) fn both(&self, a: usize, b: usize) -> Option<(Between, Between)> {
        if let (Some(one), Some(other)) = (self.squares.get(a)?, self.squares.get(b)?)
            && one.frame == other.frame
        {
            return Some(one.both(other, self.frames.get(one.frame)?));
        }
        Oblique::both(self.oblique.get(a)?.as_ref()?, self.oblique.get(b)?.as_ref()?)
    }
}
