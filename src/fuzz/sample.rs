//! A position, and what is done in it: little enough to be read.

use serde_json::Value as Json;

use super::look::{Wrong, name_in};
use crate::engine::{Dice, Ground, Orders, RunFault, run, turn};
use crate::ir::*;
use crate::log::Given;
use crate::report::{Held, holds_of, run_fault_diagnostic};
use crate::source::SourceMap;
use crate::world::{ThingRef, World, json};

/// What is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// one phase, of a side if it is of one
    Phase(PhaseId, Option<SideId>),
    /// a whole turn
    Turn,
}

/// A position, what is ordered in it, and how the dice fall.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// What is played.
    pub piece: Piece,
    /// The position, as its JSON.
    pub position: Json,
    /// What is ordered.
    pub orders: Vec<Given>,
    /// What the dice show, as far as they are thrown.
    pub dice: Vec<u32>,
    /// The thing it then holds of; empty for the whole game.
    pub thing: String,
    /// The side that asks, where it is asked of what no side owns.
    pub viewer: Option<SideId>,
}

/// A thing by its name, and the side that asks where none owns it.
type Named = (String, Option<SideId>);

/// Other dice are tried with so many seeds, where those that were shown do not fit any more.
const SEEDS: u64 = 3;

impl Sample {
    /// The sample of a position.
    pub(super) fn of(
        ground: &Ground<'_>,
        piece: Piece,
        world: &World,
        orders: Vec<Given>,
        dice: Vec<u32>,
    ) -> Option<Sample> {
        let position = serde_json::from_str(&json::write(ground.rules(), world)).ok()?;
        Some(Sample { piece, position, orders, dice, thing: String::new(), viewer: None })
    }

    /// The same played anew, with the orders that were taken, the dice that were shown and the thing
    /// that it holds of; nothing where what is wrong was so before, or does not come about.
    #[must_use]
    pub fn played(&self, ground: &Ground<'_>, wrong: &Wrong) -> Option<Sample> {
        let rules = ground.rules();
        let world = self.world(rules)?;
        if let Wrong::Never(_) = wrong
            && held(ground, &world, wrong).is_none_or(|held| !held.is_empty())
        {
            return None;
        }
        let listed = std::iter::once(Dice::list(self.dice.clone()));
        let seeded = (1..=SEEDS).map(Dice::seeded);
        for mut dice in listed.chain(seeded) {
            let (mut world, mut orders) = (world.clone(), Orders::none());
            let mut given: Vec<&Given> = Vec::new();
            for order in &self.orders {
                if let Ok(read) = order.order(rules, &world) {
                    orders.give(read);
                    given.push(order);
                }
            }
            let thing = match (self.run(rules, &mut world, &mut dice, &mut orders), wrong) {
                (Ok(()), Wrong::Never(_)) => {
                    held(ground, &world, wrong).and_then(|held| held.into_iter().next())
                }
                (Err(fault), Wrong::Fault(code)) => {
                    let found = run_fault_diagnostic(rules, fault);
                    (found.code.as_str() == code).then(|| (String::new(), None))
                }
                (Err(RunFault::Dice(..)), Wrong::Never(_)) => continue,
                _ => None,
            };
            let Some((thing, viewer)) = thing else { continue };
            let waits = |given: &Given| {
                given.order(rules, &world).is_ok_and(|order| orders.waiting().contains(&order))
            };
            let taken = given.into_iter().filter(|given| !waits(given)).cloned().collect();
            let dice = dice.shown().to_vec();
            return Some(Sample { orders: taken, dice, thing, viewer, ..self.clone() });
        }
        None
    }

    /// The position, where its text is one.
    pub(super) fn world(&self, rules: &Ruleset) -> Option<World> {
        let mut sources = SourceMap::new();
        let id = sources.next_id();
        sources.add("position", self.position.to_string());
        json::read(sources.text(id), id, rules).0
    }

    fn run(
        &self,
        rules: &Ruleset,
        world: &mut World,
        dice: &mut Dice,
        orders: &mut Orders,
    ) -> Result<(), RunFault> {
        match self.piece {
            Piece::Phase(phase, side) => run(rules, world, phase, side, dice, orders).map(|_| ()),
            Piece::Turn => turn(rules, world, dice, orders).map(|_| ()),
        }
    }
}

/// The things that what must never hold holds of in a position; nothing where that is unknown.
fn held(ground: &Ground<'_>, world: &World, wrong: &Wrong) -> Option<Vec<Named>> {
    let rules = ground.rules();
    let Wrong::Never(define) = wrong else { return None };
    let define = rules.defines.get(define.index())?;
    let held = ground.ask(world, |position| holds_of(position, define))?.ok()?;
    let named = |(thing, viewer): Held| {
        let owned = matches!(thing, ThingRef::Unit(_) | ThingRef::Side(_));
        (name_in(rules, world, define, thing), viewer.filter(|_| !owned))
    };
    Some(held.into_iter().map(named).collect())
}
