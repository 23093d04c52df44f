//! The facts of a whole table: all measures for all ordered pairs.

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
    /// The blocks as the fast ways need them.
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
        self.begin(table)?;
        if self.bases > 1 {
            self.quick.take(table);
        }
        for i in 0..self.bases {
            for j in i + 1..self.bases {
                match self.quick.both(i, j) {
                    Some((to, back)) => self.write(i, j, to, back),
                    None => self.exactly(table, i, j)?,
                }
            }
        }
        self.with_ground(table)
    }

    /// The same without the fast ways for blocks: their twin.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn measure_each(&mut self, table: &Table) -> Result<(), Wrong> {
        self.begin(table)?;
        for i in 0..self.bases {
            for j in i + 1..self.bases {
                self.exactly(table, i, j)?;
            }
        }
        self.with_ground(table)
    }

    /// Room for all facts, of bodies that are within the bounds.
    fn begin(&mut self, table: &Table) -> Result<(), Wrong> {
        self.bases = table.bases.len();
        self.things = self.bases + table.grounds.len();
        // Of a table of as many bodies all is written again, but for what no body has to itself.
        if self.all.len() != self.things * self.things {
            self.all.clear();
            self.all.resize(self.things * self.things, Between::NONE);
        }
        // A body alone is not measured.
        if self.things > 1 {
            table.bases.iter().try_for_each(|b| b.unit().map(drop))?;
            table.grounds.iter().try_for_each(|g| g.unit().map(drop))?;
        }
        Ok(())
    }

    /// All pairs of which one is ground.
    fn with_ground(&mut self, table: &Table) -> Result<(), Wrong> {
        for j in self.bases..self.things {
            for i in 0..j {
                self.exactly(table, i, j)?;
            }
        }
        Ok(())
    }

    fn exactly(&mut self, table: &Table, i: usize, j: usize) -> Result<(), Wrong> {
        let body = |at: usize| match at.checked_sub(self.bases) {
            None => table.body(Thing::Base(at)),
            Some(ground) => table.body(Thing::Ground(ground)),
        };
        if let (Some(a), Some(b)) = (body(i), body(j)) {
            self.write(i, j, between(a, b)?, between(b, a)?);
        }
        Ok(())
    }

    /// What lies between two bodies in both orders.
    fn write(&mut self, i: usize, j: usize, to: Between, back: Between) {
        for (at, what) in [(i * self.things + j, to), (j * self.things + i, back)] {
            if let Some(place) = self.all.get_mut(at) {
                *place = what;
            }
        }
    }

    /// What is measured from one body to another; none of a body to itself or a body that is not
    /// there.
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
