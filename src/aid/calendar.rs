//! The events of a turn in the order in which they happen.
//!
//! The engine says which moments a turn has and what each brings; this folds what comes several
//! times, for each side or for each round of a part, into one, and says it in words.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use serde::Serialize;

use super::dates::{Dated, dates};
use super::words;
use crate::compare::Side as Rulebook;
use crate::engine::{Happening, agenda, ending, moments};
use crate::ir::*;
use crate::report::moment_text;
use crate::syntax::ast::{self, ItemKind};

/// A turn, from its start to its end.
#[derive(Debug, Clone, Serialize)]
pub struct Calendar {
    /// The schema of this report.
    pub schema: u32,
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// Its printed title.
    pub title: String,
    /// What the whole is called: `turn`.
    pub turn: String,
    /// Its stretches, one after the other.
    pub stretches: Vec<Stretch>,
    /// What comes on which date, where the turns are counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dates: Vec<Dated>,
}

/// Moments that belong together: the edges of the whole turn, or parts that go round together.
#[derive(Debug, Clone, Serialize)]
pub struct Stretch {
    /// The parts; none for the edges of the whole turn.
    pub parts: Vec<String>,
    /// How often all of it comes.
    pub times: u32,
    /// The sides that go through it one after the other; none where all of them do together.
    pub sides: Vec<String>,
    /// Its moments in order.
    pub moments: Vec<Passed>,
}

/// A moment, and what happens then.
#[derive(Debug, Clone, Serialize)]
pub struct Passed {
    /// The moment: `end of impulse`.
    pub moment: String,
    /// What it brings, in order.
    pub brings: Vec<Brought>,
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Brought {
    /// a mark goes away
    MarkEnds {
        /// which
        mark: String,
        /// for which things: `own armies`
        of: String,
    },
    /// a count goes back
    CountBack {
        /// which
        count: String,
        /// for which things
        of: String,
        /// to what
        to: i64,
    },
    /// what was rolled is forgotten
    RollsForgotten,
    /// the kept answer of a trace ends
    AnswerEnds {
        /// which trace
        trace: String,
        /// for which things
        of: String,
    },
    /// the clock goes on to the next turn
    NextTurn {
        /// what its turns are called
        turn: String,
        /// the last of them, behind which the game is over
        last: String,
    },
    /// a phase is run
    Phase {
        /// which
        phase: String,
        /// Whether it happens once.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        once: bool,
        /// What must hold as it begins.
        #[serde(skip_serializing_if = "Option::is_none")]
        when: Option<String>,
        /// The sides for which it is run, one after the other; of a stretch that each side goes
        /// through, the sides at whose moment it is run. None where it is run once for everybody.
        sides: Vec<String>,
        /// the clauses that it carries out
        clauses: Vec<String>,
        /// its steps in order
        steps: Vec<Deed>,
    },
}

/// One step of a phase in words.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Deed {
    /// What is done and to what: `may mark travelling for counters where ...`.
    pub does: String,
    /// The trace that is judged here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judges: Option<String>,
    /// The clauses that it carries out.
    pub clauses: Vec<String>,
}

/// The calendar of a ruleset, with the dates of a setup if one is named; without a clock it has no
/// stretches.
#[must_use]
pub fn calendar(book: Rulebook<'_>, setup: Option<SetupId>) -> Calendar {
    let rules = book.rules;
    let mut calendar = Calendar {
        schema: 1,
        ruleset: rules.name.clone(),
        hash: rules.hash.clone(),
        title: rules.title.clone(),
        turn: rules.clock.as_ref().map_or_else(String::new, |c| c.name.clone()),
        stretches: Vec::new(),
        dates: dates(rules, setup),
    };
    let Some(clock) = &rules.clock else { return calendar };
    let mut turn = moments(rules).into_iter().peekable();
    while let Some(first) = turn.peek().copied() {
        // A stretch is as many moments as follow each other in the same round, or outside of all.
        let round = round_of(clock, first);
        let mut all = Vec::new();
        while let Some(moment) = turn.next_if(|m| round_of(clock, *m) == round) {
            all.push(moment);
        }
        let round = round.and_then(|at| clock.rounds.get(at));
        calendar.stretches.push(stretch(book, clock, round, &all));
    }
    calendar
}

fn round_of(clock: &Clock, moment: Moment) -> Option<usize> {
    let part = moment.part?;
    clock.rounds.iter().position(|r| (r.first..r.first.saturating_add(r.parts)).contains(&part))
}

fn stretch(book: Rulebook<'_>, clock: &Clock, round: Option<&Round>, all: &[Moment]) -> Stretch {
    let rules = book.rules;
    // Each time is like the first.
    let times = round.map_or(1, |r| r.times.max(1));
    let once = all.get(..all.len() / times as usize).unwrap_or(all);
    let each_side = round.is_some_and(|r| r.each_side);
    let parts = round.map_or(&[][..], |r| {
        clock
            .parts
            .get(usize::from(r.first)..usize::from(r.first) + usize::from(r.parts))
            .unwrap_or_default()
    });
    // What a moment is for several sides stands together, in the order of the first side.
    let mut points: Vec<(Edge, Option<u8>, Vec<Moment>)> = Vec::new();
    for moment in once {
        match points.iter_mut().find(|(edge, part, _)| (*edge, *part) == (moment.edge, moment.part))
        {
            Some((_, _, same)) => same.push(*moment),
            None => points.push((moment.edge, moment.part, vec![*moment])),
        }
    }
    let moments = points.iter().filter_map(|(_, _, same)| {
        let (moment, _) = moment_text(rules, *same.first()?);
        Some(Passed { moment, brings: brought(book, same) })
    });
    Stretch {
        parts: parts.iter().map(|p| p.name.clone()).collect(),
        times,
        sides: if each_side {
            rules.sides.iter().map(|s| s.name.clone()).collect()
        } else {
            Vec::new()
        },
        moments: moments.collect(),
    }
}

