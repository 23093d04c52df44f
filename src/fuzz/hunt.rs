//! Games that are played until something is wrong.

use std::collections::BTreeSet;

use super::look::{After, Looking, Met, Wrong};
use super::sample::Sample;
use super::shrink::shrink;
use crate::engine::{Dice, Ground, Orders, is_over, play_on};
use crate::ir::Ruleset;
use crate::log::Given;
use crate::play::game_seed;
use crate::report::run_fault_diagnostic;
use crate::world::World;

/// A position from which games begin.
pub struct Start {
    /// What it is called; nothing for a position of a file.
    pub setup: Option<String>,
    /// The position.
    pub world: World,
}

/// What games are played with.
pub struct Hunt<'r> {
    /// The rules.
    pub rules: &'r Ruleset,
    /// The positions they begin with, one after the other.
    pub starts: Vec<Start>,
    /// The seed of the run.
    pub seed: u64,
    /// How many turns a game has.
    pub turns: u32,
    /// When it is looked whether something is wrong.
    pub after: After,
}

/// Something that was wrong in a game.
#[derive(Debug, Clone)]
pub struct Broken {
    /// What.
    pub wrong: Wrong,
    /// In which game, counted from 1.
    pub game: u64,
    /// In which turn of it, counted from 1.
    pub turn: u32,
    /// The thing it holds of; empty for the whole game.
    pub thing: String,
    /// Why it holds, or the message of the fault.
    pub why: String,
    /// The same from the phase or the turn in which it came about, where it comes about so.
    pub sample: Option<Sample>,
}

impl<'r> Hunt<'r> {
    /// The position with which a game begins.
    #[must_use]
    pub fn start(&self, game: u64) -> Option<&Start> {
        let many = u64::try_from(self.starts.len()).ok().filter(|many| *many > 0)?;
        self.starts.get(usize::try_from(game.saturating_sub(1) % many).ok()?)
    }

    /// All that is wrong in a game, the first of each, but what is known.
    #[must_use]
    pub fn play(&self, ground: &Ground<'r>, game: u64, known: &BTreeSet<Wrong>) -> Vec<Broken> {
        let Some(start) = self.start(game) else { return Vec::new() };
        let seed = game_seed(self.seed, game);
        let (mut dice, mut orders) = (Dice::seeded(seed), Orders::drawn(seed));
        let mut world = start.world.clone();
        let mut looking = Looking::new(ground, &world, self.after);
        let mut found = Vec::new();
        for turn in 1..=self.turns {
            if is_over(self.rules, &world) {
                break;
            }
            looking.turn(&world, &dice);
            let whole = play_on(ground, &mut world, &mut dice, &mut orders, &mut looking);
            if let Err(fault) = whole {
                let fault = run_fault_diagnostic(self.rules, fault);
                looking.fault(fault.code.as_str(), &fault.message);
            } else {
                looking.behind(&world);
            }
            let taken: Vec<Given> = orders
                .take_drawn()
                .into_iter()
                .map(|o| Given::order_of(self.rules, &world, o))
                .collect();
            for met in looking.met.drain(..) {
                let told = |other: &Broken| other.wrong == met.wrong;
                if !known.contains(&met.wrong) && !found.iter().any(told) {
                    let sample = self.sample(ground, &met, &taken, dice.shown());
                    let Met { wrong, thing, why, .. } = met;
                    found.push(Broken { wrong, game, turn, thing, why, sample });
                }
            }
            if !matches!(whole, Ok(true)) {
                break;
            }
        }
        found
    }

    /// The same with less: the position and what is done in it as small as it was found to go.
    #[must_use]
    pub fn shrunk(&self, ground: &Ground<'r>, broken: &Broken) -> Option<Sample> {
        broken.sample.as_ref().map(|sample| shrink(ground, sample, &broken.wrong))
    }

    /// The nearest place from which the same comes about.
    fn sample(
        &self,
        ground: &Ground<'r>,
        met: &Met,
        orders: &[Given],
        shown: &[u32],
    ) -> Option<Sample> {
        met.from.iter().find_map(|from| {
            let dice = shown.get(from.dice..).unwrap_or_default().to_vec();
            let sample = Sample::of(ground, from.piece, &from.world, orders.to_vec(), dice)?;
            sample.played(ground, &met.wrong)
        })
    }
}
