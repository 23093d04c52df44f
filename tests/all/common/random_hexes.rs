//! Random rulesets with hex maps as text, of several legs, and random positions of them.

use std::fmt::Write;

use sutler::ir::{Ruleset, SetupId, SideId};
use sutler::project::check_text;
use sutler::world::{ThingRef, World, built_in};

use super::Dice;

/// What all of these rulesets share.
pub const SCHEMA: &str = "edition 1
ruleset random \"Random\" prefix RA
sides Red, Pink against Blue, Grey
clock turn has action of each side
dimension steps (step), points (point)
kind hex, hexes is space {
  has terrain one of plain, hill, marsh, sea
  has depot yes or no
  has worth in points from 0 to 3
}
kind box_, boxes is hex
kind way_, ways_ is link
kind road, roads is way_
kind path, paths is road
kind river, rivers is hexside
kind chute, chutes is way_ one way
kind slide, slides is chute
kind scarp, scarps is hexside one way
kind ferry, ferries is link from any box_ to any other
kind unit_, units_ is unit {
  has arm one of foot, horse
  has move in points from 0 to 9
  has wagon yes or no
  has friend maybe a unit_
}
kind guard, guards is unit_
kind calendar, calendars is world {
  has mud yes or no
}
given muddy of hex
table toll of unit_ gives points by first match {
  when terrain here is sea                       then barred
  when over road                                 then 1
  when over river and arm is horse               then barred
  when over river                                then 4
  when over scarp                                then 5
  when terrain here is marsh and arm is horse    then barred
  when terrain here is hill                      then 3
  otherwise 2
}
table plain_toll of unit_ gives points by first match {
  when terrain here is sea                       then barred
  when terrain here is marsh and arm is horse    then 6
  when terrain here is hill                      then 4
  otherwise 2
}
table seasonal of unit_ gives points by first match {
  when mud and terrain here is marsh             then barred
  when muddy here                                then 5
  when terrain here is sea and unit_ is guard    then 2
  when mud                                       then 3
  otherwise 1
}
table reaches of hex gives points by first match {
  when terrain is sea   then 0
  when terrain is marsh then worth
  otherwise 1
}
given worn of way_
define blocked of hex = any enemy unit_ here and no friendly unit_ here
define watched of hex = blocked or any enemy unit_ adjacent
define zoned of hex = not any friendly unit_ here and (any enemy unit_ here or (reaches at least 1 and any enemy unit_ adjacent not over river where arm is foot))
define strong of hex = count of friendly units_ here at least 2
define slack of unit_ = 9 - move
define green of unit_ = move at most 4
define stout of guard = not wagon
define walled of box_ = terrain is not hill
define near_hill of hex = any hex adjacent where terrain is hill
";

const GATES: [&str; 21] = [
    "anywhere",
    "anywhere",
    "not blocked",
    "not watched",
    "not zoned",
    "terrain is not marsh",
    "(friendly or not blocked)",
    "any friendly unit_ within 1",
    "not (enemy and terrain is plain)",
    "(strong or near_hill or terrain is one of (plain, hill))",
    "no enemy guard within 2 over roads",
    "(any road here or no enemy unit_ adjacent over roads)",
    "not (only enemy guard here)",
    "(viewer is not Red or not muddy) and not zoned",
    "sum of move of units_ here at most 12",
    "not (mud and terrain is marsh)",
    "(arm of the unit_ is horse or terrain is not marsh)",
    "no enemy unit_ adjacent where move more than move of the unit_",
    "(worth at most move of the unit_ or not zoned)",
    "(not watched or it is not space of the unit_)",
    "((no road here where worn) or not blocked)",
];

/// Gates that read values of who may not be there, and of another kind than the one that has them.
const ABSENT: [&str; 5] = [
    "(slack of friend of the unit_ at least 3 or not blocked)",
    "(friend of the unit_ is not green or not watched)",
    "(the unit_ is not stout or not zoned)",
    "not (walled and enemy) and (not walled or any unit_ adjacent)",
    "no enemy unit_ here where stout",
];

/// Links that lead one way, and links between each two.
const ONE_WAY: [&str; 10] = [
    "chutes",
    "chutes, roads",
    "slides, paths",
    "hexsides but not scarps",
    "hexsides but not chutes, scarps",
    "roads, chutes but not slides where worn",
    "chutes where not worn",
    "hexsides when not over scarp",
    "hexsides, ferries",
    "roads, ferries, chutes",
];

/// Some of these for a leg now and then, without taking a number.
fn one_way(dice: &Dice) -> Option<&'static str> {
    let mut aside = dice.clone();
    aside.next();
    aside.percent(25).then(|| *aside.pick(&ONE_WAY))
}