/// What the same moment brings, to one side after the other where it is a side's.
fn brought(book: Rulebook<'_>, same: &[Moment]) -> Vec<Brought> {
    // The engine runs the phases of a moment in written order, whoever's they are.
    let mut phases: BTreeMap<PhaseId, Vec<SideId>> = BTreeMap::new();
    let mut ends: IndexSet<Brought> = IndexSet::new();
    for moment in same {
        for happening in agenda(book.rules, *moment) {
            match happening {
                Happening::Ends(moment, side) => ends.extend(ended(book.rules, moment, side)),
                Happening::Phase(phase, side) => phases.entry(phase).or_default().extend(side),
                Happening::NextTurn => ends.extend(next_turn(book.rules)),
            }
        }
    }
    let phases =
        phases.into_iter().filter_map(|(phase, sides)| phase_in_words(book, phase, &sides));
    let mut found: Vec<Brought> = Vec::new();
    let at_end = same.first().is_some_and(|m| m.edge == Edge::End);
    if at_end {
        found.extend(phases);
        found.extend(ends);
    } else {
        found.extend(ends);
        found.extend(phases);
    }
    found
}

fn next_turn(rules: &Ruleset) -> Option<Brought> {
    let clock = rules.clock.as_ref()?;
    let last = match rules.facts.get(clock.counted?.turn.index())?.ty {
        Type::Number { high, .. } => high.to_string(),
        Type::Word(set) => rules.word_sets.get(set.index())?.words.last()?.clone(),
        Type::Truth | Type::Thing { .. } => return None,
    };
    Some(Brought::NextTurn { turn: clock.name.clone(), last })
}

/// What ends by itself, in words.
fn ended(rules: &Ruleset, moment: Moment, side: Option<SideId>) -> Vec<Brought> {
    let ending = ending(rules, moment, side);
    let things = |kind: KindId, whose: Whose| {
        let plural = rules.kinds.get(kind.index()).map_or("", |k| k.plural.as_str());
        match whose {
            Whose::Owner if side.is_some() => format!("own {plural}"),
            Whose::Side(of) => format!(
                "{plural} of {}",
                rules.sides.get(of.index()).map_or("", |s| s.name.as_str())
            ),
            Whose::All | Whose::Owner => plural.to_owned(),
        }
    };
    let mut found = Vec::new();
    for (fact, whose) in ending.facts {
        let Some(fact) = rules.facts.get(fact.index()) else { continue };
        let (name, of) = (fact.name.clone(), things(fact.kind, whose));
        found.push(match fact.origin {
            FactOrigin::Count(_) => Brought::CountBack { count: name, of, to: fact.default },
            _ => Brought::MarkEnds { mark: name, of },
        });
    }
    // Where nothing is ever rolled nothing is forgotten.
    if ending.rolls && !rules.tests.is_empty() {
        found.push(Brought::RollsForgotten);
    }
    for (trace, whose) in ending.traces {
        if let Some(trace) = rules.traces.get(trace.index()) {
            found.push(Brought::AnswerEnds {
                trace: trace.name.clone(),
                of: things(trace.of, whose),
            });
        }
    }
    found
}

fn phase_in_words(book: Rulebook<'_>, id: PhaseId, sides: &[SideId]) -> Option<Brought> {
    let rules = book.rules;
    let phase = rules.phases.get(id.index())?;
    let written = written(book, &phase.name);
    let steps = phase.steps.iter().enumerate().map(|(at, step)| {
        let does = written
            .and_then(|w| w.steps.get(at))
            .map(|s| words::tidy(&words::step(book.sources, s)));
        let judges = match step.effect {
            Effect::Judge(trace) => rules.traces.get(trace.index()).map(|t| t.name.clone()),
            _ => None,
        };
        Deed { does: does.unwrap_or_default(), judges, clauses: words::clauses(rules, step.line) }
    });
    Some(Brought::Phase {
        phase: phase.name.clone(),
        once: phase.once.is_some(),
        when: written
            .and_then(|w| w.when.as_ref())
            .map(|when| words::tidy(&words::open(book.sources, when.span))),
        sides: sides
            .iter()
            .filter_map(|s| rules.sides.get(s.index()))
            .map(|s| s.name.clone())
            .collect(),
        clauses: words::clauses(rules, phase.line),
        steps: steps.collect(),
    })
}

/// A phase as it was written.
pub(super) fn written<'a>(book: Rulebook<'a>, name: &str) -> Option<&'a ast::Phase> {
    book.resolved.items.iter().find_map(|item| match &item.item.kind {
        ItemKind::Phase(phase) if phase.name.text == name => Some(phase),
        _ => None,
    })
}
