//! Positions kept as planes against the batch and the slow evaluator, through many changes.

use crate::common::counts::{seeds, seeds_every, share};
use crate::common::random_rules::{Taste, random_links};
use crate::common::{Dice, fact, random_hexes, random_rules};
use sutler::ir::{FactId, Ruleset, SideId, TraceId};
use sutler::kernel::{
    Batch, BatchFault, Cell, Flags, Kernel, PlaneFlags, PlaneScratch, Position, RowScratch, Rows,
    Scratch,
};
use sutler::world::ThingRef;

#[test]
fn planes_answer_as_the_batch_does() {
    let (mut asked, mut yes, mut whole) = (0, 0, 0);
    let (mut scratch, mut flags) = (PlaneScratch::default(), PlaneFlags::default());
    let (mut scratch_2, mut flags_2) = (Scratch::default(), Flags::default());
    for seed in seeds(120) {
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
                let (position, unit) =
                    (dice.below(positions), dice.below(template.units.len()) as u32);
                match dice.below(8) {
                    0..=4 => {
                        let space = (!dice.percent(8)).then(|| dice.below(spaces) as u32);
                        assert!(
                            planes.set_space(position, unit, space)
                                || template.units[unit as usize].removed
                        );
                        batch.set_space(position, unit, space);
                    }
                    5 | 6 => {
                        let space = dice.below(spaces) as u32;
                        let side = (!dice.percent(20))
                            .then(|| SideId(dice.below(rules.sides.len()) as u8));
                        assert!(
                            planes.set_control(position, space, side)
                                && batch.set_control(position, space, side)
                        );
                    }
                    _ => {
                        let fact = *dice.pick(&varying);
                        let value =
                            dice.below(if fact == varying[0] { rules.named.len() + 1 } else { 3 })
                                as i64;
                        assert!(
                            planes.set_fact(position, unit, fact, value)
                                && batch.set_fact(position, unit, fact, value)
                        );
                    }
                }
            }
            kernel.plane_flags(&planes, &mut scratch, &mut flags).unwrap();
            kernel.flags(&batch, &mut scratch_2, &mut flags_2).unwrap();
            for position in 0..positions {
                let units =
                    flags_2.units().iter().filter(|u| !template.units[**u as usize].removed);
                for unit in units {
                    let ours = flags.get(&planes, position, *unit);
                    assert_eq!(
                        ours,
                        flags_2.get(position, *unit),
                        "seed {seed}, position {position}, unit {unit}\n{text}"
                    );
                    asked += 1;
                    yes += usize::from(ours == Some(true));
                }
                if position % 50 == 0 {
                    let world = planes.world(position);
                    assert_eq!(world, batch.world(position), "seed {seed}, position {position}");
                    let slow = Position::new(&rules, &world).unwrap();
                    for unit in
                        flags_2.units().iter().filter(|u| !template.units[**u as usize].removed)
                    {
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
    assert!(
        whole > share(50) && asked > share(200_000) && yes > asked / 5 && yes < asked * 4 / 5,
        "{whole}, {yes} of {asked}"
    );
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
    assert!(
        !planes.set_space(5, 0, Some(0))
            && !planes.set_space(0, 99, Some(0))
            && !planes.set_space(0, 4, Some(99))
    );
    assert!(!planes.set_control(0, 99, None) && !planes.set_control(0, 0, Some(SideId(9))));
    assert!(
        !planes.set_fact(0, 4, fact(&rules, "mood"), 1) && !planes.set_fact(0, 4, varying[0], 99)
    );
    assert_eq!(planes.world(0), before);
    assert_eq!((planes.positions(), planes.units()), (5, template.units.len()));
    let other = Kernel::compile(&rules, &template, TraceId(0), &[]).unwrap();
    let fault =
        other.plane_flags(&planes, &mut PlaneScratch::default(), &mut PlaneFlags::default());
    assert_eq!(fault, Err(BatchFault::OtherBatch));
}

/// Positions as rows, of any length and with cells that are no space's and no side's.
struct Kept<C> {
    spaces: Vec<Vec<C>>,
    control: Vec<Vec<u8>>,
    facts: Vec<(FactId, Vec<Vec<u16>>)>,
}

impl<C: Cell> Rows for Kept<C> {
    type Cell = C;

    fn positions(&self) -> usize {
        self.spaces.len()
    }

    fn spaces(&self, position: usize) -> &[C] {
        &self.spaces[position]
    }

    fn control(&self, position: usize) -> &[u8] {
        &self.control[position]
    }

    fn fact(&self, fact: FactId, position: usize) -> &[u16] {
        self.facts.iter().find(|(f, _)| *f == fact).map_or(&[], |(_, rows)| &rows[position])
    }
}

/// A row that is mostly of the length wanted.
fn row<C>(dice: &mut Dice, long: usize, mut cell: impl FnMut(&mut Dice) -> C) -> Vec<C> {
    let long = if dice.percent(70) { long } else { dice.below(long + 20) };
    (0..long).map(|_| cell(dice)).collect()
}

fn kept<C>(
    dice: &mut Dice,
    positions: usize,
    (units, spaces, sides): (usize, usize, usize),
    cell: impl Fn(usize) -> C,
) -> Kept<C> {
    let stands = |dice: &mut Dice| {
        cell(if dice.percent(5) { spaces + dice.below(300) } else { dice.below(spaces) })
    };
    let control = |dice: &mut Dice| if dice.percent(1) { dice.below(256) } else { dice.below(sides + 1) } as u8;
    Kept {
        spaces: (0..positions).map(|_| row(dice, units, stands)).collect(),
        control: (0..positions).map(|_| row(dice, spaces, control)).collect(),
        facts: Vec::new(),
    }
}

/// The same positions one cell at a time, in batches so small that each unit is looked at by
/// itself.
fn one_by_one<C: Cell>(kernel: &Kernel<'_>, kept: &Kept<C>, sides: usize) -> Vec<(Batch, Flags)> {
    const SMALL: usize = 100;
    let (mut scratch, mut all) = (Scratch::default(), Vec::new());
    for first in (0..kept.positions()).step_by(SMALL) {
        let mut batch = kernel.batch(SMALL.min(kept.positions() - first));
        for at in 0..batch.positions() {
            for unit in 0..batch.units() {
                let space = kept.spaces[first + at]
                    .get(unit)
                    .map(|c| u32::from(c.space()))
                    .filter(|s| (*s as usize) < batch.spaces());
                assert!(batch.set_space(at, unit as u32, space));
                for (fact, rows) in &kept.facts {
                    if let Some(code) = rows[first + at].get(unit) {
                        let value = i64::from(*code) + batch.least(*fact).unwrap();
                        assert!(batch.set_fact(at, unit as u32, *fact, value));
                    }
                }
            }
            for space in 0..batch.spaces() {
                let code = kept.control[first + at].get(space).map_or(0, |c| usize::from(*c));
                assert!(batch.set_control(
                    at,
                    space as u32,
                    (1..=sides).contains(&code).then(|| SideId(code as u8 - 1))
                ));
            }
        }
        let mut flags = Flags::default();
        kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
        all.push((batch, flags));
    }
    all
}

/// Answers of rows against those one by one, and of the slow evaluator now and then; how many are
/// yes.
fn rows_agree<C: Cell>(
    kernel: &Kernel<'_>,
    rules: &Ruleset,
    kept: &Kept<C>,
    scratch: &mut RowScratch,
    of: &str,
) -> usize {
    let (mut flags, mut flags_2, mut yes) = (Flags::default(), Flags::default(), 0);
    kernel.row_flags(kept, scratch, &mut flags).unwrap();
    let mut batch = kernel.batch(kept.positions());
    batch.fill_rows(kept);
    kernel.flags(&batch, &mut Scratch::default(), &mut flags_2).unwrap();
    assert_eq!(flags, flags_2, "{of}: as rows and as one batch");
    let mut first = 0;
    for (batch, slow) in one_by_one(kernel, kept, rules.sides.len()) {
        assert_eq!(slow.units(), flags.units());
        for at in 0..batch.positions() {
            for unit in flags.units() {
                let answer = flags.get(first + at, *unit);
                assert_eq!(
                    answer,
                    slow.get(at, *unit),
                    "{of}, position {}, unit {unit}",
                    first + at
                );
                yes += usize::from(answer == Some(true));
            }
        }
        let world = batch.world(0);
        let position = Position::new(rules, &world).unwrap();
        for unit in flags.units() {
            let answer = position.answer(TraceId(0), ThingRef::Unit(*unit)).unwrap().yes;
            assert_eq!(
                flags.get(first, *unit),
                Some(answer),
                "{of}, position {first}, unit {unit}"
            );
        }
        first += batch.positions();
    }
    // Nothing is said of positions that there are not.
    let behind = |nth: usize| {
        flags.words(nth).last().is_some_and(|w| {
            !kept.positions().is_multiple_of(64) && w >> (kept.positions() % 64) != 0
        })
    };
    assert!((0..flags.units().len()).all(|nth| !behind(nth)), "{of}");
    yes
}

#[test]
fn rows_answer_as_positions_one_by_one() {
    let (mut asked, mut yes, mut whole) = (0, 0, 0);
    // One room for all kernels.
    let mut scratch = RowScratch::default();
    for seed in seeds_every(80, 5) {
        let mut dice = Dice::new(seed + 1000);
        let spaces = [9, 30, 64, 130, 250, 300][seed as usize % 6];
        let text =
            random_rules::text(&mut dice, Taste { slow: seed % 10 == 9, spaces }, random_links);
        let rules = random_hexes::checked(&text);
        let template =
            random_rules::template(&mut dice, &rules, [1, 10, 33, 70][seed as usize % 4]);
        let varying: Vec<FactId> = if seed % 3 == 0 {
            vec![fact(&rules, "leader"), fact(&rules, "mood")]
        } else {
            Vec::new()
        };
        let Ok(kernel) = Kernel::compile(&rules, &template, TraceId(0), &varying) else { continue };
        whole += usize::from(kernel.is_whole());
        let many = if kernel.is_whole() {
            [1, 63, 256, 300, 513, 600, 1100][seed as usize % 7]
        } else {
            10
        };
        let sizes = (template.units.len(), rules.maps[0].spaces.len(), rules.sides.len());
        let bytes = kept(&mut dice, many, sizes, |space| u8::try_from(space).unwrap_or(u8::MAX));
        yes += rows_agree(
            &kernel,
            &rules,
            &bytes,
            &mut scratch,
            &format!("seed {seed}, bytes\n{text}"),
        );
        let mut words = kept(&mut dice, many, sizes, |space| u16::try_from(space).unwrap());
        words.facts = varying
            .iter()
            .map(|f| {
                (
                    *f,
                    (0..many)
                        .map(|_| row(&mut dice, sizes.0, |dice| dice.below(2) as u16))
                        .collect(),
                )
            })
            .collect();
        yes += rows_agree(
            &kernel,
            &rules,
            &words,
            &mut scratch,
            &format!("seed {seed}, words\n{text}"),
        );
        asked += 2 * many * sizes.0;
    }
    println!("{whole} whole rulesets, {yes} of {asked} answers yes");
    assert!(
        whole > share(40) && yes > asked / 10 && yes < asked * 9 / 10,
        "{whole}, {yes} of {asked}"
    );
}

#[test]
fn rows_use_the_same_memory_again() {
    let mut dice = Dice::new(8);
    let text = random_rules::text(&mut dice, Taste { slow: false, spaces: 30 }, random_links);
    let rules = random_hexes::checked(&text);
    let template = random_rules::template(&mut dice, &rules, 21);
    let kernel = Kernel::compile(&rules, &template, TraceId(0), &[]).unwrap();
    assert!(kernel.is_whole());
    let (mut scratch, mut flags) = (RowScratch::default(), Flags::default());
    let sizes = (21, rules.maps[0].spaces.len(), rules.sides.len());
    let mut before = None;
    for _ in 0..3 {
        kernel
            .row_flags(&kept(&mut dice, 1000, sizes, |s| s as u8), &mut scratch, &mut flags)
            .unwrap();
        let now = (scratch.buffers(), flags.words(0).as_ptr());
        assert_eq!(*before.get_or_insert(now), now);
    }
}
