//! Random rulesets as text with several legs, relays, alternatives and costs, and a position of
//! each.

/// A small generator with a seed, so that a failure can be played again.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % n
    }

    /// True with a chance of one in `n`; the numbers that follow stay as they are.
    fn aside(&self, n: usize) -> bool {
        let mut aside = self.clone();
        aside.below(2);
        aside.below(n) == 0
    }

    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const SCHEMA: &str = "edition 1
ruleset random \"Random\" prefix RA
sides Red, Pink against Blue
clock turn has action of each side
dimension steps (step), points (point)
kind area, areas is space {
  has terrain one of plain, hill, marsh
  has depot yes or no
}
kind way_, ways_ is link
kind road, roads is way_
kind path, paths is link
kind chute, chutes is way_ one way
kind slide, slides is chute
kind unit_, units_ is unit {
  has arm one of foot, horse
  has move in points from 0 to 9
  has wagon yes or no
  has friend maybe a unit_
}
kind ford, fords is area
kind berth, berths is area
define slack of unit_ = 9 - move
define green of unit_ = move at most 4
define apart of unit_ = no enemy unit_ here
define shallow of ford = terrain is not hill
table leave of unit_ gives points by first match {
  when wagon then 0
  otherwise 2
}
table toll of unit_ gives points by first match {
  when over road                                 then 1
  when terrain here is marsh and arm is horse    then barred
  when terrain here is hill                      then 3
  otherwise 2
}
table fare of area gives points by first match {
  when over road                  then 1
  when terrain is marsh           then barred
  when any friendly unit_ here    then 1
  when control is Red             then 3
  otherwise 2
}
table stock of area gives points by first match {
  when terrain is hill then 7
  when friendly        then 4
  when depot           then 2
  otherwise barred
}
table range of area gives steps by first match {
  when any friendly unit_ here then 4
  when terrain is plain        then 2
  otherwise 1
}
given worn of way_
define blocked of area = any enemy unit_ here and no friendly unit_ here
table ground of area gives points by first match {
  when over road        then 1
  when terrain is marsh then barred
  otherwise 2
}
define hostile of area = enemy
define watched of area = blocked or any enemy unit_ adjacent
";

const GATES: [&str; 12] = [
    "anywhere",
    "not blocked",
    "not watched",
    "terrain is not marsh",
    "(friendly or not blocked)",
    "any friendly unit_ within 1",
    "(arm of the unit_ is horse or not blocked)",
    "((arm of the unit_ is horse or terrain is plain) and not blocked)",
    "no enemy unit_ adjacent where move more than move of the unit_",
    "(not watched or any area within 1 of the unit_ where depot)",
    "no road here where worn",
    "(not blocked or any road adjacent where not worn)",
];

/// Who may use a leg.
const ONLY: [&str; 7] = [
    " when lowest move of enemy units_ adjacent or 9 if none at least 3",
    " when arm is horse",
    " when not wagon",
    " when move at least 4 and terrain here is not marsh",
    " when no enemy unit_ adjacent where move more than move of the unit_",
    " when blocked here or friend is not none",
    " when count of friendly units_ here at least 2",
];

/// Gates that read values of who may not be there, and of another kind than the one that has them.
const ABSENT: [&str; 5] = [
    "(slack of friend of the unit_ at least 3 or not blocked)",
    "(friend of the unit_ is not green or not watched)",
    "(leave of friend of the unit_ is 0 or terrain is plain)",
    "(not shallow or friendly)",
    "not any unit_ here where friend is apart",
];

/// Gates that read the traces of areas.
const NET_GATES: [&str; 6] = [
    "near",
    "(near or any friendly unit_ here)",
    "(off_trunk or friendly)",
    "(any area adjacent where (near or friendly) or terrain is plain)",
    "(on_trunk or control is Red)",
    "no enemy unit_ adjacent not over road",
];

/// Two traces of areas, the second of which reads the first.
const NETS: &str = "trace net of area {
  called near else far_off
VERDICT  source depot where (depot and not enemy)
RELAY  leg way
    over    WAYS
    from    anywhere
    through not blocked
STOP    into    GATE
COST    within  FAR
}
trace trunk of area {
  called on_trunk else off_trunk
  source hub where (near and not watched)
  leg way
    over    paths
    from    not enemy
    through (near or friendly)
    into    anywhere
    within  REACH
}
";

/// Links that lead one way.
const ONE_WAY: [&str; 8] = [
    "chutes",
    "slides, roads",
    "chutes, paths",
    "roads, paths, chutes",
    "paths, chutes where not worn",
    "roads, paths but not chutes",
    "links but not slides where worn",
    "links",
];

