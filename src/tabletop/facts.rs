//! The facts of a whole table: all measures for all ordered pairs.

use super::body::Body;
use super::measure::{Between, between};
use super::number::Wrong;
use super::quick::Quick;
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
#[derive(Debug, Default)]
pub struct Facts {
    bases: usize,
    things: usize,
    /// Row by row: from the first body to each, from the second to each. Bases come before ground.
    all: Vec<Between>,
    /// The blocks that look along the axes.
    quick: Quick,
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
        self.quick.take(table);
        self.fill(table)
    }

    /// The same without the fast way for blocks that look along the axes: its twin.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn measure_each(&mut self, table: &Table) -> Result<(), Wrong> {
        self.quick = Quick::default();
        self.fill(table)
    }

    fn fill(&mut self, table: &Table) -> Result<(), Wrong> {
        self.bases = table.bases.len();
        self.things = self.bases + table.grounds.len();
        self.all.clear();
        let bases = table.bases.iter().map(Body::Base);
        let things: Vec<Body> = bases.chain(table.grounds.iter().map(Body::Ground)).collect();
        for (i, a) in things.iter().enumerate() {
            for (j, b) in things.iter().enumerate() {
                let measured = match self.quick.between(i, j) {
                    _ if i == j => Between::NONE,
                    Some(quick) => quick,
                    None => between(*a, *b)?,
                };
                self.all.push(measured);
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
