//! Positions one after the other, the small ones first, until an answer differs.

use serde_json::Value as Json;

use super::draw::Draw;
use super::random;
use super::smallest::smallest;
use crate::compare::{Comparing, Flip, Suspects};
use crate::engine::spread;
use crate::ir::{MapId, Ruleset, SetupId};
use crate::world::json::{Positions, write};
use crate::world::{World, start};

/// Positions by chance that are asked together.
const TOGETHER: u64 = 64;
/// Differences that are made small before the smallest of them is taken.
const MOST_FOUND: usize = 8;

/// Two rulesets, asked of one position after the other.
pub struct Search<'r> {
    a: &'r Ruleset,
    /// Reads positions under each of them.
    read: (Positions<'r>, Positions<'r>),
    comparing: Comparing<'r>,
    /// The setups of the first ruleset, from which positions are made.
    setups: Vec<Json>,
    looked: Looked,
}

/// An answer that differs, and the position that it is asked of.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The question with both answers.
    pub flip: Flip,
    /// The position, as its JSON; readings are those of each ruleset.
    pub position: Json,
}

/// What was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Looked {
    /// Setups and recorded positions.
    pub given: u64,
    /// Positions by chance.
    pub random: u64,
    /// How many units those had at most.
    pub units: usize,
    /// Positions that one of the rulesets does not take.
    pub refused: u64,
    /// Answers that were compared, also while a position was made smaller.
    pub answers: u64,
}

impl Difference {
    /// How much the position says: its units, and the facts that are stated.
    #[must_use]
    pub fn size(&self) -> usize {
        crate::fuzz::parts(&self.position).len()
    }
}

impl std::fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").field("looked", &self.looked).finish_non_exhaustive()
    }
}

impl<'r> Search<'r> {
    /// Prepares the search for differences between two rulesets whose changes are known.
    #[must_use]
    pub fn new(a: &'r Ruleset, b: &'r Ruleset, suspects: &'r Suspects<'r>) -> Search<'r> {
        let setups = (0..a.setups.len()).map(|at| as_json(a, &start(a, SetupId::at(at))));
        Search {
            a,
            read: (Positions::new(a), Positions::new(b)),
            comparing: Comparing::new(a, b, suspects),
            setups: setups.flatten().collect(),
            looked: Looked::default(),
        }
    }

    /// What was looked at so far.
    #[must_use]
    pub fn looked(&self) -> Looked {
        self.looked
    }

    /// Asks a position that is given, a setup or a recorded one; what differs in it, made small.
    pub fn given(&mut self, position: &Json) -> Option<Difference> {
        self.looked.given += 1;
        let found = self.differs(without_readings(position.clone()))?;
        Some(smallest(self, found))
    }

    /// The setups of the first ruleset, as positions.
    #[must_use]
    pub fn setups(&self) -> Vec<Json> {
        self.setups.clone()
    }

    /// Asks positions by chance, the small ones first, until some that differ have been found or all
    /// have been tried; the smallest of what was found. `go_on` is asked between them.
    pub fn random(
        &mut self,
        (seed, tries): (u64, u64),
        most_units: usize,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Option<Difference> {
        let mut best: Option<Difference> = None;
        let mut found = 0;
        let mut next = 0;
        while next < tries && found < MOST_FOUND && go_on(next) {
            let numbers = next..tries.min(next.saturating_add(TOGETHER));
            next = numbers.end;
            let units = |number: u64| grown(number, tries, most_units);
            let made: Vec<Json> = numbers
                .filter_map(|number| self.made(spread(seed, number + 1), units(number)))
                .collect();
            self.looked.random += made.len() as u64;
            for position in made {
                let Some(first) = self.differs(position) else { continue };
                let small = smallest(self, first);
                found += 1;
                if best.as_ref().is_none_or(|best| small.size() < best.size()) {
                    best = Some(small);
                }
            }
        }
        best
    }

    /// A position by chance, as both rulesets would read it.
    fn made(&mut self, seed: u64, units: usize) -> Option<Json> {
        let mut draw = Draw::new(seed);
        self.looked.units = self.looked.units.max(units);
        let mut world = match draw.choose(&self.setups).filter(|_| draw.one_in(2)) {
            Some(setup) => {
                self.read.0.read_sound(&few_units(setup, units, &mut draw).to_string())?
            }
            None => {
                random::position(self.a, MapId::at(draw.below(self.a.maps.len())), units, &mut draw)
            }
        };
        let changes = draw.below(units + 3);
        random::changed(self.a, &mut world, changes, &mut draw);
        as_json(self.a, &world)
    }

    /// The first answer that differs in a position; nothing where none does, or where a ruleset does
    /// not take the position.
    pub(super) fn differs(&mut self, position: Json) -> Option<Difference> {
        let text = position.to_string();
        let (before, after) = (self.read.0.read_sound(&text), self.read.1.read_sound(&text));
        let (Some(before), Some(after)) = (before, after) else {
            self.looked.refused += 1;
            return None;
        };
        let both = ("position".to_owned(), before, after);
        let (asked, flips) = self.comparing.flips(&[both]).pop().flatten()?;
        self.looked.answers += asked.answers as u64;
        let flip = flips.into_iter().next()?;
        Some(Difference { flip, position })
    }
}

/// How many units a position by chance has: they grow as the tries go on.
fn grown(number: u64, tries: u64, most: usize) -> usize {
    let most = u64::try_from(most).unwrap_or(u64::MAX).max(1);
    usize::try_from(1 + number.saturating_mul(most) / tries.max(1)).unwrap_or(1)
}

/// A position with a few of its units, drawn by chance.
fn few_units(setup: &Json, units: usize, draw: &mut Draw) -> Json {
    let mut few = setup.clone();
    if let Some(all) = few.get_mut("units").and_then(Json::as_array_mut) {
        while all.len() > units {
            all.remove(draw.below(all.len()));
        }
    }
    few
}

fn as_json(rules: &Ruleset, world: &World) -> Option<Json> {
    serde_json::from_str(&write(rules, world)).ok().map(without_readings)
}

/// Readings are what the two rulesets may differ in, so that a position states none.
fn without_readings(mut position: Json) -> Json {
    if let Some(fields) = position.as_object_mut() {
        fields.remove("rulings");
    }
    position
}
