//! Laws of whole turns: what is saved says all there is to know, names and the order of orders make
//! no difference.

use std::path::Path;

use sutler::engine::{Dice, Event, Orders, Stride, Watch, offers, play};
use sutler::ir::{Moment, Ruleset, SetupId};
use sutler::kernel::Position;
use sutler::project::Project;
use sutler::source::SourceId;
use sutler::world::json::{read, write};
use sutler::world::{World, start};

const GAMES: [&str; 4] = ["soldier_kings", "malaya", "sgs", "blockade_siege"];

fn rules(game: &str) -> Ruleset {
    let mut project =
        Project::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").join(game));
    project.rulesets.remove(0).rules.unwrap()
}

fn turn(rules: &Ruleset, world: &mut World, seed: u64) -> Vec<u32> {
    let mut dice = Dice::seeded(seed);
    let mut events = Vec::new();
    assert!(play(rules, world, &mut dice, &mut Orders::first_way(), &mut events).unwrap());
    dice.shown().to_vec()
}

/// A position as a program hands it over, and takes it back.
fn handed_over(rules: &Ruleset, world: &World) -> World {
    let (world, faults) = read(&write(rules, world), SourceId(0), rules);
    assert!(faults.is_empty(), "{faults:?}");
    world.unwrap()
}

#[test]
fn a_position_saved_between_turns_goes_on_as_if_it_had_not_been() {
    for game in GAMES {
        let rules = rules(game);
        for setup in (0..rules.setups.len()).map(SetupId::at) {
            let mut straight = start(&rules, setup);
            let mut saved = handed_over(&rules, &straight);
            for seed in 0..4 {
                assert_eq!(
                    turn(&rules, &mut straight, seed),
                    turn(&rules, &mut saved, seed),
                    "{game}, turn {seed}"
                );
                assert_eq!(write(&rules, &straight), write(&rules, &saved), "{game}, turn {seed}");
                saved = handed_over(&rules, &saved);
            }
        }
    }
}

#[test]
fn renaming_units_and_sides_changes_nothing_but_the_names() {
    for game in GAMES {
        let rules = rules(game);
        let mut other = rules.clone();
        for (at, side) in other.sides.iter_mut().enumerate() {
            side.name = format!("Side_{at}");
        }
        for setup in (0..rules.setups.len()).map(SetupId::at) {
            let (mut plain, mut renamed) = (start(&rules, setup), start(&other, setup));
            for (at, unit) in renamed.units.iter_mut().enumerate() {
                (unit.id, unit.title) = (format!("u{at}"), String::new());
            }
            for seed in 0..3 {
                assert_eq!(
                    turn(&rules, &mut plain, seed),
                    turn(&other, &mut renamed, seed),
                    "{game}"
                );
            }
            for (a, b) in plain.units.iter().zip(&renamed.units) {
                assert_eq!(a.removed, b.removed, "{game}, {}", a.id);
            }
            assert_eq!(plain.unit_facts, renamed.unit_facts, "{game}");
            assert_eq!(plain.space_facts, renamed.space_facts, "{game}");
            assert_eq!(plain.world_facts, renamed.world_facts, "{game}");
            assert_eq!(plain.side_facts, renamed.side_facts, "{game}");
        }
    }
}

/// Holds what was taken against what was offered in the position that the step read.
struct Taken<'r> {
    rules: &'r Ruleset,
    before: Option<World>,
    taken: usize,
}

impl Watch for Taken<'_> {
    fn before(&mut self, stride: Stride, world: &World, _: &Dice) {
        if matches!(stride, Stride::Step(..)) {
            self.before = Some(world.clone());
        }
    }

    fn happened(&mut self, _: Moment, event: Event) {
        let Some(deed) = event.order else { return };
        let position = Position::new(self.rules, self.before.as_ref().unwrap()).unwrap();
        let offered = offers(&position, event.thing).unwrap();
        let of_phase = offered.iter().filter(|offer| offer.phase == event.phase);
        let ways: Vec<_> = of_phase.flat_map(|offer| offer.ways.deeds()).collect();
        assert!(ways.contains(&deed), "{}: {event:?} is none of {ways:?}", self.rules.name);
        self.taken += 1;
    }
}

/// What a game by chance takes is what `expect A may ...` and `explain` say is offered.
#[test]
fn what_is_taken_was_offered() {
    for game in GAMES.into_iter().chain(["twilight"]) {
        let rules = rules(game);
        let mut taken = 0;
        for setup in (0..rules.setups.len()).map(SetupId::at) {
            let mut world = start(&rules, setup);
            let (mut dice, mut orders) = (Dice::seeded(5), Orders::drawn(5));
            for _ in 0..2 {
                let mut watch = Taken { rules: &rules, before: None, taken: 0 };
                let played = play(&rules, &mut world, &mut dice, &mut orders, &mut watch);
                taken += watch.taken;
                if !matches!(played, Ok(true)) {
                    break;
                }
            }
        }
        assert!(taken > 0, "{game}: nothing was taken");
    }
}
