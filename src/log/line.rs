//! One line of a log: an event with the names of its ruleset.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Given, LOG_SCHEMA};
use crate::engine::{Event, What};
use crate::ir::*;
use crate::report::{fact_text, moment_text, thing_name, ways_text};
use crate::world::{ThingRef, World};

/// The first line: all that a run began with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Begin {
    /// Always [`LOG_SCHEMA`].
    pub schema: u32,
    /// The name of the ruleset.
    pub ruleset: String,
    /// The hash of its rules.
    pub hash: String,
    /// How many turns were asked for.
    pub turns: u32,
    /// The seed of the dice; none where a list was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether the first lawful way was taken where nobody had said which.
    pub first_way: bool,
    /// The position, as positions are written.
    pub position: serde_json::Value,
}

/// The last line of a run that came to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// How many turns were played.
    pub ended: u32,
    /// A hash of the position as it is written.
    pub position: String,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The turn, from 1 in this run.
    pub turn: u32,
    /// The turn as the game counts it, where its clock says by what: `spring_1756`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The moment: `end of impulse`.
    pub moment: String,
    /// Whose moment, if it is a side's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The phase.
    pub phase: String,
    /// To what it happened.
    pub thing: String,
    /// What happened.
    #[serde(flatten)]
    pub what: Happened,
    /// The order that was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Given>,
    /// The clauses of the line of the rules that did it.
    pub clauses: Vec<String>,
}

/// What happened, in the words of the ruleset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Happened {
    /// a trace was judged
    Judged {
        /// which
        trace: String,
        /// its answer
        answer: String,
    },
    /// a test was rolled
    Rolled {
        /// which
        test: String,
        /// what the dice showed
        dice: Vec<u32>,
        /// what came of it
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Option<String>,
    },
    /// the tests of a list were rolled
    Listed {
        /// which list
        list: String,
        /// the row at which it stopped
        #[serde(skip_serializing_if = "Option::is_none")]
        stop: Option<String>,
    },
    /// a fact was changed
    Changed {
        /// which
        fact: String,
        /// whose
        of: String,
        /// what it was
        from: String,
        /// what it is
        to: String,
    },
    /// two sides stand otherwise to each other
    Related {
        /// one side
        of: String,
        /// the other
        with: String,
        /// how they stood: `neutral_to`
        from: String,
        /// how they stand: `enemy_of`
        to: String,
    },
    /// a unit was laid anew on its table
    Laid {
        /// how
        how: String,
        /// where it lay
        from: String,
        /// where it lies
        to: String,
    },
    /// a unit could not be laid anew, and lies where it lay
    NotLaid {
        /// how it would have been
        how: String,
        /// why not
        why: String,
    },
    /// a unit left the game
    Removed,
    /// something must be done, and nobody has said in which way
    Open {
        /// what
        must: String,
    },
}

/// The first line of a log.
#[must_use]
pub fn begin(
    rules: &Ruleset,
    world: &World,
    turns: u32,
    seed: Option<u64>,
    first_way: bool,
) -> Begin {
    let position =
        serde_json::from_str(&crate::world::json::write(rules, world)).unwrap_or_default();
    Begin {
        schema: LOG_SCHEMA,
        ruleset: rules.name.clone(),
        hash: rules.hash.clone(),
        turns,
        seed,
        first_way,
        position,
    }
}

/// The last line of a log.
#[must_use]
pub fn end(rules: &Ruleset, world: &World, turns: u32) -> End {
    End { ended: turns, position: digest(crate::world::json::write(rules, world).as_bytes()) }
}

/// A hash of bytes, in 32 hexadecimal digits.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(16).map(|b| format!("{b:02x}")).collect()
}

/// The turn of a position as the game counts it, where its clock says by what.
#[must_use]
pub fn date(rules: &Ruleset, world: &World) -> Option<String> {
    let turn = rules.clock.as_ref()?.counted?.turn;
    let value = world.fact(rules.facts.get(turn.index())?, ThingRef::World);
    Some(fact_text(rules, world, turn, value))
}

/// The line of an event; `world` is any position of the run, for names do not change.
#[must_use]
pub fn line(rules: &Ruleset, world: &World, turn: u32, moment: Moment, event: &Event) -> Line {
    let name = |thing| thing_name(rules, world, thing);
    let what = match &event.what {
        What::Judged(trace, yes) => {
            let trace = rules.traces.get(trace.index());
            let words = trace
                .and_then(|t| rules.word_sets.get(t.answers.index()))
                .map_or(&[][..], |s| &s.words);
            let answer = words.get(usize::from(!yes)).cloned().unwrap_or_default();
            Happened::Judged { trace: trace.map_or_else(String::new, |t| t.name.clone()), answer }
        }
        What::Rolled { test, dice, outcome } => {
            let test = rules.tests.get(test.index());
            let words = test
                .and_then(|t| rules.word_sets.get(t.outcomes.index()))
                .map_or(&[][..], |s| &s.words);
            let outcome = outcome.and_then(|o| words.get(usize::from(o))).cloned();
            Happened::Rolled {
                test: test.map_or_else(String::new, |t| t.name.clone()),
                dice: dice.clone(),
                outcome,
            }
        }
        What::Listed { table, stop } => {
            let table = rules.tables.get(table.index());
            let row = stop.and_then(|row| table?.rows.get(usize::from(row)));
            Happened::Listed {
                list: table.map_or_else(String::new, |t| t.name.clone()),
                stop: row.map(|r| r.name.clone()),
            }
        }
        What::Changed { fact, of, from, to } => Happened::Changed {
            fact: rules.facts.get(fact.index()).map_or_else(String::new, |f| f.name.clone()),
            of: name(*of),
            from: fact_text(rules, world, *fact, *from),
            to: fact_text(rules, world, *fact, *to),
        },
        What::Related { a, b, from, to } => Happened::Related {
            of: name(ThingRef::Side(*a)),
            with: name(ThingRef::Side(*b)),
            from: from.word().to_owned(),
            to: to.word().to_owned(),
        },
        What::Laid { how, from, to } => Happened::Laid {
            how: how.text().to_owned(),
            from: from.to_string(),
            to: to.to_string(),
        },
        What::NotLaid { how, why } => {
            Happened::NotLaid { how: how.text().to_owned(), why: why.text().to_owned() }
        }
        What::Removed => Happened::Removed,
        What::Open(ways) => Happened::Open { must: ways_text(rules, world, ways) },
    };
    let rule = rules.lines.get(event.line.index());
    let clauses = rule
        .map_or(&[][..], |l| &l.clauses)
        .iter()
        .filter_map(|c| rules.clauses.get(c.index()))
        .map(|c| c.id.clone());
    let (moment, side) = moment_text(rules, moment);
    Line {
        turn,
        date: None,
        moment,
        side,
        phase: rules.phases.get(event.phase.index()).map_or_else(String::new, |p| p.name.clone()),
        thing: name(event.thing),
        what,
        order: event.order.map(|deed| Given::of(rules, world, deed)),
        clauses: clauses.collect(),
    }
}
