//! What there is to choose from, asked of all spaces at once and of one after the other.

use crate::common::Dice;
use sutler::engine::Ground;
use sutler::ir::{ChoiceId, Ruleset, SideId};
use sutler::kernel::hex::yes_of;
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
choice beside of army {
  from areas adjacent over roads where (held and not beset)
  left to owner
}
choice around of army {
  from areas adjacent where (coastal or any enemy army here)
  left to owner
}
choice close_by of army {
  from areas within 2 of space where (beset or it is not space of the army)
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

const WARM: &str = r#"edition 1
ruleset warm "Warm" prefix WA
sides Red against Blue
clock turn has action of each side
dimension areas (area), points (point)
kind area, areas is space {
  has flood in points from 0 to 2
  has crop in points from 0 to 9
}
kind road, roads is link
kind army, armies is unit
kind weather is world {
  has mud in points from 0 to 2
  has frost in points from 0 to 2
  has tally in points from 0 to 9
}
kind court is side {
  has zeal in points from 0 to 2
  has fame in points from 0 to 9
}
define deep = mud at least 1
define frozen of area = frost is 2 and friendly
trace supply of army {
  called  fed else hungry
  source  home where friendly
  leg way
    over    roads
    from    anywhere
    through (not deep or frozen) and flood at most 1
    into    anywhere
    within  reach
}
table reach of army gives areas by first match {
  when zeal of owner at least 2 then 5
  when zeal of owner at least 1 then 3
  otherwise 1
}
choice refuge of army {
  from areas where (flood is 0 and (frozen or zeal of owner of the army at least 1))
  left to owner
}
"#;

/// What a board keeps from one position to the next is what a new board says, whichever facts of the
/// world, of sides and of spaces have changed: those that rules read, and those that nothing reads.
#[test]
fn what_is_kept_between_positions_knows_each_fact_that_is_read() {
    let mut dice = Dice::new(7);
    let mut text = format!("{WARM}map warm {{\n");
    (0..40).for_each(|at| text.push_str(&format!("  space area A{at}\n")));
    (1..40).for_each(|at| {
        text.push_str(&format!("  link road A{at} to A{}\n", at - 1 - dice.below(at.min(3))))
    });
    text.push_str("}\nsetup warm on warm {\n");
    for at in 0..12 {
        let side = ["Red", "Blue"][at % 2];
        text.push_str(&format!("  put army U{at} of {side} in A{}\n", dice.below(40)));
    }
    text.push_str("  given control of A0 is Red\n  given control of A39 is Blue\n}\n");
    let (_, rules, faults) = check_text("warm.sut", text.as_bytes());
    let rules = rules.unwrap_or_else(|| panic!("{faults:#?}"));
    let ground = Ground::new(&rules);
    let mut world = start(&rules, sutler::ir::SetupId::at(0));
    let armies: Vec<ThingRef> = (0..12).map(ThingRef::Unit).collect();
    let asked = |position: &Position<'_>| {
        let choose = |army| position.choosable(rules.choices[0].from, army, None).expect("areas");
        let yes = yes_of(position, sutler::ir::TraceId::at(0), &armies).expect("answers");
        (yes, armies.iter().map(|army| choose(*army)).collect::<Vec<_>>())
    };
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..600 {
        let all = ["mud", "frost", "tally", "zeal", "fame", "control", "flood", "crop"];
        let name = all[dice.below(all.len())];
        let fact = rules.facts.iter().find(|fact| fact.name == name).expect("the fact");
        let of = match name {
            "zeal" | "fame" => ThingRef::Side(SideId(u8::try_from(dice.below(2)).unwrap())),
            "control" | "flood" | "crop" => ThingRef::Space(u32::try_from(dice.below(40)).unwrap()),
            _ => ThingRef::World,
        };
        world.set_fact(fact, of, i64::try_from(dice.below(3)).unwrap());
        let warm = ground.ask(&world, asked).expect("a map");
        assert_eq!(warm, asked(&Position::new(&rules, &world).expect("a map")), "{name}");
        seen.insert(warm);
    }
    assert!(seen.len() >= 8, "{}", seen.len());
}