fn leg(dice: &mut Dice, name: &str, how: &str, absent: bool) -> String {
    let one_way = one_way(dice);
    let links = *dice.pick(&[
        "hexsides",
        "hexsides",
        "roads",
        "paths",
        "hexsides, roads",
        "hexsides",
        "paths",
        "hexsides, roads",
        "roads where not worn",
        "hexsides but not roads where worn",
    ]);
    let links = one_way.unwrap_or(links);
    let mut gate = || match absent && dice.percent(40) {
        true => (*dice.pick(&ABSENT)).to_owned(),
        false => (*dice.pick(&GATES)).to_owned(),
    };
    let (from, through, into) = (gate(), gate(), gate());
    let tolls = ["toll", "plain_toll", "seasonal"];
    let (cost, within) = match dice.below(6) {
        0 | 1 => (format!("    cost {}\n", dice.pick(&tolls)), "move".to_owned()),
        2 => (format!("    cost {}\n", dice.pick(&tolls)), format!("{} points", dice.below(12))),
        3 => (format!("    cost {}\n", dice.pick(&tolls)), "unlimited".to_owned()),
        4 => (String::new(), format!("{} steps", dice.below(5))),
        _ => (String::new(), "unlimited".to_owned()),
    };
    format!(
        "  leg {name}{how}\n    over {links}\n    from {from}\n    through {through}\n    into {into}\n{cost}    within {within}\n"
    )
}

/// A trace of one leg or several.
pub fn trace(dice: &mut Dice) -> String {
    let absent = dice.aside();
    let mut text = "trace line of unit_ {\n  called joined else cut\n".to_owned();
    match if absent { dice.below(4) } else { 4 } {
        0 => text.push_str("  never friend is green\n"),
        1 => text.push_str("  always stout and walled here\n"),
        2 => text.push_str("  always not (slack of friend at least 1) and wagon\n"),
        _ => {}
    }
    match dice.below(6) {
        0 => text.push_str("  always any own unit_ here where wagon\n"),
        1 => text.push_str("  always guard\n"),
        2 => text.push_str("  never terrain here is sea and arm is horse\n"),
        _ => {}
    }
    let source = dice.pick(&[
        "depot and friendly",
        "depot and not blocked",
        "depot",
        "viewer is Red and depot or friendly and worth at least 3",
    ]);
    let _ = writeln!(text, "  source depot where ({source})");
    if dice.percent(20) {
        text.push_str("  source camp where any own guard here where wagon\n");
    }
    match dice.below(4) {
        0 => text.push_str("  relay train where any friendly unit_ here where wagon\n"),
        1 => text.push_str("  relay hill where (terrain is hill and worth is 2 and not blocked)\n"),
        _ => {}
    }
    text.push_str(&leg(dice, "first", "", absent));
    match dice.below(7) {
        0 | 1 => text.push_str(&leg(dice, "second", "", absent)),
        2 => text.push_str(&leg(dice, "second", " optional", absent)),
        3 => text.push_str(&leg(dice, "other", " instead of first", absent)),
        4 => {
            text.push_str(&leg(dice, "other", " instead of first", absent));
            text.push_str(&leg(dice, "second", " optional", absent));
            text.push_str(&leg(dice, "third", "", absent));
        }
        _ => {}
    }
    text.push_str("}\n");
    text
}

/// A map of hexes in one of the four layouts, some outside, with roads, rivers and sometimes a box.
pub fn map(dice: &mut Dice) -> String {
    // Some maps are wider than a word of bits.
    let (columns, rows) = match dice.below(6) {
        0 => (70 + dice.below(5), 1 + dice.below(3)),
        1 => (1 + dice.below(3), 66 + dice.below(5)),
        _ => (2 + dice.below(7), 2 + dice.below(6)),
    };
    map_of(dice, columns, rows)
}

/// A map of a size.
pub fn map_of(dice: &mut Dice, columns: usize, rows: usize) -> String {
    let layout = *dice.pick(&[
        "flat even columns lower",
        "flat odd columns lower",
        "pointy even rows right",
        "pointy odd rows right",
    ]);
    let mut text =
        format!("map field {{\n  grid hexes {layout} from 0{}0{}\n", dice.below(3), dice.below(3));
    for (sign, what) in [
        ("p", "terrain plain"),
        ("h", "terrain hill, worth 2"),
        ("m", "terrain marsh, worth 1"),
        ("s", "terrain sea"),
        ("D", "terrain plain, depot, worth 3"),
    ] {
        let _ = writeln!(text, "  legend \"{sign}\" with {what}");
    }
    text.push_str("  legend \"-\" outside\n");
    let holes = dice.percent(40);
    for row in 0..rows {
        let cells: Vec<&str> = (0..columns)
            .map(|column| match dice.below(20) {
                // The corners are hexes, so that the rectangle is as large as it is drawn.
                _ if row == 0 && column == 0 => "D",
                0 | 1 if holes => "-",
                2 => "D",
                3..=5 => "h",
                6 | 7 => "m",
                8 => "s",
                _ => "p",
            })
            .collect();
        let _ = writeln!(text, "  row \"{}\"", cells.join(" "));
    }
    text.push_str("}\n");
    text
}

