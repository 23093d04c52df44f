//! What several integration tests share: a small generator of random numbers, and positions from
//! setups.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "each test uses a part of it, and a test may stop"
)]

pub mod counts;
pub mod random_hexes;
pub mod random_legs;
pub mod random_rules;
pub mod small;
pub mod told;

use sutler::diag::Suggestion;
use sutler::ir::{FactId, Ruleset, Setup};
use sutler::project::check_text;
use sutler::world::World;

/// A text with a fix in it.
pub fn with_fix(text: &str, fix: &Suggestion) -> String {
    let mut text = text.to_owned();
    text.replace_range(fix.span.range(), &fix.replacement);
    text
}

/// A generator of random numbers that gives the same on every machine.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// Yes in one of four, without taking a number: what is drawn behind it stays what it was.
    pub fn aside(&self) -> bool {
        (self.clone().next() >> 30).is_multiple_of(4)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// Yes in so many of a hundred.
    pub fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The rules of a text that has no error.
pub fn checked(text: &str) -> Ruleset {
    let (_, rules, faults) = check_text("rules.sut", text.as_bytes());
    rules.unwrap_or_else(|| panic!("{text}\n{faults:#?}"))
}

/// The fact of a name.
pub fn fact(rules: &Ruleset, name: &str) -> FactId {
    rules.facts.iter().position(|f| f.name == name).map(FactId::at).unwrap()
}

/// The position a setup describes.
pub fn set_up(rules: &Ruleset, setup: &Setup) -> World {
    let mut world = World::new(rules, setup.map);
    for unit in &setup.units {
        world.put(rules, unit);
    }
    for state in &setup.facts {
        sutler::world::start::state_fact(rules, &mut world, state);
    }
    world
}
