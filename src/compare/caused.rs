//! By which change an answer is another: what decided it before and now, and the changes that stand
//! in the evidence or are read.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::answers::{Answer, Asked as Asks, Decided, Question, decided, word};
use super::diff::{Change, Kind};
use super::impact::Flip;
use super::rested::{self, Own, Rests, Rows};
use super::suspects::{Named, Suspects};
use super::through::trace_called;
use crate::ir::{SideId, TraceId};
use crate::kernel::{Ground, Position};
use crate::report::thing_name;
use crate::world::ThingRef;

/// What made an answer another.
#[derive(Debug, Clone, Default)]
pub(super) struct Cause {
    /// The changes in its evidence, or those that it reads itself.
    pub own: Vec<String>,
    /// Whether it may be made so by what stands otherwise on the map and in the setup too.
    pub of_places: bool,
    /// The answers of traces on which it rests, and which are others too.
    pub turned: Vec<Turned>,
    /// Whether it is the same wherever the answer is worked out of the same values.
    pub of_inputs: bool,
}

/// The answer of a trace that is another: the trace under both rulesets, the thing, and who asks
/// where that makes a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Turned {
    pub trace: (TraceId, TraceId),
    pub thing: ThingRef,
    pub side: Option<SideId>,
}

/// A position and the answer to it.
type Asked<'a, 'p> = (&'a Position<'p>, Option<&'a Answer>);

impl Suspects<'_> {
    /// An answer that is not the same, with what decided it before and now, and what made it so.
    pub(super) fn flip(
        &self,
        (place, question): (&str, &Question),
        (before, old): Asked<'_, '_>,
        (after, new): Asked<'_, '_>,
        rests: &dyn Rests,
    ) -> (Flip, Cause) {
        let why = |position: &Position<'_>, answer: Option<&Answer>| {
            answer.map(|a| decided(position, a)).unwrap_or_default()
        };
        let (decided_before, decided_now) = (why(before, old), why(after, new));
        let asked = [(before, old), (after, new)];
        let cause = self.cause(question, &[&decided_before, &decided_now], asked, rests);
        let flip = Flip {
            position: place.to_owned(),
            of: question.of.clone(),
            question: format!("{} {}", question.noun, question.name),
            was: old.map(|a| a.said.clone()),
            now: new.map(|a| a.said.clone()),
            by: self.by((place, question), &cause, [before, after], rests),
            decided_before: decided_before.words,
            decided_now: decided_now.words,
        };
        (flip, cause)
    }

    /// The changes by which an answer is another; where none is known, all that it reads.
    pub(super) fn by(
        &self,
        (place, question): (&str, &Question),
        cause: &Cause,
        positions: [&Position<'_>; 2],
        rests: &dyn Rests,
    ) -> Vec<String> {
        let mut found: IndexSet<String> = cause.own.iter().cloned().collect();
        for turned in &cause.turned {
            let work = || self.of_turned(place, turned, positions, rests);
            found.extend(rests.by_trace(turned, &work));
        }
        if found.is_empty() {
            let read = self.read(&self.reached(&question.name));
            found = read.iter().flat_map(|change| parts_told(change, &|_, _| true)).collect();
        } else if !cause.of_places {
            return found.into_iter().collect();
        }
        found.extend(self.of_places(place, &question.of, positions));
        found.into_iter().collect()
    }

    /// The changes by which the answer of a trace is another.
    fn of_turned(
        &self,
        place: &str,
        turned: &Turned,
        [before, after]: [&Position<'_>; 2],
        rests: &dyn Rests,
    ) -> Vec<String> {
        let answer =
            |position, trace| Answer::of(position, Asks::Trace(trace), turned.thing, turned.side);
        let name = before.rules.traces.get(turned.trace.0.index()).map(|trace| trace.name.clone());
        let of = thing_name(before.rules, before.world, turned.thing);
        let question = Question { noun: "trace", name: name.unwrap_or_default(), of };
        let (was, now) = (answer(before, turned.trace.0), answer(after, turned.trace.1));
        self.flip((place, &question), (before, Some(&was)), (after, Some(&now)), rests).0.by
    }

    fn cause(
        &self,
        question: &Question,
        evidence: &[&Decided],
        asked: [Asked<'_, '_>; 2],
        rests: &dyn Rests,
    ) -> Cause {
        let own = self.in_evidence(evidence);
        if let [(before, Some(was)), (after, Some(now))] = asked {
            let both = [(before, was), (after, now)];
            let of_line = || self.of_line(question, both, rests);
            if let Some(cause) = self.of_values(question, &own, both, rests).or_else(of_line) {
                return cause;
            }
        }
        if !own.is_empty() {
            return Cause { own, of_inputs: true, ..Cause::default() };
        }
        let read = self.read(&self.reached(&question.name));
        let asked = asked.into_iter().enumerate();
        let rows = || asked.filter_map(|(which, (_, answer))| rests.rows(which, answer?));
        let (own, of_places) = resting(&read, || rows().collect());
        Cause { own, of_places, ..Cause::default() }
    }

    /// What made the answer of a table or a test another: what stands in its evidence, else what it
    /// reads itself, and answers of traces that are others. None where it reads more of a trace than
    /// its answer.
    fn of_values(
        &self,
        question: &Question,
        in_evidence: &[String],
        asked: [(&Position<'_>, &Answer); 2],
        rests: &dyn Rests,
    ) -> Option<Cause> {
        let [(before, was), (after, now)] = asked;
        if question.noun == "trace" || !rests.by_answers([was.asked, now.asked]) {
            return None;
        }
        let own = [rests.own(0, was)?, rests.own(1, now)?];
        let mut turned: Vec<Turned> = Vec::new();
        for (which, ground) in own
            .iter()
            .enumerate()
            .flat_map(|(which, own)| own.traces.iter().map(move |g| (which, g)))
        {
            let found = turned_by([before, after], which, *ground)?;
            turned.extend(found.filter(|found| !turned.contains(found)));
        }
        let mut read = self.read(&self.reached_apart(&question.name));
        // A named value that no row asks for which holds on either side made no difference.
        read.retain(|change| {
            !["define", "pair", "hook", "table"].contains(&change.noun.as_str())
                || own.iter().any(|own| own.names.contains(&change.name))
        });
        let (more, of_places) = resting(&read, || rows_of(own));
        let own: IndexSet<String> = in_evidence.iter().cloned().chain(more).collect();
        let own: Vec<String> = own.into_iter().collect();
        let of_places = of_places && in_evidence.is_empty() && !own.is_empty();
        let known = !own.is_empty() || !turned.is_empty();
        known.then_some(Cause { own, of_places, turned, of_inputs: true })
    }

    /// The changes that stand in the evidence.
    fn in_evidence(&self, evidence: &[&Decided]) -> Vec<String> {
        let parts = || evidence.iter().flat_map(|d| &d.parts);
        let mut found: Vec<String> = Vec::new();
        for (change, named) in self.changes.iter().zip(&self.parts) {
            let is_row = |decided: &str| decided.strip_prefix("row ") == Some(change.name.as_str());
            if change.noun == "exception" && parts().any(|(_, _, decided)| is_row(decided)) {
                found.push(told(change, None));
            }
            for Named { part, gate, head } in named {
                let hit = parts().any(|(noun, name, decided)| {
                    let decided = decided.as_str();
                    *noun == change.noun
                        && *name == change.name
                        && (*gate == Some(decided) || *head == decided)
                });
                if hit {
                    found.push(told(change, Some(part)));
                }
            }
        }
        found
    }

    /// The changes of what is read by these names.
    pub(super) fn read(&self, names: &BTreeSet<String>) -> Vec<&Change> {
        let read = |c: &&Change| {
            let is_place = ["clause", "map", "setup"].contains(&c.noun.as_str());
            !is_place && names.contains(c.name.as_str())
        };
        self.changes.iter().filter(read).collect()
    }

    /// What stands otherwise on the map and in the setup that were asked; of the setup what it
    /// says of the thing itself, if it says that otherwise.
    fn of_places(&self, place: &str, of: &str, asked: [&Position<'_>; 2]) -> Vec<String> {
        let here = |c: &&Change| match c.noun.as_str() {
            "map" => asked.iter().any(|position| position.map.name == c.name),
            "setup" => place.strip_prefix("setup ") == Some(c.name.as_str()),
            _ => false,
        };
        let itself = [format!("unit {of}"), format!("space {of}")];
        let all: Vec<&Change> = self.changes.iter().filter(here).collect();
        let own = |part: &str| itself.iter().any(|name| name == part);
        let told_own = all.iter().any(|c| c.parts.iter().any(|p| own(&p.part)));
        let bears = |_: &Change, part: &str| !told_own || own(part);
        all.iter().flat_map(|change| parts_told(change, &bears)).collect()
    }
}

/// The changes that are read, in words, but for rows on which neither answer rests: those have not
/// made the difference. Where none of them is of rows, what stands otherwise may have made it too.
pub(super) fn resting(read: &[&Change], rows: impl FnOnce() -> Vec<Rows>) -> (Vec<String>, bool) {
    let all = |bears: &dyn Fn(&Change, &str) -> bool| -> Vec<String> {
        read.iter().flat_map(|change| parts_told(change, bears)).collect()
    };
    if !read.iter().any(|c| c.parts.iter().any(|p| rested::is_row(&p.part))) {
        return (all(&|_, _| true), true);
    }
    let rows = rows();
    let rest = all(&|change: &Change, part: &str| {
        let part = part.split(", holds").next().unwrap_or_default();
        let of = (change.name.clone(), part.to_owned());
        !rested::is_row(part) || rows.iter().any(|rows| rows.contains(&of))
    });
    (rest, false)
}

/// The rows on which two answers rest. Where they are others, the row behind the one that decided
/// may have been one of them, had it not been changed.
fn rows_of([was, now]: [Own; 2]) -> Vec<Rows> {
    let others = was.rows != now.rows;
    let all = [(was.rows, true), (now.rows, true), (was.next, others), (now.next, others)];
    all.into_iter().filter(|(_, told)| *told).map(|(rows, _)| rows).collect()
}

/// Whether the answer of a trace on which something rests is another under the other ruleset: that
/// answer if it is; none where it cannot be said.
fn turned_by(
    [before, after]: [&Position<'_>; 2],
    which: usize,
    (trace, thing, side): Ground,
) -> Option<Option<Turned>> {
    let of = if which == 0 { before } else { after };
    let name = &of.rules.traces.get(trace.index())?.name;
    let (a, b) = (trace_called(before.rules, name)?, trace_called(after.rules, name)?);
    // The side of a unit asks about its line, whoever reads the answer.
    let owned = before.viewer_of(thing).is_some() && after.viewer_of(thing).is_some();
    let side = side.filter(|_| !owned);
    let said = |position: &Position<'_>, trace| {
        let yes = position.seen_by(side, || position.known(trace, thing)).ok()?;
        Some(word(position.rules, trace, yes).to_owned())
    };
    let turned = said(before, a)? != said(after, b)?;
    Some(turned.then_some(Turned { trace: (a, b), thing, side }))
}

/// A change in words, part by part, of those parts that bear on the answer.
fn parts_told(change: &Change, bears: &dyn Fn(&Change, &str) -> bool) -> Vec<String> {
    let parts: Vec<&str> =
        change.parts.iter().map(|p| p.part.as_str()).filter(|p| *p != "clauses").collect();
    match (change.what, parts.as_slice()) {
        (Kind::Changed, parts) => {
            parts.iter().filter(|p| bears(change, p)).map(|p| told(change, Some(p))).collect()
        }
        _ => vec![told(change, None)],
    }
}

pub(super) fn told(change: &Change, part: Option<&str>) -> String {
    match (change.what, part) {
        (Kind::Removed, _) => format!("{} {} removed", change.noun, change.name),
        (Kind::Added, _) => format!("{} {} added", change.noun, change.name),
        (Kind::Changed, Some("value" | "said" | "reading") | None) => {
            format!("{} {}", change.noun, change.name)
        }
        (Kind::Changed, Some(part)) if ["map", "setup"].contains(&change.noun.as_str()) => {
            format!("{part} of {} {}", change.noun, change.name)
        }
        (Kind::Changed, Some(part)) => format!("{part} of {}", change.name),
    }
}