/// Budgets that the source gives, of a leg whose steps cost and of one whose steps are counted.
const BY_SOURCE: [[&str; 4]; 2] = [
    [
        "stock of the source",
        "lesser of (stock of the source, move)",
        "greater of (move, stock of the source)",
        "stock of the source + 1",
    ],
    [
        "range of the source",
        "range of the source",
        "lesser of (2 steps, range of the source)",
        "range of the source - 1",
    ],
];

/// Such a budget for the last leg of a text, without taking a number.
fn by_source(dice: &Dice, text: &mut String) {
    let mut aside = dice.clone();
    aside.below(2);
    let (Some(leg), Some(within)) = (text.rfind("  leg "), text.rfind("within ")) else { return };
    let of = usize::from(!text[leg..].contains("cost "));
    let budget = aside.pick(&BY_SOURCE[of]);
    text.replace_range(within.., &format!("within {budget}\n"));
}

/// Who may use a leg, where not all may, without taking a number.
fn when(dice: &Dice) -> &'static str {
    let mut aside = dice.clone();
    aside.below(3);
    match aside.below(3) {
        0 => aside.pick(&ONLY),
        _ => "",
    }
}

/// Some of these for a leg now and then, without taking a number.
fn one_way(dice: &Dice) -> Option<&'static str> {
    let mut aside = dice.clone();
    aside.below(2);
    (aside.below(4) == 0).then(|| aside.pick(&ONE_WAY))
}

fn nets(dice: &mut Dice) -> String {
    let one_way = one_way(dice);
    let verdict = dice.pick(&["", "  never blocked\n", "  always friendly\n"]);
    let relay = dice.pick(&["", "  relay hill where (terrain is hill and not blocked)\n"]);
    let gate = dice.pick(&["anywhere", "not watched", "friendly"]);
    let first = dice.pick(&["unlimited", "1 steps", "2 steps"]);
    let second = dice.pick(&["3 steps", "unlimited"]);
    let text = NETS.replace("VERDICT", verdict).replace("RELAY", relay).replace("GATE", gate);
    let stop = dice.pick(&["", "", "    stopping in (enemy or watched)\n"]);
    let both = "roads, paths";
    let (ways, cost, far) = match dice.below(14) {
        0 => (both, "    cost    fare\n", "4 points"),
        1 => (both, "    cost    ground\n", "4 points"),
        2 => ("roads, paths when terrain of the last is not terrain of the area", "", first),
        3 => ("roads, paths when not (hostile of the last and enemy)", "", first),
        4 => (both, "    cost    greater of (1 points, fare of the area)\n", "4 points"),
        5 => (both, "    cost    ground\n", "unlimited"),
        6 => ("roads where not worn, paths", "", first),
        7 => ("roads where not worn", "    cost    ground\n", "4 points"),
        _ => ("roads", "", first),
    };
    let ways = one_way.unwrap_or(ways);
    let text =
        text.replace("WAYS", ways).replace("COST", cost).replace("STOP", stop).replace("FAR", far);
    text.replace("REACH", second)
}

/// What a ruleset may ask.
#[derive(Clone, Copy)]
struct May {
    nets: bool,
    absent: bool,
}

fn leg(dice: &mut Dice, name: &str, how: &str, may: May) -> String {
    let one_way = one_way(dice);
    let links = dice.pick(&[
        "roads",
        "paths",
        "roads, paths",
        "roads",
        "paths",
        "roads, paths",
        "roads where not worn",
        "paths, roads where not worn",
        "roads, paths but not roads where worn",
    ]);
    let links = one_way.unwrap_or(links);
    let gate = |dice: &mut Dice| match may.nets && dice.below(3) == 0 {
        true => dice.pick(&NET_GATES).to_owned(),
        false if may.absent && dice.below(3) == 0 => dice.pick(&ABSENT).to_owned(),
        false => dice.pick(&GATES).to_owned(),
    };
    let (from, through, into) = (gate(dice), gate(dice), gate(dice));
    let stopping = match dice.below(4) {
        0 => format!("    stopping in {}\n", dice.pick(&GATES[1..])),
        _ => String::new(),
    };
    let (cost, within) = match dice.below(4) {
        0 => ("    cost toll\n", "move".to_owned()),
        1 => ("    cost toll\n", format!("{} points", dice.below(8))),
        2 => ("", format!("{} steps", dice.below(4))),
        _ => ("", "unlimited".to_owned()),
    };
    format!(
        "  leg {name}{how}\n    over {links}\n    from {from}\n    through {through}\n{stopping}    into {into}\n{cost}    within {within}\n"
    )
}

/// The text of a ruleset with a map and a setup.
pub fn ruleset(dice: &mut Dice) -> String {
    ruleset_of(dice, false)
}

