//! By which change an answer is another: what decided it before and now, and the changes that stand
//! in the evidence or are read.

use super::answers::{Answer, Decided, Question, decided};
use super::diff::{Change, Kind};
use super::impact::Flip;
use super::rested::{self, Rests};
use super::suspects::{Named, Suspects};
use crate::kernel::Position;

impl Suspects<'_> {
    /// An answer that is not the same, with what decided it before and now.
    pub(super) fn flip(
        &self,
        (place, question): (&str, &Question),
        (before, old): (&Position<'_>, Option<&Answer>),
        (after, new): (&Position<'_>, Option<&Answer>),
        rests: &dyn Rests,
    ) -> Flip {
        let why = |position: &Position<'_>, answer: Option<&Answer>| {
            answer.map(|a| decided(position, a)).unwrap_or_default()
        };
        let (decided_before, decided_now) = (why(before, old), why(after, new));
        Flip {
            position: place.to_owned(),
            of: question.of.clone(),
            question: format!("{} {}", question.noun, question.name),
            was: old.map(|a| a.said.clone()),
            now: new.map(|a| a.said.clone()),
            by: self.by(
                (place, question),
                &[&decided_before, &decided_now],
                [(before, old), (after, new)],
                rests,
            ),
            decided_before: decided_before.words,
            decided_now: decided_now.words,
        }
    }

    fn by(
        &self,
        (place, question): (&str, &Question),
        evidence: &[&Decided],
        asked: [(&Position<'_>, Option<&Answer>); 2],
        rests: &dyn Rests,
    ) -> Vec<String> {
        let parts = || evidence.iter().flat_map(|d| &d.parts);
        let mut direct: Vec<String> = Vec::new();
        for (change, named) in self.changes.iter().zip(&self.parts) {
            let is_row = |decided: &str| decided.strip_prefix("row ") == Some(change.name.as_str());
            if change.noun == "exception" && parts().any(|(_, _, decided)| is_row(decided)) {
                direct.push(told(change, None));
            }
            for Named { part, gate, head } in named {
                let hit = parts().any(|(noun, name, decided)| {
                    let decided = decided.as_str();
                    *noun == change.noun
                        && *name == change.name
                        && (*gate == Some(decided) || *head == decided)
                });
                if hit {
                    direct.push(told(change, Some(part)));
                }
            }
        }
        if !direct.is_empty() {
            return direct;
        }
        let reached = self.reached(&question.name);
        let read = |c: &&Change| {
            let is_place = ["clause", "map", "setup"].contains(&c.noun.as_str());
            !is_place && reached.contains(c.name.as_str())
        };
        let read: Vec<&Change> = self.changes.iter().filter(read).collect();
        let all = |bears: &dyn Fn(&Change, &str) -> bool| -> Vec<String> {
            read.iter().flat_map(|change| parts_told(change, bears)).collect()
        };
        // A row on which neither answer rests has not made the difference.
        if read.iter().any(|c| c.parts.iter().any(|p| rested::is_row(&p.part))) {
            let answers = asked.iter().enumerate();
            let rows: Vec<rested::Rows> =
                answers.filter_map(|(which, (_, answer))| rests.rows(which, (*answer)?)).collect();
            let bears = |change: &Change, part: &str| {
                let part = part.split(", holds").next().unwrap_or_default();
                let of = (change.name.clone(), part.to_owned());
                !rested::is_row(part) || rows.iter().any(|rows| rows.contains(&of))
            };
            let found = all(&bears);
            if !found.is_empty() {
                return found;
            }
        }
        let mut found = all(&|_, _| true);
        found.extend(self.of_places(place, &question.of, asked.map(|(position, _)| position)));
        found
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

fn told(change: &Change, part: Option<&str>) -> String {
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
