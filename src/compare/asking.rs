//! One ruleset asked of many positions, of some of its questions: what is compared with the answers
//! of other rules that ask the same.

use super::answers::{self, fits, of_spaces, questions, space_asked};
use super::comparing::{answer, things};
use super::prepared::Prepared;
use crate::ir::*;
use crate::kernel::Position;
use crate::report::{all_of_kind, thing_name};
use crate::world::{ThingRef, World};

/// Of what a question is asked: a thing, and the side that asks, where it makes a difference.
pub type Thing = (ThingRef, Option<SideId>);

/// A ruleset that is asked of many positions.
pub struct Asking<'r> {
    side: Prepared<'r>,
    items: Vec<(&'static str, &'r str, answers::Asked, KindId)>,
}

impl std::fmt::Debug for Asking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asking").field("items", &self.items.len()).finish_non_exhaustive()
    }
}

impl<'r> Asking<'r> {
    /// Nothing asked yet.
    #[must_use]
    pub fn new(rules: &'r Ruleset) -> Asking<'r> {
        Asking { side: Prepared::new(rules), items: questions(rules).collect() }
    }

    /// The questions in their order: the noun and the name of each.
    pub fn questions(&self) -> impl Iterator<Item = (&'static str, &'r str)> + '_ {
        self.items.iter().map(|(noun, name, ..)| (*noun, *name))
    }

    /// The answers to some positions: position by position, question by question of those that are
    /// wanted, thing by thing. `heard` gets the number of the position and of the question.
    pub fn each(
        &mut self,
        worlds: &[&World],
        wanted: &[bool],
        heard: &mut dyn FnMut((usize, usize), Thing, String),
    ) {
        let is_wanted = |at: usize| wanted.get(at).copied().unwrap_or_default();
        let rules = self.side.rules;
        let of_units = |(at, item): (usize, &(_, _, answers::Asked, KindId))| match item.2 {
            answers::Asked::Trace(trace) if rules.top(item.3) == KindId::UNIT => {
                is_wanted(at).then_some(trace)
            }
            _ => None,
        };
        let traces: Vec<TraceId> = self.items.iter().enumerate().filter_map(of_units).collect();
        let together = self.side.together(&traces, worlds);
        for (place, world) in worlds.iter().enumerate() {
            let Some(position) = self.side.position(world) else { continue };
            for (at, (_, _, asked, kind)) in self.items.iter().enumerate() {
                if !is_wanted(at) {
                    continue;
                }
                let place_of = (place, at);
                match *asked {
                    answers::Asked::Trace(trace) if rules.top(*kind) == KindId::SPACE => {
                        let spaces = all_of_kind(&position, *kind);
                        for (space, viewer, said) in of_spaces(&position, trace, &spaces) {
                            heard(place_of, (space, viewer), said);
                        }
                    }
                    asked => {
                        for thing in things(&position).filter(|t| fits(&position, *kind, *t)) {
                            let said = answer(&position, asked, thing, (&together, place)).said;
                            heard(place_of, (thing, None), said);
                        }
                    }
                }
            }
        }
    }
}

/// What a thing is called where it is asked about.
#[must_use]
pub fn called(rules: &Ruleset, world: &World, (thing, viewer): Thing) -> String {
    match (thing, Position::new(rules, world)) {
        (ThingRef::Space(_), Some(position)) => space_asked(&position, thing, viewer),
        _ => thing_name(rules, world, thing),
    }
}
