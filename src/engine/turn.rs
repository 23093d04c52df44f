//! The clock: parts and whole turns, moment by moment, with all their phases.

use super::begin::is_over;
use super::phase::{Stride, go, pass, strides};
use super::{Dice, Event, Ground, Orders, RunFault, What};
use crate::ir::*;
use crate::world::World;

/// The moments of a whole turn in order, from its start to its end. A part of each side comes once
/// for each, in the order of the sides; parts that go round together do so side by side.
#[must_use]
pub fn moments(rules: &Ruleset) -> Vec<Moment> {
    let Some(clock) = &rules.clock else { return Vec::new() };
    let whole = |edge| Moment { edge, part: None, whose: Whose::All };
    let mut found = vec![whole(Edge::Start), whole(Edge::During)];
    for round in &clock.rounds {
        for _ in 0..round.times {
            for whose in whose(rules, round.each_side) {
                for part in round.first..round.first.saturating_add(round.parts) {
                    found.extend(edges(part, whose));
                }
            }
        }
    }
    found.push(whole(Edge::End));
    found
}

/// Whose a part is, one after the other: each side's in the order of the sides, or everybody's.
fn whose(rules: &Ruleset, each_side: bool) -> Vec<Whose> {
    match each_side {
        true => (0..rules.sides.len()).map(|s| Whose::Side(SideId::at(s))).collect(),
        false => vec![Whose::All],
    }
}

fn edges(part: u8, whose: Whose) -> [Moment; 3] {
    [Edge::Start, Edge::During, Edge::End].map(|edge| Moment { edge, part: Some(part), whose })
}

/// Runs a part of the clock from its start to its end, for one side, or for every side that has it.
pub fn part(
    rules: &Ruleset,
    world: &mut World,
    part: u8,
    side: Option<SideId>,
    dice: &mut Dice,
    orders: &mut Orders,
) -> Result<Vec<Event>, RunFault> {
    let each = rules
        .clock
        .as_ref()
        .and_then(|c| c.parts.get(usize::from(part)))
        .is_some_and(|p| p.each_side);
    let all = match side {
        Some(side) => vec![Whose::Side(side)],
        None => whose(rules, each),
    };
    let mut events = Vec::new();
    for moment in all.into_iter().flat_map(|whose| edges(part, whose)) {
        events.extend(pass(rules, world, moment, dice, orders)?);
    }
    Ok(events)
}

/// Who looks on while a turn is played.
pub trait Watch {
    /// What comes next, the position that it reads, and the dice as far as they have been shown.
    fn before(&mut self, _stride: Stride, _world: &World, _dice: &Dice) {}
    /// What has happened in it.
    fn happened(&mut self, moment: Moment, event: Event);
}

/// All that happens, with its moments.
impl Watch for Vec<(Moment, Event)> {
    fn happened(&mut self, moment: Moment, event: Event) {
        self.push((moment, event));
    }
}

/// Plays a turn moment by moment, telling what happens, until something must be done and nobody has
/// said in which way. Whether the turn has come to its end.
pub fn play(
    rules: &Ruleset,
    world: &mut World,
    dice: &mut Dice,
    orders: &mut Orders,
    watch: &mut dyn Watch,
) -> Result<bool, RunFault> {
    play_on(&Ground::new(rules), world, dice, orders, watch)
}

/// The same on a ground that is kept from one turn to the next.
pub fn play_on(
    ground: &Ground<'_>,
    world: &mut World,
    dice: &mut Dice,
    orders: &mut Orders,
    watch: &mut dyn Watch,
) -> Result<bool, RunFault> {
    let rules = ground.rules();
    if is_over(rules, world) {
        return Err(RunFault::GameOver);
    }
    for moment in moments(rules) {
        let mut open = false;
        for stride in strides(rules, moment) {
            watch.before(stride, world, dice);
            for event in go(ground, world, stride, dice, orders)? {
                open |= matches!(event.what, What::Open(_));
                watch.happened(moment, event);
            }
        }
        if open {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs a whole turn; what nobody has decided stays open.
pub fn turn(
    rules: &Ruleset,
    world: &mut World,
    dice: &mut Dice,
    orders: &mut Orders,
) -> Result<Vec<Event>, RunFault> {
    if is_over(rules, world) {
        return Err(RunFault::GameOver);
    }
    let mut events = Vec::new();
    for moment in moments(rules) {
        events.extend(pass(rules, world, moment, dice, orders)?);
    }
    Ok(events)
}
