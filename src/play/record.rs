//! What is kept of a game: a line of a stream.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::Lasted;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// all its turns were played
    Played,
    /// the game was over before
    Over,
    /// something had to be done, and nobody said in which way
    Open,
    /// something could not be worked out
    Fault,
}

impl Ended {
    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Ended::Played => "played",
            Ended::Over => "over",
            Ended::Open => "open",
            Ended::Fault => "fault",
        }
    }
}

/// What stopped a game, or what a question could not be answered for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// The code of the diagnostic.
    pub code: String,
    /// What it says.
    pub message: String,
}

/// What is kept of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its number, from 1.
    pub game: u64,
    /// Whether it was played by the other rules.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub against: bool,
    /// The seed of its dice.
    pub seed: u64,
    /// How many turns were played to their end.
    pub turns: u32,
    /// How it ended.
    pub ended: Ended,
    /// What stopped it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Why>,
    /// How often what happened, by phase.
    pub events: BTreeMap<String, u64>,
    /// How many spaces each side controls at the end.
    pub control: BTreeMap<String, u64>,
    /// How many units each side has left.
    pub units: BTreeMap<String, u64>,
    /// How long facts lasted that came and went.
    pub lasted: BTreeMap<String, Lasted>,
    /// What was asked at the end, in the order of the questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Json>,
    /// A hash of the position at the end.
    pub position: String,
}

impl Record {
    /// The record as a line, with its line end.
    #[must_use]
    pub fn line(&self) -> String {
        // Plain records of strings and numbers always serialise.
        crate::diag::clean::json(&serde_json::to_string(self).unwrap_or_default()) + "\n"
    }
}
