//! Three ways to the same answers: planes over many positions, fields searched backward, and the
//! forward twin.

use crate::common::counts::{seeds, seeds_every, share};
use crate::common::random_rules::{self, Taste, random_links};
use crate::common::{Dice, fact, random_legs};
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
                // Where steps cost something, its lengths are told by another walk.
                let costs = rules.traces[trace.index()].legs.iter().any(|leg| leg.cost.is_some());
                let length = match costs && field.length.is_some() {
                    true => reference::shortest(&position, trace, thing).unwrap(),
                    false => length,
                };
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
    println!("{whole} of {} rulesets were whole; {yes} of {asked} answers were yes", seeds.count());
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

/// What a kernel says of all things in all positions, against the evaluator; how many answers were
/// compared, and how many were yes.
fn compare(rules: &Ruleset, batch: &Batch, kernel: &Kernel<'_>, what: &str) -> (usize, usize) {
    let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
    kernel.flags(batch, &mut scratch, &mut flags).unwrap();
    let mut found = (0, 0);
    for at in 0..batch.positions() {
        let world = batch.world(at);
        let position = Position::new(rules, &world).unwrap();
        for (nth, number) in flags.units().iter().enumerate() {
            let thing = kernel.thing(*number);
            let slow = position.answer(kernel.trace(), thing).unwrap();
            let ours = flags.nth(at, nth).unwrap();
            assert_eq!(ours, slow.yes, "position {at}, {thing:?}, {slow:?}\n{what}");
            found.0 += 1;
            found.1 += usize::from(ours);
        }
    }
    found
}

/// Several legs, alternatives, relays, costs, gates that name the unit, traces of spaces, and
/// traces that read traces.
#[test]
fn random_chains_on_planes() {
    let (mut whole, mut spaces, mut relays, mut chains, mut naming) = (0, 0, 0, 0, 0);
    let (mut asked, mut yes) = (0, 0);
    for seed in seeds(200) {
        let text = random_legs::ruleset_with_nets(&mut random_legs::Dice::new(seed));
        let rules = checked(&text, seed);
        let mut template = sutler::world::start(&rules, sutler::ir::SetupId(0));
        template.viewer = Some(SideId(seed as u8 % 3));
        let mut dice = Dice::new(seed + 1);
        let varying: &[FactId] = if seed % 3 == 0 { &[fact(&rules, "wagon")] } else { &[] };
        for trace in 0..rules.traces.len() {
            let rule = &rules.traces[trace];
            let Ok(kernel) = Kernel::compile(&rules, &template, TraceId::at(trace), varying) else {
                continue;
            };
            let positions = if seed % 5 == 0 { 300 } else { 40 };
            let mut batch = kernel.batch(positions);
            scatter(&mut dice, &rules, &mut batch, varying);
            let found = compare(&rules, &batch, &kernel, &format!("seed {seed}\n{text}"));
            (asked, yes) = (asked + found.0, yes + found.1);
            let is_whole = kernel.is_whole();
            whole += usize::from(is_whole);
            spaces += usize::from(is_whole && rules.top(rule.of) == sutler::ir::KindId::SPACE);
            relays += usize::from(is_whole && !rule.relays.is_empty());
            chains += usize::from(is_whole && rule.places > 1);
            naming += usize::from(is_whole && rule.per_subject);
        }
    }
    println!(
        "{whole} kernels were whole: {spaces} of spaces, {relays} with relays, {chains} of several \
         places, {naming} that name the unit; {yes} of {asked} answers were yes"
    );
    assert!(spaces > share(150) && relays > share(75) && chains > share(20) && naming > share(5));
    assert!(yes > asked / 5 && yes < asked * 4 / 5, "both answers should be common");
}

/// Gates that name where the unit stands, or what else of it varies.
const OF_THE_UNIT: [&str; 6] = [
    "it is not space of the force",
    "it is not space of the force",
    "(coastal or it is not space of the force)",
    "(coastal or it is space of the force)",
    "(leader of the force is none or it is not space of the force)",
    "not (control is enemy and it is not space of the force)",
];

#[test]
fn gates_that_name_where_the_unit_stands() {
    let (mut whole, mut asked, mut yes) = (0, 0, 0);
    for seed in seeds(200) {
        let mut dice = Dice::new(seed);
        let text = random_rules::text(&mut dice, Taste { slow: false, spaces: 9 }, random_links);
        let mut named = String::new();
        for line in text.lines() {
            let gate = ["    from ", "    through ", "    into "];
            let gate = gate.into_iter().find(|gate| line.starts_with(gate) && dice.percent(40));
            let (gate, own) = (gate.unwrap_or_default(), dice.pick(&OF_THE_UNIT));
            named += &if gate.is_empty() { line.to_owned() } else { format!("{gate}{own}") };
            named.push('\n');
        }
        let own = "  source own where (coastal and it is not space of the force)\n  source s0";
        if dice.percent(60) {
            named = named.replacen("  source s0", own, 1);
        }
        let rules = checked(&named, seed);
        let units = 2 + dice.below(8);
        let template = random_rules::template(&mut dice, &rules, units);
        let leader = fact(&rules, "leader");
        let varying: &[FactId] = if dice.percent(50) { &[leader] } else { &[] };
        let kernel = Kernel::compile(&rules, &template, TraceId(0), varying).unwrap();
        let mut batch = kernel.batch(if seed % 5 == 0 { 300 } else { 70 });
        scatter(&mut dice, &rules, &mut batch, varying);
        let found = compare(&rules, &batch, &kernel, &format!("seed {seed}\n{named}"));
        (asked, yes) = (asked + found.0, yes + found.1);
        whole += usize::from(kernel.is_whole() && rules.traces[0].per_subject);
    }
    println!("{whole} kernels were whole and name the unit; {yes} of {asked} answers were yes");
    assert!(whole > share(60));
    assert!(yes > asked / 5 && yes < asked * 4 / 5, "both answers should be common");
}

/// The main traces of the shipped rulesets are asked of many positions together.
#[test]
fn shipped_traces_are_whole() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets");
    for name in ["soldier_kings", "malaya", "sgs", "blockade_siege"] {
        let project = sutler::project::Project::open(&folder.join(name));
        let rules = project.rulesets[0].rules.as_ref().unwrap();
        let setup = rules.setups.iter().position(|s| !s.units.is_empty()).unwrap();
        let mut template = sutler::world::start(rules, sutler::ir::SetupId::at(setup));
        template.viewer = Some(SideId(0));
        for (at, trace) in rules.traces.iter().enumerate() {
            let kernel = Kernel::compile(rules, &template, TraceId::at(at), &[]);
            let whole = kernel.as_ref().map(|kernel| kernel.is_whole());
            println!("{name}, {}: {whole:?}", trace.name);
            assert!(at > 0 || whole == Ok(true), "{name}, {}: {whole:?}", trace.name);
        }
    }
}
