//! What a number comes to: by how much it makes a difference, and where an answer turns.

use num_traits::Zero;
use serde::Serialize;

use super::{Flip, Outcome, Parameter, Row, Shape, Value};
use crate::play::{Exact, Figure};

/// Where an answer turns: the nearest value on one side at which one is not the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// The value.
    pub value: Value,
    /// How many answers, or games, are others there.
    pub flips: u64,
    /// The first answer that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Flip>,
}

/// What a number comes to.
#[derive(Debug, Clone, Serialize)]
pub struct Effect {
    /// The number.
    #[serde(flatten)]
    pub number: Parameter,
    /// By how many answers, or games, it makes a difference: the most less the fewest of its
    /// values, each in the mean over the variants that have it.
    pub effect: Figure,
    /// How many variants have another value of it, and how many of them the checker refuses.
    pub variants: usize,
    /// As above.
    pub refused: usize,
    /// Where an answer turns when it falls and nothing else changes.
    pub down: Option<Turn>,
    /// Where one turns when it rises.
    pub up: Option<Turn>,
    /// Its place among all numbers.
    #[serde(skip)]
    pub at: usize,
}

/// The effect of a number in the variants that were tried.
pub(super) fn effect(
    shape: Shape,
    (at, number): (usize, &Parameter),
    values: &[Value],
    rows: &[Row],
) -> Effect {
    let value_in = |row: &Row| row.of.iter().find(|(of, _)| *of == at).map(|(_, value)| *value);
    let with = |value: Value| {
        let has = move |row: &&Row| match (value_in(row), shape) {
            (Some(has), _) => has == value,
            // One by one, a variant of another number says nothing of this one.
            (None, Shape::OneByOne) => false,
            (None, _) => number.is == value,
        };
        rows.iter().filter(has)
    };
    let mean = |value: Value| {
        let flips: Vec<u64> = with(value).filter_map(|row| row.outcome.flips()).collect();
        let count = Exact::from_integer(flips.len().into());
        let sum: u64 = flips.iter().fold(0, |sum, n| sum.saturating_add(*n));
        (!flips.is_empty()).then(|| Exact::from_integer(sum.into()) / count)
    };
    let mut means: Vec<Exact> = values.iter().filter_map(|value| mean(*value)).collect();
    if shape == Shape::OneByOne {
        means.push(Exact::zero());
    }
    let ends = means.iter().max().zip(means.iter().min());
    let own = || rows.iter().filter(|row| value_in(row).is_some());
    let alone = |row: &&Row| matches!(row.of.as_slice(), [(of, _)] if *of == at);
    let turn = |row: &Row| {
        let flips = row.outcome.flips().filter(|flips| *flips > 0)?;
        let first = match &row.outcome {
            Outcome::Positions(found) => found.first.clone(),
            _ => None,
        };
        Some(Turn { value: value_in(row)?, flips, first })
    };
    let turns: Vec<Turn> = rows.iter().filter(alone).filter_map(turn).collect();
    let down = turns.iter().filter(|t| t.value < number.is).max_by_key(|t| t.value);
    let up = turns.iter().filter(|t| t.value > number.is).min_by_key(|t| t.value);
    Effect {
        number: number.clone(),
        effect: Figure(ends.map_or_else(Exact::zero, |(most, least)| most - least)),
        variants: own().count(),
        refused: own().filter(|row| row.outcome.flips().is_none()).count(),
        down: down.cloned(),
        up: up.cloned(),
        at,
    }
}
