//! Three ways to the same answers: planes over many positions, fields searched backward, and the
//! forward twin.

use crate::common::Dice;
use crate::common::counts::{seeds, seeds_every};
use crate::common::random_rules::{self, Taste, random_links};
use std::iter::StepBy;
use std::ops::Range;
use sutler::ir::{FactId, Ruleset, SideId, TraceId};
use sutler::kernel::{Batch, Flags, Kernel, Position, Scratch, reference};
use sutler::project::check_text;
use sutler::world::ThingRef;

fn checked(text: &str, seed: u64) -> Ruleset {
    let (_, rules, faults) = check_text("random.sut", text.as_bytes());
    rules.unwrap_or_else(|| panic!("seed {seed}: {faults:#?}\n{text}"))
}

fn fact(rules: &Ruleset, name: &str) -> FactId {
    rules.facts.iter().position(|f| f.name == name).map(FactId::at).unwrap()
}

/// Fills a batch with random positions.
fn scatter(dice: &mut Dice, rules: &Ruleset, batch: &mut Batch, varying: &[FactId]) {
    let spaces = batch.spaces();
    for position in 0..batch.positions() {
        for unit in 0..batch.units() as u32 {
            let space = (!dice.percent(10)).then(|| dice.below(spaces) as u32);
            assert!(batch.set_space(position, unit, space));
            for fact in varying {
                let value = match rules.facts[fact.index()].name.as_str() {
                    "leader" => dice.below(rules.named.len() + 1),
                    "mood" => dice.below(3),
                    _ => dice.below(2),
                };
                assert!(batch.set_fact(position, unit, *fact, value as i64));
            }
        }
        for space in 0..spaces as u32 {
            let side = (!dice.percent(30)).then(|| SideId(dice.below(rules.sides.len()) as u8));
            assert!(batch.set_control(position, space, side));
        }
    }
}

/// Whether the planes, the fields and the forward twin agree in every position.
fn agree(
    rules: &Ruleset,
    batch: &Batch,
    flags: &Flags,
    trace: TraceId,
    twin: impl Fn(usize, u32) -> bool,
    what: &dyn Fn() -> String,
) {
    for at in 0..batch.positions() {
        let world = batch.world(at);
        let position = Position::new(rules, &world).unwrap();
        for unit in flags.units() {
            let thing = ThingRef::Unit(*unit);
            let ours = flags.get(at, *unit).unwrap();
            let field = position.answer(trace, thing).unwrap();
            assert_eq!(
                ours,
                field.yes,
                "planes and fields differ: position {at}, unit {unit}, {field:?}\n{}",
                what()
            );
            if twin(at, *unit) {
                let (yes, length) = reference::ask(&position, trace, thing).unwrap();
                assert_eq!(
                    (field.yes, field.length),
                    (yes, length),
                    "fields and twin differ: position {at}, unit {unit}\n{}",
                    what()
                );
            }
        }
    }
}

fn run(seeds: StepBy<Range<u64>>, positions: usize, taste: Taste) {
    let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
    let (mut whole, mut asked, mut yes) = (0, 0, 0);
    for seed in seeds.clone() {
        let mut dice = Dice::new(seed);
        let text = random_rules::text(&mut dice, taste, random_links);
        let rules = checked(&text, seed);
        let units = 2 + dice.below(10);
        let template = random_rules::template(&mut dice, &rules, units);
        let mut varying = vec![fact(&rules, "leader")];
        varying.extend(
            ["zealous", "mood"].iter().filter(|_| dice.percent(50)).map(|f| fact(&rules, f)),
        );
        let kernel = Kernel::compile(&rules, &template, TraceId(0), &varying)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        whole += u64::from(kernel.is_whole());
        let mut batch = Batch::new(&rules, &template, positions, &varying).unwrap();
        scatter(&mut dice, &rules, &mut batch, &varying);
        kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
        asked += flags.units().len() * positions;
        yes += (0..flags.units().len())
            .flat_map(|n| flags.words(n))
            .map(|w| w.count_ones() as usize)
            .sum::<usize>();
        let twin = |at: usize, unit: u32| (at + unit as usize).is_multiple_of(5);
        agree(&rules, &batch, &flags, TraceId(0), twin, &|| {
            format!("seed {seed}, {:?}\n{text}", template.relations)
        });
    }
    println!("{whole} of {} rulesets were whole; {yes} of {asked} answers were yes", seeds.len());
    assert!(yes > asked / 5 && yes < asked * 4 / 5, "both answers should be common");
}

#[test]
fn random_rulesets_on_planes() {
    run(seeds(300), 450, Taste { slow: false, spaces: 9 });
}

#[test]
fn random_rulesets_on_planes_of_larger_maps() {
    run(seeds_every(60, 4), 130, Taste { slow: false, spaces: 40 });
}

#[test]
fn random_rulesets_with_slow_conditions() {
    run(seeds_every(60, 4), 130, Taste { slow: true, spaces: 9 });
}
