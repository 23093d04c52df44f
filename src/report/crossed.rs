//! Which crossings keep a unit from a line, or from a shorter one, in words.

use serde::Serialize;

use super::thing_name;
use crate::ir::*;
use crate::kernel::{Answer, EvalFault, Position};
use crate::world::ThingRef;

/// Crossings that keep a unit from a line, or from a shorter one: one alone, or several together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Crossed {
    /// Where they are.
    pub at: Vec<CrossedAt>,
    /// In words: `the roads at Viaduct cross and do not meet`, and what a junction would change.
    pub says: String,
    /// The answer if the links met there.
    pub state: String,
    /// How long the line would be.
    pub length: Option<u32>,
}

/// One crossing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CrossedAt {
    /// The kind of the links that cross.
    pub kind: String,
    /// The space.
    pub space: String,
}

/// The crossings that a line goes straight on over.
pub(super) fn gone_over(position: &Position<'_>, trace: TraceId, line: &[u32]) -> Vec<CrossedAt> {
    let crossings = position.gone_over(trace, line);
    let at = |at: usize| {
        let crossing = position.map.crossings.get(at)?;
        let kind = position.rules.kinds.get(crossing.kind.index())?.name.clone();
        let space = thing_name(position.rules, position.world, ThingRef::Space(crossing.space));
        Some(CrossedAt { kind, space })
    };
    crossings.into_iter().filter_map(at).collect()
}

/// The crossings that keep a thing from a line, or from a shorter one.
pub(super) fn crossed(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
    answer: &Answer,
) -> Result<Vec<Crossed>, EvalFault> {
    let rules = position.rules;
    let rule = &rules.traces[trace.index()];
    let words = rules.word_sets.get(rule.answers.index()).map_or(&[][..], |set| &set.words);
    let yes = words.first().cloned().unwrap_or_default();
    let mut found = Vec::new();
    for row in position.crossed(trace, thing, answer)? {
        let (mut at, mut said): (_, Vec<String>) = (Vec::new(), Vec::new());
        for crossing in row.crossings.iter().filter_map(|at| position.map.crossings.get(*at)) {
            let Some(kind) = rules.kinds.get(crossing.kind.index()) else { continue };
            let space = thing_name(rules, position.world, ThingRef::Space(crossing.space));
            said.push(format!("the {} at {space}", kind.plural));
            at.push(CrossedAt { kind: kind.name.clone(), space });
        }
        let junction = if at.len() == 1 { "a junction" } else { "junctions" };
        let would = match (answer.yes, row.answer.length) {
            (true, Some(length)) => format!("its line would be {}", long(rules, rule, length)),
            _ => format!("it would be {yes}"),
        };
        found.push(Crossed {
            at,
            says: format!(
                "{} cross and do not meet; with {junction} there {would}",
                said.join(" and ")
            ),
            state: yes.clone(),
            length: row.answer.length,
        });
    }
    Ok(found)
}

/// How long a line is, in its measure.
fn long(rules: &Ruleset, rule: &Trace, length: u32) -> String {
    let dimension = rule.length.and_then(|d| rules.dimensions.get(d.index()));
    dimension
        .map_or_else(|| format!("{length} long"), |d| format!("{length} {} long", d.behind(length)))
}