/// Links between random neighbours, written by the labels that the map itself gives.
pub fn links(dice: &mut Dice, rules: &Ruleset) -> String {
    let map = &rules.maps[0];
    let grid = map.grid.as_ref().unwrap();
    let mut text = String::new();
    let boxes = dice.percent(30);
    if boxes {
        text.push_str(
            "  space box_ Island with terrain plain, depot\n  space box_ Port with terrain hill\n",
        );
    }
    for _ in 0..map.spaces.len() {
        let at = dice.below(map.spaces.len()) as u32;
        let (column, row) = grid.place(at).unwrap();
        let near: Vec<u32> = grid.around(column, row).collect();
        if near.is_empty() {
            continue;
        }
        let to = *dice.pick(&near);
        let label = |s: u32| grid.place(s).map(|(c, r)| grid.label(c, r)).unwrap();
        let kind = *dice.pick(&["road", "road", "path", "river"]);
        let _ = writeln!(text, "  link {kind} {} to {}", label(at), label(to));
        let mut aside = dice.clone();
        let there = if aside.percent(15) { aside.below(map.spaces.len()) as u32 } else { to };
        let kind = *aside.pick(&["chute", "slide", "scarp"]);
        if aside.percent(50) && there != at && (kind != "scarp" || there == to) {
            let _ = writeln!(text, "  link {kind} {} to {}", label(at), label(there));
        }
        if boxes && dice.percent(10) {
            let _ =
                writeln!(text, "  link road {} to {}", label(at), dice.pick(&["Island", "Port"]));
        }
    }
    text
}

/// A text that must be without faults.
pub fn checked(text: &str) -> Ruleset {
    let (sources, rules, faults) = check_text("random.sut", text.as_bytes());
    rules.unwrap_or_else(|| {
        panic!(
            "{text}\n{}",
            sutler::diag::render(
                &faults,
                &sources,
                sutler::diag::Format::Concise,
                sutler::diag::Style::PLAIN
            )
        )
    })
}

/// A whole ruleset, and its text.
pub fn ruleset(dice: &mut Dice) -> (Ruleset, String) {
    let text = format!("{SCHEMA}{}{}", trace(dice), map(dice));
    let bare = checked(&text);
    let links = links(dice, &bare);
    let text = format!(
        "{}{links}}}\nsetup start on field {{\n}}\n",
        text.trim_end().trim_end_matches('}')
    );
    (checked(&text), text)
}

/// Units and control anywhere; nothing printed on the map is changed.
pub fn position(dice: &mut Dice, rules: &Ruleset) -> World {
    let mut world = sutler::world::start(rules, SetupId(0));
    let fact = |name: &str| rules.facts.iter().find(|f| f.name == name).unwrap();
    let kinds: Vec<_> = ["unit_", "unit_", "guard"]
        .iter()
        .map(|n| rules.kinds.iter().position(|k| k.name == *n).map(sutler::ir::KindId::at).unwrap())
        .collect();
    let spaces = rules.maps[0].spaces.len();
    for unit in 0..dice.below(4 + spaces / 4) {
        let at = if dice.percent(95) { Some(dice.below(spaces) as u32) } else { None };
        let facts = ["arm", "move", "wagon"].iter().map(|n| {
            rules.facts.iter().position(|f| f.name == *n).map(sutler::ir::FactId::at).unwrap()
        });
        let values = [dice.below(2) as i64, dice.below(10) as i64, i64::from(dice.percent(20))];
        let put = sutler::ir::PutUnit {
            id: format!("U{unit}"),
            title: format!("U{unit}"),
            kind: *dice.pick(&kinds),
            owner: if dice.percent(97) { Some(SideId(dice.below(4) as u8)) } else { None },
            space: at,
            facts: facts.zip(values).collect(),
        };
        let at = world.put(rules, &put);
        world.units[at as usize].removed = dice.percent(5);
    }
    let (first, mut friends) = (rules.named.len(), dice.clone());
    for unit in first..world.units.len() {
        if friends.percent(40) {
            let of = 1 + first + friends.below(world.units.len() - first);
            world.set_fact(fact("friend"), ThingRef::Unit(unit as u32), of as i64);
        }
    }
    for space in 0..spaces as u32 {
        if dice.percent(50) {
            world.set_fact(
                &rules.facts[built_in::CONTROL.index()],
                ThingRef::Space(space),
                dice.below(5) as i64,
            );
        }
        if dice.percent(10) {
            world.set_fact(fact("muddy"), ThingRef::Space(space), 1);
        }
    }
    for link in 0..rules.maps[0].changing.len() as u32 {
        world.set_fact(fact("worn"), ThingRef::Link(link), i64::from(dice.percent(20)));
    }
    world.set_fact(fact("mud"), ThingRef::World, i64::from(dice.percent(30)));
    if dice.percent(20) {
        let how = [
            sutler::ir::Relation::Enemy,
            sutler::ir::Relation::Allied,
            sutler::ir::Relation::Neutral,
        ];
        world.relate(
            SideId(dice.below(2) as u8),
            SideId(2 + dice.below(2) as u8),
            *dice.pick(&how),
        );
    }
    world
}
