//! Sums over games, from which means and their intervals are made.

use std::collections::BTreeMap;

use num_traits::Zero;
use serde::Serialize;

use super::Lasted;
use super::exact::{Exact, Figure, shared, spread_of};
use super::values::{Figured, Of};

/// A mean over games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mean {
    /// What it is of.
    pub of: &'static str,
    /// Its name.
    pub name: String,
    /// How many games count.
    pub games: u64,
    /// The mean.
    pub mean: Figure,
    /// The ends of the interval of 95 %.
    pub low: Option<Figure>,
    /// As above.
    pub high: Option<Figure>,
    /// The least of all games.
    pub least: Figure,
    /// The most.
    pub most: Figure,
}

/// A share of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Share {
    /// What it is of.
    pub of: &'static str,
    /// Its name.
    pub name: String,
    /// How many games count.
    pub games: u64,
    /// In how many it is so.
    pub yes: u64,
    /// The share.
    pub share: Figure,
    /// The ends of the interval of 95 %.
    pub low: Option<Figure>,
    /// As above.
    pub high: Option<Figure>,
}

/// How long something lasts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Length {
    /// What lasts.
    pub name: String,
    /// How often it came and went.
    pub ended: u64,
    /// How often it had come and had not gone when a game ended.
    pub unended: u64,
    /// How many turns it lasted in the mean, where it ended.
    pub mean: Option<Figure>,
    /// The ends of the interval of 95 %.
    pub low: Option<Figure>,
    /// As above.
    pub high: Option<Figure>,
    /// The shortest.
    pub least: u64,
    /// The longest.
    pub most: u64,
}

/// What becomes of the figures of one name.
#[derive(Debug, Clone, Default)]
pub(super) struct Sum {
    count: u64,
    yes: u64,
    is_share: bool,
    is_amount: bool,
    sum: Exact,
    squares: Exact,
    least: Option<Exact>,
    most: Option<Exact>,
}

impl Sum {
    /// Adds a figure.
    pub(super) fn add(&mut self, figure: &Figured) {
        match figure {
            Figured::Share(yes) => {
                self.is_share = true;
                self.count += 1;
                self.yes += u64::from(*yes);
            }
            Figured::Count(number) => self.number(number),
            Figured::Amount(number) => {
                self.is_amount = true;
                self.number(number);
            }
        }
    }

    fn number(&mut self, number: &Exact) {
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
        if self.least.as_ref().is_none_or(|least| number < least) {
            self.least = Some(number.clone());
        }
        if self.most.as_ref().is_none_or(|most| number > most) {
            self.most = Some(number.clone());
        }
    }

    /// The share of so many games, if it is one.
    pub(super) fn share(&self, of: Of, name: &str, games: u64) -> Option<Share> {
        let (low, high) = shared(self.yes, games).filter(|_| self.is_share)?;
        Some(Share {
            of: of.word(),
            name: name.to_owned(),
            games,
            yes: self.yes,
            share: Figure(Exact::new(self.yes.into(), games.into())),
            low: Some(Figure(low)),
            high: Some(Figure(high)),
        })
    }

    /// The mean over so many games, if it is one; games that said nothing count as 0, but for
    /// amounts.
    pub(super) fn mean(&self, of: Of, name: &str, games: u64) -> Option<Mean> {
        let games = if self.is_amount { self.count } else { games };
        if self.is_share || games == 0 {
            return None;
        }
        let silent = (self.count < games).then(Exact::zero);
        let (least, most) = (
            self.least.iter().chain(&silent).min().cloned()?,
            self.most.iter().chain(&silent).max().cloned()?,
        );
        let (low, high) = spread_of(games, &self.sum, &self.squares).unzip();
        Some(Mean {
            of: of.word(),
            name: name.to_owned(),
            games,
            mean: Figure(&self.sum / Exact::from_integer(games.into())),
            low: low.map(Figure),
            high: high.map(Figure),
            least: Figure(least),
            most: Figure(most),
        })
    }
}

/// How long each thing that came and went lasted, over all games.
#[derive(Debug, Clone, Default)]
pub(super) struct Lengths(BTreeMap<String, (Lasted, Exact)>);

impl Lengths {
    /// Adds a game.
    pub(super) fn add(&mut self, lasted: &BTreeMap<String, Lasted>) {
        for (name, one) in lasted {
            let (all, squares) = self.0.entry(name.clone()).or_default();
            if one.ended > 0 {
                all.least = if all.ended == 0 { one.least } else { all.least.min(one.least) };
            }
            all.most = all.most.max(one.most);
            all.ended = all.ended.saturating_add(one.ended);
            all.turns = all.turns.saturating_add(one.turns);
            all.unended = all.unended.saturating_add(one.unended);
            *squares += Exact::from_integer(one.squares.into());
        }
    }

    /// The lengths by name.
    pub(super) fn rows(&self) -> Vec<Length> {
        let row = |(name, (all, squares)): (&String, &(Lasted, Exact))| {
            let turns = Exact::from_integer(all.turns.into());
            let (low, high) = spread_of(all.ended, &turns, squares).unzip();
            let mean =
                (all.ended > 0).then(|| Figure(&turns / Exact::from_integer(all.ended.into())));
            Length {
                name: name.clone(),
                ended: all.ended,
                unended: all.unended,
                mean,
                low: low.map(Figure),
                high: high.map(Figure),
                least: all.least,
                most: all.most,
            }
        };
        self.0.iter().map(row).collect()
    }
}
