//! One game after the other, with what is kept between them.

use serde_json::{Value as Json, json};

use super::count::{control, units};
use super::values::counted;
use super::{Book, Counts, Ended, Plan, Record, Spells, Why, game_seed};
use crate::engine::{Dice, Event, Ground, Order, Orders, Watch, is_over, play_on};
use crate::facade::{Faults, Position, Question};
use crate::ir::{Moment, Ruleset};
use crate::log;
use crate::report::run_fault_diagnostic;
use crate::world::World;

/// Plays games of a plan, one after the other.
pub struct Player<'p> {
    plan: &'p Plan,
    tables: Vec<Table<'p>>,
}

/// A book with what is kept for its games.
struct Table<'p> {
    book: &'p Book,
    ground: Ground<'p>,
    questions: Vec<Question>,
}

/// Counts what happens.
struct Counting<'r> {
    rules: &'r Ruleset,
    turn: u32,
    counts: Counts,
    spells: Spells,
}

impl Watch for Counting<'_> {
    fn happened(&mut self, _: Moment, event: Event) {
        self.counts.add(self.rules, &event);
        self.spells.add(self.rules, self.turn, &event);
    }
}

impl<'p> Player<'p> {
    /// A player of a plan.
    ///
    /// # Errors
    ///
    /// What is wrong with the kinds that are asked about.
    pub fn new(plan: &'p Plan) -> Result<Player<'p>, Faults> {
        let table = |book: &'p Book| {
            let question =
                |asked: &super::Asked| book.game.question(asked.of.as_deref(), &asked.question);
            let questions = plan.asked.iter().map(question).collect::<Result<_, Faults>>()?;
            Ok(Table { book, ground: Ground::new(book.game.rules()), questions })
        };
        Ok(Player { plan, tables: plan.books.iter().map(table).collect::<Result<_, Faults>>()? })
    }

    /// Asks the questions of the positions at the start, so that what is wrong with them is said
    /// before anything is played.
    ///
    /// # Errors
    ///
    /// What is wrong with a question.
    pub fn try_questions(&self) -> Result<(), Faults> {
        for table in &self.tables {
            let position = asking(self.plan, table.book, &table.book.start)?;
            table.questions.iter().try_for_each(|question| question.of(&position).map(|_| ()))?;
        }
        Ok(())
    }

    /// The game of a number, by each of the rules.
    #[must_use]
    pub fn play(&self, game: u64) -> Vec<Record> {
        let record = |(at, table): (usize, &Table<'p>)| self.one(table, game, at > 0);
        self.tables.iter().enumerate().map(record).collect()
    }

    fn one(&self, table: &Table<'p>, game: u64, against: bool) -> Record {
        let rules = table.ground.rules();
        let seed = game_seed(self.plan.seed, game);
        let (mut dice, mut orders) =
            (Dice::seeded(seed), self.plan.policy.orders(table.book, seed));
        let mut world = table.book.start.clone();
        let (counts, spells) = (Counts::default(), Spells::default());
        let mut counting = Counting { rules, turn: 0, counts, spells };
        let (mut turns, mut ended, mut fault) = (0, Ended::Played, None);
        for turn in 1..=self.plan.turns {
            if is_over(rules, &world) {
                ended = Ended::Over;
                break;
            }
            counting.turn = turn;
            match play_on(&table.ground, &mut world, &mut dice, &mut orders, &mut counting) {
                Ok(true) => turns = turn,
                Ok(false) => ended = Ended::Open,
                Err(found) => {
                    let found = run_fault_diagnostic(rules, found);
                    let code = found.code.as_str().to_owned();
                    (ended, fault) = (Ended::Fault, Some(Why { code, message: found.message }));
                }
            }
            counting.spells.turn_over(rules, &world, turn);
            // What was drawn is of use to whoever plays the game again.
            drop(orders.take_drawn());
            if ended != Ended::Played {
                break;
            }
        }
        Record {
            game,
            against,
            seed,
            turns,
            ended,
            fault,
            events: counting.counts.named(rules, &world),
            control: control(rules, &world),
            units: units(rules, &world),
            lasted: counting.spells.named(rules, &world),
            asked: self.asked(table, &world),
            position: log::end(rules, &world, turns).position,
        }
    }

    /// What is asked at the end of a game.
    fn asked(&self, table: &Table<'p>, world: &World) -> Vec<Json> {
        if table.questions.is_empty() {
            return Vec::new();
        }
        let position = match asking(self.plan, table.book, world) {
            Ok(position) => position,
            Err(faults) => return vec![unanswered(&faults); table.questions.len()],
        };
        let answer = |question: &Question| match question.of(&position) {
            Ok(report) => counted(&report),
            Err(faults) => unanswered(&faults),
        };
        table.questions.iter().map(answer).collect()
    }

    /// The orders of a game by the first rules, each with its turn.
    #[must_use]
    pub fn orders(&self, game: u64) -> Vec<(u32, Order)> {
        let mut given = Vec::new();
        let Some(table) = self.tables.first() else { return given };
        let seed = game_seed(self.plan.seed, game);
        let (mut dice, mut orders) =
            (Dice::seeded(seed), self.plan.policy.orders(table.book, seed));
        let mut world = table.book.start.clone();
        for turn in 1..=self.plan.turns {
            let whole = turn_of(&table.ground, &mut world, &mut dice, &mut orders);
            given.extend(orders.take_drawn().into_iter().map(|order| (turn, order)));
            if !whole {
                break;
            }
        }
        given
    }
}

/// Plays a turn that nobody looks at; whether it came to its end.
fn turn_of(ground: &Ground<'_>, world: &mut World, dice: &mut Dice, orders: &mut Orders) -> bool {
    let mut events: Vec<(Moment, Event)> = Vec::new();
    matches!(play_on(ground, world, dice, orders, &mut events), Ok(true))
}

/// A position of a game as the side sees it that asks.
fn asking(plan: &Plan, book: &Book, world: &World) -> Result<Position, Faults> {
    let mut position = Position::new(book.game.clone(), world.clone());
    if let Some(name) = &plan.side {
        let side = book.game.side(name)?;
        position.set_viewer(Some(side))?;
    }
    Ok(position)
}

fn unanswered(faults: &Faults) -> Json {
    let fault = faults.first();
    let (code, message) = fault.map_or(("", ""), |f| (f.code, f.message.as_str()));
    json!({ "error": { "code": code, "message": message } })
}
