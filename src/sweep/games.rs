//! The same games by the rules as they are and by variants, game by game with one seed.

use std::ops::Range;

use num_traits::{Signed, Zero};
use serde::Serialize;

use super::corpus::side_by_side;
use crate::diag::Fault;
use crate::facade::{Faults, Game};
use crate::ir::Ruleset;
use crate::play::{Book, Exact, Figure, Mean, Plan, Player, Record, Summing};
use crate::world::World;
use crate::world::json::Positions;

/// Games by the rules as they are.
pub struct Games {
    plan: Plan,
    records: Vec<Record>,
    jobs: usize,
}

impl std::fmt::Debug for Games {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Games").field("games", &self.records.len()).finish_non_exhaustive()
    }
}

/// What a game by a variant has more, in the mean over games of one seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shift {
    /// `events`, `control`, `units`, `asked` or `ended`.
    pub of: &'static str,
    /// Its name.
    pub name: String,
    /// How much more.
    pub mean: Figure,
    /// The ends of the interval of 95 %.
    pub low: Option<Figure>,
    /// As above.
    pub high: Option<Figure>,
}

/// What becomes of the games by a variant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GameFlips {
    /// How many of them end in another position.
    pub flips: u64,
    /// How many a fault ended.
    pub faults: u64,
    /// What is asked, and all of which the interval leaves nothing out: the surest first.
    pub shifts: Vec<Shift>,
}

impl Games {
    /// Plays so many games.
    ///
    /// # Errors
    ///
    /// What is wrong with a question.
    pub fn new(plan: Plan, count: u64, jobs: usize) -> Result<Games, Faults> {
        Player::new(&plan)?.try_questions()?;
        let records = played(&plan, count, jobs);
        Ok(Games { plan, records, jobs })
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.records.len() as u64
    }

    /// What they are played with.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The position at the start, as rules with other numbers read it.
    fn start(&self, variant: &Ruleset) -> Option<World> {
        let book = self.plan.books.first()?;
        let rules = book.game.rules();
        if rules.facts.iter().map(|f| f.ty).eq(variant.facts.iter().map(|f| f.ty)) {
            return Some(book.start.clone());
        }
        super::corpus::anew(rules, &book.start, &Positions::new(variant))
    }

    /// Plays the same games by a variant.
    ///
    /// # Errors
    ///
    /// The code of what it cannot read of the position or of a question.
    pub fn flips(&self, variant: Game) -> Result<GameFlips, String> {
        let start = self.start(variant.rules()).ok_or("E0802")?;
        let mine = Book { game: variant, start, leaning: None };
        let own = Plan { books: vec![mine], asked: self.plan.asked.clone(), ..self.parts() };
        let code = |faults: Faults| faults.first().map_or("", |f: &Fault| f.code).to_owned();
        Player::new(&own).and_then(|player| player.try_questions()).map_err(code)?;
        let records = played(&own, self.games(), self.jobs);
        let mut books: Vec<Book> = Vec::new();
        for book in self.plan.books.iter().chain(&own.books) {
            let (game, start) = (book.game.clone(), book.start.clone());
            books.push(Book { game, start, leaning: book.leaning.clone() });
        }
        let both = Plan { books, asked: self.plan.asked.clone(), ..self.parts() };
        let mut summing = Summing::new(both.header(1), &self.plan.asked);
        let mut found = GameFlips::default();
        for (before, after) in self.records.iter().zip(records) {
            found.flips += u64::from(before.position != after.position);
            found.faults += u64::from(after.fault.is_some());
            summing.add(&[before.clone(), Record { against: true, ..after }]);
        }
        found.shifts = shifts(summing.summary().differences.unwrap_or_default());
        Ok(found)
    }

    /// The plan without its rules and its questions.
    fn parts(&self) -> Plan {
        let Plan { policy, seed, turns, side, .. } = &self.plan;
        let (books, asked) = (Vec::new(), Vec::new());
        let (policy, seed, turns) = (policy.clone(), *seed, *turns);
        Plan { books, policy, seed, turns, asked, side: side.clone() }
    }
}

fn played(plan: &Plan, count: u64, jobs: usize) -> Vec<Record> {
    let mut all = Vec::new();
    let make = || {
        // The questions were tried before.
        let player = Player::new(plan).ok();
        move |games: Range<u64>| -> Vec<Record> {
            games.filter_map(|game| player.as_ref()?.play(game).into_iter().next()).collect()
        }
    };
    let given = side_by_side((1..count.saturating_add(1), jobs, 4), make, |records| {
        all.extend(records);
        Ok::<(), ()>(())
    });
    given.map(|()| all).unwrap_or_default()
}

/// What is asked, then what is surely more or less, the surest first.
fn shifts(means: Vec<Mean>) -> Vec<Shift> {
    let mut found: Vec<(bool, Exact, Shift)> = Vec::new();
    for Mean { of, name, mean, low, high, .. } in means {
        let width = low.as_ref().zip(high.as_ref()).map(|(low, high)| &high.0 - &low.0);
        // All games differ by the same: nothing is surer.
        let sure = match width {
            Some(width) if width.is_positive() => {
                mean.0.abs() * Exact::from_integer(2.into()) / width
            }
            Some(_) if !mean.0.is_zero() => Exact::from_integer(u64::MAX.into()),
            _ => Exact::zero(),
        };
        let asked = of == "asked";
        if asked || sure > Exact::from_integer(1.into()) {
            found.push((!asked, -sure, Shift { of, name, mean, low, high }));
        }
    }
    found.sort_by(|a, b| (a.0, &a.1, &a.2.name).cmp(&(b.0, &b.1, &b.2.name)));
    found.into_iter().map(|(.., shift)| shift).collect()
}
