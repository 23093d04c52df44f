//! What must hold of the kernel whatever the rules: plain distances, small graphs without
//! exception, and laws of change.

use crate::common::counts::seeds;
use std::path::Path;

use crate::common::random_rules::{self, Taste, random_links};
use crate::common::{Dice, checked, fact, set_up};
use petgraph::graph::UnGraph;
use sutler::ir::{FactId, KindId, MapId, PutUnit, Ruleset, SideId, TraceId};
use sutler::kernel::field::NONE;
use sutler::kernel::{Batch, Flags, Kernel, Position, Scratch, reference};
use sutler::map::Links;
use sutler::project::Project;
use sutler::world::{ThingRef, World};

const OPEN: &str = "edition 1\nruleset plain \"Plain\" prefix PL\nsides Red, Blue against Green\ndimension areas (area)\n\
    kind area, areas is space {\n  has depot yes or no\n}\nkind road, roads is link\n\
    kind army, armies is unit {\n  has reach in areas from 0 to 6\n}\n\
    trace line of army \"line\" {\n  called linked else cut\n  source depot where depot\n  leg march\n    over roads\n    from anywhere\n\
    \x20   through GATE\n    into anywhere\n    within reach\n}\nmap m {\nMAP}\n";

fn plain(spaces: usize, gate: &str) -> Ruleset {
    let map: String = (0..spaces).map(|s| format!("  space area a{s}\n")).collect();
    checked(&OPEN.replace("GATE", gate).replace("MAP", &map))
}

fn kind(rules: &Ruleset, name: &str) -> KindId {
    rules.kinds.iter().position(|k| k.name == name).map(KindId::at).unwrap()
}

fn army(rules: &Ruleset, world: &mut World, side: u8, space: Option<u32>) -> u32 {
    let id = format!("army{}", world.units.len());
    world.put(
        rules,
        &PutUnit {
            title: id.clone(),
            id,
            kind: kind(rules, "army"),
            owner: Some(SideId(side)),
            space,
            facts: Vec::new(),
        },
    )
}

fn flags(kernel: &Kernel<'_>, batch: &Batch) -> Flags {
    let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
    kernel.flags(batch, &mut scratch, &mut flags).unwrap();
    flags
}

#[test]
fn open_lines_are_as_long_as_the_shortest_paths_of_petgraph() {
    for seed in seeds(60) {
        let mut dice = Dice::new(seed);
        let spaces = 5 + dice.below(60);
        let mut rules = plain(spaces, "anywhere");
        let pairs: Vec<(u32, u32)> = (0..spaces * 3 / 2)
            .map(|_| (dice.below(spaces) as u32, dice.below(spaces) as u32))
            .filter(|(a, b)| a != b)
            .collect();
        rules.maps[0].links = vec![Links::from_pairs(kind(&rules, "road"), spaces, &pairs)];
        let mut world = World::new(&rules, MapId(0));
        let depots: Vec<usize> = (0..1 + dice.below(3)).map(|_| dice.below(spaces)).collect();
        for depot in &depots {
            world.set_fact(
                &rules.facts[fact(&rules, "depot").index()],
                ThingRef::Space(*depot as u32),
                1,
            );
        }
        army(&rules, &mut world, 0, None);
        let mut graph = UnGraph::<(), ()>::new_undirected();
        let nodes: Vec<_> = (0..spaces).map(|_| graph.add_node(())).collect();
        for (a, b) in &pairs {
            graph.add_edge(nodes[*a as usize], nodes[*b as usize], ());
        }
        let mut lengths = vec![NONE; spaces];
        for depot in &depots {
            for (node, length) in petgraph::algo::dijkstra(&graph, nodes[*depot], None, |_| 1u32) {
                lengths[node.index()] = lengths[node.index()].min(length);
            }
        }
        let position = Position::new(&rules, &world).unwrap();
        let field = position.field(TraceId(0), ThingRef::Unit(0)).unwrap();
        assert_eq!(field.lengths(), lengths, "seed {seed}, depots {depots:?}, links {pairs:?}");
        // One position a space and a reach.
        let reach = fact(&rules, "reach");
        let kernel = Kernel::compile(&rules, &world, TraceId(0), &[reach]).unwrap();
        let mut batch = kernel.batch(spaces * 7);
        for at in 0..spaces * 7 {
            assert!(
                batch.set_space(at, 0, Some((at / 7) as u32))
                    && batch.set_fact(at, 0, reach, (at % 7) as i64)
            );
        }
        let flags = flags(&kernel, &batch);
        for at in 0..spaces * 7 {
            assert_eq!(
                flags.get(at, 0),
                Some(lengths[at / 7] as usize <= at % 7),
                "seed {seed}, space {}, reach {}",
                at / 7,
                at % 7
            );
        }
    }
}

