//! What several integration tests share: a small generator of random numbers, and positions from setups.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "each test uses a part of it, and a test may stop"
)]

pub mod random_hexes;
pub mod random_rules;

use sutler::ir::{Ruleset, Setup, State};
use sutler::kernel::Value;
use sutler::kernel::{Cx, Position};
use sutler::world::{ThingRef, World};

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

/// The position a setup describes.
pub fn set_up(rules: &Ruleset, setup: &Setup) -> World {
    let mut world = World::new(rules, setup.map);
    for unit in &setup.units {
        world.put(rules, unit);
    }
    for state in &setup.facts {
        match state {
            State::Fact(fact, of, value) => {
                let cx = Cx::world(None);
                let (thing, value) = {
                    let position = Position::new(rules, &world).unwrap();
                    let thing = of.map_or(Some(ThingRef::World), |of| position.value(of, &cx).unwrap().thing());
                    (thing.unwrap(), position.value(*value, &cx).unwrap())
                };
                let cell = match value {
                    Value::Truth(t) => i64::from(t),
                    Value::Number(n) => n.to_integer(),
                    Value::Word(w) => i64::from(w),
                    Value::Thing(None) | Value::Barred => 0,
                    Value::Thing(Some(ThingRef::Unit(u) | ThingRef::Space(u))) => i64::from(u) + 1,
                    Value::Thing(Some(ThingRef::Side(s))) => i64::from(s.0) + 1,
                    Value::Thing(Some(ThingRef::World)) => 1,
                };
                world.set_fact(&rules.facts[fact.index()], thing, cell);
            }
            State::Relation(a, b, how) => world.relate(*a, *b, *how),
            State::Verdict(trace, of, yes) => {
                let thing = Position::new(rules, &world).unwrap().value(*of, &Cx::world(None)).unwrap().thing().unwrap();
                world.keep(*trace, thing, Some(*yes));
            }
            State::Viewer(side) => world.viewer = Some(*side),
            State::Ruling(ruling, reading) => world.readings[ruling.index()] = *reading,
        }
    }
    world
}