/// The same with two traces of areas which gates and verdicts read.
pub fn ruleset_with_nets(dice: &mut Dice) -> String {
    ruleset_of(dice, true)
}

fn ruleset_of(dice: &mut Dice, with_nets: bool) -> String {
    let mut text = SCHEMA.to_owned();
    let berths = dice.aside(3);
    if berths {
        let made = "kind path, paths is link from any berth to any other\n";
        text = text.replace("kind path, paths is link\n", made);
    }
    // What is drawn otherwise stays what it was.
    let absent = Dice(dice.0.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1).below(6) == 0;
    let may = May { nets: with_nets, absent };
    text.push_str("trace line of unit_ {\n  called joined else cut\n");
    if dice.below(3) == 0 {
        text.push_str("  always any own unit_ here where wagon\n");
    }
    if with_nets && dice.below(3) == 0 {
        text.push_str("  always (wagon and near here) or off_trunk here\n");
    }
    match if absent { dice.below(5) } else { 5 } {
        0 => text.push_str("  always friend is green and wagon\n"),
        1 => text.push_str("  always not (slack of friend at least 1) and wagon\n"),
        2 => text.push_str("  always wagon and not shallow here\n"),
        _ => {}
    }
    text.push_str(&format!(
        "  source depot where ({})\n",
        dice.pick(&["depot and friendly", "depot and not blocked", "depot"])
    ));
    match dice.below(3) {
        0 => text.push_str("  relay train where any friendly unit_ here where wagon\n"),
        1 => text.push_str("  relay hill where (terrain is hill and not blocked)\n"),
        _ => {}
    }
    let relays = text.contains("  relay ");
    text.push_str(&leg(dice, "first", "", may));
    match dice.below(5) {
        0 => text.push_str(&leg(dice, "second", "", may)),
        1 => text.push_str(&leg(dice, "second", &format!(" optional{}", when(dice)), may)),
        2 => text.push_str(&leg(dice, "other", &format!(" instead of first{}", when(dice)), may)),
        3 => {
            text.push_str(&leg(dice, "other", &format!(" instead of first{}", when(dice)), may));
            text.push_str(&leg(dice, "second", &format!(" optional{}", when(dice)), may));
            text.push_str(&leg(dice, "third", "", may));
        }
        _ => {}
    }
    if !relays && dice.aside(3) {
        by_source(dice, &mut text);
    }
    text.push_str("}\n");
    if with_nets {
        text.push_str(&nets(dice));
    }
    text.push_str("map field {\n");
    let spaces = 4 + dice.below(9);
    for s in 0..spaces {
        let depot = if dice.below(5) == 0 { ", depot" } else { "" };
        let control = dice.pick(&["", ", control Red", ", control Blue", ", control Pink"]);
        let plain = if berths && dice.aside(2) { "berth" } else { "area" };
        text.push_str(&format!(
            "  space {} S{s} with terrain {}{depot}{control}\n",
            if absent && dice.below(2) == 0 { "ford" } else { plain },
            dice.pick(&["plain", "hill", "marsh"])
        ));
    }
    let mut worn = Vec::new();
    for _ in 0..spaces * 2 {
        let (a, b) = (dice.below(spaces), dice.below(spaces));
        let kind = dice.pick(&["road", "path"]);
        if a != b && !(berths && kind == "path") {
            text.push_str(&format!("  link {kind} S{a} to S{b}\n"));
        }
        let mut aside = dice.clone();
        aside.below(2);
        if a != b && aside.below(2) == 0 {
            text.push_str(&format!("  link {} S{a} to S{b}\n", aside.pick(&["chute", "slide"])));
        }
        let said = format!("  given link road S{} to S{} is worn\n", a.min(b), a.max(b));
        if a != b && kind == "road" && dice.below(3) == 0 && !worn.contains(&said) {
            worn.push(said);
        }
    }
    text.push_str("}\nsetup start on field {\n");
    text.push_str(&worn.concat());
    for u in 0..3 + dice.below(6) {
        let wagon = if dice.below(4) == 0 { ", wagon" } else { "" };
        let side = dice.pick(&["Red", "Blue", "Pink"]);
        let (space, arm, points) =
            (dice.below(spaces), dice.pick(&["foot", "horse"]), dice.below(10));
        let friend = match absent && u > 0 && dice.below(2) == 0 {
            true => format!(", friend U{}", dice.below(u)),
            false => String::new(),
        };
        text.push_str(&format!(
            "  put unit_ U{u} of {side} in S{space} with arm {arm}, move {points}{wagon}{friend}\n"
        ));
    }
    text.push_str("}\n");
    text
}
