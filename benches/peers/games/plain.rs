//! A position as a program keeps it that has its own rules: rows of small numbers. Positions are
//! made by random moves of units from the setup.

use sutler::ir::FactId;
use sutler::world::{ThingRef, World, built_in};

use super::super::common::Dice;
use super::Game;

/// Off the map.
pub const OFF: u16 = u16::MAX;

/// A position.
#[derive(Clone, PartialEq, Eq)]
pub struct Plain {
    /// The space of each unit, or [`OFF`].
    pub space: Vec<u16>,
    /// Who controls each space: the place of a side plus 1, or 0.
    pub control: Vec<u8>,
    /// The one fact of units that differs from position to position, where the game has one.
    pub fact: Vec<u16>,
}

impl Plain {
    /// The setup itself.
    pub fn start(game: &Game) -> Plain {
        let world = &game.start;
        let units = 0..world.units.len() as u32;
        let fact = |unit| {
            let value = |fact: FactId| {
                world.fact(&game.rules.facts[fact.index()], ThingRef::Unit(unit)) as u16
            };
            game.varying.map_or(0, value)
        };
        Plain {
            space: units.clone().map(|u| world.space_of(u).map_or(OFF, |s| s as u16)).collect(),
            control: (0..game.spaces as u32)
                .map(|s| world.control(s).map_or(0, |side| side.0 + 1))
                .collect(),
            fact: units.map(fact).collect(),
        }
    }

    /// The same as the kernel keeps it.
    pub fn world(&self, game: &Game) -> World {
        let mut world = game.start.clone();
        self.write(game, &mut world);
        world
    }

    /// Writes it over a position of the same game.
    pub fn write(&self, game: &Game, world: &mut World) {
        let facts = &game.rules.facts;
        for (unit, (space, fact)) in self.space.iter().zip(&self.fact).enumerate() {
            let unit = ThingRef::Unit(unit as u32);
            let cell = if *space == OFF { 0 } else { i64::from(*space) + 1 };
            world.set_fact(&facts[built_in::SPACE.index()], unit, cell);
            if let Some(varying) = game.varying {
                world.set_fact(&facts[varying.index()], unit, i64::from(*fact));
            }
        }
        for (space, side) in self.control.iter().enumerate() {
            let space = ThingRef::Space(space as u32);
            world.set_fact(&facts[built_in::CONTROL.index()], space, i64::from(*side));
        }
    }
}

/// A move: a unit and where it stands now.
#[derive(Clone, Copy)]
pub struct Move {
    pub unit: usize,
    pub space: u16,
}

/// Where a unit that makes a random step may go.
pub struct Walk {
    near: Vec<Vec<u16>>,
    shut: Vec<bool>,
}

impl Walk {
    pub fn new(game: &Game) -> Walk {
        let board = game.board();
        let mut shut = vec![false; board.spaces];
        if let Some((kind, fact, word)) = game.shape.no_steps_into {
            let word = board.word(fact, word);
            shut = board.of_spaces(kind, fact).into_iter().map(|v| v == word).collect();
        }
        Walk { near: board.links(game.shape.walks), shut }
    }

    fn steps(&self, mut at: u16, steps: usize, dice: &mut Dice) -> u16 {
        for _ in 0..steps {
            let near = &self.near[usize::from(at)];
            if !near.is_empty() {
                let to = *dice.pick(near);
                at = if self.shut[usize::from(to)] { at } else { to };
            }
        }
        at
    }
}

/// The same with the facts of units as in the setup: rows of where units stand and who controls
/// what.
pub fn rows(game: &Game, many: usize, seed: u64) -> Vec<Plain> {
    let fact = Plain::start(game).fact;
    let as_set_up = |plain: Plain| Plain { fact: fact.clone(), ..plain };
    positions(game, many, seed).into_iter().map(as_set_up).collect()
}

/// Positions, each made from the setup by random steps of its units and a little that changes
/// hands.
pub fn positions(game: &Game, many: usize, seed: u64) -> Vec<Plain> {
    let (walk, start) = (Walk::new(game), Plain::start(game));
    let mut dice = Dice::new(seed);
    (0..many)
        .map(|_| {
            let mut plain = start.clone();
            for (unit, space) in plain.space.iter_mut().enumerate() {
                if *space == OFF {
                    continue;
                }
                let steps = dice.below(4);
                *space = walk.steps(*space, steps, &mut dice);
                if dice.percent(1) {
                    *space = OFF;
                }
                if game.takes_fact[unit] && dice.percent(20) {
                    plain.fact[unit] = dice.below(game.fact_values) as u16;
                }
            }
            if game.shape.control {
                for side in &mut plain.control {
                    if dice.percent(10) {
                        *side = dice.below(game.rules.sides.len() + 1) as u8;
                    }
                }
            }
            plain
        })
        .collect()
}

/// Moves from a position on, one unit at a time, each by a step or two.
pub fn moves(game: &Game, from: &Plain, many: usize, seed: u64) -> Vec<Move> {
    let walk = Walk::new(game);
    let mut dice = Dice::new(seed);
    let mut space = from.space.clone();
    let on_map: Vec<usize> = (0..space.len()).filter(|u| space[*u] != OFF).collect();
    (0..many)
        .map(|_| {
            let unit = *dice.pick(&on_map);
            let steps = 1 + dice.below(2);
            space[unit] = walk.steps(space[unit], steps, &mut dice);
            Move { unit, space: space[unit] }
        })
        .collect()
}
