//! The search on planes against the slow ways, on random hex maps, rules of several legs and
//! positions; and laws.

use crate::common::Dice;
use crate::common::counts::{seeds, seeds_every, share};
use crate::common::random_hexes::{SCHEMA, checked, links, map, map_of, position, ruleset};
use sutler::ir::{SetupId, SideId, TraceId};
use sutler::kernel::hex::{Wanted, yes_of};
use sutler::kernel::{HexKernel, HexScratch, Position, reference};
use sutler::world::{ThingRef, World};

const LINE: TraceId = TraceId(0);

#[test]
fn planes_and_slow_ways_agree() {
    let (mut asked, mut yes, mut lengths, mut wholes) = (0, 0, 0, 0);
    for seed in seeds(500) {
        let mut dice = Dice::new(seed);
        let (rules, text) = ruleset(&mut dice);
        let template = sutler::world::start(&rules, SetupId(0));
        let kernel = HexKernel::compile(&rules, &template, LINE).unwrap();
        let (mut flags, mut long) = (HexScratch::default(), HexScratch::default());
        let chain = rules.traces[0].is_chain();
        // Several positions in one scratch, so that nothing of one is left for the next.
        for nth in 0..6 {
            let world = position(&mut dice, &rules);
            assert!(kernel.fits(&world));
            kernel.flags(&world, &mut flags).unwrap();
            kernel.ask(&world, Wanted::Lengths, &mut long).unwrap();
            let slow = Position::new(&rules, &world).unwrap();
            let standing = (0..world.units.len() as u32).filter(|u| world.space_of(*u).is_some());
            let things: Vec<ThingRef> = standing.map(ThingRef::Unit).collect();
            assert_eq!(flags.rows().iter().map(|r| r.thing).collect::<Vec<_>>(), things);
            for (flag, row) in flags.rows().iter().zip(long.rows()) {
                let place = || {
                    format!(
                        "seed {seed}, position {nth}, {:?}\n{text}\n{:?}",
                        flag.thing, world.units
                    )
                };
                let answer = slow.answer(LINE, flag.thing).unwrap();
                assert_eq!(flag.yes, answer.yes, "{}", place());
                assert_eq!(row.yes, answer.yes, "lengths, {}", place());
                assert_eq!(row.length, answer.length, "{}", place());
                let counts = if chain { &mut wholes } else { &mut lengths };
                *counts += usize::from(row.length.is_some_and(|l| l > 1));
                if nth == 0 && rules.maps[0].spaces.len() < 40 {
                    assert_eq!(
                        flag.yes,
                        reference::ask(&slow, LINE, flag.thing).unwrap().0,
                        "reference, {}",
                        place()
                    );
                }
                asked += 1;
                yes += usize::from(flag.yes);
            }
        }
    }
    assert!(
        asked > share(10_000)
            && yes > share(2_000)
            && asked - yes > share(2_000)
            && lengths > share(500)
            && wholes > share(500),
        "{yes} of {asked}, {lengths}, {wholes}: too one-sided"
    );
}

#[test]
fn many_things_of_a_large_map_are_answered_as_each_alone() {
    let mut dice = Dice::new(5);
    let text = format!("{SCHEMA}{SHUT}{}setup start on field {{\n}}\n", map_of(&mut dice, 70, 40));
    let rules = checked(&text);
    for _ in 0..3 {
        let world = position(&mut dice, &rules);
        let position = Position::new(&rules, &world).unwrap();
        // In no order, some twice, some off the map.
        let things: Vec<ThingRef> =
            (0..300).map(|_| ThingRef::Unit(dice.below(world.units.len()) as u32)).collect();
        let alone: Vec<bool> =
            things.iter().map(|t| position.answer(LINE, *t).unwrap().yes).collect();
        assert_eq!(yes_of(&position, LINE, &things).unwrap(), alone);
    }
}

/// Gates that enemies can only shut, sources that no unit makes.
const SHUT: &str = "trace line of unit_ {
  called joined else cut
  source depot where depot
  leg first
    over hexsides
    from anywhere
    through not zoned
    into not watched
    cost plain_toll
    within move
  leg second
    over roads
    from anywhere
    through not blocked
    into anywhere
    within unlimited
}
";

fn answers(kernel: &HexKernel<'_>, world: &World, scratch: &mut HexScratch) -> Vec<(String, bool)> {
    kernel.flags(world, scratch).unwrap();
    let id = |thing| match thing {
        ThingRef::Unit(u) => world.units[u as usize].id.clone(),
        _ => panic!("{thing:?} is no unit"),
    };
    let mut all: Vec<(String, bool)> =
        scratch.rows().iter().map(|r| (id(r.thing), r.yes)).collect();
    all.sort();
    all
}

#[test]
fn an_enemy_more_restores_no_line_and_the_order_of_units_changes_nothing() {
    let mut cut = 0;
    for seed in seeds_every(150, 4) {
        let mut dice = Dice::new(seed);
        let text = format!("{SCHEMA}{SHUT}{}", map(&mut dice));
        let bare = checked(&text);
        let links = links(&mut dice, &bare);
        let text = format!(
            "{}{links}}}\nsetup start on field {{\n}}\n",
            text.trim_end().trim_end_matches('}')
        );
        let rules = checked(&text);
        let kernel =
            HexKernel::compile(&rules, &sutler::world::start(&rules, SetupId(0)), LINE).unwrap();
        let mut scratch = HexScratch::default();
        let mut world = position(&mut dice, &rules);
        let red_alone = |all: Vec<(String, bool)>, world: &World| -> Vec<(String, bool)> {
            let red = |id: &String| {
                world.units.iter().position(|u| u.id == *id).and_then(|u| world.owner(u as u32))
                    == Some(SideId(0))
            };
            all.into_iter().filter(|(id, _)| red(id)).collect()
        };
        let before = answers(&kernel, &world, &mut scratch);
        // In another order.
        let mut turned = world.clone();
        turned.truncate(0);
        for unit in (0..world.units.len()).rev() {
            turned.add(world.units[unit].clone(), world.row(unit as u32));
        }
        assert_eq!(answers(&kernel, &turned, &mut scratch), before, "seed {seed}\n{text}");
        // With an enemy of Red more.
        world.relate(SideId(0), SideId(2), sutler::ir::Relation::Enemy);
        let before = red_alone(answers(&kernel, &world, &mut scratch), &world);
        let unit =
            rules.kinds.iter().position(|k| k.name == "unit_").map(sutler::ir::KindId::at).unwrap();
        for nth in 0..3 {
            let space = Some(dice.below(rules.maps[0].spaces.len()) as u32);
            let id = format!("E{nth}");
            world.put(
                &rules,
                &sutler::ir::PutUnit {
                    id: id.clone(),
                    title: id,
                    kind: unit,
                    owner: Some(SideId(2)),
                    space,
                    facts: Vec::new(),
                },
            );
        }
        let after = red_alone(answers(&kernel, &world, &mut scratch), &world);
        for ((id, before), (_, after)) in before.iter().zip(&after) {
            assert!(*before || !*after, "seed {seed}: {id} is joined by an enemy\n{text}");
            cut += usize::from(*before && !*after);
        }
    }
    assert!(cut > share(20), "only {cut} lines were cut: the law says nothing");
}
