//! Positions kept as planes against the batch and the slow evaluator, through many changes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may abort")]

mod common;

use common::random_rules::{Taste, random_links};
use common::{Dice, random_hexes, random_rules};
use sutler::ir::{FactId, Ruleset, SideId, TraceId};
use sutler::kernel::{Batch, BatchFault, Flags, Kernel, PlaneFlags, PlaneScratch, Position, Scratch};
use sutler::world::ThingRef;

fn fact(rules: &Ruleset, name: &str) -> FactId {
    rules.facts.iter().position(|f| f.name == name).map(FactId::at).unwrap()
}

#[test]
fn planes_answer_as_the_batch_does() {
    let (mut asked, mut yes, mut whole) = (0, 0, 0);
    let (mut scratch, mut flags) = (PlaneScratch::default(), PlaneFlags::default());
    let (mut scratch_2, mut flags_2) = (Scratch::default(), Flags::default());
    for seed in 0..120u64 {
        let mut dice = Dice::new(seed + 1);
        let taste = Taste { slow: false, spaces: if seed % 4 == 0 { 30 } else { 9 } };
        let text = random_rules::text(&mut dice, taste, random_links);
        let rules = random_hexes::checked(&text);
        let template = random_rules::template(&mut dice, &rules, 10);
        let varying = [fact(&rules, "leader"), fact(&rules, "mood")];
        let kernel = Kernel::compile(&rules, &template, TraceId(0), &varying).unwrap();
        let positions = [1, 70, 600][seed as usize % 3];
        let mut planes = match kernel.planes(positions) {
            Err(BatchFault::NotWhole) => continue,
            other => other.unwrap(),
        };
        whole += 1;
        let mut batch = kernel.batch(positions);
        let spaces = rules.maps[0].spaces.len();
        for round in 0..3 {
            for _ in 0..positions * if round == 0 { 40 } else { 3 } {
                let (position, unit) = (dice.below(positions), dice.below(template.units.len()) as u32);
                match dice.below(8) {
                    0..=4 => {
                        let space = (!dice.percent(8)).then(|| dice.below(spaces) as u32);
                        assert!(planes.set_space(position, unit, space) || template.units[unit as usize].removed);
                        batch.set_space(position, unit, space);
                    }
                    5 | 6 => {
                        let space = dice.below(spaces) as u32;
                        let side = (!dice.percent(20)).then(|| SideId(dice.below(rules.sides.len()) as u8));
                        assert!(planes.set_control(position, space, side) && batch.set_control(position, space, side));
                    }
                    _ => {
                        let fact = *dice.pick(&varying);
                        let value = dice.below(if fact == varying[0] { rules.named.len() + 1 } else { 3 }) as i64;
                        assert!(planes.set_fact(position, unit, fact, value) && batch.set_fact(position, unit, fact, value));
                    }
                }
            }
            kernel.plane_flags(&planes, &mut scratch, &mut flags).unwrap();
            kernel.flags(&batch, &mut scratch_2, &mut flags_2).unwrap();
            for position in 0..positions {
                let units = flags_2.units().iter().filter(|u| !template.units[**u as usize].removed);
                for unit in units {
                    let ours = flags.get(&planes, position, *unit);
                    assert_eq!(ours, flags_2.get(position, *unit), "seed {seed}, position {position}, unit {unit}\n{text}");
                    asked += 1;
                    yes += usize::from(ours == Some(true));
                }
                if position % 50 == 0 {
                    let world = planes.world(position);
                    assert_eq!(world, batch.world(position), "seed {seed}, position {position}");
                    let slow = Position::new(&rules, &world).unwrap();
                    for unit in flags_2.units().iter().filter(|u| !template.units[**u as usize].removed) {
                        let answer = slow.answer(TraceId(0), ThingRef::Unit(*unit)).unwrap();
                        assert_eq!(
                            flags.get(&planes, position, *unit),
                            Some(answer.yes),
                            "seed {seed}, position {position}, unit {unit}\n{text}"
                        );
                    }
                }
            }
        }
    }
    println!("{whole} rulesets, {yes} of {asked} answers yes");
    assert!(whole > 50 && asked > 200_000 && yes > asked / 5 && yes < asked * 4 / 5, "{whole}, {yes} of {asked}");
}

#[test]
fn what_is_not_there_changes_nothing() {
    let mut dice = Dice::new(3);
    let text = random_rules::text(&mut dice, Taste { slow: false, spaces: 9 }, random_links);
    let rules = random_hexes::checked(&text);
    let template = random_rules::template(&mut dice, &rules, 6);
    let varying = [fact(&rules, "leader")];
    let kernel = Kernel::compile(&rules, &template, TraceId(0), &varying).unwrap();
    let mut planes = kernel.planes(5).unwrap();
    let before = planes.world(0);
    assert!(!planes.set_space(5, 0, Some(0)) && !planes.set_space(0, 99, Some(0)) && !planes.set_space(0, 4, Some(99)));
    assert!(!planes.set_control(0, 99, None) && !planes.set_control(0, 0, Some(SideId(9))));
    assert!(!planes.set_fact(0, 4, fact(&rules, "mood"), 1) && !planes.set_fact(0, 4, varying[0], 99));
    assert_eq!(planes.world(0), before);
    assert_eq!((planes.positions(), planes.units()), (5, template.units.len()));
    let other = Kernel::compile(&rules, &template, TraceId(0), &[]).unwrap();
    let fault = other.plane_flags(&planes, &mut PlaneScratch::default(), &mut PlaneFlags::default());
    assert_eq!(fault, Err(BatchFault::OtherBatch));
}

#[test]
fn rows_of_bytes_are_read_as_cells_one_by_one() {
    let mut dice = Dice::new(8);
    let text = random_rules::text(&mut dice, Taste { slow: false, spaces: 30 }, random_links);
    let rules = random_hexes::checked(&text);
    let template = random_rules::template(&mut dice, &rules, 21);
    for positions in [1, 7, 8, 64, 130] {
        let (mut rows, mut cells) =
            (Batch::new(&rules, &template, positions, &[]).unwrap(), Batch::new(&rules, &template, positions, &[]).unwrap());
        let spaces = rows.spaces();
        // Rows of any length, and now and then a byte that is no space.
        let bytes: Vec<Vec<u8>> = (0..positions)
            .map(|_| {
                let long = if dice.percent(70) { template.units.len() } else { dice.below(30) };
                (0..long).map(|_| if dice.percent(10) { 200 + dice.below(56) as u8 } else { dice.below(spaces) as u8 }).collect()
            })
            .collect();
        rows.fill_space_rows(|position| &bytes[position]);
        for (position, row) in bytes.iter().enumerate() {
            for unit in 0..template.units.len() {
                let space = row.get(unit).map(|b| u32::from(*b)).filter(|s| (*s as usize) < spaces);
                assert!(cells.set_space(position, unit as u32, space));
            }
        }
        for position in 0..positions {
            assert_eq!(rows.world(position), cells.world(position), "position {position} of {positions}");
        }
    }
}
