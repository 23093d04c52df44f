//! Games for a program that has the library built in: plain data in and out.

use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;

use super::{
    Asked, Book, Plan, Player, Policy, Record, Summary, Summing, pump, summary_text, written,
};
use crate::engine::{Asks, Deed, Order};
use crate::facade::{Faults, Game, Position, Side};
use crate::ir::PhaseId;
use crate::kernel::Position as Evaluated;
use crate::log::Given;
use crate::source::SourceMap;
use crate::world::ThingRef;

/// What a player is offered.
#[derive(Debug, Clone, Serialize)]
pub struct Offered {
    /// Whether one of the ways has to be taken.
    pub must: bool,
    /// The ways, each as the order that takes it.
    pub ways: Vec<serde_json::Value>,
}

/// Many games from one position, each played by itself. Chance decides what the rules leave to
/// players, unless a policy is set.
pub struct Games {
    plan: Plan,
}

impl std::fmt::Debug for Games {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Games").field("policy", &self.plan.policy).finish_non_exhaustive()
    }
}

impl Games {
    /// Games of `turns` turns each.
    ///
    /// # Errors
    ///
    /// E1052 where the rules have no clock.
    pub fn new(position: &Position, turns: u32, seed: u64) -> Result<Games, Faults> {
        position.has_turns()?;
        let (game, start) = (position.game().clone(), position.world().clone());
        let books = vec![Book { game, start, leaning: None }];
        let (policy, asked, side) = (Policy::Random, Vec::new(), None);
        Ok(Games { plan: Plan { books, policy, seed, turns, asked, side } })
    }

    /// Nothing is done that need not be, and else the first way is taken.
    #[must_use]
    pub fn first(mut self) -> Games {
        self.plan.policy = Policy::First;
        self
    }

    /// Decides by a function: it gives the index of the way that is taken, or `None`. `name` stands
    /// in the header of the run.
    #[must_use]
    pub fn decided(
        mut self,
        name: &str,
        decide: impl Fn(&Offered, &Position) -> Option<usize> + Send + Sync + 'static,
    ) -> Games {
        let Some(game) = self.plan.books.first().map(|book| book.game.clone()) else { return self };
        let ask = move |position: &Evaluated<'_>,
                        (thing, phase): (ThingRef, PhaseId),
                        deeds: &[Deed],
                        must: bool| {
            let way = |deed: &Deed| {
                let order = Order { thing, deed: *deed, phase: Some(phase) };
                let given = Given::order_of(position.rules, position.world, order);
                serde_json::to_value(given).unwrap_or_default()
            };
            let offered = Offered { must, ways: deeds.iter().map(way).collect() };
            let position = Position::new(game.clone(), position.world.clone());
            decide(&offered, &position).and_then(|at| deeds.get(at).copied())
        };
        self.plan.policy = Policy::Asked(name.to_owned(), Asks(Arc::new(ask)));
        self
    }

    /// Decides by a policy, the text of a file as `sutler play --policy` takes it; `file` is what its
    /// places name.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with its places.
    pub fn written(mut self, file: &str, text: &[u8]) -> Result<Games, Faults> {
        let Some(book) = self.plan.books.first_mut() else { return Ok(self) };
        let mut sources = SourceMap::clone(book.game.sources());
        let resolved = book.game.resolved().clone();
        let of = (&resolved, &mut sources);
        let found = written((text, file), of, book.game.rules(), &book.start);
        let found = found.map_err(|faults| Faults::of(&faults, &sources))?;
        book.game = Game::of(found.rules, resolved, sources);
        book.leaning = Some(Arc::new(found.leaning));
        self.plan.policy = Policy::Written(found.name);
        Ok(self)
    }

    /// Asks a question of each game at its end, of the things of a kind or of the world.
    #[must_use]
    pub fn asking(mut self, question: &str, of: Option<&str>) -> Games {
        let of = of.map(str::to_owned);
        self.plan.asked.push(Asked { question: question.to_owned(), of });
        self
    }

    /// The side that asks.
    #[must_use]
    pub fn seen_by(mut self, side: Side) -> Games {
        let game = self.plan.books.first().map(|book| &book.game);
        let name = game.and_then(|game| game.sides().nth(usize::from(side.0)));
        self.plan.side = name.map(str::to_owned);
        self
    }

    /// Plays the games of these numbers on `jobs` threads; `each` is given them in their order, and
    /// says whether to go on. The same seed gives the same games.
    ///
    /// # Errors
    ///
    /// What is wrong with a question.
    pub fn play(
        &self,
        games: Range<u64>,
        jobs: usize,
        mut each: impl FnMut(&Record) -> bool,
    ) -> Result<Summary, Faults> {
        Player::new(&self.plan)?.try_questions()?;
        let mut summing = Summing::new(self.plan.header(games.start), &self.plan.asked);
        let make = || {
            // The questions were asked of the start before.
            let player = Player::new(&self.plan).ok();
            move |games: Range<u64>| -> Vec<Vec<Record>> {
                games.filter_map(|game| Some(player.as_ref()?.play(game))).collect()
            }
        };
        let mut take = |records: Vec<Vec<Record>>| {
            for records in records {
                summing.add(&records);
                if !records.iter().all(&mut each) {
                    return Err(());
                }
            }
            Ok(())
        };
        // Where no thread can be begun, this one plays all.
        if pump(games.clone(), (jobs, 1), make, &mut take).is_err() {
            let _ = pump(games, (1, 1), make, take);
        }
        Ok(summing.summary())
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&summary_text(self))
    }
}