#[test]
fn every_graph_of_five_spaces() {
    let mut rules = plain(5, "no enemy army here");
    let pairs: Vec<(u32, u32)> = (0..5u32).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
    let (road, reach, depot) = (kind(&rules, "road"), fact(&rules, "reach"), fact(&rules, "depot"));
    let mut asked = 0;
    for graph in 0..1024usize {
        let links: Vec<(u32, u32)> = pairs
            .iter()
            .enumerate()
            .filter(|(l, _)| graph >> l & 1 == 1)
            .map(|(_, p)| *p)
            .collect();
        rules.maps[0].links = vec![Links::from_pairs(road, 5, &links)];
        let mut world = World::new(&rules, MapId(0));
        world.set_fact(&rules.facts[depot.index()], ThingRef::Space(4), 1);
        let (own, enemy) = (army(&rules, &mut world, 0, None), army(&rules, &mut world, 2, None));
        let kernel = Kernel::compile(&rules, &world, TraceId(0), &[reach]).unwrap();
        // Every space of the army, every space of the enemy and none, every reach up to 4.
        let mut batch = kernel.batch(5 * 6 * 5);
        for at in 0..batch.positions() {
            assert!(batch.set_space(at, own, Some((at % 5) as u32)));
            assert!(batch.set_space(at, enemy, (at / 5 % 6 < 5).then_some((at / 5 % 6) as u32)));
            assert!(batch.set_fact(at, own, reach, (at / 30) as i64));
        }
        let flags = flags(&kernel, &batch);
        for at in 0..batch.positions() {
            let world = batch.world(at);
            let position = Position::new(&rules, &world).unwrap();
            let ours = flags.get(at, own).unwrap();
            assert_eq!(
                ours,
                position.answer(TraceId(0), ThingRef::Unit(own)).unwrap().yes,
                "graph {graph}, position {at}"
            );
            assert_eq!(
                ours,
                reference::ask(&position, TraceId(0), ThingRef::Unit(own)).unwrap().0,
                "graph {graph}, position {at}"
            );
            asked += 1;
        }
    }
    assert_eq!(asked, 1024 * 150);
}

fn soldier_kings() -> Ruleset {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/soldier_kings");
    Project::open(&folder).rulesets.remove(0).rules.unwrap()
}

/// Every unit of the setup anywhere it likes, and control changed at random.
fn scatter(dice: &mut Dice, rules: &Ruleset, batch: &mut Batch) {
    for at in 0..batch.positions() {
        for unit in 0..batch.units() as u32 {
            let spaces = batch.spaces();
            if dice.percent(50) && unit >= rules.named.len() as u32 {
                batch.set_space(at, unit, Some(dice.below(spaces) as u32));
            }
        }
        for space in 0..batch.spaces() as u32 {
            if dice.percent(20) {
                batch.set_control(at, space, Some(SideId(dice.below(rules.sides.len()) as u8)));
            }
        }
    }
}

#[test]
fn one_more_enemy_never_restores_a_line() {
    let rules = soldier_kings();
    let mut world = set_up(&rules, rules.setups.iter().find(|s| s.name == "opening").unwrap());
    let trace = TraceId::at(rules.traces.iter().position(|t| t.name == "supply").unwrap());
    let more: Vec<u32> =
        (0..rules.sides.len() as u8).map(|s| army(&rules, &mut world, s, None)).collect();
    let kernel = Kernel::compile(&rules, &world, trace, &[]).unwrap();
    let mut dice = Dice::new(7);
    let mut before = kernel.batch(3500);
    scatter(&mut dice, &rules, &mut before);
    for unit in &more {
        before.space_column_mut(*unit).fill(sutler::kernel::columns::NOWHERE);
    }
    let mut after = before.clone();
    let spaces = before.spaces();
    for at in 0..before.positions() {
        assert!(after.set_space(at, more[at % more.len()], Some(dice.below(spaces) as u32)));
    }
    let (old, new) = (flags(&kernel, &before), flags(&kernel, &after));
    let mut cut = 0;
    for at in 0..before.positions() {
        let enemy = world.owner(more[at % more.len()]).unwrap();
        for unit in old.units().iter().filter(|u| {
            world
                .owner(**u)
                .is_some_and(|o| world.relation(o, enemy) == sutler::ir::Relation::Enemy)
        }) {
            let (was, is) = (old.get(at, *unit).unwrap(), new.get(at, *unit).unwrap());
            assert!(was || !is, "position {at}, unit {unit}");
            cut += usize::from(was && !is);
        }
    }
    assert!(cut > 50, "the law should be tried: {cut}");
}

