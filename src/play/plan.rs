//! What every game of a run is played with.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::PLAY_SCHEMA;
use crate::engine::{Asks, Leaning, Orders, spread};
use crate::facade::Game;
use crate::log;
use crate::world::World;

/// Who decides what the rules leave to players.
#[derive(Debug, Clone)]
pub enum Policy {
    /// each offer is taken or left with equal chance, each way with equal chance
    Random,
    /// what may be done is left, and of what must be done the first way is taken
    First,
    /// as the rows of a file say, by its name and its hash
    Written(String),
    /// as a program says that is asked, by its name
    Asked(String, Asks),
}

impl Policy {
    /// As it is written.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Policy::Random => "random",
            Policy::First => "first",
            Policy::Written(name) | Policy::Asked(name, _) => name,
        }
    }

    /// The player of the game of a seed, by the rules of a book.
    #[must_use]
    pub fn orders(&self, book: &Book, seed: u64) -> Orders {
        match (self, &book.leaning) {
            (Policy::First, _) => Orders::first_way(),
            (Policy::Asked(_, asks), _) => Orders::asked(asks.clone()),
            (Policy::Written(_), Some(leaning)) => Orders::leaning(seed, Arc::clone(leaning)),
            (Policy::Random | Policy::Written(_), _) => Orders::drawn(seed),
        }
    }
}

/// A question that is asked of each game at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// In the words of the rules.
    pub question: String,
    /// Of the things of which kind; of the world, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

/// Rules, and the position from which they are played.
pub struct Book {
    /// The rules.
    pub game: Game,
    /// The position at the start.
    pub start: World,
    /// What players lean to, where a file says who decides; its expressions are among the rules.
    pub leaning: Option<Arc<Leaning>>,
}

/// What every game is played with.
pub struct Plan {
    /// The rules, and others that the same games are played by, if there are any.
    pub books: Vec<Book>,
    /// Who decides.
    pub policy: Policy,
    /// The seed of the run.
    pub seed: u64,
    /// How many turns a game has.
    pub turns: u32,
    /// What is asked at the end.
    pub asked: Vec<Asked>,
    /// The side that asks.
    pub side: Option<String>,
}

/// The seed of a game: the output of splitmix64 after as many steps from the seed of the run as the
/// number of the game, counted from 1.
#[must_use]
pub fn game_seed(seed: u64, game: u64) -> u64 {
    spread(seed, game)
}

/// The rules of a run, by their name and their hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rulebook {
    ruleset: String,
    hash: String,
    /// A hash of the position at the start.
    start: String,
}

/// The first line of a run: all that its games follow from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    schema: u32,
    #[serde(flatten)]
    rules: Rulebook,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    against: Option<Rulebook>,
    seed: u64,
    policy: String,
    turns: u32,
    from: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    side: Option<String>,
    asked: Vec<Asked>,
}

impl Plan {
    /// The first line of a run that begins with a game.
    #[must_use]
    pub fn header(&self, from: u64) -> Header {
        let mut books = self.books.iter().map(|book| Rulebook {
            ruleset: book.game.name().to_owned(),
            hash: book.game.hash().to_owned(),
            start: log::end(book.game.rules(), &book.start, 0).position,
        });
        let none =
            || Rulebook { ruleset: String::new(), hash: String::new(), start: String::new() };
        Header {
            schema: PLAY_SCHEMA,
            rules: books.next().unwrap_or_else(none),
            against: books.next(),
            seed: self.seed,
            policy: self.policy.word().to_owned(),
            turns: self.turns,
            from,
            side: self.side.clone(),
            asked: self.asked.clone(),
        }
    }
}

impl Header {
    /// What is not the same in another run: its name, what it is here, and what it is there.
    #[must_use]
    pub fn difference(&self, other: &Header) -> Option<(&'static str, String, String)> {
        let both = self.told().into_iter().zip(other.told());
        both.map(|((what, here), (_, there))| (what, here, there))
            .find(|(_, here, there)| here != there)
    }

    /// All that it says, each with what it is.
    fn told(&self) -> Vec<(&'static str, String)> {
        let asked = |asked: &Asked| match &asked.of {
            Some(of) => format!("{} of {of}", asked.question),
            None => asked.question.clone(),
        };
        let asked: Vec<String> = self.asked.iter().map(asked).collect();
        let against = |get: fn(&Rulebook) -> &String| {
            self.against.as_ref().map_or_else(String::new, |book| get(book).clone())
        };
        vec![
            ("the number of the form", self.schema.to_string()),
            ("the ruleset", self.rules.ruleset.clone()),
            ("the hash of the rules", self.rules.hash.clone()),
            ("the position at the start", self.rules.start.clone()),
            ("the ruleset against it", against(|book| &book.ruleset)),
            ("the hash of the rules against it", against(|book| &book.hash)),
            ("the position at the start against it", against(|book| &book.start)),
            ("the seed", self.seed.to_string()),
            ("the policy", self.policy.clone()),
            ("the number of turns", self.turns.to_string()),
            ("the first game", self.from.to_string()),
            ("the side that asks", self.side.clone().unwrap_or_default()),
            ("what is asked", asked.join(", ")),
        ]
    }

    /// The header as a line, with its line end.
    #[must_use]
    pub fn line(&self) -> String {
        // Plain records of strings and numbers always serialise.
        crate::diag::clean::json(&serde_json::to_string(self).unwrap_or_default()) + "\n"
    }

    /// The names of the rules, and of the other rules if there are any.
    pub(super) fn names(&self) -> (&str, Option<&str>) {
        (&self.rules.ruleset, self.against.as_ref().map(|book| book.ruleset.as_str()))
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn turns(&self) -> u32 {
        self.turns
    }

    pub(super) fn policy(&self) -> &str {
        &self.policy
    }

    /// How many records a game has: one by each of the rules.
    #[must_use]
    pub fn records(&self) -> usize {
        1 + usize::from(self.against.is_some())
    }
}
