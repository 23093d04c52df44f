//! Many positions at once on maps whose links cross: on planes, by rows, and one by one.

use super::{TRACES, asked, crossed, trace};
use crate::common::counts::{full, seeds, share};
use crate::common::{Dice, checked, random_legs};
use sutler::ir::{Ruleset, SetupId, TraceId};
use sutler::kernel::{Batch, BatchFault, Flags, Kernel, Position, RowScratch, Rows, Scratch};
use sutler::world::{ThingRef, World};

/// More than one block of rows, so that these are asked as rows.
const POSITIONS: usize = 300;

/// Positions as rows, of units alone.
struct Stands {
    spaces: Vec<Vec<u8>>,
    control: Vec<u8>,
}

impl Rows for Stands {
    type Cell = u8;

    fn positions(&self) -> usize {
        self.spaces.len()
    }

    fn spaces(&self, position: usize) -> &[u8] {
        &self.spaces[position]
    }

    fn control(&self, _: usize) -> &[u8] {
        &self.control
    }
}

/// The units of a template anywhere, as rows.
fn stands(dice: &mut Dice, rules: &Ruleset, world: &World) -> Stands {
    let (units, spaces) = (world.units.len(), rules.maps[0].spaces.len());
    let side = |space: usize| world.control(space as u32).map_or(0, |side| side.index() as u8 + 1);
    Stands {
        spaces: (0..POSITIONS)
            .map(|_| (0..units).map(|_| dice.below(spaces) as u8).collect())
            .collect(),
        control: (0..spaces).map(side).collect(),
    }
}

/// Answers of all these positions, as a batch and as rows, which must be the same.
fn answered(kernel: &Kernel<'_>, stands: &Stands, what: &str) -> (Batch, Flags) {
    let mut batch = kernel.batch(POSITIONS);
    for (position, row) in stands.spaces.iter().enumerate() {
        for (unit, space) in (0u32..).zip(row) {
            assert!(batch.set_space(position, unit, Some(u32::from(*space))));
        }
    }
    let (mut flags, mut by_rows) = (Flags::default(), Flags::default());
    kernel.flags(&batch, &mut Scratch::default(), &mut flags).unwrap();
    kernel.row_flags(stands, &mut RowScratch::default(), &mut by_rows).unwrap();
    assert_eq!(flags.units(), by_rows.units(), "{what}");
    for nth in 0..flags.units().len() {
        assert_eq!(flags.words(nth), by_rows.words(nth), "{what}, {nth}");
    }
    (batch, flags)
}

/// The traces of the games against the brute force that knows the lines as they were drawn.
#[test]
fn planes_turn_nowhere() {
    let (mut on_planes, mut otherwise, mut yes, mut told) = (0, 0, 0, 0);
    for seed in seeds(150) {
        let mut dice = Dice::new(seed);
        let (game, traces, text) = asked(seed, &mut dice);
        let (rules, joined) = (checked(&text), game.joined());
        let world = game.world(&rules);
        let stands = stands(&mut dice, &rules, &world);
        for at in traces {
            let id = trace(&rules, &format!("t{at}"));
            let what = format!("seed {seed}, t{at} of {}\n{text}", TRACES[at].of);
            let kernel = match Kernel::compile(&rules, &world, id, &[]) {
                Ok(kernel) => kernel,
                Err(fault) => {
                    assert_ne!(fault, BatchFault::Crossings, "{what}");
                    continue;
                }
            };
            on_planes += usize::from(kernel.is_whole());
            let (_, flags) = answered(&kernel, &stands, &what);
            // What a thing of these traces is answered depends on where it stands alone.
            let far = |game: &super::Game| -> Vec<bool> {
                (0..game.spaces).map(|space| game.nearest(at, space).is_some()).collect()
            };
            let (wanted, met) = (far(&game), far(&joined));
            for (nth, number) in flags.units().iter().enumerate() {
                for (position, row) in stands.spaces.iter().enumerate() {
                    let space = match kernel.thing(*number) {
                        ThingRef::Unit(unit) => usize::from(row[unit as usize]),
                        ThingRef::Space(space) => space as usize,
                        _ => continue,
                    };
                    let found = flags.nth(position, nth);
                    assert_eq!(found, Some(wanted[space]), "S{space} in {position}, {what}");
                    told += 1;
                    yes += usize::from(wanted[space]);
                    otherwise += usize::from(wanted[space] != met[space]);
                }
            }
        }
    }
    println!(
        "{on_planes} on planes, {told} answers, {yes} yes, {otherwise} otherwise with junctions"
    );
    assert!(on_planes > share(900), "{on_planes}");
    assert!(yes > told / 5 && otherwise > told / 300, "{yes}, {otherwise} of {told}");
}

/// Legs one behind another, optional ones, alternatives, relays, costs, and gates that ask who stands
/// there, against the search of one position.
#[test]
fn chains_on_planes_are_those_of_one_position() {
    let (mut compiled, mut refused, mut told, mut yes, mut otherwise) = (0, 0, 0, 0, 0);
    for seed in seeds(100) {
        let text = random_legs::ruleset_with_nets(&mut random_legs::Dice::new(seed));
        let Some((with, without)) = crossed(&mut Dice::new(seed), &text) else { continue };
        let (rules, joined) = (checked(&with), checked(&without));
        let world = sutler::world::start(&rules, SetupId(0));
        let stands = stands(&mut Dice::new(seed), &rules, &world);
        for at in 0..rules.traces.len() {
            let what = format!("seed {seed}, {}\n{with}", rules.traces[at].name);
            let kernel = match Kernel::compile(&rules, &world, TraceId::at(at), &[]) {
                Ok(kernel) => kernel,
                Err(fault) => {
                    assert_ne!(fault, BatchFault::Crossings, "{what}");
                    refused += 1;
                    continue;
                }
            };
            compiled += 1;
            let (batch, flags) = answered(&kernel, &stands, &what);
            for position in (0..POSITIONS).step_by(7) {
                let now = batch.world(position);
                let one = Position::new(&rules, &now).unwrap();
                let before = Position::new(&joined, &now).unwrap();
                for (nth, number) in flags.units().iter().enumerate() {
                    let thing = kernel.thing(*number);
                    let wanted = one.is_yes(TraceId::at(at), thing).unwrap();
                    let found = flags.nth(position, nth);
                    assert_eq!(found, Some(wanted), "{thing:?} in {position}, {what}");
                    told += 1;
                    yes += usize::from(wanted);
                    let met = before.is_yes(TraceId::at(at), thing).unwrap();
                    otherwise += usize::from(met != wanted);
                }
            }
        }
    }
    println!(
        "{compiled} compiled, {refused} refused, {told} answers, {yes} yes, {otherwise} otherwise"
    );
    assert!(compiled > share(150), "{compiled} compiled, {refused} refused");
    assert!(yes > told / 10, "{yes} of {told}");
    // What is rare is not among a few.
    assert!(!full() || otherwise > told / 200, "{otherwise} of {told}");
}