#[test]
fn facts_that_are_nobodys_business_change_nothing() {
    let rules = soldier_kings();
    let mut world = set_up(&rules, rules.setups.iter().find(|s| s.name == "opening").unwrap());
    let trace = TraceId::at(rules.traces.iter().position(|t| t.name == "supply").unwrap());
    let strength = fact(&rules, "strength");
    let answers = |world: &World, varying: &[FactId]| {
        let kernel = Kernel::compile(&rules, world, trace, varying).unwrap();
        let mut batch = kernel.batch(200);
        let mut dice = Dice::new(3);
        scatter(&mut dice, &rules, &mut batch);
        for fact in varying {
            for unit in 0..batch.units() as u32 {
                batch.fact_column_mut(unit, *fact).fill_with(|| dice.below(20) as u16);
            }
        }
        flags(&kernel, &batch)
    };
    let before = answers(&world, &[]);
    for unit in 0..world.units.len() {
        world.set_fact(&rules.facts[strength.index()], ThingRef::Unit(unit as u32), 17);
        world.units[unit].title = "another".to_owned();
    }
    for name in ["supports", "port"] {
        for space in 0..rules.maps[0].spaces.len() as u32 {
            world.set_fact(&rules.facts[fact(&rules, name).index()], ThingRef::Space(space), 1);
        }
    }
    assert_eq!(before, answers(&world, &[]));
    assert_eq!(before, answers(&world, &[strength]));
}

/// The place of each of so many things in a new order.
fn shuffled(dice: &mut Dice, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, dice.below(at + 1));
    }
    order
}

#[test]
fn another_order_of_spaces_and_units_changes_nothing() {
    for seed in seeds(60) {
        let mut dice = Dice::new(seed);
        let text = random_rules::text(&mut dice, Taste { slow: false, spaces: 20 }, random_links);
        let rules = checked(&text);
        let template = random_rules::template(&mut dice, &rules, 12);
        let spaces = rules.maps[0].spaces.len();
        let named = rules.named.len();
        // Space `s` becomes `to[s]`; units behind the named ones likewise.
        let to = shuffled(&mut dice, spaces);
        let units: Vec<usize> =
            (0..named).chain(shuffled(&mut dice, 12).into_iter().map(|u| u + named)).collect();
        let mut other = rules.clone();
        for (s, to) in to.iter().enumerate() {
            other.maps[0].spaces[*to] = rules.maps[0].spaces[s].clone();
        }
        for (links, old) in other.maps[0].links.iter_mut().zip(&rules.maps[0].links) {
            let pairs: Vec<(u32, u32)> = (0..spaces as u32)
                .flat_map(|s| old.of(s).iter().map(move |t| (s, *t)))
                .map(|(a, b)| (to[a as usize] as u32, to[b as usize] as u32))
                .collect();
            *links = Links::from_steps(old.kind, spaces, pairs);
        }
        for (_, a, b) in &mut other.maps[0].against {
            (*a, *b) = (to[*a as usize] as u32, to[*b as usize] as u32);
        }
        other.maps[0].against.sort_unstable();
        let mut moved = template.clone();
        for (u, to) in units.iter().enumerate() {
            moved.units[*to] = template.units[u].clone();
            moved.row_mut(*to as u32).copy_from_slice(template.row(u as u32));
        }
        let slots = template.space_slots;
        for (s, to) in to.iter().enumerate() {
            moved.space_facts[to * slots..(to + 1) * slots]
                .copy_from_slice(&template.space_facts[s * slots..(s + 1) * slots]);
        }
        let leader = fact(&rules, "leader");
        let old_kernel = Kernel::compile(&rules, &template, TraceId(0), &[leader]).unwrap();
        let new_kernel = Kernel::compile(&other, &moved, TraceId(0), &[leader]).unwrap();
        let (mut old, mut new) = (old_kernel.batch(200), new_kernel.batch(200));
        for at in 0..200 {
            for (unit, other) in units.iter().enumerate() {
                let space = (!dice.percent(15)).then(|| dice.below(spaces));
                let led = dice.below(named + 1) as i64;
                assert!(old.set_space(at, unit as u32, space.map(|s| s as u32)));
                assert!(new.set_space(at, *other as u32, space.map(|s| to[s] as u32)));
                assert!(
                    old.set_fact(at, unit as u32, leader, led)
                        && new.set_fact(at, *other as u32, leader, led)
                );
            }
            for (space, to) in to.iter().enumerate() {
                let side = (!dice.percent(30)).then(|| SideId(dice.below(4) as u8));
                assert!(
                    old.set_control(at, space as u32, side)
                        && new.set_control(at, *to as u32, side)
                );
            }
        }
        let (old, new) = (flags(&old_kernel, &old), flags(&new_kernel, &new));
        for unit in old.units() {
            for at in 0..200 {
                assert_eq!(
                    old.get(at, *unit),
                    new.get(at, units[*unit as usize] as u32),
                    "seed {seed}, position {at}, unit {unit}\n{text}"
                );
            }
        }
    }
}

