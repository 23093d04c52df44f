//! The variants asked one by one, and what each number comes to.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::corpus::side_by_side;
use super::effect::{Effect, effect};
use super::{Corpus, Design, Flips, GameFlips, Games, Parameter, SWEEP_SCHEMA, Shape, Value};
use crate::compare::Suspects;
use crate::facade::Game;
use crate::mutate::{Given, NumberAt, Varied, with_numbers};

/// What variants are asked.
#[derive(Debug)]
pub enum Asked<'r> {
    /// positions
    Positions(Corpus<'r>),
    /// games
    Games(Games),
}

/// What became of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// positions were asked
    Positions(Flips),
    /// games were played
    Games(GameFlips),
    /// the checker finds an error in it
    Refused {
        /// the code of the error
        refused: String,
    },
}

/// A variant.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The numbers that are not as they are in the rules, by name.
    pub values: BTreeMap<String, Value>,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The same numbers by their places among all.
    #[serde(skip)]
    pub of: Vec<(usize, Value)>,
}

/// What was found.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The number of the form.
    pub schema: u32,
    /// The rules.
    pub ruleset: String,
    /// Their hash.
    pub hash: String,
    /// How the variants were chosen.
    pub shape: Shape,
    /// How many positions were asked; none where games were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<usize>,
    /// How many games were played; none where positions were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// How many answers, or games, a variant has.
    pub answers: u64,
    /// The numbers, the one that matters most first.
    pub numbers: Vec<Effect>,
    /// The variants, by the numbers in that order.
    pub variants: Vec<Row>,
    /// Numbers that nothing asked can read, which were not varied.
    pub unread: Vec<String>,
}

impl Outcome {
    /// How many answers, or games, are others; none where there is no answer.
    #[must_use]
    pub fn flips(&self) -> Option<u64> {
        match self {
            Outcome::Positions(flips) => Some(flips.flips),
            Outcome::Games(flips) => Some(flips.flips),
            Outcome::Refused { .. } => None,
        }
    }
}

/// For each number the questions on which it can bear, among those that are asked.
#[must_use]
pub fn bearing(all: &[Parameter], corpus: &Corpus<'_>, suspects: &Suspects<'_>) -> Vec<Vec<bool>> {
    let of = |p: &Parameter| {
        let item = (p.item.0.as_str(), p.item.1.as_str());
        let both = corpus.questions().iter().zip(corpus.asked());
        both.map(|((_, name), asked)| *asked && suspects.reads(name, item)).collect()
    };
    all.iter().map(of).collect()
}

/// A ruleset whose numbers are varied.
#[derive(Clone, Copy)]
pub struct Swept<'a> {
    /// The ruleset without its cases.
    pub given: Given<'a>,
    /// Where it was read.
    pub path: &'a Path,
    /// Its numbers.
    pub all: &'a [Parameter],
    /// For each number the questions that it can bear on.
    pub bearing: &'a [Vec<bool>],
}

impl Swept<'_> {
    /// Tries all variants; `told` is called when one is done.
    #[must_use]
    pub fn run(
        self,
        design: &Design,
        asked: &Asked<'_>,
        jobs: usize,
        told: &mut dyn FnMut(),
    ) -> Report {
        let mut outcomes = Vec::with_capacity(design.variants.len());
        let work = |at: u64| {
            let variant = usize::try_from(at).ok().and_then(|at| design.variants.get(at));
            self.one(variant.map_or(&[][..], Vec::as_slice), asked)
        };
        // Games go to all threads by themselves.
        let jobs = if matches!(asked, Asked::Games(_)) { 1 } else { jobs };
        let make = || |range: std::ops::Range<u64>| range.map(work).collect::<Vec<Outcome>>();
        let all = 0..design.variants.len() as u64;
        let done = side_by_side((all, jobs, 1), make, |found| {
            outcomes.extend(found);
            told();
            Ok::<(), ()>(())
        });
        done.unwrap_or_default();
        self.report(design, asked, outcomes)
    }

    fn one(self, variant: &[(usize, Value)], asked: &Asked<'_>) -> Outcome {
        let refused = |refused: String| Outcome::Refused { refused };
        let numbers: Vec<(&NumberAt, String)> = variant
            .iter()
            .filter_map(|(at, value)| Some((&self.all.get(*at)?.at, value.to_string())))
            .collect();
        if numbers.is_empty() {
            return match asked {
                Asked::Positions(_) => Outcome::Positions(Flips::default()),
                Asked::Games(_) => Outcome::Games(GameFlips::default()),
            };
        }
        let numbers: Vec<(&NumberAt, &str)> =
            numbers.iter().map(|(number, new)| (*number, new.as_str())).collect();
        let Varied { rules, resolved, sources } =
            match with_numbers((self.given, self.path), &numbers) {
                Ok(varied) => varied,
                Err(code) => return refused(code),
            };
        match asked {
            Asked::Positions(corpus) => {
                let mut wanted = vec![false; corpus.questions().len()];
                for (at, _) in variant {
                    let bears = self.bearing.get(*at).into_iter().flatten();
                    wanted.iter_mut().zip(bears).for_each(|(wanted, bears)| *wanted |= bears);
                }
                Outcome::Positions(corpus.flips(&rules, &wanted))
            }
            Asked::Games(games) => match games.flips(Game::of(rules, resolved, sources)) {
                Ok(flips) => Outcome::Games(flips),
                Err(code) => refused(code),
            },
        }
    }

    fn report(self, design: &Design, asked: &Asked<'_>, outcomes: Vec<Outcome>) -> Report {
        let name = |at: &usize| self.all.get(*at).map_or_else(String::new, |p| p.name.clone());
        let mut rows: Vec<Row> = design
            .variants
            .iter()
            .zip(outcomes)
            .map(|(of, outcome)| {
                let values = of.iter().map(|(at, value)| (name(at), *value)).collect();
                Row { values, outcome, of: of.clone() }
            })
            .collect();
        let effect = |(at, values): &(usize, Vec<Value>)| {
            Some(effect(design.shape, (*at, self.all.get(*at)?), values, &rows))
        };
        let mut numbers: Vec<Effect> = design.varied.iter().filter_map(effect).collect();
        numbers.sort_by(|a, b| (&b.effect.0, a.at).cmp(&(&a.effect.0, b.at)));
        let is = |at: usize| self.all.get(at).map_or(Value::whole(0), |p| p.is);
        rows.sort_by_cached_key(|row| {
            let value =
                |at: usize| row.of.iter().find(|(of, _)| *of == at).map(|(_, value)| *value);
            let one_by_one = design.shape == Shape::OneByOne;
            let first = numbers.iter().position(|n| one_by_one && value(n.at).is_some());
            (first, numbers.iter().map(|n| value(n.at).unwrap_or(is(n.at))).collect::<Vec<_>>())
        });
        let (positions, games, answers) = match asked {
            Asked::Positions(corpus) => (Some(corpus.positions()), None, corpus.total()),
            Asked::Games(games) => (None, Some(games.games()), games.games()),
        };
        Report {
            schema: SWEEP_SCHEMA,
            ruleset: self.given.rules.name.clone(),
            hash: self.given.rules.hash.clone(),
            shape: design.shape,
            positions,
            games,
            answers,
            numbers,
            variants: rows,
            unread: Vec::new(),
        }
    }
}
