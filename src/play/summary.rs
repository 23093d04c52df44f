//! All games of a run, summed up one after the other.

use std::collections::BTreeMap;

use serde::Serialize;

use super::sums::{Length, Lengths, Mean, Share, Sum};
use super::values::{Figured, Figures, Of, figures};
use super::{Asked, Header, Record};

/// What the games of one of the rules come to.
#[derive(Debug, Clone, Serialize)]
pub struct Part {
    /// Which share of games.
    pub shares: Vec<Share>,
    /// What a game has in the mean.
    pub means: Vec<Mean>,
    /// How long what came and went lasted.
    pub lasted: Vec<Length>,
}

/// What the games of a run come to.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// What they were played with.
    #[serde(flatten)]
    pub header: Header,
    /// How many they are.
    pub games: u64,
    /// By the rules.
    pub summary: Part,
    /// By the other rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_against: Option<Part>,
    /// What a game by the other rules has more, in the mean over games of one seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differences: Option<Vec<Mean>>,
}

/// Sums by what they are of and by name.
#[derive(Debug, Default)]
struct Sums {
    games: u64,
    answered: Vec<u64>,
    of: BTreeMap<(Of, String), Sum>,
    lengths: Lengths,
}

/// Sums up games as they come.
#[derive(Debug)]
pub struct Summing {
    header: Header,
    asked: Vec<Asked>,
    parts: Vec<Sums>,
    differences: Sums,
    faults: Option<(u64, Record)>,
}

impl Sums {
    fn new(questions: usize) -> Sums {
        Sums { answered: vec![0; questions], ..Sums::default() }
    }

    fn add(&mut self, figures: &Figures, answered: &[bool]) {
        self.games += 1;
        for (count, yes) in self.answered.iter_mut().zip(answered) {
            *count += u64::from(*yes);
        }
        for (key, figure) in figures {
            match self.of.get_mut(key) {
                Some(sum) => sum.add(figure),
                None => self.of.entry(key.clone()).or_default().add(figure),
            }
        }
    }

    /// How many games say something of it.
    fn of(&self, of: Of) -> u64 {
        match of {
            Of::Asked(at) => self.answered.get(at).copied().unwrap_or_default(),
            _ => self.games,
        }
    }

    fn shares(&self) -> Vec<Share> {
        self.of.iter().filter_map(|((of, name), sum)| sum.share(*of, name, self.of(*of))).collect()
    }

    fn means(&self) -> Vec<Mean> {
        self.of.iter().filter_map(|((of, name), sum)| sum.mean(*of, name, self.of(*of))).collect()
    }

    fn part(&self) -> Part {
        Part { shares: self.shares(), means: self.means(), lasted: self.lengths.rows() }
    }
}

impl Summing {
    /// No game yet.
    #[must_use]
    pub fn new(header: Header, asked: &[Asked]) -> Summing {
        let parts = (0..header.records()).map(|_| Sums::new(asked.len())).collect();
        let differences = Sums::new(asked.len());
        Summing { header, asked: asked.to_vec(), parts, differences, faults: None }
    }

    /// Adds a game: its records, one by each of the rules.
    pub fn add(&mut self, records: &[Record]) {
        let mut all = Vec::new();
        for (record, part) in records.iter().zip(&mut self.parts) {
            let (figures, answered) = figures(record, &self.asked);
            part.add(&figures, &answered);
            part.lengths.add(&record.lasted);
            if record.fault.is_some() {
                let (count, _) = self.faults.get_or_insert_with(|| (0, record.clone()));
                *count += 1;
            }
            all.push((figures, answered));
        }
        if let [(first, known), (second, also)] = all.as_slice() {
            let answered: Vec<bool> = known.iter().zip(also).map(|(a, b)| *a && *b).collect();
            self.differences.add(&differences(first, second, &answered), &answered);
        }
    }

    /// How many games a fault stopped, and the first of them.
    #[must_use]
    pub fn faults(&self) -> Option<&(u64, Record)> {
        self.faults.as_ref()
    }

    /// What they come to so far.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let none = Sums::default();
        let mut parts = self.parts.iter();
        let first = parts.next().unwrap_or(&none);
        let second = parts.next();
        Summary {
            header: self.header.clone(),
            games: first.games,
            summary: first.part(),
            summary_against: second.map(Sums::part),
            differences: second.map(|_| self.differences.means()),
        }
    }
}

/// What the second has more than the first.
fn differences(first: &Figures, second: &Figures, answered: &[bool]) -> Figures {
    let both = |of: Of| match of {
        Of::Asked(at) => answered.get(at).copied().unwrap_or_default(),
        _ => true,
    };
    let mut found = Figures::new();
    let new = second.keys().filter(|key| !first.contains_key(*key));
    for key in first.keys().chain(new).filter(|key| both(key.0)) {
        let (a, b) = (first.get(key), second.get(key));
        let figure = match (a, b) {
            (Some(a @ Figured::Amount(_)), Some(b)) => Figured::Amount(b.number() - a.number()),
            (Some(Figured::Amount(_)), None) | (None, Some(Figured::Amount(_))) => continue,
            (Some(a), Some(b)) => Figured::Count(b.number() - a.number()),
            (Some(a), None) => Figured::Count(-a.number()),
            (None, Some(b)) => Figured::Count(b.number()),
            (None, None) => continue,
        };
        found.insert(key.clone(), figure);
    }
    found
}
