//! Which variants are tried: one number at a time, all combinations of some, or a sample of them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Parameter, Value, Vary, find};
use crate::diag::{Diagnostic, code};
use crate::engine::spread;

/// The most values of one number.
pub const MOST_VALUES: usize = 1_000;

/// The most variants of one call.
pub const MOST_VARIANTS: usize = 20_000;

/// How variants are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// one number at a time, all others as they are
    OneByOne,
    /// every combination
    Grid,
    /// some of the combinations, drawn by a seed
    Sample,
}

/// The numbers that are varied, and the variants.
#[derive(Debug, Clone)]
pub struct Design {
    /// How variants were chosen.
    pub shape: Shape,
    /// The numbers that are varied, by their places among all, with their values in ascending
    /// order.
    pub varied: Vec<(usize, Vec<Value>)>,
    /// The variants: of each number that is not as it is, its place among all and its value.
    pub variants: Vec<Vec<(usize, Value)>>,
}

impl Design {
    /// The variants that a call asks for: of the numbers it names, or of all, one step down and one
    /// up, as far as they are `wanted` at all; with a sample so many of them, by a seed.
    ///
    /// # Errors
    ///
    /// What is wrong with a name, E1071 for one that is not wanted, or E1073 where there would be
    /// too many.
    pub fn of(
        all: &[Parameter],
        vary: &[Vary],
        wanted: &dyn Fn(&Parameter) -> bool,
        sample: Option<(u64, u64)>,
    ) -> Result<Design, Box<Diagnostic>> {
        let named = !vary.is_empty();
        let mut varied: Vec<(usize, Vec<Value>)> = Vec::new();
        for one in vary {
            let at = find(all, &one.name)?;
            if let Some(unasked) = all.get(at).filter(|p| !wanted(p)) {
                return Err(unread(unasked));
            }
            match varied.iter_mut().find(|(known, _)| *known == at) {
                Some((_, values)) => values.extend(one.values.iter().copied()),
                None => varied.push((at, one.values.clone())),
            }
        }
        if !named {
            let each = (0..).zip(all).filter(|(_, p)| wanted(p));
            varied = each.map(|(at, p)| (at, p.is.steps())).collect();
        }
        varied.sort_by_key(|(at, _)| *at);
        for (_, values) in &mut varied {
            values.sort_unstable();
            values.dedup();
        }
        let design = match sample {
            Some((count, seed)) if varied.len() > 1 && named => sampled(all, varied, count, seed),
            None if varied.len() > 1 && named => grid(all, varied)?,
            _ => some_of(one_by_one(all, varied), sample),
        };
        match design.variants.len() {
            0..=MOST_VARIANTS => Ok(design),
            many => Err(too_many(many as u128)),
        }
    }
}

fn unread(number: &Parameter) -> Box<Diagnostic> {
    let said = format!("no answer about a position reads `{}`", number.name);
    Box::new(Diagnostic::bare(code::E1071, said).help(format!(
        "{} at {} is of account while a game is played: add `--games N`",
        number.owner, number.place
    )))
}

fn too_many(many: u128) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::bare(
            code::E1073,
            format!("that is {many} variants, and at most {MOST_VARIANTS} are tried"),
        )
        .help("write shorter ranges, or draw some with `--sample N --seed S`"),
    )
}

fn one_by_one(all: &[Parameter], varied: Vec<(usize, Vec<Value>)>) -> Design {
    let mut variants = Vec::new();
    for (at, values) in &varied {
        let other = |v: &&Value| all.get(*at).is_some_and(|p| p.is != **v);
        variants.extend(values.iter().filter(other).map(|value| vec![(*at, *value)]));
    }
    Design { shape: Shape::OneByOne, varied, variants }
}

/// So many of the variants, drawn by a seed, in their order.
fn some_of(design: Design, sample: Option<(u64, u64)>) -> Design {
    let Some((count, seed)) = sample else { return design };
    let mut order: Vec<usize> = (0..design.variants.len()).collect();
    order.sort_by_key(|at| (spread(seed, *at as u64 + 1), *at));
    order.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    order.sort_unstable();
    let variants = order.into_iter().filter_map(|at| design.variants.get(at).cloned()).collect();
    Design { variants, ..design }
}

/// How many combinations there are, as far as they can be counted.
fn combinations(varied: &[(usize, Vec<Value>)]) -> u128 {
    varied.iter().fold(1u128, |many, (_, values)| many.saturating_mul(values.len() as u128))
}

/// The combination of a number: the last number turns fastest.
fn combination(
    all: &[Parameter],
    varied: &[(usize, Vec<Value>)],
    choose: &mut dyn FnMut(usize) -> usize,
) -> Vec<(usize, Value)> {
    let mut found = Vec::new();
    for (at, values) in varied.iter().rev() {
        if let Some(value) = values.get(choose(values.len())) {
            found.push((*at, *value));
        }
    }
    found.reverse();
    found.retain(|(at, value)| all.get(*at).is_some_and(|p| p.is != *value));
    found
}

fn grid(all: &[Parameter], varied: Vec<(usize, Vec<Value>)>) -> Result<Design, Box<Diagnostic>> {
    let many = combinations(&varied);
    if many > MOST_VARIANTS as u128 {
        return Err(too_many(many));
    }
    let of = |nth: u128| {
        let mut rest = nth;
        combination(all, &varied, &mut |count| {
            let count = (count as u128).max(1);
            let at = rest % count;
            rest /= count;
            usize::try_from(at).unwrap_or_default()
        })
    };
    let variants = (0..many).map(of).collect();
    Ok(Design { shape: Shape::Grid, varied, variants })
}

/// Combinations drawn one after the other, each number's value with equal chance; what was drawn
/// before is drawn again, as long as there may be others.
fn sampled(all: &[Parameter], varied: Vec<(usize, Vec<Value>)>, count: u64, seed: u64) -> Design {
    let most = combinations(&varied);
    let wanted = u128::from(count).min(most);
    let (mut steps, mut met, mut variants) = (0u64, BTreeSet::new(), Vec::new());
    let limit = count.saturating_mul(64).saturating_mul(varied.len().max(1) as u64);
    while (variants.len() as u128) < wanted && steps <= limit && variants.len() <= MOST_VARIANTS {
        let drawn = combination(all, &varied, &mut |count| {
            steps = steps.saturating_add(1);
            let below = u128::from(spread(seed, steps)) * count as u128;
            usize::try_from(below >> 64).unwrap_or_default()
        });
        let key: Vec<(usize, String)> = drawn.iter().map(|(at, v)| (*at, v.to_string())).collect();
        if varied.is_empty() || met.insert(key) {
            variants.push(drawn);
        }
    }
    Design { shape: Shape::Sample, varied, variants }
}
