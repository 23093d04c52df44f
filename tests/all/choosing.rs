//! What there is to choose from, asked of all spaces at once and of one after the other.

use crate::common::Dice;
use sutler::ir::{ChoiceId, Ruleset, SideId};
use sutler::kernel::{Cx, Position};
use sutler::project::check_text;
use sutler::world::{ThingRef, World, start};

const RULES: &str = r#"edition 1
ruleset drawn "Drawn" prefix DR
sides Red against Blue, White
clock turn has action of each side
dimension areas (area), points (point)
kind area, areas is space {
  has terrain one of land, sea
  has coastal yes or no
}
kind bay, bays is area
kind border, borders is link
kind road, roads is link
kind army, armies is unit {
  has strength in points from 0 to 3
  has goal maybe an area
}
mark tired of army until end of turn
define held of area = friendly and no enemy army here
define beset of area = any enemy army adjacent over roads
choice printed of army {
  from areas where coastal
  left to owner
}
choice manned of army {
  from areas where (any enemy army here or it is not space of the army)
  left to owner
}
choice near of army {
  from areas where (held and not beset)
  left to owner
}
choice strong of army {
  from areas where count of armies here at most strength of the army
  left to owner
}
choice far of army {
  from areas where (terrain is sea or any own army within 2 of space)
  left to owner
}
choice bays_alone of army {
  from bays where held
  left to owner
}
choice aim of army {
  from areas where (it is goal of the army or any tired army here)
  left to owner
}
choice best of army {
  from areas where held
  prefer coastal
  left to owner
}
"#;

/// A game on a map of so many areas, drawn.
fn drawn(dice: &mut Dice, areas: usize) -> Ruleset {
    let mut text = RULES.to_owned();
    text.push_str("map drawn {\n");
    for at in 0..areas {
        let kind = if dice.percent(20) { "bay" } else { "area" };
        let terrain = if dice.percent(30) { "sea" } else { "land" };
        let coastal = if dice.percent(30) { ", coastal" } else { "" };
        text.push_str(&format!("  space {kind} A{at} with terrain {terrain}{coastal}\n"));
    }
    for at in 1..areas {
        let kind = if dice.percent(50) { "border" } else { "road" };
        text.push_str(&format!("  link {kind} A{at} to A{}\n", dice.below(at)));
    }
    text.push_str("}\nsetup drawn on drawn {\n");
    for at in 0..14 {
        let side = ["Red", "Blue", "White"][dice.below(3)];
        let (space, strength) = (dice.below(areas), dice.below(4));
        text.push_str(&format!(
            "  put army U{at} of {side} in A{space} with strength {strength}, goal A{}\n",
            dice.below(areas)
        ));
        if dice.percent(20) {
            text.push_str(&format!("  given U{at} is tired\n"));
        }
    }
    for at in 0..areas {
        if dice.percent(50) {
            text.push_str(&format!(
                "  given control of A{at} is {}\n",
                ["Red", "Blue"][dice.below(2)]
            ));
        }
    }
    text.push_str("}\n");
    let (_, rules, faults) = check_text("drawn.sut", text.as_bytes());
    rules.unwrap_or_else(|| panic!("{faults:#?}\n{text}"))
}

/// How many choices of all units were the same by both ways, and how many had something to choose.
fn same(rules: &Ruleset, world: &World) -> (usize, usize) {
    let position = Position::new(rules, world).expect("a map");
    let (mut compared, mut some) = (0, 0);
    for (at, choice) in rules.choices.iter().enumerate() {
        for unit in 0..u32::try_from(world.units.len()).unwrap() {
            let whose = ThingRef::Unit(unit);
            let sides = (0..rules.sides.len()).map(|side| Some(SideId::at(side)));
            for viewer in sides.chain([None]) {
                let fast = position.choosable(choice.from, whose, viewer).expect("an answer");
                let slow = position.all(choice.from, &Cx::of(viewer, whose)).expect("an answer");
                assert_eq!(fast, slow, "{:?} of {unit} for {viewer:?}", ChoiceId::at(at));
                compared += 1;
                some += usize::from(!fast.is_empty() && fast.len() < position.map.spaces.len());
            }
        }
    }
    (compared, some)
}

#[test]
fn all_spaces_at_once_are_those_of_one_after_the_other() {
    let (mut compared, mut some) = (0, 0);
    for seed in 0..30 {
        let mut dice = Dice::new(seed);
        // Below 32 areas each is asked by itself.
        let areas = [20, 32, 33, 64, 65, 150][dice.below(6)];
        let rules = drawn(&mut dice, areas);
        let (of_these, of_some) = same(&rules, &start(&rules, sutler::ir::SetupId::at(0)));
        compared += of_these;
        some += of_some;
    }
    assert!(compared > 10_000 && some > compared / 3, "{compared}, {some}");
}
