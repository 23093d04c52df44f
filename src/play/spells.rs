//! How long facts last that come and go: marks, truths, and the stages of tracks.
//!
//! A spell is seen from its beginning: what stood at the start of the game has no length. What ends
//! by itself is no event, so that the position is looked at once more when a turn is over.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::engine::{Event, What};
use crate::ir::*;
use crate::report::fact_text;
use crate::world::{ThingRef, World};

/// How long something lasted in one game, in turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lasted {
    /// How often it came and went.
    pub ended: u64,
    /// For how many turns together.
    pub turns: u64,
    /// The sum of their squares.
    pub squares: u64,
    /// The shortest.
    pub least: u64,
    /// The longest.
    pub most: u64,
    /// How often it had come and had not gone when the game ended.
    pub unended: u64,
}

impl Lasted {
    fn add(&mut self, turns: u64) {
        self.least = if self.ended == 0 { turns } else { self.least.min(turns) };
        self.most = self.most.max(turns);
        self.ended += 1;
        // Turns are at most 10,000, and so many squares do not come to the end of 64 bits.
        self.turns = self.turns.saturating_add(turns);
        self.squares = self.squares.saturating_add(turns.saturating_mul(turns));
    }
}

/// The stage of a track that is neither its first nor its last: whatever it counts is under way.
const UNDER_WAY: i64 = -1;

#[derive(Debug, Clone, Copy)]
struct Spell {
    value: i64,
    since: u32,
}

/// The spells of one game.
#[derive(Debug, Default)]
pub struct Spells {
    open: BTreeMap<(FactId, ThingRef), Spell>,
    /// Since when tracks are under way.
    under_way: BTreeMap<(FactId, ThingRef), u32>,
    done: BTreeMap<(FactId, i64), Lasted>,
}

impl Spells {
    /// What happened in a turn.
    pub fn add(&mut self, rules: &Ruleset, turn: u32, event: &Event) {
        let What::Changed { fact, of, from, to } = event.what else { return };
        let Some(rule) = rules.facts.get(fact.index()) else { return };
        let lasts = match rule.ty {
            Type::Truth => to != 0,
            Type::Word(set) => {
                let Some(last) = last_stage(rules, set) else { return };
                let inner = |stage: i64| 0 < stage && stage < last;
                match (inner(from), inner(to)) {
                    (false, true) => drop(self.under_way.insert((fact, of), turn)),
                    (true, false) => self.arrive((fact, of), turn),
                    _ => {}
                }
                true
            }
            _ => return,
        };
        if let Some(spell) = self.open.remove(&(fact, of)) {
            self.close(fact, spell, turn);
        }
        if lasts {
            self.open.insert((fact, of), Spell { value: to, since: turn });
        }
    }

    /// A turn is over: what has ended by itself, or with its thing.
    pub fn turn_over(&mut self, rules: &Ruleset, world: &World, turn: u32) {
        let gone = |of: ThingRef| match of {
            ThingRef::Unit(unit) => world.units.get(unit as usize).is_none_or(|u| u.removed),
            _ => false,
        };
        let ended = |((fact, of), spell): (&(FactId, ThingRef), &Spell)| {
            let now = rules.facts.get(fact.index()).map(|rule| world.fact(rule, *of));
            (now != Some(spell.value) || gone(*of)).then_some((*fact, *of))
        };
        let ended: Vec<_> = self.open.iter().filter_map(ended).collect();
        let lost: Vec<_> = self.under_way.keys().filter(|(_, of)| gone(*of)).copied().collect();
        lost.into_iter().for_each(|key| self.arrive(key, turn));
        for (fact, of) in ended {
            if let Some(spell) = self.open.remove(&(fact, of)) {
                self.close(fact, spell, turn);
            }
        }
    }

    /// A track that was under way is at one of its ends, or its thing is gone.
    fn arrive(&mut self, key: (FactId, ThingRef), turn: u32) {
        if let Some(since) = self.under_way.remove(&key) {
            self.close(key.0, Spell { value: UNDER_WAY, since }, turn);
        }
    }

    fn close(&mut self, fact: FactId, spell: Spell, turn: u32) {
        let turns = u64::from(turn.saturating_sub(spell.since));
        self.done.entry((fact, spell.value)).or_default().add(turns);
    }

    /// What lasted how long, by name: a mark by its own, a stage with its track.
    #[must_use]
    pub fn named(mut self, rules: &Ruleset, world: &World) -> BTreeMap<String, Lasted> {
        for ((fact, _), spell) in &self.open {
            self.done.entry((*fact, spell.value)).or_default().unended += 1;
        }
        for (fact, _) in self.under_way.keys() {
            self.done.entry((*fact, UNDER_WAY)).or_default().unended += 1;
        }
        let mut named = BTreeMap::new();
        for ((fact, value), lasted) in self.done {
            let Some(rule) = rules.facts.get(fact.index()) else { continue };
            let kind = rules.kinds.get(rule.kind.index()).map_or("", |k| k.name.as_str());
            let stage = match rule.ty {
                Type::Truth => String::new(),
                _ if value == UNDER_WAY => " under way".to_owned(),
                _ => format!(" is {}", fact_text(rules, world, fact, value)),
            };
            named.insert(format!("{} of {kind}{stage}", rule.name), lasted);
        }
        named
    }
}

/// The last stage of a track, by its place; none where a set of words is no track.
fn last_stage(rules: &Ruleset, set: WordSetId) -> Option<i64> {
    let set = rules.word_sets.get(set.index()).filter(|set| set.ordered)?;
    i64::try_from(set.words.len()).ok()?.checked_sub(1)
}
