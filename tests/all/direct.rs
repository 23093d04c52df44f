//! Conditions answered straight from the rows of a position are those of the evaluator: every
//! expression of shipped and of random rules, asked of every thing.

use std::path::Path;

use crate::common::Dice;
use crate::common::counts::seeds;
use crate::common::random_rules::{self, Taste, random_links};
use crate::support::root;
use sutler::engine::{Dice as Thrown, Event, Orders, play};
use sutler::ir::{ExprId, Moment, Ruleset, SetupId, SideId, ThingsId};
use sutler::kernel::{Cx, Position};
use sutler::project::{Project, check_text};
use sutler::world::{ThingRef, World, start};

/// How many answers were compared, and how many of them were yes.
#[derive(Default)]
struct Compared {
    all: usize,
    yes: usize,
}

/// Compares both ways for all expressions and noun phrases, in positions of a game.
fn same(rules: &Ruleset, world: &World, dice: &mut Dice, compared: &mut Compared) {
    let position = Position::new(rules, world).expect("a map");
    let drawn = |dice: &mut Dice| match dice.below(4) {
        0 => ThingRef::World,
        1 => ThingRef::Side(SideId::at(dice.below(rules.sides.len()))),
        2 => ThingRef::Space(u32::try_from(dice.below(position.map.spaces.len())).unwrap()),
        _ => ThingRef::Unit(u32::try_from(dice.below(world.units.len().max(1))).unwrap()),
    };
    for at in 0..rules.nodes.len() {
        let id = ExprId::at(at);
        for _ in 0..3 {
            let sides = dice.below(rules.sides.len() + 1);
            let viewer = sides.checked_sub(1).map(SideId::at);
            let cx = Cx::of(viewer, drawn(dice)).with(1, drawn(dice)).with(2, drawn(dice));
            let (fast, slow) = (position.holds_directly(id, &cx), position.holds(id, &cx));
            assert_eq!(fast, slow, "{:?} of {cx:?}", rules.nodes[at]);
            compared.all += 1;
            compared.yes += usize::from(slow == Ok(true));
        }
    }
    for at in 0..rules.things.len() {
        let viewer = dice.below(rules.sides.len() + 1).checked_sub(1).map(SideId::at);
        let (id, cx) = (ThingsId::at(at), Cx::world(viewer));
        assert_eq!(position.gathered(id, &cx), position.all(id, &cx), "{:?}", rules.things[at]);
    }
}

#[test]
fn every_expression_of_shipped_rules_in_games_of_chance() {
    let mut compared = Compared::default();
    for name in ["sgs", "blockade_siege"] {
        let mut project = Project::open(&Path::new(&root()).join("rulesets").join(name));
        let rules = project.rulesets.first_mut().unwrap().rules.take().unwrap();
        let setup = rules.setups.iter().position(|s| !s.units.is_empty()).unwrap();
        let mut dice = Dice::new(11);
        let mut world = start(&rules, SetupId::at(setup));
        let (mut thrown, mut orders) = (Thrown::seeded(3), Orders::drawn(3));
        same(&rules, &world, &mut dice, &mut compared);
        for _ in 0..2 {
            let mut events: Vec<(Moment, Event)> = Vec::new();
            let _ = play(&rules, &mut world, &mut thrown, &mut orders, &mut events);
            same(&rules, &world, &mut dice, &mut compared);
        }
    }
    assert!(compared.all > 1_000 && compared.yes > 50, "{}, {}", compared.all, compared.yes);
}

#[test]
fn every_expression_of_random_rules() {
    let mut compared = Compared::default();
    for seed in seeds(60) {
        let mut dice = Dice::new(seed + 1);
        let taste = Taste { slow: seed % 2 == 1, spaces: 12 };
        let text = random_rules::text(&mut dice, taste, random_links);
        let rules = check_text("random.sut", text.as_bytes()).1.unwrap();
        let world = random_rules::template(&mut dice, &rules, 8);
        same(&rules, &world, &mut dice, &mut compared);
    }
    assert!(compared.yes > 100 && compared.yes < compared.all, "{}", compared.yes);
}

/// Units within units would cost what nothing counts, so that the evaluator is asked, which gives up.
#[test]
fn what_costs_too_much_is_a_fault_by_both_ways() {
    let within = (0..5).fold("strength at least 9".to_owned(), |inner, _| {
        format!("any army here where ({inner})")
    });
    let text = format!(
        r#"edition 1
ruleset crowd "Crowd" prefix CR
sides Red, Blue
dimension points (point)
kind area, areas is space
kind army, armies is unit {{
  has strength in points from 0 to 9
}}
define crowded of army = {within}
map m {{
  space area A
}}
setup s on m {{
{}}}
"#,
        (0..40).map(|at| format!("  put army U{at} of Red in A\n")).collect::<String>()
    );
    let (_, rules, faults) = check_text("crowd.sut", text.as_bytes());
    let rules = rules.unwrap_or_else(|| panic!("{faults:#?}"));
    let world = start(&rules, SetupId::at(0));
    let position = Position::new(&rules, &world).expect("a map");
    let (id, cx) = (rules.defines[0].value, Cx::of(None, ThingRef::Unit(0)));
    let slow = position.holds(id, &cx);
    assert!(slow.is_err(), "{slow:?}");
    assert_eq!(position.holds_directly(id, &cx), slow);
}