#[test]
fn a_second_batch_uses_the_same_memory() {
    let rules = soldier_kings();
    let world = set_up(&rules, rules.setups.iter().find(|s| s.name == "opening").unwrap());
    let leader = fact(&rules, "leader");
    let kernel = Kernel::compile(&rules, &world, TraceId(0), &[leader]).unwrap();
    assert!(kernel.is_whole());
    let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
    let mut batch = kernel.batch(1000);
    kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
    let before = (scratch.buffers(), flags.words(0).as_ptr());
    scatter(&mut Dice::new(1), &rules, &mut batch);
    for _ in 0..3 {
        kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
        assert_eq!(before, (scratch.buffers(), flags.words(0).as_ptr()));
    }
}

#[test]
fn positions_in_bulk_are_the_positions_one_by_one() {
    let rules = soldier_kings();
    let world = set_up(&rules, rules.setups.iter().find(|s| s.name == "opening").unwrap());
    let leader = fact(&rules, "leader");
    let mut one = Batch::new(&rules, &world, 333, &[leader]).unwrap();
    let mut bulk = one.clone();
    let mut dice = Dice::new(9);
    let (units, spaces) = (one.units(), one.spaces());
    let rows: Vec<(Vec<u16>, Vec<u16>, Vec<u8>)> = (0..333)
        .map(|_| {
            let places = (0..units)
                .map(|_| if dice.percent(10) { u16::MAX } else { dice.below(spaces) as u16 })
                .collect();
            let leaders = (0..units).map(|_| dice.below(8) as u16).collect();
            // A code of a side that is none counts as nobody's.
            (
                places,
                leaders,
                (0..spaces)
                    .map(|_| if dice.percent(3) { 200 } else { dice.below(8) as u8 })
                    .collect(),
            )
        })
        .collect();
    for (at, (places, leaders, control)) in rows.iter().enumerate() {
        for unit in 0..units {
            let space = (places[unit] != u16::MAX).then_some(u32::from(places[unit]));
            assert!(
                one.set_space(at, unit as u32, space)
                    && one.set_fact(at, unit as u32, leader, i64::from(leaders[unit]))
            );
        }
        for (space, code) in control.iter().enumerate() {
            let side = (1..8).contains(code).then(|| SideId(code - 1));
            assert!(one.set_control(at, space as u32, side));
        }
    }
    let all: Vec<u32> = (0..units as u32).collect();
    bulk.fill_spaces(|at, unit| rows[at].0[unit]);
    bulk.fill_fact(leader, &all, |at, nth| rows[at].1[nth]);
    bulk.fill_control(|at| &rows[at].2);
    for at in 0..333 {
        assert!(one.world(at) == bulk.world(at), "position {at}");
    }
    assert!(
        !one.set_space(333, 0, None)
            && !one.set_fact(0, 0, leader, 9999)
            && !one.set_control(0, 9999, None)
    );
}

/// A gate that asks an answer of the space in question, within a condition on things anywhere.
const WELLS: &str = "edition 1
ruleset bug \"Bug\" prefix BU
sides Red against Blue
dimension links (link)
kind spot, spots is space {
  has keep yes or no
  has well yes or no
}
kind path_, paths is link
kind band, bands is unit
trace water of spot \"water\" {
  called wet else dry
  source well where well
  leg way
    over    paths
    from    anywhere
    through anywhere
    into    anywhere
    within  1
}
trace line of band \"line\" {
  called fed else hungry
  source keep where keep
  leg way
    over    paths
    from    anywhere
    through no enemy band where the spot is wet
    into    anywhere
    within  unlimited
}
map m {
  space spot A
  space spot B
  space spot C with keep
  space spot D
  space spot E
  space spot F with well
  link path_ A to B to C
  link path_ D to E to F
}
setup s on m {
  put band R of Red in A
  put band X of Blue in F
}
";

#[test]
fn a_condition_on_far_things_may_ask_an_answer_of_this_space() {
    let rules = checked(WELLS);
    let well = fact(&rules, "well");
    let mut world = sutler::world::start(&rules, sutler::ir::SetupId(0));
    let red = ThingRef::Unit(0);
    for (wells, fed) in
        [(vec!["F"], true), (vec!["F", "C"], false), (vec!["A"], false), (vec![], true)]
    {
        for (at, space) in (0..).zip(&rules.maps[0].spaces) {
            world.set_fact(
                &rules.facts[well.index()],
                ThingRef::Space(at),
                i64::from(wells.contains(&space.id.as_str())),
            );
        }
        let position = Position::new(&rules, &world).unwrap();
        assert_eq!(position.answer(TraceId(1), red).unwrap().yes, fed, "{wells:?}");
        assert_eq!(reference::ask(&position, TraceId(1), red).unwrap().0, fed, "{wells:?}");
    }
}
