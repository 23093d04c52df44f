//! The columns of a program while it is built: each is worked out once, however often it is read.

use std::hash::Hash;

use indexmap::IndexSet;

use super::facts::{Constant, Input, Inputs};
use super::lane::Width;
use super::refused::Why;
use super::step::Step;
use crate::ir::{FactId, KindId, Ruleset, Type};

/// A column by its place in the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Col(pub u32);

/// How a column comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Def {
    /// a stored fact, by its place among the inputs
    Input(usize),
    /// what is the same in all rows of a batch, by its place
    Constant(usize),
    /// what is the same in all batches
    Splat(Width, i64),
    /// worked out
    Step(Step<Col>),
}

/// All columns in the order in which they come about.
#[derive(Debug, Default)]
pub(super) struct Graph {
    defs: IndexSet<Def>,
    about: Vec<(Width, i64, i64)>,
    /// What the program reads.
    pub inputs: Inputs,
}

impl Graph {
    /// The columns in order.
    pub(super) fn defs(&self) -> impl Iterator<Item = (Col, &Def, Width)> {
        self.defs
            .iter()
            .zip(&self.about)
            .zip(0..)
            .map(|((def, (width, ..)), at)| (Col(at), def, *width))
    }

    fn add(&mut self, def: Def, about: (Width, i64, i64)) -> Col {
        let (at, new) = self.defs.insert_full(def);
        if new {
            self.about.push(about);
        }
        let col = Col(u32::try_from(at).unwrap_or(u32::MAX));
        // Whatever was proved of a column holds of it wherever it is read.
        self.prove(col, about.1, about.2);
        col
    }

    /// Notes what is known of the numbers of a column.
    pub(super) fn prove(&mut self, col: Col, low: i64, high: i64) {
        if let Some((_, least, most)) = self.about.get_mut(col.0 as usize) {
            (*least, *most) = ((*least).max(low), (*most).min(high));
        }
    }

    pub(super) fn width(&self, col: Col) -> Width {
        self.about[col.0 as usize].0
    }

    /// The proven ends of a column.
    pub(super) fn range(&self, col: Col) -> (i64, i64) {
        let (_, low, high) = self.about[col.0 as usize];
        (low, high)
    }

    /// A worked out column, all of whose numbers lie between the ends.
    pub(super) fn step(&mut self, step: Step<Col>, low: i64, high: i64) -> Col {
        self.add(Def::Step(step), (step.width(), low, high))
    }

    /// A column of truths.
    pub(super) fn truths(&mut self, step: Step<Col>) -> Col {
        self.step(step, -1, 0)
    }

    /// One number in every row; bits that its width has no room for are cut off.
    pub(super) fn splat(&mut self, width: Width, n: i64) -> Col {
        self.add(Def::Splat(width, n), (width, n, n))
    }

    /// The column of a stored fact.
    pub(super) fn fact(&mut self, rules: &Ruleset, id: FactId) -> Result<Col, Why> {
        let (low, high) = stored(rules, id)?;
        let width = Width::of(low, high).ok_or(Why::TooLarge)?;
        let truth = rules.facts.get(id.index()).is_some_and(|f| f.ty == Type::Truth);
        let at = self.inputs.read(Input { fact: id, width, low, high, truth });
        Ok(self.add(Def::Input(at), (width, low, high)))
    }

    /// What is the same in all rows of a batch.
    pub(super) fn constant(&mut self, constant: Constant, low: i64, high: i64) -> Result<Col, Why> {
        let width = Width::of(low, high).ok_or(Why::TooLarge)?;
        let at = self.inputs.hold(constant, low, high);
        Ok(self.add(Def::Constant(at), (width, low, high)))
    }
}

/// The ends of what is stored for a fact: its declared range, its default, and 0 for a thing that
/// has no such fact.
pub(super) fn stored(rules: &Ruleset, id: FactId) -> Result<(i64, i64), Why> {
    let fact = rules.facts.get(id.index()).ok_or(Why::NoSuch)?;
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let (low, high) = match fact.ty {
        Type::Truth => return Ok((-1, 0)),
        Type::Number { low, high, .. } => (low.min(fact.default), high.max(fact.default)),
        Type::Word(set) => {
            (0, count(rules.word_sets.get(set.index()).map_or(1, |s| s.words.len())) - 1)
        }
        Type::Thing { kind, .. } => match rules.top(kind) {
            KindId::SIDE => (0, count(rules.sides.len())),
            KindId::SPACE => {
                (0, rules.maps.iter().map(|m| count(m.spaces.len())).max().unwrap_or(0))
            }
            KindId::UNIT => (0, i32::MAX.into()),
            _ => (0, 0),
        },
    };
    Ok((low.min(0), high.max(0)))
}
