//! The facts of a whole table: all measures for all ordered pairs.

use super::measure::{Between, between};
use super::number::Wrong;
use super::table::Table;

/// A body of a table by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Thing {
    /// A base.
    Base(usize),
    /// A piece of ground.
    Ground(usize),
}

/// All that is measured on a table, from every body to every other.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    bases: usize,
    things: usize,
    /// Row by row: from the first body to each, from the second to each. Bases come before ground.
    pub(super) all: Vec<Between>,
}

impl Facts {
    /// The facts of a table.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn of(table: &Table) -> Result<Facts, Wrong> {
        let mut facts = Facts::default();
        facts.measure(table)?;
        Ok(facts)
    }

    /// The facts of another table, in the same buffers.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn measure(&mut self, table: &Table) -> Result<(), Wrong> {
        self.bases = table.bases.len();
        self.things = self.bases + table.grounds.len();
        self.all.clear();
        let things = || (0..table.bases.len()).map(Thing::Base).chain((0..table.grounds.len()).map(Thing::Ground));
        for a in things().filter_map(|t| table.body(t).map(|b| (t, b))) {
            for b in things().filter_map(|t| table.body(t).map(|b| (t, b))) {
                self.all.push(if a.0 == b.0 { Between::NONE } else { between(a.1, b.1)? });
            }
        }
        Ok(())
    }

    /// What is measured from one body to another; none of a body to itself or a body that is not there.
    #[must_use]
    pub fn between(&self, a: Thing, b: Thing) -> Option<&Between> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        if a == b { None } else { self.all.get(a * self.things + b) }
    }

    fn number(&self, thing: Thing) -> Option<usize> {
        match thing {
            Thing::Base(i) => (i < self.bases).then_some(i),
            Thing::Ground(i) => (i < self.things - self.bases).then_some(self.bases + i),
        }
    }
}
