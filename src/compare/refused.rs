//! By which change a trace has lost or won its line: the rules that refuse under one ruleset the line
//! which is there under the other.

use indexmap::IndexSet;

use super::answers::{Answer, Asked as Asks, Question};
use super::caused::{Cause, resting, told};
use super::diff::{Change, Kind};
use super::rested::Rests;
use super::suspects::Suspects;
use crate::kernel::{Line, Position, Refusal};

impl Suspects<'_> {
    /// What made the answer of a trace another: the rules that do not let the line through which is
    /// there under the other ruleset.
    pub(super) fn of_line(
        &self,
        question: &Question,
        asked: [(&Position<'_>, &Answer); 2],
        rests: &dyn Rests,
    ) -> Option<Cause> {
        let [(before, was), (after, now)] = asked;
        let (Asks::Trace(a), Asks::Trace(b)) = (was.asked, now.asked) else { return None };
        if !rests.same_things() {
            return None;
        }
        let thing = was.thing;
        let yes = |position: &Position<'_>, trace| {
            position.seen_by(was.viewer, || position.known(trace, thing)).ok()
        };
        let [(of, first), (other, trace)] = match (yes(before, a)?, yes(after, b)?) {
            (true, false) => [(before, a), (after, b)],
            (false, true) => [(after, b), (before, a)],
            _ => return None,
        };
        let line = of.seen_by(was.viewer, || of.found_line(first, thing)).ok()??;
        let refused = other.seen_by(was.viewer, || other.refused(trace, thing, &line)).ok()?;
        let read = self.read(&self.reached(&question.name));
        let is_own = |change: &&&Change| change.noun == "trace" && change.name == question.name;
        let changed: Vec<&Change> = read.iter().filter(is_own).copied().collect();
        let is_whole = |change: &&Change| change.what != Kind::Changed;
        if changed.iter().any(is_whole) {
            return None;
        }
        let parts = || changed.iter().flat_map(|c| c.parts.iter().map(move |part| (*c, part)));
        let (mut own, mut all_told) = (IndexSet::new(), true);
        for refusal in &refused {
            let hits = parts().filter(|(_, part)| is_part(refusal, &line, &part.part));
            let told: Vec<String> = hits.map(|(change, p)| told(change, Some(&p.part))).collect();
            all_told &= !told.is_empty();
            own.extend(told);
        }
        // A rule that says the same reads what says something else.
        if !all_told {
            let others: Vec<&Change> = read.into_iter().filter(|c| !is_own(&c)).collect();
            let answers = [was, now].into_iter().enumerate();
            let rows = || answers.filter_map(|(which, answer)| rests.rows(which, answer)).collect();
            own.extend(resting(&others, rows).0);
        }
        let own: Vec<String> = own.into_iter().collect();
        (!own.is_empty()).then_some(Cause { own, of_places: !all_told, ..Cause::default() })
    }
}

/// Whether a part of a trace is the rule that does not let a line through.
fn is_part(refusal: &Refusal, line: &Line, part: &str) -> bool {
    let of = |words: &[&str], leg: &str| {
        part.strip_suffix(leg).and_then(|rest| rest.strip_suffix(" of ")).is_some_and(|rest| {
            words.iter().any(|word| {
                rest.strip_prefix(word).is_some_and(|more| more.is_empty() || *word == "over")
            })
        })
    };
    match refusal {
        Refusal::Leg(leg) => part.strip_prefix("leg ") == Some(leg),
        Refusal::From(leg) => of(&["from", "only"], leg),
        Refusal::Through(leg) => of(&["through"], leg),
        Refusal::Into(leg) => of(&["into"], leg),
        Refusal::Stopping(leg) => of(&["stopping in"], leg),
        Refusal::Step(leg) => of(&["cost", "over"], leg),
        Refusal::Within(leg) => of(&["within", "cost"], leg),
        Refusal::Relay => part.starts_with("relay "),
        Refusal::Source => part.strip_prefix("source ") == Some(&line.source),
    }
}
