//! What a change of the rules does: whose answers flip, in which position, by which change.

use serde::Serialize;

use super::answers::{Question, answers};
use super::diff::Compared;
use super::rested::Alone;
use super::suspects::Suspects;
use crate::ir::Ruleset;
use crate::kernel::Position;
use crate::world::World;

/// What a change of the rules does.
#[derive(Debug, Clone, Serialize)]
pub struct Impact {
    /// The schema of this report.
    pub schema: u32,
    /// The rules before.
    pub a: Compared,
    /// The rules after.
    pub b: Compared,
    /// The positions that were asked, each with how many answers were compared.
    pub positions: Vec<Asked>,
    /// The answers that are not the same.
    pub flips: Vec<Flip>,
    /// The cases that come out otherwise, if they were run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<CaseFlips>,
}

/// One position that was asked.
#[derive(Debug, Clone, Serialize)]
pub struct Asked {
    /// `setup opening`, `positions.jsonl:3`.
    pub position: String,
    /// How many answers were compared.
    pub answers: usize,
    /// How many of them are not the same.
    pub flips: usize,
}

/// An answer that is not the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Flip {
    /// The position.
    pub position: String,
    /// The unit, or the world.
    pub of: String,
    /// What was asked: `trace supply`.
    pub question: String,
    /// The answer before; none where it was not asked, for the unit or the rule was not there.
    pub was: Option<String>,
    /// The answer after.
    pub now: Option<String>,
    /// What decided before: a gate and where, a source, a row.
    pub decided_before: String,
    /// What decides now.
    pub decided_now: String,
    /// The changes that stand in the evidence, else those that the question reads, but for rows on
    /// which neither answer rests. A table or a test reads of traces their answers: by which changes
    /// these are others is said where they are.
    pub by: Vec<String>,
}

/// The cases of the first ruleset that come out otherwise under the second.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CaseFlips {
    /// How many cases were run under both.
    pub run: usize,
    /// Those that come out otherwise.
    pub flips: Vec<CaseFlip>,
    /// Those that the second ruleset does not understand, with the first fault in them.
    pub refused: Vec<(String, String)>,
}

/// A case that comes out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseFlip {
    /// Its title.
    pub case: String,
    /// Where it is written.
    pub place: String,
    /// Whether it passed before.
    pub passed: bool,
    /// Whether it passes now.
    pub passes: bool,
    /// What is not as expected, before or now.
    pub because: String,
}

/// Compares all answers that two rulesets give to one position, each asked by itself; none where
/// either has no map for it. [`super::Comparing`] asks less, and must find the same.
#[must_use]
pub fn flips(
    a: (&Ruleset, &World),
    b: (&Ruleset, &World),
    place: &str,
    suspects: &Suspects<'_>,
) -> Option<(Asked, Vec<Flip>)> {
    let (before, after) = (Position::new(a.0, a.1)?, Position::new(b.0, b.1)?);
    Some(all_flips(&before, &after, place, suspects))
}

pub(super) fn all_flips(
    before: &Position<'_>,
    after: &Position<'_>,
    place: &str,
    suspects: &Suspects<'_>,
) -> (Asked, Vec<Flip>) {
    let (was, now) = (answers(before), answers(after));
    let mut questions: Vec<&Question> = was.keys().collect();
    questions.extend(now.keys().filter(|q| !was.contains_key(*q)));
    let mut found = Vec::new();
    let alone = Alone([before, after]);
    for question in &questions {
        let (old, new) = (was.get(*question), now.get(*question));
        if old.map(|a| &a.said) != new.map(|a| &a.said) {
            found.push(suspects.flip((place, question), (before, old), (after, new), &alone).0);
        }
    }
    (Asked { position: place.to_owned(), answers: questions.len(), flips: found.len() }, found)
}
