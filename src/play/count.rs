//! How often what happened in a game, by phase.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::engine::{Event, What};
use crate::ir::*;
use crate::report::{fact_text, thing_name};
use crate::world::{ThingRef, World, built_in};

/// What happened, without to whom and from what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Sort {
    Judged(TraceId, bool),
    Rolled(TestId, Option<u16>),
    Stopped(TableId, Option<u16>),
    Became(FactId, i64),
    Raised(FactId),
    Lowered(FactId),
    Changed(FactId),
    Laid(PlacementWord),
    NotLaid(PlacementWord),
    Related(SideId, SideId, Relation),
    Removed,
    Open,
}

/// Counts of one game.
#[derive(Debug, Default)]
pub struct Counts(IndexMap<(PhaseId, Sort), u64, FxBuildHasher>);

impl Counts {
    /// Counts an event.
    pub fn add(&mut self, rules: &Ruleset, event: &Event) {
        *self.0.entry((event.phase, sort(rules, &event.what))).or_insert(0) += 1;
    }

    /// The counts by name: the phase, and what happened.
    #[must_use]
    pub fn named(&self, rules: &Ruleset, world: &World) -> BTreeMap<String, u64> {
        let mut named = BTreeMap::new();
        for ((phase, sort), count) in &self.0 {
            let phase = rules.phases.get(phase.index()).map_or("", |p| p.name.as_str());
            *named.entry(format!("{phase}: {}", name(rules, world, *sort))).or_insert(0) += count;
        }
        named
    }
}

fn sort(rules: &Ruleset, what: &What) -> Sort {
    match what {
        What::Judged(trace, yes) => Sort::Judged(*trace, *yes),
        What::Rolled { test, outcome, .. } => Sort::Rolled(*test, *outcome),
        What::Listed { table, stop } => Sort::Stopped(*table, *stop),
        What::Changed { fact, from, to, .. } => changed(rules, *fact, *from, *to),
        What::Laid { how, .. } => Sort::Laid(*how),
        What::NotLaid { how, .. } => Sort::NotLaid(*how),
        What::Related { a, b, to, .. } => Sort::Related(*a, *b, *to),
        What::Removed => Sort::Removed,
        What::Open(_) => Sort::Open,
    }
}

fn changed(rules: &Ruleset, fact: FactId, from: i64, to: i64) -> Sort {
    match rules.facts.get(fact.index()).map(|f| f.ty) {
        Some(Type::Truth | Type::Word(_)) => Sort::Became(fact, to),
        Some(Type::Number { .. }) if to > from => Sort::Raised(fact),
        Some(Type::Number { .. }) => Sort::Lowered(fact),
        // Sides are few, and who holds what is asked; spaces and units are many.
        Some(Type::Thing { kind, .. }) if rules.top(kind) == KindId::SIDE => Sort::Became(fact, to),
        Some(Type::Thing { .. }) | None => Sort::Changed(fact),
    }
}

fn name(rules: &Ruleset, world: &World, sort: Sort) -> String {
    let fact = |id: FactId| rules.facts.get(id.index()).map_or("", |f| f.name.as_str());
    let word = |set: WordSetId, at: usize| {
        let words = rules.word_sets.get(set.index()).map_or(&[][..], |s| &s.words);
        words.get(at).map_or("nothing", String::as_str)
    };
    match sort {
        Sort::Judged(id, yes) => rules.traces.get(id.index()).map_or_else(String::new, |trace| {
            format!("{} {}", trace.name, word(trace.answers, usize::from(!yes)))
        }),
        Sort::Rolled(id, outcome) => rules.tests.get(id.index()).map_or_else(String::new, |test| {
            let outcome = outcome.map_or("nothing", |at| word(test.outcomes, usize::from(at)));
            format!("{} {outcome}", test.name)
        }),
        Sort::Stopped(id, stop) => rules.tables.get(id.index()).map_or_else(String::new, |table| {
            match stop.and_then(|row| table.rows.get(usize::from(row))) {
                Some(row) => format!("{} stops at {}", table.name, row.name),
                None => format!("{} goes through", table.name),
            }
        }),
        Sort::Became(id, to) => match rules.facts.get(id.index()).map(|f| f.ty) {
            Some(Type::Truth) if to == 0 => format!("{} cleared", fact(id)),
            Some(Type::Truth) => format!("{} set", fact(id)),
            _ => format!("{} is {}", fact(id), fact_text(rules, world, id, to)),
        },
        Sort::Raised(id) => format!("{} raised", fact(id)),
        Sort::Lowered(id) => format!("{} lowered", fact(id)),
        Sort::Changed(built_in::SPACE) => "moves".to_owned(),
        Sort::Changed(id) => format!("{} changed", fact(id)),
        Sort::Laid(how) => how.text().to_owned(),
        Sort::NotLaid(how) => format!("cannot {}", how.text()),
        Sort::Related(a, b, how) => {
            let name = |side: SideId| thing_name(rules, world, ThingRef::Side(side));
            format!("{} {} {}", name(a), how.word(), name(b))
        }
        Sort::Removed => "leaves the game".to_owned(),
        Sort::Open => "open".to_owned(),
    }
}

/// How many spaces each side controls.
pub(super) fn control(rules: &Ruleset, world: &World) -> BTreeMap<String, u64> {
    let spaces = rules.maps.get(world.map.index()).map_or(0, |m| m.spaces.len());
    let spaces = 0..u32::try_from(spaces).unwrap_or(u32::MAX);
    by_side(rules, world, spaces.filter_map(|space| world.control(space)))
}

/// How many units each side has that have not left the game.
pub(super) fn units(rules: &Ruleset, world: &World) -> BTreeMap<String, u64> {
    let units = (0u32..).zip(&world.units).filter(|(_, unit)| !unit.removed);
    by_side(rules, world, units.filter_map(|(at, _)| world.owner(at)))
}

fn by_side(
    rules: &Ruleset,
    world: &World,
    found: impl Iterator<Item = SideId>,
) -> BTreeMap<String, u64> {
    let mut counts = vec![0; rules.sides.len()];
    for side in found {
        if let Some(count) = counts.get_mut(side.index()) {
            *count += 1;
        }
    }
    let name = |at: usize| thing_name(rules, world, ThingRef::Side(SideId::at(at)));
    counts.into_iter().enumerate().map(|(at, count)| (name(at), count)).collect()
}
